"""Definitions of LED."""

from __future__ import annotations

import pytest

from zermelo.languages.led.read import parser
from zermelo.languages.led.read.tree import Definition, GameSwitch, Identifier
from zermelo.text import codes
from zermelo.text.codes import Code
from zermelo.text.diagnostic import Checked
from zermelo.text.source import Source, Span


def read(code: str) -> Checked[tuple[Definition | GameSwitch, ...]]:
    return parser.definitions(Source("x", code), Span(0, len(code)))


def names(code: str) -> list[str]:
    found = read(code).value or ()
    return [each.name if isinstance(each, Definition) else "*" for each in found]


def only(code: str) -> Definition:
    checked = read(code)
    assert checked.diagnostics == ()
    assert checked.value is not None
    (value,) = checked.value
    assert isinstance(value, Definition)
    return value


def codes_of(code: str) -> list[Code]:
    return [each.code for each in read(code).diagnostics]


def test_nothing_separates_definitions() -> None:
    assert names("a := 1 b := 2\nc\niff true") == ["a", "b", "c"]
    assert codes_of("a := 1 b := 2") == []


def test_a_head_behind_a_name_begins_a_definition() -> None:
    first, second = read("a := b f(x) iff p(x)").value or ()

    assert isinstance(first, Definition)
    assert first.branches[0].value == Identifier("b")
    assert isinstance(second, Definition)
    assert (second.name, second.parameters, second.is_relation) == ("f", ("x",), True)


def test_a_definition_has_cases_and_a_where() -> None:
    value = only("f(x, y) := 1 if p(x); 2 if q; 3 otherwise where p = x & q = y")

    assert value.parameters == ("x", "y")
    assert [branch.guard is not None for branch in value.branches] == [True, True, False]
    assert [branch.is_otherwise for branch in value.branches] == [False, False, True]
    assert value.where is not None
    assert not value.is_relation


def test_a_relation_may_have_cases_too() -> None:
    assert only("p(x) iff true if x = 1; false otherwise").is_relation


def test_the_game_switch_stands_among_definitions() -> None:
    assert names("ledGame a := 1") == ["*", "a"]
    assert names("a := 1 #isGame b := 2") == ["a", "*", "b"]


def test_the_places_are_those_in_the_whole_text() -> None:
    text = "prose /$ a := b $/"
    (value,) = parser.definitions(Source("x", text), Span(8, 16)).value or ()

    assert isinstance(value, Definition)
    assert text[value.span.start : value.span.end] == "a := b"
    assert text[value.name_span.start : value.name_span.end] == "a"


@pytest.mark.parametrize(
    ("code", "fault", "left"),
    [
        ("a := (1 b := 2", codes.BRACKET_NOT_CLOSED, ["b"]),
        ("a := 1 + b := 2 c := 3", codes.OPERAND_MISSING, ["b", "c"]),
        ("a := b := 2", codes.OPERAND_MISSING, ["b"]),
        ("a iff b iff c", codes.OPERAND_MISSING, ["b"]),
        ("words a := 1", codes.NO_DEFINITION, ["a"]),
        ("f(x) = 3 g := 2", codes.NO_DEFINITION, ["f", "g"]),
        ("f(x) x g := 2", codes.NO_DEFINITION, ["g"]),
        ("f(1) := 2 b := 3", codes.HEAD_NOT_UNDERSTOOD, ["b"]),
        ("f((x)) := 2 b := 3", codes.HEAD_NOT_UNDERSTOOD, ["b"]),
        ("U := 3 b := 1", codes.HEAD_NOT_UNDERSTOOD, ["b"]),
        (":= 3 b := 1", codes.HEAD_NOT_UNDERSTOOD, ["b"]),
        ("a := 1 if p; 2 b := 1", codes.CASES_NOT_UNDERSTOOD, ["b"]),
        ("a := 1; 2 otherwise b := 1", codes.CASES_NOT_UNDERSTOOD, ["b"]),
        ("a := 2 3 b := 1", codes.FORMULA_NOT_UNDERSTOOD, ["b"]),
        ("a := 2 f(x) = 3 b := 1", codes.FORMULA_NOT_UNDERSTOOD, ["b"]),
        ("a := @ b := 1", codes.UNKNOWN_CHARACTER, ["b"]),
        ("ledGame 3 b := 1", codes.NO_DEFINITION, ["*", "b"]),
    ],
)
def test_a_damaged_definition_takes_no_other_with_it(
    code: str, fault: Code, left: list[str]
) -> None:
    assert codes_of(code) == [fault]
    assert names(code) == left


def test_empty_brackets_are_read_with_a_note() -> None:
    assert names("g() := 3") == ["g"]
    assert codes_of("g() := 3") == [codes.OTHER_SPELLING]


def test_a_defined_name_is_no_older_spelling() -> None:
    assert codes_of("True := 1 a := True") == []
    assert codes_of("a := True") == [codes.OTHER_SPELLING]


