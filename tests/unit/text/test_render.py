"""The renderings of diagnostics."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from zermelo.text.codes import Code, Severity
from zermelo.text.diagnostic import Diagnostic, Fix, Label
from zermelo.text.render import as_json, for_xml, full, one_line
from zermelo.text.source import Source, Span

TEXT = """System Variables
  over ∈ B
  moves ∈ N
  bTurn ∈ B
System Initialization
  over = false
  turn = true
  moves = 0
"""
SOURCE = Source("four-quadrants.md", TEXT)
CODE = Code("Z301", "a name that is not declared", Severity.WARNING)


def place(words: str, *, after: int = 0) -> Span:
    start = TEXT.index(words, after)
    return Span(start, start + len(words))


TURN = Diagnostic(
    CODE,
    "`turn` is used here, but no variable of that name is declared",
    primary=Label(place("turn ="), "not declared"),
    secondary=(Label(place("bTurn"), "a variable of nearly this name"),),
    notes=("`turn` is used 2 times in this document, `bTurn` only in its declaration",),
    help="rename the declaration to `turn`",
    fix=Fix(place("bTurn"), "turn"),
)


def test_a_diagnostic_in_full_shows_its_places_in_the_order_of_lines() -> None:
    turn = Diagnostic(
        CODE,
        TURN.message,
        primary=Label(Span(place("turn =").start, place("turn =").start + 4), "not declared"),
        secondary=TURN.secondary,
        notes=TURN.notes,
        help=TURN.help,
    )

    assert (
        full([turn], SOURCE)
        == """\
warning[Z301]: `turn` is used here, but no variable of that name is declared
 --> four-quadrants.md:7:3
  |
4 |   bTurn ∈ B
  |   ----- a variable of nearly this name
  :
7 |   turn = true
  |   ^^^^ not declared
  = note: `turn` is used 2 times in this document, `bTurn` only in its declaration
  = help: rename the declaration to `turn`"""
    )


def test_lines_that_follow_each_other_have_nothing_between_them() -> None:
    diagnostic = Diagnostic(
        CODE,
        "two",
        primary=Label(place("over ∈ B"), "first"),
        secondary=(Label(place("moves ∈ N"), "second"),),
    )

    assert (
        full([diagnostic], SOURCE)
        == """\
warning[Z301]: two
 --> four-quadrants.md:2:3
  |
2 |   over ∈ B
  |   ^^^^^^^^ first
3 |   moves ∈ N
  |   --------- second"""
    )


def test_two_labels_on_one_line_stand_below_each_other() -> None:
    diagnostic = Diagnostic(
        CODE,
        "two",
        primary=Label(place("N\n", after=20), "the set"),
        secondary=(Label(place("moves"), "the name"),),
    )

    assert full([diagnostic], SOURCE).splitlines()[2:] == [
        "  |",
        "3 |   moves ∈ N",
        "  |   ----- the name",
        "  |           ^ the set",
    ]


def test_the_gutter_is_as_wide_as_the_largest_number() -> None:
    source = Source("long.md", "\n" * 11 + "x = 1")

    assert (
        full([Diagnostic(CODE, "m", primary=Label(Span(11, 12)))], source)
        == """\
warning[Z301]: m
  --> long.md:12:1
   |
