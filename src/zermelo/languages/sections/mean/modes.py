"""How procedures are run: the order of their rules, and what else a document leaves open of it.

``OpenReadings`` asks for orders and the like where more than one choice matters. Rules side by
side that exclude each other are *cases*, and what becomes of a player who cannot move may be
said in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from zermelo.core.signature import BY_EVIDENCE, END, ORDER, STUCK, Reading, Stuck
from zermelo.languages.sections import ir
from zermelo.languages.sections.ir import ProcedureRole
from zermelo.languages.sections.mean import readings
from zermelo.languages.sections.mean.items import Items, declarations_in
from zermelo.languages.sections.mean.readings import Choice
from zermelo.languages.sections.mean.roles import PROCEDURE_ROLES, VARIABLE_ROLES, Roles
from zermelo.languages.sections.read.grammar import traversal, tree

_ORDERS = tuple(order.value for order in ir.Order if order is not ir.Order.BY_CASES)
_OUTSIDES = tuple(outside.value for outside in ir.Outside)
_NO_EFFECTS = tuple(choice.value for choice in ir.NoEffect)
_STUCKS = tuple(choice.value for choice in Stuck)


# What becomes of a player who cannot move

_CANNOT: Final = (
    r"(?:cannot|can ?not|can't|can no longer|is unable to|not able to) (?:make an?y? )?"
    r"(?:legal |valid )?(?:move|play)\b|has no (?:legal |valid |possible )?moves?\b"
    r"|is (?:stuck|blocked)\b"
)
_ANOTHER: Final = r"\b(?:other|opponent|rival|adversary)\b"
_THEY: Final = (
    r"(?: any ?more| at all| further| (?:on|in) (?:his|her|their|the) turn)?,?"
    r"(?: then)?(?: (?:he|she|they|it|that player|this player|the player))?"
)
_TAKES_LAST: Final = r"\b(?:takes|took|removes|picks|draws) the last \w+"
_STUCK_WORDS: Final = (
    (Stuck.LOSES, rf"(?:{_CANNOT})[^.;:]{{0,40}}?{_ANOTHER}[^.;:]{{0,20}}?\b(?:wins|has won)\b"),
    (Stuck.WINS, rf"(?:{_CANNOT})[^.;:]{{0,40}}?{_ANOTHER}[^.;:]{{0,20}}?\b(?:loses|has lost)\b"),
    (Stuck.LOSES, rf"(?:{_CANNOT})[^.;:]{{0,40}}?\b(?:loses|has lost|is the loser)\b"),
    (Stuck.WINS, rf"(?:{_CANNOT}){_THEY} (?:wins|win|has won|is the winner)\b"),
    (Stuck.WINS, r"\bwins (?:if|when) \w+ (?:" + _CANNOT + ")"),
    (Stuck.WINS, r"\blast (?:player|one)?\s*(?:(?:who is )?able )?to (?:make a )?move loses\b"),
    (Stuck.WINS, r"\b(?:who|player) (?:moves|makes the) last(?: move)? loses\b"),
    (Stuck.WINS, rf"{_TAKES_LAST} loses\b"),
    (Stuck.LOSES, r"\bloses (?:if|when) \w+ (?:" + _CANNOT + ")"),
    (Stuck.LOSES, r"\blast (?:player|one)?\s*(?:(?:who is )?able )?to (?:make a )?move wins\b"),
    (Stuck.LOSES, r"\b(?:who|player) (?:moves|makes the) last(?: move)? wins\b"),
    (Stuck.LOSES, rf"{_TAKES_LAST} wins\b"),
    (Stuck.DRAWS, rf"(?:{_CANNOT})[^.;:]{{0,40}}?\b(?:is a draw|is drawn|a tie)\b"),
    (Stuck.PASSES, rf"(?:{_CANNOT})[^.;:]{{0,40}}?\b(?:passes|must pass|skips|misses a turn)\b"),
)


def stuck_in_words(prose: Iterable[str]) -> tuple[Stuck, str] | None:
    """What the document says in words of a player who cannot move, and the sentence.

    >>> stuck_in_words(["Two play. Whoever cannot move loses."])
    (<Stuck.LOSES: 'loses'>, 'Whoever cannot move loses')
    >>> stuck_in_words(["If you cannot move, your opponent loses."])
    (<Stuck.WINS: 'wins'>, 'If you cannot move, your opponent loses')
    >>> stuck_in_words(["A piece that cannot move is safe. A king that is taken loses."])
    """
    sentences = [part.strip() for row in prose for part in re.split(r"[.;!](?:\s|$)", row)]
    for sentence in sentences:
        for choice, pattern in _STUCK_WORDS:
            if re.search(pattern, sentence.casefold()):
                return choice, sentence
    return None


# Rules that are cases


@dataclass(frozen=True, slots=True)
class Cases:
    """Rules side by side that exclude each other by the value of a variable they change."""

    variable: str
    first: int
    """The place of the first of them among the statements of the procedure."""
    count: int
    rules_below: bool


def cases(procedure: tree.Procedure) -> Iterator[Cases]:
    """The rows of cases in *procedure*, from top to bottom."""
    body = procedure.body
    at = 0
    while at < len(body):
        row = max(
            (_row(body, at, name) for name in sorted(_asked_values(body[at]))),
            key=lambda each: each.count,
            default=None,
        )
        if row is not None and row.count > 1:
            yield row
        at += row.count if row is not None else 1


def _row(body: tuple[tree.Statement, ...], at: int, name: str) -> Cases:
    values: list[tree.Expr] = []
    changes = False
    for statement in body[at:]:
        value = _asked_values(statement).get(name)
        if value is None or value in values:
            break
        if (
            len(values) > 1
            and _only_leads_on(statement, name)
            and not all(_only_leads_on(each, name) for each in body[at : at + len(values)])
        ):
            # `turn = 3 → turn = 1` below what players do: a check of what they made of it.
            break
        values.append(value)
        changes |= any(each.name == name for each in traversal.assignments((statement,)))
    below = any(isinstance(each, tree.Rule) for each in body[at + len(values) :])
    return Cases(name, at, len(values) if changes else 1, rules_below=below)


def _only_leads_on(statement: tree.Statement, name: str) -> bool:
    """Whether *statement* asks for nothing but a value of *name*, and gives it another."""
    match statement:
        case tree.Rule(guard=tree.Compare(), conclusion=(tree.Assign(target=tree.Name(text=to)),)):
            return to == name
        case _:
            return False


def _asked_values(statement: tree.Statement) -> dict[str, tree.Expr]:
    """What a rule asks variables to be, by name."""
    found: dict[str, tree.Expr] = {}
    guard = statement.guard if isinstance(statement, tree.Rule) else None
    for part in () if guard is None else traversal.conjuncts(guard):
        match part:
            case tree.Name(text=name):
                found[name] = tree.TruthLiteral(value=True)
            case tree.Not(operand=tree.Name(text=name)):
                found[name] = tree.TruthLiteral(value=False)
            case tree.Compare(
                first=tree.Name(text=name),
                rest=(
                    (
                        tree.CompareOp.EQ,
                        tree.Name()
                        | tree.WordRun()
                        | tree.TruthLiteral()
                        | tree.NumberLiteral() as value,
                    ),
                ),
            ):
                found[name] = value
            case _:
                pass
    return found


# How procedures are run


@dataclass(frozen=True, slots=True)
class ProcedureMode:
    """How a procedure is run: decided by readings."""

    role: ProcedureRole
    order: ir.Order
    outside: ir.Outside


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

    def modes(self) -> dict[str, ProcedureMode]:
        order = ir.Order.IN_ORDER
        if self._has_order():
            order = ir.Order(self._decide(ORDER, self._orders(ORDER)))
        outside = ir.Outside.SKIP
        if self._has_outside():
            outside = ir.Outside(self._decide(readings.OUTSIDE, _OUTSIDES))
        found: dict[str, ProcedureMode] = {}
        for procedure in self.document.procedures:
            role = self.roles.procedures.get(procedure.name, ProcedureRole.HELPER)
            # The end is judged step by step unless the document or the caller says otherwise.
            own = ir.Order.IN_ORDER if role is ProcedureRole.END else order
            name = readings.order_of(procedure.name)
            if name in self.given:
                own = ir.Order(self._decide(name, self._orders(name)))
            found[procedure.name] = ProcedureMode(role, own, outside)
            if readings.role_of(procedure.name) in self.given:
                self._decide(readings.role_of(procedure.name), tuple(PROCEDURE_ROLES))
        variables = (name for each in self.document.declarations for name in each.names)
        for reading in map(readings.role_of, variables):
            if reading in self.given:
                self._decide(reading, VARIABLE_ROLES)
        return found

    def _orders(self, name: str) -> tuple[str, ...]:
        """The orders that may be chosen; cases only where rules that are cases have others below.

        Without rules below them, rules that exclude each other are cases when run at once.
        """
        chosen = self.given.get(name)
        is_asked = chosen is not None and chosen.text == ir.Order.BY_CASES.value
        has_cases = any(
            each.rules_below for procedure in self.document.procedures for each in cases(procedure)
        )
        return (*_ORDERS, ir.Order.BY_CASES.value) if is_asked or has_cases else _ORDERS

    def _has_order(self) -> bool:
        """Whether some procedure besides the end has rules or statements to put in order."""
        return ORDER in self.given or any(
            _is_in_order(procedure.body)
            for procedure in self.document.procedures
            if self.roles.procedures.get(procedure.name) is not ProcedureRole.END
        )

    def _has_outside(self) -> bool:
        """Whether a value can be outside a local declaration or a helper's parameter."""
        if readings.OUTSIDE in self.given:
            return True
        for procedure in self.document.procedures:
            role = self.roles.procedures.get(procedure.name)
            if role is ProcedureRole.HELPER and procedure.parameters:
                return True
            declared = (name for d in declarations_in(procedure) for name in d.names)
            if any(name != self.roles.result for name in declared):
                return True
        return False

    def no_effect(self) -> ir.NoEffect:
        """What an input without effect does; it matters if the end changes more than the result."""
        done = [
            each
            for procedure in self.document.procedures
            if procedure.name == self.roles.end
            for each in traversal.assignments(procedure.body)
            if each.name not in {self.roles.result, self.roles.over}
        ]
        # What the end does by what it leaves alone, it has done after the last input already.
        names = {each.name for each in done}
        read = (
            name
            for each in done
            for expr in (*each.guards, *(() if each.value is None else (each.value,)))
            for name in traversal.names_in(expr)
        )
        goes_on = any(each.value is None for each in done) or not names.isdisjoint(read)
        if goes_on or readings.NO_EFFECT in self.given:
            return ir.NoEffect(self._decide(readings.NO_EFFECT, _NO_EFFECTS))
        return ir.NoEffect.REFUSED

    def stuck(self) -> Stuck:
        told = stuck_in_words(self.document.prose)
        if told is None or STUCK in self.given:
            return Stuck(self._decide(STUCK, _STUCKS))
        choice, sentence = told
        why = f"the document says “{sentence}”"
        reading = readings.decide(STUCK, _STUCKS, given={}, default=choice.value, reason=why)
        self.found.append(replace(reading, decided_by=BY_EVIDENCE))
        return choice

    def is_over_by_result(self, *, has_over: bool, has_result: bool) -> bool:
        """Whether play stops when a result is known, not when the variable says so."""
        if has_over and has_result:
            choices = (readings.WHEN_OVER, readings.WHEN_RESULT)
            return self._decide(END, choices) == readings.WHEN_RESULT
        return has_result and not has_over


def _is_in_order(body: tuple[tree.Statement, ...]) -> bool:
    """Whether *body* has two statements side by side, or two rules counted with nested ones."""
    beside = sum(isinstance(s, tree.Rule | tree.Assign | tree.ProcedureCall) for s in body)
    rules = sum(isinstance(s, tree.Rule) for s in traversal.statements(body))
    return beside > 1 or rules > 1
