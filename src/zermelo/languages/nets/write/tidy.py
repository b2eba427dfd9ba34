"""Expressions made shorter: the same values for all values of their variables, and the same faults.

Numbers that are known are computed, and what changes nothing is left out.
"""

from __future__ import annotations

from typing import Final

from zermelo.languages.nets.ir import (
    Binary,
    BinaryOp,
    Call,
    Conditional,
    Const,
    Element,
    Expr,
    Unary,
    UnaryOp,
    Var,
)
from zermelo.languages.nets.run.arithmetic import LOWEST, TOTAL, NoValue, binary, unary

_TRUTHS: Final = frozenset(
    {
        BinaryOp.EQ,
        BinaryOp.NE,
        BinaryOp.LT,
        BinaryOp.LE,
        BinaryOp.GT,
        BinaryOp.GE,
        BinaryOp.AND,
        BinaryOp.OR,
    }
)
_OPPOSITE: Final = {
    BinaryOp.EQ: BinaryOp.NE,
    BinaryOp.NE: BinaryOp.EQ,
    BinaryOp.LT: BinaryOp.GE,
    BinaryOp.GE: BinaryOp.LT,
    BinaryOp.GT: BinaryOp.LE,
    BinaryOp.LE: BinaryOp.GT,
}


def tidy(expr: Expr) -> Expr:
    """*expr* made shorter.

    >>> from zermelo.languages.nets.printer import expr_text
    >>> x = Var("x")
    >>> once = Binary(BinaryOp.TIMES, Const(-1), Binary(BinaryOp.EQ, x, Const(0)))
    >>> expr_text(tidy(Binary(BinaryOp.PLUS, Const(3), once)))
    '3 - (x == 0)'
    """
    match expr:
        case Const() | Var():
            return expr
        case Unary(op, operand):
            return _unary(op, tidy(operand))
        case Binary(op, left, right):
            return _binary(op, tidy(left), tidy(right))
        case Conditional(test, yes, no):
            return _conditional(tidy(test), tidy(yes), tidy(no))
        case Element(table, indexes):
            return Element(table, tuple(map(tidy, indexes)))
        case Call(function, arguments):
            return Call(function, tuple(map(tidy, arguments)))


def _unary(op: UnaryOp, operand: Expr) -> Expr:
    match op, operand:
        case UnaryOp.KEEP, _:
            return operand
        case _, Const(value):
            try:
                return Const(unary(op, value))
            except NoValue:
                return Unary(op, operand)
        case _:
            return Unary(op, operand)


def _conditional(test: Expr, yes: Expr, no: Expr) -> Expr:
    if isinstance(test, Const):
        return yes if test.value else no
    return Conditional(test, yes, no)


def _binary(op: BinaryOp, left: Expr, right: Expr) -> Expr:
    if isinstance(left, Const) and isinstance(right, Const):
        try:
            return Const(binary(op, left.value, right.value))
        except NoValue:
            return Binary(op, left, right)
    match op:
        case BinaryOp.AND | BinaryOp.OR:
            return _joined(op, left, right)
        case BinaryOp.TIMES:
            return _product(left, right)
        case BinaryOp.PLUS:
            return _sum(left, right)
        case BinaryOp.MINUS:
            return _difference(left, right)
        case _:
            return Binary(op, left, right)


def _joined(op: BinaryOp, left: Expr, right: Expr) -> Expr:
    decides = op is BinaryOp.OR
    match left, right:
        case Const(value), _ if bool(value) is decides:
            return Const(int(decides))
        case (Const(value), other) | (other, Const(value)) if bool(
            value
        ) is not decides and _is_truth(other):
            return other
        case _:
            return Binary(op, left, right)


def _product(left: Expr, right: Expr) -> Expr:
    match left, right:
        case (Const(1), other) | (other, Const(1)):
            return other
        case (Const(0), other) | (other, Const(0)) if _has_value(other):
            return Const(0)
        case (Const(-1), other) | (other, Const(-1)):
            return Unary(UnaryOp.NEGATE, other)
        case _:
            return Binary(BinaryOp.TIMES, left, right)


def _sum(left: Expr, right: Expr) -> Expr:
    match left, right:
        case (Const(0), other) | (other, Const(0)):
            return other
        case _, Const(value) if LOWEST < value < 0:
            return Binary(BinaryOp.MINUS, left, Const(-value))
        case _, Unary(UnaryOp.NEGATE, other) if _is_small(other):
            return _difference(left, other)
        case _, Binary(BinaryOp.TIMES, Const(value), other) if LOWEST < value < 0 and _is_small(
            other
        ):
            return Binary(BinaryOp.MINUS, left, _product(Const(-value), other))
        case (Unary(UnaryOp.NEGATE, other), _) if _is_small(other):
            return _difference(right, other)
        case _:
            return Binary(BinaryOp.PLUS, left, right)


def _difference(left: Expr, right: Expr) -> Expr:
    match left, right:
        case _, Const(0):
            return left
        case _, Const(value) if LOWEST < value < 0:
            return Binary(BinaryOp.PLUS, left, Const(-value))
        case Const(1), _ if _is_truth(right):
            return _opposite(right)
        case _, Binary(BinaryOp.AND, one, other) if one == left and _is_truth(one):
            return Binary(BinaryOp.AND, one, _opposite(other))
        case _:
            return Binary(BinaryOp.MINUS, left, right)


def _opposite(expr: Expr) -> Expr:
    """1 if *expr* is 0, and else 0."""
    match expr:
        case Binary(op, left, right) if op in _OPPOSITE:
            return Binary(_OPPOSITE[op], left, right)
        case _:
            return _unary(UnaryOp.NOT, expr)


def _is_truth(expr: Expr) -> bool:
    """Whether the value of *expr*, if it has one, is 0 or 1."""
    match expr:
        case Binary(op, _, _):
            return op in _TRUTHS
        case Unary(UnaryOp.NOT, _) | Const(0 | 1):
            return True
        case _:
            return False


def _is_small(expr: Expr) -> bool:
    """Whether *expr* is a product of truths, whose sign can be changed."""
    match expr:
        case Binary(BinaryOp.TIMES, left, right):
            return _is_small(left) and _is_small(right)
        case _:
            return _is_truth(expr)


def _has_value(expr: Expr) -> bool:
    """Whether *expr* has a value whatever its variables are."""
    match expr:
        case Const() | Var():
            return True
        case Unary(UnaryOp.NOT, operand):
            return _has_value(operand)
        case Binary(op, left, right):
            return op in TOTAL and _has_value(left) and _has_value(right)
        case _:
            return False
