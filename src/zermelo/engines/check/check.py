"""What playing shows about a system: what goes wrong, what never happens, who gets stuck.

Comes in a machine and, where the readings leave it open, the machines of the
other choices; goes out a ``Checkup``. The states near the start are explored in
full within limits, then some plays go deep at random; what is claimed says which.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from zermelo.core.machine import Fault, Machine, Move, State
from zermelo.core.progress import Listener
from zermelo.core.space import FaultFound, RuleName, Space
from zermelo.core.values import Value
from zermelo.core.walk import Limits, Walk
from zermelo.engines.check.explore import Walked, explore, rules_fired, successors
from zermelo.engines.check.observe import (
    NOTHING_SEEN,
    SEEKING,
    Effort,
    Halt,
    Observation,
    all_rules,
    joined,
    observe,
    result_values,
)
from zermelo.languages.sections.ir import Invariant

DEFAULT_LIMITS: Final = Limits(states=20_000, moves=20_000, seconds=30.0)
DEEP: Final = Effort(
    states=60, turns=250, plays=40, tries=5_000, idle=400, patience=10, work=150_000
)

_MOVES_FOR_RULES: Final = 5_000
"""In a space with more moves not every one is looked into for the rules that fired."""
_STRIDE: Final = 61
"""Rules that fire late are found soon if moves are looked at from everywhere."""
_STATES_FOR_FLAGS: Final = 40


@dataclass(frozen=True, slots=True)
class BrokenInvariant:
    """A fact that does not hold in a state."""

    invariant: Invariant
    state: State
    fault: Fault | None
    """Why it could not be decided, if it could not."""
    play: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class FlagStays:
    """An input that changes only a flag, and what becomes possible by it when the flag is kept."""

    flag: str
    value: Value
    """What the flag stays at."""
    play: tuple[Move, ...]
    """The play whose last move changes only flags."""
    then: Move | None
    """A move that is possible only because of it, if there is one."""


@dataclass(frozen=True, slots=True)
class Checkup:
    """What playing showed."""

    space: Walked
    """The states near the start, counted."""
    deep: Observation
    """Plays that went deep."""
    faults: tuple[FaultFound, ...]
    broken: tuple[BrokenInvariant, ...]
    stuck: Halt | None
    """A play after which a player is stuck and there is no result."""
    never_fired: tuple[RuleName, ...]
    never_reached: tuple[Value, ...]
    """Results with which no play ended."""
    has_end: bool
    """Whether some play ended."""
    flags: tuple[FlagStays, ...]

    @property
    def is_complete(self) -> bool:
        """Whether every reachable state was looked at."""
        return self.space.is_complete

    @property
    def has_seen_all_rules(self) -> bool:
        """Whether every turn that can be made was looked into for the rules that fired."""
        return self.is_complete and self.space.moves <= _MOVES_FOR_RULES


def check(
    machine: Machine,
    *,
    kept: Machine | None = None,
    limits: Limits = DEFAULT_LIMITS,
    listener: Listener | None = None,
) -> Checkup:
    """What playing *machine* shows.

    *kept* is the machine in which flags are kept, if the document has flags.
    """
    broken: dict[Invariant, State] = {}
    space = explore(
        machine,
        limits=limits,
        listener=listener,
        visit=lambda state: _look(machine, state, broken),
    )
    rules = all_rules(machine.system)
    near = _fired_near(machine, space, rules) if space.is_complete else frozenset[RuleName]()
    # Where every state was looked at, plays that go deep can only show more rules.
    is_enough = space.is_complete and len(near) == len(rules)
    deep = NOTHING_SEEN if is_enough else observe(machine, effort=DEEP)
    if not space.endings and not deep.ends and not space.is_complete:
        deep = joined(deep, observe(machine, effort=SEEKING))
    outcomes = [ending.outcome for ending in space.endings]
    outcomes += [halt.outcome for halt in deep.ends if halt.outcome is not None]
    reached = _members(outcome.result for outcome in outcomes)
    fired = near | deep.fired.keys()
    return Checkup(
        space=space,
        deep=deep,
        faults=_all_faults(space, deep),
        broken=_all_broken(machine, space, deep=deep, near=broken),
        stuck=_stuck(space, deep),
        never_fired=tuple(rule for rule in rules if rule not in fired),
        never_reached=tuple(value for value in result_values(machine) if value not in reached),
        has_end=bool(outcomes),
        flags=() if kept is None else _flags_that_stay(machine, kept),
    )


def _fired_near(
    machine: Machine, space: Walked, rules: tuple[RuleName, ...]
) -> frozenset[RuleName]:
    """Those of *rules* that fired in the turns of *space*, as far as these are looked into."""
    unfired = set(rules)
    spread = [turn for first in range(_STRIDE) for turn in space.turns[first::_STRIDE]]
    for state, move in spread[:_MOVES_FOR_RULES]:
        if not unfired:
            break
        unfired.difference_update(rules_fired(machine.turn(state, move)))
    return frozenset(rules) - unfired


def _members(results: Iterable[Value | None]) -> frozenset[Value]:
    """The results, and the members of those that are sets."""
    members: set[Value] = set()
    for result in results:
        if isinstance(result, frozenset):
            members |= result
        elif result is not None:
            members.add(result)
    return frozenset(members)


def _look(machine: Machine, state: State, broken: dict[Invariant, State]) -> None:
    """Note the invariants that do not hold in *state*, each where it is first broken."""
    for invariant in machine.system.invariants:
        if invariant not in broken and machine.evaluate(invariant.formula, state, {}) is not True:
            broken[invariant] = state


def _all_broken(
    machine: Machine, space: Walked, *, deep: Observation, near: dict[Invariant, State]
) -> tuple[BrokenInvariant, ...]:
    plays = {state: space.walk.play(state) for state in near.values()}
    broken = dict(near)
    for step in deep.steps:
        if step.turn.after is not None:
            _look(machine, step.turn.after, broken)
            plays.setdefault(step.turn.after, step.play)
    found = []
    for invariant, state in broken.items():
        value = machine.evaluate(invariant.formula, state, {})
        fault = value if isinstance(value, Fault) else None
        found.append(BrokenInvariant(invariant, state, fault, plays[state]))
    return tuple(found)


def _all_faults(space: Space, deep: Observation) -> tuple[FaultFound, ...]:
    found = {each.fault: each for each in space.faults}
    for fault, step in deep.faults.items():
        found.setdefault(fault, FaultFound(fault, 1, step.turn.before, step.play))
    return tuple(found.values())


def _stuck(space: Space, deep: Observation) -> Halt | None:
    """Where a player is stuck, if no reading says what that means."""
    if space.stuck is not None:
        return Halt(space.stuck.state, None, space.stuck.play)
    return next(iter(deep.stuck), None)


def _flags_that_stay(machine: Machine, kept: Machine) -> tuple[FlagStays, ...]:
    """Inputs that change only flags, and what each makes possible when flags are kept."""
    flags = [name for name in kept.initial.names if name not in machine.initial.names]
    found: dict[str, FlagStays] = {}
    walk = Walk(
        kept.initial,
        lambda state: successors(kept, state),
        limits=Limits(states=_STATES_FOR_FLAGS),
    )
    for state in walk:
        if len(found) == len(flags):
            break
        for move, after in successors(kept, state):
            changed = {name for name, value in state.items() if after[name] != value}
            for flag in flags:
                if flag in changed and changed <= set(flags) and flag not in found:
                    play = (*walk.play(state), move)
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
