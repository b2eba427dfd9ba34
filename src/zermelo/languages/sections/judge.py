"""Whether a machine can be played, and what speaks against it.

Reasons make it not playable; marks count against it without forbidding it. Nothing is guessed
from names: all of it was seen. Which variables say whose turn it is, the guards tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import Final

from zermelo.core.machine import Fault, FaultKind
from zermelo.core.observation import (
    Objection,
    Observation,
    Point,
    Step,
    Verdict,
    among_reachable,
    results_reached,
)
from zermelo.core.signature import RuleName
from zermelo.core.state import Move, State
from zermelo.core.values import (
    FALSE,
    NumberType,
    TruthType,
    TruthValue,
    TupleType,
    Value,
    WordType,
    in_order,
    to_text,
    truth,
)
from zermelo.languages.sections.ir import (
    And,
    Assign,
    Binary,
    Call,
    Expr,
    Literal,
    Not,
    Op,
    Or,
    ProcedureRole,
    Ref,
    Rule,
    System,
    TupleOf,
    Variable,
    VariableRole,
)
from zermelo.languages.sections.mean.results import only_at_first
from zermelo.languages.sections.mean.turns import has_goals, is_comparison
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.run.procedures import CallEvent, LoggedTurn, RuleEvent
from zermelo.languages.sections.walk import Footprints, conjuncts, free_locals, parts, rules_of
from zermelo.text.prose import listing

MOST_VALUES: Final = 8


def judge(
    machine: Interpreter,
    *,
    flags: frozenset[str] = frozenset(),
    seen: Observation,
    kept: Observation | None = None,
) -> Verdict:
    """What playing says of *machine*; *flags* are the variables that guide one turn only.

    *kept* is what was observed with the flags kept: where they are fresh, an input that
    changes only flags is no move and cannot be seen.
    """
    variables = tuple(v for v in _turn_variables(machine) if v.name not in flags)
    reasons = (
        *_first_fault(seen, Objection.CONFLICT),
        *_never_move(machine, seen, variables),
        *_turn_twice(seen, variables, is_played=has_goals(machine.system)),
        *_two_turns(machine, seen),
        *_no_end(machine, seen),
    )
    marks = (
        *_end_not_seen(machine, seen),
        *_first_fault(seen, Objection.FAULT),
        *_rules_never_fired(machine, seen),
        *_results_never_reached(machine, seen),
        *_only_flags(kept or seen, flags),
        *_undone(seen, flags),
        *_led_round(seen, flags),
        *_late(machine, seen),
    )
    ends = seen.ends
    shortest = ends[0].play if ends else None
    return Verdict(reasons, marks, shortest, seen.states, is_played=has_goals(machine.system))


def flags_seen(
    observation: Observation, candidates: Iterable[str], *, initial: State
) -> frozenset[str]:
    """Which of the *candidates* only guide the rules of one turn.

    They are back at their initial value after every turn that changes anything
    else. "Anything else" depends on which of the others are flags, so this begins
    with all of them and drops those that a turn speaks against. What was never
    seen to change in such a turn, if only in passing, is none.
    """
    flags = frozenset(name for name in candidates if name in initial.names)
    while spoken_against := {
        name
        for step in observation.steps
        if step.turn.after is not None and _changed(step) - flags
        for name in flags
        if step.turn.after[name] != initial[name]
    }:
        flags -= spoken_against
    # What never changes together with anything else guides nothing.
    return flags & _changing(step for step in observation.steps if _changed(step) - flags)


def _changed(step: Step) -> set[str]:
    before, after = step.turn.before, step.turn.after
    if after is None:
        return set()
    return {name for name, value in before.items() if after[name] != value}


def seen_changing(observation: Observation) -> frozenset[str]:
    """The variables that got another value in some turn, if only in passing."""
    return _changing((*observation.steps, *observation.idle))


def _changing(steps: Iterable[Step]) -> frozenset[str]:
    names: set[str] = set()
    for step in steps:
        names |= _changed(step)
        for event in step.turn.events if isinstance(step.turn, LoggedTurn) else ():
            changes = () if isinstance(event, CallEvent) else event.changes
            names |= {each.variable for each in changes if each.before != each.after}
    return frozenset(names)


def _first_fault(observation: Observation, kind: Objection) -> Iterator[Point]:
    """One point for conflicts, and one for other faults: one cause shows in many values."""
    for fault, step in observation.faults.items():
        if (fault.kind is FaultKind.CONFLICT) is (kind is Objection.CONFLICT):
            yield Point(kind, fault.message, play=step.play)
            return


def _never_move(
    machine: Interpreter, observation: Observation, variables: Sequence[TurnVariable]
) -> Iterator[Point]:
    for variable in variables:
        if len(variable.by_moves) < 2 or not observation.steps:
            continue
        moving = {
            _value_in(machine, step.turn.before, variable.name)
            for step in observation.steps
            if step.turn.has_effect
        }
        if moving.isdisjoint(variable.by_moves):
            # What is asked for only inside calls is nobody's turn.
            continue
        over = {_value_in(machine, halt.state, variable.name) for halt in observation.ends}
        never = [v for v in variable.by_moves if v not in moving and v not in over]
        if never:
            values = listing([f"`{variable.words(value)}`" for value in never], last="or")
            text = f"{_who(machine)} when {values}"
            play: tuple[Move, ...] | None = observation.steps[0].play
            if len(moving) == 1:
                text = f"`{variable.name}` never changes, and {text}"
                if undone := _undone_change(observation, variable.name):
                    text, play = f"{text}: {undone.text}", undone.play
                else:
                    text += _only_some_fire(machine, observation)
            yield Point(Objection.NEVER_MOVES, text, play=play)


def _who(machine: Interpreter) -> str:
    """Who does not move; where nothing is played for, nobody is there who could."""
    return "nobody ever moves" if has_goals(machine.system) else "nothing is ever done"


def _only_some_fire(machine: Interpreter, observation: Observation) -> str:
    rules, plays = machine.signature.rules, observation.fired
    fired = [rule for rule in rules if rule in plays]
    verb = "fires" if len(fired) == 1 else "fire"
    return f": only {_rule_list(fired)} {verb}" if 0 < len(fired) < len(rules) else ""


def _undone_change(observation: Observation, variable: str) -> Point | None:
    """The rules that change *variable* and change it back in one call, if some do."""
    for step in observation.idle:
        events = undoing(step.turn) if isinstance(step.turn, LoggedTurn) else []
        events = [e for e in events if any(c.variable == variable for c in e.changes)]
        if len(events) > 1:
            names = _rule_list((event.procedure, event.rule.label) for event in events)
            return Point(Objection.UNDONE, f"{names} undo each other", play=step.play)
    return None


def _turn_twice(
    observation: Observation, variables: Sequence[TurnVariable], *, is_played: bool
) -> Iterator[Point]:
    for variable in variables:
        for step in observation.steps:
            turn = step.turn
            events = _passes(turn, variable) if isinstance(turn, LoggedTurn) else []
            if len(events) > 1:
                names = _rule_list((event.procedure, event.rule.label) for event in events)
                passed = "passes the turn" if is_played else f"leads `{variable.name}` on"
                text = f"one call {passed} twice: {names} change `{variable.name}`"
                yield Point(Objection.TURN_TWICE, text, play=step.play)
                break


def _two_turns(machine: Interpreter, observation: Observation) -> Iterator[Point]:
    """A call in which two players move, where a condition and no variable says whose turn it is."""
    whose = _TurnConditions(machine)
    for step in observation.steps:
        events = whose.in_one_call(step.turn) if isinstance(step.turn, LoggedTurn) else None
        if events is not None:
            names = _rule_list((event.procedure, event.rule.label) for event in events)
            text = f"one call makes the moves of two turns: {names} ask for opposites"
            yield Point(Objection.TURN_TWICE, text, play=step.play)
            return


class _TurnConditions:
    """Comparisons in guards that tell whose turn it is, as ``|A| = |B|`` or ``n mod 2 = 0``.

    Two rules of one call take turns by them if what the second asks for does not hold before
    the call, both use what was entered, both change what their conditions compare, and each
    changes something that the other leaves alone. A rule that only answers to what another
    did, as by counting it, is none of these.
    """

    def __init__(self, machine: Interpreter) -> None:
        self._machine = machine
        self._footprints = Footprints(machine.system)
        self._of_rule: dict[int, dict[Expr, frozenset[str]]] = {}

    def in_one_call(self, turn: LoggedTurn) -> tuple[RuleEvent, RuleEvent] | None:
        events = [
            event
            for event in turn.events
            if isinstance(event, RuleEvent) and event.changes and self._conditions(event.rule)
        ]
        pairs = combinations(events, 2)
        return next((pair for pair in pairs if self._exclude(*pair, turn.before)), None)

    def _exclude(self, first: RuleEvent, second: RuleEvent, before: State) -> bool:
        mine, yours = ({change.variable for change in e.changes} for e in (first, second))
        if not (
            mine - yours and yours - mine and free_locals(first.rule) & free_locals(second.rule)
        ):
            return False
        compared = self._conditions(first.rule).values()
        return any(
            reads in compared
            and reads & mine
            and reads & yours
            and self._machine.evaluate(condition, before, {}) == FALSE
            for condition, reads in self._conditions(second.rule).items()
        )

    def _conditions(self, rule: Rule) -> dict[Expr, frozenset[str]]:
        """The comparisons among the conjuncts of a guard, and the variables each reads."""
        if id(rule) not in self._of_rule:
            self._of_rule[id(rule)] = {
                part: self._footprints.reads((part,))
                for part in conjuncts(rule.guard)
                if is_comparison(part) and not free_locals(part) and not _is_plain(part)
            }
        return self._of_rule[id(rule)]


def _is_plain(expr: Expr) -> bool:
    """Whether *expr* asks for a value of one variable: `TurnVariable` is about these."""
    return any(True for _ in _tests(expr, holds=True))


def _no_end(machine: Interpreter, observation: Observation) -> Iterator[Point]:
    ends, stuck = observation.ends, observation.stuck
    if ends and not ends[0].play:
        yield Point(Objection.NO_END, "the play is over before the first move", play=())
    if ends or machine.system.over is None:
        return
    if stuck and not stuck[0].play:
        yield Point(Objection.NO_MOVE, "no move has an effect in the initial state", play=())
    elif observation.is_complete:
        text = f"no end is reached {_where(observation)}"
        yield Point(Objection.NO_END, text, play=stuck[0].play if stuck else None)
    elif stuck and not observation.unfinished and _is_mostly_dead(machine, observation):
        plays = "the play" if len(stuck) == 1 else f"each of {len(stuck):,} plays"
        text = f"no end is reached: {plays} got stuck, and most rules did not fire"
        yield Point(Objection.STUCK, text, play=stuck[0].play)


def _is_mostly_dead(machine: Interpreter, observation: Observation) -> bool:
    """Whether most rules of the moves and their helpers never fired.

    Being stuck again and again is no proof that there is no end: in a puzzle most
    plays get stuck. With most rules dead it is evidence enough.
    """
    end = machine.system.end
    rules = [r for r in machine.signature.rules if end is None or r[0] != end.name]
    fired = observation.fired
    return 2 * sum(rule not in fired for rule in rules) > len(rules)


def _end_not_seen(machine: Interpreter, observation: Observation) -> Iterator[Point]:
    can_end = machine.system.over is not None
    if can_end and not observation.ends and not any(_no_end(machine, observation)):
        yield Point(Objection.END_NOT_SEEN, f"no end was seen {_where(observation)}")


def _rules_never_fired(machine: Interpreter, observation: Observation) -> Iterator[Point]:
    fired = observation.fired
    never = [rule for rule in machine.signature.rules if rule not in fired]
    if never:
        text = f"{_rule_list(never)} did not fire {_where(observation)}"
        yield Point(Objection.RULES_NEVER_FIRED, text, weight=len(never))


def _results_never_reached(machine: Interpreter, observation: Observation) -> Iterator[Point]:
    reached = results_reached(machine.signature, (halt.state for halt in observation.ends))
    known = {only_at_first(machine.system), *reached}
    never = [value for value in machine.signature.results if value not in known]
    if never and observation.ends:
        words = listing([f"`{to_text(value)}`" for value in never], last="or")
        text = f"no play ended with {words} {_where(observation)}"
        yield Point(Objection.RESULTS_NEVER_REACHED, text, weight=len(never))


def _where(observation: Observation) -> str:
    if observation.is_complete:
        return among_reachable(observation.states)
    return f"in the {observation.states:,} states played"


def _only_flags(observation: Observation, flags: frozenset[str]) -> Iterator[Point]:
    for step in observation.steps:
        changed = _changed(step)
        if changed and changed <= flags:
            names = listing([f"`{name}`" for name in sorted(changed)])
            text = f"an input may change only {names}"
            yield Point(Objection.ONLY_FLAGS, text, play=step.play)
            return


def _undone(observation: Observation, flags: frozenset[str]) -> Iterator[Point]:
    """A call in which rules fire and nothing is changed in the end: it was hardly meant so."""
    for step in observation.idle:
        turn = step.turn
        if isinstance(turn, LoggedTurn) and (events := undoing(turn, flags)):
            names = _rule_list((event.procedure, event.rule.label) for event in events)
            text = f"one call may change something and undo it: {names}"
            yield Point(Objection.UNDONE, text, play=step.play)
            return


def _led_round(observation: Observation, flags: frozenset[str]) -> Iterator[Point]:
    """A call in which rules that ask for a variable's value lead it on, from one to the next.

    They lead it round to where it was, or past a value at which the document has something to be
    done. Rules that ask different things of what was entered may check it first and act then:
    they are not meant.
    """
    for step in observation.steps:
        turn = step.turn
        if turn.after is None or not isinstance(turn, LoggedTurn):
            continue
        changed = {
            each.variable
            for event in turn.events
            if isinstance(event, RuleEvent)
            for each in event.changes
        }
        for name, value in turn.before.items():
            if name not in changed or name in flags:
                continue
            events = _leading(turn, name)
            is_round = turn.after[name] == value
            if len(events) > 1 and (is_round or len({e.procedure for e in events}) == 1):
                names = _rule_list((event.procedure, event.rule.label) for event in events)
                between = to_text(next(c.after for c in events[0].changes if c.variable == name))
                how = "round to where it was" if is_round else f"past {between}, which is not seen"
                text = f"one call may lead `{name}` {how}: {names}"
                yield Point(Objection.UNDONE, text, play=step.play)
                return


def _late(machine: Interpreter, observation: Observation) -> Iterator[Point]:
    """A call of a move with choices in which only rules fire that do not look at what was chosen.

    What they ask for held before the call: they were meant to answer to the call before it.
    """
    asking = {
        move.name
        for move in machine.system.moves
        if any(free_locals(rule.guard) for rule in rules_of(move.body)) and move.parameters
    }
    for step in observation.steps:
        turn = step.turn
        if not isinstance(turn, LoggedTurn) or step.play[-1].name not in asking:
            continue
        name = step.play[-1].name
        events = [e for e in turn.events if isinstance(e, RuleEvent) and e.changes]
        own = [event for event in events if event.procedure == name]
        if own and not any(free_locals(event.rule) for event in own):
            names = _rule_list((event.procedure, event.rule.label) for event in own)
            text = f"an input may do nothing but what the one before it left undone: {names}"
            yield Point(Objection.LATE, text, play=step.play)
            return


def _leading(turn: LoggedTurn, name: str) -> list[RuleEvent]:
    """The rules that change the variable *name* in *turn*, if each asks for a value of it."""
    events = [
        event
        for event in turn.events
        if isinstance(event, RuleEvent)
        and any(each.variable == name and each.before != each.after for each in event.changes)
    ]
    asks = all(name in dict(_tests(e.rule.guard, holds=True)) for e in events)
    return events if asks and len({_asked_of_input(e.rule) for e in events}) == 1 else []


def _asked_of_input(rule: Rule) -> frozenset[Expr]:
    """What a guard asks of what was entered."""
    return frozenset(part for part in conjuncts(rule.guard) if free_locals(part))


def undoing(turn: LoggedTurn, flags: frozenset[str] = frozenset()) -> list[RuleEvent]:
    """The rules of *turn*, which has no effect, that change what others of them change back."""
    kept = set(turn.before.names) - flags
    events = [
        event
        for event in turn.events
        if isinstance(event, RuleEvent)
        and any(each.variable in kept and each.before != each.after for each in event.changes)
    ]
    return events if len(events) > 1 else []


def _rule_list(rules: Iterable[RuleName]) -> str:
    """Rules in words.

    >>> _rule_list([("Move", "2"), ("Move", "3"), ("End", "1")])
    'rules 2 and 3 of Move and rule 1 of End'
    """
    parts = []
    for procedure, group in groupby(rules, key=lambda rule: rule[0]):
        labels = [label for _, label in group]
        noun = "rule" if len(labels) == 1 else "rules"
        parts.append(f"{noun} {listing(labels)} of {procedure}")
    return listing(parts)


# Whose turn it is


@dataclass(frozen=True, slots=True)
class TurnVariable:
    """A variable with few values that guards test."""

    name: str
    by_moves: tuple[Value, ...]
    """The values that the guards of moves and helpers ask for."""
    tested: tuple[Value, ...] = ()
    """The values that any guard asks for, two at least: those at which somebody has the turn."""

    def words(self, value: Value) -> str:
        """The condition that it has *value*, in the document's notation.

        >>> from zermelo.core.values import FALSE
        >>> TurnVariable("turn", ()).words(FALSE)
        '¬turn'
        """
        match value:
            case TruthValue(holds=True):
                return self.name
            case TruthValue():
                return f"¬{self.name}"
            case _:
                return f"{self.name} = {to_text(value)}"


def _turn_variables(machine: Interpreter) -> tuple[TurnVariable, ...]:
    """The variables of *machine* that may say whose turn it is, in the document's order."""
    system = machine.system
    footprints = Footprints(system)
    writes = (footprints.of_procedure(procedure.name).writes for procedure in system.procedures)
    assigned = frozenset[str]().union(*writes)
    by_moves: dict[str, list[Value]] = {}
    tested: dict[str, list[Value]] = {}
    for leads_on in (False, True):
        known = frozenset(tested)
        for procedure in system.procedures:
            for rule in rules_of(procedure.body):
                for name, value in _tests(rule.guard, holds=True):
                    # A rule that only leads a variable on, as from 3 back to 1, is nobody's turn,
                    # unless all rules that ask for it do no more.
                    if _only_leads_on(rule, name) is not leads_on or (leads_on and name in known):
                        continue
                    tested.setdefault(name, []).append(value)
                    if procedure.role is not ProcedureRole.END:
                        by_moves.setdefault(name, []).append(value)
    # Who has the turn is asked for every player: a counter or a flag is asked for one value.
    ended = frozenset(_ended_at(system))
    values = {
        name: _distinct([value for value in found if (name, value) not in ended])
        for name, found in tested.items()
    }
    return tuple(
        TurnVariable(each.name, _distinct(by_moves.get(each.name, [])), values[each.name])
        for each in system.variables
        if len(values.get(each.name, ())) > 1
        and _may_say_whose_turn(machine, each, assigned=assigned)
    )


