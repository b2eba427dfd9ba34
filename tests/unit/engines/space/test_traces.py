"""Tracing: the play that a walk with one queue finds first, however the states are stored."""

from random import Random

import numpy as np

from tests.support.drawn import Drawn, grid
from zermelo.engines.space.level_counts import count_levels
from zermelo.engines.space.store import TableStore, small
from zermelo.engines.space.traces import Goal, anything, ending, same, stuck, stuck_player, trace

START = np.zeros(1, dtype=np.int64)


def shuffled(drawn: Drawn, seed: int) -> TableStore:
    """The states of *drawn*, each level in another order than a queue gives."""
    ordered, store = small(1), small(1)
    count_levels(drawn, ordered, start=START)
    for level in range(len(ordered.by_depth)):
        rows = np.concatenate([ordered.rows(piece) for piece in ordered.pieces(level, 1000)])
        order = list(range(len(rows)))
        Random(seed).shuffle(order)
        store.insert(rows[order])
        store.seal()
    return store


def codes(drawn: Drawn, store: TableStore, goal: Goal) -> list[int] | None:
    (found,) = trace(drawn, [goal], start=START, store=store)
    return None if found is None else [int(str(move.arguments[0])) for move in found.play]


def test_the_first_play_is_found_in_whatever_order_states_are_stored() -> None:
    drawn = Drawn(grid(12), over=frozenset({2 * 12 + 3, 12 + 4, 4 * 12 + 1}))

    plays = [codes(drawn, shuffled(drawn, seed), Goal(5, ending(0))) for seed in range(3)]

    # right is the first move: (1, 4) is reached by four steps right and one down
    assert plays == [[0, 0, 0, 0, 1]] * 3


def test_a_play_is_found_behind_any_number_of_states_that_come_before_it() -> None:
    # 1,000 states lead nowhere, and the last one leads on
    graph = {0: list(range(1, 1001)), 1000: [1001], 1001: []}
    drawn = Drawn(graph, over=frozenset(range(1, 1000)))

    assert codes(drawn, shuffled(drawn, 1), Goal(2, stuck)) == [999, 0]


def test_what_is_not_there_is_not_found() -> None:
    drawn = Drawn(grid(5))

    assert codes(drawn, shuffled(drawn, 1), Goal(3, ending(0))) is None
    assert codes(drawn, shuffled(drawn, 1), Goal(30, anything)) is None


def test_one_state_and_one_stuck_player_can_be_sought() -> None:
    drawn = Drawn({0: [3, 2, 1], 1: [], 2: [], 3: []})
    store = shuffled(drawn, 1)

    assert codes(drawn, store, Goal(1, same((1,)))) == [2]
    assert codes(drawn, store, Goal(1, stuck_player(0))) == [1]
    assert codes(drawn, store, Goal(0, same((0,)))) == []


def test_several_goals_are_found_in_one_go() -> None:
    drawn = Drawn(grid(9), over=frozenset({8}))
    goals = [Goal(16, anything), Goal(8, ending(0)), Goal(2, same((18,)))]

    found = trace(drawn, goals, start=START, store=shuffled(drawn, 2))

    assert [len(each.play) for each in found if each is not None] == [16, 8, 2]


def test_only_the_beginnings_of_levels_are_looked_at() -> None:
    drawn = Drawn(grid(100), over=frozenset({99}))
    store = shuffled(drawn, 3)
    drawn.expanded = 0

    assert codes(drawn, store, Goal(99, ending(0))) == [0] * 99
    assert drawn.expanded < 10_000
