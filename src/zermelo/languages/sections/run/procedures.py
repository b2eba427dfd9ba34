"""Running a procedure: what rules and conclusions do, in each of the three orders.

*In order*, every write is seen by what comes after it. With *facts frozen* too, but facts are those
of the moment when the move was called. *At once*, what is written waits until the procedure ends;
nobody sees it before, and two different values for one variable conflict.

A formula without a value costs the rule, the statement or the call that needs it, as a local
outside its declaration does; the rest of the call is made, and why something was left out is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar, assert_never

from zermelo.core.commentary import Change, Evidence
from zermelo.core.machine import Fault, FaultError, FaultKind, SkipError, Turn, endless, undefined
from zermelo.core.signature import RuleName
from zermelo.core.values import Value, to_short_text
from zermelo.languages.sections.ir import (
    Assign,
    Call,
    Declare,
    Expr,
    Let,
    Order,
    Outside,
    PowerSet,
    Procedure,
    Rule,
    Statement,
    System,
)
from zermelo.languages.sections.run import sets
from zermelo.languages.sections.run.evidence import EvidenceFinder
from zermelo.languages.sections.run.expressions import SystemExpressions, calls_of, weight
from zermelo.languages.sections.run.operators import (
    Code,
    Env,
    FactValues,
    Missing,
    SetCode,
    TruthCode,
    ValueCode,
    located,
    text_of,
)
from zermelo.languages.sections.run.sets import AnySet, Operand, Unlisted
from zermelo.languages.sections.walk import (
    applied,
    calls,
    conjuncts,
    free_locals,
    groups_of,
    recursive,
    rest_of,
    rules_of,
)
from zermelo.text.budget import spend

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Conjunct:
    """A part of a guard and whether it holds; ``None`` when it was not reached."""

    expr: Expr
    holds: bool | None
    evidence: tuple[Evidence, ...] = ()
    """Why, if that was asked for."""


@dataclass(frozen=True, slots=True)
class RuleEvent:
    """A rule was tried."""

    procedure: str
    rule: Rule
    fired: bool
    conjuncts: tuple[Conjunct, ...]
    changes: tuple[Change, ...] = ()
    depth: int = 0
    skipped: str | None = None
    """Why the rule was skipped: a value it uses is outside its declaration, or not there."""


@dataclass(frozen=True, slots=True)
class CallEvent:
    """A procedure was called."""

    procedure: str
    arguments: tuple[tuple[str, Value], ...]
    depth: int = 0
    skipped: str | None = None
    """Why the call was skipped, when an argument is outside its set."""


@dataclass(frozen=True, slots=True)
class SetEvent:
    """A statement outside all rules gave a variable or locals a value."""

    procedure: str
    changes: tuple[Change, ...] = ()
    locals: tuple[tuple[str, Value], ...] = ()
    depth: int = 0


Event: TypeAlias = RuleEvent | CallEvent | SetEvent


class EventLog(list[Event]):
    """What happens in a turn; with a *finder*, also why parts of guards hold or do not."""

    def __init__(self, finder: EvidenceFinder | None = None) -> None:
        super().__init__()
        self.finder = finder


@dataclass(frozen=True, slots=True)
class LoggedTurn(Turn):
    """A turn with every rule that was tried in it."""

    events: tuple[Event, ...] = ()

    @property
    def fired(self) -> tuple[RuleName, ...]:
        fired = [e for e in self.events if isinstance(e, RuleEvent) and e.fired]
        return tuple(dict.fromkeys((event.procedure, event.rule.label) for event in fired))


CALL_LIMIT: Final = 20_000
_STEPS_OF_A_CALL: Final = 28
_STEPS_OF_A_NAME: Final = 4
_STEPS_TO_SORT: Final = 10
_STEPS_OF_A_STATEMENT: Final = 10
_TEXT_LIMIT: Final = 120


@dataclass(frozen=True, slots=True)
class AssignStep:
    """Give a variable a value."""

    statement: Assign
    value: ValueCode


@dataclass(frozen=True, slots=True)
class LetStep:
    """Give locals a value."""

    statement: Let
    value: Code


@dataclass(frozen=True, slots=True)
class CallStep:
    """Call a helper."""

    statement: Call
    arguments: tuple[ValueCode, ...]


@dataclass(frozen=True, slots=True)
class Test:
    """A conjunct of a guard."""

    expr: Expr
    holds: TruthCode


@dataclass(frozen=True, slots=True)
class RuleStep:
    """Test a guard, and run the conclusion."""

    rule: Rule
    tests: tuple[Test, ...]
    groups: tuple[tuple[AssignStep | LetStep, ...], ...]
    """What stands before the first call or nested rule: those of a group share the state before."""
    is_chained: bool
    """Whether a group reads a variable that one before it writes."""
    rest: tuple[Step, ...]
    declared: tuple[str, ...]
    """Locals with a declaration that its right sides use; outside it, the rule is skipped."""
    weight: int
    """How many steps its conclusion takes about, apart from going through sets."""


Step: TypeAlias = AssignStep | LetStep | CallStep | RuleStep


@dataclass(frozen=True, slots=True)
class Routine:
    """A procedure, ready to run."""

    procedure: Procedure
    domains: tuple[SetCode, ...]
    steps: tuple[Step, ...]
    declared: Mapping[str, tuple[tuple[Expr, SetCode], ...]]
    weight: int
    """How many steps a call takes about, apart from going through sets and from conclusions."""
    calls: int
    """How many of Python's calls it takes at most, apart from those of what it names."""

    @property
    def name(self) -> str:
        return self.procedure.name

    @property
    def parameters(self) -> tuple[str, ...]:
        return tuple(parameter.name for parameter in self.procedure.parameters)


