"""What an exploration says: a ``Space`` made of what was counted and of plays traced afterwards."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, replace
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from zermelo.core.arrays import Numbers, Piece, Rows
from zermelo.core.expander import MOST_CLAIMS, Expander
from zermelo.core.limits import INTERRUPTED, UNLIMITED, Limits, Listener, Progress, out_of_time
from zermelo.core.machine import Fault, Outcome, outcome_of_stuck, stuck_is_decided
from zermelo.core.signature import RuleName
from zermelo.core.space import (
    DEFAULT_OPTIONS,
    ClaimBroken,
    Classes,
    EndingFound,
    ExploreOptions,
    FaultFound,
    Longest,
    Run,
    Space,
    StuckFound,
)
from zermelo.core.state import Move
from zermelo.core.values import UNSET
from zermelo.engines.space import traces
from zermelo.engines.space.level_counts import (
    Checkpoints,
    CountedLevels,
    LevelCounts,
    count_levels,
)
from zermelo.engines.space.orbits.reduction import ReducedExpander, Reduction, real_play
from zermelo.engines.space.peeling import layers
from zermelo.engines.space.store import NOWHERE, StateStore, followed
from zermelo.engines.space.thread_pool import twins
from zermelo.engines.space.traces import End, Goal, Traced, traced_back
from zermelo.text import budget
from zermelo.text.budget import EXPLORING, TRACING, OutOfRoom, OutOfTime

T = TypeVar("T")
_STATES_OF_CLAIMS: Final = 8192
"""So many states are looked at in one go for claims that are broken."""
_STATES_TO_COUNT: Final = 20_000
"""How often rules fired is counted in larger spaces only if that is asked for."""
_STATES_TO_COUNT_FAST: Final = 2_000_000
"""The same for compiled code."""
_BYTES_TO_PEEL: Final = 8
_BYTES_TO_COUNT: Final = 8
"""The memory that it takes for each state to peel a space, and to count its plays."""
STATES_TO_PEEL: Final = 4_000_000
_STATES_AT_ONCE: Final = 1024
_STATES_TO_PEEL_SLOWLY: Final = 100_000
"""Larger spaces with moves across levels are not peeled unless their plays are to be counted."""


def explore(
    expander: Expander,
    store: StateStore,
    *,
    start: Rows,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
    threads: int = 1,
    wishes: ExploreOptions = DEFAULT_OPTIONS,
    reduction: Reduction | None = None,
    checkpoints: Checkpoints | None = None,
    begun: CountedLevels | None = None,
    spent: float = 0.0,
) -> Space:
    """The states that can be reached from *start*, within *limits*.

    With a *reduction* one state is followed for all that are alike. *spent* seconds
    went by before; they count.
    """
    classes = None if reduction is None else ReducedExpander(expander, reduction)
    expander = expander if classes is None else classes
    if limits.began is None:
        limits = replace(limits, began=budget.now())
    with budget.phase(EXPLORING):
        found = count_levels(
            expander,
            store,
            start=start,
            limits=limits,
            listener=listener,
            threads=threads,
            reduction=reduction,
            checkpoints=checkpoints,
            begun=begun,
            spent=spent,
        )
    report = SpaceReport(expander, store, found, start, classes, limits, listener)
    with budget.phase(TRACING), budget.budget(until=limits.last, is_last=True):
        return report.space(wishes, threads)


@dataclass(slots=True)
class SpaceReport:
    """What there is to say of the states in a store, once they are counted."""

    _expander: Expander
    _store: StateStore
    _found: CountedLevels
    _start: Rows
    _reduced: ReducedExpander | None
    """The expander, if it gives only states that stand for others."""
    _limits: Limits
    _listener: Listener | None
    fired_before: Mapping[RuleName, int] | None = None
    """In how many moves each rule fired, if that was counted while states were followed."""
    _untold: str | None = None
    _has_plays: bool = True

    def space(self, wishes: ExploreOptions, threads: int) -> Space:
        found, store = self._found, self._store
        bytes_taken = store.bytes
        endings, stuck = self._ends()
        faults = self._faults()
        longest, plays = self._longest(count_plays=wishes.complete_plays)
        few = _STATES_TO_COUNT if self._expander.native is None else _STATES_TO_COUNT_FAST
        is_small = self._reduced is None and store.states <= few
        classes = None
        if self._reduced is not None:
            used = self._reduced.reduction
            classes = Classes(
                count=store.states,
                by_depth=store.by_depth,
                symmetries=used.order,
                words=", ".join(used.words),
            )
        fired = self.fired_before
        if fired is None and (wishes.rules or is_small):
            fired = self._fired(threads)
        watch = budget.watch()
        faulty = sum(tally.faulty for tally in found.levels)
        return Space(
            states=sum(self._by_depth),
            by_depth=self._by_depth,
            over_by_depth=tuple(
                tally.over.total() + tally.stuck.total() - self._undecided(tally)
                for tally in found.levels
            ),
            moves=sum(tally.moves for tally in found.levels),
            endings=endings,
            stuck=stuck,
            faults=faults,
            followed=sum(tally.followed for tally in found.levels),
            full_depth=found.full_depth,
            cut=found.cut,
            faulty=faulty,
            how_much=self._expander.signature.all_reached(is_whole=not faulty),
            # What fires for one state of a class does not tell how often it does for all.
            fired=fired if self._reduced is None else None,
            fires=None if fired is None else {name: times > 0 for name, times in fired.items()},
            broken=self._broken(threads) if wishes.claims else None,
            longest=longest,
            complete_plays=plays,
            run=Run(
                seconds=found.seconds if watch is None else watch.seconds,
                phases={} if watch is None else watch.spent(),
                threads=threads,
                machine=self._expander.note,
                store=store.note,
                bytes=bytes_taken,
                estimate=found.first_estimate,
            ),
            classes=classes,
            untold=self._untold,
            has_plays=self._has_plays,
        )

    def _leave_out(self, reason: str) -> None:
        """Note why something is not told, if that is not clear from why all was cut short."""
        if reason != self._found.cut:
            self._untold = self._untold or reason

    @property
    def _by_depth(self) -> tuple[int, ...]:
        """How many states there are on each level, those that are only stood for included."""
        if self._reduced is None:
            return self._store.by_depth
        return tuple(tally.positions for tally in self._found.levels)

    # Endings

    def _ends(self) -> tuple[tuple[EndingFound, ...], StuckFound | None]:
        counts, goals = self._over()
        undecided = [self._undecided(tally) for tally in self._found.levels]
        stuck = sum(undecided)
        if stuck:
            level = next(at for at, count in enumerate(undecided) if count)
            goals.append(Goal(level, traces.stuck))
        traced = self._traced(goals)
        if not self._has_plays:
            endings = [EndingFound(outcome, count, ()) for outcome, count in counts.items()]
            return tuple(endings), StuckFound(stuck, None, ()) if stuck else None
        first_stuck = traced.pop() if stuck else None
        endings = [
            EndingFound(outcome, count, play.play)
            for (outcome, count), play in zip(counts.items(), traced, strict=True)
        ]
        endings.sort(key=lambda each: (len(each.play), [m.sort_key() for m in each.play]))
        if first_stuck is None:
            return tuple(endings), None
        state = self._expander.unpack(first_stuck.row)
        return tuple(endings), StuckFound(stuck, state, first_stuck.play)

    def _over(self) -> tuple[dict[Outcome, int], list[Goal]]:
        """The outcomes, each with the number of its states and where its first state is."""
        outcomes = self._expander.outcomes
        counts: dict[Outcome, int] = {}
        goals: dict[Outcome, Goal] = {}
        for level, tally in enumerate(self._found.levels):
            for number, count in tally.over.items():
                counts[outcomes[number]] = counts.get(outcomes[number], 0) + count
                goal = Goal(level, traces.ending(number), (End.OVER, number))
                goals.setdefault(outcomes[number], goal)
            for player, count in tally.stuck.items():
                outcome = self._outcome_of_stuck(player)
                if outcome is not None:
                    counts[outcome] = counts.get(outcome, 0) + count
                    goal = Goal(level, traces.stuck_player(player), (End.STUCK, player))
                    goals.setdefault(outcome, goal)
        return counts, list(goals.values())

    def _undecided(self, tally: LevelCounts) -> int:
        """How many states of a level are stuck, and no reading says what that means."""
        return sum(
            count for player, count in tally.stuck.items() if self._outcome_of_stuck(player) is None
        )

    def _outcome_of_stuck(self, number: int) -> Outcome | None:
        """What it means that this player is stuck, if a reading says so."""
        signature = self._expander.signature
        if not stuck_is_decided(signature):
            return None
        player = None if number < 0 else signature.players[number]
        outcome = outcome_of_stuck(signature, player, UNSET)
        return outcome if outcome.is_over else None

    def _traced(self, goals: list[Goal]) -> list[Traced]:
        """The plays to *goals*; none where the time was over before, which is noted."""
        if not self._has_plays:
            return []
        try:
            return self._all_traced(goals)
        except (OutOfTime, OutOfRoom) as stop:
            self._has_plays = False
            self._untold = str(stop)
            return []

    def _all_traced(self, goals: list[Goal]) -> list[Traced]:
        arrivals = self._found.arrivals
        if self._reduced is not None:
            found = [traced_back(self._expander, self._store, goal) for goal in goals]
        elif arrivals is None:
            found = traces.trace(
                self._expander,
                goals,
                start=self._start,
                store=self._store,
                room=self._limits.memory,
            )
        else:
            found = [
                traces.recall(self._expander, goal, store=self._store, arrivals=arrivals)
                for goal in goals
            ]
        return [self._real(traced) for traced in found if traced is not None]

    def _real(self, traced: Traced) -> Traced:
        """With symmetries, a play of the system that is like the one through classes."""
        if self._reduced is None:
            return traced
        play, row = real_play(self._reduced, self._start, traced.play)
        return Traced(row, play)

    # Faults and rules

    def _faults(self) -> tuple[FaultFound, ...]:
        """Each fault with its first state; of very many states only the least are looked into."""
        counts: dict[Fault, int] = {}
        firsts: dict[Fault, tuple[Goal, Move]] = {}
        rows = (
            (at, row) for at, tally in enumerate(self._found.levels) for row in tally.faulty_rows
        )
        for level, row in rows:
            try:
                budget.look(TRACING)
                faults = self._expander.faults(np.array(row, dtype=np.int64))
            except (OutOfTime, OutOfRoom) as stop:
                self._untold = str(stop)
                break
            goal = Goal(level, traces.same(row), row=row)
            for move, first in faults.items():
                for fault in first.each():
                    counts[fault] = counts.get(fault, 0) + 1
                    firsts.setdefault(fault, (goal, move))
        traced = self._traced([goal for goal, _ in firsts.values()])
        plays: list[tuple[Rows, tuple[Move, ...]]] = []
        try:
            for (_, move), to in zip(firsts.values(), traced, strict=self._has_plays):
                plays.append((to.row, (*to.play, self._faulty_move(move, to))))
        except (OutOfTime, OutOfRoom) as stop:
            self._has_plays = False
            self._untold = str(stop)
        if not self._has_plays:
            plays = [(np.array(goal.row), ()) for goal, _ in firsts.values()]
        return tuple(
            FaultFound(fault, counts[fault], self._expander.unpack(row), play)
            for fault, (row, play) in zip(firsts, plays, strict=True)
        )

    def _faulty_move(self, move: Move, to: Traced) -> Move:
        """The move that goes wrong after a play: with symmetries it may be another than *move*."""
        if self._reduced is None:
            return move
        there = self._expander.faults(to.row)
        return move if move in there else next(iter(there), move)

    def _fired(self, threads: int) -> Mapping[RuleName, int] | None:
        """In how many moves each rule fired; ``None`` if it was asked to stop meanwhile."""
        try:
            return self._count_fired(threads)
        except OutOfTime:
            self._leave_out(out_of_time(self._limits))
            return None

    def _count_fired(self, threads: int) -> Mapping[RuleName, int] | None:
        expanders = twins(self._expander, threads)
        totals = [np.zeros(len(self._expander.rules), dtype=np.int64) for _ in expanders]
        rows = (
            rows
            for level, tally in enumerate(self._found.levels)
            for rows in followed(self._store, level, tally.followed)
        )

        def count(number: int, part: Rows) -> None:
            totals[number] += expanders[number].fired(part)

        if not self._with_each(rows, len(expanders), count):
            return None
        return dict(zip(self._expander.rules, np.sum(totals, axis=0).tolist(), strict=True))

    def _with_each(self, parts: Iterator[T], threads: int, work: Callable[[int, T], None]) -> bool:
        """Do *work* with each of *parts* by so many threads; whether nobody asked to stop."""
        lock = threading.Lock()

        def go_on(number: int) -> bool:
            while not self._is_asked_to_stop():
                with lock:
                    part = next(parts, None)
                if part is None:
                    return True
                work(number, part)
            return False

        with ThreadPoolExecutor(threads) as pool:
            asked = [pool.submit(copy_context().run, go_on, number) for number in range(threads)]
            return all(each.result() for each in asked)

    # Claims

    def _broken(self, threads: int) -> tuple[ClaimBroken, ...] | None:
        """The claims that are broken; ``None`` where not every state was looked at."""
        try:
            return self._look_for_broken(threads)
        except (OutOfTime, OutOfRoom) as stop:
            self._leave_out(str(stop))
            return None

    def _look_for_broken(self, threads: int) -> tuple[ClaimBroken, ...] | None:
        claims = min(len(self._expander.signature.claims), MOST_CLAIMS)
        expanders = twins(self._expander, threads)
        levels = len(self._store.by_depth)
        found = [np.zeros((levels, claims), dtype=np.int64) for _ in expanders]
        parts = (
            (level, piece)
            for level in range(levels)
            for piece in self._store.pieces(level, _STATES_OF_CLAIMS)
        )

        def look(number: int, part: tuple[int, Piece]) -> None:
            level, piece = part
            bits = expanders[number].broken(self._store.rows(piece))
            if bits.any():
                found[number][level] += [int((bits >> at & 1).sum()) for at in range(claims)]

        if claims and not self._with_each(parts, len(expanders), look):
            return None
        counts = np.sum(found, axis=0)
        broken = [at for at in range(claims) if counts[:, at].any()]
        goals = [Goal(int(np.flatnonzero(counts[:, at])[0]), self._breaks(at)) for at in broken]
        if self._found.arrivals is not None:
            goals = [self._first_of(goal) for goal in goals]
        traced = self._all_traced(goals)
        return tuple(
            ClaimBroken(
                at,
                None if self._reduced is not None else int(counts[:, at].sum()),
                self._expander.unpack(each.row),
                each.play,
            )
            for at, each in zip(broken, traced, strict=True)
        )

    def _breaks(self, claim: int) -> traces.Test:
        return lambda rows, _: (self._expander.broken(rows) >> claim & 1) != 0

    def _first_of(self, goal: Goal) -> Goal:
        """*goal* with the first row on its level that passes its test."""
        for piece in self._store.pieces(goal.level, _STATES_AT_ONCE):
            rows = self._store.rows(piece)
            at = np.flatnonzero(goal.test(rows, self._expander.expand(rows)))
            if len(at):
                return replace(goal, row=tuple(rows[at[0]].tolist()))
        return goal

    # Long plays

    def _longest(self, *, count_plays: bool) -> tuple[Longest | None, int | None]:
        most = _STATES_TO_PEEL_SLOWLY if self._expander.native is None else STATES_TO_PEEL
        is_worth_it = count_plays or self._found.is_graded or self._store.states <= most
        if self._found.cut is not None or not is_worth_it:
            return None, None
        memory = self._limits.memory
        needed = 0 if self._found.is_graded else _BYTES_TO_PEEL * self._store.numbers_end
        needed += _BYTES_TO_COUNT * self._store.numbers_end if count_plays else 0
        if memory is not None and self._store.bytes + needed > memory:
            self._leave_out(str(OutOfRoom(memory)))
            return None, None
        try:
            peeled = layers(
                self._expander,
                self._store,
                start=self._start,
                is_graded=self._found.is_graded,
                count_plays=count_plays,
                ask=self._is_asked_to_stop,
            )
            if peeled is None:
                return None, None
            if peeled.count is None:
                return Longest(None), None
            return Longest(self._last(peeled.count - 1, peeled.layer_of)), peeled.complete_plays
        except OutOfTime:
            self._leave_out(out_of_time(self._limits))
            return None, None
        except OutOfRoom as stop:
            self._leave_out(str(stop))
            return None, None

    def _last(self, level: int, layer_of: npt.NDArray[np.int32] | None) -> tuple[Move, ...]:
        """The first play to the last level, or to the last layer where layers are not levels."""
        if layer_of is None:
            row = None
            if self._found.arrivals is not None or self._reduced is not None:
                first = self._store.rows(self._store.pieces(level, _STATES_AT_ONCE)[0])[0]
                row = tuple(first.tolist())
            (traced,) = self._all_traced([Goal(level, traces.anything, row=row)])
            return traced.play

        def layer(rows: Rows) -> Numbers:
            numbers = self._store.numbers(rows)
            found = layer_of[numbers].astype(np.int64)
            found[numbers == NOWHERE] = NOWHERE
            return found

        goal = Goal(level, traces.anything)
        (last,) = traces.trace(
            self._expander,
            [goal],
            start=self._start,
            store=self._store,
            level_of=layer,
            room=self._limits.memory,
        )
        assert last is not None, "some play leads through all layers"
        return self._real(last).play

    def _is_asked_to_stop(self) -> bool:
        left = self._limits.time_left()
        if left is not None and left < 0:
            self._leave_out(out_of_time(self._limits))
            return True
        if self._listener is None:
            return False
        told = Progress(
            self._found.full_depth, self._store.states, 0, self._found.seconds, phase=TRACING
        )
        is_asked = bool(self._listener(told))
        if is_asked:
            self._leave_out(INTERRUPTED)
        return is_asked
