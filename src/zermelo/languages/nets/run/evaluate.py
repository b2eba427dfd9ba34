"""The values of a net's expressions and functions: slow, plain, and right.

Every expression becomes a Python function of the names around it. A fault is a ``FaultError`` that
knows its place; loops and calls are counted, so that nothing runs without end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import Enum
from math import prod
from typing import Final, TypeAlias, TypeVar, assert_never

from zermelo.core.machine import ExhaustedError, FaultError, FaultKind, endless, undefined
from zermelo.languages.nets.ir import (
    Assign,
    Binary,
    BinaryOp,
    Break,
    Call,
    Component,
    Conditional,
    Const,
    Continue,
    Declare,
    Element,
    Evaluate,
    Expr,
    Function,
    If,
    Net,
    Node,
    Return,
    Statement,
    Unary,
    UnaryOp,
    Var,
    While,
    parts,
)
from zermelo.languages.nets.run.arithmetic import OPERATORS, TOTAL, NoValue, unary
from zermelo.text.budget import Stack, spend
from zermelo.text.source import Span

MOST_STEPS: Final = 1_000_000
"""So many statements and calls may be run for the bindings of one transition in one marking."""
MOST_CALLS: Final = 1_000
"""So many calls may wait for each other."""
_STEPS_AT_ONCE: Final = 4_000
_STEPS_TO_BEGIN: Final = 6
_PARTS_OF_A_STEP: Final = 2
"""An expression has so many parts for each step of work that it takes."""
_STEPS_OF_A_STATEMENT: Final = 2
_STEPS_OF_A_CALL: Final = 8
_CALLS_OF_A_LEVEL: Final = 3
"""How many of Python's calls a level of a function takes."""
_COMPUTING: Final = "computing what fires"

T = TypeVar("T")


@dataclass(slots=True)
class Frame:
    """The names around an expression: numbers, and in functions also arrays."""

    numbers: dict[str, int] = field(default_factory=dict)
    arrays: dict[str, list[int]] = field(default_factory=dict)


Code: TypeAlias = Callable[[Frame], int]


class _Flow(Enum):
    """How a statement ends that does not return a value."""

    NEXT = "next"
    BREAK = "break"
    CONTINUE = "continue"


_Run: TypeAlias = "Callable[[Frame], _Flow | int]"
_Arrays: TypeAlias = Mapping[str, tuple[int, ...]]
"""The dimensions of the local arrays of a function."""


