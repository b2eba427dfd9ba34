"""The meaning of expressions.

Each expression becomes a closure from what it sees (``Env``) to its value, made once
for a system. An expression that depends on nothing is computed once, when
it is first asked for, and so is every named set.

No answer depends on the order in which members of a set are gone through. ``∃`` holds if some
member makes it hold, whatever others do; a fault is that of the first member, in canonical
order, that has one. Whoever meets a fault goes on and keeps the first one: where loops are
nested, what is worked out again would be so very often.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import ceil, floor
from typing import Final, TypeAlias, TypeVar, assert_never

from zermelo.core.machine import FaultError, SkipError, undefined
from zermelo.core.values import (
    FALSE,
    TRUE,
    UNSET,
    Number,
    SortKey,
    Value,
    in_order,
    sort_key,
)
from zermelo.languages.sections.ir import (
    Abs,
    And,
    Apply,
    Binary,
    Binder,
    Card,
    Ceiling,
    Comprehension,
    Expr,
    Floor,
    Fold,
    FoldKind,
    Literal,
    Local,
    Negate,
    Node,
    Not,
    NumberSet,
    Only,
    Op,
    Or,
    PowerSet,
    Product,
    Quantified,
    QuantifierKind,
    Range,
    Ref,
    SetOf,
    System,
    TupleOf,
    VariableRole,
)
from zermelo.languages.sections.printer import is_pattern, to_text
from zermelo.languages.sections.run import operators, sets
from zermelo.languages.sections.run.operators import (
    Bound,
    Code,
    Env,
    FactValues,
    Missing,
    NumberCode,
    SetCode,
    TruthCode,
    ValueCode,
    Work,
    as_number,
    as_set,
    as_truth,
    as_value,
    bounds,
    in_bounds,
    located,
    narrowed,
    steps_of_fractions,
)
from zermelo.languages.sections.run.sets import (
    SETTLE_LIMIT,
    AnySet,
    Filtered,
    NumberInterval,
    Numbers,
    Operand,
    Subsets,
    Tuples,
    Unlisted,
)
from zermelo.languages.sections.walk import (
    Footprints,
    children,
    conjuncts,
    depth,
    free_locals,
    parts,
)
from zermelo.text.budget import spend

T = TypeVar("T")
_MEMO_LIMIT: Final = 4096
_STEPS_TO_PREPARE: Final = 45
_CALLS_TO_PREPARE: Final = 8
_CALLS_OF_A_LEVEL: Final = 4
"""How many of Python's calls a level of an expression takes."""
_UNSET: Final = Literal(UNSET)


