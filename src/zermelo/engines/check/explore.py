"""The reachable states near the start, one at a time, and the states themselves.

Comes in a machine and limits; goes out a space with its walk. This is for engines
that look into every state; ``exploration`` counts spaces of any size.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from zermelo.core.machine import Ending, Fault, Machine, Move, Outcome, RuleEvent, State, Turn
from zermelo.core.progress import INTERRUPTED, Listener, Progress
from zermelo.core.space import EndingFound, FaultFound, PlayCounts, RuleName, Space, StuckFound
from zermelo.core.walk import UNLIMITED, Limits, Walk


@dataclass(frozen=True, slots=True, kw_only=True)
class Walked(Space):
    """A space with the states themselves."""

    walk: Walk[State] = field(repr=False, compare=False)
    """The states, and the shortest play to each."""
    turns: tuple[tuple[State, Move], ...] = field(default=(), repr=False, compare=False)
    """The moves that were made, each with the state before it."""


def explore(
    machine: Machine,
    *,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
    visit: Callable[[State], None] | None = None,
) -> Walked:
    """The states that can be reached in *machine*, within *limits*.

    *visit* is called once for every state, nearest first.
    """
    survey = _Survey(machine)
    walk = Walk(machine.initial, survey.successors, limits=limits, listener=listener)
    for state in walk:
        if visit is not None:
            visit(state)
    # The others were found to be over, or not, when their moves were asked for.
    for state in walk.nodes[walk.followed :]:
        survey.take(state)
    return survey.space(walk)


def plays(
    machine: Machine,
    length: int,
    *,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
) -> PlayCounts:
    """The number of plays of each length from 1 to *length*.

    Plays that pass through the same state are counted together, so that the work
    grows with the states and not with the plays. A limit of states bounds how
    many different states the plays of one length may end in.
    """
    began = time.monotonic()
    ways = {machine.initial: 1}
    counts: list[int] = []
    for depth in range(1, length + 1):
        after: dict[State, int] = {}
        for done, (state, count) in enumerate(ways.items()):
            for _, successor in successors(machine, state):
                after[successor] = after.get(successor, 0) + count
            seconds = time.monotonic() - began
            if cut := _too_much(limits, states=len(after), depth=depth, seconds=seconds):
                return PlayCounts(tuple(counts), cut)
            told = Progress(depth, len(after), len(ways) - done, seconds)
            if listener is not None and done % 32 == 0 and listener(told):
                return PlayCounts(tuple(counts), INTERRUPTED)
        counts.append(sum(after.values()))
        ways = after
    return PlayCounts(tuple(counts), None)


def _too_much(limits: Limits, *, states: int, depth: int, seconds: float) -> str | None:
    if limits.states is not None and states > limits.states:
        return f"plays of {depth:,} moves end in more than {limits.states:,} states"
    if limits.seconds is not None and seconds > limits.seconds:
        return f"stopped after {limits.seconds:g} seconds, at plays of {depth:,} moves"
    return None


def successors(machine: Machine, state: State) -> Iterator[tuple[Move, State]]:
    """Each legal move with the state after it."""
    for move in machine.legal(state):
        yield move, machine.after(state, move)


class _Survey:
    """The counts of an exploration while it runs."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._outcomes: dict[State, Outcome] = {}
        self._stuck: list[State] = []
        self._faults: list[tuple[Fault, State, Move]] = []
        self._turns: list[tuple[State, Move]] = []

    def take(self, state: State) -> None:
        """Note how *state* ends, if play stops in it."""
        if state not in self._outcomes and self._machine.is_over(state):
            self._end(state)

    def successors(self, state: State) -> Iterator[tuple[Move, State]]:
        """Each legal move with the state after it; notes faults and stuck states."""
        moves = self._machine.legal(state)
        if not moves and state not in self._outcomes:
            self._end(state)
        for move, fault in self._machine.faults(state).items():
            self._faults.append((fault, state, move))
        for move in moves:
            self._turns.append((state, move))
            yield move, self._machine.after(state, move)

    def space(self, walk: Walk[State]) -> Walked:
        """What was found."""
        return Walked(
            states=walk.reached,
            by_depth=tuple(walk.by_depth),
            over_by_depth=self._over_by_depth(walk),
            moves=walk.moves,
            endings=self._endings(walk),
            stuck=self._stuck_found(walk),
            faults=self._faults_found(walk),
            followed=walk.followed,
            full_depth=walk.full_depth,
            cut=walk.cut,
            walk=walk,
            turns=tuple(self._turns),
        )

    def _end(self, state: State) -> None:
        outcome = self._machine.outcome(state)
        if outcome is None or outcome.ending is Ending.STUCK:
            self._stuck.append(state)
        else:
            self._outcomes[state] = outcome

    def _over_by_depth(self, walk: Walk[State]) -> tuple[int, ...]:
        counts = [0] * len(walk.by_depth)
        for state in self._outcomes:
            counts[walk.depth(state)] += 1
        return tuple(counts)

    def _endings(self, walk: Walk[State]) -> tuple[EndingFound, ...]:
        states: dict[Outcome, list[State]] = {}
        for state, outcome in self._outcomes.items():
            states.setdefault(outcome, []).append(state)
        return tuple(
            EndingFound(outcome, len(found), walk.play(found[0]))
            for outcome, found in states.items()
        )

    def _stuck_found(self, walk: Walk[State]) -> StuckFound | None:
        if not self._stuck:
            return None
        first = self._stuck[0]
        return StuckFound(len(self._stuck), first, walk.play(first))

    def _faults_found(self, walk: Walk[State]) -> tuple[FaultFound, ...]:
        places: dict[Fault, list[tuple[State, Move]]] = {}
        for fault, state, move in self._faults:
            places.setdefault(fault, []).append((state, move))
        return tuple(
            FaultFound(fault, len(found), state, (*walk.play(state), move))
            for fault, found in places.items()
            for state, move in found[:1]
        )


def rules_fired(turn: Turn) -> list[RuleName]:
    """The rules that fired in *turn*, each once, in the order in which they first did."""
    fired: dict[RuleName, None] = {}
    for event in turn.events:
        if isinstance(event, RuleEvent) and event.fired:
            fired[event.procedure, event.rule.label] = None
    return list(fired)
