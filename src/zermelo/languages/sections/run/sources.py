"""Where the effects of a move can come from: its guards, read as questions about its arguments.

A call with an effect has a first rule that fires, and that rule's guard holds in the state before
the call, changed at most by statements without a guard. So the arguments worth trying are those
that answer the question of some rule. Whatever is not understood makes a question weaker, never
stronger.

A question is answered by a plan that binds one parameter after another: by an equation, by
membership in a set that the state gives, by what the conditions that no state changes leave, or by
its own set. The interpreter runs the plan, a kernel has it as code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias, assert_never

from zermelo.core.values import TRUE
from zermelo.languages.sections.ir import (
    Apply,
    Assign,
    Binary,
    Call,
    Declare,
    Expr,
    Let,
    Lines,
    Literal,
    Local,
    Op,
    Or,
    Order,
    Outside,
    Ref,
    Rule,
    Statement,
    TupleOf,
    VariableRole,
)
from zermelo.languages.sections.run.operators import Limit, limits
from zermelo.languages.sections.run.procedures import Program, Routine, RuleStep, Step
from zermelo.languages.sections.walk import (
    Footprints,
    conjuncts,
    free_locals,
    groups_of,
    parts,
    rebuilt,
    rest_of,
    substituted,
)
from zermelo.packing.binding_plan import BindingPlan, BindingStep, Clause, Names, ValueSource
from zermelo.text.budget import spend

_LARGEST_IMAGE: Final = 200
"""A local that stands for more nodes than this keeps its name."""
_DEEPEST_CALL: Final = 8
_MOST_ALTERNATIVES: Final = 16
_TRUE: Final = Literal(TRUE)


@dataclass(frozen=True, slots=True)
class Question:
    """Conditions on parameters, with the locals in terms of which they are written."""

    conditions: tuple[Expr, ...]
    lets: tuple[Let, ...] = ()

    def lets_for(self, conditions: Iterable[Expr]) -> tuple[Let, ...]:
        """The locals that give *conditions* their names, and those that these need in turn."""
        wanted = {name for condition in conditions for name in free_locals(condition)}
        found: list[Let] = []
        for let in reversed(self.lets):
            if wanted.intersection(let.names):
                wanted |= free_locals(let.value)
                found.append(let)
        return tuple(reversed(found))


@dataclass(frozen=True, slots=True)
class Prefix:
    """A step that does not depend on the arguments: it is run, and what follows sees it."""

    step: Step


EffectSource: TypeAlias = Prefix | Question
EVERYTHING: Final = Question(())
"""Every argument may have an effect."""
Routines: TypeAlias = tuple[Routine, ...]
"""The calls around a statement, outermost first."""


@dataclass(slots=True)
class _Knowledge:
    """What is known at a statement if nothing with a guard has had an effect before it."""

    images: dict[str, Expr]
    """Locals, in terms of parameters and of names in *lets*."""
    refs: dict[str, Expr] = field(default_factory=dict)
    """Flags that a statement without a guard has set, likewise."""
    unknown: set[str] = field(default_factory=set)
    lets: tuple[Let, ...] = ()
    conditions: tuple[Expr, ...] = ()

    def copy(self) -> _Knowledge:
        return replace(self, images={**self.images}, refs={**self.refs}, unknown={*self.unknown})

    def set(self, variable: str) -> None:
        self.refs.pop(variable, None)
        self.unknown.discard(variable)

    def lose(self, variables: frozenset[str]) -> None:
        self.unknown |= variables
        for variable in variables:
            self.refs.pop(variable, None)


def sources(program: Program, routine: Routine) -> tuple[EffectSource, ...]:
    """The sources of effects of a call of *routine*, in the order of its statements."""
    return tuple(_GuardReader(program, routine).read())


class _GuardReader:
    """Reads the body of one move."""

    def __init__(self, program: Program, routine: Routine) -> None:
        self._program = program
        self._routine = routine
        self._footprints = program.expressions.footprints
        self._roles = {v.name: v.role for v in program.system.variables}
        self._functions = {f.name: f for f in program.system.functions}
        self._fresh = 0
        self._found: list[EffectSource] = []
        self._uses: dict[int, tuple[Expr, tuple[frozenset[str], frozenset[str]]]] = {}

    def read(self) -> list[EffectSource]:
        if self._domains_may_change():
            return [EVERYTHING]
        scope = _Knowledge({name: Local(name) for name in self._routine.parameters})
        known: set[str] = set()
        before = set(self._routine.parameters)
        for step in self._routine.steps:
            statement = step.rule if isinstance(step, RuleStep) else step.statement
            given = _given(statement)
            own = given - before
            before |= given
            if free_locals(statement) - own <= known and self._is_independent(statement, scope):
                self._found.append(Prefix(step))
                self._note(statement, scope)
                known |= given
                scope.images.update({name: Local(name) for name in given})
            elif not self._read((statement,), scope, (self._routine,)):
                self._found.append(EVERYTHING)
                break
            else:
                known -= given
        return self._found

    # Statements that do not depend on the arguments

    def _is_independent(self, statement: Statement, scope: _Knowledge) -> bool:
        reads = self._footprints.of(statement).reads
        changes_parameters = _given(statement) & set(self._routine.parameters)
        return not changes_parameters and not reads & (scope.refs.keys() | scope.unknown)

    def _note(self, statement: Statement, scope: _Knowledge) -> None:
        """Note what a statement that was run has changed: what is made of it is known no more."""
        is_seen = self._routine.procedure.order is not Order.AT_ONCE
        writes = self._footprints.of(statement).writes if is_seen else frozenset()
        changed = set(_given(statement))

        def is_stale(expr: Expr) -> bool:
            reads, names = self._used(expr)
            return not (reads.isdisjoint(writes) and names.isdisjoint(changed))

        spend(len(scope.lets) + len(scope.images) + len(scope.refs), "looking for moves")

        for let in scope.lets:
            if is_stale(let.value):
                changed |= set(let.names)
        for name in [name for name, image in scope.images.items() if is_stale(image)]:
            del scope.images[name]
        stale = frozenset(v for v, image in scope.refs.items() if is_stale(image))
        if is_seen and isinstance(statement, Assign):
            scope.set(statement.variable)
            stale -= {statement.variable}
        else:
            stale |= writes & scope.refs.keys()
        scope.lose(stale)

    def _used(self, expr: Expr) -> tuple[frozenset[str], frozenset[str]]:
        """The variables that *expr* reads, and the names that it takes from around it."""
        known = self._uses.get(id(expr))
        if known is None or known[0] is not expr:
            found = self._footprints.of(expr).reads, free_locals(expr)
            known = self._uses[id(expr)] = (expr, found)
        return known[1]

    def _domains_may_change(self) -> bool:
        """Whether the sets of the parameters read what a call of the move may write."""
        writes = self._footprints.of_procedure(self._routine.name).writes
        flags = {v for v in writes if self._roles.get(v) is VariableRole.FLAG}
        domains = (p.domain for p in self._routine.procedure.parameters)
        return any(self._footprints.of(domain).reads & flags for domain in domains)

    # Statements that do

    def _read(self, statements: Iterable[Statement], scope: _Knowledge, routines: Routines) -> bool:
        """Find the sources in *statements*; ``False`` when every argument may have an effect."""
        for statement in statements:
            # None when what follows matters too.
            decided: bool | None = None
            match statement:
                case Let():
                    self._let((statement,), scope)
                case Assign():
                    decided = self._assign(statement, scope, routines)
                case Rule():
                    decided = None if self._rule(statement, scope, routines) else False
                case Call():
                    decided = None if self._call(statement, scope, routines) else False
                case Declare():
                    continue
                case _:
                    assert_never(statement)
            if decided is not None:
                return decided
        return True

    def _rule(self, rule: Rule, scope: _Knowledge, routines: Routines) -> bool:
        inside = scope.copy()
        # A guard of which nothing is understood still is one.
        understood = tuple(self._conditions(rule.guard, scope)) or (_TRUE,)
        inside.conditions += understood
        decided = self._conclusion(rule, inside, routines)
        for name in _given(rule):
            scope.images.pop(name, None)
        return decided

    def _conclusion(self, rule: Rule, scope: _Knowledge, routines: Routines) -> bool:
        """The statements of a group before the first call or nested rule see the same names."""
        for group in groups_of(rule):
            assigns = [statement for statement in group if isinstance(statement, Assign)]
            for statement in assigns:
                decided = self._assign(statement, scope, routines)
                if decided is not None:
                    return decided
            self._let(tuple(s for s in group if isinstance(s, Let)), scope)
            if rule.lines is Lines.ONE_AFTER_THE_OTHER:
                # What nobody else sees, the lines below it do.
                scope.lose(frozenset(s.variable for s in assigns))
        return self._read(rest_of(rule), scope, routines)

    def _assign(self, statement: Assign, scope: _Knowledge, routines: Routines) -> bool | None:
        is_flag = self._roles.get(statement.variable) is VariableRole.FLAG
        if is_flag and all(r.procedure.order is Order.AT_ONCE for r in routines):
            # Nobody sees it, and alone it is no effect.
            return None
        if scope.conditions:
            # Whatever follows it in this conclusion happens under the same conditions.
            self._ask(scope)
            return True
        if not is_flag:
            return False
        # Images of other flags keep reading its old value, which is what they were made of.
        image = self._image(statement.value, scope)
        scope.set(statement.variable)
        if image is None or routines[-1].procedure.order is Order.AT_ONCE:
            scope.lose(frozenset({statement.variable}))
        else:
            scope.refs[statement.variable] = image
        return None

    def _call(self, statement: Call, scope: _Knowledge, routines: Routines) -> bool:
        routine = self._program.routines.get(statement.procedure)
        is_deep = len(routines) > _DEEPEST_CALL or routine in routines
        if routine is None or is_deep or len(routine.parameters) != len(statement.arguments):
            if scope.conditions:
                self._ask(scope)
            return bool(scope.conditions)
        inside = self._inside(routine, statement, scope)
        decided = self._read(routine.procedure.body, inside, (*routines, routine))
        if routines[-1].procedure.order is not Order.AT_ONCE:
            scope.refs, scope.unknown = inside.refs, inside.unknown
        return decided

    def _inside(self, routine: Routine, call: Call, scope: _Knowledge) -> _Knowledge:
        inside = scope.copy()
        inside.images = {}
        described = zip(routine.procedure.parameters, call.arguments, strict=True)
        for parameter, argument in described:
            image = self._image(argument, scope)
            if image is None:
                continue
            inside.images[parameter.name] = image
            domain = self._image(parameter.domain, inside)
            is_skipped = routine.procedure.outside is Outside.SKIP
            if is_skipped and domain is not None and not self._is_own(image, domain):
                inside.conditions += (Binary(Op.IN, image, domain),)
        return inside

    def _is_own(self, image: Expr, domain: Expr) -> bool:
        given = self._routine.procedure.parameters
        return any(image == Local(p.name) and domain == p.domain for p in given)

    # Expressions in terms of the parameters

    def _let(self, lets: tuple[Let, ...], scope: _Knowledge) -> None:
        images = [(let, self._image(let.value, scope)) for let in lets]
        for let, image in images:
            for name, value in zip(let.names, self._components(let, image, scope), strict=True):
                if value is None:
                    scope.images.pop(name, None)
                else:
                    scope.images[name] = value

    def _components(self, let: Let, image: Expr | None, scope: _Knowledge) -> Sequence[Expr | None]:
        """The expressions that the names of *let* stand for; ``None`` where that is not known."""
        if image is None:
            return [None] * len(let.names)
        if let.is_tuple and isinstance(image, TupleOf):
            count = len(let.names)
            return image.items if len(image.items) == count else [None] * count
        if not let.is_tuple and sum(1 for _ in parts(image)) <= _LARGEST_IMAGE:
            return [image]
        self._fresh += 1
        names = tuple(f"{name}·{self._fresh}" for name in let.names)
        scope.lets += (Let(names, let.is_tuple, image),)
        return [Local(name) for name in names]

    def _conditions(self, guard: Expr, scope: _Knowledge) -> Iterator[Expr]:
        for conjunct in conjuncts(guard):
            image = self._image(conjunct, scope)
            if image is not None:
                for part in conjuncts(image):
                    yield from self._opened(part, frozenset())

    def _opened(self, condition: Expr, on_the_way: frozenset[str]) -> Iterator[Expr]:
        """*condition*, or what it says if it is the application of a value function."""
        body = None
        function = self._functions.get(getattr(condition, "function", ""))
        if isinstance(condition, Apply) and function and function.name not in on_the_way:
            arguments = zip(function.parameters, condition.arguments, strict=False)
            body = substituted(function.body, {p.name: a for p, a in arguments}, {})
        if body is None or function is None:
            yield condition
            return
        for part in conjuncts(body):
            yield from self._opened(part, on_the_way | {function.name})

    def _image(self, expr: Expr, scope: _Knowledge) -> Expr | None:
        """*expr* in terms of the parameters; ``None`` when it depends on what is not known."""
        used = free_locals(expr)
        refs = {part.name for part in parts(expr) if isinstance(part, Ref)}
        if not used <= scope.images.keys() or not self._are_known(expr, refs, scope):
            return None
        image = substituted(
            expr,
            {name: scope.images[name] for name in used},
            {name: scope.refs[name] for name in refs & scope.refs.keys()},
        )
        return None if image is None else _joined(image, scope.lets)

    def _are_known(self, expr: Expr, refs: set[str], scope: _Knowledge) -> bool:
        if refs & scope.unknown:
            return False
        changed = scope.refs.keys() | scope.unknown
        looked_through = [self._footprints.of_variable(name).reads - {name} for name in refs]
        applied = {part.function for part in parts(expr) if isinstance(part, Apply)}
        bodies = [self._functions[name].body for name in applied if name in self._functions]
        looked_through += [self._footprints.of(body).reads for body in bodies]
        return not any(reads & changed for reads in looked_through)

    def _ask(self, scope: _Knowledge) -> None:
        for conditions in alternatives(scope.conditions, self._routine.parameters):
            question = Question(conditions, scope.lets)
            if question not in self._found:
                self._found.append(question)


def alternatives(
    conditions: tuple[Expr, ...], parameters: tuple[str, ...]
) -> list[tuple[Expr, ...]]:
    """*conditions*, taken apart at disjunctions each part of which says where a parameter is."""
    waiting: list[tuple[Expr, ...]] = [conditions]
    found: list[tuple[Expr, ...]] = []
    while waiting:
        at = waiting.pop()
        disjunction = next((c for c in at if _helps(c, at, parameters)), None)
        if not isinstance(disjunction, Or) or len(waiting) + len(found) > _MOST_ALTERNATIVES:
            found.append(at)
            continue
        others = tuple(c for c in at if c is not disjunction)
        waiting += [(*others, *conjuncts(part)) for part in disjunction.operands]
    return found


def _helps(condition: Expr, conditions: tuple[Expr, ...], parameters: tuple[str, ...]) -> bool:
    if not isinstance(condition, Or):
        return False
    placed = _placed(c for c in conditions if c is not condition)
    lacking = frozenset(parameters) - placed
    return all(_placed(conjuncts(part)) & lacking for part in condition.operands)


def _placed(conditions: Iterable[Expr]) -> frozenset[str]:
    """The names that are in a set or equal to something by these conditions."""
    found: set[str] = set()
    for condition in conditions:
        match condition:
            case Binary(Op.IN, left, _):
                found |= _names(left)
            case Binary(Op.EQ, left, right):
                found |= _names(left) | _names(right)
            case _:
                pass
    return frozenset(found)


def _names(term: Expr) -> set[str]:
    items = term.items if isinstance(term, TupleOf) else (term,)
    return {item.name for item in items if isinstance(item, Local)}


def _joined(image: Expr, lets: tuple[Let, ...]) -> Expr:
    """*image* with tuples of the components of a local written as that local."""
    whole: dict[tuple[Expr, ...], Expr] = {
        tuple(Local(name) for name in let.names): let.value for let in lets if let.is_tuple
    }

    def join(expr: Expr) -> Expr:
        if isinstance(expr, TupleOf) and expr.items in whole:
            return whole[expr.items]
        return rebuilt(expr, join)

    return join(image) if whole else image


def _given(statement: Statement) -> frozenset[str]:
    return frozenset(n for part in parts(statement) if isinstance(part, Let) for n in part.names)


# Plans that answer a question

_EQUAL, _MEMBER, _TUPLES, _RELATED, _COMPARED, _TABULATED, _WHOLE = range(7)
"""Ranks of sources: the fewer values are to be expected of one, the lower."""


@dataclass(frozen=True, slots=True)
class StaticRelation:
    """Conditions that no state changes, and the parameters they are about."""

    names: Names
    conditions: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class FromSet:
    """A parameter gets the members of its set that limits and a relation leave."""

    name: str
    limits: tuple[tuple[Names, Limit], ...]
    """Each with the parameters on which it depends."""
    relation: StaticRelation | None

    def known_limits(self, bound: Names) -> list[Limit]:
        return [limit for needs, limit in self.limits if needs <= bound]


@dataclass(frozen=True, slots=True)
class FromTuples:
    """Parameters get the components of tuples that are in a set or equal to something."""

    pattern: tuple[Expr, ...]
    source: Expr


ArgumentPlan: TypeAlias = BindingPlan[FromSet | FromTuples, Expr | Let]
ArgumentStep: TypeAlias = BindingStep[FromSet | FromTuples, Expr | Let]


class ArgumentPlanner:
    """Describes a question about parameters as the sources and clauses of a plan."""

    def __init__(
        self, question: Question, domains: Mapping[str, Expr], footprints: Footprints
    ) -> None:
        self._question = question
        self._domains = domains
        self._footprints = footprints
        self._needs = {name: frozenset({name}) for name in domains}
        for let in question.lets:
            self._needs.update(dict.fromkeys(let.names, self._needed(let.value)))

    def plan(self, fits: Callable[[Names], bool], *, is_of_masks: bool) -> ArgumentPlan:
        """The plan, where relations between parameters that *fits* are looked up, not tested.

        A plan that *is_of_masks* takes nothing apart: a parameter is in a set or not.
        """
        relations = [each for each in self._relations() if fits(each.names)]
        looked_up = {id(c) for relation in relations for c in relation.conditions}
        conditions = [c for c in self._question.conditions if id(c) not in looked_up]
        sources: list[ValueSource[FromSet | FromTuples]] = []
        for name in self._domains:
            relation = next((each for each in relations if name in each.names), None)
            sources.append(self._from_set(name, conditions, relation, is_of_masks=is_of_masks))
        if not is_of_masks:
            sources += [each for condition in conditions for each in self._from_tuples(condition)]
        clauses: list[Clause[Expr | Let]] = [
            *(Clause(let, self._needed(let.value)) for let in self._question.lets),
            *(Clause(condition, self._needed(condition)) for condition in conditions),
        ]
        variables = {name: self._needed(domain) for name, domain in self._domains.items()}
        return BindingPlan(variables, sources, clauses)

    def _relations(self) -> list[StaticRelation]:
        """The conditions that no state changes, those together that share parameters."""
        found: list[StaticRelation] = []
        for condition in filter(self._is_static, self._question.conditions):
            names = self._needed(condition)
            conditions: tuple[Expr, ...] = (condition,)
            for other in [each for each in found if each.names & names]:
                found.remove(other)
                names |= other.names
                conditions = other.conditions + conditions
            found.append(StaticRelation(names, conditions))
        return found

    def _is_static(self, condition: Expr) -> bool:
        names = self._needed(condition)
        lets = (let.value for let in self._question.lets_for((condition,)))
        exprs = (condition, *lets, *(self._domains[name] for name in names))
        is_fixed = not any(self._footprints.of(expr).reads for expr in exprs)
        return bool(names) and is_fixed and free_locals(condition) <= self._needs.keys()

    def _from_set(
        self,
        name: str,
        conditions: Iterable[Expr],
        relation: StaticRelation | None,
        *,
        is_of_masks: bool,
    ) -> ValueSource[FromSet]:
        found = tuple(
            (self._needed(limit.expr), limit)
            for condition in conditions
            for limit in limits(condition, name)
            if limit.is_direct or not is_of_masks
        )
        compared, whole = _COMPARED, _WHOLE
        others: Names = frozenset()
        if relation is not None:
            others = relation.names - {name}
            compared = whole = _WHOLE if is_of_masks else _TABULATED
        ranks = (
            *((frozenset({other}), _RELATED) for other in others),
            *((needs, _rank(limit, compared)) for needs, limit in found),
        )
        return ValueSource(FromSet(name, found, relation), (name,), whole, ranks=ranks)

    def _from_tuples(self, condition: Expr) -> Iterator[ValueSource[FromTuples]]:
        for pattern, source in _patterns(condition):
            names = tuple(name for name in self._domains if Local(name) in pattern)
            of, needs = FromTuples(pattern, source), self._needed(source)
            # A single parameter is better looked for in its set.
            yield ValueSource(of, names, _TUPLES, needs, least=2)

    def _needed(self, expr: Expr) -> Names:
        return frozenset().union(*(self._needs.get(n, frozenset()) for n in free_locals(expr)))


def _rank(limit: Limit, compared: int) -> int:
    if limit.is_of_size:
        return compared
    return {Op.EQ: _EQUAL, Op.IN: _MEMBER}.get(limit.op, compared)


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
