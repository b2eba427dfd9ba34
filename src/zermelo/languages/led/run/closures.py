"""What runs when a compiled expression is evaluated: closures for operators, loops and totals.

A closure takes the frame, a list with the values of all local names. Each tries whole
numbers first, which is what programs compute with most; everything else goes through
``operations``. A *test* is a closure that gives Python's truth, so that conditions need
no values in between.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from zermelo.core.values import Other, SortKey, Value
from zermelo.languages.led import ir
from zermelo.languages.led.ir import Op, UnaryOp
from zermelo.languages.led.run import operations
from zermelo.languages.led.run.calls import Closure, Frame, Meter, Test
from zermelo.languages.led.run.easel_values import STATE_NAME
from zermelo.languages.led.run.operations import Operation
from zermelo.languages.led.run.pretty import plain
from zermelo.languages.led.run.values import FALSE, TRUE, Arranged, Undefined
from zermelo.text.source import Span

Domain: TypeAlias = Callable[[Frame], Sequence[Value] | frozenset[Value]]
Matcher: TypeAlias = Callable[[Value, Frame], bool]
_Question: TypeAlias = Callable[[Value, Value], bool]

_SMALL_NUMBER: Final = 1 << 512
"""Whole numbers below this count as one step of work."""


def valued(test: Test) -> Closure:
    """The truth value that *test* gives."""

    def run(frame: Frame) -> Value:
        return TRUE if test(frame) else FALSE

    return run


def tested(closure: Closure, what: str, span: Span) -> Test:
    """Python's truth of a value that must be a truth value, since *what* needs it."""

    def run(frame: Frame) -> bool:
        value = closure(frame)
        if value is TRUE:
            return True
        if value is FALSE:
            return False
        try:
            return operations.holds(value, what)
        except Undefined as fault:
            raise fault.at(span) from None

    return run


def arithmetic(op: Op, left: Closure, right: Closure, *, meter: Meter, span: Span) -> Closure:
    """``left op right`` for an operator that gives a number, a tuple or a set."""
    operation = operations.BINARY[op]

    def general(a: Value, b: Value) -> Value:
        try:
            return meter.weighed(operation(a, b))
        except Undefined as fault:
            raise fault.at(span) from None

    def other(frame: Frame) -> Value:
        return general(left(frame), right(frame))

    quick = _ARITHMETIC.get(op)
    return other if quick is None else quick(left, right, general)


def _plus(left: Closure, right: Closure, general: Operation) -> Closure:
    def run(frame: Frame) -> Value:
        a, b = left(frame), right(frame)
        if type(a) is int and type(b) is int:
            return a + b
        return general(a, b)

    return run


def _minus(left: Closure, right: Closure, general: Operation) -> Closure:
    def run(frame: Frame) -> Value:
        a, b = left(frame), right(frame)
        if type(a) is int and type(b) is int:
            return a - b
        return general(a, b)

    return run


def _times(left: Closure, right: Closure, general: Operation) -> Closure:
    def run(frame: Frame) -> Value:
        a, b = left(frame), right(frame)
        # The product of large numbers is weighed.
        if (
            type(a) is int
            and type(b) is int
            and -_SMALL_NUMBER < a < _SMALL_NUMBER
            and -_SMALL_NUMBER < b < _SMALL_NUMBER
        ):
            return a * b
        return general(a, b)

    return run


def _modulo(left: Closure, right: Closure, general: Operation) -> Closure:
    def run(frame: Frame) -> Value:
        a, b = left(frame), right(frame)
        if type(a) is int and type(b) is int and b > 0:
            return a % b
        return general(a, b)

    return run


_ARITHMETIC: Final[Mapping[Op, Callable[[Closure, Closure, Operation], Closure]]] = {
    Op.PLUS: _plus,
    Op.JOIN: _plus,
    Op.APPEND: _plus,
    Op.PREPEND: _plus,
    Op.MINUS: _minus,
    Op.TIMES: _times,
    Op.MOD: _modulo,
}


def comparison(op: Op, left: Closure, right: Closure, *, span: Span) -> Test:
    """``left op right`` for an order between numbers."""

    def general(a: Value, b: Value) -> bool:
        try:
            return operations.compare(op, a, b)
        except Undefined as fault:
            raise fault.at(span) from None

    return _ORDER[op](left, right, general)


def _less(left: Closure, right: Closure, general: _Question) -> Test:
    def run(frame: Frame) -> bool:
        a, b = left(frame), right(frame)
        if type(a) is int and type(b) is int:
            return a < b
        return general(a, b)

    return run


def _greater(left: Closure, right: Closure, general: _Question) -> Test:
    def run(frame: Frame) -> bool:
        a, b = left(frame), right(frame)
        if type(a) is int and type(b) is int:
            return a > b
        return general(a, b)

    return run


