"""What the C of a net means: its tables and functions, as far as the net uses them.

A function is lowered (``c_functions``) when something that is used calls it. Expressions
whose value is known are replaced by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Final, assert_never

from zermelo.core.machine import ExhaustedError, FaultError
from zermelo.languages.nets import ir
from zermelo.languages.nets.ir import BinaryOp, Const
from zermelo.languages.nets.read.prod import tree
from zermelo.languages.nets.read.prod.expressions import meant
from zermelo.languages.nets.run.arithmetic import NoValue, binary, unary
from zermelo.languages.nets.run.evaluate import MOST_STEPS, Evaluator
from zermelo.text import codes
from zermelo.text.codes import Code, Severity
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.prose import count
from zermelo.text.source import NOWHERE, Span

MOST_ELEMENTS: Final = 1_000_000
_WHAT_IS_READ: Final = (
    "read are integers and arrays of them, `if for while do switch return`, and calls"
)


class NotUsable(Exception):
    """Something cannot be used; carries what there is to say, unless that has been said."""

    def __init__(self, said: Diagnostic | None = None) -> None:
        super().__init__("" if said is None else said.message)
        self.said = () if said is None else (said,)


@dataclass(slots=True)
class CScope:
    """What the names in an expression mean, apart from what the whole net knows."""

    is_open: bool
    """Whether other names are variables of a transition."""
    numbers: dict[str, str] = field(default_factory=dict)
    """Locals that are numbers, with the names they get."""
    arrays: dict[str, tuple[str, tuple[int, ...]]] = field(default_factory=dict)
    """Local arrays, with the names they get and their dimensions."""
    fixed: set[str] = field(default_factory=set)

    def inner(self) -> CScope:
        return CScope(self.is_open, dict(self.numbers), dict(self.arrays), set(self.fixed))


class CCode:
    """The constants, tables and functions that expressions of a net can use."""

    def __init__(self, document: tree.NetDocument, place: Callable[[Span], Span]) -> None:
        self.place = place
        self.said: list[Diagnostic] = []
        self._macros = document.macros
        self._folder = document.folder
        # PROD counts its constants downwards.
        last = len(document.constants) - 1
        self.constants = {each.name: last - at for at, each in enumerate(document.constants)}
        self._globals: dict[str, tree.CVariable] = {}
        self._functions: dict[str, tree.CFunction] = {}
        self._refused: dict[str, tree.OutsideSubset] = {}
        self.tables: dict[str, ir.Table | None] = {}
        self.functions: dict[str, ir.Function | None] = {}
        self.waiting: list[tree.CFunction] = []
        """Functions that are used, and not lowered yet."""
        self._steps = MOST_STEPS
        self._missing: set[str] = set()
        self._unusable: set[str] = set()
        self._leading_back = frozenset(document.leading_back)
        self.is_cut_short = False
        """Whether a function is not understood, so that what else it uses is not known."""
        self._collect(document)

    @property
    def names(self) -> tuple[str, ...]:
        return (*self._macros, *self.constants, *self._globals, *self._functions)

    @property
    def used(self) -> tuple[tuple[ir.Table, ...], tuple[ir.Function, ...]]:
        """The tables and functions that are used and usable, by name."""
        tables = (each for _, each in sorted(self.tables.items()))
        functions = (each for _, each in sorted(self.functions.items()))
        return (
            tuple(each for each in tables if each is not None and each.dimensions),
            tuple(each for each in functions if each is not None),
        )

    def _collect(self, document: tree.NetDocument) -> None:
        seen = {each.name: each.span for each in document.constants}
        for constant in document.constants:
            again = seen[constant.name]
            if again != constant.span:
                self.said.append(_twice("constant", constant.name, again, constant.span))
        for declared in document.declarations:
            match declared:
                case tree.OutsideSubset(name):
                    self._refused.setdefault(name, declared)
                case tree.CVariable(name, is_extern=True):
                    self._globals.setdefault(name, declared)
                case tree.CFunction(name, _, None):
                    self._functions.setdefault(name, declared)
                case tree.CVariable(name) | tree.CFunction(name):
                    if name in seen:
                        self.said.append(_twice("declaration", name, declared.span, seen[name]))
                    seen[name] = declared.span
                    if isinstance(declared, tree.CVariable):
                        self._globals[name] = declared
                    else:
                        self._functions[name] = declared

    def say_unused(self) -> None:
        """Say what was passed over unused, once all that is used is understood."""
        for name, refused in self._refused.items():
            if name not in self.functions and name not in self.tables:
                said = outside_subset(refused.what, refused.span, is_used=False)
                self.said.append(replace(said, notes=said.notes[:1]) if self.is_cut_short else said)

    def say_refused(self, written: ir.Expr) -> None:
        """Say which parts of *written*, which cannot be used, are outside the C that is read."""
        waiting = [written]
        while waiting:
            each = waiting.pop()
            waiting.extend(ir.parts(each))
            if not isinstance(each, ir.Call) or each.function in self.functions:
                continue
            try:
                self._demand(each.function, each.span)
            except NotUsable as fault:
                self.said.extend(fault.said)

    def expr(self, written: ir.Expr, scope: CScope) -> ir.Expr:
        """What *written* means in *scope*; raises ``NotUsable``."""
        inner = tuple(self.expr(part, scope) for part in ir.parts(written))
        span = self.place(written.span)
        match written:
            case ir.Const(value):
                return ir.Const(value, span=span)
            case ir.Var(text):
                return self._name(text, written.span, scope)
            case ir.Unary(op):
                return folded(ir.Unary(op, *inner, span=span))
            case ir.Binary(op):
                return folded(ir.Binary(op, *inner, span=span))
            case ir.Conditional():
                return folded(ir.Conditional(*inner, span=span))
            case ir.Element():
                return self._element(written, inner, scope)
            case ir.Call():
                return self._call(written, inner)
            case _:
                assert_never(written)

    def _name(self, name: str, span: Span, scope: CScope) -> ir.Expr:
        place = self.place(span)
        if name in scope.numbers:
            return ir.Var(scope.numbers[name], span=place)
        if name in scope.arrays:
            raise used_as_another(name, "a table, which needs an index", span)
        if name in self.constants:
            return ir.Const(self.constants[name], span=place)
        if name in self._globals or name in self._refused:
            table = self.table(name, span)
            if table.dimensions:
                raise used_as_another(name, "a table, which needs an index", span)
            return ir.Const(table.values[0], span=place)
        if name in self._functions:
            raise used_as_another(name, "a function, which needs its arguments in brackets", span)
        if not scope.is_open:
            raise self._nowhere(codes.UNKNOWN_TABLE, name, span, (*scope.numbers, *self.names))
        return ir.Var(name, span=place)

    def _element(self, written: ir.Element, indexes: tuple[ir.Expr, ...], scope: CScope) -> ir.Expr:
        name, span = written.table, self.place(written.span)
        if name in scope.arrays:
            unique, dimensions = scope.arrays[name]
            _check_indexes(name, dimensions, written)
            return ir.Element(unique, indexes, span=span)
        is_hidden = name in scope.numbers
        if is_hidden or (name not in self._globals and name not in self._refused):
            if is_hidden or name in self.constants or name in self._functions:
                raise used_as_another(name, "no table", written.span)
            raise self._nowhere(codes.UNKNOWN_TABLE, name, written.span, self._globals)
        table = self.table(name, written.span)
        _check_indexes(name, table.dimensions, written)
        return folded(ir.Element(name, indexes, span=span), table)

    def _call(self, written: ir.Call, arguments: tuple[ir.Expr, ...]) -> ir.Expr:
        name = written.function
        self._demand(name, written.span)
        if name not in self._functions:
            raise NotUsable
        wanted = len(self._functions[name].parameters)
        if wanted != len(arguments):
            words = f"a function of {count(wanted, 'argument')}, and is given {len(arguments)}"
            form = f"`{name}({', '.join(self._functions[name].parameters)})`"
            raise used_as_another(name, words, written.span, f"it is defined as {form}")
        return ir.Call(name, arguments, span=self.place(written.span))

    def _demand(self, name: str, span: Span) -> None:
        if name in self.functions:
            return
        function = self._functions.get(name)
        if name in self._refused and (function is None or function.body is None):
            refused = self._refused[name]
            self.functions[name] = None
            raise NotUsable(outside_subset(refused.what, refused.span))
        if function is None and (name in self._globals or name in self.constants):
            raise used_as_another(name, "no function", span)
        if function is None or function.body is None:
            near = (each.name for each in self._functions.values() if each.body is not None)
            raise self._nowhere(codes.UNKNOWN_C_FUNCTION, name, span, (*near, *self._macros))
        self.functions[name] = None
        self.waiting.append(function)

    def _nowhere(self, code: Code, name: str, span: Span, known: Iterable[str]) -> NotUsable:
        if name in self._missing:
            return NotUsable()
        self._missing.add(name)
        kind = "function" if code is codes.UNKNOWN_C_FUNCTION else "global"
        where = "in the net"
        if self._folder is not None:
            where += f", or in a file with the ending `.c` in the folder `{self._folder}` beside it"
        return NotUsable(
            Diagnostic(
                code,
                f"`{name}` is defined nowhere",
                primary=Label(span, f"used as a {kind} here"),
                help=self.stands_for_itself(name) or meant(name, known) or f"define it {where}",
            )
        )

    def stands_for_itself(self, name: str) -> str | None:
        """What to say about a macro that leads to its own name; ``None`` if it is none."""
        if name not in self._leading_back:
            return None
        return f"the macro `{name}` stands for itself in the end: let it stand for something else"

    def table(self, name: str, use: Span) -> ir.Table:
        if name not in self.tables:
            self.tables[name] = None
            try:
                self.tables[name] = self._table(name, use)
            except NotUsable:
                self._unusable.add(name)
                raise
        found = self.tables[name]
        if name in self._unusable:
            raise NotUsable
        if found is None:
            words = f"`{name}` has no value that could be used here"
            raise NotUsable(
                Diagnostic(codes.UNKNOWN_TABLE, words, primary=Label(use, "needed here"))
            )
        return found

    def _table(self, name: str, use: Span) -> ir.Table:
        declared = self._globals.get(name)
        if declared is None or (declared.is_extern and name in self._refused):
            refused = self._refused[name]
            raise NotUsable(outside_subset(refused.what, refused.span))
        if declared.is_extern:
            raise self._nowhere(codes.UNKNOWN_TABLE, name, use, ())
        dimensions = self.dimensions(declared, MOST_ELEMENTS)
        values = self.values(declared, dimensions, CScope(is_open=False))
        numbers = tuple(self.number(each, declared.span) for each in values)
        numbers += (0,) * (prod(dimensions) - len(numbers))
        return ir.Table(name, dimensions, numbers, span=self.place(declared.span))

    def dimensions(self, declared: tree.CVariable, most: int) -> tuple[int, ...]:
        found: list[int] = []
        for at, each in enumerate(declared.dimensions):
            if each is None:
                if at or not isinstance(declared.init, tree.InitList):
                    words = f"the size of `{declared.name}` is not known"
                    raise _not_constant(words, declared.span)
                found.append(0)
            else:
                found.append(self.number(self.expr(each, CScope(is_open=False)), declared.span))
        if found and declared.dimensions[0] is None and isinstance(declared.init, tree.InitList):
            found[0] = _counted(declared.init, tuple(found[1:]))
        if any(each < 1 for each in found) or prod(found) > most:
            words = f"`{declared.name}` must have at least one element and at most {most:,}"
            raise _not_constant(words, declared.span)
        return tuple(found)

    def values(
        self, declared: tree.CVariable, dimensions: tuple[int, ...], scope: CScope
    ) -> list[ir.Expr]:
        """The values that a declaration gives its variable, flat; those left out are 0."""
        init = declared.init
        if init is None:
            return []
        if not isinstance(init, tree.InitList):
            if dimensions:
                raise used_as_another(
                    declared.name, "a table, and its values stand in braces", init.span
                )
            return [self.expr(init, scope)]
        if not dimensions:
            if len(init.items) == 1 and not isinstance(init.items[0], tree.InitList):
                return [self.expr(init.items[0], scope)]
            raise used_as_another(declared.name, "a number, and has one value", init.span)
        flat: list[ir.Expr] = []
        _fill(flat, list(init.items), dimensions, init.span)
        return [self.expr(each, scope) for each in flat]

    def number(self, expr: ir.Expr, span: Span) -> int:
        if isinstance(expr, ir.Const):
            return expr.value
        tables, functions = self.used
        evaluator = Evaluator(ir.Net("", (), (), functions, tables), altogether=self._steps)
        try:
            return evaluator.value(expr)
        except FaultError as fault:
            # What is left says nothing: all constants share what may be taken.
            is_long = isinstance(fault, ExhaustedError)
            words = f"this takes more than {MOST_STEPS:,} steps" if is_long else fault.message
            raise _not_constant(words, span) from None
        finally:
            self._steps = max(0, self._steps - evaluator.steps)


def _fill(
    flat: list[ir.Expr], items: list[tree.Init], dimensions: Sequence[int], span: Span
) -> None:
    full, inner = len(flat) + prod(dimensions), prod(dimensions[1:])
    while items and len(flat) < full:
        item = items.pop(0)
        if not isinstance(item, tree.InitList):
            flat.append(item)
            continue
        if len(dimensions) == 1:
            raise _not_constant("there are more braces here than the table has dimensions", span)
        before = len(flat)
        _fill(flat, list(item.items), dimensions[1:], item.span)
        flat.extend([ir.Const(0, span=item.span)] * (inner - (len(flat) - before)))
    if items:
        raise _not_constant("there are more values here than the table has elements", span)


def _counted(init: tree.InitList, rest: tuple[int, ...]) -> int:
    inner = max(prod(rest), 1)
    scalars = sum(not isinstance(each, tree.InitList) for each in init.items)
    return len(init.items) - scalars + (scalars + inner - 1) // inner


def _check_indexes(name: str, dimensions: tuple[int, ...], written: ir.Element) -> None:
    if len(dimensions) != len(written.indexes):
        size = f"a table of {count(len(dimensions), 'dimension')}" if dimensions else "a number"
        words = f"{size}, and is given {count(len(written.indexes), 'index', 'indexes')}"
        raise used_as_another(name, words, written.span)


def used_as_another(name: str, what: str, span: Span, help_: str | None = None) -> NotUsable:
    words, label = f"`{name}` is {what}", Label(span, "used here")
    return NotUsable(Diagnostic(codes.USED_AS_ANOTHER, words, label, help=help_))


def _not_constant(words: str, span: Span) -> NotUsable:
    return NotUsable(Diagnostic(codes.NOT_CONSTANT, words, primary=Label(span)))


def outside_subset(what: str, span: Span, *, is_used: bool = True) -> Diagnostic:
    return Diagnostic(
        codes.OUTSIDE_C_SUBSET,
        f"{what} is outside the part of C that is read here",
        primary=Label(span, "not read") if span != NOWHERE else None,
        notes=(_WHAT_IS_READ, *(() if is_used else ("the net does not use it",))),
        severity=None if is_used else Severity.WARNING,
    )


def _twice(what: str, name: str, span: Span, other: Span) -> Diagnostic:
    return Diagnostic(
        codes.NET_NAME_TWICE,
        f"there is a second {what} called `{name}`",
        primary=Label(span, "this one"),
        secondary=(Label(other, "and this one"),),
        help="give one of them another name, or leave one out",
    )


def folded(expr: ir.Expr, table: ir.Table | None = None) -> ir.Expr:
    """*expr* as a number if its parts are numbers and it has a value; *table* is an element's."""
    if isinstance(expr, ir.Conditional) and isinstance(expr.test, Const):
        return expr.yes if expr.test.value else expr.no
    value = _computed(expr, table)
    return expr if value is None else Const(value, span=expr.span)


def _computed(expr: ir.Expr, table: ir.Table | None) -> int | None:
    try:
        match expr:
            case ir.Unary(op, Const(value)):
                return unary(op, value)
            case ir.Binary(BinaryOp.AND, Const(0), _):
                return 0
            case ir.Binary(BinaryOp.OR, Const(value), _) if value:
                return 1
            case ir.Binary(op, Const(left), Const(right)):
                return binary(op, left, right)
            case ir.Element(_, indexes) if table is not None:
                at = _position(indexes, table.dimensions)
                return None if at is None else table.values[at]
            case _:
                return None
    except NoValue:
        return None


def _position(indexes: tuple[ir.Expr, ...], dimensions: tuple[int, ...]) -> int | None:
    """Where an element lies in its table, if its indexes are known and within bounds."""
    if len(indexes) != len(dimensions):
        return None
    at = 0
    for index, size in zip(indexes, dimensions, strict=True):
        if not isinstance(index, Const) or not 0 <= index.value < size:
            return None
        at = at * size + index.value
    return at
