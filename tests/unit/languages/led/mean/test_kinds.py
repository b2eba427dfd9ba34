"""Operands that never fit, and all those that may."""

import pytest

from zermelo.languages.led.mean.elaborate import elaborate
from zermelo.languages.led.read import document as led
from zermelo.text.source import Source


def said(code: str) -> list[tuple[str, str]]:
    """The complaints about kinds in *code*, each with the text that it is about."""
    source = Source("demo.led", f"/$\n{code}\n$/\n")
    document = led.parse(source).value
    assert document is not None
    return [
        (each.message, source.slice(each.primary.span))
        for each in elaborate(document, source).diagnostics
        if each.code.id == "Z744" and each.primary is not None
    ]


@pytest.mark.parametrize(
    ("code", "message", "place"),
    [
        ('a := "x" + "y"', "`+` needs a number or a tuple, and this is a string", '"x"'),
        ("a := {1, 2}[1]", "`[..]` needs a tuple, and this is a set", "{1, 2}"),
        ('a := |"abc"|', "`|..|` needs a number, a tuple or a set, and this is a string", '"abc"'),
        ("f(x) := 1 if x => 3", "`=>` needs a truth value, and this is a number", "3"),
        ("a := {1} - {2}", "`-` needs a number, and this is a set", "{1}"),
        ("a := 1 if 5; 2 otherwise", "`if` needs a truth value, and this is a number", "5"),
        ("a := b - 1 b := `n", "`-` needs a number, and this is an atom", "b"),
        (
            "f(x) := x + g(x) g(x) := {x}",
            "`+` needs a number or a tuple, and this is a set",
            "g(x)",
        ),
        ("a := some x in (1, 2). x = 1", "`some` needs a set, and this is a tuple", "(1, 2)"),
        ("a := Sum[x in {1}] {x}", "`Sum[..]` needs a number, and this is a set", "{x}"),
        ("a := {x | x in 3}", "`in` needs a set, and this is a number", "3"),
        ("ledGame a := `UP in keys", "`in keys` needs a string, and this is an atom", "`UP"),
        ("a := ~1", "`~` needs a truth value, and this is a number", "1"),
    ],
)
def test_an_operand_that_never_fits_is_named(code: str, message: str, place: str) -> None:
    assert said(code) == [(message, place)]


@pytest.mark.parametrize(
    "code",
    [
        "f(x, y) := x + y",
        "f(t) := t + (1) + (2)",
        "f(n) := {n} if n > 1; n otherwise a := f(1) + 1",
        "f(n) := 0 if n = 0; f(n-1) + 1 otherwise",
        "a := {1} * {2} \\ {3}",
        "a := (1, 2) + (3, 4)",
        "a := b b := a",
        'ledGame a := "UP" in keys f(k) iff k in keys',
        "a := 1 in {1} & {1} sub {1, 2}",
    ],
)
def test_what_may_fit_is_left_alone(code: str) -> None:
    assert said(code) == []


def test_a_long_row_of_definitions_is_no_trouble() -> None:
    row = " ".join(f"c{number} := c{number + 1}" for number in range(3000))

    assert said(f"{row} c3000 := 1") == []
