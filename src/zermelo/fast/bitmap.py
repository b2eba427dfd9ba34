"""A set of numbers below a known size, one bit for each: the store of states that can be ranked."""

import functools
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from zermelo.fast import jit
from zermelo.fast.bits import (
    below,
    bit,
    fetch_or,
    load,
    lowest,
    popcount,
    prefetch,
    rest,
    shl,
    store,
    store8,
)

Numbers = NDArray[np.int64]

# Bound anew for each unit: whether several threads mark at the same time.
SHARED = 0

GROUP = 64
"""How many words are on their way through memory at the same time."""


class Bitmap:
    """Numbers from 0 to *size* − 1, none at first. With *threads* above 1, several may mark."""

    def __init__(self, size: int, *, threads: int = 1, is_native: bool = True) -> None:
        self.size = size
        self.words: Numbers = np.zeros((size + 63) // 64, dtype=np.int64)
        """The bits themselves, 64 a word, the lowest number first."""
        functions = jit.load(loops(is_shared=threads > 1), native=is_native)
        self._mark, self._test = functions["mark"], functions["test"]
        self._count, self._list = functions["count"], functions["listed"]

    @property
    def bytes(self) -> int:
        """How much memory the bits take."""
        return self.words.nbytes

    def mark(self, numbers: Numbers, new: NDArray[np.uint8] | None = None) -> int:
        """Add *numbers*; how many were not there yet, a repeated one counting once.

        *new*, when given, gets 1 for those and 0 for the others.
        """
        return self._visit(self._mark, numbers, new)

    def test(self, numbers: Numbers, present: NDArray[np.uint8] | None = None) -> int:
        """How many of *numbers* are there; *present*, when given, gets 1 for those, 0 otherwise."""
        return self._visit(self._test, numbers, present)

    def count(self, start: int = 0, stop: int | None = None) -> int:
        """How many numbers from *start* to *stop* − 1 are there."""
        stop = self.size if stop is None else stop
        self._check(start, stop)
        return self._count(self.words.ctypes.data, start, stop)

    def numbers(self, start: int = 0, stop: int | None = None) -> Numbers:
        """The numbers from *start* to *stop* − 1 that are there, in order."""
        stop = self.size if stop is None else stop
        result = np.empty(self.count(start, stop), dtype=np.int64)
        self._list(self.words.ctypes.data, start, stop, result.ctypes.data)
        return result

    def pieces(self, most: int = 1 << 16) -> Iterator[Numbers]:
        """All numbers in order, in arrays made of *most* neighbouring bits each; no empty ones."""
        for start in range(0, self.size, most):
            found = self.numbers(start, min(self.size, start + most))
            if found.size:
                yield found

    def clear(self) -> None:
        """Take all numbers out."""
        self.words[:] = 0

    def _check(self, start: int, stop: int) -> None:
        if not 0 <= start <= stop <= self.size:
            raise IndexError(f"the numbers are 0 to {self.size - 1}, not {start} to {stop - 1}")

    def _visit(
        self, visit: jit.Compiled, numbers: Numbers, answers: NDArray[np.uint8] | None
    ) -> int:
        # Compiled code trusts these; a wrong one would write where it must not.
        if numbers.dtype != np.int64 or not numbers.flags.c_contiguous:
            raise ValueError("numbers are 64-bit and lie in one piece")
        if answers is not None and (
            answers.dtype != np.uint8
            or answers.shape != numbers.shape
            or not answers.flags.c_contiguous
        ):
            raise ValueError("there is one byte for each number")
        there = 0 if answers is None else answers.ctypes.data
        words = self.words.ctypes.data
        result = visit(words, self.size, numbers.ctypes.data, numbers.size, there)
        if result < 0:
            raise IndexError(f"the numbers are 0 to {self.size - 1}, not {numbers.flat[~result]}")
        return result


@functools.cache
def loops(*, is_shared: bool) -> jit.Unit:
    """The loops of a bitmap."""
    return jit.unit_of(
        "bitmap",
        (mark, test, announce, count, listed),
        exports=("mark", "test", "count", "listed"),
        constants={"SHARED": int(is_shared), "GROUP": GROUP},
    )


# The loops, written for the compiler: whole numbers and addresses only.


def announce(words: int, size: int, numbers: int, start: int, stop: int) -> int:
    """Bring the words of some numbers into the caches; the first that is out of range, or −1."""
    for j in range(start, stop):
        x = load(numbers, j)
        if below(x, size) == 0:
            return j
        prefetch(words, x >> 6)
    return -1


def mark(words: int, size: int, numbers: int, n: int, new: int) -> int:
    """Set the bits of *n* numbers; how many were clear. −1 − j when number j is out of range."""
    found = 0
    start = 0
    while start < n:
        stop = min(start + GROUP, n)
        wrong = announce(words, size, numbers, start, stop)
        if wrong >= 0:
            return -1 - wrong
        for j in range(start, stop):
            x = load(numbers, j)
            before = load(words, x >> 6)
            if (before >> (x & 63)) & 1 == 0:
                # Only a bit that seems clear is worth the processor's slower instruction.
                if SHARED:
                    before = fetch_or(words, x >> 6, bit(x))
                else:
                    store(words, x >> 6, before | bit(x))
            is_new = ((before >> (x & 63)) & 1) ^ 1
            found += is_new
            if new != 0:
                store8(new, j, is_new)
        start = stop
    return found


def test(words: int, size: int, numbers: int, n: int, present: int) -> int:
    """How many of *n* numbers have their bit set. −1 − j when number j is out of range."""
    found = 0
    start = 0
    while start < n:
        stop = min(start + GROUP, n)
        wrong = announce(words, size, numbers, start, stop)
        if wrong >= 0:
            return -1 - wrong
        for j in range(start, stop):
            x = load(numbers, j)
            is_there = (load(words, x >> 6) >> (x & 63)) & 1
            found += is_there
            if present != 0:
                store8(present, j, is_there)
        start = stop
    return found


def count(words: int, start: int, stop: int) -> int:
    """How many bits from *start* to *stop* − 1 are set."""
    found = 0
    for w in range(start >> 6, (stop + 63) >> 6):
        x = load(words, w)
        if w == start >> 6:
            x = x & shl(-1, start)
        if w == stop >> 6:
            x = x & ~shl(-1, stop)
        found += popcount(x)
    return found


def listed(words: int, start: int, stop: int, result: int) -> int:
    """Write the numbers of the bits from *start* to *stop* − 1 that are set; how many."""
    found = 0
    for w in range(start >> 6, (stop + 63) >> 6):
        x = load(words, w)
        if w == start >> 6:
            x = x & shl(-1, start)
        if w == stop >> 6:
            x = x & ~shl(-1, stop)
        while x != 0:
            store(result, found, w * 64 + lowest(x))
            found += 1
            x = rest(x)
    return found
