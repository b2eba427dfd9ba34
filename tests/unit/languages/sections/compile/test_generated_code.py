"""Generated code that is kept: it is found for the same system only, and is the same code."""

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.expanders import interpreter
from tests.support.project import SOURCE
from zermelo.api import loading
from zermelo.core.values import UNSET
from zermelo.fast import cache
from zermelo.fast.cache import Cache
from zermelo.languages.sections.compile import emitter, generated_code
from zermelo.languages.sections.compile.kernel import Kernel, kernel
from zermelo.languages.sections.ir import NoEffect, System
from zermelo.languages.sections.run.interpreter import Interpreter


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Cache]:
    """A cache of its own, used by everything that names none."""
    made = Cache(tmp_path)
    cache.use(made)
    yield made
    cache.use(None)


@pytest.fixture(autouse=True)
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The modules that generate code, whatever is written there meanwhile."""
    monkeypatch.setattr(generated_code, "makers", lambda: b"makers")


@pytest.fixture(scope="module")
def system() -> System:
    return interpreter(loading.load("tic-tac-toe")).system


def test_what_is_kept_is_what_was_generated(folder: Cache, system: System) -> None:
    code = emitter.emitted(Interpreter(system))

    assert generated_code.kept(system) is None
    assert not generated_code.is_kept(system)
    generated_code.keep(system, code)

    assert generated_code.is_kept(system)
    assert generated_code.kept(system) == code
    assert generated_code.kept(system, folder) == code


def test_the_value_of_what_was_never_set_stays_the_only_one() -> None:
    # a kernel asks whether a value *is* this one
    assert pickle.loads(pickle.dumps((UNSET, frozenset({UNSET})))) == (UNSET, frozenset({UNSET}))
    assert pickle.loads(pickle.dumps(UNSET)) is UNSET


def test_a_kernel_is_generated_once(
    folder: Cache, system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = kernel(Interpreter(system))
    assert isinstance(first, Kernel)
    assert folder.folder is not None

    def emitted(machine: Interpreter, *, counts_guards: bool) -> None:
        raise AssertionError(f"{machine.system.name} is there already, {counts_guards}")

    monkeypatch.setattr(emitter, "emitted", emitted)
    second = kernel(Interpreter(system))

    assert isinstance(second, Kernel)
    assert second.source == first.source
    assert second.legal(second.initial) == first.legal(first.initial)
    with pytest.raises(AssertionError, match="is there already, True"):
        kernel(Interpreter(system), counts_guards=True)


def test_another_reading_is_another_system(system: System) -> None:
    other = replace(system, no_effect=NoEffect.COSTS_THE_TURN)

    assert generated_code.fingerprint(other) != generated_code.fingerprint(system)
    assert generated_code.fingerprint(
        replace(other, no_effect=system.no_effect)
    ) == generated_code.fingerprint(system)


def test_code_does_not_outlive_what_generates_it(
    folder: Cache, system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    generated_code.keep(system, emitter.emitted(Interpreter(system)), folder)
    assert generated_code.is_kept(system, folder)

    monkeypatch.setattr(generated_code, "makers", lambda: b"others")
    assert not generated_code.is_kept(system, folder)
    monkeypatch.setattr(generated_code, "makers", lambda: None)
    assert generated_code.fingerprint(system) is None
    assert generated_code.kept(system, folder) is None


def test_modules_that_were_written_since_are_not_told_from_those_that_were_loaded(
    tmp_path: Path,
) -> None:
    (tmp_path / "core").mkdir()
    module = tmp_path / "core" / "rules.py"
    module.write_text("one")
    os.utime(module, (100.0, 100.0))

    first = generated_code.digest(tmp_path, before=101.0)
    assert first is not None
    assert generated_code.digest(tmp_path, before=100.0) is None

    module.write_text("two")
    os.utime(module, (100.0, 100.0))
    assert generated_code.digest(tmp_path, before=101.0) not in {first, None}
    assert generated_code.digest(tmp_path / "nowhere", before=101.0) is None


def test_what_cannot_be_read_any_more_is_not_there(folder: Cache, system: System) -> None:
    key = generated_code.fingerprint(system)
    assert key is not None

    # a value of a class that is gone
    folder.put(key, {"emitted": b"czermelo.core.values\nGone\n."})
    assert generated_code.kept(system) is None
    folder.put(key, {"emitted": pickle.dumps("something else")})
    assert generated_code.kept(system) is None


def test_a_fingerprint_is_the_same_in_every_process(system: System) -> None:
    code = (
        "from zermelo.api import loading; "
        "from zermelo.languages.sections.compile import generated_code; "
        "generated_code.makers = lambda: b'makers'; "
        "print(generated_code.fingerprint(loading.load('tic-tac-toe').model.system))"
    )
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONHASHSEED": "1"}

    answer = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )

    assert answer.stdout.strip() == generated_code.fingerprint(system)
