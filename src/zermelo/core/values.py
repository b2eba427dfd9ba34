"""The values that variables hold.

Truth values are ``TRUE`` and ``FALSE``, numbers ``int`` or ``Fraction`` (never a
``Fraction`` that is whole), words ``Atom``, tuples ``tuple``, finite sets
``frozenset``. Python's own ``True`` is no value: it equals 1, and a set may hold both.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from heapq import nsmallest
from itertools import islice
from typing import Final, TypeAlias, Union, assert_never


@dataclass(frozen=True, slots=True)
class Atom:
    """A word used as a value, as the document first spells it."""

    name: str

    def __repr__(self) -> str:
        return self.name


class TruthValue:
    """A truth value: there are two, ``TRUE`` and ``FALSE``.

    Each equals Python's ``True`` or ``False``, so that a caller may compare with those, and no
    number: ``{true} ∪ {1}`` has two members.
    """

    __slots__ = ("holds",)
    holds: bool

    def __init__(self, *, holds: bool) -> None:
        self.holds = holds

    def __bool__(self) -> bool:
        return self.holds

    def __eq__(self, other: object) -> bool:
        return other is self or other is self.holds

    def __hash__(self) -> int:
        return self.holds

    def __repr__(self) -> str:
        return "TRUE" if self.holds else "FALSE"

    def __str__(self) -> str:
        return "true" if self.holds else "false"

    def __reduce__(self) -> str:
        # The name of the one there is, also for another process.
        return repr(self)


TRUE: Final = TruthValue(holds=True)
FALSE: Final = TruthValue(holds=False)


def truth(holds: bool) -> TruthValue:  # noqa: FBT001 - the one thing it is about
    return TRUE if holds else FALSE


class Unset:
    """The value of a variable that has not been given one yet."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "unset"

    def __reduce__(self) -> str:
        # The name of the one there is, for copies and for another process.
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
    TruthValue, int, Fraction, Atom, Unset, Other, "tuple[Value, ...]", "frozenset[Value]"
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
        case TruthValue():
            return (1, value.holds)
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
        case TruthValue():
            return str(value)
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


def is_longer(value: Value, most: int) -> bool:
    """Whether the text of *value* has certainly more than *most* characters.

    Only so many of its parts are looked at.

    >>> is_longer(frozenset(range(1_000_000)), 60), is_longer((1, 2), 60)
    (True, False)
    """
    waiting, length = [value], 0
    while waiting and length <= most:
        at = waiting.pop()
        if isinstance(at, tuple | frozenset):
            length += 2 * len(at)
            waiting.extend(islice(at, most))
        else:
            length += 1
    return length > most


def to_short_text(value: Value, most: int) -> str:
    """*value* in the documents' notation, or the first *most* characters of that and ``…``.

    >>> to_short_text(frozenset(range(1_000)), 10), to_short_text((1, 2), 10)
    ('{0, 1, 2, …', '(1, 2)')
    """
    if not is_longer(value, most):
        text = to_text(value)
        return text if len(text) <= most else f"{text[:most]}…"
    written, length = [], 0
    for piece in _pieces(value, most):
        written.append(piece)
        length += len(piece)
        if length > most:
            break
    return f"{''.join(written)[:most]}…"


def _pieces(value: Value, most: int) -> Iterator[str]:
    """The text of *value* in pieces, of whose sets only as many members as *most* may show."""
    if not isinstance(value, tuple | frozenset) or not value:
        yield to_text(value)
        return
    opening, closing, items = "(", ")", iter(value)
    if isinstance(value, frozenset):
        opening, closing, items = "{", "}", iter(nsmallest(most, value, key=sort_key))
    yield opening
    for at, item in enumerate(items):
        if at:
            yield ", "
        yield from _pieces(item, most)
    yield closing


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
        case TruthValue() | int() | Fraction() | Unset() | Other():
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
class MixedType:
    """Values of several kinds, such as numbers and sets of numbers.

    No two of its kinds could be made one: there is at most one of sets, and one of the tuples of
    each size.
    """

    kinds: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """Not known; fits everything, and nothing complains about it."""


Type: TypeAlias = TruthType | NumberType | WordType | TupleType | SetType | MixedType | Unknown

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
        case MixedType(kinds):
            return " or ".join(map(_one, kinds))


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
        case MixedType(kinds):
            return " and ".join(map(_many, kinds))


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
        case (MixedType(), _) | (_, MixedType()):
            pairs = ((a, b) for a in kinds_in(left) for b in kinds_in(right))
            return joined(left, right) if any(unify(a, b) is not None for a, b in pairs) else None
        case _:
            return left if left == right else None


