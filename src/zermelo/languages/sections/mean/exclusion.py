"""Which formulas cannot both hold, as far as one look at them tells."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from zermelo.languages.sections import ir
from zermelo.languages.sections.walk import conjuncts

_APART: Final = frozenset(
    frozenset(pair)
    for pair in (
        (ir.Op.EQ, ir.Op.NE),
        (ir.Op.EQ, ir.Op.LT),
        (ir.Op.EQ, ir.Op.GT),
        (ir.Op.LT, ir.Op.GT),
        (ir.Op.LT, ir.Op.GE),
        (ir.Op.GT, ir.Op.LE),
        (ir.Op.IN, ir.Op.NOT_IN),
        (ir.Op.SUBSET, ir.Op.NOT_SUBSET),
    )
)
"""Relations that cannot both hold between the same two things."""

_TURNED: Final = {
    ir.Op.EQ: ir.Op.EQ,
    ir.Op.NE: ir.Op.NE,
    ir.Op.LT: ir.Op.GT,
    ir.Op.GT: ir.Op.LT,
    ir.Op.LE: ir.Op.GE,
    ir.Op.GE: ir.Op.LE,
}


def exclude(left: Iterable[ir.Expr], right: Iterable[ir.Expr]) -> bool:
    """Whether one of the formulas *left* cannot hold together with one of *right*."""
    others = [test for expr in right for test in _tests(expr)]
    return any(excludes(a, b) for expr in left for a in _tests(expr) for b in others)


def _tests(expr: ir.Expr) -> tuple[ir.Expr, ...]:
    """What holds when *expr* holds: its conjuncts; of ``¬(a ∨ b)`` the ``¬a`` and the ``¬b``."""
    found: list[ir.Expr] = []
    for part in conjuncts(expr):
        match part:
            case ir.Not(operand=ir.Or(operands=cases)):
                found += [test for case in cases for test in _tests(ir.Not(case))]
            case ir.Not(operand=ir.Not(operand=inner)):
                found += _tests(inner)
            case _:
                found.append(part)
    return tuple(found)


def excludes(left: ir.Expr, right: ir.Expr) -> bool:
    """Whether two formulas cannot both hold."""
    if left == ir.Not(right) or right == ir.Not(left):
        return True
    match left, right:
        case ir.Or(operands=cases), other if cases:
            return all(exclude((case,), (other,)) for case in cases)
        case _, ir.Or():
            return excludes(right, left)
        case ir.Binary(), ir.Binary():
            return _are_apart(left, right)
        case ir.Quantified(), ir.Quantified():
            return _no_example(left, right) or _no_example(right, left)
        case (ir.Not(operand=ir.Binary() as inner), other) | (
            other,
            ir.Not(operand=ir.Binary() as inner),
        ):
            return _is_turned(inner, other)
        case _:
            return False


def _is_turned(left: ir.Binary, right: ir.Expr) -> bool:
    """Whether ``a = b`` and ``b = a``, or the like, say the same."""
    return (
        isinstance(right, ir.Binary)
        and (left.left, left.right) == (right.right, right.left)
        and _TURNED.get(left.op) is right.op
    )


def _are_apart(left: ir.Binary, right: ir.Binary) -> bool:
    if (left.left, left.right) == (right.right, right.left) and right.op in _TURNED:
        return frozenset({left.op, _TURNED[right.op]}) in _APART
    if left.left != right.left:
        return False
    if left.right == right.right:
        return frozenset({left.op, right.op}) in _APART
    both_equal = left.op is right.op is ir.Op.EQ
    values = isinstance(left.right, ir.Literal) and isinstance(right.right, ir.Literal)
    return both_equal and values


def _no_example(some: ir.Quantified, every: ir.Quantified) -> bool:
    """Whether *some* asks for a member that *every* says there is not."""
    kinds = (some.kind, every.kind)
    if kinds != (ir.QuantifierKind.SOME, ir.QuantifierKind.ALL) or some.binder != every.binder:
        return False
    match every.body:
        case ir.Binary(op=ir.Op.IMPLIES, left=condition, right=then):
            has = _tests(some.body)
            return all(test in has for test in _tests(condition)) and exclude((then,), has)
        case body:
            return exclude((some.body,), (body,))
