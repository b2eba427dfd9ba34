"""LED expressions evaluated in the plainest way: by walking the tree, with lists for sets.

Slow, and written from the reference, not from the code that it is compared with.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import chain

from zermelo.core.values import FALSE, TRUE, Value, number
from zermelo.languages.led import ir
from zermelo.languages.led.run.values import Arranged

Env = Mapping[str, Value]


class NoValueError(Exception):
    """An expression has no value."""


def evaluate(expr: ir.Expr, env: Env) -> Value:
    """The value of *expr*."""
    match expr:
        case ir.Literal(value):
            return value
        case ir.Local(name):
            return env[name]
        case ir.MakeTuple(items):
            return tuple(evaluate(item, env) for item in items)
        case ir.MakeSet(items):
            return distinct(evaluate(item, env) for item in items)
        case ir.Index(base, index):
            whole, at = evaluate(base, env), evaluate(index, env)
            if isinstance(whole, tuple) and isinstance(at, int) and 1 <= at <= len(whole):
                return whole[at - 1]
            raise NoValueError
        case ir.Slice(base, low, high):
            return piece(evaluate(base, env), evaluate(low, env), evaluate(high, env))
        case ir.MakeRange(low, high):
            return distinct(span(evaluate(low, env), evaluate(high, env)))
        case _:
            return compound(expr, env)


def compound(expr: ir.Expr, env: Env) -> Value:
    """The value of an expression with operators or bound names."""
    match expr:
        case ir.Conjunction(left, right):
            first = truth(evaluate(left, env))
            return as_truth(truth(evaluate(right, env))) if first else FALSE
        case ir.Implication(left, right):
            first = truth(evaluate(left, env))
            return as_truth(truth(evaluate(right, env))) if first else TRUE
        case ir.BinaryOperation(op, left, right):
            return binary(op, evaluate(left, env), evaluate(right, env))
        case ir.UnaryOperation(function, operand):
            return unary(function, evaluate(operand, env))
        case ir.Comprehension(result, sentence):
            return distinct(evaluate(result, each) for each in solutions(sentence, env))
        case ir.Big(op, sentence, body):
            return big(op, [evaluate(body, each) for each in solutions(sentence, env)])
        case ir.Quantification():
            return quantified(expr, env)
        case _:
            raise AssertionError(expr)


def quantified(expr: ir.Quantification, env: Env) -> Value:
    """A quantifier, which looks no further than it must."""
    wanted = expr.quantifier is ir.Quantifier.SOME
    envs: Iterator[Env] = iter([env])
    domain = members(evaluate(expr.domain, env))
    for name in expr.names:
        envs = spread(envs, name, domain)
    for each in envs:
        if truth(evaluate(expr.body, each)) is wanted:
            return as_truth(wanted)
    return as_truth(not wanted)


def spread(envs: Iterator[Env], name: str, domain: tuple[Value, ...]) -> Iterator[Env]:
    """Each of *envs* with each member for *name*."""
    for env in envs:
        for value in domain:
            yield {**env, name: value}


def solutions(sentence: ir.Sentence, env: Env) -> Iterator[Env]:
    """The solutions of *sentence*, one by one."""
    match sentence:
        case ir.Holds(expr):
            if truth(evaluate(expr, env)):
                yield env
        case ir.Is(pattern, value):
            yield from fitted(pattern, evaluate(value, env), env)
        case ir.Member(pattern, domain):
            for each_member in members(evaluate(domain, env)):
                yield from fitted(pattern, each_member, env)
        case ir.BothHold(left, right):
            for each in solutions(left, env):
                yield from solutions(right, each)
        case ir.EitherHolds(left, right):
            yield from once(chain(solutions(left, env), solutions(right, env)))


def once(envs: Iterator[Env]) -> Iterator[Env]:
    """Each of *envs* once."""
    seen: list[Env] = []
    for each in envs:
        if each not in seen:
            seen.append(each)
            yield each


def fitted(pattern: ir.Pattern, value: Value, env: Env) -> Iterator[Env]:
    """*env* with the names of *pattern*, if *value* has its form."""
    match pattern:
        case ir.NewName(name):
            yield {**env, name: value}
        case ir.Same(expr):
            if evaluate(expr, env) == value:
                yield env
        case ir.TuplePattern(items):
            if isinstance(value, tuple) and len(value) == len(items):
                envs = [env]
                for item, part in zip(items, value, strict=True):
                    envs = [more for each in envs for more in fitted(item, part, each)]
                yield from envs


def distinct(values: Iterator[Value]) -> Value:
    """The set of *values*, in the order in which they come."""
    order: list[Value] = []
    for value in values:
        if value not in order:
            order.append(value)
    return Arranged(order)


def members(value: Value) -> tuple[Value, ...]:
    """The members of a set, in order."""
    if not isinstance(value, frozenset):
        raise NoValueError
    return tuple(value)


def truth(value: Value) -> bool:
    """A truth value as Python's."""
    if value not in (TRUE, FALSE):
        raise NoValueError
    return value is TRUE


def as_truth(holds: object) -> Value:
    """Python's truth as a value."""
    return TRUE if holds else FALSE


def numeral(value: Value) -> Fraction:
    """A number."""
    if not isinstance(value, int | Fraction):
        raise NoValueError
    return Fraction(value)


