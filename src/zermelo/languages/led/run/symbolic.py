"""Numbers that depend on where the mouse is, known at every point of the screen at once.

A ``Symbol`` is such a number: for each point an exact quotient, or for each row or column.
A comparison is a set of points; whoever evaluates decides on which side to go on.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo.core.values import Number, Value, number
from zermelo.languages.led.ir import Op, UnaryOp
from zermelo.languages.led.run import operations
from zermelo.languages.led.run.values import Symbolic, Undefined
from zermelo.text.budget import spend

WIDTH: Final = 1000
HEIGHT: Final = 800
"""The points of the screen: x from 0 to 999, y from 1, in the lowest row, to 800."""

Points: TypeAlias = npt.NDArray[np.bool_]
"""A set of points: a truth value for each y and x, or a row or a column of them."""
Whole: TypeAlias = npt.NDArray[Any]
"""A whole number for each point; Python's own where they are large."""

TELLING_APART: Final = "telling inputs apart"
_POINTS_A_STEP: Final = 100
"""So many points are computed in the time of a step."""
_LARGEST: Final = 1 << 62
_LARGEST_EXPONENT: Final = 64
_MOST_LARGE: Final = 10_000
_MOST_KEPT: Final = 10_000
"""Numbers that differ at more points than this are computed again when they are needed."""


Decision: TypeAlias = Callable[[Hashable, Callable[[], Points]], bool]
"""Decides whether the mouse is in a set of points, which its key stands for.

All later answers agree with the first one.
"""


