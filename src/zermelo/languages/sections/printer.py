"""Expressions and statements as text, in the canonical notation, with the fewest brackets.

Faces show guards and terms with it where the document's own words are not at hand.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final, assert_never

from zermelo.core.values import to_text as value_to_text
from zermelo.languages.sections.ir import (
    Abs,
    And,
    Apply,
    Assign,
    Binary,
    Binder,
    Call,
    Card,
    Ceiling,
    Comprehension,
    Declare,
    Expr,
    Floor,
    Fold,
    Let,
    Literal,
    Local,
    Negate,
    Not,
    NumberSet,
    Op,
    Or,
    PowerSet,
    Product,
    Quantified,
    Range,
    Ref,
    Rule,
    SetOf,
    Statement,
    TupleOf,
)


class Precedence(IntEnum):
    """How tightly an expression holds together, loosest first."""

    IFF = 0
    IMPLIES = 1
    OR = 2
    AND = 3
    NOT = 4
    COMPARISON = 5
    SUM = 6
    PRODUCT = 7
    SIGN = 8
    POWER = 9
    ATOM = 10


_LEVELS: Final = {
    Op.IFF: Precedence.IFF,
    Op.IMPLIES: Precedence.IMPLIES,
    Op.UNION: Precedence.SUM,
    Op.DIFFERENCE: Precedence.SUM,
    Op.PLUS: Precedence.SUM,
    Op.MINUS: Precedence.SUM,
    Op.INTERSECTION: Precedence.PRODUCT,
    Op.TIMES: Precedence.PRODUCT,
    Op.DIVIDE: Precedence.PRODUCT,
    Op.MOD: Precedence.PRODUCT,
    Op.POWER: Precedence.POWER,
}
_ALWAYS: Final = (Literal(value=True), And(()))
_ON_THE_RIGHT: Final = {Op.IMPLIES, Op.POWER}
"""Operators of which ``a op b op c`` means ``a op (b op c)``."""


def to_text(expr: Expr) -> str:
    """*expr* in the documents' notation.

    >>> to_text(Binary(Op.EQ, Card(Binary(Op.DIFFERENCE, Ref("Alpha"), Ref("Y"))), Literal(0)))
    '|Alpha − Y| = 0'
    """
    match expr:
        case Literal(value):
            return value_to_text(value)
        case Ref(name) | Local(name):
            return name
        case NumberSet(kind):
            return kind.value
        case SetOf() | Range() | TupleOf() | Comprehension() | Product() | PowerSet():
            return _collection(expr)
        case Negate() | Card() | Abs() | Floor() | Ceiling():
            return _term(expr)
        case Binary():
            return _binary(expr)
        case Not() | And() | Or() | Quantified() | Fold():
            return _formula(expr)
        case Apply(function, arguments):
            return f"{function}({_listed(arguments)})"
        case _:
            assert_never(expr)


def statement_to_text(statement: Statement) -> str:
    """*statement* in the documents' notation.

    >>> statement_to_text(Assign("turn", Not(Ref("turn"))))
    'turn = ¬turn'
    """
    match statement:
        case Assign(variable, value):
            return f"{variable} = {_right_side(value)}"
        case Let(names, is_tuple, value):
            return f"{_pattern(names, is_tuple=is_tuple)} = {_right_side(value)}"
        case Declare(names, domain):
            return f"{', '.join(names)} {_membership(domain)}"
        case Call(procedure, arguments):
            return f"{procedure}({_listed(arguments)})"
        case Rule(guard, conclusion):
            parts = map(_conclusion_part, conclusion)
            return f"{_at(guard, Precedence.OR)} → {' ∧ '.join(parts)}"
        case _:
            assert_never(statement)


def _right_side(value: Expr) -> str:
    return _at(value, Precedence.NOT if isinstance(value, Not) else Precedence.SUM)


def _conclusion_part(statement: Statement) -> str:
    text = statement_to_text(statement)
    return f"({text})" if isinstance(statement, Rule) else text


def _level(expr: Expr) -> Precedence:
    match expr:
        case Binary(op):
            return _LEVELS.get(op, Precedence.COMPARISON)
        case Not():
            return Precedence.NOT
        case And(operands) | Or(operands):
            return _level_of_junction(expr, len(operands))
        case Quantified():
            return Precedence.IFF
        case Fold():
            return Precedence.SIGN
        case Product(factors):
            return Precedence.PRODUCT if len(factors) > 1 else Precedence.ATOM
        case Negate():
            return Precedence.SIGN
        case Literal(value) if value_to_text(value).startswith("−"):
            return Precedence.SIGN
        case Literal(value) if "/" in value_to_text(value) and not isinstance(value, tuple):
            return Precedence.PRODUCT
        case _:
            return Precedence.ATOM


def _level_of_junction(expr: And | Or, count: int) -> Precedence:
    if count == 0:
        return Precedence.ATOM
    if count == 1:
        return _level(expr.operands[0])
    return Precedence.AND if isinstance(expr, And) else Precedence.OR


def _at(expr: Expr, least: Precedence) -> str:
    """*expr*, in brackets unless it holds together at least as tightly as *least*."""
    text = to_text(expr)
    return text if _level(expr) >= least else f"({text})"


def _binary(expr: Binary) -> str:
    op = expr.op
    level = _level(expr)
    symbol = "−" if op is Op.MINUS else op.value
    if level is Precedence.COMPARISON:
        left, right = Precedence.SUM, Precedence.SUM
    elif op in _ON_THE_RIGHT:
        left, right = Precedence(level + 1), level
    else:
        left, right = level, Precedence(level + 1)
    joint = symbol if op is Op.POWER else f" {symbol} "
    return f"{_at(expr.left, left)}{joint}{_at(expr.right, right)}"


def _term(expr: Negate | Card | Abs | Floor | Ceiling) -> str:
    match expr:
        case Negate(operand):
            return f"−{_at(operand, Precedence.POWER)}"
        case Card(operand) | Abs(operand):
            return f"|{to_text(operand)}|"
        case Floor(operand):
            return f"⌊{to_text(operand)}⌋"
        case Ceiling(operand):
            return f"⌈{to_text(operand)}⌉"
        case _:
            assert_never(expr)


def _formula(expr: Not | And | Or | Quantified | Fold) -> str:
    match expr:
        case Not(operand):
            # ``¬x ∈ S`` would say the same, but is easily misread.
            least = Precedence.NOT if isinstance(operand, Not) else Precedence.SUM
            return f"¬{_at(operand, least)}"
        case And(operands):
            return " ∧ ".join(_operands(operands, Precedence.NOT)) or "true"
        case Or(operands):
            return " ∨ ".join(_operands(operands, Precedence.AND)) or "false"
        case Quantified(kind, binder, body):
            return f"{kind.value}{_binder(binder)}: {to_text(body)}"
        case Fold(kind, binder, body):
            name = _pattern(binder.names, is_tuple=binder.is_tuple)
            limit = f"{name}∈{_at(binder.domain, Precedence.SUM)}"
            return f"{kind.value}_{{{limit}}} {_at(body, Precedence.PRODUCT)}"
        case _:
            assert_never(expr)


def _operands(operands: tuple[Expr, ...], least: Precedence) -> list[str]:
    if len(operands) == 1:
        return [to_text(operands[0])]
    return [_at(operand, least) for operand in operands]


def _collection(expr: SetOf | Range | TupleOf | Comprehension | Product | PowerSet) -> str:
    match expr:
        case SetOf(items):
            inside = ", ".join(_range(i) if isinstance(i, Range) else to_text(i) for i in items)
            return f"{{{inside}}}" if items else "∅"
        case Range():
            return f"{{{_range(expr)}}}"
        case TupleOf(items):
            return f"({_listed(items)})"
        case Product(factors):
            return " × ".join(_at(factor, Precedence.SIGN) for factor in factors)
        case PowerSet(base):
            return f"𝒫({to_text(base)})"
        case Comprehension():
            return _comprehension(expr)
        case _:
            assert_never(expr)


def _range(expr: Range) -> str:
    return f"{_at(expr.low, Precedence.SUM)}..{_at(expr.high, Precedence.SUM)}"


def _comprehension(expr: Comprehension) -> str:
    condition = "" if expr.condition in _ALWAYS else to_text(expr.condition)
    first = expr.binders[0]
    if len(expr.binders) == 1 and is_pattern(expr.result, first):
        return f"{{{_binder(first)} | {condition or 'true'}}}"
    conditions = [_binder(binder) for binder in expr.binders]
    conditions += [_at(expr.condition, Precedence.NOT)] if condition else []
    return f"{{{to_text(expr.result)} | {' ∧ '.join(conditions)}}}"


def is_pattern(result: Expr, binder: Binder) -> bool:
    """Whether *result* is a member of the binder's domain, as the binder names it."""
    if not binder.is_tuple:
        return result == Local(binder.names[0])
    return result == TupleOf(tuple(Local(name) for name in binder.names))


def _binder(binder: Binder) -> str:
    pattern = _pattern(binder.names, is_tuple=binder.is_tuple)
    return f"{pattern} {_membership(binder.domain)}"


def _membership(domain: Expr) -> str:
    if isinstance(domain, PowerSet):
        return f"⊆ {_at(domain.base, Precedence.SUM)}"
    return f"∈ {_at(domain, Precedence.SUM)}"


def _pattern(names: tuple[str, ...], *, is_tuple: bool) -> str:
    return f"({', '.join(names)})" if is_tuple else names[0]


def _listed(items: tuple[Expr, ...]) -> str:
    return ", ".join(map(to_text, items))
