"""Documents written for these tests, each with constructs that the library games lack."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.documents import assignments, by_hand, customs, mappings, strangers, told
from zermelo.api import loading
from zermelo.api.questions import explore
from zermelo.core.values import to_text

HERE = Path(__file__).parent
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads(
    (HERE / "expected.toml").read_text(encoding="utf-8")
)
BY_HAND = (
    by_hand.GAMES
    | assignments.GAMES
    | customs.GAMES
    | mappings.GAMES
    | told.GAMES
    | strangers.GAMES
)
WHOLE = sorted(name for name, known in EXPECTED.items() if "states" in known)


def test_every_document_here_has_an_expectation() -> None:
    documents = {path.name for path in HERE.iterdir() if path.suffix in {".md", ".txt", ".tex"}}

    assert documents == set(EXPECTED)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_the_document_loads_and_has_its_players_and_first_moves(name: str) -> None:
    game = loading.load(HERE / name)
    known = EXPECTED[name]

    assert [d.message for d in game.diagnostics if d.is_error] == []
    machine = game.machine
    assert len(machine.signature.players) == known["players"]
    if "names" in known:
        # In the order of play, which the document tells by other words than these.
        assert [p.name for p in machine.signature.players] == known["names"]
    assert len(machine.legal(machine.initial)) == known["first_moves"]


@pytest.mark.parametrize("name", WHOLE)
def test_the_document_has_the_positions_that_were_counted_by_other_means(name: str) -> None:
    machine = loading.load(HERE / name).machine
    known = EXPECTED[name]

    levels = [{machine.initial}]
    seen = set(levels[0])
    endings: Counter[str] = Counter()
    stuck = 0
    while levels[-1]:
        level = set()
        for state in levels[-1]:
            moves = machine.legal(state)
            level |= {machine.after(state, move) for move in moves}
            outcome = machine.outcome(state)
            if outcome is not None and outcome.ending.value == "stuck":
                stuck += 1
            elif outcome is not None:
                endings["" if outcome.result is None else to_text(outcome.result)] += 1
        levels.append(level - seen)
        seen |= level

    assert [len(level) for level in levels[:-1]] == known["by_depth"]
    assert len(seen) == known["states"]
    assert dict(endings) == known["endings"]
    assert stuck == known.get("stuck", 0)


@pytest.mark.parametrize("name", sorted(BY_HAND))
def test_the_program_written_by_hand_counts_what_is_expected(name: str) -> None:
    counts = by_hand.count(BY_HAND[name])
    known = EXPECTED[name]

    assert counts.by_depth == known["by_depth"]
    assert sum(counts.by_depth) == known["states"]
    assert counts.endings == known["endings"]
    assert counts.stuck == known.get("stuck", 0)


def test_braces_around_a_side_are_a_reading_that_changes_what_is_counted() -> None:
    game = loading.load(HERE / "lines-or-cells.md", readings={"sides of L − D": "L − {D}"})

    found = explore(game)

    counts = by_hand.count(by_hand.lines(has_diagonal=False))
    assert found.states == sum(counts.by_depth) == 5549
