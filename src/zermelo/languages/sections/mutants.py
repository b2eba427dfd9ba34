"""Small misreadings of a document, each made from its meaning: one thing read otherwise.

What people get wrong when they implement such a document: rules as else-if, brackets, a bound that
counts or does not, *some* for *all*, *is a line* for *contains a line*, a forgotten rule or
condition, row and column exchanged, the order of rules, and whether facts follow at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final, TypeVar

from zermelo.languages.sections import ir
from zermelo.languages.sections.ir import (
    And,
    Assign,
    Binary,
    Binder,
    Call,
    Declare,
    Expr,
    Let,
    Local,
    Not,
    Op,
    Or,
    Order,
    Procedure,
    Quantified,
    QuantifierKind,
    Rule,
    Statement,
    System,
    TupleOf,
)
from zermelo.languages.sections.printer import statement_to_text, to_text
from zermelo.languages.sections.walk import EXPRESSIONS, parts
from zermelo.text.source import NOWHERE, Span

T = TypeVar("T")

ELSE_IF: Final = "rules as else-if"
REGROUPED: Final = "∧ and ∨ regrouped"
BOUND: Final = "a bound that counts or does not"
QUANTIFIER: Final = "∃ for ∀"
EQUAL: Final = "∈ for ⊆"
NO_RULE: Final = "a rule dropped"
NO_CONJUNCT: Final = "a condition dropped"
SWAPPED: Final = "row and column swapped"
RULE_ORDER: Final = "order of rules"
FACTS: Final = "facts frozen or not"

_BOUNDS: Final = {Op.LT: Op.LE, Op.LE: Op.LT, Op.GT: Op.GE, Op.GE: Op.GT}
_QUANTIFIERS: Final = {
    QuantifierKind.ALL: QuantifierKind.SOME,
    QuantifierKind.SOME: QuantifierKind.ALL,
}


@dataclass(frozen=True, slots=True)
class Misreading:
    """A system that differs from the document's in one thing."""

    kind: str
    words: str
    """What is read otherwise, and where."""
    span: Span
    system: System


@dataclass(frozen=True, slots=True)
class _Change:
    """Another *made* thing in the place of one that stands at *span*."""

    kind: str
    words: str
    span: Span
    made: Any


def misreadings(system: System) -> Iterator[Misreading]:
    """Every small misreading of *system*, in the order of the document; none twice."""
    seen = {_meaning(system)}
    for where, change in _changes(system):
        made: System = change.made
        if _meaning(made) not in seen:
            seen.add(_meaning(made))
            yield Misreading(change.kind, f"{where}: {change.words}", change.span, made)


def _meaning(system: System) -> tuple[object, ...]:
    """What of a system a misreading can change."""
    definitions = tuple(each.definition for each in system.variables)
    return system.procedures, system.functions, definitions


def _changes(system: System) -> Iterator[tuple[str, _Change]]:
    for at, variable in enumerate(system.variables):
        if variable.definition is not None:
            for change in _expression(variable.definition):
                changed = replace(variable, definition=change.made)
                made = replace(system, variables=_put(system.variables, at, changed))
                yield f"the fact that defines `{variable.name}`", replace(change, made=made)
    for at, function in enumerate(system.functions):
        for change in _expression(function.body):
            functions = _put(system.functions, at, replace(function, body=change.made))
            yield f"`{function.name}`", replace(change, made=replace(system, functions=functions))
    for at, procedure in enumerate(system.procedures):
        for where, change in _procedure(procedure):
            procedures = _put(system.procedures, at, change.made)
            yield where, replace(change, made=replace(system, procedures=procedures))


