"""Which words are prose: between formulas, behind them, and behind a set.

A parser would take the first word of a note such as ``P : A × A    the board`` for a
part of the set, so notes and comments are cut off before formulas are parsed.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from itertools import islice, pairwise
from typing import Final

from zermelo.languages.sections.read.grammar import symbols
from zermelo.languages.sections.read.grammar.cursor import DeclaredNames
from zermelo.languages.sections.read.grammar.tokens import Token, TokenKind
from zermelo.languages.sections.read.rows import (
    at_top,
    is_strong,
    leading_names,
    outside_braces,
    sign,
)
from zermelo.text.headings import SectionKind
from zermelo.text.source import Source
from zermelo.text.suggest import nearest

# Words that hold sentences together and that no formula has, unless as a part of a value.
_COMMON_TEXT: Final = """
the is are was be been of to that this these those when which who while whose where an as at by it
its on from gets get will can cannot may must has have had if then for with each every any all only
also after before because there their they them he she his her we you your our does do so such than
but into means refers refer following given
"""
_COMMON: Final = frozenset(_COMMON_TEXT.split())
# Signs that make a formula of what stands around them.
_RELATING: Final = frozenset("∈∉⊆⊈⊂⊄⊇=≠≡<≤>≥∪∩×∧∨¬→↔∃∀∑∏")
_WORDS_PER_SIGN: Final = 6
_SENTENCE: Final = 2
_RUN: Final = 3
_SIGN_WORDS: Final = frozenset(
    [*symbols.VALUE_WORDS, *symbols.INFIX_WORDS, *symbols.PREFIX_WORDS, *symbols.FUNCTION_WORDS]
)
_COMMENT_STARTS: Final = frozenset("([−—,;.:")
_OPERAND_ENDS: Final = frozenset([*"})]∅|ℕℤ⊤⊥", "ℤ⁺"])
_RELATIONS: Final = frozenset("∈⊆⊂")
_DEFINES: Final = frozenset(":=")
_DASHES: Final = frozenset("−—")
_SET_ENDS: Final = frozenset([*"})]|∅ℕℤ", "ℤ⁺"])
_MOST_COMMAS: Final = 4
_GAP: Final = re.compile(r"\s{2}|\t|\\q?quad|&emsp;|&ensp;")


def is_prose(tokens: Sequence[Token], names: DeclaredNames) -> bool:
    """Whether *tokens*, which are no formula, are a sentence rather than a damaged formula."""
    if not any(is_strong(token) for token in tokens):
        return True
    return is_sentence(tokens, names) or _longest_run(tokens, names) >= _RUN


def has_formula(tokens: Sequence[Token], names: DeclaredNames) -> bool:
    """Whether *tokens*, which are prose, hold more than a stray sign among many words."""
    signs = sum(token.kind is TokenKind.SYMBOL and token.text in _RELATING for token in tokens)
    words = sum(_is_prose_word(token, names) for token in tokens)
    return words < signs * _WORDS_PER_SIGN


def is_sentence(tokens: Sequence[Token], names: DeclaredNames) -> bool:
    """Whether *tokens* have the words of a sentence outside braces and behind no ``=``."""
    count = 0
    is_value = False
    for token in outside_braces(tokens):
        if token.kind is TokenKind.SYMBOL:
            is_value = token.text in {"=", "≠"}
        elif not is_value and is_common(token, names):
            count += 1
    return count >= _SENTENCE


def is_common(token: Token, names: DeclaredNames) -> bool:
    return is_word(token, _COMMON, names)


def is_word(token: Token, words: Container[str], names: DeclaredNames) -> bool:
    """Whether *token* is one of *words*, in small or capital letters, and no name."""
    return (
        token.kind is TokenKind.NAME
        and token.text.lower() in words
        and token.text not in names.declared
    )


def is_plain(token: Token, names: DeclaredNames) -> bool:
    """Whether *token* is a word that the document does not declare."""
    return (
        token.kind is TokenKind.NAME
        and token.text not in names.declared
        and token.text not in _SIGN_WORDS
        and len(token.text) > 1
        and "_" not in token.text
        and token.text.isalpha()
    )


def _longest_run(tokens: Sequence[Token], names: DeclaredNames) -> int:
    """The most words in a row, of which one at least is no name, outside braces."""
    longest = run = 0
    has_plain = False
    for token in outside_braces(tokens):
        if token.kind is TokenKind.NAME:
            run += 1
            has_plain = has_plain or is_plain(token, names)
            longest = max(longest, run if has_plain else 0)
        else:
            run, has_plain = 0, False
    return longest


def is_comment(tokens: Sequence[Token], names: DeclaredNames) -> bool:
    """Whether *tokens*, left over behind a formula, are words about it."""
    if tokens[0].kind is TokenKind.SYMBOL and tokens[0].text not in _COMMENT_STARTS:
        return False
    if any(is_strong(token) for token in _without_brackets(tokens)):
        return is_sentence(tokens, names)
    return any(token.kind is TokenKind.TEXT or _is_prose_word(token, names) for token in tokens)


def _without_brackets(tokens: Sequence[Token]) -> list[Token]:
    kept: list[Token] = []
    level = 0
    for token in tokens:
        is_bracket = token.kind is TokenKind.SYMBOL and token.text in {"(", ")"}
        if level == 0 and not is_bracket:
            kept.append(token)
        if is_bracket:
            level = max(0, level + (1 if token.text == "(" else -1))
    return kept


def comment_start(tokens: Sequence[Token], names: DeclaredNames) -> int:
    """The index at which words about the formula begin; the number of tokens if there are none.

    Only what a parser could take for a part of the formula is looked for: words
    behind a dash, and words in brackets behind an operand.
    """
    last = max((index for index, token in enumerate(tokens) if is_strong(token)), default=0)
    for index in range(last + 1, len(tokens)):
        mark = tokens[index].text if tokens[index].kind is TokenKind.SYMBOL else ""
        if mark in _DASHES and _are_words(tokens[index + 1 :][:3], names):
            return index
        if mark == "(" and _is_remark(tokens, index, names):
            return index
    return len(tokens)


def _is_remark(tokens: Sequence[Token], start: int, names: DeclaredNames) -> bool:
    """Whether the bracket at *start*, behind the last sign, holds words about an operand."""
    before = tokens[start - 1]
    if not tokens[start].blank_before or not _is_operand(before, names):
        return False
    inside = tokens[start + 1 :][:6]
    if len(inside) == 2 and inside[1].text == ")":
        # One word behind a set: `ok ∈ V (flag)`. Behind a function it is its argument.
        return (
            is_plain(inside[0], names)
            and before.text in names.declared
            and before.text not in names.functions | names.procedures
        )
    return _are_words(inside, names)


def _is_operand(token: Token, names: DeclaredNames) -> bool:
    if token.kind is TokenKind.SYMBOL:
        return token.text in _OPERAND_ENDS
    is_sign = token.text in symbols.INFIX_WORDS or token.text in symbols.PREFIX_WORDS
    return token.text in names.declared or not is_sign


def _are_words(tokens: Sequence[Token], names: DeclaredNames) -> bool:
    """Whether *tokens* begin with words of which one at least is no name."""
    has_word = any(_is_prose_word(token, names) for token in tokens)
    return has_word and any(a.kind is b.kind is TokenKind.NAME for a, b in pairwise(tokens))


def note_start(
    source: Source, tokens: Sequence[Token], kind: SectionKind, *, names: DeclaredNames
) -> int:
    """The index at which a note on a set begins; the number of tokens if there is none.

    Only the sections of sets and of variables have such notes.
    """
    if kind not in {SectionKind.SETS, SectionKind.VARIABLES}:
        return len(tokens)
    _, index = leading_names(tokens)
    mark = sign(tokens[index], names) if index < len(tokens) else ""
    if not index or mark not in _RELATIONS | _DEFINES:
        return len(tokens)
    found = _behind_gap(source, tokens, index, names=names)
    return min(found, _behind_comma(tokens, index, names)) if mark in _RELATIONS else found


def _behind_comma(tokens: Sequence[Token], mark: int, names: DeclaredNames) -> int:
    commas = (
        at
        for at, token in at_top(tokens[:-1])
        if at > mark + 1 and token.text == "," and _is_prose_word(tokens[at + 1], names)
    )
    found = (at for at in islice(commas, _MOST_COMMAS) if _explains(tokens[at + 1 :], names))
    return next(found, len(tokens))


def _behind_gap(source: Source, tokens: Sequence[Token], mark: int, *, names: DeclaredNames) -> int:
    """Where the first word stands, if it is apart from the set behind the *mark*."""
    words = (at for at, token in at_top(tokens) if at > mark and _is_prose_word(token, names))
    first = next(words, len(tokens))
    is_dashed = tokens[first - 1].kind is TokenKind.SYMBOL and tokens[first - 1].text in _DASHES
    at = first - 1 if is_dashed else first
    is_apart = mark + 1 < at < len(tokens) - is_dashed
    return at if is_apart and _is_apart(source, tokens, at, names=names) else len(tokens)


def _explains(tokens: Sequence[Token], names: DeclaredNames) -> bool:
    """Whether *tokens* behind a comma are words and no further declaration."""
    if len(tokens) < 2:
        return False
    _, index = leading_names(tokens)
    if index < len(tokens) and sign(tokens[index], names) in _RELATIONS | _DEFINES:
        return False
    return is_sentence(tokens, names) or not _has_sign(tokens)


def _is_apart(source: Source, tokens: Sequence[Token], at: int, *, names: DeclaredNames) -> bool:
    """Whether words begin at *at*, behind a gap or behind a dash with blanks around it."""
    before, token = tokens[at - 1], tokens[at]
    is_inside = before.kind is TokenKind.SYMBOL and before.text not in _SET_ENDS
    if is_inside or _has_sign(tokens[at:]):
        return False
    if token.text in _DASHES and token.kind is TokenKind.SYMBOL:
        following = tokens[at + 1]
        is_dash = token.blank_before and following.blank_before
        return is_dash and not nearest(following.text, names.declared)
    return bool(_GAP.search(source.text[before.span.end : token.span.start]))


def _is_prose_word(token: Token, names: DeclaredNames) -> bool:
    return is_plain(token, names) or is_common(token, names)


def _has_sign(tokens: Sequence[Token]) -> bool:
    return any(is_strong(token) for _, token in at_top(tokens))
