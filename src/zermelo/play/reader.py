"""Values of known types, read from what a person types.

Brackets, commas, arrows and dashes between the parts may be left out; what is
looked for is decided by the types.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import assert_never

from zermelo.core.types import (
    NumberType,
    SetType,
    TruthType,
    TupleType,
    Type,
    Unknown,
    WordType,
)
from zermelo.core.values import Atom, Value, number

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<arrow>->|=>|→|⟶|—|–|[-−](?=\s|\()|:|;|,|\bto\b)
      | (?P<number>\d+(?:/\d+)?)
      | (?P<sign>[-−])
      | (?P<bracket>[(){}\[\]])
      | "(?P<quoted>[^"]*)"
      | (?P<word>[^\W\d](?:[^\W]|['’])*)
      | (?P<other>\S)
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_OPENING = {"(": ")", "[": "]", "{": "}"}
_TRUTHS = {"true": True, "yes": True, "t": True, "false": False, "no": False, "f": False}


@dataclass(frozen=True, slots=True)
class Token:
    """A sign, a number or a word that was typed."""

    kind: str
    text: str


def tokens(text: str) -> Iterator[Token]:
    """What *text* consists of."""
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            return
        at = match.end()
        kind = str(match.lastgroup)
        yield Token(kind, match.group(kind))


def digits(typed: Sequence[Token]) -> Iterator[Token]:
    """What was *typed*, with each digit a number of its own."""
    for token in typed:
        if token.kind == "number" and token.text.isdigit():
            yield from (Token("number", digit) for digit in token.text)
        else:
            yield token


def spelling(name: str) -> str:
    """*name* without blanks and capitals.

    >>> spelling("Dark Red")
    'darkred'
    """
    return "".join(name.split()).lower()


class Reader:
    """Reads values of known types from tokens, in every way that fits."""

    def __init__(self, tokens: Sequence[Token], words: Mapping[str, Atom]) -> None:
        self._tokens = tokens
        self._words = words

    def read(self, kinds: tuple[Type, ...]) -> Iterator[tuple[Value, ...]]:
        """The values of these *kinds* that all tokens together can be."""
        end = len(self._tokens)
        for values, at in self._bracketed(kinds, 0):
            if self._skip(at) == end:
                yield values

    # values = "(" items ")" | items
    def _bracketed(
        self, kinds: tuple[Type, ...], at: int
    ) -> Iterator[tuple[tuple[Value, ...], int]]:
        at = self._skip(at)
        closing = _OPENING.get(self._text(at))
        if closing in {")", "]"}:
            for values, after in self._items(kinds, at + 1):
                end = self._skip(after)
                if self._text(end) == closing:
                    yield values, end + 1
        yield from self._items(kinds, at)

    # items = value { [ "," ] value }
    def _items(self, kinds: tuple[Type, ...], at: int) -> Iterator[tuple[tuple[Value, ...], int]]:
        if not kinds:
            yield (), at
            return
        for first, after in self._value(kinds[0], self._skip(at)):
            for rest, end in self._items(kinds[1:], after):
                yield (first, *rest), end

    def _value(self, kind: Type, at: int) -> Iterator[tuple[Value, int]]:
        match kind:
            case NumberType():
                yield from self._in_brackets(self._number, at)
            case TruthType():
                yield from self._in_brackets(self._truth, at)
            case WordType():
                yield from self._in_brackets(self._word, at)
            case TupleType(items):
                yield from self._bracketed(items, at)
            case SetType(item):
                yield from self._set(item, at)
            case Unknown():
                yield from self._number(at)
                yield from self._word(at)
            case _:
                assert_never(kind)

    def _in_brackets(
        self, read: Callable[[int], Iterator[tuple[Value, int]]], at: int
    ) -> Iterator[tuple[Value, int]]:
        yield from read(at)
        if self._text(at) in {"(", "["}:
            for value, after in read(at + 1):
                if self._text(after) == _OPENING[self._text(at)]:
                    yield value, after + 1

    # number = [ "−" ] digits [ "/" digits ]
    def _number(self, at: int) -> Iterator[tuple[Value, int]]:
        # A minus directly after a number parts two numbers, as in 6,2-5,2.
        is_negative = self._kind(at) == "sign"
        start = at + 1 if is_negative else at
        if self._kind(start) != "number":
            return
        numerator, _, denominator = self._text(start).partition("/")
        if denominator and int(denominator) == 0:
            return
        value = number(Fraction(int(numerator), int(denominator or 1)))
        if is_negative and at > 0 and self._kind(at - 1) == "number":
            yield value, start + 1
        yield (-value if is_negative else value), start + 1

    def _truth(self, at: int) -> Iterator[tuple[Value, int]]:
        truth = _TRUTHS.get(self._text(at).lower())
        if truth is not None:
            yield truth, at + 1

    # word = the longest run of words that is a value
    def _word(self, at: int) -> Iterator[tuple[Value, int]]:
        end = at
        while self._kind(end) in {"word", "quoted", "number", "arrow"}:
            end += 1
        for stop in range(end, at, -1):
            word = spelling("".join(token.text for token in self._tokens[at:stop]))
            if word in self._words:
                yield self._words[word], stop
                return

    # set = "{" { value } "}" | "∅"
    def _set(self, item: Type, at: int) -> Iterator[tuple[Value, int]]:
        if self._text(at) == "∅":
            yield frozenset(), at + 1
        elif self._text(at) == "{":
            yield from self._members(item, at + 1)
        else:
            for value, after in self._value(item, at):
                yield frozenset({value}), after

    def _members(self, item: Type, at: int) -> Iterator[tuple[Value, int]]:
        members: list[Value] = []
        at = self._skip(at)
        while self._text(at) != "}":
            # Only the first way to read each member: all ways together would be too many.
            found = next(self._value(item, at), None)
            if found is None:
                return
            members.append(found[0])
            at = self._skip(found[1])
        yield frozenset(members), at + 1

    def _skip(self, at: int) -> int:
        while self._kind(at) == "arrow":
            at += 1
        return at

    def _text(self, at: int) -> str:
        return self._tokens[at].text if at < len(self._tokens) else ""

    def _kind(self, at: int) -> str:
        return self._tokens[at].kind if at < len(self._tokens) else ""
