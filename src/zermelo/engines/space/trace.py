"""The first shortest plays to states of a stored space, without having kept who led where.

The canonical order of the states of a level is that in which a walk with one
queue reaches them. The first states of the next level, in that order, follow the
first ones of this level; so the beginning of each level can be found again from
the beginning of the one before, whatever order the states are stored in. If what
is sought does not occur there, more of each level is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo.core.expander import Expander, Expansion, Numbers, Rows, outcome_of, player_of
from zermelo.core.machine import Move
from zermelo.engines.space.arrivals import Arrivals, Kind
from zermelo.engines.space.store import Store

_FIRST: Final = 64
"""How many states of each level are looked at first."""
_TIMES: Final = 8
_CHUNK: Final = 1024

Bools: TypeAlias = npt.NDArray[np.bool_]
LevelOf: TypeAlias = Callable[[Rows], Numbers]


@dataclass(frozen=True, slots=True)
class Goal:
    """What is sought: a state on a level that passes a test."""

    level: int
    test: Callable[[Rows, Expansion], Bools]
    kind: Kind | None = None
    """The ending that is sought, if it is one."""
    row: tuple[int, ...] | None = None
    """The state that is sought, if it is a certain one."""


@dataclass(frozen=True, slots=True)
class Traced:
    """The state that was found, and the play to it."""

    row: Rows
    play: tuple[Move, ...]


def ending(number: int) -> Callable[[Rows, Expansion], Bools]:
    """The test for states with this outcome."""
    return lambda _, expansion: outcome_of(expansion.verdicts) == number


def stuck(_: Rows, expansion: Expansion) -> Bools:
    """The test for stuck states."""
    has_none: Bools = expansion.counts == 0
    return has_none & (outcome_of(expansion.verdicts) < 0)


def stuck_player(number: int) -> Callable[[Rows, Expansion], Bools]:
    """The test for states in which the player with this number is stuck."""
    return lambda rows, expansion: (
        stuck(rows, expansion) & (player_of(expansion.verdicts) == number)
    )


def same(row: Sequence[int]) -> Callable[[Rows, Expansion], Bools]:
    """The test for one state."""
    wanted = np.array(row, dtype=np.int64)
    return lambda rows, _: np.all(rows == wanted, axis=1)


def anything(rows: Rows, _: Expansion) -> Bools:
    """The test that every state passes."""
    return np.ones(len(rows), dtype=np.bool_)


def trace(
    expander: Expander,
    goals: Sequence[Goal],
    *,
    start: Rows,
    store: Store,
    level_of: LevelOf | None = None,
) -> list[Traced | None]:
    """The first shortest play from *start* to each of *goals*; ``None`` where there is none.

    *level_of* gives the level of states if it is not that of *store*; a play climbs
    one level with each move.
    """
    found: list[Traced | None] = [None] * len(goals)
    most = _FIRST
    while True:
        search = _Search(expander, store, level_of or store.levels, most)
        missing = {at: goal for at, goal in enumerate(goals) if found[at] is None}
        for at, traced in search.run(start, missing):
            found[at] = traced
        if search.is_whole or all(found):
            return found
        most *= _TIMES


def recall(expander: Expander, goal: Goal, *, store: Store, arrivals: Arrivals) -> Traced | None:
    """The same from *arrivals* that were kept, for goals that are an ending or a state."""
    if goal.kind is not None:
        number = arrivals.firsts.get(goal.kind)
    elif goal.row is not None:
        number = int(store.numbers(np.array([goal.row], dtype=np.int64))[0])
    else:
        number = arrivals.first_stuck()
    if number is None:
        return None
    row = store.at(np.array([number], dtype=np.int64))[0]
    return Traced(row, tuple(expander.move(code) for code in arrivals.play(number)))


@dataclass(frozen=True, slots=True)
class _Level:
    """The beginning of a level, in canonical order."""

    rows: Rows
    parents: Numbers
    """For each the number, in the level before, of the state that leads to it first."""
    codes: Numbers
    """And the move that does."""


class _Search:
    """One search through the beginnings of the levels."""

    def __init__(self, expander: Expander, store: Store, level_of: LevelOf, most: int) -> None:
        self._expander = expander
        self._store = store
        self._level_of = level_of
        self._most = most
        self._levels: list[_Level] = []
        self.is_whole = True
        """Whether nothing of the levels was left out."""

    def run(self, start: Rows, goals: dict[int, Goal]) -> Iterator[tuple[int, Traced]]:
        """The goals that are found, each with the play."""
        none = np.zeros(0, dtype=np.int64)
        level = _Level(start.reshape(1, -1), none, none)
        last = max((goal.level for goal in goals.values()), default=-1)
        for depth in range(last + 1):
            self._levels.append(level)
            here = {at: goal for at, goal in goals.items() if goal.level == depth}
            for at, number in self._among(level.rows, here):
                yield at, Traced(level.rows[number], self._play(depth, number))
                del goals[at]
            if not goals:
                return
            if depth < last:
                level = self._next(level.rows, depth + 1)

    def _among(self, rows: Rows, goals: dict[int, Goal]) -> Iterator[tuple[int, int]]:
        left = dict(goals)
        for first in range(0, len(rows), _CHUNK):
            if not left:
                return
            part = rows[first : first + _CHUNK]
            expansion = self._expander.expand(part)
            hits = {at: np.flatnonzero(goal.test(part, expansion)) for at, goal in left.items()}
            for at, hit in hits.items():
                if len(hit):
                    del left[at]
                    yield at, first + int(hit[0])

    def _next(self, rows: Rows, level: int) -> _Level:
        """The beginning of the level after that of *rows*."""
        found: dict[int, None] = {}
        # All of a beginning may be over, so nothing at all may follow it.
        none = np.zeros(0, dtype=np.int64)
        parts: list[tuple[Rows, Numbers, Numbers]] = [(rows[:0], none, none)]
        for first in range(0, len(rows), _CHUNK):
            expansion = self._expander.expand(rows[first : first + _CHUNK])
            is_there = self._level_of(expansion.states) == level
            states = expansion.states[is_there]
            parents = np.repeat(np.arange(first, first + len(expansion.counts)), expansion.counts)
            numbers = self._store.numbers(states)
            _, firsts = np.unique(numbers, return_index=True)
            new = [at for at in np.sort(firsts).tolist() if int(numbers[at]) not in found]
            found.update(dict.fromkeys(numbers[new].tolist()))
            parts.append((states[new], parents[is_there][new], expansion.moves[is_there][new]))
            if len(found) > self._most:
                self.is_whole = False
                break
        joined = [np.concatenate(each)[: self._most] for each in zip(*parts, strict=True)]
        return _Level(*joined)

    def _play(self, depth: int, number: int) -> tuple[Move, ...]:
        codes: list[int] = []
        for level in reversed(self._levels[1 : depth + 1]):
            codes.append(int(level.codes[number]))
            number = int(level.parents[number])
        return tuple(self._expander.move(code) for code in reversed(codes))
