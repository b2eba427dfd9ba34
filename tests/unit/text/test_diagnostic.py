"""Each cause is said once, in the order of the document; fixes are applied to a text."""

from __future__ import annotations

from zermelo.text import codes
from zermelo.text.codes import Code, Severity
from zermelo.text.diagnostic import Diagnostic, Fix, Label, Report, apply_fixes
from zermelo.text.source import Source, Span

FIRST = Diagnostic(codes.KINDS_CLASH, "one", primary=Label(Span(0, 1)))
SECOND = Diagnostic(codes.KINDS_CLASH, "two", primary=Label(Span(5, 6)))


def test_diagnostics_stand_in_the_order_of_their_places() -> None:
    report = Report(Source("d.md", "x" * 9))

    report.extend((SECOND, FIRST, SECOND))

    assert report.diagnostics == (FIRST, SECOND)


def test_one_key_is_said_once() -> None:
    report = Report(Source("d.md", "x" * 9))

    report.say(FIRST, once="x")
    report.say(SECOND, once="x")

    assert report.diagnostics == (FIRST,)


def test_looking_ahead_says_and_counts_nothing() -> None:
    report = Report(Source("d.md", "x" * 9))

    with report.quiet():
        report.unusable()
        report.say(FIRST)
        with report.loud():
            report.say(SECOND)

    assert report.faults == 0
    assert report.diagnostics == (SECOND,)


def test_what_nothing_uses_is_a_warning() -> None:
    report = Report(Source("d.md", "x" * 9))

    with report.lenient(when=True):
        report.say(FIRST)

    assert [d.level for d in report.diagnostics] == [Severity.WARNING]


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
