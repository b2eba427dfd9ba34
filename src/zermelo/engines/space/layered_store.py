"""A store whose levels are the layers of a potential, which every move makes larger.

All states are one bitmap over an enumeration in the order of the potential, so a layer is a
range of numbers. Once all layers before it were followed nothing is added to a layer, so one
pass forwards reaches every state and one pass backwards finds every value: whatever move is
made, it leads to a later layer. How many moves lead to a state is not told by its layer.

Among the states of a bitmap each has a place: how many have smaller numbers. A directory of
how many there are before each block of 512 numbers, a line of the cache, tells it.
"""

from __future__ import annotations

import textwrap
import threading
from bisect import bisect_right
from collections.abc import Iterator
from inspect import getsource
from itertools import pairwise
from typing import Final

import numpy as np

from zermelo.core.arrays import Numbers, Piece, Rows
from zermelo.core.expander import Expander
from zermelo.core.symmetry import Invariants
from zermelo.engines.space.bitmap_store import GROUP, DoesNotFit, rank, unrank
from zermelo.engines.space.numbering.enumeration import Enumeration, enumeration
from zermelo.engines.space.numbering.enumeration_code import functions
from zermelo.engines.space.numbering.ranking_code import LookupTables
from zermelo.engines.space.store import NOWHERE, StateStore
from zermelo.fast import jit
from zermelo.fast.bits import bit, fetch_or, load, lowest, popcount, prefetch, rest, shl, store

_BLOCK: Final = 512
# Bound anew for each unit: the words of a state, and whether several threads insert.
WORDS = 1
SHARED = 0


def layered(
    expander: Expander, invariants: Invariants, *, threads: int, memory: int
) -> LayeredStore | None:
    """The store that *invariants* give, if it takes at most so much *memory*."""
    layout = expander.layout
    if layout is None or expander.native is None:
        return None
    numbering = enumeration(layout, invariants, by_potential=True)
    if numbering is None or numbering.size // 7 > memory:
        return None
    return LayeredStore(numbering, threads=threads)