class Program:
    """All procedures of a system, ready to run."""

    def __init__(self, system: System, expressions: SystemExpressions) -> None:
        self.system = system
        self.expressions = expressions
        self.routines = {p.name: _RoutineMaker(expressions, p).routine() for p in system.procedures}
        self.can_freeze = any(p.order is Order.FACTS_FROZEN for p in system.procedures)
        self.is_recursive = bool(
            recursive({p.name: calls(p) for p in system.procedures})
            or recursive({f.name: applied(f.body) for f in system.functions})
        )


class _RoutineMaker:
    def __init__(self, expressions: SystemExpressions, procedure: Procedure) -> None:
        self._expressions = expressions
        self._procedure = procedure
        self._declarations = tuple(_declarations(procedure.body))

    def routine(self) -> Routine:
        declared: dict[str, tuple[tuple[Expr, SetCode], ...]] = {}
        for declaration in self._declarations:
            domain = (declaration.domain, self._expressions.set(declaration.domain))
            for name in declaration.names:
                declared[name] = (*declared.get(name, ()), domain)
        parameters = self._procedure.parameters
        domains = tuple(self._expressions.set(p.domain) for p in parameters)
        steps = self._steps(self._procedure.body)
        made = self._procedure
        body = _STEPS_OF_A_CALL + sum(map(_steps, made.body))
        return Routine(made, domains, steps, declared, body, calls_of(made))

    def _steps(self, statements: tuple[Statement, ...]) -> tuple[Step, ...]:
        return tuple(self._step(s) for s in statements if not isinstance(s, Declare))

    def _step(self, statement: Assign | Let | Call | Rule) -> Step:
        match statement:
            case Assign() | Let():
                return self._assignment(statement)
            case Call(_, arguments):
                return CallStep(statement, tuple(map(self._expressions.value, arguments)))
            case Rule():
                return self._rule(statement)
            case _:
                assert_never(statement)

    def _assignment(self, statement: Assign | Let) -> AssignStep | LetStep:
        if isinstance(statement, Assign):
            return AssignStep(statement, self._expressions.value(statement.value))
        return LetStep(statement, self._expressions.code(statement.value))

    def _rule(self, rule: Rule) -> RuleStep:
        groups = tuple(tuple(map(self._assignment, group)) for group in groups_of(rule))
        rest = tuple(map(self._step, rest_of(rule)))
        tests = tuple(map(self._test, conjuncts(rule.guard)))
        return RuleStep(
            rule,
            tests,
            groups,
            self._is_chained(groups),
            rest,
            self._used_declared((*(step for group in groups for step in group), *rest)),
            sum(map(_steps, rule.conclusion)),
        )

    def _is_chained(self, groups: tuple[tuple[AssignStep | LetStep, ...], ...]) -> bool:
        written: set[str] = set()
        for group in groups:
            reads = self._expressions.footprints.reads(step.statement.value for step in group)
            if not written.isdisjoint(reads):
                return True
            written |= {s.statement.variable for s in group if isinstance(s, AssignStep)}
        return False

    def _used_declared(self, steps: tuple[Step, ...]) -> tuple[str, ...]:
        declared = dict.fromkeys(name for d in self._declarations for name in d.names)
        given: set[str] = set()
        used: set[str] = set()
        for step in steps:
            if isinstance(step, AssignStep | LetStep):
                used |= free_locals(step.statement.value) - given
            if isinstance(step, LetStep):
                given |= set(step.statement.names)
        return tuple(name for name in declared if name in used)

    def _test(self, expr: Expr) -> Test:
        return Test(expr, self._expressions.truth(expr))


