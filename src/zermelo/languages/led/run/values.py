"""The values of LED programs.

Truth values, numbers, atoms and tuples are those of ``core.values``. Sets remember the
order in which their members came, which is how they print, and are equal whatever it was.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, TypeAlias

from zermelo.core.values import Number, Other, SortKey, Value
from zermelo.languages.led.ir import Op, UnaryOp
from zermelo.text.source import NOWHERE, Span

Extent: TypeAlias = tuple[int, int]
"""The parts and the levels of a value."""


class Arranged(frozenset[Value]):
    """A finite set whose members stand in the order in which they first came."""

    __slots__ = ("extent", "order")
    order: tuple[Value, ...]
    extent: Extent | None
    """What it has inside it, once that was asked for."""

    def __new__(cls, members: Iterable[Value] = ()) -> Arranged:
        return cls.of(dict.fromkeys(members))

    @classmethod
    def of(cls, members: dict[Value, None]) -> Arranged:
        """The set of the keys of *members*, which are different already."""
        order = tuple(members)
        made = super().__new__(cls, order)
        made.order = order
        made.extent = None
        if Arranged in map(type, order):
            extent(made)
        return made

    def __iter__(self) -> Iterator[Value]:
        return iter(self.order)


EMPTY: Final = Arranged()


@dataclass(frozen=True, slots=True)
class Text(Other):
    """A string."""

    value: str

    def sort_key(self) -> SortKey:
        return (self.value,)

    def __str__(self) -> str:
        return self.value


TracedCall: TypeAlias = tuple[str, tuple[Value, ...]]


@dataclass(frozen=True, slots=True)
class Erroneous(Other):
    """The value of an expression that has none, and why."""

    reason: str
    span: Span = field(default=NOWHERE, compare=False)
    """The smallest piece of the program that has no value."""
    trail: tuple[TracedCall, ...] = field(default=(), compare=False)
    """The definitions that needed it, the innermost first."""
    is_limit: bool = field(default=False, compare=False)
    """Whether it is not known only because computing it would take too long."""

    def sort_key(self) -> SortKey:
        return (self.reason,)

    def __str__(self) -> str:
        return "ERRONEOUS VALUE"


class Symbolic(Other):
    """A number that is not known; it answers questions about itself one by one.

    An answer may narrow down what the number can be, and later answers agree with
    it. Python's ``==`` and ``hash`` ask too, so that a tuple or a set that holds such
    a number behaves as if it held the number itself.
    """

    __slots__ = ()

    @abstractmethod
    def combine(self, op: Op, other: Value, *, is_left: bool) -> Value:
        """``self op other``, or ``other op self``; *op* is one of ``+ - * / mod ^``."""

    @abstractmethod
    def apply(self, function: UnaryOp) -> Value:
        """``-self``, ``floor(self)``, ``ceil(self)`` or ``|self|``."""

    @abstractmethod
    def compare(self, op: Op, other: Value, *, is_left: bool) -> bool:
        """``self op other``, or ``other op self``; *op* is one of ``= /= < > <= >=``."""

    def is_among(self, members: Iterable[Value]) -> bool:
        return any(self == each for each in members)

    @abstractmethod
    def concrete(self) -> Number:
        """The number itself: asked where nothing less will do."""

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Symbolic | int | Fraction):
            return self.compare(Op.EQ, other, is_left=True)
        return False

    def __hash__(self) -> int:
        return hash(self.concrete())

    def sort_key(self) -> SortKey:
        return (self.concrete(),)

    def __str__(self) -> str:
        return str(self.concrete())


class Undefined(Exception):
    """An expression has no value; inside an evaluation only, outside it is ``Erroneous``."""

    def __init__(self, reason: str, *, is_limit: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.is_limit = is_limit
        self.span: Span = NOWHERE
        self.trail: list[TracedCall] = []

    def at(self, span: Span) -> Undefined:
        """The same, with its place where it has none yet."""
        if self.span == NOWHERE:
            self.span = span
        return self


# How large values are

MOST_LEVELS: Final = 200
"""How deep sets and tuples may stand in each other; Python compares them by recursion."""

MOST_PARTS: Final = 100_000
"""The parts that a state may have; one with more is taken to grow without bound."""

LARGEST_VALUE: Final = 1_000_000
"""The parts that a value may have with tuples and sets inside it, in all of them."""

FEW_PARTS: Final = 64
"""A tuple with no more parts takes no longer to find again than anything else."""

_BITS: Final = 64
_LETTERS: Final = 8


def size(value: Value, *, most: int = MOST_PARTS) -> int:
    """The number of parts of *value*, counted no further than just beyond *most*.

    A set or tuple is one part besides its own; long numbers and texts count as several.

    >>> size(frozenset({(1, 2), (3, 4)}), most=100)
    7
    """
    counted = 0
    left: list[Value] = [value]
    while left and counted <= most:
        part = left.pop()
        counted += 1
        match part:
            case tuple() | frozenset():
                if len(part) > most:
                    return most + 1
                left.extend(part)
            case Text(text):
                counted += len(text) // _LETTERS
            case int():
                counted += part.bit_length() // _BITS
            case Fraction():
                counted += (part.numerator.bit_length() + part.denominator.bit_length()) // _BITS
            case _:
                pass
    return min(counted, most + 1)


def extent(value: tuple[Value, ...] | Arranged) -> Extent:
    """How many parts *value* has, in all that is inside it, and how many levels.

    Python finds a value again by what is in it, with C's stack and without looking at the clock:
    one that is nested too deeply, or has too many parts, is ``Undefined``.

    >>> extent((1, (2, Arranged([3]))))
    (5, 3)
    """
    if type(value) is Arranged and value.extent is not None:
        return value.extent
    parts, levels = len(value), 0
    for each in value:
        if type(each) is tuple or type(each) is Arranged:
            inner, below = extent(each)
            parts += inner
            levels = max(levels, below)
            if parts > LARGEST_VALUE:
                raise Undefined(f"a value with more than {LARGEST_VALUE:,} parts", is_limit=True)
    if levels >= MOST_LEVELS:
        words = f"a value with more than {MOST_LEVELS} tuples or sets inside each other"
        raise Undefined(words, is_limit=True)
    if type(value) is Arranged:
        value.extent = parts, levels + 1
    return parts, levels + 1


def has_long_part(value: Value) -> bool:
    """Whether there is something in *value*, whose size is bounded, that takes long to find."""
    if type(value) is tuple:
        return extent(value)[0] > FEW_PARTS
    return isinstance(value, frozenset) and any(map(has_long_part, value))


def is_deep(value: Value, *, most: int = MOST_LEVELS) -> bool:
    """Whether in *value*, whose size is bounded, more than *most* sets and tuples are nested.

    >>> is_deep(((1, 2), 3), most=2), is_deep((((1,),),), most=2)
    (False, True)
    """
    level: list[Value] = [value]
    for _ in range(most + 1):
        if len(level) > _MANY:
            # A part that stands in many places is followed once.
            level = list({id(each): each for each in level}.values())
        level = [part for each in level if isinstance(each, tuple | frozenset) for part in each]
        if not level:
            return False
    return True


_MANY: Final = 1_000
