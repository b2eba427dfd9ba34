"""Where the effects of a move can come from: its guards, read as questions about its arguments.

A call with an effect has a first rule that fires, and that rule's guard holds in
the state before the call, changed at most by statements without a guard. So the
arguments worth trying are those that answer the question of some rule. Whatever
is not understood makes a question weaker, never stronger.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Final, TypeAlias, assert_never

from zermelo.languages.sections.ir import (
    Apply,
    Assign,
    Binary,
    Call,
    Declare,
    Expr,
    Let,
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
from zermelo.languages.sections.run.procedures import Program, Routine, RuleStep, Step
from zermelo.languages.sections.run.queries import Question
from zermelo.languages.sections.walk import conjuncts, free_locals, parts, rebuilt, substituted

_LARGEST_IMAGE: Final = 200
"""A local that stands for more nodes than this keeps its name."""
_DEEPEST_CALL: Final = 8
_MOST_ALTERNATIVES: Final = 16
_TRUE: Final = Literal(value=True)


@dataclass(frozen=True, slots=True)
class Prefix:
    """A step that does not depend on the arguments: it is run, and what follows sees it."""

    step: Step


@dataclass(frozen=True, slots=True)
class Everything:
    """Every argument may have an effect."""


Source: TypeAlias = Prefix | Everything | Question
Routines: TypeAlias = tuple[Routine, ...]
"""The calls around a statement, outermost first."""


@dataclass(slots=True)
class _Scope:
    """What is known at a statement if nothing with a guard has had an effect before it."""

    images: dict[str, Expr]
    """Locals, in terms of parameters and of names in *lets*."""
    refs: dict[str, Expr] = field(default_factory=dict)
    """Flags that a statement without a guard has set, likewise."""
    unknown: set[str] = field(default_factory=set)
    """Variables whose value is not known."""
    lets: tuple[Let, ...] = ()
    conditions: tuple[Expr, ...] = ()

    def copy(self) -> _Scope:
        return replace(self, images={**self.images}, refs={**self.refs}, unknown={*self.unknown})

    def set(self, variable: str) -> None:
        """Note that *variable* has got the value it has now."""
        self.refs.pop(variable, None)
        self.unknown.discard(variable)

    def lose(self, variables: frozenset[str]) -> None:
        """Note that the values of *variables* are not known."""
        self.unknown |= variables
        for variable in variables:
            self.refs.pop(variable, None)


def sources(program: Program, routine: Routine) -> tuple[Source, ...]:
    """The sources of effects of a call of *routine*, in the order of its statements."""
    return tuple(_Reader(program, routine).read())


class _Reader:
    """Reads the body of one move."""

    def __init__(self, program: Program, routine: Routine) -> None:
        self._program = program
        self._routine = routine
        self._footprints = program.expressions.footprints
        self._roles = {v.name: v.role for v in program.system.variables}
        self._functions = {f.name: f for f in program.system.functions}
        self._fresh = 0
        self._found: list[Source] = []

    def read(self) -> list[Source]:
        """The sources, in order."""
        if self._domains_may_change():
            return [Everything()]
        scope = _Scope({name: Local(name) for name in self._routine.parameters})
        known: set[str] = set()
        before = set(self._routine.parameters)
        for step in self._routine.steps:
            statement = _statement(step)
            given = _given(statement)
            own = given - before
            before |= given
            if free_locals(statement) - own <= known and self._is_independent(statement, scope):
                self._found.append(Prefix(step))
                self._note(statement, scope)
                known |= given
                scope.images.update({name: Local(name) for name in given})
            elif not self._read((statement,), scope, (self._routine,)):
                self._found.append(Everything())
                break
            else:
                known -= given
        return self._found

    # Statements that do not depend on the arguments

    def _is_independent(self, statement: Statement, scope: _Scope) -> bool:
        reads = self._footprints.of(statement).reads
        changes_parameters = _given(statement) & set(self._routine.parameters)
        return not changes_parameters and not reads & (scope.refs.keys() | scope.unknown)

    def _note(self, statement: Statement, scope: _Scope) -> None:
        """Note what a statement that was run has changed: what is made of it is known no more."""
        is_seen = self._routine.procedure.order is not Order.AT_ONCE
        writes = self._footprints.of(statement).writes if is_seen else frozenset()
        changed = set(_given(statement))

        def is_stale(expr: Expr) -> bool:
            return bool(self._footprints.of(expr).reads & writes or free_locals(expr) & changed)

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

    def _domains_may_change(self) -> bool:
        """Whether the sets of the parameters read what a call of the move may write."""
        writes = self._footprints.of_procedure(self._routine.name).writes
        flags = {v for v in writes if self._roles.get(v) is VariableRole.FLAG}
        domains = (p.domain for p in self._routine.procedure.parameters)
        return any(self._footprints.of(domain).reads & flags for domain in domains)

    # Statements that do

    def _read(self, statements: Iterable[Statement], scope: _Scope, routines: Routines) -> bool:
        """Find the sources in *statements*; ``False`` when every argument may have an effect."""
        for statement in statements:
            decided = self._read_one(statement, scope, routines)
            if decided is not None:
                return decided
        return True

    def _read_one(self, statement: Statement, scope: _Scope, routines: Routines) -> bool | None:
        """As ``_read``; ``None`` when what follows matters too."""
        match statement:
            case Let():
                self._let((statement,), scope)
                return None
            case Assign():
                return self._assign(statement, scope, routines)
            case Rule():
                return self._rule(statement, scope, routines)
            case Call():
                return None if self._call(statement, scope, routines) else False
            case Declare():
                return None
            case _:
                assert_never(statement)

    def _rule(self, rule: Rule, scope: _Scope, routines: Routines) -> bool | None:
        inside = scope.copy()
        # A guard of which nothing is understood still is one.
        understood = tuple(self._conditions(rule.guard, scope)) or (_TRUE,)
        inside.conditions += understood
        decided = self._conclusion(rule.conclusion, inside, routines)
        for name in _given(rule):
            scope.images.pop(name, None)
        return None if decided else False

    def _conclusion(
        self, statements: tuple[Statement, ...], scope: _Scope, routines: Routines
    ) -> bool:
        """The statements before the first call or nested rule see the same names."""
        together = tuple(takewhile(_is_simple, statements))
        for statement in together:
            if isinstance(statement, Assign):
                decided = self._assign(statement, scope, routines)
                if decided is not None:
                    return decided
        self._let(tuple(s for s in together if isinstance(s, Let)), scope)
        return self._read(statements[len(together) :], scope, routines)

    def _assign(self, statement: Assign, scope: _Scope, routines: Routines) -> bool | None:
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

    def _call(self, statement: Call, scope: _Scope, routines: Routines) -> bool:
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

    def _inside(self, routine: Routine, call: Call, scope: _Scope) -> _Scope:
        """What is known in the body of a helper that is called."""
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
        """Whether *image* is a parameter of the move with the same set."""
        given = self._routine.procedure.parameters
        return any(image == Local(p.name) and domain == p.domain for p in given)

    # Expressions in terms of the parameters

    def _let(self, lets: tuple[Let, ...], scope: _Scope) -> None:
        images = [(let, self._image(let.value, scope)) for let in lets]
        for let, image in images:
            for name, value in zip(let.names, self._components(let, image, scope), strict=True):
                if value is None:
                    scope.images.pop(name, None)
                else:
                    scope.images[name] = value

    def _components(self, let: Let, image: Expr | None, scope: _Scope) -> Sequence[Expr | None]:
        """The expressions that the names of *let* stand for; ``None`` where that is not known."""
        if image is None:
            return [None] * len(let.names)
        if let.is_tuple and isinstance(image, TupleOf):
            count = len(let.names)
            return image.items if len(image.items) == count else [None] * count
        if not let.is_tuple and _is_small(image):
            return [image]
        self._fresh += 1
        names = tuple(f"{name}·{self._fresh}" for name in let.names)
        scope.lets += (Let(names, let.is_tuple, image),)
        return [Local(name) for name in names]

    def _conditions(self, guard: Expr, scope: _Scope) -> Iterator[Expr]:
        for conjunct in conjuncts(guard):
            image = self._image(conjunct, scope)
            if image is not None:
                for part in conjuncts(image):
                    yield from self._opened(part, frozenset())

    def _opened(self, condition: Expr, on_the_way: frozenset[str]) -> Iterator[Expr]:
        """*condition*, or what it says if it is the application of a value function."""
        function = self._functions.get(getattr(condition, "function", ""))
        if not isinstance(condition, Apply) or function is None or function.name in on_the_way:
            yield condition
            return
        arguments = zip(function.parameters, condition.arguments, strict=False)
        body = substituted(function.body, {p.name: a for p, a in arguments}, {})
        if body is None:
            yield condition
            return
        for part in conjuncts(body):
            yield from self._opened(part, on_the_way | {function.name})

    def _image(self, expr: Expr, scope: _Scope) -> Expr | None:
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

    def _are_known(self, expr: Expr, refs: set[str], scope: _Scope) -> bool:
        if refs & scope.unknown:
            return False
        changed = scope.refs.keys() | scope.unknown
        looked_through = [self._footprints.of_variable(name).reads - {name} for name in refs]
        applied = {part.function for part in parts(expr) if isinstance(part, Apply)}
        bodies = [self._functions[name].body for name in applied if name in self._functions]
        looked_through += [self._footprints.of(body).reads for body in bodies]
        return not any(reads & changed for reads in looked_through)

    def _ask(self, scope: _Scope) -> None:
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
                continue
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


def _is_small(expr: Expr) -> bool:
    return sum(1 for _ in parts(expr)) <= _LARGEST_IMAGE


def _is_simple(statement: Statement) -> bool:
    return not isinstance(statement, Call | Rule)


def _given(statement: Statement) -> frozenset[str]:
    """The locals that *statement* gives values to, itself or in its conclusion."""
    return frozenset(n for part in parts(statement) if isinstance(part, Let) for n in part.names)


def _statement(step: Step) -> Statement:
    return step.rule if isinstance(step, RuleStep) else step.statement