class SystemExpressions:
    """The expressions of one system, ready to be evaluated."""

    def __init__(self, system: System) -> None:
        self.footprints = Footprints(system)
        self.work = Work()
        self._variables = {variable.name: variable for variable in system.variables}
        self._sets = {definition.name: definition.value for definition in system.sets}
        self._functions = {function.name: function for function in system.functions}
        self._set_codes: dict[str, Code] = {}
        self._bodies: dict[str, Code] = {}
        self._constant: dict[int, tuple[Node, bool]] = {}
        self._memos: dict[str, dict[tuple[Operand, ...], Operand]] = {}
        self._dependents = self.footprints.dependents()
        self._definitions: dict[str, Code] = {
            v.name: self._later(v.definition)
            for v in system.variables
            if v.role is VariableRole.DEFINED and v.definition is not None
        }

    def env(
        self, values: dict[str, Value], names: Mapping[str, Operand | Missing] | None = None
    ) -> Env:
        facts = FactValues(self._definitions, self._dependents, values, self.work)
        return Env(values, facts, dict(names or {}), work=self.work)

    # What is asked for

    def value(self, expr: Expr) -> ValueCode:
        """*expr* as a value: a set is listed."""
        code = self.code(expr)

        def value(env: Env) -> Value:
            found = code(env)
            return as_value(found, expr) if isinstance(found, Unlisted) else found

        is_named_set = isinstance(expr, Ref) and expr.name in self._sets
        return self._once(value) if is_named_set and self._is_constant(expr) else value

    def truth(self, expr: Expr) -> TruthCode:
        match expr:
            case Not() | And() | Or() | Quantified():
                return self._formula(expr)
            case Binary(op) if op not in operators.COMPUTING:
                return self._relation(expr)
            case _:
                return _checked_truth(self.code(expr), expr)

    def number(self, expr: Expr) -> NumberCode:
        code = self.code(expr)

        def value(env: Env) -> Number:
            found = code(env)
            return found if type(found) is int else as_number(found, expr)

        return value

    def set(self, expr: Expr) -> SetCode:
        code = self.code(expr)

        def value(env: Env) -> AnySet:
            found = code(env)
            return found if type(found) is frozenset else as_set(found, expr)

        return value

    def code(self, expr: Expr) -> Code:
        spend(_STEPS_TO_PREPARE, "getting formulas ready", expr.span)
        code = self.work.stack.deeper(_CALLS_TO_PREPARE, lambda: self._made(expr))
        if isinstance(expr, Literal | Ref | Local | NumberSet) or not self._is_constant(expr):
            return code
        return self._once(lambda env: sets.settled(code(env)))

    # Names

    def _made(self, expr: Expr) -> Code:
        match expr:
            case Literal(value):
                return _raising("it has no value", expr) if value is UNSET else lambda _: value
            case NumberSet(kind):
                numbers = Numbers(kind)
                return lambda _: numbers
            case Local(name):
                return _local(name, expr)
            case Ref(name):
                return self._ref(name, expr)
            case Apply():
                return self._apply(expr)
            case SetOf() | Range() | TupleOf() | Comprehension() | Product() | PowerSet():
                return self._collection(expr)
            case Negate() | Card() | Only() | Abs() | Floor() | Ceiling() | Fold():
                return self._term(expr)
            case Binary():
                return self._binary(expr)
            case Not() | And() | Or() | Quantified():
                return _truth_value(self._formula(expr))
            case _:
                assert_never(expr)

    def _ref(self, name: str, expr: Expr) -> Code:
        if name in self._sets:
            return self._named_set(name)
        if name in self._definitions:
            return lambda env: env.facts.value(name)
        if name not in self._variables:
            return _raising(f"`{name}` is nothing of this system", expr)

        def value(env: Env) -> Operand:
            found = env.values[name]
            if found is UNSET:
                raise undefined(f"`{name}` is not set yet", expr)
            return found

        return value

    def _named_set(self, name: str) -> Code:
        if name not in self._set_codes:
            code = self._later(self._sets[name])
            is_constant = self._is_constant(self._sets[name])
            self._set_codes[name] = self._once(code) if is_constant else code
        return self._set_codes[name]

    def _later(self, expr: Expr) -> Code:
        """*expr*, made when it is first asked for: names may be used before they are defined."""
        made: list[tuple[Code, int, int]] = []
        stack = self.work.stack

        def value(env: Env) -> Operand:
            if not made:
                made.append((self.code(expr), weight(expr), calls_of(expr)))
            code, steps, calls = made[0]
            env.work.go(steps)
            stack.used += calls
            try:
                if stack.used > stack.end:
                    return stack.beyond(calls, lambda: sets.settled(code(env)))
                return sets.settled(code(env))
            finally:
                stack.used -= calls

        return value

    def _is_constant(self, expr: Node) -> bool:
        known = self._constant.get(id(expr))
        if known is None or known[0] is not expr:
            known = self._constant[id(expr)] = (expr, self._depends_on_nothing(expr))
        return known[1]

    def _depends_on_nothing(self, expr: Node) -> bool:
        match expr:
            case Ref() | Local() | Apply() | Comprehension() | Quantified() | Fold():
                return not free_locals(expr) and not self.footprints.of(expr).reads
            case _:
                inside = (part for part in children(expr) if isinstance(part, Node))
                return all(self._is_constant(part) for part in inside)

    def _once(self, code: Callable[[Env], T]) -> Callable[[Env], T]:
        found: list[T] = []

        def value(_: Env) -> T:
            if not found:
                # Nothing around it matters, least of all names that happen to be bound there.
                found.append(code(self.env({})))
            return found[0]

        return value

    def _apply(self, expr: Apply) -> Code:
        function = self._functions.get(expr.function)
        if function is None or len(function.parameters) != len(expr.arguments):
            return _raising(f"`{to_text(expr)}` is nothing of this system", expr)
        if function.name not in self._bodies:
            self._bodies[function.name] = self._later(function.body)
        body = self._bodies[function.name]
        names = tuple(parameter.name for parameter in function.parameters)
        arguments = tuple(self.code(argument) for argument in expr.arguments)
        known = self._memos.setdefault(function.name, {})
        reads_variables = bool(self.footprints.of(function.body).reads)

        steps = _STEPS_OF_AN_APPLICATION + 4 * len(arguments)

        def value(env: Env) -> Operand:
            env.work.go(steps)
            given = tuple(sets.settled(argument(env)) for argument in arguments)
            if reads_variables or any(isinstance(item, Unlisted) for item in given):
                return body(env.inside(dict(zip(names, given, strict=True))))
            if given not in known:
                if len(known) >= _MEMO_LIMIT:
                    known.clear()
                known[given] = body(env.inside(dict(zip(names, given, strict=True))))
            return known[given]

        return value

    # Sets and tuples

    def _collection(
        self, expr: SetOf | Range | TupleOf | Comprehension | Product | PowerSet
    ) -> Code:
        match expr:
            case SetOf():
                return self._set_of(expr)
            case TupleOf(items):
                return operators.made_tuple(tuple(map(self.value, items)), expr)
            case Range(low, high):
                first, last = self.number(low), self.number(high)
                return lambda env: NumberInterval(ceil(first(env)), floor(last(env)))
            case Product(parts):
                factors = tuple(map(self.set, parts))
                return lambda env: Tuples(tuple(factor(env) for factor in factors))
            case PowerSet(inner):
                base = self.set(inner)
                return lambda env: Subsets(base(env))
            case Comprehension():
                return self._comprehension(expr)
            case _:
                assert_never(expr)

    def _set_of(self, expr: SetOf) -> Code:
        items = tuple(self.value(item) for item in expr.items if not isinstance(item, Range))
        ranges = tuple(self.code(item) for item in expr.items if isinstance(item, Range))
        if len(items) == 1 and not ranges:
            (single,) = items
            return lambda env: operators.bounded(frozenset((single(env),)), expr, env)

        def value(env: Env) -> Operand:
            found: Operand = operators.bounded(frozenset([item(env) for item in items]), expr, env)
            for code in ranges:
                found = sets.settled(sets.union(as_set(found, expr), as_set(code(env), expr)))
            return found

        return value

    def _comprehension(self, expr: Comprehension) -> Code:
        conditions = conjuncts(expr.condition)
        steps = weight(expr)
        loops = tuple(
            self.loop(binder, conditions, later=expr.binders[at:], steps=steps)
            for at, binder in enumerate(expr.binders)
        )
        first = expr.binders[0]
        is_selection = len(set(first.names)) == len(first.names) and is_pattern(expr.result, first)
        if len(loops) == 1 and is_selection:
            return _selection(loops[0], self.truth(expr.condition))
        search = _BuilderLoops(loops, self._staged(conditions, expr.binders))
        result = self.value(expr.result)
        return lambda env: operators.bounded(search.solutions(env, result), expr, env)

    def _staged(
        self, conditions: tuple[Expr, ...], binders: tuple[Binder, ...]
    ) -> tuple[tuple[TruthCode, ...], ...]:
        """The conditions by the binder after which each can be tested, their order kept."""
        stages: list[list[TruthCode]] = [[] for _ in binders]
        at = 0
        for condition in conditions:
            used = free_locals(condition)
            last = max((i for i, b in enumerate(binders) if used & set(b.names)), default=0)
            at = max(at, last)
            stages[at].append(self.truth(condition))
        return tuple(map(tuple, stages))

    def loop(
        self,
        binder: Binder,
        conditions: tuple[Expr, ...],
        *,
        later: tuple[Binder, ...],
        steps: int,
    ) -> BinderLoop:
        """*binder*, with what *conditions* say about its names; *later* starts with it.

        What is done with each member takes so many *steps*.
        """
        bound = {name for other in later for name in other.names}

        def is_known(expr: Expr) -> bool:
            return not (free_locals(expr) & bound)

        limits = tuple(
            bounds(name, conditions, is_known=is_known, compiled=self.code) for name in binder.names
        )
        return BinderLoop(binder, self.set(binder.domain), limits, steps)

    # Numbers

    def _term(self, expr: Negate | Card | Only | Abs | Floor | Ceiling | Fold) -> Code:
        match expr:
            case Only(operand):
                return _only_member(self.set(operand), expr)
            case Negate(operand):
                return self._of_number(operand, lambda number: -number)
            case Abs(operand):
                return self._of_number(operand, lambda number: max(number, -number))
            case Floor(operand):
                return self._of_number(operand, floor)
            case Ceiling(operand):
                return self._of_number(operand, ceil)
            case Card(operand):
                return _cardinality(self.set(operand), expr)
            case Fold(_, binder, body):
                loop = self.loop(binder, (), later=(binder,), steps=weight(body))
                return _fold(expr, loop, self.number(body))
            case _:
                assert_never(expr)

    def _of_number(self, operand: Expr, compute: Callable[[Number], Number]) -> NumberCode:
        code = self.number(operand)
        return lambda env: compute(code(env))

    # Formulas

    def _binary(self, expr: Binary) -> Code:
        if expr.op not in operators.COMPUTING:
            return _truth_value(self._relation(expr))
        left, right = self.code(expr.left), self.code(expr.right)
        if expr.op in {Op.UNION, Op.INTERSECTION, Op.DIFFERENCE}:
            return operators.algebra(expr, left, right)
        return operators.arithmetic(expr, left, right)

    def _relation(self, expr: Binary) -> TruthCode:
        op = expr.op
        if op in {Op.EQ, Op.NE}:
            return self._equality(expr)
        if op in {Op.IN, Op.NOT_IN}:
            return operators.membership(expr, self.value(expr.left), self.code(expr.right))
        if op in {Op.SUBSET, Op.NOT_SUBSET, Op.PROPER_SUBSET}:
            return operators.inclusion(expr, self.code(expr.left), self.code(expr.right))
        if op in {Op.IMPLIES, Op.IFF}:
            return self._implication(expr)
        return operators.order(expr, self.code(expr.left), self.code(expr.right))

    def _equality(self, expr: Binary) -> TruthCode:
        left, right = self._comparand(expr.left), self._comparand(expr.right)
        if expr.right == _UNSET:
            return operators.is_unset(left, is_negated=expr.op is Op.NE)
        return operators.equality(expr, left, right)

    def _comparand(self, expr: Expr) -> Code:
        """*expr* where it is compared: a variable may be unset there."""
        if isinstance(expr, Ref) and expr.name in self._variables:
            name = expr.name
            if name not in self._definitions:
                return lambda env: env.values[name]
        return self.code(expr)

    def _implication(self, expr: Binary) -> TruthCode:
        left, right = self.truth(expr.left), self.truth(expr.right)
        if expr.op is Op.IFF:
            return lambda env: left(env) is right(env)
        return lambda env: not left(env) or right(env)

    def _formula(self, expr: Not | And | Or | Quantified) -> TruthCode:
        match expr:
            case Not(inner):
                operand = self.truth(inner)
                return lambda env: not operand(env)
            case And(parts):
                return _conjunction(tuple(map(self.truth, parts)))
            case Or(parts):
                return _disjunction(tuple(map(self.truth, parts)))
            case Quantified(kind, binder, body):
                is_some = kind is QuantifierKind.SOME
                needed = premises(body, is_some=is_some)
                loop = self.loop(binder, needed, later=(binder,), steps=weight(body))
                return _quantified(loop, self.truth(body), wanted=is_some)
            case _:
                assert_never(expr)