def kinds_in(kind: Type) -> tuple[Type, ...]:
    """The kinds that *kind* is made of, if it is a mixture, or itself."""
    return kind.kinds if isinstance(kind, MixedType) else (kind,)


def joined(left: Type, right: Type) -> Type:
    """The type of what may be of the one type or of the other.

    >>> words(joined(SetType(NUMBER), SetType(WORD)))
    'a set of numbers and words'
    """
    if left is right:
        return left
    match left, right:
        case (Unknown(), other) | (other, Unknown()):
            return other
        case SetType(a), SetType(b):
            return SetType(joined(a, b))
        case TupleType(a), TupleType(b) if len(a) == len(b):
            return TupleType(tuple(map(joined, a, b)))
        case _:
            return left if left == right else _mixture((*kinds_in(left), *kinds_in(right)))


def _mixture(kinds: tuple[Type, ...]) -> Type:
    by_place: dict[tuple[int, int], Type] = {}
    for kind in kinds:
        place = _place(kind)
        by_place[place] = joined(by_place.get(place, UNKNOWN), kind)
    found = tuple(by_place[place] for place in sorted(by_place))
    return found[0] if len(found) == 1 else MixedType(found)


def _place(kind: Type) -> tuple[int, int]:
    """Where *kind* stands in a mixture; two of the same place are joined."""
    match kind:
        case TruthType():
            return 0, 0
        case NumberType():
            return 1, 0
        case WordType():
            return 2, 0
        case TupleType(items):
            return 3, len(items)
        case SetType():
            return 4, 0
        case MixedType() | Unknown():
            raise TypeError("a part of a mixture is of one kind")


def tuple_type(items: tuple[Type, ...]) -> Type:
    """The type of tuples with components of the types *items*; unknown if no value may have it.

    >>> tuple_type((NUMBER, NUMBER))
    TupleType(items=(NumberType(), NumberType()))
    >>> whole = NUMBER
    >>> for _ in range(99):
    ...     whole = tuple_type((whole, whole))
    >>> width(whole) <= MOST_COMPONENTS
    True
    """
    made = TupleType(items)
    return UNKNOWN if width(made) > MOST_COMPONENTS else made


MOST_LISTED: Final = 1_000_000
"""No set with more members than this is listed, and no state with more moves."""
MOST_COMPONENTS: Final = 1_000
"""A tuple has no more components than this, those of its components included."""


MOST_PARTS: Final = 1_000_000
"""A value has no more members and components than this, those of what is inside it included."""


def extent(whole: frozenset[Value] | tuple[Value, ...]) -> int:
    """How many members and components *whole* has, those of sets and tuples inside it included.

    What stands in several places counts each time, as it is compared each time. Beyond what a
    value may have nothing is counted.

    >>> extent(frozenset({(1, 2), frozenset({3})}))
    5
    """
    waiting = [whole]
    count = 0
    while waiting:
        at = waiting.pop()
        count += len(at)
        if count > MOST_PARTS:
            break
        waiting.extend([each for each in at if type(each) is frozenset or type(each) is tuple])
    return count


def width(whole: Value | Type) -> int:
    """How many components *whole* has, a tuple or the type of one, those of components included.

    Of a type these are also the components of members: a type says of all of them what they are.
    Beyond what a tuple may have they are not counted: what names stand for may double with every
    name, so that nobody could look at all of it.
    """
    waiting: list[Value | Type] = [whole]
    count = 0
    while waiting:
        at = waiting.pop()
        items = at.items if isinstance(at, TupleType) else at
        if isinstance(items, tuple):
            count += len(items)
            if count > MOST_COMPONENTS:
                break
            waiting.extend(item for item in items if isinstance(item, tuple | TupleType | SetType))
        elif isinstance(items, SetType):
            waiting.append(items.item)
    return count


def type_of(value: Value) -> Type:
    """The type of *value*; of an empty set, a set of something unknown.

    >>> type_of((1, TRUE))
    TupleType(items=(NumberType(), TruthType()))
    """
    match value:
        case TruthValue():
            return TRUTH
        case int() | Fraction():
            return NUMBER
        case Atom():
            return WORD
        case tuple():
            return TupleType(tuple(map(type_of, value)))
        case frozenset():
            nothing: Type = UNKNOWN
            return SetType(reduce(joined, map(type_of, value), nothing))
        case Unset() | Other():
            return UNKNOWN
