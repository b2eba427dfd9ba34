"""Symbolic execution: what calling a procedure does, as formulas over the claims of a state.

The three orders of rules mean here what they mean to the interpreter. A rule
whose guard depends on the state is followed both ways, and each variable is
afterwards what one way or the other made of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from zermelo.languages.sections import ir
from zermelo.languages.sections.ir import Expr, Procedure
from zermelo.languages.sections.symmetry.formulas import FALSE, TRUE, GroundingError, Node
from zermelo.languages.sections.symmetry.symbolic_expressions import (
    Absent,
    SkippedError,
    SymbolicExpressions,
    SymbolicFacts,
    SymbolicScope,
)
from zermelo.languages.sections.symmetry.symbolic_values import Symbolic, components, is_known
from zermelo.languages.sections.walk import (
    conjuncts,
    free_locals,
    groups_of,
    rest_of,
    rules_of,
)

MOST_CALLS: Final = 3_000
"""How many calls of helpers one turn may take, both ways of every rule followed."""
Writes: TypeAlias = dict[str, list[tuple[Node, Symbolic]]]
"""What is written into each variable, each time with the formula under which it is."""


class SymbolicStore:
    """The variables as they are now."""

    def __init__(self, values: Mapping[str, Symbolic]) -> None:
        self.values = dict(values)
        self.facts = SymbolicFacts(self.values)
        self.written: dict[str, Node] = {}
        """Under which formula each variable was written."""

    def write(self, variable: str, value: Symbolic, condition: Node = TRUE) -> None:
        self.values[variable] = value
        self.written[variable] = condition
        self.facts.found.clear()

    def fork(self) -> SymbolicStore:
        return SymbolicStore(self.values)


@dataclass(slots=True)
class SymbolicFrame:
    """A call that is followed."""

    procedure: Procedure
    store: SymbolicStore
    facts: SymbolicFacts
    names: dict[str, Symbolic | Absent]
    declared: Mapping[str, tuple[Expr, ...]]
    depth: int
    pending: Writes | None = None
    condition: Node = TRUE
    """*At once*, the guards around what is followed now."""

    @property
    def scope(self) -> SymbolicScope:
        return SymbolicScope(self.store.values, self.facts, self.names)


@dataclass(slots=True)
class SymbolicExecution:
    """Follows one call of a move or of the end, with all it calls."""

    system: ir.System
    evaluator: SymbolicExpressions
    faults: list[Node] = field(default_factory=list)
    """Formulas under which two rules conflict."""
    _path: list[Node] = field(default_factory=list)
    _calls: int = 0
    _frozen: SymbolicFacts | None = None

    def call(
        self, procedure: Procedure, names: Mapping[str, Symbolic], store: SymbolicStore
    ) -> None:
        """Call *procedure*; its writes are made in *store*."""
        self._frozen = SymbolicFacts(dict(store.values))
        self._body(self._frame(procedure, names, store, store.facts, depth=0))

    # Calls

    def _frame(
        self,
        procedure: Procedure,
        names: Mapping[str, Symbolic],
        store: SymbolicStore,
        facts: SymbolicFacts,
        *,
        depth: int,
    ) -> SymbolicFrame:
        if procedure.order is ir.Order.FACTS_FROZEN and self._frozen is not None:
            facts = self._frozen
        pending: Writes | None = {} if procedure.order is ir.Order.AT_ONCE else None
        declared = _declared(procedure)
        return SymbolicFrame(procedure, store, facts, {**names}, declared, depth, pending)

    def _body(self, frame: SymbolicFrame) -> None:
        self._calls += 1
        if self._calls > MOST_CALLS or frame.depth > MOST_CALLS // 50:
            raise GroundingError("helpers call each other too often to be written out")
        for name in frame.declared:
            if name in frame.names:
                self._hold(frame, name)
        for statement in frame.procedure.body:
            self._statement(frame, statement)
        if frame.pending is not None:
            self._settle(frame, frame.pending)

    def _call(self, frame: SymbolicFrame, call: ir.Call) -> None:
        procedure = self.system.procedure(call.procedure)
        if procedure is None or len(procedure.parameters) != len(call.arguments):
            raise GroundingError(f"`{call.procedure}` is not there to be called")
        try:
            given = [self.evaluator.value(argument, frame.scope) for argument in call.arguments]
        except SkippedError:
            return
        parameters = procedure.parameters
        names = dict(zip((p.name for p in parameters), given, strict=True))
        store = frame.store if frame.pending is None else frame.store.fork()
        facts = store.facts if frame.facts is frame.store.facts else frame.facts
        inner = self._frame(procedure, names, store, facts, depth=frame.depth + 1)
        scope = inner.scope
        inside = self.evaluator.formulas.all_of(
            self.evaluator.algebra.contains(self.evaluator.value(p.domain, scope), value)
            for p, value in zip(parameters, given, strict=True)
        )
        if inside != TRUE:
            if procedure.outside is ir.Outside.STOP:
                raise GroundingError("a helper may be called outside its set, which stops the turn")
            if inside != FALSE:
                raise GroundingError("whether a helper is called depends on the state")
            return
        self._path.append(frame.condition)
        self._body(inner)
        self._path.pop()
        if frame.pending is not None:
            for variable, condition in store.written.items():
                self._write(frame, variable, store.values[variable], condition)

    # Statements

    def _statement(self, frame: SymbolicFrame, statement: ir.Statement) -> None:
        match statement:
            case ir.Rule():
                self._rule(frame, statement)
            case ir.Call():
                self._call(frame, statement)
            case ir.Declare():
                pass
            case ir.Let() | ir.Assign():
                try:
                    self._together(frame, (statement,))
                except SkippedError:
                    if isinstance(statement, ir.Let):
                        for name in statement.names:
                            frame.names[name] = Absent(is_outside=True)

    def _rule(self, frame: SymbolicFrame, rule: ir.Rule) -> None:
        guard = self._guard(frame, rule.guard)
        if guard == FALSE or self._uses_absent(frame, rule):
            return
        if guard == TRUE:
            self._conclude(frame, rule)
        elif frame.pending is not None:
            around, names = frame.condition, frame.names
            frame.condition = self.evaluator.formulas.all_of((around, guard))
            frame.names = dict(names)
            self._conclude(frame, rule)
            frame.condition, inner, frame.names = around, frame.names, names
            self._join_locals(frame, guard, inner)
        else:
            self._both_ways(frame, rule, guard)

    def _guard(self, frame: SymbolicFrame, guard: Expr) -> Node:
        """The guard; where a part of it is skipped, the rule does not fire."""
        found: list[Node] = []
        for part in conjuncts(guard):
            try:
                node = self.evaluator.truth(part, frame.scope)
            except SkippedError:
                return FALSE
            if node == FALSE:
                return FALSE
            found.append(node)
        return self.evaluator.formulas.all_of(found)

    def _both_ways(self, frame: SymbolicFrame, rule: ir.Rule, guard: Node) -> None:
        """Follow the conclusion apart, and join what came of it with how it was."""
        store, facts, names = frame.store, frame.facts, frame.names
        frame.store, frame.names = store.fork(), dict(names)
        if facts is store.facts:
            frame.facts = frame.store.facts
        self._path.append(guard)
        self._conclude(frame, rule)
        self._path.pop()
        inner, changed = frame.store, frame.names
        frame.store, frame.facts, frame.names = store, facts, names
        formulas, algebra = self.evaluator.formulas, self.evaluator.algebra
        for variable, condition in inner.written.items():
            value = algebra.either(guard, inner.values[variable], store.values[variable])
            written = formulas.either(guard, condition, store.written.get(variable, FALSE))
            store.write(variable, value, written)
        self._join_locals(frame, guard, changed)

    def _join_locals(
        self, frame: SymbolicFrame, guard: Node, inner: Mapping[str, Symbolic | Absent]
    ) -> None:
        for name, yes in inner.items():
            no = frame.names.get(name)
            if yes is no:
                continue
            if no is None or isinstance(yes, Absent) or isinstance(no, Absent):
                frame.names[name] = Absent(is_outside=False)
            else:
                frame.names[name] = self.evaluator.algebra.either(guard, yes, no)

    def _uses_absent(self, frame: SymbolicFrame, rule: ir.Rule) -> bool:
        """Whether its right sides use a declared local that is outside its declaration."""
        given: set[str] = set()
        used: set[str] = set()
        for step in rule.conclusion:
            if isinstance(step, ir.Assign | ir.Let):
                used |= free_locals(step.value) - given
            if isinstance(step, ir.Let):
                given |= set(step.names)
        return any(
            isinstance(found := frame.names.get(name), Absent) and found.is_outside
            for name in frame.declared
            if name in used
        )

    def _conclude(self, frame: SymbolicFrame, rule: ir.Rule) -> None:
        if frame.pending is not None and rule.lines is ir.Lines.ONE_AFTER_THE_OTHER:
            raise GroundingError("lines that see each other's work are read at once")
        try:
            for group in groups_of(rule):
                self._together(frame, group)
        except SkippedError:
            return
        for step in rest_of(rule):
            if isinstance(step, ir.Rule):
                self._rule(frame, step)
            elif isinstance(step, ir.Call):
                self._call(frame, step)
            else:
                try:
                    self._together(frame, (step,))
                except SkippedError:
                    # The rest of this conclusion is skipped, what came before it stands.
                    return

    def _together(self, frame: SymbolicFrame, steps: tuple[ir.Assign | ir.Let, ...]) -> None:
        values = [self.evaluator.value(step.value, frame.scope) for step in steps]
        for step, value in zip(steps, values, strict=True):
            if isinstance(step, ir.Let):
                self._let(frame, step, value)
            else:
                self._write(frame, step.variable, value, TRUE)

    def _write(self, frame: SymbolicFrame, variable: str, value: Symbolic, condition: Node) -> None:
        if frame.pending is None:
            frame.store.write(variable, value, condition)
            return
        under = self.evaluator.formulas.all_of((frame.condition, condition))
        frame.pending.setdefault(variable, []).append((under, value))

    def _settle(self, frame: SymbolicFrame, pending: Writes) -> None:
        """*At once*: make the writes, none of which may contradict another."""
        formulas, algebra = self.evaluator.formulas, self.evaluator.algebra
        for variable, writes in pending.items():
            for at, (one, first) in enumerate(writes):
                for other, second in writes[:at]:
                    differ = formulas.negation(algebra.equal(first, second))
                    fault = formulas.all_of((*self._path, one, other, differ))
                    if fault != FALSE:
                        self.faults.append(fault)
            value = frame.store.values[variable]
            for condition, written in writes:
                value = algebra.either(condition, written, value)
            frame.store.write(variable, value, formulas.any_of(node for node, _ in writes))

    # Locals

    def _let(self, frame: SymbolicFrame, step: ir.Let, value: Symbolic) -> None:
        if step.is_tuple:
            parts = components(value)
            if parts is None or len(parts) != len(step.names):
                raise GroundingError("a tuple that depends on the state is taken apart")
            frame.names.update(zip(step.names, parts, strict=True))
        else:
            frame.names[step.names[0]] = value
        for name in step.names:
            self._hold(frame, name)

    def _hold(self, frame: SymbolicFrame, name: str) -> None:
        """Hold the local called *name* to its declarations."""
        value = frame.names[name]
        for domain in frame.declared.get(name, ()):
            if isinstance(value, Absent):
                return
            whole = self.evaluator.value(domain, frame.scope)
            inside = self.evaluator.algebra.contains(whole, value)
            if inside == TRUE:
                continue
            if inside != FALSE or frame.procedure.outside is ir.Outside.STOP or not is_known(value):
                raise GroundingError(f"whether `{name}` is in its set depends on the state")
            frame.names[name] = Absent(is_outside=True)
            return


def _declared(procedure: Procedure) -> Mapping[str, tuple[Expr, ...]]:
    found: dict[str, tuple[Expr, ...]] = {}
    nested = (s for rule in rules_of(procedure.body) for s in rule.conclusion)
    for statement in (*procedure.body, *nested):
        if isinstance(statement, ir.Declare):
            for name in statement.names:
                found[name] = (*found.get(name, ()), statement.domain)
    return found
