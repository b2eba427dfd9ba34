"""C's expressions and calls as generated code, with the bounds of what comes out.

Bounds show that nothing overflows; where they do not, there is no code. What C leaves
undefined ends in ``return -1``, which says that only the token game can tell.

A call of a C function is looked up in a table of its values, or written out where it stands:
loops are unrolled as far as the ranges of numbers say that they may go on, and what follows a
branch is written in both of its arms. So that is for short functions, and a budget ends it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from operator import lshift, rshift
from typing import Final, TypeAlias, assert_never

from zermelo.languages.nets.compile.function_tables import NOTHING, FunctionTables
from zermelo.languages.nets.ir import (
    Assign,
    Binary,
    BinaryOp,
    Break,
    Call,
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
    Return,
    Statement,
    Unary,
    UnaryOp,
    Var,
    While,
)
from zermelo.packing.code import Refused, Writer

MOST: Final = 1 << 60
"""Numbers beyond this may overflow when they are computed with."""
MOST_PLACES: Final = 62
"""Shifts by more places are left to the token game."""
MOST_VALUES: Final = 1 << 16
"""A function is tabulated for at most so many arguments."""
MOST_DEEP: Final = 12
MOST_ARRAY: Final = 256
MOST_BRANCHES: Final = 30
"""Branches inside of branches; Python cannot read code that is nested much deeper."""
_COMPARISONS: Final[Mapping[BinaryOp, str]] = {
    BinaryOp.LT: "<",
    BinaryOp.GT: ">",
    BinaryOp.LE: "<=",
    BinaryOp.GE: ">=",
    BinaryOp.EQ: "==",
    BinaryOp.NE: "!=",
}


@dataclass(frozen=True, slots=True)
class RangedCode:
    """Code for a number that lies between *low* and *high*."""

    code: str
    low: int
    high: int

    @property
    def is_constant(self) -> bool:
        return self.low == self.high


def constant(value: int) -> RangedCode:
    return RangedCode(f"({value})" if value < 0 else str(value), value, value)


class ExpressionWriter:
    """Writes the expressions of one transition."""

    def __init__(self, net: Net, writer: Writer, beforehand: FunctionTables) -> None:
        self._writer = writer
        self._beforehand = beforehand
        self._tables = {table.name: table for table in net.tables}
        self.known: dict[str, RangedCode] = {}
        """The variables that have a value where the code now stands."""
        self.arrays: dict[str, LocalArray] = {}
        """The arrays of the function that is being written."""
        self._functions = {each.name: each for each in net.functions}
        self._budget = InliningBudget()

    def give_up_if(self, condition: str) -> None:
        """Leave the marking to the token game where *condition* holds."""
        self._writer.when(condition, "return -1")

    # Conditions

    def condition(self, expr: Expr) -> str:
        match expr:
            case Binary(BinaryOp.AND | BinaryOp.OR as op, left, right):
                return self._decided(op, self.condition(left), right)
            case Unary(UnaryOp.NOT, operand):
                return f"(not {self.condition(operand)})"
            case Binary(op, left, right) if op in _COMPARISONS:
                first, second = self.number(left), self.number(right)
                decided = _compared(op, first, second)
                code = f"({first.code} {_COMPARISONS[op]} {second.code})"
            case _:
                number = self.number(expr)
                decided = bool(number.low) if number.is_constant else None
                code = f"({number.code} != 0)"
        return {True: "(1 == 1)", False: "(1 == 0)", None: code}[decided]

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

    def number(self, expr: Expr) -> RangedCode:
        found = self._number(expr)
        if abs(found.low) > MOST or abs(found.high) > MOST:
            raise Refused("a number may become too large")
        return found

    def _number(self, expr: Expr) -> RangedCode:
        match expr:
            case Const(value):
                return constant(value)
            case Var(name):
                return self.known[name]
            case Unary(op, operand):
                return self._unary(op, operand)
            case Binary(BinaryOp.AND | BinaryOp.OR):
                return RangedCode(f"(1 if {self.condition(expr)} else 0)", 0, 1)
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

    def _conditional(self, test: Expr, yes: Expr, no: Expr) -> RangedCode:
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
            return RangedCode(f"({first.code} if {holds} else {second.code})", low, high)
        return RangedCode(found, low, high)

    def _unary(self, op: UnaryOp, operand: Expr) -> RangedCode:
        if op is UnaryOp.NOT:
            return RangedCode(f"(0 if {self.condition(operand)} else 1)", 0, 1)
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

    def _binary(self, op: BinaryOp, left: RangedCode, right: RangedCode) -> RangedCode:
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
                return RangedCode(code, 0, 1)

    def _divided(self, op: BinaryOp, left: RangedCode, right: RangedCode) -> RangedCode:
        """Towards 0, as C does; by 0, only the token game can tell."""
        first = RangedCode(self._writer.keep(left.code), left.low, left.high)
        second = RangedCode(self._writer.keep(right.code), right.low, right.high)
        if second.low <= 0 <= second.high:
            self.give_up_if(f"{second.code} == 0")
        sign = "//" if op is BinaryOp.DIVIDE else "%"
        size = max(abs(second.low), abs(second.high))
        reach = max(abs(first.low), abs(first.high))
        most = reach if op is BinaryOp.DIVIDE else min(reach, max(size - 1, 0))
        if first.low >= 0 and second.low >= 0:
            low, high = 0, most
            if op is BinaryOp.DIVIDE and second.low > 0:
                low, high = first.low // second.high, first.high // second.low
            elif first.is_constant and second.is_constant and second.low:
                low = high = first.low % second.low
            return _folded(f"({first.code} {sign} {second.code})", low, high)
        whole = f"(abs({first.code}) {sign} abs({second.code}))"
        is_down = f"{first.code} < 0"
        if op is BinaryOp.DIVIDE:
            is_down = f"(({first.code} < 0) != ({second.code} < 0))"
        return RangedCode(f"((-{whole}) if {is_down} else {whole})", -most, most)

    def _shifted(self, op: BinaryOp, left: RangedCode, right: RangedCode) -> RangedCode:
        """By 0 to 62 places; beyond these, only the token game can tell."""
        least, most = max(right.low, 0), min(right.high, MOST_PLACES)
        if least > most:
            raise Refused("a shift by a number of places that is never possible")
        by = right.code
        if (least, most) != (right.low, right.high):
            by = self._writer.keep(by)
            self.give_up_if(f"{by} < 0 or {by} > {MOST_PLACES}")
        apply, sign = (lshift, "<<") if op is BinaryOp.LEFT else (rshift, ">>")
        ends = [apply(end, by) for end in (left.low, left.high) for by in (least, most)]
        return _folded(f"({left.code} {sign} {by})", min(ends), max(ends))

    def _element(self, name: str, indexes: tuple[RangedCode, ...]) -> RangedCode:
        if name in self.arrays:
            array = self.arrays[name]
            position = array.position(name, indexes)
            if position is None:
                self.give_up_if("1 == 1")
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
                self.give_up_if(f"{kept} < 0 or {kept} >= {size}")
            at = kept if at == "0" else f"({at} * {size} + {kept})"
        code = self._writer.keep(f"load(tab, {place} + {at})")
        return RangedCode(code, min(table.values), max(table.values))

    def _call(self, expr: Call) -> RangedCode:
        """The value of a function, looked up in a table that was made beforehand."""
        given = [self.number(each) for each in expr.arguments]
        function = self._functions[expr.function]
        ranges = tuple(range(each.low, each.high + 1) for each in given)
        if prod(each.high - each.low + 1 for each in given) > MOST_VALUES:
            return _InlinedCall(self, self._writer, self._budget).call(function, given)
        values = self._beforehand.table(function, ranges)
        if values is None:
            try:
                return _InlinedCall(self, self._writer, self._budget).call(function, given)
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
            self.give_up_if(f"{code} == {NOTHING}")
        known = [value for value in values if value != NOTHING] or [0]
        return RangedCode(code, min(known), max(known))


def _compared(op: BinaryOp, left: RangedCode, right: RangedCode) -> bool | None:
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


def _folded(code: str, low: int, high: int) -> RangedCode:
    return constant(low) if low == high else RangedCode(code, low, high)


def _bits(op: BinaryOp, left: RangedCode, right: RangedCode) -> RangedCode:
    code = f"({left.code} {op.value} {right.code})"
    if left.low >= 0 and right.low >= 0:
        high = min(left.high, right.high)
        if op is not BinaryOp.BIT_AND:
            high = (1 << max(left.high, right.high).bit_length()) - 1
        return RangedCode(code, 0, high)
    reach = max(abs(each) for each in (left.low, left.high, right.low, right.high))
    most = 1 << reach.bit_length()
    return RangedCode(code, -most, most - 1)


@dataclass(slots=True)
class InliningBudget:
    """How much may still be written for the functions of one transition."""

    statements: int = 4_000
    depth: int = 0

    def spend(self) -> None:
        """Write one more statement; raises ``Refused`` if there are too many."""
        self.statements -= 1
        if self.statements < 0:
            raise Refused("the functions that it calls are too long to be written out")


@dataclass(frozen=True, slots=True)
class LocalArray:
    """An array of a function: its dimensions and its elements, flat."""

    dimensions: tuple[int, ...]
    elements: tuple[RangedCode, ...]

    def position(self, name: str, indexes: Sequence[RangedCode]) -> int | None:
        at = 0
        for size, index in zip(self.dimensions, indexes, strict=True):
            if not index.is_constant:
                raise Refused(f"an index of `{name}` is not known beforehand")
            if not 0 <= index.low < size:
                return None
            at = at * size + index.low
        return at


@dataclass(frozen=True, slots=True)
class _Again:
    """Where the body of a loop has been run."""

    loop: While


_Work: TypeAlias = "tuple[Statement | _Again, ...]"


class _InlinedCall:
    """One call while it is written."""

    def __init__(self, scope: ExpressionWriter, writer: Writer, budget: InliningBudget) -> None:
        self._scope = scope
        self._writer = writer
        self._budget = budget
        self._found = writer.name("c")
        self._values: list[RangedCode] = []
        self._branches = 0

    def call(self, function: Function, given: Sequence[RangedCode]) -> RangedCode:
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
        return _folded(self._found, low, high)

    def _kept(self, number: RangedCode) -> RangedCode:
        if number.is_constant:
            return constant(number.low)
        return RangedCode(self._writer.keep(number.code), number.low, number.high)

    def _value(self, expr: Expr) -> RangedCode:
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
        self._writer.emit(f"{self._found} = 0", "return -1")

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

    def _join(self, test: RangedCode, yes: _Work, no: _Work) -> None:
        """Write two arms that only give values to names, and go on behind both."""
        scope, writer = self._scope, self._writer
        before, arrays = dict(scope.known), dict(scope.arrays)
        names = sorted(_assigned(yes) | _assigned(no))
        merged = {name: writer.name() for name in names}
        ends: list[dict[str, RangedCode]] = []
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
            scope.known[name] = RangedCode(merged[name], low, high)

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
        number = self._value(test)
        decided = _decided(number)
        if decided is not None:
            return yes if decided else no
        if self._branches >= MOST_BRANCHES:
            raise Refused("the functions that it calls are too long to be written out")
        self._branches += 1
        scope = self._scope
        known, arrays = scope.known, scope.arrays
        for head, arm in ((f"if {number.code} != 0", yes), ("else", no)):
            scope.known, scope.arrays = dict(known), dict(arrays)
            with self._writer.block(head):
                self._run(arm)
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
            self._scope.give_up_if("1 == 1")
            return
        elements = list(array.elements)
        elements[position] = number
        self._scope.arrays[name] = replace(array, elements=tuple(elements))


def _decided(number: RangedCode) -> bool | None:
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
