"""How long plays can become, and how many complete ones there are.

A state is peeled off once every state that leads to it has been; what is peeled
off in one go is a layer. The number of a state's layer is the length of the
longest play to it. Where there are cycles, some states are never peeled off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo.core.expander import Expander, Expansion, Numbers, Rows
from zermelo.engines.space.store import Store

_CHUNK: Final = 1024
_LARGEST: Final = 1 << 62
"""Sums below this are exact in a machine word."""
_HALF: Final = 31

Ask: TypeAlias = Callable[[], bool]
"""Whether to stop."""
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
    store: Store,
    *,
    start: Rows,
    is_graded: bool,
    count_plays: bool = False,
    ask: Ask = lambda: False,
) -> Layers | None:
    """The layers of a complete space; ``None`` if *ask* asked to stop.

    In a graded space every move leads to the next level, and layers are levels.
    """
    plays = _Plays(store, start) if count_plays else None
    if is_graded:
        if plays is not None and not _count_by_level(expander, store, plays, ask):
            return None
        return Layers(len(store.by_depth), None if plays is None else plays.complete)
    return _Peeling(expander, store, ask).run(start, plays)


def _count_by_level(expander: Expander, store: Store, plays: _Plays, ask: Ask) -> bool:
    for level in range(len(store.by_depth)):
        for piece in store.pieces(level, _CHUNK):
            rows = store.rows(piece)
            expansion = expander.expand(rows)
            plays.follow(store.numbers(rows), expansion, store.numbers(expansion.states))
            if ask():
                return False
    return True


class _Plays:
    """How many plays lead to each state."""

    def __init__(self, store: Store, start: Rows) -> None:
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
    """The sum of *ways*, however large."""
    if ways.dtype == np.object_:
        return int(sum(ways.tolist()))
    upper, lower = ways >> _HALF, ways & ((1 << _HALF) - 1)
    return (int(upper.sum()) << _HALF) + int(lower.sum())


class _Peeling:
    """One peeling of a space that is not graded."""

    def __init__(self, expander: Expander, store: Store, ask: Ask) -> None:
        self._expander = expander
        self._store = store
        self._ask = ask
        self._waiting = np.zeros(store.numbers_end, dtype=np.int32)
        """For each state the number of moves to it from states that are not peeled off."""
        self._layer_of = np.full(store.numbers_end, -1, dtype=np.int32)

    def run(self, start: Rows, plays: _Plays | None) -> Layers | None:
        """The layers, or ``None`` if it was asked to stop."""
        if not self._count_arrivals():
            return None
        first = self._store.numbers(start.reshape(1, -1))
        layer = first[self._waiting[first] == 0]
        peeled = depth = 0
        while len(layer):
            self._layer_of[layer] = depth
            peeled += len(layer)
            depth += 1
            following: list[Numbers] = []
            for at in range(0, len(layer), _CHUNK):
                following.append(self._peel(layer[at : at + _CHUNK], plays))
                if self._ask():
                    return None
            layer = np.concatenate(following)
        if peeled < self._store.states:
            return Layers(None)
        return Layers(depth, None if plays is None else plays.complete, self._layer_of)

    def _count_arrivals(self) -> bool:
        for piece in _all_pieces(self._store):
            states = self._expander.expand(self._store.rows(piece)).states
            np.add.at(self._waiting, self._store.numbers(states), 1)
            if self._ask():
                return False
        return True

    def _peel(self, numbers: Numbers, plays: _Plays | None) -> Numbers:
        """Peel off these states; the states that can be peeled off now."""
        expansion = self._expander.expand(self._store.at(numbers))
        after = self._store.numbers(expansion.states)
        if plays is not None:
            plays.follow(numbers, expansion, after)
        np.subtract.at(self._waiting, after, 1)
        free = np.unique(after)
        found: Numbers = free[self._waiting[free] == 0]
        return found


def _all_pieces(store: Store) -> Iterator[tuple[int, int]]:
    for level in range(len(store.by_depth)):
        yield from store.pieces(level, _CHUNK)
