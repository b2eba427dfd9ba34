"""Expressions of nets as PROD writes them."""

import pytest
from hypothesis import given, settings

from tests.support.random_nets import EXPRESSIONS
from zermelo.core.machine import FaultError
from zermelo.languages.nets import ir
from zermelo.languages.nets.ir import (
    Binary,
    BinaryOp,
    Conditional,
    Const,
    Interval,
    Term,
    Unary,
    UnaryOp,
    Var,
)
from zermelo.languages.nets.printer import expr_text, terms_text
from zermelo.languages.nets.read.prod import document as dialect
from zermelo.languages.nets.read.prod import meaning
from zermelo.languages.nets.run.evaluate import Evaluator
from zermelo.text.source import Source

X, Y = Var("x"), Var("y")


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (Binary(BinaryOp.PLUS, X, Binary(BinaryOp.TIMES, Y, Const(2))), "x + y * 2"),
        (Binary(BinaryOp.MINUS, X, Binary(BinaryOp.MINUS, Y, Const(2))), "x - (y - 2)"),
        (Unary(UnaryOp.NOT, Binary(BinaryOp.AND, X, Y)), "!(x && y)"),
        (Unary(UnaryOp.NEGATE, Const(-1)), "-(-1)"),
        (Conditional(X, Const(1), Const(0)), "x ? 1 : 0"),
        (Binary(BinaryOp.PLUS, Conditional(X, Y, X), Const(1)), "(x ? y : x) + 1"),
        (ir.Element("table", (X,)), "table[x]"),
        (ir.Call("f", (X, Const(2))), "f(x, 2)"),
        (Binary(BinaryOp.AND, X, Binary(BinaryOp.AND, Y, X)), "x && y && x"),
        (Binary(BinaryOp.OR, X, Binary(BinaryOp.AND, Y, X)), "x || y && x"),
        (Binary(BinaryOp.AND, X, Binary(BinaryOp.OR, Y, X)), "x && (y || x)"),
    ],
)
def test_there_are_no_more_brackets_than_needed(expr: ir.Expr, text: str) -> None:
    assert expr_text(expr) == text


def test_a_sum_of_tokens() -> None:
    terms = [Term(X, (Interval(Const(1), Const(3)), Y)), Term(Const(0), ())]

    assert terms_text(terms) == "(x)<.1..3,y.> + 0<..>"


def test_what_the_document_says_is_shown_in_its_words() -> None:
    red = Const(0, shown="red")
    behind = Binary(BinaryOp.MOD, Binary(BinaryOp.PLUS, X, Const(1)), Const(3), shown="x++1")
    is_warm = Binary(BinaryOp.EQ, ir.Element("heat", (X,)), Const(1), shown="x ∈ warm")
    everything = Interval(Const(0), Const(2), shown="all")

    assert expr_text(Binary(BinaryOp.NE, behind, red)) == "x++1 != red"
    assert expr_text(Unary(UnaryOp.NOT, is_warm)) == "!(x ∈ warm)"
    assert terms_text([Term(Const(-1), (X, red)), Term(Const(2), (everything, behind))]) == (
        "−<.x,red.> + 2<.all,x++1.>"
    )
    assert red == Const(0)


@given(EXPRESSIONS)
@settings(max_examples=60, deadline=None)
def test_what_is_written_means_the_same(expr: ir.Expr) -> None:
    text = (
        "int table[3] = {1, 0, 2};\n"
        "int doubled(int n) { if (n > 3) return 0; return n + n; }\n"
        "#place p mk(<.1,2.>)\n"
        f"#trans t\nin {{ p: <.x,y.>; }}\ngate {expr_text(expr)};\n#endtr\n"
    )
    written = dialect.parse(Source("some.net", text), None).value
    assert written is not None
    net = meaning.elaborate(written).value
    assert net is not None
    (again,) = net.transitions[0].gates or (Const(1),)

    assert expr_text(again) == expr_text(expr) or _value(net, again) == _value(net, expr)


def _value(net: ir.Net, expr: ir.Expr) -> object:
    try:
        return Evaluator(net).value(expr, {"x": 1, "y": 2}) != 0
    except FaultError as stop:
        return stop.fault().kind