class Evaluator:
    """Gives the expressions of one net their values.

    It takes *most* steps before it has to ``begin`` again, and so many *altogether*.
    """

    def __init__(self, net: Net, *, most: int = MOST_STEPS, altogether: int | None = None) -> None:
        self._tables = {table.name: table for table in net.tables}
        self._functions = {each.name: each for each in net.functions}
        self._bodies: dict[str, _Run] = {}
        self._most = most
        self._altogether = altogether
        self._steps = 0
        self._end = most if altogether is None else min(most, altogether)
        self._work = 0
        """Steps of work that are not taken from the budget yet: some statements take many."""
        self._calls = 0
        self._depths: dict[str, int] = {}
        self._needs_room = bool(net.functions)
        self._stack = Stack()

    @property
    def steps(self) -> int:
        return self._steps

    def begin(self) -> None:
        """Count steps from 0 again, but for those that may be taken altogether."""
        self._end = self._steps + self._most
        if self._altogether is not None:
            self._end = min(self._end, self._altogether)
        self._calls = 0
        self.go(_STEPS_TO_BEGIN)

    def go(self, work: int) -> None:
        """Take *work* from the budget, in steps of that; ``LimitReached`` where it is too much."""
        self._work += work
        if self._work > _STEPS_AT_ONCE:
            work, self._work = self._work, 0
            spend(work, _COMPUTING)

    def spend(self, steps: int, span: Span) -> None:
        """Count *steps* that somebody else has taken; raises ``FaultError`` if they are too many.

        It is an ``ExhaustedError`` where nothing is left altogether.
        """
        self._steps += steps
        if self._steps > self._end:
            raise self._too_many(span)
        self.go(steps >> 3)

    def code(self, expr: Expr) -> Code:
        """A function that gives *expr* its value in a frame; it raises ``FaultError``."""
        return self._code(expr, {})

    def value(self, expr: Expr, numbers: Mapping[str, int] | None = None) -> int:
        self.begin()
        return self.guarded(lambda: self.code(expr)(Frame(dict(numbers or {}))), expr.span)

    def call(self, function: Function, given: Sequence[int]) -> int:
        self.begin()
        return self.guarded(lambda: self._called(function, given, function.span), function.span)

    def guarded(self, act: Callable[[], T], span: Span) -> T:
        """What *act* gives; where that is nested too deeply for Python, a ``FaultError``."""
        # Of what was interrupted something may be left.
        if self._needs_room or self._stack.used:
            self._stack.begin()
        try:
            return act()
        except RecursionError:
            raise endless("it is nested too deeply", At(span)) from None

    # Expressions

    def _code(self, expr: Expr, arrays: _Arrays) -> Code:
        match expr:
            case Const(number):
                return lambda _: number
            case Var(name):
                return _variable(name, expr.span)
            case Unary():
                return self._unary(expr, arrays)
            case Binary():
                return self._binary(expr, arrays)
            case Conditional(test, yes, no):
                tested, then = self._code(test, arrays), self._code(yes, arrays)
                other = self._code(no, arrays)
                return lambda frame: then(frame) if tested(frame) else other(frame)
            case Element():
                return self._element(expr, arrays)
            case Call():
                return self._call(expr, arrays)
            case _:
                assert_never(expr)

    def _unary(self, expr: Unary, arrays: _Arrays) -> Code:
        op, operand, span = expr.op, self._code(expr.operand, arrays), expr.span
        if op is UnaryOp.NOT:
            return lambda frame: 0 if operand(frame) else 1

        def run(frame: Frame) -> int:
            try:
                return unary(op, operand(frame))
            except NoValue as why:
                raise undefined(str(why), At(span)) from None

        return run

    def _binary(self, expr: Binary, arrays: _Arrays) -> Code:
        left, right = self._code(expr.left, arrays), self._code(expr.right, arrays)
        if expr.op is BinaryOp.AND:
            return lambda frame: int(left(frame) != 0 and right(frame) != 0)
        if expr.op is BinaryOp.OR:
            return lambda frame: int(left(frame) != 0 or right(frame) != 0)
        apply, span = OPERATORS[expr.op], expr.span
        if expr.op in TOTAL:
            return lambda frame: apply(left(frame), right(frame))

        def run(frame: Frame) -> int:
            first = left(frame)
            second = right(frame)
            try:
                return apply(first, second)
            except NoValue as why:
                raise undefined(str(why), At(span)) from None

        return run

    def _element(self, expr: Element, arrays: _Arrays) -> Code:
        codes = tuple(self._code(each, arrays) for each in expr.indexes)
        name = expr.table
        if name in arrays:
            position = _position(expr, arrays[name], codes)
            return lambda frame: frame.arrays[name][position(frame)]
        table = self._tables.get(name)
        if table is None:
            return _nothing(f"there is no table `{name}`", expr.span)
        if not table.dimensions:
            number = table.values[0]
            return lambda _: number
        values, at = table.values, _position(expr, table.dimensions, codes)
        return lambda frame: values[at(frame)]

    # Functions

    def _call(self, expr: Call, arrays: _Arrays) -> Code:
        function = self._functions.get(expr.function)
        if function is None:
            return _nothing(f"there is no function `{expr.function}`", expr.span)
        arguments = tuple(self._code(each, arrays) for each in expr.arguments)
        span = expr.span
        return lambda frame: self._called(function, [each(frame) for each in arguments], span)

    def _called(self, function: Function, given: Iterable[int], span: Span) -> int:
        if self._calls >= MOST_CALLS:
            words = f"more than {MOST_CALLS} calls of `{function.name}` and others wait for a value"
            raise endless(words, At(span))
        body = self._bodies.get(function.name)
        if body is None:
            body = self._bodies[function.name] = self._block(function.body, _arrays(function.body))
            self._depths[function.name] = _CALLS_OF_A_LEVEL * (2 + _levels(function.body))
        self._step(span, _STEPS_OF_A_CALL)
        frame = Frame(dict(zip(function.parameters, given, strict=False)))
        self._calls += 1
        try:
            result = self._stack.deeper(self._depths[function.name], lambda: body(frame))
        finally:
            self._calls -= 1
        if isinstance(result, int):
            return result
        raise undefined(f"`{function.name}` ends without returning a value", At(span))

    def _step(self, span: Span, work: int) -> None:
        self._steps += 1
        if self._steps > self._end:
            raise self._too_many(span)
        self._work += work
        if self._work > _STEPS_AT_ONCE:
            self.go(0)

    def _too_many(self, span: Span) -> FaultError:
        if self._altogether is not None and self._steps > self._altogether:
            words = f"all of this takes more than {self._altogether:,} steps"
            return ExhaustedError(FaultKind.ENDLESS, words, At(span))
        return endless(f"this takes more than {self._most:,} steps", At(span))

    # Statements

    def _block(self, body: Iterable[Statement], arrays: _Arrays) -> _Run:
        runs = tuple(self._statement(each, arrays) for each in body)

        def run(frame: Frame) -> _Flow | int:
            for each in runs:
                flow = each(frame)
                if flow is not _Flow.NEXT:
                    return flow
            return _Flow.NEXT

        return run

    def _statement(self, statement: Statement, arrays: _Arrays) -> _Run:
        match statement:
            case Declare():
                return self._declare(statement, arrays)
            case Assign():
                return self._assign(statement, arrays)
            case If():
                return self._if(statement, arrays)
            case While():
                return self._while(statement, arrays)
            case Return(value):
                return self._return(value, arrays)
            case Break():
                return lambda _: _Flow.BREAK
            case Continue():
                return lambda _: _Flow.CONTINUE
            case Evaluate(value):
                return self._evaluate(value, arrays)
            case _:
                assert_never(statement)

    def _declare(self, statement: Declare, arrays: _Arrays) -> _Run:
        values = tuple(self._code(each, arrays) for each in statement.values)
        name, span, work = statement.name, statement.span, weight(*statement.values)
        if not statement.dimensions:

            def number(frame: Frame) -> _Flow:
                self._step(span, work)
                frame.numbers[name] = values[0](frame) if values else 0
                return _Flow.NEXT

            return number
        size = prod(statement.dimensions)

        def array(frame: Frame) -> _Flow:
            self.spend(size + 1, span)
            self.go(work)
            first = [value(frame) for value in values]
            frame.arrays[name] = first + [0] * (size - len(first))
            return _Flow.NEXT

        return array

    def _assign(self, statement: Assign, arrays: _Arrays) -> _Run:
        value, span = self._code(statement.value, arrays), statement.span
        target = statement.target
        work = weight(statement.value, target)
        if isinstance(target, Var):
            name = target.name

            def number(frame: Frame) -> _Flow:
                self._step(span, work)
                frame.numbers[name] = value(frame)
                return _Flow.NEXT

            return number
        codes = tuple(self._code(each, arrays) for each in target.indexes)
        array = target.table
        position = _position(target, arrays[array], codes)

        def element(frame: Frame) -> _Flow:
            self._step(span, work)
            frame.arrays[array][position(frame)] = value(frame)
            return _Flow.NEXT

        return element

    def _if(self, statement: If, arrays: _Arrays) -> _Run:
        test, span = self._code(statement.test, arrays), statement.span
        yes, no = self._block(statement.yes, arrays), self._block(statement.no, arrays)
        work = weight(statement.test)

        def run(frame: Frame) -> _Flow | int:
            self._step(span, work)
            return yes(frame) if test(frame) else no(frame)

        return run

    def _while(self, statement: While, arrays: _Arrays) -> _Run:
        test, body = self._code(statement.test, arrays), self._block(statement.body, arrays)
        step, span = self._block(statement.step, arrays), statement.span
        tests_first = statement.tests_first
        work = weight(statement.test)

        def run(frame: Frame) -> _Flow | int:
            is_tested = tests_first
            while not is_tested or test(frame):
                is_tested = True
                self._step(span, work)
                flow = body(frame)
                if flow is _Flow.BREAK:
                    break
                if isinstance(flow, int):
                    return flow
                step(frame)
            return _Flow.NEXT

        return run

    def _return(self, expr: Expr, arrays: _Arrays) -> _Run:
        code, work = self._code(expr, arrays), weight(expr)

        def run(frame: Frame) -> int:
            self.go(work)
            return code(frame)

        return run

    def _evaluate(self, expr: Expr, arrays: _Arrays) -> _Run:
        code, span, work = self._code(expr, arrays), expr.span, weight(expr)

        def run(frame: Frame) -> _Flow:
            self._step(span, work)
            code(frame)
            return _Flow.NEXT

        return run


