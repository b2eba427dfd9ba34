"""Stores: each state once, on one level, found again by its number."""

import numpy as np
import pytest

from zermelo.core.arrays import Rows
from zermelo.engines.space.store import NOWHERE, TableStore, followed, large, small


@pytest.fixture(params=["small", "for one thread", "for two threads"])
def store(request: pytest.FixtureRequest) -> TableStore:
    match request.param:
        case "small":
            return small(2)
        case kind:
            return large(2, threads=1 if kind == "for one thread" else 2, why="a test")


def rows(*pairs: tuple[int, int]) -> Rows:
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def test_a_state_is_kept_once_and_on_its_first_level(store: TableStore) -> None:
    assert store.insert(rows((0, 0))) == 0
    assert store.seal() == 1
    assert store.insert(rows((0, 1), (0, 0), (1, 0), (0, 1))) == 1
    assert store.seal() == 2

    assert store.states == 3
    assert store.by_depth == (1, 2)
    assert store.levels(rows((1, 0), (0, 0), (5, 5))).tolist() == [1, 0, NOWHERE]


def test_states_that_differ_in_one_bit_of_one_word_are_two(store: TableStore) -> None:
    words = [1 << bit for bit in range(63)] + [-(1 << 63), 0]

    store.insert(rows(*((word, other) for word in words for other in words)))

    assert store.states == 65 * 65


def test_a_number_leads_back_to_its_state(store: TableStore) -> None:
    many = rows(*((at % 97, at) for at in range(5000)))
    store.insert(many)
    store.seal()

    numbers = store.numbers(many[::-3])

    assert (store.at(numbers) == many[::-3]).all()
    assert numbers.max() < store.numbers_end
    assert store.numbers(rows((3, -3))).tolist() == [NOWHERE]
    assert store.at(numbers[:0]).shape == (0, 2)


def test_a_level_comes_in_pieces_and_some_of_it_can_be_skipped(store: TableStore) -> None:
    store.insert(rows((7, 7)))
    store.seal()
    level = rows(*((at, 1) for at in range(10)))
    store.insert(level)
    store.seal()

    pieces = [store.rows(piece) for piece in store.pieces(1, 4, skip=1)]

    assert [len(piece) for piece in pieces] == [4, 4, 1]
    assert (np.concatenate(pieces) == level[1:]).all()
    assert np.concatenate(list(followed(store, 1, 7))).tolist() == level[:7].tolist()


def test_the_level_that_is_being_built_can_be_seen(store: TableStore) -> None:
    store.insert(rows((7, 7)))
    store.seal()
    store.insert(rows((1, 2), (3, 4)))

    assert [each.tolist() for each in store.pending(1)] == [[[1, 2]], [[3, 4]]]
    assert store.levels(rows((1, 2))).tolist() == [NOWHERE]


def test_a_level_without_states_is_none(store: TableStore) -> None:
    store.insert(rows((7, 7)))
    store.seal()

    assert store.seal() == 0
    assert store.by_depth == (1,)


def test_the_memory_for_many_states_is_told_before(store: TableStore) -> None:
    store.insert(rows(*((at, -at) for at in range(50_000))))
    told = store.needed(100_000)

    store.insert(rows(*((at, -at) for at in range(100_000))))

    assert store.bytes <= 1.1 * told + 5e6
