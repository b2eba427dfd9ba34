"""State indices: numbers for packed states, in the order in which they are first met.

Two rows of 64-bit words have the same number if and only if all their words are equal: the
hash only says where to look. ``PlainStateIndex`` needs no compiler; ``StateIndex`` moves on
to compiled code when there are many rows, and gives the same numbers.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from zermelo.core.arrays import Numbers, Rows, Truths
from zermelo.fast import jit
from zermelo.fast.table import StateTable

_EMPTY: Final = -1
_FEWEST_SLOTS: Final = 1 << 10
_FACTORS: Final = (0x9E3779B97F4A7C15, 0xD1B54A32D192ED03)
"""Odd numbers whose bits look random: the golden ratio's, and that of a cubic number like it."""
MANY: Final = 1 << 14
"""So many rows are worth compiled code."""
_WORD: Final = 64


class PlainStateIndex:
    """The rows met so far, with the number of each.

    An open-addressing table that is asked for many rows in one go. A slot holds the
    number of a row, or ``_EMPTY``, or while a batch is taken in −2 − i for the
    batch's i-th row, which has claimed it.
    """

    def __init__(self, words: int) -> None:
        self.size = 0
        """How many rows have a number."""
        self._rows: Rows = np.empty((_FEWEST_SLOTS // 2, words), dtype=np.int64)
        self._slots: Numbers = np.full(_FEWEST_SLOTS, _EMPTY, dtype=np.int64)

    @property
    def rows(self) -> Rows:
        return self._rows[: self.size]

    @property
    def bytes(self) -> int:
        return self._rows.nbytes + self._slots.nbytes

    def take(self, rows: Rows, *, room: int | None = None) -> Numbers:
        """The numbers of *rows*; new rows get the next ones.

        There is *room* for so many new rows; those for which there is none get −1.
        """
        if room is not None and room <= 0:
            return self._looked_up(rows)
        self._make_room(len(rows))
        found, claimed = self._probed(rows)
        # A row is claimed by its first occurrence, so claims in order are rows in order.
        claims = np.unique(-2 - found[found < _EMPTY])
        kept = claims[:room]
        number_of = np.full(len(rows), -1, dtype=np.int64)
        number_of[kept] = np.arange(self.size, self.size + len(kept))
        is_new = found < _EMPTY
        found[is_new] = number_of[-2 - found[is_new]]
        self._rows[self.size : self.size + len(kept)] = rows[kept]
        self.size += len(kept)
        if len(kept) < len(claims):
            self._rebuild(len(self._slots))
        else:
            self._slots[claimed] = number_of[-2 - self._slots[claimed]]
        return found

    def _probed(self, rows: Rows) -> tuple[Numbers, Numbers]:
        """For each row its number, or −2 − i where the i-th of *rows*, equal to it, is new.

        And the slots that the new ones have claimed.
        """
        taken: list[Numbers] = [np.empty(0, dtype=np.int64)]
        found = np.full(len(rows), _EMPTY, dtype=np.int64)
        pending = np.arange(len(rows))
        at = self._first_slots(rows)
        while len(pending):
            slots = at[pending]
            is_free = self._slots[slots] == _EMPTY
            # Where several want one slot the last assignment stays, which is the first row's.
            wanted, claimants = slots[is_free], pending[is_free]
            self._slots[wanted[::-1]] = -2 - claimants[::-1]
            taken.append(wanted[self._slots[wanted] == -2 - claimants])
            held = self._slots[slots]
            is_same = self._is_same(rows, pending, held)
            found[pending[is_same]] = held[is_same]
            pending = pending[~is_same]
            at[pending] = (at[pending] + 1) & (len(self._slots) - 1)
        return found, np.concatenate(taken)

    def _is_same(self, rows: Rows, pending: Numbers, held: Numbers) -> Truths:
        """Whether each *pending* row is the one that its slot has been *held* by."""
        is_old = held >= 0
        same = np.empty(len(pending), dtype=np.bool_)
        same[is_old] = (self._rows[held[is_old]] == rows[pending[is_old]]).all(axis=1)
        new = ~is_old
        same[new] = (rows[-2 - held[new]] == rows[pending[new]]).all(axis=1)
        return same

    def _looked_up(self, rows: Rows) -> Numbers:
        found = np.full(len(rows), -1, dtype=np.int64)
        pending = np.arange(len(rows))
        at = self._first_slots(rows)
        while len(pending):
            held = self._slots[at[pending]]
            is_there = held != _EMPTY
            pending, held = pending[is_there], held[is_there]
            is_same = (self._rows[held] == rows[pending]).all(axis=1)
            found[pending[is_same]] = held[is_same]
            pending = pending[~is_same]
            at[pending] = (at[pending] + 1) & (len(self._slots) - 1)
        return found

    def _first_slots(self, rows: Rows) -> Numbers:
        mixed = np.zeros(len(rows), dtype=np.uint64)
        for column in rows.T:
            mixed = (mixed ^ column.view(np.uint64)) * np.uint64(_FACTORS[0])
            mixed ^= mixed >> np.uint64(32)
        mixed *= np.uint64(_FACTORS[1])
        mixed ^= mixed >> np.uint64(29)
        return (mixed & np.uint64(len(self._slots) - 1)).astype(np.int64)

    def _make_room(self, more: int) -> None:
        """Keep the table at most half full, whatever the next *more* rows are."""
        wanted = self.size + more
        if wanted > len(self._rows):
            grown = np.empty((max(wanted, 2 * len(self._rows)), self._rows.shape[1]), np.int64)
            grown[: self.size] = self.rows
            self._rows = grown
        if 2 * wanted > len(self._slots):
            self._rebuild(1 << (2 * wanted - 1).bit_length())

    def _rebuild(self, slots: int) -> None:
        self._slots = np.full(slots, _EMPTY, dtype=np.int64)
        _, claimed = self._probed(self.rows)
        # Every row is new to an empty table, and the i-th has claimed its slot as −2 − i.
        self._slots[claimed] = -2 - self._slots[claimed]


class StateIndex:
    """The rows met so far, with the number of each, however many there are.

    No row has bits above the lowest *last_bits* of its last word.
    """

    def __init__(self, words: int, *, last_bits: int = _WORD) -> None:
        self._words = words
        self._last_bits = last_bits
        self._few = PlainStateIndex(words)
        self._many: StateTable | None = None
        self._can_be_many = jit.available() is None
        """Whether there may be compiled code that was not tried yet."""

    @property
    def size(self) -> int:
        return self._few.size if self._many is None else len(self._many)

    def rows(self, first: int, last: int) -> Rows:
        if self._many is None:
            return self._few.rows[first:last].copy()
        return self._many.rows(first, last)

    def take(self, rows: Rows, *, room: int | None = None) -> Numbers:
        if self._can_be_many and self._few.size + len(rows) >= MANY:
            self._move_on()
        if self._many is None:
            return self._few.take(rows, room=room)
        rows = np.ascontiguousarray(rows)
        numbers: Numbers = np.empty(len(rows), dtype=np.int64)
        if room is None or room >= len(rows):
            self._many.insert(rows, numbers)
            return numbers
        self._many.find(rows, numbers)
        new = np.flatnonzero(numbers < 0)
        if room > 0 and len(new):
            numbers[new] = self._inserted(self._many, rows[new], room)
        return numbers

    def _inserted(self, table: StateTable, rows: Rows, room: int) -> Numbers:
        """The numbers of *rows*, all new, of which only the first *room* different ones get one."""
        among = np.full(len(rows), -1, dtype=np.int64)
        self._table().insert(rows, among)
        is_kept = among < room
        # The first ones are new in the same order there as here.
        among[is_kept] += len(table)
        among[~is_kept] = -1
        table.insert(rows[is_kept])
        return among

    def _move_on(self) -> None:
        self._can_be_many = False
        table = self._table()
        if table.is_native:
            table.insert(np.ascontiguousarray(self._few.rows))
            self._many, self._few = table, PlainStateIndex(self._words)

    def _table(self) -> StateTable:
        return StateTable(self._words, last_bits=self._last_bits)
