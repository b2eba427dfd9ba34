"""The counts of a level: parts of it can be counted apart and joined."""

import numpy as np

from tests.support.drawn import Drawn, grid
from zermelo.engines.space.level_counts import MOST_FAULTY, LevelCounts


def tally(drawn: Drawn, *nodes: int) -> LevelCounts:
    rows = np.array(nodes, dtype=np.int64).reshape(-1, 1)
    found = LevelCounts()
    found.follow(rows, drawn.expand(rows), len(rows))
    return found


def test_endings_and_stuck_players_are_told_apart() -> None:
    found = tally(Drawn({0: [1]}, over=frozenset({4, 6})), 0, 1, 2, 3, 4, 5, 6)

    assert found.moves == 1
    assert dict(found.over) == {0: 2}
    assert dict(found.stuck) == {0: 1, 1: 3}


def test_parts_joined_are_the_whole() -> None:
    drawn = Drawn(grid(3), over=frozenset({4}), faulty=frozenset({1, 5}))
    joined = tally(drawn, 0, 1, 2, 3)

    joined.join(tally(drawn, 4, 5, 6, 7, 8))

    assert joined == tally(drawn, *range(9))


def test_only_the_first_states_of_a_piece_may_count() -> None:
    rows = np.array([[0], [1], [8]], dtype=np.int64)
    drawn, found = Drawn(grid(3), faulty=frozenset({1, 8})), LevelCounts()

    found.follow(rows, drawn.expand(rows), 2)

    assert (found.followed, found.moves, found.faulty) == (2, 4, 1)
    assert not found.stuck


def test_of_many_faulty_states_the_least_are_kept() -> None:
    nodes = range(3 * MOST_FAULTY)
    drawn = Drawn({}, faulty=frozenset(nodes))

    found = tally(drawn, *reversed(nodes))

    assert found.faulty == 3 * MOST_FAULTY
    assert found.faulty_rows == [(at,) for at in range(MOST_FAULTY)]
