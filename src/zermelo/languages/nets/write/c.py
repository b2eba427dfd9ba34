"""Expressions, tables and functions of a net as C.

Expressions are made shorter: the same values for all values of their variables, and the same
faults. Numbers that are known are computed, and what changes nothing is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, assert_never

from zermelo.languages.nets import ir
from zermelo.languages.nets.ir import (
    Binary,
    BinaryOp,
    Call,
    Conditional,
    Const,
    Element,
    Expr,
    Unary,
    UnaryOp,
    Var,
)
from zermelo.languages.nets.printer import expr_text
from zermelo.languages.nets.run.arithmetic import LOWEST, TOTAL, NoValue, binary, unary

# Names that C, or the language around it, has already.
_KEYWORDS: Final = """
auto break case char const continue default do double else enum extern float for goto if inline
int long register restrict return short signed sizeof static struct switch typedef union unsigned
void volatile while defined bool size_t
"""
_OPPOSITE: Final = {
    BinaryOp.EQ: BinaryOp.NE,
    BinaryOp.NE: BinaryOp.EQ,
    BinaryOp.LT: BinaryOp.GE,
    BinaryOp.GE: BinaryOp.LT,
    BinaryOp.GT: BinaryOp.LE,
    BinaryOp.LE: BinaryOp.GT,
}
_TRUTHS: Final = _OPPOSITE.keys() | {BinaryOp.AND, BinaryOp.OR}


class CNames:
    """Names as C has them: letters, digits and underscores, each for one thing only."""

    def __init__(
        self, known: Mapping[str, str] | None = None, *, avoid: Iterable[str] = ()
    ) -> None:
        self.known = dict(known or {})
        self._taken = {*_KEYWORDS.split(), *avoid, *self.known.values()}

    def of(self, name: str) -> str:
        if name not in self.known:
            plain = re.sub(r"[^A-Za-z0-9_]", "_", name) or "_"
            if plain[0].isdigit():
                plain = f"_{plain}"
            found, number = plain, 2
            while found in self._taken:
                found, number = f"{plain}_{number}", number + 1
            self.known[name] = found
            self._taken.add(found)
        return self.known[name]


@dataclass(frozen=True, slots=True)
class CNaming:
    """What things are called in an expression."""

    variables: CNames
    tables: CNames


def expression(expr: Expr, scope: CNaming, level: int = 0) -> str:
    return expr_text(_named(simplified(expr), scope), level)


def _named(expr: Expr, scope: CNaming) -> Expr:
    """*expr* with the names that things have in C, in C's words alone."""
    inner = tuple(_named(each, scope) for each in ir.parts(expr))
    match expr:
        case Const(value):
            # C has no way to write the lowest number.
            lowest = Binary(BinaryOp.MINUS, Const(value + 1), Const(1))
            return lowest if value == LOWEST else Const(value)
        case Var(name):
            return Var(scope.variables.of(name))
        case Unary(op):
            return Unary(op, *inner)
        case Binary(op):
            return Binary(op, *inner)
        case Conditional():
            return Conditional(*inner)
        case Element(table):
            return Element(scope.tables.of(table), inner)
        case Call(called):
            return Call(scope.tables.of(called), inner)
        case _:
            assert_never(expr)


def declaration(table: ir.Table, names: CNames) -> str:
    sizes = "".join(f"[{size}]" for size in table.dimensions)
    values = ", ".join(str(v) if v != LOWEST else f"{v + 1} - 1" for v in table.values)
    return f"long {names.of(table.name)}{sizes} = {{{values}}};"


def function(written: ir.Function, names: CNames) -> Iterator[str]:
    # A local with the name of a table hides it, as it does in C.
    own = CNames(names.known)
    inner = CNaming(own, own)
    parameters = ", ".join(f"long {own.of(name)}" for name in written.parameters) or "void"
    yield f"long {names.of(written.name)}({parameters})"
    yield "{"
    yield from _block(written.body, inner)
    yield "}"


def _statement(statement: ir.Statement, scope: CNaming) -> Iterator[str]:
    match statement:
        case ir.Declare():
            yield _local(statement, scope)
        case ir.Assign() | ir.Evaluate():
            yield f"{_effect(statement, scope)};"
        case ir.If(test, yes, no):
            yield f"if ({expression(test, scope)}) {{"
            yield from _block(yes, scope)
            if no:
                yield "} else {"
                yield from _block(no, scope)
            yield "}"
        case ir.While():
            yield from _loop(statement, scope)
        case ir.Return(value):
            yield f"return {expression(value, scope)};"
        case ir.Break():
            yield "break;"
        case ir.Continue():
            yield "continue;"
        case _:
            assert_never(statement)


def _local(local: ir.Declare, scope: CNaming) -> str:
    name = scope.variables.of(local.name) + "".join(f"[{size}]" for size in local.dimensions)
    values = ", ".join(expression(each, scope) for each in local.values)
    if not values:
        return f"long {name};"
    return f"long {name} = {{{values}}};" if local.dimensions else f"long {name} = {values};"


def _effect(statement: ir.Statement, scope: CNaming) -> str:
    match statement:
        case ir.Assign(target, value):
            return f"{expression(target, scope)} = {expression(value, scope)}"
        case ir.Evaluate(value):
            return expression(value, scope)
        case _:
            # Only these two stand in the step of a loop.
            return "0"


