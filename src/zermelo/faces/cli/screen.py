"""Where the command line shows things: colour, width and ASCII are decided here."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TextIO, TypedDict

import click

from zermelo.text import render
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Diagnostic, Json
from zermelo.text.prose import TIE, Line, Piece, Tone, count, listing, tied
from zermelo.text.render import CUT, json_text
from zermelo.text.source import Source, visible, width
from zermelo.text.source import width as cells

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
    "⊕": "xor",
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
    "⟨": "<",
    "⟩": ">",
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

    What does not fit goes on behind a sign of its own.

    >>> to_ascii_cells("…set of all c…")
    '~set of all c~'
    """
    return "".join(map(_cells_of, text))


def _cells_of(char: str) -> str:
    if char.isascii():
        return char
    if char == CUT:
        return "~"
    spelled, size = to_ascii(char), width(char)
    return spelled if len(spelled) == size else "?" * size


def _sign(char: str) -> str:
    if char.isascii():
        return char
    return "" if unicodedata.combining(char) else "?"


WIDEST: Final = 100
"""Wider lines are hard to read."""
NARROWEST: Final = 30

_NEEDED: Final = "│●∈→✓𝒫"
"""If a stream cannot write these, it gets ASCII."""


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
    columns: int = 80
    """How wide the terminal is; lines of documents take all of it."""

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
        """*text* in signs that can be written; those that steer a terminal are written out."""
        harmless = "".join(char for char in visible(text) if char not in "\t\n\r")
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
    columns = max(NARROWEST, shutil.get_terminal_size((80, 24)).columns)
    return Screen(
        has_colour=_has_colour(color, stream),
        is_ascii=is_ascii or not can_write(stream),
        width=min(columns, WIDEST),
        is_error=is_error,
        columns=columns,
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


def print_data(text: str) -> None:
    """Print *text* for other programs as it is; a terminal gets nothing that would steer it."""
    shown = text
    if sys.stdout.isatty():
        shown = "\n".join(visible(row) for row in text.split("\n"))
    click.echo(shown, nl=not text.endswith("\n"))


def print_json(data: Json) -> None:
    click.echo(json_for_output(data))


def json_for_output(data: Json) -> str:
    """*data* in JSON; where standard output knows no Unicode, JSON has a spelling for it."""
    return json_text(data) if can_write(sys.stdout) else json.dumps(data, indent=2)


# Diagnostics

# A line of the document, of carets or of words below them, or what stands for lines left out.
_OF_DOCUMENT: Final = re.compile(r" *\d* +[|:]")
_REMARK: Final = re.compile(r" *= \w+: ")
_HANG: Final = 4


MOST_SHOWN: Final = 100
"""How many diagnostics a person is shown who does not ask for all of them."""


def show_diagnostics(
    diagnostics: Sequence[Diagnostic], source: Source, screen: Screen, *, rest: str | None
) -> None:
    """Write *diagnostics* in full, with the lines they speak of.

    Of many it is the most severe, and the command or option *rest* shows all; ``None`` where they
    are to be shown at once.
    """
    if rest is not None and len(diagnostics) > MOST_SHOWN:
        shown = render.most_severe(diagnostics, MOST_SHOWN)
        show_diagnostics(shown, source, screen, rest=None)
        known = {id(each) for each in shown}
        more = summary(each for each in diagnostics if id(each) not in known)
        screen.write()
        screen.say(
            Piece(
                f"These are the {MOST_SHOWN} most severe; there are {more} more, and "
                f"{tied(f'`{rest}`')} shows all.",
                Tone.STRONG,
            )
        )
        return
    for at, each in enumerate(render.in_order(diagnostics)):
        if at:
            screen.write()
        _show_diagnostic(each, source, screen)


def _show_diagnostic(diagnostic: Diagnostic, source: Source, screen: Screen) -> None:
    text = render.full([diagnostic], source, color=screen.has_colour, columns=screen.columns)
    for row in text.split("\n"):
        if _OF_DOCUMENT.match(click.unstyle(row)):
            # Such lines keep their widths, so that carets stay below what they point at.
            screen.write(to_ascii_cells(row) if screen.is_ascii else row)
        else:
            for part in broken(to_ascii(row) if screen.is_ascii else row, screen.width):
                screen.write(part)


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """How many errors and warnings there are."""
    found = Counter(each.level for each in diagnostics)
    parts = [count(found[level], level.value) for level in Severity if found[level]]
    return listing(parts) or "nothing to say"


def broken(row: str, size: int) -> Iterator[str]:
    """A *row* that is already styled, in parts of at most *size* cells; a remark hangs together.

    >>> list(broken(" = note: it is back at its first value", 24))
    [' = note: it is back at', '         its first value']
    """
    remark = _REMARK.match(click.unstyle(row))
    hang = " " * (remark.end() if remark else _HANG)
    start = len(row) - len(row.lstrip(" "))
    words = row[start:].split(" ")
    part = row[:start] + words[0]
    for word in words[1:]:
        longer = f"{part} {word}"
        if width(click.unstyle(longer)) > size:
            yield part
            longer = hang + word
        part = longer
    yield part
