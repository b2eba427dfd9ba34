"""Asking an LED program for values.

An undefined value is a value here, ``Erroneous``: nothing that a program does raises.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zermelo.core.values import Value
from zermelo.languages.led import ir
from zermelo.languages.led.run.analysis import Dependence
from zermelo.languages.led.run.built_ins import Input
from zermelo.languages.led.run.calls import (
    STEPS,
    CompiledDefinition,
    Meter,
    called,
    written,
)
from zermelo.languages.led.run.closure_builder import Compiler
from zermelo.languages.led.run.values import (
    Erroneous,
    Symbolic,
    Undefined,
    has_long_part,
)
from zermelo.text import budget
from zermelo.text.budget import LimitReached
from zermelo.text.source import NOWHERE, Source

_STEPS_TO_ASK: Final = 40
_STEPS_OF_A_STEP: Final = 2
"""A step of a program takes as long as so many of the steps that a command may take."""


class ProgramEvaluator:
    """A program that answers."""

    def __init__(
        self,
        program: ir.Program,
        *,
        steps: int = STEPS,
        keep: frozenset[str] = frozenset(),
    ) -> None:
        """Answer for *program*; values of the definitions in *keep* are kept, however cheap."""
        self.program = program
        self.meter = Meter(steps)
        self._compiler = Compiler(program, self.meter, keep)

    def value(
        self,
        name: str,
        arguments: Sequence[Value] = (),
        *,
        state: Value | None = None,
        input: Input | None = None,  # noqa: A002 - the word of the language
    ) -> Value:
        code = self._compiler.code(name)
        if code is None:
            return Erroneous(f"`{name}` is not defined")
        if self._compiler.arity(name) != len(arguments):
            return Erroneous(f"`{name}` does not take {len(arguments)} arguments")
        self._enter(state, input)
        return self._answer(code, tuple(arguments))

    def expression(
        self,
        expr: ir.Expr,
        *,
        state: Value | None = None,
        input: Input | None = None,  # noqa: A002 - the word of the language
    ) -> Value:
        code = self._compiler.expression(expr)
        self._enter(state, input)
        return self._answer(code, ())

    def dependence(self, name: str) -> Dependence:
        return self._compiler.dependences.get(name, Dependence())

    def calls(self, name: str) -> tuple[tuple[Value, ...], ...]:
        """The arguments of calls whose values are kept, those that need it in the last state."""
        code = self._compiler.code(name)
        return () if code is None else tuple(code.kept)

    @property
    def spent(self) -> int:
        """How many steps the last question took."""
        return self.meter.spent

    def _enter(self, state: Value | None, given: Input | None) -> None:
        meter = self.meter
        has_other_state = state is not meter.state
        has_other_input = given is not meter.input
        if has_other_state and isinstance(state, tuple | frozenset) and not meter.is_heavy:
            budget.spend(len(state) << 1, "looking at the state")
            meter.is_heavy = has_long_part(state)
        if has_other_state or has_other_input:
            meter.is_known = given is None or not isinstance(given.x, Symbolic)
            for code in self._compiler.codes():
                on = code.dependence
                if (has_other_state and on.on_state) or (has_other_input and on.on_input):
                    code.kept.clear()
                if on.on_input:
                    code.is_kept = meter.is_known
        meter.state, meter.input = state, given

    def _answer(self, code: CompiledDefinition, arguments: tuple[Value, ...]) -> Value:
        try:
            return self._answered(code, arguments)
        except (LimitReached, KeyboardInterrupt):
            # What was being computed would be taken for something that is defined by itself, and
            # may still be computed in another thread.
            self.meter.stop()
            self._forget()
            raise

    def _answered(self, code: CompiledDefinition, arguments: tuple[Value, ...]) -> Value:
        try:
            return self._found(code, arguments)
        finally:
            # Whoever reads a program pays for what it computes, and a few steps for asking.
            taken = _STEPS_OF_A_STEP * self.spent
            budget.spend(taken + _STEPS_TO_ASK, "trying the program out")

    def _found(self, code: CompiledDefinition, arguments: tuple[Value, ...]) -> Value:
        try:
            left = budget.left()
            self.meter.restart(None if left is None else left // _STEPS_OF_A_STEP)
            return called(code, arguments, meter=self.meter, span=NOWHERE)
        except Undefined as fault:
            return _said(fault)
        except RecursionError:
            self._forget()
            return self._too_deep()

    def _forget(self) -> None:
        for code in self._compiler.codes():
            code.kept.clear()

    def _too_deep(self) -> Erroneous:
        call = self.meter.deepest
        if call is None or not call[0]:
            return Erroneous("this is nested too deeply")
        definition = self.program.definition(call[0])
        span = NOWHERE if definition is None else definition.name_span
        reason = f"`{call[0]}` calls itself, one call inside the other, without an end in sight"
        return Erroneous(reason, span, (call,), is_limit=True)


def _said(fault: Undefined) -> Erroneous:
    trail = tuple(call for call in fault.trail if call[0])
    return Erroneous(fault.reason, fault.span, trail, fault.is_limit)


_SHOWN: Final = 6


def explained(value: Erroneous, source: Source | None = None) -> list[str]:
    """Why *value* is undefined: the reason, the place in the program's text, and who needed it.

    >>> explained(Erroneous("7 is divided by 0", trail=(("half", (0,)), ("c", ()))))
    ['7 is divided by 0', 'in `half(0)`', 'in `c`']
    """
    lines = [value.reason]
    # Without a trail the place is in whatever was asked, not in the program.
    if source is not None and value.trail and value.span != NOWHERE:
        text = " ".join(source.slice(value.span).split())
        lines.append(f"at line {source.line_of(value.span.start)}: {text}")
    trail = [f"in {written(name, arguments)}" for name, arguments in value.trail]
    if len(trail) > 2 * _SHOWN:
        between = len(trail) - 2 * _SHOWN
        trail = [*trail[:_SHOWN], f"… {between} more …", *trail[-_SHOWN:]]
    return lines + trail
