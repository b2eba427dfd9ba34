"""Where an exploration keeps the states that it has reached: each once, level by level.

A store is always exact: two states are one if and only if all their words are
equal. It is filled level by level. ``insert`` puts states that are not there yet
onto the level that is being built, ``seal`` ends that level. Sealed levels can be
read again in pieces.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, Protocol, TypeAlias

import numpy as np

from zermelo.core.arrays import Numbers, Rows
from zermelo.core.expander import Expander
from zermelo.core.layout import WORD, Layout
from zermelo.engines.space.state_index import PlainStateIndex
from zermelo.fast.table import MOST_STATES, StateTable, slots_for

Piece: TypeAlias = tuple[int, int]
"""A part of a level; what the two numbers mean is the store's business."""

NOWHERE: Final = -1
_FEW: Final = 1024
_TOO_MUCH: Final = 1 << 62
"""More memory than there is."""


class StateStore(Protocol):
    """The states reached so far. Several threads may insert at the same time."""

    @property
    def note(self) -> str:
        """Which store it is and why."""
        ...

    @property
    def moves(self) -> int:
        """How often the states have moved, so that those of a level may have another order."""
        ...

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        ...

    def needed(self, states: int) -> int:
        """The memory that it takes at most until it has so many states."""
        ...

    @property
    def states(self) -> int:
        """How many states there are."""
        ...

    @property
    def by_depth(self) -> tuple[int, ...]:
        """How many states each sealed level has."""
        ...

    @property
    def numbers_end(self) -> int:
        """Every number that ``numbers`` gives is less than this."""
        ...

    def insert(self, rows: Rows) -> int:
        """Put *rows* onto the level that is being built; how many are on earlier ones."""
        ...

    def seal(self) -> int:
        """End the level that is being built, unless it is empty; how many states it has."""
        ...

    def pieces(self, level: int, size: int, *, skip: int = 0) -> list[Piece]:
        """The sealed *level* without its first *skip* states, in pieces of about *size* states.

        The states of a level have one order, which does not change.
        """
        ...

    def rows(self, piece: Piece) -> Rows:
        """The states of a piece."""
        ...

    def pending(self, size: int) -> Iterator[Rows]:
        """The states of the level that is being built, about *size* at a time."""
        ...

    def numbers(self, rows: Rows) -> Numbers:
        """The number of each of *rows*, which is its own; ``NOWHERE`` if it is not there."""
        ...

    def at(self, numbers: Numbers) -> Rows:
        """The states with these numbers."""
        ...

    def levels(self, rows: Rows) -> Numbers:
        """The sealed level that each of *rows* is on; ``NOWHERE`` if it is on none."""
        ...


def followed(store: StateStore, level: int, count: int) -> Iterator[Rows]:
    """The first *count* states of a sealed level, a few at a time."""
    for piece in store.pieces(level, _FEW):
        if count <= 0:
            return
        rows = store.rows(piece)[:count]
        count -= len(rows)
        yield rows


class Tabled(Protocol):
    """What numbers states in the order in which they come."""

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        ...

    def needed(self, states: int) -> int:
        """The memory that it takes at most until it has so many states."""
        ...

    def __len__(self) -> int:
        """How many states have a number."""
        ...

    def add(self, rows: Rows, before: int) -> int:
        """Give new ones of *rows* the next numbers; how many have a number less than *before*."""
        ...

    def find(self, rows: Rows) -> Numbers:
        """The numbers of *rows*, ``NOWHERE`` for those that have none."""
        ...

    def between(self, first: int, last: int) -> Rows:
        """The states with the numbers from *first* to *last* − 1."""
        ...

    def at(self, numbers: Numbers) -> Rows:
        """The states with these numbers."""
        ...


