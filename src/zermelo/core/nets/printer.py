"""Expressions, tuples and arcs of a net as PROD writes them, with no more brackets than needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, assert_never

from zermelo.core.nets.ir import (
    Binary,
    BinaryOp,
    Call,
    Component,
    Conditional,
    Const,
    Element,
    Expr,
    Interval,
    Term,
    Unary,
    Var,
)

_LEVELS: Final[Mapping[BinaryOp, int]] = {
    op: level
    for level, ops in enumerate(
        (
            (BinaryOp.OR,),
            (BinaryOp.AND,),
            (BinaryOp.BIT_OR,),
            (BinaryOp.BIT_XOR,),
            (BinaryOp.BIT_AND,),
            (BinaryOp.EQ, BinaryOp.NE),
            (BinaryOp.LT, BinaryOp.GT, BinaryOp.LE, BinaryOp.GE),
            (BinaryOp.LEFT, BinaryOp.RIGHT),
            (BinaryOp.PLUS, BinaryOp.MINUS),
            (BinaryOp.TIMES, BinaryOp.DIVIDE, BinaryOp.MOD),
        ),
        start=1,
    )
    for op in ops
}
_UNARY: Final = 11


def expr_text(expr: Expr, level: int = 0) -> str:
    """*expr* in C, to stand where operators bind at *level*.

    >>> x, one = Var("x"), Const(1)
    >>> expr_text(Binary(BinaryOp.TIMES, Binary(BinaryOp.PLUS, x, one), x))
    '(x + 1) * x'
    """
    text, own = _written(expr)
    return f"({text})" if own < level else text


def _written(expr: Expr) -> tuple[str, int]:
    """*expr* in C, and how tightly its parts are bound."""
    match expr:
        case Const(value):
            return str(value), _UNARY if value < 0 else _UNARY + 1
        case Var(name):
            return name, _UNARY + 1
        case Unary(op, operand):
            return f"{op.value}{expr_text(operand, _UNARY + 1)}", _UNARY
        case Binary(op, left, right):
            own = _LEVELS[op]
            return f"{expr_text(left, own)} {op.value} {expr_text(right, own + 1)}", own
        case Conditional(test, yes, no):
            return f"{expr_text(test, 1)} ? {expr_text(yes)} : {expr_text(no)}", 0
        case Element(table, indexes):
            return table + "".join(f"[{expr_text(each)}]" for each in indexes), _UNARY + 1
        case Call(function, arguments):
            return f"{function}({', '.join(map(expr_text, arguments))})", _UNARY + 1
        case _:
            assert_never(expr)


def terms_text(terms: Iterable[Term]) -> str:
    """A sum of tokens.

    >>> terms_text([Term(Const(2), (Var("p"), Const(1))), Term(Const(1), ())])
    '2<.p,1.> + <..>'
    """
    return " + ".join(map(_term, terms)) or "empty"


def _term(term: Term) -> str:
    match term.multiplicity:
        case Const(1):
            times = ""
        case Const(value) if value >= 0:
            times = str(value)
        case other:
            times = f"({expr_text(other)})"
    return f"{times}<.{','.join(map(_component, term.components))}.>"


def _component(component: Component) -> str:
    if isinstance(component, Interval):
        return f"{expr_text(component.low, 1)}..{expr_text(component.high, 1)}"
    return expr_text(component)
