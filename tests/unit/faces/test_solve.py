"""``zermelo solve``: what it prints, what it keeps, and how it ends."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.command import zermelo
from tests.support.project import SOURCE
from zermelo.api import questions
from zermelo.engines.solve.solution_file import SolutionFile, write
from zermelo.engines.solve.values import Solved
from zermelo.text import budget

HEAP = """\
Applicable Sets
  H : {0..4}
  B : {true, false}
System Variables
  heap ∈ H
  turn, over ∈ B
System Facts
  over ↔ (heap = 0)
System Initialization
  heap = 4
  turn = true
System States and Behavior
Take(n ∈ {1, 2})
  n ≤ heap → heap = heap − n ∧ turn = ¬turn
GameOver(over)
  result ∈ {Ann wins, Bob wins}
  over ∧ ¬turn → result = Ann wins
  over ∧ turn → result = Bob wins
Reading
  players: Ann when turn, Bob when ¬turn
"""
STUCK = HEAP.replace("n ≤ heap →", "n ≤ heap ∧ heap ≠ 1 →")
"""Who finds one stone left cannot move."""


@pytest.fixture
def document(tmp_path: Path) -> str:
    path = tmp_path / "heap.md"
    path.write_text(HEAP, encoding="utf-8")
    return str(path)


@pytest.fixture
def solution(tmp_path: Path) -> str:
    return str(tmp_path / "heap.solution")


def test_the_value_is_told_in_words_with_a_play_and_counts(document: str) -> None:
    ran = zermelo("solve", document)

    # 4: Ann leaves 3, Bob 2 or 1, and Ann takes the rest.
    assert ran.code == 0
    lines = [line.rstrip() for line in ran.out.splitlines()]
    assert "Ann wins, in 3 plies." in lines
    assert "  Ann 1, Bob 1, Ann 2" in lines
    assert "  win in 3: 1" in lines
    assert "  loss in 2: 2" in lines
    assert "  win   5" in lines
    assert "  loss  3" in lines
    assert "  Won: Ann in 5 and Bob in 3." in lines
    assert any(line.startswith("8 positions, all that can be reached") for line in lines)
    assert "Read with" in lines[0]


def test_json_has_all_of_it(document: str) -> None:
    data = zermelo("solve", document, "--json").json

    assert (data["value"], data["winner"], data["plies"]) == ("win", "Ann", 3)
    assert data["players"] == {
        "Ann": {"value": "win", "plies": 3},
        "Bob": {"value": "loss", "plies": 3},
    }
    assert (data["states"], data["classes"], data["complete"]) == (8, 8, True)
    assert data["by_value"] == {"win": 5, "draw": 0, "loss": 3, "endless": 0}
    assert data["first_moves"] == [
        {"move": "Take(1)", "value": "win", "winner": "Ann", "plies": 3},
        {"move": "Take(2)", "value": "loss", "winner": "Bob", "plies": 2},
    ]
    assert data["line"] == ["Take(1)", "Take(1)", "Take(2)"]
    assert data["readings"]["stuck player"] == "reported"
    assert data["scored"] is None


def test_the_stuck_are_scored_both_ways(tmp_path: Path) -> None:
    path = tmp_path / "stuck.md"
    path.write_text(STUCK, encoding="utf-8")

    ran = zermelo("solve", str(path))
    data = zermelo("solve", str(path), "--json").json

    # From 4: by 1 to 3, from which 2 leads to 1, stuck, and 1 to 2; by 2 to 2, won by Bob.
    # If the stuck lose, Bob makes Ann stuck; if it is a draw, Bob likes nothing better.
    assert "If a stuck player loses: Bob wins, in 2 plies." in " ".join(ran.out.split())
    assert "If a stuck player makes it a draw: A draw" in " ".join(ran.out.split())
    assert (data["value"], data["winner"], data["plies"]) == ("unknown", None, None)
    assert data["scored"]["loses"]["value"] == "loss"
    assert data["scored"]["draws"]["value"] == "draw"
    assert data["complete"] is True


@pytest.mark.parametrize(("said", "value"), [("loses", "loss"), ("draws", "draw")])
def test_a_reading_says_what_becomes_of_the_stuck(tmp_path: Path, said: str, value: str) -> None:
    path = tmp_path / "stuck.md"
    path.write_text(STUCK, encoding="utf-8")

    data = zermelo("solve", str(path), "--json", "--reading", f"stuck player={said}").json

    assert (data["value"], data["scored"]) == (value, None)


def test_a_budget_that_does_not_suffice_gives_no_value(document: str) -> None:
    ran = zermelo("solve", document, "--states", "3")
    data = zermelo("solve", document, "--states", "3", "--json").json

    assert ran.code == 0
    assert "The value is not known: stopped at 3 states." in ran.out
    assert (data["value"], data["winner"], data["plies"]) == ("unknown", None, None)
    assert (data["complete"], data["states"], data["by_value"]) == (False, 3, None)
    assert data["cut"] == "stopped at 3 states"


def test_a_solution_is_kept_read_and_verified(document: str, solution: str) -> None:
    first = zermelo("solve", document, "--output", solution, "--verify")
    again = zermelo("solve", document, solution, "--verify")

    assert (first.code, again.code) == (0, 0)
    verified = (
        "Verified: the value of each of 8 states and 10 moves follows from the values after it."
    )
    assert verified in " ".join(first.out.split())
    assert verified in " ".join(again.out.split())
    assert "Ann wins, in 3 plies." in again.out


def test_verified_without_a_file(document: str) -> None:
    data = zermelo("solve", document, "--verify", "--json").json

    assert data["verified"] == {"right": True, "states": 8, "moves": 10, "wrong": [], "cut": None}


def test_a_solution_of_something_else_is_refused(
    tmp_path: Path, document: str, solution: str
) -> None:
    zermelo("solve", document, "--output", solution)
    other = tmp_path / "other.md"
    other.write_text(HEAP.replace("heap = 4", "heap = 3"), encoding="utf-8")

    ran = zermelo("solve", str(other), solution)

    assert ran.code == 2
    assert "is the solution of another document" in " ".join(ran.err.split())


def test_without_values_nothing_is_written(document: str, solution: str) -> None:
    ran = zermelo("solve", document, "--states", "3", "--output", solution)

    assert "nothing was written" in " ".join(ran.err.split())
    assert not Path(solution).exists()


def test_a_file_is_read_or_written_and_not_both(document: str, solution: str) -> None:
    ran = zermelo("solve", document, solution, "--output", solution)

    assert ran.code == 2
    assert "leave out the file to read from" in ran.err


def test_a_wrong_value_is_found_and_said(document: str, solution: str) -> None:
    zermelo("solve", document, "--output", solution)
    file = SolutionFile(Path(solution))
    rows = file.rows_at(np.arange(file.states))
    header = {k: v for k, v in file.header.items() if k not in {"sections", "digests"}}
    codes = file.column(0).copy()
    codes[-1] ^= 1
    write(Path(solution), header, rows, [codes])

    ran = zermelo("solve", document, solution, "--verify")

    assert ran.code == 1
    assert "Wrong in the state" in ran.out


def test_one_player_reaches_the_goal() -> None:
    ran = zermelo("solve", "tests/documents/invariant.md")

    assert "The goal can be reached, in 5 plies at the soonest." in ran.out


def test_of_three_players_each_is_told_what_it_can_force() -> None:
    ran = zermelo("solve", "tests/documents/three-players.md")

    assert "Player 1 loses within 3 plies if all others play against it." in ran.out


def test_play_without_end_is_told() -> None:
    ran = zermelo("solve", "tests/documents/capture.md")

    assert "Endless, which is a draw" in ran.out
    assert "leads back to the beginning, and so on" in ran.out


# Runs that are kept

SAME = ("value", "plies", "states", "by_value", "by_winner", "line", "complete", "first_moves")


def test_a_solve_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    kept = ("--checkpoint", str(tmp_path / "kept"))
    whole = zermelo("solve", "tic-tac-toe", "--json").json

    cut = zermelo("solve", "tic-tac-toe", *kept, "--states", "100")
    ran = zermelo("solve", "tic-tac-toe", *kept, "--json")
    again = zermelo("solve", "tic-tac-toe", *kept, "--json")

    assert "  zermelo solve tic-tac-toe --checkpoint" in cut.err
    assert "going on from" in ran.err
    assert [ran.json[name] for name in SAME] == [whole[name] for name in SAME]
    assert [again.json[name] for name in SAME] == [whole[name] for name in SAME]
    assert again.json["resumed"]["values"] == again.json["classes"] == 765


def started(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "zermelo", *arguments],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def test_a_solution_is_not_written_over_the_document(tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    path.write_text(HEAP, encoding="utf-8")

    ran = zermelo("solve", str(path), "--output", str(path))

    assert ran.code == 2
    assert "is the document itself" in " ".join(ran.err.split())
    assert path.read_text(encoding="utf-8") == HEAP


@pytest.mark.parametrize("place", ["folder", "file"])
def test_two_solves_do_not_share_a_place_and_a_lock_dies_with_its_owner(
    tmp_path: Path, place: str
) -> None:
    path = tmp_path / "kept"
    option = "--checkpoint" if place == "folder" else "--output"
    lock = path / "lock" if place == "folder" else tmp_path / ".kept.lock"
    # A game that is never solved before the second process has read it, however busy the machine.
    with started("solve", "pawns", option, str(path)) as first:
        until = time.monotonic() + 100
        while not (lock.exists() and lock.read_text().strip()) and time.monotonic() < until:
            time.sleep(0.02)
        second = zermelo("solve", "pawns", option, str(path))
        first.kill()

    third = zermelo("solve", "pawns", option, str(path), "--states", "100")

    assert second.code == 2
    assert f"process {first.pid} works on" in " ".join(second.err.split())
    assert third.code == 0


def test_what_was_found_is_told_although_the_time_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system itself is asked for the first moves, and it looks at the clock."""
    path = tmp_path / "heap.md"
    path.write_text(HEAP, "utf-8")
    real = questions.solve

    def late(*arguments: Any, **more: Any) -> Solved:  # noqa: ANN401
        found = real(*arguments, **more)
        left = budget.current()
        assert left is not None
        left.until = 0.0
        return found

    monkeypatch.setattr(questions, "solve", late)

    ran = zermelo("solve", str(path), "--seconds", "100", "--output", str(tmp_path / "kept"))

    assert ran.code == 0, ran.err
    assert "Ann wins, in 3 plies." in ran.out
