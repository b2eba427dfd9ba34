"""What the parts of a system read and change, found by looking, not by running."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import assert_never

from zermelo.languages.sections import ir
from zermelo.languages.sections.walk import free_locals, parts


def has_locals(expr: ir.Expr) -> bool:
    """Whether *expr* needs more than a state: a parameter or a local."""
    return bool(free_locals(expr))


class Reach:
    """What the expressions of one system read, through facts and functions."""

    def __init__(self, system: ir.System) -> None:
        self._definitions: Mapping[str, ir.Expr] = {
            v.name: v.definition for v in system.variables if v.definition is not None
        }
        self._functions = {function.name: function.body for function in system.functions}
        # by identity: the expressions live as long as the pair kept here
        self._known: dict[int, tuple[ir.Expr, frozenset[str]]] = {}

    def reads(self, expr: ir.Expr) -> frozenset[str]:
        """The sets and variables that *expr* depends on, directly or through facts."""
        if id(expr) not in self._known:
            self._known[id(expr)] = (expr, self._search(expr))
        return self._known[id(expr)][1]

    def reads_all(self, exprs: Iterable[ir.Expr]) -> frozenset[str]:
        """What any of *exprs* reads."""
        return frozenset(name for expr in exprs for name in self.reads(expr))

    def _search(self, expr: ir.Expr) -> frozenset[str]:
        found: set[str] = set()
        entered: set[tuple[str, bool]] = set()
        waiting: list[ir.Expr] = [expr]
        while waiting:
            for node in parts(waiting.pop()):
                match node:
                    case ir.Ref(name=name):
                        found.add(name)
                        key, body = (name, True), self._definitions.get(name)
                    case ir.Apply(function=name):
                        key, body = (name, False), self._functions.get(name)
                    case _:
                        continue
                if body is not None and key not in entered:
                    entered.add(key)
                    waiting.append(body)
        return frozenset(found)


@dataclass(frozen=True, slots=True)
class Effect:
    """A variable that a procedure may change, and what has to hold for it."""

    assign: ir.Assign
    guards: tuple[ir.Expr, ...]
    """The guards around it, from the procedure that was entered on; all have to hold."""
    procedure: str
    rule: ir.Rule | None


def effects(system: ir.System, procedure: ir.Procedure) -> Iterator[Effect]:
    """Everything that calling *procedure* may change, helpers included."""
    yield from _effects(system, procedure, guards=(), entered=frozenset())


def _effects(
    system: ir.System,
    procedure: ir.Procedure,
    *,
    guards: tuple[ir.Expr, ...],
    entered: frozenset[str],
) -> Iterator[Effect]:
    entered = entered | {procedure.name}
    waiting: list[tuple[ir.Statement, tuple[ir.Expr, ...], ir.Rule | None]]
    waiting = [(statement, guards, None) for statement in reversed(procedure.body)]
    while waiting:
        statement, around, rule = waiting.pop()
        match statement:
            case ir.Assign():
                yield Effect(statement, around, procedure.name, rule)
            case ir.Rule(guard=guard, conclusion=conclusion):
                inner = (*around, guard)
                waiting.extend((s, inner, statement) for s in reversed(conclusion))
            case ir.Call(procedure=name):
                helper = system.procedure(name)
                if helper is not None and name not in entered:
                    yield from _effects(system, helper, guards=around, entered=entered)
            case ir.Let() | ir.Declare():
                pass
            case _:
                assert_never(statement)


def expressions(body: Iterable[ir.Statement]) -> Iterator[ir.Expr]:
    """The outermost expressions of *body*: guards, values, arguments, domains."""
    for statement in body:
        match statement:
            case ir.Assign(value=value) | ir.Let(value=value):
                yield value
            case ir.Declare(domain=domain):
                yield domain
            case ir.Call(arguments=arguments):
                yield from arguments
            case ir.Rule(guard=guard, conclusion=conclusion):
                yield guard
                yield from expressions(conclusion)
            case _:
                assert_never(statement)
