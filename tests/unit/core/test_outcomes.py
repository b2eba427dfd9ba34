"""How a play ended, told from its result."""

from __future__ import annotations

import pytest

from tests.support.systems import TRUE, no, ref, system
from zermelo.core.machine import Ending, Outcome
from zermelo.core.outcomes import outcome_of_result, outcome_of_stuck
from zermelo.core.values import UNSET, Atom, Value
from zermelo.languages.sections.ir import Player, Stuck

EX, OH, DRAW, NEW = Atom("ex"), Atom("oh"), Atom("draw"), Atom("new")
TWO = system(
    Player("X", ref("turn"), wins=(EX,)),
    Player("O", no(ref("turn")), wins=(OH,)),
    draws=(DRAW,),
)
LOSER = system(Player("X", ref("turn"), loses=(EX,)), Player("O", no(ref("turn")), loses=(OH,)))
ONE = system(Player("solver", TRUE, wins=(EX,), loses=(OH,)))
THREE = system(
    Player("A", TRUE, wins=(1,), loses=(4,)),
    Player("B", TRUE, wins=(2,)),
    Player("C", TRUE, wins=(3,)),
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
    assert outcome_of_result(system(), EX) == Outcome(Ending.OVER, result=EX)


def test_a_stuck_player_whose_turn_it_is_not_known_to_be_is_only_stuck() -> None:
    stuck = system(Player("X", ref("turn")), stuck=Stuck.LOSES)

    assert outcome_of_stuck(stuck, None, UNSET) == Outcome(Ending.STUCK)


def test_a_result_that_speaks_of_nobody_is_shown() -> None:
    assert str(Outcome(Ending.OVER, result=NEW)) == "over: new"
    assert str(Outcome(Ending.OVER)) == "over, without a result"