def weight(expr: Node) -> int:
    """How many steps it takes about to work *expr* out once, apart from going through sets."""
    return _STEPS_OF_A_MEMBER + sum(1 for _ in parts(expr))


_STEPS_OF_A_MEMBER: Final = 4
_STEPS_OF_A_LOOP: Final = 12
_STEPS_TO_SORT: Final = 10
_STEPS_OF_AN_APPLICATION: Final = 4


def calls_of(expr: Node) -> int:
    """How many of Python's calls it takes at most to work *expr* out, apart from what it names."""
    return _CALLS_OF_A_LEVEL * (depth(expr) + 1)


def _raising(message: str, expr: Expr) -> Code:
    def value(_: Env) -> Operand:
        raise undefined(message, expr)

    return value


def _local(name: str, expr: Expr) -> Code:
    def value(env: Env) -> Operand:
        found = env.locals.get(name)
        if found is None:
            raise undefined(f"`{name}` has no value here", expr)
        if isinstance(found, Missing):
            if found.is_outside:
                raise SkipError(found.reason)
            raise undefined(found.reason, expr)
        return found

    return value


def _checked_truth(code: Code, expr: Expr) -> TruthCode:
    def holds(env: Env) -> bool:
        found = code(env)
        return found is TRUE or (found is not FALSE and as_truth(found, expr))

    return holds


