"""What expressions see while they are evaluated (``Env``), and the operators between two values.

Each operator's function takes the two operands as closures over an ``Env`` and gives the operation
as one. Whole numbers, and sets that are listed, take the short way; everything else is looked at
before it is used, so that a wrong operand is a fault and never an error of Python's.

Comparisons also bound a name: ``{x ∈ ℤ⁺ | x ≤ 7}`` is listed by its bound, ``{x ∈ 𝒫(S) | |x| = 3}``
by the size it asks for. Only comparisons with expressions that do not use the name count.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Final, NamedTuple, TypeAlias, TypeVar

from zermelo.core.machine import (
    FaultError,
    SkipError,
    endless,
    undefined,
)
from zermelo.core.values import (
    MOST_COMPONENTS,
    MOST_PARTS,
    UNSET,
    Number,
    TruthValue,
    Value,
    extent,
    is_longer,
    number,
    width,
)
from zermelo.core.values import to_text as value_to_text
from zermelo.languages.sections.ir import Binary, Card, Expr, Local, Op
from zermelo.languages.sections.printer import to_text
from zermelo.languages.sections.run import sets
from zermelo.languages.sections.run.sets import MAX_BITS, AnySet, Both, Operand, Subsets, Unlisted
from zermelo.languages.sections.walk import parts
from zermelo.text.budget import Meter, OverBudget, Stack, spend

_AT_ONCE: Final = 4_000
"""So many members are gone through before the steps of more are taken."""
DEPTH_LIMIT: Final = 1_000
"""How deep calls of helpers and value functions may nest."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Stands for the value of a local that has none, or one outside its declaration."""

    reason: str
    is_outside: bool = False


class Work(Meter):
    """How much work has been done.

    How much a turn may take is no part of what it means, as compiled code takes less: only the
    budget of whoever asks for it stops it.
    """

    __slots__ = ("members", "stack")

    def __init__(self) -> None:
        super().__init__("trying the document out")
        self.stack = Stack()
        self.members = 0
        """How many members of sets were gone through, again and again counted."""

    def through(self, members: Collection[Value], steps: int) -> Iterable[Value]:
        """*members*, each for so many *steps*: of many these are taken piece by piece."""
        if len(members) > _AT_ONCE:
            return self._in_pieces(members, steps)
        self.go(steps * len(members))
        return members

    def _in_pieces(self, members: Collection[Value], steps: int) -> Iterator[Value]:
        left = len(members)
        for at, member in enumerate(members):
            if not at % _AT_ONCE:
                self.go(steps * min(_AT_ONCE, left - at))
            yield member


_FEW: Final = 64


class FactValues:
    """The defined variables: each computed when it is asked for, from the values at hand."""

    __slots__ = ("_definitions", "_dependents", "known", "values", "work")

    def __init__(
        self,
        definitions: Mapping[str, Code],
        dependents: Mapping[str, tuple[str, ...]],
        values: dict[str, Value],
        work: Work,
    ) -> None:
        self._definitions = definitions
        self._dependents = dependents
        self.values = values
        self.work = work
        self.known: dict[str, Operand] = {}

    def value(self, name: str) -> Operand:
        known = self.known.get(name)
        if known is None:
            env = Env(self.values, self, {}, work=self.work)
            known = self.known[name] = self._definitions[name](env)
        return known

    def forget(self, variable: str) -> None:
        for name in self._dependents[variable]:
            self.known.pop(name, None)

    def over(self, values: dict[str, Value]) -> FactValues:
        """The facts of the same system over *values*, equal to these until one is written."""
        copy = FactValues(self._definitions, self._dependents, values, self.work)
        copy.known.update(self.known)
        return copy


class Env:
    """The names that an expression can use.

    *facts* may be computed from other values than *values*: frozen facts are.
    """

    __slots__ = ("depth", "facts", "locals", "values", "work")

    def __init__(
        self,
        values: dict[str, Value],
        facts: FactValues,
        names: dict[str, Operand | Missing],
        *,
        work: Work,
        depth: int = 0,
    ) -> None:
        self.values = values
        self.facts = facts
        self.locals = names
        self.work = work
        self.depth = depth

    def nested(self) -> Env:
        return Env(self.values, self.facts, {**self.locals}, work=self.work, depth=self.depth)

    def snapshot(self) -> Env:
        values = {**self.values}
        facts = self.facts.over(values if self.facts.values is self.values else self.facts.values)
        return Env(values, facts, {**self.locals}, work=self.work, depth=self.depth)

    def inside(self, names: dict[str, Operand | Missing]) -> Env:
        """What the body of a value function or helper sees: other locals, one call deeper."""
        if self.depth >= DEPTH_LIMIT:
            raise endless(f"calls are nested more than {DEPTH_LIMIT:,} deep")
        return Env(self.values, self.facts, names, work=self.work, depth=self.depth + 1)


