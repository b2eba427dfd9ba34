"""Expressions, tables and functions of a net as C."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, assert_never

from zermelo.languages.nets import ir
from zermelo.languages.nets.printer import expr_text
from zermelo.languages.nets.run.arithmetic import LOWEST
from zermelo.languages.nets.write.tidy import tidy

# Names that C, or the language around it, has already.
_KEYWORDS: Final = """
auto break case char const continue default do double else enum extern float for goto if inline
int long register restrict return short signed sizeof static struct switch typedef union unsigned
void volatile while defined bool size_t
"""
_TAKEN: Final = frozenset(_KEYWORDS.split())


class Names:
    """Names as C has them: letters, digits and underscores, each for one thing only."""

    def __init__(
        self, known: Mapping[str, str] | None = None, *, avoid: Iterable[str] = ()
    ) -> None:
        self._known = dict(known or {})
        self._taken = {*_TAKEN, *avoid, *self._known.values()}

    @property
    def known(self) -> Mapping[str, str]:
        """What has a name so far."""
        return self._known

    def of(self, name: str) -> str:
        """What *name* is called in C."""
        if name not in self._known:
            plain = re.sub(r"[^A-Za-z0-9_]", "_", name) or "_"
            if plain[0].isdigit():
                plain = f"_{plain}"
            found, number = plain, 2
            while found in self._taken:
                found, number = f"{plain}_{number}", number + 1
            self._known[name] = found
            self._taken.add(found)
        return self._known[name]


@dataclass(frozen=True, slots=True)
class Scope:
    """What things are called in an expression."""

    variables: Names
    tables: Names
    """Tables and functions; in functions also locals."""


def expression(expr: ir.Expr, scope: Scope, level: int = 0) -> str:
    """*expr* as C, to stand where operators bind at *level*, with no more brackets than needed."""
    return expr_text(_named(tidy(expr), scope), level)


def _named(expr: ir.Expr, scope: Scope) -> ir.Expr:
    """*expr* with the names that things have in C, in C's words alone."""
    match expr:
        case ir.Const(value):
            # C has no way to write the lowest number.
            lowest = ir.Binary(ir.BinaryOp.MINUS, ir.Const(value + 1), ir.Const(1))
            return lowest if value == LOWEST else ir.Const(value)
        case ir.Var(name):
            return ir.Var(scope.variables.of(name))
        case ir.Unary(op, operand):
            return ir.Unary(op, _named(operand, scope))
        case ir.Binary(op, left, right):
            return ir.Binary(op, _named(left, scope), _named(right, scope))
        case ir.Conditional(test, yes, no):
            return ir.Conditional(_named(test, scope), _named(yes, scope), _named(no, scope))
        case ir.Element(table, indexes):
            inner = tuple(_named(each, scope) for each in indexes)
            return ir.Element(scope.tables.of(table), inner)
        case ir.Call(called, arguments):
            given = tuple(_named(each, scope) for each in arguments)
            return ir.Call(scope.tables.of(called), given)
        case _:
            assert_never(expr)


def declaration(table: ir.Table, names: Names) -> str:
    """The declaration of a global table."""
    sizes = "".join(f"[{size}]" for size in table.dimensions)
    values = ", ".join(str(v) if v != LOWEST else f"{v + 1} - 1" for v in table.values)
    return f"long {names.of(table.name)}{sizes} = {{{values}}};"


def function(written: ir.Function, names: Names) -> Iterator[str]:
    """The lines of a function."""
    # A local with the name of a table hides it, as it does in C.
    own = Names(names.known)
    inner = Scope(own, own)
    parameters = ", ".join(f"long {own.of(name)}" for name in written.parameters) or "void"
    yield f"long {names.of(written.name)}({parameters})"
    yield "{"
    for statement in written.body:
        yield from _indented(_statement(statement, inner))
    yield "}"


def _statement(statement: ir.Statement, scope: Scope) -> Iterator[str]:
    match statement:
        case ir.Declare(name, dimensions, values):
            yield _local(
                scope.variables.of(name), dimensions, [expression(v, scope) for v in values]
            )
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


def _local(name: str, dimensions: tuple[int, ...], values: list[str]) -> str:
    sizes = "".join(f"[{size}]" for size in dimensions)
    if not values:
        return f"long {name}{sizes};"
    first = f"{{{', '.join(values)}}}" if dimensions else values[0]
    return f"long {name}{sizes} = {first};"


def _effect(statement: ir.Statement, scope: Scope) -> str:
    match statement:
        case ir.Assign(target, value):
            return f"{expression(target, scope)} = {expression(value, scope)}"
        case ir.Evaluate(value):
            return expression(value, scope)
        case _:
            # Only these two stand in the step of a loop.
            return "0"


def _loop(loop: ir.While, scope: Scope) -> Iterator[str]:
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


def _block(body: Iterable[ir.Statement], scope: Scope) -> Iterator[str]:
    for each in body:
        yield from _indented(_statement(each, scope))


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"    {line}" for line in lines)