@dataclass(frozen=True, slots=True)
class Exact:
    """A quotient for each point; the lower parts are positive."""

    upper: Whole
    lower: Whole

    @classmethod
    def of(cls, value: Number) -> Exact:
        fraction = Fraction(value)
        return cls(_constant(fraction.numerator), _constant(fraction.denominator))

    def __add__(self, other: Exact) -> Exact:
        upper = _sum(_product(self.upper, other.lower), _product(other.upper, self.lower))
        return _reduced(upper, _product(self.lower, other.lower))

    def __mul__(self, other: Exact) -> Exact:
        return _reduced(_product(self.upper, other.upper), _product(self.lower, other.lower))

    def negative(self) -> Exact:
        return Exact(-self.upper, self.lower)

    def inverse(self) -> Exact:
        """One divided by it; where it is 0 the result means nothing."""
        lower = np.where(self.upper == 0, 1, np.abs(self.upper))
        return Exact(np.where(self.upper < 0, -self.lower, self.lower), lower)

    def floor(self) -> Exact:
        return Exact(self.upper // self.lower, _ONE)

    def modulo(self, other: Exact) -> Exact:
        """What is left, where both are whole and *other* is positive."""
        divisor = other.upper // other.lower
        return Exact((self.upper // self.lower) % np.where(divisor > 0, divisor, 1), _ONE)

    def absolute(self) -> Exact:
        return Exact(np.abs(self.upper), self.lower)

    def is_whole(self) -> Points:
        return np.asarray(self.upper % self.lower == 0)

    def compared(self, op: Op, other: Exact) -> Points:
        left, right = _product(self.upper, other.lower), _product(other.upper, self.lower)
        return np.asarray(_COMPARISONS[op](left, right), dtype=np.bool_)

    def at(self, x: int, y: int) -> Number:
        row, column = np.broadcast_shapes(self.upper.shape, self.lower.shape)
        place = (y - 1 if row > 1 else 0, x if column > 1 else 0)
        upper = np.broadcast_to(self.upper, (row, column))[place]
        lower = np.broadcast_to(self.lower, (row, column))[place]
        return number(Fraction(int(upper), int(lower)))


_COMPARISONS: Final[dict[Op, Callable[[Whole, Whole], Whole]]] = {
    Op.EQ: lambda a, b: a == b,
    Op.NE: lambda a, b: a != b,
    Op.LT: lambda a, b: a < b,
    Op.GT: lambda a, b: a > b,
    Op.LE: lambda a, b: a <= b,
    Op.GE: lambda a, b: a >= b,
}


def _constant(value: int) -> Whole:
    kind = np.int64 if abs(value) < _LARGEST else object
    return np.full((1, 1), value, dtype=kind)


_ONE: Final = _constant(1)


def _size(numbers: Whole) -> int:
    return max(abs(int(numbers.max())), abs(int(numbers.min())))


def _widened(left: Whole, right: Whole, *, largest: int) -> tuple[Whole, Whole]:
    """Both with Python's numbers, where *largest* is beyond the machine's."""
    if largest < _LARGEST:
        return left, right
    rows, columns = np.broadcast_shapes(left.shape, right.shape)
    if rows * columns > _MOST_LARGE:
        raise Undefined("numbers from the place of the mouse become too large", is_limit=True)
    return left.astype(object), right.astype(object)


def _product(left: Whole, right: Whole) -> Whole:
    left, right = _widened(left, right, largest=_size(left) * _size(right))
    return np.asarray(left * right)


def _sum(left: Whole, right: Whole) -> Whole:
    left, right = _widened(left, right, largest=_size(left) + _size(right))
    return np.asarray(left + right)


def _reduced(upper: Whole, lower: Whole) -> Exact:
    """The quotient with small numbers, as far as one divisor serves all points."""
    if lower.size == 1 and int(lower[0, 0]) > 1:
        divisor = np.gcd(int(np.gcd.reduce(upper, axis=None)), int(lower[0, 0]))
        return Exact(upper // divisor, lower // divisor)
    return Exact(upper, lower)


class Symbol(Symbolic):
    """A number that depends on where the mouse is."""

    __slots__ = ("_known", "_make", "_symbols", "key")

    def __init__(self, symbols: Symbols, key: int, make: Callable[[], Exact]) -> None:
        self._symbols = symbols
        self.key = key
        self._make = make
        self._known: Exact | None = None

    @property
    def exact(self) -> Exact:
        if self._known is not None:
            return self._known
        made = self._make()
        size = max(made.upper.size, made.lower.size)
        spend(size // _POINTS_A_STEP, TELLING_APART)
        if size <= _MOST_KEPT:
            self._known = made
        return made

    def is_whole(self) -> Points:
        return self.exact.is_whole()

    def combine(self, op: Op, other: Value, *, is_left: bool) -> Value:
        left, right = (self, other) if is_left else (other, self)
        match op:
            case Op.DIVIDE:
                if self._symbols.holds(Op.EQ, right, 0):
                    raise Undefined("a number is divided by 0")
            case Op.MOD:
                self._symbols.need_whole(left)
                self._symbols.need_whole(right)
                if self._symbols.holds(Op.LE, right, 0):
                    raise Undefined("`mod` needs a positive number on its right")
            case Op.POWER:
                return self._symbols.power(left, right)
            case _:
                pass
        return self._symbols.made(op, left, right)

    def apply(self, function: UnaryOp) -> Value:
        return self._symbols.made(function, self)

    def compare(self, op: Op, other: Value, *, is_left: bool) -> bool:
        left, right = (self, other) if is_left else (other, self)
        return self._symbols.holds(op, left, right)

    def is_among(self, members: Iterable[Value]) -> bool:
        return self._symbols.is_among(self, members)

    def concrete(self) -> Number:
        """The number itself: the mouse is where it is this one."""
        value = self.exact.at(*self._symbols.place())
        # The first answer is no less true than any other; the others follow.
        self._symbols.holds(Op.EQ, self, value)
        return value

    def __eq__(self, other: object) -> bool:
        return self is other or super().__eq__(other)

    __hash__ = Symbolic.__hash__


class Symbols:
    """All numbers that were made from the place of the mouse, each once."""

    def __init__(self, decide: Decision, place: Callable[[], tuple[int, int]]) -> None:
        self._decide = decide
        self.place = place
        """Some point where the mouse can be, by all answers so far."""
        self._known: dict[tuple[Hashable, ...], Symbol] = {}
        x = Exact(np.arange(WIDTH).reshape(1, WIDTH), _ONE)
        y = Exact(np.arange(1, HEIGHT + 1).reshape(HEIGHT, 1), _ONE)
        self.x = self._kept(("x",), lambda: x)
        self.y = self._kept(("y",), lambda: y)

    def made(self, op: Op | UnaryOp, *operands: Value) -> Value:
        key = (op, *map(_key, operands))
        known = self._known.get(key)
        if known is not None:
            return known
        return self._kept(key, lambda: _COMBINED[op](*map(_exact, operands)))

    def holds(self, op: Op, left: Value, right: Value) -> bool:
        key = (op, _key(left), _key(right))
        return self._decide(key, lambda: _exact(left).compared(op, _exact(right)))

    def need_whole(self, value: Value) -> None:
        is_whole = isinstance(value, int)
        if isinstance(value, Symbol):
            is_whole = self._decide(("whole", value.key), value.is_whole)
        if not is_whole:
            raise Undefined("a whole number is needed")

    def is_among(self, value: Symbol, members: Iterable[Value]) -> bool:
        numbers = frozenset(m for m in members if isinstance(m, int | Fraction))
        symbols = [m for m in members if isinstance(m, Symbol)]

        def points() -> Points:
            found, exact = np.zeros((1, 1), dtype=np.bool_), value.exact
            for each in sorted(numbers):
                found = found | exact.compared(Op.EQ, Exact.of(each))
            return found

        if numbers and self._decide(("among", value.key, numbers), points):
            return True
        return any(value == each for each in symbols)

    def power(self, base: Value, exponent: Value) -> Value:
        times = exponent.concrete() if isinstance(exponent, Symbol) else exponent
        if not isinstance(times, int):
            raise Undefined("`^` needs a whole number on its right")
        if times <= 0 and isinstance(base, Symbol) and self.holds(Op.EQ, base, 0):
            raise Undefined("0 has no such power")
        if abs(times) > _LARGEST_EXPONENT and isinstance(base, Symbol):
            base = base.concrete()
        if not isinstance(base, Symbol):
            return operations.power(base, times)
        made: Value = 1
        for _ in range(abs(times)):
            made = self.made(Op.TIMES, made, base)
        return made if times >= 0 else self.made(Op.DIVIDE, 1, made)

    def _kept(self, key: tuple[Hashable, ...], make: Callable[[], Exact]) -> Symbol:
        made = self._known[key] = Symbol(self, len(self._known), make)
        return made


def _key(value: Value) -> Hashable:
    return ("symbol", value.key) if isinstance(value, Symbol) else value


def _exact(value: Value) -> Exact:
    if isinstance(value, Symbol):
        return value.exact
    assert isinstance(value, int | Fraction)
    return Exact.of(value)


_COMBINED: Final[Mapping[Op | UnaryOp, Callable[..., Exact]]] = {
    Op.PLUS: Exact.__add__,
    Op.MINUS: lambda left, right: left + right.negative(),
    Op.TIMES: Exact.__mul__,
    Op.DIVIDE: lambda left, right: left * right.inverse(),
    Op.MOD: Exact.modulo,
    UnaryOp.NEGATE: Exact.negative,
    UnaryOp.FLOOR: Exact.floor,
    UnaryOp.CEILING: lambda operand: operand.negative().floor().negative(),
    UnaryOp.SIZE: Exact.absolute,
}
