"""Which variables an expression, a statement or a procedure reads, writes and may change.

Definitions, value functions and helpers are looked through, so that a footprint
says everything on which an answer depends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, assert_never

from zermelo.languages.sections.ir import (
    Apply,
    Assign,
    Call,
    Declare,
    Expr,
    Let,
    Node,
    Parameter,
    Procedure,
    Ref,
    Rule,
    Statement,
    System,
    VariableRole,
)
from zermelo.languages.sections.walk import parts


@dataclass(frozen=True, slots=True)
class Footprint:
    """The variables that are read and written."""

    reads: frozenset[str] = frozenset()
    """Defined variables too, with everything that their definitions read."""
    writes: frozenset[str] = frozenset()

    def __or__(self, other: Footprint) -> Footprint:
        return Footprint(self.reads | other.reads, self.writes | other.writes)


NOTHING: Final = Footprint()


class Footprints:
    """The footprints of the parts of one system, each computed once."""

    def __init__(self, system: System) -> None:
        self._variables = {variable.name: variable for variable in system.variables}
        self._sets = {definition.name: definition.value for definition in system.sets}
        self._functions = {function.name: function for function in system.functions}
        self._procedures = {procedure.name: procedure for procedure in system.procedures}
        self._known: dict[str, Footprint] = {}

    def of(self, node: Node) -> Footprint:
        """What *node*, an expression or a statement, reads and writes."""
        found = NOTHING
        for part in parts(node):
            key = _key(part)
            if key is not None:
                found |= self._named(key)
            elif isinstance(part, Assign):
                found |= Footprint(writes=frozenset({part.variable}))
        return found

    def reads(self, exprs: Iterable[Expr]) -> frozenset[str]:
        """What any of *exprs* reads."""
        return frozenset(name for expr in exprs for name in self.of(expr).reads)

    def of_procedure(self, name: str) -> Footprint:
        """What calling the procedure called *name* reads and writes."""
        return self._named(f"{name}()")

    def of_variable(self, name: str) -> Footprint:
        """What reading the variable called *name* reads: itself, and its definition's names."""
        return self._named(name)

    def dependents(self) -> Mapping[str, tuple[str, ...]]:
        """For each variable the defined variables that change with it."""
        defined = [v.name for v in self._variables.values() if v.role is VariableRole.DEFINED]
        return {
            name: tuple(other for other in defined if name in self.of_variable(other).reads)
            for name in self._variables
        }

    def _named(self, key: str) -> Footprint:
        if key not in self._known:
            self._known[key] = self._closure(key)
        return self._known[key]

    def _closure(self, key: str) -> Footprint:
        """Everything that is read and written on the way from *key* on."""
        reads: set[str] = set()
        writes: set[str] = set()
        entered, waiting = {key}, [key]
        while waiting:
            at = waiting.pop()
            if at in self._variables:
                reads.add(at)
            for part in (part for node in self._meaning(at) for part in parts(node)):
                other = _key(part)
                if isinstance(part, Assign):
                    writes.add(part.variable)
                elif other is not None and other not in entered:
                    entered.add(other)
                    waiting.append(other)
        return Footprint(frozenset(reads), frozenset(writes))

    def _meaning(self, key: str) -> tuple[Node, ...]:
        if key.endswith("(…)"):
            function = self._functions.get(key[:-3])
            return () if function is None else (function.body,)
        if key.endswith("()"):
            procedure = self._procedures.get(key[:-2])
            return () if procedure is None else (*_domains(procedure.parameters), *procedure.body)
        if key in self._sets:
            return (self._sets[key],)
        variable = self._variables.get(key)
        return () if variable is None or variable.definition is None else (variable.definition,)


def _key(part: Node) -> str | None:
    """What *part* names: sets and variables, value functions and helpers are told apart."""
    match part:
        case Ref(name):
            return name
        case Apply(function=name):
            return f"{name}(…)"
        case Call(procedure=name):
            return f"{name}()"
        case _:
            return None


def _domains(parameters: tuple[Parameter, ...]) -> tuple[Expr, ...]:
    return tuple(parameter.domain for parameter in parameters)


def calls(procedure: Procedure) -> frozenset[str]:
    """The helpers that *procedure* calls itself."""
    called = (part for node in procedure.body for part in parts(node))
    return frozenset(part.procedure for part in called if isinstance(part, Call))


def applied(node: Node) -> frozenset[str]:
    """The value functions that *node* applies itself."""
    return frozenset(part.function for part in parts(node) if isinstance(part, Apply))


def recursive(edges: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The names from which following *edges* comes back."""
    return frozenset(name for name in edges if name in _reached(name, edges))


def _reached(name: str, edges: Mapping[str, frozenset[str]]) -> frozenset[str]:
    seen: set[str] = set()
    waiting = list(edges.get(name, ()))
    while waiting:
        at = waiting.pop()
        if at not in seen:
            seen.add(at)
            waiting.extend(edges.get(at, ()))
    return frozenset(seen)


@dataclass(frozen=True, slots=True)
class Effect:
    """A variable that a procedure may change, and what has to hold for it."""

    assign: Assign
    guards: tuple[Expr, ...]
    """The guards around it, from the procedure that was entered on; all have to hold."""
    procedure: str
    rule: Rule | None


def effects(system: System, procedure: Procedure) -> Iterator[Effect]:
    """Everything that calling *procedure* may change, helpers included."""
    yield from _effects(system, procedure, guards=(), entered=frozenset())


def _effects(
    system: System,
    procedure: Procedure,
    *,
    guards: tuple[Expr, ...],
    entered: frozenset[str],
) -> Iterator[Effect]:
    entered = entered | {procedure.name}
    waiting: list[tuple[Statement, tuple[Expr, ...], Rule | None]]
    waiting = [(statement, guards, None) for statement in reversed(procedure.body)]
    while waiting:
        statement, around, rule = waiting.pop()
        match statement:
            case Assign():
                yield Effect(statement, around, procedure.name, rule)
            case Rule(guard=guard, conclusion=conclusion):
                inner = (*around, guard)
                waiting.extend((s, inner, statement) for s in reversed(conclusion))
            case Call(procedure=name):
                helper = system.procedure(name)
                if helper is not None and name not in entered:
                    yield from _effects(system, helper, guards=around, entered=entered)
            case Let() | Declare():
                pass
            case _:
                assert_never(statement)
