"""A machine played for a while: near the start thoroughly, then deep at random.

The nearest states are played first, so that the first play that shows something there is a
shortest one. The random source has a fixed seed and the effort is counted in moves, so that
the same machine is always seen the same way. What is slow is bounded by steps, and that is said.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeAlias, TypeVar, runtime_checkable

from zermelo.core.arrays import Piece
from zermelo.core.limits import (
    INTERRUPTED,
    UNLIMITED,
    Limits,
    Listener,
    Progress,
    out_of_time,
    why_stopped,
)
from zermelo.core.machine import Fault, FaultKind, Machine, Turn, unlisted
from zermelo.core.observation import Observation, PlayEnd, Step, results_reached
from zermelo.core.state import Move, State
from zermelo.engines.space.sweep import Follower, NumberedLevels, Sweep, Swept, stopped_at_depth
from zermelo.text import budget
from zermelo.text.budget import LimitReached, OverBudget, TooDeep

N = TypeVar("N", bound=Hashable)
Follow: TypeAlias = Callable[[N], Iterable[tuple[Move, N]]]

_NODES_BETWEEN_REPORTS: Final = 32
_MOVES_BETWEEN_LOOKS: Final = 64
PLAYING: Final = "playing to see what happens"


class NearStates(NumberedLevels, Follower, Generic[N]):
    """States near a first one, found by a sweep; what has been found so far can be asked for."""

    def __init__(
        self,
        start: N,
        follow: Follow[N],
        *,
        limits: Limits = UNLIMITED,
        listener: Listener | None = None,
        visit: Callable[[N], None] | None = None,
    ) -> None:
        super().__init__([0, 1])
        self.followed = 0
        """How many states have been followed to the end; the first ones that were reached."""
        self.moves = 0
        self._follow = follow
        self._nodes = [start]
        self._arrivals: dict[N, tuple[N, Move] | None] = {start: None}
        self._listener = listener
        self._visit = visit
        self._sweep = Sweep(self, Swept(), limits=limits)

    def reach(self) -> None:
        limits = self._sweep.limits
        with budget.budget(steps=limits.steps, until=limits.until):
            try:
                if self._visit is not None:
                    self._visit(self._nodes[0])
            except LimitReached as stop:
                self._sweep.stop(why_stopped(stop, limits))
            self._sweep.run([self])
        self.seal()

    @property
    def cut(self) -> str | None:
        return self._sweep.found.cut

    @property
    def full_depth(self) -> int:
        """All states that are at most this many moves away have been reached."""
        return self._sweep.found.full_depth

    @property
    def is_complete(self) -> bool:
        return self.cut is None and self.followed == len(self._nodes)

    @property
    def nodes(self) -> tuple[N, ...]:
        return tuple(self._nodes)

    @property
    def reached(self) -> int:
        return len(self._nodes)

    def ahead(self, most: int) -> Sequence[N]:
        """The next states that are to be followed, as far as they are reached, *most* of them."""
        return self._nodes[self.followed : self.followed + most]

    def play(self, node: N) -> tuple[Move, ...]:
        """The shortest play to *node*; the first such play in canonical order."""
        moves: list[Move] = []
        arrival = self._arrivals[node]
        while arrival is not None:
            moves.append(arrival[1])
            arrival = self._arrivals[arrival[0]]
        return tuple(reversed(moves))

    @property
    def states(self) -> int:
        return len(self._nodes)

    def follow(self, _: int, piece: Piece) -> None:
        for node in self._nodes[slice(*piece)]:
            if self._sweep.is_over or not self._follow_one(node):
                return
            self.followed += 1
            self._report()

    def _follow_one(self, node: N) -> bool:
        """Take in what follows *node*; whether it could be done with all of it."""
        limits = self._sweep.limits
        for move, successor in self._follow(node):
            if not (self.moves + 1) % _MOVES_BETWEEN_LOOKS and self._sweep.is_late:
                self._sweep.stop(out_of_time(limits))
                return False
            if self.moves == limits.moves:
                self._sweep.stop(f"stopped after making {self.moves:,} moves")
                return False
            self.moves += 1
            if successor in self._arrivals:
                continue
            if limits.depth is not None and self._sweep.is_deepest:
                self._sweep.stop(stopped_at_depth(limits.depth))
                return False
            if limits.states is not None and len(self._nodes) >= limits.states:
                self._sweep.stop(f"stopped at {limits.states:,} states")
                return False
            self._arrivals[successor] = (node, move)
            self._nodes.append(successor)
            if self._visit is not None:
                self._visit(successor)
        return True

    def _report(self) -> None:
        if self._listener is None or self.followed % _NODES_BETWEEN_REPORTS:
            return
        waiting = len(self._nodes) - self.followed
        told = Progress(self.full_depth, len(self._nodes), waiting, self._sweep.seconds)
        if self._listener(told):
            self._sweep.stop(INTERRUPTED)


def successors(machine: Machine, state: State) -> Iterator[tuple[Move, State]]:
    for move in machine.legal(state):
        yield move, machine.after(state, move)


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How much is played."""

    states: int = 100
    """States near the start that are played in full."""
    turns: int = 150
    """Turns made there."""
    plays: int = 12
    """Random plays."""
    length: int = 200
    """The longest of them."""
    tries: int = 1_200
    """Moves found legal in all of them together, made or not."""
    work: int = 120_000
    """Members of sets gone through near the start, and as many again in random plays."""
    idle: int = 60
    """Inputs without effect that are tried, half of them near the start."""
    plays_without_news: int = 3
    """How many random plays may show nothing new before it is enough."""
    seeks_end: bool = False
    """Whether random plays go on until one ends, and no longer."""
    steps: int | None = None
    """How many steps, as ``budget`` counts them, may be spent; then what was seen is enough."""


