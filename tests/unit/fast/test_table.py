"""A table holds each state once, compiled or not, from one thread or several."""

import threading

import numpy as np
import pytest

from zermelo.fast import jit, table_loops
from zermelo.fast import table as table_module
from zermelo.fast.table import MOST_STATES, Rows, StateTable, TooManyStates, slots_for

Kind = tuple[bool, int]
"""Whether a table is native, and how many threads it is made for."""

KINDS: list[Kind] = [(True, 1), (True, 2), (False, 1), (False, 2)]


def batches(words: int, *, states: int, count: int, size: int) -> list[Rows]:
    """Batches with many repetitions: few different states, drawn again and again."""
    chance = np.random.default_rng(words)
    pool = chance.integers(-(2**63), 2**63 - 1, size=(states, words), dtype=np.int64)
    pool[: states // 2] &= 3  # half of them small numbers, where a weak hash would collide
    return [pool[chance.integers(0, states, size=size)] for _ in range(count)]


def numbered(table: StateTable, batch: Rows) -> Rows:
    """The numbers of the states of *batch*, all of which are there."""
    ids = np.empty(len(batch), dtype=np.int64)
    assert table.find(batch, ids) == len(batch)
    return ids


def first_seen(rows: list[Rows]) -> list[tuple[int, ...]]:
    """The different states of *rows*, in the order in which they come."""
    return list(dict.fromkeys(tuple(map(int, row)) for batch in rows for row in batch))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("words", [1, 2, 3, 7])
def test_a_table_agrees_with_a_set(kind: Kind, words: int) -> None:
    is_native, threads = kind
    size = 2000 if is_native else 150
    rows = batches(words, states=size, count=5, size=size)
    table = StateTable(words, threads=threads, is_native=is_native, shift=6)
    expected = first_seen(rows)

    for batch in rows:
        before = len(table)
        assert table.insert(batch) == len(table) - before
        assert (table.rows(0, len(table))[numbered(table, batch)] == batch).all()

    assert [tuple(map(int, row)) for row in table.rows(0, len(table))] == expected


@pytest.mark.parametrize("kind", KINDS)
def test_states_that_were_there_before_are_counted(kind: Kind) -> None:
    is_native, threads = kind
    table = StateTable(1, threads=threads, is_native=is_native, shift=4)
    first, second = np.arange(100).reshape(-1, 1), np.arange(50, 150).reshape(-1, 1)

    assert table.add(first, 0) == 0
    assert table.add(second, 100) == 50
    # of the numbers 0 to 149 those below 120, each counted whenever it comes
    assert table.add(np.concatenate([first, second, second]), 120) == 100 + 70 + 70
    assert len(table) == 150


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_absent_is_not_found(kind: Kind) -> None:
    is_native, threads = kind
    table = StateTable(2, threads=threads, is_native=is_native, shift=4)
    evens = np.array([[2 * i, -i] for i in range(100)], dtype=np.int64)
    table.insert(evens)
    asked = np.array([[2 * i, -i - i % 2] for i in range(110)], dtype=np.int64)
    ids = np.empty(110, dtype=np.int64)

    assert table.find(asked, ids) == 50
    assert ids.tolist() == [i if i % 2 == 0 and i < 100 else -1 for i in range(110)]


@pytest.mark.parametrize("count", [2, 5])
@pytest.mark.parametrize("is_native", [True, False])
def test_threads_that_insert_the_same_states_lose_and_repeat_none(
    is_native: bool,  # noqa: FBT001
    count: int,
) -> None:
    size = 40_000 if is_native else 400
    rows = batches(2, states=size, count=6, size=size)
    table = StateTable(2, threads=count, is_native=is_native, shift=8)
    new: list[int] = []

    def work(mine: int) -> None:
        # All insert every batch, from both ends and from places between them.
        order = [*rows[mine:], *rows[:mine]]
        new.extend(table.insert(batch) for batch in (order if mine % 2 else reversed(order)))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    held = table.rows(0, len(table))
    assert sorted(tuple(map(int, row)) for row in held) == sorted(first_seen(rows))
    assert sum(new) == len(table)
    assert all((held[numbered(table, batch)] == batch).all() for batch in rows)


@pytest.mark.parametrize("is_native", [True, False])
@pytest.mark.parametrize(
    "sizes",
    [
        [10],  # the rest of a handful is behind all states
        [64],
        [10, 20],  # the rest of the first handful is before the second
        [64, 64, 3],
        [1, 100, 2, 64, 63],
        [1, 1, 1, 1],  # most of the last states are gaps too
    ],
)
def test_numbers_that_were_taken_and_not_needed_go_to_the_last_states(
    is_native: bool,  # noqa: FBT001
    sizes: list[int],
) -> None:
    unit = table_module.loops(1, last=8, shift=12, is_shared=True)
    functions = jit.load(unit, native=is_native)
    block, index = np.zeros(1 << 12, dtype=np.int64), np.zeros(1 << 12, dtype=np.uint32)
    directory = np.array([block.ctypes.data])
    table = np.zeros(table_loops.DESCRIPTION, dtype=np.int64)
    table[table_loops.DIRECTORY] = directory.ctypes.data
    table[table_loops.INDEX] = index.ctypes.data
    table[table_loops.MASK] = len(index) - 1
    states = np.arange(sum(sizes), dtype=np.int64)
    hands = np.zeros((len(sizes), table_loops.SCRATCH), dtype=np.int64)

    for hand, batch in zip(hands, np.split(states, np.cumsum(sizes)[:-1]), strict=True):
        new = functions["insert"](
            table.ctypes.data, batch.ctypes.data, len(batch), 0, 0, hand.ctypes.data
        )
        assert new == len(batch)
    gaps = hands[:, [table_loops.FREE, table_loops.END]]
    gaps = np.ascontiguousarray(gaps[gaps[:, 0] < gaps[:, 1]])
    taken = [-(-size // table_loops.HANDFUL) * table_loops.HANDFUL for size in sizes]
    assert table[table_loops.COUNT] == sum(taken)
    count = functions["close_gaps"](table.ctypes.data, gaps.ctypes.data, len(gaps))

    assert count == table[table_loops.COUNT] == len(states)
    held, ids = block[:count].copy(), np.zeros(count, dtype=np.int64)
    assert sorted(held.tolist()) == states.tolist()
    assert np.count_nonzero(index) == count
    functions["find"](
        table.ctypes.data, held.ctypes.data, count, ids.ctypes.data, hands[0].ctypes.data
    )
    assert ids.tolist() == list(range(count))


def test_numbers_are_not_told_while_they_may_change() -> None:
    table = StateTable(1, threads=2)

    with pytest.raises(ValueError, match="while other threads may insert"):
        table.insert(np.zeros((1, 1), dtype=np.int64), np.zeros(1, dtype=np.int64))


def test_both_worlds_number_states_alike() -> None:
    rows = batches(2, states=300, count=3, size=300)
    numbers = []
    for is_native in (True, False):
        table = StateTable(2, is_native=is_native)
        ids = np.empty(300, dtype=np.int64)
        for batch in rows:
            table.insert(batch, ids)
        numbers.append(ids.tolist())

    assert numbers[0] == numbers[1]


def test_a_table_that_grows_keeps_its_states_and_their_numbers() -> None:
    table = StateTable(1, shift=10)
    table.insert(np.arange(1000, dtype=np.int64).reshape(-1, 1))

    table.insert(np.arange(200_000, dtype=np.int64).reshape(-1, 1))

    assert len(table) == 200_000
    assert table.rows(0, 200_000)[:, 0].tolist() == list(range(200_000))


def test_rows_are_read_across_blocks_and_never_beyond_the_last() -> None:
    table = StateTable(1, shift=4)
    table.insert(np.arange(50, dtype=np.int64).reshape(-1, 1))

    assert table.rows(10, 47)[:, 0].tolist() == list(range(10, 47))
    assert table.rows(7, 7).shape == (0, 1)
    with pytest.raises(IndexError, match="there are 50 states"):
        table.rows(0, 51)


def test_states_are_read_by_their_numbers_in_any_order() -> None:
    table = StateTable(1, shift=4)
    table.insert(np.arange(100, 150, dtype=np.int64).reshape(-1, 1))

    assert table.at(np.array([49, 0, 17, 17]))[:, 0].tolist() == [149, 100, 117, 117]
    assert table.at(np.array([], dtype=np.int64)).shape == (0, 1)
    for wrong in (-1, 50):
        with pytest.raises(IndexError, match="there are 50 states"):
            table.at(np.array([wrong]))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("words", [1, 2, 3])
@pytest.mark.parametrize("last_bits", [1, 8, 20, 57])
def test_no_more_bytes_are_kept_than_any_state_needs(
    kind: Kind, words: int, last_bits: int
) -> None:
    is_native, threads = kind
    size = 2000 if is_native else 100
    rows = batches(words, states=size, count=3, size=size)
    for batch in rows:
        batch[:, -1] &= (1 << last_bits) - 1
    table = StateTable(words, last_bits=last_bits, threads=threads, is_native=is_native, shift=5)
    expected = first_seen(rows)

    for batch in rows:
        table.insert(batch)
        assert (table.at(numbered(table, batch)) == batch).all()

    assert table.row_bytes == 8 * (words - 1) + (last_bits + 7) // 8
    assert [tuple(map(int, row)) for row in table.rows(0, len(table))] == expected


@pytest.mark.parametrize("is_native", [True, False])
def test_a_state_with_bits_that_would_be_lost_is_refused_and_not_found(
    is_native: bool,  # noqa: FBT001
) -> None:
    table = StateTable(2, last_bits=8, is_native=is_native)
    table.insert(np.array([[5, 1]], dtype=np.int64))
    wide = np.array([[5, 257]], dtype=np.int64)
    ids = np.empty(1, dtype=np.int64)

    with pytest.raises(ValueError, match="more bits than 9 bytes hold"):
        table.insert(wide)

    assert len(table) == 1
    assert table.find(wide, ids) == 0


def test_memory_is_four_bytes_a_slot_beside_the_states() -> None:
    table = StateTable(2, shift=10)

    table.insert(np.arange(2 * 5 * 1024, dtype=np.int64).reshape(-1, 2))

    # 5 × 1024 states of 16 bytes, 2¹⁴ slots (7/10 of 2¹² are too few), 5 addresses of blocks.
    assert table.bytes == 5 * 1024 * 16 + 2**14 * 4 + 5 * 8


def test_there_are_never_two_indices() -> None:
    table = StateTable(1, shift=10)
    table.insert(np.arange(2800, dtype=np.int64).reshape(-1, 1))

    table.insert(np.arange(2900, dtype=np.int64).reshape(-1, 1))
    table.reserve(10_000)

    # 2900 states fill more than 7/10 of 2¹² slots, 12 900 more than 7/10 of 2¹⁴.
    assert table.bytes == 2900 * 8 + 2**16 * 4 + 13 * 8


def test_a_large_index_only_doubles() -> None:
    most_of_4_million_slots = 2**22 * 7 // 10

    assert slots_for(0) == 2**12
    assert slots_for(2**12) == 2**14
    assert slots_for(most_of_4_million_slots) == 2**22
    assert slots_for(most_of_4_million_slots + 1) == 2**23
    assert slots_for(MOST_STATES) == 2**32


def test_reserved_room_is_there_before_it_is_needed() -> None:
    table = StateTable(2, shift=10)
    table.reserve(100_000)
    before = table.bytes

    table.insert(np.arange(2 * 60_000, dtype=np.int64).reshape(-1, 2))

    assert table.bytes == before + 60_000 * 16
    assert len(table) == 60_000


def test_too_many_states_are_refused_before_anything_is_done() -> None:
    table = StateTable(1)

    with pytest.raises(TooManyStates, match="holds at most 3,006,477,107"):
        table.reserve(table_module.MOST_STATES + 1)

    assert table.insert(np.zeros((3, 1), dtype=np.int64)) == 1


@pytest.mark.parametrize(
    ("batch", "ids"),
    [
        (np.zeros((3, 1), dtype=np.int64), None),
        (np.zeros((3, 2), dtype=np.int32), None),
        (np.zeros((2, 3), dtype=np.int64).T, None),
        (np.zeros((3, 2), dtype=np.int64), np.zeros(2, dtype=np.int64)),
        (np.zeros((3, 2), dtype=np.int64), np.zeros(3, dtype=np.int32)),
    ],
)
def test_arrays_that_native_code_would_misread_are_refused(batch: Rows, ids: Rows | None) -> None:
    table = StateTable(2)

    with pytest.raises(ValueError, match=r"a batch|one 64-bit number"):
        table.insert(batch, ids)

    assert len(table) == 0


def test_an_empty_batch_adds_nothing() -> None:
    table = StateTable(2)

    assert table.insert(np.empty((0, 2), dtype=np.int64)) == 0
