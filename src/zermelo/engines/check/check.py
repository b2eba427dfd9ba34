"""What playing shows about a system: what goes wrong, what never happens, who gets stuck.

The states near the start are explored in full within limits, then some plays go deep at
random; what is claimed says which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from zermelo.core.limits import (
    CHECK_LIMITS,
    INTERRUPTED,
    UNLIMITED,
    Limits,
    Listener,
    NoWayOn,
    Progress,
)
from zermelo.core.machine import (
    Ending,
    Fault,
    FaultKind,
    Machine,
    Outcome,
    UnlistedMoves,
    is_known,
    stuck_is_decided,
    unlisted,
)
from zermelo.core.observation import (
    MOVES_FOR_RULES,
    NOTHING_SEEN,
    BrokenInvariant,
    ChangedResult,
    Checkup,
    Endless,
    FlagStays,
    Observation,
    PlayEnd,
)
from zermelo.core.signature import RuleName
from zermelo.core.space import EndingFound, FaultFound, Space, StuckFound, Walked
from zermelo.core.state import Move, State
from zermelo.core.values import Value
from zermelo.engines.check.generated import Generate, GeneratedSteps
from zermelo.engines.check.observe import SEEKING, Effort, NearStates, joined, observe, successors
from zermelo.text import budget
from zermelo.text.budget import LimitReached

DEEP: Final = Effort(
    states=60,
    turns=250,
    plays=40,
    tries=5_000,
    idle=400,
    plays_without_news=10,
    work=150_000,
    steps=4_000_000,
)
_STEPS_TO_LOOK_AGAIN: Final = 2_000_000
"""What may be spent on each thing that is looked for in what was seen."""
_STRIDE: Final = 61
"""Rules that fire late are found soon if moves are looked at from everywhere."""
_STATES_FOR_FLAGS: Final = 40


def check(
    machine: Machine,
    *,
    kept: Machine | None = None,
    generate: Generate | None = None,
    limits: Limits = CHECK_LIMITS,
    listener: Listener | None = None,
) -> Checkup:
    """What playing *machine* shows.

    *kept* is the machine in which flags are kept, if the document has flags. Where there is much
    to explore, what *generate* makes does most of it.
    """
    invariants = _Invariants(machine)
    space = explore(
        machine, generate=generate, limits=limits, listener=listener, visit=invariants.look
    )
    if _is_stopped(space, listener):
        space = replace(space, cut=INTERRUPTED)
    rules = machine.signature.rules
    near = _fired_near(machine, space, rules) if space.is_complete else _NONE_FIRED
    # Where every state was looked at, plays that go deep can only show more rules.
    is_enough = space.is_complete and len(near.rules) == len(rules)
    # Following one state may take long: who asked for an end meanwhile gets it here.
    is_enough = is_enough or space.cut == INTERRUPTED
    deep = NOTHING_SEEN if is_enough else observe(machine, effort=DEEP, may_stop=True)
    if not is_enough and not space.endings and not deep.ends and not space.is_complete:
        deep = joined(deep, observe(machine, effort=SEEKING, may_stop=True))
    invariants.look_deep(deep)
    outcomes = [ending.outcome for ending in space.endings]
    outcomes += [halt.outcome for halt in deep.ends if halt.outcome is not None]
    reached = results_of(outcomes)
    fired = near.rules | deep.fired.keys()
    return Checkup(
        space=space,
        deep=deep,
        faults=_all_faults(space, deep),
        broken=invariants.broken(space),
        stuck=_stuck(machine, space, deep),
        never_fired=tuple(rule for rule in rules if rule not in fired),
        never_reached=tuple(value for value in machine.signature.results if value not in reached),
        has_end=bool(outcomes),
        flags=() if kept is None else _flags_that_stay(machine, kept),
        has_seen_all_rules=near.is_all,
        has_seen_all_claims=space.is_complete,
        endless=_endless(space),
        changed=_changed_result(machine, space),
    )


def _is_stopped(space: Walked, listener: Listener | None) -> bool:
    """Whether *listener* asks for an end before all was seen."""
    if listener is None or space.is_complete:
        return False
    waiting = space.states - space.followed
    watch = budget.watch()
    seconds = 0.0 if watch is None else watch.seconds
    return bool(listener(Progress(space.full_depth, space.states, waiting, seconds)))


def _stuck(machine: Machine, space: Walked, deep: Observation) -> PlayEnd | None:
    """Where somebody is stuck, and not because a fault stops a move."""
    near = space.stuck
    first = () if near is None or near.state is None else (PlayEnd(near.state, None, near.play),)
    return next((h for h in (*first, *deep.stuck) if not machine.faults(h.state)), None)


@dataclass(frozen=True, slots=True)
class _Fired:
    rules: frozenset[RuleName]
    is_all: bool
    """Whether every turn was looked into."""


_NONE_FIRED: Final = _Fired(frozenset(), is_all=False)


def _fired_near(machine: Machine, space: Walked, rules: tuple[RuleName, ...]) -> _Fired:
    """Those of *rules* that fired in the turns of *space*, as far as these are looked into."""
    unfired = set(rules)
    is_all = len(space.turns) <= MOVES_FOR_RULES
    spread = [turn for first in range(_STRIDE) for turn in space.turns[first::_STRIDE]]
    try:
        with budget.budget(steps=_STEPS_TO_LOOK_AGAIN):
            for state, move in spread[:MOVES_FOR_RULES]:
                if not unfired:
                    break
                unfired.difference_update(machine.turn(state, move).fired)
    except LimitReached:
        is_all = False
    return _Fired(frozenset(rules) - unfired, is_all)


def results_of(outcomes: Iterable[Outcome]) -> frozenset[Value]:
    """The results of *outcomes*, and the members of those that are sets."""
    members: set[Value] = set()
    for result in (outcome.result for outcome in outcomes):
        if isinstance(result, frozenset):
            members |= result
        elif result is not None:
            members.add(result)
    return frozenset(members)


@dataclass(slots=True)
class _Invariants:
    """Which claims are broken, and where each first is."""

    machine: Machine
    _broken: dict[int, tuple[State, Fault | None, tuple[Move, ...] | None]] = field(
        default_factory=dict
    )
    """By their places: the state, the reason, and the play where it was one that went deep."""
    _counts: dict[int, int] = field(default_factory=dict)
    """In how many of the states near the start each is broken."""

    def look(self, state: State, play: tuple[Move, ...] | None = None) -> None:
        for invariant, fault in self.machine.broken(state).items():
            self._broken.setdefault(invariant, (state, fault, play))
            if play is None:
                self._counts[invariant] = self._counts.get(invariant, 0) + 1

    def look_deep(self, deep: Observation) -> None:
        with suppress(LimitReached), budget.budget(steps=_STEPS_TO_LOOK_AGAIN):
            for step in deep.steps:
                if step.turn.after is not None:
                    self.look(step.turn.after, step.play)

    def broken(self, space: Walked) -> tuple[BrokenInvariant, ...]:
        return tuple(
            BrokenInvariant(
                invariant,
                state,
                fault,
                space.walk.play(state) if at is None else at,
                self._counts.get(invariant, 0),
            )
            for invariant, (state, fault, at) in self._broken.items()
        )


def _endless(space: Walked) -> Endless | None:
    """The first state after which no play ends, where all states are known and some plays end.

    Where somebody is stuck, and where something goes wrong, a play does not go on for ever.
    """
    if not space.is_complete or space.faults or not space.endings:
        return None
    before: dict[State, list[State]] = {}
    for (state, _), after in zip(space.turns, space.after, strict=True):
        before.setdefault(after, []).append(state)
    goes_on = {state for state, _ in space.turns}
    ends = [state for state in space.walk.nodes if state not in goes_on]
    can_end = set(ends)
    while ends:
        for state in before.get(ends.pop(), ()):
            if state not in can_end:
                can_end.add(state)
                ends.append(state)
    left = [state for state in space.walk.nodes if state not in can_end]
    return Endless(left[0], space.walk.play(left[0]), len(left)) if left else None


def _changed_result(machine: Machine, space: Walked) -> ChangedResult | None:
    """The first turn after which the result is another than it was, if there is one."""
    name = machine.signature.result
    if name is None or name not in machine.initial.names:
        return None
    for (state, move), after in zip(space.turns, space.after, strict=True):
        if is_known(state[name]) and after[name] != state[name]:
            play = (*space.walk.play(state), move)
            return ChangedResult(state[name], after[name], play, after)
    return None


def _all_faults(space: Space, deep: Observation) -> tuple[FaultFound, ...]:
    found = {each.fault: each for each in space.faults}
    for fault, step in deep.faults.items():
        found.setdefault(fault, FaultFound(fault, 1, step.turn.before, step.play))
    return tuple(found.values())


def _flags_that_stay(machine: Machine, kept: Machine) -> tuple[FlagStays, ...]:
    """Inputs that change only flags, and what each makes possible when flags are kept."""
    flags = [name for name in kept.initial.names if name not in machine.initial.names]
    found: dict[str, FlagStays] = {}
    near = NearStates(
        kept.initial, lambda state: successors(kept, state), limits=Limits(states=_STATES_FOR_FLAGS)
    )
    with suppress(LimitReached), budget.budget(steps=_STEPS_TO_LOOK_AGAIN):
        near.reach()
        for state in near.nodes:
            if len(found) == len(flags):
                break
            for move, after in successors(kept, state):
                changed = {name for name, value in state.items() if after[name] != value}
                for flag in flags:
                    if flag in changed and changed <= set(flags) and flag not in found:
                        play = (*near.play(state), move)
                        then = _made_possible(kept, state, after, move=move, flags=flags)
                        found[flag] = FlagStays(flag, after[flag], play, then)
    return tuple(found.values())


def _made_possible(
    kept: Machine, before: State, after: State, *, move: Move, flags: list[str]
) -> Move | None:
    """A move that changes more than *flags* in *after* and has no effect in *before*.

    Of several the one that is most like *move* tells best what happened.
    """
    legal = set(kept.legal(before))
    best: tuple[int, Move] | None = None
    for candidate, state in successors(kept, after):
        if candidate in legal or all(
            state[name] == value for name, value in after.items() if name not in flags
        ):
            continue
        pairs = zip(candidate.arguments, move.arguments, strict=False)
        alike = sum(left == right for left, right in pairs)
        if best is None or alike > best[0]:
            best = (alike, candidate)
    return None if best is None else best[1]


def _not_listed(faults: Iterable[Fault]) -> str | None:
    """Why not all was looked at, if moves of some state could not be listed."""
    found = next((each for each in faults if each.kind is FaultKind.UNLISTED), None)
    return None if found is None else NoWayOn(UnlistedMoves(found))


def explore(
    machine: Machine,
    *,
    generate: Generate | None = None,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
    visit: Callable[[State], None] | None = None,
) -> Walked:
    """The states that can be reached in *machine*, within *limits*.

    *visit* is called once for every state, nearest first: it looks into states and turns, for
    which ``space`` with its packed states is not made.
    """
    found = _Exploration(machine)
    near = NearStates(machine.initial, found.follow, limits=limits, listener=listener, visit=visit)
    found.code = GeneratedSteps(generate, near)
    near.reach()
    # The others were found to be over, or not, when their moves were asked for.
    last = budget.budget(steps=_STEPS_TO_LOOK_AGAIN, until=limits.last, is_last=True)
    with suppress(LimitReached), last:
        for state in near.nodes[near.followed :]:
            if state not in found.outcomes and machine.is_over(state):
                found.end(state)
    over_by_depth = [0] * len(near.by_depth)
    endings: dict[Outcome, list[State]] = {}
    for state, outcome in found.outcomes.items():
        over_by_depth[len(near.play(state))] += 1
        endings.setdefault(outcome, []).append(state)
    return Walked(
        states=near.states,
        by_depth=near.by_depth,
        over_by_depth=tuple(over_by_depth),
        moves=near.moves,
        endings=tuple(
            EndingFound(outcome, len(states), near.play(states[0]))
            for outcome, states in endings.items()
        ),
        stuck=StuckFound(len(stuck), stuck[0], near.play(stuck[0]))
        if (stuck := found.stuck)
        else None,
        faults=tuple(
            FaultFound(fault, len(places), state, (*near.play(state), move))
            for fault, places in found.faults.items()
            for state, move in places[:1]
        ),
        followed=near.followed,
        full_depth=near.full_depth,
        cut=near.cut or _not_listed(found.faults),
        how_much=machine.signature.all_reached(is_whole=not found.faults),
        walk=near,
        turns=tuple(found.turns),
        after=tuple(found.after),
    )


class _Exploration:
    """What is met on the way through the states of *machine*."""

    def __init__(self, machine: Machine) -> None:
        self.code: GeneratedSteps | None = None
        """What tells what follows most states, where there are many."""
        self.outcomes: dict[State, Outcome] = {}
        self.stuck: list[State] = []
        self.faults: dict[Fault, list[tuple[State, Move]]] = {}
        self.turns: list[tuple[State, Move]] = []
        self.after: list[State] = []
        """The state after each of the turns."""
        self._machine = machine
        self._asks_of_stuck = stuck_is_decided(machine.signature)

    def follow(self, state: State) -> Iterator[tuple[Move, State]]:
        found = None if self.code is None else self.code.followed(state)
        steps = self._by_machine(state) if found is None else found.steps
        if found is not None and found.outcome is not None:
            self.outcomes[state] = found.outcome
        elif found is not None and not found.steps:
            self._halt(state)
        for move, after in steps:
            self.turns.append((state, move))
            self.after.append(after)
            yield move, after

    def end(self, state: State) -> None:
        """Note how *state* ends, which has no moves."""
        outcome = self._machine.outcome(state)
        if outcome is None or outcome.ending is Ending.STUCK:
            self.stuck.append(state)
        else:
            self.outcomes[state] = outcome

    def _halt(self, state: State) -> None:
        """Note *state*, which is not over and has no moves."""
        if self._asks_of_stuck:
            self.end(state)
        else:
            self.stuck.append(state)

    def _by_machine(self, state: State) -> Iterator[tuple[Move, State]]:
        machine = self._machine
        moves, stopped = machine.legal(state), machine.faults(state)
        if not moves and unlisted(stopped) is None:
            self.end(state)
        for move, first in stopped.items():
            for fault in first.each():
                self.faults.setdefault(fault, []).append((state, move))
        for move in moves:
            yield move, machine.after(state, move)
