"""Shortest ways in a graph."""

import numpy as np

from zermelo.engines.graph.components import from_pairs

# 0 → 1 → 2 → 3, 0 → 4 → 3, 3 → 0, and 5 alone.
ARCS = from_pairs(np.array([0, 0, 1, 2, 3, 4]), np.array([1, 4, 2, 3, 0, 3]), nodes=6)


def _goals(*nodes: int) -> np.ndarray:
    found = np.zeros(6, dtype=np.bool_)
    found[list(nodes)] = True
    return found


def test_the_way_is_the_shortest() -> None:
    assert ARCS.shortest_way(0, _goals(3)) == [1, 5]
    assert ARCS.shortest_way(2, _goals(1)) == [3, 4, 0]


def test_the_nearest_goal_is_taken() -> None:
    assert ARCS.shortest_way(0, _goals(2, 4)) == [1]


def test_whoever_is_there_need_not_go() -> None:
    assert ARCS.shortest_way(3, _goals(3)) == []


def test_there_may_be_no_way() -> None:
    assert ARCS.shortest_way(0, _goals(5)) is None
