"""The parts of a printed document: prose, formulas, and lines of an interpreter.

A line belongs to a formula when it holds mathematics and no words but those that join
formulas: *iff*, *where*, *if*, *otherwise*, and numbers in brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from zermelo.languages.led.read import tree
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.source import Source, Span


class StretchKind(Enum):
    """What a stretch of a document is."""

    PROSE = "prose"
    DISPLAY = "display"
    """Mathematics on lines of its own."""
    PLAIN = "plain"
    """A definition on a line of its own, without signs around it: no LaTeX."""
    INLINE = "inline"
    """Mathematics within a line that has no other words."""
    GLUE = "glue"
    """Words and numbers between pieces of mathematics."""
    SESSION = "session"
    """Lines typed to an interpreter, and its answers."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a document; *span* leaves the signs around mathematics out."""

    what: StretchKind
    span: Span


@dataclass(frozen=True, slots=True)
class _Math:
    """Mathematics, with and without the signs around it."""

    outer: Span
    inner: Span
    is_display: bool


PROMPT: Final = re.compile(r"^\s*cmd\s*:\s*>")

_ENVIRONMENTS: Final = r"(?:equation|align|eqnarray|gather|multline|displaymath)\*?"
_OPENER: Final = re.compile(rf"\\\$|\$\$|\$|\\\[|\\\(|\\begin\{{{_ENVIRONMENTS}\}}")
_FENCE: Final = re.compile(r"\s*(?:```|~~~)")
_GLUE: Final = re.compile(
    r"(?:\s|iff\b|where\b|if\b|otherwise\b|and\b|[.,;:∧&≡]|:=|\(\s*\d{1,5}\s*\))*\Z"
)
_NUMBERS: Final = re.compile(r"(?:\s|\(\s*\d{1,5}\s*\))+\Z")
_PLAIN: Final = re.compile(
    r"\s*(?P<name>[^\W\d_]\w*(?: \w+){0,3}?)(?: ?\([\w, ]*\))?\s*"
    r"(?::=|≔|(?:iff\b|≡)(?=[^\n]*\(\d{1,5}\)\s*\Z))"
)


def stretches(source: Source) -> tuple[Stretch, ...]:
    text = source.text
    result: list[Stretch] = []
    at = 0
    for session in (*_sessions(source), None):
        stop = len(text) if session is None else session.span.start
        result += _between(text, Span(at, max(at, stop)))
        if session is not None:
            result.append(session)
            at = session.span.end
    return tuple(_merged(result))


def _sessions(source: Source) -> tuple[Stretch, ...]:
    """Blocks of code, and lines behind a prompt up to the next blank line."""
    result: list[Stretch] = []
    line = 1
    count = source.line_count
    while line <= count:
        first = line
        if _FENCE.match(source.line(line)):
            line += 1
            while line <= count and not _FENCE.match(source.line(line)):
                line += 1
            inside = range(first + 1, line)
            is_session = any(PROMPT.match(source.line(each)) for each in inside)
        elif PROMPT.match(source.line(line)):
            while line < count and source.line(line + 1).strip():
                line += 1
            is_session = True
        else:
            line += 1
            continue
        span = source.line_span(first).to(source.line_span(min(line, count)))
        result.append(Stretch(StretchKind.SESSION if is_session else StretchKind.PROSE, span))
        line += 1
    return tuple(result)


def _between(text: str, span: Span) -> Iterator[Stretch]:
    """The stretches of a part without sessions."""
    at = span.start
    row: list[_Math | Span] = []
    for each in (*_maths(text, span), None):
        stop = span.end if each is None else each.outer.start
        while True:
            line_end = text.find("\n", at, stop)
            if line_end < 0:
                row.append(Span(at, stop))
                break
            row.append(Span(at, line_end))
            yield from _row(text, row)
            row = []
            at = line_end + 1
        if each is None:
            break
        row.append(each)
        at = each.outer.end
    yield from _row(text, row)


