"""Formulas and statements as English sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from zermelo.core.values import TRUE, TruthValue
from zermelo.languages.sections.ir import (
    And,
    Apply,
    Assign,
    Binary,
    Binder,
    Call,
    Card,
    Declare,
    Expr,
    Fold,
    FoldKind,
    Let,
    Lines,
    Literal,
    Local,
    Not,
    Op,
    Or,
    Quantified,
    QuantifierKind,
    Ref,
    Rule,
    SetOf,
    Statement,
    TupleOf,
)
from zermelo.languages.sections.printer import changed_places, to_text
from zermelo.text.prose import listing

_COMPARISONS = {
    Op.EQ: "is",
    Op.NE: "is not",
    Op.LT: "is less than",
    Op.LE: "is at most",
    Op.GT: "is more than",
    Op.GE: "is at least",
    Op.IN: "is in",
    Op.NOT_IN: "is not in",
    Op.SUBSET: "is a subset of",
    Op.NOT_SUBSET: "is not a subset of",
    Op.PROPER_SUBSET: "is a proper subset of",
}
_OPPOSITES = {
    Op.EQ: Op.NE,
    Op.NE: Op.EQ,
    Op.LT: Op.GE,
    Op.GE: Op.LT,
    Op.GT: Op.LE,
    Op.LE: Op.GT,
    Op.IN: Op.NOT_IN,
    Op.NOT_IN: Op.IN,
    Op.SUBSET: Op.NOT_SUBSET,
    Op.NOT_SUBSET: Op.SUBSET,
}
_EMPTY = SetOf(())
# Clauses with one of these are parted by semicolons.
_LONG = (" and ", " or ", " such that ", ", ")
_MEMBERS = {
    Op.EQ: "has {n}",
    Op.NE: "does not have {n}",
    Op.LT: "has fewer than {n}",
    Op.LE: "has at most {n}",
    Op.GT: "has more than {n}",
    Op.GE: "has at least {n}",
}


def rule_sentence(rule: Rule) -> str:
    conclusion = _conclusion_clause(rule)
    if rule.guard in (And(()), Literal(TRUE)):
        return f"{conclusion[:1].upper()}{conclusion[1:]}."
    return f"If {condition(rule.guard)}, then {conclusion}."


def _conclusion_clause(rule: Rule) -> str:
    """What a conclusion does; semicolons part clauses that have commas of their own."""
    clauses = [statement_clause(statement) for statement in rule.conclusion]
    last = "then" if rule.lines is Lines.ONE_AFTER_THE_OTHER else "and"
    if any("," in clause for clause in clauses) and len(clauses) > 1:
        return "; ".join([*clauses[:-1], f"{last} {clauses[-1]}"])
    return listing(clauses, last=last)


def statement_clause(statement: Statement) -> str:
    match statement:
        case Assign(variable, value):
            return _assignment(variable, value)
        case Let():
            return f"{_names(statement)} stands for {to_text(statement.value)}"
        case Declare(names, domain):
            verb = "stays" if len(names) == 1 else "stay"
            return f"{listing(names)} {verb} in {to_text(domain)}"
        case Call(procedure, arguments):
            given = f" with {listing([to_text(a) for a in arguments])}" if arguments else ""
            return f"{procedure} is called{given}"
        case Rule():
            return f"if {condition(statement.guard)}, {_conclusion_clause(statement)}"
        case _:
            assert_never(statement)


def _assignment(variable: str, value: Expr) -> str:
    changes = changed_places(variable, value)
    if changes:
        return listing([f"{_place(variable, at)} becomes {to_text(new)}" for at, new in changes])
    match value:
        case Not(Ref(name)) if name == variable:
            return f"{variable} becomes its opposite"
        case Binary(Op.PLUS, Ref(name), amount) if name == variable:
            return f"{variable} goes up by {to_text(amount)}"
        case Binary(Op.MINUS, Ref(name), amount) if name == variable:
            return f"{variable} goes down by {to_text(amount)}"
        case Binary(Op.UNION, Ref(name), SetOf((*items,))) if name == variable and items:
            return f"{listing(map(to_text, items))} {_is(items)} added to {variable}"
        case Binary(Op.DIFFERENCE, Ref(name), SetOf((*items,))) if name == variable and items:
            return f"{listing(map(to_text, items))} {_is(items)} taken out of {variable}"
        case Binary(Op.UNION, Binary(Op.DIFFERENCE, Ref(name), SetOf((old,))), SetOf((new,))) if (
            name == variable
        ):
            return f"{to_text(old)} is replaced by {to_text(new)} in {variable}"
    if value == _EMPTY or value == Literal(frozenset()):
        return f"{variable} becomes empty"
    return f"{variable} becomes {to_text(value)}"


def _place(function: str, at: Expr) -> str:
    return to_text(Apply(function, at.items if isinstance(at, TupleOf) else (at,)))


def _is(items: Sequence[Expr]) -> str:
    return "is" if len(items) == 1 else "are"


def condition(formula: Expr) -> str:
    """*formula* as a clause that is true or false."""
    match formula:
        case And(operands):
            return listing([_part_of_conjunction(each) for each in operands])
        case Or(operands):
            return _alternatives([condition(each) for each in operands])
        case Not(operand):
            return _negated(operand)
        case Binary(op, left, right) if op in _COMPARISONS:
            return _comparison(op, left, right)
        case Binary(Op.IMPLIES, left, right):
            return f"{condition(right)} whenever {condition(left)}"
        case Binary(Op.IFF, left, right):
            return f"{condition(left)} exactly when {condition(right)}"
        case Quantified():
            return _quantified(formula)
        case Ref(name) | Local(name):
            return f"{name} is true"
        case Literal(TruthValue() as truth):
            return "always" if truth else "never"
        case _:
            return f"{to_text(formula)} holds"


def _part_of_conjunction(operand: Expr) -> str:
    """*operand* in brackets where it would be misread."""
    text = condition(operand)
    is_long = isinstance(operand, Or | Quantified) or any(part in text for part in _LONG)
    return f"({text})" if is_long else text


def _alternatives(clauses: Sequence[str]) -> str:
    if len(clauses) > 1 and any(part in clause for clause in clauses for part in _LONG):
        return "; or ".join(clauses)
    return listing(clauses, last="or")


def _negated(operand: Expr) -> str:
    match operand:
        case Ref(name) | Local(name):
            return f"{name} is false"
        case Not(inner):
            return condition(inner)
        case Binary(op, left, right) if op in _OPPOSITES:
            return _comparison(_OPPOSITES[op], left, right)
        case Quantified(QuantifierKind.SOME, binder, body):
            names = _names(binder)
            return f"there is no {names} in {to_text(binder.domain)} such that {condition(body)}"
        case _:
            return f"it is not so that {condition(operand)}"


def _comparison(op: Op, left: Expr, right: Expr) -> str:
    match op, left, right:
        case (Op.EQ | Op.NE, Card(operand), Literal(0)):
            return f"{to_text(operand)} is {'' if op is Op.EQ else 'not '}empty"
        case (Op.GT, Card(operand), Literal(0)):
            return f"{to_text(operand)} is not empty"
        case (_, Card(operand), Literal(int() as number)) if op in _MEMBERS:
            members = f"{number} member" + ("" if number == 1 else "s")
            return f"{to_text(operand)} {_MEMBERS[op].format(n=members)}"
        case (Op.EQ | Op.NE, Ref(name) | Local(name), Literal(TruthValue() as truth)):
            return f"{name} is {str(truth.holds is (op is Op.EQ)).lower()}"
        case _:
            pass
    if right in (_EMPTY, Literal(frozenset())) and op in {Op.EQ, Op.NE}:
        return f"{to_text(left)} is {'' if op is Op.EQ else 'not '}empty"
    is_computed = op is Op.EQ and not isinstance(right, Literal)
    return f"{term(left)} {'equals' if is_computed else _COMPARISONS[op]} {term(right)}"


def term(expr: Expr) -> str:
    """*expr* as a noun: sums in words, all else in the document's notation."""
    match expr:
        case Fold(FoldKind.SUM, Binder((name,), False, domain), Local(body)) if name == body:
            return f"the sum of {to_text(domain)}"
        case Fold(FoldKind.SUM, binder, body):
            names = _names(binder)
            return f"the sum of {to_text(body)} for all {names} in {to_text(binder.domain)}"
        case _:
            return to_text(expr)


def _quantified(formula: Quantified) -> str:
    names = _names(formula.binder)
    domain = to_text(formula.binder.domain)
    if formula.kind is QuantifierKind.SOME:
        return f"there is {names} in {domain} such that {condition(formula.body)}"
    return f"for every {names} in {domain}, {condition(formula.body)}"


def _names(bound: Binder | Let) -> str:
    return f"({', '.join(bound.names)})" if bound.is_tuple else bound.names[0]
