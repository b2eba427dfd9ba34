"""Lines without their dress."""

from __future__ import annotations

import pytest

from zermelo.text.lines import DocumentLine, lines
from zermelo.text.source import Source


def undressed(text: str, *, name: str = "document.md") -> list[str]:
    source = Source(name, text)
    return [source.slice(line.span) for line in lines(source)]


def first(text: str) -> DocumentLine:
    return lines(Source("document.md", text))[0]


@pytest.mark.parametrize(
    "line",
    [
        "x = 1",
        "  x = 1",
        "\tx = 1",
        "\u00a0x = 1",
        "- x = 1",
        "-x = 1",
        "* x = 1",
        "+ x = 1",
        "• x = 1",
        "– x = 1",
        "•x = 1",
        "1. x = 1",
        "2) x = 1",
        "(a) x = 1",
        "(ii) x = 1",
        "a) x = 1",
        "### x = 1",
        "- - x = 1",
        "\\item x = 1",
        "\\item[a] x = 1",
        "&emsp;&emsp;x = 1",
        "\\quad x = 1",
        "\\begin{itemize} \\item x = 1",
        "x = 1 \\\\",
        "x = 1\\",
        "x = 1<br>",
    ],
)
def test_bullets_numbers_and_blanks_are_taken_off(line: str) -> None:
    assert undressed(line) == ["x = 1"]


@pytest.mark.parametrize(
    "line",
    [
        "(a) ∧ b → x = 1",
        "(a) \\wedge b",
        "(a, b) = prev",
        "-> x = 1",
        "-3 < x",
        "**R**: {1}",
        "*aTurn* = true",
        "(x) -> y = 1",
        "(a) = b",
    ],
)
def test_what_belongs_to_a_formula_stays(line: str) -> None:
    assert undressed(line) == [line]


@pytest.mark.parametrize(
    "line",
    [
        "",
        "   ",
        "```",
        "```spec",
        "~~~",
        "---",
        "=====",
        "* * *",
        "\\begin{itemize}",
        "\\end{align*}",
        "\\begin{tabular}{lcl}",
        "\\maketitle",
        "\\vspace{1cm}",
        "\\usepackage[utf8]{inputenc}",
        "$$",
        "\\[",
        "<!-- a remark -->",
        "|---|:--|",
    ],
)
def test_a_line_of_markup_has_no_content(line: str) -> None:
    assert undressed(f"a\n{line}\nb") == ["a", "b"]


def test_a_remark_of_html_may_span_lines() -> None:
    assert undressed("a <!-- one\ntwo\nthree --> b") == ["a", "b"]


def test_line_breaks_within_a_line_make_several() -> None:
    assert undressed("$$x = 1 \\\\ y = 2$$") == ["$$x = 1", "y = 2$$"]
    assert undressed("x = 1<br/>y = 2") == ["x = 1", "y = 2"]


def test_bullets_within_a_line_make_several() -> None:
    assert undressed("• Y : {1} • E : {2}") == ["Y : {1}", "E : {2}"]


def test_parts_of_a_line_stand_at_the_same_margin() -> None:
    found = lines(Source("document.md", "  • Y : {1} • E : {2}"))

    assert [line.margin for line in found] == [2, 2]


def test_two_slashes_begin_a_comment() -> None:
    line = first("  x = 1  // why")

    assert (line.comment, line.column, line.bullet) == ("why", 2, "")
    assert undressed("  x = 1  // why") == ["x = 1"]


def test_a_line_may_be_a_comment_only() -> None:
    line = first("   // just words")

    assert line.is_empty
    assert line.comment == "just words"


def test_an_address_and_a_quotation_have_no_comment() -> None:
    assert undressed("see http://example.org/x") == ["see http://example.org/x"]
    assert undressed('x = "a // b"') == ['x = "a // b"']


def test_a_percent_sign_begins_a_comment_in_latex_only() -> None:
    assert undressed("x = 1 % why", name="a.tex") == ["x = 1"]
    assert undressed("x = 7 % 2") == ["x = 7 % 2"]
    assert undressed("x = 7 \\% 2", name="a.tex") == ["x = 7 \\% 2"]


def test_a_blank_line_is_remembered() -> None:
    found = lines(Source("document.md", "a\n\nb\nc\n```\nd"))

    assert [line.is_after_blank for line in found] == [False, True, False, False]


def test_a_displayed_formula_over_several_lines_is_numbered() -> None:
    found = lines(
        Source("document.md", "a\n$$\nx =\n1\n$$\nb\n\\[ y \\]\n\\begin{align*}\nz\n\\end{align*}")
    )

    assert [line.display for line in found] == [0, 1, 1, 0, 0, 3]


def test_the_margin_is_counted_in_cells_and_includes_the_bullet() -> None:
    line = first("\t- x = 1")

    assert (line.margin, line.column) == (4, 6)
