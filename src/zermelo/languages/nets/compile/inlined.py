"""Code for a call of a C function, written where the call stands.

Loops are unrolled as far as the ranges of numbers say that they may go on; what follows a
branch is written in both of its arms. So this is for short functions, and a budget ends it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Final, Protocol, TypeAlias, assert_never

from zermelo.languages.nets.compile.ranges import Number, constant
from zermelo.languages.nets.ir import (
    Assign,
    Break,
    Continue,
    Declare,
    Element,
    Evaluate,
    Expr,
    Function,
    If,
    Return,
    Statement,
    Var,
    While,
)
from zermelo.languages.sections.compile.reps import Refused
from zermelo.packing.code import Writer

MOST_DEEP: Final = 12
"""Calls inside of calls."""
MOST_ARRAY: Final = 256
MOST_BRANCHES: Final = 30
"""Branches inside of branches; Python cannot read code that is nested much deeper."""


@dataclass(slots=True)
class Budget:
    """How much may still be written for the functions of one transition."""

    statements: int = 4_000
    depth: int = 0

    def spend(self) -> None:
        """Write one more statement; raises ``Refused`` if there are too many."""
        self.statements -= 1
        if self.statements < 0:
            raise Refused("the functions that it calls are too long to be written out")


@dataclass(frozen=True, slots=True)
class _Again:
    """Where the body of a loop has been run."""

    loop: While


_Work: TypeAlias = "tuple[Statement | _Again, ...]"


@dataclass(frozen=True, slots=True)
class LocalArray:
    """An array of a function: its dimensions and its elements, flat."""

    dimensions: tuple[int, ...]
    elements: tuple[Number, ...]

    def position(self, name: str, indexes: Sequence[Number]) -> int | None:
        """Where an element lies; ``None`` where there is none."""
        at = 0
        for size, index in zip(self.dimensions, indexes, strict=True):
            if not index.is_constant:
                raise Refused(f"an index of `{name}` is not known beforehand")
            if not 0 <= index.low < size:
                return None
            at = at * size + index.low
        return at


class Scope(Protocol):
    """What writes expressions, with the names that have values."""

    known: dict[str, Number]
    arrays: dict[str, LocalArray]

    def number(self, expr: Expr) -> Number:
        """Code for the value of *expr*."""
        ...


class Inlined:
    """One call while it is written."""

    def __init__(self, scope: Scope, writer: Writer, budget: Budget) -> None:
        self._scope = scope
        self._writer = writer
        self._budget = budget
        self._found = writer.name("c")
        self._values: list[Number] = []
        self._branches = 0

    def call(self, function: Function, given: Sequence[Number]) -> Number:
        """The value of *function* at the numbers *given*."""
        scope, budget = self._scope, self._budget
        if budget.depth >= MOST_DEEP:
            raise Refused(f"calls of `{function.name}` go too deep to be written out")
        before = scope.known, scope.arrays
        budget.depth += 1
        scope.known = dict(zip(function.parameters, map(self._kept, given), strict=True))
        scope.arrays = {}
        self._run(function.body)
        scope.known, scope.arrays = before
        budget.depth -= 1
        low = min((each.low for each in self._values), default=0)
        high = max((each.high for each in self._values), default=0)
        if low == high:
            return constant(low)
        return Number(self._found, low, high)

    def _kept(self, number: Number) -> Number:
        if number.is_constant:
            return constant(number.low)
        return Number(self._writer.keep(number.code), number.low, number.high)

    def _value(self, expr: Expr) -> Number:
        return self._kept(self._scope.number(expr))

    def _run(self, work: _Work) -> None:
        """Write *work* up to the value that is returned, on every way through it."""
        while work:
            head, *rest = work
            work = tuple(rest)
            self._budget.spend()
            match head:
                case Return(value):
                    number = self._value(value)
                    self._values.append(number)
                    self._writer.emit(f"{self._found} = {number.code}")
                    return
                case If(test, yes, no):
                    chosen = self._chosen(test, yes, no, work)
                case While(test, body):
                    around = (*body, _Again(head), *work)
                    chosen = self._branch(test, around, work) if head.tests_first else around
                case _Again(loop):
                    chosen = (*loop.step, replace(loop, tests_first=True), *work)
                case Break():
                    chosen = work[_loop_end(work) + 1 :]
                case Continue():
                    chosen = work[_loop_end(work) :]
                case _:
                    self._simple(head)
                    chosen = work
            if chosen is None:
                return
            work = chosen
        # A function that ends without a value is a fault, which only the token game tells.
        self._writer.emit(f"{self._found} = 0")
        self._writer.emit("return -1")

    def _chosen(self, test: Expr, yes: _Work, no: _Work, work: _Work) -> _Work | None:
        """Write a branch; gives what is left to write, or ``None`` if nothing is."""
        end = _loop_end(work) if any(isinstance(each, _Again) for each in work) else 0
        if yes and isinstance(yes[-1], Continue):
            yes, no, work = yes[:-1], (*no, *work[:end]), work[end:]
        if not (_is_plain(yes) and _is_plain(no)):
            return self._branch(test, (*yes, *work), (*no, *work))
        number = self._value(test)
        decided = _decided(number)
        if decided is not None:
            return (*(yes if decided else no), *work)
        self._join(number, yes, no)
        return work

    def _join(self, test: Number, yes: _Work, no: _Work) -> None:
        """Write two arms that only give values to names, and go on behind both."""
        scope, writer = self._scope, self._writer
        before, arrays = dict(scope.known), dict(scope.arrays)
        names = sorted(_assigned(yes) | _assigned(no))
        merged = {name: writer.name() for name in names}
        ends: list[dict[str, Number]] = []
        for head, arm in ((f"if {test.code} != 0", yes), ("else", no)):
            scope.known, scope.arrays = dict(before), dict(arrays)
            with writer.block(head):
                self._plain(arm)
                for name in names:
                    scope.known.setdefault(name, constant(0))
                    writer.emit(f"{merged[name]} = {scope.known[name].code}")
                # So that the block is never empty.
                writer.emit(f"{self._found} = 0")
            ends.append(scope.known)
        scope.known, scope.arrays = before, arrays
        for name in names:
            low = min(end[name].low for end in ends)
            high = max(end[name].high for end in ends)
            scope.known[name] = Number(merged[name], low, high)

    def _plain(self, work: _Work) -> None:
        for each in work:
            self._budget.spend()
            match each:
                case If(test, yes, no):
                    number = self._value(test)
                    decided = _decided(number)
                    if decided is None:
                        self._join(number, yes, no)
                    else:
                        self._plain(yes if decided else no)
                case Declare() | Assign() | Evaluate():
                    self._simple(each)
                case _:
                    raise Refused("a function of a form that is not written out")

    def _branch(self, test: Expr, yes: _Work, no: _Work) -> _Work | None:
        """Write both ways on, or give the one that is taken for sure."""
        number = self._value(test)
        decided = _decided(number)
        if decided is not None:
            return yes if decided else no
        if self._branches >= MOST_BRANCHES:
            raise Refused("the functions that it calls are too long to be written out")
        self._branches += 1
        scope = self._scope
        known, arrays = dict(scope.known), dict(scope.arrays)
        with self._writer.block(f"if {number.code} != 0"):
            self._run(yes)
        scope.known, scope.arrays = dict(known), dict(arrays)
        with self._writer.block("else"):
            self._run(no)
        self._branches -= 1
        return None

    def _simple(self, statement: Declare | Assign | Evaluate) -> None:
        match statement:
            case Declare(name, dimensions, values):
                numbers = [self._value(each) for each in values]
                if not dimensions:
                    self._scope.known[name] = numbers[0] if numbers else constant(0)
                    return
                size = prod(dimensions)
                if size > MOST_ARRAY:
                    raise Refused(f"the array `{name}` is too large to be written out")
                numbers += [constant(0)] * (size - len(numbers))
                self._scope.arrays[name] = LocalArray(dimensions, tuple(numbers))
            case Assign(target, value) if isinstance(target, Var):
                self._scope.known[target.name] = self._value(value)
            case Assign(target, value):
                assert isinstance(target, Element)
                self._assign(target.table, target.indexes, value)
            case Evaluate(value):
                self._scope.number(value)
            case _:
                assert_never(statement)

    def _assign(self, name: str, indexes: Sequence[Expr], value: Expr) -> None:
        array = self._scope.arrays[name]
        position = array.position(name, [self._scope.number(each) for each in indexes])
        number = self._value(value)
        if position is None:
            self._writer.emit("if 1 == 1:")
            self._writer.emit("    return -1")
            return
        elements = list(array.elements)
        elements[position] = number
        self._scope.arrays[name] = replace(array, elements=tuple(elements))


def _decided(number: Number) -> bool | None:
    """Whether a condition holds, if that is known beforehand."""
    if number.low > 0 or number.high < 0:
        return True
    return False if number.is_constant else None


def _is_plain(work: _Work) -> bool:
    """Whether it only gives values to names, on whatever way."""
    return all(
        (isinstance(each, If) and _is_plain(each.yes) and _is_plain(each.no))
        or isinstance(each, Evaluate)
        or (isinstance(each, Declare) and not each.dimensions)
        or (isinstance(each, Assign) and isinstance(each.target, Var))
        for each in work
    )


def _assigned(work: _Work) -> set[str]:
    """The names that plain *work* gives values to."""
    found: set[str] = set()
    for each in work:
        match each:
            case If(_, yes, no):
                found |= _assigned(yes) | _assigned(no)
            case Declare(name):
                found.add(name)
            case Assign(target) if isinstance(target, Var):
                found.add(target.name)
            case _:
                continue
    return found


def _loop_end(work: _Work) -> int:
    return next(at for at, each in enumerate(work) if isinstance(each, _Again))
