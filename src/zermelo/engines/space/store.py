"""Where an exploration keeps the states that it has reached: each once, level by level.

A store is always exact: two states are one if and only if all their words are
equal. It is filled level by level. ``insert`` puts states that are not there yet
onto the level that is being built, ``seal`` ends that level. Sealed levels can be
read again in pieces.
"""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar, Final

import numpy as np

from zermelo.core.arrays import Numbers, Piece, Rows
from zermelo.core.expander import Expander
from zermelo.core.layout import WORD, Layout
from zermelo.engines.space.state_index import PlainStateIndex
from zermelo.engines.space.sweep import Levels, NumberedLevels
from zermelo.fast.table import MOST_STATES, StateTable, slots_for

NOWHERE: Final = -1
_FEW: Final = 1024
_TOO_MUCH: Final = 1 << 62
"""More memory than there is."""


class StateStore(Levels):
    """The states reached so far. Several threads may insert at the same time."""

    @property
    @abstractmethod
    def note(self) -> str:
        """Which store it is and why."""

    @property
    def moves(self) -> int:
        """How often the states have moved, so that those of a level may have another order."""
        return 0

    @abstractmethod
    def needed(self, states: int, /) -> int:
        """The memory that it takes at most until it has so many states."""

    @property
    @abstractmethod
    def by_depth(self) -> tuple[int, ...]: ...

    @property
    def numbers_end(self) -> int:
        """Every number that ``numbers`` gives is less than this."""
        return self.states

    @abstractmethod
    def insert(self, rows: Rows) -> int:
        """Put *rows* onto the level that is being built; how many are on earlier ones."""

    @abstractmethod
    def pieces(self, level: int, size: int, *, skip: int = 0) -> list[Piece]:
        """The sealed *level* without its first *skip* states, in pieces of about *size* states.

        The states of a level have one order, which does not change. What the two numbers of
        a piece mean is the store's business.
        """

    @abstractmethod
    def rows(self, piece: Piece) -> Rows: ...

    @abstractmethod
    def pending(self, size: int) -> Iterator[Rows]:
        """The states of the level that is being built, about *size* at a time."""

    @abstractmethod
    def numbers(self, rows: Rows) -> Numbers:
        """The number of each of *rows*, which is its own; ``NOWHERE`` if it is not there."""

    def own_numbers(self, _piece: Piece, rows: Rows) -> Numbers:
        """The numbers of the states of a piece, which are *rows*."""
        return self.numbers(rows)

    @abstractmethod
    def at(self, numbers: Numbers) -> Rows: ...

    @abstractmethod
    def levels(self, rows: Rows) -> Numbers:
        """The sealed level that each of *rows* is on; ``NOWHERE`` if it is on none."""


def followed(store: StateStore, level: int, count: int) -> Iterator[Rows]:
    """The first *count* states of a sealed level, a few at a time."""
    for piece in store.pieces(level, _FEW):
        if count <= 0:
            return
        rows = store.rows(piece)[:count]
        count -= len(rows)
        yield rows


class TableStore(NumberedLevels, StateStore):
    """A store whose states are numbered in the order in which they are inserted.

    So a level is a range of numbers. Several threads keep that order but within a level.
    """

    kind: ClassVar[str]

    def __init__(self, why: str) -> None:
        super().__init__([0])
        self.why = why
        self._sorted = np.zeros(1, dtype=np.int64)
        """Where each level begins, once it has been asked for."""

    @property
    def note(self) -> str:
        return f"{self.kind}: {self.why}"

    def pending(self, size: int) -> Iterator[Rows]:
        last = self.states
        for first in range(self._starts[-1], last, size):
            yield self.rows((first, min(first + size, last)))

    def own_numbers(self, piece: Piece, _rows: Rows) -> Numbers:
        return np.arange(*piece, dtype=np.int64)

    def levels(self, rows: Rows) -> Numbers:
        numbers = self.numbers(rows)
        if len(self._starts) != len(self._sorted):
            # Made anew only when a level was sealed: there may be many of them.
            self._sorted = np.array(self._starts, dtype=np.int64)
        found = np.searchsorted(self._sorted, numbers, side="right") - 1
        found[numbers >= self._starts[-1]] = NOWHERE
        return found.astype(np.int64)


def small(words: int) -> TableStore:
    return _PlainStore(words)


def large(words: int, *, threads: int, why: str, layout: Layout | None = None) -> TableStore:
    """A store for many states, that several threads fill; *layout* tells which bits they have."""
    bits = WORD if layout is None else layout.last_bits
    return _CompiledStore(StateTable(words, last_bits=bits, threads=threads), why)


def store_for(expander: Expander, *, threads: int) -> TableStore:
    if expander.native is None:
        return small(expander.words)
    return large(expander.words, threads=threads, why="any states fit", layout=expander.layout)


class _PlainStore(TableStore):
    kind = "a table of packed states, in Python"

    def __init__(self, words: int) -> None:
        super().__init__("there are few")
        self._index = PlainStateIndex(words)
        self._lock = threading.Lock()

    @property
    def bytes(self) -> int:
        return self._index.bytes

    def needed(self, states: int) -> int:
        return self.bytes * states // max(1, self.states)

    @property
    def states(self) -> int:
        return self._index.size

    def insert(self, rows: Rows) -> int:
        with self._lock:
            return int(np.count_nonzero(self._index.take(rows) < self._starts[-1]))

    def rows(self, piece: Piece) -> Rows:
        return self._index.rows[slice(*piece)]

    def numbers(self, rows: Rows) -> Numbers:
        return self._index.take(rows, room=0)

    def at(self, numbers: Numbers) -> Rows:
        return self._index.rows[numbers]


class _CompiledStore(TableStore):
    kind = "an open-addressing table of packed states"

    def __init__(self, table: StateTable, why: str) -> None:
        super().__init__(why)
        self._table = table

    @property
    def bytes(self) -> int:
        return self._table.bytes

    def needed(self, states: int) -> int:
        if states > MOST_STATES:
            return _TOO_MUCH
        return max(self.bytes, states * self._table.row_bytes + slots_for(states) * 4)

    @property
    def states(self) -> int:
        return len(self._table)

    def insert(self, rows: Rows) -> int:
        return self._table.add(np.ascontiguousarray(rows), self._starts[-1])

    def rows(self, piece: Piece) -> Rows:
        return self._table.rows(*piece)

    def numbers(self, rows: Rows) -> Numbers:
        numbers = np.empty(len(rows), dtype=np.int64)
        self._table.find(np.ascontiguousarray(rows), numbers)
        return numbers

    def at(self, numbers: Numbers) -> Rows:
        return self._table.at(numbers)