Code: TypeAlias = Callable[[Env], Operand]
ValueCode: TypeAlias = Callable[[Env], Value]
TruthCode: TypeAlias = Callable[[Env], bool]
NumberCode: TypeAlias = Callable[[Env], Number]
SetCode: TypeAlias = Callable[[Env], AnySet]


T = TypeVar("T")

_BOUND: Final = 1 << MAX_BITS
_STEPS_OF_A_FRACTION: Final = 16
_LONG: Final = 512
"""Numbers of so many bits together take longer than others."""


def as_number(operand: Operand, expr: Expr) -> Number:
    if isinstance(operand, int | Fraction):
        return operand
    raise undefined(f"`{text_of(expr)}` should be a number and is {_shown(operand)}", expr)


def as_truth(operand: Operand, expr: Expr) -> bool:
    if isinstance(operand, TruthValue):
        return operand.holds
    raise undefined(f"`{text_of(expr)}` should be true or false and is {_shown(operand)}", expr)


def as_set(operand: Operand, expr: Expr) -> AnySet:
    if sets.is_set(operand):
        return operand
    raise undefined(f"`{text_of(expr)}` should be a set and is {_shown(operand)}", expr)


def _shown(operand: Operand) -> str:
    if isinstance(operand, Unlisted):
        return "a set"
    text = "" if is_longer(operand, _LONGEST) else value_to_text(operand)
    return text if 0 < len(text) <= _LONGEST else "a set"


_LONGEST: Final = 60
_TEXTS: Final[dict[int, tuple[Expr, str]]] = {}
_MOST_TEXTS: Final = 1_024


def text_of(expr: Expr) -> str:
    """*expr* as it is written, where the same one may be said to have no value very often."""
    known = _TEXTS.get(id(expr))
    if known is None or known[0] is not expr:
        if len(_TEXTS) >= _MOST_TEXTS:
            _TEXTS.clear()
        spend(_STEPS_TO_WRITE * sum(1 for _ in parts(expr)), "writing formulas")
        # The expression is kept, so that no other can get its identity.
        known = _TEXTS[id(expr)] = (expr, to_text(expr))
    return known[1]


_STEPS_TO_WRITE: Final = 12


def in_bounds(value: Number, expr: Expr) -> Number:
    if type(value) is int:
        if -_BOUND < value < _BOUND:
            return value
    elif max(abs(value.numerator), value.denominator) < _BOUND:
        return number(value)
    raise undefined(f"`{text_of(expr)}` is a number beyond 2^{MAX_BITS}", expr)


# Numbers


def arithmetic(expr: Binary, left: Code, right: Code) -> Code:
    """``left op right`` for numbers; ``−`` is also the difference of sets."""
    compute = _ARITHMETIC[expr.op]
    is_minus = expr.op is Op.MINUS
    is_long = expr.op in {Op.TIMES, Op.MOD}
    is_power = expr.op is Op.POWER

    def value(env: Env) -> Operand:
        a, b = left(env), right(env)
        if type(a) is int and type(b) is int:
            if is_long and a.bit_length() + b.bit_length() > _LONG:
                env.work.go(_steps_of_long(a, b))
            return compute(a, b, expr)
        if is_minus and sets.is_set(a) and sets.is_set(b):
            return _less(a, b, env)
        # Fractions are reduced each time, which takes long where they are long.
        first, second = as_number(a, expr.left), as_number(b, expr.right)
        env.work.go(steps_of_fractions(first, second))
        return compute(first, second, expr)

    def quotient(env: Env) -> Operand:
        first = left(env)
        second = right(env)
        a, b = as_number(first, expr.left), as_number(second, expr.right)
        env.work.go(steps_of_fractions(a, b))
        if is_power and isinstance(b, int):
            env.work.go(_steps_of_power(a, b))
        return compute(a, b, expr)

    return quotient if expr.op in {Op.DIVIDE, Op.POWER} else value


def _steps_of_long(a: int, b: int) -> int:
    """What it takes to multiply or divide *a* by *b*."""
    return a.bit_length() * b.bit_length() >> 17


