"""What ends are worth, and to whom."""

import pytest

from tests.support.played_graphs import Played, Spot, lost_by, won_by
from zermelo.core.machine import Ending, Outcome
from zermelo.engines.solve.stakes import Seeker, scorings, seekers, worth, worth_of_stuck
from zermelo.engines.solve.values import Kind
from zermelo.languages.sections.ir import Stuck, System


def system(players: int, stuck: Stuck = Stuck.LOSES) -> System:
    return Played((Spot(0),), players, stuck).system


@pytest.mark.parametrize(("players", "sought"), [(1, [0]), (2, [0]), (3, [0, 1, 2])])
def test_with_several_players_each_is_a_seeker(players: int, sought: list[int]) -> None:
    found = seekers(system(players), has_stuck=False)

    assert [seeker.player for seeker in found] == sought


@pytest.mark.parametrize(
    ("said", "scored"),
    [
        (Stuck.LOSES, (Stuck.LOSES,)),
        (Stuck.DRAWS, (Stuck.DRAWS,)),
        (Stuck.REPORTED, (Stuck.LOSES, Stuck.DRAWS)),
        (Stuck.PASSES, (Stuck.LOSES, Stuck.DRAWS)),
    ],
)
def test_what_is_not_said_of_the_stuck_is_scored_both_ways(
    said: Stuck, scored: tuple[Stuck, ...]
) -> None:
    assert scorings(system(2, said), has_stuck=True) == scored
    assert len(scorings(system(2, said), has_stuck=False)) == 1


def test_who_wins_and_who_loses() -> None:
    assert worth(won_by(0), "A", players=2) is Kind.WIN
    assert worth(won_by(0), "B", players=2) is Kind.LOSS
    assert worth(lost_by(2), "A", players=3) is Kind.DRAW
    assert worth(lost_by(2), "C", players=3) is Kind.LOSS


@pytest.mark.parametrize("ending", [Ending.DRAW, Ending.OVER])
def test_who_is_not_named_has_a_draw(ending: Ending) -> None:
    assert worth(Outcome(ending), "A", players=2) is Kind.DRAW


def test_what_all_lose_is_a_draw() -> None:
    assert worth(Outcome(Ending.LOSS, (), ("A", "B")), "A", players=2) is Kind.DRAW
    assert worth(Outcome(Ending.LOSS, (), ("A",)), "A", players=1) is Kind.LOSS


def test_against_one_other_the_stuck_makes_the_other_win() -> None:
    mine = Seeker(0, Stuck.LOSES)

    assert worth_of_stuck(mine, 0, players=2) is Kind.LOSS
    assert worth_of_stuck(mine, 1, players=2) is Kind.WIN
    assert worth_of_stuck(mine, 1, players=3) is Kind.DRAW
    assert worth_of_stuck(mine, -1, players=2) is Kind.DRAW
    assert worth_of_stuck(mine, -1, players=1) is Kind.LOSS
    assert worth_of_stuck(Seeker(0, Stuck.DRAWS), 0, players=2) is Kind.DRAW