12 | x = 1
   | ^"""
    )


def test_carets_are_placed_by_cells_and_not_by_characters() -> None:
    source = Source("wide.md", "\t漢𝐏\u0338 = over")

    assert full([Diagnostic(CODE, "m", primary=Label(Span(7, 11)))], source).splitlines()[3:] == [
        "1 |     漢𝐏\u0338 = over",
        "  |           ^^^^",
    ]


def test_a_diagnostic_without_a_place_has_no_lines() -> None:
    assert (
        full([Diagnostic(CODE, "nothing", help="write something")], SOURCE)
        == "warning[Z301]: nothing\n  = help: write something"
    )


def test_diagnostics_are_sorted_by_place_and_those_without_come_last() -> None:
    first = Diagnostic(CODE, "first", primary=Label(place("over")))
    second = Diagnostic(CODE, "second", primary=Label(place("moves")))
    last = Diagnostic(CODE, "last")

    text = full([last, second, first], SOURCE)

    assert [line for line in text.splitlines() if line.startswith("warning")] == [
        "warning[Z301]: first",
        "warning[Z301]: second",
        "warning[Z301]: last",
    ]


def test_a_long_line_is_shown_in_part_around_its_label() -> None:
    source = Source("long.md", "a ∪ " * 100 + "b" + " ∪ c" * 100)

    lines = full([Diagnostic(CODE, "m", primary=Label(Span(400, 401)))], source).splitlines()

    assert lines[3].startswith("1 | …a ∪ a ∪ a ∪ b ∪ c")
    assert lines[3].endswith("…")
    assert lines[3].index("b") == lines[4].index("^")
    assert len(lines[3]) < 130


def test_a_long_line_takes_exactly_the_columns_there_are() -> None:
    source = Source("long.md", "a ∪ " * 100 + "b" + " ∪ c" * 100)

    rows = full([Diagnostic(CODE, "m", primary=Label(Span(400, 401)))], source, columns=40)

    assert rows.splitlines()[3:] == [
        "1 | …a ∪ a ∪ a ∪ b ∪ c ∪ c ∪ c ∪ c ∪ c …",
        "  |              ^",
    ]


@pytest.mark.parametrize(
    ("first", "line", "carets"),
    [
        # Of 50 cells 26 are seen: from the beginning, around the mark, up to the end.
        (20, "1 | abcdefghijklmnopqrstuvwxy…", 24),
        (25, "1 | …nopqrstuvwxyzABCDEFGHIJK…", 17),
        (49, "1 | …zABCDEFGHIJKLMNOPQRSTUVWX", 29),
    ],
)
def test_a_window_is_as_full_as_it_can_be(first: int, line: str, carets: int) -> None:
    source = Source("a.md", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX")

    found = full([Diagnostic(CODE, "m", primary=Label(Span(first, first + 1)))], source, columns=30)

    assert found.splitlines()[3:] == [line, "  |".ljust(carets) + "^"]


def test_a_wide_sign_at_the_edge_is_cut_and_not_halved() -> None:
    source = Source("a.md", "a" + "漢" * 20)

    found = full([Diagnostic(CODE, "m", primary=Label(Span(0, 1)))], source, columns=30)

    # 1 + 12 · 2 = 25 cells and the sign of the cut; with one less wide sign there is a cell over.
    assert found.splitlines()[3] == "1 | a" + "漢" * 12 + "…"
    assert full(
        [Diagnostic(CODE, "m", primary=Label(Span(0, 1)))], source, columns=29
    ).splitlines()[3] == ("1 | a" + "漢" * 11 + "…")


def test_a_caret_behind_a_line_that_fills_the_columns_stays_within_them() -> None:
    source = Source("a.md", "abcdefghijklmnopqrstuvwxyz")

    found = full([Diagnostic(CODE, "m", primary=Label(Span(26, 26)))], source, columns=30)

    assert found.splitlines()[3:] == ["1 | …cdefghijklmnopqrstuvwxyz", "  |" + " " * 26 + "^"]


def test_words_that_do_not_fit_beside_their_carets_stand_below_them() -> None:
    diagnostic = Diagnostic(
        CODE, "m", primary=Label(place("moves ∈ N"), "needs a first value among its members")
    )

    assert full([diagnostic], SOURCE, columns=30).splitlines()[3:] == [
        "3 |   moves ∈ N",
        "  |   ^^^^^^^^^",
        "  |   needs a first value",
        "  |   among its members",
    ]


def test_a_label_over_several_lines_marks_the_first() -> None:
    diagnostic = Diagnostic(CODE, "m", primary=Label(Span(0, 40), "all of it"))

    assert full([diagnostic], SOURCE).splitlines()[3:] == [
        "1 | System Variables",
        "  | ^^^^^^^^^^^^^^^^ all of it",
    ]


def test_a_place_at_the_very_end_is_shown() -> None:
    source = Source("end.md", "x =")

    assert full([Diagnostic(CODE, "m", primary=Label(Span(3, 3)))], source).splitlines()[3:] == [
        "1 | x =",
        "  |    ^",
    ]


def test_characters_that_steer_a_terminal_are_shown_by_their_numbers() -> None:
    source = Source("\x1b[31mbad.md", "x \x1b[2J= 1\u202e")

    text = full([Diagnostic(CODE, "\x1b[5m", primary=Label(Span(0, 1), "\x07"))], source)

    assert text.splitlines() == [
        "error[Z301]: ⟨U+001B⟩[5m".replace("error[Z301]", f"{CODE.severity.value}[{CODE.id}]"),
        " --> ⟨U+001B⟩[31mbad.md:1:1",
        "  |",
        "1 | x ⟨U+001B⟩[2J= 1⟨U+202E⟩",
        "  | ^ ⟨U+0007⟩",
    ]


def test_a_caret_points_at_all_of_a_character_that_is_written_out() -> None:
    source = Source("a.md", "ab\u202ec")

    rows = full([Diagnostic(CODE, "m", primary=Label(Span(2, 3)))], source).splitlines()[3:]

    assert rows == ["1 | ab⟨U+202E⟩c", "  |   ^^^^^^^^"]


def test_colour_changes_no_character_that_is_seen() -> None:
    coloured = full([TURN], SOURCE, color=True)

    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == full([TURN], SOURCE)
    assert coloured != full([TURN], SOURCE)


def test_one_line_has_place_code_and_headline() -> None:
    assert one_line(TURN, SOURCE) == (
        "four-quadrants.md:7:3: warning[Z301]: "
        "`turn` is used here, but no variable of that name is declared"
    )


def test_one_line_without_a_place_has_the_name_of_the_document() -> None:
    assert one_line(Diagnostic(CODE, "m"), SOURCE) == "four-quadrants.md: warning[Z301]: m"


def test_json_has_everything_a_diagnostic_says() -> None:
    assert as_json(TURN, SOURCE) == {
        "code": "Z301",
        "severity": "warning",
        "line": 7,
        "column": 3,
        "message": TURN.message,
        "help": "rename the declaration to `turn`",
        "fix": {"line": 4, "column": 3, "end_line": 4, "end_column": 8, "replacement": "turn"},
        "notes": list(TURN.notes),
        "labels": [
            {
                "line": 4,
                "column": 3,
                "end_line": 4,
                "end_column": 8,
                "text": "a variable of nearly this name",
                "primary": False,
            },
            {
                "line": 7,
                "column": 3,
                "end_line": 7,
                "end_column": 9,
                "text": "not declared",
                "primary": True,
            },
        ],
    }


def test_json_without_a_place_or_fix_has_null() -> None:
    found = as_json(Diagnostic(CODE, "m", severity=Severity.ERROR), SOURCE)

    assert (found["severity"], found["line"], found["column"], found["fix"]) == (
        "error",
        None,
        None,
        None,
    )


@pytest.mark.parametrize("text", ["a < b & c > d", '"quoted"', "</text>", "∪ ∅ 𝒫", "&amp;"])
def test_a_text_comes_back_as_it_was_from_content_and_attributes(text: str) -> None:
    read = ET.fromstring(f'<a b="{for_xml(text)}">{for_xml(text)}</a>')

    assert (read.text, read.attrib["b"]) == (text, text)


@pytest.mark.parametrize("sign", ["\x00", "\x1b", "\ud800", "\uffff"])
def test_a_sign_that_xml_cannot_write_is_replaced(sign: str) -> None:
    assert for_xml(f"a{sign}b") == "a\ufffdb"
