"""What runs when a compiled expression is evaluated: closures for operators, loops and totals.

A closure takes the frame, a list with the values of all local names. Each tries whole
numbers first; everything else goes through ``operations``. A *test* gives Python's truth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from zermelo.core.values import FALSE, TRUE, Other, SortKey, Value
from zermelo.languages.led import ir
from zermelo.languages.led.ir import Op, UnaryOp
from zermelo.languages.led.run import operations
from zermelo.languages.led.run.built_ins import STATE_NAME
from zermelo.languages.led.run.calls import SMALL_NUMBER, Closure, Frame, Meter, Test
from zermelo.languages.led.run.pretty import plain
from zermelo.languages.led.run.values import FEW_PARTS, Arranged, Undefined
from zermelo.text.source import Span

Domain: TypeAlias = Callable[[Frame], Sequence[Value] | frozenset[Value]]
Matcher: TypeAlias = Callable[[Value, Frame], bool]


def valued(test: Test) -> Closure:
    return lambda frame: TRUE if test(frame) else FALSE


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
    operation = operations.BINARY[op]

    def general(a: Value, b: Value) -> Value:
        try:
            meter.operate(op, a, b)
            found = operation(a, b)
            return meter.made(found) if type(found) is tuple else meter.weighed(found)
        except Undefined as fault:
            raise fault.at(span) from None

    if op in (Op.PLUS, Op.JOIN, Op.APPEND, Op.PREPEND):
        op = Op.PLUS
    if op in _OF_NUMBERS:
        return _OF_NUMBERS[op](left, right, general)
    return lambda frame: general(left(frame), right(frame))


def _plus(left: Closure, right: Closure, general: operations.Operation) -> Closure:
    def run(frame: Frame) -> Value:
        a, b = left(frame), right(frame)
        # What is done with large numbers is weighed.
        if type(a) is int and type(b) is int and -_SMALL < a < _SMALL and -_SMALL < b < _SMALL:
            return a + b
        return general(a, b)

    return run


def _minus(left: Closure, right: Closure, general: operations.Operation) -> Closure:
    def run(frame: Frame) -> Value:
        a, b = left(frame), right(frame)
        if type(a) is int and type(b) is int and -_SMALL < a < _SMALL and -_SMALL < b < _SMALL:
            return a - b
        return general(a, b)

    return run


def _times(left: Closure, right: Closure, general: operations.Operation) -> Closure:
    def run(frame: Frame) -> Value:
        a, b = left(frame), right(frame)
        if type(a) is int and type(b) is int and -_SMALL < a < _SMALL and -_SMALL < b < _SMALL:
            return a * b
        return general(a, b)

    return run


def _modulo(left: Closure, right: Closure, general: operations.Operation) -> Closure:
    def run(frame: Frame) -> Value:
        a, b = left(frame), right(frame)
        if type(a) is int and type(b) is int and -_SMALL < a < _SMALL and b > 0:
            return a % b
        return general(a, b)

    return run


_SMALL: Final = SMALL_NUMBER
_OF_NUMBERS: Final = {Op.PLUS: _plus, Op.MINUS: _minus, Op.TIMES: _times, Op.MOD: _modulo}


def comparison(op: Op, left: Closure, right: Closure, *, span: Span) -> Test:
    def general(a: Value, b: Value) -> bool:
        try:
            return operations.compare(op, a, b)
        except Undefined as fault:
            raise fault.at(span) from None

    def less(frame: Frame) -> bool:
        a, b = left(frame), right(frame)
        return a < b if type(a) is int and type(b) is int else general(a, b)

    def greater(frame: Frame) -> bool:
        a, b = left(frame), right(frame)
        return a > b if type(a) is int and type(b) is int else general(a, b)

    def at_most(frame: Frame) -> bool:
        a, b = left(frame), right(frame)
        return a <= b if type(a) is int and type(b) is int else general(a, b)

    def at_least(frame: Frame) -> bool:
        a, b = left(frame), right(frame)
        return a >= b if type(a) is int and type(b) is int else general(a, b)

    return {Op.LT: less, Op.GT: greater, Op.LE: at_most, Op.GE: at_least}[op]


def relation(op: Op, left: Closure, right: Closure, *, meter: Meter, span: Span) -> Test:
    def member(frame: Frame) -> bool:
        a, b = left(frame), right(frame)
        if type(b) is Arranged and type(a) is int:
            return a in b
        try:
            if meter.is_heavy:
                meter.find((a,))
            return operations.member(a, b)
        except Undefined as fault:
            raise fault.at(span) from None

    def subset(frame: Frame) -> bool:
        a, b = left(frame), right(frame)
        try:
            if isinstance(a, frozenset):
                meter.spend(len(a) >> 2)
                meter.find(a)
            return operations.subset(a, b)
        except Undefined as fault:
            raise fault.at(span) from None

    return member if op is Op.IN else subset


def equality(op: Op, left: Closure, right: Closure, *, meter: Meter) -> Test:
    def same(frame: Frame) -> bool:
        a, b = left(frame), right(frame)
        if type(a) in _LARGE:
            meter.compare(a, b)
        return a == b

    return same if op is Op.EQ else lambda frame: not same(frame)


_LARGE: Final = frozenset({tuple, Arranged})
"""Classes of values whose comparison may take long."""


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
        and operations.floor(value) == value
    )


def connective(op: Op, left: Test, right: Test) -> Test:
    """``left V right`` or ``left <=> right``: both sides are always evaluated."""

    def either(frame: Frame) -> bool:
        a, b = left(frame), right(frame)
        return a or b

    return either if op is Op.OR else lambda frame: left(frame) == right(frame)


def conjunction(left: Test, right: Test) -> Test:
    return lambda frame: left(frame) and right(frame)


def function(which: UnaryOp, operand: Closure, *, meter: Meter, span: Span) -> Closure:
    operation = operations.UNARY[which]
    is_power_set = which is UnaryOp.POWER_SET

    def run(frame: Frame) -> Value:
        value = operand(frame)
        if type(value) is not int:
            meter.apply(value, is_power_set=is_power_set)
        try:
            return operation(value)
        except Undefined as fault:
            raise fault.at(span) from None

    return run


def component(base: Closure, index: Closure, *, span: Span) -> Closure:
    def run(frame: Frame) -> Value:
        a, i = base(frame), index(frame)
        if type(a) is tuple and type(i) is int and 0 < i <= len(a):
            return a[i - 1]
        try:
            return operations.component(a, i)
        except Undefined as fault:
            raise fault.at(span) from None

    return run


def part(base: Closure, low: Closure, high: Closure, *, meter: Meter, span: Span) -> Closure:
    def run(frame: Frame) -> Value:
        try:
            found = operations.part(base(frame), low(frame), high(frame))
        except Undefined as fault:
            raise fault.at(span) from None
        if isinstance(found, tuple):
            meter.spend(len(found) >> 4)
        return found

    return run


def interval(low: Closure, high: Closure, *, meter: Meter, span: Span) -> Closure:
    def run(frame: Frame) -> Value:
        try:
            numbers = operations.interval(low(frame), high(frame))
            meter.spend(min(max(numbers.stop - numbers.start, 0), operations.LARGEST_SET) >> 1)
            return operations.listed(numbers)
        except Undefined as fault:
            raise fault.at(span) from None

    return run


def several(items: tuple[Closure, ...]) -> Callable[[Frame], tuple[Value, ...]]:
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
            # A list is filled in this very frame; a generator would deepen the stack.
            return lambda frame: tuple([item(frame) for item in items])


def tuple_of(items: tuple[Closure, ...], *, meter: Meter, span: Span) -> Closure:
    """The tuple of *items*; one with tuples in it is not nested too deeply."""
    values = several(items)
    is_long = len(items) > FEW_PARTS

    def run(frame: Frame) -> Value:
        made = values(frame)
        if is_long or not _LARGE.isdisjoint(map(type, made)):
            try:
                meter.made(made)
            except Undefined as fault:
                raise fault.at(span) from None
        return made

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
    def run(value: Value, frame: Frame) -> bool:
        frame[place] = value
        return True

    return run


def same(wanted: Closure, *, meter: Meter) -> Matcher:
    def run(value: Value, frame: Frame) -> bool:
        other = wanted(frame)
        if type(value) in _LARGE:
            meter.compare(value, other)
        return value == other

    return run


def component_matcher(items: tuple[Matcher, ...]) -> Matcher:
    count = len(items)

    def run(value: Value, frame: Frame) -> bool:
        if not isinstance(value, tuple) or len(value) != count:
            return False
        fit = True
        for fits, each in zip(items, value, strict=True):
            fit = fit and fits(each, frame)
        return fit

    return run


def first_member(
    test: Test, place: int, members: Domain, *, wanted: bool, meter: Meter, weight: int
) -> Test:
    """Whether *test* answers *wanted* for a member; if not, the other answer.

    Each member takes *weight* steps.
    """

    def run(frame: Frame) -> bool:
        for value in members(frame):
            meter.left -= weight
            if meter.left < 0:
                meter.ask_for_more()
            frame[place] = value
            if test(frame) is wanted:
                return wanted
        return not wanted

    return run


def once(closure: Closure) -> Closure:
    known: list[Value] = []

    def run(frame: Frame) -> Value:
        if not known:
            known.append(closure(frame))
        return known[0]

    return run


def undefined(reason: str, span: Span) -> Closure:
    def run(_: Frame) -> Value:
        raise Undefined(reason).at(span)

    return run


def environment(name: str, meter: Meter, span: Span) -> Closure:
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