def _ended_at(system: System) -> Iterator[tuple[str, Value]]:
    """Words and numbers of variables with which play is over: nobody has the turn then."""
    over = system.variable(system.over.name) if isinstance(system.over, Ref) else None
    formula = system.over if over is None or over.definition is None else over.definition
    for name, value in () if formula is None else _tests(formula, holds=True):
        if not isinstance(value, TruthValue):
            yield name, value


def _only_leads_on(rule: Rule, name: str) -> bool:
    """Whether *rule* gives nothing but the variable *name* a value, and calls nothing."""
    nodes = tuple(parts(rule))
    changed = {node.variable for node in nodes if isinstance(node, Assign)}
    return changed == {name} and not any(isinstance(node, Call) for node in nodes)


def _passes(turn: LoggedTurn, variable: TurnVariable) -> list[RuleEvent]:
    """The rules that gave somebody else the turn, one after the other, in *turn*.

    Rules that run at once and agree pass it once. A value at which nobody has the turn,
    as 4 before a rule that leads from 4 back to 1, passes it to nobody.
    """
    if variable.name not in turn.before.names:
        return []
    value = turn.before[variable.name]
    events: list[RuleEvent] = []
    for event in turn.events:
        if not isinstance(event, RuleEvent):
            continue
        for change in event.changes:
            if change.variable == variable.name and change.before == value != change.after:
                value = change.after
                if value in variable.tested:
                    events.append(event)
    return events


