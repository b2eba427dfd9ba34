"""All the texts that one net is written in, as one long row of characters.

The document itself comes first, so a place in it is what it always is; included files
follow, each with its own stretch. What is said about a place in such a file is said, in
the end, at the directive that includes it, with the file and the line in a note.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from zermelo.languages.nets.read.prod.tokens import Token
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.source import Source, Span


@dataclass(frozen=True, slots=True)
class Text:
    """One text, where it begins in the row, and the place that includes it."""

    source: Source
    start: int
    included_at: Span | None = None
    """In the row; ``None`` for the document itself, and for C files beside it."""

    def words(self, tokens: Sequence[Token]) -> str:
        """What is written from the first of *tokens*, which are its own, to the last."""
        if not tokens:
            return ""
        first, last = tokens[0].span.start - self.start, tokens[-1].span.end - self.start
        return " ".join(self.source.text[first:last].split())


@dataclass(slots=True)
class Texts:
    """The texts of one net."""

    all: list[Text] = field(default_factory=list)

    def add(self, source: Source, included_at: Span | None = None) -> Text:
        """*source* as the next text of the row."""
        start = 0
        if self.all:
            last = self.all[-1]
            start = last.start + len(last.source.text) + 1
        text = Text(source, start, included_at)
        self.all.append(text)
        return text

    def text_at(self, offset: int) -> Text:
        """The text that holds the character at *offset*."""
        at = bisect_right(self.all, offset, key=lambda each: each.start) - 1
        return self.all[max(at, 0)]

    def in_document(self, span: Span) -> Span | None:
        """The place in the document itself that leads to *span*; ``None`` if there is none."""
        at: Span | None = span
        while at is not None:
            text = self.text_at(at.start)
            if text is self.all[0]:
                return Span(at.start, min(at.end, len(text.source.text)))
            at = text.included_at
        return None

    def described(self, span: Span) -> str:
        """Where *span* is, for a note: file, line, and what stands there."""
        text = self.text_at(span.start)
        offset = span.start - text.start
        line = text.source.line_of(offset)
        column = text.source.column_of(offset)
        return f"{text.source.name}:{line}:{column}: `{text.source.line(line).strip()}`"

    def located(self, diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        """*diagnostics* with every place in the document itself."""
        return tuple(dict.fromkeys(self._located(each) for each in diagnostics))

    def _located(self, said: Diagnostic) -> Diagnostic:
        labels = (*((said.primary,) if said.primary else ()), *said.secondary)
        if all(self._is_in_document(each.span) for each in labels):
            return said
        notes = [
            f"in {self.described(each.span)}{f', {each.text}' if each.text else ''}"
            for each in labels
            if not self._is_in_document(each.span)
        ]
        primary = self._moved(said.primary)
        secondary = (self._moved(each) for each in said.secondary)
        fix = said.fix if said.fix and self._is_in_document(said.fix.span) else None
        return replace(
            said,
            primary=primary,
            secondary=tuple(each for each in secondary if each and each != primary),
            notes=(*notes, *said.notes),
            fix=fix,
        )

    def _moved(self, label: Label | None) -> Label | None:
        if label is None or self._is_in_document(label.span):
            return label
        span = self.in_document(label.span)
        return None if span is None else Label(span, "in what is included here")

    def _is_in_document(self, span: Span) -> bool:
        return self.text_at(span.start) is self.all[0]
