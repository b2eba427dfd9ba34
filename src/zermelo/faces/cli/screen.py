"""Where the command line shows things: colour, width and ASCII are decided here."""

from __future__ import annotations

import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TextIO, TypedDict

import click

from zermelo.faces.cli.ascii import to_ascii
from zermelo.text.prose import TIE, Line, Piece, Tone
from zermelo.text.source import width as cells

WIDEST: Final = 100
"""Wider lines are hard to read."""
NARROWEST: Final = 30

_NEEDED: Final = "│●∈→✓𝒫"
"""If a stream cannot write these, it gets ASCII."""


_TURNING: Final = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Signs that turn the direction of what follows."""


class Look(TypedDict, total=False):
    """What ``click.style`` is told."""

    fg: str
    bold: bool
    dim: bool
    underline: bool


_LOOKS: Final[Mapping[Tone, Look]] = {
    Tone.PLAIN: {},
    Tone.HEADING: {"bold": True, "underline": True},
    Tone.STRONG: {"bold": True},
    Tone.FAINT: {"dim": True},
    Tone.FORMULA: {"fg": "cyan"},
    Tone.GOOD: {"fg": "green"},
    Tone.BAD: {"fg": "red"},
    Tone.CHANGED: {"fg": "yellow"},
}


@dataclass(frozen=True, slots=True)
class Screen:
    """A stream and how to write to it."""

    has_colour: bool = False
    is_ascii: bool = False
    width: int = 80
    is_error: bool = False
    """Whether it writes to standard error."""

    def show(self, lines: Iterable[Line]) -> None:
        """Write *lines*, broken where they are too long."""
        for line in lines:
            for text in self.broken(line):
                self.write(text)

    def broken(self, line: Line) -> Iterator[str]:
        """The rows that *line* takes, styled."""
        pieces = tuple(Piece(self.spelled(p.text), p.tone) for p in line.pieces)
        for row in break_line(Line(pieces, line.indent, line.hang), self.width):
            text = "".join(self.styled(p.text.replace(TIE, " "), **_LOOKS[p.tone]) for p in row)
            yield text if self.has_colour else text.rstrip()

    def say(self, *parts: str | Piece) -> None:
        """Write a line of *parts*, broken where it is too long."""
        pieces = tuple(part if isinstance(part, Piece) else Piece(part) for part in parts)
        self.show([Line(pieces)])

    def write(self, text: str = "") -> None:
        """Write *text* as it is, and end the line."""
        click.echo(text, err=self.is_error, color=self.has_colour)

    def spelled(self, text: str) -> str:
        """*text* in signs that can be written, without those that would steer a terminal."""
        harmless = text if text.isprintable() else "".join(filter(_is_harmless, text))
        return to_ascii(harmless) if self.is_ascii else harmless

    def styled(
        self,
        text: str,
        *,
        fg: str | None = None,
        bold: bool | None = None,
        dim: bool | None = None,
        underline: bool | None = None,
    ) -> str:
        """*text* in a style, where there is colour."""
        if not self.has_colour or not text.strip() or not (fg or bold or dim or underline):
            return text
        return click.style(text, fg=fg, bold=bold, dim=dim, underline=underline)


def screen(*, color: str = "auto", is_ascii: bool = False, is_error: bool = False) -> Screen:
    """The screen for this process, as its options and its environment ask for."""
    stream = sys.stderr if is_error else sys.stdout
    return Screen(
        has_colour=_has_colour(color, stream),
        is_ascii=is_ascii or not can_write(stream),
        width=max(NARROWEST, min(shutil.get_terminal_size((80, 24)).columns, WIDEST)),
        is_error=is_error,
    )


def is_interactive() -> bool:
    """Whether a person sits at both ends."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _has_colour(color: str, stream: TextIO) -> bool:
    if color != "auto":
        return color == "always"
    is_wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return is_wanted and stream.isatty()


def can_write(stream: TextIO) -> bool:
    """Whether *stream* can write the signs that formulas and boards need."""
    try:
        _NEEDED.encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _is_harmless(char: str) -> bool:
    return unicodedata.category(char) not in {"Cc", "Cs"} and char not in _TURNING


# Breaking lines

# A short tuple is not torn apart.
_WORD = re.compile(r"[ \t\n]+|(?:\([^()\s]{0,6}(?:, [^()\s]{0,6}){1,2}\)|[^ \t\n])+")


def break_line(line: Line, width: int) -> Iterator[list[Piece]]:
    """The rows that *line* takes in *width* cells, breaking at blanks only."""
    indent = " " * line.indent
    row: list[Piece] = [Piece(indent)] if indent else []
    used = line.indent
    is_fresh = True
    for blank, word in _words(line.pieces):
        gap, size = cells(blank), sum(cells(piece.text) for piece in word)
        if not is_fresh and used + gap + size > width:
            yield row
            used = line.indent + line.hang
            row = [Piece(" " * used)] if used else []
            gap, is_fresh = 0, True
        if gap:
            row.append(Piece(blank))
        row.extend(word)
        used += gap + size
        is_fresh = False
    yield row


def _words(pieces: Iterable[Piece]) -> Iterator[tuple[str, list[Piece]]]:
    """The words with the blanks before them; a word may run through several pieces."""
    blank = ""
    word: list[Piece] = []
    for piece in pieces:
        for match in _WORD.finditer(piece.text):
            if not match.group().strip(" \t\n"):
                if word:
                    yield blank, word
                    blank, word = "", []
                blank += match.group()
            else:
                word.append(Piece(match.group(), piece.tone))
    if word or blank:
        yield blank, word
