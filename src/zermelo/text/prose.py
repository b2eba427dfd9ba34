"""Text for people as data: lines of pieces, each with a tone.

How it looks (colour, width, ASCII) is decided by the faces.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

TIE = "\u00a0"
"""A blank at which a line is not broken."""

_LONGEST_TIED = 48


class Tone(Enum):
    """What a piece of text is, so that a face can show it."""

    PLAIN = "plain"
    HEADING = "heading"
    STRONG = "strong"
    FAINT = "faint"
    """Of less weight: a formula below its sentence, what did not change."""
    FORMULA = "formula"
    GOOD = "good"
    BAD = "bad"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text in one tone."""

    text: str
    tone: Tone = Tone.PLAIN


Pieces: TypeAlias = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A line, which a face breaks where it is too long; without pieces it is blank."""

    pieces: Pieces = ()
    indent: int = 0
    hang: int = 0
    """How much further the lines after the first are indented when it is broken."""

    @property
    def text(self) -> str:
        """The line without its tones, unbroken.

        >>> Line((Piece("a "), Piece("b", Tone.STRONG)), indent=2).text
        '  a b'
        """
        text = "".join(piece.text for piece in self.pieces)
        return " " * self.indent + text.replace(TIE, " ")


BLANK = Line()


def line(*parts: str | Piece, indent: int = 0, hang: int = 0) -> Line:
    """A line of *parts*; strings are plain.

    >>> line("rule ", Piece("1", Tone.STRONG)).text
    'rule 1'
    """
    pieces = tuple(part if isinstance(part, Piece) else Piece(part) for part in parts)
    return Line(pieces, indent, hang)


def tied(text: str) -> str:
    return text.replace(" ", TIE) if len(text) <= _LONGEST_TIED else text


def heading(text: str) -> Line:
    return line(Piece(text, Tone.HEADING))


def plain_text(lines: Iterable[Line]) -> str:
    return "\n".join(one.text.rstrip() for one in lines)


def listing(items: Iterable[str], *, last: str = "and") -> str:
    """The *items* as a sentence lists them.

    >>> listing(["a", "b", "c"]), listing(["a", "b"], last="or")
    ('a, b and c', 'a or b')
    """
    *most, end = list(items) or [""]
    return f"{', '.join(most)} {last} {end}" if most else end


def capital(sentence: str) -> str:
    """*sentence* as it begins with a capital letter, the rest as it is.

    >>> capital("proved for A")
    'Proved for A'
    """
    return f"{sentence[:1].upper()}{sentence[1:]}"


def count(number: int, noun: str, plural: str | None = None) -> str:
    """*number* things.

    >>> count(1, "move"), count(3, "move"), count(12000, "play")
    ('1 move', '3 moves', '12,000 plays')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
