"""The values that variables hold.

Truth values are Python's ``bool``, numbers ``int`` or ``Fraction`` (never a
``Fraction`` that is whole), words ``Atom``, tuples ``tuple``, finite sets
``frozenset``. Kinds never mix inside one set of a typed system, so that Python's
``True == 1`` cannot be seen.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, Union


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

    def __reduce__(self) -> str:
        # There is only one, also where it was read from a file.
        return "UNSET"


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
    """The members of a set in canonical order."""
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