def _steps_of_power(a: Number, b: int) -> int:
    bits = min((a.numerator.bit_length() + a.denominator.bit_length()) * abs(b), 4 * MAX_BITS)
    return bits * bits >> 18


def _less(a: AnySet, b: AnySet, env: Env) -> AnySet:
    if type(a) is frozenset and type(b) is frozenset and len(a) + len(b) > _FEW:
        env.work.go((len(a) + len(b)) >> 1)
    return sets.difference(a, b)


def steps_of_fractions(a: Number, b: Number) -> int:
    """What it takes to reduce what is made of *a* and *b*."""
    bits = sum(n.numerator.bit_length() + n.denominator.bit_length() for n in (a, b))
    return _STEPS_OF_A_FRACTION + (0 if bits <= _LONG else bits * bits >> 17)


def _plus(a: Number, b: Number, expr: Binary) -> Number:
    return in_bounds(a + b, expr)


def _minus(a: Number, b: Number, expr: Binary) -> Number:
    return in_bounds(a - b, expr)


def _times(a: Number, b: Number, expr: Binary) -> Number:
    return in_bounds(a * b, expr)


def _divided(a: Number, b: Number, expr: Binary) -> Number:
    if b == 0:
        raise undefined(f"`{text_of(expr)}` has no value: it divides by 0", expr)
    return in_bounds(Fraction(a, b), expr)


def _modulo(a: Number, b: Number, expr: Binary) -> Number:
    if not isinstance(a, int) or not isinstance(b, int):
        raise undefined(f"`{text_of(expr)}` has no value: mod needs whole numbers", expr)
    if b <= 0:
        raise undefined(
            f"`{text_of(expr)}` has no value: {text_of(expr.right)} is {value_to_text(b)}", expr
        )
    return a % b


def _power(a: Number, b: Number, expr: Binary) -> Number:
    if not isinstance(b, int):
        raise undefined(f"`{text_of(expr)}` has no value: the exponent is no whole number", expr)
    if a == 0 and b < 0:
        raise undefined(f"`{text_of(expr)}` has no value: it divides by 0", expr)
    base = Fraction(a)
    bits = max(abs(base.numerator) - 1, base.denominator - 1, 0).bit_length() * abs(b)
    if bits > 2 * MAX_BITS:
        raise undefined(f"`{text_of(expr)}` is a number beyond 2^{MAX_BITS}", expr)
    return in_bounds(number(base**b), expr)


_ARITHMETIC: Final[dict[Op, Callable[[Number, Number, Binary], Number]]] = {
    Op.PLUS: _plus,
    Op.MINUS: _minus,
    Op.TIMES: _times,
    Op.DIVIDE: _divided,
    Op.MOD: _modulo,
    Op.POWER: _power,
}


# Values with parts

_S = TypeVar("_S", frozenset[Value], tuple[Value, ...])


def bounded(made: _S, expr: Expr, env: Env) -> _S:
    """*made*, if it has no more parts than a value may have.

    Of sets inside each other there may be twice as many with every name, and Python compares all
    of them without looking at the clock.
    """
    if frozenset in map(type, made):
        count = extent(made)
        env.work.go(count)
        if count > MOST_PARTS:
            raise endless(f"`{text_of(expr)}` has more than {MOST_PARTS:,} parts", expr)
    return made


def compared(value: Operand, env: Env) -> None:
    """Take the steps of comparing *value* with another one, if it has parts in its parts."""
    if type(value) is frozenset and frozenset in map(type, value):
        env.work.go(extent(value))


def made_tuple(components: tuple[ValueCode, ...], expr: Expr) -> ValueCode:
    def narrow(made: tuple[Value, ...], env: Env) -> tuple[Value, ...]:
        components = width(made)
        env.work.go(_STEPS_OF_A_TUPLE + 2 * components)
        if components > MOST_COMPONENTS:
            raise undefined(f"`{text_of(expr)}` has more than {MOST_COMPONENTS:,} components", expr)
        return made

    def value(env: Env) -> Value:
        made = bounded(tuple(component(env) for component in components), expr, env)
        return narrow(made, env) if tuple in map(type, made) else made

    if len(components) != 2:
        return value
    first, second = components

    def pair(env: Env) -> Value:
        a, b = first(env), second(env)
        if type(a) is frozenset or type(b) is frozenset:
            bounded((a, b), expr, env)
        return narrow((a, b), env) if type(a) is tuple or type(b) is tuple else (a, b)

    return pair


_STEPS_OF_A_TUPLE: Final = 6

# Comparison


