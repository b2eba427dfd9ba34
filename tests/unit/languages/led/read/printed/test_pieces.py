"""Printed mathematics as words and signs of the source form."""

import pytest

from zermelo.languages.led.read.printed.pieces import PieceKind, PrintedPieces, read
from zermelo.text.source import Source, Span


def pieces(text: str, *, is_latex: bool = True) -> PrintedPieces:
    return read(Source("text", text), Span(0, len(text)), is_latex=is_latex)


def source_form(text: str, *, is_latex: bool = True) -> str:
    return " ".join(piece.text for piece in pieces(text, is_latex=is_latex).pieces)


@pytest.mark.parametrize(
    ("printed", "meant"),
    [
        (r"a \cup b \cap c \setminus \varnothing", "a U b sec c \\ { }"),
        (r"x \in \{1..9\} \land \neg p \lor q", "x in { 1 .. 9 } & ~ p V q"),
        (r"\exists R \in rows. \forall c \in R.p(c)", "some R in rows . all c in R . p ( c )"),
        (r"\bigcup_{c \in S} f(c)", "U [ c in S ] f ( c )"),
        (r"\sum_{x \in S} x^2", "Sum [ x in S ] x ^ 2"),
        (r"\left\lfloor c \right\rfloor \mod 3", "floor ( c ) mod 3"),
        (r"\lceil x \rceil \neq |y|", "ceil ( x ) /= | y |"),
        (r"\frac{a + b}{2}", "( a + b ) / ( 2 )"),
        (r"x^{n + 1} + y^{2}", "x ^ ( n + 1 ) + y ^ 2"),
        (r"\mathit{gameOver} \quad \text{iff} \quad \wp(A)", "gameOver iff Pow ( A )"),
        (r"`x = `\mathit{wolf}", "`x = `wolf"),
        (r"0.\overline{3} + 3.96\overline{721}", "0.(3..) + 3.96(721..)"),
        (r"{\it fontSize} : = 36", "fontSize := 36"),
        ("“x won”, ``o won'', \"cat\"", '"x won" , "o won" , "cat"'),
        ("𝑥 ∈ ℘(𝐴) ∧ ¬(𝑦 ≤ 3)", "x in Pow ( A ) & ~ ( y <= 3 )"),
    ],
)
def test_a_formula_becomes_source_form(printed: str, meant: str) -> None:
    assert source_form(printed) == meant


def test_cases_become_branches_and_other_line_breaks_nothing() -> None:
    printed = r"f := \begin{cases} 1 & \text{if } p \\ 2 & \text{otherwise} \end{cases}"
    aligned = r"\begin{aligned} & f := 1 \\ & + 2 \end{aligned}"

    assert source_form(printed) == "f := 1 if p ; 2 otherwise"
    assert source_form(aligned) == "f := 1 + 2"


def test_rows_behind_a_brace_are_cases() -> None:
    printed = (
        r"f := \left\{ \begin{array}{ll} 1 & \mbox{if } p \\ 2 & \mbox{otherwise} "
        r"\end{array} \right."
    )

    assert source_form(printed) == "f := 1 if p ; 2 otherwise"


def test_other_marks_before_an_atom_are_backquotes() -> None:
    found = pieces("p('x, c) = ’o")

    assert " ".join(each.text for each in found.pieces) == "p ( `x , c ) = `o"
    assert [each.code.id for each in found.said] == ["Z108", "Z108"]


def test_a_line_break_inside_a_case_is_no_branch() -> None:
    printed = (
        r"\begin{cases} \begin{aligned} & \{a, \\ & b\} \end{aligned} & \text{if } p \\ "
        r"c & \text{otherwise} \\ \end{cases}"
    )

    assert source_form(printed) == "{ a , b } if p ; c otherwise"


def test_outside_of_latex_braces_are_braces() -> None:
    assert source_form("{x | x ∈ {1..3} & ~p(x)}", is_latex=False) == (
        "{ x | x in { 1 .. 3 } & ~ p ( x ) }"
    )


def test_a_tag_and_a_number_in_other_brackets_number_formulas() -> None:
    tags = pieces(r"a := 1 \tag{3} \langle 45 \rangle").pieces

    assert [(each.kind, each.text) for each in tags[-2:]] == [
        (PieceKind.TAG, "3"),
        (PieceKind.TAG, "45"),
    ]


@pytest.mark.parametrize(
    ("printed", "meant"),
    [("p ext{ iff } q", "p iff q"), ("2 imes 3", "2 * 3"), ("a eq b", "a /= b")],
)
def test_what_is_left_of_a_command_is_read_as_the_command(printed: str, meant: str) -> None:
    found = pieces(printed)

    assert " ".join(each.text for each in found.pieces) == meant
    assert [each.code.id for each in found.said] == ["Z130"]


def test_a_name_that_the_program_defines_is_no_remnant() -> None:
    source = Source("text", "imes + 1")

    found = read(source, Span(0, 8), known={"imes"})

    assert found.pieces[0].text == "imes"
    assert found.said == ()


def test_braces_without_backslashes_around_a_list_are_a_set() -> None:
    found = pieces("S := {1, 2}")

    assert " ".join(each.text for each in found.pieces) == "S := { 1 , 2 }"
    assert [each.code.id for each in found.said] == ["Z108"]


def test_an_unknown_command_is_said_and_left_out() -> None:
    found = pieces(r"a \heartsuit b")

    assert [each.text for each in found.pieces] == ["a", "b"]
    assert [each.code.id for each in found.said] == ["Z202"]


def test_every_piece_has_its_place_in_the_document() -> None:
    text = r"x \in S"

    assert [text[each.span.start : each.span.end] for each in pieces(text).pieces] == [
        "x",
        r"\in",
        "S",
    ]
