"""Trees become expressions of a system: names are resolved, and everything has a type.

Types decide what a symbol means where documents use one for several things. What is
not known has the type unknown, which nothing complains about; what cannot be used is
counted in the report, so that the item around it is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from zermelo.core.types import (
    NUMBER,
    TRUTH,
    UNKNOWN,
    WORD,
    NumberType,
    SetType,
    TruthType,
    TupleType,
    Type,
    Unknown,
    unify,
    words,
)
from zermelo.core.values import number
from zermelo.languages.sections import ir
from zermelo.languages.sections.ir import Op
from zermelo.languages.sections.mean.items import Items
from zermelo.languages.sections.mean.readings import Choice
from zermelo.languages.sections.mean.terms import operators
from zermelo.languages.sections.mean.terms.applied import Applied
from zermelo.languages.sections.mean.terms.bound import Bound
from zermelo.languages.sections.mean.terms.calls import Calls
from zermelo.languages.sections.mean.terms.definitions import Definitions
from zermelo.languages.sections.mean.terms.lookup import Lookup
from zermelo.languages.sections.mean.terms.names import Table
from zermelo.languages.sections.mean.terms.typed import Scope, Typed, is_known, item_type
from zermelo.languages.sections.mean.terms.words import listed
from zermelo.languages.sections.printer import to_text
from zermelo.languages.sections.read.grammar import tree
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label, Report
from zermelo.text.source import Span

_NUMBER_SETS = {
    tree.NumberSetKind.NATURAL: ir.NumberSetKind.NATURAL,
    tree.NumberSetKind.INTEGER: ir.NumberSetKind.INTEGER,
    tree.NumberSetKind.POSITIVE: ir.NumberSetKind.POSITIVE,
}
_EQUALITIES = frozenset({tree.CompareOp.EQ, tree.CompareOp.NE})

_Leaf = tree.Name | tree.Words | tree.Number | tree.Truth | tree.NumberSet | tree.EmptySet
_Collection = tree.SetOf | tree.Range | tree.TupleOf | tree.PowerSet
_Term = tree.Binary | tree.Negate | tree.Bars | tree.Floor | tree.Ceiling
_Formula = tree.Compare | tree.Not | tree.And | tree.Or | tree.Implies | tree.Iff


class Inference:
    """Elaborates the expressions of one document."""

    def __init__(
        self, document: Items, names: Table, *, report: Report, given: Mapping[str, Choice]
    ) -> None:
        self.names = names
        self.report = report
        self.definitions = Definitions(document, names, report=report, expressions=self)
        self.bound = Bound(names, self.definitions, self, report, given)
        calls = Calls(names, self.definitions, self, report)
        self.lookup = Lookup(names, self.definitions, self, report, calls)
        self.applied = Applied(names, self.lookup, calls, self, report)

    def typed(self, expr: tree.Expr, scope: Scope, *, expected: Type = UNKNOWN) -> Typed:
        """*expr* with its names resolved, and its type; *expected* is what fits its place."""
        match expr:
            case tree.Quantified():
                return self.bound.quantified(expr, scope)
            case tree.Builder():
                return self.bound.builder(expr, scope)
            case tree.Folded():
                return self.bound.folded(expr, scope)
            case tree.Apply():
                return self.applied.applied(expr, scope, expected)
            case tree.SetOf() | tree.Range() | tree.TupleOf() | tree.PowerSet():
                return self._collection(expr, scope, expected)
            case tree.Product(factors=factors):
                typed = [self.typed(factor, scope) for factor in factors]
                return operators.product(typed, span=expr.span, report=self.report)
            case tree.Binary() | tree.Negate() | tree.Bars() | tree.Floor() | tree.Ceiling():
                return self._term(expr, scope, expected)
            case tree.Compare() | tree.Not() | tree.And() | tree.Or() | tree.Implies() | tree.Iff():
                return self._formula(expr, scope)
            case _:
                return self._leaf(expr, scope, expected)

    def _leaf(self, expr: _Leaf, scope: Scope, expected: Type) -> Typed:
        match expr:
            case tree.Name():
                return self.lookup.name(expr, scope, expected)
            case tree.Words():
                return self.lookup.run(expr, scope, expected)
            case tree.Number(value=value):
                return Typed(ir.Literal(number(value), span=expr.span), NUMBER)
            case tree.Truth(value=value):
                return Typed(ir.Literal(value, span=expr.span), TRUTH)
            case tree.NumberSet(kind=kind):
                return Typed(ir.NumberSet(_NUMBER_SETS[kind], span=expr.span), SetType(NUMBER))
            case tree.EmptySet():
                empty = expected if isinstance(expected, SetType) else SetType(UNKNOWN)
                return Typed(ir.SetOf((), span=expr.span), empty)
            case _:
                assert_never(expr)

    def _collection(self, expr: _Collection, scope: Scope, expected: Type) -> Typed:
        match expr:
            case tree.SetOf():
                return self._set_of(expr, scope, expected)
            case tree.Range(low=low, high=high):
                limits = (self._number(low, scope, "`..`"), self._number(high, scope, "`..`"))
                return Typed(ir.Range(*limits, span=expr.span), SetType(NUMBER))
            case tree.TupleOf(items=items):
                return self._tuple_of(expr, items, scope, expected)
            case tree.PowerSet(operand=operand):
                # ``x ⊆ S`` as the domain of x is a power set that nobody wrote.
                if "P" in self.names.sets and expr.span != operand.span:
                    self.applied.say_power_letter("P", expr.span)
                whole = self.typed(operand, scope, expected=item_type(expected))
                base = operators.as_set(whole, "`𝒫`", report=self.report)
                kind = base.type if isinstance(base.type, SetType) else SetType(UNKNOWN)
                return Typed(ir.PowerSet(base.expr, span=expr.span), SetType(kind))
            case _:
                assert_never(expr)

    def _set_of(self, expr: tree.SetOf, scope: Scope, expected: Type) -> Typed:
        wanted = item_type(expected)
        if scope.lists_words:
            around = frozenset(scope.types)
            named = {id(w) for w in listed(expr, around, self.names.declared)}
        else:
            named = set()
        items: list[Typed] = []
        for item in expr.items:
            hint = WORD if id(item) in named else wanted
            items.append(self.typed(item, scope, expected=hint))
            if not is_known(wanted) and not isinstance(item, tree.Range):
                wanted = items[-1].type
        kinds = [
            item_type(i.type) if isinstance(t, tree.Range) else i.type
            for i, t in zip(items, expr.items, strict=True)
        ]
        kind = self._common(items, kinds, expr.span)
        return Typed(ir.SetOf(tuple(i.expr for i in items), span=expr.span), SetType(kind))

    def _common(self, items: list[Typed], kinds: list[Type], span: Span) -> Type:
        """The one type of the members of a set, or a complaint."""
        kind: Type = UNKNOWN
        for item, this in zip(items, kinds, strict=True):
            both = unify(kind, this)
            if both is None:
                self._say_mixed(items[0], kinds[0], item, this, span)
                return UNKNOWN
            kind = both
        return kind

    def _say_mixed(
        self, first: Typed, first_kind: Type, item: Typed, kind: Type, span: Span
    ) -> None:
        self.report.unusable()
        self.report.say(
            Diagnostic(
                codes.KINDS_CLASH,
                f"this set lists `{to_text(first.expr)}`, {words(first_kind)}, "
                f"beside `{to_text(item.expr)}`, {words(kind)}",
                primary=Label(item.span, words(kind)),
                secondary=(Label(first.span, words(first_kind)),) if first.span != span else (),
                help="list values of one kind",
            )
        )

    def _tuple_of(
        self, expr: tree.TupleOf, items: tuple[tree.Expr, ...], scope: Scope, expected: Type
    ) -> Typed:
        wanted: tuple[Type, ...] = (UNKNOWN,) * len(items)
        if isinstance(expected, TupleType) and len(expected.items) == len(items):
            wanted = expected.items
        parts = [self.typed(i, scope, expected=w) for i, w in zip(items, wanted, strict=True)]
        made = ir.TupleOf(tuple(p.expr for p in parts), span=expr.span)
        return Typed(made, TupleType(tuple(p.type for p in parts)))

    def _term(self, expr: _Term, scope: Scope, expected: Type) -> Typed:
        match expr:
            case tree.Binary(op=op, left=left, right=right):
                return self._binary(expr, op, left, right, scope=scope, expected=expected)
            case tree.Bars(operand=operand):
                return self._bars(expr, operand, scope)
            case tree.Negate(operand=operand):
                made: ir.Expr = ir.Negate(self._number(operand, scope, "`−`"), span=expr.span)
            case tree.Floor(operand=operand):
                made = ir.Floor(self._number(operand, scope, "`⌊⌋`"), span=expr.span)
            case tree.Ceiling(operand=operand):
                made = ir.Ceiling(self._number(operand, scope, "`⌈⌉`"), span=expr.span)
            case _:
                assert_never(expr)
        return Typed(made, NUMBER)

    def _binary(
        self,
        expr: tree.Binary,
        op: tree.BinaryOp,
        left: tree.Expr,
        right: tree.Expr,
        *,
        scope: Scope,
        expected: Type,
    ) -> Typed:
        is_power = op is tree.BinaryOp.POWER and isinstance(expected, SetType)
        a = self.typed(left, scope, expected=UNKNOWN if is_power else expected)
        hint = UNKNOWN if is_power else a.type if is_known(a.type) else expected
        b = self.typed(right, scope, expected=hint)
        return operators.binary(op, a, b, span=expr.span, report=self.report)

    def _bars(self, expr: tree.Bars, operand: tree.Expr, scope: Scope) -> Typed:
        inner = self.typed(operand, scope)
        match inner.type:
            case NumberType():
                return Typed(ir.Abs(inner.expr, span=expr.span), NUMBER)
            case _:
                whole = operators.as_set(inner, "`| |`", report=self.report)
                return Typed(ir.Card(whole.expr, span=expr.span), NUMBER)

    def _number(self, expr: tree.Expr, scope: Scope, where: str) -> ir.Expr:
        value = self.typed(expr, scope, expected=NUMBER)
        return operators.number(value, where, report=self.report).expr

    def formula(self, expr: tree.Expr, scope: Scope, where: str) -> ir.Expr:
        """*expr* as a truth value."""
        value = self.typed(expr, scope, expected=TRUTH)
        return operators.truth(value, where, report=self.report).expr

    def _formula(self, expr: _Formula, scope: Scope) -> Typed:
        match expr:
            case tree.Compare():
                return self._compare(expr, scope)
            case tree.Not(operand=operand):
                made: ir.Expr = ir.Not(self.formula(operand, scope, "`¬`"), span=expr.span)
            case tree.And(operands=operands):
                made = ir.And(self._conjuncts(operands, scope), span=expr.span)
            case tree.Or(operands=operands):
                cases = tuple(self.formula(o, scope, "`∨`") for o in operands)
                made = ir.Or(cases, span=expr.span)
            case tree.Implies(left=left, right=right):
                sides = (self.formula(left, scope, "`→`"), self.formula(right, scope, "`→`"))
                made = ir.Binary(Op.IMPLIES, *sides, span=expr.span)
            case tree.Iff(left=left, right=right):
                return self._iff(expr, left, right, scope)
            case _:
                assert_never(expr)
        return Typed(made, TRUTH)

    def _conjuncts(self, operands: tuple[tree.Expr, ...], scope: Scope) -> tuple[ir.Expr, ...]:
        """The operands of a conjunction; the links of a chain are operands of their own."""
        parts: list[ir.Expr] = []
        for operand in operands:
            made = self.formula(operand, scope, "`∧`")
            if isinstance(operand, tree.Compare) and isinstance(made, ir.And):
                parts.extend(made.operands)
            else:
                parts.append(made)
        return tuple(parts)

    def _iff(self, expr: tree.Iff, left: tree.Expr, right: tree.Expr, scope: Scope) -> Typed:
        with self.report.quiet():
            kind = self.typed(left, scope).type
        if isinstance(kind, TruthType | Unknown | NumberType):
            sides = (self.formula(left, scope, "`↔`"), self.formula(right, scope, "`↔`"))
            return Typed(ir.Binary(Op.IFF, *sides, span=expr.span), TRUTH)
        a = self.typed(left, scope)
        b = self.typed(right, scope, expected=kind)
        self.report.say(operators.iff_of_values(to_text(a.expr), kind, expr.span))
        return operators.compare(tree.CompareOp.EQ, a, b, span=expr.span, report=self.report)

    def _compare(self, expr: tree.Compare, scope: Scope) -> Typed:
        split = self._truth_split(expr, scope)
        if split is not None:
            left, op, right = split
            kind = Op.IFF if op is tree.CompareOp.EQ else Op.NE
            sides = (self.formula(left, scope, "`=`"), self.formula(right, scope, "`=`"))
            return Typed(ir.Binary(kind, *sides, span=expr.span), TRUTH)
        parts: list[ir.Expr] = []
        before, left_tree = self.typed(expr.first, scope), expr.first
        for op, right_tree in expr.rest:
            after = self.typed(right_tree, scope, expected=_hint(op, before.type))
            if op in _EQUALITIES and unify(before.type, after.type) is None:
                before = self._again(left_tree, before, after.type, scope)
            # One cause, one message: an operand that cannot be used has the type unknown.
            span = left_tree.span.to(right_tree.span)
            parts.append(operators.compare(op, before, after, span=span, report=self.report).expr)
            before, left_tree = after, right_tree
        made = parts[0] if len(parts) == 1 else ir.And(tuple(parts), span=expr.span)
        return Typed(made, TRUTH)

    def _again(self, expr: tree.Expr, before: Typed, kind: Type, scope: Scope) -> Typed:
        """A name that is both a set and a word is the one that fits the other side."""
        if isinstance(expr, tree.Name) and kind == WORD and self.names.words.find(expr.text):
            return self.typed(expr, scope, expected=WORD)
        return before

    def _truth_split(
        self, expr: tree.Compare, scope: Scope
    ) -> tuple[tree.Expr, tree.CompareOp, tree.Expr] | None:
        """``ok = x ∈ S`` and ``x ∈ S = true``: one side is a truth value, the other a chain."""
        if len(expr.rest) < 2:
            return None
        first_op, second = expr.rest[0]
        last_op, last = expr.rest[-1]
        with self.report.quiet():
            kinds = [self.typed(e, scope).type for e in (expr.first, second, last)]
            before_last = self.typed(expr.rest[-2][1], scope).type
        if first_op in _EQUALITIES and kinds[0] == TRUTH and kinds[1] not in {TRUTH, UNKNOWN}:
            rest = tree.Compare(second, expr.rest[1:], span=second.span.to(last.span))
            return expr.first, first_op, rest
        if last_op in _EQUALITIES and kinds[2] == TRUTH and before_last not in {TRUTH, UNKNOWN}:
            span = expr.first.span.to(expr.rest[-2][1].span)
            return tree.Compare(expr.first, expr.rest[:-1], span=span), last_op, last
        return None


def _hint(op: tree.CompareOp, kind: Type) -> Type:
    """What is looked for on the right of *op*, when *kind* stands on its left."""
    if op in {tree.CompareOp.IN, tree.CompareOp.NOT_IN}:
        return SetType(kind)
    return kind
