"""How many members a set has, without listing it.

Sizes are exact numbers as long as they can be written down, and text such as
``2^(2^35)`` beyond that; nothing large is ever computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import comb
from typing import Final, TypeAlias

from zermelo.languages.sections.ir import (
    Apply,
    Binary,
    Card,
    Comprehension,
    Expr,
    Literal,
    Local,
    Negate,
    NumberSet,
    NumberSetKind,
    Op,
    PowerSet,
    Product,
    Range,
    Ref,
    SetOf,
)
from zermelo.languages.sections.walk import conjuncts

MAX_BITS: Final = 4096
"""Numbers beyond 2 to this power have no value."""
LIST_LIMIT: Final = 1_000_000
"""No set with more members than this is listed."""

Resolve: TypeAlias = Callable[[str], Expr | None]


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
        """Whether there may be more than *limit* members."""
        return self.count is None or self.count > limit


INFINITE: Final = Size(None, "infinitely many", is_infinite=True)
TOO_MANY: Final = Size(None, f"more than 2^{MAX_BITS}")


def exactly(count: int) -> Size:
    """The size of a set with *count* members.

    >>> exactly(1225).text
    '1,225'
    """
    if count.bit_length() > MAX_BITS:
        return TOO_MANY
    return Size(count, f"{count:,}")


def at_most(size: Size) -> Size:
    """The size of a part of a set of this *size*."""
    return Size(size.count, size.text, is_infinite=size.is_infinite, is_exact=False)


def total(sizes: Iterable[Size]) -> Size:
    """The size of a union of disjoint sets."""
    listed = tuple(sizes)
    if any(size.is_infinite for size in listed):
        return INFINITE
    if len(listed) == 1:
        return listed[0]
    exact = all(size.is_exact for size in listed)
    counts = [size.count for size in listed if size.count is not None]
    if len(counts) < len(listed):
        text = " + ".join(size.text for size in listed if size.text != "0")
        return Size(None, text, is_exact=exact)
    known = exactly(sum(counts))
    return known if exact else at_most(known)


def product(sizes: Iterable[Size]) -> Size:
    """The size of a set of tuples."""
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
            return Size(None, " · ".join(_in_brackets(s.text) for s in listed), is_exact=exact)
        count *= size.count
    return Size(count, f"{count:,}", is_exact=exact)


def power(size: Size) -> Size:
    """The number of subsets of a set of this *size*.

    >>> power(power(exactly(35))).text
    '2^(2^35)'
    """
    if size.is_infinite:
        return INFINITE
    if size.count is None or size.count > MAX_BITS:
        return Size(None, f"2^{_in_brackets(size.text)}", is_exact=size.is_exact)
    count = 1 << size.count
    text = f"{count:,}" if size.count <= 20 else f"2^{size.count}"
    return Size(count, text, is_exact=size.is_exact)


def smallest(sizes: Iterable[Size]) -> Size:
    """The size of an intersection: at most that of its smallest part."""
    return at_most(min(sizes, key=magnitude))


def magnitude(size: Size) -> tuple[bool, bool, int, int]:
    """Orders sizes."""
    return (size.is_infinite, size.count is None, size.count or 0, len(size.text))


def _in_brackets(text: str) -> str:
    return text if text.replace(",", "").isdigit() else f"({text})"


def estimate(expr: Expr, resolve: Resolve) -> Size | None:
    """The size of the set *expr*, names looked up by *resolve*; ``None`` when nothing is known.

    >>> p = Range(Literal(1), Literal(35))
    >>> estimate(PowerSet(PowerSet(p)), lambda name: None).text
    '2^(2^35)'
    """
    return _Estimator(resolve).size(expr)


class _Estimator:
    """Estimates, with the names on the way to the present one, so that cycles end."""

    def __init__(self, resolve: Resolve) -> None:
        self._resolve = resolve
        self._open: set[str] = set()

    def size(self, expr: Expr) -> Size | None:
        match expr:
            case Literal(frozenset() as members):
                return exactly(len(members))
            case NumberSet():
                return INFINITE
            case Ref(name):
                return self._named(name)
            case Range(low, high):
                return self._range(low, high)
            case SetOf(items):
                return _all_known(total, [self._item(item) for item in items])
            case Product(factors):
                return _all_known(product, [self.size(factor) for factor in factors])
            case PowerSet(base):
                inner = self.size(base)
                return None if inner is None else power(inner)
            case Comprehension():
                return self._comprehension(expr)
            case _:
                return self._operation(expr)

    def _named(self, name: str) -> Size | None:
        definition = self._resolve(name)
        if definition is None or name in self._open:
            return None
        self._open.add(name)
        size = self.size(definition)
        self._open.discard(name)
        return size

    def _item(self, item: Expr) -> Size | None:
        return self._range(item.low, item.high) if isinstance(item, Range) else exactly(1)

    def _range(self, low: Expr, high: Expr) -> Size | None:
        try:
            first, last = self._number(low), self._number(high)
        except OverflowError:
            return TOO_MANY
        return None if first is None or last is None else exactly(max(0, last - first + 1))

    def _comprehension(self, expr: Comprehension) -> Size | None:
        sizes = [self.size(binder.domain) for binder in expr.binders]
        for at, (size, binder) in enumerate(zip(sizes, expr.binders, strict=True)):
            if size is None or not size.exceeds(LIST_LIMIT) or binder.is_tuple:
                continue
            (name,) = binder.names
            sizes[at] = (
                self._bounded(binder.domain, name, expr.condition)
                or self._subsets(binder.domain, name, expr.condition)
                or size
            )
        known = _all_known(product, sizes)
        return None if known is None else at_most(known)

    def _bounded(self, domain: Expr, name: str, condition: Expr) -> Size | None:
        """The size of the numbers called *name* between the bounds that *condition* gives."""
        first = _least(domain)
        low: list[int] = [] if first is None else [first]
        high: list[int] = []
        for conjunct in conjuncts(condition):
            self._add_bound(conjunct, Local(name), low, high)
        return exactly(max(0, min(high) - max(low) + 1)) if low and high else None

    def _subsets(self, domain: Expr, name: str, condition: Expr) -> Size | None:
        """The number of subsets called *name* of the sizes that *condition* allows."""
        base = self._power_base(domain)
        whole = None if base is None else self.size(base)
        if whole is None or whole.count is None or whole.count > MAX_BITS:
            return None
        low, high = [0], [whole.count]
        for conjunct in conjuncts(condition):
            self._add_bound(conjunct, Card(Local(name)), low, high)
        chosen = range(max(low), min(high) + 1)
        return exactly(sum(comb(whole.count, k) for k in chosen))

    def _power_base(self, domain: Expr) -> Expr | None:
        match domain:
            case PowerSet(base):
                return base
            case Ref(name) if name not in self._open:
                inner = self._resolve(name)
                return inner.base if isinstance(inner, PowerSet) else None
            case _:
                return None

    def _add_bound(self, conjunct: Expr, term: Expr, low: list[int], high: list[int]) -> None:
        match conjunct:
            case Binary(op, left, right) if left == term:
                other, side = right, op
            case Binary(op, left, right) if right == term:
                other, side = left, _MIRRORED.get(op, op)
            case _:
                return
        try:
            value = self._number(other)
        except OverflowError:
            return
        if value is None:
            return
        if side in {Op.LE, Op.LT, Op.EQ}:
            high.append(value - (side is Op.LT))
        if side in {Op.GE, Op.GT, Op.EQ}:
            low.append(value + (side is Op.GT))

    def _operation(self, expr: Expr) -> Size | None:
        match expr:
            case Binary(Op.UNION, left, right):
                sum_of_both = _all_known(total, [self.size(left), self.size(right)])
                return None if sum_of_both is None else at_most(sum_of_both)
            case Binary(Op.DIFFERENCE, left, _):
                whole = self.size(left)
                return None if whole is None else at_most(whole)
            case Binary(Op.INTERSECTION, left, right):
                known = [size for size in (self.size(left), self.size(right)) if size is not None]
                return smallest(known) if known else None
            case Apply():
                return None
            case _:
                return None

    def _number(self, expr: Expr) -> int | None:
        """The whole number *expr* stands for; ``OverflowError`` if it is beyond all bounds."""
        match expr:
            case Literal(int() as value):
                return value
            case Negate(operand):
                value_of_operand = self._number(operand)
                return None if value_of_operand is None else -value_of_operand
            case Card(operand):
                size = self.size(operand)
                return size.count if size is not None and size.is_exact else None
            case Binary(op, left, right):
                a, b = self._number(left), self._number(right)
                return None if a is None or b is None else _computed(op, a, b)
            case _:
                return None


_LEAST: Final = {NumberSetKind.NATURAL: 0, NumberSetKind.POSITIVE: 1, NumberSetKind.INTEGER: None}
_MIRRORED: Final = {Op.LT: Op.GT, Op.LE: Op.GE, Op.GT: Op.LT, Op.GE: Op.LE}


def _least(domain: Expr) -> int | None:
    """A number that no member of *domain* is below, if it is known to have one."""
    match domain:
        case NumberSet(kind):
            return _LEAST[kind]
        case Binary(Op.UNION, left, right):
            lows = (_least(left), _least(right))
            known = [low for low in lows if low is not None]
            return min(known) if len(known) == len(lows) else None
        case SetOf(items) if all(isinstance(item, Literal) for item in items):
            values = [item.value for item in items if isinstance(item, Literal)]
            numbers = [value for value in values if isinstance(value, int)]
            return min(numbers) if numbers and len(numbers) == len(values) else None
        case _:
            return None


def _computed(op: Op, a: int, b: int) -> int | None:
    match op:
        case Op.PLUS:
            return a + b
        case Op.MINUS:
            return a - b
        case Op.TIMES:
            _refuse_beyond(a.bit_length() + b.bit_length())
            return int(a * b)
        case Op.POWER if b >= 0:
            _refuse_beyond(max(abs(a) - 1, 0).bit_length() * b)
            return int(a**b)
        case _:
            return None


def _refuse_beyond(bits: int) -> None:
    if bits > MAX_BITS:
        raise OverflowError


def _all_known(combine: Callable[[Iterable[Size]], Size], sizes: list[Size | None]) -> Size | None:
    known = [size for size in sizes if size is not None]
    return combine(known) if len(known) == len(sizes) else None
