"""The first of two passes: which names a document has, and where its heads are.

Nothing is parsed yet. Words can only be told from signs, and calls from heads,
by someone who knows all names, wherever they are declared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from zermelo.languages.sections.read.grammar.cursor import DeclaredNames
from zermelo.languages.sections.read.grammar.sets_in_words import ARTICLES, STARTS
from zermelo.languages.sections.read.grammar.symbols import INFIX_WORDS, VALUE_WORDS
from zermelo.languages.sections.read.grammar.tokens import Token, TokenKind
from zermelo.languages.sections.read.rows import (
    RowShape,
    TokenRow,
    at_top,
    closing,
    comment_start,
    declared,
    has_domain,
    is_function_type,
    is_strong,
    leading_names,
    shape,
)
from zermelo.languages.sections.read.token_repairs import split_names
from zermelo.text.headings import SectionKind

_NO_NAMES = DeclaredNames()
_Call: TypeAlias = tuple[int, TokenRow, Sequence[TokenRow]]
"""A row ``Name(…)``: its index among the rows of its section, itself, and these rows."""
_SET_WORDS = frozenset(word for word, sign in VALUE_WORDS.items() if sign not in {"⊤", "⊥"})
_OPENINGS = frozenset({"initially", "let"})
_HEAD_WORDS = frozenset({"function", "procedure", "method", "action", "operation", "event", "def"})


@dataclass(frozen=True, slots=True)
class Scan:
    """What the first pass found."""

    names: DeclaredNames
    sets: frozenset[str]
    variables: frozenset[str]
    heads: frozenset[int]
    """The places at which the rows begin that are heads of procedures."""
    definitions: frozenset[int]
    """The places at which the rows begin that define value functions."""


def scan(sections: Sequence[tuple[SectionKind, Sequence[TokenRow]]]) -> Scan:
    sets: set[str] = set()
    described: set[str] = set()
    variables: set[str] = set()
    others: set[str] = set()
    functions: dict[str, list[TokenRow]] = {}
    calls: list[_Call] = []
    for kind, rows in sections:
        for index, row in enumerate(rows):
            tokens = without_opening(row.tokens)
            found, _ = leading_names(tokens)
            match shape(tokens, _NO_NAMES):
                case RowShape.DEFINITION if kind is SectionKind.SETS or _is_set(tokens[2:]):
                    sets.add(found[0])
                    others.update(_family(found[0]))
                case RowShape.EQUATION if kind is SectionKind.SETS:
                    sets.update(found)
                case RowShape.FORMULA | RowShape.DEFINITION if is_described(tokens, kind):
                    (variables if is_member(tokens, kind) else described).update(found[:1])
                case RowShape.DECLARATION | RowShape.FORMULA if kind is SectionKind.VARIABLES:
                    variables.update(declared(tokens, _NO_NAMES) or split_names(tokens))
                case (
                    RowShape.DECLARATION | RowShape.EQUATION | RowShape.STEP | RowShape.EQUIVALENCE
                ):
                    others.update(found or _pattern(tokens))
                case RowShape.FUNCTION:
                    functions.setdefault(tokens[0].text, []).append(row)
                    others.update(_parameters(tokens))
                case _:
                    pass
            # `Name(…)` and nothing else but words about it.
            if shape(tokens[: comment_start(tokens, _NO_NAMES)], _NO_NAMES) is RowShape.CALL:
                calls.append((index, row, rows))
                others.update(_parameters(tokens))
    # `heap(i) = 3` gives such a variable its first value, or another one.
    mappings = {n for kind, rows in sections for row in rows for n in _mappings(row, kind)}
    functions = {name: rows for name, rows in functions.items() if name not in mappings}
    sets |= described - variables
    procedures, heads = _heads(calls, frozenset(functions))
    every = sets | variables | others | functions.keys() | procedures
    listed = frozenset(_listed(sections, every))
    names = DeclaredNames(frozenset(every), frozenset(procedures), frozenset(functions), listed)
    return Scan(names, frozenset(sets), frozenset(variables), heads, _definitions(functions))


def _mappings(row: TokenRow, kind: SectionKind) -> Sequence[str]:
    """The variables that *row* declares whose values are functions."""
    tokens = without_opening(row.tokens)
    found, index = leading_names(tokens)
    if kind is not SectionKind.VARIABLES or [token.text for token in tokens[index : index + 1]] != [
        ":"
    ]:
        return ()
    return found if is_function_type(tokens[index + 1 :], _NO_NAMES) else ()


def _listed(
    sections: Sequence[tuple[SectionKind, Sequence[TokenRow]]], names: Set[str]
) -> Iterator[str]:
    """Words for sets that are listed beside values that are none: ``{N, E, S, W}``."""
    for tokens in (row.tokens for _, rows in sections for row in rows):
        openers = [at for at, token in enumerate(tokens) if token.text == "{"]
        for at in openers:
            members = _plain_members(tokens[at + 1 : closing(tokens, at)])
            if any(member not in names and member not in VALUE_WORDS for member in members):
                yield from (member for member in members if member in _SET_WORDS)


def _plain_members(tokens: Sequence[Token]) -> list[str]:
    """What a listing of words and numbers lists; nothing if there are other signs in it."""
    if any(token.kind is TokenKind.SYMBOL and token.text != "," for token in tokens):
        return []
    commas = [-1, *(at for at, token in enumerate(tokens) if token.text == ","), len(tokens)]
    runs = [tokens[start + 1 : end] for start, end in pairwise(commas)]
    return [" ".join(token.text for token in run) for run in runs]


def without_opening(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """*tokens* without a word that only leads to the formula: ``Initially, turn = true``."""
    if len(tokens) > 2 and tokens[0].text.lower() in _OPENINGS:
        rest = tokens[2:] if tokens[1].text == "," else tokens[1:]
        is_given = len(rest) > 1 and rest[1].text in {"=", ":", "∈", "⊆"}
        if rest[0].kind is TokenKind.NAME and (is_given or rest[0].text not in INFIX_WORDS):
            return rest
    return without_head_word(tokens)


def without_head_word(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """*tokens* without a word such as ``function`` before the name of a head."""
    is_headed = len(tokens) > 2 and tokens[0].text.lower() in _HEAD_WORDS
    if is_headed and tokens[1].kind is TokenKind.NAME and tokens[2].text == "(":
        return tokens[1:]
    return tokens


def is_described(tokens: Sequence[Token], kind: SectionKind) -> bool:
    """Whether *tokens* are a description such as ``A is the set of …`` or ``A : numbers …``."""
    if len(tokens) < 3 or tokens[0].kind is not TokenKind.NAME or tokens[1].text not in {":", "is"}:
        return False
    if kind is SectionKind.VARIABLES and tokens[1].text == ":" and tokens[0].text[:1].islower():
        # `turn : booleans` declares a variable.
        return False
    # `A : A is the set of …` says its name twice.
    is_twice = [token.text for token in tokens[2:4]] == [tokens[0].text, "is"]
    words = (token.text.lower() for token in tokens[4 if is_twice else 2 :])
    first = next((word for word in words if word not in ARTICLES), "")
    return first in STARTS


def is_member(tokens: Sequence[Token], kind: SectionKind) -> bool:
    """Whether *tokens*, a description, tell of one number: ``n is a positive integer``."""
    words = [token.text.lower() for token in tokens[2:8]]
    is_one = not {"integer", "number"}.isdisjoint(words) and "set" not in words
    return is_one and kind in {SectionKind.VARIABLES, SectionKind.FACTS}


def _is_set(tokens: Sequence[Token]) -> bool:
    """Whether *tokens* behind a colon look like a set and not like a sentence."""
    return any(is_strong(token) for token in tokens)


def _family(name: str) -> tuple[str, ...]:
    """The index of a family ``H_n``."""
    _, _, index = name.partition("_")
    return (index,) if index.isalpha() else ()


def _pattern(tokens: Sequence[Token]) -> Iterable[str]:
    """The names in ``(a, b) = …``."""
    pattern = tokens[: closing(tokens, 0)]
    return (token.text for token in pattern if token.kind is TokenKind.NAME)


def _parameters(tokens: Sequence[Token]) -> Iterable[str]:
    """The names in the brackets of ``Name(…)`` that are not in the sets of others."""
    is_name = True
    for _, token in at_top(tokens[2 : closing(tokens, 1)]):
        if token.kind is TokenKind.SYMBOL:
            is_name = token.text == ","
        elif token.text in {"in", "subset", "subseteq"}:
            is_name = False
        elif is_name:
            yield token.text
            is_name = False


def _definitions(functions: dict[str, list[TokenRow]]) -> frozenset[int]:
    """Where functions are defined; ``f(x) = 1`` without a set for x may be a fact about f."""
    places: set[int] = set()
    for rows in functions.values():
        certain = [row for row in rows if is_certain_head(row)]
        places.update(row.line.span.start for row in certain or rows[:1])
    return frozenset(places)


def _heads(calls: Sequence[_Call], functions: frozenset[str]) -> tuple[set[str], frozenset[int]]:
    """The names of the procedures, and the places of their heads, among all ``Name(…)``."""
    by_name: dict[str, list[_Call]] = {}
    for call in calls:
        by_name.setdefault(without_head_word(call[1].tokens)[0].text, []).append(call)
    lines = [row.line for _, row, _ in calls if is_certain_head(row)]
    if not lines:
        least = min((row.line.margin for _, row, _ in calls), default=0)
        lines = [row.line for _, row, _ in calls if row.line.margin == least]
    margins = [(line.span.start, line.margin) for line in lines]
    procedures: set[str] = set()
    heads: set[int] = set()
    for name, found in by_name.items():
        certain = [call for call in found if is_certain_head(call[1])]
        if not certain and name not in functions:
            certain = _likeliest(found, margins)
        if certain:
            procedures.add(name)
            heads.update(row.line.span.start for _, row, _ in certain)
    return procedures, frozenset(heads)


def is_certain_head(row: TokenRow) -> bool:
    """Whether the row says by itself that it is a head: a set for a parameter, or a colon."""
    tokens = without_head_word(row.tokens)
    if tokens is not row.tokens:
        return True
    end = closing(tokens, 1)
    if end is None:
        return False
    is_followed = end + 1 < len(tokens) and tokens[end + 1].text == ":"
    return is_followed or has_domain(tokens[2:end], _NO_NAMES)


def _likeliest(found: Sequence[_Call], margins: Sequence[tuple[int, int]]) -> list[_Call]:
    """Which of several equal ``Name(…)`` is the head, if any: outdented, after a blank, first.

    *margins* are the places and margins of heads. What stands deeper than the
    head above it, with nothing deeper below, calls a procedure that is nowhere.
    """
    best = min(found, key=lambda call: (call[1].line.margin, not call[1].line.is_after_blank))
    index, row, rows = best
    below = rows[index + 1].line.margin if index + 1 < len(rows) else 0
    above = [margin for place, margin in margins if place < row.line.span.start]
    is_in_body = bool(above) and row.line.margin >= above[-1] + 2 and below <= row.line.margin
    return [] if is_in_body else [best]
