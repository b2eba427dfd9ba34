"""What the value of an expression is in generated code: constants known now, or words of code.

Every operand in generated code is a 64-bit number or a truth value. A ``CodeValue``, the
representation of a value, says how it is made of such operands: a subset of a finite set is
one word of bits for every 64 members, a member of a finite list is its number in the list, a
tuple is its components. What needs no code at all is ``Known``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, product
from math import prod
from typing import Final, Literal, TypeAlias

from zermelo.core.layout import WORD
from zermelo.core.values import FALSE, TRUE, UNSET, Value, sort_key
from zermelo.fast.bits import signed
from zermelo.packing.code import Refused

MOST_MEMBERS: Final = 4096
"""Universes with more members than this are not listed."""
LARGEST: Final = 1 << 62
"""No number in generated code may reach this."""

Universe: TypeAlias = tuple[Value, ...]
"""A list of values in canonical order, without repetition."""


@dataclass(frozen=True, slots=True)
class Known:
    """A value that is the same wherever the code runs."""

    value: Value


@dataclass(frozen=True, slots=True)
class Truth:
    """A truth value."""

    code: str


@dataclass(frozen=True, slots=True)
class Num:
    """A whole number from *low* to *high*."""

    code: str
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Ratio:
    """A quotient of whole numbers; the lower one is not 0."""

    upper: Num
    lower: Num


@dataclass(frozen=True, slots=True)
class Member:
    """The member of *universe* with the number *code*."""

    code: str
    universe: Universe


@dataclass(frozen=True, slots=True)
class Parts:
    """A tuple."""

    items: tuple[CodeValue, ...]


@dataclass(frozen=True, slots=True)
class Bits:
    """The subset of *universe* whose bits are set in *words*."""

    words: tuple[str, ...]
    universe: Universe


@dataclass(frozen=True, slots=True)
class Items:
    """The set of these, some of which may be equal."""

    items: tuple[CodeValue, ...]


@dataclass(frozen=True, slots=True)
class Stretch:
    """The whole numbers from *low* to *high*."""

    low: Num
    high: Num


@dataclass(frozen=True, slots=True)
class PowerOf:
    """The subsets of *base*."""

    base: CodeValue


@dataclass(frozen=True, slots=True)
class ProductOf:
    """The tuples with components in *factors*."""

    factors: tuple[CodeValue, ...]


SetOp: TypeAlias = Literal["∪", "∩", "−"]


@dataclass(frozen=True, slots=True)
class Joined:
    """``left op right`` for sets."""

    op: SetOp
    left: CodeValue
    right: CodeValue


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """The members of *domain* for which *holds* gives code that holds."""

    domain: CodeValue
    holds: Callable[[CodeValue], Truth]


@dataclass(frozen=True, slots=True)
class Endless:
    """The whole numbers from *least* on, or all of them."""

    least: int | None


@dataclass(frozen=True, slots=True)
class Never:
    """A value that is never there: the code has noted an error before it would be used."""


CodeValue: TypeAlias = (
    Known
    | Truth
    | Num
    | Ratio
    | Member
    | Parts
    | Bits
    | Items
    | Stretch
    | PowerOf
    | ProductOf
    | Joined
    | Chosen
    | Endless
    | Never
)
_SETS: Final = (Bits, Items, Stretch, PowerOf, ProductOf, Joined, Chosen, Endless)


def universe(values: Iterable[Value]) -> Universe:
    """*values* in canonical order, each once; the unset value is left out."""
    return tuple(sorted({v for v in values if v is not UNSET}, key=sort_key))


def is_set(rep: CodeValue) -> bool:
    match rep:
        case Known(value):
            return isinstance(value, frozenset)
        case Member(_, values):
            return any(isinstance(value, frozenset) for value in values)
        case _:
            return isinstance(rep, _SETS)


def is_mixture(rep: CodeValue) -> bool:
    """Whether *rep* may be a set, and may be something else."""
    if not isinstance(rep, Member):
        return False
    return len({isinstance(v, frozenset) for v in rep.universe if v is not UNSET}) > 1


def possible(rep: CodeValue) -> Universe | None:
    """All values that *rep*, which is no set, may have; ``None`` when they are too many."""
    match rep:
        case Known(value):
            return (value,)
        case Truth():
            return (FALSE, TRUE)
        case Num(_, low, high):
            return tuple(range(low, high + 1)) if high - low < MOST_MEMBERS else None
        case Member(_, values):
            return universe(values)
        case Parts(items):
            return _combined(map(possible, items))
        case Bits(_, values) if len(values) <= 12:
            return universe(_subsets(values))
        case Never():
            return ()
        case _:
            return None


def members(rep: CodeValue) -> Universe | None:
    """A list with all members that the set *rep* may have; ``None`` when they are too many."""
    match rep:
        case Known(value):
            return universe(value) if isinstance(value, frozenset) else None
        case Bits(_, values):
            return values
        case Member(_, values):
            wholes = [value for value in values if isinstance(value, frozenset)]
            if is_mixture(rep):
                raise Refused("something that may be a set or none, used as a set")
            return universe(chain.from_iterable(wholes))
        case Items(items):
            return _gathered(map(possible, items))
        case Stretch(low, high):
            return possible(Num("", low.low, max(low.low, high.high)))
        case PowerOf(base):
            inner = members(base)
            return universe(_subsets(inner)) if inner is not None and len(inner) <= 12 else None
        case ProductOf(factors):
            return _combined(map(members, factors))
        case Joined("∪", left, right):
            return _gathered((members(left), members(right)))
        case _:
            return _members_of_part(rep)


def _members_of_part(rep: CodeValue) -> Universe | None:
    match rep:
        case Joined("∩", left, right):
            known = [each for each in (members(left), members(right)) if each is not None]
            return min(known, key=len, default=None)
        case Joined("−", domain) | Chosen(domain):
            return members(domain)
        case Never():
            return ()
        case _:
            return None


def _gathered(parts: Iterable[Universe | None]) -> Universe | None:
    found: set[Value] = set()
    for part in parts:
        if part is None:
            return None
        found.update(part)
    return universe(found) if len(found) <= MOST_MEMBERS else None


def _combined(parts: Iterable[Universe | None]) -> Universe | None:
    factors: list[Universe] = []
    for part in parts:
        if part is None:
            return None
        factors.append(part)
    return universe(product(*factors)) if prod(map(len, factors)) <= MOST_MEMBERS else None


def _subsets(values: Universe) -> Iterator[frozenset[Value]]:
    return (subset_of(values, code) for code in range(1 << len(values)))


def subset_of(values: Universe, code: int) -> frozenset[Value]:
    return frozenset(value for at, value in enumerate(values) if code >> at & 1)


def mask_of(values: Universe, chosen: Iterable[Value]) -> int:
    wanted = frozenset(chosen)
    return sum(1 << at for at, value in enumerate(values) if value in wanted)


def literal(number: int) -> str:
    """*number*, which has at most 64 bits, as a signed 64-bit number in code.

    >>> literal((1 << 64) - 1), literal(1 << 63)
    ('(-1)', '(-9223372036854775807 - 1)')
    """
    number = signed(number)
    if number == -(1 << 63):
        return "(-9223372036854775807 - 1)"
    return f"({number})" if number < 0 else str(number)


def words_of(mask: int, size: int) -> tuple[str, ...]:
    count = max(1, -(-size // WORD))
    return tuple(literal(mask >> (WORD * at)) for at in range(count))


def mixed(digits: Iterable[tuple[str, int]]) -> str:
    """The number with these digits, the highest first, each given with its base."""
    found = "0"
    for digit, base in digits:
        found = digit if found == "0" else f"({found} * {base} + {digit})"
    return found


def numbers_from(values: Universe) -> int | None:
    """The first of *values* if they are consecutive whole numbers."""
    if values and all(type(value) is int for value in values):
        first = values[0]
        if isinstance(first, int) and values == tuple(range(first, first + len(values))):
            return first
    return None


YES: Final = Truth("True")
NO: Final = Truth("False")


def both(left: Truth, right: Truth) -> Truth:
    """The conjunction of two conditions, neither of which can fail."""
    if NO in (left, right):
        return NO
    if left == YES:
        return right
    return left if right == YES else Truth(f"({left.code} and {right.code})")


def either(left: Truth, right: Truth) -> Truth:
    """The disjunction of two conditions, neither of which can fail."""
    if YES in (left, right):
        return YES
    if left == NO:
        return right
    return left if right == NO else Truth(f"({left.code} or {right.code})")


def negated(truth: Truth) -> Truth:
    if truth in (YES, NO):
        return NO if truth == YES else YES
    return Truth(f"(not {truth.code})")


def as_num(rep: CodeValue) -> Num | None:
    match rep:
        case Num():
            return rep
        case Known(value) if type(value) is int:
            if abs(value) >= LARGEST:
                raise Refused("numbers that are too large")
            return Num(literal(value), value, value)
        case _:
            return None


def as_ratio(rep: CodeValue) -> Ratio | None:
    if isinstance(rep, Ratio):
        return rep
    number = as_num(rep)
    return None if number is None else Ratio(number, Num("1", 1, 1))
