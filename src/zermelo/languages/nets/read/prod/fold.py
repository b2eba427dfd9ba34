"""Expressions whose value is known are replaced by it."""

from __future__ import annotations

from zermelo.languages.nets.ir import (
    Binary,
    BinaryOp,
    Conditional,
    Const,
    Element,
    Expr,
    Table,
    Unary,
)
from zermelo.languages.nets.run.arithmetic import NoValue, binary, unary


def folded(expr: Expr, table: Table | None = None) -> Expr:
    """*expr* as a number if its parts are numbers and it has a value; *table* is an element's."""
    match expr:
        case Unary(op, Const(value)):
            try:
                return Const(unary(op, value), span=expr.span)
            except NoValue:
                return expr
        case Binary():
            return _binary(expr)
        case Conditional(Const(value), yes, no):
            return yes if value else no
        case Element(_, indexes) if table is not None:
            at = _position(indexes, table.dimensions)
            return expr if at is None else Const(table.values[at], span=expr.span)
        case _:
            return expr


def _binary(expr: Binary) -> Expr:
    match expr:
        case Binary(BinaryOp.AND, Const(0), _):
            return Const(0, span=expr.span)
        case Binary(BinaryOp.OR, Const(value), _) if value:
            return Const(1, span=expr.span)
        case Binary(op, Const(left), Const(right)):
            try:
                return Const(binary(op, left, right), span=expr.span)
            except NoValue:
                return expr
        case _:
            return expr


def _position(indexes: tuple[Expr, ...], dimensions: tuple[int, ...]) -> int | None:
    """Where an element lies in its table, if its indexes are known and within bounds."""
    if len(indexes) != len(dimensions):
        return None
    at = 0
    for index, size in zip(indexes, dimensions, strict=True):
        if not isinstance(index, Const) or not 0 <= index.value < size:
            return None
        at = at * size + index.value
    return at
