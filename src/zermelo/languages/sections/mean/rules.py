"""Procedures: statements of a tree become statements of a system.

A target that is a variable of the system is assigned; any other is a local of its
procedure. A rule or statement that cannot be used is left out, and the rest stays.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

from zermelo.core.types import TRUTH, UNKNOWN, TupleType, Type, Unknown, unify, words
from zermelo.languages.sections import ir
from zermelo.languages.sections.mean.parameters import Parameters
from zermelo.languages.sections.mean.procedure_calls import call
from zermelo.languages.sections.mean.terms import operators, walk
from zermelo.languages.sections.mean.terms.infer import Inference
from zermelo.languages.sections.mean.terms.typed import (
    Scope,
    Typed,
    component_types,
    fits,
    is_known,
)
from zermelo.languages.sections.mean.terms.uses import place_of
from zermelo.languages.sections.printer import to_text
from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.read.grammar.printer import to_text as to_unicode
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.source import Source, Span
from zermelo.text.suggest import nearest


@dataclass(frozen=True, slots=True)
class Manner:
    """How a procedure is run: decided by readings."""

    role: ir.ProcedureRole
    order: ir.Order
    outside: ir.Outside


def procedure(
    item: tree.Procedure, manner: Manner, *, inference: Inference, parameters: Parameters
) -> ir.Procedure | None:
    """*item* as a procedure of the system; ``None`` if it cannot be called."""
    heads = parameters.of(item, is_move=manner.role is ir.ProcedureRole.MOVE)
    if heads is None:
        return None
    types: dict[str, Type] = dict.fromkeys(
        sorted(inference.names.locals.get(item.name, frozenset())), UNKNOWN
    )
    types.update((p.name, p.type) for p in heads)
    lost = parameters.lost(item) | _without_values(item, types, inference)
    types.update(dict.fromkeys(sorted(lost), UNKNOWN))
    # Locals get their types from their definitions, which may stand below their uses.
    with inference.report.quiet():
        _Body(item.name, inference, parameters, types, item.body, set(lost)).statements()
    statements = _Body(item.name, inference, parameters, types, item.body, set(lost)).statements()
    return ir.Procedure(
        item.name,
        manner.role,
        heads,
        statements,
        order=manner.order,
        outside=manner.outside,
        span=item.span,
    )


def _without_values(
    item: tree.Procedure, types: Mapping[str, Type], inference: Inference
) -> frozenset[str]:
    """The locals that are declared and never given a value."""
    given = {assignment.name for assignment in walk.assignments(item.body)}
    given |= {parameter.name for parameter in item.parameters}
    found: set[str] = set()
    for statement in walk.statements(item.body):
        if not isinstance(statement, tree.Declaration):
            continue
        for name in statement.names:
            if name in types and name not in given:
                found.add(name)
                inference.report.say(
                    Diagnostic(
                        codes.LOCAL_WITHOUT_VALUE,
                        f"`{name}` is declared in `{item.name}` and never given a value there",
                        primary=Label(place_of(statement, name), "which value has it?"),
                        help=f"write `{name} = …`, or make it a parameter or a variable",
                    )
                )
    return frozenset(found)


@dataclass(slots=True)
class _Body:
    """Elaborates the body of one procedure; learns the types of its locals on the way."""

    procedure: str
    inference: Inference
    parameters: Parameters
    types: dict[str, Type]
    body: tuple[tree.Statement, ...]
    broken: set[str]
    """Locals whose definition cannot be used."""

    @property
    def scope(self) -> Scope:
        """The parameters and locals."""
        return Scope(self.types, self.procedure, broken=frozenset(self.broken))

    def statements(self) -> tuple[ir.Statement, ...]:
        """The statements that can be used; rules are numbered as the document has them."""
        found: list[ir.Statement] = []
        count = 0
        for statement in self.body:
            if isinstance(statement, tree.Rule):
                count += 1
            found.extend(self._usable(statement, str(count)))
        return tuple(found)

    def _usable(self, statement: tree.Statement, label: str) -> tuple[ir.Statement, ...]:
        report = self.inference.report
        before = report.faults
        made = self._statement(statement, label)
        if report.faults == before:
            return made
        report.faults = before
        kept = {a.name for s in self.body if s is not statement for a in walk.assignments((s,))}
        lost = {a.name for a in walk.assignments((statement,))} - kept
        self.broken.update(lost.intersection(self.types))
        return ()

    def _statement(self, statement: tree.Statement, label: str) -> tuple[ir.Statement, ...]:
        match statement:
            case tree.Assign():
                return self._assign(statement)
            case tree.Step():
                return self._step(statement)
            case tree.Call():
                return call(statement, self.scope, self.inference, parameters=self.parameters)
            case tree.Declaration():
                return self._declare(statement)
            case tree.Rule():
                return (self._rule(statement, label),)
            case tree.Prose() | tree.Unparsed():
                return ()
            case _:
                assert_never(statement)

    def _rule(self, rule: tree.Rule, label: str) -> ir.Rule:
        report = self.inference.report
        guard = self.inference.formula(rule.guard, self.scope, "a guard")
        conclusion: list[ir.Statement] = []
        count = 0
        for statement in rule.conclusion:
            if isinstance(statement, tree.Rule):
                count += 1
                conclusion.extend(self._usable(statement, f"{label}.{count}"))
            elif isinstance(statement, tree.Unparsed):
                # What it says was not understood, so the rule would do only half of its work.
                report.unusable()
            else:
                conclusion.extend(self._statement(statement, label))
        text = words_of(report.source, rule, rule.span)
        return ir.Rule(guard, tuple(conclusion), label, text, span=rule.span)

    def _assign(self, statement: tree.Assign) -> tuple[ir.Statement, ...]:
        if isinstance(statement.target, tree.Name):
            return self._assign_one(statement.target, statement.value, statement.span)
        return self._assign_parts(statement, statement.target)

    def _assign_one(
        self, target: tree.Name, value: tree.Expr, span: Span
    ) -> tuple[ir.Statement, ...]:
        name = self._target(target)
        if name is None:
            return ()
        kind = self._type_of(name)
        if isinstance(value, tree.And) and is_known(kind) and kind != TRUTH:
            value = self._first(value)
        made = self._fitting(value, kind, name)
        if name in self.types:
            self._learn(name, made.type)
            return (ir.Let((name,), is_tuple=False, value=made.expr, span=span),)
        return (ir.Assign(name, made.expr, span=span),)

    def _first(self, value: tree.And) -> tree.Expr:
        """The value of ``x = e ∧ φ`` where x holds no truth value: φ assigns nothing."""
        first, *rest = value.operands
        for extra in rest:
            self.inference.report.say(
                Diagnostic(
                    codes.EFFECTLESS_FORMULA,
                    "this stands in a conclusion and gives nothing a value; it is left out",
                    primary=Label(extra.span, "left out"),
                    help="put conditions before the arrow",
                )
            )
        return first

    def _type_of(self, name: str) -> Type:
        if name in self.types:
            return UNKNOWN
        return self.inference.definitions.variable(name).type

    def _fitting(self, value: tree.Expr, kind: Type, name: str) -> Typed:
        report = self.inference.report
        before = report.faults
        made = self.inference.typed(value, self.scope, expected=kind)
        made = operators.fitted(made, kind, report=report)
        if not fits(made.type, kind) and report.faults == before:
            report.unusable()
            place = self.inference.names.place(name)
            report.say(
                Diagnostic(
                    codes.KINDS_CLASH,
                    f"`{name}` holds {words(kind)}, and is given `{to_text(made.expr)}`, "
                    f"{words(made.type)}",
                    primary=Label(made.span, words(made.type)),
                    secondary=() if place is None else (Label(place, "declared here"),),
                )
            )
        return made

    def _learn(self, name: str, kind: Type) -> None:
        both = unify(self.types[name], kind)
        if both is not None and is_known(both):
            self.types[name] = both

    def _target(self, target: tree.Name) -> str | None:
        """The local or variable that is given a value; a set or function cannot be."""
        names = self.inference.names
        if target.text in self.types:
            return target.text
        name = names.aliases.get(target.text, target.text)
        if name in names.variables or name in self.types:
            return name
        if not names.is_declared(name):
            self.types.setdefault(name, UNKNOWN)
            return name
        self.inference.report.unusable()
        what = "a set" if names.is_set(name) else "a function"
        place = names.place(name)
        near = nearest(name, [*names.variables, *self.types])
        self.inference.report.say(
            Diagnostic(
                codes.ASSIGNED_CONSTANT,
                f"`{name}` is {what} and does not change, but is given a value here",
                primary=Label(target.span, "given a value"),
                secondary=() if place is None else (Label(place, f"{what}, defined here"),),
                help=f"write `{near[0]}`" if near else f"declare `{name}` as a variable",
            )
        )
        return None

    def _assign_parts(
        self, statement: tree.Assign, target: tree.TupleOf
    ) -> tuple[ir.Statement, ...]:
        """``(a, b) = value``: locals get the components; variables through locals."""
        targets = _targets(target)
        report = self.inference.report
        value = self.inference.typed(statement.value, self.scope)
        size = len(target.items)
        if len(targets) < size or not _has_components(value.type, size):
            report.unusable()
            report.say(_wrong_parts(target, targets, value))
            return ()
        kinds = component_types(value.type, size)
        locals_: list[str] = []
        after: list[ir.Statement] = []
        for each, kind in zip(targets, kinds, strict=True):
            name = self._target(each)
            if name is None:
                return ()
            if name not in self.types:
                after.append(ir.Assign(name, ir.Local(f"{name}′"), span=statement.span))
                name = f"{name}′"
                self.types[name] = UNKNOWN
            self._learn(name, kind)
            locals_.append(name)
        let = ir.Let(tuple(locals_), is_tuple=True, value=value.expr, span=statement.span)
        return (let, *after)

    def _step(self, statement: tree.Step) -> tuple[ir.Statement, ...]:
        name = tree.Name(statement.name, span=statement.span)
        op = tree.BinaryOp.PLUS if statement.is_up else tree.BinaryOp.MINUS
        value = tree.Binary(op, name, tree.Number(1, span=statement.span), span=statement.span)
        return self._assign_one(name, value, statement.span)

    def _declare(self, statement: tree.Declaration) -> tuple[ir.Statement, ...]:
        names = tuple(n for n in statement.names if n in self.types)
        if not names:
            return ()
        found = self.inference.definitions.domain(
            statement.relation, statement.domain, Scope(self.types, lists_words=True)
        )
        for name in names:
            self._learn(name, found.type)
        if found.expr is None:
            return ()
        return (ir.Declare(names, found.expr, span=statement.span),)


def _targets(target: tree.Name | tree.TupleOf) -> tuple[tree.Name, ...]:
    if isinstance(target, tree.Name):
        return (target,)
    return tuple(item for item in target.items if isinstance(item, tree.Name))


def _has_components(kind: Type, size: int) -> bool:
    if isinstance(kind, TupleType):
        return len(kind.items) == size
    return isinstance(kind, Unknown)


def _wrong_parts(target: tree.TupleOf, targets: tuple[tree.Name, ...], value: Typed) -> Diagnostic:
    if len(targets) < len(target.items):
        return Diagnostic(
            codes.WRONG_NUMBER,
            "the left side of this definition holds something that is no name",
            primary=Label(target.span, "only names can be given values"),
        )
    return Diagnostic(
        codes.WRONG_NUMBER,
        f"`{to_text(value.expr)}` is {words(value.type)}, "
        f"and {_count(len(targets), 'name')} stand on the left",
        primary=Label(target.span, _count(len(targets), "name")),
        secondary=(Label(value.span, words(value.type)),),
        help="write as many names as there are components",
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def words_of(source: Source, node: tree.Expr | tree.Statement, span: Span) -> str:
    """The document's own words at *span*, with single blanks.

    Where they are LaTeX, have other marks in them, or stand on several lines, one under the
    other, *node* is written as they look in print.
    """
    there = source.slice(span).strip()
    written = re.sub(r"\s+", " ", there)
    is_marked = (
        "\n" in there or _has_limit_below(node, span) or re.search(r"[\\$&`]|</?\w+>|\*\*", written)
    )
    return to_unicode(node) if is_marked else written


def _has_limit_below(node: tree.Expr | tree.Statement, span: Span) -> bool:
    """Whether the limit of a sum in *node* stands on a line of its own, outside *span*."""
    formula = node.guard if isinstance(node, tree.Rule) else node
    if isinstance(formula, tree.Statement):
        return False
    domains = [n.domain for n in walk.inside(formula) if isinstance(n, tree.Folded)]
    return any(d is not None and not span.start <= d.span.start < span.end for d in domains)
