"""Groups of permutations: their orders, orbits, blocks and members."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.core.symmetry import Copies, Direct, Images, ListedMembers, Structure, Symmetric, order
from zermelo.packing.permutation_groups import (
    PermutationGroup,
    after,
    generators_of,
    inverse,
    structure_of,
)


def cycle(degree: int, *points: int) -> Images:
    images = list(range(degree))
    for at, point in enumerate(points):
        images[point] = points[(at + 1) % len(points)]
    return tuple(images)


def symmetric(degree: int) -> PermutationGroup:
    return PermutationGroup(degree, [cycle(degree, *range(degree)), cycle(degree, 0, 1)])


def test_the_group_of_all_permutations_has_the_order_of_a_factorial() -> None:
    assert symmetric(16).order == 20_922_789_888_000


def test_the_even_permutations_are_half_of_all() -> None:
    threes = [cycle(7, 0, 1, at) for at in range(2, 7)]

    assert PermutationGroup(7, threes).order == 2_520


def test_the_turns_of_a_cube_of_27_have_the_order_that_is_known_of_them() -> None:
    """Rotations of a cube's 8 corners: 24."""
    turn = after(cycle(8, 0, 1, 2, 3), cycle(8, 4, 5, 6, 7))
    tilt = after(cycle(8, 0, 1, 5, 4), cycle(8, 3, 2, 6, 7))

    assert PermutationGroup(8, [turn, tilt]).order == 24


def test_the_mathieu_group_on_11_points_has_7920_members() -> None:
    one = cycle(11, *range(11))
    other = after(cycle(11, 2, 6, 10, 7), cycle(11, 3, 9, 4, 5))

    assert PermutationGroup(11, [one, other]).order == 7_920


def test_the_members_of_a_small_group_are_all_listed() -> None:
    members = symmetric(4).members(100)

    assert members is not None
    assert len(set(members)) == 24
    assert symmetric(5).members(100) is None


def test_a_group_knows_its_members() -> None:
    square = PermutationGroup(4, [cycle(4, 0, 1, 2, 3), cycle(4, 0, 2)])

    assert cycle(4, 1, 3) in square
    assert cycle(4, 0, 1) not in square


def test_orbits_are_the_points_that_are_taken_to_each_other() -> None:
    group = PermutationGroup(6, [cycle(6, 0, 2), cycle(6, 3, 4, 5)])

    assert group.orbits() == [(0, 2), (3, 4, 5)]


def test_the_corners_of_a_square_fall_into_blocks_of_opposite_ones() -> None:
    square = PermutationGroup(4, [cycle(4, 0, 1, 2, 3), cycle(4, 0, 2)])

    assert square.block_systems((0, 1, 2, 3))[0] == ((0, 2), (1, 3))


def test_what_keeps_a_block_is_what_schreier_says() -> None:
    square = PermutationGroup(4, [cycle(4, 0, 1, 2, 3), cycle(4, 0, 2)])

    kept, ways = square.block_stabiliser(((0, 2), (1, 3)))

    assert kept.order == 4
    assert [way[0] in {0, 2} for way in ways] == [True, False]


def test_stabilisers_become_smaller_and_smaller() -> None:
    orders = [group.order for group in symmetric(5).stabilisers()]

    assert orders == [24, 6, 2]


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.lists(st.permutations(range(6)), min_size=1, max_size=3))
def test_the_order_is_the_number_of_members(drawn: list[list[int]]) -> None:
    group = PermutationGroup(6, [tuple(images) for images in drawn])
    members = group.members(720)

    assert members is not None
    assert group.order == len(members)


@pytest.mark.parametrize("degree", [1, 2, 5])
def test_a_permutation_and_its_inverse_undo_each_other(degree: int) -> None:
    images = cycle(degree, *range(degree))

    assert after(inverse(images), images) == tuple(range(degree))


