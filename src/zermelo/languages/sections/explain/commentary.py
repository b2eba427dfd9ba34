"""What a document with sections says of itself and of plays: one answer for each question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from zermelo.core.commentary import Commentary, TypedExpression
from zermelo.core.machine import Turn
from zermelo.core.picture import Picture, Sketch
from zermelo.core.state import State
from zermelo.core.values import TRUE, Value, in_order
from zermelo.languages.sections import picture
from zermelo.languages.sections.explain import turn_log
from zermelo.languages.sections.explain.document import explain
from zermelo.languages.sections.explain.turn_log import rule_text
from zermelo.languages.sections.ir import Binary, Expr, Op, Or, PowerSet, Ref
from zermelo.languages.sections.mean.terms.formulas import typed_expression
from zermelo.languages.sections.picture import BoardLayout, board_layout
from zermelo.languages.sections.printer import to_text as expr_text
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.run.procedures import LoggedTurn, RuleEvent
from zermelo.text.diagnostic import Checked
from zermelo.text.prose import Line, Piece, Tone, count, line, listing


class SystemCommentary(Commentary):
    """The words of documents with sections."""

    def __init__(self, machine: Interpreter) -> None:
        self.interpreter = machine

    @property
    def machine(self) -> Interpreter:
        return self.interpreter

    def explain(self) -> tuple[Line, ...]:
        return explain(self.interpreter)

    def prose(self) -> int:
        return len(self.interpreter.system.sentences)

    def preface(self) -> tuple[Line, ...]:
        system = self.interpreter.system
        return tuple(filter(None, (turn_log.facts_line(system), turn_log.flags_line(system))))

    def steps(self, turn: Turn) -> Iterable[Line]:
        return turn_log.steps(self.interpreter, _logged(turn))

    def no_effect(self, turn: Turn, shown: str) -> Line:
        return turn_log.no_effect(self.interpreter, _logged(turn), shown)

    def why(self, turn: Turn) -> Iterable[Line]:
        return turn_log.why(self.interpreter, _logged(turn))

    def lack(self, turn: Turn) -> tuple[str | Piece, ...]:
        return turn_log.lack(self.interpreter, _logged(turn))

    def ending(self, turns: Sequence[Turn], state: State) -> Iterator[Line]:
        """The rule that gave the result its present value, and what holds of the end."""
        yield from self._decision(turns)
        over = self.interpreter.system.over
        holding = [] if over is None else self._holding(over, state)
        if holding:
            formulas = listing([expr_text(part) for part in holding])
            yield line("Over because ", Piece(formulas, Tone.FORMULA), ".", indent=2, hang=2)

    def _decision(self, turns: Sequence[Turn]) -> Iterator[Line]:
        result = self.interpreter.system.result
        for made, turn in reversed(list(enumerate(turns, 1))):
            for event in reversed(_logged(turn).events):
                if isinstance(event, RuleEvent) and any(
                    change.variable == result and change.before != change.after
                    for change in event.changes
                ):
                    when = "" if made == len(turns) else f", after {count(made, 'move')}"
                    rule = f"rule {event.rule.label} of {event.procedure}"
                    yield line(f"Decided by {rule}{when}:", indent=2)
                    yield line(Piece(rule_text(event.rule), Tone.FORMULA), indent=4, hang=4)
                    return

    def _holding(self, formula: Expr, state: State) -> list[Expr]:
        """The disjuncts of *formula* that hold, with defined variables replaced by definitions."""
        match formula:
            case Or(operands):
                return [part for operand in operands for part in self._holding(operand, state)]
            case Ref(name):
                variable = self.interpreter.system.variable(name)
                if variable is not None and variable.definition is not None:
                    return self._holding(variable.definition, state)
            case _:
                pass
        if self.interpreter.evaluate(formula, state, {}) is not TRUE:
            return []
        match formula:
            case Binary(Op.IFF | Op.EQ, Ref(), right):
                return self._holding(right, state)
            case _:
                return [formula]

    def subsets(self) -> Iterator[tuple[str, list[Value]]]:
        machine = self.interpreter
        for variable in machine.system.stored:
            if isinstance(variable.domain, PowerSet):
                members = machine.evaluate(variable.domain.base, machine.initial, {})
                if isinstance(members, frozenset):
                    yield variable.name, in_order(members)

    def expression(self, text: str) -> Checked[TypedExpression]:
        typed = typed_expression(self.interpreter.system, text)
        expr = typed.value
        made = None
        if expr is not None:
            made = TypedExpression(text, lambda state: self.interpreter.evaluate(expr, state, {}))
        return Checked(made, typed.diagnostics)

    @cached_property
    def _layout(self) -> BoardLayout:
        return board_layout(self.interpreter)

    def picture(self, state: State, *, last: Turn | None = None) -> Picture:
        return picture.picture(self.interpreter, state, last=last, plan=self._layout)

    def sketch(self, state: State) -> Sketch:
        return picture.sketch(self.interpreter, state, self._layout)


def _logged(turn: Turn) -> LoggedTurn:
    """*turn* with its log; one that was never tried has none."""
    if isinstance(turn, LoggedTurn):
        return turn
    return LoggedTurn(turn.before, turn.move, turn.after, turn.has_effect, turn.fault)
