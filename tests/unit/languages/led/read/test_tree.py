"""The parts of an expression."""

from __future__ import annotations

import pytest

from zermelo.languages.led.read import parser
from zermelo.languages.led.read.tree import Definition, Expr, children, depth, expressions
from zermelo.text.source import Source, Span


def read(text: str) -> Expr:
    value = parser.expression(Source("x", text)).value
    assert value is not None
    return value


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("a", 0),
        ("f(a, b)", 2),
        ("{}", 0),
        ("(a, b, c)", 3),
        ("(a)", 1),
        ("-a", 1),
        ("|a|", 1),
        ("u[1]", 2),
        ("u[1..2]", 3),
        ("{1..2}", 2),
        ("{x | x in S}", 2),
        ("U[x in S] x", 2),
        ("a + b", 2),
        ("some x in S. p", 2),
    ],
)
def test_an_expression_has_parts(text: str, count: int) -> None:
    assert len(children(read(text))) == count


def test_the_depth_of_an_expression_counts_its_levels() -> None:
    assert [depth(read(text)) for text in ("a", "a + b", "a + b + c", "(a + b)")] == [1, 2, 3, 3]


def test_a_definition_has_values_guards_and_a_where() -> None:
    code = "f := 1 if p; 2 otherwise where p = q"
    (value,) = parser.definitions(Source("x", code), Span(0, len(code))).value or ()

    assert isinstance(value, Definition)
    assert len(expressions(value)) == 4
