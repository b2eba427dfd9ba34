"""Code that enumerates the arguments worth trying, from what the guards require.

Each question becomes nested loops, one a parameter, as its plan says. A parameter runs over the
bits that are left when its own set is cut down by the sets that conditions name and by a table of
what the conditions that no state changes allow, given the parameters bound before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Final, TypeAlias

from zermelo.core.layout import WORD
from zermelo.core.machine import FaultError, SkipError
from zermelo.core.values import Value
from zermelo.fast.bits import signed
from zermelo.languages.sections.compile.expressions import ExpressionCode
from zermelo.languages.sections.compile.registers import Bound, CodeScope
from zermelo.languages.sections.ir import Expr, Let, Op
from zermelo.languages.sections.run.arguments import run_lets
from zermelo.languages.sections.run.expressions import SystemExpressions
from zermelo.languages.sections.run.operators import Env, Limit, TruthCode
from zermelo.languages.sections.run.sources import (
    EVERYTHING,
    ArgumentPlanner,
    ArgumentStep,
    FromSet,
    FromTuples,
    Question,
    StaticRelation,
)
from zermelo.packing.binding_plan import Names, Way, emit
from zermelo.packing.code import Refused
from zermelo.packing.code_values import (
    NO,
    YES,
    Bits,
    Known,
    Never,
    Truth,
    both,
    is_set,
    mask_of,
    mixed,
    words_of,
)
from zermelo.packing.set_code import CHEAP

LARGEST_TABLE: Final = 1 << 16

Act: TypeAlias = Callable[[dict[str, str]], None]
"""Writes what is done with the codes of the arguments."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A parameter and all values that it may have, in canonical order."""

    name: str
    values: tuple[Value, ...]
    domain: Expr
    is_static: bool
    """Whether its set is the same in every state."""
    is_whole: bool = True
    """Whether *values* are all values it may have, and not only those that can have an effect."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that has been asked, and what it saw."""

    question: Question
    scope: CodeScope


