"""Code for procedures: what rules and conclusions do, in each of the three orders.

Follows ``run.procedures`` step by step. Helpers are written out where they are called; one that
calls itself becomes a function of its own that keeps the variables in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Final

from zermelo.core.layout import Count
from zermelo.languages.sections.compile.expressions import ExpressionCode
from zermelo.languages.sections.compile.registers import (
    CALLS,
    FIRED,
    Bound,
    CodeScope,
    RegisterCode,
    Slot,
    Slots,
    VariableMemory,
    passed_argument,
    placeholders,
)
from zermelo.languages.sections.ir import Apply, Let, Order, Outside
from zermelo.languages.sections.run.operators import DEPTH_LIMIT
from zermelo.languages.sections.run.procedures import (
    CALL_LIMIT,
    AssignStep,
    CallStep,
    LetStep,
    Program,
    Routine,
    RuleStep,
    Step,
)
from zermelo.languages.sections.walk import parts
from zermelo.packing.code import FAULT, Mark, Refused, Writer
from zermelo.packing.code_values import NO, YES, CodeValue, Never, Num, Truth, is_set, literal

LEFT_OUT: Final = 62
"""The bit of the rules that fired which tells that something was left out; it is no rule's."""
_NOTED: Final = f"fired |= {1 << LEFT_OUT}"
DEEPEST = 24
"""Helpers are written out up to this depth."""


@dataclass(frozen=True, slots=True)
class PendingWrite:
    """A variable that waits for the end of a procedure that is read at once."""

    slot: Slot
    is_written: str


@dataclass(frozen=True, slots=True)
class RecursiveFunction:
    """A helper that calls itself, as a function; with frozen facts it is another one."""

    name: str
    is_frozen: bool

    def function(self, program: Program) -> str:
        """What the function is called, by its place among the procedures."""
        number = list(program.routines).index(self.name)
        return f"helper_{number}_{'frozen' if self.is_frozen else 'live'}"


@dataclass(slots=True)
class Frame:
    """A call while its code is written."""

    routine: Routine
    scope: CodeScope
    store: Slots
    pending: dict[str, PendingWrite] | None
    written: dict[str, str] | None = None
    """Flags for the variables written so far, where a caller that is read at once asks."""
    calls: tuple[str, ...] = ()