def _truth_value(holds: TruthCode) -> Code:
    return lambda env: TRUE if holds(env) else FALSE


def _cardinality(whole: SetCode, expr: Card) -> NumberCode:
    def value(env: Env) -> Number:
        found = whole(env)
        if isinstance(found, frozenset):
            return len(found)
        return located(expr, lambda: sets.cardinality(found))

    return value


def _only_member(whole: SetCode, expr: Expr) -> Code:
    def value(env: Env) -> Operand:
        found = whole(env)
        if not isinstance(found, frozenset):
            unlisted = found
            found = located(expr, lambda: sets.members(unlisted))
        if len(found) != 1:
            how = "is empty" if not found else f"has {len(found):,} members"
            message = f"`{to_text(expr)}` has no value: the set of which it is the one member {how}"
            raise undefined(message, expr)
        (member,) = found
        return member

    return value


def _conjunction(operands: tuple[TruthCode, ...]) -> TruthCode:
    def holds(env: Env) -> bool:
        for operand in operands:  # noqa: SIM110 - all() would cost twice as much, and this is hot
            if not operand(env):
                return False
        return True

    return holds


def _disjunction(operands: tuple[TruthCode, ...]) -> TruthCode:
    def holds(env: Env) -> bool:
        for operand in operands:  # noqa: SIM110 - as above
            if operand(env):
                return True
        return False

    return holds


