"""Code that enumerates the arguments worth trying, from what the guards require.

``core.sources`` says where effects can come from; here each question becomes
nested loops, one a parameter. A parameter runs over the bits that are left when
its own set is cut down by the sets that conditions name and by a table of what
the conditions that no state changes allow, given the parameters bound before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, TypeAlias

from zermelo.core.layout import WORD
from zermelo.core.machine import FaultError, SkipError
from zermelo.core.values import Value
from zermelo.fast.bits import signed
from zermelo.languages.sections.compile.expressions import ExpressionCode
from zermelo.languages.sections.compile.generated_code import Axis
from zermelo.languages.sections.compile.registers import Bound
from zermelo.languages.sections.compile.registers import CodeScope as Scope
from zermelo.languages.sections.ir import Binary, Expr, Let, Local, Op
from zermelo.languages.sections.run.expressions import SystemExpressions as Expressions
from zermelo.languages.sections.run.operators import Env, TruthCode
from zermelo.languages.sections.run.queries import Question, lets_for, needs, run_lets
from zermelo.languages.sections.walk import free_locals
from zermelo.packing.code import Refused
from zermelo.packing.code_values import (
    NO,
    YES,
    Bits,
    Known,
    Never,
    Truth,
    is_set,
    mask_of,
    words_of,
)

LARGEST_TABLE: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Relation:
    """Conditions that no state changes, and the parameters they are about."""

    names: frozenset[str]
    conditions: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that has been asked, and what it saw."""

    question: Question
    scope: Scope


Act: TypeAlias = Callable[[dict[str, str]], None]
"""Writes what is done with the codes of the arguments."""


@dataclass(frozen=True, slots=True)
class Limit:
    """The set that a parameter is in, or the value that it has."""

    expr: Expr
    is_set: bool


def limited(condition: Expr, name: str) -> Limit | None:
    """What *condition* says the parameter called *name* is or is in."""
    match condition:
        case Binary(Op.IN, Local(parameter), expr) if parameter == name:
            return Limit(expr, is_set=True)
        case Binary(Op.EQ, Local(parameter), expr) if parameter == name:
            return Limit(expr, is_set=False)
        case Binary(Op.EQ, expr, Local(parameter)) if parameter == name:
            return Limit(expr, is_set=False)
        case _:
            return None


class ArgumentCode:
    """Writes the loops for the arguments of one move."""

    def __init__(
        self, code: ExpressionCode, axes: Sequence[Axis], core: Expressions, base: Scope
    ) -> None:
        self.code = code
        self.axes = {axis.name: axis for axis in axes}
        self.core = core
        self.base = base
        """What the sets of the parameters see: the state before the call."""
        self.asked: list[Asked] = []

    def each(self, question: Question, scope: Scope, act: Act) -> None:
        """Write *act* for all arguments that answer *question* and none that was asked before."""
        _Loops(self, question, scope, act).write()
        self.asked.append(Asked(question, scope))

    def every(self, act: Act) -> None:
        """Write *act* for all arguments that answer no question that was asked before."""
        _Loops(self, Question(()), self.base, act).write()


