"""A store of one bit for each number of a ``Ranking``: far smaller than a table, and as exact.

Each level is a bitmap, or a list of numbers where that is smaller; one more bitmap has all
sealed levels together. States are made again from their numbers when they are read.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from zermelo.core.expander import Numbers, Rows
from zermelo.engines.space import ranking_loops
from zermelo.engines.space.ranking import Ranking
from zermelo.engines.space.store import NOWHERE, Piece

_LEVEL: Final = 44
"""The first number of a piece has the level in the bits from this one on."""
_START: Final = (1 << _LEVEL) - 1


class DoesNotFit(Exception):
    """A state has no number: the guess that the ranking is was wrong."""


@dataclass(frozen=True, slots=True)
class _Level:
    """The numbers of a sealed level, in order."""

    bits: Numbers | None
    numbers: npt.NDArray[np.uint32] | Numbers | None
    size: int

    @property
    def bytes(self) -> int:
        stored = self.numbers if self.bits is None else self.bits
        return 0 if stored is None else stored.nbytes


class Ranked:
    """A store over a ranking."""

    def __init__(self, ranking: Ranking, *, threads: int = 1) -> None:
        self._ranking = ranking
        code = ranking_loops.compiled(ranking, threads=threads)
        self._functions, self._tables, self._memory = code.functions, code.tables, code.memory
        self._words = (ranking.size + 63) // 64
        self._known: Numbers = np.zeros(self._words, dtype=np.int64)
        self._building: Numbers = np.zeros(self._words, dtype=np.int64)
        self._levels: list[_Level] = []
        self._new = 0
        self._lock = threading.Lock()
        self._before: Numbers | None = None

    @property
    def note(self) -> str:
        """Which store it is and why, in words."""
        return (
            f"a bitmap with one bit for each of {self._ranking.size:,} numbers: the states have "
            f"dense numbers ({self._ranking})"
        )

    @property
    def moves(self) -> int:
        """How often the states have moved to another store."""
        return 0

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        before = 0 if self._before is None else self._before.nbytes
        return 2 * self._known.nbytes + before + sum(level.bytes for level in self._levels)

    def needed(self, states: int) -> int:
        """The memory that it takes at most until it has so many states."""
        return max(self.bytes, 3 * self._known.nbytes + min(4 * states, 20 * self._known.nbytes))

    @property
    def states(self) -> int:
        """How many states there are."""
        return sum(level.size for level in self._levels) + self._new

    @property
    def by_depth(self) -> tuple[int, ...]:
        """How many states each sealed level has."""
        return tuple(level.size for level in self._levels)

    @property
    def numbers_end(self) -> int:
        """Every number is less than this."""
        return sum(level.size for level in self._levels)

    def insert(self, rows: Rows) -> int:
        """Put *rows* onto the level that is being built; how many are on earlier ones."""
        rows = np.ascontiguousarray(rows)
        scratch = np.empty(ranking_loops.GROUP + 2, dtype=np.int64)
        result = scratch[ranking_loops.GROUP :]
        wrong = self._functions["insert_all"](
            self._tables.ctypes.data,
            rows.ctypes.data,
            len(rows),
            self._known.ctypes.data,
            self._building.ctypes.data,
            scratch.ctypes.data,
            result.ctypes.data,
        )
        with self._lock:
            self._new += int(result[0])
        if wrong >= 0:
            raise DoesNotFit
        return int(result[1])

    def seal(self) -> int:
        """End the level that is being built, unless it is empty; how many states it has."""
        size = self._new
        if not size:
            return 0
        self._known |= self._building
        is_short = self._ranking.size < 1 << 32
        if size * (4 if is_short else 8) < self._building.nbytes:
            numbers = self._marked()
            stored = numbers.astype(np.uint32) if is_short else numbers
            self._levels.append(_Level(None, stored, size))
            self._building[:] = 0
        else:
            self._levels.append(_Level(self._building, None, size))
            self._building = np.zeros(self._words, dtype=np.int64)
        self._new = 0
        self._before = None
        return size

    def pieces(self, level: int, size: int, *, skip: int = 0) -> list[Piece]:
        """The sealed *level* without its first *skip* states, in pieces of about *size* states."""
        found = self._levels[level]
        tag = level << _LEVEL
        if found.bits is None:
            return [(tag | at, min(at + size, found.size)) for at in range(skip, found.size, size)]
        cuts = np.empty(-(-max(0, found.size - skip) // size), dtype=np.int64)
        count = self._functions["cut"](
            found.bits.ctypes.data, len(found.bits), skip, size, cuts.ctypes.data
        )
        starts = cuts[:count].tolist()
        return [
            (tag | first, last)
            for first, last in zip(starts, [*starts[1:], len(found.bits)], strict=True)
        ]

    def rows(self, piece: Piece) -> Rows:
        """The states of a piece."""
        level = self._levels[piece[0] >> _LEVEL]
        first, last = piece[0] & _START, piece[1]
        if level.bits is None:
            assert level.numbers is not None
            return self._unranked(level.numbers[first:last].astype(np.int64))
        size = self._functions["count"](level.bits.ctypes.data, first, last)
        rows = np.empty((size, self._ranking.words), dtype=np.int64)
        memory = self._memory.copy()
        self._functions["unrank_marked"](
            self._tables.ctypes.data,
            memory.ctypes.data,
            level.bits.ctypes.data,
            first,
            last,
            rows.ctypes.data,
        )
        return rows

    def pending(self, size: int) -> Iterator[Rows]:
        """The states of the level that is being built, about *size* at a time."""
        numbers = self._marked()
        for first in range(0, len(numbers), size):
            yield self._unranked(numbers[first : first + size])

    def numbers(self, rows: Rows) -> Numbers:
        """The number of each of *rows* among the sealed ones; ``NOWHERE`` if it is not there."""
        if self._before is None:
            self._before = np.zeros(self._words, dtype=np.int64)
            np.cumsum(_counts(self._known[:-1]), out=self._before[1:])
        ranks, found = self._ranks(rows), np.empty(len(rows), dtype=np.int64)
        self._functions["places_of"](
            self._known.ctypes.data,
            self._before.ctypes.data,
            ranks.ctypes.data,
            len(ranks),
            found.ctypes.data,
        )
        return found

    def at(self, numbers: Numbers) -> Rows:
        """The states with these numbers."""
        if self._before is None:
            self.numbers(np.empty((0, self._ranking.words), dtype=np.int64))
        assert self._before is not None
        words = np.searchsorted(self._before, numbers, side="right") - 1
        ranks = np.array(numbers, dtype=np.int64)
        self._functions["ranks_at"](
            self._known.ctypes.data,
            self._before.ctypes.data,
            ranks.ctypes.data,
            words.ctypes.data,
            len(ranks),
        )
        return self._unranked(ranks)

    def levels(self, rows: Rows) -> Numbers:
        """The sealed level that each of *rows* is on; ``NOWHERE`` if it is on none."""
        ranks = self._ranks(rows)
        found = np.full(len(ranks), NOWHERE, dtype=np.int64)
        fits = ranks >= 0
        for number, level in enumerate(self._levels):
            found[fits & _is_in(level, ranks)] = number
        return found

    def has_none(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """Which of *rows* have no number."""
        return self._ranks(rows) < 0

    def _marked(self) -> Numbers:
        """The numbers of the level that is being built, in order."""
        numbers = np.empty(self._new, dtype=np.int64)
        self._functions["marked"](self._building.ctypes.data, self._words, numbers.ctypes.data)
        return numbers

    def _ranks(self, rows: Rows) -> Numbers:
        rows = np.ascontiguousarray(rows)
        ranks = np.empty(len(rows), dtype=np.int64)
        self._functions["rank_all"](
            self._tables.ctypes.data, rows.ctypes.data, len(rows), ranks.ctypes.data
        )
        return ranks

    def _unranked(self, ranks: Numbers) -> Rows:
        ranks = np.ascontiguousarray(ranks)
        rows = np.empty((len(ranks), self._ranking.words), dtype=np.int64)
        memory = self._memory.copy()
        self._functions["unrank_all"](
            self._tables.ctypes.data,
            memory.ctypes.data,
            ranks.ctypes.data,
            len(ranks),
            rows.ctypes.data,
        )
        return rows


def _counts(bits: Numbers) -> npt.NDArray[np.uint8]:
    """How many bits of each word are set; of a number with a sign NumPy would drop the sign."""
    return np.bitwise_count(bits.view(np.uint64))


def _is_in(level: _Level, ranks: Numbers) -> npt.NDArray[np.bool_]:
    if level.bits is None:
        assert level.numbers is not None
        at = np.minimum(np.searchsorted(level.numbers, ranks), len(level.numbers) - 1)
        same: npt.NDArray[np.bool_] = level.numbers[at] == ranks
        return same
    is_set: npt.NDArray[np.bool_] = (level.bits[ranks >> 6] >> (ranks & 63)) & 1 == 1
    return is_set
