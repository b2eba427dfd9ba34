"""The first shortest plays to states of a space.

Where states are few and slow to follow, it is kept by which move each was first reached
(``Arrivals``). Elsewhere plays are traced afterwards, which takes no memory: the canonical
order of a level is that in which a sweep with one queue reaches its states, and the first
states of the next level, in that order, follow the first ones of this level. So the beginning
of each level can be found again from that of the one before, whatever order the states are
stored in. If what is sought does not occur there, more of each level is looked at.

In a space of classes a play is followed back from its end: a class has many classes before
it, so one is found soon. Which of the shortest plays it is is not said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, TypeAlias

import numpy as np

from zermelo.core.arrays import Numbers, Rows, Truths
from zermelo.core.expander import Expander, Expansion, outcome_of, player_of
from zermelo.core.state import Move
from zermelo.engines.space.move_order import MoveOrder
from zermelo.engines.space.store import StateStore
from zermelo.text import budget
from zermelo.text.budget import OutOfRoom


class End(Enum):
    """How a play stops."""

    OVER = "over"
    STUCK = "stuck"


EndKind: TypeAlias = tuple[End, int]
"""Over with the outcome of this number, or stuck with the player of this number in turn."""


@dataclass(slots=True)
class Arrivals:
    """What is known of each state, by its number."""

    parents: list[int] = field(default_factory=lambda: [-1])
    """The number of the state from which it was first reached; −1 for the first state."""
    codes: list[int] = field(default_factory=lambda: [-1])
    firsts: dict[EndKind, int] = field(default_factory=dict)
    """The first state of each kind of ending."""

    def arrive(self, first: int, expansion: Expansion, store: StateStore) -> None:
        """Note the new states after those that have the numbers from *first* on."""
        known = len(self.parents)
        if store.states == known:
            return
        numbers = store.numbers(expansion.states)
        new = np.flatnonzero(numbers >= known)
        _, firsts = np.unique(numbers[new], return_index=True)
        at = new[firsts]
        origins = np.searchsorted(np.cumsum(expansion.counts), at, side="right")
        self.parents += (first + origins).tolist()
        self.codes += expansion.moves[at].tolist()

    def end(self, first: int, verdicts: Numbers, is_end: Numbers) -> None:
        """Note the endings among states with the numbers from *first* on: those that *is_end*."""
        ends, firsts = np.unique(verdicts[is_end], return_index=True)
        for at, outcome, player in zip(
            is_end[firsts].tolist(),
            outcome_of(ends).tolist(),
            player_of(ends).tolist(),
            strict=True,
        ):
            kind = (End.STUCK, player) if outcome < 0 else (End.OVER, outcome)
            self.firsts[kind] = min(self.firsts.get(kind, first + at), first + at)

    def first_stuck(self) -> int | None:
        found = [number for (end, _), number in self.firsts.items() if end is End.STUCK]
        return min(found, default=None)

    def play(self, number: int) -> list[int]:
        codes: list[int] = []
        while self.parents[number] >= 0:
            codes.append(self.codes[number])
            number = self.parents[number]
        return codes[::-1]


_FIRST: Final = 64
"""How many states of each level are looked at first."""
_TIMES: Final = 8
_CHUNK: Final = 1024
_BYTES_A_STATE: Final = 150
"""What a state takes whose play is traced: its row, its number in a set, and how it is reached."""

LevelOf: TypeAlias = Callable[[Rows], Numbers]
Test: TypeAlias = Callable[[Rows, Expansion], Truths]


@dataclass(frozen=True, slots=True)
class Goal:
    """What is sought: a state on a level that passes a test."""

    level: int
    test: Test
    kind: EndKind | None = None
    """The ending that is sought, if it is one."""
    row: tuple[int, ...] | None = None
    """The state that is sought, if it is a certain one."""


@dataclass(frozen=True, slots=True)
class Traced:
    """The state that was found, and the play to it."""

    row: Rows
    play: tuple[Move, ...]


def ending(number: int) -> Test:
    return lambda _, expansion: outcome_of(expansion.verdicts) == number


def stuck(_: Rows, expansion: Expansion) -> Truths:
    has_none: Truths = expansion.counts == 0
    return has_none & (outcome_of(expansion.verdicts) < 0)


def stuck_player(number: int) -> Test:
    return lambda rows, expansion: (
        stuck(rows, expansion) & (player_of(expansion.verdicts) == number)
    )


def same(row: Sequence[int]) -> Test:
    wanted = np.array(row, dtype=np.int64)
    return lambda rows, _: np.all(rows == wanted, axis=1)


def anything(rows: Rows, _: Expansion) -> Truths:
    return np.ones(len(rows), dtype=np.bool_)


def trace(
    expander: Expander,
    goals: Sequence[Goal],
    *,
    start: Rows,
    store: StateStore,
    level_of: LevelOf | None = None,
    room: int | None = None,
) -> list[Traced | None]:
    """The first shortest play from *start* to each of *goals*; ``None`` where there is none.

    Raises ``OutOfRoom`` where it takes more memory than there is *room*.

    *level_of* gives the level of states if it is not that of *store*; a play climbs
    one level with each move.
    """
    found: list[Traced | None] = [None] * len(goals)
    most = _FIRST
    while True:
        if room is not None and min(most, store.states) * _BYTES_A_STATE > room:
            raise OutOfRoom(room)
        search = _TraceSearch(expander, store, level_of or store.levels, most)
        missing = {at: goal for at, goal in enumerate(goals) if found[at] is None}
        for at, traced in search.run(start, missing):
            found[at] = traced
        if search.is_whole or all(found):
            return found
        most *= _TIMES


def recall(
    expander: Expander, goal: Goal, *, store: StateStore, arrivals: Arrivals
) -> Traced | None:
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
class _LevelBeginning:
    """The beginning of a level, in canonical order."""

    rows: Rows
    parents: Numbers
    """For each the number, in the level before, of the state that leads to it first."""
    codes: Numbers


class _TraceSearch:
    def __init__(self, expander: Expander, store: StateStore, level_of: LevelOf, most: int) -> None:
        self._expander = expander
        self._in_order = MoveOrder(expander)
        self._store = store
        self._level_of = level_of
        self._most = most
        self._levels: list[_LevelBeginning] = []
        self.is_whole = True
        """Whether nothing of the levels was left out."""

    def run(self, start: Rows, goals: dict[int, Goal]) -> Iterator[tuple[int, Traced]]:
        none = np.zeros(0, dtype=np.int64)
        level = _LevelBeginning(start.reshape(1, -1), none, none)
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
            budget.look(budget.TRACING)
            expansion = self._expander.expand(part)
            hits = {at: np.flatnonzero(goal.test(part, expansion)) for at, goal in left.items()}
            for at, hit in hits.items():
                if len(hit):
                    del left[at]
                    yield at, first + int(hit[0])

    def _next(self, rows: Rows, level: int) -> _LevelBeginning:
        """The beginning of the level after that of *rows*."""
        found: dict[int, None] = {}
        # All of a beginning may be over, so nothing at all may follow it.
        none = np.zeros(0, dtype=np.int64)
        parts: list[tuple[Rows, Numbers, Numbers]] = [(rows[:0], none, none)]
        for first in range(0, len(rows), _CHUNK):
            budget.look(budget.TRACING)
            expansion = self._in_order.expand(rows[first : first + _CHUNK])
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
        return _LevelBeginning(*joined)

    def _play(self, depth: int, number: int) -> tuple[Move, ...]:
        codes: list[int] = []
        for level in reversed(self._levels[1 : depth + 1]):
            codes.append(int(level.codes[number]))
            number = int(level.parents[number])
        return tuple(self._expander.move(code) for code in reversed(codes))


_STATES_BACK: Final = 4096
_STATES_BACK_SLOWLY: Final = 64


def traced_back(expander: Expander, store: StateStore, goal: Goal) -> Traced | None:
    """A state that *goal* asks for, and a shortest play to it."""
    row: Rows | None = None
    for rows, expansion in _expanded(expander, store, goal.level):
        hits = np.flatnonzero(goal.test(rows, expansion))
        if len(hits):
            row = rows[hits[0]].copy()
            break
    if row is None:
        return None
    codes: list[int] = []
    at = row
    for level in range(goal.level - 1, -1, -1):
        before = _predecessor(expander, store, level, at)
        if before is None:
            return None
        at, code = before
        codes.append(code)
    return Traced(row, tuple(expander.move(code) for code in reversed(codes)))


def _expanded(
    expander: Expander, store: StateStore, level: int
) -> Iterator[tuple[Rows, Expansion]]:
    at_once = _STATES_BACK_SLOWLY if expander.native is None else _STATES_BACK
    for piece in store.pieces(level, at_once):
        budget.look(budget.TRACING)
        rows = store.rows(piece)
        yield rows, expander.expand(rows)


def _predecessor(
    expander: Expander, store: StateStore, level: int, row: Rows
) -> tuple[Rows, int] | None:
    """A state of *level* from which a move leads to *row*, and the code of the move."""
    for rows, expansion in _expanded(expander, store, level):
        hits = np.flatnonzero(np.all(expansion.states == row, axis=1))
        if len(hits):
            at = int(np.searchsorted(np.cumsum(expansion.counts), hits[0], side="right"))
            return rows[at].copy(), int(expansion.moves[hits[0]])
    return None
