"""Making a turn: the move, then the end, and what both did held to the variables' sets."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TypeVar

from zermelo.core.faults import FaultError, SkipError, endless, undefined
from zermelo.core.machine import Event, Fault, FaultKind, State
from zermelo.core.values import UNSET, Value
from zermelo.languages.sections.ir import System, Variable, VariableRole
from zermelo.languages.sections.run.env import Env
from zermelo.languages.sections.run.evaluate import Expressions
from zermelo.languages.sections.run.program import Program, Routine
from zermelo.languages.sections.run.run import Run, Store, is_member, is_outside
from zermelo.languages.sections.walk import depth

T = TypeVar("T")

_STACK: Final = 30_000
"""Python's own bound on nesting while a system with recursion runs; ours comes first."""
_FEW_LEVELS: Final = 60


@dataclass(frozen=True, slots=True)
class Made:
    """What a turn led to; ``state`` is ``None`` when it was not made."""

    state: State | None
    has_effect: bool
    fault: Fault | None = None


class Turns:
    """Makes the turns of one system."""

    def __init__(self, system: System) -> None:
        with _room():
            self._prepare(system)

    def _prepare(self, system: System) -> None:
        self.expressions = Expressions(system)
        self.program = Program(system, self.expressions)
        self._needs_room = self.program.is_recursive or _levels(system) > _FEW_LEVELS
        self._end = None if system.end is None else self.program.routines[system.end.name]
        self._domains = {
            v.name: (v.domain, self.expressions.set(v.domain))
            for v in system.variables
            if v.domain is not None
        }
        self.names = tuple(variable.name for variable in system.stored)
        first, self.initial_faults = self._first_values(system)
        self.initial = State(tuple(first[name] for name in self.names), self.names)
        self._flags = {
            v.name: first[v.name] for v in system.variables if v.role is VariableRole.FLAG
        }

    def store(self, state: State) -> Store:
        """The variables of a turn that starts in *state*."""
        values = dict(zip(self.names, state.values, strict=True)) | self._flags
        return Store(values, self.expressions.env(values).facts)

    def made(
        self,
        store: Store,
        routine: Routine,
        arguments: tuple[Value, ...],
        *,
        log: list[Event] | None = None,
        costs_the_turn: bool = False,
    ) -> Made:
        """Call *routine* and then, if that had an effect, the end; both work on *store*."""
        has_effect = False

        def turn() -> State | None:
            nonlocal has_effect
            has_effect = self._called(store, routine, arguments, log)
            return self._ended(store, log) if has_effect or costs_the_turn else None

        after = self.guarded(turn)
        if isinstance(after, Fault):
            return Made(None, has_effect, after)
        return Made(after, has_effect)

    def ended(self, store: Store, *, log: list[Event] | None = None) -> Made:
        """Call only the end."""
        after = self.guarded(lambda: self._ended(store, log))
        if isinstance(after, Fault):
            return Made(None, has_effect=False, fault=after)
        return Made(after, has_effect=False)

    def guarded(self, act: Callable[[], T]) -> T | Fault:
        """What *act* gives, or the fault that stopped it."""
        self.expressions.work.begin()
        try:
            if not self._needs_room:
                return act()
            with _room():
                return act()
        except FaultError as stop:
            return stop.fault()
        except SkipError as skip:
            return undefined(skip.reason).fault()
        except RecursionError:
            return endless("it is nested too deeply").fault()

    def _called(
        self, store: Store, routine: Routine, arguments: tuple[Value, ...], log: list[Event] | None
    ) -> bool:
        """Call *routine*; whether it changed a stored variable."""
        before = {name: store.values[name] for name in self.names}
        run = Run(self.program, store, log)
        run.call(routine, arguments)
        changed = [name for name in self.names if store.values[name] != before[name]]
        if changed:
            env = Env(store.values, store.facts, {}, work=self.expressions.work)
            for name in changed:
                self._hold(name, env, run)
        return bool(changed)

    def _ended(self, store: Store, log: list[Event] | None) -> State:
        if self._end is not None:
            self._called(store, self._end, (), log)
        return State(tuple(store.values[name] for name in self.names), self.names)

    def _hold(self, name: str, env: Env, run: Run) -> None:
        """Hold the variable called *name* to the set its values are in."""
        if name not in self._domains:
            return
        expr, domain = self._domains[name]
        value = env.values[name]
        if not is_member(domain(env), value, expr):
            routine, rule, assigned = run.origins[name]
            fault = FaultError(FaultKind.OUTSIDE, is_outside(name, value, expr), assigned)
            fault.found_in(routine.name, rule.label if rule else None)
            raise fault

    def _first_values(self, system: System) -> tuple[dict[str, Value], tuple[Fault, ...]]:
        """The first value of every variable; one may be given in terms of others."""
        values: dict[str, Value] = {
            v.name: UNSET for v in system.variables if v.role is not VariableRole.DEFINED
        }
        faults: list[Fault] = []
        for variable in _by_need(system, self.expressions):
            if variable.initial is not None:
                code = self.expressions.value(variable.initial)
                value = self.guarded(lambda: code(self.expressions.env(values)))  # noqa: B023 - called at once
                if isinstance(value, Fault):
                    faults.append(value)
                else:
                    values[variable.name] = value
        return values, tuple(faults)


@contextmanager
def _room() -> Iterator[None]:
    """Enough of Python's stack for our own bound on nested calls to be met first."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _STACK))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _levels(system: System) -> int:
    """At most so many levels of names and expressions are worked on at a time."""
    named = (*system.sets, *system.functions, *system.variables)
    return len(named) + max(map(depth, (*named, *system.procedures)), default=0)


def _by_need(system: System, expressions: Expressions) -> list[Variable]:
    """The variables with first values, each after those that its own mentions."""
    waiting = {v.name: v for v in system.variables if v.role is not VariableRole.DEFINED}
    ordered: list[Variable] = []

    def place(variable: Variable) -> None:
        waiting.pop(variable.name, None)
        if variable.initial is not None:
            for name in sorted(expressions.footprints.of(variable.initial).reads):
                if name in waiting:
                    place(waiting[name])
        ordered.append(variable)

    while waiting:
        place(next(iter(waiting.values())))
    return ordered
