"""C's operators on signed 64-bit numbers; what C leaves undefined has no value here.

A sum that does not fit, a division by 0 and a shift by too many places are faults,
not numbers that happen to come out.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from zermelo.languages.nets.ir import BinaryOp, UnaryOp

LOWEST: Final = -(1 << 63)
HIGHEST: Final = (1 << 63) - 1
_BITS: Final = 64

Operator: TypeAlias = Callable[[int, int], int]


class NoValue(Exception):
    """An operation has no value; the message says why, in words."""


def unary(op: UnaryOp, operand: int) -> int:
    match op:
        case UnaryOp.NEGATE:
            return fitting(-operand, f"-({operand})")
        case UnaryOp.KEEP:
            return operand
        case UnaryOp.NOT:
            return int(operand == 0)
        case UnaryOp.COMPLEMENT:
            return ~operand


def binary(op: BinaryOp, left: int, right: int) -> int:
    """*op* applied to two numbers that are both known; raises ``NoValue``.

    >>> binary(BinaryOp.DIVIDE, -7, 2), binary(BinaryOp.MOD, -7, 2)
    (-3, -1)
    """
    return OPERATORS[op](left, right)


def fitting(number: int, text: str) -> int:
    """*number* if it fits in 64 bits; *text* is how it was made."""
    if LOWEST <= number <= HIGHEST:
        return number
    raise NoValue(f"{text} does not fit in 64 bits")


def _plus(left: int, right: int) -> int:
    number = left + right
    return number if LOWEST <= number <= HIGHEST else fitting(number, f"{left} + {right}")


def _minus(left: int, right: int) -> int:
    number = left - right
    return number if LOWEST <= number <= HIGHEST else fitting(number, f"{left} - {right}")


def _times(left: int, right: int) -> int:
    number = left * right
    return number if LOWEST <= number <= HIGHEST else fitting(number, f"{left} * {right}")


def _divide(left: int, right: int) -> int:
    """Towards 0, as C does."""
    if right == 0:
        raise NoValue(f"{left} / 0 is a division by 0")
    number = abs(left) // abs(right)
    return fitting(number if (left < 0) == (right < 0) else -number, f"{left} / {right}")


def _mod(left: int, right: int) -> int:
    """With the sign of *left*, as C does."""
    if right == 0:
        raise NoValue(f"{left} % 0 is a division by 0")
    number = abs(left) % abs(right)
    return number if left >= 0 else -number


def _shift_left(left: int, right: int) -> int:
    _check_places(f"{left} << {right}", right)
    return fitting(left << right, f"{left} << {right}")


def _shift_right(left: int, right: int) -> int:
    _check_places(f"{left} >> {right}", right)
    return left >> right


def _check_places(text: str, places: int) -> None:
    if not 0 <= places < _BITS:
        raise NoValue(f"{text} shifts by {places} places, and only 0 to {_BITS - 1} are possible")


_TOTAL: Final[Mapping[BinaryOp, Operator]] = {
    BinaryOp.LT: lambda left, right: int(left < right),
    BinaryOp.GT: lambda left, right: int(left > right),
    BinaryOp.LE: lambda left, right: int(left <= right),
    BinaryOp.GE: lambda left, right: int(left >= right),
    BinaryOp.EQ: lambda left, right: int(left == right),
    BinaryOp.NE: lambda left, right: int(left != right),
    BinaryOp.BIT_AND: operator.and_,
    BinaryOp.BIT_XOR: operator.xor,
    BinaryOp.BIT_OR: operator.or_,
    BinaryOp.AND: lambda left, right: int(left != 0 and right != 0),
    BinaryOp.OR: lambda left, right: int(left != 0 or right != 0),
}
OPERATORS: Final[Mapping[BinaryOp, Operator]] = {
    BinaryOp.TIMES: _times,
    BinaryOp.DIVIDE: _divide,
    BinaryOp.MOD: _mod,
    BinaryOp.PLUS: _plus,
    BinaryOp.MINUS: _minus,
    BinaryOp.LEFT: _shift_left,
    BinaryOp.RIGHT: _shift_right,
    **_TOTAL,
}
TOTAL: Final = frozenset(_TOTAL)
"""The operators that have a value for any two numbers."""