@dataclass(slots=True)
class ProcedureCode:
    """Writes code for the procedures of one system."""

    program: Program
    expressions: ExpressionCode
    slots: RegisterCode
    rules: dict[tuple[str, str], int]
    """The number of each rule whose firing is counted."""
    recursive: frozenset[str] = frozenset()
    """The helpers that call themselves: they become functions."""
    memory: VariableMemory | None = None
    """Where variables are while such a function runs."""
    wanted: dict[RecursiveFunction, None] = field(default_factory=dict)
    depth: str = "0"
    """How deep the calls are nested where a function begins."""
    frozen: Slots | None = None

    @property
    def writer(self) -> Writer:
        return self.expressions.writer

    def call(self, routine: Routine, slots: Slots, names: dict[str, Bound]) -> None:
        self.body(self.frame(routine, slots, names))

    def frame(self, routine: Routine, slots: Slots, names: dict[str, Bound]) -> Frame:
        self.frozen = self.slots.copied(slots) if self.program.can_freeze else None
        if self.memory is not None:
            self.writer.emit(f"store(tab, {self.memory.at(CALLS)}, 0)")
            if self.frozen is not None:
                self.memory.save(self.writer, self.frozen, is_frozen=True)
        return self._frame(routine, CodeScope(slots, slots, names), slots, ())

    def _frame(
        self, routine: Routine, scope: CodeScope, store: Slots, calls: tuple[str, ...]
    ) -> Frame:
        if routine.procedure.order is Order.FACTS_FROZEN and self.frozen is not None:
            scope.facts = self.frozen
        is_at_once = routine.procedure.order is Order.AT_ONCE
        pending = self._pending(routine, store) if is_at_once else None
        return Frame(routine, scope, store, pending, calls=(*calls, routine.name))

    def _pending(self, routine: Routine, store: Slots) -> dict[str, PendingWrite]:
        writes = self.program.expressions.footprints.of_procedure(routine.name).writes
        found: dict[str, PendingWrite] = {}
        for name in sorted(writes & store.keys()):
            flag = self.writer.variable("0", "p")
            copy = self.slots.copied({name: store[name]})[name]
            if copy.known is not None:
                raise Refused("a flag that is written before any argument is known")
            found[name] = PendingWrite(copy, flag)
        return found

    def body(self, frame: Frame) -> None:
        """The statements of a call, and what waits for their end."""
        if self.memory is not None:
            place = self.memory.at(CALLS)
            self.writer.emit(f"store(tab, {place}, load(tab, {place}) + 1)")
            self.writer.stop(f"load(tab, {place}) > {CALL_LIMIT}", self.writer.on_fault)
        for name in frame.routine.declared:
            if name in frame.scope.names:
                self._declare(frame, name)
        for step in frame.routine.steps:
            self.step(frame, step)
        for name, pending in (frame.pending or {}).items():
            with self.writer.block(f"if {pending.is_written} != 0"):
                self._store(frame, name, pending.slot.codes, _bounds(pending.slot))

    # Statements

    def step(self, frame: Frame, step: Step) -> None:
        match step:
            case RuleStep():
                self._rule(frame, step)
            case CallStep():
                self._call(frame, step)
            case LetStep():
                self._let_alone(frame, step)
            case AssignStep():
                self._together(frame, (step,), lambda: None)

    def _settle(self) -> None:
        """A local outside its declaration has been dealt with."""
        if self.writer.may_fail:
            self.writer.emit("e = 0")
            self.writer.may_fail = False

    def _note_faults(self) -> None:
        """Note where a formula has no value; what needs it is then skipped."""
        if self.writer.may_fail:
            self.writer.when(f"e == {FAULT}", _NOTED)

    def _let_alone(self, frame: Frame, step: LetStep) -> None:
        self.writer.may_fail = False
        values = self._values(frame, (step,))
        self._let(frame, step, values[0], self._going())

    def _going(self) -> str | None:
        """A condition that no local was outside its declaration, if one may have been."""
        if not self.writer.may_fail:
            return None
        going = self.writer.keep("e == 0", "c")
        self._settle()
        return going

    @contextmanager
    def _where_going(self) -> Iterator[None]:
        going = self._going()
        if going is None:
            yield
            return
        with self.writer.block(f"if {going}"):
            yield

    def _values(self, frame: Frame, steps: Sequence[AssignStep | LetStep]) -> list[CodeValue]:
        """The right sides, all in the state before."""
        reps: list[CodeValue] = []
        for step in steps:
            rep = self.expressions.rep(step.statement.value, frame.scope)
            is_kept = len(steps) > 1 or isinstance(step, LetStep)
            reps.append(self.slots.frozen(rep) if is_kept else rep)
        self._note_faults()
        return reps

    def _write_all(
        self, frame: Frame, steps: Sequence[AssignStep | LetStep], values: list[CodeValue]
    ) -> None:
        for step, value in zip(steps, values, strict=True):
            if isinstance(step, LetStep):
                self._let(frame, step, value, None)
            elif not isinstance(value, Never):
                self._assign(frame, step.statement.variable, value)

    def _assign(self, frame: Frame, name: str, value: CodeValue) -> None:
        slot = frame.store.get(name)
        if slot is None:
            raise Refused(f"an assignment to `{name}`, which is no variable that is kept")
        codes, bounds = self.slots.value_for(slot, value)
        write = self._store if frame.pending is None else self._wait
        write(frame, name, codes, bounds)

    def _wait(self, frame: Frame, name: str, codes: tuple[str, ...], bounds: Num | None) -> None:
        """At once: the value waits, and two different values conflict."""
        if frame.pending is None or name not in frame.pending:
            raise Refused("a variable that nobody was seen to write")
        pending = frame.pending[name]
        kept = tuple(self.writer.keep(code) for code in codes)
        differs = " or ".join(f"{a} != {b}" for a, b in zip(pending.slot.codes, kept, strict=True))
        self.writer.stop(f"{pending.is_written} != 0 and ({differs})", self.writer.on_fault)
        waiting = {name: pending.slot}
        self.slots.write(waiting, name, kept, bounds)
        frame.pending[name] = PendingWrite(waiting[name], pending.is_written)
        self.writer.emit(f"{pending.is_written} = 1")

    def _store(self, frame: Frame, name: str, codes: tuple[str, ...], bounds: Num | None) -> None:
        self.slots.write(frame.store, name, codes, bounds)
        if frame.written is not None and name in frame.written:
            self.writer.emit(f"{frame.written[name]} = 1")

    # Rules

    def _rule(self, frame: Frame, step: RuleStep) -> None:
        self.writer.may_fail = False
        self.writer.count_guard()
        conclusion = (part for each in step.rule.conclusion for part in parts(each))
        self.expressions.awaited = frozenset(part for part in conclusion if isinstance(part, Apply))
        guard = self.expressions.all_of(tuple(test.expr for test in step.tests), frame.scope)
        self.expressions.awaited = frozenset()
        self._note_faults()
        head = f"e == 0 and {guard.code}" if self.writer.may_fail else guard.code
        if head == "False":
            return
        fires = self.writer.keep(head, "g") if self.writer.may_fail else head
        self._settle()
        before = dict(frame.scope.names)
        gives = any(isinstance(part, Let) for part in parts(step.rule))
        if gives and fires != YES.code:
            fires = self.writer.keep(fires, "g")
        mark = self.writer.mark()
        with self.writer.block(f"if {fires}"):
            self._conclude(frame, step)
            if gives and fires != YES.code:
                self._merge(frame, before, fires, mark)

    def _merge(self, frame: Frame, before: dict[str, Bound], fires: str, mark: Mark) -> None:
        """What a conclusion gave its locals counts only where it was run."""
        for name, bound in list(frame.scope.names.items()):
            if bound is before.get(name):
                continue
            if name in before:
                frame.scope.names[name] = self._either(name, before[name], bound, mark)
                continue
            if bound.presence is not None:
                raise Refused(f"the local `{name}` may be outside its set under a guard")
            # What it is computed from is known only where the conclusion is run.
            rep = self.slots.frozen(bound.rep)
            frame.scope.names[name] = Bound(rep, fires, FAULT)
            # They must be there where the conclusion is not run, whatever their value.
            found = placeholders(rep)
            new = [each for each in found if self.writer.is_newer(each[0], mark)]
            self.writer.put(mark, [f"{code} = {value}" for code, value in new])

    def _either(self, name: str, old: Bound, new: Bound, mark: Mark) -> Bound:
        """A local with an old value that a conclusion replaces."""
        merged = self.slots.merged(old.rep, new.rep)
        kinds = {bound.missing for bound in (old, new) if bound.presence is not None}
        if merged is None or len(kinds) > 1:
            raise Refused(f"the local `{name}` gets a value of another kind under a guard")
        lines = [f"{to} = {before}" for to, before, _ in merged.moves]
        presence = None
        if old.presence is not None or new.presence is not None:
            presence = self.writer.name("c")
            lines.append(f"{presence} = {old.presence or 'True'}")
            self.writer.emit(f"{presence} = {new.presence or 'True'}")
        self.writer.put(mark, lines)
        self.writer.emit(*(f"{to} = {after}" for to, _, after in merged.moves))
        return Bound(merged.rep, presence, kinds.pop() if kinds else old.missing)

    def _conclude(self, frame: Frame, step: RuleStep) -> None:
        present = [
            bound.presence
            for name in step.declared
            if (bound := frame.scope.names.get(name)) is not None and bound.presence is not None
        ]
        with self.writer.block(f"if {' and '.join(present)}") if present else nullcontext():
            if frame.pending is not None and step.is_chained:
                raise Refused(
                    "lines that see each other's work are read at once", frame.routine.procedure
                )
            self._groups(frame, step, step.groups)

    def _groups(
        self, frame: Frame, step: RuleStep, groups: Sequence[Sequence[AssignStep | LetStep]]
    ) -> None:
        if groups:
            later = groups[1:]
            self._together(frame, groups[0], lambda: self._groups(frame, step, later))
        else:
            self._rest(frame, step, step.rest)

    def _together(
        self, frame: Frame, steps: Sequence[AssignStep | LetStep], then: Callable[[], None]
    ) -> None:
        """Assignments that see the state before the first of them, and what follows them.

        A local outside its declaration skips all of it.
        """
        self.writer.may_fail = False
        values = self._values(frame, steps)
        with self._where_going():
            self._write_all(frame, steps, values)
            then()

    def _rest(self, frame: Frame, step: RuleStep, rest: tuple[Step, ...]) -> None:
        for at, inner in enumerate(rest):
            if isinstance(inner, RuleStep | CallStep):
                self.step(frame, inner)
            else:
                left = rest[at + 1 :]
                self._together(frame, (inner,), lambda: self._rest(frame, step, left))  # noqa: B023 - called at once
                return
        number = self.rules.get((frame.routine.name, step.rule.label))
        if number is not None:
            self.writer.emit(f"fired |= {literal(1 << number)}")

    # Locals

    def _let(self, frame: Frame, step: LetStep, value: CodeValue, presence: str | None) -> None:
        names = step.statement.names
        values: tuple[CodeValue, ...] = (value,)
        if step.statement.is_tuple:
            taken_apart = self.expressions.components(value, len(names))
            if taken_apart is None:
                # Where the right side is skipped nothing is taken apart.
                self.writer.when(presence or "True", _NOTED)
                presence = "False"
            values = taken_apart or (Never(),) * len(names)
        for name, part in zip(names, values, strict=True):
            frame.scope.names[name] = Bound(part, presence)
        for name in names:
            self._declare(frame, name)

    def _declare(self, frame: Frame, name: str) -> None:
        for expr, _ in frame.routine.declared.get(name, ()):
            bound = frame.scope.names[name]
            self.writer.may_fail = False
            domain = self.expressions.rep(expr, frame.scope)
            inside = self.expressions.contains(domain, bound.rep) if is_set(domain) else YES
            if self.writer.may_fail:
                raise Refused("a declaration whose set may have no value")
            if inside == YES:
                continue
            kept = self.expressions.kept(inside)
            if frame.routine.procedure.outside is Outside.STOP:
                where = "" if bound.presence is None else f"{bound.presence} and "
                self.writer.stop(f"{where}not {kept.code}", self.writer.on_fault)
                continue
            presence = kept.code
            if bound.presence is not None:
                presence = self.writer.keep(f"{bound.presence} and {kept.code}", "c")
            frame.scope.names[name] = Bound(bound.rep, presence)

    # Calls

    def _call(self, frame: Frame, step: CallStep) -> None:
        name = step.statement.procedure
        routine = self.program.routines.get(name)
        if routine is None or len(routine.parameters) != len(step.arguments):
            self.writer.emit(_NOTED)
            return
        self.writer.may_fail = False
        arguments = [
            self.slots.frozen(self.expressions.rep(argument, frame.scope))
            for argument in step.statement.arguments
        ]
        self._note_faults()
        with self._where_going():
            self._call_with(frame, routine, arguments)

    def _call_with(self, frame: Frame, routine: Routine, arguments: list[CodeValue]) -> None:
        store, written = frame.store, frame.written
        if frame.pending is not None:
            store, written = self.slots.copied(frame.store), self._flags(routine)
        names = dict(zip(routine.parameters, map(Bound, arguments), strict=True))
        facts = store if frame.scope.facts is frame.store else frame.scope.facts
        scope = CodeScope(store, facts, names, frame.scope.depth)
        inside = self._inside(routine, scope)
        if routine.procedure.outside is Outside.STOP:
            outside = {YES: "False", NO: "True"}.get(inside, f"not {inside.code}")
            self.writer.stop(outside, self.writer.on_fault)
        if inside == NO:
            return
        with nullcontext() if inside == YES else self.writer.block(f"if {inside.code}"):
            self._called(frame, routine, scope, store, written)

    def _called(
        self,
        frame: Frame,
        routine: Routine,
        scope: CodeScope,
        store: Slots,
        written: dict[str, str] | None,
    ) -> None:
        if routine.name in self.recursive:
            self._call_function(frame, routine, scope, store)
            return
        if len(frame.calls) > DEEPEST:
            raise Refused("helpers are nested too deeply", routine.procedure)
        inner = self._frame(routine, scope, store, frame.calls)
        inner.written = written
        self.body(inner)
        if frame.pending is None or written is None:
            return
        for name, flag in written.items():
            with self.writer.block(f"if {flag} != 0"):
                self._wait(frame, name, store[name].codes, _bounds(store[name]))

    def _call_function(
        self, frame: Frame, routine: Routine, scope: CodeScope, store: Slots
    ) -> None:
        """The helper is a function: the variables go there and back through memory."""
        if self.memory is None or frame.pending is not None or frame.written is not None:
            raise Refused(
                f"`{routine.name}`, which calls itself, is called from rules that are read at once",
                routine.procedure,
            )
        wanted = RecursiveFunction(routine.name, scope.facts is not store)
        self.wanted[wanted] = None
        writer = self.writer
        given = ""
        for parameter in routine.procedure.parameters:
            way = passed_argument(self.expressions.rep(parameter.domain, scope))
            codes = way.codes(self.expressions, scope.names[parameter.name].rep)
            given += "".join(f", {code}" for code in codes)
        self.memory.save(writer, store)
        writer.emit(f"store(tab, {self.memory.at(FIRED)}, fired)")
        depth = f"{self.depth} + {len(frame.calls)}"
        status = writer.variable(f"{wanted.function(self.program)}(tab, {depth}{given})", "r")
        writer.stop(f"{status} == -1", writer.on_fault)
        writer.stop(f"{status} == -2", writer.on_unsure)
        writer.emit(f"fired = load(tab, {self.memory.at(FIRED)})")
        self.memory.restore(writer, store)

    def function_body(self, wanted: RecursiveFunction) -> str:
        if self.memory is None:
            raise Refused("a function without memory")
        routine = self.program.routines[wanted.name]
        writer = self.writer
        self.depth = "depth"
        # As deep as the interpreter goes, and no deeper.
        writer.stop(f"depth > {DEPTH_LIMIT}", writer.on_fault)
        writer.emit(f"fired = load(tab, {self.memory.at(FIRED)})")
        store = self.memory.load(writer)
        can_freeze = self.program.can_freeze
        self.frozen = self.memory.load(writer, is_frozen=True) if can_freeze else None
        facts = self.frozen if wanted.is_frozen and self.frozen is not None else store
        scope = CodeScope(store, facts)
        parameters: list[str] = []
        for parameter in routine.procedure.parameters:
            way = passed_argument(self.expressions.rep(parameter.domain, scope))
            names = [f"a{len(parameters) + at}" for at in range(way.count)]
            parameters += names
            scope.names[parameter.name] = Bound(way.rep(self.expressions, names))
        self.body(self._frame(routine, scope, store, ()))
        self.memory.save(writer, store)
        writer.emit(f"store(tab, {self.memory.at(FIRED)}, fired)", "return 1")
        return f"{wanted.function(self.program)}(tab, depth{''.join(f', {p}' for p in parameters)})"

    def _flags(self, routine: Routine) -> dict[str, str]:
        writes = self.program.expressions.footprints.of_procedure(routine.name).writes
        return {name: self.writer.variable("0", "p") for name in sorted(writes)}

    def _inside(self, routine: Routine, scope: CodeScope) -> Truth:
        found = YES
        self.writer.may_fail = False
        for parameter in routine.procedure.parameters:
            domain = self.expressions.rep(parameter.domain, scope)
            test = self.expressions.contains(domain, scope.names[parameter.name].rep)
            if self.writer.may_fail:
                raise Refused("a helper's parameter whose set may have no value")
            if test != YES:
                found = test if found == YES else Truth(f"({found.code} and {test.code})")
        return self.expressions.kept(found)


def _bounds(slot: Slot) -> Num | None:
    return Num("", slot.low, slot.high) if isinstance(slot.shape, Count) else None