def group_of(structure: Structure, degree: int) -> PermutationGroup:
    return PermutationGroup(
        degree,
        (tuple(g.get(point, point) for point in range(degree)) for g in generators_of(structure)),
    )


def found(structure: Structure, degree: int) -> Structure | None:
    return structure_of(group_of(structure, degree))


def points(*firsts: int, slots: int = 1, stride: int = 1) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(first + stride * slot for slot in range(slots)) for first in firsts)


def test_points_that_are_permuted_at_will_are_found_with_all_their_claims() -> None:
    made = Symmetric(points(*range(8), slots=2, stride=8))

    assert found(made, 16) == made


def test_a_product_is_taken_apart() -> None:
    made = Direct((Symmetric(points(*range(5))), Symmetric(points(5, 6, 7, 8, 9, 10))))

    assert found(made, 11) == made
    assert order(made) == 120 * 720


def test_copies_with_symmetries_of_their_own_are_found() -> None:
    copies = tuple(tuple(range(3 * at, 3 * at + 3)) for at in range(4))
    made = Copies(copies, Symmetric(points(0, 1, 2)), None)

    assert found(made, 12) == made
    assert order(made) == 6**4 * 24


def test_quadrants_beside_free_cells_are_told_apart() -> None:
    """Four crosses of a centre and four arms, and 16 free cells: known from four-quadrants."""
    arms = ((1, 2, 3, 4), (2, 1, 3, 4), (1, 2, 4, 3), (3, 4, 1, 2))
    cross = PermutationGroup(5, [(0, *images) for images in arms])
    members = cross.members(8)
    assert members is not None
    copies = tuple(tuple(range(5 * at, 5 * at + 5)) for at in range(4))
    inside = ListedMembers(
        (1, 2, 3, 4), tuple(tuple(m[1 + at] - 1 for at in range(4)) for m in members)
    )
    made = Direct((Copies(copies, inside, None), Symmetric(points(*range(20, 36)))))

    again = found(made, 36)

    assert order(made) == order(again) == 98_304 * 20_922_789_888_000
    assert isinstance(again, Direct)
    assert [type(part) for part in again.parts] == [Copies, Symmetric]


def test_copies_that_are_only_turned_keep_the_list_of_turns() -> None:
    copies = tuple(tuple(range(4 * at, 4 * at + 4)) for at in range(5))
    turns = tuple(tuple((at + by) % 5 for at in range(5)) for by in range(5))
    made = Copies(copies, Symmetric(points(0, 1, 2, 3)), turns)

    again = found(made, 20)

    assert isinstance(again, Copies)
    assert again.tops is not None
    assert len(again.tops) == 5
    assert order(again) == order(made) == 24**5 * 5


def test_few_members_are_listed() -> None:
    square: tuple[Images, ...] = ((1, 2, 3, 0), (2, 1, 0, 3))

    again = structure_of(PermutationGroup(4, square))

    assert isinstance(again, ListedMembers)
    assert order(again) == 8


def test_of_a_group_that_is_not_understood_a_part_is_used() -> None:
    """The even permutations of nine points are none of the kinds that are known."""
    threes = []
    for at in range(2, 9):
        images = list(range(9))
        images[0], images[1], images[at] = 1, at, 0
        threes.append(tuple(images))
    group = PermutationGroup(9, threes)

    again = structure_of(group)

    assert group.order == 181_440
    assert 1 < order(again) < group.order
    assert all(
        tuple(g.get(point, point) for point in range(9)) in group for g in generators_of(again)
    )


def test_the_generators_generate_as_many_as_the_order_says() -> None:
    copies = tuple((2 * at, 2 * at + 1) for at in range(3))
    made = Copies(copies, Symmetric(points(0, 1)), None)

    assert group_of(made, 6).order == order(made) == 48


def test_nothing_moved_is_no_structure() -> None:
    assert structure_of(PermutationGroup(3, [(0, 1, 2)])) is None
    assert order(None) == 1
    assert list(generators_of(None)) == []