def _put(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    return (*items[:at], item, *items[at + 1 :])


# Procedures


def _procedure(procedure: Procedure) -> Iterator[tuple[str, _Change]]:
    name = f"`{procedure.name}`"
    # By cases a body is made otherwise when it is understood; here it is made already.
    for order in (Order.IN_ORDER, Order.FACTS_FROZEN, Order.AT_ONCE):
        if order is not procedure.order:
            words = f"its rules {order.value} instead of {procedure.order.value}"
            yield name, _Change(FACTS, words, procedure.span, replace(procedure, order=order))
    rules = [at for at, each in enumerate(procedure.body) if isinstance(each, Rule)]
    for one, other in pairwise(rules):
        body = list(procedure.body)
        first, second = body[one], body[other]
        assert isinstance(first, Rule)
        assert isinstance(second, Rule)
        # Labels number the rules in their order.
        body[one] = replace(second, label=first.label)
        body[other] = replace(first, label=second.label)
        words = f"rule {second.label} before rule {first.label}"
        made = replace(procedure, body=tuple(body))
        yield name, _Change(RULE_ORDER, words, first.span, made)
    if (made_else := _else_if(procedure)) is not None:
        words = "a rule is tried only if none before it holds"
        yield name, _Change(ELSE_IF, words, procedure.span, made_else)
    for change in _statements(procedure.body):
        where, _, words = change.words.partition("\n")
        made = replace(procedure, body=change.made)
        yield f"{where} of {name}", replace(change, words=words, made=made)


def _else_if(procedure: Procedure) -> Procedure | None:
    """Each rule only where no earlier one holds when the procedure is called."""
    body = procedure.body
    first = next((at for at, each in enumerate(body) if isinstance(each, Rule)), len(body))
    rules = [each for each in body[first:] if isinstance(each, Rule)]
    if len(rules) < 2 or len(rules) < len(body) - first:
        return None
    taken = {part.name for each in body for part in parts(each) if isinstance(part, Local)}
    names: list[str] = []
    lets: list[Statement] = []
    chosen: list[Statement] = []
    for rule in rules:
        name = f"holds{rule.label.replace('.', '_')}"
        if name in taken:
            return None
        before = tuple(Not(Local(each)) for each in names)
        lets.append(Let((name,), False, And((*before, rule.guard)), span=rule.span))  # noqa: FBT003
        chosen.append(replace(rule, guard=Local(name)))
        names.append(name)
    return replace(procedure, body=(*body[:first], *lets, *chosen))


def _statements(body: tuple[Statement, ...]) -> Iterator[_Change]:
    """Changes of one of the statements of *body*; their words begin with a line that says where."""
    for at, statement in enumerate(body):
        if isinstance(statement, Rule):
            text = statement_to_text(statement)
            words = f"rule {statement.label}\nleft out, `{text}`"
            without = (*body[:at], *body[at + 1 :])
            yield _Change(NO_RULE, words, statement.span, without)
        for change in _statement(statement):
            yield replace(change, made=_put(body, at, change.made))


def _statement(statement: Statement) -> Iterator[_Change]:
    match statement:
        case Rule(guard, conclusion, label):
            for change in _expression(guard):
                made = replace(statement, guard=change.made)
                yield replace(change, words=f"rule {label}\n{change.words}", made=made)
            for change in _statements(conclusion):
                if change.made:
                    where, _, words = change.words.partition("\n")
                    # Of a nested rule the place is its own.
                    told = where if where.startswith("rule ") else f"rule {label}"
                    made = replace(statement, conclusion=change.made)
                    yield replace(change, words=f"{told}\n{words}", made=made)
        case Assign() | Let():
            yield from _line(statement)
        case Call(arguments=arguments):
            for change in _part(arguments):
                call = replace(statement, arguments=change.made)
                yield replace(change, words=f"a line\n{change.words}", made=call)
        case Declare():
            return


def _line(statement: Assign | Let) -> Iterator[_Change]:
    if isinstance(statement, Let) and statement.is_tuple and len(statement.names) == 2:
        swapped = replace(statement, names=statement.names[::-1])
        texts = statement_to_text(statement), statement_to_text(swapped)
        words = f"a line\n`{texts[0]}` read as `{texts[1]}`"
        yield _Change(SWAPPED, words, statement.span, swapped)
    for change in _expression(statement.value):
        made = replace(statement, value=change.made)
        yield replace(change, words=f"a line\n{change.words}", made=made)


# Expressions


def _expression(expr: Expr) -> Iterator[_Change]:
    """*expr* with one thing in it read otherwise."""
    for kind, made in _read_otherwise(expr):
        words = f"`{to_text(expr)}` read as `{to_text(made)}`"
        yield _Change(kind, words, expr.span, made)
    for name in expr.__match_args__:
        part = getattr(expr, name)
        for change in _part(part):
            yield replace(change, made=replace(expr, **{name: change.made}))


def _part(part: object) -> Iterator[_Change]:
    if isinstance(part, EXPRESSIONS):
        yield from _expression(part)
    elif isinstance(part, Binder):
        for change in _expression(part.domain):
            yield replace(change, made=replace(part, domain=change.made))
    elif isinstance(part, tuple):
        for at, item in enumerate(part):
            for change in _part(item):
                yield replace(change, made=_put(part, at, change.made))


def _read_otherwise(expr: Expr) -> Iterator[tuple[str, Expr]]:
    match expr:
        case Binary(op, left, right) if op in _BOUNDS:
            yield BOUND, Binary(_BOUNDS[op], left, right, span=expr.span)
        case Binary(Op.SUBSET, left, right):
            yield EQUAL, Binary(Op.EQ, left, right, span=expr.span)
        case Quantified(kind):
            yield QUANTIFIER, replace(expr, kind=_QUANTIFIERS[kind])
        case And(operands) | Or(operands):
            yield from ((REGROUPED, made) for made in _regrouped(expr))
            if isinstance(expr, And) and len(operands) > 1:
                for at in range(len(operands)):
                    left_over = operands[:at] + operands[at + 1 :]
                    one = left_over[0] if len(left_over) == 1 else And(left_over, span=expr.span)
                    yield NO_CONJUNCT, one
        case TupleOf((first, second)) if first != second and not _is_listed(expr):
            yield SWAPPED, replace(expr, items=(second, first))
        case _:
            return


def _is_listed(expr: TupleOf) -> bool:
    """Whether a tuple is one value, as where cells are listed."""
    return all(isinstance(each, ir.Literal) for each in expr.items)


def _regrouped(expr: And | Or) -> Iterator[Expr]:
    """`a ∧ b ∨ c` with the brackets at the other place: around `b ∨ c`, or the other way round."""
    outer = type(expr)
    inner = Or if outer is And else And
    operands = expr.operands
    for at, operand in enumerate(operands):
        if not isinstance(operand, inner):
            continue
        *most, last = operand.operands
        first, *rest = operand.operands
        if at + 1 < len(operands) and most:
            joined = outer((last, operands[at + 1]), span=expr.span)
            group = inner((*most, joined), span=expr.span)
            yield _one(outer, (*operands[:at], group, *operands[at + 2 :]), expr.span)
        if at > 0 and rest:
            joined = outer((operands[at - 1], first), span=expr.span)
            group = inner((joined, *rest), span=expr.span)
            yield _one(outer, (*operands[: at - 1], group, *operands[at + 1 :]), expr.span)


def _one(kind: type[And | Or], operands: tuple[Expr, ...], span: Span = NOWHERE) -> Expr:
    return operands[0] if len(operands) == 1 else kind(operands, span=span)
