"""Lost bars and torn words."""

from __future__ import annotations

import pytest

from zermelo.languages.sections.read.damage import torn_words, with_bars
from zermelo.languages.sections.read.grammar.lexer import lex
from zermelo.languages.sections.read.grammar.parser import Names
from zermelo.text import codes
from zermelo.text.diagnostic import apply_fixes
from zermelo.text.source import Source, Span

NAMES = Names(frozenset({"aTurn", "Alpha", "Y"}))


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
