"""Lines on a screen: broken at blanks, in colour or not, in ASCII or not."""

import pytest

from zermelo.faces.cli.screen import Screen, screen, show_diagnostics, to_ascii
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.prose import Line, Piece, Tone, line
from zermelo.text.source import Source, Span, width


def rows(shown: Line, *, width: int = 20, has_colour: bool = False) -> list[str]:
    return list(Screen(width=width, has_colour=has_colour).broken(shown))


def test_a_long_line_is_broken_at_blanks_and_hangs() -> None:
    shown = line("If posn is in free, then it is taken", indent=2, hang=3)

    assert rows(shown) == ["  If posn is in", "     free, then it", "     is taken"]


def test_a_short_tuple_is_not_torn_apart() -> None:
    shown = line("the piece goes to (1, 2) and (3, 4)")

    assert rows(shown) == ["the piece goes to", "(1, 2) and (3, 4)"]


def test_a_word_of_several_tones_stays_together() -> None:
    shown = line("it is now the turn ", Piece("X", Tone.STRONG), ".")

    assert rows(shown) == ["it is now the turn", "X."]


def test_gaps_inside_a_line_are_kept() -> None:
    assert rows(line("a    b")) == ["a    b"]


def test_wide_characters_count_for_two_cells() -> None:
    assert rows(line("漢漢漢漢 漢漢漢漢 漢漢")) == ["漢漢漢漢 漢漢漢漢", "漢漢"]


def test_a_line_without_pieces_is_blank() -> None:
    assert rows(Line()) == [""]


def test_tones_are_colours_where_there_is_colour() -> None:
    shown = line("rule ", Piece("1", Tone.GOOD))

    assert rows(shown, has_colour=True) == ["rule \x1b[32m1\x1b[0m"]
    assert rows(shown) == ["rule 1"]


def test_signs_that_steer_a_terminal_are_written_out() -> None:
    assert rows(line("a\x1b[2Jb\u202ec")) == ["a⟨U+001B⟩[2Jb⟨U+202E⟩c"]


def test_formulas_are_spelled_in_ascii() -> None:
    formula = "ok ∧ ¬turn ∧ next ∉ S → B = (B − {prev}) ∪ {next}"

    assert to_ascii(formula) == "ok /\\ ~turn /\\ next notin S -> B = (B - {prev}) union {next}"


def test_what_has_no_spelling_loses_its_accent_or_becomes_a_question_mark() -> None:
    assert to_ascii("é漢𝐏") == "e?P"


@pytest.mark.parametrize(
    ("color", "no_color", "expected"),
    [("always", "1", True), ("never", "", False), ("auto", "", False)],
)
def test_colour_is_decided_by_the_option_first(
    color: str, no_color: str, *, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", no_color)

    # pytest's streams are no terminals.
    assert screen(color=color).has_colour is expected


def test_text_is_never_wider_than_people_like_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")

    assert screen().width == 100
    assert screen().columns == 300


def test_every_row_of_a_diagnostic_fits_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    source = Source("a.md", "Take(n ∈ {1, 2}) " + "heap = heap − n ∧ " * 20)
    label = Label(Span(17 + 18 * 9, 17 + 18 * 9 + 4), "is a number here, and a set everywhere else")
    said = Diagnostic(codes.UNKNOWN_NAME, "a headline that is " + "long " * 20, primary=label)

    show_diagnostics([said], source, screen(), rest=None)

    printed = capsys.readouterr().out.splitlines()
    assert max(map(width, printed)) == 50
    assert printed[-4:] == [
        "1 | … heap − n ∧ heap = heap − n ∧ heap = heap − …",
        "  |              ^^^^",
        "  |              is a number here, and a set",
        "  |              everywhere else",
    ]