def premises(body: Expr, *, is_some: bool) -> tuple[Expr, ...]:
    """What a member must satisfy to matter: ∃ asks for all conjuncts, ∀ for what is left of →."""
    if is_some:
        return conjuncts(body)
    if isinstance(body, Binary) and body.op is Op.IMPLIES:
        return conjuncts(body.left)
    return ()


@dataclass(frozen=True, slots=True)
class BinderLoop:
    """A binder, ready to go through the members of its domain."""

    binder: Binder
    domain: SetCode
    bounds: tuple[tuple[Bound, ...], ...]
    """What the conditions say about each name."""
    steps: int
    """How many steps are taken with each member."""

    def members(self, env: Env) -> frozenset[Value]:
        domain = self.domain(env)
        if isinstance(domain, frozenset):
            found = domain
        else:
            whole = self.narrowed(domain, env)
            found = located(self.binder.domain, lambda: sets.members(whole))
        env.work.members += len(found)
        env.work.go(_STEPS_OF_A_LOOP)
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


def _quantified(loop: BinderLoop, body: TruthCode, *, wanted: bool) -> TruthCode:
    """Whether some member makes *body* what is *wanted*: true for ∃; false, and then not, for ∀."""

    def holds(env: Env) -> bool:
        deciding = _passing(loop, body, loop.members(env), env, wanted=wanted)
        return any(True for _ in deciding) is wanted

    return holds


def _passing(
    loop: BinderLoop, test: TruthCode, members: frozenset[Value], env: Env, *, wanted: bool = True
) -> Iterator[Value]:
    """The *members* for which *test* is what is *wanted*; a fault of others comes behind them."""
    inner = env.nested()
    names, bind = inner.locals, loop.bind
    failed: _Failed | None = None
    for member in env.work.through(members, loop.steps):
        try:
            is_wanted = bind(names, member) and test(inner) is wanted
        except (FaultError, SkipError) as failure:
            failed = _first_of(failed, member, failure, env)
        else:
            if is_wanted:
                yield member
    if failed is not None:
        raise failed.failure


