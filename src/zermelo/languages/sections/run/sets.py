"""Sets that are known without being listed, and the operations on all sets.

A set is a ``frozenset`` once it is listed. A power set, a product, a range, the natural numbers and
what is made of them stay descriptions: membership, subset and size are decided from the
description, and only what must be listed is. Listing an infinite set, or one of more than
``LIST_LIMIT`` members, is a fault. Sizes are exact numbers as long as they can be written down, and
text such as ``2^(2^35)`` beyond that; nothing large is ever computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, combinations, islice, product
from typing import Final, TypeAlias, TypeGuard, assert_never

from zermelo.core.machine import endless, undefined
from zermelo.core.values import MOST_COMPONENTS, MOST_LISTED, Value, in_order, width
from zermelo.languages.sections.ir import NumberSetKind
from zermelo.text.budget import spend

MAX_BITS: Final = 4096
"""Numbers beyond 2 to this power have no value."""
LIST_LIMIT: Final = MOST_LISTED
"""No set with more members than this is listed."""
SETTLE_LIMIT: Final = 4096
"""Sets up to this size are listed when they are made, since looking up is quick then."""


class Unlisted:
    """What the sets that are not listed have in common."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Numbers(Unlisted):
    """ℕ, ℤ or ℤ⁺."""

    kind: NumberSetKind

    @property
    def least(self) -> int | None:
        return _LEAST[self.kind]


_LEAST: Final = {NumberSetKind.NATURAL: 0, NumberSetKind.POSITIVE: 1, NumberSetKind.INTEGER: None}


