"""Fixes applied to a text."""

from __future__ import annotations

from zermelo.text.diagnostic import Code, Diagnostic, Fix, Severity
from zermelo.text.fixes import apply_fixes
from zermelo.text.source import Source, Span

CODE = Code("Z108", "damage", Severity.WARNING)


def fixed(text: str, *fixes: tuple[int, int, str]) -> str:
    said = [Diagnostic(CODE, "m", fix=Fix(Span(start, end), words)) for start, end, words in fixes]
    return apply_fixes(Source("t", text), said)


def test_every_fix_is_made_at_its_own_place() -> None:
    assert fixed("x 6= y 6∈ z", (2, 4, "≠"), (7, 9, "∉")) == "x ≠ y ∉ z"


def test_the_order_of_the_diagnostics_does_not_matter() -> None:
    assert fixed("x 6= y 6∈ z", (7, 9, "∉"), (2, 4, "≠")) == "x ≠ y ∉ z"


def test_of_two_fixes_of_the_same_words_one_is_made() -> None:
    assert fixed("F ree ∪ x", (0, 3, "Fr"), (2, 5, "reed")) == "Free ∪ x"


def test_the_same_fix_said_twice_is_made_once() -> None:
    assert fixed("|Y = 0", (2, 2, "|"), (2, 2, "|")) == "|Y| = 0"


def test_a_text_without_fixes_stays_as_it_is() -> None:
    assert apply_fixes(Source("t", "x"), [Diagnostic(CODE, "m")]) == "x"