NORMAL: Final = Effort(steps=2_000_000)
SEEKING: Final = Effort(plays=200, tries=4_000, seeks_end=True, steps=2_000_000)
PATIENT: Final = Effort(plays=100, tries=6_000, plays_without_news=30, steps=2_000_000)
"""For what was not seen at work with less: a rule or a result that is rare is not yet dead."""
_SEED: Final = 1913
_IDLE_OF_ONE_STATE: Final = 4
_PLIES_BETWEEN_IDLE: Final = 4
_PLAYS_FROM_ONE: Final = 12


@runtime_checkable
class Working(Protocol):
    """A machine that counts its work, so that a slow one is played less."""

    @property
    def work(self) -> int: ...


@runtime_checkable
class Trying(Protocol):
    """A machine that knows which inputs are worth trying, those without effect included."""

    def inputs(self, state: State) -> tuple[Move, ...]: ...


def observe(machine: Machine, *, effort: Effort = NORMAL, may_stop: bool = False) -> Observation:
    """What is seen of *machine* with this *effort*.

    When the steps of the effort are spent, what was seen is enough. What *may_stop* at another
    limit of this work gives what was seen until then. Otherwise ``LimitReached`` is raised: what
    is decided by it must not depend on the clock, nor on what was done before.
    """
    observer = _Observer(machine, effort)
    try:
        with budget.budget(steps=effort.steps):
            observer.look_around()
            if not observer.has_seen_all:
                observer.play_deep()
    except LimitReached as stop:
        if not may_stop and not _is_of(effort, stop):
            raise
        observer.stop(why_stopped(stop, UNLIMITED))
    return observer.observation()


def _is_of(effort: Effort, stop: LimitReached) -> bool:
    """Whether *stop* tells that the steps of *effort* are spent, and not those around it."""
    is_of_steps = isinstance(stop, OverBudget) and not isinstance(stop, TooDeep)
    return is_of_steps and effort.steps is not None and budget.left() != 0


def joined(first: Observation, second: Observation) -> Observation:
    return Observation(
        steps=first.steps + second.steps,
        faults={**second.faults, **first.faults},
        idle=first.idle + second.idle,
        halts=first.halts + second.halts,
        states=max(first.states, second.states),
        is_complete=first.is_complete or second.is_complete,
        unfinished=first.unfinished + second.unfinished,
        cut=first.cut or second.cut,
    )


