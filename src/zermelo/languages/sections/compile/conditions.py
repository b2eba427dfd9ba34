"""Conditions in generated code, and numbers as operands."""

from __future__ import annotations

from typing import Final

from zermelo.languages.sections.compile.reps import (
    LARGEST,
    Known,
    Num,
    Ratio,
    Refused,
    Rep,
    Truth,
    literal,
)

YES: Final = Truth("True")
NO: Final = Truth("False")


def both(left: Truth, right: Truth) -> Truth:
    """The conjunction of two conditions, neither of which can fail."""
    if NO in (left, right):
        return NO
    if left == YES:
        return right
    return left if right == YES else Truth(f"({left.code} and {right.code})")


def either(left: Truth, right: Truth) -> Truth:
    """The disjunction of two conditions, neither of which can fail."""
    if YES in (left, right):
        return YES
    if left == NO:
        return right
    return left if right == NO else Truth(f"({left.code} or {right.code})")


def negated(truth: Truth) -> Truth:
    """The negation of *truth*."""
    if truth in (YES, NO):
        return NO if truth == YES else YES
    return Truth(f"(not {truth.code})")


def as_num(rep: Rep) -> Num | None:
    """*rep* as a whole number."""
    match rep:
        case Num():
            return rep
        case Known(value) if type(value) is int:
            if abs(value) >= LARGEST:
                raise Refused("numbers that are too large")
            return Num(literal(value), value, value)
        case _:
            return None


def as_ratio(rep: Rep) -> Ratio | None:
    """*rep* as a quotient."""
    if isinstance(rep, Ratio):
        return rep
    number = as_num(rep)
    return None if number is None else Ratio(number, Num("1", 1, 1))
