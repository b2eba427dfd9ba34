"""Groups of permutations: their orders, orbits, blocks and members."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.packing.groups import Group, Images, after, inverse


def cycle(degree: int, *points: int) -> Images:
    images = list(range(degree))
    for at, point in enumerate(points):
        images[point] = points[(at + 1) % len(points)]
    return tuple(images)


def symmetric(degree: int) -> Group:
    return Group(degree, [cycle(degree, *range(degree)), cycle(degree, 0, 1)])


def test_the_group_of_all_permutations_has_the_order_of_a_factorial() -> None:
    assert symmetric(16).order == 20_922_789_888_000


def test_the_even_permutations_are_half_of_all() -> None:
    threes = [cycle(7, 0, 1, at) for at in range(2, 7)]

    assert Group(7, threes).order == 2_520


def test_the_turns_of_a_cube_of_27_have_the_order_that_is_known_of_them() -> None:
    """Rotations of a cube's 8 corners: 24."""
    turn = after(cycle(8, 0, 1, 2, 3), cycle(8, 4, 5, 6, 7))
    tilt = after(cycle(8, 0, 1, 5, 4), cycle(8, 3, 2, 6, 7))

    assert Group(8, [turn, tilt]).order == 24


def test_the_mathieu_group_on_11_points_has_7920_members() -> None:
    one = cycle(11, *range(11))
    other = after(cycle(11, 2, 6, 10, 7), cycle(11, 3, 9, 4, 5))

    assert Group(11, [one, other]).order == 7_920


def test_the_members_of_a_small_group_are_all_listed() -> None:
    members = symmetric(4).members(100)

    assert members is not None
    assert len(set(members)) == 24
    assert symmetric(5).members(100) is None


def test_a_group_knows_its_members() -> None:
    square = Group(4, [cycle(4, 0, 1, 2, 3), cycle(4, 0, 2)])

    assert cycle(4, 1, 3) in square
    assert cycle(4, 0, 1) not in square


def test_orbits_are_the_points_that_are_taken_to_each_other() -> None:
    group = Group(6, [cycle(6, 0, 2), cycle(6, 3, 4, 5)])

    assert group.orbits() == [(0, 2), (3, 4, 5)]


def test_the_corners_of_a_square_fall_into_blocks_of_opposite_ones() -> None:
    square = Group(4, [cycle(4, 0, 1, 2, 3), cycle(4, 0, 2)])

    assert square.block_systems((0, 1, 2, 3))[0] == ((0, 2), (1, 3))


def test_what_keeps_a_block_is_what_schreier_says() -> None:
    square = Group(4, [cycle(4, 0, 1, 2, 3), cycle(4, 0, 2)])

    kept, ways = square.block_stabiliser(((0, 2), (1, 3)))

    assert kept.order == 4
    assert [way[0] in {0, 2} for way in ways] == [True, False]


def test_stabilisers_become_smaller_and_smaller() -> None:
    orders = [group.order for group in symmetric(5).stabilisers()]

    assert orders == [24, 6, 2]


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.lists(st.permutations(range(6)), min_size=1, max_size=3))
def test_the_order_is_the_number_of_members(drawn: list[list[int]]) -> None:
    group = Group(6, [tuple(images) for images in drawn])
    members = group.members(720)

    assert members is not None
    assert group.order == len(members)


@pytest.mark.parametrize("degree", [1, 2, 5])
def test_a_permutation_and_its_inverse_undo_each_other(degree: int) -> None:
    images = cycle(degree, *range(degree))

    assert after(inverse(images), images) == tuple(range(degree))
