"""An exact store of packed states: each is kept once and has a number, counted from 0.

States lie in blocks that never move, in the order in which they came; what several threads insert
at the same time has any order. The index beside them has four bytes a slot and is made anew,
larger, when it is seven tenths full. States are compared whole: a hash only says where to look.
"""

from __future__ import annotations

import functools
import inspect
import threading

import numpy as np
from numpy.typing import NDArray

from zermelo.fast import jit, table_loops
from zermelo.fast.bits import address

Rows = NDArray[np.int64]

CHUNK = 1 << 15
"""How many states are inserted at once. Room for all of them is made before, new or not."""
_SHARE = 16
"""In a large table more are: all threads together this part of what there is."""

_SMALLEST = 12
_QUICK = 22
"""Up to 2²² slots an index becomes four times as large, and seldom has to. From there on, where
its memory matters, twice."""
_LARGEST = 32
_BLOCK = 24
"""A block has at least 2²⁴ bytes: the system gives large pages for it, if it has any, and small
ones only at its ends."""

MOST_STATES = (7 << _LARGEST) // 10
"""More states than this have no room in an index of 32-bit numbers."""


class TooManyStates(MemoryError):
    """A table is asked to hold more states than it has numbers for."""


class _TableThread:
    """What one who inserts has for itself: see `table_loops.SCRATCH`."""

    def __init__(self) -> None:
        self.words = np.zeros(table_loops.SCRATCH, dtype=np.int64)
        self.address = address(self.words)

    def take_rest(self) -> tuple[int, int] | None:
        """The numbers that were taken and not given to a state, from one to before another."""
        first, end = self.words[table_loops.FREE : table_loops.END + 1].tolist()
        self.words[table_loops.FREE] = end
        return (first, end) if first < end else None


