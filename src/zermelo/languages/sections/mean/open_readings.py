"""The readings that decide how a system is run, where more than one choice matters in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from zermelo.languages.sections import ir
from zermelo.languages.sections.ir import Reading
from zermelo.languages.sections.mean import readings
from zermelo.languages.sections.mean.items import Items
from zermelo.languages.sections.mean.readings import Choice
from zermelo.languages.sections.mean.roles import Roles
from zermelo.languages.sections.mean.rules import Manner
from zermelo.languages.sections.mean.terms import walk
from zermelo.languages.sections.read.grammar import tree

_ORDERS = tuple(order.value for order in ir.Order)
_OUTSIDES = tuple(outside.value for outside in ir.Outside)
_NO_EFFECTS = tuple(choice.value for choice in ir.NoEffect)
_STUCKS = tuple(choice.value for choice in ir.Stuck)


@dataclass(slots=True)
class OpenReadings:
    """Decides how the procedures of one document are run, and keeps the decisions."""

    document: Items
    roles: Roles
    given: Mapping[str, Choice]
    found: list[Reading] = field(default_factory=list)

    def _decide(self, name: str, choices: tuple[str, ...]) -> str:
        reading = readings.decide(name, choices, given=self.given)
        self.found.append(reading)
        return reading.choice

    def manners(self) -> dict[str, Manner]:
        """How each procedure is run."""
        order = ir.Order.IN_ORDER
        if self._has_order():
            order = ir.Order(self._decide(readings.ORDER, _ORDERS))
        outside = ir.Outside.SKIP
        if self._has_outside():
            outside = ir.Outside(self._decide(readings.OUTSIDE, _OUTSIDES))
        return {
            procedure.name: self._manner(procedure, order, outside)
            for procedure in self.document.procedures
        }

    def _manner(self, procedure: tree.Procedure, order: ir.Order, outside: ir.Outside) -> Manner:
        role = self.roles.procedures.get(procedure.name, ir.ProcedureRole.HELPER)
        # The end is judged step by step unless the document or the caller says otherwise.
        own = ir.Order.IN_ORDER if role is ir.ProcedureRole.END else order
        name = readings.order_of(procedure.name)
        if name in self.given:
            own = ir.Order(self._decide(name, _ORDERS))
        return Manner(role, own, outside)

    def _has_order(self) -> bool:
        """Whether some procedure besides the end has rules or statements to put in order."""
        return readings.ORDER in self.given or any(
            _is_in_order(procedure.body)
            for procedure in self.document.procedures
            if self.roles.procedures.get(procedure.name) is not ir.ProcedureRole.END
        )

    def _has_outside(self) -> bool:
        """Whether a value can be outside a local declaration or a helper's parameter."""
        if readings.OUTSIDE in self.given:
            return True
        for procedure in self.document.procedures:
            role = self.roles.procedures.get(procedure.name)
            if role is ir.ProcedureRole.HELPER and procedure.parameters:
                return True
            declared = (
                s for s in walk.statements(procedure.body) if isinstance(s, tree.Declaration)
            )
            if any(name != self.roles.result for d in declared for name in d.names):
                return True
        return False

    def no_effect(self) -> ir.NoEffect:
        """What an input without effect does; it matters if the end changes more than the result."""
        changes = {
            assignment.name
            for procedure in self.document.procedures
            if procedure.name == self.roles.end
            for assignment in walk.assignments(procedure.body)
        }
        if changes - {self.roles.result, self.roles.over} or readings.NO_EFFECT in self.given:
            return ir.NoEffect(self._decide(readings.NO_EFFECT, _NO_EFFECTS))
        return ir.NoEffect.REFUSED

    def stuck(self) -> ir.Stuck:
        """What becomes of a player who has no move."""
        return ir.Stuck(self._decide(readings.STUCK, _STUCKS))

    def is_over_by_result(self, *, has_over: bool, has_result: bool) -> bool:
        """Whether play stops when a result is known, not when the variable says so."""
        if has_over and has_result:
            choices = (readings.WHEN_OVER, readings.WHEN_RESULT)
            return self._decide(readings.END, choices) == readings.WHEN_RESULT
        return has_result and not has_over


def _is_in_order(body: tuple[tree.Statement, ...]) -> bool:
    """Whether *body* has two statements side by side, or two rules counted with nested ones."""
    beside = sum(isinstance(s, tree.Rule | tree.Assign | tree.Call) for s in body)
    rules = sum(isinstance(s, tree.Rule) for s in walk.statements(body))
    return beside > 1 or rules > 1
