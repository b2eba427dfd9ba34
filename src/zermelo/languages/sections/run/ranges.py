"""What is known of a value without knowing it: the values it is among, or the bounds it keeps to.

A range always has every value that is possible in it, and may have others. ``OneOf`` lists them;
``Between`` has numbers, ``SetWithin`` sets by what their members can be, ``TupleWithin`` tuples by
their components; nothing is known of ``ANYTHING``. An empty ``OneOf`` says that there is no such
value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil, floor
from typing import Final, TypeAlias

from zermelo.core.values import FALSE, TRUE, Number, Value, number
from zermelo.text.budget import spend

MOST_LISTED: Final = 4096
"""No more values than these are listed in one range."""
_MOST_SETS: Final = 8
"""No more sets than these are listed: what their members can be says enough."""
_MOST_PAIRS: Final = 256
"""Arithmetic goes through so many pairs of values; beyond that only their bounds count."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of these values."""

    values: frozenset[Value]


@dataclass(frozen=True, slots=True)
class Between:
    """A number from *low* to *high*, each of which may be missing."""

    low: Number | None
    high: Number | None
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class SetWithin:
    """A set each of whose members is within a range; finite or not."""

    members: Range


@dataclass(frozen=True, slots=True)
class TupleWithin:
    """A tuple with components in these ranges."""

    parts: tuple[Range, ...]


@dataclass(frozen=True, slots=True)
class Anything:
    """Nothing is known."""


Range: TypeAlias = OneOf | Between | SetWithin | TupleWithin | Anything

ANYTHING: Final = Anything()
NOTHING: Final = OneOf(frozenset())
SOME_NUMBER: Final = Between(None, None, is_whole=False)
EITHER: Final = OneOf(frozenset({FALSE, TRUE}))


def only(value: Value) -> OneOf:
    return OneOf(frozenset({value}))


def the_value(found: Range) -> Value | None:
    """The one value that is possible, if it is one."""
    if isinstance(found, OneOf) and len(found.values) == 1:
        (value,) = found.values
        return value
    return None


def is_number(value: Value) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def ends(found: Range) -> Between | None:
    """The bounds of a range of numbers; ``None`` if it may have something else."""
    match found:
        case Between():
            return found
        case OneOf(values) if values and all(map(is_number, values)):
            numbers = [value for value in values if isinstance(value, int | Fraction)]
            whole = all(isinstance(value, int) for value in numbers)
            return Between(min(numbers), max(numbers), whole)
        case Anything():
            return SOME_NUMBER
        case _:
            return None


def interval(low: Number | None, high: Number | None, *, is_whole: bool) -> Range:
    """The numbers between these bounds, which if they are whole are themselves whole."""
    if is_whole:
        low = None if low is None else ceil(low)
        high = None if high is None else floor(high)
    if low is not None and high is not None:
        if low > high:
            return NOTHING
        if low == high:
            return only(number(low))
    return Between(low, high, is_whole)


def members_of(found: Range) -> Range:
    """What the members of a set can be."""
    match found:
        case SetWithin(members):
            return members
        case OneOf(values) if all(isinstance(value, frozenset) for value in values):
            inside = [value for value in values if isinstance(value, frozenset)]
            return _of(frozenset().union(*inside))
        case _:
            return ANYTHING


def component(found: Range, at: int, count: int) -> Range:
    """What a component of a tuple of *count* can be."""
    match found:
        case TupleWithin(parts) if len(parts) == count:
            return parts[at]
        case OneOf(values):
            tuples = [v for v in values if isinstance(v, tuple) and len(v) == count]
            spend(len(values), _DECIDING)
            return _of(frozenset(v[at] for v in tuples))
        case _:
            return ANYTHING


def listed(found: Range, limit: int = MOST_LISTED) -> frozenset[Value] | None:
    """All values of a range, if there are at most *limit*."""
    match found:
        case OneOf(values):
            return values if len(values) <= limit else None
        case Between(int() as low, int() as high, True):
            if high - low >= limit:
                return None
            spend(2 * max(0, high - low), _DECIDING)
            return frozenset(range(low, high + 1))
        case TupleWithin(parts):
            columns = [listed(part, limit) for part in parts]
            size = 1
            for column in columns:
                size *= limit + 1 if column is None else len(column)
            if size > limit:
                return None
            spend(2 * size, _DECIDING)
            return frozenset(product(*(column or () for column in columns)))
        case _:
            return None


def count(found: Range) -> int | None:
    """At most so many values are possible; ``None`` if that is not known."""
    match found:
        case OneOf(values):
            return len(values)
        case Between(int() as low, int() as high, True):
            return max(0, high - low + 1)
        case TupleWithin(parts):
            size = 1
            for part in parts:
                inside = count(part)
                if inside is None:
                    return None
                size *= inside
            return size
        case _:
            return None


def join(one: Range, other: Range) -> Range:
    """A range with every value of both."""
    spend(_STEPS_OF_A_RANGE, _DECIDING)
    if one == other or other == NOTHING:
        return one
    if one == NOTHING:
        return other
    if isinstance(one, OneOf) and isinstance(other, OneOf):
        return _of(one.values | other.values)
    one, other = hull(one), hull(other)
    match one, other:
        case Between(), Between():
            low = None if one.low is None or other.low is None else min(one.low, other.low)
            high = None if one.high is None or other.high is None else max(one.high, other.high)
            return Between(low, high, one.is_whole and other.is_whole)
        case SetWithin(left), SetWithin(right):
            return SetWithin(join(left, right))
        case TupleWithin(left), TupleWithin(right) if len(left) == len(right):
            return TupleWithin(tuple(map(join, left, right)))
        case _:
            return ANYTHING


def joined(ranges: Iterable[Range]) -> Range:
    found: Range = NOTHING
    for each in ranges:
        found = join(found, each)
    return found


