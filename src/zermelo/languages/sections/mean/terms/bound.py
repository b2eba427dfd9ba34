"""Quantifiers, builders and sums: names that range over sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from zermelo.core.types import (
    NUMBER,
    TRUTH,
    UNKNOWN,
    SetType,
    TupleType,
    Type,
    Unknown,
    unify,
    words,
)
from zermelo.languages.sections import ir
from zermelo.languages.sections.ir import Reading
from zermelo.languages.sections.mean import readings
from zermelo.languages.sections.mean.readings import Choice
from zermelo.languages.sections.mean.terms import binding, finite, operators, walk
from zermelo.languages.sections.mean.terms.binding import Found, Generator
from zermelo.languages.sections.mean.terms.definitions import Definitions, Expressions
from zermelo.languages.sections.mean.terms.names import Table
from zermelo.languages.sections.mean.terms.typed import (
    Scope,
    Typed,
    component_types,
    item_type,
    nothing,
)
from zermelo.languages.sections.printer import is_pattern
from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.read.grammar.printer import to_text as to_unicode
from zermelo.languages.sections.read.grammar.tree import Aggregate, Quantifier
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label, Report, Severity
from zermelo.text.source import Span

_CHOSEN = frozenset({readings.DOCUMENT, readings.CALLER})
_QUANTIFIERS = {
    Quantifier.ALL: ir.QuantifierKind.ALL,
    Quantifier.SOME: ir.QuantifierKind.SOME,
}
# ``{e | φ}`` that binds no name is {e} or empty: e is listed once, or not at all.
_ONCE = Generator(("·",), tree.SetOf((tree.Number(0),)))
_FOLDS = {Aggregate.SUM: ir.FoldKind.SUM, Aggregate.PRODUCT: ir.FoldKind.PRODUCT}


@dataclass(slots=True)
class Bound:
    """Elaborates what binds names; *expressions* does the rest."""

    names: Table
    definitions: Definitions
    expressions: Expressions
    report: Report
    given: Mapping[str, Choice]
    reading: Reading | None = None
    """The reading of ``∀w (w ∈ W ∧ φ)``, once one was met."""

    def quantified(self, expr: tree.Quantified, scope: Scope) -> Typed:
        """``∃x ∈ S: φ``, and the forms in which the body says where x comes from."""
        return self._quantify(expr, expr.variables, expr.domain, expr.body, scope)

    def _quantify(
        self,
        expr: tree.Quantified,
        variables: Sequence[str],
        domain: tree.Expr | None,
        body: tree.Expr | None,
        scope: Scope,
    ) -> Typed:
        if not variables:
            if body is None:
                return Typed(ir.Literal(value=True, span=expr.span), TRUTH)
            inner = self.expressions.typed(body, scope, expected=TRUTH)
            return operators.truth(inner, f"`{expr.quantifier.value}`", report=self.report)
        if domain is not None:
            names = tuple(variables) if expr.is_tuple else tuple(variables[:1])
            generator = Generator(names, domain, is_tuple=expr.is_tuple)
            found: Found | None = Found(generator, body, is_conjunct=False)
        else:
            found = None if body is None else self._found(variables, body)
        if found is None:
            both = None if body is None else binding.joined(expr.quantifier, variables, body)
            if both is not None:
                return self._quantify(expr, both.variables, None, both.body, scope)
            return self._no_domain(expr, variables[0])
        if binding.is_universal_conjunction(expr, found) and self._is_false(expr, found):
            return Typed(ir.Literal(value=False, span=expr.span), TRUTH)
        return self._bind(expr, variables, found, domain=domain, scope=scope)

    def _bind(
        self,
        expr: tree.Quantified,
        variables: Sequence[str],
        found: Found,
        *,
        domain: tree.Expr | None,
        scope: Scope,
    ) -> Typed:
        binder, inner = self._binder(found.generator, scope)
        rest = [v for v in variables if v not in found.generator.names]
        body = self._quantify(expr, rest, domain, found.rest, inner)
        self._check(binder, _condition(expr.quantifier, body.expr))
        kind = _QUANTIFIERS[expr.quantifier]
        return Typed(ir.Quantified(kind, binder, body.expr, span=expr.span), TRUTH)

    def _found(self, variables: Sequence[str], body: tree.Expr) -> Found | None:
        """Where the variables, or some of them, come from: the body, a family, or bounds."""
        found = binding.find(variables, body)
        if found is not None:
            return found
        for variable in variables:
            limits = binding.bounds(variable, body)
            if limits is not None:
                # is_conjunct would ask for the reading of ∀, which is about sets.
                return Found(Generator((variable,), limits), body, is_conjunct=False)
            family = self._indexed(variable, body)
            if family is not None:
                return Found(Generator((variable,), family), body, is_conjunct=False)
        return None

    def _indexed(self, variable: str, body: tree.Expr) -> tree.Expr | None:
        """The index set of a family that *variable* indexes in *body*."""
        for node in walk.inside(body):
            if not isinstance(node, tree.Name) or binding.index_of(node.text) != variable:
                continue
            family = self.names.family_of(node.text)
            if family is not None:
                return self.definitions.index_set(family)
        return None

    def _is_false(self, expr: tree.Quantified, found: Found) -> bool:
        """Ask, once a document, how ``∀w (w ∈ W ∧ φ)`` is meant; whether it is false."""
        name = found.generator.names[0]
        if self.reading is None:
            self.reading = readings.decide(
                readings.QUANTIFIER,
                (readings.OVER_THE_SET, readings.AS_WRITTEN),
                given=self.given,
                span=expr.span,
            )
        text = to_unicode(found.generator.domain)
        self.report.say(
            Diagnostic(
                codes.FALSE_AS_WRITTEN,
                f"`∀{name} ({name} ∈ {text} ∧ …)` is false as written",
                primary=Label(expr.span, f"says that everything is in {text}"),
                notes=(
                    f"it is read as `{self.reading.choice}`",
                    "an ∧ after ∃ and an → after ∀ keep to the members of a set",
                ),
                help=f"write `∀{name} ∈ {text}: …` or `∀{name} ({name} ∈ {text} → …)`",
                severity=Severity.NOTE if self.reading.decided_by in _CHOSEN else None,
            ),
            once=text,
        )
        return self.reading.choice == readings.AS_WRITTEN

    def _no_domain(self, expr: tree.Quantified, name: str) -> Typed:
        self.report.unusable()
        sign = expr.quantifier.value
        self.report.say(
            Diagnostic(
                codes.NO_DOMAIN,
                f"nothing says which values `{name}` ranges over",
                primary=Label(expr.span, f"`{sign}{name}` without a set"),
                help=f"write `{sign}{name} ∈ S: …` with the set S that `{name}` is taken from",
            )
        )
        return nothing(expr.span)

    def _binder(self, found: Generator, scope: Scope) -> tuple[ir.Binder, Scope]:
        whole = self.expressions.typed(found.domain, scope, expected=SetType(UNKNOWN))
        whole = operators.as_set(whole, "`∈`", report=self.report)
        types = self._component_types(found, item_type(whole.type))
        binder = ir.Binder(found.names, found.is_tuple, whole.expr)
        return binder, scope.bind(found.names, types)

    def _component_types(self, found: Generator, kind: Type) -> tuple[Type, ...]:
        if not found.is_tuple:
            return (kind,)
        fits = isinstance(kind, Unknown) or (
            isinstance(kind, TupleType) and len(kind.items) == len(found.names)
        )
        if not fits:
            self._say_shape(found, kind)
        return component_types(kind, len(found.names))

    def _say_shape(self, found: Generator, kind: Type) -> None:
        self.report.unusable()
        shape = f"({', '.join(found.names)})"
        self.report.say(
            Diagnostic(
                codes.WRONG_NUMBER,
                f"`{shape}` does not have the form of the members of this set",
                primary=Label(found.domain.span, f"this is {words(SetType(kind))}"),
                help="write as many names as the members have components",
            )
        )

    def _check(self, binder: ir.Binder, condition: ir.Expr) -> None:
        finite.check(binder, condition, resolve=self.definitions.resolve, report=self.report)

    def builder(self, expr: tree.Builder, scope: Scope) -> Typed:
        """``{x ∈ S | φ}``, ``{(x, y) | …}``: with its domain before or within the condition."""
        match expr:
            case tree.Builder(result=tree.Name(text=name), domain=domain) if domain is not None:
                one = (Generator((name,), domain),)
                return self._comprehension(expr, one, (expr.condition,), scope)
            case tree.Builder(result=tree.TupleOf() as shape, domain=domain) if domain is not None:
                several, tests = binding.unfolded(shape, domain)
                return self._comprehension(expr, several, (*tests, expr.condition), scope)
            case _:
                return self._generated(expr, scope)

    def _generated(self, expr: tree.Builder, scope: Scope) -> Typed:
        """A builder whose condition says where its names come from."""
        conditions = list(binding.conjuncts(expr.condition))
        if expr.domain is not None:
            member = tree.Compare(
                expr.result, ((tree.CompareOp.IN, expr.domain),), span=expr.result.span
            )
            conditions.insert(0, member)
        generators, rest, around = self._generators(expr, conditions, scope)
        return self._comprehension(expr, generators, rest, around)

    def _generators(
        self, expr: tree.Builder, conditions: list[tree.Expr], scope: Scope
    ) -> tuple[list[Generator], Sequence[tree.Expr], Scope]:
        """The sets that the names of a builder range over, in an order in which they can."""
        waiting = list(
            binding.builder_names(expr, lambda n: scope.has(n) or self.names.is_declared(n))
        )
        found: list[Generator] = []
        rest = list(conditions)
        while waiting:
            step = _next_generator(waiting, rest)
            if step is None:
                break
            place, generator = step
            found.append(generator)
            if place is not None and generator.is_exact:
                del rest[place]
            waiting = [name for name in waiting if name not in generator.names]
        for name in waiting:
            self._say_no_source(name, expr.span)
        return found, rest, scope.bind(waiting, (UNKNOWN,) * len(waiting))

    def _say_no_source(self, name: str, span: Span) -> None:
        self.report.unusable()
        self.report.say(
            Diagnostic(
                codes.NO_DOMAIN,
                f"nothing says which values `{name}` ranges over",
                primary=Label(span, f"`{name}` is in no set here"),
                help=f"add a condition `{name} ∈ S` with the set S that `{name}` is taken from",
            )
        )

    def _comprehension(
        self,
        expr: tree.Builder,
        generators: Sequence[Generator],
        conditions: Sequence[tree.Expr],
        scope: Scope,
    ) -> Typed:
        inner = scope
        binders: list[ir.Binder] = []
        for generator in generators or (_ONCE,):
            binder, inner = self._binder(generator, inner)
            binders.append(binder)
        tests = tuple(
            operators.truth(
                self.expressions.typed(c, inner, expected=TRUTH), "`|`", report=self.report
            ).expr
            for c in conditions
        )
        condition = tests[0] if len(tests) == 1 else ir.And(tests, span=expr.condition.span)
        result = self.expressions.typed(expr.result, inner)
        # ``{x ∈ S | φ}`` is a part of S that need not be listed to be tested.
        if len(binders) != 1 or not is_pattern(result.expr, binders[0]):
            for each in binders:
                self._check(each, condition)
        made = ir.Comprehension(result.expr, tuple(binders), condition, span=expr.span)
        return Typed(made, SetType(result.type))

    def folded(self, expr: tree.Folded, scope: Scope) -> Typed:
        """``∑_{a ∈ w} a``; a sum whose limit was lost ranges over the one set that fits."""
        domain = expr.domain
        if domain is None:
            domain = self._lost_limit(expr, scope)
        if domain is None:
            return nothing(expr.span)
        generator = Generator((expr.variable,), domain)
        binder, inner = self._binder(generator, scope)
        body = operators.number(
            self.expressions.typed(expr.body, inner, expected=NUMBER),
            f"`{expr.aggregate.value}`",
            report=self.report,
        )
        self._check(binder, ir.And(()))
        kind = _FOLDS[expr.aggregate]
        return Typed(ir.Fold(kind, binder, body.expr, span=expr.span), NUMBER)

    def _lost_limit(self, expr: tree.Folded, scope: Scope) -> tree.Expr | None:
        sign, name = expr.aggregate.value, expr.variable
        fitting = [n for n, t in scope.types.items() if unify(t, SetType(NUMBER)) is not None]
        known = [n for n in fitting if isinstance(scope.types[n], SetType)]
        if len(known) == 1:
            self.report.say(
                Diagnostic(
                    codes.SUM_WITHOUT_LIMIT,
                    f"this {sign} has lost its limit; `{name}` is taken from `{known[0]}`, "
                    "the one set of numbers in reach",
                    primary=Label(expr.span, "over which set?"),
                    help=f"write `{sign}_{{{name} ∈ {known[0]}}} …`",
                )
            )
            return tree.Name(known[0], span=expr.span)
        self.report.unusable()
        self.report.say(
            Diagnostic(
                codes.NO_DOMAIN,
                f"nothing says which values `{name}` ranges over",
                primary=Label(expr.span, f"a {sign} without a set"),
                help=f"write `{sign}_{{{name} ∈ S}} …` with the set S that is summed over",
            )
        )
        return None


def _condition(quantifier: Quantifier, body: ir.Expr) -> ir.Expr:
    """What holds of the values that matter: the body of ∃, the condition of the → under ∀."""
    if quantifier is Quantifier.SOME:
        return body
    match body:
        case ir.Binary(ir.Op.IMPLIES, left, _):
            return left
        case _:
            return ir.And(())


def _next_generator(
    waiting: Sequence[str], conditions: Sequence[tree.Expr]
) -> tuple[int | None, Generator] | None:
    """The next set that can be listed: it needs no name that is still waiting."""
    found: list[tuple[bool, int, Generator]] = []
    for place, condition in enumerate(conditions):
        generator = binding.generator(condition, waiting)
        if generator is not None and not binding.mentions(generator.domain, waiting):
            found.append((isinstance(generator.domain, tree.PowerSet), place, generator))
    if found:
        _, place, generator = min(found, key=lambda f: f[:2])
        return place, generator
    together = binding.conjunction(conditions)
    for name in waiting:
        limits = None if together is None else binding.bounds(name, together)
        if limits is not None and not binding.mentions(limits, waiting):
            return None, Generator((name,), limits)
    return None
