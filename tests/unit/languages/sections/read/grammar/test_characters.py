"""Characters as they are meant, with the place where they stood."""

from __future__ import annotations

from zermelo.languages.sections.read.grammar.tokens import cleaned
from zermelo.text.source import Source, Span


def test_each_character_keeps_the_place_of_what_it_was_typed_as() -> None:
    source = Source("test", "a&nbsp;∈ 𝐁")

    found = cleaned(source, Span(0, len(source.text)))

    assert found.text == "a ∈ B"
    assert found.span(1, 2) == Span(1, 7)
    assert found.span(4, 5) == Span(9, 10)


def test_only_the_characters_of_the_span_are_read() -> None:
    assert cleaned(Source("test", "abcdef"), Span(2, 4)).text == "cd"


def test_letters_with_names_of_their_own_are_kept_apart() -> None:
    assert cleaned(Source("test", "ℕ ℤ ℝ 𝒫 𝓟"), Span(0, 9)).text == "ℕ ℤ ℝ 𝒫 𝒫"


def test_a_mark_joins_the_letter_before_it() -> None:
    assert cleaned(Source("test", "e\u0301 =\u0338"), Span(0, 5)).text == "é ≠"


def test_raised_and_lowered_characters_get_their_marks() -> None:
    assert cleaned(Source("test", "x² y₁₂ z⁻¹"), Span(0, 10)).text == "x^2 y_12 z^-1"


def test_the_place_behind_the_end_is_the_end() -> None:
    assert cleaned(Source("test", "ab"), Span(0, 2)).span(2, 3) == Span(2, 2)
