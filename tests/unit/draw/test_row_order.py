"""Layered drawings have few crossings and room for every node."""

from itertools import pairwise, permutations

import numpy as np
import pytest

from zermelo.draw.row_order import crossings, ordered, places


def below(arcs: list[tuple[int, int]]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for source, target in arcs:
        found.setdefault(source, []).append(target)
    return found


def crossings_one_by_one(rows: list[list[int]], arcs: list[tuple[int, int]]) -> int:
    at = {node: index for row in rows for index, node in enumerate(row)}
    row_of = {node: index for index, row in enumerate(rows) for node in row}
    return sum(
        row_of[a] == row_of[c] and (at[a] - at[c]) * (at[b] - at[d]) < 0
        for index, (a, b) in enumerate(arcs)
        for c, d in arcs[:index]
    )


@pytest.mark.parametrize("seed", range(6))
def test_crossings_are_counted_as_one_by_one(seed: int) -> None:
    random = np.random.default_rng(seed)
    rows = [[0, 1, 2, 3], [4, 5, 6, 7, 8], [9, 10, 11]]
    arcs = [
        (upper, lower)
        for above, under in pairwise(rows)
        for upper in above
        for lower in under
        if random.random() < 0.5
    ]

    assert crossings(rows, below(arcs)) == crossings_one_by_one(rows, arcs)


def test_a_tree_is_drawn_without_a_crossing() -> None:
    arcs = [(0, 1), (0, 2), (0, 3), (1, 9), (1, 4), (2, 8), (2, 5), (3, 7), (3, 6)]

    rows = ordered([[0], [1, 2, 3], [4, 5, 6, 7, 8, 9]], arcs)

    assert crossings(rows, below(arcs)) == 0


def test_an_order_is_never_worse_than_the_one_given() -> None:
    arcs = [(0, 4), (0, 6), (1, 3), (1, 5), (2, 4), (2, 3), (2, 6)]
    best = min(
        crossings([list(upper), list(lower)], below(arcs))
        for upper in permutations([0, 1, 2])
        for lower in permutations([3, 4, 5, 6])
    )

    found = crossings(ordered([[0, 1, 2], [3, 4, 5, 6]], arcs), below(arcs))

    assert best <= found <= crossings([[0, 1, 2], [3, 4, 5, 6]], below(arcs))


def test_nodes_of_a_row_keep_their_order_and_their_distance() -> None:
    rows = [[0], [1, 2, 3], [4, 5, 6, 7, 8]]
    arcs = [(0, 1), (0, 2), (0, 3), (1, 4), (1, 5), (1, 6), (2, 7), (3, 8)]

    found = places(rows, arcs)

    assert min(found.values()) == 0
    for row in rows:
        assert all(found[b] - found[a] >= 1 - 1e-9 for a, b in pairwise(row))


def test_a_parent_stands_above_the_middle_of_its_children() -> None:
    found = places([[0], [1, 2, 3]], [(0, 1), (0, 2), (0, 3)])

    assert found[0] == pytest.approx(found[2])


def test_arcs_within_a_row_and_back_move_nothing() -> None:
    assert ordered([[0], [1, 2]], [(0, 1), (0, 2), (1, 2), (2, 1), (2, 0), (1, 1)]) == [[0], [1, 2]]


def test_wide_nodes_get_more_room() -> None:
    rows = [[0], [1, 2, 3]]

    place = places(rows, [(0, 1), (0, 2), (0, 3)], {1: 4.0, 3: 2.0})

    assert place[2] - place[1] >= 2.5
    assert place[3] - place[2] >= 1.5


def test_what_is_wider_at_its_right_pushes_only_there() -> None:
    place = places([[0, 1, 2]], [], {0: 1.0, 1: 5.0, 2: 1.0}, {1: 2.0})

    assert (place[1] - place[0], place[2] - place[1]) == (1.0, 5.0)


def test_neighbours_change_places_where_that_saves_crossings() -> None:
    # By their means 2 and 3 stand alike, and 2 comes first; one crossing less if it does not.
    arcs = [(0, 3), (1, 2), (0, 2), (1, 3), (0, 3)]

    found = ordered([[0, 1], [2, 3]], arcs)

    assert crossings(found, below(arcs)) == min(
        crossings([list(upper), list(lower)], below(arcs))
        for upper in permutations([0, 1])
        for lower in permutations([2, 3])
    )
