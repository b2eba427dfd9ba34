"""What conditions say about a name: the bounds that make an endless set short.

``{x ∈ ℤ⁺ | x ≤ 7}`` is listed by its bound, ``{x ∈ 𝒫(S) | |x| = 3}`` by the size
it asks for. Only comparisons with expressions that do not use the name count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Final

from zermelo.core.machine import FaultError, SkipError
from zermelo.core.values import Number
from zermelo.languages.sections.ir import Binary, Card, Expr, Local, Op
from zermelo.languages.sections.run import sets
from zermelo.languages.sections.run.operators import Code, Env
from zermelo.languages.sections.run.sets import AnySet, Both, Operand, Subsets, Unlisted


@dataclass(frozen=True, slots=True)
class Bound:
    """The name, or the size of the set it names, stands in the relation *op* to a value."""

    op: Op
    limit: Code
    is_of_size: bool


_MIRRORED: Final = {
    Op.LT: Op.GT,
    Op.LE: Op.GE,
    Op.GT: Op.LT,
    Op.GE: Op.LE,
    Op.EQ: Op.EQ,
}
_BOUNDING: Final = {*_MIRRORED, Op.IN, Op.SUBSET}


def bounds(
    name: str,
    conditions: Iterable[Expr],
    *,
    is_known: Callable[[Expr], bool],
    compiled: Callable[[Expr], Code],
) -> tuple[Bound, ...]:
    """The bounds on *name* among *conditions*, by expressions that are known before it."""
    return tuple(
        Bound(op, compiled(limit), is_of_size)
        for condition in conditions
        for op, limit, is_of_size in _relations(condition, name)
        if is_known(limit)
    )


def _relations(condition: Expr, name: str) -> Iterator[tuple[Op, Expr, bool]]:
    if not isinstance(condition, Binary) or condition.op not in _BOUNDING:
        return
    op, left, right = condition.op, condition.left, condition.right
    yield from _relation(op, left, right, name)
    if op in _MIRRORED:
        yield from _relation(_MIRRORED[op], right, left, name)


def _relation(op: Op, term: Expr, limit: Expr, name: str) -> Iterator[tuple[Op, Expr, bool]]:
    match term:
        case Local() if term.name == name:
            yield op, limit, False
        case Card(Local() as inner) if inner.name == name and op in _MIRRORED:
            yield op, limit, True
        case Binary(Op.PLUS, rest, shift) if op in _MIRRORED:
            yield from _relation(op, rest, Binary(Op.MINUS, limit, shift), name)
        case Binary(Op.MINUS, rest, shift) if op in _MIRRORED:
            yield from _relation(op, rest, Binary(Op.PLUS, limit, shift), name)
        case _:
            return


def narrowed(domain: AnySet, limits: tuple[Bound, ...], env: Env) -> AnySet:
    """A part of *domain* with every member that keeps to *limits*."""
    numbers, counts = _Ends(), _Ends()
    for bound in limits:
        try:
            limit = bound.limit(env)
        except (FaultError, SkipError):
            # What stands before it in the condition may protect it; it bounds nothing.
            continue
        (counts if bound.is_of_size else numbers).add(bound.op, limit)
        if not bound.is_of_size:
            domain = _kept(domain, bound.op, limit)
    if counts.are_known:
        domain = sets.sized(domain, max(0, counts.low or 0), counts.high)
    return sets.within(domain, numbers.low, numbers.high) if numbers.are_known else domain


def _kept(domain: AnySet, op: Op, limit: Operand) -> AnySet:
    match op:
        case Op.EQ if not isinstance(limit, Unlisted):
            return Both(frozenset({limit}), domain)
        case Op.IN if sets.is_set(limit):
            return Both(limit, domain)
        case Op.SUBSET if sets.is_set(limit):
            return Both(Subsets(limit), domain)
        case _:
            return domain


class _Ends:
    """The whole numbers that are left: from *low* to *high*."""

    def __init__(self) -> None:
        self.low: int | None = None
        self.high: int | None = None

    @property
    def are_known(self) -> bool:
        return self.low is not None or self.high is not None

    def add(self, op: Op, limit: Operand) -> None:
        if not isinstance(limit, int | Fraction):
            return
        low, high = _low(op, limit), _high(op, limit)
        self.low = max((end for end in (self.low, low) if end is not None), default=None)
        self.high = min((end for end in (self.high, high) if end is not None), default=None)


def _low(op: Op, limit: Number) -> int | None:
    if op is Op.GT:
        return floor(limit) + 1
    return ceil(limit) if op in {Op.GE, Op.EQ} else None


def _high(op: Op, limit: Number) -> int | None:
    if op is Op.LT:
        return ceil(limit) - 1
    return floor(limit) if op in {Op.LE, Op.EQ} else None
