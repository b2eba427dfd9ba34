"""What an exploration says: a ``Space`` made of what was counted and of plays traced afterwards."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np
import numpy.typing as npt

from zermelo.core.expander import Expander, Numbers, Rows
from zermelo.core.machine import Fault, Move, Outcome
from zermelo.core.outcomes import outcome_of_stuck
from zermelo.core.progress import Listener, Progress
from zermelo.core.space import (
    NOTHING_MORE,
    Classes,
    EndingFound,
    FaultFound,
    Longest,
    RuleName,
    Run,
    Space,
    StuckFound,
    Wishes,
)
from zermelo.core.values import UNSET
from zermelo.core.walk import UNLIMITED, Limits
from zermelo.engines.space import trace
from zermelo.engines.space.arrivals import End
from zermelo.engines.space.layers import layers
from zermelo.engines.space.orbits.backwards import traced_back
from zermelo.engines.space.orbits.reduced import Reduced, real_play
from zermelo.engines.space.store import NOWHERE, Store, followed
from zermelo.engines.space.survey import Keeper, Survey, crew, survey
from zermelo.engines.space.trace import Goal, Traced
from zermelo.languages.sections.ir import Stuck

_STATES_TO_COUNT: Final = 20_000
"""How often rules fired is counted in larger spaces only if that is asked for."""
_STATES_TO_COUNT_FAST: Final = 2_000_000
"""The same for compiled code."""
_FEW: Final = 1024
_STATES_TO_PEEL: Final = 4_000_000
_STATES_TO_PEEL_SLOWLY: Final = 100_000
"""Larger spaces with moves across levels are not peeled unless their plays are to be counted."""


def explore(
    expander: Expander,
    store: Store,
    *,
    start: Rows,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
    threads: int = 1,
    wishes: Wishes = NOTHING_MORE,
    keeper: Keeper | None = None,
    begun: Survey | None = None,
    spent: float = 0.0,
) -> Space:
    """The states that can be reached from *start*, within *limits*.

    *spent* seconds went by before; they count.
    """
    found = survey(
        expander,
        store,
        start=start,
        limits=limits,
        listener=listener,
        threads=threads,
        keeper=keeper,
        begun=begun,
        spent=spent,
    )
    report = _Report(expander, store, found, start, listener)
    return report.space(wishes, threads)


class _Report:
    """What is said about an exploration that is done."""

    def __init__(
        self,
        expander: Expander,
        store: Store,
        found: Survey,
        start: Rows,
        listener: Listener | None,
    ) -> None:
        self._expander = expander
        self._store = store
        self._found = found
        self._start = start
        self._listener = listener

    def space(self, wishes: Wishes, threads: int) -> Space:
        """The space."""
        found, store = self._found, self._store
        bytes_taken = store.bytes
        endings, stuck = self._ends()
        longest, plays = self._longest(count_plays=wishes.complete_plays)
        return Space(
            states=sum(self._by_depth),
            by_depth=self._by_depth,
            over_by_depth=tuple(tally.over.total() for tally in found.levels),
            moves=sum(tally.moves for tally in found.levels),
            endings=endings,
            stuck=stuck,
            faults=self._faults(),
            followed=sum(tally.followed for tally in found.levels),
            full_depth=found.full_depth,
            cut=found.cut,
            faulty=sum(tally.faulty for tally in found.levels),
            fired=self._fired(threads) if self._is_worth_counting(wishes) else None,
            longest=longest,
            complete_plays=plays,
            run=Run(
                seconds=found.seconds,
                threads=threads,
                machine=self._expander.note,
                store=store.note,
                bytes=bytes_taken,
                estimate=found.first_estimate,
            ),
            classes=self._classes(),
        )

    @property
    def _by_depth(self) -> tuple[int, ...]:
        """How many states there are on each level, those that are only stood for included."""
        if not isinstance(self._expander, Reduced):
            return self._store.by_depth
        return tuple(tally.positions for tally in self._found.levels)

    def _classes(self) -> Classes | None:
        if not isinstance(self._expander, Reduced):
            return None
        used = self._expander.reduction
        return Classes(
            count=self._store.states,
            by_depth=self._store.by_depth,
            symmetries=used.order,
            words=", ".join(used.words),
        )

    # Endings

    def _ends(self) -> tuple[tuple[EndingFound, ...], StuckFound | None]:
        counts, goals = self._over()
        stuck = sum(tally.stuck.total() for tally in self._found.levels)
        if stuck:
            level = next(at for at, tally in enumerate(self._found.levels) if tally.stuck.total())
            goals.append(Goal(level, trace.stuck))
        traced = self._traced(goals)
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
                goal = Goal(level, trace.ending(number), (End.OVER, number))
                goals.setdefault(outcomes[number], goal)
            for player, count in tally.stuck.items():
                outcome = self._outcome_of_stuck(player)
                if outcome is not None:
                    counts[outcome] = counts.get(outcome, 0) + count
                    goal = Goal(level, trace.stuck_player(player), (End.STUCK, player))
                    goals.setdefault(outcome, goal)
        return counts, list(goals.values())

    def _outcome_of_stuck(self, number: int) -> Outcome | None:
        """What it means that this player is stuck, if a reading says so."""
        system = self._expander.system
        if system.stuck not in {Stuck.LOSES, Stuck.DRAWS}:
            return None
        player = None if number < 0 else system.players[number]
        outcome = outcome_of_stuck(system, player, UNSET)
        return outcome if outcome.is_over else None

    def _traced(self, goals: list[Goal]) -> list[Traced]:
        arrivals = self._found.arrivals
        if isinstance(self._expander, Reduced):
            found = [traced_back(self._expander, self._store, goal) for goal in goals]
        elif arrivals is None:
            found = trace.trace(self._expander, goals, start=self._start, store=self._store)
        else:
            found = [
                trace.recall(self._expander, goal, store=self._store, arrivals=arrivals)
                for goal in goals
            ]
        return [self._real(traced) for traced in found if traced is not None]

    def _real(self, traced: Traced) -> Traced:
        """With symmetries, a play of the system that is like the one through classes."""
        if not isinstance(self._expander, Reduced):
            return traced
        play, row = real_play(self._expander, self._start, traced.play)
        return Traced(row, play)

    # Faults and rules

    def _faults(self) -> tuple[FaultFound, ...]:
        """Each fault with its first state; of very many states only the least are looked into."""
        counts: dict[Fault, int] = {}
        firsts: dict[Fault, tuple[Goal, Move]] = {}
        for level, tally in enumerate(self._found.levels):
            for row in tally.faulty_rows:
                faults = self._expander.faults(np.array(row, dtype=np.int64))
                for move, fault in faults.items():
                    counts[fault] = counts.get(fault, 0) + 1
                    goal = Goal(level, trace.same(row), row=row)
                    firsts.setdefault(fault, (goal, move))
        traced = self._traced([goal for goal, _ in firsts.values()])
        return tuple(
            FaultFound(
                fault,
                counts[fault],
                self._expander.unpack(to.row),
                (*to.play, self._faulty_move(to.row, move)),
            )
            for (fault, (_, move)), to in zip(firsts.items(), traced, strict=True)
        )

    def _faulty_move(self, row: Rows, move: Move) -> Move:
        """The move that goes wrong in *row*, which with symmetries may be another than *move*."""
        there = self._expander.faults(row)
        return move if move in there else next(iter(there), move)

    def _fired(self, threads: int) -> Mapping[RuleName, int] | None:
        """In how many moves each rule fired; ``None`` if it was asked to stop meanwhile."""
        expanders = crew(self._expander, threads)
        totals = [np.zeros(len(self._expander.rules), dtype=np.int64) for _ in expanders]
        rows = (
            rows
            for level, tally in enumerate(self._found.levels)
            for rows in followed(self._store, level, tally.followed)
        )
        lock = threading.Lock()

        def count(number: int) -> bool:
            while not self._is_asked_to_stop():
                with lock:
                    part = next(rows, None)
                if part is None:
                    return True
                totals[number] += expanders[number].fired(part)
            return False

        with ThreadPoolExecutor(len(expanders)) as pool:
            if not all(list(pool.map(count, range(len(expanders))))):
                return None
        return dict(zip(self._expander.rules, np.sum(totals, axis=0).tolist(), strict=True))

    # Long plays

    def _longest(self, *, count_plays: bool) -> tuple[Longest | None, int | None]:
        if self._found.cut is not None or not self._is_worth_peeling(count_plays=count_plays):
            return None, None
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

    def _last(self, level: int, layer_of: npt.NDArray[np.int32] | None) -> tuple[Move, ...]:
        """The first play to the last level, or to the last layer where layers are not levels."""
        if layer_of is None:
            first = self._store.rows(self._store.pieces(level, _FEW)[0])[0]
            (traced,) = self._traced([Goal(level, trace.anything, row=tuple(first.tolist()))])
            return traced.play

        def layer(rows: Rows) -> Numbers:
            numbers = self._store.numbers(rows)
            found = layer_of[numbers].astype(np.int64)
            found[numbers == NOWHERE] = NOWHERE
            return found

        goal = Goal(level, trace.anything)
        (last,) = trace.trace(
            self._expander, [goal], start=self._start, store=self._store, level_of=layer
        )
        assert last is not None, "some play leads through all layers"
        return self._real(last).play

    def _is_worth_peeling(self, *, count_plays: bool) -> bool:
        is_slow = self._expander.native is None
        most = _STATES_TO_PEEL_SLOWLY if is_slow else _STATES_TO_PEEL
        return count_plays or self._found.is_graded or self._store.states <= most

    def _is_worth_counting(self, wishes: Wishes) -> bool:
        if isinstance(self._expander, Reduced):
            # Which rules fire for one state of a class does not tell how often they do for all.
            return False
        few = _STATES_TO_COUNT if self._expander.native is None else _STATES_TO_COUNT_FAST
        return wishes.rules or self._store.states <= few

    def _is_asked_to_stop(self) -> bool:
        if self._listener is None:
            return False
        told = Progress(self._found.full_depth, self._store.states, 0, self._found.seconds)
        return bool(self._listener(told))
