"""Each cause is said once, in the order of the document."""

from zermelo.languages.sections.mean.report import Report
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label, Severity
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