@dataclass(frozen=True, slots=True)
class NumberInterval(Unlisted):
    """The whole numbers from *low* to *high*."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Subsets(Unlisted):
    """The subsets of *base*, of the sizes from *least* to *most* when these are given."""

    base: AnySet
    least: int = 0
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Tuples(Unlisted):
    """The tuples with components in *factors*."""

    factors: tuple[AnySet, ...]


@dataclass(frozen=True, slots=True)
class Either(Unlisted):
    """``left ∪ right``."""

    left: AnySet
    right: AnySet


@dataclass(frozen=True, slots=True)
class Both(Unlisted):
    """``left ∩ right``."""

    left: AnySet
    right: AnySet


@dataclass(frozen=True, slots=True)
class Without(Unlisted):
    """``left − right``."""

    left: AnySet
    right: AnySet


@dataclass(frozen=True, slots=True, eq=False)
class Filtered(Unlisted):
    """The members of *domain* for which *holds*; *candidates* is a set with all of them in it."""

    domain: AnySet
    holds: Callable[[Value], bool]
    candidates: Callable[[], AnySet]


UnlistedSet: TypeAlias = (
    Numbers | NumberInterval | Subsets | Tuples | Either | Both | Without | Filtered
)


AnySet: TypeAlias = frozenset[Value] | UnlistedSet
Operand: TypeAlias = Value | UnlistedSet
"""What an expression evaluates to: a value, or a set that has not been listed."""


def is_set(operand: Operand) -> TypeGuard[AnySet]:
    return isinstance(operand, frozenset | Unlisted)


def listed(operand: Operand) -> Value:
    return members(operand) if isinstance(operand, Unlisted) else operand


def settled(operand: Operand) -> Operand:
    """*operand*, listed if it is small.

    A set with a condition somewhere in it stays as it is: to list it is to try members nobody
    asks about, or not to try those that somebody does, and a condition may have no value.
    """
    if type(operand) is NumberInterval:
        low, high = operand.low, operand.high
        if high - low >= SETTLE_LIMIT:
            return operand
        spend(_STEPS_OF_A_SET + _STEPS_TO_LIST * max(0, high - low), "listing a range")
        return frozenset(range(low, high + 1))
    if isinstance(operand, Unlisted) and not _has_condition(operand):
        known = size(operand)
        return operand if known.exceeds(SETTLE_LIMIT) else _listed(operand, known)
    return operand


def _has_condition(whole: AnySet) -> bool:
    spend(_STEPS_OF_A_SET, DECIDING)
    match whole:
        case Filtered():
            return True
        case Either(left, right) | Both(left, right) | Without(left, right):
            return _has_condition(left) or _has_condition(right)
        case Tuples(factors):
            return any(map(_has_condition, factors))
        case Subsets(base):
            return _has_condition(base)
        case _:
            return False


def contains(whole: AnySet, value: Value) -> bool:
    match whole:
        case frozenset():
            return value in whole
        case Numbers():
            return type(value) is int and (whole.least is None or value >= whole.least)
        case NumberInterval(low, high):
            return type(value) is int and low <= value <= high
        case Subsets():
            return isinstance(value, frozenset) and _is_listed_subset(whole, value)
        case Tuples(factors):
            spend(_STEPS_OF_A_SET + 2 * len(factors), DECIDING)
            return (
                isinstance(value, tuple)
                and len(value) == len(factors)
                and all(contains(f, v) for f, v in zip(factors, value, strict=True))
            )
        case _:
            return _composite_contains(whole, value)


def _is_listed_subset(whole: Subsets, value: frozenset[Value]) -> bool:
    if len(value) < whole.least or (whole.most is not None and len(value) > whole.most):
        return False
    return is_subset(value, whole.base)


def _composite_contains(whole: Either | Both | Without | Filtered, value: Value) -> bool:
    spend(_STEPS_OF_A_SET, DECIDING)
    match whole:
        case Either(left, right):
            return contains(left, value) or contains(right, value)
        case Both(left, right):
            return contains(left, value) and contains(right, value)
        case Without(left, right):
            return contains(left, value) and not contains(right, value)
        case Filtered(domain, holds):
            return contains(domain, value) and holds(value)
        case _:
            assert_never(whole)


def is_subset(part: AnySet, whole: AnySet) -> bool:
    if isinstance(part, frozenset):
        if isinstance(whole, frozenset):
            return part <= whole
        spend(_STEPS_OF_A_MEMBER * len(part), DECIDING)
        return all(contains(whole, member) for member in part)
    spend(_STEPS_OF_A_SET, DECIDING)
    match part, whole:
        case _, Both(left, right):
            return is_subset(part, left) and is_subset(part, right)
        case Either(left, right), _:
            return is_subset(left, whole) and is_subset(right, whole)
        case Subsets(inner, 0, None), Subsets(outer, 0, None):
            return is_subset(inner, outer)
        case Tuples(inner_factors), Tuples(outer_factors) if len(inner_factors) == len(
            outer_factors
        ):
            return is_empty(part) or all(map(is_subset, inner_factors, outer_factors))
        case ((Numbers() | NumberInterval()), (Numbers() | NumberInterval())):
            return _is_subset_of_numbers(part, whole)
        case _:
            return _is_subset_by_size(part, whole)


def _is_subset_of_numbers(part: Numbers | NumberInterval, whole: Numbers | NumberInterval) -> bool:
    if isinstance(part, NumberInterval):
        return part.low > part.high or (contains(whole, part.low) and contains(whole, part.high))
    if isinstance(whole, NumberInterval):
        return False
    return whole.least is None or (part.least is not None and part.least >= whole.least)


def _is_subset_by_size(part: UnlistedSet, whole: AnySet) -> bool:
    """Lists *part*, unless its size alone shows that it does not fit."""
    mine, other = size(part), size(whole)
    if mine.is_exact and not other.is_infinite:
        if mine.is_infinite:
            return False
        if mine.count is not None and other.count is not None and mine.count > other.count:
            return False
    found = members(part)
    spend(_STEPS_OF_A_MEMBER * len(found), DECIDING)
    return all(contains(whole, member) for member in found)


def is_same(left: AnySet, right: AnySet) -> bool:
    if isinstance(left, frozenset) and isinstance(right, frozenset):
        return left == right
    # Descriptions that are alike need not be looked into.
    spend(_STEPS_OF_A_SET + _parts(left), DECIDING)
    if left == right:
        return True
    first, second = size(left), size(right)
    if first.is_exact and second.is_exact and first != second:
        return False
    return is_subset(left, right) and is_subset(right, left)


def is_empty(whole: AnySet) -> bool:
    known = size(whole)
    return known.count == 0 or (not known.is_exact and not members(whole))


def union(left: AnySet, right: AnySet) -> AnySet:
    if isinstance(left, frozenset) and isinstance(right, frozenset):
        return left | right
    if not left or not right:
        return left or right
    return Either(left, right)


def intersection(left: AnySet, right: AnySet) -> AnySet:
    if isinstance(left, frozenset) and isinstance(right, frozenset):
        return left & right
    return Both(left, right)


def difference(left: AnySet, right: AnySet) -> AnySet:
    if isinstance(left, frozenset) and isinstance(right, frozenset):
        return left - right
    return Without(left, right)


def _parts(whole: AnySet) -> int:
    """About how many steps it takes to compare the description *whole* with another."""
    match whole:
        case frozenset():
            return len(whole) >> 1
        case Either(left, right) | Both(left, right) | Without(left, right):
            return _STEPS_OF_A_SET + _parts(left) + _parts(right)
        case Tuples(factors):
            return _STEPS_OF_A_SET + sum(map(_parts, factors))
        case Subsets(base):
            return _STEPS_OF_A_SET + _parts(base)
        case _:
            return _STEPS_OF_A_SET


def size(whole: AnySet) -> Size:
    spend(_STEPS_OF_A_SET, DECIDING)
    match whole:
        case frozenset():
            return exactly(len(whole))
        case Numbers():
            return INFINITE
        case NumberInterval(low, high):
            return exactly(max(0, high - low + 1))
        case Subsets():
            return _size_of_subsets(whole)
        case Tuples(factors):
            spend(_STEPS_OF_A_SET * len(factors), DECIDING)
            return product_size(map(size, factors))
        case Either(left, right):
            return at_most(total_size((size(left), size(right))))
        case Both(left, right):
            return smallest_size((size(left), size(right)))
        case Without(left, _):
            return at_most(size(left))
        case Filtered(_, _, candidates):
            return at_most(size(candidates()))
        case _:
            assert_never(whole)


def _size_of_subsets(whole: Subsets) -> Size:
    base = size(whole.base)
    if not base.is_exact and not base.exceeds(_MANY) and not isinstance(whole.base, Filtered):
        # Parts that overlap would count twice, and each doubles the number of subsets.
        base = exactly(len(members(whole.base)))
    if whole.most is None and whole.least == 0:
        return power_size(base)
    if base.count is None:
        return base
    most = base.count if whole.most is None else min(whole.most, base.count)
    if base.count.bit_length() * most > MAX_BITS:
        return power_size(base)
    known = exactly(_number_of_subsets(base.count, whole.least, most))
    return known if base.is_exact else at_most(known)


def _number_of_subsets(count: int, least: int, most: int) -> int:
    """How many subsets with *least* to *most* members a set with *count* members has.

    >>> _number_of_subsets(4, 1, 2)
    10
    """
    spend(_STEPS_OF_A_MEMBER * max(0, most), DECIDING)
    total, here = 0, 1
    for chosen in range(most + 1):
        if chosen >= least:
            total += here
        here = here * (count - chosen) // (chosen + 1)
    return total


def cardinality(whole: AnySet) -> int:
    """The number of members; a fault if it is infinite or has no place among numbers."""
    if isinstance(whole, frozenset):
        return len(whole)
    known = size(whole)
    if known.is_infinite and known.is_exact:
        raise endless("the set has infinitely many members")
    if known.is_exact:
        if known.count is not None:
            return known.count
        raise undefined(f"the number of members, {known.text}, is beyond 2^{MAX_BITS}")
    match whole:
        case Either(left, right):
            return cardinality(left) + cardinality(right) - cardinality(Both(left, right))
        case Without(left, right) if size(left).is_exact:
            return cardinality(left) - cardinality(Both(left, right))
        case _:
            return len(members(whole))


def members(whole: AnySet) -> frozenset[Value]:
    if isinstance(whole, frozenset):
        return whole
    if isinstance(whole, Both):
        # One side may be endless and the other short.
        return _common_members(whole)
    return _listed(whole, size(whole))


def _listed(whole: UnlistedSet, known: Size) -> frozenset[Value]:
    """The members of *whole*, whose size is *known*."""
    if isinstance(whole, Both):
        return _common_members(whole)
    if known.count is None or known.count > LIST_LIMIT:
        raise endless(_too_long(known))
    # Counted before they are made: each takes room, too.
    steps = _STEPS_OF_A_SET + known.count * _steps_to_list(whole)
    named = known.text if known.count > _MANY else "the"
    spend(steps, f"listing {named} members of a set")
    return frozenset(_listing(whole))


DECIDING: Final = "deciding about sets"
_MANY: Final = 64
_STEPS_TO_LIST: Final = 4
_STEPS_OF_A_SET: Final = 8
"""What it takes to look at a description."""
_STEPS_OF_A_MEMBER: Final = 4


def _steps_to_list(whole: UnlistedSet) -> int:
    """How many steps one member of *whole* is, by the room that it takes."""
    match whole:
        case Tuples(factors):
            return _STEPS_TO_LIST + 2 * len(factors)
        case Either() | Without() | Filtered():
            return 2 * _STEPS_TO_LIST
        case Subsets(base):
            return 2 * _STEPS_TO_LIST + 2 * (size(base).count or 0)
        case _:
            return _STEPS_TO_LIST


def _too_long(known: Size) -> str:
    if known.is_infinite:
        return "the set would have to be listed, and it has infinitely many members"
    about = "" if known.is_exact else "up to "
    return (
        f"the set would have to be listed, and it has {about}{known.text} members,"
        f" more than {LIST_LIMIT:,}"
    )


def _common_members(whole: Both) -> frozenset[Value]:
    short, other = sorted((whole.left, whole.right), key=lambda side: magnitude(size(side)))
    found = members(short)
    spend(_STEPS_OF_A_SET + _STEPS_OF_A_MEMBER * len(found), DECIDING)
    return frozenset(member for member in found if contains(other, member))


def _listing(whole: UnlistedSet) -> Iterator[Value]:
    match whole:
        case Numbers():
            raise endless(_too_long(INFINITE))
        case NumberInterval(low, high):
            yield from range(low, high + 1)
        case Subsets(base, least, most):
            everything = in_order(members(base))
            longest = len(everything) if most is None else min(most, len(everything))
            picks = (combinations(everything, k) for k in range(least, longest + 1))
            yield from map(frozenset, chain.from_iterable(picks))
        case Tuples(factors):
            lists = [members(factor) for factor in factors]
            # One tells of all: they have their shape from the factors.
            first = tuple(value for each in lists for value in islice(each, 1))
            if tuple in map(type, first) and width(first) > MOST_COMPONENTS:
                raise undefined(
                    f"the product has tuples with more than {MOST_COMPONENTS:,} components"
                )
            yield from product(*lists)
        case Either(left, right):
            yield from members(left) | members(right)
        case Both():
            yield from _common_members(whole)
        case Without(left, right):
            yield from (m for m in members(left) if not contains(right, m))
        case Filtered(domain, holds, candidates):
            yield from (m for m in members(candidates()) if contains(domain, m) and holds(m))
        case _:
            assert_never(whole)


def within(whole: AnySet, low: int | None, high: int | None) -> AnySet:
    """A part of *whole* with all its numbers between *low* and *high*, short where possible."""
    match whole:
        case Numbers():
            first = max((end for end in (whole.least, low) if end is not None), default=None)
            return whole if first is None or high is None else NumberInterval(first, high)
        case NumberInterval(first, last):
            return NumberInterval(
                first if low is None else max(first, low), last if high is None else min(last, high)
            )
        case Either(left, right):
            return Either(within(left, low, high), within(right, low, high))
        case _:
            return _narrowed(whole, lambda part: within(part, low, high))


def sized(whole: AnySet, least: int, most: int | None) -> AnySet:
    """A part of *whole* with all its sets of *least* to *most* members, short where possible."""
    match whole:
        case Subsets(base, first, last):
            ends = [end for end in (last, most) if end is not None]
            return Subsets(base, max(first, least), min(ends, default=None))
        case _:
            return _narrowed(whole, lambda part: sized(part, least, most))


def _narrowed(whole: AnySet, narrow: Callable[[AnySet], AnySet]) -> AnySet:
    match whole:
        case Both(left, right):
            return Both(narrow(left), narrow(right))
        case Without(left, right):
            return Without(narrow(left), right)
        case Filtered(domain, holds, candidates):
            return Filtered(domain, holds, lambda: narrow(candidates()))
        case _:
            return whole


@dataclass(frozen=True, slots=True)
class Size:
    """How many members a set has, or at most has.

    ``count`` is ``None`` when there are infinitely many, or too many to write the
    number down; ``text`` says it.
    """

    count: int | None
    text: str
    is_infinite: bool = False
    is_exact: bool = True

    def exceeds(self, limit: int) -> bool:
        return self.count is None or self.count > limit


INFINITE: Final = Size(None, "infinitely many", is_infinite=True)
TOO_MANY: Final = Size(None, f"more than 2^{MAX_BITS}")


def exactly(count: int) -> Size:
    """The size of a set with *count* members.

    >>> exactly(1225).text
    '1,225'
    """
    return TOO_MANY if count.bit_length() > MAX_BITS else Size(count, f"{count:,}")


def at_most(size: Size) -> Size:
    return Size(size.count, size.text, is_infinite=size.is_infinite, is_exact=False)


def total_size(sizes: Iterable[Size]) -> Size:
    listed = tuple(sizes)
    if any(size.is_infinite for size in listed):
        return INFINITE
    if len(listed) == 1:
        return listed[0]
    exact = all(size.is_exact for size in listed)
    counts = [size.count for size in listed if size.count is not None]
    if len(counts) < len(listed):
        text = " + ".join(size.text for size in listed if size.text != "0")
        return _beyond(text, is_exact=exact)
    known = exactly(sum(counts))
    return known if exact else at_most(known)


def product_size(sizes: Iterable[Size]) -> Size:
    listed = tuple(sizes)
    if len(listed) == 1:
        return listed[0]
    if any(size.count == 0 for size in listed):
        return exactly(0)
    if any(size.is_infinite for size in listed):
        return INFINITE
    exact = all(size.is_exact for size in listed)
    count = 1
    for size in listed:
        if size.count is None or count.bit_length() + size.count.bit_length() > MAX_BITS:
            return _beyond(" · ".join(_in_brackets(s.text) for s in listed), is_exact=exact)
        count *= size.count
    return Size(count, f"{count:,}", is_exact=exact)


def _beyond(text: str, *, is_exact: bool) -> Size:
    """A number too large to be written down; a formula for it that is too long helps nobody."""
    return Size(None, text if len(text) <= _LONGEST_SIZE else TOO_MANY.text, is_exact=is_exact)


_LONGEST_SIZE: Final = 120


def power_size(size: Size) -> Size:
    """The number of subsets of a set of this *size*.

    >>> power_size(power_size(exactly(35))).text
    '2^(2^35)'
    """
    if size.is_infinite:
        return INFINITE
    if size.count is None or size.count > MAX_BITS:
        return _beyond(f"2^{_in_brackets(size.text)}", is_exact=size.is_exact)
    count = 1 << size.count
    text = f"{count:,}" if size.count <= 20 else f"2^{size.count}"
    return Size(count, text, is_exact=size.is_exact)


def smallest_size(sizes: Iterable[Size]) -> Size:
    return at_most(min(sizes, key=magnitude))


def magnitude(size: Size) -> tuple[bool, bool, int, int]:
    return (size.is_infinite, size.count is None, size.count or 0, len(size.text))


def _in_brackets(text: str) -> str:
    return text if text.replace(",", "").isdigit() else f"({text})"