def _steps(statement: Statement) -> int:
    """How many steps it takes about to carry *statement* out, but for the conclusion of a rule."""
    match statement:
        case Rule():
            return _STEPS_OF_A_STATEMENT + weight(statement.guard)
        case Call(_, arguments):
            return _STEPS_OF_A_CALL + sum(map(weight, arguments))
        case Let(names, _, value):
            return _STEPS_OF_A_STATEMENT + _STEPS_OF_A_NAME * len(names) + weight(value)
        case Assign(_, value):
            return _STEPS_OF_A_STATEMENT + weight(value)
        case Declare():
            return (_STEPS_OF_A_NAME + weight(statement.domain)) * len(statement.names)
        case _:
            assert_never(statement)


def _declarations(statements: tuple[Statement, ...]) -> Iterator[Declare]:
    yield from (s for s in statements if isinstance(s, Declare))
    for rule in rules_of(statements):
        yield from (s for s in rule.conclusion if isinstance(s, Declare))


class VariableStore:
    """The variables as they are now, with the facts computed from them."""

    __slots__ = ("facts", "values", "written")

    def __init__(self, values: dict[str, Value], facts: FactValues) -> None:
        self.values = values
        self.facts = facts
        self.written: dict[str, Value] = {}

    def write(self, variable: str, value: Value) -> None:
        self.values[variable] = value
        self.written[variable] = value
        self.facts.forget(variable)

    def fork(self) -> VariableStore:
        values = {**self.values}
        return VariableStore(values, self.facts.over(values))


class CallFrame:
    """A call that is running."""

    __slots__ = ("changes", "depth", "env", "pending", "routine", "rule", "store")

    def __init__(self, routine: Routine, env: Env, store: VariableStore, depth: int) -> None:
        self.routine = routine
        self.env = env
        self.store = store
        self.depth = depth
        self.pending: dict[str, tuple[Value, str | None]] | None = (
            {} if routine.procedure.order is Order.AT_ONCE else None
        )
        self.rule: Rule | None = None
        self.changes: list[Change] = []


