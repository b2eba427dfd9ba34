"""Whether a machine can be played, and what speaks against it.

Comes in a machine; goes out a ``Verdict``: reasons that make it not playable,
and marks that count against it without forbidding it, each in a sentence with
the play that shows it. Nothing is guessed from names: all of it was seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import Final

from zermelo.core import path
from zermelo.core.machine import FaultKind, Machine, Move, State
from zermelo.core.space import RuleName
from zermelo.core.values import Value, to_text
from zermelo.engines.check.observe import (
    NORMAL,
    Effort,
    Observation,
    Step,
    all_rules,
    observe,
    result_values,
    results_reached,
)
from zermelo.languages.sections.turn_variables import (
    TurnVariable,
    changes,
    passes,
    turn_variables,
    value_in,
)


class Kind(Enum):
    """What can speak against a reading."""

    CONFLICT = "conflict"
    NEVER_MOVES = "a player never moves"
    TURN_TWICE = "the turn passes twice"
    NO_MOVE = "no move"
    NO_END = "no end"
    STUCK = "every play got stuck"
    END_NOT_SEEN = "no end was seen"
    RULES_NEVER_FIRED = "rules never fired"
    RESULTS_NEVER_REACHED = "results never reached"
    ONLY_FLAGS = "inputs that change only flags"
    FAULT = "fault"
    CUT = "cut short"


_MARKS: Final = frozenset(
    {
        Kind.END_NOT_SEEN,
        Kind.RULES_NEVER_FIRED,
        Kind.RESULTS_NEVER_REACHED,
        Kind.ONLY_FLAGS,
        Kind.FAULT,
        Kind.CUT,
    }
)


@dataclass(frozen=True, slots=True)
class Point:
    """Something that speaks against a reading."""

    kind: Kind
    text: str
    """A sentence, without a full stop."""
    weight: int = 1
    """How many marks it counts for."""
    play: tuple[Move, ...] | None = None
    """The play that shows it, if one does."""

    def __str__(self) -> str:
        return f"{self.text}; play: {path.to_text(self.play)}" if self.play else self.text


@dataclass(frozen=True, slots=True)
class Verdict:
    """What playing says of a machine."""

    reasons: tuple[Point, ...]
    """Why it is not playable."""
    marks: tuple[Point, ...]
    """What counts against it."""
    shortest: tuple[Move, ...] | None
    """The shortest play to an end that was seen."""
    states: int
    """In how many states this was seen."""

    @property
    def is_playable(self) -> bool:
        """Whether nothing forbids it."""
        return not self.reasons

    @property
    def weight(self) -> int:
        """The number of marks."""
        return sum(mark.weight for mark in self.marks)

    @property
    def has_moves(self) -> bool:
        """Whether some move can be made."""
        return all(reason.kind is not Kind.NO_MOVE for reason in self.reasons)

    @property
    def lacks_only_an_end(self) -> bool:
        """Whether the only thing against it is that no end was seen, and there may be one."""
        kinds = {point.kind for point in (*self.reasons, *self.marks)}
        return (not kinds - _MARKS and Kind.END_NOT_SEEN in kinds) or kinds - _MARKS == {Kind.STUCK}

    def rank(self) -> tuple[int, int, int]:
        """Orders verdicts: the playable first, then by what is against them."""
        unseen = sum(mark.kind is Kind.END_NOT_SEEN for mark in self.marks)
        return len(self.reasons), unseen, self.weight


def judge(
    machine: Machine,
    *,
    flags: frozenset[str] = frozenset(),
    effort: Effort = NORMAL,
    seen: Observation | None = None,
    kept: Observation | None = None,
) -> Verdict:
    """What playing says of *machine*; *flags* are the variables that guide one turn only.

    *seen* may give what was observed of the machine before, and *kept* what was
    observed with its flags kept: where they are fresh, an input that changes only
    flags is no move and cannot be seen.
    """
    observation = observe(machine, effort=effort) if seen is None else seen
    variables = tuple(v for v in turn_variables(machine) if v.name not in flags)
    reasons = (
        *_conflicts(observation),
        *_never_move(machine, observation, variables),
        *_turn_twice(observation, variables),
        *_no_end(machine, observation),
    )
    marks = (
        *_cut_short(observation),
        *_end_not_seen(machine, observation),
        *_other_faults(observation),
        *_rules_never_fired(machine, observation),
        *_results_never_reached(machine, observation),
        *_only_flags(kept or observation, flags),
    )
    ends = observation.ends
    return Verdict(reasons, marks, ends[0].play if ends else None, observation.states)


def flags_seen(
    observation: Observation, candidates: Iterable[str], *, initial: State
) -> frozenset[str]:
    """Which of the *candidates* only guide the rules of one turn.

    They are back at their initial value after every turn that changes anything
    else. "Anything else" depends on which of the others are flags, so this begins
    with all of them and drops those that a turn speaks against. What was never
    seen to change is none.
    """
    flags = {name for name in candidates if name in initial.names}
    while spoken_against := {
        name
        for step in observation.steps
        if step.turn.after is not None and _changed(step) - flags
        for name in flags
        if step.turn.after[name] != initial[name]
    }:
        flags -= spoken_against
    return frozenset(flags) & seen_changing(observation)


def _changed(step: Step) -> set[str]:
    before, after = step.turn.before, step.turn.after
    if after is None:
        return set()
    return {name for name, value in before.items() if after[name] != value}


def seen_changing(observation: Observation) -> frozenset[str]:
    """The variables that got another value in some turn, if only in passing."""
    names: set[str] = set()
    for step in (*observation.steps, *observation.idle):
        names |= _changed(step)
        for event in step.turn.events:
            names |= {each.variable for each in changes(event) if each.before != each.after}
    return frozenset(names)


def _conflicts(observation: Observation) -> Iterator[Point]:
    for fault, step in observation.faults.items():
        if fault.kind is FaultKind.CONFLICT:
            yield Point(Kind.CONFLICT, fault.message, play=step.play)
            return


def _never_move(
    machine: Machine, observation: Observation, variables: Sequence[TurnVariable]
) -> Iterator[Point]:
    rules = all_rules(machine.system)
    for variable in variables:
        if len(variable.by_moves) < 2 or not observation.steps:
            continue
        moving = {
            value_in(machine, step.turn.before, variable.name)
            for step in observation.steps
            if step.turn.has_effect
        }
        over = {value_in(machine, halt.state, variable.name) for halt in observation.ends}
        never = [v for v in variable.by_moves if v not in moving and v not in over]
        if never:
            yield Point(
                Kind.NEVER_MOVES,
                _never_moves_words(
                    variable, never, moving=moving, observation=observation, rules=rules
                ),
                play=observation.steps[0].play,
            )


def _never_moves_words(
    variable: TurnVariable,
    never: Sequence[Value],
    *,
    moving: set[Value | None],
    observation: Observation,
    rules: Sequence[RuleName],
) -> str:
    values = _listed([f"`{variable.words(value)}`" for value in never], "or")
    text = f"nobody ever moves when {values}"
    if len(moving) != 1:
        return text
    text = f"`{variable.name}` never changes, and {text}"
    fired = [rule for rule in rules if rule in observation.fired]
    verb = "fires" if len(fired) == 1 else "fire"
    return f"{text}: only {_rule_list(fired)} {verb}" if fired else text


def _turn_twice(observation: Observation, variables: Sequence[TurnVariable]) -> Iterator[Point]:
    for variable in variables:
        for step in observation.steps:
            events = passes(step.turn, variable)
            if len(events) > 1:
                names = _rule_list((event.procedure, event.rule.label) for event in events)
                text = f"one call passes the turn twice: {names} change `{variable.name}`"
                yield Point(Kind.TURN_TWICE, text, play=step.play)
                break


def _no_end(machine: Machine, observation: Observation) -> Iterator[Point]:
    ends, stuck = observation.ends, observation.stuck
    if ends and not ends[0].play:
        yield Point(Kind.NO_END, "the play is over before the first move", play=())
    if ends or not _can_end(machine):
        return
    if stuck and not stuck[0].play:
        yield Point(Kind.NO_MOVE, "no move has an effect in the initial state", play=())
    elif observation.is_complete:
        text = f"no end is reached {_where(observation)}"
        yield Point(Kind.NO_END, text, play=stuck[0].play if stuck else None)
    elif stuck and not observation.unfinished and _is_mostly_dead(machine, observation):
        plays = "the play" if len(stuck) == 1 else f"each of {len(stuck):,} plays"
        text = f"no end is reached: {plays} got stuck, and most rules did not fire"
        yield Point(Kind.STUCK, text, play=stuck[0].play)


def _is_mostly_dead(machine: Machine, observation: Observation) -> bool:
    """Whether most rules of the moves and their helpers never fired.

    Being stuck again and again is no proof that there is no end: in a puzzle most
    plays get stuck. With most rules dead it is evidence enough.
    """
    end = machine.system.end
    rules = [r for r in all_rules(machine.system) if end is None or r[0] != end.name]
    fired = observation.fired
    return 2 * sum(rule not in fired for rule in rules) > len(rules)


def _end_not_seen(machine: Machine, observation: Observation) -> Iterator[Point]:
    if _can_end(machine) and not observation.ends and not any(_no_end(machine, observation)):
        text = f"no end was seen {_where(observation)}"
        yield Point(Kind.END_NOT_SEEN, text)


def _cut_short(observation: Observation) -> Iterator[Point]:
    if observation.cut is not None:
        yield Point(Kind.CUT, f"not all was played: {observation.cut}", weight=0)


def _can_end(machine: Machine) -> bool:
    return machine.system.over is not None


def _other_faults(observation: Observation) -> Iterator[Point]:
    """One mark, however many there are: one cause shows in many values."""
    for fault, step in observation.faults.items():
        if fault.kind is not FaultKind.CONFLICT:
            yield Point(Kind.FAULT, fault.message, play=step.play)
            return


def _rules_never_fired(machine: Machine, observation: Observation) -> Iterator[Point]:
    fired = observation.fired
    never = [rule for rule in all_rules(machine.system) if rule not in fired]
    if never:
        text = f"{_rule_list(never)} did not fire {_where(observation)}"
        yield Point(Kind.RULES_NEVER_FIRED, text, weight=len(never))


def _results_never_reached(machine: Machine, observation: Observation) -> Iterator[Point]:
    reached = results_reached(machine, (halt.state for halt in observation.ends))
    never = [value for value in result_values(machine) if value not in reached]
    if never and observation.ends:
        words = _listed([f"`{to_text(value)}`" for value in never], "or")
        text = f"no play ended with {words} {_where(observation)}"
        yield Point(Kind.RESULTS_NEVER_REACHED, text, weight=len(never))


def _where(observation: Observation) -> str:
    if observation.is_complete:
        return f"in any of the {observation.states:,} reachable states"
    return f"in the {observation.states:,} states played"


def _only_flags(observation: Observation, flags: frozenset[str]) -> Iterator[Point]:
    for step in observation.steps:
        changed = _changed(step)
        if changed and changed <= flags:
            names = _listed([f"`{name}`" for name in sorted(changed)], "and")
            text = f"an input may change only {names}"
            yield Point(Kind.ONLY_FLAGS, text, play=step.play)
            return


def _rule_list(rules: Iterable[RuleName]) -> str:
    """Rules in words.

    >>> _rule_list([("Move", "2"), ("Move", "3"), ("End", "1")])
    'rules 2 and 3 of Move and rule 1 of End'
    """
    parts = []
    for procedure, group in groupby(rules, key=lambda rule: rule[0]):
        labels = [label for _, label in group]
        noun = "rule" if len(labels) == 1 else "rules"
        parts.append(f"{noun} {_listed(labels, 'and')} of {procedure}")
    return _listed(parts, "and")


def _listed(parts: Sequence[str], joint: str) -> str:
    """The *parts* with commas between them and *joint* before the last.

    >>> _listed(["a", "b", "c"], "or")
    'a, b or c'
    """
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {joint} {parts[-1]}"
