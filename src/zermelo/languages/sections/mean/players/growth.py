"""What grows in a turn, and what guards allow to grow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from zermelo.core.machine import Fault, Move, State
from zermelo.core.types import SetType
from zermelo.core.values import Value, sort_key
from zermelo.languages.sections import ir
from zermelo.languages.sections.mean.reach import Reach, effects
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.walk import conjuncts, parts

Turns: TypeAlias = Sequence[tuple[State, Move, State]]
"""Turns seen while playing: the state before, the move, the state after."""

Evaluate: TypeAlias = Callable[[ir.Expr, State], Value | None]


def evaluator(system: ir.System) -> Evaluate:
    """Evaluates expressions without locals; ``None`` where there is no value."""
    machine = Interpreter(system)

    def evaluate(expr: ir.Expr, state: State) -> Value | None:
        if isinstance(expr, ir.Ref) and expr.name in state.names:
            return state[expr.name]
        value = machine.evaluate(expr, state, {})
        return None if isinstance(value, Fault) else value

    return evaluate


def grown(before: State, after: State) -> frozenset[str]:
    """The variables that got more: sets with new members, greater numbers."""
    names = []
    for (name, old), (_, new) in zip(before.items(), after.items(), strict=True):
        if isinstance(old, frozenset) and isinstance(new, frozenset):
            if new - old:
                names.append(name)
        elif _is_number(old) and _is_number(new) and sort_key(new) > sort_key(old):
            names.append(name)
    return frozenset(names)


def owners(
    system: ir.System, grown_under: Iterable[tuple[tuple[Value, ...], frozenset[str]]]
) -> Mapping[tuple[Value, ...], tuple[str, ...]]:
    """The variables that grow under one value only, by value."""
    under: dict[str, set[tuple[Value, ...]]] = {}
    for values, names in grown_under:
        for name in names:
            under.setdefault(name, set()).add(values)
    owned: dict[tuple[Value, ...], tuple[str, ...]] = {}
    for variable in system.variables:
        values_of = under.get(variable.name, set())
        if len(values_of) == 1 and variable.name != system.result:
            (values,) = values_of
            owned[values] = (*owned.get(values, ()), variable.name)
    return owned


def set_valued(system: ir.System, names: Iterable[str]) -> tuple[str, ...]:
    """Those of *names* that are set-valued variables."""
    return tuple(
        name
        for name in names
        if (v := system.variable(name)) is not None and isinstance(v.type, SetType)
    )


def decisive(system: ir.System) -> frozenset[str]:
    """The variables that decide the result."""
    reach = Reach(system)
    guards: list[ir.Expr] = []
    for procedure in system.procedures:
        for effect in effects(system, procedure):
            if effect.assign.variable == system.result:
                guards.extend(effect.guards)
    return reach.reads_all(guards)


def may_grow(assign: ir.Assign) -> bool:
    """Whether *assign* may add something to its variable."""
    return any(
        isinstance(node, ir.Binary) and node.op in {ir.Op.UNION, ir.Op.PLUS}
        for node in parts(assign.value)
    )


def allows(guard: ir.Expr, expr: ir.Expr, value: Value) -> bool:
    """Whether *guard* can hold when *expr* has *value*, as far as one look tells."""
    return all(_holds(part, expr, value) is not False for part in conjuncts(guard))


def _holds(part: ir.Expr, expr: ir.Expr, value: Value) -> bool | None:
    match part:
        case ir.Not(operand=operand):
            inner = _holds(operand, expr, value)
            return None if inner is None else not inner
        case ir.Binary(op=ir.Op.EQ | ir.Op.IFF, left=left, right=ir.Literal(value=wanted)):
            return value == wanted if left == expr else None
        case ir.Binary(op=ir.Op.NE, left=left, right=ir.Literal(value=wanted)):
            return value != wanted if left == expr else None
        case _:
            return value if part == expr and isinstance(value, bool) else None


def _is_number(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