class Execution:
    """One call of a move or of the end, with all it calls."""

    def __init__(self, program: Program, store: VariableStore, log: EventLog | None) -> None:
        self._program = program
        self._store = store
        self._log = log
        self._calls = 0
        self._frozen: FactValues | None = None
        self.origins: dict[str, tuple[Routine, Rule | None, Expr]] = {}
        """Who gave each variable its value: procedure, rule and right side."""
        self.left_out: list[Fault] = []
        """Why something was left out: a formula of it has no value."""

    def call(self, routine: Routine, arguments: tuple[Value, ...]) -> None:
        """Call *routine*; ``FaultError`` if that cannot be done to its end."""
        if self._log is not None:
            named = tuple(zip(routine.parameters, arguments, strict=True))
            self._log.append(CallEvent(routine.name, named))
        self._body(self.frame(routine, dict(zip(routine.parameters, arguments, strict=True))))

    def frame(self, routine: Routine, names: dict[str, Operand | Missing]) -> CallFrame:
        if self._program.can_freeze:
            self._frozen = self._store.facts.over({**self._store.values})
        work = self._program.expressions.work
        env = Env(self._store.values, self._store.facts, names, work=work)
        return self._frame(routine, env, self._store, 1)

    # Calls

    def _frame(self, routine: Routine, env: Env, store: VariableStore, depth: int) -> CallFrame:
        if routine.procedure.order is Order.FACTS_FROZEN and self._frozen is not None:
            env.facts = self._frozen
        return CallFrame(routine, env, store, depth)

    def _body(self, frame: CallFrame) -> None:
        self._calls += 1
        if self._calls > CALL_LIMIT:
            raise endless(f"one turn made more than {CALL_LIMIT:,} calls")
        routine = frame.routine
        frame.env.work.go(routine.weight)
        try:
            for name in routine.declared:
                if name in frame.env.locals:
                    self._declare(frame, name)
            for step in routine.steps:
                self.step(frame, step)
        except FaultError as fault:
            fault.found_in(routine.name, frame.rule.label if frame.rule else None)
            raise
        if frame.pending is not None:
            for name, (value, _) in frame.pending.items():
                frame.store.write(name, value)

    def _call(self, frame: CallFrame, step: CallStep) -> None:
        name = step.statement.procedure
        routine = self._program.routines.get(name)
        if routine is None or len(routine.parameters) != len(step.arguments):
            told = f"`{name}` with {len(step.arguments)} arguments is not there to be called"
            self._leave_out(frame, undefined(told))
            return
        try:
            arguments = tuple(self._value(frame, argument) for argument in step.arguments)
        except SkipError as skip:
            self._log_call(frame, routine, (), skip.reason)
            return
        names: dict[str, Operand | Missing] = dict(zip(routine.parameters, arguments, strict=True))
        store = frame.store
        if frame.pending is not None:
            frame.env.work.go(len(store.values))
            store = store.fork()
        env = frame.env.inside(names)
        if store is not frame.store:
            env.values = store.values
            env.facts = store.facts if frame.env.facts is frame.store.facts else frame.env.facts
        reason = outside(routine, env, arguments)
        self._log_call(frame, routine, arguments, reason)
        if reason is not None:
            if routine.procedure.outside is Outside.STOP:
                raise FaultError(FaultKind.OUTSIDE, reason)
            return
        inner = self._frame(routine, env, store, frame.depth + 1)
        env.work.stack.deeper(routine.calls, lambda: self._body(inner))
        if frame.pending is not None:
            for variable, value in store.written.items():
                self._write(frame, variable, value)

    # Statements

    def step(self, frame: CallFrame, step: Step) -> None:
        frame.rule = None
        if isinstance(step, RuleStep):
            self._rule(frame, step)
        elif isinstance(step, CallStep):
            self._call(frame, step)
        else:
            frame.changes = []
            try:
                self._together(frame, (step,))
            except SkipError as skip:
                if isinstance(step, LetStep):
                    lost = Missing(skip.reason, is_outside=True)
                    frame.env.locals.update(dict.fromkeys(step.statement.names, lost))
            if self._log is not None and frame.changes:
                changes = tuple(frame.changes)
                self._log.append(SetEvent(frame.routine.name, changes, depth=frame.depth))

    def _rule(self, frame: CallFrame, step: RuleStep) -> None:
        around, frame.rule = frame.rule, step.rule
        changes, frame.changes = frame.changes, []
        entry = None if self._log is None else _RuleLogEntry(frame, step.rule, self._log)
        fired, skipped = False, None
        try:
            fired = self._fires(frame, step, entry)
            if fired:
                self._conclude(frame, step)
        except SkipError as skip:
            fired, skipped = False, skip.reason
        finally:
            if entry is not None:
                entry.close(frame, fired=fired, skipped=skipped)
            frame.changes = changes
        frame.rule = around

    def _fires(self, frame: CallFrame, step: RuleStep, entry: _RuleLogEntry | None) -> bool:
        held, failed = 0, False
        try:
            for test in step.tests:
                if not self._value(frame, test.holds):
                    failed = True
                    return False
                held += 1
        finally:
            if entry is not None:
                entry.test(frame.env, step.tests, held, has_failed=failed)
        return True

    def _conclude(self, frame: CallFrame, step: RuleStep) -> None:
        frame.env.work.go(step.weight)
        for name in step.declared:
            found = frame.env.locals.get(name)
            if isinstance(found, Missing) and found.is_outside:
                raise SkipError(found.reason)
        if frame.pending is not None and step.is_chained:
            self._chained(frame, step)
        else:
            for group in step.groups:
                self._together(frame, group)
        frame.depth += 1
        try:
            for inner in step.rest:
                if isinstance(inner, RuleStep):
                    self._rule(frame, inner)
                elif isinstance(inner, CallStep):
                    self._call(frame, inner)
                else:
                    self._together(frame, (inner,))
        finally:
            frame.depth -= 1

    def _chained(self, frame: CallFrame, step: RuleStep) -> None:
        """At once, lines that run one after the other see their own writes, and nobody else does.

        Where a line is skipped, what those above it did stands.
        """
        pending, outer, env, changes = frame.pending, frame.store, frame.env, frame.changes
        env.work.go(len(outer.values))
        store = outer.fork()
        facts = store.facts if env.facts is outer.facts else env.facts
        frame.pending, frame.store, frame.changes = None, store, []
        frame.env = Env(store.values, facts, env.locals, work=env.work, depth=env.depth)
        skipped = None
        try:
            for group in step.groups:
                self._together(frame, group)
        except SkipError as skip:
            skipped = skip
        finally:
            frame.pending, frame.store, frame.env, frame.changes = pending, outer, env, changes
        for variable, value in store.written.items():
            self._write(frame, variable, value)
        if skipped is not None:
            raise skipped

    def _together(self, frame: CallFrame, steps: tuple[AssignStep | LetStep, ...]) -> None:
        """Assignments whose right sides all see the state before the first of them."""
        values = [self._value(frame, step.value) for step in steps]
        for step, value in zip(steps, values, strict=True):
            if isinstance(step, LetStep):
                self._let(frame, step, value)
            else:
                variable = step.statement.variable
                self.origins[variable] = (frame.routine, frame.rule, step.statement.value)
                self._write(frame, variable, sets.listed(value))

    def _write(self, frame: CallFrame, variable: str, value: Value) -> None:
        if self._log is not None:
            frame.changes.append(Change(variable, frame.store.values[variable], value))
        if frame.pending is None:
            frame.store.write(variable, value)
            return
        label = frame.rule.label if frame.rule else None
        if variable in frame.pending and frame.pending[variable][0] != value:
            earlier, first = frame.pending[variable]
            raise FaultError(
                FaultKind.CONFLICT,
                f"{_who(first)} gives `{variable}` the value {_shown(earlier)},"
                f" and {_who(label)} {_shown(value)}",
            )
        frame.pending[variable] = (value, label)

    # What has no value

    def _value(self, frame: CallFrame, code: Callable[[Env], T]) -> T:
        """What *code* gives; ``SkipError`` where it has no value, of which is kept why."""
        try:
            return code(frame.env)
        except FaultError as fault:
            raise self._leave_out(frame, fault) from None

    def _leave_out(self, frame: CallFrame, fault: FaultError) -> SkipError:
        fault.found_in(frame.routine.name, frame.rule.label if frame.rule else None)
        self.left_out.append(fault.fault())
        return SkipError(fault.message)

    # Locals

    def _let(self, frame: CallFrame, step: LetStep, value: Operand) -> None:
        names = step.statement.names
        if step.statement.is_tuple:
            if not isinstance(value, tuple) or len(value) != len(names):
                told = f"`{text_of(step.statement.value)}` should have {len(names)} components"
                raise self._leave_out(frame, undefined(told, step.statement.value))
            frame.env.locals.update(zip(names, value, strict=True))
        else:
            frame.env.locals[names[0]] = sets.settled(value)
        for name in names:
            self._declare(frame, name)
        if self._log is not None:
            given = [(name, frame.env.locals[name]) for name in names]
            shown = tuple(
                (n, item) for n, item in given if not isinstance(item, Unlisted | Missing)
            )
            self._log.append(SetEvent(frame.routine.name, locals=shown, depth=frame.depth))

    def _declare(self, frame: CallFrame, name: str) -> None:
        value = frame.env.locals[name]
        for expr, domain in frame.routine.declared.get(name, ()):
            if isinstance(value, Missing | Unlisted):
                return
            if not is_member(domain(frame.env), value, expr):
                reason = is_outside(name, value, expr)
                if frame.routine.procedure.outside is Outside.STOP:
                    raise FaultError(FaultKind.OUTSIDE, reason, expr)
                frame.env.locals[name] = Missing(reason, is_outside=True)
                return

    # The log

    def _log_call(
        self, frame: CallFrame, routine: Routine, arguments: tuple[Value, ...], skipped: str | None
    ) -> None:
        if self._log is not None:
            named = tuple(zip(routine.parameters, arguments, strict=False))
            self._log.append(CallEvent(routine.name, named, frame.depth, skipped))


