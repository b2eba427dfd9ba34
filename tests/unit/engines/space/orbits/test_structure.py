"""How groups are built up: found again in groups whose make is known."""

from zermelo.engines.space.orbits.structure import (
    Copies,
    Direct,
    Listed,
    Structure,
    Symmetric,
    generators,
    order,
    recognised,
)
from zermelo.packing.groups import Group, Images


def group_of(structure: Structure, degree: int) -> Group:
    return Group(
        degree,
        (tuple(g.get(point, point) for point in range(degree)) for g in generators(structure)),
    )


def found(structure: Structure, degree: int) -> Structure | None:
    return recognised(group_of(structure, degree))


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
    cross = Group(5, [(0, *images) for images in arms])
    members = cross.members(8)
    assert members is not None
    copies = tuple(tuple(range(5 * at, 5 * at + 5)) for at in range(4))
    inside = Listed((1, 2, 3, 4), tuple(tuple(m[1 + at] - 1 for at in range(4)) for m in members))
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

    again = recognised(Group(4, square))

    assert isinstance(again, Listed)
    assert order(again) == 8


def test_of_a_group_that_is_not_understood_a_part_is_used() -> None:
    """The even permutations of nine points are none of the kinds that are known."""
    threes = []
    for at in range(2, 9):
        images = list(range(9))
        images[0], images[1], images[at] = 1, at, 0
        threes.append(tuple(images))
    group = Group(9, threes)

    again = recognised(group)

    assert group.order == 181_440
    assert 1 < order(again) < group.order
    assert all(tuple(g.get(point, point) for point in range(9)) in group for g in generators(again))


def test_the_generators_generate_as_many_as_the_order_says() -> None:
    copies = tuple((2 * at, 2 * at + 1) for at in range(3))
    made = Copies(copies, Symmetric(points(0, 1)), None)

    assert group_of(made, 6).order == order(made) == 48


def test_nothing_moved_is_no_structure() -> None:
    assert recognised(Group(3, [(0, 1, 2)])) is None
    assert order(None) == 1
    assert list(generators(None)) == []
