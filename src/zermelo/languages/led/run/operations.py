"""The operators of LED on values, kinds checked, in the order in which sets are built.

Whatever an operator does not cover is ``Undefined``, with the values that it met.

The members of the left set come first. A product takes the first set from its end, and a
power set has the sets without the first member, then the same sets with it: ``{1, 2} * {3, 4}``
is ``{(2, 3), (2, 4), (1, 3), (1, 4)}`` and ``Pow({1, 2})`` is ``{{}, {2}, {1}, {1, 2}}``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final, TypeAlias, TypeGuard

from zermelo.core.values import FALSE, TRUE, Atom, Number, Value, number
from zermelo.languages.led.ir import Op, UnaryOp
from zermelo.languages.led.run.pretty import plain
from zermelo.languages.led.run.values import Arranged, Symbolic, Undefined

LARGEST_SET: Final = 1_000_000

LARGEST_BASE: Final = 17
"""A set with more members than this has too many subsets to be listed."""

LARGEST_NUMBER: Final = 1_000_000
"""More binary digits than this are reported, not computed."""

Operation: TypeAlias = Callable[[Value, Value], Value]


def is_known(value: Value) -> TypeGuard[Number]:
    # Much faster than `isinstance`, which asks an abstract class about every fraction.
    return type(value) in _NUMBERS


_NUMBERS: Final = frozenset({int, Fraction})


def is_number(value: Value) -> bool:
    return type(value) in _NUMBERS or isinstance(value, Symbolic)


def not_too_many(count: int, what: str) -> None:
    if count > LARGEST_SET:
        raise Undefined(f"{what.format(f'{count:,}')} is too large to be made")


def _wrong(op: Op, needs: str, a: Value, b: Value) -> Undefined:
    return Undefined(f"`{op.value}` needs {needs}, and got {plain(a)} and {plain(b)}")


# Numbers


def _symbolic(op: Op, a: Value, b: Value, *, needs: str) -> Value:
    if isinstance(a, Symbolic) and is_number(b):
        return a.combine(op, b, is_left=True)
    if isinstance(b, Symbolic) and is_number(a):
        return b.combine(op, a, is_left=False)
    raise _wrong(op, needs, a, b)


def plus(a: Value, b: Value) -> Value:
    if is_known(a) and is_known(b):
        return number(a + b)
    if isinstance(a, tuple) and isinstance(b, tuple):
        not_too_many(len(a) + len(b), "a tuple of {} components")
        return a + b
    return _symbolic(Op.PLUS, a, b, needs="two numbers or two tuples")


def join(a: Value, b: Value) -> Value:
    """``+`` where a side stands in brackets: beside a tuple, those make a tuple of it."""
    if isinstance(a, tuple) and not isinstance(b, tuple):
        return (*a, b)
    if isinstance(b, tuple) and not isinstance(a, tuple):
        return (a, *b)
    return plus(a, b)


def append(a: Value, b: Value) -> Value:
    """``t + (x)``, where *x* is a component even if it is a tuple itself."""
    return (*a, b) if isinstance(a, tuple) else join(a, b)


def prepend(a: Value, b: Value) -> Value:
    """``(x) + t``, where *x* is a component even if it is a tuple itself."""
    return (a, *b) if isinstance(b, tuple) else join(a, b)


def minus(a: Value, b: Value) -> Value:
    if is_known(a) and is_known(b):
        return number(a - b)
    hint = " (the difference of sets is written `\\`)" if _are_sets(a, b) else ""
    return _symbolic(Op.MINUS, a, b, needs=f"two numbers{hint}")


def times(a: Value, b: Value) -> Value:
    if is_known(a) and is_known(b):
        return number(a * b)
    if isinstance(a, frozenset) and isinstance(b, frozenset):
        return product(a, b)
    return _symbolic(Op.TIMES, a, b, needs="two numbers or two sets")


def divide(a: Value, b: Value) -> Value:
    if is_known(a) and is_known(b):
        if b == 0:
            raise Undefined(f"{plain(a)} is divided by 0")
        return number(Fraction(a) / b)
    return _symbolic(Op.DIVIDE, a, b, needs="two numbers")


def modulo(a: Value, b: Value) -> Value:
    """What is left of *a* after taking out *b* as often as it goes: from 0 to b - 1."""
    if isinstance(a, int) and isinstance(b, int):
        if b <= 0:
            raise Undefined(f"`mod` needs a positive number on its right, and got {plain(b)}")
        return a % b
    return _symbolic(Op.MOD, a, b, needs="two whole numbers")


def power(a: Value, b: Value) -> Value:
    """A power with a whole exponent, negative ones too; 0^0 is undefined."""
    if is_known(a) and isinstance(b, int):
        if a == 0 and b <= 0:
            raise Undefined(f"0^{plain(b)} has no value")
        bits = max(a.numerator.bit_length(), a.denominator.bit_length())
        if bits * abs(b) > LARGEST_NUMBER and a not in (-1, 0, 1):
            raise Undefined(f"{plain(a)}^{plain(b)} is too large to be written out")
        return number(Fraction(a) ** b) if b < 0 else number(a**b)
    needs = "a number and a whole number" if is_number(a) else "two numbers"
    return _symbolic(Op.POWER, a, b, needs=needs)


# Comparisons


def compare(op: Op, a: Value, b: Value) -> bool:
    if is_known(a) and is_known(b):
        return _ORDER[op](a, b)
    if isinstance(a, Symbolic) and is_number(b):
        return a.compare(op, b, is_left=True)
    if isinstance(b, Symbolic) and is_number(a):
        return b.compare(op, a, is_left=False)
    hint = " (a subset is written `sub`)" if _are_sets(a, b) else ""
    raise _wrong(op, f"two numbers{hint}", a, b)


_ORDER: Final[Mapping[Op, Callable[[Number, Number], bool]]] = {
    Op.LT: lambda a, b: a < b,
    Op.GT: lambda a, b: a > b,
    Op.LE: lambda a, b: a <= b,
    Op.GE: lambda a, b: a >= b,
}


def member(a: Value, b: Value) -> bool:
    if not isinstance(b, frozenset):
        raise Undefined(f"`in` needs a set on its right, and got {plain(b)}")
    if type(a) is not tuple and isinstance(a, Symbolic):
        return a.is_among(b)
    if _is_symbolic(a):
        return any(a == each for each in b)
    return a in b


def _is_symbolic(value: Value) -> bool:
    """Whether a number that is not known occurs outside of sets."""
    if type(value) is not tuple:
        return isinstance(value, Symbolic)
    for item in value:  # noqa: SIM110 - asked for every pair, and a generator takes longer
        if type(item) not in _KNOWN and _is_symbolic(item):
            return True
    return False


_KNOWN: Final = frozenset({int, Fraction, Atom})


def subset(a: Value, b: Value) -> bool:
    if isinstance(a, frozenset) and isinstance(b, frozenset):
        return a.issubset(b)
    raise _wrong(Op.SUBSET, "two sets", a, b)


def holds(value: Value, what: str) -> bool:
    if value is TRUE:
        return True
    if value is FALSE:
        return False
    raise Undefined(f"{what} needs a truth value, and got {plain(value)}")


# Sets


def _are_sets(a: Value, b: Value) -> bool:
    return isinstance(a, frozenset) and isinstance(b, frozenset)


def union(a: Value, b: Value) -> Value:
    if isinstance(a, frozenset) and isinstance(b, frozenset):
        not_too_many(len(a) + len(b), "a union of {} members")
        return Arranged((*a, *b))
    raise _wrong(Op.UNION, "two sets", a, b)


def intersection(a: Value, b: Value) -> Value:
    if isinstance(a, frozenset) and isinstance(b, frozenset):
        return Arranged(each for each in a if each in b)
    raise _wrong(Op.INTERSECTION, "two sets", a, b)


def difference(a: Value, b: Value) -> Value:
    if isinstance(a, frozenset) and isinstance(b, frozenset):
        return Arranged(each for each in a if each not in b)
    raise _wrong(Op.DIFFERENCE, "two sets", a, b)


def product(a: frozenset[Value], b: frozenset[Value]) -> Value:
    """All pairs of a member of *a* and one of *b*, beginning with the last member of *a*."""
    if len(a) * len(b) > LARGEST_SET:
        raise Undefined(f"a product of {len(a):,} and {len(b):,} members is too large to be listed")
    return Arranged((x, y) for x in reversed(tuple(a)) for y in b)


def power_set(a: Value) -> Value:
    """All subsets of *a*: those without its first member, then those with it."""
    if not isinstance(a, frozenset):
        raise Undefined(f"`Pow` needs a set, and got {plain(a)}")
    if len(a) > LARGEST_BASE:
        raise Undefined(f"the power set of {len(a):,} members is too large to be listed")
    subsets: list[tuple[Value, ...]] = [()]
    for first in reversed(tuple(a)):
        subsets += [(first, *each) for each in subsets]
    return Arranged(map(Arranged, subsets))


def _concrete(value: Value) -> Value:
    return value.concrete() if isinstance(value, Symbolic) else value


def interval(low: Value, high: Value) -> range:
    low, high = _concrete(low), _concrete(high)
    if not isinstance(low, int) or not isinstance(high, int):
        raise Undefined(f"`..` needs two whole numbers, and got {plain(low)} and {plain(high)}")
    return range(low, high + 1)


def listed(numbers: range) -> Arranged:
    if numbers.stop - numbers.start > LARGEST_SET:
        raise Undefined(
            f"{{{plain(numbers.start)}..{plain(numbers.stop - 1)}}} has too many members to be "
            "listed"
        )
    return Arranged(numbers)


# Tuples


def component(base: Value, index: Value) -> Value:
    if not isinstance(base, tuple):
        raise Undefined(f"`[..]` needs a tuple before it, and got {plain(base)}")
    index = _concrete(index)
    if not isinstance(index, int):
        raise Undefined(f"a component has a whole number, and got {plain(index)}")
    if not 1 <= index <= len(base):
        raise Undefined(
            f"{plain(base)} has {_components(len(base))}, and none with the number {plain(index)}"
        )
    return base[index - 1]


def part(base: Value, low: Value, high: Value) -> Value:
    """The components of a tuple from one number to another; none if the first is larger."""
    if not isinstance(base, tuple):
        raise Undefined(f"`[..]` needs a tuple before it, and got {plain(base)}")
    numbers = interval(low, high)
    if numbers and not (numbers.start >= 1 and numbers.stop <= len(base) + 1):
        raise Undefined(
            f"{plain(base)} has {_components(len(base))}, and not those from "
            f"{plain(numbers.start)} to {plain(numbers.stop - 1)}"
        )
    return base[numbers.start - 1 : numbers.stop - 1] if numbers else ()


def _components(count: int) -> str:
    return "1 component" if count == 1 else f"{count} components"


# One operand


def _number_only(function: UnaryOp, a: Value) -> Value:
    """*function* of a number that is not known; nothing else has a value."""
    if isinstance(a, Symbolic):
        return a.apply(function)
    raise Undefined(f"`{function.value}` needs a number, and got {plain(a)}")


def negate(a: Value) -> Value:
    return -a if is_known(a) else _number_only(UnaryOp.NEGATE, a)


def keep(a: Value) -> Value:
    if is_number(a):
        return a
    raise Undefined(f"`+` needs a number, and got {plain(a)}")


def floor(a: Value) -> Value:
    return math.floor(a) if is_known(a) else _number_only(UnaryOp.FLOOR, a)


def ceiling(a: Value) -> Value:
    return math.ceil(a) if is_known(a) else _number_only(UnaryOp.CEILING, a)


def size(a: Value) -> Value:
    """A number without its sign, the number of members of a set or components of a tuple."""
    if isinstance(a, frozenset | tuple):
        return len(a)
    if is_known(a):
        return -a if a < 0 else a
    if isinstance(a, Symbolic):
        return a.apply(UnaryOp.SIZE)
    raise Undefined(f"`|..|` needs a number, a set or a tuple, and got {plain(a)}")


# `~`, comparisons and connectives are tests, which give no value.

BINARY: Final[Mapping[Op, Operation]] = {
    Op.PLUS: plus,
    Op.JOIN: join,
    Op.APPEND: append,
    Op.PREPEND: prepend,
    Op.MINUS: minus,
    Op.TIMES: times,
    Op.DIVIDE: divide,
    Op.MOD: modulo,
    Op.POWER: power,
    Op.UNION: union,
    Op.INTERSECTION: intersection,
    Op.DIFFERENCE: difference,
}

UNARY: Final[Mapping[UnaryOp, Callable[[Value], Value]]] = {
    UnaryOp.NEGATE: negate,
    UnaryOp.KEEP: keep,
    UnaryOp.FLOOR: floor,
    UnaryOp.CEILING: ceiling,
    UnaryOp.POWER_SET: power_set,
    UnaryOp.SIZE: size,
}
