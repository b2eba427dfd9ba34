"""Notes behind sets: where the set ends and the words begin."""

from __future__ import annotations

import pytest

from zermelo.languages.sections.read.grammar.cursor import DeclaredNames
from zermelo.languages.sections.read.grammar.lexer import lex
from zermelo.languages.sections.read.rows import note_start
from zermelo.text.headings import SectionKind
from zermelo.text.source import Source, Span

NAMES = DeclaredNames(declared=frozenset({"A", "N", "P", "X", "Occ", "turn", "B"}))


def before_note(text: str, kind: SectionKind = SectionKind.SETS) -> str:
    """What stands before the note in *text*."""
    source = Source("document.md", text)
    tokens, _ = lex(source, Span(0, len(text)))
    at = note_start(source, tokens, kind, names=NAMES)
    return text if at == len(tokens) else text[: tokens[at].span.start].rstrip()


@pytest.mark.parametrize(
    "note",
    [
        "        Board (row 1 is White's home)",
        "     Top Side of the Matrix (1st Row)",
        "  – Board",
        " - Board",
        "\tboard",
    ],
)
def test_words_apart_from_a_set_are_a_note(note: str) -> None:
    assert before_note(f"P : A x A{note}") == "P : A x A"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("X ⊆ N, the numbers taken so far", "X ⊆ N"),
        ("c ∈ M, where M is the set of natural numbers", "c ∈ M"),
        ("X ⊆ N    numbers taken (by anyone)", "X ⊆ N"),
    ],
)
def test_words_behind_a_declaration_are_a_note(text: str, kept: str) -> None:
    assert before_note(text, SectionKind.VARIABLES) == kept


@pytest.mark.parametrize(
    "text",
    [
        "P : A  x  A",
        "X : P – Occ",
        "X : P – Ocx",
        "P : {one  two, three}",
        "P : the  numbers  from 1 to 3",
        "X : P union  A",
    ],
)
def test_what_may_be_part_of_a_set_is_no_note(text: str) -> None:
    assert before_note(text) == text


@pytest.mark.parametrize("text", ["turn ∈ B  over ∈ B", "X ⊆ N, other ∈ B", "X ⊆ N, Y, Z ⊆ N"])
def test_another_declaration_is_no_note(text: str) -> None:
    assert before_note(text, SectionKind.VARIABLES) == text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("turn = true the first player begins", "turn = true"),
        (r"$turn = \text{true}$ \quad at first", r"$turn = \text{true}$ \quad"),
        ("N = 8  matches", "N = 8"),
    ],
)
def test_words_behind_a_first_value_are_a_note(text: str, kept: str) -> None:
    assert before_note(text, SectionKind.INITIALISATION) == kept


@pytest.mark.parametrize("text", ["turn = true north", "X = red  who begins", "N = 8 matches"])
def test_what_may_be_part_of_a_first_value_is_no_note(text: str) -> None:
    assert before_note(text, SectionKind.INITIALISATION) == text


def test_other_sections_have_no_such_notes() -> None:
    assert before_note("turn = true  always", SectionKind.FACTS) == "turn = true  always"
