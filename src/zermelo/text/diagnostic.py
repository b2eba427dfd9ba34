"""What there is to say about a document, as data.

One record serves the terminal, JSON, an editor and the golden files; nothing
reads a rendered message back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from zermelo.text.source import Span

T = TypeVar("T")
U = TypeVar("U")


class Severity(Enum):
    """How much a diagnostic matters."""

    ERROR = "error"
    """Something that cannot be used."""
    WARNING = "warning"
    """Something that could be assumed; the assumption is said."""
    NOTE = "note"
    """Something worth knowing."""


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of diagnostic; its page explains it."""

    id: str
    title: str
    severity: Severity


@dataclass(frozen=True, slots=True)
class Label:
    """Words at a place."""

    span: Span
    text: str = ""


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
        """The severity of this case."""
        return self.severity or self.code.severity

    @property
    def is_error(self) -> bool:
        """Whether something could not be used."""
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
