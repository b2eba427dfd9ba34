"""What a solution answers: values, moves, and lines of play."""

import numpy as np

from tests.support.played_graphs import DRAWN, OnGraph, Played, Spot, spot_state, won_by
from zermelo.engines.solve.solution import Solution
from zermelo.engines.solve.solve import solve
from zermelo.engines.solve.values import ValueKind, solution_json


def solved(*spots: Spot, players: int = 2) -> Solution:
    played = Played(spots, players)
    return solve(OnGraph(played), np.array([0], dtype=np.int64), threads=1)


FORK = (
    Spot(0, (1, 2, 3)),
    Spot(1, (), won_by(1)),
    Spot(1, (), DRAWN),
    Spot(1, (4,)),
    Spot(0, (), DRAWN),
)


def test_moves_are_told_for_who_makes_them_from_before_they_are_made() -> None:
    assert [str(each.value) for each in solved(*FORK).moves()] == [
        "loss in 1",
        "draw in 1",
        "draw in 2",
    ]


def test_of_several_best_moves_the_first_is_taken() -> None:
    solution = solved(Spot(0, (1, 2, 2)), Spot(1, (), DRAWN), Spot(1, (), won_by(0)))

    assert solution.best(spot_state(0)) == solution.moves()[1].move


def test_where_play_is_over_there_is_no_best_move() -> None:
    solution = solved(*FORK)

    assert solution.best(spot_state(2)) is None
    assert solution.moves(spot_state(2)) == ()


def test_a_line_says_who_moves() -> None:
    line = solved(Spot(0, (1,)), Spot(0, (2,)), Spot(1, (3,)), Spot(0, (), DRAWN)).line()

    assert line.players == ("A", "A", "B")
    assert line.returns_to is None


def test_a_line_that_does_not_end_says_where_it_returns_to() -> None:
    line = solved(Spot(0, (1,)), Spot(1, (2,)), Spot(0, (1,))).line()

    assert (len(line.moves), line.returns_to) == (3, 1)


def test_a_state_that_cannot_be_reached_has_no_value() -> None:
    assert solved(*FORK, Spot(0)).value(spot_state(5)).kind is ValueKind.UNKNOWN


def test_each_of_several_players_has_a_value() -> None:
    # At 0 A chooses who wins, and nobody can make it choose.
    solution = solved(
        Spot(0, (1, 2)), Spot(1, (), won_by(1, 3)), Spot(2, (), won_by(2, 3)), players=3
    )

    assert [(each.player, each.kind) for each in solution.root.forced] == [
        ("A", ValueKind.LOSS),
        ("B", ValueKind.LOSS),
        ("C", ValueKind.LOSS),
    ]
    assert solution.value(spot_state(1)).winner == "B"
    # In the state after it, in which B is in turn, B has won.
    assert solution.value(spot_state(1)).kind is ValueKind.WIN


def test_json_has_what_is_asked_for() -> None:
    data = solution_json(solved(*FORK))

    assert {"value", "winner", "plies", "states", "by_value", "complete", "readings"} <= set(data)
    assert (data["value"], data["winner"], data["plies"]) == ("draw", None, 1)
    assert data["by_value"] == {"win": 1, "draw": 4, "loss": 0, "endless": 0}
