"""What was typed to an interpreter, and its answers, as a printed document shows them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from zermelo.languages.led.read import tree
from zermelo.languages.led.read.printed.layout import PROMPT
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.source import Source, Span

_FENCE: Final = re.compile(r"\s*(?:```|~~~)")


def tests(source: Source, span: Span) -> Checked[tuple[tree.Test, ...]]:
    """The lines behind prompts within *span*, each with the answer below it."""
    result: list[tree.Test] = []
    said: list[Diagnostic] = []
    typed: tuple[str, Span] | None = None
    for line in _lines(source, span):
        text = source.slice(line)
        prompt = PROMPT.match(text)
        if prompt:
            typed = (text[prompt.end() :].strip(), line)
        elif typed and text.strip() and not _FENCE.match(text):
            answer, stray = _answer(source, line)
            if stray:
                said.append(stray)
            result.append(tree.Test(typed[0], answer, span=typed[1].to(line)))
            typed = None
    return Checked(tuple(result), tuple(said))


def _lines(source: Source, span: Span) -> Iterator[Span]:
    first, last = source.line_of(span.start), source.line_of(max(span.end - 1, span.start))
    for number in range(first, last + 1):
        yield source.line_span(number)


def _answer(source: Source, line: Span) -> tuple[str, Diagnostic | None]:
    """The answer on *line*: what stands between its quotation marks."""
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