def _loop(loop: ir.While, scope: CNaming) -> Iterator[str]:
    test = expression(loop.test, scope)
    if not loop.tests_first:
        yield "do {"
        yield from _block(loop.body, scope)
        yield f"}} while ({test});"
        return
    step = ", ".join(_effect(each, scope) for each in loop.step)
    yield f"for (; {test}; {step}) {{" if step else f"while ({test}) {{"
    yield from _block(loop.body, scope)
    yield "}"


def _block(body: Iterable[ir.Statement], scope: CNaming) -> Iterator[str]:
    for each in body:
        yield from (f"    {line}" for line in _statement(each, scope))


def simplified(expr: Expr) -> Expr:
    """*expr* made shorter.

    >>> from zermelo.languages.nets.printer import expr_text
    >>> x = Var("x")
    >>> once = Binary(BinaryOp.TIMES, Const(-1), Binary(BinaryOp.EQ, x, Const(0)))
    >>> expr_text(simplified(Binary(BinaryOp.PLUS, Const(3), once)))
    '3 - (x == 0)'
    """
    inner = tuple(map(simplified, ir.parts(expr)))
    match expr:
        case Const() | Var():
            return expr
        case Unary(op):
            return _unary(op, *inner)
        case Binary(op):
            return _binary(op, *inner)
        case Conditional():
            test, yes, no = inner
            if isinstance(test, Const):
                return yes if test.value else no
            return Conditional(test, yes, no)
        case Element(table):
            return Element(table, inner)
        case Call(function):
            return Call(function, inner)


def _unary(op: UnaryOp, operand: Expr) -> Expr:
    if op is UnaryOp.KEEP:
        return operand
    if isinstance(operand, Const):
        with suppress(NoValue):
            return Const(unary(op, operand.value))
    return Unary(op, operand)


def _binary(op: BinaryOp, left: Expr, right: Expr) -> Expr:
    if isinstance(left, Const) and isinstance(right, Const):
        with suppress(NoValue):
            return Const(binary(op, left.value, right.value))
        return Binary(op, left, right)
    match op:
        case BinaryOp.AND | BinaryOp.OR:
            return _joined(op, left, right)
        case BinaryOp.TIMES:
            return _product(left, right)
        case BinaryOp.PLUS:
            return _sum(left, right)
        case BinaryOp.MINUS:
            return _difference(left, right)
        case _:
            return Binary(op, left, right)


def _joined(op: BinaryOp, left: Expr, right: Expr) -> Expr:
    decides = op is BinaryOp.OR
    match left, right:
        case Const(value), _ if bool(value) is decides:
            return Const(int(decides))
        case (Const(value), other) | (other, Const(value)) if bool(
            value
        ) is not decides and _is_truth(other):
            return other
        case _:
            return Binary(op, left, right)


def _product(left: Expr, right: Expr) -> Expr:
    match left, right:
        case (Const(1), other) | (other, Const(1)):
            return other
        case (Const(0), other) | (other, Const(0)) if _has_value(other):
            return Const(0)
        case (Const(-1), other) | (other, Const(-1)):
            return Unary(UnaryOp.NEGATE, other)
        case _:
            return Binary(BinaryOp.TIMES, left, right)


def _sum(left: Expr, right: Expr) -> Expr:
    match left, right:
        case (Const(0), other) | (other, Const(0)):
            return other
        case _, Const(value) if LOWEST < value < 0:
            return Binary(BinaryOp.MINUS, left, Const(-value))
        case _, Unary(UnaryOp.NEGATE, other) if _is_small(other):
            return _difference(left, other)
        case _, Binary(BinaryOp.TIMES, Const(value), other) if LOWEST < value < 0 and _is_small(
            other
        ):
            return Binary(BinaryOp.MINUS, left, _product(Const(-value), other))
        case (Unary(UnaryOp.NEGATE, other), _) if _is_small(other):
            return _difference(right, other)
        case _:
            return Binary(BinaryOp.PLUS, left, right)


def _difference(left: Expr, right: Expr) -> Expr:
    match left, right:
        case _, Const(0):
            return left
        case _, Const(value) if LOWEST < value < 0:
            return Binary(BinaryOp.PLUS, left, Const(-value))
        case Const(1), _ if _is_truth(right):
            return _opposite(right)
        case _, Binary(BinaryOp.AND, one, other) if one == left and _is_truth(one):
            return Binary(BinaryOp.AND, one, _opposite(other))
        case _:
            return Binary(BinaryOp.MINUS, left, right)


def _opposite(expr: Expr) -> Expr:
    """1 if *expr* is 0, and else 0."""
    match expr:
        case Binary(op, left, right) if op in _OPPOSITE:
            return Binary(_OPPOSITE[op], left, right)
        case _:
            return _unary(UnaryOp.NOT, expr)


def _is_truth(expr: Expr) -> bool:
    """Whether the value of *expr*, if it has one, is 0 or 1."""
    match expr:
        case Binary(op, _, _):
            return op in _TRUTHS
        case Unary(UnaryOp.NOT, _) | Const(0 | 1):
            return True
        case _:
            return False


def _is_small(expr: Expr) -> bool:
    """Whether *expr* is a product of truths, whose sign can be changed."""
    match expr:
        case Binary(BinaryOp.TIMES, left, right):
            return _is_small(left) and _is_small(right)
        case _:
            return _is_truth(expr)


def _has_value(expr: Expr) -> bool:
    """Whether *expr* has a value whatever its variables are."""
    match expr:
        case Const() | Var():
            return True
        case Unary(UnaryOp.NOT, operand):
            return _has_value(operand)
        case Binary(op, left, right):
            return op in TOTAL and _has_value(left) and _has_value(right)
        case _:
            return False