class StateTable:
    """States of *words* 64-bit words each. With *threads* above 1, several threads may insert.

    No state has bits above the lowest *last_bits* of its last word, so less of it is kept.
    """

    def __init__(
        self,
        words: int,
        *,
        last_bits: int = 64,
        threads: int = 1,
        is_native: bool = True,
        shift: int | None = None,
    ) -> None:
        self.words = words
        last = max(1, -(-last_bits // 8))
        self.row_bytes = (words - 1) * 8 + last
        """The memory that a state takes, beside the index."""
        self._threads = threads
        self._spare = table_loops.HANDFUL if threads > 1 else 0
        """So many numbers may be taken and not be needed."""
        self._shift = max(0, _BLOCK - self.row_bytes.bit_length() + 1) if shift is None else shift
        unit = loops(words, last=last, shift=self._shift, is_shared=threads > 1)
        functions = jit.load(unit, native=is_native)
        self._insert, self._close = functions["insert"], functions["close_gaps"]
        self._find = functions["find"]
        self._rehash, self._read = functions["rehash"], functions["read"]
        self._read_each = functions["read_each"]
        self._blocks: list[NDArray[np.uint8]] = []
        self._directory = np.zeros(max(1, (1 << _LARGEST) >> self._shift), dtype=np.int64)
        self._index = np.zeros(1 << _SMALLEST, dtype=np.uint32)
        self._description = np.zeros(table_loops.DESCRIPTION, dtype=np.int64)
        self._address = address(self._description)
        self._description[table_loops.DIRECTORY] = address(self._directory)
        self._describe_index()
        self._changed = threading.Condition()
        self._hands: list[_TableThread] = []
        """Those that nobody has at the moment."""
        self._active = 0
        self._promised = 0
        self._is_growing = False

    def __len__(self) -> int:
        # While others insert, some of the last numbers belong to no state yet, or never will.
        return int(self._description[table_loops.COUNT])

    @property
    def bytes(self) -> int:
        """How much memory the store uses: its states, its index, and the addresses of its blocks.

        It never used more before: an index that is too small goes before a larger one is made. The
        rest of the last block was never touched, and the system gives memory when it is.
        """
        return len(self) * self.row_bytes + self._index.nbytes + len(self._blocks) * 8

    @property
    def is_native(self) -> bool:
        return self._insert.is_native

    def insert(self, batch: Rows, ids: NDArray[np.int64] | None = None) -> int:
        """Add the states of *batch*; how many of them were new.

        *ids*, when given, gets the number of each. With one thread the new ones are numbered in the
        order in which they come, from the length that the table had before. With several, new
        states may still get other numbers until all threads are done: look for them then.
        """
        if ids is not None and self._threads > 1:
            raise ValueError("numbers are not told while other threads may insert")
        return self._inserted(batch, ids, 0)[0]

    def add(self, batch: Rows, before: int) -> int:
        """Add the states of *batch*; how many of them are among the first *before* ones."""
        return self._inserted(batch, None, before)[1]

    def _inserted(self, batch: Rows, ids: NDArray[np.int64] | None, before: int) -> tuple[int, int]:
        """Add the states of *batch*; how many were new, and how many have lesser numbers."""
        self._check(batch, ids)
        new = earlier = 0
        most = max(CHUNK, len(self) // (_SHARE * self._threads))
        for start in range(0, len(batch), most):
            size = min(most, len(batch) - start)
            hand = self._enter(size + self._spare)
            try:
                rows = address(batch) + start * self.words * 8
                numbers = 0 if ids is None else address(ids) + start * 8
                found = self._insert(self._address, rows, size, numbers, before, hand.address)
                earlier += int(hand.words[table_loops.EARLIER])
            finally:
                self._leave(size + self._spare, hand)
            if found < 0:
                raise ValueError(f"a state has more bits than {self.row_bytes} bytes hold")
            new += found
        return new, earlier

    def find(self, batch: Rows, ids: NDArray[np.int64]) -> int:
        """Write the number of each state of *batch* to *ids*, −1 for the absent; how many are."""
        self._check(batch, ids)
        hand = self._enter(0)
        try:
            rows, numbers = address(batch), address(ids)
            return self._find(self._address, rows, len(batch), numbers, hand.address)
        finally:
            self._leave(0, hand)

    def rows(self, start: int, stop: int) -> Rows:
        if not 0 <= start <= stop <= len(self):
            raise IndexError(f"there are {len(self)} states, not {start} to {stop}")
        rows = np.empty((stop - start, self.words), dtype=np.int64)
        self._read(self._address, start, stop, address(rows))
        return rows

    def at(self, numbers: NDArray[np.int64]) -> Rows:
        numbers = np.ascontiguousarray(numbers, dtype=np.int64)
        if numbers.size and not 0 <= numbers.min() <= numbers.max() < len(self):
            raise IndexError(f"there are {len(self)} states, and no others have a number")
        rows = np.empty((numbers.size, self.words), dtype=np.int64)
        self._read_each(self._address, address(numbers), numbers.size, address(rows))
        return rows

    def reserve(self, states: int) -> None:
        self._leave(states, self._enter(states))

    def _check(self, batch: Rows, ids: NDArray[np.int64] | None) -> None:
        # Compiled code trusts these; a wrong one would write where it must not.
        if batch.dtype != np.int64 or batch.shape[1:] != (self.words,):
            raise ValueError(f"a batch has rows of {self.words} 64-bit words")
        if not batch.flags.c_contiguous or (ids is not None and not ids.flags.c_contiguous):
            raise ValueError("a batch and its numbers lie in one piece")
        if ids is not None and (ids.dtype != np.int64 or ids.shape != (len(batch),)):
            raise ValueError("there is one 64-bit number for each state of the batch")

    # Growth. Any number of threads insert while none grows the index; whoever has to grow it keeps
    # new ones out, waits for the running ones, and then lets all go on. Whoever leaves last closes
    # the gaps between the numbers, so there are none when nobody inserts.

    def _enter(self, states: int) -> _TableThread:
        with self._changed:
            self._changed.wait_for(lambda: not self._is_growing)
            wanted = len(self) + self._promised + states
            self._add_blocks(wanted)
            if wanted > _room(self._index.size):
                self._is_growing = True
                try:
                    # Not again as the others leave it: they would wait for each other many times
                    # before there really are so many states.
                    self._changed.wait_for(lambda: self._active == 0)
                    self._grow(wanted)
                finally:
                    self._is_growing = False
                    self._changed.notify_all()
            hand = self._hands.pop() if self._hands else _TableThread()
            self._promised += states
            self._active += 1
            return hand

    def _leave(self, states: int, hand: _TableThread) -> None:
        with self._changed:
            self._hands.append(hand)
            self._promised -= states
            self._active -= 1
            try:
                if self._active == 0 and self._spare:
                    self._close_gaps()
            finally:
                if self._is_growing:
                    self._changed.notify_all()

    def _close_gaps(self) -> None:
        """Let the last states have the numbers that were taken and that no state has."""
        gaps = sorted(gap for hand in self._hands if (gap := hand.take_rest()) is not None)
        if gaps:
            numbers = np.array(gaps, dtype=np.int64)
            self._close(self._address, address(numbers), len(gaps))

    def _add_blocks(self, states: int) -> None:
        if states > MOST_STATES:
            raise TooManyStates(f"a table of states holds at most {MOST_STATES:,}")
        while len(self._blocks) << self._shift < states:
            # Whole words are read, so there has to be something behind the last state.
            block = np.empty((self.row_bytes << self._shift) + 8, dtype=np.uint8)
            self._directory[len(self._blocks)] = address(block)
            self._blocks.append(block)

    def _grow(self, states: int) -> None:
        size = slots_for(states, self._index.size)
        if size == self._index.size:
            return
        # All that it says can be told from the states, so there are never two of them.
        self._index = np.zeros(1, dtype=np.uint32)
        self._index = np.zeros(size, dtype=np.uint32)
        self._describe_index()
        threads = self._threads if len(self) > CHUNK else 1
        limits = [size * i // threads for i in range(threads + 1)]
        helpers = [
            threading.Thread(target=self._enter_again, args=limits[i : i + 2])
            for i in range(1, threads)
        ]
        for helper in helpers:
            helper.start()
        try:
            self._enter_again(limits[0], limits[1])
        finally:
            for helper in helpers:
                helper.join()

    def _enter_again(self, low: int, high: int) -> None:
        scratch = np.empty(table_loops.SCRATCH, dtype=np.int64)
        self._rehash(self._address, low, high, address(scratch))

    def _describe_index(self) -> None:
        self._description[table_loops.INDEX] = address(self._index)
        self._description[table_loops.MASK] = self._index.size - 1


def slots_for(states: int, slots: int = 1 << _SMALLEST) -> int:
    """How many slots an index has for so many states, which has at least *slots* of them."""
    while _room(slots) < states:
        slots *= 4 if slots < 1 << _QUICK else 2
    return slots


def _room(slots: int) -> int:
    """How many states an index of so many slots holds without becoming slow."""
    return slots * 7 // 10


@functools.cache
def loops(words: int, *, last: int, shift: int, is_shared: bool) -> jit.Unit:
    written = vars(table_loops)
    functions = [each for each in written.values() if inspect.isfunction(each)]
    return jit.unit_of(
        "table",
        [each for each in functions if each.__module__ == table_loops.__name__],
        exports=("insert", "close_gaps", "find", "rehash", "read", "read_each"),
        constants={
            **{name: value for name, value in written.items() if name.isupper()},
            "WORDS": words,
            "LAST": last,
            "LAST_BITS": (1 << 8 * last) - 1 if last < 8 else -1,
            "SHIFT": shift,
            "SHARED": int(is_shared),
        },
        inline=("mixed", "mixed_again", "kept", "row", "same", "copy"),
    )
