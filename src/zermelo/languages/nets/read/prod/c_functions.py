"""C functions lowered to what the interpreter runs and the compiler writes out, once for both.

Locals get names of their own, so that an inner one does not hide an outer one; ``for`` and
``switch`` become loops. A local that is read before anything gives it a value is warned about,
where that is certain: on every way to the place that reads it, it is declared without a value
and given none. Whether a loop or a branch is ever run is not asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from zermelo.languages.nets import ir
from zermelo.languages.nets.ir import BinaryOp
from zermelo.languages.nets.read.prod import tree
from zermelo.languages.nets.read.prod.c_meaning import (
    CCode,
    CScope,
    NotUsable,
    outside_subset,
    used_as_another,
)
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.source import Span

MOST_LOCAL_ELEMENTS: Final = 10_000


def lower_functions(code: CCode) -> None:
    while code.waiting:
        function = code.waiting.pop(0)
        try:
            code.functions[function.name] = _FunctionBody(code, function).function()
        except NotUsable as fault:
            code.said.extend(fault.said)
            code.is_cut_short = True


class _FunctionBody:
    def __init__(self, code: CCode, function: tree.CFunction) -> None:
        self._code = code
        self._function = function
        self._taken: set[str] = set(function.parameters)
        self._loops = 0
        self._switches = 0

    def function(self) -> ir.Function:
        numbers = {name: name for name in self._function.parameters}
        scope = CScope(is_open=False, numbers=numbers, fixed=set(self._function.fixed))
        body = self._function.body
        assert body is not None, "only functions with a body wait for it"
        statements = self._block(body.body, scope)
        self._code.said.extend(map(_not_set, locals_read_unset(body)))
        span = self._code.place(self._function.span)
        return ir.Function(self._function.name, self._function.parameters, statements, span=span)

    def _block(self, written: Iterable[tree.Statement], scope: CScope) -> tuple[ir.Statement, ...]:
        inner = scope.inner()
        return tuple(each for one in written for each in self._statement(one, inner))

    def _statement(self, written: tree.Statement, scope: CScope) -> tuple[ir.Statement, ...]:
        span = self._code.place(written.span)
        match written:
            case tree.CVariable():
                return (self._declare(written, scope),)
            case tree.Assignment():
                return (self._assign(written, scope),)
            case tree.Block(body):
                return self._block(body, scope)
            case tree.If(test, yes, no):
                tested = self._code.expr(test, scope)
                other = () if no is None else self._block((no,), scope)
                return (ir.If(tested, self._block((yes,), scope), other, span=span),)
            case tree.Loop():
                return self._loop(written, scope)
            case tree.Switch():
                return self._switch(written, scope)
            case ir.Return(value):
                return (ir.Return(self._code.expr(value, scope), span=span),)
            case ir.Break() | ir.Continue():
                return (self._jump(written, span),)
            case ir.Evaluate(value):
                return (ir.Evaluate(self._code.expr(value, scope), span=span),)
            case _:
                assert_never(written)

    def _jump(self, written: ir.Break | ir.Continue, span: Span) -> ir.Statement:
        if isinstance(written, ir.Break):
            if not self._loops:
                raise NotUsable(outside_subset("a `break` outside all loops", written.span))
            return ir.Break(span=span)
        if not self._loops or self._switches:
            raise NotUsable(
                outside_subset("a `continue` in a `switch`, or outside all loops", written.span)
            )
        return ir.Continue(span=span)

    def _declare(self, written: tree.CVariable, scope: CScope) -> ir.Statement:
        dimensions = self._code.dimensions(written, MOST_LOCAL_ELEMENTS)
        values = tuple(self._code.values(written, dimensions, scope))
        name = self._unique(written.name)
        scope.numbers.pop(written.name, None)
        scope.arrays.pop(written.name, None)
        scope.fixed.discard(written.name)
        if written.is_const:
            scope.fixed.add(written.name)
        if dimensions:
            scope.arrays[written.name] = (name, dimensions)
        else:
            scope.numbers[written.name] = name
        return ir.Declare(name, dimensions, values, span=self._code.place(written.span))

    def _unique(self, name: str) -> str:
        """A name of its own for a local; the dot keeps it apart from all names of C."""
        found, number = name, 2
        while found in self._taken:
            found, number = f"{name}.{number}", number + 1
        self._taken.add(found)
        return found

    def _assign(self, written: tree.Assignment, scope: CScope) -> ir.Statement:
        name = written.target.name if isinstance(written.target, ir.Var) else written.target.table
        if name not in scope.numbers and name not in scope.arrays:
            raise NotUsable(outside_subset(f"giving the global `{name}` a value", written.span))
        if name in scope.fixed:
            raise used_as_another(
                name, "`const`, so it cannot be given another value", written.span
            )
        target = self._code.expr(written.target, scope)
        if not isinstance(target, ir.Var | ir.Element):
            raise NotUsable(outside_subset("this assignment", written.span))
        value = self._code.expr(written.value, scope)
        span = self._code.place(written.span)
        if written.op:
            value = ir.Binary(written.op, target, value, span=span)
        return ir.Assign(target, value, span=span)

    def _loop(self, written: tree.Loop, scope: CScope) -> tuple[ir.Statement, ...]:
        inner = scope.inner()
        first = tuple(each for one in written.first for each in self._statement(one, inner))
        span = self._code.place(written.span)
        test = ir.Const(1) if written.test is None else self._code.expr(written.test, inner)
        switches, self._switches = self._switches, 0
        self._loops += 1
        body = self._block((written.body,), inner)
        self._loops -= 1
        self._switches = switches
        step = self._block(written.step, inner)
        return (*first, ir.While(test, body, step, written.tests_first, span=span))

    def _switch(self, written: tree.Switch, scope: CScope) -> tuple[ir.Statement, ...]:
        """A loop of one round, which ``break`` leaves; each case falls into the next."""
        span = self._code.place(written.span)
        value, is_on = self._unique("switch."), self._unique("on.")
        inner = scope.inner()
        body: list[ir.Statement] = [
            ir.Declare(value, (), (self._code.expr(written.value, scope),), span=span),
            ir.Declare(is_on, (), (ir.Const(0, span=span),), span=span),
        ]
        labels = [case.value for case in written.cases if case.value is not None]
        self._loops += 1
        self._switches += 1
        for case in written.cases:
            if case.value is None:
                test = _none_of(value, [self._code.expr(each, scope) for each in labels])
            else:
                label = self._code.expr(case.value, scope)
                test = ir.Binary(BinaryOp.EQ, ir.Var(value), label)
            on = ir.Binary(BinaryOp.OR, ir.Var(is_on), test, span=span)
            statements = tuple(each for one in case.body for each in self._statement(one, inner))
            body.append(ir.Assign(ir.Var(is_on), on, span=span))
            body.append(ir.If(ir.Var(is_on), statements, span=span))
        self._loops -= 1
        self._switches -= 1
        return (ir.While(ir.Const(0), tuple(body), tests_first=False, span=span),)


def _none_of(name: str, values: Sequence[ir.Expr]) -> ir.Expr:
    found: ir.Expr = ir.Const(1)
    for value in values:
        found = ir.Binary(BinaryOp.AND, found, ir.Binary(BinaryOp.NE, ir.Var(name), value))
    return found


def _not_set(read: ir.Var) -> Diagnostic:
    return Diagnostic(
        codes.LOCAL_NOT_SET,
        f"`{read.name}` is read before it is given a value",
        primary=Label(read.span, "0 is taken here"),
        notes=("C leaves such a value undefined",),
        help=f"write `{read.name} = 0` where it is declared, if that is meant",
    )


def locals_read_unset(body: tree.Block) -> tuple[ir.Var, ...]:
    """The places in *body* that read a local without a value, the first one of each."""
    reading = _UnsetLocals()
    reading.block(body.body, set())
    return tuple(reading.found)


class _UnsetLocals:
    """Goes through a function; ``unset`` are the locals that have no value for certain."""

    def __init__(self) -> None:
        self.found: list[ir.Var] = []

    def block(self, body: Iterable[tree.Statement], unset: set[str]) -> set[str] | None:
        """What is unset behind *body*; ``None`` where nothing goes on there."""
        now, own, hidden = set(unset), set[str](), set[str]()
        for statement in body:
            if isinstance(statement, tree.CVariable):
                if statement.name in now - own:
                    hidden.add(statement.name)
                own.add(statement.name)
            after = self._statement(statement, now)
            if after is None:
                return None
            now = after
        return (now - own) | hidden

    def _statement(self, statement: tree.Statement, unset: set[str]) -> set[str] | None:
        match statement:
            case tree.CVariable(name, dimensions, init):
                self._init(init, unset)
                is_open = init is None and not dimensions
                return unset | {name} if is_open else unset - {name}
            case tree.Assignment():
                return self._assign(statement, unset)
            case tree.Block(body):
                return self.block(body, unset)
            case tree.If(test, yes, no):
                self._read(test, unset)
                other = () if no is None else (no,)
                return _on_both(self.block((yes,), unset), self.block(other, unset))
            case tree.Loop():
                return self._loop(statement, unset)
            case tree.Switch():
                return self._switch(statement, unset)
            case ir.Return(value):
                self._read(value, unset)
                return None
            case ir.Break() | ir.Continue():
                return None
            case ir.Evaluate(value):
                self._read(value, unset)
                return unset
            case _:
                assert_never(statement)

    def _assign(self, statement: tree.Assignment, unset: set[str]) -> set[str]:
        target = statement.target
        self._read(statement.value, unset)
        if isinstance(target, ir.Element) or statement.op:
            self._read(target, unset)
        return unset if isinstance(target, ir.Element) else unset - {target.name}

    def _loop(self, statement: tree.Loop, unset: set[str]) -> set[str]:
        own = {each.name for each in statement.first if isinstance(each, tree.CVariable)}
        before = unset
        for each in statement.first:
            before = self._statement(each, before) or set()
        behind = before - _assigned((statement.body, *statement.step))
        if statement.test is not None:
            self._read(statement.test, before if statement.tests_first else behind)
        self.block((statement.body,), before)
        self.block(statement.step, behind)
        return (behind - own) | (unset & own)

    def _switch(self, statement: tree.Switch, unset: set[str]) -> set[str]:
        self._read(statement.value, unset)
        # A case may fall into the next one.
        left = unset - _assigned(each for case in statement.cases for each in case.body)
        for case in statement.cases:
            self.block(case.body, left)
        return left

    def _init(self, init: tree.Init | None, unset: set[str]) -> None:
        match init:
            case None:
                return
            case tree.InitList(items):
                for each in items:
                    self._init(each, unset)
            case _:
                self._read(init, unset)

    def _read(self, expr: ir.Expr, unset: set[str]) -> None:
        if isinstance(expr, ir.Var):
            if expr.name in unset and all(expr.name != each.name for each in self.found):
                self.found.append(expr)
            return
        for part in ir.parts(expr):
            self._read(part, unset)


def _on_both(first: set[str] | None, second: set[str] | None) -> set[str] | None:
    if first is None or second is None:
        return second if first is None else first
    return first & second


def _assigned(body: Iterable[tree.Statement]) -> set[str]:
    """The names that something in *body* may give a value, whatever they mean there."""
    found: set[str] = set()
    for statement in body:
        match statement:
            case tree.Assignment(ir.Var(name)):
                found.add(name)
            case tree.Block(inner):
                found |= _assigned(inner)
            case tree.If(_, yes, no):
                found |= _assigned((yes,) if no is None else (yes, no))
            case tree.Loop():
                found |= _assigned((*statement.first, statement.body, *statement.step))
            case tree.Switch(_, cases):
                found |= _assigned(each for case in cases for each in case.body)
            case _:
                continue
    return found
