"""The meaning of what binds names: builders, quantifiers and sums.

No answer depends on the order in which members are gone through. ``∃`` holds if
some member makes it hold, whatever others do; a fault is that of the first
member, in canonical order, that has one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from zermelo.core.faults import ExhaustedError, FaultError, SkipError
from zermelo.core.values import Number, Value, in_order
from zermelo.languages.sections.ir import Binder, Fold, FoldKind
from zermelo.languages.sections.run import sets
from zermelo.languages.sections.run.bounds import Bound, narrowed
from zermelo.languages.sections.run.env import (
    Code,
    Env,
    Missing,
    NumberCode,
    SetCode,
    TruthCode,
    ValueCode,
)
from zermelo.languages.sections.run.operators import in_bounds, located
from zermelo.languages.sections.run.sets import SETTLE_LIMIT, AnySet, Filtered, Operand, Tuples


@dataclass(frozen=True, slots=True)
class Loop:
    """A binder, ready to go through the members of its domain."""

    binder: Binder
    domain: SetCode
    bounds: tuple[tuple[Bound, ...], ...]
    """What the conditions say about each name."""

    def members(self, env: Env) -> frozenset[Value]:
        """The members that are to be gone through."""
        domain = self.domain(env)
        if isinstance(domain, frozenset):
            found = domain
        else:
            whole = self.narrowed(domain, env)
            found = located(self.binder.domain, lambda: sets.members(whole))
        env.work.add(len(found))
        return found

    def narrowed(self, domain: AnySet, env: Env) -> AnySet:
        """*domain*, or where it is long a part of it that the conditions leave."""
        if not sets.size(domain).exceeds(SETTLE_LIMIT):
            return domain
        if not self.binder.is_tuple:
            return narrowed(domain, self.bounds[0], env)
        if isinstance(domain, Tuples) and len(domain.factors) == len(self.bounds):
            factors = zip(domain.factors, self.bounds, strict=True)
            return Tuples(tuple(narrowed(factor, limits, env) for factor, limits in factors))
        return domain

    def bind(self, names: dict[str, Operand | Missing], member: Value) -> bool:
        """Give the names their values; whether *member* has the shape that the binder asks for."""
        if not self.binder.is_tuple:
            names[self.binder.names[0]] = member
            return True
        if not isinstance(member, tuple) or len(member) != len(self.binder.names):
            return False
        components = dict(zip(self.binder.names, member, strict=True))
        names.update(components)
        # A name that occurs twice asks for equal components.
        return len(components) == len(member) or all(
            components[name] == value for name, value in zip(self.binder.names, member, strict=True)
        )


def quantified(loop: Loop, body: TruthCode, *, wanted: bool) -> TruthCode:
    """Whether some member makes *body* what is *wanted*: true for ∃; false, and then not, for ∀."""

    def found(env: Env, chosen: Iterable[Value]) -> bool:
        inner = env.nested()
        names, bind = inner.locals, loop.bind
        for member in chosen:  # noqa: SIM110 - any() would cost twice as much, and this is hot
            if bind(names, member) and body(inner) is wanted:
                return True
        return False

    def holds(env: Env) -> bool:
        chosen = loop.members(env)
        try:
            return found(env, chosen) is wanted
        except ExhaustedError:
            raise
        except (FaultError, SkipError) as failure:
            if any(_or_false(found, env, member) for member in chosen):
                return wanted
            found(env, in_order(chosen))
            raise failure from None

    return holds


def _or_false(found: Callable[[Env, Iterable[Value]], bool], env: Env, member: Value) -> bool:
    try:
        return found(env, (member,))
    except (FaultError, SkipError):
        return False


@dataclass(frozen=True, slots=True)
class Search:
    """The binders of a builder with the conditions to test after each, in their order."""

    loops: tuple[Loop, ...]
    conditions: tuple[tuple[TruthCode, ...], ...]

    def solutions(self, env: Env, result: Callable[[Env], Value]) -> frozenset[Value]:
        """*result* wherever the conditions hold."""
        inner = env.nested()
        try:
            return frozenset(result(inner) for _ in self._steps(inner, 0, _as_they_come))
        except (FaultError, SkipError):
            return frozenset(result(inner) for _ in self._steps(inner, 0, in_order))

    def _steps(
        self, env: Env, at: int, ordered: Callable[[frozenset[Value]], Iterable[Value]]
    ) -> Iterator[None]:
        if at == len(self.loops):
            yield
            return
        loop, tests = self.loops[at], self.conditions[at]
        for member in ordered(loop.members(env)):
            if loop.bind(env.locals, member) and all(test(env) for test in tests):
                yield from self._steps(env, at + 1, ordered)


def _as_they_come(found: frozenset[Value]) -> Iterable[Value]:
    return found


def builder(search: Search, result: ValueCode) -> Code:
    """``{result | …}``: listed."""
    return lambda env: search.solutions(env, result)


def selection(loop: Loop, condition: TruthCode) -> Code:
    """``{x ∈ D | …}``: a part of its domain, listed only if that is short."""

    def value(env: Env) -> Operand:
        domain = loop.domain(env)
        candidates = domain if isinstance(domain, frozenset) else loop.narrowed(domain, env)
        if sets.size(candidates).exceeds(SETTLE_LIMIT):
            return _lazily(loop, condition, domain, env.snapshot())
        return _selected(
            loop, condition, located(loop.binder.domain, lambda: sets.members(candidates)), env
        )

    return value


def _selected(
    loop: Loop, condition: TruthCode, chosen: frozenset[Value], env: Env
) -> frozenset[Value]:
    env.work.add(len(chosen))
    inner = env.nested()
    names, bind = inner.locals, loop.bind
    try:
        return frozenset(m for m in chosen if bind(names, m) and condition(inner))
    except (FaultError, SkipError):
        return frozenset(m for m in in_order(chosen) if bind(names, m) and condition(inner))


def _lazily(loop: Loop, condition: TruthCode, domain: AnySet, env: Env) -> Filtered:
    def holds(member: Value) -> bool:
        env.work.add(1)
        return loop.bind(env.locals, member) and condition(env)

    return Filtered(domain, holds, lambda: loop.narrowed(domain, env))


def fold(expr: Fold, loop: Loop, body: NumberCode) -> NumberCode:
    """``∑`` and ``∏`` over the members of a set."""
    is_sum = expr.kind is FoldKind.SUM

    def folded(env: Env, chosen: Iterable[Value]) -> Number:
        inner = env.nested()
        result: Number = 0 if is_sum else 1
        for member in chosen:
            if loop.bind(inner.locals, member):
                term = body(inner)
                result = in_bounds(result + term if is_sum else result * term, expr)
        return result

    def value(env: Env) -> Number:
        chosen = loop.members(env)
        try:
            return folded(env, chosen)
        except (FaultError, SkipError):
            return folded(env, in_order(chosen))

    return value