class LayeredStore(StateStore):
    """A store over an enumeration by a potential."""

    def __init__(self, numbering: Enumeration, *, threads: int = 1) -> None:
        self._numbering = numbering
        tables = LookupTables(numbering.words)
        loops = [textwrap.dedent(getsource(loop)) for loop in (*_HELPERS, *_LOOPS)]
        unit = jit.Unit(
            name="layers",
            source="\n\n".join([*functions(numbering, tables), *loops]),
            exports=tuple(loop.__name__ for loop in _LOOPS),
            constants=(
                ("GROUP", GROUP),
                ("SHARED", int(threads > 1)),
                ("WORDS", numbering.words),
            ),
            inline=("rank", "unrank"),
        )
        self._functions = jit.load(unit)
        self._tables = np.array(tables.numbers, dtype=np.int64)
        self._memory = np.zeros(1, dtype=np.int64)
        self._blocks = -(-numbering.size // _BLOCK)
        self._marks: Numbers = np.zeros(self._blocks * (_BLOCK // 64), dtype=np.int64)
        self._ends = (*numbering.layers, numbering.size)
        self._layers: list[int] = []
        """The sealed layers that have states."""
        self._sizes: list[int] = []
        self._sealed = 0
        """Numbers below this are of sealed layers."""
        self._states = 0
        self._lock = threading.Lock()
        self._directory: Numbers | None = None

    @property
    def note(self) -> str:
        return (
            f"a bitmap with one bit for each of {self._numbering.size:,} numbers, in "
            f"{len(self._ends) - 1:,} layers of a potential ({self._numbering})"
        )

    @property
    def bytes(self) -> int:
        directory = 0 if self._directory is None else self._directory.nbytes
        return self._marks.nbytes + self._tables.nbytes + directory

    def needed(self, _states: int, /) -> int:
        return self._marks.nbytes + self._tables.nbytes + 8 * self._blocks

    @property
    def states(self) -> int:
        return self._states

    @property
    def by_depth(self) -> tuple[int, ...]:
        return tuple(self._sizes)

    def insert(self, rows: Rows) -> int:
        rows = np.ascontiguousarray(rows)
        scratch = np.empty(GROUP + 1, dtype=np.int64)
        wrong = self._functions["mark_all"].on(
            self._tables, rows, len(rows), self._marks, self._sealed, scratch, scratch[GROUP:]
        )
        with self._lock:
            self._states += int(scratch[GROUP])
        if wrong >= 0:
            raise DoesNotFit
        return 0

    def seal(self) -> int:
        """End all layers up to the next one that has states, which can be followed then."""
        at = bisect_right(self._ends, self._sealed) - 1
        while at < len(self._ends) - 1:
            size = self._functions["count_between"].on(self._marks, *self._ends[at : at + 2])
            self._sealed = self._ends[at + 1]
            if size:
                self._layers.append(at)
                self._sizes.append(size)
                self._directory = None
                return size
            at += 1
        return 0

    def pieces(self, level: int, size: int, *, skip: int = 0) -> list[Piece]:
        """Ranges of numbers."""
        first, last = self._ends[self._layers[level] : self._layers[level] + 2]
        starts = np.empty(-(-max(0, self._sizes[level] - skip) // size) + 1, dtype=np.int64)
        count = self._functions["cut_between"].on(self._marks, first, last, skip, size, starts)
        return list(pairwise([*starts[:count].tolist(), last])) if count else []

    def rows(self, piece: Piece) -> Rows:
        size = self._functions["count_between"].on(self._marks, *piece)
        rows = np.empty((size, self._numbering.words), dtype=np.int64)
        self._functions["unrank_between"].on(
            self._tables, self._memory.copy(), self._marks, *piece, rows
        )
        return rows

    def pending(self, size: int) -> Iterator[Rows]:
        for first in range(self._sealed, self._numbering.size, size):
            rows = self.rows((first, min(first + size, self._numbering.size)))
            if len(rows):
                yield rows

    def own_numbers(self, piece: Piece, rows: Rows) -> Numbers:
        count = self._functions["count_between"]
        block = piece[0] // _BLOCK
        first = int(self._before()[block]) + count.on(self._marks, block * _BLOCK, piece[0])
        return np.arange(first, first + len(rows), dtype=np.int64)

    def numbers(self, rows: Rows) -> Numbers:
        rows = np.ascontiguousarray(rows)
        found = np.empty(len(rows), dtype=np.int64)
        self._functions["places_of_rows"].on(
            self._tables, rows, len(rows), self._marks, self._before(), found
        )
        return found

    def at(self, numbers: Numbers) -> Rows:
        before = self._before()
        blocks = np.searchsorted(before, numbers, side="right") - 1
        rows = np.empty((len(numbers), self._numbering.words), dtype=np.int64)
        self._functions["rows_at"].on(
            self._tables,
            self._memory.copy(),
            self._marks,
            before,
            np.ascontiguousarray(numbers, dtype=np.int64),
            np.ascontiguousarray(blocks, dtype=np.int64),
            len(numbers),
            rows,
        )
        return rows

    def levels(self, rows: Rows) -> Numbers:
        places = self.numbers(rows)
        ends = np.cumsum((0, *self._sizes))
        found = np.searchsorted(ends, places, side="right").astype(np.int64) - 1
        found[(places < 0) | (places >= ends[-1])] = NOWHERE
        return found

    def _before(self) -> Numbers:
        """For each block how many states are in those before it."""
        if self._directory is None:
            found: Numbers = np.zeros(self._blocks, dtype=np.int64)
            self._functions["count_blocks"].on(self._marks, self._blocks, found)
            self._directory = found
        return self._directory


# The loops are compiled from their source, where the primitives are plain names.


def mark_all(
    tab: int, rows: int, n: int, marks: int, sealed: int, scratch: int, result: int
) -> int:
    """Mark the *n* states of *rows*; *result* gets how many are new.

    Gives the number of the first that has none or one below *sealed*, and −1 if there is none.
    """
    new = 0
    start = 0
    wrong = -1
    while start < n and wrong < 0:
        stop = min(start + GROUP, n)
        for j in range(start, stop):
            x = rank(tab, rows + j * WORDS * 8)
            if x < sealed:
                wrong = j
                break
            store(scratch, j - start, x)
            prefetch(marks, x >> 6)
        if wrong >= 0:
            break
        for j in range(start, stop):
            x = load(scratch, j - start)
            before = load(marks, x >> 6)
            if (before >> (x & 63)) & 1 == 0:
                if SHARED:
                    before = fetch_or(marks, x >> 6, bit(x))
                else:
                    store(marks, x >> 6, before | bit(x))
                new += ((before >> (x & 63)) & 1) ^ 1
        start = stop
    store(result, 0, new)
    return wrong


def marked_in(marks: int, w: int, first: int, last: int) -> int:
    """The bits of word *w* that are marked, of the numbers *first* to *last* − 1."""
    x = load(marks, w)
    if w == first >> 6:
        x = x & shl(-1, first & 63)
    if w == last >> 6:
        x = x & ~shl(-1, last & 63)
    return x


def count_between(marks: int, first: int, last: int) -> int:
    found = 0
    for w in range(first >> 6, (last + 63) >> 6):
        found += popcount(marked_in(marks, w, first, last))
    return found


def cut_between(marks: int, first: int, last: int, skip: int, size: int, starts: int) -> int:
    """Cut numbers into pieces of about *size* that are marked, without the first *skip* of them.

    *starts* gets the first number of each; gives how many there are.
    """
    found = 0
    seen = 0
    next_start = skip
    for w in range(first >> 6, (last + 63) >> 6):
        x = marked_in(marks, w, first, last)
        here = popcount(x)
        if here != 0 and seen + here > next_start:
            if found == 0:
                for _ in range(skip - seen):
                    x = rest(x)
                store(starts, 0, w * 64 + lowest(x))
            else:
                store(starts, found, w * 64)
            found += 1
            while next_start < seen + here:
                next_start += size
        seen += here
    return found


def unrank_between(tab: int, memory: int, marks: int, first: int, last: int, rows: int) -> int:
    """Write the states that are marked with the numbers *first* to *last* − 1 to *rows*."""
    found = 0
    for w in range(first >> 6, (last + 63) >> 6):
        x = marked_in(marks, w, first, last)
        while x != 0:
            unrank(tab, memory, w * 64 + lowest(x), rows + found * WORDS * 8)
            found += 1
            x = rest(x)
    return found


def count_blocks(marks: int, blocks: int, before: int) -> int:
    """Write for each block of eight words how many are marked in those before it."""
    found = 0
    for b in range(blocks):
        store(before, b, found)
        for w in range(8 * b, 8 * b + 8):
            found += popcount(load(marks, w))
    return found


def place_of(marks: int, before: int, x: int) -> int:
    """How many numbers smaller than *x* are marked; −1 if it is not."""
    if (load(marks, x >> 6) >> (x & 63)) & 1 == 0:
        return -1
    place = load(before, x >> 9) + popcount(load(marks, x >> 6) & ~shl(-1, x & 63))
    for w in range((x >> 9) << 3, x >> 6):
        place += popcount(load(marks, w))
    return place


def places_of_rows(tab: int, rows: int, n: int, marks: int, before: int, result: int) -> int:
    """Write the places of the *n* states of *rows*, −1 for those that are not there."""
    start = 0
    while start < n:
        stop = min(start + GROUP, n)
        for j in range(start, stop):
            x = rank(tab, rows + j * WORDS * 8)
            store(result, j, x)
            if x >= 0:
                prefetch(marks, x >> 6)
                prefetch(before, x >> 9)
        for j in range(start, stop):
            x = load(result, j)
            if x >= 0:
                store(result, j, place_of(marks, before, x))
        start = stop
    return 0


def rows_at(
    tab: int, memory: int, marks: int, before: int, places: int, blocks: int, n: int, rows: int
) -> int:
    """Write the states that have these *places*, each in its block, to *rows*."""
    for j in range(n):
        w = load(blocks, j) << 3
        left = load(places, j) - load(before, load(blocks, j))
        while left >= popcount(load(marks, w)):
            left = left - popcount(load(marks, w))
            w += 1
        x = load(marks, w)
        for _ in range(left):
            x = rest(x)
        unrank(tab, memory, w * 64 + lowest(x), rows + j * WORDS * 8)
    return 0


_LOOPS: Final = (
    mark_all,
    count_between,
    cut_between,
    unrank_between,
    count_blocks,
    places_of_rows,
    rows_at,
)
_HELPERS: Final = (marked_in, place_of)