def _at_most(left: Closure, right: Closure, general: _Question) -> Test:
    def run(frame: Frame) -> bool:
        a, b = left(frame), right(frame)
        if type(a) is int and type(b) is int:
            return a <= b
        return general(a, b)

    return run


def _at_least(left: Closure, right: Closure, general: _Question) -> Test:
    def run(frame: Frame) -> bool:
        a, b = left(frame), right(frame)
        if type(a) is int and type(b) is int:
            return a >= b
        return general(a, b)

    return run


_ORDER: Final[Mapping[Op, Callable[[Closure, Closure, _Question], Test]]] = {
    Op.LT: _less,
    Op.GT: _greater,
    Op.LE: _at_most,
    Op.GE: _at_least,
}


def relation(op: Op, left: Closure, right: Closure, *, span: Span) -> Test:
    """``left op right`` for equality, membership and inclusion."""

    def equal(frame: Frame) -> bool:
        return left(frame) == right(frame)

    def different(frame: Frame) -> bool:
        return left(frame) != right(frame)

    def member(frame: Frame) -> bool:
        a, b = left(frame), right(frame)
        if type(b) is Arranged and type(a) is int:
            return a in b
        try:
            return operations.member(a, b)
        except Undefined as fault:
            raise fault.at(span) from None

    def subset(frame: Frame) -> bool:
        try:
            return operations.subset(left(frame), right(frame))
        except Undefined as fault:
            raise fault.at(span) from None

    return {Op.EQ: equal, Op.NE: different, Op.IN: member, Op.SUBSET: subset}[op]


def member_of_interval(item: Closure, low: Closure, high: Closure, *, span: Span) -> Test:
    """``item in {low..high}``, without listing the set."""

    def run(frame: Frame) -> bool:
        a, m, n = item(frame), low(frame), high(frame)
        if type(a) is int and type(m) is int and type(n) is int:
            return m <= a <= n
        try:
            return _within(a, operations.interval(m, n))
        except Undefined as fault:
            raise fault.at(span) from None

    return run


def _within(value: Value, numbers: range) -> bool:
    if isinstance(value, int):
        return value in numbers
    if not numbers or not operations.is_number(value):
        return False
    return (
        operations.compare(Op.GE, value, numbers.start)
        and operations.compare(Op.LT, value, numbers.stop)
        and operations.same(operations.floor(value), value)
    )


def connective(op: Op, left: Test, right: Test) -> Test:
    """``left V right`` or ``left <=> right``: both sides are always evaluated."""

    def either(frame: Frame) -> bool:
        a, b = left(frame), right(frame)
        return a or b

    def alike(frame: Frame) -> bool:
        return left(frame) == right(frame)

    return either if op is Op.OR else alike


def conjunction(left: Test, right: Test) -> Test:
    """``left & right``."""

    def run(frame: Frame) -> bool:
        return left(frame) and right(frame)

    return run


def implication(left: Test, right: Test) -> Test:
    """``left => right``."""

    def run(frame: Frame) -> bool:
        return not left(frame) or right(frame)

    return run


def negation(operand: Test) -> Test:
    """``~ operand``."""

    def run(frame: Frame) -> bool:
        return not operand(frame)

    return run


def function(which: UnaryOp, operand: Closure, *, span: Span) -> Closure:
    """An operator on one value."""
    operation = operations.UNARY[which]

    def run(frame: Frame) -> Value:
        value = operand(frame)
        try:
            return operation(value)
        except Undefined as fault:
            raise fault.at(span) from None

    return run


def component(base: Closure, index: Closure, *, span: Span) -> Closure:
    """``base[index]``."""

    def run(frame: Frame) -> Value:
        a, i = base(frame), index(frame)
        if type(a) is tuple and type(i) is int and 0 < i <= len(a):
            return a[i - 1]
        try:
            return operations.component(a, i)
        except Undefined as fault:
            raise fault.at(span) from None

    return run


def part(base: Closure, low: Closure, high: Closure, *, span: Span) -> Closure:
    """``base[low..high]``."""

    def run(frame: Frame) -> Value:
        try:
            return operations.part(base(frame), low(frame), high(frame))
        except Undefined as fault:
            raise fault.at(span) from None

    return run


def interval(low: Closure, high: Closure, *, meter: Meter, span: Span) -> Closure:
    """``{low..high}``."""

    def run(frame: Frame) -> Value:
        try:
            found = operations.listed(operations.interval(low(frame), high(frame)))
        except Undefined as fault:
            raise fault.at(span) from None
        meter.spend(len(found) >> 3)
        return found

    return run