def _row(text: str, row: Sequence[_Math | Span]) -> Iterator[Stretch]:
    """The stretches of one line, in which mathematics counts as one sign."""
    maths = [each for each in row if isinstance(each, _Math)]
    words = [each for each in row if isinstance(each, Span)]
    spans = [each.outer if isinstance(each, _Math) else each for each in row]
    whole = spans[0].to(spans[-1])
    if not maths:
        line = text[whole.start : whole.end]
        if line.strip():
            kind = StretchKind.GLUE if _GLUE.match(line) else StretchKind.PROSE
            yield Stretch(StretchKind.PLAIN if _is_definition(text, line) else kind, whole)
        return
    if all(_GLUE.match(text[each.start : each.end]) for each in words):
        for each in row:
            if isinstance(each, _Math):
                kind = StretchKind.DISPLAY if each.is_display else StretchKind.INLINE
                yield Stretch(kind, each.inner)
            elif text[each.start : each.end].strip():
                yield Stretch(StretchKind.GLUE, each)
        return
    at = whole.start
    for display in (each for each in maths if each.is_display):
        if display.outer.start > at:
            yield Stretch(StretchKind.PROSE, Span(at, display.outer.start))
        yield Stretch(StretchKind.DISPLAY, display.inner)
        at = display.outer.end
    rest = text[at : whole.end]
    if rest.strip():
        is_number = at > whole.start and _NUMBERS.match(rest)
        yield Stretch(StretchKind.GLUE if is_number else StretchKind.PROSE, Span(at, whole.end))


def _is_definition(text: str, line: str) -> bool:
    """Whether *line* begins with a head; one of several words is a name that print split."""
    found = _PLAIN.match(line)
    if found is None:
        return False
    words = found["name"].split()
    return len(words) == 1 or "".join(words) in text


def _maths(text: str, span: Span) -> Iterator[_Math]:
    """The mathematics between signs that come in pairs; what is not closed is prose."""
    at = span.start
    never_closed: set[str] = set()
    while found := _OPENER.search(text, at, span.end):
        at = found.end()
        opener = found.group()
        if opener == "\\$" or opener in never_closed:
            continue
        closer = {"\\[": "\\]", "\\(": "\\)"}.get(opener) or opener.replace("begin", "end")
        limit = span.end
        if opener == "$":
            blank = text.find("\n\n", at, span.end)
            limit = span.end if blank < 0 else blank
        end = text.find(closer, at, limit)
        if end < 0:
            if opener != "$":
                never_closed.add(opener)
            continue
        outer = Span(found.start(), end + len(closer))
        yield _Math(outer, Span(found.end(), end), is_display=opener not in {"$", "\\("})
        at = outer.end


def _merged(parts: Sequence[Stretch]) -> Iterator[Stretch]:
    """*parts* with prose that goes on from line to line as one."""
    pending: Stretch | None = None
    for part in parts:
        if pending and part.what is StretchKind.PROSE:
            pending = Stretch(StretchKind.PROSE, pending.span.to(part.span))
            continue
        if pending:
            yield pending
        pending = part if part.what is StretchKind.PROSE else None
        if pending is None:
            yield part
    if pending:
        yield pending


# Sessions with an interpreter


def transcript_entries(source: Source, span: Span) -> Checked[tuple[tree.TranscriptEntry, ...]]:
    """The lines behind prompts within *span*, each with the answer below it."""
    result: list[tree.TranscriptEntry] = []
    said: list[Diagnostic] = []
    typed: tuple[str, Span] | None = None
    first, last = source.line_of(span.start), source.line_of(max(span.end - 1, span.start))
    for line in map(source.line_span, range(first, last + 1)):
        text = source.slice(line)
        prompt = PROMPT.match(text)
        if prompt:
            typed = (text[prompt.end() :].strip(), line)
        elif typed and text.strip() and not _FENCE.match(text):
            answer, stray = _answer(source, line)
            if stray:
                said.append(stray)
            result.append(tree.TranscriptEntry(typed[0], answer, span=typed[1].to(line)))
            typed = None
    return Checked(tuple(result), tuple(said))


def _answer(source: Source, line: Span) -> tuple[str, Diagnostic | None]:
    text = source.slice(line).strip()
    if len(text) < 2 or text[0] not in '"“”' or text[-1] not in '"“”':
        return text, None
    inner = text[1:-1]
    marks = [at for at, char in enumerate(inner) if char in '"“”']
    if len(marks) % 2 == 0:
        return inner, None
    place = source.text.index(text, line.start) + 1 + marks[0]
    kept = "".join(char for at, char in enumerate(inner) if at not in marks)
    return kept, Diagnostic(
        codes.STRAY_QUOTE,
        "a quotation mark within an answer has no partner",
        primary=Label(Span(place, place + 1), "left out"),
        notes=(f"the answer is taken as `{kept}`",),
    )