class ArgumentCode:
    """Writes the loops for the arguments of one move."""

    def __init__(
        self,
        code: ExpressionCode,
        axes: Sequence[Axis],
        core: SystemExpressions,
        base: CodeScope,
    ) -> None:
        self._code = code
        self._writer = code.writer
        self._axes = {axis.name: axis for axis in axes}
        self._core = core
        self._base = base
        """What the sets of the parameters see: the state before the call."""
        self._earlier: list[Asked] = []

    def each(self, question: Question, scope: CodeScope, act: Act) -> None:
        """Write *act* for all arguments that answer *question* and none that was asked before."""
        self._write(question, scope, act)
        self._earlier.append(Asked(question, scope))

    def every(self, act: Act) -> None:
        """Write *act* for all arguments that answer no question that was asked before."""
        self._write(EVERYTHING, self._base, act)

    def _write(self, question: Question, scope: CodeScope, act: Act) -> None:
        self._question = question
        self._scope = scope
        self._codes: dict[str, str] = {}
        """The codes of the arguments that are bound."""
        self._limiting: set[int] = set()
        """The conditions that need no test, by their ids: loops keep to them."""
        domains = {name: axis.domain for name, axis in self._axes.items()}
        planner = ArgumentPlanner(question, domains, self._core.footprints)
        plan = planner.plan(self._fits, is_of_masks=True)
        with ExitStack() as self._blocks:
            if emit(plan.start(), decide=self._decide, go_through=self._go_through):
                self._finish(act)

    def _fits(self, names: Names) -> bool:
        return prod(len(self._axes[name].values) for name in names) <= LARGEST_TABLE

    def _decide(self, step: ArgumentStep) -> bool:
        tests: list[Expr] = []
        for clause in step.clauses:
            if isinstance(clause, Let):
                self._scope = self._let(clause, self._scope)
            elif id(clause) not in self._limiting:
                tests.append(clause)
        truth = self._may_hold(tests, self._scope)
        if truth != NO and (truth != YES or not step.bound):
            self._blocks.enter_context(self._writer.block(f"if {truth.code}"))
        return truth != NO

    def _go_through(self, step: ArgumentStep, way: Way[FromSet | FromTuples]) -> None:
        assert isinstance(way.of, FromSet), "code takes no tuples apart"
        axis = self._axes[way.of.name]
        masks: list[Bits] = []
        for limit in way.of.known_limits(step.bound):
            bits = self._as_bits(limit, axis)
            if bits is not None:
                masks.append(bits)
                self._limiting.add(id(limit.condition))
        if way.of.relation is not None:
            masks.append(self._row(way.of.relation, axis, step.bound))
        if not axis.is_static:
            masks.append(self._domain(axis))
        left = self._intersected(axis, masks)
        at = self._blocks.enter_context(self._code.each_bit(left))
        self._codes[axis.name] = at
        rep = self._code.element(at, axis.values)
        self._scope = self._scope.nested({axis.name: Bound(rep)})

    def _finish(self, act: Act) -> None:
        """Unless an earlier question has the same answer."""
        tests = [test for test in map(self._answers, self._earlier) if test != NO]
        if YES in tests:
            return
        joined = " or ".join(test.code for test in tests)
        with self._writer.block(f"if not ({joined})") if tests else nullcontext():
            act(self._codes)

    def _answers(self, asked: Asked) -> Truth:
        scope = asked.scope.nested({name: self._scope.names[name] for name in self._codes})
        for let in asked.question.lets:
            scope = self._let(let, scope)
        return self._may_hold(asked.question.conditions, scope)

    # Conditions

    def _may_hold(self, conditions: Sequence[Expr], scope: CodeScope) -> Truth:
        found = YES
        for condition in conditions:
            found = self._and_may_hold(found, condition, scope)
            if found == NO:
                break
        return found

    def _and_may_hold(self, found: Truth, condition: Expr, scope: CodeScope) -> Truth:
        """*condition* is looked at only where *found* holds, unless that is quick."""
        writer = self._writer
        start, before = writer.mark(), len(writer.lines)
        with writer.block(f"if {found.code}") as block:
            truth = self._one_may_hold(condition, scope)
            is_empty = len(writer.lines) == before + 1
            is_quick = found == YES or is_empty or bool(writer.plain_lines(before + 1, CHEAP))
            if not is_quick:
                kept = writer.name("c")
                writer.emit(f"{kept} = {truth.code}")
        if not is_quick:
            writer.put(start, [f"{kept} = False"])
            writer.implies(kept, found.code, truth.code, blocks=(block,))
            return Truth(kept)
        writer.unwrap(block, before)
        both_hold = both(found, truth)
        writer.implies(both_hold.code, found.code, truth.code)
        return both_hold

    def _one_may_hold(self, condition: Expr, scope: CodeScope) -> Truth:
        self._writer.count_guard()
        self._writer.may_fail = False
        mark = self._writer.mark()
        truth = self._code.truth(condition, scope)
        if self._writer.may_fail:
            self._writer.put(mark, ["e = 0"])
            truth = Truth(self._writer.keep(f"e != 0 or {truth.code}", "c"))
            self._writer.emit("e = 0")
            self._writer.may_fail = False
        return truth

    def _let(self, let: Let, scope: CodeScope) -> CodeScope:
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

    # What a parameter runs over

    def _as_bits(self, limit: Limit, axis: Axis) -> Bits | None:
        """The values of the parameter that *limit* leaves; ``None`` if that is no simple set."""
        lines = len(self._writer.lines)
        self._writer.may_fail = False
        rep = self._code.rep(limit.expr, self._scope)
        if self._writer.may_fail or isinstance(rep, Never):
            # What cannot be decided counts as holding, so it is tested and limits nothing.
            del self._writer.lines[lines:]
            self._writer.may_fail = False
            return None
        if limit.op is not Op.IN:
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

    def _row(self, relation: StaticRelation, axis: Axis, bound: Names) -> Bits:
        given = [self._axes[name] for name in sorted(relation.names & bound)]
        rows = self._rows(relation, axis, tuple(given))
        reps = ((self._scope.names[each.name].rep, each.values) for each in given)
        places = [(self._code.index(rep, values).code, len(values)) for rep, values in reps]
        at = self._writer.keep(mixed(places))
        if len(rows) == 1:
            return Bits(words_of(rows[0], len(axis.values)), axis.values)
        words = []
        for which in range(len(words_of(0, len(axis.values)))):
            column = [signed(row >> (WORD * which)) for row in rows]
            words.append(self._writer.keep(self._writer.look_up(column, at)))
        return Bits(tuple(words), axis.values)

    def _rows(self, relation: StaticRelation, axis: Axis, given: tuple[Axis, ...]) -> list[int]:
        """For each combination of the parameters *given*, the mask of what is possible."""
        others = [
            self._axes[name]
            for name in sorted(relation.names)
            if name != axis.name and self._axes[name] not in given
        ]
        lets = tuple(
            (let, self._core.code(let.value))
            for let in self._question.lets_for(relation.conditions)
        )
        truths = tuple(map(self._core.truth, relation.conditions))

        def is_allowed(names: dict[str, Value]) -> bool:
            env = self._core.env({}, names)
            run_lets(lets, env)
            return all(_may_hold(truth, env) for truth in truths)

        rows = []
        for known in _assignments(given):
            allowed = [
                value
                for value in axis.values
                if any(
                    is_allowed({**known, axis.name: value, **rest}) for rest in _assignments(others)
                )
            ]
            rows.append(mask_of(axis.values, allowed))
        return rows


def _assignments(axes: Sequence[Axis]) -> Iterator[dict[str, Value]]:
    for values in product(*(axis.values for axis in axes)):
        yield {axis.name: value for axis, value in zip(axes, values, strict=True)}


def _may_hold(truth: TruthCode, env: Env) -> bool:
    try:
        return truth(env)
    except (FaultError, SkipError):
        return True
