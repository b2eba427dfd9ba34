"""What is counted of a space while it is swept: moves, endings, who is stuck, faults, by level.

Whatever the number of threads and their luck, the counts are the same, and so are the
plays, which are traced afterwards (see ``traces``).

A limit of states has to stop at one certain state. Under such a limit pieces are
inserted one after another in the order of the level, so the states are stored in
the order in which a single queue reaches them.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np

from zermelo.core.arrays import Numbers, Piece, Rows, Truths
from zermelo.core.expander import Expander, Expansion, outcome_of, player_of
from zermelo.core.limits import UNLIMITED, Limits, Listener, MetAgain, out_of_room
from zermelo.engines.space.move_order import MoveOrder
from zermelo.engines.space.orbits.reduction import Distinct, Reduction
from zermelo.engines.space.store import NOWHERE, StateStore
from zermelo.engines.space.sweep import (
    PIECE,
    SECONDS_BETWEEN_LOOKS,
    SMALL_PIECE,
    Follower,
    Levels,
    Sweep,
    Swept,
    stopped_at_depth,
)
from zermelo.engines.space.thread_pool import twins
from zermelo.engines.space.traces import Arrivals
from zermelo.text import budget
from zermelo.text.budget import OutOfTime

MOST_FAULTY: Final = 1_000
"""So many states of a level are looked into for the faults that stop moves in them."""
_HALF: Final = 32
_STATES_BETWEEN_LOOKS: Final = 200_000
"""More states than this are not found by one thread until somebody looks again."""


@dataclass(slots=True)
class CountedLevels(Swept):
    """How far an exploration has come: enough to go on, and to say what was found."""

    levels: list[LevelCounts] = field(default_factory=list)
    arrivals: Arrivals | None = None
    """By which moves states were reached, where that is kept."""

    @property
    def is_graded(self) -> bool:
        return not any(counts.earlier for counts in self.levels)

    @property
    def here(self) -> LevelCounts:
        """What was counted on the deepest full level."""
        if len(self.levels) == self.full_depth:
            self.levels.append(LevelCounts())
        return self.levels[self.full_depth]


class Checkpoints(Protocol):
    """Whoever keeps an exploration so that it can be resumed."""

    def is_due(self) -> bool: ...

    def keep(self, found: CountedLevels, store: StateStore) -> None: ...


def count_levels(
    expander: Expander,
    store: StateStore,
    *,
    start: Rows,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
    threads: int = 1,
    reduction: Reduction | None = None,
    checkpoints: Checkpoints | None = None,
    begun: CountedLevels | None = None,
    spent: float = 0.0,
) -> CountedLevels:
    """Sweep all that can be reached from *start*, within *limits*, and fill *store*.

    With a *reduction* the *expander* gives only states that stand for others, and all
    these are counted. *begun* is an exploration that was kept, whose states *store* has;
    *spent* are the seconds that went by before.
    """
    found = begun or CountedLevels(seconds=spent)
    if begun is None:
        store.insert(start.reshape(1, -1))
        store.seal()
    expanders = twins(expander, threads)
    is_native = expander.native is not None
    if begun is None and len(expanders) == 1 and not is_native:
        found.arrivals = Arrivals()
    counting = _Counting(
        found, store, deepest=limits.depth, threads=len(expanders), is_native=is_native
    )

    def keep() -> None:
        if checkpoints is not None:
            checkpoints.keep(found, store)

    sweep = Sweep(
        counting,
        found,
        limits=limits,
        listener=listener,
        is_native=is_native,
        keep=keep,
        is_keeping_due=lambda: checkpoints is not None and checkpoints.is_due(),
    )
    sweep.run([_Counter(each, counting, sweep, reduction) for each in expanders])
    found.seconds = sweep.seconds
    keep()
    if found.cut is not None:
        store.seal()
        with budget.budget(until=sweep.limits.last, is_last=True):
            _judge_rest(expander, store, found, reduction)
    found.seconds = sweep.seconds
    return found


def _judge_rest(
    expander: Expander, store: StateStore, found: CountedLevels, reduction: Reduction | None
) -> None:
    """Count the endings among states that were reached and not followed, as far as time allows."""
    while len(found.levels) < len(store.by_depth):
        found.levels.append(LevelCounts())
    size = SMALL_PIECE if expander.native is None else PIECE
    is_late = False
    for level in range(found.full_depth, len(store.by_depth)):
        counts = found.levels[level]
        for piece in store.pieces(level, size, skip=counts.followed):
            if is_late and reduction is None:
                return
            rows = store.rows(piece)
            verdicts = np.zeros(0, dtype=np.int64)
            try:
                if not is_late:
                    budget.look("counting endings")
                    verdicts = expander.judge(rows)
            except OutOfTime:
                # How many positions they stand for is always counted, as that is said of them.
                is_late = True
            counts.judge(verdicts, None if reduction is None else reduction.sizes(rows))
            if found.arrivals is not None:
                is_over = np.flatnonzero(outcome_of(verdicts) >= 0)
                found.arrivals.end(piece[0], verdicts, is_over)


class _Counting(Levels):
    """The levels of a store while their states are counted, by several threads."""

    def __init__(
        self,
        found: CountedLevels,
        store: StateStore,
        *,
        deepest: int | None,
        threads: int,
        is_native: bool,
    ) -> None:
        self.found = found
        self.store = store
        self.order = threading.Condition()
        self.inserted = 0
        """How many pieces of the level have been inserted, where that is done in order."""
        self.known = store.states
        """How many states there were when it began."""
        self._deepest = deepest
        self._threads = threads
        self._is_native = is_native

    @property
    def states(self) -> int:
        return self.store.states

    @property
    def bytes(self) -> int:
        return self.store.bytes

    @property
    def by_depth(self) -> Sequence[int]:
        return self.store.by_depth

    def pieces(self, level: int, size: int) -> list[Piece]:
        self.inserted = 0
        is_deepest = self._deepest is not None and level >= self._deepest
        if is_deepest and not self._is_native:
            # The first state that is not over mostly tells whether anything lies beyond.
            size = 1
        return self.store.pieces(level, size, skip=self.found.here.followed)

    def seal(self) -> int:
        return self.store.seal()

    def needed(self, states: int) -> int:
        return self.store.needed(states)

    def over_memory(self, most: int) -> str | None:
        taken_soon = self.store.bytes
        if self._is_native:
            states = self.store.states
            more = min(states, self._threads * _STATES_BETWEEN_LOOKS)
            taken_soon = self.store.needed(states + more)
        if taken_soon <= most:
            return None
        return out_of_room(most)


class _Counter(Follower):
    def __init__(
        self, expander: Expander, counting: _Counting, sweep: Sweep, reduction: Reduction | None
    ) -> None:
        self._expander = expander
        self._in_order = MoveOrder(expander)
        self._counting = counting
        self._store = counting.store
        self._sweep = sweep
        self._followed: list[tuple[int, LevelCounts]] = []
        """What was counted of each piece, with its number."""
        self._reduction = reduction
        is_native = expander.native is not None
        self._distinct = Distinct() if is_native and reduction is not None else None
        """With symmetries many moves of a state lead to the same state."""

    def follow(self, number: int, piece: Piece) -> None:
        rows = self._store.rows(piece)
        # Which states a limit of them leaves out depends on the order of the moves.
        in_order = self._expander if self._sweep.limits.states is None else self._in_order
        expansion = in_order.expand(rows)
        followed, earlier = self._inserted(number, expansion)
        sizes = None if self._reduction is None else self._reduction.sizes(rows[:followed])
        counts = LevelCounts()
        counts.follow(rows, expansion, followed, sizes)
        counts.earlier += earlier
        self._followed.append((number, counts))
        arrivals = self._counting.found.arrivals
        if arrivals is not None:
            is_end = np.flatnonzero(expansion.counts[:followed] == 0)
            arrivals.end(piece[0], expansion.verdicts, is_end)
            arrivals.arrive(piece[0], expansion, self._store)

    def end_pieces(self) -> None:
        # Of the deepest level all or nothing is counted; of others the states that were followed
        # are always the first ones, so that the rest can be told from them.
        left, self._followed = self._followed, []
        if self._sweep.is_deepest and self._sweep.is_over:
            return
        first_left = self._sweep.first_left
        for number, counts in left:
            if first_left is None or number < first_left:
                self._counting.found.here.join(counts)

    def _inserted(self, number: int, expansion: Expansion) -> tuple[int, int]:
        """Insert what follows a piece.

        Gives how many of its states count as followed, and how many of the states after
        them are on an earlier level.
        """
        if self._sweep.is_deepest:
            # Only whether anything lies beyond the deepest level is looked at.
            if (self._store.numbers(expansion.states) == NOWHERE).any():
                self._sweep.stop(stopped_at_depth(self._sweep.found.full_depth))
                return 0, 0
            return len(expansion.counts), len(expansion.states)
        most = self._sweep.limits.states
        if most is None:
            distinct = self._distinct
            states = expansion.states if distinct is None else distinct.of(expansion)
            return len(expansion.counts), self._store.insert(states)
        counting = self._counting
        with counting.order:
            while counting.inserted != number and not self._sweep.is_over:
                counting.order.wait(SECONDS_BETWEEN_LOOKS)
            if self._sweep.is_over:
                return 0, 0
            counting.inserted += 1
            try:
                return self._inserted_within(most, expansion)
            finally:
                counting.order.notify_all()

    def _inserted_within(self, most: int, expansion: Expansion) -> tuple[int, int]:
        """Insert what follows a piece, up to *most* states in all."""
        states, at, earlier = expansion.states, 0, 0
        while at < len(states) and (room := most - self._store.states) > 0:
            earlier += self._store.insert(states[at : at + room])
            at += room
        beyond = np.flatnonzero(self._store.numbers(states[at:]) == NOWHERE)
        if not len(beyond):
            return len(expansion.counts), earlier + max(0, len(states) - at)
        known = self._counting.known
        noun = "state" if most == 1 else "states"
        why = f"stopped at {most:,} {noun}"
        if known > most:
            why = f"stopped, as {known:,} states were kept before"
        self._sweep.stop(MetAgain(why, limit="states"))
        ends = np.cumsum(expansion.counts)
        return int(np.searchsorted(ends, at + beyond[0], side="right")), earlier


@dataclass(slots=True)
class LevelCounts:
    """The counts of a level, or of a part of it."""

    followed: int = 0
    """In how many states the moves were made."""
    moves: int = 0
    earlier: int = 0
    """How many moves led to a state that is not on the next level."""
    over: Counter[int] = field(default_factory=Counter)
    """The states that are over, by the number of their outcome."""
    stuck: Counter[int] = field(default_factory=Counter)
    """The stuck states, by the number of the player in turn; −1 is nobody."""
    faulty: int = 0
    faulty_rows: list[tuple[int, ...]] = field(default_factory=list)
    """The states in which a fault stops a move; the least ones when there are many."""
    positions: int = 0
    """With symmetries, how many positions the states stand for; moves and ends count so too."""

    def follow(
        self, rows: Rows, expansion: Expansion, count: int, sizes: Numbers | None = None
    ) -> None:
        """Take in the first *count* states of *rows*, of which *expansion* tells what follows.

        With symmetries *sizes* tells how many positions each of these stands for.
        """
        counts, verdicts = expansion.counts[:count], expansion.verdicts[:count]
        self.followed += count
        if sizes is None:
            is_all = count == len(expansion.counts)
            self.moves += len(expansion.states) if is_all else int(counts.sum())
            self._end(verdicts, counts == 0)
        else:
            self.moves += _total(sizes, counts)
            self.positions += _total(sizes)
            self._end_of_classes(verdicts[counts == 0], sizes[counts == 0])
        if len(expansion.faulty):
            faulty = rows[expansion.faulty[expansion.faulty < count]].tolist()
            self.faulty += len(faulty)
            self.faulty_rows = least(self.faulty_rows + [tuple(row) for row in faulty])

    def judge(self, verdicts: Numbers, sizes: Numbers | None = None) -> None:
        """Take in the *verdicts* on some states, or on none of them; no more is known of them."""
        is_over = outcome_of(verdicts) >= 0
        if sizes is None:
            self._end(verdicts, is_over)
            return
        self.positions += _total(sizes)
        if len(verdicts):
            self._end_of_classes(verdicts[is_over], sizes[is_over])

    def _end(self, verdicts: Numbers, is_end: Truths) -> None:
        """Take in the states in which plays end, or are stuck."""
        if not is_end.any():
            return
        # All are counted, the others as 0: choosing among so many is slower than counting them.
        counts = np.bincount((verdicts + 1) * is_end)[1:]
        found = np.flatnonzero(counts)
        self._count(found, counts[found].tolist())

    def _end_of_classes(self, verdicts: Numbers, sizes: Numbers) -> None:
        """The same for states that stand for several positions each."""
        found = np.unique(verdicts)
        self._count(found, [_total(sizes[verdicts == verdict]) for verdict in found])

    def _count(self, verdicts: Numbers, counts: list[int]) -> None:
        outcomes, players = outcome_of(verdicts).tolist(), player_of(verdicts).tolist()
        for outcome, player, count in zip(outcomes, players, counts, strict=True):
            if outcome < 0:
                self.stuck[player] += count
            else:
                self.over[outcome] += count

    def join(self, other: LevelCounts) -> None:
        self.followed += other.followed
        self.moves += other.moves
        self.earlier += other.earlier
        self.over += other.over
        self.stuck += other.stuck
        self.faulty += other.faulty
        self.faulty_rows = least(self.faulty_rows + other.faulty_rows)
        self.positions += other.positions


def least(rows: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The least of *rows*: which threads found them, and when, must not matter."""
    return sorted(rows)[:MOST_FAULTY]


def _total(sizes: Numbers, times: Numbers | int = 1) -> int:
    """The sum of *sizes*, each so many *times*; it may be larger than a machine word."""
    if sizes.dtype == np.object_:
        return int((sizes * times).sum()) if len(sizes) else 0
    upper, lower = sizes >> _HALF, sizes & ((1 << _HALF) - 1)
    return (int((upper * times).sum()) << _HALF) + int((lower * times).sum())
