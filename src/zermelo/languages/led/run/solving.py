"""Sentences that can be solved, compiled: each solution is handed on as it is found.

What comes after a sentence is compiled into it, so that solving is a chain of calls
within one frame; whoever has seen enough answers true, and the rest is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias, assert_never

from zermelo.core.values import Other, SortKey, Value
from zermelo.languages.led import ir
from zermelo.languages.led.run import operations
from zermelo.languages.led.run.closures import Closure, Frame, Test
from zermelo.languages.led.run.meter import Meter
from zermelo.languages.led.run.pretty import plain
from zermelo.languages.led.run.values import Undefined
from zermelo.languages.led.run.walk import binds

Env: TypeAlias = Mapping[str, int]
"""Where the value of each local name stands in the frame."""

Domain: TypeAlias = Callable[[Frame], Sequence[Value] | frozenset[Value]]
Matcher: TypeAlias = Callable[[Value, Frame], bool]


class Expressions(Protocol):
    """Whatever compiles the expressions inside sentences."""

    meter: Meter

    def expr(self, expr: ir.Expr, env: Env) -> Closure:
        """The closure of *expr*."""

    def test(self, expr: ir.Expr, env: Env, *, what: str) -> Test:
        """The test of *expr*, which *what* needs to be a truth value."""

    def slot(self) -> int:
        """A new place in the frame."""


def extended(within: Expressions, env: Env, names: Sequence[str]) -> Env:
    """*env* with places for *names*."""
    return {**env, **{name: within.slot() for name in names}}


def solve(within: Expressions, sentence: ir.Sentence, env: Env, *, then: Test) -> Test:
    """Runs *then* for every solution of *sentence* until it answers true.

    *env* has places for the names that the sentence binds.
    """
    match sentence:
        case ir.Holds(expr):
            return _guarded(within.test(expr, env, what="a condition"), then)
        case ir.Is(pattern, value):
            return _equation(within, pattern, value, env=env, then=then)
        case ir.Member(pattern, domain):
            return _choice(within, pattern, domain, env=env, then=then)
        case ir.Both(left, right):
            return solve(within, left, env, then=solve(within, right, env, then=then))
        case ir.Either(left, right):
            return _either(within, sentence, env, then=then)
        case _:
            assert_never(sentence)


def _guarded(condition: Test, then: Test) -> Test:
    def run(frame: Frame) -> bool:
        return condition(frame) and then(frame)

    return run


def _equation(
    within: Expressions, pattern: ir.Pattern, value: ir.Expr, *, env: Env, then: Test
) -> Test:
    compiled = within.expr(value, env)
    if isinstance(pattern, ir.Bound):
        place = env[pattern.name]

        def bind(frame: Frame) -> bool:
            frame[place] = compiled(frame)
            return then(frame)

        return bind
    fits = matcher(within, pattern, env)

    def run(frame: Frame) -> bool:
        return fits(compiled(frame), frame) and then(frame)

    return run


def _choice(
    within: Expressions, pattern: ir.Pattern, domain: ir.Expr, *, env: Env, then: Test
) -> Test:
    members = domain_of(within, domain, env)
    meter = within.meter
    if isinstance(pattern, ir.Bound):
        place = env[pattern.name]

        def bind(frame: Frame) -> bool:
            for value in members(frame):
                meter.left -= 1
                if meter.left < 0:
                    raise meter.exhausted().at(domain.span)
                frame[place] = value
                if then(frame):
                    return True
            return False

        return bind
    fits = matcher(within, pattern, env)

    def run(frame: Frame) -> bool:
        for value in members(frame):
            meter.left -= 1
            if meter.left < 0:
                raise meter.exhausted().at(domain.span)
            if fits(value, frame) and then(frame):
                return True
        return False

    return run


def _either(within: Expressions, sentence: ir.Either, env: Env, *, then: Test) -> Test:
    # The same values of the bound names count once, whichever side they come from.
    places = tuple(env[name] for name in binds(sentence))
    seen_at = within.slot()

    def once(frame: Frame) -> bool:
        values = tuple([frame[place] for place in places])
        seen = frame[seen_at]
        if isinstance(seen, Notes) and values in seen.made:
            return False
        if isinstance(seen, Notes):
            seen.made[values] = None
        return then(frame)

    left = solve(within, sentence.left, env, then=once)
    right = solve(within, sentence.right, env, then=once)

    def run(frame: Frame) -> bool:
        frame[seen_at] = Notes()
        return left(frame) or right(frame)

    return run


class Notes(Other):
    """What was found so far, kept in a frame while solutions come in; never seen outside."""

    __slots__ = ("made", "members", "total")

    def __init__(self) -> None:
        self.made: dict[Value, None] = {}
        self.total: Value = 0
        self.members: Sequence[Value] | frozenset[Value] = ()

    def sort_key(self) -> SortKey:
        """It stands nowhere."""
        return ()

    def __str__(self) -> str:
        return "solutions"


def domain_of(within: Expressions, domain: ir.Expr, env: Env) -> Domain:
    """The members of a set, one by one; an interval is not listed for it."""
    if isinstance(domain, ir.RangeOf):
        low, high = within.expr(domain.low, env), within.expr(domain.high, env)

        def numbers(frame: Frame) -> range:
            try:
                return operations.interval(low(frame), high(frame))
            except Undefined as fault:
                raise fault.at(domain.span) from None

        return numbers
    compiled = within.expr(domain, env)

    def members(frame: Frame) -> frozenset[Value]:
        found = compiled(frame)
        if isinstance(found, frozenset):
            return found
        raise Undefined(f"a set is needed here, and this is {plain(found)}").at(domain.span)

    return members


def matcher(within: Expressions, pattern: ir.Pattern, env: Env) -> Matcher:
    """Whether a value has the form of *pattern*; binds the names in it."""
    match pattern:
        case ir.Bound(name):
            return _binder(env[name])
        case ir.Same(expr):
            wanted = within.expr(expr, env)
            return lambda value, frame: value == wanted(frame)
        case ir.TuplePattern(items):
            return _components(tuple(matcher(within, item, env) for item in items))
        case _:
            assert_never(pattern)


def _binder(place: int) -> Matcher:
    def run(value: Value, frame: Frame) -> bool:
        frame[place] = value
        return True

    return run


def _components(items: tuple[Matcher, ...]) -> Matcher:
    count = len(items)

    def run(value: Value, frame: Frame) -> bool:
        if not isinstance(value, tuple) or len(value) != count:
            return False
        fit = True
        for fits, each in zip(items, value, strict=True):
            fit = fit and fits(each, frame)
        return fit

    return run
