"""The tokens of a net: C's, and the brackets and dots of tuples."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from zermelo.text.source import Span


class Kind(Enum):
    """The kinds of tokens."""

    NAME = "name"
    NUMBER = "number"
    CHARACTER = "character"
    TEXT = "text"
    SIGN = "sign"
    LINE_END = "line end"
    DIRECTIVE = "directive"
    """``#place`` and the like: what the preprocessor leaves to the parser."""
    OTHER = "other"
    """A character that nets do not use."""
    END = "end"


@dataclass(frozen=True, slots=True)
class Token:
    """A token and its place in the row of texts.

    What a macro stands for has the place at which the macro is used.
    """

    kind: Kind
    text: str
    span: Span
    hidden: frozenset[str] = frozenset()
    """Macros that are being expanded, so that none expands inside itself."""

    def is_sign(self, *texts: str) -> bool:
        """Whether it is one of these signs."""
        return self.kind is Kind.SIGN and self.text in texts

    def is_name(self, *texts: str) -> bool:
        """Whether it is one of these names."""
        return self.kind is Kind.NAME and self.text in texts

    def is_directive(self, *texts: str) -> bool:
        """Whether it is one of these directives."""
        return self.kind is Kind.DIRECTIVE and self.text in texts


def counted(number: int, what: str) -> str:
    """So many of *what*, in a message.

    >>> counted(1, "argument"), counted(2, "index")
    ('1 argument', '2 indexes')
    """
    many = f"{what}es" if what.endswith("x") else f"{what}s"
    return f"{number:,} {what if number == 1 else many}"
