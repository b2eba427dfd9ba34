"""A store that begins as a table and becomes a bitmap where states turn out to have dense numbers.

After each level that made it large, a ranking is guessed from states that were reached and
from plays that go on from there at random, and an enumeration is made of what is proved of all
states. The one with fewer numbers is taken, if it would save memory: the states move into a
bitmap. If later a state turns up that has no number, which what is proved rules out, all of
them move back into a table; nothing is lost, and nothing was ever taken on trust.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeAlias

import numpy as np

from zermelo.core.arrays import Numbers, Piece, Rows
from zermelo.core.expander import Expander
from zermelo.core.layout import Layout
from zermelo.core.limits import Limits, estimate
from zermelo.core.symmetry import Invariants
from zermelo.engines.space.bitmap_store import BitmapStore, DoesNotFit
from zermelo.engines.space.numbering.enumeration import Enumeration, enumeration
from zermelo.engines.space.numbering.ranking import Ranking, ranking
from zermelo.engines.space.store import StateStore, TableStore, large, store_for
from zermelo.text import budget
from zermelo.text.budget import EXPLORING, OutOfRoom, OutOfTime

MANY: Final = 300_000
"""Smaller stores are tables: their memory does not matter."""
_SAMPLE: Final = 20_000
_PLAYS: Final = 20_000
"""So many plays are followed at random: what is rare in them comes as a surprise later."""
_DEEPEST: Final = 400
_MOVES_OF_PLAYS: Final = 1 << 25
"""At most so many moves are looked at for one more of each play,"""
_MOVES_AT_ONCE: Final = 1 << 22
"""so many between two looks at the clock,"""
_MOVES_IN_ALL: Final = 1 << 28
"""and so many in all."""
_MOVES_OF_A_STATE: Final = 1 << 16
"""Of a bitmap 64 states or more are followed in one go: with more moves that would take long."""
_RANKED: Final = 1 << 62
"""Marks the pieces of a bitmap."""
_MOST_MOVES: Final = 3
_MOST_SURPRISES: Final = 1_000
_STATES_AT_ONCE: Final = 1 << 16
_TOO_LATE: Final = "the time was over before they had a denser numbering"
_GAIN: Final = 0.5
"""A bitmap is worth it when it takes at most this share of the table's memory."""


Prove: TypeAlias = Callable[[], Invariants]
"""What finds out what holds in every reachable state."""


def store_for_exploring(
    expander: Expander, *, threads: int, limits: Limits, prove: Prove | None = None
) -> StateStore:
    """The store that suits an exploration: one that chooses what it is where that may help."""
    if expander.native is None or limits.states is not None:
        return store_for(expander, threads=threads)
    return AdaptiveStore(expander, threads=threads, memory=limits.memory, prove=prove)


