"""The values that variables hold.

Truth values are Python's ``bool``, numbers ``int`` or ``Fraction`` (never a
``Fraction`` that is whole), words ``Atom``, tuples ``tuple``, finite sets
``frozenset``. Kinds never mix inside one set of a typed system, so that Python's
``True == 1`` cannot be seen.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, Union, assert_never


@dataclass(frozen=True, slots=True)
class Atom:
    """A word used as a value, as the document first spells it."""

    name: str

    def __repr__(self) -> str:
        return self.name


class Unset:
    """The value of a variable that has not been given one yet."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "unset"


UNSET = Unset()

SortKey: TypeAlias = tuple[object, ...]


class Other(ABC):
    """A value of a kind that only some dialects have; it says itself how it looks.

    Values of different such kinds are never equal.
    """

    __slots__ = ()

    @abstractmethod
    def sort_key(self) -> SortKey:
        """Orders it among values of its own kind."""

    @abstractmethod
    def __str__(self) -> str: ...


Value: TypeAlias = Union[
    bool, int, Fraction, Atom, Unset, Other, "tuple[Value, ...]", "frozenset[Value]"
]
Number: TypeAlias = int | Fraction


def number(value: Number) -> Number:
    """The canonical form of a number: whole ones are ``int``.

    >>> number(Fraction(6, 3))
    2
    """
    if isinstance(value, Fraction) and value.denominator == 1:
        return value.numerator
    return value


def sort_key(value: Value) -> SortKey:
    """A key that puts values in the one order in which they are shown.

    >>> sorted([frozenset({2}), frozenset({1}), frozenset()], key=sort_key)
    [frozenset(), frozenset({1}), frozenset({2})]
    """
    match value:
        case Unset():
            return (0,)
        case bool():
            return (1, value)
        case int() | Fraction():
            return (2, value)
        case Atom(name):
            return (3, name)
        case tuple():
            return (4, len(value), tuple(sort_key(item) for item in value))
        case frozenset():
            return (5, len(value), tuple(sorted(sort_key(item) for item in value)))
        case Other():
            return (6, type(value).__name__, value.sort_key())


def in_order(values: frozenset[Value]) -> list[Value]:
    return sorted(values, key=sort_key)


def to_text(value: Value) -> str:
    """*value* in the documents' notation.

    >>> to_text(frozenset({(2, 1), (1, 2)}))
    '{(1, 2), (2, 1)}'
    """
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value) if value >= 0 else f"−{-value}"
        case Fraction():
            sign = "" if value >= 0 else "−"
            return f"{sign}{abs(value.numerator)}/{value.denominator}"
        case Atom(name):
            return name
        case Unset():
            return "unset"
        case tuple():
            return "(" + ", ".join(map(to_text, value)) + ")"
        case frozenset():
            if not value:
                return "∅"
            return "{" + ", ".join(map(to_text, in_order(value))) + "}"
        case Other():
            return str(value)


def atoms_in(value: Value) -> Iterator[Atom]:
    """The words in *value*, however deep."""
    match value:
        case Atom():
            yield value
        case tuple():
            for item in value:
                yield from atoms_in(item)
        case frozenset():
            for item in in_order(value):
                yield from atoms_in(item)
        case bool() | int() | Fraction() | Unset() | Other():
            return
        case _:
            assert_never(value)


@dataclass(frozen=True, slots=True)
class TruthType:
    """Truth values."""


@dataclass(frozen=True, slots=True)
class NumberType:
    """Numbers."""


@dataclass(frozen=True, slots=True)
class WordType:
    """Words used as values."""


@dataclass(frozen=True, slots=True)
class TupleType:
    """Tuples with these components."""

    items: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class SetType:
    """Finite sets with members of this type; ``Unknown`` for the empty set."""

    item: Type


@dataclass(frozen=True, slots=True)
class Unknown:
    """Not known; fits everything, and nothing complains about it."""


Type: TypeAlias = TruthType | NumberType | WordType | TupleType | SetType | Unknown

TRUTH = TruthType()
NUMBER = NumberType()
WORD = WordType()
UNKNOWN = Unknown()


def words(kind: Type) -> str:
    """*kind* as a sentence names it.

    >>> words(SetType(TupleType((NUMBER, NUMBER))))
    'a set of pairs of numbers'
    """
    return _one(kind)


def _one(kind: Type) -> str:
    match kind:
        case TruthType():
            return "a truth value"
        case NumberType():
            return "a number"
        case WordType():
            return "a word"
        case Unknown():
            return "something unknown"
        case TupleType(items):
            return f"a {_tuple_noun(len(items))} of {_contents(items)}"
        case SetType(Unknown()):
            return "a set"
        case SetType(item):
            return f"a set of {_many(item)}"


def _many(kind: Type) -> str:
    match kind:
        case TruthType():
            return "truth values"
        case NumberType():
            return "numbers"
        case WordType():
            return "words"
        case Unknown():
            return "things unknown"
        case TupleType(items):
            return f"{_tuple_noun(len(items))}s of {_contents(items)}"
        case SetType(Unknown()):
            return "sets"
        case SetType(item):
            return f"sets of {_many(item)}"


def _tuple_noun(size: int) -> str:
    return {2: "pair", 3: "triple"}.get(size, f"{size}-tuple")


def _contents(items: tuple[Type, ...]) -> str:
    if len(set(items)) == 1:
        return _many(items[0])
    return " and ".join(_one(item) for item in items)


def unify(left: Type, right: Type) -> Type | None:
    """The type that both are, or ``None`` if there is none.

    >>> unify(SetType(UNKNOWN), SetType(NUMBER))
    SetType(item=NumberType())
    """
    if left is right:
        # A type may have the same parts many times over, which then need not be compared.
        return left
    match left, right:
        case (Unknown(), other) | (other, Unknown()):
            return other
        case SetType(a), SetType(b):
            item = unify(a, b)
            return None if item is None else SetType(item)
        case TupleType(a), TupleType(b) if len(a) == len(b):
            items = tuple(unify(x, y) for x, y in zip(a, b, strict=True))
            known = tuple(item for item in items if item is not None)
            return TupleType(known) if len(known) == len(items) else None
        case _:
            return left if left == right else None


def type_of(value: Value) -> Type:
    """The type of *value*; of an empty set, a set of something unknown.

    >>> type_of((1, True))
    TupleType(items=(NumberType(), TruthType()))
    """
    match value:
        case bool():
            return TRUTH
        case int() | Fraction():
            return NUMBER
        case Atom():
            return WORD
        case tuple():
            return TupleType(tuple(map(type_of, value)))
        case frozenset():
            return SetType(type_of(in_order(value)[0]) if value else UNKNOWN)
        case Unset() | Other():
            return UNKNOWN