@dataclass(frozen=True, slots=True)
class At:
    """Something at a place in a document, so that a fault knows its place."""

    span: Span


def weight(*written: Component) -> int:
    """How many steps of work it takes to give *written* their values, apart from calls."""
    count = 0
    waiting = list(written)
    while waiting:
        count += 1
        waiting.extend(parts(waiting.pop()))
    return _STEPS_OF_A_STATEMENT + count // _PARTS_OF_A_STEP


def _levels(body: tuple[Statement, ...]) -> int:
    """How many levels of statements and expressions *body* has."""
    level: list[object] = [body]
    count = 0
    while level:
        count += 1
        level = [part for each in level for part in _inside(each)]
    return count


def _inside(part: object) -> Iterable[object]:
    if isinstance(part, tuple):
        return part
    return [getattr(part, each.name) for each in fields(part)] if isinstance(part, Node) else ()


def variables_of(expr: Expr) -> frozenset[str]:
    return frozenset(variables_in_order(expr))


def variables_in_order(expr: Expr) -> Iterator[str]:
    match expr:
        case Const():
            return
        case Var(name):
            yield name
        case Unary(_, operand):
            yield from variables_in_order(operand)
        case Binary(_, left, right):
            yield from variables_in_order(left)
            yield from variables_in_order(right)
        case Conditional(test, yes, no):
            for part in (test, yes, no):
                yield from variables_in_order(part)
        case Element(_, parts) | Call(_, parts):
            for part in parts:
                yield from variables_in_order(part)
        case _:
            assert_never(expr)


