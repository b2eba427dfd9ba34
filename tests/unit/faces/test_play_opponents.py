"""Playing against the program, and asking it for advice."""

from pathlib import Path

import pytest

from tests.support.command import zermelo
from tests.support.expanders import HEAP

ALONE = """
Applicable Sets
  N : {1..3}
System Variables
  n ∈ N
  over ∈ {true, false}
System Facts
  over ↔ (n = 3)
System Initialization
  n = 1
System States and Behavior
Grow(k ∈ {1, 2})
  n + k ≤ 3 → n = n + k
GameOver(over)
  result ∈ {Reached}
  over → result = Reached
Reading
  players: Solver when n ≥ 1
  result Reached: Solver wins
"""


@pytest.fixture
def heap(tmp_path: Path) -> str:
    """Take one or two from a heap of five; who moves at a multiple of three loses."""
    path = tmp_path / "heap.md"
    path.write_text(HEAP.replace("SIZE", "5"), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("opponent", ["perfect", "search", "mcts"])
def test_an_opponent_who_can_win_does(heap: str, opponent: str) -> None:
    # after the person's first move the program has 4, and wins whatever follows
    ran = zermelo("play", heap, "--opponent", opponent, "--seconds", "0.2", typed="1\n1\n")

    assert ran.code == 0
    assert "The play is over: Second wins." in ran.out


def test_opponents_have_names(heap: str) -> None:
    ran = zermelo("play", heap, "--opponent", "search", "--seconds", "0.2", typed="1\n")

    assert "Second (search, 0.2 s a move): 1\n" in ran.out


def test_the_program_can_begin(heap: str) -> None:
    ran = zermelo("play", heap, "--opponent", "perfect", "--as", "Second")

    assert "First (perfect): 2\n" in ran.out


def test_a_hint_says_the_best_move_and_what_it_rests_on(heap: str) -> None:
    ran = zermelo("play", heap, typed="hint\n")

    # 5, 4, 3, 2 and 1 with either player in turn but the first, and 0 for either winner
    assert ran.out.endswith(
        "  2  wins in 3 plies\nProved: the values of all 10 states are known.\n"
    )


def test_values_lists_every_move(heap: str) -> None:
    ran = zermelo("play", heap, "--opponent", "perfect", typed="values\n")

    assert "  2  wins in 3 plies\n  1  loses in 4 plies\n" in ran.out


def test_many_moves_of_the_same_value_share_a_line(tmp_path: Path) -> None:
    path = tmp_path / "heap.md"
    text = HEAP.replace("{1, 2}", "{1..10}").replace("SIZE", "10")
    path.write_text(text, encoding="utf-8")

    ran = zermelo("play", str(path), typed="values\n")

    assert "  wins in 1 ply: 10\n  loses in 2 plies: 1; 2; 3; 4; 5; 6; 7; 8; 9\n" in ran.out


def test_there_is_no_hint_after_the_end(heap: str) -> None:
    ran = zermelo("play", heap, typed="2\n1\n2\nhint\n")

    assert ran.out.endswith("There is no move to make.\n")


def test_the_repl_gives_hints_too(heap: str) -> None:
    ran = zermelo("repl", heap, typed=":hint\n")

    assert "  2  wins in 3 plies\n" in ran.out


def test_help_names_the_questions(heap: str) -> None:
    ran = zermelo("play", heap, typed="help\n")

    assert "hint        the best move that is known, and what it is worth\n" in ran.out
    assert "values      every move, and what it is worth\n" in ran.out


def test_a_solution_that_was_kept_is_played_from(heap: str, tmp_path: Path) -> None:
    kept = str(tmp_path / "heap.solution")
    assert zermelo("solve", heap, "--output", kept).code == 0

    ran = zermelo("play", heap, "--opponent", "perfect", "--solution", kept, typed="1\nhint\n")

    assert "Second (perfect): 1\n" in ran.out


def test_a_solution_is_only_for_perfect_play(heap: str) -> None:
    ran = zermelo("play", heap, "--opponent", "search", "--solution", "x")

    assert ran.code == 2
    assert "--solution is for --opponent perfect" in ran.err


def test_alone_there_is_nobody_to_play_against(tmp_path: Path) -> None:
    path = tmp_path / "alone.md"
    path.write_text(ALONE, encoding="utf-8")

    ran = zermelo("play", str(path), "--opponent", "search")

    assert ran.code == 2
    assert "Solver plays alone, so there is nobody to play against; `hint` helps" in ran.err
