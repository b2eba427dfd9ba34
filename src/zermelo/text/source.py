"""A text with a name, places in it, and the notations its formulas may have.

Offsets count characters from 0; lines and columns count from 1 and are for people; cells
count terminal columns and are for carets.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Final

TAB_WIDTH = 4

# Controls, marks of direction, characters without width, fillers, and tags: what steers a
# terminal, turns the order of what follows, or makes two names look alike.
_HIDDEN: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u180e"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
_NOT_UTF_8: Final = re.compile("[\ud800-\udfff]")
_JOINERS: Final = "\u200c\u200d"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """The characters from *start* up to, not including, *end*."""

    start: int
    end: int

    def to(self, other: Span) -> Span:
        return Span(min(self.start, other.start), max(self.end, other.end))

    def or_else(self, other: Span) -> Span:
        """This place, or *other* if it is nowhere."""
        return other if self == NOWHERE else self

    def covers(self, other: Span) -> bool:
        return self.start <= other.start and other.end <= self.end


NOWHERE = Span(0, 0)


class Notation(Enum):
    """The ways formulas are typed."""

    UNICODE = "unicode"
    ASCII = "ascii"
    LATEX = "latex"


@dataclass(frozen=True)
class Source:
    """A document's text under the name that messages give it."""

    name: str
    text: str = field(repr=False)

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(at + 1 for at, char in enumerate(self.text) if char == "\n")]

    @property
    def line_count(self) -> int:
        return len(self._starts)

    def line_of(self, offset: int) -> int:
        """The number, from 1, of the line that holds *offset*."""
        return bisect_right(self._starts, offset)

    def column_of(self, offset: int) -> int:
        """The number, from 1, of the character of its line at *offset*."""
        return offset - self._starts[self.line_of(offset) - 1] + 1

    def line_span(self, line: int) -> Span:
        """The characters of *line* (from 1), without its line break."""
        start = self._starts[line - 1]
        end = self._starts[line] - 1 if line < len(self._starts) else len(self.text)
        return Span(start, end)

    def line(self, line: int) -> str:
        """The text of *line* (from 1), without its line break."""
        return self.slice(self.line_span(line))

    def slice(self, span: Span) -> str:
        return self.text[span.start : span.end]

    def cells(self, span: Span) -> tuple[int, int]:
        """The terminal cells that *span* covers on its first line, from 0.

        Mathematical letters and CJK are not one cell each, so a caret placed by
        character count would point beside the symbol.
        """
        bounds = self.line_span(self.line_of(span.start))
        end = min(max(span.end, span.start), bounds.end)
        before = width(self.text[bounds.start : span.start])
        inside = width(self.text[span.start : end], column=before)
        return before, before + max(inside, 1)


def fingerprint(source: Source) -> str:
    """A digest of a document's text that does not depend on how its lines end."""
    lines = (line.rstrip() for line in source.text.splitlines())
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def width(text: str, *, column: int = 0) -> int:
    """The number of terminal cells *text* takes when it starts in *column*.

    >>> width("P − ∅"), width("𝐏"), width("漢"), width("x̸")
    (5, 1, 2, 1)
    """
    if text.isascii() and text.isprintable():
        return len(text)
    at = column
    for char in visible(text):
        if char == "\t":
            at += TAB_WIDTH - at % TAB_WIDTH
        else:
            at += _char_width(char)
    return at - column


def hidden(text: str) -> Iterator[int]:
    """Where *text* has characters that are not seen as what they are.

    Joiners belong to words of Arabic and Indian scripts, and to emoji.

    >>> list(hidden("a\u202eb")), list(hidden("a\u200cb")), list(hidden("\u0645\u06cc\u200c\u062e"))
    ([1], [1], [])
    """
    for found in _HIDDEN.finditer(text):
        at = found.start()
        if found.group() not in _JOINERS or not (at and _takes_joiner(text[at - 1])):
            yield at


def _takes_joiner(char: str) -> bool:
    is_virama = unicodedata.combining(char) == 9
    is_emoji = char == "\ufe0f" or unicodedata.category(char) in {"So", "Sk"}
    return is_virama or is_emoji or unicodedata.bidirectional(char) == "AL"


def visible(text: str) -> str:
    """*text* in which hidden characters are written out by their numbers.

    >>> visible("a\u202eb")
    'a⟨U+202E⟩b'
    """
    if text.isascii() and text.isprintable():
        return text
    parts: list[str] = []
    end = 0
    for at in hidden(text):
        parts += text[end:at], f"⟨U+{ord(text[at]):04X}⟩"
        end = at + 1
    return "".join([*parts, text[end:]])


def writable(name: str) -> str:
    """The *name* of a file, with what of it is no text in UTF-8 written out by its numbers.

    >>> writable("caf" + chr(0xDCE9)), writable("café")
    ('caf⟨U+DCE9⟩', 'café')
    """
    return _NOT_UTF_8.sub(lambda found: f"⟨U+{ord(found.group()):04X}⟩", name)


def _char_width(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in {"Mn", "Me", "Cf", "Cc"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1