class AdaptiveStore(StateStore):
    """A store that chooses what it is."""

    def __init__(
        self,
        expander: Expander,
        *,
        threads: int,
        many: int = MANY,
        memory: int | None = None,
        prove: Prove | None = None,
    ) -> None:
        self._expander = expander
        self._prove = prove
        self._memory = memory
        self._threads = threads
        self._many = many
        self._inner: TableStore | BitmapStore = self._table("few states were found")
        self._old: BitmapStore | None = None
        """The bitmap that was given up; pieces of the level at hand may still come from it."""
        self._tried = 0
        self._surprises: list[Rows] = []
        """States that did not fit a numbering; the next one takes them into account."""
        self._moves = 0
        self._peak = 0
        """The most memory that it took while states moved."""
        self._changed = threading.Condition()
        self._active = 0
        self._is_moving = False
        self.is_fixed = False

    @property
    def note(self) -> str:
        return self._inner.note

    @property
    def moves(self) -> int:
        return self._moves

    @property
    def bytes(self) -> int:
        """The memory that it takes, or took when it took more."""
        return max(self._peak, self._inner.bytes)

    def needed(self, states: int) -> int:
        return self._inner.needed(states)

    @property
    def states(self) -> int:
        return self._inner.states

    @property
    def by_depth(self) -> tuple[int, ...]:
        return self._inner.by_depth

    @property
    def numbers_end(self) -> int:
        return self._inner.numbers_end

    def insert(self, rows: Rows) -> int:
        try:
            with self._entered():
                return self._inner.insert(rows)
        except DoesNotFit:
            with self._alone():
                if isinstance(self._inner, BitmapStore):
                    self._surprises.append(rows[self._inner.has_none(rows)][:_MOST_SURPRISES])
                    self._give_up(self._inner)
            return self.insert(rows)

    def seal(self) -> int:
        self._old = None
        size = self._inner.seal()
        states = self._inner.states
        is_worth_a_try = states >= max(self._many, 4 * self._tried) and self._moves <= _MOST_MOVES
        if size and isinstance(self._inner, TableStore) and is_worth_a_try and not self.is_fixed:
            self._tried = states
            self._try_ranking(self._inner)
        return size

    def pieces(self, level: int, size: int, *, skip: int = 0) -> list[Piece]:
        found = self._inner.pieces(level, size, skip=skip)
        if isinstance(self._inner, TableStore):
            return found
        return [(first | _RANKED, last) for first, last in found]

    def rows(self, piece: Piece) -> Rows:
        if not piece[0] & _RANKED:
            return self._inner.rows(piece)
        # A thread that moves the states away leaves the bitmap as it is.
        store = self._old or self._inner
        return store.rows((piece[0] ^ _RANKED, piece[1]))

    def pending(self, size: int) -> Iterator[Rows]:
        return self._inner.pending(size)

    def numbers(self, rows: Rows) -> Numbers:
        return self._inner.numbers(rows)

    def at(self, numbers: Numbers) -> Rows:
        return self._inner.at(numbers)

    def levels(self, rows: Rows) -> Numbers:
        return self._inner.levels(rows)

    # Who may insert: any number of threads, or one that moves the states.

    @contextmanager
    def _entered(self) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(lambda: not self._is_moving)
            self._active += 1
        try:
            yield
        finally:
            with self._changed:
                self._active -= 1
                self._changed.notify_all()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(lambda: not self._is_moving)
            self._is_moving = True
            self._changed.wait_for(lambda: not self._active)
        try:
            yield
        finally:
            with self._changed:
                self._is_moving = False
                self._changed.notify_all()

    # Moving

    def _table(self, why: str) -> TableStore:
        layout = self._expander.layout
        return large(self._expander.words, threads=self._threads, why=why, layout=layout)

    def _try_ranking(self, table: TableStore) -> None:
        layout, native = self._expander.layout, self._expander.native
        if native is not None and native.most_moves > _MOVES_OF_A_STATE:
            table.why = "a state may have too many moves for a denser numbering"
            return
        try:
            found = None if layout is None else self._numbering(layout, table)
        except OutOfRoom:
            table.why = "there is no memory to look for a denser numbering of the states"
            return
        except OutOfTime:
            table.why = _TOO_LATE
            return
        if found is None:
            table.why = "no dense numbering of the states was found"
            return
        expected = max(table.states, estimate(table.by_depth) or 0)
        if found.size // 8 * 6 > _GAIN * table.needed(expected):
            table.why = f"a numbering of {found.size:,} states would take more memory"
            return
        if self._memory is not None and table.bytes + found.size // 8 * 3 > self._memory:
            table.why = "there is no memory to keep both while states move"
            return
        try:
            ranked = BitmapStore(found, threads=self._threads)
        except OutOfTime:
            table.why = _TOO_LATE
            return
        if _copied(table, ranked):
            self._peak = max(self._peak, table.bytes + ranked.bytes)
            self._inner = ranked
            self._moves += 1
        else:
            table.why = "no dense numbering holds all states"

    def _numbering(self, layout: Layout, table: TableStore) -> Ranking | Enumeration | None:
        """The numbering with the fewest numbers: as it is proved, or as it is guessed."""
        proved = None
        if self._prove is not None:
            proved = enumeration(layout, budget.within_time(self._prove, EXPLORING))
        guessed = ranking(layout, self._sample(table))
        if proved is None or (guessed is not None and guessed.size < proved.size):
            return guessed
        return proved

    def _give_up(self, ranked: BitmapStore) -> None:
        table = self._table("some states do not fit the dense numbering of the others")
        _copied(ranked, table)
        self._peak = max(self._peak, table.bytes + ranked.bytes)
        self._old = ranked
        self._inner = table
        self._moves += 1
        self._tried = 0

    def _sample(self, table: TableStore) -> Rows:
        """Some states of every level, and states of plays that go on at random."""
        random = np.random.default_rng(table.states)
        levels = len(table.by_depth)
        parts = [
            table.at(start + random.integers(0, size, min(size, _SAMPLE // levels)))
            for start, size in zip(np.cumsum((0, *table.by_depth)), table.by_depth, strict=False)
        ]
        native = self._expander.native
        # Where a state may have very many moves, those of all plays would take much room.
        most_moves = 1 if native is None else native.most_moves
        plays = max(1, min(_PLAYS, _MOVES_OF_PLAYS // most_moves))
        at_once = max(1, _MOVES_AT_ONCE // most_moves)
        rows = parts[-1][random.integers(0, len(parts[-1]), plays)]
        made = 0
        for _ in range(_DEEPEST):
            following = []
            for first in range(0, len(rows), at_once):
                budget.look(budget.EXPLORING)
                expansion = self._expander.expand(rows[first : first + at_once])
                counts = expansion.counts
                made += len(expansion.states)
                goes_on = counts > 0
                firsts = (np.cumsum(counts) - counts)[goes_on]
                chosen = firsts + random.integers(0, counts[goes_on])
                following.append(expansion.states[chosen])
            rows = np.concatenate(following)
            parts.append(rows)
            if not len(rows) or made > _MOVES_IN_ALL:
                break
        return np.concatenate(parts + self._surprises)


def _copied(source: TableStore | BitmapStore, target: TableStore | BitmapStore) -> bool:
    """Put the states of *source* into *target*, level by level; whether all fit."""
    try:
        for level in range(len(source.by_depth)):
            for piece in source.pieces(level, _STATES_AT_ONCE):
                target.insert(source.rows(piece))
            target.seal()
        for rows in source.pending(_STATES_AT_ONCE):
            target.insert(rows)
    except DoesNotFit:
        return False
    return True