class _RuleLogEntry:
    """The place of a rule in the log: before those of what its conclusion runs."""

    def __init__(self, frame: CallFrame, rule: Rule, log: EventLog) -> None:
        self._rule = rule
        self._log = log
        self._at = len(log)
        self._depth = frame.depth
        self.conjuncts: tuple[Conjunct, ...] = ()
        self.close(frame, fired=False, skipped=None)

    def test(self, env: Env, tests: tuple[Test, ...], held: int, *, has_failed: bool) -> None:
        """Note that the first *held* tests hold; the next one failed, or was not decided."""
        found, finder = [], self._log.finder
        for at, test in enumerate(tests):
            holds = True if at < held else False if at == held and has_failed else None
            why = () if holds is None or finder is None else finder.of(test.expr, env)
            found.append(Conjunct(test.expr, holds, why))
        self.conjuncts = tuple(found)

    def close(self, frame: CallFrame, *, fired: bool, skipped: str | None) -> None:
        name, changes = frame.routine.name, tuple(frame.changes)
        event = RuleEvent(name, self._rule, fired, self.conjuncts, changes, self._depth, skipped)
        self._log[self._at : self._at + 1] = [event]


def is_member(domain: AnySet, value: Value, expr: Expr) -> bool:
    if isinstance(domain, frozenset):
        return value in domain
    return located(expr, lambda: sets.contains(domain, value))


