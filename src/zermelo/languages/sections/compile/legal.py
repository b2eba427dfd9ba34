"""Code for the legal moves of a state: the arguments worth trying, and a turn with each.

The sources of effects come in the order of the procedure's statements. A statement that does not
depend on the arguments is run on a copy of the variables, and what follows asks its questions
there. If such a statement has an effect by itself, every argument is worth trying.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from zermelo.core.layout import Choice, Shape
from zermelo.core.values import Value
from zermelo.languages.sections.compile.arguments import Act, ArgumentCode, Axis
from zermelo.languages.sections.compile.expressions import ExpressionCode
from zermelo.languages.sections.compile.procedures import LEFT_OUT, Frame, ProcedureCode
from zermelo.languages.sections.compile.registers import CodeScope, RegisterCode, Slot, Slots
from zermelo.languages.sections.ir import System
from zermelo.languages.sections.run.interpreter import Turns
from zermelo.languages.sections.run.sources import Prefix, Question, sources
from zermelo.packing.code import Refused, Writer
from zermelo.packing.code_values import mixed


def unwritten(flags: Mapping[str, tuple[Shape, Value]]) -> Slots:
    return {name: Slot(Choice((value,)), ("0",), known=value) for name, (_, value) in flags.items()}


@dataclass(frozen=True, slots=True)
class MoveAxes:
    """A move while its code is written: its parameters, and the code of its first call."""

    name: str
    axes: tuple[Axis, ...]
    first: int

    @property
    def size(self) -> int:
        return prod(len(axis.values) for axis in self.axes)


@dataclass(slots=True)
class LegalCode:
    """Writes the part of ``successors`` that looks for legal moves."""

    system: System
    turns: Turns
    code: ExpressionCode
    slots: RegisterCode
    procedures: ProcedureCode
    flags: Mapping[str, tuple[Shape, Value]]
    words: int
    passes: Sequence[int]
    """How often the loops of each move's turn are passed through, at most."""

    @property
    def writer(self) -> Writer:
        return self.code.writer

    def write(self, entries: Sequence[MoveAxes], stored: Slots, *, costly: int | None) -> None:
        """Every move, and then the input without effect, if it costs the turn."""
        slots = {**stored, **unwritten(self.flags)}
        for number, entry in enumerate(entries):
            self.writer.emit("used = 0")
            self._move(number, entry, slots)
            if costly is not None:
                self._count_inputs(entry, slots)
        if costly is not None:
            self._costly(costly)

    def _move(self, number: int, entry: MoveAxes, slots: Slots) -> None:
        routine = self.turns.program.routines[entry.name]
        found = sources(self.turns.program, routine)
        self.writer.emit("done = 0")

        def act(codes: dict[str, str]) -> None:
            self._try(number, entry, codes)

        base = CodeScope(slots, slots)
        arguments = ArgumentCode(self.code, entry.axes, self.turns.expressions, base)
        questions = [source for source in found if isinstance(source, Question)]
        if len(questions) < len(found):
            self._with_prefixes(self._frame(entry, slots), found, arguments, act)
            return
        for question in questions:
            # One that asks for more than another does has no answers of its own.
            if not any(_implies(question, other) for other in questions):
                arguments.each(question, base, act)

    def _frame(self, entry: MoveAxes, slots: Slots) -> Frame:
        """The call of the move on a copy of the variables, before any argument is known."""
        own = self.slots.copied({n: slots[n] for n in slots if n not in self.flags})
        for name, (shape, value) in self.flags.items():
            own[name] = self.slots.variable(shape, value)
        self.writer.emit("fired = 0")
        return self.procedures.frame(self.turns.program.routines[entry.name], own, {})

    def _with_prefixes(
        self, frame: Frame, found: Sequence[Prefix | Question], arguments: ArgumentCode, act: Act
    ) -> None:
        before = self.slots.copied(frame.store)
        scope = self._snapshot(frame)
        for source in found:
            if not isinstance(source, Prefix):
                with self.writer.block("if done == 0"):
                    arguments.each(source, scope, act)
                continue
            self._prefix(frame, source)
            effect = self.writer.keep(f"done == 0 and {self._effect(frame, before)}", "c")
            with self.writer.block(f"if {effect}"):
                arguments.every(act)
                self.writer.emit("done = 1")
            scope = self._snapshot(frame)
        # What is left out of every call is one fault, if no call was tried that shows it.
        self.writer.stop(f"fired >> {LEFT_OUT} and used == 0", ("faulty = 1", "used = 1"))

    def _snapshot(self, frame: Frame) -> CodeScope:
        """The names as they are now, for questions that are asked later too."""
        slots = self.slots.copied(frame.store)
        facts = frame.scope.facts
        return CodeScope(slots, slots if facts is frame.store else facts, dict(frame.scope.names))

    def _prefix(self, frame: Frame, source: Prefix) -> None:
        writer = self.writer
        keep = writer.on_fault
        # The fault stands for all arguments, and counts as one input; other moves are not at fault.
        writer.on_fault = ("e = 0", "faulty = 1", "used = used + 1", "done = 1", "break")
        with writer.block("while done == 0"):
            self.procedures.step(frame, source.step)
            writer.emit("break")
        writer.on_fault = keep

    def _effect(self, frame: Frame, before: Slots) -> str:
        stored = [v.name for v in self.system.stored]
        tests = [self.slots.differ(frame.store[name], before[name]) for name in stored]
        tests += [
            f"({p.is_written} != 0 and {self.slots.differ(p.slot, before[name])})"
            for name, p in (frame.pending or {}).items()
            if name not in self.flags
        ]
        return f"({' or '.join(tests)})" if tests else "False"

    def _try(self, number: int, entry: MoveAxes, codes: dict[str, str]) -> None:
        writer = self.writer
        given = "".join(f", {codes[axis.name]}" for axis in entry.axes)
        fires = "(fires + n * 8 if fires != 0 else 0)"
        place = f"out + n * {8 * self.words}"
        writer.count_passes(self.passes[number])
        writer.emit(f"r = turn_{number}(tab, row, {place}, {fires}{given})")
        code = mixed((codes[axis.name], len(axis.values)) for axis in entry.axes)
        store = f"store(moves, n, {entry.first} + {code})"
        writer.stop("r == -2", ("return -1",))
        writer.stop("r != 0", ("used = used + 1",))
        writer.stop("r == -1 or r == 2", ("faulty = 1",))
        writer.stop("r > 0", (store, "n = n + 1"))

    # Inputs without effect

    def _count_inputs(self, entry: MoveAxes, slots: Slots) -> None:
        total = "1"
        for axis in entry.axes:
            size = str(len(axis.values))
            if not axis.is_whole:
                raise Refused("an input without effect costs the turn, and inputs are endless")
            if not axis.is_static:
                self.writer.may_fail = False
                domain = self.code.rep(axis.domain, CodeScope(slots, slots))
                size = self.code.size(domain).code
                if self.writer.may_fail:
                    raise Refused("a parameter whose set may have no value", axis.domain)
            total = f"{total} * {size}"
        self.writer.stop(f"{total} > used", ("inputs = 1",))

    def _costly(self, code: int) -> None:
        writer = self.writer
        with writer.block("if inputs != 0"):
            fires = "(fires + n * 8 if fires != 0 else 0)"
            writer.emit(f"r = ended(tab, row, out + n * {8 * self.words}, {fires})")
            same = " and ".join(
                f"load(out, n * {self.words} + {at}) == load(row, {at})" for at in range(self.words)
            )
            writer.stop("r == -2", ("return -1",))
            writer.stop("r == -1 or r == 2", ("faulty = 1",))
            writer.stop(f"r > 0 and not ({same})", (f"store(moves, n, {code})", "n = n + 1"))


def _implies(question: Question, other: Question) -> bool:
    """Whether *other* asks for less, so that its answers include those of *question*."""
    asked, fewer = frozenset(question.conditions), frozenset(other.conditions)
    return fewer < asked and frozenset(other.lets) <= frozenset(question.lets)
