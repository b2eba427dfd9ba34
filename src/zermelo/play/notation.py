"""Moves as people type them, and as they are shown.

Comes in: a line such as ``3 4``, ``(7,1)->(6,2)`` or ``Place 5 (2,3)``. Goes out: a
``Move``. What is looked for is decided by the types of the parameters; brackets,
commas, arrows and dashes between the parts may be left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import assert_never

from zermelo.core.commentary import Commentary
from zermelo.core.machine import Machine
from zermelo.core.signature import MoveKind, MoveParameter, Signature
from zermelo.core.state import NO_EFFECT_MOVE, PASS_MOVE, Move, State
from zermelo.core.values import (
    FALSE,
    TRUE,
    Atom,
    MixedType,
    NumberType,
    Other,
    SetType,
    TruthType,
    TupleType,
    Type,
    Unknown,
    Value,
    WordType,
    number,
)
from zermelo.core.values import to_text as value_text
from zermelo.text.errors import MoveAmbiguous, MoveNotUnderstood, distance
from zermelo.text.prose import listing

MOST_OFFERED = 3
LONGEST = 1000
"""Characters of a move that are read."""
LONGEST_COMPARED = 40
MOST_COMPARED = 1000
"""Characters and moves that are compared in looking for the nearest ones."""


def from_text(text: str, words: Commentary, state: State) -> Move:
    """The move that *text* means in *state*.

    A text that fits several moves means the only legal one among them; if that does not
    decide it, ``MoveAmbiguous`` lists them. Where it fits none, ``MoveNotUnderstood`` says what
    can be typed.
    """
    typed = words.read_move(text, state)
    if typed is not None:
        return typed
    machine = words.machine
    legal = machine.legal(state)
    spelled = _spelled(text, legal, machine.signature)
    candidates = [spelled] if spelled else _candidates(text, machine, state)
    if not candidates:
        raise MoveNotUnderstood(_not_understood(text, machine.signature, legal))
    if len(candidates) == 1:
        return candidates[0]
    possible = [move for move in candidates if move in legal]
    if len(possible) == 1:
        return possible[0]
    shown = listing([f"`{move}`" for move in possible or candidates], last="or")
    raise MoveAmbiguous(f"`{text.strip()}` could mean {shown}; type it with its name")


def to_text(move: Move, signature: Signature) -> str:
    """*move* as it is shown and can be typed: its name only where it is needed.

    >>> steps = Signature(name="steps", variables=(), moves=())
    >>> to_text(Move("Step", ((7, 1), (6, 2))), steps)
    '(7, 1) → (6, 2)'
    """
    kind = signature.kind(move.name)
    if not move.arguments or (kind is not None and kind.name_suffices):
        return move.name
    if len(signature.moves) > 1:
        return str(move)
    is_step = len(move.arguments) == 2 and all(isinstance(a, tuple) for a in move.arguments)
    return (" → " if is_step else " ").join(map(value_text, move.arguments))


def nearest(text: str, moves: Sequence[Move], signature: Signature) -> tuple[Move, ...]:
    """The *moves* whose text is closest to *text*, three at the most."""
    wanted = _squeezed(text)[:LONGEST_COMPARED]
    scored = sorted(
        (distance(wanted, _squeezed(to_text(move, signature))), index)
        for index, move in enumerate(moves[:MOST_COMPARED])
    )
    return tuple(moves[index] for _, index in scored[:MOST_OFFERED])


def forms(signature: Signature) -> tuple[str, ...]:
    """How each kind of move is typed: its parameters, after its name where there are several."""
    is_named = len(signature.moves) > 1
    return tuple(
        " ".join(
            ([move.name] if is_named or not move.parameters or move.name_suffices else [])
            + [each.name for each in move.parameters if not move.name_suffices]
        )
        for move in signature.moves
    )


def _squeezed(text: str) -> str:
    return re.sub(r"[^\w]+", " ", text).strip().lower()


def _not_understood(text: str, signature: Signature, legal: Sequence[Move]) -> str:
    said = text.strip()
    message = f"`{said}` is no move here" if said else "a move is missing"
    how = listing([f"`{form}`" for form in forms(signature)], last="or")
    if how:
        message += f"; a move is typed as {how}"
    offered = nearest(said, legal, signature)
    if offered:
        shown = listing([f"`{to_text(move, signature)}`" for move in offered], last="or")
        message += f", for example {shown}"
    return message


def _candidates(text: str, machine: Machine, state: State) -> list[Move]:
    """The moves that *text* fits; if none has its arguments in their sets, the first of them."""
    pseudo = _pseudo_move(text, machine, state)
    if pseudo is not None:
        return [pseudo]
    typed = list(_tokens(text[:LONGEST]))
    if not typed:
        return []
    found = list(_fitting(typed, machine, state))
    if not found:
        # `34` for `3 4`: only where nothing else fits.
        found = list(_fitting(list(_digits(typed)), machine, state))
    inside = [move for move in found if are_in_domain(move, machine, state)]
    return list(dict.fromkeys(inside)) or found[:1]


def are_in_domain(move: Move, machine: Machine, state: State) -> bool:
    """Whether each argument of *move* is in the set that its parameter ranges over."""
    return outside_domain(move, machine, state) is None


def outside_domain(
    move: Move, machine: Machine, state: State
) -> tuple[MoveParameter, Value] | None:
    """The first parameter of *move* whose argument is not in its set, with that argument."""
    kind = machine.signature.kind(move.name)
    if kind is None:
        return None
    for parameter, value in zip(kind.parameters, move.arguments, strict=True):
        if not parameter.domain.has(value, state):
            return parameter, value
    return None


def misfit(parameter: MoveParameter, value: Value) -> str:
    """That *value* is not in the set of *parameter*, as a clause."""
    return f"{parameter.name} = {value_text(value)} is not in {parameter.domain.text}"


def _spelled(text: str, legal: Sequence[Move], signature: Signature) -> Move | None:
    """The legal move with a value of a dialect's own, as a string, that is shown as *text*."""
    said = _squeezed(text)
    for move in legal:
        if any(isinstance(value, Other) for value in move.arguments):
            named = f"{move.name} {' '.join(map(value_text, move.arguments))}"
            if said in (_squeezed(to_text(move, signature)), _squeezed(named)):
                return move
    return None


