"""The pieces a formula is made of: names, numbers, signs and texts in quotation marks.

However a sign was typed, its token has one text, the canonical one of
``symbols``; where it stood, and how it was typed, its span says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from zermelo.languages.sections.read.grammar.characters import STROKES
from zermelo.languages.sections.read.grammar.symbols import NEGATED
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Fix, Label
from zermelo.text.source import Source, Span


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