def _of(values: frozenset[Value]) -> Range:
    spend(len(values), _DECIDING)
    if len(values) <= _MOST_SETS:
        return OneOf(values)
    are_sets = any(isinstance(value, frozenset) for value in values)
    return hull(OneOf(values)) if are_sets or len(values) > MOST_LISTED else OneOf(values)


def hull(found: Range) -> Range:
    """A range with all values of *found* that does not list them, if they are of one kind."""
    if not isinstance(found, OneOf) or not found.values:
        return found
    numbers = ends(found)
    if numbers is not None:
        return numbers
    values = found.values
    spend(2 * len(values), _DECIDING)
    if all(isinstance(value, frozenset) for value in values):
        return SetWithin(members_of(found))
    lengths = {len(value) if isinstance(value, tuple) else -1 for value in values}
    if len(lengths) == 1 and -1 not in lengths:
        (length,) = lengths
        return TupleWithin(tuple(component(found, at, length) for at in range(length)))
    return ANYTHING


def meet(one: Range, other: Range) -> Range:
    """A range with every value that is in both."""
    spend(_STEPS_OF_A_RANGE, _DECIDING)
    match one, other:
        case Anything(), _:
            return other
        case _, Anything():
            return one
        case OneOf(values), _:
            spend(len(values), _DECIDING)
            return OneOf(frozenset(value for value in values if has(other, value)))
        case _, OneOf():
            return meet(other, one)
        case Between(), Between():
            lows = [end for end in (one.low, other.low) if end is not None]
            highs = [end for end in (one.high, other.high) if end is not None]
            whole = one.is_whole or other.is_whole
            return interval(max(lows, default=None), min(highs, default=None), is_whole=whole)
        case SetWithin(left), SetWithin(right):
            return SetWithin(meet(left, right))
        case TupleWithin(left), TupleWithin(right) if len(left) == len(right):
            met = tuple(map(meet, left, right))
            return NOTHING if NOTHING in met else TupleWithin(met)
        case _:
            return NOTHING


def has(found: Range, value: Value) -> bool:
    """Whether *value* is possible."""
    spend(2, _DECIDING)
    match found:
        case OneOf(values):
            return value in values
        case Between(low, high, is_whole):
            return (
                isinstance(value, int | Fraction)
                and not isinstance(value, bool)
                and (not is_whole or isinstance(value, int))
                and (low is None or value >= low)
                and (high is None or value <= high)
            )
        case SetWithin(members):
            return isinstance(value, frozenset) and all(has(members, each) for each in value)
        case TupleWithin(parts):
            is_long = isinstance(value, tuple) and len(value) == len(parts)
            return is_long and all(map(has, parts, value)) if isinstance(value, tuple) else False
        case Anything():
            return True


def without(found: Range, values: frozenset[Value]) -> Range:
    """*found* without these values, as far as that can be said."""
    match found:
        case OneOf(all_values):
            return OneOf(all_values - values)
        case Between(low, high, True):
            spend(len(values), _DECIDING)
            while low is not None and low in values:
                low += 1
            while high is not None and high in values and (low is None or high >= low):
                high -= 1
            return interval(low, high, is_whole=True)
        case _:
            return found


# Arithmetic


def computed(
    one: Range,
    other: Range,
    exactly: Callable[[Number, Number], Number | None],
    about: Callable[[Between, Between], Range],
) -> Range:
    """What *exactly* gives for two numbers: of few pair by pair, of others *about*."""
    left, right = ends(one), ends(other)
    if left is None or right is None:
        return NOTHING if NOTHING in (one, other) else ANYTHING
    if isinstance(one, OneOf) and isinstance(other, OneOf):
        pairs = len(one.values) * len(other.values)
        spend(_STEPS_OF_A_RANGE + pairs, _DECIDING)
        if pairs <= _MOST_PAIRS:
            found = [
                exactly(a, b)
                for a, b in product(one.values, other.values)
                if isinstance(a, int | Fraction) and isinstance(b, int | Fraction)
            ]
            return OneOf(frozenset(number(value) for value in found if value is not None))
    return about(left, right)


def plus(one: Range, other: Range) -> Range:
    return computed(one, other, lambda a, b: a + b, _plus)


def minus(one: Range, other: Range) -> Range:
    return plus(one, negated(other))


def negated(found: Range) -> Range:
    match found:
        case OneOf(values) if all(map(is_number, values)):
            return OneOf(frozenset(-v for v in values if isinstance(v, int | Fraction)))
        case Between(low, high, whole):
            return Between(
                None if high is None else -high, None if low is None else -low, is_whole=whole
            )
        case _:
            return SOME_NUMBER


def _plus(one: Between, other: Between) -> Range:
    low = None if one.low is None or other.low is None else one.low + other.low
    high = None if one.high is None or other.high is None else one.high + other.high
    return interval(low, high, is_whole=one.is_whole and other.is_whole)


def times(one: Range, other: Range) -> Range:
    return computed(one, other, lambda a, b: a * b, _times)


def _times(one: Between, other: Between) -> Range:
    whole = one.is_whole and other.is_whole
    bounds = (one.low, one.high, other.low, other.high)
    if None not in bounds:
        corners = [a * b for a in (one.low, one.high) for b in (other.low, other.high)]  # type: ignore[operator]
        return interval(min(corners), max(corners), is_whole=whole)
    if one.low is not None and other.low is not None and one.low >= 0 and other.low >= 0:
        high = None if one.high is None or other.high is None else one.high * other.high
        return interval(one.low * other.low, high, is_whole=whole)
    return Between(None, None, is_whole=whole)


_STEPS_OF_A_RANGE: Final = 6
_DECIDING: Final = "finding what values there can be"
