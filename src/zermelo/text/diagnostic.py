"""What there is to say about a document, as data: collected, and its fixes applied.

Nothing reads a rendered message back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Generic, TypeAlias, TypeVar

from zermelo.text.codes import Code, Severity
from zermelo.text.source import NOWHERE, Source, Span

T = TypeVar("T")
U = TypeVar("U")

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None


@dataclass(frozen=True, slots=True)
class Label:
    """Words at a place."""

    span: Span
    text: str = ""


def label_at(span: Span | None, text: str) -> Label | None:
    """A label at *span*, if that is a place in the document."""
    return None if span is None or span == NOWHERE else Label(span, text)


@dataclass(frozen=True, slots=True)
class Fix:
    """A replacement that is certain enough to be made by a program."""

    span: Span
    replacement: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing to say: what is wrong, where, the evidence, and what to do."""

    code: Code
    message: str
    primary: Label | None = None
    secondary: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: str | None = None
    fix: Fix | None = None
    severity: Severity | None = None
    """Set where this case differs from its code's usual severity."""

    @property
    def level(self) -> Severity:
        return self.severity or self.code.severity

    @property
    def is_error(self) -> bool:
        return self.level is Severity.ERROR


@dataclass(frozen=True, slots=True)
class Checked(Generic[T]):
    """A value with everything said on the way to it; ``None`` when there is none."""

    value: T | None
    diagnostics: tuple[Diagnostic, ...] = ()

    def then(self, stage: Callable[[T], Checked[U]]) -> Checked[U]:
        """Run the next stage if there is a value, and keep what was said."""
        if self.value is None:
            return Checked(None, self.diagnostics)
        after = stage(self.value)
        return Checked(after.value, self.diagnostics + after.diagnostics)


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
        said = (diagnostic.message, place) if once is None else (once,)
        key = (diagnostic.code.id, *said)
        if key not in self._keys:
            self._keys.add(key)
            self._said.append(diagnostic)

    def tell(
        self,
        code: Code,
        message: str,
        primary: Label | None,
        *secondary: Label,
        notes: tuple[str, ...] = (),
        help: str | None = None,  # noqa: A002 (the name that a diagnostic has for it)
        fix: Fix | None = None,
        severity: Severity | None = None,
        once: str | None = None,
    ) -> None:
        """Say the diagnostic that these make."""
        self.say(
            Diagnostic(code, message, primary, secondary, notes, help, fix, severity), once=once
        )

    def has_said(self, code: Code, *, once: str) -> bool:
        """Whether a diagnostic with the key *once* would not be added any more."""
        return self._is_quiet or (code.id, once) in self._keys

    def extend(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        for diagnostic in diagnostics:
            self.say(diagnostic)

    def unusable(self) -> None:
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

        def place(each: Diagnostic) -> tuple[bool, int]:
            return each.primary is None, each.primary.span.start if each.primary else 0

        return tuple(sorted(self._said, key=place))


def apply_fixes(source: Source, diagnostics: Iterable[Diagnostic]) -> str:
    """The text of *source* with every fix of *diagnostics* made.

    Of two fixes that touch the same characters the earlier one is made; the
    other finds its place again when the new text is read.
    """
    parts: list[str] = []
    at = 0
    for fix in _compatible(each.fix for each in diagnostics if each.fix):
        parts += (source.text[at : fix.span.start], fix.replacement)
        at = fix.span.end
    return "".join(parts) + source.text[at:]


def _compatible(fixes: Iterable[Fix]) -> list[Fix]:
    kept: list[Fix] = []
    for fix in sorted(set(fixes), key=lambda each: (each.span, each.replacement)):
        span, last = fix.span, kept[-1].span if kept else Span(-1, -1)
        # Two that touch are both made where both replace something.
        if span.start > last.end or last.start < last.end == span.start < span.end:
            kept.append(fix)
    return kept
