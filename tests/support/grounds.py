"""What a system that was written out does in a state, computed from its formulas alone."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import assert_never

from zermelo.core.layout import Layout
from zermelo.core.state import NO_EFFECT_MOVE, PASS_MOVE, Move, State
from zermelo.core.symmetry import Bit
from zermelo.core.values import UNSET, Number, Value
from zermelo.languages.sections.ir import Op
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.symmetry.formulas import (
    Amount,
    Choose,
    Claimed,
    Conjunction,
    Disjunction,
    KnownNumber,
    Negation,
    Node,
    NumberTerm,
    TruthConstant,
    WeightedSum,
)
from zermelo.languages.sections.symmetry.grounding import GroundAction, GroundSystem, ground


def written_out(machine: Interpreter) -> GroundSystem:
    """*machine* written out."""
    places = machine.layout
    assert isinstance(places, Layout)
    return ground(machine, places)


def successors(system: GroundSystem, state: State) -> dict[Move, State]:
    """The moves that have an effect in *state*, each with the state after it."""
    found: dict[Move, State] = {}
    for each in system.inputs:
        after = _turn(system, state, each.action)
        if after is not None:
            found[Move(each.procedure, each.arguments)] = after
    return found


def expected(machine: Interpreter, state: State) -> dict[Move, State]:
    """The same as the interpreter has it; pseudo-moves left out."""
    return {
        move: machine.after(state, move)
        for move in machine.legal(state)
        if move.name not in {NO_EFFECT_MOVE, PASS_MOVE}
    }


def _turn(system: GroundSystem, state: State, action: GroundAction) -> State | None:
    seen = _Seen(system, state)
    if any(seen.value(node) for node in action.faults):
        return None
    middle = seen.after(action)
    if middle == state:
        return None
    if action.ended is not None:
        return None if any(map(seen.value, action.ended.faults)) else seen.after(action.ended)
    if system.end is None:
        return middle
    then = _Seen(system, middle)
    return None if any(map(then.value, system.end.faults)) else then.after(system.end)


class _Seen:
    """A state, and what formulas say in it."""

    def __init__(self, system: GroundSystem, state: State) -> None:
        self._system = system
        self._state = state
        self._known: dict[Node, bool | Number] = {}

    def value(self, node: Node) -> bool | Number:
        if node not in self._known:
            self._known[node] = self._value(node)
        return self._known[node]

    def after(self, action: GroundAction) -> State:
        values: dict[str, Value] = dict(self._state.items())
        sets: dict[str, set[Value]] = {}
        present: dict[str, bool] = {}
        for claim, node in action.updates:
            bit, holds = self._system.bits[claim], bool(self.value(node))
            before = values[bit.variable]
            if not bit.is_member:
                if holds:
                    values[bit.variable] = bit.value
            elif bit.value is UNSET:
                present[bit.variable] = holds
            else:
                given = before if isinstance(before, frozenset) else frozenset[Value]()
                members = sets.setdefault(bit.variable, set(given))
                (members.add if holds else members.discard)(bit.value)
        for at, node in action.amounts:
            values[self._system.amounts[at]] = self.value(node)
        for name, is_set in present.items():
            if is_set and values[name] is UNSET:
                sets.setdefault(name, set())
        for name, members in sets.items():
            if present.get(name, self._state[name] is not UNSET):
                values[name] = frozenset(members)
        return State(tuple(values[name] for name in self._state.names), self._state.names)

    def _truth(self, formula: Negation | Conjunction | Disjunction) -> bool:
        match formula:
            case Negation(part):
                return not self.value(part)
            case Conjunction(parts):
                return all(map(self.value, parts))
            case Disjunction(parts):
                return any(map(self.value, parts))
            case _:
                assert_never(formula)

    def _value(self, node: Node) -> bool | Number:
        formula = self._system.formulas[node]
        match formula:
            case TruthConstant(value):
                return value
            case KnownNumber(number):
                return number
            case Claimed(number):
                return holds(self._state, self._system.bits[number])
            case Amount(number):
                amount = self._state[self._system.amounts[number]]
                assert isinstance(amount, int | Fraction)
                return amount
            case Negation() | Conjunction() | Disjunction():
                return self._truth(formula)
            case WeightedSum(weights):
                return sum(weight for part, weight in weights if self.value(part))
            case NumberTerm(op, left, right):
                return _combined(op, self.value(left), self.value(right))
            case Choose(condition, yes, no):
                return self.value(yes) if self.value(condition) else self.value(no)
            case _:
                assert_never(formula)


def _combined(op: Op, left: Number, right: Number) -> bool | Number:
    table: Mapping[Op, bool | Number] = {
        Op.PLUS: left + right,
        Op.MINUS: left - right,
        Op.TIMES: left * right,
        Op.EQ: left == right,
        Op.LT: left < right,
        Op.LE: left <= right,
    }
    return table[op]


def holds(state: State, bit: Bit) -> bool:
    """Whether what *bit* says holds in *state*."""
    value = state[bit.variable]
    if bit.is_member:
        if bit.value is UNSET:
            return value is not UNSET
        return isinstance(value, frozenset) and bit.value in value
    return type(value) is type(bit.value) and value == bit.value
