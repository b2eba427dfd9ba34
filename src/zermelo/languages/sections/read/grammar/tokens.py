"""The pieces a formula is made of: names, numbers, signs and texts in quotation marks.

However a sign was typed, its token has one text, the canonical one of
``symbols``; where it stood, and how it was typed, its span says.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from zermelo.languages.sections.read.grammar.symbols import NEGATED
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Fix, Label
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


_NUMBER_SETS: Final = frozenset(("Z", "N", "ℤ", "ℕ"))
_MARKED_SETS: Final = (
    (("^", "+"), "ℤ⁺"),
    (("^", "(", "+", ")"), "ℤ⁺"),
    (("_", "+"), "ℤ⁺"),
    (("_", "{", "+", "}"), "ℤ⁺"),
    (("_", "{", ">", "0", "}"), "ℤ⁺"),
    (("_", "{", "≥", "0", "}"), "ℕ"),
)


def assembled(
    tokens: Sequence[Token], source: Source
) -> tuple[tuple[Token, ...], tuple[Diagnostic, ...]]:
    """*tokens* with those that belong together made one."""
    said: list[Diagnostic] = []
    done: list[Token] = []
    at = 0
    while at < len(tokens):
        joined, used = _joined(tokens, at, source=source, said=said)
        if joined is not None:
            done.append(joined)
        at += used
    return tuple(done), tuple(said)


def _joined(
    tokens: Sequence[Token], at: int, *, source: Source, said: list[Diagnostic]
) -> tuple[Token | None, int]:
    """The token that begins at *at*, and the number of tokens it was made of."""
    token = tokens[at]
    if token.text == "\\not" or (token.text in STROKES and token.kind is TokenKind.SYMBOL):
        return _stroked(tokens, at, source=source, said=said)
    if token.text in _NUMBER_SETS and token.kind is not TokenKind.TEXT:
        for marks, meant in _MARKED_SETS:
            group = tokens[at + 1 : at + 1 + len(marks)]
            if tuple(mark.text for mark in group) == marks and not group[0].blank_before:
                span = token.span.to(group[-1].span)
                return Token(TokenKind.SYMBOL, meant, span, token.blank_before), 1 + len(marks)
    if token.kind is TokenKind.NAME:
        return _subscripted(tokens, at)
    return token, 1


def _stroked(
    tokens: Sequence[Token], at: int, *, source: Source, said: list[Diagnostic]
) -> tuple[Token | None, int]:
    stroke = tokens[at]
    is_command = stroke.text == "\\not"
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if following is None or following.text not in NEGATED:
        if is_command:
            return Token(TokenKind.SYMBOL, "¬", stroke.span, stroke.blank_before), 1
        said.append(_lost_stroke(stroke))
        return None, 1
    meant = NEGATED[following.text]
    whole = Token(TokenKind.SYMBOL, meant, stroke.span.to(following.span), stroke.blank_before)
    if not is_command:
        said.append(damaged_sign(source, (stroke, following), meant))
    return whole, 2


def damaged_sign(source: Source, tokens: Sequence[Token], meant: str) -> Diagnostic:
    """That *tokens* are what copying left of the sign *meant*."""
    span = tokens[0].span.to(tokens[-1].span)
    copied = " ".join(source.slice(span).split())
    return Diagnostic(
        codes.DAMAGED_SIGN,
        f"`{copied}` is read as `{meant}`",
        primary=Label(span, f"what copying left of `{meant}`"),
        help=f"write `{meant}`",
        fix=Fix(span, meant),
    )


def _lost_stroke(stroke: Token) -> Diagnostic:
    return Diagnostic(
        codes.UNKNOWN_CHARACTER,
        "a stroke stands here without a sign to strike through",
        primary=Label(stroke.span, "passed over"),
        help="write `≠`, `∉` or `⊈` if one of them is meant",
    )


def _subscripted(tokens: Sequence[Token], at: int) -> tuple[Token, int]:
    """The name at *at* with its subscript, ``x_{1}`` as ``x_1``."""
    name = tokens[at]
    if at + 1 >= len(tokens) or tokens[at + 1].text != "_" or tokens[at + 1].blank_before:
        return name, 1
    is_group = at + 2 < len(tokens) and tokens[at + 2].text == "{"
    first = at + 3 if is_group else at + 2
    last = first
    while last < len(tokens) and _is_part(tokens[last]) and (is_group or last == first):
        last += 1
    if last == first or (is_group and (last >= len(tokens) or tokens[last].text != "}")):
        return name, 1
    end = last + is_group
    text = f"{name.text}_{''.join(token.text for token in tokens[first:last])}"
    span = name.span.to(tokens[end - 1].span)
    return Token(TokenKind.NAME, text, span, name.blank_before), end - at


def _is_part(token: Token) -> bool:
    return token.kind in {TokenKind.NAME, TokenKind.NUMBER} and not token.blank_before
