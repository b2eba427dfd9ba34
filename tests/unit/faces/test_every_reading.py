"""``zermelo readings --exhaustive``: each choice changed alone, compared over all positions."""

from __future__ import annotations

from pathlib import Path

from tests.support.command import zermelo

LINES = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]


def _sets_until_a_line() -> int:
    """The sets of cells that both players have where each cell goes to both, by hand."""
    seen: set[frozenset[int]] = {frozenset()}
    waiting = list(seen)
    for cells in waiting:
        if any(line <= cells for line in LINES):
            continue
        for cell in range(9):
            if cells | {cell} not in seen:
                seen.add(cells | {cell})
                waiting.append(cells | {cell})
    return len(seen)


def test_each_choice_has_its_size_its_value_and_where_it_parts() -> None:
    rows = zermelo("readings", "tic-tac-toe", "--exhaustive", "--json").json

    assert [row["choices"] for row in rows] == [
        {},
        {"order": "facts frozen"},
        {"order": "at once"},
        {"order of GameOver": "facts frozen"},
        {"order of GameOver": "at once"},
        {"end": "when a result is known"},
        {"stuck player": "loses"},
        {"stuck player": "wins"},
        {"stuck player": "draws"},
        {"stuck player": "passes"},
    ]
    taken, frozen, *others = rows
    assert (taken["states"], taken["value"], taken["comparison"]) == (5478, "draw in 9", None)
    # Both players get each cell, so X is always in turn and O is said to win.
    assert _sets_until_a_line() == 450
    assert (frozen["states"], frozen["value"]) == (450, "O wins in 7")
    first = frozen["comparison"]["differences"][0]
    assert (first["kind"], first["play"]) == ("player", ["Mark((1, 1))"])
    assert (first["first"], first["second"]) == ("O is in turn", "X is in turn")
    assert all(row["comparison"]["equal"] for row in others)
    assert {row["comparison"]["positions"] for row in others} == {5478}


def test_pairs_of_choices_are_changed_on_request(tmp_path: Path) -> None:
    path = tmp_path / "door.md"
    path.write_text(DOOR, encoding="utf-8")

    alone = zermelo("readings", str(path), "--exhaustive", "--json").json
    both = zermelo("readings", str(path), "--exhaustive", "--pairs", "--json").json

    changed = [row["choices"] for row in alone[1:]]
    names = {name for row in changed for name in row}
    by_name = [sum(name in row for row in changed) for name in sorted(names)]
    # As many pairs as two different readings have choices together.
    pairs = (sum(by_name) ** 2 - sum(size * size for size in by_name)) // 2
    assert len(names) > 1
    assert len(both) == len(alone) + pairs


def test_pairs_alone_are_refused() -> None:
    ran = zermelo("readings", "tic-tac-toe", "--pairs")

    assert ran.code == 2
    assert "--pairs belongs to --exhaustive" in ran.err


DOOR = """\
Applicable Sets
  B : {true, false}
System Variables
  open, over ∈ B
System Facts
  over ↔ open
System Initialization
  open = false
System States and Behavior
Push(n ∈ {1})
  ¬open → open = true
GameOver(over)
  result ∈ {won}
  over → result = won
Reading
  players: Ann when open ∨ ¬open
"""
