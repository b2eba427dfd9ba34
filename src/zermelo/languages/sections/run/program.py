"""The procedures of a system, ready to run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from zermelo.languages.sections.footprint import applied, calls, recursive
from zermelo.languages.sections.ir import (
    And,
    Apply,
    Assign,
    Binary,
    Call,
    Declare,
    Expr,
    Let,
    Local,
    Not,
    Op,
    Or,
    Order,
    Procedure,
    Quantified,
    Ref,
    Rule,
    Statement,
    System,
)
from zermelo.languages.sections.run.env import Code, SetCode, TruthCode, ValueCode
from zermelo.languages.sections.run.evaluate import Expressions
from zermelo.languages.sections.walk import conjuncts, free_locals, rules_of


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
    operands: tuple[tuple[Expr, Code], ...]
    """What shows why it holds or does not."""


@dataclass(frozen=True, slots=True)
class RuleStep:
    """Test a guard, and run the conclusion."""

    rule: Rule
    tests: tuple[Test, ...]
    together: tuple[AssignStep | LetStep, ...]
    """What stands before the first call or nested rule: it shares the state before."""
    rest: tuple[Step, ...]
    declared: tuple[str, ...]
    """Locals with a declaration that its right sides use; outside it, the rule is skipped."""


Step: TypeAlias = AssignStep | LetStep | CallStep | RuleStep


@dataclass(frozen=True, slots=True)
class Routine:
    """A procedure, ready to run."""

    procedure: Procedure
    domains: tuple[SetCode, ...]
    steps: tuple[Step, ...]
    declared: Mapping[str, tuple[tuple[Expr, SetCode], ...]]
    """The declarations of locals, by name."""

    @property
    def name(self) -> str:
        """The procedure's name."""
        return self.procedure.name

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of its parameters."""
        return tuple(parameter.name for parameter in self.procedure.parameters)


class Program:
    """All procedures of a system, ready to run."""

    def __init__(self, system: System, expressions: Expressions) -> None:
        self.system = system
        self.expressions = expressions
        self.routines = {p.name: _Maker(expressions, p).routine() for p in system.procedures}
        self.can_freeze = any(p.order is Order.FACTS_FROZEN for p in system.procedures)
        self.is_recursive = bool(
            recursive({p.name: calls(p) for p in system.procedures})
            or recursive({f.name: applied(f.body) for f in system.functions})
        )


class _Maker:
    def __init__(self, expressions: Expressions, procedure: Procedure) -> None:
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
        return Routine(self._procedure, domains, self._steps(self._procedure.body), declared)

    def _steps(self, statements: tuple[Statement, ...]) -> tuple[Step, ...]:
        return tuple(self._step(s) for s in statements if not isinstance(s, Declare))

    def _step(self, statement: Assign | Let | Call | Rule) -> Step:
        match statement:
            case Assign(_, value):
                return AssignStep(statement, self._expressions.value(value))
            case Let(_, _, value):
                return LetStep(statement, self._expressions.code(value))
            case Call(_, arguments):
                return CallStep(statement, tuple(map(self._expressions.value, arguments)))
            case Rule():
                return self._rule(statement)
            case _:
                assert_never(statement)

    def _rule(self, rule: Rule) -> RuleStep:
        steps = self._steps(rule.conclusion)
        together: list[AssignStep | LetStep] = []
        for step in steps:
            if isinstance(step, CallStep | RuleStep):
                break
            together.append(step)
        tests = tuple(map(self._test, conjuncts(rule.guard)))
        return RuleStep(
            rule, tests, tuple(together), steps[len(together) :], self._used_declared(steps)
        )

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
        operands = tuple((part, self._expressions.code(part)) for part in evidence(expr))
        return Test(expr, self._expressions.truth(expr), operands)


def _declarations(statements: tuple[Statement, ...]) -> Iterator[Declare]:
    yield from (s for s in statements if isinstance(s, Declare))
    for rule in rules_of(statements):
        yield from (s for s in rule.conclusion if isinstance(s, Declare))


def evidence(expr: Expr) -> tuple[Expr, ...]:
    """The names and terms in *expr* whose values show why it holds or does not."""
    match expr:
        case Not(operand):
            return evidence(operand)
        case And(operands) | Or(operands):
            return tuple(dict.fromkeys(part for o in operands for part in evidence(o)))
        case Binary(Op.IMPLIES | Op.IFF, left, right):
            return tuple(dict.fromkeys((*evidence(left), *evidence(right))))
        case Binary(_, left, right):
            return (left, right)
        case Ref() | Local() | Apply() | Quantified():
            return (expr,)
        case _:
            return ()