def whole(value: Value) -> int:
    """A whole number."""
    if not isinstance(value, int):
        raise NoValueError
    return value


def span(low: Value, high: Value) -> Iterator[Value]:
    """The whole numbers from *low* to *high*."""
    return iter(range(whole(low), whole(high) + 1))


def piece(base: Value, low: Value, high: Value) -> Value:
    """A slice."""
    first, last = whole(low), whole(high)
    if not isinstance(base, tuple):
        raise NoValueError
    if first > last:
        return ()
    if first < 1 or last > len(base):
        raise NoValueError
    return tuple(base[i - 1] for i in range(first, last + 1))


def plus(a: Value, b: Value) -> Value:
    """Numbers added, tuples joined."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return a + b
    return number(numeral(a) + numeral(b))


def times(a: Value, b: Value) -> Value:
    """Numbers multiplied, pairs of members."""
    if isinstance(a, frozenset) and isinstance(b, frozenset):
        first = members(a)
        if not first:
            return Arranged()
        rest = times(Arranged(first[1:]), b)
        return distinct(iter([*members(rest), *((first[0], each) for each in b)]))
    return number(numeral(a) * numeral(b))


def power(a: Value, b: Value) -> Value:
    """A power."""
    base, exponent = numeral(a), whole(b)
    if base == 0 and exponent <= 0:
        raise NoValueError
    return number(base**exponent)


def modulo(a: Value, b: Value) -> Value:
    """The rest of a division."""
    if whole(b) <= 0:
        whole(a)
        raise NoValueError
    return whole(a) - whole(b) * math.floor(Fraction(whole(a), whole(b)))


def quotient(a: Value, b: Value) -> Value:
    """A quotient."""
    if numeral(b) == 0:
        raise NoValueError
    return number(numeral(a) / numeral(b))


_OPERATIONS: Mapping[ir.Op, Callable[[Value, Value], Value]] = {
    ir.Op.PLUS: plus,
    ir.Op.MINUS: lambda a, b: number(numeral(a) - numeral(b)),
    ir.Op.TIMES: times,
    ir.Op.DIVIDE: quotient,
    ir.Op.MOD: modulo,
    ir.Op.POWER: power,
    ir.Op.UNION: lambda a, b: distinct(iter([*members(a), *members(b)])),
    ir.Op.INTERSECTION: lambda a, b: distinct(x for x in members(a) if x in members(b)),
    ir.Op.DIFFERENCE: lambda a, b: Arranged([x for x in members(a) if x not in members(b)]),
    ir.Op.EQ: lambda a, b: as_truth(a == b),
    ir.Op.NE: lambda a, b: as_truth(a != b),
    ir.Op.LT: lambda a, b: as_truth(numeral(a) < numeral(b)),
    ir.Op.GT: lambda a, b: as_truth(numeral(a) > numeral(b)),
    ir.Op.LE: lambda a, b: as_truth(numeral(a) <= numeral(b)),
    ir.Op.GE: lambda a, b: as_truth(numeral(a) >= numeral(b)),
    ir.Op.IN: lambda a, b: as_truth(a in members(b)),
    ir.Op.SUBSET: lambda a, b: as_truth(set(members(a)) <= set(members(b))),
    ir.Op.OR: lambda a, b: as_truth([truth(a), truth(b)] != [False, False]),
    ir.Op.IFF: lambda a, b: as_truth(truth(a) == truth(b)),
}


def binary(op: ir.Op, a: Value, b: Value) -> Value:
    """A strict operator."""
    if op in (ir.Op.INTERSECTION, ir.Op.DIFFERENCE):
        members(b)
    return _OPERATIONS[op](a, b)


def unary(function: ir.UnaryOp, a: Value) -> Value:
    """An operator on one value."""
    match function:
        case ir.UnaryOp.NOT:
            return as_truth(not truth(a))
        case ir.UnaryOp.POWER_SET:
            return power_set(members(a))
        case ir.UnaryOp.SIZE if isinstance(a, tuple | frozenset):
            return len(a)
        case _:
            value = numeral(a)
    return {
        ir.UnaryOp.NEGATE: number(-value),
        ir.UnaryOp.KEEP: number(value),
        ir.UnaryOp.FLOOR: math.floor(value),
        ir.UnaryOp.CEILING: math.ceil(value),
        ir.UnaryOp.SIZE: number(abs(value)),
    }[function]


def power_set(values: tuple[Value, ...]) -> Value:
    """All subsets."""
    if not values:
        return Arranged([Arranged()])
    without = members(power_set(values[1:]))
    return Arranged([*without, *(Arranged((values[0], *members(each))) for each in without)])


def big(op: ir.BigOp, values: list[Value]) -> Value:
    """An operator over all of *values*."""
    match op:
        case ir.BigOp.SUM:
            return number(sum(map(numeral, values), Fraction(0)))
        case ir.BigOp.PRODUCT:
            return number(math.prod(map(numeral, values), start=Fraction(1)))
        case ir.BigOp.UNION:
            return distinct(each for value in values for each in members(value))
        case ir.BigOp.INTERSECTION:
            sets = [members(value) for value in values]
            first = sets[0] if sets else ()
            return distinct(x for x in first if all(x in each for each in sets))
