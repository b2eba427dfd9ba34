"""Conditions that no state changes, as tables: what quantifiers and builders need go through.

``∃d ∈ D: ∃k ∈ {1, 2}: (q = p + k · d ∧ q ∈ mine)`` asks first for something that depends on the
members ``p`` and ``q`` alone. A table tells for each of them which ``d`` and ``k`` are left.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from zermelo.core.layout import WORD
from zermelo.fast.bits import signed
from zermelo.languages.sections.compile.registers import CodeScope
from zermelo.languages.sections.compile.value_tables import (
    Tabulation,
    dependencies,
    nested_quantifiers,
)
from zermelo.languages.sections.ir import (
    And,
    Binary,
    Binder,
    Comprehension,
    Expr,
    Literal,
    Local,
    Op,
    Quantified,
    QuantifierKind,
    Ref,
    TupleOf,
)
from zermelo.languages.sections.run.expressions import SystemExpressions
from zermelo.languages.sections.walk import conjuncts, free_locals
from zermelo.packing.code import Writer
from zermelo.packing.code_values import (
    Bits,
    CodeValue,
    Joined,
    Known,
    Member,
    Num,
    Truth,
    Universe,
    mixed,
    words_of,
)
from zermelo.packing.set_code import SetCode


class FixedConditions(SetCode):
    """Writes code that looks up which members fulfil what no state changes."""

    def __init__(
        self, writer: Writer, expressions: SystemExpressions, tabulation: Tabulation
    ) -> None:
        super().__init__(writer)
        self.expressions = expressions
        self.tabulation = tabulation

    def is_constant(self, expr: Expr) -> bool:
        return not free_locals(expr) and not self.expressions.footprints.of(expr).reads

    def joint(self, expr: Quantified, scope: CodeScope) -> tuple[Quantified, Bits] | None:
        """Nested quantifiers as one, over what the conditions that no state changes leave.

        Which combinations of members these are is looked up by the values of the locals around.
        """
        nested = nested_quantifiers(expr)
        if nested is None or not all(self.is_constant(each.domain) for each in nested.binders):
            return None
        bound = frozenset(name for each in nested.binders for name in each.names)
        first = takewhile(lambda each: self._is_fixed(each, scope, bound), nested.conditions)
        fixed = tuple(first)
        further = (self._within(each, scope, bound) for each in nested.conditions[len(fixed) :][:1])
        chosen = nested.fulfilling((*fixed, *(each for each in further if each is not None)))
        if not free_locals(chosen):
            return None
        found = self._rows(chosen, scope, share=4)
        if found is None:
            return None
        names = tuple(name for each in nested.binders for name in each.names)
        domain = Literal(frozenset(found.universe))
        binder = Binder(names, isinstance(chosen.result, TupleOf), domain)
        body = nested.rest(len(fixed))
        return Quantified(expr.kind, binder, body, span=expr.span), found

    def _rows(
        self,
        chosen: Comprehension,
        scope: CodeScope,
        *,
        share: int,
        among: Universe | None = None,
    ) -> Bits | None:
        """*chosen* by a table, where at most one of *share* members is left on the average."""
        used = dependencies(chosen, scope, self.expressions)
        rows = None if used is None else self.tabulation.rows(chosen, used, among)
        if used is None or rows is None or share * rows.average > len(rows.values):
            return None
        at = mixed((self.place_of(each.rep, each.values), len(each.values)) for each in used)
        place = self.writer.keep(at)
        words = []
        for which in range(len(words_of(0, len(rows.values)))):
            column = [signed(mask >> (WORD * which)) for mask in rows.masks]
            words.append(self.writer.keep(self.writer.look_up(column, place)))
        return Bits(tuple(words), rows.values)

    def narrowed(
        self, domain: CodeValue, binder: Binder, condition: Expr | None, scope: CodeScope
    ) -> CodeValue:
        """The members of *domain* that fulfil what of *condition* depends on no state."""
        if not isinstance(domain, Bits) or condition is None:
            return domain
        asked = self._fixed_part(condition, scope, frozenset(binder.names))
        found = None if asked is None else self._fulfilling(domain, binder, asked, scope, share=2)
        return domain if found is None else found

    def selected(
        self, domain: CodeValue, binder: Binder, condition: Expr, scope: CodeScope
    ) -> CodeValue | None:
        """The members of *domain* that fulfil *condition*, if no state changes which they are."""
        if not isinstance(domain, Bits):
            return None
        if not self._is_fixed(condition, scope, frozenset(binder.names)):
            return None
        return self._fulfilling(domain, binder, condition, scope, share=0)

    def _fulfilling(
        self, domain: Bits, binder: Binder, asked: Expr, scope: CodeScope, *, share: int
    ) -> CodeValue | None:
        bound = frozenset(binder.names)
        if len(bound) < len(binder.names) or not free_locals(asked) & bound:
            return None
        names = tuple(map(Local, binder.names))
        members = replace(binder, domain=Literal(frozenset(domain.universe)))
        result = TupleOf(names) if binder.is_tuple else names[0]
        chosen = Comprehension(result, (members,), asked)
        found = self._rows(chosen, scope, share=share, among=domain.universe)
        return None if found is None else self.joined_bits(Joined("∩", domain, found))

    def _fixed_part(self, expr: Expr, scope: CodeScope, bound: frozenset[str]) -> Expr | None:
        """What *expr* asks for first that depends on members of sets alone."""
        if isinstance(expr, Quantified) and expr.kind is QuantifierKind.SOME:
            if not self._is_fixed(expr.binder.domain, scope, bound):
                return None
            inner = self._fixed_part(expr.body, scope, bound | set(expr.binder.names))
            return None if inner is None else replace(expr, body=inner)
        if self._is_fixed(expr, scope, bound):
            return expr
        parts = conjuncts(expr)
        if len(parts) == 1:
            return self._within(expr, scope, bound)
        found = list(takewhile(lambda each: self._is_fixed(each, scope, bound), parts))
        further = self._fixed_part(parts[len(found)], scope, bound)
        if further is not None:
            found.append(further)
        return And(tuple(found)) if found else None

    def _within(self, expr: Expr, scope: CodeScope, bound: frozenset[str]) -> Expr | None:
        """What ``member ∈ set`` asks for whatever the set is: one of the members it may have."""
        if not isinstance(expr, Binary) or expr.op is not Op.IN:
            return None
        match expr.right:
            case Local(name) if name in scope.names and name not in bound:
                whole = scope.names[name].rep
            case Ref(name) if name in scope.slots:
                whole = scope.slots[name].rep()
            case _:
                return None
        if not isinstance(whole, Bits) or not self._is_fixed(expr.left, scope, bound):
            return None
        return replace(expr, right=Literal(frozenset(whole.universe)))

    def _is_fixed(self, expr: Expr, scope: CodeScope, bound: frozenset[str]) -> bool:
        """Whether *expr* depends on no variable and no set, but on members of sets alone."""
        if self.expressions.footprints.of(expr).reads:
            return False
        around = (scope.names[name] for name in free_locals(expr) - bound if name in scope.names)
        return all(
            each.presence is None and isinstance(each.rep, Num | Truth | Member | Known)
            for each in around
        )


def condition_of(expr: Quantified) -> Expr | None:
    """What a member must fulfil so that it matters to *expr*, if that is said first."""
    if expr.kind is QuantifierKind.SOME:
        return expr.body
    body = expr.body
    return body.left if isinstance(body, Binary) and body.op is Op.IMPLIES else None
