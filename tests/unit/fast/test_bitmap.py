"""A bitmap holds each number once, compiled or not, from one thread or several."""

import threading

import numpy as np
import pytest

from zermelo.fast.bitmap import Bitmap

KINDS = [(True, 1), (True, 2), (False, 1), (False, 2)]


@pytest.fixture(params=KINDS, ids=str)
def bitmap(request: pytest.FixtureRequest) -> Bitmap:
    is_native, threads = request.param
    return Bitmap(1000, threads=threads, is_native=is_native)


def test_a_number_is_new_once(bitmap: Bitmap) -> None:
    numbers = np.array([0, 63, 64, 999, 63, 127, 0], dtype=np.int64)
    new = np.full(7, 9, dtype=np.uint8)

    assert bitmap.mark(numbers, new) == 5
    assert new.tolist() == [1, 1, 1, 1, 0, 1, 0]
    assert bitmap.mark(numbers) == 0


def test_a_bitmap_agrees_with_a_set(bitmap: Bitmap) -> None:
    chance = np.random.default_rng(5)
    seen: set[int] = set()

    for _ in range(5):
        numbers = chance.integers(0, 1000, size=150)
        before = len(seen)
        seen |= set(numbers.tolist())
        assert bitmap.mark(numbers) == len(seen) - before

    everything = np.arange(1000, dtype=np.int64)
    present = np.empty(1000, dtype=np.uint8)
    assert bitmap.test(everything, present) == len(seen)
    assert np.flatnonzero(present).tolist() == sorted(seen)
    assert bitmap.count() == len(seen)
    assert bitmap.numbers().tolist() == sorted(seen)
    assert np.concatenate(list(bitmap.pieces(97))).tolist() == sorted(seen)


@pytest.mark.parametrize(
    ("start", "stop"), [(0, 0), (0, 1), (1, 63), (1, 64), (63, 128), (64, 65), (700, 1000)]
)
def test_a_range_is_cut_at_both_ends(bitmap: Bitmap, start: int, stop: int) -> None:
    bitmap.mark(np.arange(0, 1000, dtype=np.int64))

    assert bitmap.numbers(start, stop).tolist() == list(range(start, stop))
    assert bitmap.count(start, stop) == stop - start


@pytest.mark.parametrize("wrong", [1000, -1, -(2**63), 2**63 - 1])
def test_a_number_out_of_range_is_refused(bitmap: Bitmap, wrong: int) -> None:
    with pytest.raises(IndexError, match=f"0 to 999, not {wrong}$"):
        bitmap.mark(np.array([3, wrong], dtype=np.int64))
    with pytest.raises(IndexError, match="not 5 to 1000"):
        bitmap.numbers(5, 1001)


def test_arrays_that_native_code_would_misread_are_refused(bitmap: Bitmap) -> None:
    with pytest.raises(ValueError, match="64-bit"):
        bitmap.mark(np.zeros(3, dtype=np.int32))
    with pytest.raises(ValueError, match="one byte"):
        bitmap.mark(np.zeros(3, dtype=np.int64), np.zeros(2, dtype=np.uint8))


def test_a_cleared_bitmap_is_empty(bitmap: Bitmap) -> None:
    bitmap.mark(np.array([5, 500], dtype=np.int64))

    bitmap.clear()

    assert bitmap.numbers().tolist() == []
    assert bitmap.bytes == 128


@pytest.mark.parametrize("is_native", [True, False])
def test_two_threads_find_each_number_new_once(is_native: bool) -> None:  # noqa: FBT001
    size = 200_000 if is_native else 1000
    bitmap = Bitmap(size, threads=2, is_native=is_native)
    found = [0, 0]

    def work(mine: int) -> None:
        for start in range(0, size, 500):
            found[mine] += bitmap.mark(np.arange(start, start + 500, dtype=np.int64))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sum(found) == size
    assert bitmap.count() == size
