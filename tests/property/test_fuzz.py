"""Nothing that comes from outside makes the program raise: the first inputs of `tools/fuzz.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import fuzz_targets
from tests.support.fuzz_inputs import LONGEST
from tests.support.fuzz_targets import CORPUS, TARGETS

CASES = {
    "read-sections": 40,
    "read-led": 60,
    "read-prod": 20,
    "read-pnml": 20,
    "use-sections": 8,
    "use-led": 20,
    "use-prod": 8,
    "use-pnml": 8,
    "readings": 12,
    "moves": 400,
    "saved-plays": 300,
    "solutions": 300,
    "checkpoints": 100,
    "cached-code": 300,
    "messages": 1500,
}
"""How many inputs of each target are tried, and tried in every run."""

KEPT = sorted(path for path in CORPUS.glob("*/*") if path.is_file())


@pytest.mark.parametrize("name", CASES)
def test_a_target_answers_or_refuses(name: str) -> None:
    taken = [fuzz_targets.attempt(name, fuzz_targets.case(name, at)) for at in range(CASES[name])]

    assert any(taken), "all of them are refused, so nothing was tried"


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_once_failed_does_so_no_more(path: Path) -> None:
    fuzz_targets.attempt(path.parent.name, path.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_inputs_differ_and_come_again(name: str) -> None:
    first = [fuzz_targets.case(name, at) for at in range(12)]

    assert first == [fuzz_targets.case(name, at) for at in range(12)]
    assert len(set(first)) > 6
    assert max(map(len, first)) <= LONGEST


def test_what_raises_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: bytes) -> None:
        raise ZeroDivisionError

    monkeypatch.setitem(TARGETS, "broken", fuzz_targets.Target(broken, lambda: (b"1",)))

    with pytest.raises(ZeroDivisionError):
        fuzz_targets.attempt("broken", b"1")
