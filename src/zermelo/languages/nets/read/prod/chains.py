"""Long rows of operands, grouped so that what comes out is nowhere deep.

``a + b + c + …`` and ``a ? x : b ? y : …`` are long, and not nested; trees of them that lean
to one side would be as deep as they are long. Short ones stay as C groups them. Of long ones
the middle decides: nothing changes for ``&&``, ``||``, ``|``, ``^``, ``&`` and ``?:``; where
sums and products are concerned, other parts of them than C's must fit in 64 bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from zermelo.languages.nets.read.prod import tree

MOST_LEANING: Final = 16
"""Chains of so many operators lean to the left, as C says."""
MOST_RUNGS: Final = 32
"""So many ``? :`` stand behind each other before they are grouped."""

Operand: TypeAlias = tuple[str, tree.Expr]
"""An operand and the operator before it."""

_DECIDING: Final = ("&&", "||")
_GROUPED: Final = (*_DECIDING, "|", "^", "&", "*")
_SUMS: Final = {"+": "-", "-": "+"}


def joined(first: tree.Expr, others: Sequence[Operand]) -> tree.Expr:
    """*first* and *others*, whose operators bind equally strongly."""
    signs = {sign for sign, _ in others}
    sign = next(iter(signs)) if len(signs) == 1 else ""
    is_short = len(others) <= MOST_LEANING
    if sign in _DECIDING or (sign in _GROUPED and not is_short):
        return _grouped([first, *(operand for _, operand in others)], sign)
    if not is_short and signs <= _SUMS.keys():
        return _summed([("+", first), *others])
    found = first
    for sign, operand in others:
        found = _binary(sign, found, operand)
    return found


def ladder(rungs: Sequence[tuple[tree.Expr, tree.Expr]], last: tree.Expr) -> tree.Expr:
    """``test ? yes : test ? yes : … : last``."""
    if len(rungs) <= MOST_RUNGS:
        found = last
        for test, yes in reversed(rungs):
            found = tree.Conditional(test, yes, found, span=test.span.to(found.span))
        return found
    middle = len(rungs) // 2
    any_test = _grouped([test for test, _ in rungs[:middle]], "||")
    # Where one of these tests holds, the last of them needs no look.
    above = ladder(rungs[: middle - 1], rungs[middle - 1][1])
    below = ladder(rungs[middle:], last)
    return tree.Conditional(any_test, above, below, span=any_test.span.to(below.span))


def _grouped(operands: Sequence[tree.Expr], sign: str) -> tree.Expr:
    if len(operands) == 1:
        return operands[0]
    middle = (len(operands) + 1) // 2
    return _binary(sign, _grouped(operands[:middle], sign), _grouped(operands[middle:], sign))


def _summed(terms: Sequence[Operand]) -> tree.Expr:
    """The sum of *terms*, the first of which is added."""
    if len(terms) == 1:
        return terms[0][1]
    middle = (len(terms) + 1) // 2
    sign, rest = terms[middle][0], terms[middle:]
    if sign == "-":
        # a - b + c is a - (b - c).
        rest = [(_SUMS[each], operand) for each, operand in rest]
    return _binary(sign, _summed(terms[:middle]), _summed(rest))


def _binary(sign: str, left: tree.Expr, right: tree.Expr) -> tree.Expr:
    return tree.Binary(sign, left, right, span=left.span.to(right.span))
