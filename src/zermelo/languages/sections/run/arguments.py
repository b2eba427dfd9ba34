"""Which arguments of a move are worth trying in a state: decided from its guards.

Every argument with an effect is among them; others may be. Never is the whole
product of the parameters' sets tried if the guards say more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Final, TypeAlias

from zermelo.core.machine import Fault, FaultError, FaultKind, SkipError, endless
from zermelo.core.values import UNSET, Value
from zermelo.languages.sections.ir import Expr, Let, Local, Parameter
from zermelo.languages.sections.run import sets
from zermelo.languages.sections.run.expressions import SystemExpressions, weight
from zermelo.languages.sections.run.operators import Bound, Code, Env, Missing, TruthCode, narrowed
from zermelo.languages.sections.run.procedures import (
    CallFrame,
    Execution,
    Program,
    Routine,
    VariableStore,
)
from zermelo.languages.sections.run.range_turns import RangeTurns
from zermelo.languages.sections.run.ranges import Range, listed, only
from zermelo.languages.sections.run.sets import LIST_LIMIT, AnySet, Both, Unlisted, product_size
from zermelo.languages.sections.run.sources import (
    EVERYTHING,
    ArgumentPlanner,
    ArgumentStep,
    FromTuples,
    Prefix,
    Question,
    StaticRelation,
    sources,
)
from zermelo.packing.binding_plan import Names, run
from zermelo.text.errors import InternalError

_STEPS_OF_AN_ARGUMENT: Final = 10
TABLE_LIMIT: Final = 200_000
"""Conditions that no state changes are tabulated for up to so many combinations."""


Possible: TypeAlias = Callable[[str], AnySet | None]
"""The values of a parameter that can have an effect in a state; ``None`` if they are endless."""


@dataclass(slots=True)
class Candidates:
    """The arguments worth trying, and what kept others from being listed."""

    arguments: dict[tuple[Value, ...], None] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    left_out: list[Fault] = field(default_factory=list)
    """What is left out of every call, because a formula has no value."""


def too_many_arguments(move: str) -> Fault:
    """The fault of a *move* whose arguments are too many to be listed."""
    message = f"more than {LIST_LIMIT:,} arguments would have to be tried"
    return Fault(FaultKind.UNLISTED, message, move)


def as_unlisted(fault: Fault, move: str) -> Fault:
    """*fault*, met when arguments of a *move* were listed: if endless, they cannot be listed."""
    if fault.kind is not FaultKind.ENDLESS:
        return fault
    return replace(fault, kind=FaultKind.UNLISTED, procedure=fault.procedure or move)


class Arguments:
    """The arguments of one move."""

    def __init__(self, program: Program, routine: Routine, turns: RangeTurns) -> None:
        self._program = program
        self._routine = routine
        self._turns = turns
        self._counter = Counter()
        self._stored = frozenset(variable.name for variable in program.system.stored)

    @property
    def examined(self) -> int:
        return self._counter.count

    def candidates(self, store: VariableStore) -> Candidates:
        """The arguments worth trying where the variables are as in *store*."""
        found = Candidates()
        execution = Execution(self._program, store.fork(), None)
        frame = execution.frame(self._routine, {})
        possible = self._possible(store)
        for source in self._sources:
            try:
                if isinstance(source, Query):
                    found.arguments |= source.solutions(frame.env, possible)
                    continue
                execution.step(frame, source.step)
            except FaultError as stop:
                stop.found_in(self._routine.name, frame.rule.label if frame.rule else None)
                if isinstance(source, Prefix):
                    # Every call comes to this statement.
                    found.faults.append(stop.fault())
                    break
                found.faults.append(as_unlisted(stop.fault(), self._routine.name))
            else:
                if self._has_effect(frame, store):
                    self._add_everything(store, found, possible)
                    break
        found.left_out += execution.left_out
        return found

    def _possible(self, store: VariableStore) -> Possible:
        """The values of a parameter that can have an effect at all, worked out if asked for."""
        asked: dict[str, Range] = {}

        def possible(name: str) -> AnySet | None:
            if not asked:
                values = {variable: only(value) for variable, value in store.values.items()}
                asked.update(self._turns.asked(self._routine, values))
            return listed(asked[name], LIST_LIMIT)

        return possible

    @cached_property
    def _sources(self) -> tuple[Prefix | Query, ...]:
        return tuple(
            source if isinstance(source, Prefix) else self._query(source)
            for source in sources(self._program, self._routine)
        )

    def _query(self, question: Question) -> Query:
        given = self._routine.procedure.parameters
        return Query(self._program.expressions, given, question, counter=self._counter)

    def _add_everything(self, store: VariableStore, found: Candidates, possible: Possible) -> None:
        # The sets of the parameters are those of the state before the call.
        env = Env(store.values, store.facts, {}, work=self._program.expressions.work)
        try:
            found.arguments |= self._query(EVERYTHING).solutions(env, possible)
        except FaultError as stop:
            stop.found_in(self._routine.name, None)
            found.faults.append(as_unlisted(stop.fault(), self._routine.name))

    def _has_effect(self, frame: CallFrame, store: VariableStore) -> bool:
        after = frame.store.values
        if frame.pending:
            after = after | {name: value for name, (value, _) in frame.pending.items()}
        return any(after[name] != store.values[name] for name in self._stored)


class Counter:
    """How many conditions were tested."""

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0


@dataclass(frozen=True, slots=True)
class _ByName:
    """The next parameter gets the members of its set, or of its column, that *limits* leave."""

    name: str
    limits: tuple[Bound, ...]
    table: ArgumentTable | None
    given: tuple[str, ...]
    """The parameters of the table that are bound before."""


@dataclass(frozen=True, slots=True)
class _ByPattern:
    """The next parameters get the components of tuples."""

    names: tuple[str, ...]
    pattern: tuple[Expr, ...]
    source: Code


@dataclass(frozen=True, slots=True)
class _QueryStep:
    """A step of a plan, ready to be run."""

    lets: tuple[tuple[Let, Code], ...]
    tests: tuple[TruthCode, ...]
    generator: _ByName | _ByPattern | None
    weight: int
    """How many steps of work it is to test what it asks."""


class Query:
    """A question about the parameters of one move, ready to be asked in any state.

    What cannot be decided (it has a fault) counts as holding: no argument with an effect may be
    lost.
    """

    def __init__(
        self,
        expressions: SystemExpressions,
        parameters: tuple[Parameter, ...],
        question: Question,
        *,
        counter: Counter,
        is_for_table: bool = False,
    ) -> None:
        self._expressions = expressions
        self._parameters = parameters
        self.names = tuple(parameter.name for parameter in parameters)
        self._domains = {p.name: expressions.set(p.domain) for p in parameters}
        self._domain_exprs = {p.name: p.domain for p in parameters}
        self._question = question
        self._counter = counter
        self._is_for_table = is_for_table
        self._tables: dict[Names, ArgumentTable] = {}
        self._possible: Possible = lambda _: None
        planner = ArgumentPlanner(question, self._domain_exprs, expressions.footprints)
        plan = planner.plan(self._fits, is_of_masks=False)
        self._steps = tuple(map(self._ready, plan.chain()))

    def solutions(self, env: Env, possible: Possible) -> dict[tuple[Value, ...], None]:
        """The arguments that answer the question; where they are endless, the *possible* ones."""
        found: dict[tuple[Value, ...], None] = {}
        self._possible = possible
        if self._is_free and self._has_too_many(env):
            raise endless(too_many_arguments("").message)
        for inner in run(0, env.nested(), decide=self._decided, follow=self._following):
            found[tuple(_value(inner, name) for name in self.names)] = None
            if len(found) > LIST_LIMIT:
                raise endless(too_many_arguments("").message)
        return found

    # Asking

    @cached_property
    def _is_free(self) -> bool:
        """Whether every combination of the parameters is an answer, or none is."""
        return all(
            not step.lets
            and not step.tests
            and isinstance(step.generator, _ByName | None)
            and (step.generator is None or not (step.generator.limits or step.generator.table))
            for step in self._steps[1:]
        )

    def _has_too_many(self, env: Env) -> bool:
        """Whether all combinations answer the question, and are too many: none has to be made."""
        if self._decided(0, env.nested()) is None:
            return False
        try:
            sizes = [sets.size(self._domains[name](env)) for name in self.names]
        except (FaultError, SkipError):
            return False
        # Of a set that is too long by itself a part may matter.
        is_each_short = not any(size.exceeds(LIST_LIMIT) for size in sizes)
        return is_each_short and product_size(sizes).exceeds(LIST_LIMIT)

    def _decided(self, at: int, env: Env) -> Env | None:
        step = self._steps[at]
        env.work.go(step.weight)
        run_lets(step.lets, env)
        for test in step.tests:
            if not self._may_hold(test, env):
                return None
        return env

    def _following(self, at: int, env: Env) -> Iterator[tuple[int, Env]] | None:
        generator = self._steps[at].generator
        return None if generator is None else self._bindings(generator, at + 1, env)

    def _bindings(
        self, generator: _ByName | _ByPattern, following: int, env: Env
    ) -> Iterator[tuple[int, Env]]:
        """Binds the parameters of *generator* in *env*, in each way in turn."""
        behind = (following, env)
        if isinstance(generator, _ByName):
            for value in self._values(generator, env):
                env.locals[generator.name] = value
                yield behind
            return
        for value in self._tuples(generator, env):
            for expr, component in zip(generator.pattern, value, strict=True):
                if isinstance(expr, Local) and expr.name in generator.names:
                    env.locals[expr.name] = component
            if all(self._is_inside(name, env) for name in generator.names):
                yield behind

    def _tuples(self, generator: _ByPattern, env: Env) -> Iterator[tuple[Value, ...]]:
        try:
            source = generator.source(env)
            found = sets.members(source) if sets.is_set(source) else {sets.listed(source)}
        except (FaultError, SkipError):
            # Without the source, every combination of the parameters it would give.
            domains = {n: sets.members(self._domains[n](env)) for n in generator.names}
            fill: Iterable[Value] = (UNSET,)
            found = frozenset(
                product(*(domains.get(getattr(e, "name", ""), fill) for e in generator.pattern))
            )
        for value in found:
            if isinstance(value, tuple) and len(value) == len(generator.pattern):
                yield value

    def _values(self, generator: _ByName, env: Env) -> frozenset[Value]:
        name, table = generator.name, generator.table
        domain: AnySet = (
            self._domains[name](env) if table is None else table.values(name, generator.given, env)
        )
        left = narrowed(domain, generator.limits, env)
        size = sets.size(left)
        if size.exceeds(LIST_LIMIT) and (possible := self._possible(name)) is not None:
            left = Both(possible, left)
        elif size.is_infinite:
            raise endless(
                f"`{name}` ranges over infinitely many values, and no condition of the rules"
                " leaves finitely many of them",
                self._domain_exprs[name],
            )
        found = sets.members(left)
        env.work.members += len(found)
        env.work.go(_STEPS_OF_AN_ARGUMENT * len(found))
        return found

    def _is_inside(self, name: str, env: Env) -> bool:
        value = _value(env, name)
        return sets.contains(self._domains[name](env), value)

    def _may_hold(self, test: TruthCode, env: Env) -> bool:
        self._counter.count += 1
        try:
            return test(env)
        except (FaultError, SkipError):
            return True

    # Getting ready

    def _ready(self, step: ArgumentStep) -> _QueryStep:
        code, truth = self._expressions.code, self._expressions.truth
        return _QueryStep(
            tuple((each, code(each.value)) for each in step.clauses if isinstance(each, Let)),
            tuple(truth(each) for each in step.clauses if not isinstance(each, Let)),
            None if step.is_last else self._generator(step),
            sum(map(weight, step.clauses)),
        )

    def _generator(self, step: ArgumentStep) -> _ByName | _ByPattern:
        code, way = self._expressions.code, step.best()
        if isinstance(way.of, FromTuples):
            return _ByPattern(way.names, way.of.pattern, code(way.of.source))
        name = way.of.name
        limits = tuple(
            Bound(limit.op, code(limit.expr), limit.is_of_size)
            for limit in way.of.known_limits(step.bound)
        )
        if way.of.relation is None:
            return _ByName(name, limits, None, ())
        table = self._table(way.of.relation)
        return _ByName(name, limits, table, tuple(n for n in table.names if n in step.bound))

    def _fits(self, names: Names) -> bool:
        if self._is_for_table:
            return False
        env = self._expressions.env({})
        try:
            sizes = [sets.size(self._domains[name](env)) for name in sorted(names)]
        except (FaultError, SkipError):
            return False
        return not product_size(sizes).exceeds(TABLE_LIMIT)

    def _table(self, relation: StaticRelation) -> ArgumentTable:
        if relation.names not in self._tables:
            query = Query(
                self._expressions,
                tuple(p for p in self._parameters if p.name in relation.names),
                Question(relation.conditions, self._question.lets_for(relation.conditions)),
                counter=self._counter,
                is_for_table=True,
            )
            self._tables[relation.names] = ArgumentTable(query, self._expressions)
        return self._tables[relation.names]


class ArgumentTable:
    """The combinations of parameters that some conditions allow in every state."""

    def __init__(self, query: Query, expressions: SystemExpressions) -> None:
        self._query = query
        self._expressions = expressions
        self.names = query.names
        self._index: dict[tuple[str, ...], dict[tuple[Value, ...], frozenset[Value]]] = {}

    def values(self, name: str, given: tuple[str, ...], env: Env) -> frozenset[Value]:
        """The values of *name* that go with those that the parameters *given* have in *env*."""
        index = self._index.get((name, *given))
        if index is None:
            index = self._index[name, *given] = self._indexed(name, given)
        return index.get(tuple(_value(env, n) for n in given), frozenset())

    def _indexed(
        self, name: str, bound: tuple[str, ...]
    ) -> dict[tuple[Value, ...], frozenset[Value]]:
        at = self.names.index(name)
        keys = [self.names.index(n) for n in bound]
        found: dict[tuple[Value, ...], set[Value]] = {}
        for row in self._rows:
            found.setdefault(tuple(row[key] for key in keys), set()).add(row[at])
        return {key: frozenset(values) for key, values in found.items()}

    @cached_property
    def _rows(self) -> tuple[tuple[Value, ...], ...]:
        return tuple(self._query.solutions(self._expressions.env({}), lambda _: None))


def run_lets(lets: tuple[tuple[Let, Code], ...], env: Env) -> None:
    """Give the names of *lets* their values in *env*; what has none stays without."""
    for let, code in lets:
        try:
            value = code(env)
        except (FaultError, SkipError):
            value = UNSET
        if not let.is_tuple:
            env.locals[let.names[0]] = _NOTHING if value is UNSET else value
        elif isinstance(value, tuple) and len(value) == len(let.names):
            env.locals.update(zip(let.names, value, strict=True))
        else:
            env.locals.update(dict.fromkeys(let.names, _NOTHING))


_NOTHING: Final = Missing("it has no value here")


def _value(env: Env, name: str) -> Value:
    value = env.locals[name]
    if isinstance(value, Missing | Unlisted):
        raise InternalError(f"the argument {name} is not a value")
    return value