class _Observer:
    def __init__(self, machine: Machine, effort: Effort) -> None:
        self.has_seen_all = False
        self._machine = machine
        self._effort = effort
        self._source = random.Random(_SEED)
        self._steps: list[Step] = []
        self._faults: dict[Fault, Step] = {}
        self._idle: list[Step] = []
        self._tries_inputs = machine if isinstance(machine, Trying) else None
        self._working = machine if isinstance(machine, Working) else None
        self._worked_before = self._work()
        self._halts: list[PlayEnd] = []
        self._seen: set[State] = set()
        self._unfinished = 0
        self._tries = 0
        self._has_conflict = False
        self._cut: str | None = None
        self._unfired = set(machine.signature.rules)
        self._missing = set(machine.signature.results)

    def look_around(self) -> None:
        near = NearStates(
            self._machine.initial,
            lambda state: self._all_turns(state, near.play(state)),
            limits=Limits(states=self._effort.states),
        )
        near.reach()
        budget.look(PLAYING)
        self._seen.update(near.nodes)
        self.has_seen_all = near.is_complete and not self._is_spent()

    def play_deep(self) -> None:
        without_news = 0
        self._worked_before = self._work()
        play: tuple[Step, ...] = ()
        for count in range(self._effort.plays):
            if self._is_tired() or self._has_enough(without_news):
                return
            start: tuple[Step, ...] = ()
            if self._effort.seeks_end and count % _PLAYS_FROM_ONE:
                # A play that got stuck may have been close to an end, and its last moves cost
                # least to play again.
                start = play[: self._source.randrange(len(play) // 2, len(play) + 1)][:-1]
            before = len(self._unfired), len(self._missing)
            play = self._random_play(start)
            is_news = (len(self._unfired), len(self._missing)) != before
            without_news = 0 if is_news else without_news + 1

    def _has_enough(self, without_news: int) -> bool:
        if self._effort.seeks_end:
            return any(not halt.is_stuck for halt in self._halts)
        if not self._unfired and not self._missing:
            without_news += self._effort.plays_without_news - NORMAL.plays_without_news
        return without_news >= self._effort.plays_without_news

    def stop(self, reason: str) -> None:
        self._cut, self.has_seen_all = reason, False

    def observation(self) -> Observation:
        return Observation(
            steps=tuple(self._steps),
            faults=self._faults,
            idle=tuple(self._idle),
            halts=tuple(self._halts),
            states=len(self._seen),
            is_complete=self.has_seen_all,
            unfinished=self._unfinished,
            cut=self._cut,
        )

    def _all_turns(self, state: State, before: tuple[Move, ...]) -> Iterator[tuple[Move, State]]:
        if self._is_spent():
            return
        budget.look(PLAYING)
        moves = self._machine.legal(state)
        if not moves:
            self._halt(state, before)
        self._note_faults(state, before)
        self._try_idle(state, before, most=self._effort.idle // 2)
        for move in moves:
            if self._is_spent():
                return
            after = self._make(state, move, before).turn.after
            if after is not None:
                yield move, after

    def _note_faults(self, state: State, before: tuple[Move, ...]) -> None:
        for move, first in self._machine.faults(state).items():
            for fault in first.each():
                turn = Turn(state, move, None, has_effect=False, fault=fault)
                self._faults.setdefault(fault, Step(turn, (*before, move)))
                self._has_conflict |= fault.kind is FaultKind.CONFLICT

    def _try_idle(self, state: State, before: tuple[Move, ...], *, most: int) -> None:
        """Try some inputs that have no effect, unless there have been *most* already."""
        has_rules = bool(self._machine.signature.rules)
        if self._tries_inputs is None or len(self._idle) >= most or not has_rules:
            return
        legal = set(self._machine.legal(state))
        others = [move for move in self._tries_inputs.inputs(state) if move not in legal]
        count = min(len(others), _IDLE_OF_ONE_STATE)
        # Where all rules have fired, nothing depends on which are tried.
        for move in self._source.sample(others, count) if self._unfired else others[:count]:
            turn = self._machine.turn(state, move)
            if turn.fault is None:
                self._unfired.difference_update(turn.fired)
                self._idle.append(Step(turn, (*before, move)))

    def _make(self, state: State, move: Move, before: tuple[Move, ...]) -> Step:
        turn = self._machine.turn(state, move)
        self._unfired.difference_update(turn.fired)
        step = Step(turn, (*before, move))
        self._steps.append(step)
        return step

    def _random_play(self, start: tuple[Step, ...]) -> tuple[Step, ...]:
        """A random play that goes on from *start*; all of its steps."""
        steps = list(start)
        state = self._machine.initial if not steps else steps[-1].turn.after
        while state is not None and not self._is_tired():
            budget.look(PLAYING)
            play = steps[-1].play if steps else ()
            if len(play) == self._effort.length:
                self._unfinished += 1
                break
            moves = self._machine.legal(state)
            self._tries += len(moves)
            self._note_faults(state, play)
            if not moves:
                self._halt(state, play)
                break
            if len(play) % _PLIES_BETWEEN_IDLE == 0:
                self._try_idle(state, play, most=self._effort.idle)
            steps.append(self._make(state, moves[self._source.randrange(len(moves))], play))
            state = steps[-1].turn.after
            if state is not None:
                self._seen.add(state)
        return tuple(steps)

    def _halt(self, state: State, play: tuple[Move, ...]) -> None:
        if unlisted(self._machine.faults(state)) is not None:
            # Nobody knows whether the play goes on.
            return
        outcome = self._machine.outcome(state)
        self._halts.append(PlayEnd(state, outcome, play))
        if outcome is not None:
            self._missing -= results_reached(self._machine.signature, (state,))

    def _work(self) -> int:
        return 0 if self._working is None else self._working.work

    def _has_worked_enough(self) -> bool:
        """Whether the work is done, or a conflict has shown that the rest does not matter."""
        return self._has_conflict or self._work() - self._worked_before > self._effort.work

    def _is_spent(self) -> bool:
        return len(self._steps) >= self._effort.turns or self._has_worked_enough()

    def _is_tired(self) -> bool:
        return self._tries >= self._effort.tries or self._has_worked_enough()
