"""How many members a set expression has at most, told before anything runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import comb
from typing import Final, TypeAlias

from zermelo.languages.sections.ir import (
    Binary,
    Card,
    Comprehension,
    Expr,
    Literal,
    Local,
    Negate,
    NumberSet,
    Op,
    PowerSet,
    Product,
    Range,
    Ref,
    SetOf,
)
from zermelo.languages.sections.run.sets import (
    INFINITE,
    LIST_LIMIT,
    MAX_BITS,
    TOO_MANY,
    Numbers,
    Size,
    at_most,
    exactly,
    power_size,
    product_size,
    smallest_size,
    total_size,
)
from zermelo.languages.sections.walk import conjuncts
from zermelo.text.budget import spend

_STEPS_TO_ESTIMATE: Final = 12
Resolve: TypeAlias = Callable[[str], Expr | None]


def estimated_size(expr: Expr, resolve: Resolve) -> Size | None:
    """The size of the set *expr*, names looked up by *resolve*; ``None`` when nothing is known.

    >>> p = Range(Literal(1), Literal(35))
    >>> estimated_size(PowerSet(PowerSet(p)), lambda name: None).text
    '2^(2^35)'
    """
    return SizeEstimator(resolve).size(expr)


class SizeEstimator:
    """Estimates, with the names on the way to the present one, so that cycles end.

    What is known of a name is kept; what is not may be later, when it is defined.
    """

    def __init__(self, resolve: Resolve) -> None:
        self._resolve = resolve
        self._open: set[str] = set()
        self._known: dict[str, Size] = {}

    def size(self, expr: Expr) -> Size | None:
        spend(_STEPS_TO_ESTIMATE, "estimating how large sets are")
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
                single = exactly(1)
                sizes = [self.size(i) if isinstance(i, Range) else single for i in items]
                return _all_known(total_size, sizes)
            case Product(factors):
                return _all_known(product_size, [self.size(factor) for factor in factors])
            case PowerSet(base):
                inner = self.size(base)
                return None if inner is None else power_size(inner)
            case Comprehension():
                return self._comprehension(expr)
            case _:
                return self._operation(expr)

    def _named(self, name: str) -> Size | None:
        if name in self._known:
            return self._known[name]
        definition = self._resolve(name)
        if definition is None or name in self._open:
            return None
        self._open.add(name)
        size = self.size(definition)
        self._open.discard(name)
        if size is not None:
            self._known[name] = size
        return size

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
        known = _all_known(product_size, sizes)
        return None if known is None else at_most(known)

    def _bounded(self, domain: Expr, name: str, condition: Expr) -> Size | None:
        first = _least(domain)
        low: list[int] = [] if first is None else [first]
        high: list[int] = []
        for conjunct in conjuncts(condition):
            self._add_bound(conjunct, Local(name), low, high)
        return exactly(max(0, min(high) - max(low) + 1)) if low and high else None

    def _subsets(self, domain: Expr, name: str, condition: Expr) -> Size | None:
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
                sum_of_both = _all_known(total_size, [self.size(left), self.size(right)])
                return None if sum_of_both is None else at_most(sum_of_both)
            case Binary(Op.DIFFERENCE, left, _):
                whole = self.size(left)
                return None if whole is None else at_most(whole)
            case Binary(Op.INTERSECTION, left, right):
                known = [size for size in (self.size(left), self.size(right)) if size is not None]
                return smallest_size(known) if known else None
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


_MIRRORED: Final = {Op.LT: Op.GT, Op.LE: Op.GE, Op.GT: Op.LT, Op.GE: Op.LE}


def _least(domain: Expr) -> int | None:
    """A number that no member of *domain* is below, if it is known to have one."""
    match domain:
        case NumberSet(kind):
            return Numbers(kind).least
        case Binary(Op.UNION, left, right):
            first, second = _least(left), _least(right)
            return None if first is None or second is None else min(first, second)
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
