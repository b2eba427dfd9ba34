"""Definitions as closures: nothing walks a tree while a program runs.

Local names are places in a frame, a list that each call makes anew. Expressions that need
no local name and depend on nothing are evaluated once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial, reduce
from operator import itemgetter
from typing import Final, TypeAlias, assert_never

from zermelo.core.values import Value
from zermelo.languages.led import ir
from zermelo.languages.led.run import analysis, closures, operations
from zermelo.languages.led.run.built_ins import BUILTINS, Builtin
from zermelo.languages.led.run.calls import (
    MISSING,
    SMALL_NUMBER,
    Closure,
    CompiledDefinition,
    Frame,
    Meter,
    Test,
    called,
    computed,
)
from zermelo.languages.led.run.closures import Domain, Matcher, Notes
from zermelo.languages.led.run.pretty import plain
from zermelo.languages.led.run.values import Arranged, Undefined
from zermelo.text.budget import spend
from zermelo.text.source import Span

_STEPS_TO_PREPARE: Final = 24
_CALLS_TO_PREPARE: Final = 10

Env: TypeAlias = Mapping[str, int]
"""Where the value of each local name stands in the frame."""


_ORDER: Final = frozenset({ir.Op.LT, ir.Op.GT, ir.Op.LE, ir.Op.GE})
_CONNECTIVES: Final = frozenset({ir.Op.OR, ir.Op.IFF})
_TESTS: Final = _ORDER | _CONNECTIVES | {ir.Op.EQ, ir.Op.NE, ir.Op.IN, ir.Op.SUBSET}


class Compiler:
    """The definitions of a program, each compiled when it is first needed."""

    def __init__(
        self, program: ir.Program, meter: Meter, keep: frozenset[str] = frozenset()
    ) -> None:
        self.meter = meter
        self.dependences = analysis.dependences(program)
        self._definitions = {each.name: each for each in program.definitions}
        self._large = analysis.large(program) | keep
        self._codes: dict[str, CompiledDefinition] = {}

    def code(self, name: str) -> CompiledDefinition | None:
        found = self._codes.get(name)
        if found is None and (definition := self._definitions.get(name)) is not None:
            found = CompiledDefinition(name, self.dependences[name])
            found.is_kept = self.meter.is_known or not found.dependence.on_input
            found.is_worth_keeping = name in self._large or found.dependence.on_input
            self._codes[name] = found
            self._prepare(found, definition)
        return found

    def codes(self) -> tuple[CompiledDefinition, ...]:
        return tuple(self._codes.values())

    def arity(self, name: str) -> int:
        return len(self._definitions[name].parameters)

    def expression(self, expr: ir.Expr) -> CompiledDefinition:
        """An expression of its own, as a definition without a name."""
        code = CompiledDefinition(
            "", analysis.dependence_of(analysis.inside(expr), self.dependences)
        )
        code.is_kept = False
        self._prepare(code, ir.ProgramDefinition("", (), (ir.Case(expr),)))
        return code

    def _prepare(self, code: CompiledDefinition, definition: ir.ProgramDefinition) -> None:
        # Compiled by the first call, since definitions use each other in circles.
        def first(frame: Frame) -> Value:
            body = _DefinitionCompiler(self)
            code.body = body.definition(definition)
            code.weight = analysis.definition_weight(definition)
            code.calls = analysis.calls(definition)
            code.rest = [MISSING] * (body.size - len(definition.parameters))
            frame.extend(code.rest)
            return code.body(frame)

        code.body = first


class _DefinitionCompiler:
    """One definition being compiled."""

    def __init__(self, compiler: Compiler) -> None:
        self.compiler = compiler
        self.meter = compiler.meter
        self.size = 0
        self._later: dict[int, Closure | None] = {}
        """Names of ``where`` that are computed when they are first needed."""
        self._is_once = False
        self._weight = 0
        """How many steps each member takes of a set that the sentence at hand goes through."""

    def slot(self) -> int:
        self.size += 1
        return self.size - 1

    def definition(self, definition: ir.ProgramDefinition) -> Closure:
        """The closure of a whole definition; its parameters come first in the frame."""
        env: Env = {name: self.slot() for name in definition.parameters}
        where = definition.where
        if where is None:
            return self._cases(definition, env)
        env = self._extended(env, analysis.binds(where))
        equations = _equations(where)
        if equations is not None:
            # All are marked before any is compiled: they may use each other in any order.
            self._later = {env[name]: None for name, _ in equations}
            for name, value in equations:
                self._later[env[name]] = self.expr(value, env)
            return self._cases(definition, env)
        return self._where(where, env, definition)

    def _where(self, where: ir.Sentence, env: Env, definition: ir.ProgramDefinition) -> Closure:
        """The closure of *definition*; its ``where`` is solved when a name of it is needed."""
        names = analysis.binds(where)
        tests: list[Test] = []
        rest: list[ir.Sentence] = []
        for part in _conjuncts(where):
            if isinstance(part, ir.Holds) and not analysis.free(part).intersection(names):
                # A condition on the arguments alone does not wait.
                tests.append(self.test(part.expr, env, what="a condition"))
            else:
                rest.append(part)
        if rest:
            self._solved_later(where, rest, env)
        cases = self._cases(definition, env)

        def run(frame: Frame) -> Value:
            for test in tests:
                if not test(frame):
                    raise Undefined("nothing fits what `where` asks for").at(where.span)
            return cases(frame)

        return run if tests else cases

    def _solved_later(self, where: ir.Sentence, parts: list[ir.Sentence], env: Env) -> None:
        """Let each name that *parts* of *where* bind get its value when one is needed."""
        solved = self._solved(reduce(ir.BothHold, parts), env, then=lambda _: True)

        def value(place: int) -> Closure:
            def run(frame: Frame) -> Value:
                if not solved(frame):
                    raise Undefined("nothing fits what `where` asks for").at(where.span)
                return frame[place]

            return run

        places = [env[name] for name in analysis.binds(where)]
        self._later = {place: value(place) for place in places}

    def _cases(self, definition: ir.ProgramDefinition, env: Env) -> Closure:
        cases = [
            (
                None if case.guard is None else self.test(case.guard, env, what="`if`"),
                self.expr(case.value, env),
            )
            for case in definition.cases
        ]
        if cases and cases[0][0] is None:
            return cases[0][1]

        def run(frame: Frame) -> Value:
            for guard, value in cases:
                if guard is None or guard(frame):
                    return value(frame)
            raise Undefined(f"none of the cases of `{definition.name}` holds").at(definition.span)

        return run

    # Expressions

    def expr(self, expr: ir.Expr, env: Env) -> Closure:
        spend(_STEPS_TO_PREPARE, "getting expressions ready", expr.span)
        return self.meter.stack.deeper(_CALLS_TO_PREPARE, lambda: self._prepared(expr, env))

    def _prepared(self, expr: ir.Expr, env: Env) -> Closure:
        if self._is_once and not _is_loop(expr):
            return self._expr(expr, env)
        is_once = not self._is_once and self._is_constant(expr)
        # What a loop repeats is worth evaluating once again, even if the loop is.
        before, self._is_once = self._is_once, is_once and not _is_loop(expr)
        closure = self._expr(expr, env)
        self._is_once = before
        return closures.once(closure) if is_once else closure

    def _is_constant(self, expr: ir.Expr) -> bool:
        """Whether *expr* is worth evaluating once: more than a name, and always the same."""
        if isinstance(expr, ir.Literal | ir.Local | ir.Global | ir.Builtin | ir.Undefined):
            return False
        if analysis.free(expr):
            return False
        on = analysis.dependence_of(analysis.inside(expr), self.compiler.dependences)
        return not on.on_state and not on.on_input

    def _expr(self, expr: ir.Expr, env: Env) -> Closure:
        match expr:
            case ir.Literal(value):
                return lambda _: value
            case ir.Local(name) if name not in env:
                # A sentence that cannot be solved binds nothing.
                return closures.undefined(f"`{name}` has no value", expr.span)
            case ir.Local(name):
                return self._local(env[name])
            case ir.Global():
                return self._call(expr, env)
            case ir.Builtin(name, arguments):
                return self._builtin(BUILTINS[name], self._several(arguments, env), expr.span)
            case ir.Undefined(reason):
                return closures.undefined(reason, expr.span)
            case ir.MakeTuple(items):
                parts = tuple(self.expr(item, env) for item in items)
                return closures.tuple_of(parts, meter=self.meter, span=expr.span)
            case ir.MakeSet(items):
                return self._set(self._several(items, env))
            case _:
                return self._compound(expr, env)

    def _several(self, items: Iterable[ir.Expr], env: Env) -> Callable[[Frame], tuple[Value, ...]]:
        return closures.several(tuple(self.expr(item, env) for item in items))

    def _set(self, values: Callable[[Frame], tuple[Value, ...]]) -> Closure:
        meter = self.meter

        def run(frame: Frame) -> Value:
            members = values(frame)
            if meter.is_heavy:
                meter.find(members)
            return Arranged(members)

        return run

    def _compound(self, expr: ir.Expr, env: Env) -> Closure:
        match expr:
            case ir.Index(base, index):
                parts = [self.expr(each, env) for each in (base, index)]
                return closures.component(*parts, span=expr.span)
            case ir.Slice(base, low, high):
                parts = [self.expr(each, env) for each in (base, low, high)]
                return closures.part(*parts, meter=self.meter, span=expr.span)
            case ir.MakeRange(low, high):
                parts = [self.expr(each, env) for each in (low, high)]
                return closures.interval(*parts, meter=self.meter, span=expr.span)
            case ir.Comprehension(result, sentence):
                return self._comprehension(result, sentence, env)
            case ir.Big():
                return self._big(expr, env)
            case ir.UnaryOperation(function, operand) if function is not ir.UnaryOp.NOT:
                return self._function(function, operand, env=env, span=expr.span)
            case ir.BinaryOperation(op, left, right) if op not in _TESTS:
                parts = [self.expr(each, env) for each in (left, right)]
                return closures.arithmetic(op, *parts, meter=self.meter, span=expr.span)
            case _:
                return closures.valued(self._condition(expr, env))

    def _function(self, function: ir.UnaryOp, operand: ir.Expr, *, env: Env, span: Span) -> Closure:
        return closures.function(function, self.expr(operand, env), meter=self.meter, span=span)

    def _local(self, place: int) -> Closure:
        later = self._later
        if place not in later:
            return itemgetter(place)

        def run(frame: Frame) -> Value:
            found = frame[place]
            compute = later[place]
            if found is MISSING and compute is not None:
                found = frame[place] = compute(frame)
            return found

        return run

    def _call(self, expr: ir.Global, env: Env) -> Closure:
        values, span, meter = self._several(expr.arguments, env), expr.span, self.meter
        code = self.compiler.code(expr.name)
        if code is None or self.compiler.arity(expr.name) != len(expr.arguments):
            return closures.undefined(f"`{expr.name}` is not defined", span)

        def run(frame: Frame) -> Value:
            return called(code, values(frame), meter=meter, span=span)

        def quick(frame: Frame) -> Value:
            meter.left -= code.weight
            if meter.left < 0:
                meter.ask_for_more(span)
            return computed(code, values(frame), meter=meter)

        return run if code.is_worth_keeping else quick

    def _builtin(
        self, builtin: Builtin, values: Callable[[Frame], tuple[Value, ...]], span: Span
    ) -> Closure:
        build = builtin.build
        if build is None:
            return closures.environment(builtin.name, self.meter, span)

        steps, meter = builtin.steps, self.meter

        def run(frame: Frame) -> Value:
            given = values(frame)
            try:
                meter.spend(steps(given))
                found = build(given)
                return meter.made(found) if type(found) is tuple else found
            except Undefined as fault:
                raise fault.at(span) from None

        return run

    def _comprehension(self, result: ir.Expr, sentence: ir.Sentence, env: Env) -> Closure:
        inner = self._extended(env, analysis.binds(sentence))
        made = self.expr(result, inner)
        place = self.slot()
        meter = self.meter

        def add(frame: Frame) -> bool:
            notes = frame[place]
            if isinstance(notes, Notes):
                value = made(frame)
                if meter.is_heavy:
                    meter.find((value,))
                notes.made[value] = None
                if len(notes.made) > operations.LARGEST_SET:
                    too_large = Undefined("this set is too large to be made", is_limit=True)
                    raise too_large.at(sentence.span)
            return False

        solved = self._solved(sentence, inner, then=add, repeated=result)

        def run(frame: Frame) -> Value:
            notes = frame[place] = Notes()
            solved(frame)
            return Arranged.of(notes.made)

        return run

    def _big(self, expr: ir.Big, env: Env) -> Closure:
        inner = self._extended(env, analysis.binds(expr.sentence))
        body = self.expr(expr.body, inner)
        place = self.slot()
        meter = self.meter
        join = closures.JOIN[expr.op]
        is_intersection = expr.op is ir.BigOp.INTERSECTION
        op = ir.Op.TIMES if expr.op is ir.BigOp.PRODUCT else ir.Op.PLUS

        def add(frame: Frame) -> bool:
            notes = frame[place]
            value = body(frame)
            if isinstance(notes, Notes):
                try:
                    if isinstance(value, frozenset):
                        meter.spend(len(value) + len(notes.made) * is_intersection)
                        meter.find(value)
                    elif not _are_small(notes.total, value):
                        meter.operate(op, notes.total, value)
                    join(notes, value)
                    meter.weighed(notes.total)
                except Undefined as fault:
                    raise fault.at(expr.span) from None
            return False

        solved = self._solved(expr.sentence, inner, then=add, repeated=expr.body)
        start = 1 if expr.op is ir.BigOp.PRODUCT else 0
        is_set = expr.op in (ir.BigOp.UNION, ir.BigOp.INTERSECTION)

        def run(frame: Frame) -> Value:
            notes = frame[place] = Notes()
            notes.total = start
            solved(frame)
            return Arranged.of(notes.made) if is_set else notes.total

        return run

    # Conditions

    def test(self, expr: ir.Expr, env: Env, *, what: str) -> Test:
        if not _is_condition(expr) or self._is_constant(expr):
            return closures.tested(self.expr(expr, env), what, expr.span)
        return self._condition(expr, env)

    def _tests(self, *sides: ir.Expr, env: Env, what: str) -> list[Test]:
        return [self.test(each, env, what=what) for each in sides]

    def _condition(self, expr: ir.Expr, env: Env) -> Test:
        match expr:
            case ir.Conjunction(left, right):
                return closures.conjunction(*self._tests(left, right, env=env, what="`&`"))
            case ir.Implication(left, right):
                first, second = self._tests(left, right, env=env, what="`=>`")
                return lambda frame: not first(frame) or second(frame)
            case ir.UnaryOperation(operand=operand):
                test = self.test(operand, env, what="`~`")
                return lambda frame: not test(frame)
            case ir.Quantification():
                return self._quantified(expr, env)
            case ir.BinaryOperation(op, left, right) if op in _CONNECTIVES:
                tests = self._tests(left, right, env=env, what=f"`{op.value}`")
                return closures.connective(op, *tests)
            case ir.BinaryOperation():
                return self._relation(expr, env)
            case _:
                raise AssertionError(expr)

    def _relation(self, expr: ir.BinaryOperation, env: Env) -> Test:
        left = self.expr(expr.left, env)
        if expr.op is ir.Op.IN and isinstance(expr.right, ir.MakeRange):
            low, high = self.expr(expr.right.low, env), self.expr(expr.right.high, env)
            return closures.member_of_interval(left, low, high, span=expr.span)
        right = self.expr(expr.right, env)
        if expr.op in _ORDER:
            return closures.comparison(expr.op, left, right, span=expr.span)
        if expr.op in (ir.Op.EQ, ir.Op.NE):
            return closures.equality(expr.op, left, right, meter=self.meter)
        return closures.relation(expr.op, left, right, meter=self.meter, span=expr.span)

    def _quantified(self, expr: ir.Quantification, env: Env) -> Test:
        members = self._domain(expr.domain, env)
        inner = self._extended(env, expr.names)
        test = self.test(expr.body, inner, what=f"`{expr.quantifier.value}`")
        wanted = expr.quantifier is ir.Quantifier.SOME
        weight = analysis.weight(expr.body)
        first = partial(closures.first_member, wanted=wanted, meter=self.meter, weight=weight)
        if len(expr.names) == 1:
            return first(test, inner[expr.names[0]], members)
        # Every name ranges over the same set, which none of them can change.
        place = self.slot()

        def noted(frame: Frame) -> Sequence[Value] | frozenset[Value]:
            notes = frame[place]
            return notes.members if isinstance(notes, Notes) else ()

        for name in reversed(expr.names):
            test = first(test, inner[name], noted)

        def run(frame: Frame) -> bool:
            notes = frame[place] = Notes()
            notes.members = members(frame)
            return test(frame)

        return run

    # Sentences: what comes after one is compiled into it, so that solving is a chain of calls
    # within one frame; whoever has seen enough answers true, and the rest is left out.

    def _extended(self, env: Env, names: Sequence[str]) -> Env:
        return {**env, **{name: self.slot() for name in names}}

    def _solved(
        self, sentence: ir.Sentence, env: Env, *, then: Test, repeated: ir.Expr | None = None
    ) -> Test:
        """As ``_solve``, for a whole sentence; *repeated* is evaluated for each solution."""
        before = self._weight
        whole = (sentence,) if repeated is None else (sentence, repeated)
        self._weight = analysis.weight(*whole)
        made = self._solve(sentence, env, then=then)
        self._weight = before
        return made

    def _solve(self, sentence: ir.Sentence, env: Env, *, then: Test) -> Test:
        """Runs *then* for every solution of *sentence*, whose names *env* has, until it is true."""
        match sentence:
            case ir.Holds(expr):
                return closures.conjunction(self.test(expr, env, what="a condition"), then)
            case ir.Is(pattern, value):
                return self._equation(pattern, value, env=env, then=then)
            case ir.Member(pattern, domain):
                return self._choice(pattern, domain, env=env, then=then)
            case ir.BothHold(left, right):
                return self._solve(left, env, then=self._solve(right, env, then=then))
            case ir.EitherHolds(left, right):
                return self._either(sentence, env, then=then)
            case _:
                assert_never(sentence)

    def _equation(self, pattern: ir.Pattern, value: ir.Expr, *, env: Env, then: Test) -> Test:
        compiled = self.expr(value, env)
        if isinstance(pattern, ir.NewName):
            place = env[pattern.name]

            def bind(frame: Frame) -> bool:
                frame[place] = compiled(frame)
                return then(frame)

            return bind
        fits = self._matcher(pattern, env)
        return lambda frame: fits(compiled(frame), frame) and then(frame)

    def _choice(self, pattern: ir.Pattern, domain: ir.Expr, *, env: Env, then: Test) -> Test:
        members = self._domain(domain, env)
        meter, weight = self.meter, self._weight
        if isinstance(pattern, ir.NewName):
            place = env[pattern.name]

            def bind(frame: Frame) -> bool:
                for value in members(frame):
                    meter.left -= weight
                    if meter.left < 0:
                        meter.ask_for_more(domain.span)
                    frame[place] = value
                    if then(frame):
                        return True
                return False

            return bind
        fits = self._matcher(pattern, env)

        def run(frame: Frame) -> bool:
            for value in members(frame):
                meter.left -= weight
                if meter.left < 0:
                    meter.ask_for_more(domain.span)
                if fits(value, frame) and then(frame):
                    return True
            return False

        return run

    def _either(self, sentence: ir.EitherHolds, env: Env, *, then: Test) -> Test:
        # The same values of the bound names count once, whichever side they come from.
        places = tuple(env[name] for name in analysis.binds(sentence))
        seen_at = self.slot()
        meter = self.meter

        def once(frame: Frame) -> bool:
            values = tuple([frame[place] for place in places])
            seen = frame[seen_at]
            if isinstance(seen, Notes):
                if meter.is_heavy:
                    meter.find(values)
                if values in seen.made:
                    return False
                seen.made[values] = None
            return then(frame)

        left = self._solve(sentence.left, env, then=once)
        right = self._solve(sentence.right, env, then=once)

        def run(frame: Frame) -> bool:
            frame[seen_at] = Notes()
            return left(frame) or right(frame)

        return run

    def _domain(self, domain: ir.Expr, env: Env) -> Domain:
        """The members of a set, one by one; an interval is not listed for it."""
        if isinstance(domain, ir.MakeRange):
            low, high = self.expr(domain.low, env), self.expr(domain.high, env)

            def numbers(frame: Frame) -> range:
                try:
                    return operations.interval(low(frame), high(frame))
                except Undefined as fault:
                    raise fault.at(domain.span) from None

            return numbers
        compiled = self.expr(domain, env)

        def members(frame: Frame) -> frozenset[Value]:
            found = compiled(frame)
            if isinstance(found, frozenset):
                return found
            raise Undefined(f"a set is needed here, and this is {plain(found)}").at(domain.span)

        return members

    def _matcher(self, pattern: ir.Pattern, env: Env) -> Matcher:
        """Whether a value has the form of *pattern*; binds the names in it."""
        match pattern:
            case ir.NewName(name):
                return closures.binder(env[name])
            case ir.Same(expr):
                return closures.same(self.expr(expr, env), meter=self.meter)
            case ir.TuplePattern(items):
                return closures.component_matcher(tuple(self._matcher(item, env) for item in items))
            case _:
                assert_never(pattern)


def _are_small(a: Value, b: Value) -> bool:
    return (
        type(a) is int
        and type(b) is int
        and -SMALL_NUMBER < a < SMALL_NUMBER
        and -SMALL_NUMBER < b < SMALL_NUMBER
    )


def _is_loop(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Comprehension | ir.Big | ir.Quantification)


def _is_condition(expr: ir.Expr) -> bool:
    match expr:
        case ir.Conjunction() | ir.Implication() | ir.Quantification():
            return True
        case ir.UnaryOperation(function, _):
            return function is ir.UnaryOp.NOT
        case ir.BinaryOperation(op, _, _):
            return op in _TESTS
        case _:
            return False


def _conjuncts(sentence: ir.Sentence) -> list[ir.Sentence]:
    if isinstance(sentence, ir.BothHold):
        return [*_conjuncts(sentence.left), *_conjuncts(sentence.right)]
    return [sentence]


def _equations(where: ir.Sentence) -> list[tuple[str, ir.Expr]] | None:
    """The names that *where* gives a value each, if it does nothing else."""
    match where:
        case ir.Is(ir.NewName(name), value):
            return [(name, value)]
        case ir.BothHold(left, right):
            first, second = _equations(left), _equations(right)
            return None if first is None or second is None else first + second
        case _:
            return None