@dataclass(frozen=True, slots=True)
class _Failed:
    """The first of the members, in canonical order, for which there is no value."""

    key: SortKey
    failure: FaultError | SkipError


def _first_of(
    before: _Failed | None, member: Value, failure: FaultError | SkipError, env: Env
) -> _Failed:
    """The first of what failed *before* and of *member*: nothing has to be worked out again."""
    env.work.go(_STEPS_TO_SORT)
    key = sort_key(member)
    if before is not None and before.key <= key:
        return before
    # What it would keep alive of the calls that are over is large.
    return _Failed(key, failure.with_traceback(None))


@dataclass(frozen=True, slots=True)
class _BuilderLoops:
    """The binders of a builder with the conditions to test after each, in their order."""

    loops: tuple[BinderLoop, ...]
    conditions: tuple[tuple[TruthCode, ...], ...]

    def solutions(self, env: Env, result: Callable[[Env], Value]) -> frozenset[Value]:
        env.work.go(_STEPS_OF_A_LOOP)
        inner = env.nested()
        try:
            return frozenset(result(inner) for _ in self._steps(inner, 0, _as_they_are))
        except (FaultError, SkipError):
            ordered = partial(_in_order, env=env)
            return frozenset(result(inner) for _ in self._steps(inner, 0, ordered))

    def _steps(
        self, env: Env, at: int, ordered: Callable[[frozenset[Value]], Collection[Value]]
    ) -> Iterator[None]:
        if at == len(self.loops):
            yield
            return
        loop, tests = self.loops[at], self.conditions[at]
        for member in env.work.through(ordered(loop.members(env)), loop.steps):
            if loop.bind(env.locals, member) and all(test(env) for test in tests):
                yield from self._steps(env, at + 1, ordered)


def _in_order(members: frozenset[Value], env: Env) -> list[Value]:
    env.work.go(_STEPS_TO_SORT * len(members))
    return in_order(members)


def _as_they_are(members: frozenset[Value]) -> frozenset[Value]:
    return members


def _selection(loop: BinderLoop, condition: TruthCode) -> Code:
    """``{x ∈ D | …}``: a part of its domain, listed only if that is short."""

    def value(env: Env) -> Operand:
        domain = loop.domain(env)
        candidates = domain if isinstance(domain, frozenset) else loop.narrowed(domain, env)
        if sets.size(candidates).exceeds(SETTLE_LIMIT):
            return _lazily(loop, condition, domain, env.snapshot())
        chosen = located(loop.binder.domain, lambda: sets.members(candidates))
        env.work.members += len(chosen)
        env.work.go(_STEPS_OF_A_LOOP)
        return frozenset(_passing(loop, condition, chosen, env))

    return value


def _lazily(loop: BinderLoop, condition: TruthCode, domain: AnySet, env: Env) -> Filtered:
    def holds(member: Value) -> bool:
        env.work.members += 1
        env.work.go(loop.steps)
        return loop.bind(env.locals, member) and condition(env)

    return Filtered(domain, holds, lambda: loop.narrowed(domain, env))


_Failures: TypeAlias = dict[Value, FaultError | SkipError]
"""The members for which there is no value, and why."""


def _fold(expr: Fold, loop: BinderLoop, body: NumberCode) -> NumberCode:
    is_sum = expr.kind is FoldKind.SUM

    def folded(env: Env, chosen: Collection[Value], failed: _Failures) -> Number:
        inner = env.nested()
        result: Number = 0 if is_sum else 1
        for member in env.work.through(chosen, loop.steps):
            if loop.bind(inner.locals, member):
                if member in failed:
                    raise failed[member]
                try:
                    term = body(inner)
                except (FaultError, SkipError) as failure:
                    failed[member] = failure.with_traceback(None)
                    raise
                if type(term) is not int:
                    env.work.go(steps_of_fractions(result, term))
                result = in_bounds(result + term if is_sum else result * term, expr)
        return result

    def value(env: Env) -> Number:
        chosen = loop.members(env)
        failed: _Failures = {}
        try:
            return folded(env, chosen, failed)
        except (FaultError, SkipError):
            return folded(env, _in_order(chosen, env), failed)

    return value