class _Loops:
    """The nested loops of one question."""

    def __init__(self, owner: ArgumentCode, question: Question, scope: Scope, act: Act) -> None:
        self._code = owner.code
        self._writer = owner.code.writer
        self._axes = owner.axes
        self._core = owner.core
        self._base = owner.base
        self._earlier = tuple(owner.asked)
        self._question = question
        self._act = act
        self._scope = scope
        self._needs = needs(tuple(self._axes), question.lets)
        self._relations = self._related()
        related = {id(c) for relation in self._relations for c in relation.conditions}
        self._conditions = [c for c in question.conditions if id(c) not in related]

    def write(self) -> None:
        """Conditions without parameters first, then the loops."""
        closed = [c for c in self._conditions if not self._needed(c)]
        scope = self._with_lets(self._scope, frozenset(), frozenset())
        truth = self._may_hold(closed, scope)
        if truth == NO:
            return
        with self._writer.block(f"if {truth.code}"):
            self._bind({}, scope)

    def _bind(self, codes: dict[str, str], scope: Scope) -> None:
        bound = frozenset(codes)
        if len(bound) == len(self._axes):
            self._finish(codes, scope)
            return
        axis, masks, used = self._next(bound, scope)
        tests = [
            c
            for c in self._conditions
            if self._needed(c)
            and self._needed(c) <= bound | {axis.name}
            and not self._needed(c) <= bound
            and id(c) not in used
        ]
        left = self._intersected(axis, masks)
        with self._code.each_bit(left) as at:
            rep = self._code.element(at, axis.values)
            inner = scope.nested({axis.name: Bound(rep)})
            now = bound | {axis.name}
            inner = self._with_lets(inner, bound, now)
            truth = self._may_hold(tests, inner)
            if truth == YES:
                self._bind({**codes, axis.name: at}, inner)
            elif truth != NO:
                with self._writer.block(f"if {truth.code}"):
                    self._bind({**codes, axis.name: at}, inner)

    def _finish(self, codes: dict[str, str], scope: Scope) -> None:
        """Unless an earlier question has the same answer."""
        tests = [self._answers(asked, codes, scope) for asked in self._earlier]
        tests = [test for test in tests if test != NO]
        if YES in tests:
            return
        if not tests:
            self._act(codes)
            return
        joined = " or ".join(test.code for test in tests)
        with self._writer.block(f"if not ({joined})"):
            self._act(codes)

    def _answers(self, asked: Asked, codes: dict[str, str], scope: Scope) -> Truth:
        names = {name: scope.names[name] for name in codes}
        inner = asked.scope.nested(names)
        for let in asked.question.lets:
            inner = self._let(let, inner)
        return self._may_hold(asked.question.conditions, inner)

    # Conditions

    def _may_hold(self, conditions: Sequence[Expr], scope: Scope) -> Truth:
        """Whether all of *conditions* hold or cannot be decided."""
        found = YES
        for condition in conditions:
            self._writer.count_guard()
            self._writer.may_fail = False
            mark = self._writer.mark()
            truth = self._code.truth(condition, scope)
            if self._writer.may_fail:
                self._writer.put(mark, ["e = 0"])
                truth = Truth(self._writer.keep(f"e != 0 or {truth.code}", "c"))
                self._writer.emit("e = 0")
                self._writer.may_fail = False
            if truth == NO:
                return NO
            if truth != YES:
                found = truth if found == YES else Truth(f"({found.code} and {truth.code})")
        return found

    def _with_lets(self, scope: Scope, before: frozenset[str], now: frozenset[str]) -> Scope:
        """*scope* with the locals that have become known."""
        for let in self._question.lets:
            needed = self._needed(let.value)
            if needed <= now and (not needed <= before or (not before and not now)):
                scope = self._let(let, scope)
        return scope

    def _let(self, let: Let, scope: Scope) -> Scope:
        self._writer.may_fail = False
        rep = self._code.rep(let.value, scope)
        if self._writer.may_fail:
            raise Refused("a local that may have no value decides about a move's arguments", let)
        if not let.is_tuple:
            return scope.nested({let.names[0]: Bound(rep)})
        parts = self._code.components(rep, len(let.names))
        if parts is None:
            raise Refused("a local that is taken apart and is no tuple", let)
        return scope.nested({n: Bound(p) for n, p in zip(let.names, parts, strict=True)})

    def _needed(self, expr: Expr) -> frozenset[str]:
        return frozenset().union(*(self._needs.get(n, frozenset()) for n in free_locals(expr)))

    # Which parameter comes next, and what it runs over

    def _next(self, bound: frozenset[str], scope: Scope) -> tuple[Axis, list[Bits], frozenset[int]]:
        waiting = [axis for name, axis in self._axes.items() if name not in bound]
        ready = [a for a in waiting if free_locals(a.domain) & self._axes.keys() <= bound]
        axis = min(ready or waiting[:1], key=lambda a: self._score(a, bound))
        masks: list[Bits] = []
        used: set[int] = set()
        for condition in self._conditions:
            limit = self._limit(condition, axis, bound)
            if limit is None:
                continue
            bits = self._as_bits(limit, axis, scope)
            if bits is not None:
                masks.append(bits)
                used.add(id(condition))
        related = [r for r in self._relations if axis.name in r.names]
        masks += [self._row(relation, axis, bound, scope) for relation in related]
        if not axis.is_static:
            masks.append(self._domain(axis))
        return axis, masks, frozenset(used)

    def _score(self, axis: Axis, bound: frozenset[str]) -> int:
        """Fewer values are to be expected from a parameter with a lower score."""
        limits = [c for c in self._conditions if self._limit(c, axis, bound) is not None]
        if any(isinstance(c, Binary) and c.op is Op.EQ for c in limits):
            return 0
        related = any(axis.name in r.names and r.names & bound for r in self._relations)
        if limits:
            return 1
        return 2 if related else 3

    def _limit(self, condition: Expr, axis: Axis, bound: frozenset[str]) -> Expr | None:
        """The set that *condition* says the parameter is in, or the value it has."""
        limit = limited(condition, axis.name)
        return limit.expr if limit is not None and self._needed(limit.expr) <= bound else None

    def _as_bits(self, limit: Expr, axis: Axis, scope: Scope) -> Bits | None:
        """The values of the parameter that *limit* leaves; ``None`` if that is no simple set."""
        condition = next(
            c for c in self._conditions if self._limit(c, axis, frozenset(self._axes)) is limit
        )
        lines = len(self._writer.lines)
        self._writer.may_fail = False
        rep = self._code.rep(limit, scope)
        is_member = isinstance(condition, Binary) and condition.op is Op.IN
        if self._writer.may_fail or isinstance(rep, Never):
            # What cannot be decided counts as holding, so it is tested and limits nothing.
            del self._writer.lines[lines:]
            self._writer.may_fail = False
            return None
        if not is_member:
            at = self._code.index(rep, axis.values)
            bits = self._code.empty_bits(axis.values)
            with self._writer.block(f"if {at.code} >= 0"):
                self._code.set_bit(bits, at.code)
            return bits
        if not is_set(rep) or not isinstance(rep, Bits | Known):
            del self._writer.lines[lines:]
            return None
        return self._code.cover(rep, axis.values).bits

    def _domain(self, axis: Axis) -> Bits:
        self._writer.may_fail = False
        rep = self._code.rep(axis.domain, self._base)
        if self._writer.may_fail:
            raise Refused("a parameter whose set may have no value", axis.domain)
        return self._code.cover(rep, axis.values).bits

    def _intersected(self, axis: Axis, masks: list[Bits]) -> Bits:
        if not masks:
            words = words_of((1 << len(axis.values)) - 1, len(axis.values))
            return Bits(words, axis.values)
        if len(masks) == 1:
            return masks[0]
        words = tuple(
            self._writer.keep(" & ".join(mask.words[at] for mask in masks))
            for at in range(len(masks[0].words))
        )
        return Bits(words, axis.values)

    # Conditions that no state changes

    def _related(self) -> tuple[Relation, ...]:
        groups: list[Relation] = []
        for condition in self._question.conditions:
            names = self._needed(condition)
            if not names or not self._is_static(condition, names):
                continue
            conditions = [condition]
            for group in [g for g in groups if g.names & names]:
                groups.remove(group)
                names |= group.names
                conditions = [*group.conditions, *conditions]
            groups.append(Relation(names, tuple(conditions)))
        return tuple(group for group in groups if self._size(group.names) <= LARGEST_TABLE)

    def _size(self, names: frozenset[str]) -> int:
        size = 1
        for name in names:
            size *= len(self._axes[name].values)
        return size

    def _is_static(self, condition: Expr, names: frozenset[str]) -> bool:
        if not all(self._axes[name].is_static for name in names):
            return False
        used = [let.value for let in lets_for((condition,), self._question.lets)]
        reads = (self._core.footprints.of(expr).reads for expr in (condition, *used))
        return not any(reads) and not free_locals(condition) - self._needs.keys()

    def _row(self, relation: Relation, axis: Axis, bound: frozenset[str], scope: Scope) -> Bits:
        """The values of the parameter that go with those bound before."""
        given = [self._axes[name] for name in sorted(relation.names & bound)]
        rows = self._rows(relation, axis, tuple(given))
        at = "0"
        for other in given:
            code = self._code.index(scope.names[other.name].rep, other.values).code
            at = code if at == "0" else f"({at} * {len(other.values)} + {code})"
        at = self._writer.keep(at)
        count = max(1, -(-len(axis.values) // WORD))
        words = []
        for which in range(count):
            column = [signed(row >> (WORD * which)) for row in rows]
            if len(column) == 1:
                words.append(words_of(column[0], WORD)[0])
            else:
                words.append(self._writer.keep(self._writer.look_up(column, at)))
        return Bits(tuple(words), axis.values)

    def _rows(self, relation: Relation, axis: Axis, given: tuple[Axis, ...]) -> list[int]:
        """For each combination of the parameters *given*, the mask of what is possible."""
        others = [
            self._axes[name]
            for name in sorted(relation.names)
            if name != axis.name and self._axes[name] not in given
        ]
        lets = tuple(
            (let, self._core.code(let.value))
            for let in lets_for(relation.conditions, self._question.lets)
        )
        truths = tuple(map(self._core.truth, relation.conditions))

        def is_allowed(names: dict[str, Value]) -> bool:
            env = self._core.env({}, names)
            run_lets(lets, env)
            return all(_may_hold(truth, env) for truth in truths)

        rows = []
        for values in product(*(other.values for other in given)):
            known = {other.name: value for other, value in zip(given, values, strict=True)}
            allowed = [
                value
                for value in axis.values
                if any(
                    is_allowed(
                        known
                        | {axis.name: value}
                        | {o.name: v for o, v in zip(others, rest, strict=True)}
                    )
                    for rest in product(*(other.values for other in others))
                )
            ]
            rows.append(mask_of(axis.values, allowed))
        return rows


def _may_hold(truth: TruthCode, env: Env) -> bool:
    """Whether a condition holds or cannot be decided."""
    try:
        return truth(env)
    except (FaultError, SkipError):
        return True
