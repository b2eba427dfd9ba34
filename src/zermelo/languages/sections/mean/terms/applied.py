"""``X(y)``: a function, the power set, a lost minus, or a set tested like a function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from zermelo.core.types import TRUTH, UNKNOWN, SetType, Type, Unknown, unify, words
from zermelo.languages.sections import ir
from zermelo.languages.sections.ir import Op
from zermelo.languages.sections.mean.terms import operators
from zermelo.languages.sections.mean.terms.calls import Calls, head_of
from zermelo.languages.sections.mean.terms.definitions import Expressions
from zermelo.languages.sections.mean.terms.lookup import Lookup
from zermelo.languages.sections.mean.terms.names import Table
from zermelo.languages.sections.mean.terms.typed import Scope, Typed, fits, item_type
from zermelo.languages.sections.printer import to_text
from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.read.grammar.printer import to_text as to_unicode
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Fix, Label, Report
from zermelo.text.source import NOWHERE, Span

_POWER_SET_NAMES: Final = frozenset({"p", "pow", "power", "powerset", "ps"})


@dataclass(slots=True)
class Applied:
    """Decides what a name with brackets is."""

    names: Table
    lookup: Lookup
    calls: Calls
    expressions: Expressions
    report: Report

    def applied(self, expr: tree.Apply, scope: Scope, expected: Type) -> Typed:
        """``f(x)``: a function, a family, the power set, a lost minus, or a set tested like one."""
        name = self.names.aliases.get(expr.name, expr.name)
        if name in self.names.functions or name in self.names.families:
            return self.calls.call(name, expr.arguments, expr.span, scope)
        if len(expr.arguments) == 1:
            return self._beside(expr, name, scope, expected)
        return self.calls.unknown(expr)

    def _beside(self, expr: tree.Apply, name: str, scope: Scope, expected: Type) -> Typed:
        """``X(y)`` where X is no function."""
        is_name = scope.has(name) or self.names.is_set(name) or name in self.names.variables
        is_power = name.casefold() in _POWER_SET_NAMES
        if not is_name and not is_power:
            return self.calls.unknown(expr)
        with self.report.quiet():
            inner = self.expressions.typed(expr.arguments[0], scope)
            whole = (
                self.lookup.name(tree.Name(name, span=head_of(expr)), scope, UNKNOWN)
                if is_name
                else None
            )
        if whole is not None and not isinstance(whole.type, SetType | Unknown):
            return self.calls.unknown(expr)
        if not isinstance(inner.type, SetType | Unknown):
            return self._tested(expr, name, inner.type, whole, scope)
        as_power, as_minus = _fitting(inner, whole, expected, is_power=is_power)
        if as_power and as_minus:
            self._say_either(expr, name)
        if as_power:
            self._say_letter(expr, name)
            return self._power_set(expr, scope, expected)
        return self._lost_minus(expr, name, scope, expected)

    def _tested(
        self, expr: tree.Apply, name: str, kind: Type, whole: Typed | None, scope: Scope
    ) -> Typed:
        """``Free(pos)``: the set tested like a predicate."""
        if whole is None or not fits(kind, item_type(whole.type)):
            return self.calls.unknown(expr)
        member = self.expressions.typed(expr.arguments[0], scope)
        text = f"{to_text(member.expr)} ∈ {name}"
        self.report.say(
            Diagnostic(
                codes.MEMBERSHIP_AS_CALL,
                f"`{name}` is a set and no function; `{text}` is assumed",
                primary=Label(expr.span, "a set, written like a function"),
                secondary=self.calls.place(name, "declared here"),
                help=f"write `{text}`",
                fix=_fix(expr.span, text),
            )
        )
        right = self.lookup.name(tree.Name(name, span=head_of(expr)), scope, UNKNOWN)
        return Typed(ir.Binary(Op.IN, member.expr, right.expr, span=expr.span), TRUTH)

    def _power_set(self, expr: tree.Apply, scope: Scope, expected: Type) -> Typed:
        power = tree.PowerSet(expr.arguments[0], span=expr.span)
        return self.expressions.typed(power, scope, expected=expected)

    def _lost_minus(self, expr: tree.Apply, name: str, scope: Scope, expected: Type) -> Typed:
        head = head_of(expr)
        left = self.lookup.name(tree.Name(name, span=head), scope, expected)
        right = self.expressions.typed(expr.arguments[0], scope, expected=left.type)
        inside = to_text(right.expr)
        meant = f"{name} − {inside}" if isinstance(right.expr, ir.Ref) else f"{name} − ({inside})"
        self.report.say(
            Diagnostic(
                codes.LOST_OPERATOR,
                f"after `{name}` an operator was lost; `{meant}` is assumed",
                primary=Label(expr.span, "two sets side by side"),
                notes=(_why_minus(name, right),),
                help=f"write `{meant}`",
                fix=self._minus_fix(expr),
            )
        )
        return operators.binary(
            tree.BinaryOp.MINUS, left, right, span=expr.span, report=self.report
        )

    def _minus_fix(self, expr: tree.Apply) -> Fix | None:
        head = head_of(expr)
        if head in {NOWHERE, expr.span}:
            return None
        return Fix(Span(head.end, head.end), " −" + ("" if self._blank_after(head) else " "))

    def _blank_after(self, head: Span) -> bool:
        return self.report.source.text[head.end : head.end + 1].isspace()

    def _say_either(self, expr: tree.Apply, name: str) -> None:
        inside = to_unicode(expr.arguments[0])
        self.report.say(
            Diagnostic(
                codes.POWER_SET_OR_MINUS,
                f"`{name}(…)` can be the power set, or `{name} − (…)` with its minus lost",
                primary=Label(expr.span, "taken as the power set"),
                secondary=self.calls.place(name, "a set too"),
                help=f"write `𝒫({inside})`, or `{name} − ({inside})`",
            )
        )

    def _say_letter(self, expr: tree.Apply, name: str) -> None:
        if name not in self.names.sets and name not in self.names.variables:
            return
        self.say_power_letter(name, expr.span, help_="write `𝒫` for the power set")

    def say_power_letter(self, name: str, span: Span, *, help_: str | None = None) -> None:
        """Note, once, that one letter stands for a set and for the power set."""
        self.report.say(
            Diagnostic(
                codes.POWER_SET_LETTER,
                f"`{name}` is a set, and also the letter of the power set",
                primary=Label(span, "here it is the power set"),
                secondary=self.calls.place(name, "here it is a set"),
                help=help_,
            ),
            once=name,
        )


def _fitting(
    inner: Typed, whole: Typed | None, expected: Type, *, is_power: bool
) -> tuple[bool, bool]:
    """Whether the power set of *inner*, and whether ``whole − inner``, fit in this place."""
    if whole is None:
        return True, False
    power = SetType(inner.type if isinstance(inner.type, SetType) else SetType(UNKNOWN))
    as_power = is_power and fits(power, expected)
    rest = unify(whole.type, inner.type)
    # P(P) of the set P itself is never P − P.
    as_minus = rest is not None and fits(rest, expected) and inner.expr != whole.expr
    return (as_power, as_minus) if as_power or as_minus else (is_power, not is_power)


def _why_minus(name: str, right: Typed) -> str:
    if name.casefold() in _POWER_SET_NAMES:
        return f"the power set would be {words(SetType(right.type))}, which does not fit here"
    return "a minus is the sign that is lost most often"


def _fix(span: Span, text: str) -> Fix | None:
    return None if span == NOWHERE else Fix(span, text)
