"""LED programs as people write them."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.support.project import ROOT
from zermelo.api.languages import row_of
from zermelo.languages.led.read import document, tree
from zermelo.languages.led.read.tree import Definition, LiterateProgram, Prose
from zermelo.text import codes
from zermelo.text.source import Source

GAME = ROOT / "games" / "tic-tac-toe-led"


def read(text: str) -> LiterateProgram:
    value = document.parse(Source("x.led", text)).value
    assert value is not None
    return value


def codes_of(text: str) -> list[str]:
    return [each.code.id for each in document.parse(Source("x.led", text)).diagnostics]


def test_code_stands_between_its_marks_and_all_else_is_prose() -> None:
    parts = read("Before. /$ a := 1 b := 2 $/ between /$c := 3$/").parts

    assert [part.text if isinstance(part, Prose) else part.__class__ for part in parts] == [
        "Before. ", Definition, Definition, " between ", Definition,
    ]  # fmt: skip


def test_code_that_is_not_closed_is_named_by_its_line() -> None:
    (said,) = document.parse(Source("x.led", "Words.\n\n/$ a := 1\n")).diagnostics

    assert said.code is codes.REGION_NOT_CLOSED
    assert said.message == "the code that begins on line 3 is not closed"


def test_code_that_is_not_closed_takes_no_other_with_it() -> None:
    checked = document.parse(Source("x.led", "/$ a := 1 and /$ b := 2 $/ words /$ c := 3 $/"))

    assert checked.value is not None
    assert {"b", "c"} <= {each.name for each in checked.value.definitions}


def test_a_program_without_marks_is_taken_as_code() -> None:
    assert [each.name for each in read("a := 1\nb iff true").definitions] == ["a", "b"]
    assert codes_of("a := 1\nb iff true") == ["Z236"]


@pytest.mark.parametrize("text", ["Only words.", "/$ $/", "Words /$ $/ words"])
def test_a_program_without_code_is_told_so(text: str) -> None:
    assert codes_of(text) == ["Z238"]


def test_of_very_many_faults_the_first_are_said() -> None:
    said = document.parse(Source("x.led", f"/$ {':= ' * 1000} $/")).diagnostics

    assert len(said) == document.MOST_SAID
    assert said[-1].notes == ("800 more things to say about this program are left out",)


def test_a_session_in_the_prose_becomes_tests() -> None:
    text = '/$ a := {1} $/\n\ncmd:>pp(a)\n"{1}"\ncmd:> pp(|a|)\n"1"\n\nWords.\n'

    tests = [part for part in read(text).parts if isinstance(part, tree.TranscriptEntry)]

    assert [(each.typed, each.answer) for each in tests] == [("pp(a)", "{1}"), ("pp(|a|)", "1")]


@pytest.mark.parametrize(
    "heading", ["Reading", "## Reading", "\\section{Reading}", "\\section*{Reading}"]
)
def test_a_section_called_reading_decides(heading: str) -> None:
    text = (
        f"/$ a := 1 $/\n\n{heading}\n\nplayers: x when even, o when odd\n- end: when over\n\nMore."
    )

    readings = read(text).readings

    assert [(each.key, each.value) for each in readings] == [
        ("players", "x when even, o when odd"),
        ("end", "when over"),
    ]


def test_words_about_readings_decide_nothing() -> None:
    assert read("Reading this: one learns.\n/$ a := 1 $/\nb: c").readings == ()


def test_the_program_of_the_library_has_what_its_print_has() -> None:
    checked = document.parse(
        Source("tic-tac-toe-led.led", (GAME / "tic-tac-toe-led.led").read_text())
    )

    assert checked.diagnostics == ()
    assert checked.value is not None
    assert checked.value.is_game
    kinds = Counter(type(part) for part in checked.value.parts)
    assert (kinds[tree.Definition], kinds[tree.TranscriptEntry]) == (48, 21)
    shown = [
        f'cmd:>{part.typed}\n"{part.answer}"\n'
        for part in checked.value.parts
        if isinstance(part, tree.TranscriptEntry)
    ]
    assert "".join(shown) == (GAME / "transcript.txt").read_text()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.txt", "words /$ a := 1 $/"),
        ("a.md", "# Sets\n\n# Variables\n\n# Facts\n\n/$ p iff q $/"),
        ("a.txt", "$$p(x) iff x > 1$$ (1)\n$$a := 2$$ (2)"),
        ("a.txt", "#isGame\ninitialState := {}"),
        ("a.txt", "a := 1\nb(x) := 2"),
        ("a.led", "anything"),
        ("a.txt", "/$ a := 1"),
    ],
)
def test_led_is_known_by_its_content_or_its_name(name: str, text: str) -> None:
    assert row_of(Source(name, text)).name == "led"


@pytest.mark.parametrize(
    "text",
    [
        "a/$b$/c and words",
        "Applicable Sets\n A : {1}\nSystem Variables\n x ∈ A\nSystem Facts\n x = 1 iff y := 2",
        "#place p\n#trans t\n a := 1 iff b",
    ],
)
def test_other_documents_are_not_led(text: str) -> None:
    assert row_of(Source("a.md", text)).name != "led"


def test_the_marks_of_code_in_a_string_are_characters() -> None:
    checked = document.parse(Source("x", '/$ a := "x/$y" b := 2 $/ and /$ c := 3 $/'))

    assert checked.diagnostics == ()
    assert checked.value is not None
    assert [each.name for each in checked.value.definitions] == ["a", "b", "c"]


def test_names_with_a_damaged_definition_are_known() -> None:
    checked = document.parse(Source("x", "/$ a := 1 + b := 2 $/ and /$ f(x) := (x $/"))

    assert checked.value is not None
    assert checked.value.damaged == {"a", "f"}
