"""Characters as they are meant, each with the place where it stood.

Documents come from word processors, PDF and web pages: letters in mathematical
fonts, blanks of every width, HTML entities, raised and lowered digits. Here all
of that becomes plain characters; what is left is the business of the lexer.
"""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from zermelo.text.source import Source, Span

STROKES: Final = frozenset("\u0337\u0338\u20d2")
"""Strokes that should lie through the next sign, as PDF viewers copy them."""


@dataclass(frozen=True, slots=True)
class Characters:
    """A cleaned text; its *i*-th character was typed at ``starts[i]:ends[i]``."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def span(self, start: int, end: int) -> Span:
        """Where the characters from *start* up to *end* were typed."""
        if start >= len(self.text):
            last = self.ends[-1] if self.ends else 0
            return Span(last, last)
        return Span(self.starts[start], self.ends[max(end - 1, start)])


def cleaned(source: Source, span: Span) -> Characters:
    """The characters in *span* of *source* as they are meant."""
    text: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    shift = ""
    for typed, start, end in _pieces(source.text, span):
        piece = typed
        if shift and piece[:1] == shift and len(piece) > 1:
            piece = piece[1:]
        shift = typed[0] if len(typed) > 1 and typed[0] in "^_" and typed[1] != "{" else ""
        marked = _with_mark(text, piece)
        if marked is not None:
            text[-1] = marked
            ends[-1] = end
            continue
        for char in piece:
            text.append(char)
            starts.append(start)
            ends.append(end)
    return Characters("".join(text), tuple(starts), tuple(ends))


_TAG = re.compile(
    r"<(/?(?:br|em|strong|span|code|tt|div|small|math|sup|sub|b|i|u|p))(?:\s[^<>\n]{0,200})?/?>",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_SCRIPT_P: Final = frozenset("𝒫𝓟℘")
_KEPT: Final = frozenset("ℕℤℝℚℂ")
_ESCAPED: Final = ("_", "*", "#", "$", "%", "&")
"""Characters that LaTeX and Markdown want a backslash before."""


def _pieces(text: str, span: Span) -> list[tuple[str, int, int]]:
    """What each character, entity or tag of the span stands for, with its place."""
    pieces: list[tuple[str, int, int]] = []
    tags = frozenset(tag.group(1).lower() for tag in _TAG.finditer(text, span.start, span.end))
    at = span.start
    while at < span.end:
        end = at + 1
        char = text[at]
        meant = None
        if char == "<" and (tag := _TAG.match(text, at, span.end)):
            meant = _tag(tag.group(1).lower(), tags)
            end = tag.end() if meant is not None else end
        elif char == "\\" and text[at + 1 : at + 2] in _ESCAPED and end < span.end:
            meant = text[at + 1]
            end = at + 2
        elif char == "&" and (entity := _ENTITY.match(text, at, span.end)):
            decoded = html.unescape(entity.group())
            if decoded != entity.group():
                meant = "".join(_character(part) for part in decoded)
                end = entity.end()
        pieces.append((_character(char) if meant is None else meant, at, end))
        at = end
    return pieces


def _tag(name: str, tags: frozenset[str]) -> str | None:
    """What a tag stands for; ``None`` if it is no tag, as in ``a <b> c``."""
    match name:
        case "sup":
            return "^{"
        case "sub":
            return "_{"
        case "/sup" | "/sub":
            return "}"
        case "br" | "/br":
            return " "
        case _:
            partner = name.removeprefix("/") if name.startswith("/") else f"/{name}"
            if partner not in tags:
                return None
            return " " if partner.strip("/") in {"p", "div"} else ""


def _character(char: str) -> str:
    """The plain characters that *char* stands for, none if it only takes up room."""
    if char.isascii():
        return " " if char.isspace() else char
    if char in _SCRIPT_P:
        return "𝒫"
    if char in _KEPT:
        return char
    category = unicodedata.category(char)
    if char.isspace() or category == "Zs":
        return " "
    if category == "Cf" or _is_variation_selector(char):
        return ""
    return _decomposed(char)


def _is_variation_selector(char: str) -> bool:
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


_RAISED: Final = {"⁺": "+", "⁻": "-", "⁼": "=", "⁽": "(", "⁾": ")"}


def _decomposed(char: str) -> str:
    """Raised and lowered characters with ``^`` and ``_``, letters of any font plain."""
    form, _, _ = unicodedata.decomposition(char).partition(" ")
    plain = unicodedata.normalize("NFKC", char)
    match form:
        case "<super>":
            return f"^{_RAISED.get(char, plain)}"
        case "<sub>" if plain.isalnum():
            return f"_{plain}"
        case "<font>" | "<wide>" | "<narrow>":
            return plain
        case "<compat>" if plain.isalpha():
            return plain
        case "<fraction>":
            return f"({plain})"
        case _:
            return char


def _with_mark(before: list[str], piece: str) -> str | None:
    """The last character with the mark *piece* on it, if the two are one character."""
    if len(piece) != 1 or not before or unicodedata.combining(piece) == 0:
        return None
    joined = unicodedata.normalize("NFC", before[-1] + piece)
    return joined if len(joined) == 1 else None
