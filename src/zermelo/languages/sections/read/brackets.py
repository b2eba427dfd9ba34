"""A bracket that nobody closed, put back where only one place can be meant.

``(turn ∧ p ∈ F → A = A ∪ {p}`` lacks the bracket before the arrow, wherever between the
conditions one might put it: they are all joined by ``∧``. With ``∧`` and ``∨`` mixed the place
matters, and the parser asks. A brace that opens a listing, which is all of a definition, ends where
the definition does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zermelo.languages.sections.read.grammar.symbols import CLOSERS
from zermelo.languages.sections.read.grammar.tokens import Token, TokenKind
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Fix, Label
from zermelo.text.source import Span

_ARROWS: Final = frozenset("→↔")
_JOINTS: Final = frozenset("∧∨")
_BINDING: Final = frozenset("∀∃∄∑∏")
_CLOSING: Final = frozenset(CLOSERS.values())


def with_brackets(tokens: tuple[Token, ...]) -> tuple[tuple[Token, ...], tuple[Diagnostic, ...]]:
    """*tokens* with the one bracket that was lost, if there is no doubt where it belongs."""
    opener = _unclosed(tokens)
    end = None if opener is None else _end(tokens, opener)
    if opener is None or end is None:
        return tokens, ()
    place = Span(tokens[end - 1].span.end, tokens[end - 1].span.end)
    opening = tokens[opener].text
    closing = CLOSERS[opening]
    closer = Token(TokenKind.SYMBOL, closing, place)
    where = "at the end" if end == len(tokens) else f"before `{tokens[end].text}`"
    said = Diagnostic(
        codes.BRACKET_PUT_BACK,
        f"this `{opening}` is not closed; a `{closing}` {where} is assumed",
        primary=Label(tokens[opener].span, "opened here"),
        secondary=(Label(place, "assumed to end here"),),
        help=f"put a `{closing}` {where}",
        fix=Fix(place, closing),
    )
    return (*tokens[:end], closer, *tokens[end:]), (said,)


def _unclosed(tokens: Sequence[Token]) -> int | None:
    """The index of the only bracket that is not closed; ``None`` if others do not match."""
    opened: list[int] = []
    for index, token in enumerate(tokens):
        if token.kind is not TokenKind.SYMBOL:
            continue
        if token.text in CLOSERS:
            opened.append(index)
        elif token.text in _CLOSING:
            # The bracket that is not closed may stand around a whole one of another kind.
            if not opened or CLOSERS[tokens[opened[-1]].text] != token.text:
                return None
            opened.pop()
    is_one = len(opened) == 1 and tokens[opened[0]].text in {"(", "{"}
    return opened[0] if is_one else None


def _end(tokens: Sequence[Token], opener: int) -> int | None:
    """Where the bracket at *opener* ends: before the next arrow, or where the formula does."""
    before = tokens[opener - 1].text if opener else "→"
    if tokens[opener].text == "{":
        # A listing that is all of a definition ends where the line does.
        is_whole = before in {":", "="} and opener == 2
        is_list = all(t.text not in _ARROWS | {"|", ":"} for _, t in _beside(tokens, opener + 1))
        return len(tokens) if is_whole and is_list and opener + 1 < len(tokens) else None
    if before not in _ARROWS | _JOINTS:
        return None
    inside: list[str] = []
    end = len(tokens)
    for index, token in _beside(tokens, opener + 1):
        if token.text in _ARROWS:
            end = index
            break
        if token.text in _JOINTS | _BINDING:
            inside.append(token.text)
    return end if end > opener + 1 and _is_clear(before, inside) else None


def _beside(tokens: Sequence[Token], start: int) -> Iterator[tuple[int, Token]]:
    """The signs from *start* on that stand in no other bracket."""
    level = 0
    for index in range(start, len(tokens)):
        token = tokens[index]
        if token.kind is not TokenKind.SYMBOL:
            continue
        level += (token.text in CLOSERS) - (token.text in _CLOSING)
        if level == 0:
            yield index, token


def _is_clear(before: str, inside: Sequence[str]) -> bool:
    """Whether it does not matter where between *inside* the bracket is closed.

    In ``a ∧ (b ∨ c → …`` it matters, but nobody puts ``b`` alone into brackets.
    """
    if len(set(inside)) > 1:
        return False
    return not (before == "∧" and inside.count("∨") > 1)
