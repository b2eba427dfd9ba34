"""A store of one bit for each number of a ``Ranking``: far smaller than a table, and as exact.

Each level is a bitmap, or a list of numbers where that is smaller; one more bitmap has all
sealed levels together. States are made again from their numbers when they are read.
"""

from __future__ import annotations

import textwrap
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from inspect import getsource
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from zermelo.core.arrays import Numbers, Piece, Rows, Truths
from zermelo.engines.space.numbering import enumeration_code, ranking_code
from zermelo.engines.space.numbering.enumeration import Enumeration
from zermelo.engines.space.numbering.ranking import Ranking
from zermelo.engines.space.numbering.ranking_code import LookupTables
from zermelo.engines.space.store import NOWHERE, StateStore
from zermelo.fast import jit
from zermelo.fast.bits import bit, fetch_or, load, lowest, popcount, prefetch, rest, shl, store

_LEVEL: Final = 44
"""The first number of a piece has the level in the bits from this one on."""
_DROPPED: Final = 38
"""Of a bitmap, it has from this one on how many numbers of its first word are not meant."""
_START: Final = (1 << _LEVEL) - 1
_WORD: Final = (1 << _DROPPED) - 1


class DoesNotFit(Exception):
    """A state has no number: the guess that the ranking is was wrong."""


@dataclass(frozen=True, slots=True)
class _BitmapLevel:
    """The numbers of a sealed level, in order, or a bitmap of them."""

    data: npt.NDArray[np.uint32] | Numbers
    is_bitmap: bool
    size: int


