"""``zermelo mutants``: each misreading with its shortest play, and few plays for all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import zermelo
from tests.support.small_documents import heap_text
from zermelo.api import loading, mutating
from zermelo.core.limits import Limits

HEAP = heap_text(5)


@pytest.fixture
def heap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("heap.md").write_text(HEAP, encoding="utf-8")
    return "heap.md"


def test_the_misreadings_of_tic_tac_toe_part_where_reason_says() -> None:
    found = zermelo("mutants", "tic-tac-toe", "--json").json

    parts = {
        each["words"]: len(each["differences"][0]["play"])
        for each in found["mutants"]
        if each["equal"] is False
    }
    assert len(found["mutants"]) == 27
    assert parts == {
        # No set has all lines; a line is missed once four marks are there, first of X's.
        "`HasLine`: `∃l ∈ Lines: l ⊆ S` read as `∀l ∈ Lines: l ⊆ S`": 5,
        "`HasLine`: `l ⊆ S` read as `l = S`": 7,
        # Both get the cell, and X is in turn again.
        "`Mark`: its rules facts frozen instead of in order": 1,
        "rule 1 of `Mark`: left out, `turn ∧ pos ∈ Free → X = X ∪ {pos} ∧ turn = ¬turn`": 0,
        "rule 2 of `Mark`: left out, `¬turn ∧ pos ∈ Free → O = O ∪ {pos} ∧ turn = ¬turn`": 1,
        # X gets all cells, and has a line after three of them.
        "rule 1 of `Mark`: `turn ∧ pos ∈ Free` read as `pos ∈ Free`": 3,
        # X may mark a cell again; O gets what X has just marked.
        "rule 1 of `Mark`: `turn ∧ pos ∈ Free` read as `turn`": 2,
        "rule 2 of `Mark`: `¬turn ∧ pos ∈ Free` read as `¬turn`": 1,
        # The first wins of X and of O, the first draw, and a full board with a line of X.
        "rule 1 of `GameOver`: left out, `¬turn ∧ HasLine(X) → result = X wins`": 5,
        "rule 2 of `GameOver`: left out, `turn ∧ HasLine(O) → result = O wins`": 6,
        "rule 3 of `GameOver`: left out, `Free = ∅ ∧ ¬HasLine(X) ∧ ¬HasLine(O) → result = draw`": 9,
        "rule 3 of `GameOver`: `Free = ∅ ∧ ¬HasLine(X) ∧ ¬HasLine(O)` read as "
        "`Free = ∅ ∧ ¬HasLine(O)`": 9,
    }
    assert sum(each["equal"] is True for each in found["mutants"]) == 15
    killed = {at for each in found["plays"] for at in each["kills"]}
    assert killed == {at for at, each in enumerate(found["mutants"]) if each["equal"] is False}
    assert (found["least"], found["smallest"], len(found["plays"])) == (True, False, 4)


def test_a_limit_leaves_misreadings_undecided(heap: str) -> None:
    ran = zermelo("mutants", heap, "--states", "2")

    assert ran.code == 1
    assert "Undecided\n" in ran.out
    assert "stopped at 2 positions." in ran.out


def test_all_is_said_on_one_page(heap: str) -> None:
    ran = zermelo("mutants", heap)

    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0] == "heap: 14 misreadings: 5 told apart, 9 the same game and 0 undecided."
    headings = [each for each in lines if each and not each.startswith(" ")]
    assert headings[1:] == [
        "Told apart",
        "The same game, which is proved: no play exercises this",
        "2 plays that together tell all of them apart",
    ]
    # No play ends with a win of either, and each of two rules says one of these.
    assert lines[-3:] == [
        "  1. 1, 2, 2: 3 misreadings",
        "  2. 1, 1, 1, 2: 4 misreadings",
        "  This is the smallest set of plays that does, which is proved.",
    ]


def test_where_the_time_is_over_what_was_found_is_said() -> None:
    game = loading.load("pegs")

    found = mutating.mutants(game, limits=Limits(states=1000, seconds=0.0))

    assert found.tried == ()
    assert found.cut is not None
    assert found.cut.startswith("the time was over after 0 of 78 misreadings")


def test_other_languages_have_no_misreadings() -> None:
    ran = zermelo("mutants", "tic-tac-toe-net")

    assert ran.code == 2
    assert "no misreadings are made of tic-tac-toe-net" in ran.err
