"""Generated code that is kept: it is found for the same system only, and is the same code."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.support.expanders import interpreter
from tests.support.project import SOURCE
from zermelo.api import loading
from zermelo.core.layout import Layout
from zermelo.core.machine import Ending, Outcome
from zermelo.core.values import FALSE, TRUE, UNSET, Atom, TruthValue, Value
from zermelo.fast import cache
from zermelo.fast.cache import Cache
from zermelo.languages.sections.compile import emitter, generated_code
from zermelo.languages.sections.compile.generated_code import (
    MOST_MOVES,
    GeneratedCode,
    decoded,
    encoded,
)
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


@pytest.fixture(scope="module")
def code(system: System) -> GeneratedCode:
    return emitter.emitted(Interpreter(system))


def layout(system: System) -> Layout:
    found = Interpreter(system).layout
    assert isinstance(found, Layout)
    return found


@pytest.mark.parametrize("name", ["tic-tac-toe", "pawns", "pegs"])
def test_what_is_kept_is_what_was_generated(folder: Cache, name: str) -> None:
    system = interpreter(loading.load(name)).system
    code = emitter.emitted(Interpreter(system))

    assert generated_code.kept(system, layout(system)) is None
    assert not generated_code.is_kept(system)
    generated_code.keep(system, code)

    assert generated_code.is_kept(system)
    assert generated_code.kept(system, layout(system)) == code
    assert generated_code.kept(system, layout(system), folder) == code


@pytest.mark.parametrize(
    "value",
    [
        UNSET,
        TRUE,
        FALSE,
        0,
        -(2**63),
        2**63 - 1,
        2**63,
        -(10**5000),
        Fraction(-(10**30), 7),
        Atom("tuple"),
        Atom("\ud800\n∅"),
        (),
        (1, (Atom("a"), TRUE)),
        frozenset(),
        frozenset({frozenset({(1, 2)}), frozenset()}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_value_is_read_as_it_was_written(
    system: System, code: GeneratedCode, value: Value
) -> None:
    of_value = replace(
        code,
        entries=(replace(code.entries[0], values=((value,),)),),
        most_moves=2,
        outcomes=(Outcome(Ending.OVER, ("a", "b"), (), value), Outcome(Ending.DRAW)),
    )

    found = decoded(system, code.layout, encoded(of_value))

    assert found == of_value
    # a kernel asks whether a value *is* unset, and a truth value is no number
    assert found is not None
    read = found.entries[0].values[0][0]
    assert (read is UNSET) == (value is UNSET)
    assert type(read) is type(value)


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
    assert generated_code.kept(system, layout(system), folder) is None


@pytest.mark.usefixtures("folder")
def test_a_source_that_is_kept_is_never_compiled(system: System, code: GeneratedCode) -> None:
    # a text that would compile and count wrongly, and one that would not
    for source in (code.source.replace("return 1", "return 0"), "import os", "\0"):
        generated_code.keep(system, replace(code, source=source))
        made = kernel(Interpreter(system))

        assert isinstance(made, Kernel)
        assert made.source == code.source
        assert len(made.legal(made.initial)) == 9
        # and what is kept now is what was made
        assert generated_code.kept(system, code.layout) == code


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"{}\n",
        b"[]",
        b"\xff\n",
        b'["", [], []]\n',
        b'["", [[[1]]], [], 0]\n',
        b'["", [[[1]]], []]\n1234567',
        b'["", [[[1.5]]], []]\n',
        b'["", [[[NaN]]], []]\n',
        b'["", [[[9223372036854775808]]], []]\n',
        b'["", [[[[]]]], []]\n',
        b'["", [[[["set", 1, 1]]]], []]\n',
        b'["", [[[["fraction", "0x2", "0x4"]]]], []]\n',
        b'["", [[[["fraction", "0x2", "0x0"]]]], []]\n',
        b'["", [[[["number", 3]]]], []]\n',
        b'["", [[[["Outcome", "win"]]]], []]\n',
        b'["", [[[{}]]], []]\n',
        b'["", [[[1], [1]]], []]\n',
        b'["", [[[1]]], [["won", [], [], []]]]\n',
        b'["", [[[1]]], [["win", [1], [], []]]]\n',
        b'["", [[[1]]], [["win", [], [], 0]]]\n',
        b'["", [[[1]]], [["win", [], [], [1, 2]]]]\n',
        b'["", [[[' + b"[" * 100_000 + b"]]], []]\n",
        b'["", [[[' + b'["tuple", ' * 600 + b"1" + b"]" * 600 + b"]]], []]\n",
        b'["", [[[' + b"1" * 5000 + b"]]], []]\n",
        b'["", [[[' + b"1," * MOST_MOVES + b"1]]], []]\n",
        b"cos\nsystem\n(S'exit 1'\ntR.",
    ],
    ids=lambda content: content[:40].decode("ascii", "replace"),
)
def test_what_is_not_code_of_the_system_is_not_there(
    folder: Cache, system: System, code: GeneratedCode, content: bytes
) -> None:
    key = generated_code.fingerprint(system)
    assert key is not None

    # with a digest that is right
    folder.put(key, content)

    assert generated_code.kept(system, code.layout) is None


def test_whatever_is_done_to_what_is_kept_it_is_code_or_nothing(
    system: System, code: GeneratedCode
) -> None:
    random = Random(13)
    good = encoded(code)
    results = {True: 0, False: 0}

    for _ in range(4000):
        mutated = _mutated_json(random, good) if random.random() < 0.7 else _cut(random, good)
        found = decoded(system, code.layout, mutated)
        results[found is None] += 1
        if found is not None:
            _check_types(found)

    # both were tried
    assert min(results.values()) > 200


def _cut(random: Random, data: bytes) -> bytes:
    """*data* with some bytes changed, left out or put in."""
    start, size = random.randrange(len(data)), random.randrange(4)
    inserted = bytes(random.choice(b'[]{}",:\\\n0123456789eE-.\x00\xffntu') for _ in range(size))
    return data[:start] + inserted + data[start + random.randrange(8) :]


STRANGE = [
    None,
    True,
    0,
    -1,
    2**63,
    10**400,
    1.5,
    float("inf"),
    "",
    "win",
    "tuple",
    "\ud800",
    [],
    {},
    ["set"],
    ["set", ["set"], ["set"]],
    ["tuple", ["tuple", None]],
    ["fraction", "0x1", "-0x2"],
    ["fraction", "0x1", "0x2"],
    ["number", "0xg"],
    ["number", "0x1", 2],
    {"__reduce__": ["os.system", "exit 1"]},
]


def _mutated_json(random: Random, data: bytes) -> bytes:
    line, _, numbers = data.partition(b"\n")
    tree = json.loads(line)
    for _ in range(random.randrange(1, 4)):
        tree = _mutated(random, tree)
    return json.dumps(tree).encode() + b"\n" + numbers


def _mutated(random: Random, tree: Any) -> Any:  # noqa: ANN401 - whatever JSON has
    """*tree* with one of its parts put in place of another, doubled, left out or made strange."""
    if not isinstance(tree, list) or not tree or random.random() < 0.1:
        return random.choice(STRANGE)
    at = random.randrange(len(tree))
    changes: list[Callable[[], list[Any]]] = [
        lambda: [*tree[:at], *tree[at + 1 :]],
        lambda: [*tree[:at], tree[at], *tree[at:]],
        lambda: [*tree[:at], random.choice(tree), *tree[at + 1 :]],
        lambda: [*tree, random.choice(STRANGE)],
    ]
    if random.random() < 0.3:
        return random.choice(changes)()
    return [*tree[:at], _mutated(random, tree[at]), *tree[at + 1 :]]


def _check_types(code: GeneratedCode) -> None:
    assert isinstance(code.source, str)
    assert all(type(number) is int and abs(number) <= 2**63 for number in code.tables)
    assert [(entry.name, len(entry.values), entry.first) for entry in code.entries] == [
        ("Mark", 1, 0)
    ]
    assert code.most_moves == code.entries[0].size + 1 <= MOST_MOVES + 1
    for outcome in code.outcomes:
        assert isinstance(outcome.ending, Ending)
        assert all(isinstance(name, str) for name in outcome.winners + outcome.losers)
        _check_value(UNSET if outcome.result is None else outcome.result)
    for value in code.entries[0].values[0]:
        _check_value(value)


_KINDS = (TruthValue, int, Fraction, Atom, tuple, frozenset)


def _check_value(value: Value) -> None:
    assert value is UNSET or isinstance(
        value, TruthValue | int | Fraction | Atom | tuple | frozenset
    )
    if isinstance(value, tuple | frozenset):
        for each in value:
            _check_value(each)


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
