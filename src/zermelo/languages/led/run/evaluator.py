"""Asking an LED program for values.

An undefined value is a value here, ``Erroneous``: nothing that a program does raises.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from contextvars import copy_context
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
from zermelo.languages.led.run.values import Erroneous, Symbolic, Undefined, is_deep
from zermelo.text import budget
from zermelo.text.budget import OutOfTime
from zermelo.text.source import NOWHERE, Source

_STEPS_OF_A_STEP: Final = 2
_STEPS_TO_ASK: Final = 20
_DEPTH: Final = 100_000
"""Python's frames that a recursion may take; an LED call takes about five."""

_STACK: Final = 512 * 1024 * 1024
"""Bytes of stack for a deep recursion: comparing nested tuples takes C's stack."""

_SECONDS_TO_JOIN: Final = 0.5
"""Seconds for which an interrupted evaluation is waited for; a step may take longer."""

_DEEPEST_VALUE: Final = 200
"""Tuples and sets inside each other that a value may have outside an evaluation."""

_ONE_AT_A_TIME: Final = threading.Lock()
# Python has one limit for the depth of all recursions, so that only one evaluation may move it.


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
        self._is_deep = False
        self._charge = 0

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
        except (OutOfTime, KeyboardInterrupt):
            # What was being computed would be taken for something that is defined by itself.
            self._forget()
            raise

    def _answered(self, code: CompiledDefinition, arguments: tuple[Value, ...]) -> Value:
        left = budget.left()
        most = None if left is None else left // _STEPS_OF_A_STEP

        def ask() -> Value:
            self.meter.restart(most)
            try:
                return called(code, arguments, meter=self.meter, span=NOWHERE)
            finally:
                self._charge = self.spent

        answer = self._asked(ask)
        # Whoever reads a program pays for what it computes, and a few steps for asking.
        budget.spend(_STEPS_OF_A_STEP * (self._charge + _STEPS_TO_ASK), "trying the program out")
        return answer

    def _asked(self, ask: Callable[[], Value]) -> Value:
        if not self._is_deep:
            try:
                return ask()
            except Undefined as fault:
                return _said(fault)
            except RecursionError:
                self._is_deep = True
                self._forget()
        return self._deeply(ask)

    def _forget(self) -> None:
        for code in self._compiler.codes():
            code.kept.clear()

    def _deeply(self, ask: Callable[[], Value]) -> Value:
        """The answer to *ask*, with room for a recursion of many thousand calls."""
        answers: list[Value] = []
        late: list[OutOfTime] = []

        def work() -> None:
            try:
                answers.append(self._caught(ask))
            except OutOfTime as stop:
                late.append(stop)

        with _ONE_AT_A_TIME:
            depth, stack = sys.getrecursionlimit(), threading.stack_size(_STACK)
            sys.setrecursionlimit(max(depth, _DEPTH))
            try:
                worker = threading.Thread(
                    target=copy_context().run, args=(work,), name="deep recursion", daemon=True
                )
                worker.start()
                threading.stack_size(stack)
                try:
                    worker.join()
                except BaseException:
                    # Somebody interrupts: let the work come to its end at its next step.
                    self.meter.stop()
                    worker.join(_SECONDS_TO_JOIN)
                    raise
            finally:
                threading.stack_size(stack)
                sys.setrecursionlimit(depth)
        if late:
            raise late[0]
        return answers[0] if answers else Erroneous("this takes more room than there is")

    def _caught(self, ask: Callable[[], Value]) -> Value:
        try:
            found = ask()
        except Undefined as fault:
            return _said(fault)
        except RecursionError:
            self._forget()
            return self._too_deep()
        if is_deep(found, most=_DEEPEST_VALUE - 1):
            return Erroneous(f"a value with more than {_DEEPEST_VALUE} tuples inside each other")
        return found

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