def order(expr: Binary, left: Code, right: Code) -> TruthCode:
    compare = _ORDER[expr.op]

    def holds(env: Env) -> bool:
        a, b = left(env), right(env)
        if type(a) is int and type(b) is int:
            return compare(a, b)
        return compare(as_number(a, expr.left), as_number(b, expr.right))

    return holds


_ORDER: Final[dict[Op, Callable[[Number, Number], bool]]] = {
    Op.LT: operator.lt,
    Op.LE: operator.le,
    Op.GT: operator.gt,
    Op.GE: operator.ge,
}


def equality(expr: Binary, left: Code, right: Code) -> TruthCode:
    """``=`` and ``≠``; a variable that is unset equals nothing."""
    is_negated = expr.op is Op.NE

    def holds(env: Env) -> bool:
        a, b = left(env), right(env)
        if type(a) is frozenset:
            if type(b) is frozenset and len(a) == len(b):
                if len(a) > _FEW:
                    env.work.go(len(a) >> 1)
                compared(a, env)
        elif isinstance(a, Unlisted) or isinstance(b, Unlisted):
            return located(expr, lambda: _are_same(a, b)) is not is_negated
        return (a == b and a is not UNSET) is not is_negated

    return holds


def _are_same(a: Operand, b: Operand) -> bool:
    return sets.is_set(a) and sets.is_set(b) and sets.is_same(a, b)


def is_unset(operand: Code, *, is_negated: bool) -> TruthCode:
    """Whether a variable is unset: a comparison with the unset value itself."""
    return lambda env: (operand(env) is UNSET) is not is_negated


# Sets


def membership(expr: Binary, left: ValueCode, right: Code) -> TruthCode:
    is_negated = expr.op is Op.NOT_IN

    def holds(env: Env) -> bool:
        member, whole = left(env), right(env)
        if type(whole) is frozenset:
            compared(member, env)
            return (member in whole) is not is_negated
        found = located(expr, lambda: sets.contains(as_set(whole, expr.right), member))
        return found is not is_negated

    return holds


def inclusion(expr: Binary, left: Code, right: Code) -> TruthCode:
    op = expr.op

    def decided(part: AnySet, whole: AnySet) -> bool:
        if op is Op.NOT_SUBSET:
            return not sets.is_subset(part, whole)
        if op is Op.PROPER_SUBSET and sets.is_subset(whole, part):
            return False
        return sets.is_subset(part, whole)

    def holds(env: Env) -> bool:
        part, whole = as_set(left(env), expr.left), as_set(right(env), expr.right)
        if type(part) is frozenset:
            if len(part) > _FEW:
                env.work.go(len(part) >> 1)
            compared(part, env)
        return located(expr, lambda: decided(part, whole))

    return holds


def algebra(expr: Binary, left: Code, right: Code) -> Code:
    compute, compute_listed = _ALGEBRA[expr.op]

    def value(env: Env) -> Operand:
        a, b = left(env), right(env)
        if type(a) is frozenset and type(b) is frozenset:
            if len(a) + len(b) > _FEW:
                env.work.go((len(a) + len(b)) >> 1)
            compared(a if len(a) < len(b) else b, env)
            return compute_listed(a, b)
        if expr.op is Op.DIFFERENCE and not sets.is_set(a):
            env.work.go(_STEPS_OF_A_FRACTION)
            return _minus(as_number(a, expr.left), as_number(b, expr.right), expr)
        return compute(as_set(a, expr.left), as_set(b, expr.right))

    return value


_OnListed: TypeAlias = Callable[[frozenset[Value], frozenset[Value]], frozenset[Value]]
_ALGEBRA: Final[dict[Op, tuple[Callable[[AnySet, AnySet], AnySet], _OnListed]]] = {
    Op.UNION: (sets.union, frozenset.union),
    Op.INTERSECTION: (sets.intersection, frozenset.intersection),
    Op.DIFFERENCE: (sets.difference, frozenset.difference),
}
COMPUTING: Final = {*_ARITHMETIC, *_ALGEBRA}
"""The operators that give a value, and no truth value."""


def located(expr: Expr, decide: Callable[[], T]) -> T:
    """What *decide* gives; a fault in it that has no place yet is at *expr*."""
    try:
        return decide()
    except (FaultError, OverBudget) as fault:
        fault.span = fault.span or expr.span
        raise


def as_value(operand: Operand, expr: Expr) -> Value:
    if isinstance(operand, Unlisted):
        whole = operand
        return located(expr, lambda: sets.members(whole))
    return operand


