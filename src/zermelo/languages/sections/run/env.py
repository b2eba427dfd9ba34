"""What expressions see while they are evaluated: variables, facts and locals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from zermelo.core.faults import ExhaustedError, endless
from zermelo.core.machine import FaultKind
from zermelo.core.values import Number, Value
from zermelo.languages.sections.run.sets import AnySet, Operand

WORK_LIMIT: Final = 1_000_000
"""How many members of sets one turn may go through, again and again counted."""
DEPTH_LIMIT: Final = 1_000
"""How deep calls of helpers and value functions may nest."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Stands for the value of a local that has none, or one outside its declaration."""

    reason: str
    is_outside: bool = False


class Work:
    """How much of the work allowed has been done."""

    __slots__ = ("done", "total")

    def __init__(self) -> None:
        self.done = 0
        self.total = 0
        """The work of everything that was begun before."""

    def begin(self) -> None:
        """Begin something new, which may take as much again."""
        self.total += self.done
        self.done = 0

    def add(self, count: int) -> None:
        """Count the members of a set that is gone through."""
        self.done += count
        if self.done > WORK_LIMIT:
            message = f"more than {WORK_LIMIT:,} members of sets were gone through"
            raise ExhaustedError(FaultKind.ENDLESS, message)


class Facts:
    """The defined variables: each computed when it is asked for, from the values at hand."""

    __slots__ = ("_definitions", "_dependents", "known", "values", "work")

    def __init__(
        self,
        definitions: Mapping[str, Code],
        dependents: Mapping[str, tuple[str, ...]],
        values: dict[str, Value],
        work: Work,
    ) -> None:
        self._definitions = definitions
        self._dependents = dependents
        self.values = values
        self.work = work
        self.known: dict[str, Operand] = {}

    def value(self, name: str) -> Operand:
        """The value of the defined variable called *name*."""
        known = self.known.get(name)
        if known is None:
            env = Env(self.values, self, {}, work=self.work)
            known = self.known[name] = self._definitions[name](env)
        return known

    def forget(self, variable: str) -> None:
        """Note that *variable* got a new value."""
        for name in self._dependents[variable]:
            self.known.pop(name, None)

    def over(self, values: dict[str, Value]) -> Facts:
        """The facts of the same system over *values*, equal to these until one is written."""
        copy = Facts(self._definitions, self._dependents, values, self.work)
        copy.known.update(self.known)
        return copy


class Env:
    """The names that an expression can use.

    *facts* may be computed from other values than *values*: frozen facts are.
    """

    __slots__ = ("depth", "facts", "locals", "values", "work")

    def __init__(
        self,
        values: dict[str, Value],
        facts: Facts,
        names: dict[str, Operand | Missing],
        *,
        work: Work,
        depth: int = 0,
    ) -> None:
        self.values = values
        self.facts = facts
        self.locals = names
        self.work = work
        self.depth = depth

    def nested(self) -> Env:
        """The same names, to which bound ones can be added."""
        return Env(self.values, self.facts, {**self.locals}, work=self.work, depth=self.depth)

    def snapshot(self) -> Env:
        """The same names with the values they have now."""
        values = {**self.values}
        facts = self.facts.over(values if self.facts.values is self.values else self.facts.values)
        return Env(values, facts, {**self.locals}, work=self.work, depth=self.depth)

    def inside(self, names: dict[str, Operand | Missing]) -> Env:
        """What the body of a value function or helper sees: other locals, one call deeper."""
        if self.depth >= DEPTH_LIMIT:
            raise endless(f"calls are nested more than {DEPTH_LIMIT:,} deep")
        return Env(self.values, self.facts, names, work=self.work, depth=self.depth + 1)


Code: TypeAlias = Callable[[Env], Operand]
"""An expression, ready to be evaluated."""
ValueCode: TypeAlias = Callable[[Env], Value]
TruthCode: TypeAlias = Callable[[Env], bool]
NumberCode: TypeAlias = Callable[[Env], Number]
SetCode: TypeAlias = Callable[[Env], AnySet]
