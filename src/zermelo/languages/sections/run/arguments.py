"""Which arguments of a move are worth trying in a state: decided from its guards, once for all.

Every argument with an effect is among them; others may be. Never is the whole
product of the parameters' sets tried if the guards say more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import assert_never

from zermelo.core.machine import FaultError
from zermelo.core.values import Value
from zermelo.languages.sections.run.operators import Env
from zermelo.languages.sections.run.procedures import CallFrame as Frame
from zermelo.languages.sections.run.procedures import Execution as Run
from zermelo.languages.sections.run.procedures import Program, Routine
from zermelo.languages.sections.run.procedures import VariableStore as Store
from zermelo.languages.sections.run.queries import Counter, Query, Question
from zermelo.languages.sections.run.sources import Everything, Prefix, Source, sources


@dataclass(slots=True)
class Candidates:
    """The arguments worth trying, and what kept others from being listed."""

    arguments: dict[tuple[Value, ...], None] = field(default_factory=dict)
    faults: list[FaultError] = field(default_factory=list)


class Arguments:
    """The arguments of one move."""

    def __init__(self, program: Program, routine: Routine) -> None:
        self._program = program
        self._routine = routine
        self._counter = Counter()
        self._stored = frozenset(variable.name for variable in program.system.stored)

    @property
    def examined(self) -> int:
        """How many conditions have been tested so far."""
        return self._counter.count

    def candidates(self, store: Store) -> Candidates:
        """The arguments worth trying where the variables are as in *store*."""
        found = Candidates()
        run = Run(self._program, store.fork(), None)
        frame = run.frame(self._routine, {})
        for source in self._sources:
            try:
                if isinstance(source, Query):
                    found.arguments |= source.solutions(frame.env)
                    continue
                run.step(frame, source.step)
            except FaultError as fault:
                fault.found_in(self._routine.name, frame.rule.label if frame.rule else None)
                found.faults.append(fault)
                if isinstance(source, Prefix):
                    # Every call comes to this statement.
                    break
            else:
                if self._has_effect(frame, store):
                    self._add_everything(store, found)
                    break
        return found

    @cached_property
    def _sources(self) -> tuple[Prefix | Query, ...]:
        return tuple(map(self._ready, sources(self._program, self._routine)))

    def _ready(self, source: Source) -> Prefix | Query:
        match source:
            case Prefix():
                return source
            case Everything():
                return self._query(Question(()))
            case Question():
                return self._query(source)
            case _:
                assert_never(source)

    def _query(self, question: Question) -> Query:
        given = self._routine.procedure.parameters
        return Query(self._program.expressions, given, question, counter=self._counter)

    def _add_everything(self, store: Store, found: Candidates) -> None:
        # The sets of the parameters are those of the state before the call.
        env = Env(store.values, store.facts, {}, work=self._program.expressions.work)
        try:
            found.arguments |= self._query(Question(())).solutions(env)
        except FaultError as fault:
            fault.found_in(self._routine.name, None)
            found.faults.append(fault)

    def _has_effect(self, frame: Frame, store: Store) -> bool:
        """Whether the statements run so far changed a stored variable."""
        after = frame.store.values
        if frame.pending:
            after = after | {name: value for name, (value, _) in frame.pending.items()}
        return any(after[name] != store.values[name] for name in self._stored)
