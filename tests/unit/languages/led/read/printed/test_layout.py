"""Prose, formulas and sessions of a printed document."""

from zermelo.languages.led.read.printed.layout import StretchKind, stretches
from zermelo.text.source import Source


def parts(text: str) -> list[tuple[StretchKind, str]]:
    source = Source("text", text)
    return [(each.what, source.slice(each.span).strip()) for each in stretches(source)]


def test_a_display_with_its_number_stands_between_prose() -> None:
    text = "First words.\n\n$$a := 1$$\n (1)\n\nMore words,\nand more.\n"

    assert parts(text) == [
        (StretchKind.PROSE, "First words."),
        (StretchKind.DISPLAY, "a := 1"),
        (StretchKind.GLUE, "(1)"),
        (StretchKind.PROSE, "More words,\nand more."),
    ]


def test_mathematics_among_words_is_prose() -> None:
    text = "A *cell* is in $\\{1..9\\}$ . So it is."

    assert parts(text) == [(StretchKind.PROSE, text)]


def test_words_that_join_formulas_are_no_prose() -> None:
    text = "$$p(c)$$\n iff  $q(c)$  (3)\n\nwhere $x = 1$"

    assert parts(text) == [
        (StretchKind.DISPLAY, "p(c)"),
        (StretchKind.GLUE, "iff"),
        (StretchKind.INLINE, "q(c)"),
        (StretchKind.GLUE, "(3)"),
        (StretchKind.GLUE, "where"),
        (StretchKind.INLINE, "x = 1"),
    ]


def test_a_display_behind_words_on_the_same_line_is_a_formula() -> None:
    assert parts("The rule is $$a := 1$$ (1)") == [
        (StretchKind.PROSE, "The rule is"),
        (StretchKind.DISPLAY, "a := 1"),
        (StretchKind.GLUE, "(1)"),
    ]


def test_a_head_at_the_beginning_of_a_line_needs_no_signs_around() -> None:
    assert parts("f(x) := x + 1 (4)") == [(StretchKind.PLAIN, "f(x) := x + 1 (4)")]
    assert parts("the total := 3 as above") == [(StretchKind.PROSE, "the total := 3 as above")]


def test_a_session_ends_with_its_block_or_with_a_blank_line() -> None:
    text = '```\ncmd:>pp(a)\n"1"\n```\n\ncmd:>pp(b)\n"2"\n\nwords'

    assert [what for what, _ in parts(text)] == [
        StretchKind.SESSION,
        StretchKind.SESSION,
        StretchKind.PROSE,
    ]


def test_mathematics_that_is_not_closed_is_prose() -> None:
    assert parts("$$a := 1\n\nwords") == [(StretchKind.PROSE, "$$a := 1\n\nwords")]
    assert parts("\\[ a \\[ b") == [(StretchKind.PROSE, "\\[ a \\[ b")]
