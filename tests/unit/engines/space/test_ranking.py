"""Dense numbers: what is guessed from states, and that numbers and states lead to each other."""

import itertools
from dataclasses import replace
from math import comb, factorial

import numpy as np
import pytest

from zermelo.core.arrays import Rows
from zermelo.core.layout import Choice, Count, Field, Layout, Mask, Place
from zermelo.core.values import FALSE, TRUE
from zermelo.engines.space import bitmap_store
from zermelo.engines.space.numbering.ranking import (
    ByCount,
    ByPlaces,
    Digit,
    RankedGroup,
    Ranking,
    ranking,
    ways,
)

CELLS = (10, 20, 30, 40)
PIECES = (1, 2, 3)


def layout(**shapes: Mask | Count | Choice) -> Layout:
    """Fields one after another in one word, masks with all their bits."""
    fields, shift = [], 0
    for name, shape in shapes.items():
        match shape:
            case Mask(members):
                width = len(members)
            case Count(low, high):
                width = (high - low).bit_length()
            case Choice(values):
                width = (len(values) - 1).bit_length()
        fields.append(Field(name, shape, Place(0, shift, width)))
        shift += width
    return Layout(tuple(fields), 1)


def rows(packed: list[int]) -> Rows:
    return np.array(packed, dtype=np.int64).reshape(-1, 1)


def test_ways_are_counted_by_how_many_members_are_placed() -> None:
    # tic-tac-toe's board, and nine pegs on nine cells: Σ C(9, k)² k!
    assert ways(9, 0, 3) == 19683
    assert ways(9, 9, 1) == sum(comb(9, k) ** 2 * factorial(k) for k in range(10)) == 17572114
    # three members, one king among them, the others one of two colours
    assert ways(3, 1, 2) == 2**3 + 3 * 2**2


def boards() -> tuple[Layout, Rows]:
    """Two colours on four cells, never both on one, and whose turn it is."""
    where = layout(x=Mask(CELLS), o=Mask(CELLS), turn=Choice((FALSE, TRUE)))
    packed = [
        x | o << 4 | ((x.bit_count() + o.bit_count()) % 2) << 8
        for x, o in itertools.product(range(16), range(16))
        if not x & o
    ]
    return where, rows(packed)


