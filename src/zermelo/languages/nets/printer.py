"""Expressions, tuples and arcs of a net as PROD writes them, with no more brackets than needed.

What a document says in other words, such as the names of colours, is shown in its words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, assert_never

from zermelo.languages.nets.ir import (
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
SUM: Final = _LEVELS[BinaryOp.PLUS]
"""The level at which sums and products stand without brackets, and comparisons do not."""
_UNARY: Final = 11
_ATOM: Final = 12
_CHAINS: Final = frozenset({BinaryOp.AND, BinaryOp.OR})
"""Operators that mean the same from left to right and from right to left."""
_TESTS: Final = frozenset({BinaryOp.EQ, BinaryOp.NE})


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
        case Const(shown=str(text)) | Element(shown=str(text)):
            return text, _ATOM
        case Binary(op, shown=str(text)):
            return text, _LEVELS[op] if op in _TESTS else _ATOM
        case Const(value):
            return str(value), _UNARY if value < 0 else _ATOM
        case Var(name):
            return name, _ATOM
        case Unary(op, operand):
            return f"{op.value}{expr_text(operand, _ATOM)}", _UNARY
        case Binary(op, left, right):
            own = _LEVELS[op]
            behind = own if op in _CHAINS else own + 1
            return f"{expr_text(left, own)} {op.value} {expr_text(right, behind)}", own
        case Conditional(test, yes, no):
            return f"{expr_text(test, 1)} ? {expr_text(yes)} : {expr_text(no)}", 0
        case Element(table, indexes):
            return table + "".join(f"[{expr_text(each)}]" for each in indexes), _ATOM
        case Call(function, arguments):
            return f"{function}({', '.join(map(expr_text, arguments))})", _ATOM
        case _:
            assert_never(expr)


def terms_text(terms: Iterable[Term]) -> str:
    """A sum of tokens.

    >>> terms_text([Term(Const(2), (Var("p"), Const(1))), Term(Const(1), ())])
    '2<.p,1.> + <..>'
    >>> everything = Interval(Const(0), Const(4), shown="all")
    >>> terms_text([Term(Const(1), (everything,)), Term(Const(-2), (Var("x"),))])
    '<.all.> − 2<.x.>'
    """
    text = ""
    for term in terms:
        match term.multiplicity:
            case Const(value) if value < 0:
                less = _term(Const(-value), term.components)
                text += f" − {less}" if text else f"−{less}"
            case count:
                more = _term(count, term.components)
                text += f" + {more}" if text else more
    return text or "empty"


def _term(count: Expr, components: Iterable[Component]) -> str:
    match count:
        case Const(1):
            times = ""
        case Const(value) if value >= 0:
            times = str(value)
        case other:
            times = f"({expr_text(other)})"
    return f"{times}<.{','.join(map(_component, components))}.>"


def _component(component: Component) -> str:
    if isinstance(component, Interval):
        if component.shown is not None:
            return component.shown
        return f"{expr_text(component.low, 1)}..{expr_text(component.high, 1)}"
    return expr_text(component)
