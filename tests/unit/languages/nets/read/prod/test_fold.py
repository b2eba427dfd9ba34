"""Expressions whose value is known are replaced by it."""

from zermelo.languages.nets.ir import (
    Binary,
    BinaryOp,
    Call,
    Conditional,
    Const,
    Element,
    Table,
    Unary,
    UnaryOp,
    Var,
)
from zermelo.languages.nets.read.prod.c_meaning import folded

X = Var("x")


def test_operators_on_numbers_are_numbers() -> None:
    assert folded(Binary(BinaryOp.PLUS, Const(2), Const(3))) == Const(5)
    assert folded(Unary(UnaryOp.NEGATE, Const(2))) == Const(-2)


def test_what_has_no_value_stays_as_it_is() -> None:
    for expr in (
        Binary(BinaryOp.DIVIDE, Const(1), Const(0)),
        Unary(UnaryOp.NEGATE, Const(-(2**63))),
        Binary(BinaryOp.PLUS, X, Const(1)),
        Call("f", (Const(1),)),
    ):
        assert folded(expr) == expr


def test_what_decides_alone_decides() -> None:
    assert folded(Binary(BinaryOp.AND, Const(0), X)) == Const(0)
    assert folded(Binary(BinaryOp.OR, Const(3), X)) == Const(1)
    assert folded(Conditional(Const(0), Const(1), X)) == X
    # The left side may have no value, and is decided first.
    assert folded(Binary(BinaryOp.AND, X, Const(0))) == Binary(BinaryOp.AND, X, Const(0))


def test_an_element_at_known_indexes_is_a_number() -> None:
    table = Table("t", (2, 2), (1, 2, 3, 4))

    assert folded(Element("t", (Const(1), Const(0))), table) == Const(3)
    outside = Element("t", (Const(2), Const(0)))
    assert folded(outside, table) == outside
