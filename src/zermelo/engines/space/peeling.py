"""Peeling: how long plays can become, and how many complete ones there are.

A state is peeled off once every state that leads to it has been, and what is peeled off in
one go is a layer. The number of a state's layer is the length of the longest play to it.
Where there are cycles, some states are never peeled off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo.core.arrays import Numbers, Rows
from zermelo.core.expander import Expander, Expansion
from zermelo.engines.space.store import StateStore
from zermelo.fast import jit
from zermelo.fast.bits import load, load32, store, store32

_STATES_AT_ONCE: Final = 1024
_STATES_AT_ONCE_FAST: Final = 1 << 14
"""The same for compiled code."""
_LARGEST: Final = 1 << 62
"""Sums below this are exact in a machine word."""
_HALF: Final = 31

Ask: TypeAlias = Callable[[], bool]

Ways: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.object_]


@dataclass(frozen=True, slots=True)
class Layers:
    """What peeling a space shows."""

    count: int | None
    """How many layers there are; ``None`` when there are cycles."""
    complete_plays: int | None = None
    """How many plays lead to a state without a move, if that was counted."""
    layer_of: npt.NDArray[np.int32] | None = None
    """The layer of each state, by its number; ``None`` where it is the level that it is on."""


def layers(
    expander: Expander,
    store: StateStore,
    *,
    start: Rows,
    is_graded: bool,
    count_plays: bool = False,
    ask: Ask = lambda: False,
) -> Layers | None:
    """The layers of a complete space; ``None`` if *ask* asked to stop.

    In a graded space every move leads to the next level, and layers are levels.
    """
    plays = _PlayCounting(store, start) if count_plays else None
    if not is_graded:
        return _Peeling(expander, store, ask).run(start, plays)
    if plays is None:
        return Layers(len(store.by_depth))
    for rows in _all_rows(store, _STATES_AT_ONCE):
        expansion = expander.expand(rows)
        plays.follow(store.numbers(rows), expansion, store.numbers(expansion.states))
        if ask():
            return None
    return Layers(len(store.by_depth), plays.complete)


def _all_rows(store: StateStore, size: int) -> Iterator[Rows]:
    for level in range(len(store.by_depth)):
        for piece in store.pieces(level, size):
            yield store.rows(piece)


class _PlayCounting:
    def __init__(self, store: StateStore, start: Rows) -> None:
        self._ways: Ways = np.zeros(store.numbers_end, dtype=np.int64)
        self._ways[store.numbers(start.reshape(1, -1))] = 1
        self._bound = 1
        self.complete = 0
        """How many plays lead to the states without a move, among those that were followed."""

    def follow(self, numbers: Numbers, expansion: Expansion, after: Numbers) -> None:
        """Take in states to which all plays are known, and the numbers of those after them."""
        ways = self._ways[numbers]
        self.complete += _total(ways[expansion.counts == 0])
        # No number of plays is larger than all that was ever added.
        self._bound += sum(
            _total(ways[expansion.counts == count]) * int(count)
            for count in np.unique(expansion.counts)
        )
        if self._bound >= _LARGEST and self._ways.dtype != np.object_:
            self._ways, ways = self._ways.astype(np.object_), ways.astype(np.object_)
        np.add.at(self._ways, after, np.repeat(ways, expansion.counts))


def _total(ways: Ways) -> int:
    if ways.dtype == np.object_:
        return int(sum(ways.tolist()))
    upper, lower = ways >> _HALF, ways & ((1 << _HALF) - 1)
    return (int(upper.sum()) << _HALF) + int(lower.sum())


class _Peeling:
    def __init__(self, expander: Expander, store: StateStore, ask: Ask) -> None:
        self._expander = expander
        self._store = store
        self._ask = ask
        self._waiting = np.zeros(store.numbers_end, dtype=np.int32)
        """For each state the number of moves to it from states that are not peeled off."""
        self._layer_of = np.full(store.numbers_end, -1, dtype=np.int32)
        is_native = expander.native is not None
        self._size = _STATES_AT_ONCE_FAST if is_native else _STATES_AT_ONCE
        self._loops = jit.load(_unit()) if is_native else None

    def run(self, start: Rows, plays: _PlayCounting | None) -> Layers | None:
        for rows in _all_rows(self._store, self._size):
            self._count(self._store.numbers(self._expander.expand(rows).states))
            if self._ask():
                return None
        first = self._store.numbers(start.reshape(1, -1))
        layer = first[self._waiting[first] == 0]
        peeled = depth = 0
        while len(layer):
            self._layer_of[layer] = depth
            peeled += len(layer)
            depth += 1
            following: list[Numbers] = []
            for at in range(0, len(layer), self._size):
                following.append(self._peel(layer[at : at + self._size], plays))
                if self._ask():
                    return None
            layer = np.concatenate(following)
        if peeled < self._store.states:
            return Layers(None)
        return Layers(depth, None if plays is None else plays.complete, self._layer_of)

    def _peel(self, numbers: Numbers, plays: _PlayCounting | None) -> Numbers:
        """Peel off these states; the states that can be peeled off now."""
        expansion = self._expander.expand(self._store.at(numbers))
        after = self._store.numbers(expansion.states)
        if plays is not None:
            plays.follow(numbers, expansion, after)
        return self._freed(after)

    def _count(self, after: Numbers) -> None:
        """Count moves to the states with these numbers."""
        if self._loops is None:
            np.add.at(self._waiting, after, 1)
        else:
            self._loops["count_moves"].on(self._waiting, after, len(after))

    def _freed(self, after: Numbers) -> Numbers:
        """Those of *after* to which no move is left once these are taken off, in order."""
        if self._loops is None:
            np.subtract.at(self._waiting, after, 1)
            free = np.unique(after)
            found: Numbers = free[self._waiting[free] == 0]
            return found
        freed = np.empty(len(after), dtype=np.int64)
        count = self._loops["take_off"].on(self._waiting, after, len(after), freed)
        # In order their states are found sooner.
        return np.sort(freed[:count])


# The loops are compiled from their source, where the primitives are plain names.


def count_moves(waiting: int, after: int, n: int) -> int:
    for j in range(n):
        x = load(after, j)
        store32(waiting, x, load32(waiting, x) + 1)
    return 0


def take_off(waiting: int, after: int, n: int, freed: int) -> int:
    """Take off the *n* moves to *after*; *freed* gets the states to which none is left."""
    found = 0
    for j in range(n):
        x = load(after, j)
        left = load32(waiting, x) - 1
        store32(waiting, x, left)
        if left == 0:
            store(freed, found, x)
            found += 1
    return found


@cache
def _unit() -> jit.Unit:
    return jit.unit_of("peeling", (count_moves, take_off), exports=("count_moves", "take_off"))