def places() -> tuple[Layout, Rows]:
    """Three pieces on the four crossings of two rows and two columns, and the cells taken."""
    where = layout(
        cells=Mask(CELLS),
        top=Mask(PIECES),
        bottom=Mask(PIECES),
        left=Mask(PIECES),
        right=Mask(PIECES),
        over=Choice((FALSE, TRUE)),
    )
    packed = []
    for cells in itertools.product((None, 0, 1, 2, 3), repeat=3):
        taken = [cell for cell in cells if cell is not None]
        if len(set(taken)) < len(taken):
            continue
        word = sum(1 << cell for cell in taken)
        for piece, cell in enumerate(cells):
            if cell is not None:
                word |= 1 << (4 + 3 * (cell // 2) + piece) | 1 << (10 + 3 * (cell % 2) + piece)
        packed += [word, word | 1 << 16] if len(taken) > 1 else [word]
    return where, rows(packed)


def test_cells_with_one_of_k_values_are_found() -> None:
    where, states = boards()

    found = ranking(where, states)

    assert found is not None
    assert str(found) == "4 cells with one of 3 values each"
    assert found.size == 81


def test_a_turn_that_follows_from_a_count_takes_no_room() -> None:
    where, states = boards()

    found = ranking(where, states)

    assert found is not None
    (turn,) = found.follows
    assert isinstance(turn, ByCount)
    assert turn.values == (0, 1, 0, 1, 0)


def test_a_placement_is_found_and_the_mask_of_what_is_taken() -> None:
    where, states = places()

    found = ranking(where, states)

    assert found is not None
    assert str(found) == "3 members on 4 places, no two on the same; one of 2 values"
    (cells,) = found.follows
    assert isinstance(cells, ByPlaces)
    # 73 ways to put three pieces on four cells: 1 + 12 + 36 + 24
    assert found.size == 2 * 73


def test_a_field_may_follow_from_a_count_and_a_digit() -> None:
    # the turn passes with each mark, but no longer once it is over
    where = layout(x=Mask(CELLS), turn=Choice((FALSE, TRUE)), result=Choice((0, 1, 2)))
    packed = [
        x | ((x.bit_count() + (result > 0)) % 2) << 4 | result << 5
        for x in range(16)
        for result in range(3)
    ]

    found = ranking(where, rows(packed))

    assert found is not None
    assert found.size == 16 * 3


def test_a_numbering_that_would_be_endless_is_none() -> None:
    where = layout(x=Mask(tuple(range(60))))

    assert ranking(where, rows([0, 3, (1 << 60) - 1])) is None


def test_masks_that_do_not_fit_a_word_have_no_numbering() -> None:
    members = tuple(range(33))
    where = layout(x=Mask(members), o=Mask(members))

    assert ranking(where, rows([0, 3])) is None


def numbered(found: Ranking, states: Rows) -> list[int]:
    code = bitmap_store.compiled(found)
    numbers = np.empty(len(states), dtype=np.int64)
    code.functions["rank_all"](
        code.tables.ctypes.data, states.ctypes.data, len(states), numbers.ctypes.data
    )
    return [int(number) for number in numbers]


def states_of(found: Ranking, numbers: list[int]) -> Rows:
    code = bitmap_store.compiled(found)
    memory = code.memory.copy()
    given = np.array(numbers, dtype=np.int64)
    states = np.empty((len(given), found.words), dtype=np.int64)
    code.functions["unrank_all"](
        code.tables.ctypes.data,
        memory.ctypes.data,
        given.ctypes.data,
        len(given),
        states.ctypes.data,
    )
    return states


@pytest.mark.parametrize("make", [boards, places])
def test_every_state_has_a_number_of_its_own_that_leads_back_to_it(make) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    where, states = make()
    found = ranking(where, states)
    assert found is not None

    numbers = numbered(found, states)

    assert len(set(numbers)) == len(states)
    assert all(0 <= number < found.size for number in numbers)
    assert (states_of(found, numbers) == states).all()


@pytest.mark.parametrize("make", [boards, places])
def test_every_word_either_has_no_number_or_one_that_leads_back_to_it(make) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    where, states = make()
    found = ranking(where, states)
    assert found is not None
    every = rows(list(range(1 << 17)))

    numbers = np.array(numbered(found, every))

    has_one = numbers >= 0
    assert len(np.unique(numbers[has_one])) == has_one.sum() <= found.size
    assert (states_of(found, numbers[has_one].tolist()) == every[has_one]).all()


MIXED = RankedGroup(
    tuple(Place(0, 5 * at, 5) for at in range(3)), 5, repeating=(0, 1, 2), single=(4, 5)
)
MANY_PLACES = RankedGroup(
    tuple(Place(0, 4 * at, 4) for at in range(4)), 4, repeating=(0,), single=tuple(range(1, 12))
)
FULL = RankedGroup(tuple(Place(0, 3 * at, 3) for at in range(2)), 3, repeating=(), single=(1, 2, 3))
LONG = RankedGroup((Place(0, 0, 17), Place(0, 20, 17)), 17, repeating=(0, 1), single=(2,))


@pytest.mark.parametrize(
    "made",
    [
        Ranking(1, (MIXED,), (), ()),
        # a mask of the places that are taken, in an order of its own
        Ranking(1, (MANY_PLACES,), (), (ByPlaces(Place(0, 16, 11), 0, (10, *range(10))),)),
        # nobody is without a place
        Ranking(1, (FULL,), (Digit(Place(0, 6, 3), (1, 4, 6)),), ()),
        Ranking(1, (LONG,), (), ()),
        Ranking(
            2,
            (replace(FULL, places=(Place(1, 0, 3), Place(1, 9, 3))), MIXED),
            (Digit(Place(0, 60, 2), (0, 3)), Digit(Place(1, 62, 2), (0, 1, 2))),
            (ByCount(Place(1, 20, 3), 1, 0, tuple(n % 7 for n in range(12))),),
        ),
    ],
    ids=["mixed", "many places", "full", "long", "several"],
)
def test_numbers_in_any_order_lead_to_states_that_lead_back(made: Ranking) -> None:
    chance = np.random.default_rng(7)
    some = chance.permutation(made.size)[:20_000]
    in_order = np.sort(some)

    states = states_of(made, some.tolist())

    assert numbered(made, states) == some.tolist()
    assert len(np.unique(states, axis=0)) == len(some)
    assert (states_of(made, in_order.tolist()) == states[np.argsort(some)]).all()
    # whatever has a number leads back, and bits that are turned over mostly have none
    turned = states ^ (1 << chance.integers(0, 63, size=states.shape))
    numbers = np.array(numbered(made, turned))
    assert (states_of(made, numbers[numbers >= 0].tolist()) == turned[numbers >= 0]).all()
    assert (numbers < made.size).all()


def test_as_many_states_of_a_level_are_left_out_as_is_told_whatever_its_form() -> None:
    where, all_rows = boards()
    found = ranking(where, all_rows)
    assert found is not None
    store = bitmap_store.BitmapStore(found)
    store.insert(all_rows[:1])
    store.seal()
    store.insert(all_rows)
    store.seal()
    # The second level has all but one of 81 numbers: it is a bitmap of two words.
    assert store.by_depth == (1, 80)
    for level, size in enumerate(store.by_depth):
        (whole,) = [store.rows(piece).tolist() for piece in store.pieces(level, 100)]
        for skip in range(size + 1):
            for piece_size in (1, 7, 63, 64, 65, 100):
                pieces = store.pieces(level, piece_size, skip=skip)
                assert [row for each in pieces for row in store.rows(each).tolist()] == whole[skip:]
