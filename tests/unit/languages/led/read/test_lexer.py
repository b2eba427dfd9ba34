"""LED as tokens."""

from __future__ import annotations

from fractions import Fraction

import pytest

from zermelo.languages.led.read.lexer import MOST_DIGITS, LexemeKind, lex, value_of
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.source import Source, Span


def texts(code: str) -> list[str]:
    return [token.text for token in lex(Source("x", code), Span(0, len(code)))[0]]


def kinds(code: str) -> list[LexemeKind]:
    return [token.kind for token in lex(Source("x", code), Span(0, len(code)))[0]]


def said(code: str) -> list[Diagnostic]:
    return list(lex(Source("x", code), Span(0, len(code)))[1])


def test_the_longest_sign_is_taken() -> None:
    assert texts("a<=>b<=c=>d/=e..f") == [
        *"a",
        "<=>",
        "b",
        "<=",
        "c",
        "=>",
        "d",
        "/=",
        "e",
        "..",
        "f",
    ]


def test_a_range_is_no_numeral() -> None:
    assert texts("1..9") == ["1", "..", "9"]
    assert texts("1...5") == ["1", "..", ".5"]


@pytest.mark.parametrize(
    ("numeral", "value"),
    [
        ("12", Fraction(12)),
        (".5", Fraction(1, 2)),
        ("21.7", Fraction(217, 10)),
        ("0.(3..)", Fraction(1, 3)),
        (".3(145..)", Fraction(3142, 9990)),
        ("3.96(721..)", Fraction(396325, 99900)),
    ],
)
def test_a_numeral_is_one_token_and_an_exact_number(numeral: str, value: Fraction) -> None:
    assert kinds(numeral) == [LexemeKind.NUMBER]
    assert value_of(numeral) == value


def test_words_of_the_language_are_signs_and_longer_ones_are_names() -> None:
    assert kinds("if if_x iff iffy V Vx") == [LexemeKind.SIGN, LexemeKind.NAME] * 3


def test_an_atom_is_a_backquote_and_a_word() -> None:
    assert (texts("`x `foo2"), kinds("`x `foo2")) == (["x", "foo2"], [LexemeKind.ATOM] * 2)


def test_a_string_has_no_escapes() -> None:
    assert texts('"a\\" "b c"') == ["a\\", "b c"]


@pytest.mark.parametrize(
    ("typed", "source_form"),
    [
        ("A ∪ B ∩ C ∖ D × E", "A U B sec C \\ D * E"),
        ("p ∧ q ∨ ¬r ⇒ s ⇔ t", "p & q V ~ r => s <=> t"),
        ("a ≠ b ≤ c ≥ d ∈ e ⊆ f", "a /= b <= c >= d in e sub f"),
        ("∃ ∀ ℘ ⋃ ⋂ ∑ ∏ ≡ ≔", "some all Pow U Sec Sum Prod iff :="),
    ],
)
def test_signs_of_mathematics_come_out_in_source_form(typed: str, source_form: str) -> None:
    assert texts(typed) == source_form.split()
    assert said(typed) == []


def test_the_older_game_switch_is_read_with_a_note() -> None:
    (note,) = said("#isGame")

    assert texts("#isGame") == ["ledGame"]
    assert note.code is codes.OTHER_SPELLING
    assert note.fix is not None
    assert note.fix.replacement == "ledGame"


def test_marks_of_printers_are_read_with_a_warning() -> None:
    assert texts("“x” ‘o") == ["x", "o"]
    assert {each.code for each in said("“x” ‘o")} == {codes.DAMAGED_SIGN}


def test_a_string_that_does_not_end_takes_its_line_and_no_more() -> None:
    code = 'a := "abc\nb := 1'

    assert texts(code) == ["a", ":=", '"', "b", ":=", "1"]
    assert [each.code for each in said(code)] == [codes.QUOTE_NOT_CLOSED]
    assert all(each.is_error for each in said(code))


def test_a_run_of_strange_characters_is_one_complaint() -> None:
    (fault,) = said("a @@@ b")

    assert fault.code is codes.UNKNOWN_CHARACTER


def test_a_sign_of_other_languages_gets_advice() -> None:
    assert "no types" in str(said("a : Nat")[0].help)


def test_a_numeral_of_thousands_of_digits_is_refused() -> None:
    assert [each.code for each in said("9" * (MOST_DIGITS + 1))] == [codes.NUMBER_TOO_LONG]
    assert said("9" * MOST_DIGITS) == []


@pytest.mark.parametrize(
    ("typed", "meant"), [("a == b", "a = b"), ("p && q", "p & q"), ("a : = b", "a := b")]
)
def test_signs_of_other_languages_are_read_with_a_note(typed: str, meant: str) -> None:
    (note,) = said(typed)

    assert texts(typed) == meant.split()
    assert note.code is codes.OTHER_SPELLING


def test_single_quotes_are_one_complaint_with_what_to_write() -> None:
    (fault,) = said("s := 'hello'")

    assert fault.fix is not None
    assert fault.fix.replacement == '"hello"'
    assert fault.help == 'write `"hello"` for a string, and `` `hello `` for an atom'


def test_a_backquote_alone_is_told_what_atoms_are() -> None:
    assert said("` x")[0].message == "a backquote alone is no sign of LED"
    assert "as in `` `x ``" in str(said("` x")[0].help)


def test_the_end_of_the_code_in_a_string_is_told() -> None:
    text = '/$ a := "x$/y" b := 2 $/'
    (fault,) = lex(Source("x", text), Span(2, text.index("$/")))[1]

    assert fault.help == "`$/` ends the code, in a string too"