def several(items: tuple[Closure, ...]) -> Callable[[Frame], tuple[Value, ...]]:
    """The values of *items*, as a tuple."""
    match items:
        case ():
            return lambda _: ()
        case (only,):
            return lambda frame: (only(frame),)
        case (first, second):
            return lambda frame: (first(frame), second(frame))
        case (first, second, third):
            return lambda frame: (first(frame), second(frame), third(frame))
        case _:

            def run(frame: Frame) -> tuple[Value, ...]:
                # A list is filled in this very frame; a generator would deepen the stack.
                return tuple([item(frame) for item in items])

            return run


# Loops, totals and sentences


class Notes(Other):
    """What was found so far, kept in a frame while solutions come in; never seen outside."""

    __slots__ = ("made", "members", "total")

    def __init__(self) -> None:
        self.made: dict[Value, None] = {}
        self.total: Value = 0
        self.members: Sequence[Value] | frozenset[Value] = ()

    def sort_key(self) -> SortKey:
        return ()

    def __str__(self) -> str:
        return "solutions"


def binder(place: int) -> Matcher:
    """Fits any value, and binds it at *place*."""

    def run(value: Value, frame: Frame) -> bool:
        frame[place] = value
        return True

    return run


def component_matcher(items: tuple[Matcher, ...]) -> Matcher:
    """Fits tuples whose components fit *items* one by one."""
    count = len(items)

    def run(value: Value, frame: Frame) -> bool:
        if not isinstance(value, tuple) or len(value) != count:
            return False
        fit = True
        for fits, each in zip(items, value, strict=True):
            fit = fit and fits(each, frame)
        return fit

    return run


def noted(place: int) -> Domain:
    """The members that were noted at *place*."""

    def run(frame: Frame) -> Sequence[Value] | frozenset[Value]:
        notes = frame[place]
        return notes.members if isinstance(notes, Notes) else ()

    return run


def first_member(test: Test, place: int, members: Domain, *, wanted: bool, meter: Meter) -> Test:
    """Whether *test* answers *wanted* for a member; if not, the other answer."""

    def run(frame: Frame) -> bool:
        for value in members(frame):
            meter.left -= 1
            if meter.left < 0:
                raise meter.exhausted()
            frame[place] = value
            if test(frame) is wanted:
                return wanted
        return not wanted

    return run


def once(closure: Closure) -> Closure:
    """What *closure* gives the first time."""
    known: list[Value] = []

    def run(frame: Frame) -> Value:
        if not known:
            known.append(closure(frame))
        return known[0]

    return run


def set_of(items: Closure) -> Closure:
    """The set of *items*."""

    def run(frame: Frame) -> Value:
        values = items(frame)
        return Arranged(values) if isinstance(values, tuple) else Arranged()

    return run


def undefined(reason: str, span: Span) -> Closure:
    """No value, for this *reason*."""

    def run(_: Frame) -> Value:
        raise Undefined(reason).at(span)

    return run


def environment(name: str, meter: Meter, span: Span) -> Closure:
    """The state, or a part of the input."""

    def state(_: Frame) -> Value:
        found = meter.state
        if found is None:
            raise Undefined(f"`{name}` has a value only while a game runs").at(span)
        return found

    def given(_: Frame) -> Value:
        found = meter.input
        if found is None:
            raise Undefined(f"`{name}` has a value only in a frame of a game").at(span)
        match name:
            case "mouseX":
                return found.x
            case "mouseY":
                return found.y
            case "mouseClicked":
                return TRUE if found.clicked else FALSE
            case _:
                return found.keys

    return state if name == STATE_NAME else given


def _add(notes: Notes, value: Value) -> None:
    total = notes.total
    if type(value) is int and type(total) is int:
        notes.total = total + value
        return
    if not operations.is_number(value):
        raise Undefined(f"`Sum` needs numbers, and got {plain(value)}")
    notes.total = operations.plus(notes.total, value)


def _multiply(notes: Notes, value: Value) -> None:
    if not operations.is_number(value):
        raise Undefined(f"`Prod` needs numbers, and got {plain(value)}")
    notes.total = operations.times(notes.total, value)


def _unite(notes: Notes, value: Value) -> None:
    if not isinstance(value, frozenset):
        raise Undefined(f"`U[..]` needs sets, and got {plain(value)}")
    operations.not_too_many(len(notes.made) + len(value), "a union of {} members")
    notes.made.update(dict.fromkeys(value))


def _intersect(notes: Notes, value: Value) -> None:
    if not isinstance(value, frozenset):
        raise Undefined(f"`Sec[..]` needs sets, and got {plain(value)}")
    # The first set counts whole; the number of sets so far tells which one that is.
    members = value if notes.total == 0 else notes.made
    notes.made = {each: None for each in members if each in value}
    notes.total = 1


JOIN: Final = {
    ir.BigOp.SUM: _add,
    ir.BigOp.PRODUCT: _multiply,
    ir.BigOp.UNION: _unite,
    ir.BigOp.INTERSECTION: _intersect,
}
