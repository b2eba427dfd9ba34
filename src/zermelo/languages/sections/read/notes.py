"""Where a note begins behind a set: ``P : A × A    the board``, ``X ⊆ N, the numbers taken``.

A parser would take the first word of such a note for a part of the set. Only the
sections of sets and of variables are laid out like this.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import Final

from zermelo.languages.sections.read.grammar.parser import Names
from zermelo.languages.sections.read.grammar.tokens import Token, TokenKind
from zermelo.languages.sections.read.prose import is_common, is_plain, is_sentence
from zermelo.languages.sections.read.rows import STRONG, at_top, leading_names, sign
from zermelo.text.headings import SectionKind
from zermelo.text.source import Source
from zermelo.text.suggest import nearest

_RELATIONS: Final = frozenset("∈⊆⊂")
_DEFINES: Final = frozenset(":=")
_DASHES: Final = frozenset("−—")
_OPERAND_ENDS: Final = frozenset([*"})]|∅ℕℤ", "ℤ⁺"])
_MOST_COMMAS: Final = 4
_GAP: Final = re.compile(r"\s{2}|\t|\\q?quad|&emsp;|&ensp;")


def note_start(source: Source, tokens: Sequence[Token], kind: SectionKind, *, names: Names) -> int:
    """The index at which a note on a set begins; the number of tokens if there is none."""
    if kind not in {SectionKind.SETS, SectionKind.VARIABLES}:
        return len(tokens)
    _, index = leading_names(tokens)
    mark = sign(tokens[index], names) if index < len(tokens) else ""
    if not index or mark not in _RELATIONS | _DEFINES:
        return len(tokens)
    found = _behind_gap(source, tokens, index, names=names)
    return min(found, _behind_comma(tokens, index, names)) if mark in _RELATIONS else found


def _behind_comma(tokens: Sequence[Token], mark: int, names: Names) -> int:
    commas = (
        at
        for at, token in at_top(tokens)
        if at > mark + 1 and token.text == "," and _is_word_at(tokens, at + 1, names)
    )
    found = (at for at in islice(commas, _MOST_COMMAS) if _explains(tokens[at + 1 :], names))
    return next(found, len(tokens))


def _behind_gap(source: Source, tokens: Sequence[Token], mark: int, *, names: Names) -> int:
    """Where the first word stands, if it is apart from the set behind the *mark*."""
    words = (at for at, token in at_top(tokens) if at > mark and _is_word(token, names))
    first = next(words, len(tokens))
    is_dashed = tokens[first - 1].kind is TokenKind.SYMBOL and tokens[first - 1].text in _DASHES
    at = first - 1 if is_dashed else first
    is_apart = mark + 1 < at < len(tokens) - is_dashed
    return at if is_apart and _is_apart(source, tokens, at, names=names) else len(tokens)


def _explains(tokens: Sequence[Token], names: Names) -> bool:
    """Whether *tokens* behind a comma are words and no further declaration."""
    if len(tokens) < 2:
        return False
    _, index = leading_names(tokens)
    if index < len(tokens) and sign(tokens[index], names) in _RELATIONS | _DEFINES:
        return False
    return is_sentence(tokens, names) or not _has_sign(tokens)


def _is_apart(source: Source, tokens: Sequence[Token], at: int, *, names: Names) -> bool:
    """Whether words begin at *at*, behind a gap or behind a dash with blanks around it."""
    before, token = tokens[at - 1], tokens[at]
    if before.kind is TokenKind.SYMBOL and before.text not in _OPERAND_ENDS:
        return False
    if _has_sign(tokens[at:]):
        return False
    if token.text in _DASHES and token.kind is TokenKind.SYMBOL:
        following = tokens[at + 1]
        return (
            token.blank_before
            and following.blank_before
            and not nearest(following.text, names.declared)
        )
    gap = source.text[before.span.end : token.span.start]
    return bool(_GAP.search(gap))


def _is_word_at(tokens: Sequence[Token], at: int, names: Names) -> bool:
    return at < len(tokens) and _is_word(tokens[at], names)


def _is_word(token: Token, names: Names) -> bool:
    return is_plain(token, names) or is_common(token, names)


def _has_sign(tokens: Sequence[Token]) -> bool:
    return any(
        token.kind is TokenKind.SYMBOL and token.text in STRONG for _, token in at_top(tokens)
    )
