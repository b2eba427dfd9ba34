"""Printing, to the letter."""

from fractions import Fraction

import pytest

from zermelo.core.values import FALSE, TRUE, Atom, Value
from zermelo.languages.led.run.built_ins import Color, Point, Segment
from zermelo.languages.led.run.pretty import plain, pp, source, whole
from zermelo.languages.led.run.values import EMPTY, Arranged, Erroneous, Text


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (36, "36"),
        (-1, "-1"),
        (0, "0"),
        (Fraction(1, 2), "0.5"),
        (Fraction(1, 3), "0.(3..)"),
        (Fraction(-8, 3), "-2.(6..)"),
        (Fraction(-1, 4), "-0.25"),
        (Fraction(1, 6), "0.1(6..)"),
        (Fraction(22, 7), "3.(142857..)"),
        (Fraction(1, 97) * 97 + Fraction(1, 100), "1.01"),
        (TRUE, "true"),
        (FALSE, "false"),
        (Atom("a"), "`a"),
        (Text("x's turn"), "x's turn"),
        (EMPTY, "{}"),
        (Arranged([3, 1, Arranged([Atom("b")])]), "{3, 1, {`b}}"),
        ((), "()"),
        ((1,), "(1,)"),
        ((1, (2, 3)), "(1, (2, 3))"),
        (Point(0, 0), "an Easel point"),
        (Color(0, 0, 0), "an Easel color"),
        (Segment(Point(0, 0), Point(1, 1), Color(0, 0, 0)), "an Easel image"),
        (Erroneous("why"), "ERRONEOUS VALUE"),
    ],
)
def test_a_value_prints_as_the_interpreter_prints_it(value: Value, printed: str) -> None:
    assert pp(value) == printed


def test_numbers_with_many_digits_print_whole() -> None:
    assert whole(10**9000 + 7) == "1" + "0" * 8999 + "7"
    assert whole(-(10**5000)) == "-1" + "0" * 5000


def test_a_decimal_that_is_too_long_prints_as_a_quotient() -> None:
    # 1/100003 has a period of 100002 digits: 10 is a primitive root of the prime 100003.
    assert pp(Fraction(1, 100003)) == "1/100003"


def test_a_period_of_a_few_thousand_digits_is_printed() -> None:
    # 7001 is prime, so that the number of digits divides 7000.
    digits = pp(Fraction(1, 7001)).removeprefix("0.(").removesuffix("..)")

    assert 7000 % len(digits) == 0
    assert int(digits) * 7001 == 10 ** len(digits) - 1


def test_values_nested_deeply_are_cut_short() -> None:
    value: Value = ()
    for _ in range(5000):
        value = (value, 1)

    assert "…" in pp(value)


def test_in_a_sentence_strings_have_quotes_and_long_values_are_cut() -> None:
    assert plain((Text("a"), 1)) == '("a", 1)'
    assert len(plain(Arranged(range(1000)))) <= 60


def test_as_a_program_writes_it_a_string_has_quotes() -> None:
    assert source(Arranged([Text("a"), (1, Text("b")), Atom("c")])) == '{"a", (1, "b"), `c}'
