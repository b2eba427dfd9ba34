"""Arithmetic on known numbers; what may have no value is beyond it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final

from zermelo.core.values import Number, Value, number
from zermelo.languages.sections.ir import Op
from zermelo.languages.sections.symmetry.beyond import BeyondError


def as_number(value: Value) -> Number:
    """*value*, which must be a number."""
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise BeyondError("something that is no number is used as one")
    return value


def _divided(left: Number, right: Number) -> Number:
    if right == 0:
        raise BeyondError("something may be divided by 0")
    return number(Fraction(left) / Fraction(right))


def _modulo(left: Number, right: Number) -> Number:
    if not isinstance(left, int) or not isinstance(right, int) or right <= 0:
        raise BeyondError("a remainder may have no value")
    return left % right


def _power(left: Number, right: Number) -> Number:
    if not isinstance(right, int) or not 0 <= right <= 64:
        raise BeyondError("a power may have no value")
    return number(left**right)


MINUS: Final = {Op.MINUS, Op.DIFFERENCE}
WHOLE: Final = {Op.PLUS, Op.MINUS, Op.TIMES, Op.LT, Op.LE, Op.GT, Op.GE}
ORDER: Final[Mapping[Op, Callable[[Number, Number], bool]]] = {
    Op.LT: lambda a, b: a < b,
    Op.LE: lambda a, b: a <= b,
    Op.GT: lambda a, b: a > b,
    Op.GE: lambda a, b: a >= b,
}
ARITHMETIC: Final[Mapping[Op, Callable[[Number, Number], Number]]] = {
    Op.PLUS: lambda a, b: number(a + b),
    Op.MINUS: lambda a, b: number(a - b),
    Op.TIMES: lambda a, b: number(a * b),
    Op.DIVIDE: _divided,
    Op.MOD: _modulo,
    Op.POWER: _power,
}
