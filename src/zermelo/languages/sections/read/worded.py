"""Rules and equivalences whose sign is a word: ``if G then C``, ``C if G``, ``v iff φ``.

Tokens come in and go out with the sign in place of the words, so that nothing
behind here knows them. What is a sentence rather than a formula stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from zermelo.languages.sections.read.grammar.parser import Names
from zermelo.languages.sections.read.grammar.symbols import VALUE_WORDS
from zermelo.languages.sections.read.grammar.tokens import Token, TokenKind
from zermelo.languages.sections.read.prose import is_sentence
from zermelo.languages.sections.read.rows import STRONG, Shape, at_top, shape
from zermelo.text.headings import SectionKind

_CONDITIONS: Final = frozenset({"if", "when", "whenever"})
_OTHERWISE: Final = frozenset({"else", "otherwise"})
_EQUIVALENCES: Final = (("if", "and", "only", "if"), ("iff",))
_FORMULA_WORDS: Final = frozenset({*VALUE_WORDS, "not", "and", "or"})
_MOST_STOPS: Final = 8
"""How many commas are tried as the end of a condition."""
_STATEMENTS: Final = frozenset({Shape.EQUATION, Shape.STEP, Shape.CALL})


def with_signs(tokens: tuple[Token, ...], kind: SectionKind, names: Names) -> tuple[Token, ...]:
    """*tokens* of a row in a section *kind*, with signs for the words that stand for them."""
    tokens = _with_equivalence(tokens, names)
    if kind is SectionKind.BEHAVIOUR:
        return _if_then(tokens, names) or _then_if(tokens, names) or tokens
    if kind is SectionKind.FACTS:
        return _if_then(tokens, names) or tokens
    return tokens


def is_condition(token: Token, names: Names) -> bool:
    """Whether *token* is a word such as ``if``, behind which a condition stands."""
    return _is_word(token, _CONDITIONS | {"unless"}, names)


def _with_equivalence(tokens: tuple[Token, ...], names: Names) -> tuple[Token, ...]:
    for at in range(1, len(tokens) - 1):
        for phrase in _EQUIVALENCES:
            words = tokens[at : at + len(phrase)]
            texts = tuple(word.text.lower() for word in words)
            if texts == phrase and all(_is_word(word, {*phrase}, names) for word in words):
                return (*tokens[:at], _sign("↔", words), *tokens[at + len(phrase) :])
    return tokens


def _if_then(tokens: tuple[Token, ...], names: Names) -> tuple[Token, ...]:
    """``if G then C`` as ``G → C``; nothing if *tokens* are something else."""
    if len(tokens) < 3 or not _is_word(tokens[0], _CONDITIONS, names):
        return ()
    then = _then(tokens, names)
    guard, conclusion = _trimmed(tokens[1:then]), tokens[then + 1 :]
    if not _is_formal(guard, names) or is_sentence(conclusion, names):
        return ()
    if any(_is_word(token, _OTHERWISE, names) for token in conclusion):
        return ()
    is_formula = not conclusion or any(_is_strong(token) for token in conclusion)
    if not is_formula and not _states(conclusion, names):
        return ()
    return (*guard, _sign("→", tokens[then : then + 1]), *conclusion)


def _then(tokens: tuple[Token, ...], names: Names) -> int:
    """The index of ``then``, or of the colon or comma that stands for it; 0 if there is none."""
    for at, token in at_top(tokens):
        if _is_word(token, {"then"}, names):
            return at
    stops = (at for at, token in at_top(tokens) if token.text in {":", ","})
    found = (at for at in islice(stops, _MOST_STOPS) if _states(tokens[at + 1 :], names))
    return next(found, 0)


def _states(tokens: Sequence[Token], names: Names) -> bool:
    return shape(tokens, names) in _STATEMENTS


def _then_if(tokens: tuple[Token, ...], names: Names) -> tuple[Token, ...]:
    """``C if G`` as ``G → C``; nothing if *tokens* are something else."""
    condition = next(
        (at for at, token in at_top(tokens) if at and _is_word(token, _CONDITIONS, names)), 0
    )
    conclusion, guard = _trimmed(tokens[:condition]), _trimmed(tokens[condition + 1 :])
    if not conclusion or not _states(conclusion, names):
        return ()
    if is_sentence(conclusion, names) or not _is_formal(guard, names):
        return ()
    return (*guard, _sign("→", tokens[condition : condition + 1]), *conclusion)


def _is_formal(tokens: Sequence[Token], names: Names) -> bool:
    """Whether *tokens* are a condition in signs, or in nothing but declared names."""
    if not tokens or is_sentence(tokens, names):
        return False
    if any(_is_strong(token) and token.text != "→" for token in tokens):
        return all(token.text != "→" for token in tokens)
    return all(
        token.kind is not TokenKind.NAME
        or token.text in names.declared
        or token.text in _FORMULA_WORDS
        for token in tokens
    )


def _trimmed(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """*tokens* without commas and stops at the end."""
    while tokens and tokens[-1].kind is TokenKind.SYMBOL and tokens[-1].text in {",", ".", ";"}:
        tokens = tokens[:-1]
    return tokens


def _is_strong(token: Token) -> bool:
    return token.kind is TokenKind.SYMBOL and token.text in STRONG


def _is_word(token: Token, words: frozenset[str] | set[str], names: Names) -> bool:
    return (
        token.kind is TokenKind.NAME
        and token.text.lower() in words
        and token.text not in names.declared
    )


def _sign(text: str, words: Sequence[Token]) -> Token:
    span = words[0].span.to(words[-1].span)
    return replace(words[0], kind=TokenKind.SYMBOL, text=text, span=span)
