"""Lost bars, torn words, and words that stand for signs."""

from __future__ import annotations

import pytest

from zermelo.languages.sections.read.document import parse
from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.read.grammar.cursor import DeclaredNames
from zermelo.languages.sections.read.grammar.document_printer import to_text
from zermelo.languages.sections.read.grammar.lexer import lex
from zermelo.languages.sections.read.token_repairs import torn_words, with_bars
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, apply_fixes
from zermelo.text.headings import SectionKind
from zermelo.text.source import Source, Span

NAMES = DeclaredNames(frozenset({"aTurn", "Alpha", "Y"}))


def repaired(text: str) -> str:
    source = Source("document.md", text)
    _, said = with_bars(source, lex(source, Span(0, len(text)))[0])
    assert all(each.code is codes.LOST_BAR for each in said)
    return apply_fixes(source, said)


@pytest.mark.parametrize(
    ("damaged", "meant"),
    [
        ("|Alpha Y = 0", "|Alpha Y| = 0"),
        ("(|A| = 0 ∨ |A Y = 0 ∨ B ≠ ∅ ∧ |B E = 0)", "(|A| = 0 ∨ |A Y| = 0 ∨ B ≠ ∅ ∧ |B E| = 0)"),
        ("|A − Y ≤ 3", "|A − Y| ≤ 3"),
        ("(|A)", "(|A|)"),
        ("x = |A", "x = |A|"),
    ],
)
def test_a_lost_bar_is_put_back_before_the_comparison(damaged: str, meant: str) -> None:
    assert repaired(damaged) == meant


@pytest.mark.parametrize(
    "text",
    [
        "|A| = 0",
        "|A − B| = |C|",
        "{x ∈ S | x > 3}",
        "{x ∈ 𝒫(S) | |x| = 3}",
        "|{x ∈ S | x > 3}| = 2",
        "||A| − |B|| ≤ 1",
        "|x − a| + |y − b| ≤ 1",
        "∃w | w ∈ W",
        "|𝒫(a) ∩ b|",
    ],
)
def test_bars_in_pairs_stay_as_they_are(text: str) -> None:
    assert repaired(text) == text


def test_letters_in_a_row_are_a_torn_word() -> None:
    source = Source("document.md", "a r a r n = 1")

    said = torn_words(lex(source, Span(0, 13))[0], NAMES)

    assert [each.code for each in said] == [codes.TORN_WORD]
    assert said[0].help == "perhaps `aTurn` was meant"


@pytest.mark.parametrize("text", ["a ∪ b ∪ c", "a T u r n", "x y = 1", "{a, b, c}"])
def test_letters_with_signs_between_them_are_not_torn(text: str) -> None:
    source = Source("document.md", text)

    assert torn_words(lex(source, Span(0, len(text)))[0], NAMES) == ()


TEXT = """\
Applicable Sets
P : {{1..9}}
B : {{true, false}}
System Variables
A ⊆ P
turn, over ∈ B
System Facts
{facts}
System Initialization
turn = true
System States and Behavior
Move(p ∈ P)
{body}
"""


def read(*, facts: str = "", body: str = "") -> Checked[tree.SectionsDocument]:
    return parse(Source("document.md", TEXT.format(facts=facts, body=body)))


def shown(found: Checked[tree.SectionsDocument], kind: SectionKind) -> list[str]:
    """The lines of one section without its heading."""
    assert found.value is not None
    section = next(each for each in found.value.sections if each.kind is kind)
    lines = to_text(tree.SectionsDocument((), (section,))).splitlines()
    return [line.strip() for line in lines[1:] if line]


def codes_of(found: Checked[tree.SectionsDocument]) -> list[str]:
    return [each.code.id for each in found.diagnostics]


@pytest.mark.parametrize(
    ("typed", "rule"),
    [
        ("If p ∉ A then A = A ∪ {p} ∧ over = true", "p ∉ A → A = A ∪ {p} ∧ over = true"),
        ("if (p ∉ A ∧ turn) then over = true", "p ∉ A ∧ turn → over = true"),
        ("IF turn THEN\n  over = true\n  turn = false", "turn → over = true ∧ turn = false"),
        ("when turn, then over = true", "turn → over = true"),
        ("If p ∉ A, over = true", "p ∉ A → over = true"),
        ("If turn: over = true", "turn → over = true"),
        ("over = true if |A| < 3", "|A| < 3 → over = true"),
        ("over = true, when turn", "turn → over = true"),
    ],
)
def test_a_rule_may_be_told_with_if(typed: str, rule: str) -> None:
    found = read(body=typed)

    assert shown(found, SectionKind.BEHAVIOUR) == ["Move(p ∈ P)", rule]
    assert codes_of(found) == []


@pytest.mark.parametrize(
    "typed", ["over if and only if |A| = 3", "over iff |A| = 3", "over IFF |A| = 3"]
)
def test_if_and_only_if_is_an_equivalence(typed: str) -> None:
    found = read(facts=typed)

    assert shown(found, SectionKind.FACTS) == ["over ↔ |A| = 3"]
    assert codes_of(found) == []


def test_a_declared_name_is_no_sign_word() -> None:
    text = TEXT.format(facts="", body="turn → iff = true").replace("over ∈ B", "over, iff ∈ B")

    found = parse(Source("document.md", text))

    assert shown(found, SectionKind.BEHAVIOUR)[1:] == ["turn → iff = true"]


@pytest.mark.parametrize(
    "typed",
    [
        "If the player has p ∈ P then over = true",
        "over = true when it is late",
        "When it is late: over = true",
        "over = true unless it is late",
    ],
)
def test_a_rule_in_words_that_are_not_understood_is_not_lost_silently(typed: str) -> None:
    found = read(body=typed)

    assert shown(found, SectionKind.BEHAVIOUR)[1:] == [f"// {typed}"]
    assert codes_of(found) == ["Z123"]


def test_else_on_the_line_of_its_rule_is_a_rule_of_its_own() -> None:
    found = read(body="if turn then over = true else over = false")

    assert shown(found, SectionKind.BEHAVIOUR)[1:] == [
        "case1 = turn",
        "turn → over = true",
        "¬case1 → over = false",
    ]
    assert codes_of(found) == []


def test_a_fact_in_words_is_not_lost_silently() -> None:
    assert codes_of(read(facts="The game is over iff |A| = 3")) == ["Z123"]


def test_a_formula_at_the_end_of_a_long_paragraph_is_not_lost_silently() -> None:
    words = "The players put their marks on the board in turn and nobody ever takes one away"

    found = read(facts=f"{words},\nuntil it is full,\nover = = |A")

    assert any(each.code.id in {"Z123", "Z201", "Z207"} for each in found.diagnostics)


@pytest.mark.parametrize(
    "typed",
    [
        "The game is over when all of the nine numbers in P have been taken",
        "Each of the players takes one number p ∈ P and keeps it until the end",
        "over ↔ |A| = 3\n  - the numbers in A = taken",
    ],
)
def test_an_explanation_stays_prose(typed: str) -> None:
    assert codes_of(read(facts=typed)) == []
