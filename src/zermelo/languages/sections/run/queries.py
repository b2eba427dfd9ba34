"""Which arguments satisfy the conditions of a rule, found without trying all of them.

A query asks for the values of a move's parameters under which some conditions
hold in a state. Parameters are bound one after another: by an equation, by
membership in a set that the state gives, by a table of what the conditions that
no state can change allow, or by their own set. What cannot be decided (it has a
fault) counts as holding: no argument with an effect may be lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final

from zermelo.core.machine import FaultError, SkipError, endless
from zermelo.core.values import UNSET, Value
from zermelo.languages.sections.ir import Binary, Expr, Let, Local, Op, Parameter, TupleOf
from zermelo.languages.sections.run import sets
from zermelo.languages.sections.run.bounds import Bound, bounds, narrowed
from zermelo.languages.sections.run.expressions import SystemExpressions as Expressions
from zermelo.languages.sections.run.operators import Code, Env, Missing, TruthCode
from zermelo.languages.sections.run.sets import LIST_LIMIT, AnySet, Unlisted
from zermelo.languages.sections.run.sets import product_size as product_of_sizes
from zermelo.languages.sections.walk import free_locals
from zermelo.text.errors import InternalError

TABLE_LIMIT: Final = 200_000
"""Conditions that no state changes are tabulated for up to so many combinations."""


@dataclass(frozen=True, slots=True)
class Question:
    """Conditions on parameters, with the locals in terms of which they are written."""

    conditions: tuple[Expr, ...]
    lets: tuple[Let, ...] = ()


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
    table: Table | None
    given: tuple[str, ...]
    """The parameters of the table that are bound before."""

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name,)


@dataclass(frozen=True, slots=True)
class _ByPattern:
    """The next parameters get the components of tuples."""

    names: tuple[str, ...]
    pattern: tuple[Expr, ...]
    source: Code


@dataclass(frozen=True, slots=True)
class _Stage:
    generator: _ByName | _ByPattern
    lets: tuple[tuple[Let, Code], ...]
    tests: tuple[TruthCode, ...]


class Query:
    """A question about the parameters of one move, ready to be asked in any state."""

    def __init__(
        self,
        expressions: Expressions,
        parameters: tuple[Parameter, ...],
        question: Question,
        *,
        counter: Counter,
        is_for_table: bool = False,
    ) -> None:
        self._expressions = expressions
        self._parameters = parameters
        self._names = tuple(parameter.name for parameter in parameters)
        self._domains = {p.name: expressions.set(p.domain) for p in parameters}
        self._domain_exprs = {p.name: p.domain for p in parameters}
        self._question = question
        self._counter = counter
        self._needs = needs(self._names, question.lets)
        self._tables = () if is_for_table else self._tabulated()
        tabulated = {id(c) for table in self._tables for c in table.conditions}
        self._conditions = tuple(c for c in question.conditions if id(c) not in tabulated)
        self._closed = tuple(expressions.truth(c) for c in self._conditions if not self._needed(c))
        self._closed_lets = tuple(
            (let, expressions.code(let.value))
            for let in question.lets
            if not self._needed(let.value)
        )
        self._stages = tuple(self._planned())

    def solutions(self, env: Env) -> dict[tuple[Value, ...], None]:
        """The arguments for which the conditions hold or cannot be decided."""
        found: dict[tuple[Value, ...], None] = {}
        inner = env.nested()
        run_lets(self._closed_lets, inner)
        if all(self._may_hold(test, inner) for test in self._closed):
            self._search(inner, 0, found)
        return found

    # Asking

    def _search(self, env: Env, at: int, found: dict[tuple[Value, ...], None]) -> None:
        if at == len(self._stages):
            found[tuple(_value(env, name) for name in self._names)] = None
            if len(found) > LIST_LIMIT:
                raise endless(f"more than {LIST_LIMIT:,} arguments would have to be tried")
            return
        stage = self._stages[at]
        for _ in self._bindings(stage.generator, env):
            run_lets(stage.lets, env)
            if all(self._may_hold(test, env) for test in stage.tests):
                self._search(env, at + 1, found)

    def _bindings(self, generator: _ByName | _ByPattern, env: Env) -> Iterator[None]:
        """Binds the parameters of *generator* in *env*, in each way in turn."""
        if isinstance(generator, _ByName):
            for value in self._values(generator, env):
                env.locals[generator.name] = value
                yield
            return
        for value in self._tuples(generator, env):
            for expr, component in zip(generator.pattern, value, strict=True):
                if isinstance(expr, Local) and expr.name in generator.names:
                    env.locals[expr.name] = component
            if all(self._is_inside(name, env) for name in generator.names):
                yield

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
        if sets.size(left).is_infinite:
            raise endless(
                f"`{name}` ranges over infinitely many values, and no condition of the rules"
                " leaves finitely many of them",
                self._domain_exprs[name],
            )
        found = sets.members(left)
        env.work.add(len(found))
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

    # Planning

    def _needed(self, expr: Expr) -> frozenset[str]:
        """The parameters on which *expr* depends."""
        return frozenset().union(*(self._needs.get(n, frozenset()) for n in free_locals(expr)))

    def _planned(self) -> Iterator[_Stage]:
        bound: frozenset[str] = frozenset()
        lets = [let for let in self._question.lets if self._needed(let.value)]
        conditions = [c for c in self._conditions if self._needed(c)]
        while len(bound) < len(self._names):
            generator = self._best(bound)
            bound |= frozenset(generator.names)
            ready = [let for let in lets if self._needed(let.value) <= bound]
            tests = [c for c in conditions if self._needed(c) <= bound]
            yield _Stage(
                generator,
                tuple((let, self._expressions.code(let.value)) for let in ready),
                tuple(map(self._expressions.truth, tests)),
            )
            lets = [let for let in lets if let not in ready]
            conditions = [c for c in conditions if c not in tests]

    def _best(self, bound: frozenset[str]) -> _ByName | _ByPattern:
        """How to bind the next parameters with the fewest values."""
        return min(self._generators(bound), key=_score)

    def _generators(self, bound: frozenset[str]) -> Iterator[_ByName | _ByPattern]:
        def is_known(expr: Expr) -> bool:
            return self._needed(expr) <= bound

        waiting = [name for name in self._names if name not in bound]
        ready = [n for n in waiting if is_known(self._domain_exprs[n])] or waiting[:1]
        for name in ready:
            limits = bounds(
                name, self._conditions, is_known=is_known, compiled=self._expressions.code
            )
            table = next((t for t in self._tables if name in t.names), None)
            given = () if table is None else tuple(n for n in table.names if n in bound)
            yield _ByName(name, limits, table, given)
        for condition in self._conditions:
            for pattern, source in _patterns(condition):
                names = tuple(n for n in ready if Local(n) in pattern)
                if len(names) > 1 and is_known(source):
                    yield _ByPattern(names, pattern, self._expressions.code(source))

    # Tables

    def _tabulated(self) -> tuple[Table, ...]:
        """Tables of the conditions that read no variable, for parameters that hang together."""
        static = [c for c in self._question.conditions if self._is_static(c)]
        groups: list[tuple[frozenset[str], list[Expr]]] = []
        for condition in static:
            names, conditions = self._needed(condition), [condition]
            for group in [g for g in groups if g[0] & names]:
                groups.remove(group)
                names |= group[0]
                conditions = group[1] + conditions
            groups.append((names, conditions))
        return tuple(
            self._table(names, conditions) for names, conditions in groups if self._fits(names)
        )

    def _is_static(self, condition: Expr) -> bool:
        names = self._needed(condition)
        used = [let.value for let in lets_for((condition,), self._question.lets)]
        domains = [self._domain_exprs[name] for name in names]
        read = (self._expressions.footprints.of(e).reads for e in (condition, *used, *domains))
        locals_left = free_locals(condition) - self._needs.keys()
        return bool(names) and not any(read) and not locals_left

    def _fits(self, names: frozenset[str]) -> bool:
        env = self._expressions.env({})
        try:
            sizes = [sets.size(self._domains[name](env)) for name in sorted(names)]
        except (FaultError, SkipError):
            return False
        return not product_of_sizes(sizes).exceeds(TABLE_LIMIT)

    def _table(self, names: frozenset[str], conditions: list[Expr]) -> Table:
        parameters = tuple(p for p in self._parameters if p.name in names)
        lets = lets_for(conditions, self._question.lets)
        return Table(
            self._expressions,
            parameters,
            Question(tuple(conditions), lets),
            counter=self._counter,
        )


class Table:
    """The combinations of parameters that some conditions allow in every state."""

    def __init__(
        self,
        expressions: Expressions,
        parameters: tuple[Parameter, ...],
        question: Question,
        *,
        counter: Counter,
    ) -> None:
        self._expressions = expressions
        self._parameters = parameters
        self._question = question
        self._counter = counter
        self.names = tuple(parameter.name for parameter in parameters)
        self.conditions = question.conditions
        self._rows: tuple[tuple[Value, ...], ...] | None = None
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
        for row in self._all_rows():
            found.setdefault(tuple(row[key] for key in keys), set()).add(row[at])
        return {key: frozenset(values) for key, values in found.items()}

    def _all_rows(self) -> tuple[tuple[Value, ...], ...]:
        if self._rows is None:
            query = Query(
                self._expressions,
                self._parameters,
                self._question,
                counter=self._counter,
                is_for_table=True,
            )
            self._rows = tuple(query.solutions(self._expressions.env({})))
        return self._rows


def _score(generator: _ByName | _ByPattern) -> int:
    """Fewer values are to be expected from a generator with a lower score."""
    if isinstance(generator, _ByPattern):
        return 2
    ops = {bound.op for bound in generator.limits if not bound.is_of_size}
    if Op.EQ in ops:
        return 0
    if Op.IN in ops:
        return 1
    if generator.table is not None:
        return 3 if generator.given else 5
    return 4 if generator.limits else 6


def _patterns(condition: Expr) -> Iterator[tuple[tuple[Expr, ...], Expr]]:
    """The tuples in *condition* that must be in a set or equal to something."""
    match condition:
        case Binary(Op.IN, TupleOf(items), source):
            yield items, source
        case Binary(Op.EQ, left, right):
            if isinstance(left, TupleOf):
                yield left.items, right
            if isinstance(right, TupleOf):
                yield right.items, left
        case _:
            return


def needs(names: tuple[str, ...], lets: tuple[Let, ...]) -> Mapping[str, frozenset[str]]:
    """The parameters on which each name depends."""
    found = {name: frozenset({name}) for name in names}
    for let in lets:
        used = (found.get(name, frozenset()) for name in free_locals(let.value))
        needed: frozenset[str] = frozenset().union(*used)
        found.update(dict.fromkeys(let.names, needed))
    return found


def lets_for(conditions: Iterable[Expr], lets: tuple[Let, ...]) -> tuple[Let, ...]:
    """Those of *lets* that give *conditions* their names, and those that these need in turn."""
    wanted = {name for condition in conditions for name in free_locals(condition)}
    found: list[Let] = []
    for let in reversed(lets):
        if wanted.intersection(let.names):
            wanted |= free_locals(let.value)
            found.append(let)
    return tuple(reversed(found))


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
