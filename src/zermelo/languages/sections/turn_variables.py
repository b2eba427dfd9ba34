"""Which variables say whose turn it is, as far as the rules test it.

Comes in a system; goes out, for each variable that may take part in deciding who
moves, the values that guards ask for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, assert_never

from zermelo.core.machine import (
    CallEvent,
    Change,
    Event,
    Fault,
    Machine,
    RuleEvent,
    SetEvent,
    State,
    Turn,
)
from zermelo.core.types import NumberType, TruthType, WordType
from zermelo.core.values import Value, sort_key, to_text
from zermelo.languages.sections.footprint import Footprints
from zermelo.languages.sections.ir import (
    And,
    Binary,
    Expr,
    Literal,
    Not,
    Op,
    Or,
    ProcedureRole,
    Ref,
    Variable,
    VariableRole,
)
from zermelo.languages.sections.walk import rules_of

MOST_VALUES: Final = 8


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

        >>> TurnVariable("turn", ()).words(False)
        '¬turn'
        """
        match value:
            case True:
                return self.name
            case False:
                return f"¬{self.name}"
            case _:
                return f"{self.name} = {to_text(value)}"


def turn_variables(machine: Machine) -> tuple[TurnVariable, ...]:
    """The variables of *machine* that may say whose turn it is, in the document's order."""
    system = machine.system
    footprints = Footprints(system)
    writes = (footprints.of_procedure(procedure.name).writes for procedure in system.procedures)
    assigned = frozenset[str]().union(*writes)
    tests: dict[str, list[Value]] = {}
    tested: dict[str, list[Value]] = {}
    for procedure in system.procedures:
        for rule in rules_of(procedure.body):
            for name, value in _tests(rule.guard, holds=True):
                tested.setdefault(name, []).append(value)
                if procedure.role is not ProcedureRole.END:
                    tests.setdefault(name, []).append(value)
    # Who has the turn is asked for every player: a counter or a flag is asked for one value.
    values = {name: _distinct(found) for name, found in tested.items()}
    return tuple(
        TurnVariable(each.name, _distinct(tests.get(each.name, [])), values[each.name])
        for each in system.variables
        if len(values.get(each.name, ())) > 1
        and _may_say_whose_turn(machine, each, assigned=assigned)
    )


def changes(event: Event) -> tuple[Change, ...]:
    """The changes of variables that *event* tells of."""
    match event:
        case RuleEvent() | SetEvent():
            return event.changes
        case CallEvent():
            return ()
        case _:
            assert_never(event)


def passes(turn: Turn, variable: TurnVariable) -> list[RuleEvent]:
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


def value_in(machine: Machine, state: State, name: str) -> Value | None:
    """The value of the stored or defined variable *name*, if it has one."""
    value = machine.evaluate(Ref(name), state, {})
    return None if isinstance(value, Fault) else value


def _may_say_whose_turn(machine: Machine, variable: Variable, *, assigned: frozenset[str]) -> bool:
    system = machine.system
    if variable.role is VariableRole.FLAG or variable.name == system.result:
        return False
    if system.over == Ref(variable.name):
        return False
    if variable.role is VariableRole.STORED and variable.name not in assigned:
        return False
    match variable.type:
        case TruthType():
            return True
        case NumberType() | WordType() if variable.domain is not None:
            values = machine.evaluate(variable.domain, machine.initial, {})
            return isinstance(values, frozenset) and len(values) <= MOST_VALUES
        case _:
            return False


def _tests(expr: Expr, *, holds: bool) -> Iterator[tuple[str, Value]]:
    """Names with the values that *expr* asks them to have, where it must be *holds*."""
    match expr:
        case Ref(name):
            yield name, holds
        case Not(operand):
            yield from _tests(operand, holds=not holds)
        case And(operands) | Or(operands):
            for operand in operands:
                yield from _tests(operand, holds=holds)
        case Binary(Op.EQ | Op.IFF, Ref(name), Literal(value)):
            yield from _value_tests(name, value, holds=holds)
        case Binary(Op.EQ | Op.IFF, Literal(value), Ref(name)):
            yield from _value_tests(name, value, holds=holds)
        case Binary(Op.NE, Ref(name), Literal(value)):
            yield from _value_tests(name, value, holds=not holds)
        case Binary(Op.IMPLIES, left, right):
            yield from _tests(left, holds=not holds)
            yield from _tests(right, holds=holds)
        case _:
            pass


def _value_tests(name: str, value: Value, *, holds: bool) -> Iterator[tuple[str, Value]]:
    if isinstance(value, bool):
        yield name, value == holds
    elif holds:
        yield name, value


def _distinct(values: list[Value]) -> tuple[Value, ...]:
    # Sorted by a key that tells truth values from numbers, which Python's equality does not.
    by_key = {sort_key(value): value for value in values}
    return tuple(by_key[key] for key in sorted(by_key))
