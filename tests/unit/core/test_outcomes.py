"""How a play ended, told from its result."""

from __future__ import annotations

import pytest

from zermelo.core.machine import Ending, Outcome, outcome_of_result, outcome_of_stuck
from zermelo.core.signature import Player, Signature, Stuck
from zermelo.core.values import UNSET, Atom, Value


def model(
    *players: Player, draws: tuple[Value, ...] = (), stuck: Stuck = Stuck.REPORTED
) -> Signature:
    """The signature of a model with these players."""
    return Signature(
        name="by hand", variables=(), moves=(), players=players, draws=draws, stuck=stuck
    )


EX, OH, DRAW, NEW = Atom("ex"), Atom("oh"), Atom("draw"), Atom("new")
TWO = model(
    Player("X", wins=(EX,)),
    Player("O", wins=(OH,)),
    draws=(DRAW,),
)
LOSER = model(Player("X", loses=(EX,)), Player("O", loses=(OH,)))
ONE = model(Player("solver", wins=(EX,), loses=(OH,)))
THREE = model(
    Player("A", wins=(1,), loses=(4,)),
    Player("B", wins=(2,)),
    Player("C", wins=(3,)),
)


def words(*values: Value) -> frozenset[Value]:
    return frozenset(values)


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (EX, Outcome(Ending.WIN, ("X",), ("O",), EX)),
        (DRAW, Outcome(Ending.DRAW, result=DRAW)),
        (UNSET, Outcome(Ending.OVER)),
        (NEW, Outcome(Ending.OVER, result=NEW)),
        (words(OH), Outcome(Ending.WIN, ("O",), ("X",), words(OH))),
        (words(), Outcome(Ending.OVER)),
        (words(EX, OH), Outcome(Ending.DRAW, result=words(EX, OH))),
        (words(EX, DRAW), Outcome(Ending.DRAW, result=words(EX, DRAW))),
    ],
)
def test_a_result_says_who_wins(result: Value, expected: Outcome) -> None:
    assert outcome_of_result(TWO, result) == expected


def test_who_loses_against_one_other_makes_that_one_win() -> None:
    assert outcome_of_result(LOSER, EX) == Outcome(Ending.WIN, ("O",), ("X",), EX)


def test_one_player_wins_or_loses() -> None:
    assert outcome_of_result(ONE, EX) == Outcome(Ending.WIN, ("solver",), (), EX)
    assert outcome_of_result(ONE, OH) == Outcome(Ending.LOSS, (), ("solver",), OH)


def test_among_three_the_others_lose_and_a_loser_makes_nobody_win() -> None:
    assert outcome_of_result(THREE, 2) == Outcome(Ending.WIN, ("B",), ("A", "C"), 2)
    assert outcome_of_result(THREE, 4) == Outcome(Ending.LOSS, (), ("A",), 4)
    assert outcome_of_result(THREE, frozenset({1, 2})).winners == ("A", "B")


def test_without_players_a_result_is_kept_and_nobody_wins() -> None:
    assert outcome_of_result(model(), EX) == Outcome(Ending.OVER, result=EX)


def test_a_stuck_player_whose_turn_it_is_not_known_to_be_is_only_stuck() -> None:
    stuck = model(Player("X"), stuck=Stuck.LOSES)

    assert outcome_of_stuck(stuck, None, UNSET) == Outcome(Ending.STUCK)


def test_a_result_that_speaks_of_nobody_is_shown() -> None:
    assert str(Outcome(Ending.OVER, result=NEW)) == "over: new"
    assert str(Outcome(Ending.OVER)) == "over, without a result"


@pytest.mark.parametrize(
    ("outcome", "text"),
    [
        (Outcome(Ending.WIN, ("Hounds",), ("Hare",), Atom("Hounds win")), "Hounds win"),
        (Outcome(Ending.WIN, ("you",), (), Atom("you win")), "you win"),
        (Outcome(Ending.WIN, ("X",), ("O",), EX), "X wins"),
        (Outcome(Ending.LOSS, (), ("you",), Atom("You lose")), "you lose"),
        (Outcome(Ending.LOSS, (), ("A", "B"), Atom("sunk")), "A and B lose"),
    ],
)
def test_an_outcome_has_the_verb_of_the_result(outcome: Outcome, text: str) -> None:
    assert str(outcome) == text
