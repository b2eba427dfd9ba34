"""Arrivals: the plays that are kept are the ones that would be traced."""

import numpy as np
import pytest

from tests.support.drawn import Drawn, grid
from zermelo.core.limits import UNLIMITED, Limits
from zermelo.engines.space.level_counts import count_levels
from zermelo.engines.space.store import TableStore, small
from zermelo.engines.space.traces import (
    Arrivals,
    End,
    Goal,
    ending,
    recall,
    same,
    stuck,
    stuck_player,
    trace,
)

START = np.zeros(1, dtype=np.int64)


def explored(drawn: Drawn, limits: Limits = UNLIMITED) -> tuple[Arrivals, TableStore]:
    store = small(1)
    found = count_levels(drawn, store, start=START, limits=limits)
    assert found.arrivals is not None
    return found.arrivals, store


@pytest.mark.parametrize("limits", [UNLIMITED, Limits(states=200), Limits(depth=14)])
def test_what_is_kept_is_what_would_be_traced(limits: Limits) -> None:
    graph = {at: [(3 * at + 1) % 401, (7 * at + 2) % 401] for at in range(401)}
    graph |= {at: [] for at in range(50, 401, 17)}
    drawn = Drawn(graph, over=frozenset({333, 120}))
    arrivals, store = explored(drawn, limits)

    for number in range(store.states):
        (row,) = store.at(np.array([number])).tolist()
        level = int(store.levels(np.array([row]))[0])
        goal = Goal(level, same(row), row=tuple(row))
        (traced,) = trace(drawn, [goal], start=START, store=store)
        kept = recall(drawn, goal, store=store, arrivals=arrivals)
        assert traced is not None
        assert kept is not None
        assert kept.play == traced.play


def test_the_first_state_of_each_kind_of_ending_is_known() -> None:
    drawn = Drawn({0: [5, 3, 1, 2], 1: [], 2: [], 3: [8], 5: [], 8: []}, over=frozenset({5, 1}))
    arrivals, store = explored(drawn)

    goals = [
        Goal(1, ending(0), (End.OVER, 0)),
        Goal(1, stuck_player(0), (End.STUCK, 0)),
        Goal(1, stuck),
        Goal(1, stuck_player(1), (End.STUCK, 1)),
    ]
    found = [recall(drawn, goal, store=store, arrivals=arrivals) for goal in goals]

    assert [None if each is None else each.row.tolist() for each in found] == [[5], [2], [2], None]


def test_nothing_is_kept_where_threads_work() -> None:
    assert count_levels(Drawn(grid(5)), small(1), start=START, threads=2).arrivals is None
