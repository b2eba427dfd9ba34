"""Expressions, tuples and arcs of a net as PROD writes them, with no more brackets than needed.

What a document says in other words, such as the names of colours, is shown in its words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, assert_never

from zermelo.languages.nets import ir
from zermelo.languages.nets.ir import BinaryOp, Const, Expr, Interval

_SIGNS: Final = ("||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %")
LEVELS: Final[Mapping[BinaryOp, int]] = {
    BinaryOp(sign): level for level, signs in enumerate(_SIGNS, 1) for sign in signs.split()
}
"""How strongly each operator binds; all of them group to the left."""
SUM: Final = LEVELS[BinaryOp.PLUS]
"""The level at which sums and products stand without brackets, and comparisons do not."""
_UNARY: Final = 11
_ATOM: Final = 12
_CHAINS: Final = frozenset({BinaryOp.AND, BinaryOp.OR})
"""Operators that mean the same from left to right and from right to left."""
_TESTS: Final = frozenset({BinaryOp.EQ, BinaryOp.NE})


def expr_text(expr: Expr, level: int = 0) -> str:
    """*expr* in C, to stand where operators bind at *level*.

    >>> x, one = ir.Var("x"), Const(1)
    >>> expr_text(ir.Binary(BinaryOp.TIMES, ir.Binary(BinaryOp.PLUS, x, one), x))
    '(x + 1) * x'
    """
    text, own = _written(expr)
    return f"({text})" if own < level else text


def _written(expr: Expr) -> tuple[str, int]:
    match expr:
        case Const(shown=str(text)) | ir.Element(shown=str(text)):
            return text, _ATOM
        case ir.Binary(op, shown=str(text)):
            return text, LEVELS[op] if op in _TESTS else _ATOM
        case Const(value):
            return str(value), _UNARY if value < 0 else _ATOM
        case ir.Var(name):
            return name, _ATOM
        case ir.Unary(op, operand):
            return f"{op.value}{expr_text(operand, _ATOM)}", _UNARY
        case ir.Binary(op, left, right):
            own = LEVELS[op]
            behind = own if op in _CHAINS else own + 1
            return f"{expr_text(left, own)} {op.value} {expr_text(right, behind)}", own
        case ir.Conditional(test, yes, no):
            return f"{expr_text(test, 1)} ? {expr_text(yes)} : {expr_text(no)}", 0
        case ir.Element(table, indexes):
            return table + "".join(f"[{expr_text(each)}]" for each in indexes), _ATOM
        case ir.Call(function, arguments):
            return f"{function}({', '.join(map(expr_text, arguments))})", _ATOM
        case _:
            assert_never(expr)


def terms_text(terms: Iterable[ir.Term]) -> str:
    """A sum of tokens.

    >>> terms_text([ir.Term(Const(2), (ir.Var("p"), Const(1))), ir.Term(Const(1), ())])
    '2<.p,1.> + <..>'
    >>> everything = Interval(Const(0), Const(4), shown="all")
    >>> terms_text([ir.Term(Const(1), (everything,)), ir.Term(Const(-2), (ir.Var("x"),))])
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


def _term(count: Expr, components: Iterable[ir.Component]) -> str:
    match count:
        case Const(1):
            times = ""
        case Const(value) if value >= 0:
            times = str(value)
        case other:
            times = f"({expr_text(other)})"
    return f"{times}<.{','.join(map(_component, components))}.>"


def _component(component: ir.Component) -> str:
    if isinstance(component, Interval):
        if component.shown is not None:
            return component.shown
        return f"{expr_text(component.low, 1)}..{expr_text(component.high, 1)}"
    return expr_text(component)
