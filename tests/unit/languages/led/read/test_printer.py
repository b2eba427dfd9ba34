"""LED in canonical form."""

from __future__ import annotations

from fractions import Fraction

import pytest

from zermelo.languages.led.read import document as led
from zermelo.languages.led.read import parser, printer, tree
from zermelo.languages.led.read.styles import numeral
from zermelo.languages.led.read.tree import BinaryExpr, Definition, Expr, Sign
from zermelo.text.source import Notation, Source, Span


def read(text: str) -> Expr:
    value = parser.expression(Source("x", text)).value
    assert value is not None
    return value


def define(text: str) -> Definition:
    (value,) = parser.definitions(Source("x", text), Span(0, len(text))).value or ()
    assert isinstance(value, Definition)
    return value


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("1+2*3", "1 + 2 * 3"),
        ("2^-3", "2^-3"),
        ("100*((c-1)mod 3)", "100 * ((c - 1) mod 3)"),
        ("~x in S", "~ x in S"),
        ("~p(x)", "~p(x)"),
        ("{ 1 .. 9 }", "{1..9}"),
        ("U [c in S]f(c)", "U[c in S] f(c)"),
        ("some x , y in S.x=y", "some x, y in S. x = y"),
        ("|S|=9", "|S| = 9"),
        ("0.(3..)", "0.(3..)"),
        ("∅ ∪ A", "{} U A"),
        ("u[ 1 ][2..3]", "u[1][2..3]"),
        ("a = ~b", "a = ~b"),
        ("( )+(1 , )+(1,2)", "() + (1,) + (1, 2)"),
    ],
)
def test_an_expression_has_one_form(typed: str, printed: str) -> None:
    assert printer.expression(read(typed)) == printed


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("A U B sec C", "A ∪ B ∩ C"),
        ("some x in S. ~p(x) V q", "∃x ∈ S. ¬p(x) ∨ q"),
        ("floor(x) /= ceil(y)", "⌊x⌋ ≠ ⌈y⌉"),
        ("Sum[x in {}] x", "∑[x ∈ ∅] x"),
    ],
)
def test_an_expression_can_have_the_signs_of_mathematics(typed: str, printed: str) -> None:
    assert printer.expression(read(typed), to=Notation.UNICODE) == printed
    assert read(printed) == read(typed)


def test_brackets_that_a_tree_needs_are_put_in() -> None:
    a, b, c = (tree.Identifier(name) for name in "abc")

    assert (
        printer.expression(BinaryExpr(Sign.TIMES, BinaryExpr(Sign.PLUS, a, b), c)) == "(a + b) * c"
    )
    assert (
        printer.expression(BinaryExpr(Sign.MINUS, a, BinaryExpr(Sign.MINUS, b, c))) == "a - (b - c)"
    )
    third = tree.Numeral(Fraction(-1, 3))
    assert printer.expression(BinaryExpr(Sign.POWER, third, a)) == "(-0.(3..))^a"


def test_cases_and_equations_stand_one_to_a_line() -> None:
    value = define("f(x):= 1 if p ; 2 otherwise where p=q&q=x")

    assert printer.definition(value) == (
        "f(x) :=\n"
        "  1 if p;\n"
        "  2 otherwise\n"
        "  where p = q &\n"
        "        q = x"
    )  # fmt: skip


def test_a_long_definition_is_broken_at_its_operators() -> None:
    code = "p iff " + " & ".join(f"condition{number}(mouseX)" for number in range(9))

    rows = printer.definition(define(code)).split("\n")

    assert rows[0] == "p iff"
    assert all(len(row) <= 100 for row in rows)
    assert define("\n".join(rows)) == define(code)


def test_a_long_call_is_broken_at_its_commas() -> None:
    code = f"p := some x in S. f({', '.join(f'argument{number}' for number in range(15))})"

    rows = printer.definition(define(code)).split("\n")

    assert all(len(row) <= 100 for row in rows)
    assert define("\n".join(rows)) == define(code)


def test_prose_is_kept_and_code_stands_between_its_marks() -> None:
    text = "Words  as they\nare.\n\n/$ a:=1   b:=2 $/ more /$ledGame$/\n"
    document = led.parse(Source("x", text)).value
    assert document is not None

    assert printer.document(document) == (
        "Words  as they\nare.\n\n/$\na := 1\nb := 2\n$/ more /$\nledGame\n$/\n"
    )


def test_a_session_is_printed_as_an_interpreter_shows_it() -> None:
    text = '/$\na := {}\n$/\n\ncmd:>pp(a)\n"{}"\n'
    document = led.parse(Source("x", text)).value
    assert document is not None

    assert printer.document(document) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(0), "0"),
        (Fraction(7, 2), "3.5"),
        (Fraction(1, 3), "0.(3..)"),
        (Fraction(1, 6), "0.1(6..)"),
        (Fraction(1, 7), "0.(142857..)"),
    ],
)
def test_every_number_has_a_numeral(value: Fraction, text: str) -> None:
    assert numeral(value) == text


def test_a_where_of_one_sentence_gets_no_brackets() -> None:
    assert printer.definition(define("a := z where x = 1 V z = 2")) == (
        "a := z\n  where x = 1 V z = 2"
    )