class TableStore:
    """A store whose states are numbered in the order in which they are inserted.

    So a level is a range of numbers. Several threads keep that order but within a level.
    """

    def __init__(self, table: Tabled, kind: str, why: str) -> None:
        self._table = table
        self._kind = kind
        self.why = why
        """The reason why it is this store."""
        self._starts = [0]
        self._sorted = np.zeros(1, dtype=np.int64)
        """The same as an array, once it has been asked for."""

    @property
    def note(self) -> str:
        return f"{self._kind}: {self.why}"

    @property
    def moves(self) -> int:
        """How often the states have moved: never."""
        return 0

    @property
    def bytes(self) -> int:
        return self._table.bytes

    def needed(self, states: int) -> int:
        return self._table.needed(states)

    @property
    def states(self) -> int:
        return len(self._table)

    @property
    def by_depth(self) -> tuple[int, ...]:
        return tuple(last - first for first, last in pairwise(self._starts))

    @property
    def numbers_end(self) -> int:
        """Every number is less than this."""
        return len(self._table)

    def insert(self, rows: Rows) -> int:
        return self._table.add(rows, self._starts[-1])

    def seal(self) -> int:
        size = len(self._table) - self._starts[-1]
        if size:
            self._starts.append(len(self._table))
        return size

    def pieces(self, level: int, size: int, *, skip: int = 0) -> list[Piece]:
        """The sealed *level* without its first *skip* states, in pieces of *size* states."""
        first, last = self._starts[level : level + 2]
        return [(at, min(at + size, last)) for at in range(first + skip, last, size)]

    def rows(self, piece: Piece) -> Rows:
        return self._table.between(*piece)

    def pending(self, size: int) -> Iterator[Rows]:
        """The states of the level that is being built, *size* at a time."""
        last = len(self._table)
        for first in range(self._starts[-1], last, size):
            yield self._table.between(first, min(first + size, last))

    def numbers(self, rows: Rows) -> Numbers:
        """The number of each of *rows*; ``NOWHERE`` if it is not there."""
        return self._table.find(rows)

    def at(self, numbers: Numbers) -> Rows:
        return self._table.at(numbers)

    def levels(self, rows: Rows) -> Numbers:
        numbers = self._table.find(rows)
        if len(self._starts) != len(self._sorted):
            # Made anew only when a level was sealed: there may be many of them.
            self._sorted = np.array(self._starts, dtype=np.int64)
        found = np.searchsorted(self._sorted, numbers, side="right") - 1
        found[numbers >= self._starts[-1]] = NOWHERE
        return found.astype(np.int64)


def small(words: int) -> TableStore:
    """A store for so few states that no compiled code is needed."""
    return TableStore(_PlainTable(words), "a table of packed states, in Python", "there are few")


def large(words: int, *, threads: int, why: str, layout: Layout | None = None) -> TableStore:
    """A store for many states, that several threads fill; *layout* tells which bits they have."""
    bits = WORD if layout is None else layout.last_bits
    table = _CompiledTable(words, bits, threads)
    return TableStore(table, "an open-addressing table of packed states", why)


def store_for(expander: Expander, *, threads: int) -> TableStore:
    """The store that suits what *expander* gives."""
    if expander.native is None:
        return small(expander.words)
    return large(expander.words, threads=threads, why="any states fit", layout=expander.layout)


class _PlainTable:
    """A table in Python, for one thread at a time."""

    def __init__(self, words: int) -> None:
        self._numbering = PlainStateIndex(words)
        self._lock = threading.Lock()

    @property
    def bytes(self) -> int:
        return self._numbering.bytes

    def needed(self, states: int) -> int:
        return self.bytes * states // max(1, len(self))

    def __len__(self) -> int:
        return self._numbering.size

    def add(self, rows: Rows, before: int) -> int:
        with self._lock:
            return int(np.count_nonzero(self._numbering.take(rows) < before))

    def find(self, rows: Rows) -> Numbers:
        return self._numbering.take(rows, room=0)

    def between(self, first: int, last: int) -> Rows:
        return self._numbering.rows[first:last]

    def at(self, numbers: Numbers) -> Rows:
        return self._numbering.rows[numbers]


class _CompiledTable:
    """A table in compiled code."""

    def __init__(self, words: int, last_bits: int, threads: int) -> None:
        self._table = StateTable(words, last_bits=last_bits, threads=threads)

    @property
    def bytes(self) -> int:
        return self._table.bytes

    def needed(self, states: int) -> int:
        if states > MOST_STATES:
            return _TOO_MUCH
        return max(self.bytes, states * self._table.row_bytes + slots_for(states) * 4)

    def __len__(self) -> int:
        return len(self._table)

    def add(self, rows: Rows, before: int) -> int:
        return self._table.add(np.ascontiguousarray(rows), before)

    def find(self, rows: Rows) -> Numbers:
        numbers = np.empty(len(rows), dtype=np.int64)
        self._table.find(np.ascontiguousarray(rows), numbers)
        return numbers

    def between(self, first: int, last: int) -> Rows:
        return self._table.rows(first, last)

    def at(self, numbers: Numbers) -> Rows:
        return self._table.at(numbers)
