"""The pieces a formula is made of: names, numbers, signs and texts in quotation marks.

However a sign was typed, its token has one text, the canonical one of
``symbols``; where it stood, and how it was typed, its span says.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from zermelo.text.source import Span


class TokenKind(Enum):
    """What a token is."""

    NAME = "name"
    """A word; also words such as ``and``, which the parser may take for signs."""
    NUMBER = "number"
    SYMBOL = "symbol"
    TEXT = "text"
    """What stands between quotation marks."""


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of a formula."""

    kind: TokenKind
    text: str
    """Canonical: the sign of the table, the name with its subscript as ``C_1``."""
    span: Span
    """The characters of the source that it covers, as they were typed."""
    blank_before: bool = False
    """Whether a blank separates it from the token before it."""
