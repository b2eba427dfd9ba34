"""Which variables an expression, a statement or a procedure reads and writes.

Definitions, value functions and helpers are looked through, so that a footprint
says everything on which an answer depends.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from zermelo.languages.sections.ir import (
    Apply,
    Assign,
    Call,
    Expr,
    Node,
    Parameter,
    Procedure,
    Ref,
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
        return self._of(node, frozenset())

    def of_procedure(self, name: str) -> Footprint:
        """What calling the procedure called *name* reads and writes."""
        return self._named(f"{name}()", frozenset())

    def of_variable(self, name: str) -> Footprint:
        """What reading the variable called *name* reads: itself, and its definition's names."""
        return self._named(name, frozenset())

    def dependents(self) -> Mapping[str, tuple[str, ...]]:
        """For each variable the defined variables that change with it."""
        defined = [v.name for v in self._variables.values() if v.role is VariableRole.DEFINED]
        return {
            name: tuple(other for other in defined if name in self.of_variable(other).reads)
            for name in self._variables
        }

    def _of(self, node: Node, on_the_way: frozenset[str]) -> Footprint:
        found = NOTHING
        for part in parts(node):
            match part:
                case Ref(name):
                    found |= self._named(name, on_the_way)
                case Apply(function=name):
                    found |= self._named(f"{name}(…)", on_the_way)
                case Call(procedure=name):
                    found |= self._named(f"{name}()", on_the_way)
                case Assign(variable=name):
                    found |= Footprint(writes=frozenset({name}))
                case _:
                    pass
        return found

    def _named(self, key: str, on_the_way: frozenset[str]) -> Footprint:
        """The footprint of a name; names on the way to it are already being counted."""
        if key in self._known:
            return self._known[key]
        if key in on_the_way:
            return NOTHING
        found = NOTHING
        for node in self._meaning(key):
            found |= self._of(node, on_the_way | {key})
        if key in self._variables:
            found |= Footprint(reads=frozenset({key}))
        if not on_the_way:
            self._known[key] = found
        return found

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
