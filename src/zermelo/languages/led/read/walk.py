"""The parts of an expression, and how deep it goes."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from zermelo.languages.led.read import tree
from zermelo.languages.led.read.tree import Definition, Expr


def children(expr: Expr) -> tuple[Expr, ...]:
    """The expressions that *expr* is made of, as they stand in it from left to right."""
    match expr:
        case tree.Number() | tree.Text() | tree.AtomName() | tree.TruthName() | tree.Name():
            return ()
        case tree.Call():
            return expr.arguments
        case tree.TupleOf() | tree.SetOf():
            return expr.items
        case tree.Bracketed():
            return (expr.inner,)
        case tree.Unary() | tree.Bars():
            return (expr.operand,)
        case _:
            return _several(expr)


def _several(
    expr: tree.Index
    | tree.Slice
    | tree.RangeOf
    | tree.Comprehension
    | tree.Big
    | tree.Binary
    | tree.Quantified,
) -> tuple[Expr, ...]:
    match expr:
        case tree.Index():
            return (expr.base, expr.index)
        case tree.Slice():
            return (expr.base, expr.low, expr.high)
        case tree.RangeOf():
            return (expr.low, expr.high)
        case tree.Comprehension():
            return (expr.result, expr.condition)
        case tree.Big():
            return (expr.condition, expr.body)
        case tree.Binary():
            return (expr.left, expr.right)
        case tree.Quantified():
            return (expr.domain, expr.body)
        case _:
            assert_never(expr)


def with_children(expr: Expr, parts: tuple[Expr, ...]) -> Expr:
    """*expr* made of *parts*, in the order in which ``children`` gives them."""
    match expr:
        case tree.Number() | tree.Text() | tree.AtomName() | tree.TruthName() | tree.Name():
            return expr
        case tree.Call():
            return replace(expr, arguments=parts)
        case tree.TupleOf() | tree.SetOf():
            return replace(expr, items=parts)
        case tree.Bracketed():
            return replace(expr, inner=parts[0])
        case tree.Unary() | tree.Bars():
            return replace(expr, operand=parts[0])
        case _:
            return _with_several(expr, parts)


def _with_several(
    expr: tree.Index
    | tree.Slice
    | tree.RangeOf
    | tree.Comprehension
    | tree.Big
    | tree.Binary
    | tree.Quantified,
    parts: tuple[Expr, ...],
) -> Expr:
    match expr:
        case tree.Index():
            return replace(expr, base=parts[0], index=parts[1])
        case tree.Slice():
            return replace(expr, base=parts[0], low=parts[1], high=parts[2])
        case tree.RangeOf():
            return replace(expr, low=parts[0], high=parts[1])
        case tree.Comprehension():
            return replace(expr, result=parts[0], condition=parts[1])
        case tree.Big():
            return replace(expr, condition=parts[0], body=parts[1])
        case tree.Binary():
            return replace(expr, left=parts[0], right=parts[1])
        case tree.Quantified():
            return replace(expr, domain=parts[0], body=parts[1])
        case _:
            assert_never(expr)


def expressions(definition: Definition) -> tuple[Expr, ...]:
    """The expressions of *definition*, in order."""
    found: list[Expr] = []
    for branch in definition.branches:
        found.append(branch.value)
        if branch.guard is not None:
            found.append(branch.guard)
    if definition.where is not None:
        found.append(definition.where)
    return tuple(found)


def depth(expr: Expr) -> int:
    """The number of levels of *expr*; a name has one."""
    deepest = 0
    open_ = [(expr, 1)]
    while open_:
        here, level = open_.pop()
        deepest = max(deepest, level)
        open_ += [(each, level + 1) for each in children(here)]
    return deepest
