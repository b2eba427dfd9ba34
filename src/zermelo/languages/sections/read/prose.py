"""Which words are prose: between formulas, and behind them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from zermelo.languages.sections.read.grammar.parser import Names
from zermelo.languages.sections.read.grammar.symbols import (
    FUNCTION_WORDS,
    INFIX_WORDS,
    PREFIX_WORDS,
    VALUE_WORDS,
)
from zermelo.languages.sections.read.grammar.tokens import Token, TokenKind
from zermelo.languages.sections.read.rows import STRONG

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


def is_prose(tokens: Sequence[Token], names: Names) -> bool:
    """Whether *tokens*, which are no formula, are a sentence rather than a damaged formula."""
    if not any(_is_strong(token) for token in tokens):
        return True
    return is_sentence(tokens, names) or _longest_run(tokens, names) >= _RUN


def has_formula(tokens: Sequence[Token], names: Names) -> bool:
    """Whether *tokens*, which are prose, hold more than a stray sign among many words."""
    signs = sum(token.kind is TokenKind.SYMBOL and token.text in _RELATING for token in tokens)
    words = sum(is_plain(token, names) or is_common(token, names) for token in tokens)
    return words < signs * _WORDS_PER_SIGN


def is_sentence(tokens: Sequence[Token], names: Names) -> bool:
    """Whether *tokens* have the words of a sentence outside braces and behind no ``=``."""
    count = 0
    level = 0
    is_value = False
    for token in tokens:
        if token.kind is TokenKind.SYMBOL:
            level += {"{": 1, "}": -1}.get(token.text, 0)
            is_value = token.text in {"=", "≠"}
        elif level <= 0 and not is_value and is_common(token, names):
            count += 1
    return count >= _SENTENCE


def is_common(token: Token, names: Names) -> bool:
    """Whether *token* is a word that holds sentences together."""
    return (
        token.kind is TokenKind.NAME
        and token.text.lower() in _COMMON
        and token.text not in names.declared
    )


def is_plain(token: Token, names: Names) -> bool:
    """Whether *token* is a word that the document does not declare."""
    return (
        token.kind is TokenKind.NAME
        and token.text not in names.declared
        and token.text not in _SIGN_WORDS
        and len(token.text) > 1
        and "_" not in token.text
        and token.text.isalpha()
    )


def _longest_run(tokens: Sequence[Token], names: Names) -> int:
    """The most words in a row, of which one at least is no name, outside braces."""
    longest = run = level = 0
    has_plain = False
    for token in tokens:
        level += {"{": 1, "}": -1}.get(token.text, 0) if token.kind is TokenKind.SYMBOL else 0
        if token.kind is TokenKind.NAME and level <= 0:
            run += 1
            has_plain = has_plain or is_plain(token, names)
            longest = max(longest, run if has_plain else 0)
        else:
            run, has_plain = 0, False
    return longest


def is_comment(tokens: Sequence[Token], names: Names) -> bool:
    """Whether *tokens*, left over behind a formula, are words about it."""
    if tokens[0].kind is TokenKind.SYMBOL and tokens[0].text not in _COMMENT_STARTS:
        return False
    if any(_is_strong(token) for token in _without_brackets(tokens)):
        return is_sentence(tokens, names)
    return any(
        token.kind is TokenKind.TEXT or is_plain(token, names) or is_common(token, names)
        for token in tokens
    )


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


def comment_start(tokens: Sequence[Token], names: Names) -> int:
    """The index at which words about the formula begin; the number of tokens if there are none.

    Only what a parser could take for a part of the formula is looked for: words
    behind a dash, and words in brackets behind an operand.
    """
    strong = [index for index, token in enumerate(tokens) if _is_strong(token)]
    last = strong[-1] if strong else -1
    for index, token in enumerate(tokens):
        if index == 0 or token.kind is not TokenKind.SYMBOL:
            continue
        if token.text in {"−", "—"} and index > last and _are_words(tokens[index + 1 :][:3], names):
            return index
        if token.text == "(" and index > last and _is_remark(tokens, index, names):
            return index
    return len(tokens)


def _is_strong(token: Token) -> bool:
    return token.kind is TokenKind.SYMBOL and token.text in STRONG


def _is_remark(tokens: Sequence[Token], start: int, names: Names) -> bool:
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


def _is_operand(token: Token, names: Names) -> bool:
    if token.kind is TokenKind.SYMBOL:
        return token.text in _OPERAND_ENDS
    return token.text in names.declared or not (
        token.text in INFIX_WORDS or token.text in PREFIX_WORDS
    )


def _are_words(tokens: Sequence[Token], names: Names) -> bool:
    """Whether *tokens* begin with words of which one at least is no name."""
    if not any(is_plain(token, names) or is_common(token, names) for token in tokens):
        return False
    return any(one.kind is two.kind is TokenKind.NAME for one, two in pairwise(tokens))


_SIGN_WORDS: Final = frozenset([*VALUE_WORDS, *INFIX_WORDS, *PREFIX_WORDS, *FUNCTION_WORDS])
_COMMENT_STARTS: Final = frozenset("([−—,;.:")
_OPERAND_ENDS: Final = frozenset([*"})]∅|ℕℤ⊤⊥", "ℤ⁺"])
