"""What ends are worth, and to whom."""

import pytest

from tests.support.played_graphs import Played, Spot, lost_by, won_by
from zermelo.core.machine import Ending, Outcome
from zermelo.core.signature import Signature, Stuck
from zermelo.engines.solve.codes import (
    Objective,
    objectives_of,
    scorings,
    terminal_value,
    value_of_stuck,
)
from zermelo.engines.solve.values import ValueKind


def signature(players: int, stuck: Stuck = Stuck.LOSES) -> Signature:
    return Played((Spot(0),), players, stuck).signature


@pytest.mark.parametrize(("players", "objectives"), [(1, [0]), (2, [0]), (3, [0, 1, 2])])
def test_with_several_players_each_has_an_objective(players: int, objectives: list[int]) -> None:
    found = objectives_of(signature(players), has_stuck=False)

    assert [objective.player for objective in found] == objectives


@pytest.mark.parametrize(
    ("said", "scored"),
    [
        (Stuck.LOSES, (Stuck.LOSES,)),
        (Stuck.DRAWS, (Stuck.DRAWS,)),
        (Stuck.WINS, (Stuck.WINS,)),
        (Stuck.REPORTED, (Stuck.LOSES, Stuck.DRAWS)),
        (Stuck.PASSES, (Stuck.LOSES, Stuck.DRAWS)),
    ],
)
def test_what_is_not_said_of_the_stuck_is_scored_both_ways(
    said: Stuck, scored: tuple[Stuck, ...]
) -> None:
    assert scorings(signature(2, said), has_stuck=True) == scored
    assert len(scorings(signature(2, said), has_stuck=False)) == 1


def test_who_wins_and_who_loses() -> None:
    assert terminal_value(won_by(0), "A", players=2) is ValueKind.WIN
    assert terminal_value(won_by(0), "B", players=2) is ValueKind.LOSS
    assert terminal_value(lost_by(2), "A", players=3) is ValueKind.DRAW
    assert terminal_value(lost_by(2), "C", players=3) is ValueKind.LOSS


@pytest.mark.parametrize("ending", [Ending.DRAW, Ending.OVER])
def test_who_is_not_named_has_a_draw(ending: Ending) -> None:
    assert terminal_value(Outcome(ending), "A", players=2) is ValueKind.DRAW


def test_what_all_lose_is_a_draw() -> None:
    assert terminal_value(Outcome(Ending.LOSS, (), ("A", "B")), "A", players=2) is ValueKind.DRAW
    assert terminal_value(Outcome(Ending.LOSS, (), ("A",)), "A", players=1) is ValueKind.LOSS


def test_against_one_other_the_stuck_makes_the_other_win() -> None:
    mine = Objective(0, Stuck.LOSES)

    assert value_of_stuck(mine, 0, players=2) is ValueKind.LOSS
    assert value_of_stuck(mine, 1, players=2) is ValueKind.WIN
    assert value_of_stuck(mine, 1, players=3) is ValueKind.DRAW
    assert value_of_stuck(mine, -1, players=2) is ValueKind.DRAW
    assert value_of_stuck(mine, -1, players=1) is ValueKind.LOSS
    assert value_of_stuck(Objective(0, Stuck.DRAWS), 0, players=2) is ValueKind.DRAW
    assert value_of_stuck(Objective(0, Stuck.WINS), 0, players=2) is ValueKind.WIN
    assert value_of_stuck(Objective(0, Stuck.WINS), 1, players=3) is ValueKind.LOSS
