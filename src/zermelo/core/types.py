"""The types of expressions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


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
