"""What conditions say about a name: the bounds that make an endless set short.

``{x ∈ ℤ⁺ | x ≤ 7}`` is listed by its bound, ``{x ∈ 𝒫(S) | |x| = 3}`` by the size
it asks for. Only comparisons with expressions that do not use the name count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Final, NamedTuple

from zermelo.core.machine import FaultError, SkipError
from zermelo.core.values import Number
from zermelo.languages.sections.ir import Binary, Card, Expr, Local, Op
from zermelo.languages.sections.run import sets
from zermelo.languages.sections.run.operators import Code, Env
from zermelo.languages.sections.run.sets import AnySet, Both, Operand, Subsets, Unlisted


@dataclass(frozen=True, slots=True)
class Limit:
    """What *condition* says: a name, or the size of the set it names, is *op* of *expr*."""

    condition: Binary
    op: Op
    expr: Expr
    is_of_size: bool

    @property
    def is_direct(self) -> bool:
        """Whether the condition says as it stands what the value is, or what it is in."""
        is_side = self.expr is self.condition.left or self.expr is self.condition.right
        return is_side and self.op in {Op.EQ, Op.IN} and not self.is_of_size


@dataclass(frozen=True, slots=True)
class Bound:
    """A limit that is ready to be evaluated."""

    op: Op
    limit: Code
    is_of_size: bool


_MIRRORED: Final = {Op.LT: Op.GT, Op.LE: Op.GE, Op.GT: Op.LT, Op.GE: Op.LE, Op.EQ: Op.EQ}
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
        Bound(limit.op, compiled(limit.expr), limit.is_of_size)
        for condition in conditions
        for limit in limits(condition, name)
        if is_known(limit.expr)
    )


def limits(condition: Expr, name: str) -> Iterator[Limit]:
    if isinstance(condition, Binary) and condition.op in _BOUNDING:
        op, left, right = condition.op, condition.left, condition.right
        yield from _limits(condition, op, left, right, name)
        if op in _MIRRORED:
            yield from _limits(condition, _MIRRORED[op], right, left, name)


def _limits(condition: Binary, op: Op, term: Expr, limit: Expr, name: str) -> Iterator[Limit]:
    match term:
        case Local() if term.name == name:
            yield Limit(condition, op, limit, is_of_size=False)
        case Card(Local() as inner) if inner.name == name and op in _MIRRORED:
            yield Limit(condition, op, limit, is_of_size=True)
        case Binary(Op.PLUS, rest, shift) if op in _MIRRORED:
            yield from _limits(condition, op, rest, Binary(Op.MINUS, limit, shift), name)
        case Binary(Op.MINUS, rest, shift) if op in _MIRRORED:
            yield from _limits(condition, op, rest, Binary(Op.PLUS, limit, shift), name)
        case _:
            return


def narrowed(domain: AnySet, given: tuple[Bound, ...], env: Env) -> AnySet:
    """A part of *domain* with every member that keeps to the bounds *given*."""
    numbers, counts = _Ends([], []), _Ends([], [])
    for bound in given:
        try:
            limit = bound.limit(env)
        except (FaultError, SkipError):
            # What stands before it in the condition may protect it; it bounds nothing.
            continue
        if isinstance(limit, int | Fraction):
            _add(counts if bound.is_of_size else numbers, bound.op, limit)
        if not bound.is_of_size:
            domain = _kept(domain, bound.op, limit)
    if counts.low or counts.high:
        domain = sets.sized(domain, max([0, *counts.low]), min(counts.high, default=None))
    if numbers.low or numbers.high:
        low, high = max(numbers.low, default=None), min(numbers.high, default=None)
        domain = sets.within(domain, low, high)
    return domain


class _Ends(NamedTuple):
    """The whole numbers that are left are at least each of *low*, and at most each of *high*."""

    low: list[int]
    high: list[int]


def _add(ends: _Ends, op: Op, limit: Number) -> None:
    if op is Op.GT:
        ends.low.append(floor(limit) + 1)
    elif op in {Op.GE, Op.EQ}:
        ends.low.append(ceil(limit))
    if op is Op.LT:
        ends.high.append(ceil(limit) - 1)
    elif op in {Op.LE, Op.EQ}:
        ends.high.append(floor(limit))


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