def _pseudo_move(text: str, machine: Machine, state: State) -> Move | None:
    said = _squeezed(text)
    return next(
        (
            move
            for move in machine.legal(state)
            if move.name in {PASS_MOVE, NO_EFFECT_MOVE} and move.name == said
        ),
        None,
    )


def _fitting(typed: Sequence[_TypedToken], machine: Machine, state: State) -> Iterator[Move]:
    for kind in machine.signature.moves:
        for rest in _without_name(typed, kind, machine.signature):
            yield from _calls(rest, kind, state)


def _without_name(
    typed: Sequence[_TypedToken], kind: MoveKind, signature: Signature
) -> Iterator[Sequence[_TypedToken]]:
    """What is left for the arguments: all of it, or what follows the name of the kind."""
    if kind.parameters:
        yield typed
    first = typed[0].text.lower()
    name = kind.name.lower()
    if typed[0].kind != "word":
        return
    others = [move.name.lower() for move in signature.moves if move is not kind]
    is_short = name.startswith(first) and not any(other.startswith(first) for other in others)
    if first == name or is_short:
        yield typed[1:]


def _calls(typed: Sequence[_TypedToken], kind: MoveKind, state: State) -> Iterator[Move]:
    domains = [parameter.domain for parameter in kind.parameters]
    types = tuple(domain.type(state) for domain in domains)
    words = {_spelling(word.name): word for domain in domains for word in domain.words(state)}
    for arguments in _ArgumentReader(typed, words).read(types):
        yield Move(kind.name, arguments)


# Values of known types, read from what was typed

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
_TRUTHS = {"true": TRUE, "yes": TRUE, "t": TRUE, "false": FALSE, "no": FALSE, "f": FALSE}


@dataclass(frozen=True, slots=True)
class _TypedToken:
    """A sign, a number or a word that was typed."""

    kind: str
    text: str


def _tokens(text: str) -> Iterator[_TypedToken]:
    """What *text* consists of."""
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            return
        at = match.end()
        kind = str(match.lastgroup)
        typed = match.group(kind)
        # A picture such as ♠ is a word of its own, as in documents.
        is_picture = kind == "other" and unicodedata.category(typed) == "So"
        yield _TypedToken("word" if is_picture else kind, typed)


def _digits(typed: Sequence[_TypedToken]) -> Iterator[_TypedToken]:
    """What was *typed*, with each digit a number of its own."""
    for token in typed:
        if token.kind == "number" and token.text.isdigit():
            yield from (_TypedToken("number", digit) for digit in token.text)
        else:
            yield token


def _spelling(name: str) -> str:
    """*name* without blanks and capitals.

    >>> _spelling("Dark Red")
    'darkred'
    """
    return "".join(name.split()).lower()


class _ArgumentReader:
    """Reads values of known types from tokens, in every way that fits."""

    def __init__(self, tokens: Sequence[_TypedToken], words: Mapping[str, Atom]) -> None:
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
            case MixedType(kinds):
                for each in kinds:
                    yield from self._value(each, at)
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
            word = _spelling("".join(token.text for token in self._tokens[at:stop]))
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