class BitmapStore(StateStore):
    """A store over a ranking."""

    def __init__(self, ranking: Ranking | Enumeration, *, threads: int = 1) -> None:
        self._ranking = ranking
        code = compiled(ranking, threads=threads)
        self._functions, self._tables, self._memory = code.functions, code.tables, code.memory
        self._words = (ranking.size + 63) // 64
        self._known: Numbers = np.zeros(self._words, dtype=np.int64)
        self._building: Numbers = np.zeros(self._words, dtype=np.int64)
        self._levels: list[_BitmapLevel] = []
        self._new = 0
        self._lock = threading.Lock()
        self._before: Numbers | None = None

    @property
    def note(self) -> str:
        return (
            f"a bitmap with one bit for each of {self._ranking.size:,} numbers: the states have "
            f"dense numbers ({self._ranking})"
        )

    @property
    def bytes(self) -> int:
        before = 0 if self._before is None else self._before.nbytes
        return 2 * self._known.nbytes + before + sum(level.data.nbytes for level in self._levels)

    def needed(self, states: int) -> int:
        return max(self.bytes, 3 * self._known.nbytes + min(4 * states, 20 * self._known.nbytes))

    @property
    def states(self) -> int:
        return sum(level.size for level in self._levels) + self._new

    @property
    def by_depth(self) -> tuple[int, ...]:
        return tuple(level.size for level in self._levels)

    @property
    def numbers_end(self) -> int:
        return sum(level.size for level in self._levels)

    def insert(self, rows: Rows) -> int:
        rows = np.ascontiguousarray(rows)
        scratch = np.empty(GROUP + 2, dtype=np.int64)
        result = scratch[GROUP:]
        insert = self._functions["insert_all"]
        wrong = insert.on(
            self._tables, rows, len(rows), self._known, self._building, scratch, result
        )
        with self._lock:
            self._new += int(result[0])
        if wrong >= 0:
            raise DoesNotFit
        return int(result[1])

    def seal(self) -> int:
        size = self._new
        if not size:
            return 0
        self._known |= self._building
        is_short = self._ranking.size < 1 << 32
        if size * (4 if is_short else 8) < self._building.nbytes:
            numbers = self._marked()
            stored = numbers.astype(np.uint32) if is_short else numbers
            self._levels.append(_BitmapLevel(stored, is_bitmap=False, size=size))
            self._building[:] = 0
        else:
            self._levels.append(_BitmapLevel(self._building, is_bitmap=True, size=size))
            self._building = np.zeros(self._words, dtype=np.int64)
        self._new = 0
        self._before = None
        return size

    def pieces(self, level: int, size: int, *, skip: int = 0) -> list[Piece]:
        found = self._levels[level]
        tag = level << _LEVEL
        if not found.is_bitmap:
            return [(tag | at, min(at + size, found.size)) for at in range(skip, found.size, size)]
        cuts = np.empty(-(-max(0, found.size - skip) // size), dtype=np.int64)
        count = self._functions["cut"].on(found.data, len(found.data), skip, size, cuts)
        starts = [*cuts[:count].tolist(), len(found.data)]
        pieces = [(tag | first, last) for first, last in pairwise(starts)]
        if pieces and skip:
            # The last of those that are skipped may be in the first word.
            dropped = skip - self._functions["count"].on(found.data, 0, starts[0])
            pieces[0] = (pieces[0][0] | dropped << _DROPPED, pieces[0][1])
        return pieces

    def rows(self, piece: Piece) -> Rows:
        level = self._levels[piece[0] >> _LEVEL]
        first, last = piece[0] & _START, piece[1]
        if not level.is_bitmap:
            return self.unranked(level.data[first:last].astype(np.int64))
        dropped, first = first >> _DROPPED, first & _WORD
        size = self._functions["count"].on(level.data, first, last)
        rows = np.empty((size, self._ranking.words), dtype=np.int64)
        self._functions["unrank_marked"].on(
            self._tables, self._memory.copy(), level.data, first, last, rows
        )
        return rows[dropped:]

    def pending(self, size: int) -> Iterator[Rows]:
        numbers = self._marked()
        for first in range(0, len(numbers), size):
            yield self.unranked(numbers[first : first + size])

    def numbers(self, rows: Rows) -> Numbers:
        """The number of each of *rows* among the sealed ones; ``NOWHERE`` if it is not there."""
        before = self._marked_before()
        ranks, found = self.ranks(rows), np.empty(len(rows), dtype=np.int64)
        self._functions["places_of"].on(self._known, before, ranks, len(ranks), found)
        return found

    def at(self, numbers: Numbers) -> Rows:
        before = self._marked_before()
        words = np.searchsorted(before, numbers, side="right") - 1
        ranks = np.array(numbers, dtype=np.int64)
        self._functions["ranks_at"].on(self._known, before, ranks, words, len(ranks))
        return self.unranked(ranks)

    def _marked_before(self) -> Numbers:
        """For each word how many bits are set in the known ones before it."""
        if self._before is None:
            self._before = np.zeros(self._words, dtype=np.int64)
            # Of a number with a sign NumPy would drop the sign.
            counts = np.bitwise_count(self._known[:-1].view(np.uint64))
            np.cumsum(counts, out=self._before[1:])
        return self._before

    def levels(self, rows: Rows) -> Numbers:
        ranks = self.ranks(rows)
        found = np.full(len(ranks), NOWHERE, dtype=np.int64)
        fits = ranks >= 0
        for number, level in enumerate(self._levels):
            found[fits & _is_in(level, ranks)] = number
        return found

    def has_none(self, rows: Rows) -> Truths:
        return self.ranks(rows) < 0

    def _marked(self) -> Numbers:
        """The numbers of the level that is being built, in order."""
        numbers = np.empty(self._new, dtype=np.int64)
        self._functions["marked"].on(self._building, self._words, numbers)
        return numbers

    def ranks(self, rows: Rows) -> Numbers:
        """The dense number of each of *rows*, whether it was reached or not; −1 if it has none."""
        rows = np.ascontiguousarray(rows)
        ranks = np.empty(len(rows), dtype=np.int64)
        self._functions["rank_all"].on(self._tables, rows, len(rows), ranks)
        return ranks

    def unranked(self, ranks: Numbers) -> Rows:
        ranks = np.ascontiguousarray(ranks)
        rows = np.empty((len(ranks), self._ranking.words), dtype=np.int64)
        self._functions["unrank_all"].on(self._tables, self._memory.copy(), ranks, len(ranks), rows)
        return rows


def _is_in(level: _BitmapLevel, ranks: Numbers) -> Truths:
    found: Truths
    if level.is_bitmap:
        found = (level.data[ranks >> 6] >> (ranks & 63)) & 1 == 1
    else:
        at = np.minimum(np.searchsorted(level.data, ranks), len(level.data) - 1)
        found = level.data[at] == ranks
    return found


# The loops are compiled from their source, where the primitives are plain names.

GROUP: Final = 32
"""How many states are on their way through memory at the same time."""
# Bound anew for each unit: the words of a state, and whether several threads insert.
WORDS = 1
SHARED = 0


@dataclass(frozen=True, slots=True)
class CompiledRanking:
    """The compiled functions for a ranking, and what they work with."""

    functions: Mapping[str, jit.Compiled]
    tables: Numbers
    """What they look things up in."""
    memory: Numbers
    """What ``unrank`` remembers at first; every call gets a copy of its own."""


def compiled(ranking: Ranking | Enumeration, *, threads: int = 1) -> CompiledRanking:
    """The code for *ranking*; with *threads* above 1, several may insert at the same time."""
    tables = LookupTables(ranking.words)
    loops = [textwrap.dedent(getsource(loop)) for loop in _LOOPS]
    made = (
        ranking_code.functions(ranking, tables)
        if isinstance(ranking, Ranking)
        else enumeration_code.functions(ranking, tables)
    )
    source = "\n\n".join([*made, *loops])
    unit = jit.Unit(
        name="ranking",
        source=source,
        exports=tuple(loop.__name__ for loop in _LOOPS),
        constants=(("GROUP", GROUP), ("SHARED", int(threads > 1)), ("WORDS", ranking.words)),
        inline=("rank", "unrank"),
    )
    return CompiledRanking(
        jit.load(unit),
        np.array(tables.numbers or [0], dtype=np.int64),
        np.array(tables.memory or [0], dtype=np.int64),
    )


def rank(tab: int, row: int) -> int:
    """The number of the state at *row*, or −1; the code made for a ranking takes its place."""
    raise NotImplementedError


def unrank(tab: int, memory: int, number: int, row: int) -> int:
    """Write the state with this number to *row*; the code made for a ranking takes its place.

    *memory* is what is remembered of the number before.
    """
    raise NotImplementedError


# The loops


def insert_all(
    tab: int, rows: int, n: int, known: int, level: int, scratch: int, result: int
) -> int:
    """Mark the *n* states of *rows* in *level* unless they are in *known*.

    Gives the number of the first state that has no number, and then those before its group are
    marked, or −1; *result* gets how many were new and how many are known.
    """
    new = 0
    old = 0
    start = 0
    wrong = -1
    while start < n and wrong < 0:
        stop = min(start + GROUP, n)
        for j in range(start, stop):
            x = rank(tab, rows + j * WORDS * 8)
            if x < 0:
                wrong = j
                break
            store(scratch, j - start, x)
            prefetch(known, x >> 6)
            prefetch(level, x >> 6)
        if wrong >= 0:
            break
        for j in range(start, stop):
            x = load(scratch, j - start)
            if (load(known, x >> 6) >> (x & 63)) & 1:
                old += 1
            else:
                before = load(level, x >> 6)
                if (before >> (x & 63)) & 1 == 0:
                    if SHARED:
                        before = fetch_or(level, x >> 6, bit(x))
                    else:
                        store(level, x >> 6, before | bit(x))
                    new += ((before >> (x & 63)) & 1) ^ 1
        start = stop
    store(result, 0, new)
    store(result, 1, old)
    return wrong


def rank_all(tab: int, rows: int, n: int, numbers: int) -> int:
    """Write the numbers of the *n* states of *rows*, −1 for those that have none."""
    for j in range(n):
        store(numbers, j, rank(tab, rows + j * WORDS * 8))
    return 0


def unrank_all(tab: int, memory: int, numbers: int, n: int, rows: int) -> int:
    for j in range(n):
        unrank(tab, memory, load(numbers, j), rows + j * WORDS * 8)
    return 0


def unrank_marked(tab: int, memory: int, level: int, first: int, last: int, rows: int) -> int:
    """Write the states that words *first* to *last* − 1 of *level* mark to *rows*."""
    found = 0
    for w in range(first, last):
        x = load(level, w)
        while x != 0:
            unrank(tab, memory, w * 64 + lowest(x), rows + found * WORDS * 8)
            found += 1
            x = rest(x)
    return found


def cut(level: int, words: int, skip: int, size: int, starts: int) -> int:
    """Cut the *words* of *level* into pieces that mark about *size* numbers each.

    Those behind the first *skip* numbers are meant. *starts* gets the first word of each piece;
    gives how many there are.
    """
    found = 0
    next_start = skip
    marked_before = 0
    for w in range(words):
        marked_before += popcount(load(level, w))
        if marked_before > next_start:
            store(starts, found, w)
            found += 1
            while next_start < marked_before:
                next_start += size
    return found


def count(level: int, first: int, last: int) -> int:
    """How many numbers words *first* to *last* − 1 of *level* mark."""
    found = 0
    for w in range(first, last):
        found += popcount(load(level, w))
    return found


def places_of(known: int, before: int, numbers: int, n: int, result: int) -> int:
    """For each of *n* numbers how many smaller ones are marked in *known*; −1 if it is not.

    *before* has for each word how many are marked in those before it.
    """
    for j in range(n):
        x = load(numbers, j)
        place = -1
        if x >= 0 and (load(known, x >> 6) >> (x & 63)) & 1:
            place = load(before, x >> 6) + popcount(load(known, x >> 6) & ~shl(-1, x & 63))
        store(result, j, place)
    return 0


def ranks_at(known: int, before: int, places: int, words: int, n: int) -> int:
    """Replace each of *n* *places*, which is in a word of *known*, by the number marked there."""
    for j in range(n):
        w = load(words, j)
        x = load(known, w)
        for _ in range(load(places, j) - load(before, w)):
            x = rest(x)
        store(places, j, w * 64 + lowest(x))
    return 0


def marked(level: int, words: int, numbers: int) -> int:
    """Write the numbers that are marked in the *words* of *level*; how many there are."""
    found = 0
    for w in range(words):
        x = load(level, w)
        while x != 0:
            store(numbers, found, w * 64 + lowest(x))
            found += 1
            x = rest(x)
    return found


_LOOPS: Final = (
    insert_all,
    rank_all,
    unrank_all,
    unrank_marked,
    cut,
    count,
    places_of,
    ranks_at,
    marked,
)
