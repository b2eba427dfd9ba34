"""Rows in signs where they are in words that can mean one thing, or in signs of other customs.

- ``Let A be the set {1, 2}``, ``A is the set containing 1 and 2`` and ``A is the Cartesian product
  of B and C`` give a set; ``R_i = {…} for each i ∈ I`` a family.
- ``cat and mouse are elements of C`` declares variables; ``turn is red`` gives a first value, and
  ``turn becomes red`` a new one.
- ``n is even`` is ``n mod 2 = 0``; ``x += 1`` is ``x = x + (1)``; ``x′ = 1`` is ``x = 1``.

All of this is done on tokens, before anything is parsed.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from itertools import pairwise
from typing import Final

from zermelo.languages.sections.read.grammar.tokens import Token, TokenKind
from zermelo.languages.sections.read.rows import at_top, is_strong, leading_names
from zermelo.text.headings import SectionKind
from zermelo.text.source import Span

_ALL: Final = frozenset({"all", "each", "every", "any"})
_ARTICLES: Final = frozenset({"a", "an", "the"})
_MEMBER: Final = (
    ("elements", "of"),
    ("element", "of"),
    ("members", "of"),
    ("member", "of"),
    ("in",),
    ("∈",),
)
_SUBSET: Final = (("subsets", "of"), ("subset", "of"), ("⊆",))
_BOOLEAN: Final = frozenset({"boolean", "booleans", "bool"})
_LISTS: Final = (
    ("set", "containing"),
    ("set", "consisting", "of"),
    ("set", "with", "elements"),
    ("set", "with", "the", "elements"),
    ("set", "whose", "elements", "are"),
)
_GIVEN: Final = frozenset({"given", "defined"})
_OPERAND_ENDS: Final = frozenset(")]}∅")
_CHANGES: Final = frozenset({"+", "−", "·", "∪", "∩", "∖", "⊕"})


def in_signs(
    tokens: tuple[Token, ...], kind: SectionKind, variables: Set[str]
) -> tuple[Token, ...]:
    """*tokens* of a row of a section *kind* of a document with these *variables*."""
    if any(is_strong(token) for token in tokens):
        tokens = _with_or(_unprimed(tokens, variables))
        tokens = _quantified(_with_remainders(_with_changes(tokens)))
    match kind:
        case SectionKind.SETS:
            return _without_index(_product(_listed(_given(_let_be(_called(tokens))))))
        case SectionKind.VARIABLES:
            return _declared(_within(tokens))
        case SectionKind.FACTS:
            return _is_true(tokens, variables)
        case SectionKind.INITIALISATION:
            return _first_value(tokens, variables)
        case _:
            return _becoming(tokens, variables)


def _texts(tokens: Sequence[Token]) -> list[str]:
    return [token.text.lower() for token in tokens]


def _sign(text: str, span: Span) -> Token:
    return Token(TokenKind.SYMBOL, text, span, blank_before=True)


def _without_stop(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    return tokens[:-1] if tokens and tokens[-1].text == "." else tokens


# Sets


def _let_be(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """``Let A be …`` as ``A is …``, and before signs as ``A = …``."""
    words = _texts(tokens[:6])
    if words[:1] != ["let"] or words[2:3] != ["be"]:
        return tokens
    at = 3
    while words[at : at + 1] in (["the"], ["a"], ["set"]):
        at += 1
    if at < len(tokens) and is_strong(tokens[at]):
        return (tokens[1], _sign("=", tokens[2].span), *tokens[at:])
    return (tokens[1], replace(tokens[2], text="is"), *tokens[3:])


def _called(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """``The set A consists of the numbers 1 and 2`` as ``A is the set containing 1 and 2``."""
    words = _texts(tokens)
    at = 1 if words[:1] == ["the"] else 0
    if words[at : at + 1] != ["set"] or len(tokens) < at + 4:
        return tokens
    name, told = tokens[at + 1], words[at + 2 :]
    skipped = 2 if told[:2] == ["consists", "of"] else 1 if told[:1] == ["contains"] else 0
    if not skipped or name.kind is not TokenKind.NAME:
        return tokens
    rest = tokens[at + 2 + skipped :]
    words = _texts(rest)
    while words and words[0] in {"the", "numbers", "elements", "members"}:
        rest, words = rest[1:], words[1:]
    place = tokens[at + 2]
    said = [replace(place, text=text) for text in ("is", "set", "containing")]
    return (name, *said, *rest)


def _given(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """``A is the relation on B given by {…}`` as ``A = {…}``, and ``A is the set {…}``."""
    words = _texts(tokens)
    if words[1:2] != ["is"]:
        return tokens
    at = next((at for at, token in enumerate(tokens) if token.text == "{"), 0)
    before = words[2:at]
    is_set = [word for word in before if word not in _ARTICLES] == ["set"]
    is_given = before[-1:] == ["by"] and before[-2:-1] and before[-2] in _GIVEN
    if at and (is_set or is_given):
        return (tokens[0], _sign("=", tokens[1].span), *_without_stop(tokens[at:]))
    return tokens


def _listed(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """``A is the set containing 1, 2 and 3`` as ``A = {1, 2, 3}``."""
    words = _texts(tokens)
    if words[1:2] not in (["is"], [":"], ["="]):
        return tokens
    start = 3 if words[2:3] and words[2] in _ARTICLES else 2
    for phrase in _LISTS:
        end = start + len(phrase)
        if tuple(words[start:end]) == phrase and end < len(tokens):
            members = _without_stop(tokens[end:])
            joined = [
                replace(token, kind=TokenKind.SYMBOL, text=",") if is_and else token
                for token, is_and in _with_ands(members)
            ]
            place = tokens[end - 1].span
            last = members[-1].span
            return (tokens[0], _sign("=", place), _sign("{", place), *joined, _sign("}", last))
    return tokens


def _with_ands(tokens: Sequence[Token]) -> list[tuple[Token, bool]]:
    """Each token, and whether it is the *and* before the last member; not behind a comma."""
    top = {at for at, _ in at_top(tokens)}
    found = []
    for at, token in enumerate(tokens):
        is_and = at in top and token.text.lower() in {"and", "∧"}
        if is_and and at and tokens[at - 1].text == ",":
            continue
        found.append((token, is_and))
    return found


def _product(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """``A is the Cartesian product of B and C`` as ``A = B × C``."""
    words = [word for word in _texts(tokens[:8]) if word not in _ARTICLES]
    if words[1:5] != ["is", "cartesian", "product", "of"]:
        return tokens
    start = _texts(tokens).index("of") + 1
    factors = [
        _sign("×", token.span)
        if is_and or (token.text == "," and at in _top(tokens[start:]))
        else token
        for at, (token, is_and) in enumerate(_with_ands(_without_stop(tokens[start:])))
    ]
    return (tokens[0], _sign("=", tokens[1].span), *factors)


def _top(tokens: Sequence[Token]) -> set[int]:
    return {at for at, _ in at_top(tokens)}


def _without_index(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """The definition of a family without the words that say over what its index ranges."""
    _, _, index = tokens[0].text.partition("_") if tokens else ("", "", "")
    if not index.isalpha():
        return tokens
    for at, token in at_top(tokens):
        if at < 2 or not (token.text.lower() in {"for", "where"} or token.text in {"∀", ","}):
            continue
        following = [each.text for each in tokens[at + 1 : at + 5]]
        words = [text for text in following if text.lower() not in _ALL | {"for", "∀"}]
        if words[:2] in ([index, "∈"], [index, "in"]):
            return tokens[: at - 1] if tokens[at - 1].text == "," else tokens[:at]
    return tokens


# Variables and their values


def _subjects(tokens: Sequence[Token]) -> tuple[list[Token], int]:
    """The names before *is* or *are*, and the index of that word; 0 if they are no list."""
    names: list[Token] = []
    for at, token in enumerate(tokens):
        word = token.text.lower()
        following = tokens[at + 1].text.lower() if at + 1 < len(tokens) else ""
        if names and (word in {"is", "are"} or (word == ":" and following in _ARTICLES)):
            return names, at
        if word in {",", "and", "∧"} and names:
            continue
        if token.kind is not TokenKind.NAME:
            break
        names.append(token)
    return [], 0


def _names_before(tokens: Sequence[Token], words: Set[str]) -> tuple[list[Token], int]:
    """The names with commas between them before one of *words*, and where that stands."""
    at = next((at for at, token in enumerate(tokens) if token.text.lower() in words), 0)
    before = tokens[:at]
    are_names = all(token.kind is TokenKind.NAME for token in before[::2])
    are_commas = all(token.text == "," for token in before[1::2])
    return (list(before[::2]), at) if at % 2 and are_names and are_commas else ([], 0)


def _named(names: Sequence[Token]) -> list[Token]:
    """*names* with commas between them."""
    found = [names[0]]
    for before, name in pairwise(names):
        found += [Token(TokenKind.SYMBOL, ",", Span(before.span.end, before.span.end)), name]
    return found


def _within(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """``a, b <= A`` as ``a, b ⊆ A``; before a number it would bound, and declares nothing."""
    _, at = leading_names(tokens)
    is_within = [t.text for t in tokens[at : at + 1]] == ["≤"] and 0 < at < len(tokens) - 1
    if is_within and tokens[at + 1].kind is not TokenKind.NUMBER:
        return (*tokens[:at], replace(tokens[at], text="⊆"), *tokens[at + 1 :])
    return tokens


def _declared(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """``a and b are elements of A`` as ``a, b ∈ A``."""
    names, verb = _subjects(tokens)
    if not names:
        names, verb = _names_before(tokens, {"subset", "subsets", "element", "elements", "member"})
        # They stand where a verb would: nothing is to be passed over.
        verb -= bool(names)
    if not names:
        return tokens
    words = _texts(tokens)
    at = verb + 1
    while at < len(words) and words[at] in _ARTICLES:
        at += 1
    span = tokens[at].span if at < len(tokens) else tokens[verb].span
    if words[at : at + 1] and words[at] in _BOOLEAN:
        true, false = (Token(TokenKind.NAME, text, span) for text in ("true", "false"))
        both = (_sign("{", span), true, _sign(",", span), false, _sign("}", span))
        return (*_named(names), _sign("∈", span), *both)
    for relation, phrases in (("∈", _MEMBER), ("⊆", _SUBSET)):
        for phrase in phrases:
            if tuple(words[at : at + len(phrase)]) == phrase and at + len(phrase) < len(tokens):
                domain = _without_stop(tokens[at + len(phrase) :])
                if words[at + len(phrase)] == "the" and len(domain) > 1:
                    domain = domain[1:]
                return (*_named(names), _sign(relation, span), *domain)
    if tokens[verb].text == ":":
        # `n : an integer from 0 to 8` is a description, as with *is*.
        colon = replace(tokens[verb], kind=TokenKind.NAME, text="is", blank_before=True)
        return (*tokens[:verb], colon, *tokens[verb + 1 :])
    return tokens


def _first_value(tokens: tuple[Token, ...], variables: Set[str]) -> tuple[Token, ...]:
    """``a and b are empty`` as ``a, b = ∅``, and ``turn is red`` as ``turn = red``."""
    names, verb = _subjects(tokens)
    if not names or not {name.text for name in names} <= variables:
        return tokens
    value = _without_stop(tokens[verb + 1 :])
    words = _texts(value)
    span = tokens[verb].span
    if words in (["empty"], ["the", "empty", "set"], ["initially", "empty"]):
        return (*_named(names), _sign("=", span), _sign("∅", value[-1].span))
    if words[:1] == ["initially"]:
        value = value[1:]
    if len(value) == 1 or any(is_strong(token) for token in value):
        return (*_named(names), _sign("=", span), *value)
    return tokens


def _is_true(tokens: tuple[Token, ...], variables: Set[str]) -> tuple[Token, ...]:
    """``over is true if and only if φ`` as ``over if and only if φ``."""
    words = _texts(tokens[:5])
    is_said = len(tokens) > 4 and tokens[0].text in variables and words[1:3] == ["is", "true"]
    if is_said and words[3] in {"if", "iff", "exactly", "when", "precisely", "↔"}:
        skipped = 4 if words[3] in {"exactly", "precisely"} else 3
        if words[3] in {"if", "iff"} and (words[3] == "iff" or words[4] == "and"):
            return (tokens[0], *_without_stop(tokens[3:]))
        return (tokens[0], _sign("↔", tokens[3].span), *_without_stop(tokens[skipped + 1 :]))
    return tokens


def _becoming(tokens: tuple[Token, ...], variables: Set[str]) -> tuple[Token, ...]:
    """``turn becomes red`` as ``turn = red``."""
    found = list(tokens)
    is_found = False
    for at in range(len(found) - 1, 0, -1):
        if found[at - 1].text not in variables:
            continue
        words = _texts(found[at : at + 3])
        length = 1 if words[:1] == ["becomes"] else 3 if words == ["is", "set", "to"] else 0
        if length:
            found[at : at + length] = [_sign("=", found[at].span)]
            is_found = True
    return _without_stop(tuple(found)) if is_found else tokens


# Signs of other customs


_QUANTIFIERS: Final = (
    (("for", "all"), "∀"),
    (("for", "every"), "∀"),
    (("for", "each"), "∀"),
    (("there", "exists"), "∃"),
    (("there", "exist"), "∃"),
    (("there", "is"), "∃"),
)


def _quantified(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """``for all x in A`` as ``∀x in A``, and ``there is an x in A`` as ``∃x in A``."""
    found = list(tokens)
    for at in range(len(found) - 4, -1, -1):
        words = tuple(_texts(found[at : at + 2]))
        sign = next((sign for phrase, sign in _QUANTIFIERS if words == phrase), "")
        start = at + 2 + (found[at + 2].text.lower() in {"a", "an", "some"})
        names = found[start : start + 2]
        is_bound = len(names) > 1 and names[0].kind is TokenKind.NAME
        if sign and is_bound and names[1].text in {"∈", "in", ",", "⊆", "("}:
            found[at:start] = [_sign(sign, found[at].span)]
    return tuple(found)


def _with_or(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """``a | b`` and ``a || b`` as ``a ∨ b``: behind an operand no bar opens, outside of braces."""
    found: list[Token] = []
    braces, is_open = 0, False
    for token, following in zip(tokens, (*tokens[1:], None), strict=True):
        sign = token.text if token.kind is TokenKind.SYMBOL else ""
        braces += {"{": 1, "}": -1}.get(sign, 0)
        if sign == "|":
            before = found[-1] if found else token
            if before.text == "∨" and not (is_open or token.blank_before):
                # The second of `||`.
                continue
            is_behind = before.kind is not TokenKind.SYMBOL or before.text in _OPERAND_ENDS
            is_apart = following is not None and (following.blank_before or following.text == "|")
            if is_behind and is_apart and token.blank_before and not (is_open or braces):
                found.append(replace(token, text="∨"))
                continue
            is_open = not is_open
        found.append(token)
    return tuple(found)


def _unprimed(tokens: tuple[Token, ...], variables: Set[str]) -> tuple[Token, ...]:
    """``x′ = …`` as ``x = …``, where x is a variable and x′ is none."""
    found = list(tokens)
    for at, (token, following) in enumerate(pairwise(tokens)):
        bare = token.text.rstrip("'’′")
        is_next = bare != token.text and bare in variables and token.text not in variables
        if is_next and following.text == "=":
            found[at] = replace(token, text=bare)
    return tuple(found)


def _with_changes(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """``x += 1`` as ``x = x + (1)``."""
    for at in range(1, len(tokens) - 2):
        name, sign, equals = tokens[at - 1 : at + 2]
        is_change = name.kind is TokenKind.NAME and sign.text in _CHANGES and equals.text == "="
        if not is_change or equals.blank_before or sign.kind is not TokenKind.SYMBOL:
            continue
        rest = tokens[at + 2 :]
        end = next((i for i, t in at_top(rest) if t.text in {"∧", ",", ";", "and"}), len(rest))
        if not end:
            return tokens
        opening, closing = _sign("(", rest[0].span), _sign(")", rest[end - 1].span)
        changed = (
            name,
            replace(equals, blank_before=True),
            name,
            sign,
            opening,
            *rest[:end],
            closing,
        )
        return (*tokens[: at - 1], *changed, *_with_changes(rest[end:]))
    return tokens


def _with_remainders(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """``n is even`` as ``n mod 2 = 0``; *odd* and *divisible by* likewise."""
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        length, factor, rest = _remainder(tokens[at : at + 5]) if found else (0, None, "")
        if not length or factor is None or found[-1].kind is TokenKind.SYMBOL:
            found.append(tokens[at])
            at += 1
            continue
        span = tokens[at].span.to(tokens[at + length - 1].span)
        sign = "≠" if tokens[at + 1].text.lower() == "not" else "="
        value = Token(TokenKind.NUMBER, rest, span, blank_before=True)
        found += [_sign("mod", span), replace(factor, span=span), _sign(sign, span), value]
        at += length
    return tuple(found)


def _remainder(tokens: Sequence[Token]) -> tuple[int, Token | None, str]:
    """How many of *tokens* say what a division leaves; by which number, and what."""
    words = _texts(tokens)
    if words[:1] != ["is"]:
        return 0, None, ""
    at = 2 if words[1:2] == ["not"] else 1
    if words[at : at + 1] in (["even"], ["odd"]):
        two = Token(TokenKind.NUMBER, "2", tokens[at].span, blank_before=True)
        return at + 1, two, "0" if words[at] == "even" else "1"
    if words[at : at + 2] == ["divisible", "by"] and at + 2 < len(tokens):
        return at + 3, tokens[at + 2], "0"
    return 0, None, ""
