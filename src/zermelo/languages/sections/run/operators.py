"""The meaning of the operators between two values.

Each function takes the two operands, ready to be evaluated, and gives the
operation, ready to be evaluated. Whole numbers, and sets that are listed, take
the short way; everything else is looked at before it is used, so that a wrong
operand is a fault and never an error of Python's.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Final, TypeVar

from zermelo.core.faults import FaultError, undefined
from zermelo.core.values import UNSET, Number, Value, number
from zermelo.core.values import to_text as value_to_text
from zermelo.languages.sections.ir import Binary, Expr, Op
from zermelo.languages.sections.printer import to_text
from zermelo.languages.sections.run import sets
from zermelo.languages.sections.run.env import Code, Env, TruthCode, ValueCode
from zermelo.languages.sections.run.sets import AnySet, Operand, Unlisted
from zermelo.languages.sections.run.sizes import MAX_BITS

T = TypeVar("T")

_BOUND: Final = 1 << MAX_BITS


def as_number(operand: Operand, expr: Expr) -> Number:
    """*operand*, which must be a number."""
    if isinstance(operand, int | Fraction) and not isinstance(operand, bool):
        return operand
    raise undefined(f"`{to_text(expr)}` should be a number and is {_shown(operand)}", expr)


def as_truth(operand: Operand, expr: Expr) -> bool:
    """*operand*, which must be a truth value."""
    if isinstance(operand, bool):
        return operand
    raise undefined(f"`{to_text(expr)}` should be true or false and is {_shown(operand)}", expr)


def as_set(operand: Operand, expr: Expr) -> AnySet:
    """*operand*, which must be a set."""
    if sets.is_set(operand):
        return operand
    raise undefined(f"`{to_text(expr)}` should be a set and is {_shown(operand)}", expr)


def _shown(operand: Operand) -> str:
    if isinstance(operand, Unlisted):
        return "a set"
    text = value_to_text(operand)
    return text if len(text) <= 60 else "a set"


def in_bounds(value: Number, expr: Expr) -> Number:
    """*value*, unless it is beyond every bound."""
    if type(value) is int:
        if -_BOUND < value < _BOUND:
            return value
    elif max(abs(value.numerator), value.denominator) < _BOUND:
        return number(value)
    raise undefined(f"`{to_text(expr)}` is a number beyond 2^{MAX_BITS}", expr)


# Numbers


def arithmetic(expr: Binary, left: Code, right: Code) -> Code:
    """``left op right`` for numbers; ``−`` is also the difference of sets."""
    compute = _ARITHMETIC[expr.op]
    is_minus = expr.op is Op.MINUS

    def value(env: Env) -> Operand:
        a, b = left(env), right(env)
        if type(a) is int and type(b) is int:
            return compute(a, b, expr)
        if is_minus and sets.is_set(a) and sets.is_set(b):
            return sets.difference(a, b)
        return compute(as_number(a, expr.left), as_number(b, expr.right), expr)

    return value


def _plus(a: Number, b: Number, expr: Binary) -> Number:
    return in_bounds(a + b, expr)


def _minus(a: Number, b: Number, expr: Binary) -> Number:
    return in_bounds(a - b, expr)


def _times(a: Number, b: Number, expr: Binary) -> Number:
    return in_bounds(a * b, expr)


def _divided(a: Number, b: Number, expr: Binary) -> Number:
    if b == 0:
        raise undefined(f"`{to_text(expr)}` has no value: it divides by 0", expr)
    return in_bounds(Fraction(a) / Fraction(b), expr)


def _modulo(a: Number, b: Number, expr: Binary) -> Number:
    if not isinstance(a, int) or not isinstance(b, int):
        raise undefined(f"`{to_text(expr)}` has no value: mod needs whole numbers", expr)
    if b <= 0:
        raise undefined(
            f"`{to_text(expr)}` has no value: {to_text(expr.right)} is {value_to_text(b)}", expr
        )
    return a % b


def _power(a: Number, b: Number, expr: Binary) -> Number:
    if not isinstance(b, int):
        raise undefined(f"`{to_text(expr)}` has no value: the exponent is no whole number", expr)
    if a == 0 and b < 0:
        raise undefined(f"`{to_text(expr)}` has no value: it divides by 0", expr)
    base = Fraction(a)
    bits = max(abs(base.numerator) - 1, base.denominator - 1, 0).bit_length() * abs(b)
    if bits > 2 * MAX_BITS:
        raise undefined(f"`{to_text(expr)}` is a number beyond 2^{MAX_BITS}", expr)
    return in_bounds(number(base**b), expr)


_ARITHMETIC: Final[dict[Op, Callable[[Number, Number, Binary], Number]]] = {
    Op.PLUS: _plus,
    Op.MINUS: _minus,
    Op.TIMES: _times,
    Op.DIVIDE: _divided,
    Op.MOD: _modulo,
    Op.POWER: _power,
}


# Comparison


def order(expr: Binary, left: Code, right: Code) -> TruthCode:
    """``<``, ``≤``, ``>`` and ``≥``."""
    compare = _ORDER[expr.op]

    def holds(env: Env) -> bool:
        a, b = left(env), right(env)
        if type(a) is int and type(b) is int:
            return compare(a, b)
        return compare(as_number(a, expr.left), as_number(b, expr.right))

    return holds


_ORDER: Final[dict[Op, Callable[[Number, Number], bool]]] = {
    Op.LT: operator.lt,
    Op.LE: operator.le,
    Op.GT: operator.gt,
    Op.GE: operator.ge,
}


def equality(expr: Binary, left: Code, right: Code) -> TruthCode:
    """``=`` and ``≠``; a variable that is unset equals nothing."""
    is_negated = expr.op is Op.NE

    def holds(env: Env) -> bool:
        a, b = left(env), right(env)
        if isinstance(a, Unlisted) or isinstance(b, Unlisted):
            return located(expr, lambda: _are_same(a, b)) is not is_negated
        return (a == b and a is not UNSET) is not is_negated

    return holds


def _are_same(a: Operand, b: Operand) -> bool:
    return sets.is_set(a) and sets.is_set(b) and sets.is_same(a, b)


def is_unset(operand: Code, *, is_negated: bool) -> TruthCode:
    """Whether a variable is unset: a comparison with the unset value itself."""

    def holds(env: Env) -> bool:
        return (operand(env) is UNSET) is not is_negated

    return holds


# Sets


def membership(expr: Binary, left: ValueCode, right: Code) -> TruthCode:
    """``∈`` and ``∉``."""
    is_negated = expr.op is Op.NOT_IN

    def holds(env: Env) -> bool:
        member, whole = left(env), right(env)
        if type(whole) is frozenset:
            return (member in whole) is not is_negated
        found = located(expr, lambda: sets.contains(as_set(whole, expr.right), member))
        return found is not is_negated

    return holds


def inclusion(expr: Binary, left: Code, right: Code) -> TruthCode:
    """``⊆``, ``⊈`` and ``⊂``."""
    op = expr.op

    def decided(part: AnySet, whole: AnySet) -> bool:
        if op is Op.NOT_SUBSET:
            return not sets.is_subset(part, whole)
        if op is Op.PROPER_SUBSET and sets.is_subset(whole, part):
            return False
        return sets.is_subset(part, whole)

    def holds(env: Env) -> bool:
        part, whole = as_set(left(env), expr.left), as_set(right(env), expr.right)
        return located(expr, lambda: decided(part, whole))

    return holds


def algebra(expr: Binary, left: Code, right: Code) -> Code:
    """``∪``, ``∩`` and ``−``."""
    compute = _ALGEBRA[expr.op]
    compute_listed = _LISTED[expr.op]

    def value(env: Env) -> Operand:
        a, b = left(env), right(env)
        if type(a) is frozenset and type(b) is frozenset:
            return compute_listed(a, b)
        if expr.op is Op.DIFFERENCE and not sets.is_set(a):
            return _minus(as_number(a, expr.left), as_number(b, expr.right), expr)
        return compute(as_set(a, expr.left), as_set(b, expr.right))

    return value


_ALGEBRA: Final[dict[Op, Callable[[AnySet, AnySet], AnySet]]] = {
    Op.UNION: sets.union,
    Op.INTERSECTION: sets.intersection,
    Op.DIFFERENCE: sets.difference,
}


_LISTED: Final[dict[Op, Callable[[frozenset[Value], frozenset[Value]], frozenset[Value]]]] = {
    Op.UNION: frozenset.union,
    Op.INTERSECTION: frozenset.intersection,
    Op.DIFFERENCE: frozenset.difference,
}


def located(expr: Expr, decide: Callable[[], T]) -> T:
    """What *decide* gives; a fault in it that has no place yet is at *expr*."""
    try:
        return decide()
    except FaultError as fault:
        fault.expr = fault.expr or expr
        raise


def as_value(operand: Operand, expr: Expr) -> Value:
    """*operand*, listed if it is a set."""
    if isinstance(operand, Unlisted):
        whole = operand
        return located(expr, lambda: sets.members(whole))
    return operand
