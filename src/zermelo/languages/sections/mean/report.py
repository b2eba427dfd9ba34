"""Collecting what there is to say about a document, each cause once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from zermelo.text.diagnostic import Diagnostic, Severity
from zermelo.text.source import Source, Span


class Report:
    """What was said so far about one document, and how much of it could not be used.

    ``faults`` counts places that cannot be used. Whoever elaborates an item compares
    it before and after: the cause may have been said at another place already.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.faults = 0
        self._said: list[Diagnostic] = []
        self._keys: set[tuple[object, ...]] = set()
        self._is_quiet = False
        self._is_lenient = False

    def say(self, diagnostic: Diagnostic, *, once: str | None = None) -> None:
        """Add *diagnostic*, unless the same was said, or another with the key *once*."""
        if self._is_quiet:
            return
        if self._is_lenient and diagnostic.is_error:
            diagnostic = replace(diagnostic, severity=Severity.WARNING)
        place = None if diagnostic.primary is None else diagnostic.primary.span
        key: tuple[object, ...] = (
            (diagnostic.code.id, diagnostic.message, place)
            if once is None
            else (diagnostic.code.id, once)
        )
        if key not in self._keys:
            self._keys.add(key)
            self._said.append(diagnostic)

    def extend(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        """Add what another stage has said."""
        for diagnostic in diagnostics:
            self.say(diagnostic)

    def unusable(self) -> None:
        """Note that the item being elaborated cannot be used."""
        self.faults += 1

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """Look ahead: within this, nothing is said and no fault is counted."""
        faults, was_quiet = self.faults, self._is_quiet
        self._is_quiet = True
        try:
            yield
        finally:
            self.faults, self._is_quiet = faults, was_quiet

    @contextmanager
    def loud(self) -> Iterator[None]:
        """Speak even while something looks ahead: what is found is kept, and found only once."""
        was_quiet = self._is_quiet
        self._is_quiet = False
        try:
            yield
        finally:
            self._is_quiet = was_quiet

    @contextmanager
    def lenient(self, *, when: bool) -> Iterator[None]:
        """Say as a warning what is wrong with something that nothing uses."""
        before = self._is_lenient
        self._is_lenient = before or when
        try:
            yield
        finally:
            self._is_lenient = before

    def braced(self, span: Span) -> str:
        """What stands at *span*, in set braces as the line around it has them."""
        line = self.source.line(self.source.line_of(span.start))
        left, right = ("\\{", "\\}") if "$" in line or "\\" in line else ("{", "}")
        return f"{left}{self.source.slice(span)}{right}"

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything said, in the order of the places it is about."""
        return tuple(sorted(self._said, key=_place))


def _place(diagnostic: Diagnostic) -> tuple[int, int]:
    if diagnostic.primary is None:
        return (1, 0)
    return (0, diagnostic.primary.span.start)