def _variable(name: str, span: Span) -> Code:
    def run(frame: Frame) -> int:
        try:
            return frame.numbers[name]
        except KeyError:
            raise undefined(f"`{name}` has no value here", At(span)) from None

    return run


def _nothing(message: str, span: Span) -> Code:
    def run(_: Frame) -> int:
        raise undefined(message, At(span))

    return run


def _position(expr: Element, dimensions: tuple[int, ...], codes: tuple[Code, ...]) -> Code:
    """Where an element lies in its flat table; an index out of bounds is a fault."""
    if len(codes) != len(dimensions):
        words = f"`{expr.table}` has {len(dimensions)} dimensions and is given {len(codes)} indexes"
        return _nothing(words, expr.span)

    def run(frame: Frame) -> int:
        at = 0
        for size, code in zip(dimensions, codes, strict=True):
            index = code(frame)
            if not 0 <= index < size:
                words = f"`{expr.table}` has no element {index}: its indexes are 0 to {size - 1}"
                raise undefined(words, At(expr.span))
            at = at * size + index
        return at

    return run


def _arrays(body: Iterable[Statement]) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for statement in body:
        match statement:
            case Declare(name, dimensions) if dimensions:
                found[name] = dimensions
            case If(_, yes, no) | While(_, yes, no):
                found |= _arrays(yes) | _arrays(no)
            case _:
                pass
    return found