def _value_in(machine: Interpreter, state: State, name: str) -> Value | None:
    value = machine.evaluate(Ref(name), state, {})
    return None if isinstance(value, Fault) else value


def _may_say_whose_turn(
    machine: Interpreter, variable: Variable, *, assigned: frozenset[str]
) -> bool:
    system = machine.system
    if (
        variable.role is VariableRole.FLAG
        or variable.name == system.result
        or system.over == Ref(variable.name)
        or (variable.role is VariableRole.STORED and variable.name not in assigned)
    ):
        return False
    match variable.type:
        case TruthType():
            return True
        case NumberType() | WordType() | TupleType() if variable.domain is not None:
            values = machine.evaluate(variable.domain, machine.initial, {})
            return isinstance(values, frozenset) and len(values) <= MOST_VALUES
        case _:
            return False


def _tests(expr: Expr, *, holds: bool) -> Iterator[tuple[str, Value]]:
    """Names with the values that *expr* asks them to have, where it must be *holds*."""
    match expr:
        case Ref(name):
            yield name, truth(holds)
        case Not(operand):
            yield from _tests(operand, holds=not holds)
        case And(operands) | Or(operands):
            for operand in operands:
                yield from _tests(operand, holds=holds)
        case Binary(Op.EQ | Op.IFF | Op.NE as op, Ref(name), other) | Binary(
            Op.EQ | Op.IFF | Op.NE as op, other, Ref(name)
        ) if (value := _constant(other)) is not None:
            is_it = holds is not (op is Op.NE)
            if isinstance(value, TruthValue):
                yield name, truth(value.holds is is_it)
            elif is_it:
                yield name, value
        case Binary(Op.IMPLIES, left, right):
            yield from _tests(left, holds=not holds)
            yield from _tests(right, holds=holds)
        case _:
            pass


def _constant(expr: Expr) -> Value | None:
    """The value that *expr* has in every state, if it is a value or a tuple of values."""
    match expr:
        case Literal(value):
            return value
        case TupleOf(items):
            values = tuple(map(_constant, items))
            return None if None in values else tuple(v for v in values if v is not None)
        case _:
            return None


def _distinct(values: list[Value]) -> tuple[Value, ...]:
    return tuple(in_order(frozenset(values)))
