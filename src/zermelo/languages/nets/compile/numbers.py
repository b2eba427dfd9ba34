"""C's expressions as generated code, with the bounds of what comes out.

Bounds show that nothing overflows; where they do not, there is no code. What C leaves
undefined ends in ``return -1``, which says that only the token game can tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import lshift, rshift
from typing import Final, assert_never

from zermelo.languages.nets.compile.beforehand import NOTHING, Beforehand
from zermelo.languages.nets.compile.inlined import Budget, Inlined, LocalArray
from zermelo.languages.nets.compile.ranges import Number, constant
from zermelo.languages.nets.ir import (
    Binary,
    BinaryOp,
    Call,
    Conditional,
    Const,
    Element,
    Expr,
    Net,
    Unary,
    UnaryOp,
    Var,
)
from zermelo.languages.sections.compile.reps import Refused
from zermelo.packing.code import Writer

MOST: Final = 1 << 60
"""Numbers beyond this may overflow when they are computed with."""
MOST_PLACES: Final = 62
"""Shifts by more places are left to the token game."""
MOST_VALUES: Final = 1 << 16
"""A function is tabulated for at most so many arguments."""

_COMPARISONS: Final[Mapping[BinaryOp, str]] = {
    BinaryOp.LT: "<",
    BinaryOp.GT: ">",
    BinaryOp.LE: "<=",
    BinaryOp.GE: ">=",
    BinaryOp.EQ: "==",
    BinaryOp.NE: "!=",
}


class Expressions:
    """Writes the expressions of one transition."""

    def __init__(self, net: Net, writer: Writer, beforehand: Beforehand) -> None:
        self._writer = writer
        self._beforehand = beforehand
        self._tables = {table.name: table for table in net.tables}
        self.known: dict[str, Number] = {}
        """The variables that have a value where the code now stands."""
        self.arrays: dict[str, LocalArray] = {}
        """The arrays of the function that is being written."""
        self._functions = {each.name: each for each in net.functions}
        self._budget = Budget()

    # Conditions

    def condition(self, expr: Expr) -> str:
        """Code that holds where *expr* is not 0."""
        match expr:
            case Binary(BinaryOp.AND | BinaryOp.OR as op, left, right):
                return self._decided(op, self.condition(left), right)
            case Unary(UnaryOp.NOT, operand):
                return f"(not {self.condition(operand)})"
            case Binary(op, left, right) if op in _COMPARISONS:
                first, second = self.number(left), self.number(right)
                decided = _compared(op, first, second)
                if decided is not None:
                    return "(1 == 1)" if decided else "(1 == 0)"
                return f"({first.code} {_COMPARISONS[op]} {second.code})"
            case _:
                number = self.number(expr)
                if number.is_constant:
                    return "(1 == 1)" if number.low else "(1 == 0)"
                return f"({number.code} != 0)"

    def _decided(self, op: BinaryOp, left: str, right: Expr) -> str:
        """Both sides joined; what *right* needs is computed only where *left* leaves it open."""
        writer = self._writer
        before = len(writer.lines)
        found = writer.name("k")
        is_and = op is BinaryOp.AND
        writer.emit(f"{found} = {0 if is_and else 1}")
        with writer.block(f"if {left if is_and else f'not {left}'}"):
            second = self.condition(right)
            with writer.block(f"if {second if is_and else f'not {second}'}"):
                writer.emit(f"{found} = {1 if is_and else 0}")
        if len(writer.lines) == before + 4:
            # It needs no lines of its own.
            del writer.lines[before:]
            return f"({left} {'and' if is_and else 'or'} {second})"
        return f"({found} != 0)"

    # Numbers

    def number(self, expr: Expr) -> Number:
        """Code for the value of *expr*."""
        found = self._number(expr)
        if abs(found.low) > MOST or abs(found.high) > MOST:
            raise Refused("a number may become too large")
        return found

    def _number(self, expr: Expr) -> Number:
        match expr:
            case Const(value):
                return constant(value)
            case Var(name):
                return self.known[name]
            case Unary(op, operand):
                return self._unary(op, operand)
            case Binary(BinaryOp.AND | BinaryOp.OR):
                return Number(f"(1 if {self.condition(expr)} else 0)", 0, 1)
            case Binary(op, left, right):
                return self._binary(op, self.number(left), self.number(right))
            case Conditional(test, yes, no):
                return self._conditional(test, yes, no)
            case Element(name, indexes):
                return self._element(name, tuple(self.number(each) for each in indexes))
            case Call():
                return self._call(expr)
            case _:
                assert_never(expr)

    def _conditional(self, test: Expr, yes: Expr, no: Expr) -> Number:
        writer = self._writer
        holds = self.condition(test)
        before = len(writer.lines)
        found = writer.name()
        arms = []
        for head, arm in ((f"if {holds}", yes), ("else", no)):
            with writer.block(head):
                arms.append(self.number(arm))
                writer.emit(f"{found} = {arms[-1].code}")
        first, second = arms
        low, high = min(first.low, second.low), max(first.high, second.high)
        if len(writer.lines) == before + 4:
            # Neither of them needs lines of its own.
            del writer.lines[before:]
            return Number(f"({first.code} if {holds} else {second.code})", low, high)
        return Number(found, low, high)

    def _unary(self, op: UnaryOp, operand: Expr) -> Number:
        if op is UnaryOp.NOT:
            return Number(f"(0 if {self.condition(operand)} else 1)", 0, 1)
        inner = self.number(operand)
        match op:
            case UnaryOp.NEGATE:
                return _folded(f"(-{inner.code})", -inner.high, -inner.low)
            case UnaryOp.KEEP:
                return inner
            case UnaryOp.COMPLEMENT:
                return _folded(f"(~{inner.code})", ~inner.high, ~inner.low)
            case _:
                assert_never(op)

    def _binary(self, op: BinaryOp, left: Number, right: Number) -> Number:
        match op:
            case BinaryOp.PLUS:
                low, high = left.low + right.low, left.high + right.high
                return _folded(f"({left.code} + {right.code})", low, high)
            case BinaryOp.MINUS:
                low, high = left.low - right.high, left.high - right.low
                return _folded(f"({left.code} - {right.code})", low, high)
            case BinaryOp.TIMES:
                ends = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
                return _folded(f"({left.code} * {right.code})", min(ends), max(ends))
            case BinaryOp.DIVIDE | BinaryOp.MOD:
                return self._divided(op, left, right)
            case BinaryOp.LEFT | BinaryOp.RIGHT:
                return self._shifted(op, left, right)
            case BinaryOp.BIT_AND | BinaryOp.BIT_OR | BinaryOp.BIT_XOR:
                return _bits(op, left, right)
            case _:
                decided = _compared(op, left, right)
                if decided is not None:
                    return constant(int(decided))
                code = f"(1 if {left.code} {_COMPARISONS[op]} {right.code} else 0)"
                return Number(code, 0, 1)

    def _divided(self, op: BinaryOp, left: Number, right: Number) -> Number:
        """Towards 0, as C does; by 0, only the token game can tell."""
        first = Number(self._writer.keep(left.code), left.low, left.high)
        second = Number(self._writer.keep(right.code), right.low, right.high)
        if second.low <= 0 <= second.high:
            self._writer.emit(f"if {second.code} == 0:")
            self._writer.emit("    return -1")
        sign = "//" if op is BinaryOp.DIVIDE else "%"
        size = max(abs(second.low), abs(second.high))
        reach = max(abs(first.low), abs(first.high))
        most = reach if op is BinaryOp.DIVIDE else min(reach, max(size - 1, 0))
        if first.low >= 0 and second.low >= 0:
            low = high = None
            if op is BinaryOp.DIVIDE and second.low > 0:
                low, high = first.low // second.high, first.high // second.low
            if first.is_constant and second.is_constant and second.low:
                low = high = first.low // second.low if sign == "//" else first.low % second.low
            return _folded(
                f"({first.code} {sign} {second.code})",
                0 if low is None else low,
                most if high is None else high,
            )
        whole = f"(abs({first.code}) {sign} abs({second.code}))"
        is_down = f"{first.code} < 0"
        if op is BinaryOp.DIVIDE:
            is_down = f"(({first.code} < 0) != ({second.code} < 0))"
        return Number(f"((-{whole}) if {is_down} else {whole})", -most, most)

    def _shifted(self, op: BinaryOp, left: Number, right: Number) -> Number:
        """By 0 to 62 places; beyond these, only the token game can tell."""
        least, most = max(right.low, 0), min(right.high, MOST_PLACES)
        if least > most:
            raise Refused("a shift by a number of places that is never possible")
        by = right.code
        if (least, most) != (right.low, right.high):
            by = self._writer.keep(by)
            self._writer.emit(f"if {by} < 0 or {by} > {MOST_PLACES}:")
            self._writer.emit("    return -1")
        apply, sign = (lshift, "<<") if op is BinaryOp.LEFT else (rshift, ">>")
        ends = [apply(end, by) for end in (left.low, left.high) for by in (least, most)]
        return _folded(f"({left.code} {sign} {by})", min(ends), max(ends))

    def _element(self, name: str, indexes: tuple[Number, ...]) -> Number:
        if name in self.arrays:
            array = self.arrays[name]
            position = array.position(name, indexes)
            if position is None:
                self._writer.emit("if 1 == 1:")
                self._writer.emit("    return -1")
                return constant(0)
            return array.elements[position]
        table = self._tables[name]
        if not table.dimensions:
            return constant(table.values[0])
        place = self._writer.tables.place(table.values)
        at = "0"
        for size, index in zip(table.dimensions, indexes, strict=True):
            kept = self._writer.keep(index.code)
            if index.low < 0 or index.high >= size:
                self._writer.emit(f"if {kept} < 0 or {kept} >= {size}:")
                self._writer.emit("    return -1")
            at = kept if at == "0" else f"({at} * {size} + {kept})"
        code = self._writer.keep(f"load(tab, {place} + {at})")
        return Number(code, min(table.values), max(table.values))

    def _call(self, expr: Call) -> Number:
        """The value of a function, looked up in a table that was made beforehand."""
        given = [self.number(each) for each in expr.arguments]
        size = 1
        for each in given:
            size *= each.high - each.low + 1
        function = self._functions[expr.function]
        if size > MOST_VALUES:
            return Inlined(self, self._writer, self._budget).call(function, given)
        ranges = tuple(range(each.low, each.high + 1) for each in given)
        values = self._beforehand.table(function, ranges)
        if values is None:
            try:
                return Inlined(self, self._writer, self._budget).call(function, given)
            except Refused:
                words = f"`{function.name}` takes too long to be computed beforehand"
                raise Refused(words) from None
        place = self._writer.tables.place(values)
        at = "0"
        for each in given:
            step = f"({each.code} - {each.low})" if each.low else each.code
            at = step if at == "0" else f"({at} * {each.high - each.low + 1} + {step})"
        code = self._writer.keep(f"load(tab, {place} + {at})")
        if NOTHING in values:
            self._writer.emit(f"if {code} == {NOTHING}:")
            self._writer.emit("    return -1")
        known = [value for value in values if value != NOTHING] or [0]
        return Number(code, min(known), max(known))


def _compared(op: BinaryOp, left: Number, right: Number) -> bool | None:
    """What a comparison comes to, if the ranges of both sides tell."""
    match op:
        case BinaryOp.GT | BinaryOp.LE:
            other = _compared(BinaryOp.LT, right, left)
            return other if op is BinaryOp.GT or other is None else not other
        case BinaryOp.GE:
            other = _compared(BinaryOp.LT, left, right)
            return None if other is None else not other
        case BinaryOp.LT:
            if left.high < right.low:
                return True
            return False if left.low >= right.high else None
        case _:
            is_apart = left.high < right.low or right.high < left.low
            is_same = left.is_constant and right.is_constant and left.low == right.low
            if not is_apart and not is_same:
                return None
            return is_same == (op is BinaryOp.EQ)


def _folded(code: str, low: int, high: int) -> Number:
    return constant(low) if low == high else Number(code, low, high)


def _bits(op: BinaryOp, left: Number, right: Number) -> Number:
    code = f"({left.code} {op.value} {right.code})"
    if left.low >= 0 and right.low >= 0:
        high = min(left.high, right.high)
        if op is not BinaryOp.BIT_AND:
            high = (1 << max(left.high, right.high).bit_length()) - 1
        return Number(code, 0, high)
    reach = max(abs(each) for each in (left.low, left.high, right.low, right.high))
    most = 1 << reach.bit_length()
    return Number(code, -most, most - 1)
