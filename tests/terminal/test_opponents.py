"""Playing against the program in a real terminal."""

import pytest

from tests.support.terminal import terminal

INTERRUPT = "\x03"


@pytest.mark.parametrize("opponent", ["perfect", "search", "mcts", "random"])
def test_tic_tac_toe_is_played_against_every_opponent(opponent: str) -> None:
    with terminal("play", "tic-tac-toe", "--opponent", opponent, "--seconds", "0.3") as opened:
        opened.read_before("X> ")
        opened.type("2 2")

        shown = opened.read_before("X> ")

    assert f"O ({opponent}" in shown
    assert shown.endswith("X to move.\n")


def test_a_perfect_opponent_does_not_lose() -> None:
    with terminal("play", "tic-tac-toe", "--opponent", "perfect") as opened:
        opened.read_before("X> ")
        for typed in ("1 1", "3 3"):
            opened.type(typed)
            opened.read_before("X> ")
        opened.type("hint")
        shown = opened.read_before("X> ")

    assert "wins" not in shown
    assert "Proved: the values of all 5,478 states are known." in shown


def test_an_interruption_makes_an_opponent_move_at_once() -> None:
    with terminal(
        "play", "pawns", "--opponent", "mcts", "--seconds", "500", "--seed", "0"
    ) as opened:
        opened.read_before("Alpha> ")
        opened.type("6,2 5,2")
        # what is shown while somebody thinks
        opened.read_before("Beta is thinking: ")
        opened.press(INTERRUPT)

        shown = opened.read_before("Alpha> ")

    assert "Beta (mcts, 500 s a move, seed 0): " in shown


def test_hints_and_values_are_given_at_the_prompt() -> None:
    with terminal("play", "tic-tac-toe", "--seconds", "0.3") as opened:
        opened.read_before("X> ")
        opened.type("1 1")
        opened.read_before("O> ")
        opened.type("values")
        shown = opened.read_before("O> ")

    assert "Solving first, as far as 1,000,000 states and 10 seconds go …\n" in shown
    # only the centre answers a corner
    assert "  (2, 2)  draws\n" in shown
    assert shown.count("loses in ") == 7