@pytest.mark.parametrize(
    "text",
    [
        "a := 1 + (2 * 3)\n" * 2_000,
        ")" * 100_000 + ":= 1",
        "f(" * 30_000 + ") := 1",
        "a iff " * 5_000,
        ":= " * 5_000,
        "a := some x in S.5 < x " * 1_000,
    ],
    ids=["long", "closers", "openers", "heads", "signs", "stops"],
)
def test_a_long_text_is_read_in_time_that_grows_with_it(text: str) -> None:
    # A text read in quadratic time would take very long here.
    assert read(text).value is not None


def said(code: str) -> tuple[str, str | None]:
    """The message and the help of the only diagnostic."""
    (diagnostic,) = read(code).diagnostics
    return diagnostic.message, diagnostic.help


def test_an_equals_sign_behind_a_head_that_begins_a_line_is_taken_as_a_definition() -> None:
    code = "a := 1\nf(x) = x + a\nb := 2"

    assert names(code) == ["a", "f", "b"]
    assert said(code) == (
        "`f` is defined with `:=`, not with `=`",
        "write `:=` for a value, or `iff` for a truth value",
    )


@pytest.mark.parametrize(
    "code",
    ["a := p &\nb = 2", "a := b where b = c\n& c = 2", "a := p or\nb = 2", "a iff (p V\nq(x) = 2)"],
)
def test_an_equation_on_a_line_of_its_own_defines_nothing(code: str) -> None:
    assert names(code) == ["a"]


def test_a_missing_sign_between_equations_is_named() -> None:
    missing = "there is no `&` between these equations", "write `where x = 1 & y = 2`"

    assert said("a := b where b = c\nc = 2") == missing
    assert said("a := b where b = c, c = 2") == missing
    assert said("a := b where b = c; c = 2") == missing


@pytest.mark.parametrize(
    "code",
    ["f(x) := 2 if x 3 otherwise", "f(x) := 2 if x, 3 otherwise", "f(x) := 2 if x -3 otherwise"],
)
def test_a_missing_sign_between_cases_is_named(code: str) -> None:
    assert said(code) == ("there is no `;` between these cases", "write `e1 if p; e2 otherwise`")


@pytest.mark.parametrize(
    ("code", "help_"),
    [
        ("a := if p then 2 else 3", "the value stands before its condition"),
        ("a := 2 if p else 3", "the last case is `e2 otherwise`"),
        ("a := 2 if p; 3", "write `e if p` for a case"),
        ("a := 2;", "`;` stands between cases"),
        ("a := 1. b := 2", "leave the `.` out"),
        ("a := t.x", "as in `t[1]`"),
        ("a := 1,5", "write `1.5` for the decimal"),
        ("a := 1, 5", "a tuple stands in brackets"),
        ("a := 2x", "write `2*x` for a product"),
        ("a := f 3", "arguments stand in brackets: `f(3)`"),
        ("a := f `b", "arguments stand in brackets: `f(`b)`"),
        ("a := f x", "write `f(x)` for a call and `f*x` for a product"),
        ("a := (1, 2)(1)", "`t[1]` for a component"),
        ("a := [1, 2]", "write a tuple, as in `(1, 2)`"),
        ("a := <1, 2>", "write a tuple, as in `(1, 2)`"),
        ("a := 2**3", "write `^` for a power"),
        ("a := 7 // 2", "write `floor(x / y)`"),
        ("a := p || q", "write `V` for or"),
        ("a := x =< y", "write `<=`"),
        ("a := x <> y", "write `/=` for unequal"),
        ("a := p -> q", "write `=>` for an implication"),
        ("a := 1 If p", "write `if`: capitals count"),
        ("a := x is 3", "write `=` for equal"),
        ("a := not p", "write `~` for not"),
        ("a := not true", "write `~` for not"),
        ("a := forall x in S. p", "write `all x in S. p(x)`"),
        ("a := lambda x. x", "no functions without a name"),
        ("a := some x in S p(x)", "write it as in `some x in S. p`"),
        ("a := some x in S, y in T. p", "for another set write `some x in S. some y in T. p`"),
        ("a := {x | x in S, x > 1}", "conditions are joined with `&`"),
        ("a := {1..3, 5}", "a range is written `{1..9}`, and with more beside it"),
        ("a := {1, .., 9}", "a range is written `{1..9}`"),
        ("a := 1..9", "a range is written `{1..9}`"),
        ("a := {x, y | x in S}", "write a tuple, as in `{(x, y) | …}`"),
        ("ledgame", "write `ledGame`: capitals count"),
        ("let x := 1", "a definition begins with its head"),
        ("f(0) := 1", "for a certain value write a case"),
        ("f(x) x + 1", "write it as in `f(x) := x + 1`"),
    ],
)
def test_what_other_languages_write_gets_advice(code: str, help_: str) -> None:
    _, found = said(code)

    assert found is not None
    assert help_ in found
