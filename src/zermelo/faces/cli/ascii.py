"""Text for terminals that have nothing but ASCII."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Final

from zermelo.text.prose import TIE
from zermelo.text.source import width

_SYMBOLS: Final[Mapping[str, str]] = {
    # Formulas, in spellings that documents may use too.
    "∈": "in",
    "∉": "notin",
    "⊆": "subset",
    "⊂": "proper subset",
    "⊈": "not subset",
    "∪": "union",
    "∩": "inter",
    "∖": "\\",
    "×": "x",
    "·": "*",
    "−": "-",
    "≠": "!=",
    "≤": "<=",
    "≥": ">=",
    "¬": "~",
    "∧": "/\\",
    "∨": "\\/",
    "→": "->",
    "↔": "<->",
    "∀": "forall ",
    "∃": "exists ",
    "∑": "sum ",
    "∏": "product ",
    "∅": "{}",
    "𝒫": "P",
    "ℕ": "N",
    "ℤ": "Z",
    "⁺": "+",
    "⌊": "floor(",
    "⌋": ")",
    "⌈": "ceil(",
    "⌉": ")",
    # Signs of the faces.
    "✓": "+",
    "✗": "x",
    "●": "*",
    "○": "o",
    "▸": ">",
    "…": "...",
    "–": "-",
    "—": "-",
    "“": '"',
    "”": '"',
    "‘": "'",
    "’": "'",
    "•": "*",
    # Lines of boards and tables.
    "─": "-",
    "│": "|",
    "╭": "+",
    "╮": "+",
    "╰": "+",
    "╯": "+",
    **dict.fromkeys("┌┐└┘├┤┬┴┼╶╴╷╵", "+"),
}
_TABLE: Final = str.maketrans(dict(_SYMBOLS))


def to_ascii(text: str) -> str:
    """*text* with every sign spelled in ASCII.

    >>> to_ascii("posn ∈ free → X = X ∪ {posn}")
    'posn in free -> X = X union {posn}'
    """
    if text.isascii():
        return text
    parts = text.translate(_TABLE).split(TIE)
    return TIE.join("".join(map(_sign, unicodedata.normalize("NFKD", part))) for part in parts)


def to_ascii_cells(text: str) -> str:
    """*text* in ASCII with every sign in as many cells as before, so that carets stay in place.

    >>> to_ascii_cells("a − b ∈ 漢")
    'a - b ? ??'
    """
    return "".join(map(_cells_of, text))


def _cells_of(char: str) -> str:
    if char.isascii():
        return char
    spelled, size = to_ascii(char), width(char)
    return spelled if len(spelled) == size else "?" * size


def _sign(char: str) -> str:
    if char.isascii():
        return char
    return "" if unicodedata.combining(char) else "?"
