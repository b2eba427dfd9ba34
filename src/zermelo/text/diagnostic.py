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
    source: Source | None = None
    """The text that its places are in, where that is another file than the document."""
    play: tuple[str, ...] | None = None
    """The moves that lead to where it can be seen; its notes tell them, too, as far as they fit."""

    def __str__(self) -> str:
        return f"{self.level.value}[{self.code}]: {self.message}"

    @property
    def level(self) -> Severity:
        return self.severity or self.code.severity

    @property
    def is_error(self) -> bool:
        return self.level is Severity.ERROR


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A part of a document that is not used because of faults, here or in what it uses."""

    what: str
    """The part in a few words, as in ``rule 2 of Move``."""
    causes: tuple[Span, ...]
    """The places of the faults, as the diagnostics about them have them."""


@dataclass(frozen=True, slots=True)
class Mark:
    """How much was wrong when work on a part of a document began."""

    faults: int
    causes: int


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
        self.left_out: list[LeftOut] = []
        self._causes: list[Span] = []
        """Where the faults of the part that is worked on are."""
        self._said: list[Diagnostic] = []
        self._keys: dict[tuple[object, ...], Span | None] = {}
        self._is_quiet = False
        self._is_lenient = False

    def say(self, diagnostic: Diagnostic, *, once: str | None = None) -> None:
        """Add *diagnostic*, unless the same was said, or another with the key *once*."""
        if self._is_quiet:
            return
        place = None if diagnostic.primary is None else diagnostic.primary.span
        said = (diagnostic.message, place) if once is None else (once,)
        key = (diagnostic.code.id, *said)
        is_new = key not in self._keys
        cause = self._keys.setdefault(key, place)
        if diagnostic.is_error and cause is not None:
            self._causes.append(cause)
        if not is_new:
            return
        if self._is_lenient and diagnostic.is_error:
            diagnostic = replace(diagnostic, severity=Severity.WARNING)
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

    @property
    def is_quiet(self) -> bool:
        """Whether something only looks ahead."""
        return self._is_quiet

    def has_said(self, code: Code, *, once: str) -> bool:
        """Whether a diagnostic with the key *once* would not be added any more.

        If one was, it is the cause of this fault too.
        """
        cause = self._keys.get((code.id, once))
        if cause is not None and not self._is_quiet:
            self._causes.append(cause)
        return self._is_quiet or (code.id, once) in self._keys

    def covers(self, code: Code, *, once: str) -> bool:
        """Whether a diagnostic with the key *once* says what there is to say."""
        return (code.id, once) in self._keys

    def extend(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        for diagnostic in diagnostics:
            self.say(diagnostic)

    def unusable(self, *causes: Span) -> None:
        """Count a fault; *causes* are where it is, if nothing is said of it here."""
        self.faults += 1
        self._causes.extend(causes)

    def begin(self) -> Mark:
        """Remember how much was wrong before a part of the document is worked on."""
        return Mark(self.faults, len(self._causes))

    def is_whole(self, since: Mark) -> bool:
        """Whether no fault was found *since*."""
        return self.faults == since.faults

    def forget(self, since: Mark) -> tuple[Span, ...]:
        """The places of the faults found *since*, which are not those of the part around."""
        causes = tuple(dict.fromkeys(self._causes[since.causes :]))
        self.faults = since.faults
        del self._causes[since.causes :]
        return causes

    def leave_out(self, what: str, since: Mark) -> tuple[Span, ...]:
        """List the part *what* as left out for the faults found *since*, and give their places."""
        causes = self.forget(since)
        self.list_left_out(what, causes)
        return causes

    def list_left_out(self, what: str, causes: tuple[Span, ...]) -> None:
        """List the part *what* as left out, because of the faults at *causes*."""
        if not self._is_quiet:
            self.left_out.append(LeftOut(what, causes))

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """Look ahead: within this, nothing is said and no fault is counted."""
        before, was_quiet = self.begin(), self._is_quiet
        self._is_quiet = True
        try:
            yield
        finally:
            self.forget(before)
            self._is_quiet = was_quiet

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


def lines_of(span: Span, source: Source) -> str:
    """The lines on which *span* stands, in words."""
    first, last = source.line_of(span.start), source.line_of(span.end)
    return f"line {first}" if first == last else f"lines {first} to {last}"


_LEFT_OUT = "left out because of it: "
_MOST_LISTED = 12


def without_echoes(
    said: Iterable[Diagnostic], later: Iterable[Diagnostic]
) -> tuple[Diagnostic, ...]:
    """Of what is said *later* all but errors at the very place of an error that was *said*.

    What is wrong there was told; that it cannot be used either follows from it.
    """
    places = {each.primary.span for each in said if each.is_error and each.primary is not None}
    kept: list[Diagnostic] = []
    for each in later:
        if each.is_error and each.primary is not None:
            if each.primary.span in places:
                continue
            places.add(each.primary.span)
        kept.append(each)
    return tuple(kept)


def with_left_out(
    said: Iterable[Diagnostic], left_out: Iterable[LeftOut]
) -> tuple[Diagnostic, ...]:
    """*said*, each with a note of what is left out because of it.

    A part is listed once, at its first cause. A fault inside a line that was not read is said
    somewhere in that line, and is an error where something needs that line.
    """
    found = list(said)
    listed: dict[int, dict[str, None]] = {}
    raised: set[int] = set()
    for part in left_out:
        places = (at for cause in part.causes if (at := _said_at(found, cause)) is not None)
        at = next(places, None)
        if at is not None:
            listed.setdefault(at, {})[part.what] = None
            if found[at].severity is None:
                raised.add(at)
    for at, parts in listed.items():
        severity = Severity.ERROR if at in raised else found[at].severity
        found[at] = replace(
            found[at], notes=_with_listed(found[at].notes, parts), severity=severity
        )
    return tuple(found)


def _with_listed(notes: tuple[str, ...], parts: Iterable[str]) -> tuple[str, ...]:
    """*notes* with the *parts* that are left out in the last of them."""
    before = [note for note in notes if note.startswith(_LEFT_OUT)]
    known = [part for note in before for part in note.removeprefix(_LEFT_OUT).split(", ")]
    whats = list(dict.fromkeys((*known, *parts)))
    more = len(whats) - _MOST_LISTED
    rest = f" and {more:,} more" if more > 0 else ""
    note = f"{_LEFT_OUT}{', '.join(whats[:_MOST_LISTED])}{rest}"
    return (*(note for note in notes if note not in before), note)


def _said_at(said: Sequence[Diagnostic], cause: Span) -> int | None:
    """The diagnostic about the place *cause*, or else the first error inside it."""
    inside: list[int] = []
    for at, each in enumerate(said):
        if each.primary is None:
            continue
        if each.primary.span == cause and each.is_error:
            return at
        if cause.covers(each.primary.span):
            inside.append(at)
    return min(inside, key=lambda at: (not said[at].is_error, at), default=None)


def apply_fixes(source: Source, diagnostics: Iterable[Diagnostic]) -> str:
    """The text of *source* with every fix of *diagnostics* made that is about this text.

    Of two fixes that touch the same characters the earlier one is made; the
    other finds its place again when the new text is read.
    """
    parts: list[str] = []
    at = 0
    for fix in _compatible(each.fix for each in diagnostics if each.fix and each.source is None):
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
