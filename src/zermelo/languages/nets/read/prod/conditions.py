"""The value of what stands behind ``#if``."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Final

from zermelo.languages.nets.read.prod import tree


class NoCondition(Exception):
    """A condition has no value; the message says why, and *help* what to do."""

    def __init__(self, message: str, help_: str | None = None) -> None:
        super().__init__(message)
        self.help = help_


def value(expr: tree.Expr) -> int:
    """The value of *expr*, where a name that is no macro is 0; raises ``NoCondition``."""
    match expr:
        case tree.Number(number):
            return number
        case tree.Name():
            return 0
        case tree.Unary(op, operand):
            return _UNARY[op](value(operand))
        case tree.Binary("&&", left, right):
            return int(value(left) != 0 and value(right) != 0)
        case tree.Binary("||", left, right):
            return int(value(left) != 0 or value(right) != 0)
        case tree.Binary(op, left, right):
            return _applied(op, value(left), value(right))
        case tree.Conditional(test, yes, no):
            return value(yes) if value(test) else value(no)
        case tree.Index(name) | tree.Call(name):
            raise NoCondition(
                f"`{name}` is not known while the text is being prepared",
                "conditions know numbers, macros and `defined NAME`",
            )


def _applied(op: str, left: int, right: int) -> int:
    if op in ("/", "%") and right == 0:
        raise NoCondition(
            f"{left} {op} 0 is a division by 0",
            "names that are no macros are 0 here; `defined NAME && …` asks first",
        )
    if op in ("<<", ">>") and not 0 <= right < 64:
        raise NoCondition(f"{left} {op} {right} shifts by too many places")
    number = int(_BINARY[op](left, right))
    if not -(1 << 63) <= number < 1 << 63:
        raise NoCondition(f"{left} {op} {right} does not fit in 64 bits")
    return number


def _divided(left: int, right: int) -> int:
    number = abs(left) // abs(right)
    return number if (left < 0) == (right < 0) else -number


def _rest(left: int, right: int) -> int:
    number = abs(left) % abs(right)
    return number if left >= 0 else -number


_UNARY: Final[Mapping[str, Callable[[int], int]]] = {
    "-": operator.neg,
    "+": operator.pos,
    "~": operator.invert,
    "!": lambda number: int(number == 0),
}
_BINARY: Final[Mapping[str, Callable[[int, int], int]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _divided,
    "%": _rest,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "&": operator.and_,
    "^": operator.xor,
    "|": operator.or_,
}
