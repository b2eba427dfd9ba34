"""What a document with sections says of itself and of plays: one answer for each question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from zermelo.core.commentary import (
    Aim,
    Commentary,
    Decision,
    GuardPart,
    Stage,
    TypedExpression,
    Verdict,
)
from zermelo.core.machine import Turn
from zermelo.core.picture import Picture, Sketch
from zermelo.core.state import State
from zermelo.core.values import TRUE, Value, in_order
from zermelo.languages.sections import picture
from zermelo.languages.sections.explain import turn_log
from zermelo.languages.sections.explain.document import explain
from zermelo.languages.sections.explain.goals import aim
from zermelo.languages.sections.explain.turn_log import guard_part, rule_text
from zermelo.languages.sections.ir import Binary, Expr, Op, Or, PowerSet, Ref
from zermelo.languages.sections.mean.terms.formulas import typed_expression
from zermelo.languages.sections.picture import BoardLayout, board_layout
from zermelo.languages.sections.printer import to_text as expr_text
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.run.procedures import LoggedTurn, RuleEvent
from zermelo.text.diagnostic import Checked
from zermelo.text.prose import Line, Piece


class SystemCommentary(Commentary):
    """The words of documents with sections."""

    def __init__(self, machine: Interpreter) -> None:
        self.interpreter = machine

    @property
    def machine(self) -> Interpreter:
        return self.interpreter

    def explain(self) -> tuple[Line, ...]:
        return explain(self.interpreter)

    def _explained(self, turn: Turn) -> LoggedTurn:
        """*turn* with its log and why parts hold; one that was never tried has none."""
        if isinstance(turn, LoggedTurn):
            return self.interpreter.explained(turn)
        return LoggedTurn(turn.before, turn.move, turn.after, turn.has_effect, turn.fault)

    def prose(self) -> int:
        return len(self.interpreter.system.sentences)

    def preface(self) -> tuple[Line, ...]:
        system = self.interpreter.system
        return tuple(filter(None, (turn_log.facts_line(system), turn_log.flags_line(system))))

    def steps(self, turn: Turn) -> Iterable[Line]:
        return (line for stage in self.stages(turn) for line in stage.lines)

    def stages(self, turn: Turn) -> Iterable[Stage]:
        return turn_log.stages(self.interpreter, self._explained(turn))

    def named_sets(self) -> Iterable[tuple[str, Value]]:
        machine = self.interpreter
        for each in machine.system.sets:
            members = picture.members(each.value, machine)
            if members:
                yield each.name, members

    def no_effect(self, turn: Turn, shown: str) -> Line:
        return turn_log.no_effect(self.interpreter, self._explained(turn), shown)

    def why(self, turn: Turn) -> Iterable[Line]:
        return turn_log.why(self.interpreter, self._explained(turn))

    def lack(self, turn: Turn) -> tuple[str | Piece, ...]:
        return turn_log.lack(self.interpreter, self._explained(turn))

    def aim(self) -> Aim:
        return aim(self.interpreter.system, self.interpreter.signature)

    def verdict(self, turns: Sequence[Turn], state: State) -> Verdict:
        """The rule that gave the result its present value, and what holds of the end."""
        over = self.interpreter.system.over
        holding = () if over is None else self._holding(over, state)
        parts = [
            GuardPart(expr_text(part), holds=True, evidence=self.interpreter.evidence(part, state))
            for part in holding
        ]
        return Verdict(self._decision(turns), tuple(parts))

    def _decision(self, turns: Sequence[Turn]) -> Decision | None:
        for made, turn in reversed(list(enumerate(turns, 1))):
            if isinstance(turn, LoggedTurn) and self._deciding(turn) is not None:
                event = self._deciding(self._explained(turn))
                assert event is not None, "a turn that is made again does the same"
                return Decision(
                    event.procedure,
                    event.rule.label,
                    rule_text(event.rule),
                    made,
                    tuple(map(guard_part, event.conjuncts)),
                )
        return None

    def _deciding(self, turn: LoggedTurn) -> RuleEvent | None:
        """The last rule of *turn* that gave the result another value."""
        result = self.interpreter.system.result
        for event in reversed(turn.events):
            if isinstance(event, RuleEvent) and any(
                change.variable == result and change.before != change.after
                for change in event.changes
            ):
                return event
        return None

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
                # Between truth values it says what its right side does.
                return self._holding(right, state) or [formula]
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