@dataclass(frozen=True, slots=True)
class Limit:
    """What *condition* says: a name, or the size of the set it names, is *op* of *expr*."""

    condition: Binary
    op: Op
    expr: Expr
    is_of_size: bool

    @property
    def is_direct(self) -> bool:
        """Whether the condition says as it stands what the value is, or what it is in."""
        is_side = self.expr is self.condition.left or self.expr is self.condition.right
        return is_side and self.op in {Op.EQ, Op.IN} and not self.is_of_size


@dataclass(frozen=True, slots=True)
class Bound:
    """A limit that is ready to be evaluated."""

    op: Op
    limit: Code
    is_of_size: bool


_MIRRORED: Final = {Op.LT: Op.GT, Op.LE: Op.GE, Op.GT: Op.LT, Op.GE: Op.LE, Op.EQ: Op.EQ}
_BOUNDING: Final = {*_MIRRORED, Op.IN, Op.SUBSET}


def bounds(
    name: str,
    conditions: Iterable[Expr],
    *,
    is_known: Callable[[Expr], bool],
    compiled: Callable[[Expr], Code],
) -> tuple[Bound, ...]:
    """The bounds on *name* among *conditions*, by expressions that are known before it."""
    return tuple(
        Bound(limit.op, compiled(limit.expr), limit.is_of_size)
        for condition in conditions
        for limit in limits(condition, name)
        if is_known(limit.expr)
    )


def limits(condition: Expr, name: str) -> Iterator[Limit]:
    if isinstance(condition, Binary) and condition.op in _BOUNDING:
        op, left, right = condition.op, condition.left, condition.right
        yield from _limits(condition, op, left, right, name)
        if op in _MIRRORED:
            yield from _limits(condition, _MIRRORED[op], right, left, name)


def _limits(condition: Binary, op: Op, term: Expr, limit: Expr, name: str) -> Iterator[Limit]:
    match term:
        case Local() if term.name == name:
            yield Limit(condition, op, limit, is_of_size=False)
        case Card(Local() as inner) if inner.name == name and op in _MIRRORED:
            yield Limit(condition, op, limit, is_of_size=True)
        case Binary(Op.PLUS, rest, shift) if op in _MIRRORED:
            yield from _limits(condition, op, rest, Binary(Op.MINUS, limit, shift), name)
        case Binary(Op.MINUS, rest, shift) if op in _MIRRORED:
            yield from _limits(condition, op, rest, Binary(Op.PLUS, limit, shift), name)
        case _:
            return


def narrowed(domain: AnySet, given: tuple[Bound, ...], env: Env) -> AnySet:
    """A part of *domain* with every member that keeps to the bounds *given*."""
    numbers, counts = _Ends([], []), _Ends([], [])
    env.work.go(_STEPS_OF_A_BOUND * (1 + len(given)))
    for bound in given:
        try:
            limit = bound.limit(env)
        except (FaultError, SkipError):
            # What stands before it in the condition may protect it; it bounds nothing.
            continue
        if isinstance(limit, int | Fraction):
            _add(counts if bound.is_of_size else numbers, bound.op, limit)
        if not bound.is_of_size:
            domain = _kept(domain, bound.op, limit)
    if counts.low or counts.high:
        domain = sets.sized(domain, max([0, *counts.low]), min(counts.high, default=None))
    if numbers.low or numbers.high:
        low, high = max(numbers.low, default=None), min(numbers.high, default=None)
        domain = sets.within(domain, low, high)
    return domain


_STEPS_OF_A_BOUND: Final = 8


class _Ends(NamedTuple):
    """The whole numbers that are left are at least each of *low*, and at most each of *high*."""

    low: list[int]
    high: list[int]


def _add(ends: _Ends, op: Op, limit: Number) -> None:
    if op is Op.GT:
        ends.low.append(floor(limit) + 1)
    elif op in {Op.GE, Op.EQ}:
        ends.low.append(ceil(limit))
    if op is Op.LT:
        ends.high.append(ceil(limit) - 1)
    elif op in {Op.LE, Op.EQ}:
        ends.high.append(floor(limit))


def _kept(domain: AnySet, op: Op, limit: Operand) -> AnySet:
    match op:
        case Op.EQ if not isinstance(limit, Unlisted):
            return Both(frozenset({limit}), domain)
        case Op.IN if sets.is_set(limit):
            return Both(limit, domain)
        case Op.SUBSET if sets.is_set(limit):
            return Both(Subsets(limit), domain)
        case _:
            return domain