def outside(routine: Routine, env: Env, arguments: tuple[Value, ...]) -> str | None:
    """Why a call is outside the sets of the parameters, if it is; binds them in *env*."""
    described = zip(routine.procedure.parameters, routine.domains, arguments, strict=True)
    for parameter, domain, value in described:
        if not is_member(domain(env), value, parameter.domain):
            return is_outside(parameter.name, value, parameter.domain)
        env.locals[parameter.name] = value
    return None


def is_outside(name: str, value: Value, domain: Expr) -> str:
    """The sentence for a value outside its set.

    >>> from zermelo.languages.sections.ir import Ref
    >>> is_outside("u", (0, 3), Ref("M"))
    '`u` is (0, 3), which is not in M'
    """
    relation = "in"
    if isinstance(domain, PowerSet) and isinstance(value, frozenset):
        relation, domain = "a subset of", domain.base
    return f"`{name}` is {_shown(value)}, which is not {relation} {text_of(domain)}"


def _shown(value: Value) -> str:
    if isinstance(value, frozenset):
        # The first of them are looked for.
        spend(_STEPS_TO_SORT * len(value), "writing values")
    return to_short_text(value, _TEXT_LIMIT)


def _who(label: str | None) -> str:
    return "a statement" if label is None else f"rule {label}"
