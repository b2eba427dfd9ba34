"""Answers of a document to findings: `intended: Z613 at turn → over = true // reason`.

An answer names the finding by its code and its place by words of the line that the finding is
about. So it lapses when that line is changed, and says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from zermelo.core.observation import Answered
from zermelo.languages.sections.ir import Intended
from zermelo.text import codes
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.lines import Setting
from zermelo.text.source import Source

_ANSWER: Final = re.compile(r"(Z\d{3})\s+at\s+(.*\S)", re.IGNORECASE)


def intended(settings: Iterable[Setting]) -> Checked[tuple[Intended, ...]]:
    """The answers that *settings* are."""
    found: list[Intended] = []
    said: list[Diagnostic] = []
    for each in settings:
        match = _ANSWER.fullmatch(each.value)
        if match is None or match[1].upper() not in codes.ALL:
            said.append(
                Diagnostic(
                    codes.SETTING_NOT_UNDERSTOOD,
                    f"`{each.value}` answers no finding",
                    primary=Label(each.value_span.or_else(each.span), "not used"),
                    help="write the code and words of the line that it is about, "
                    "as in `intended: Z613 at turn → over = true`",
                    severity=Severity.WARNING,
                )
            )
            continue
        words = match[2].strip('`"“”')
        found.append(Intended(match[1].upper(), words, each.reason, span=each.span))
    return Checked(tuple(found), tuple(said))


def answered(
    answers: Sequence[Intended], said: Sequence[Diagnostic], source: Source
) -> tuple[tuple[Diagnostic, ...], tuple[Answered, ...]]:
    """What of *said* is not answered, or is why an answer lapsed; and what is answered."""
    left = list(said)
    done: list[Answered] = []
    for answer in answers:
        hits = [each for each in left if _is_about(each, answer, source)]
        if hits:
            left = [each for each in left if each not in hits]
            done.append(Answered(answer.code, answer.words, answer.reason))
        elif not _stands_in(answer, source):
            left.append(_lapsed(answer))
    return tuple(left), tuple(done)


def _is_about(each: Diagnostic, answer: Intended, source: Source) -> bool:
    # What cannot be used at all is not made usable by being meant.
    if each.code.id != answer.code or each.is_error or each.primary is None or each.source:
        return False
    span = each.primary.span
    first, last = source.line_of(span.start), source.line_of(max(span.start, span.end - 1))
    lines = " ".join(source.line(number) for number in range(first, last + 1))
    return _blanks(answer.words) in _blanks(lines)


def _stands_in(answer: Intended, source: Source) -> bool:
    """Whether the words stand anywhere but in the answer itself."""
    rest = source.text[: answer.span.start] + source.text[answer.span.end :]
    return _blanks(answer.words) in _blanks(rest)


def _blanks(text: str) -> str:
    return " ".join(text.split())


def _lapsed(answer: Intended) -> Diagnostic:
    return Diagnostic(
        codes.ANSWER_LAPSED,
        f"`{answer.words}` does not stand in the document any more, "
        f"so nothing answers {answer.code}",
        primary=Label(answer.span, "has lapsed"),
        help="look at the line again, and write its words here, or remove the answer",
    )
