"""Typed expressions, and the operators between them: what each needs, gives and repairs.

Types decide what a symbol means: ``−`` of sets or of numbers, ``×`` of sets or of
numbers, ``=`` between truth values. A member where a set is looked for has lost its
braces, which is said and repaired. Formulas of sets, and equations, have a value whatever the
kinds of their sides are (``unlike.py`` says how they are meant); arithmetic with what is no
number is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from zermelo.core.values import (
    NUMBER,
    TRUTH,
    UNKNOWN,
    UNSET,
    MixedType,
    NumberType,
    SetType,
    TruthType,
    TupleType,
    Type,
    Unknown,
    joined,
    kinds_in,
    tuple_type,
    unify,
    words,
)
from zermelo.core.values import truth as truth_value
from zermelo.languages.sections import ir
from zermelo.languages.sections.ir import Op
from zermelo.languages.sections.printer import to_text
from zermelo.languages.sections.read.grammar.tree import BinaryOp, CompareOp
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Fix, Label, Report, label_at
from zermelo.text.source import NOWHERE, Span

_SET_ALGEBRA = {
    BinaryOp.UNION: Op.UNION,
    BinaryOp.INTERSECTION: Op.INTERSECTION,
    BinaryOp.DIFFERENCE: Op.DIFFERENCE,
    BinaryOp.MINUS: Op.DIFFERENCE,
}
_MOST_FACTORS = 16


@dataclass(frozen=True, slots=True)
class Typed:
    """An expression of a system, its type, and where that type comes from."""

    expr: ir.Expr
    type: Type
    origin: Span | None = None
    """The declaration that gives the type, if a name was written."""

    @property
    def span(self) -> Span:
        return self.expr.span


def nothing(span: Span) -> Typed:
    """What stands for an expression that cannot be used; nothing complains about it."""
    return Typed(ir.Literal(UNSET, span=span), UNKNOWN)


@dataclass(frozen=True, slots=True)
class TypeScope:
    """The parameters, locals and bound variables around an expression."""

    types: Mapping[str, Type] = field(default_factory=dict)
    is_domain: bool = False
    """Whether a set stands here: a name that is both a set and a variable is the set."""
    broken: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)
    """Locals whose definition cannot be used, and where the faults are."""
    lists_words: bool = False
    """Whether undeclared names in braces are words: in definitions and declarations."""

    def bind(self, names: Iterable[str], types: Iterable[Type]) -> TypeScope:
        return replace(self, types={**self.types, **dict(zip(names, types, strict=True))})

    def has(self, name: str) -> bool:
        return name in self.types


@dataclass(frozen=True, slots=True)
class OtherFormula:
    """A formula that may have been meant where the sides are of unlike kinds."""

    text: str
    """Its text, without a negation: what is chosen holds for both."""
    formula: Typed
    instead: str
    """What to write instead of the formula that stands there."""
    fix: Fix | None = None


@dataclass(frozen=True, slots=True)
class UnlikeFormula:
    """A formula whose sides are of unlike kinds, and what else may have been meant."""

    sign: str
    """That of the formula, without its negation."""
    left: Typed
    right: Typed
    written: Typed
    outcome: str
    """What it comes to as it is written."""
    others: tuple[OtherFormula, ...]
    span: Span


Settle: TypeAlias = Callable[[UnlikeFormula], Typed]
"""Gives what a formula of unlike sides is read as."""


def item_type(kind: Type) -> Type:
    return next((each.item for each in kinds_in(kind) if isinstance(each, SetType)), UNKNOWN)


def component_types(kind: Type, size: int) -> tuple[Type, ...]:
    """The types of the components of a tuple of type *kind* that should have *size* of them."""
    for each in kinds_in(kind):
        if isinstance(each, TupleType) and len(each.items) == size:
            return each.items
    return (UNKNOWN,) * size


def may_be(kind: Type, *wanted: type[Type]) -> bool:
    """Whether a value of type *kind* may be one of the *wanted* kinds."""
    return any(isinstance(each, (*wanted, Unknown)) for each in kinds_in(kind))


def fits(kind: Type, expected: Type) -> bool:
    """Whether a value of type *kind* can stand where *expected* is looked for."""
    return unify(kind, expected) is not None


def is_known(kind: Type) -> bool:
    return not isinstance(kind, Unknown)


def binary(
    op: BinaryOp, left: Typed, right: Typed, *, span: Span, report: Report, settle: Settle
) -> Typed:
    """``left op right``, read by the types of the operands."""
    is_of_sets = _is_set(left) or _is_set(right)
    if op is BinaryOp.POWER and is_of_sets and (times := _count(right)) is not None:
        return _repeated(left, times, span=span)
    if op in _SET_ALGEBRA and (is_of_sets or op is not BinaryOp.MINUS):
        return _algebra(op, left, right, span=span, report=report, settle=settle)
    before = report.faults
    a = number(left, f"`{op.value}`", report=report)
    b = number(right, f"`{op.value}`", report=report)
    # The difference of what may be a number or a set may be either.
    is_number = report.faults == before and MixedType not in {type(a.type), type(b.type)}
    kind = NUMBER if is_number else UNKNOWN
    return Typed(ir.Binary(Op[op.name], a.expr, b.expr, span=span), kind)


def _is_set(operand: Typed) -> bool:
    return isinstance(operand.type, SetType)


def product(factors: Sequence[Typed], *, span: Span, report: Report) -> Typed:
    """``A × B × …``: the set of tuples of sets, or the product of numbers."""
    if any(map(_is_set, factors)):
        sets = [as_set(factor, "`×`", report=report) for factor in factors]
        kind = SetType(tuple_type(tuple(item_type(each.type) for each in sets)))
        return Typed(ir.Product(tuple(each.expr for each in sets), span=span), kind)
    before = report.faults
    first, *others = [number(factor, "`×`", report=report).expr for factor in factors]
    for other in others:
        first = ir.Binary(Op.TIMES, first, other, span=span)
    return Typed(first, NUMBER if report.faults == before else UNKNOWN)


def _count(operand: Typed) -> int | None:
    match operand.expr:
        case ir.Literal(value=int(count)):
            return count if 1 <= count <= _MOST_FACTORS else None
        case _:
            return None


def _repeated(base: Typed, times: int, *, span: Span) -> Typed:
    """``N²`` of a set N: ``N × N``, and so on."""
    if times == 1:
        return base
    kind = tuple_type((item_type(base.type),) * times)
    return Typed(ir.Product((base.expr,) * times, span=span), SetType(kind))


def _algebra(
    op: BinaryOp, left: Typed, right: Typed, *, span: Span, report: Report, settle: Settle
) -> Typed:
    where = f"`{op.value}`"
    a, b = left, right
    if _is_set(a) and not may_be(b.type, SetType):
        b = braced(b, a.type, where, report=report)
    elif _is_set(b) and not may_be(a.type, SetType):
        a = braced(a, b.type, where, report=report)
    a = as_set(a, where, report=report)
    b = as_set(b, where, report=report)
    written = _combined(op, a, b, span)
    one, other = item_type(a.type), item_type(b.type)
    if unify(one, other) is not None:
        return written
    others = []
    if _takes(a.type, b.type):
        wrapped = _in_braces(b)
        others.append(_other(op, a, wrapped, _combined(op, a, wrapped, span), b, report))
    if _takes(b.type, a.type):
        wrapped = _in_braces(a)
        others.append(_other(op, wrapped, b, _combined(op, wrapped, b, span), a, report))
    outcome = _OUTCOMES[_SET_ALGEBRA[op]].format(a=to_text(a.expr))
    outcome = outcome if _are_apart(one, other) else _EVALUATED
    return settle(UnlikeFormula(op.value, a, b, written, outcome, tuple(others), span))


_EVALUATED = "it is evaluated as it is written"
_OUTCOMES = {
    Op.UNION: "the union has members of both kinds",
    Op.INTERSECTION: "they have no member in common",
    Op.DIFFERENCE: "so nothing is taken away from `{a}`",
}


def _combined(op: BinaryOp, a: Typed, b: Typed, span: Span) -> Typed:
    one, other = item_type(a.type), item_type(b.type)
    kind = joined(one, other)
    if op in {BinaryOp.MINUS, BinaryOp.DIFFERENCE} and is_known(one):
        kind = one
    return Typed(ir.Binary(_SET_ALGEBRA[op], a.expr, b.expr, span=span), SetType(kind))


def _takes(whole: Type, member: Type) -> bool:
    """Whether values of type *member* can be members of a set of type *whole*."""
    item = item_type(whole)
    return is_known(item) and is_known(member) and fits(member, item)


def _in_braces(member: Typed) -> Typed:
    return Typed(ir.SetOf((member.expr,), span=member.span), SetType(member.type))


def _other(
    sign: BinaryOp | CompareOp,
    left: Typed,
    right: Typed,
    formula: Typed,
    wrapped: Typed | None = None,
    report: Report | None = None,
) -> OtherFormula:
    """A formula, in which *wrapped* stands in braces."""
    a, b = _side(left), _side(right)
    positive = _POSITIVE.get(sign, sign)
    braces = None
    if wrapped is not None and report is not None:
        braces = fix(wrapped.span, report.braced(wrapped.span))
    return OtherFormula(f"{a} {positive.value} {b}", formula, f"{a} {sign.value} {b}", braces)


_POSITIVE: Mapping[BinaryOp | CompareOp, CompareOp] = {
    CompareOp.NE: CompareOp.EQ,
    CompareOp.NOT_IN: CompareOp.IN,
    CompareOp.NOT_SUBSET: CompareOp.SUBSET,
}


def _side(side: Typed) -> str:
    """The text of a side of a formula, in brackets where the sign beside it would split it."""
    is_joined = isinstance(side.expr, ir.Binary)
    return f"({to_text(side.expr)})" if is_joined else to_text(side.expr)


def _are_apart(one: Type, other: Type) -> bool:
    """Whether no value is of both types; the empty set is a set of anything."""
    match one, other:
        case (SetType(), SetType()) | (Unknown(), _) | (_, Unknown()):
            return False
        case TupleType(a), TupleType(b) if len(a) == len(b):
            return any(map(_are_apart, a, b))
        case (MixedType(), _) | (_, MixedType()):
            return all(_are_apart(a, b) for a in kinds_in(one) for b in kinds_in(other))
        case _:
            return one != other


def braced(member: Typed, wanted: Type, where: str, *, report: Report) -> Typed:
    """The set of *member* alone, where its braces are missing; else *member* itself."""
    if not isinstance(wanted, SetType) or not fits(member.type, wanted.item):
        return member
    if not is_known(member.type) or not is_known(wanted.item):
        return member
    text = to_text(member.expr)
    report.tell(
        codes.MEMBER_OR_SET,
        f"`{text}` is {words(member.type)}, and {where} needs a set; it is taken as `{{{text}}}`",
        Label(member.span, "a member, not a set"),
        *declared(member),
        help=f"write `{{{text}}}`",
        fix=fix(member.span, report.braced(member.span)),
    )
    return Typed(ir.SetOf((member.expr,), span=member.span), SetType(member.type))


def as_set(operand: Typed, where: str, *, report: Report) -> Typed:
    if may_be(operand.type, SetType):
        return operand
    return _wrong(operand, f"{where} needs a set", report=report)


BITS: Final = "0 and 1 of a variable"
"""The key under which it is said that a variable with these values is a truth value."""


def number(operand: Typed, where: str, *, report: Report) -> Typed:
    if may_be(operand.type, NumberType):
        return operand
    return _wrong(operand, f"{where} needs a number", report=report)


def truth(operand: Typed, where: str, *, report: Report) -> Typed:
    """*operand*, which must be a truth value; 0 and 1, and numbers for them, are taken as such."""
    if may_be(operand.type, TruthType):
        return operand
    if isinstance(operand.type, NumberType):
        return _number_as_truth(operand, report=report)
    return _wrong(operand, f"{where} needs a truth value", report=report)


def _number_as_truth(operand: Typed, *, report: Report) -> Typed:
    match operand.expr:
        case ir.Literal(0 | 1 as value):
            text = "true" if value else "false"
            expr: ir.Expr = ir.Literal(truth_value(bool(value)), span=operand.span)
        case _:
            text = f"{to_text(operand.expr)} ≠ 0"
            zero = ir.Literal(0, span=operand.span)
            expr = ir.Binary(Op.NE, operand.expr, zero, span=operand.span)
    if isinstance(expr, ir.Literal) and report.covers(codes.NUMBER_AS_TRUTH, once=BITS):
        # It is said where the variable is declared that 1 is taken as true and 0 as false.
        return Typed(expr, TRUTH)
    report.tell(
        codes.NUMBER_AS_TRUTH,
        f"`{to_text(operand.expr)}` is a number where a truth value stands; "
        f"it is taken as `{text}`",
        Label(operand.span, "a number"),
        *declared(operand),
        help=f"write `{text}`",
        fix=fix(operand.span, text),
    )
    return Typed(expr, TRUTH)


def compare(
    op: CompareOp, left: Typed, right: Typed, *, span: Span, report: Report, settle: Settle
) -> Typed:
    if op in {CompareOp.EQ, CompareOp.NE}:
        return _equality(op, left, right, span=span, report=report, settle=settle)
    if op in _INCLUSIONS and isinstance(left.type, SetType) and may_be(right.type, SetType):
        return _ordered_sets(op, left, right, span=span, report=report, settle=settle)
    if op in {CompareOp.LT, CompareOp.LE, CompareOp.GT, CompareOp.GE}:
        a = number(left, f"`{op.value}`", report=report)
        b = number(right, f"`{op.value}`", report=report)
        return _relation(op, a, b, span=span)
    if op is CompareOp.SUPERSET:
        left, right = right, left
    if op in {CompareOp.IN, CompareOp.NOT_IN}:
        return _membership(op, left, right, span=span, report=report, settle=settle)
    return _inclusion(op, left, right, span=span, report=report, settle=settle)


_INCLUSIONS: Final = {CompareOp.LE: CompareOp.SUBSET, CompareOp.GE: CompareOp.SUPERSET}


def _ordered_sets(
    op: CompareOp, left: Typed, right: Typed, *, span: Span, report: Report, settle: Settle
) -> Typed:
    """``A <= B`` of sets: ``A ⊆ B``."""
    meant = _INCLUSIONS[op]
    text = f"{to_text(left.expr)} {meant.value} {to_text(right.expr)}"
    report.tell(
        codes.ORDER_OF_SETS,
        f"`{op.value}` stands between sets; `{text}` is taken",
        Label(span, "sets, not numbers"),
        help=f"write `{text}`",
        fix=fix(span, text),
        once=op.value,
    )
    return compare(meant, left, right, span=span, report=report, settle=settle)


def _relation(op: CompareOp, left: Typed, right: Typed, *, span: Span) -> Typed:
    sign = Op.SUBSET if op is CompareOp.SUPERSET else Op(op.value)
    return Typed(ir.Binary(sign, left.expr, right.expr, span=span), TRUTH)


def _equality(
    op: CompareOp, left: Typed, right: Typed, *, span: Span, report: Report, settle: Settle
) -> Typed:
    a, b = left, right
    if is_empty(b) and _has_no_set(a):
        return _unset(op, a, b, span=span, report=report)
    if is_empty(a) and _has_no_set(b):
        return _unset(op, b, a, span=span, report=report)
    if _is_named(left) or _is_named(right) or TRUTH in {left.type, right.type}:
        a, b = _fitted_sides(left, right, report=report)
    if unify(a.type, b.type) is not None:
        if op is CompareOp.EQ and TRUTH in {a.type, b.type}:
            return Typed(ir.Binary(Op.IFF, a.expr, b.expr, span=span), TRUTH)
        return _relation(op, a, b, span=span)
    others = []
    if _takes(b.type, a.type):
        wrapped = _in_braces(a)
        others.append(_other(op, wrapped, b, _relation(op, wrapped, b, span=span), a, report))
    if _takes(a.type, b.type):
        wrapped = _in_braces(b)
        others.append(_other(op, a, wrapped, _relation(op, a, wrapped, span=span), b, report))
    others += _sizes(op, a, b, span)
    outcome = f"so they are never {'equal' if op is CompareOp.EQ else 'the same'}"
    outcome = outcome if _are_apart(a.type, b.type) else _EVALUATED
    written = _relation(op, a, b, span=span)
    return settle(UnlikeFormula("=", a, b, written, outcome, tuple(others), span))


def _fitted_sides(left: Typed, right: Typed, *, report: Report) -> tuple[Typed, Typed]:
    # A set beside a number is more likely to lack the bars of its size than braces.
    if NUMBER in {left.type, right.type} and TRUTH not in {left.type, right.type}:
        return left, right
    a = fitted(left, right.type, report=report) if isinstance(left.expr, ir.Literal) else left
    return a, fitted(right, a.type, report=report)


def _is_named(side: Typed) -> bool:
    """Whether *side* is a name, whose declaration says of which kind it is."""
    return isinstance(side.expr, ir.Ref | ir.Local)


def is_empty(side: Typed) -> bool:
    return side.expr in (ir.SetOf(()), ir.Literal(frozenset()))


def _has_no_set(side: Typed) -> bool:
    return isinstance(side.expr, ir.Ref) and not may_be(side.type, SetType)


def _unset(op: CompareOp, variable: Typed, empty: Typed, *, span: Span, report: Report) -> Typed:
    """``v = ∅`` of a variable that holds no set: whether it has no value yet."""
    say_unset(to_text(variable.expr), variable.type, empty.span, *declared(variable), report=report)
    unset = ir.Literal(UNSET, span=empty.span)
    return Typed(ir.Binary(Op(op.value), variable.expr, unset, span=span), TRUTH)


def say_unset(name: str, kind: Type, span: Span, *secondary: Label, report: Report) -> None:
    """Say, once a variable, that ∅ stands for no value."""
    report.tell(
        codes.EMPTY_AS_UNSET,
        f"`{name}` holds {words(kind)}, and `∅` is a set; "
        f"`{name} = ∅` is taken to say that it has no value yet",
        Label(span, "no value yet"),
        *secondary,
        help=f"leave the initial value of `{name}` out, or add a word such as `none` to its set",
        once=name,
    )


def _sizes(op: CompareOp, a: Typed, b: Typed, span: Span) -> list[OtherFormula]:
    """The equations in which the size of a set stands beside a number."""
    found = []
    for whole, other in ((a, b), (b, a)):
        if isinstance(whole.type, SetType) and other.type == NUMBER:
            size = Typed(ir.Card(whole.expr, span=whole.span), NUMBER)
            sides = (size, other) if whole is a else (other, size)
            found.append(_other(op, *sides, _relation(op, *sides, span=span)))
    return found


def fitted(value: Typed, wanted: Type, *, report: Report) -> Typed:
    """*value* where *wanted* is looked for: with braces added or taken away, 0 and 1 read as truth.

    What still does not fit is left as it is, for the caller to complain about.
    """
    if fits(value.type, wanted):
        return value
    if isinstance(wanted, SetType):
        return braced(value, wanted, "this place", report=report)
    match value.expr:
        case ir.Literal(0 | 1) if wanted == TRUTH and value.type == NUMBER:
            return _number_as_truth(value, report=report)
        case ir.SetOf((member,)) if fits(item_type(value.type), wanted):
            return _unbraced(value, member, report=report)
        case _:
            return value


def must_fit(
    value: Typed,
    wanted: Type,
    complaint: Callable[[str, str], str],
    *secondary: Label,
    faults: int,
    report: Report,
) -> Typed:
    """*value* made to fit *wanted*; if it cannot be, *complaint* says so of its text and kind.

    *faults* is how many there were before: nothing more is said of what cannot be used anyway.
    """
    value = fitted(value, wanted, report=report)
    if not fits(value.type, wanted) and report.faults == faults:
        kind = words(value.type)
        report.unusable()
        message = complaint(f"`{to_text(value.expr)}`", kind)
        report.tell(codes.KINDS_CLASH, message, Label(value.span, kind), *secondary)
    return value


def _unbraced(value: Typed, member: ir.Expr, *, report: Report) -> Typed:
    text = to_text(member)
    report.tell(
        codes.MEMBER_OR_SET,
        f"`{to_text(value.expr)}` is a set, and {words(item_type(value.type))} is looked for; "
        f"it is taken as `{text}`",
        Label(value.span, "a set, not a member"),
        help=f"write `{text}`",
        fix=fix(value.span, report.source.slice(member.span)),
    )
    return Typed(member, item_type(value.type))


def _membership(
    op: CompareOp, left: Typed, right: Typed, *, span: Span, report: Report, settle: Settle
) -> Typed:
    b = as_set(right, f"`{op.value}`", report=report)
    item = item_type(b.type)
    written = _relation(op, left, b, span=span)
    if fits(left.type, item):
        return written
    others = []
    if _is_set(left) and fits(left.type, b.type):
        instead = CompareOp.SUBSET if op is CompareOp.IN else CompareOp.NOT_SUBSET
        others.append(_other(instead, left, b, _relation(instead, left, b, span=span)))
    if _takes(item, left.type):
        wrapped = _in_braces(left)
        others.append(_other(op, wrapped, b, _relation(op, wrapped, b, span=span), left, report))
    outcome = _EVALUATED
    if _are_apart(left.type, item):
        outcome = f"so `{to_text(left.expr)}` is never a member"
    return settle(UnlikeFormula("∈", left, b, written, outcome, tuple(others), span))


def _inclusion(
    op: CompareOp, left: Typed, right: Typed, *, span: Span, report: Report, settle: Settle
) -> Typed:
    b = as_set(right, f"`{op.value}`", report=report)
    item = item_type(b.type)
    is_member = is_known(left.type) and is_known(item) and fits(left.type, item)
    instead = CompareOp.NOT_IN if op is CompareOp.NOT_SUBSET else CompareOp.IN
    if is_member and not may_be(left.type, SetType):
        return _said_instead(op, instead, left, b, span=span, report=report)
    a = as_set(left, f"`{op.value}`", report=report)
    written = _relation(op, a, b, span=span)
    if fits(item_type(a.type), item):
        return written
    others = []
    if is_member:
        others.append(_other(instead, a, b, _relation(instead, a, b, span=span)))
    if _takes(a.type, b.type):
        wrapped = _in_braces(b)
        others.append(_other(op, a, wrapped, _relation(op, a, wrapped, span=span), b, report))
    outcome = _EVALUATED
    if _are_apart(item_type(a.type), item):
        outcome = f"so `{to_text(a.expr)}` is a part of it only where it is empty"
    return settle(UnlikeFormula("⊆", a, b, written, outcome, tuple(others), span))


def _said_instead(
    op: CompareOp, instead: CompareOp, left: Typed, right: Typed, *, span: Span, report: Report
) -> Typed:
    a, b = to_text(left.expr), to_text(right.expr)
    report.tell(
        codes.MEMBER_OR_SET,
        f"`{a}` is {words(left.type)} and `{b}` is {words(right.type)}; "
        f"`{op.value}` is taken as `{instead.value}`",
        Label(span, f"`{instead.value}` fits, `{op.value}` does not"),
        *declared(left),
        *declared(right),
        help=f"write `{a} {instead.value} {b}`",
    )
    return _relation(instead, left, right, span=span)


def iff_of_values(text: str, kind: Type, span: Span) -> Diagnostic:
    """What to say of ``↔`` between values that are no truth values."""
    return Diagnostic(
        codes.IFF_OF_VALUES,
        f"`↔` stands between truth values, and `{text}` is {words(kind)}; it is taken as `=`",
        primary=Label(span, "an `=` was probably meant"),
        help=f"write `{text} = …`",
    )


def _wrong(operand: Typed, need: str, *, report: Report) -> Typed:
    report.unusable()
    report.tell(
        codes.KINDS_CLASH,
        f"{need}, but `{to_text(operand.expr)}` is {words(operand.type)}",
        Label(operand.span, words(operand.type)),
        *declared(operand),
    )
    return replace(operand, type=UNKNOWN)


def declared(operand: Typed) -> tuple[Label, ...]:
    label = label_at(operand.origin, f"`{to_text(operand.expr)}` is declared here")
    return () if label is None else (label,)


def fix(span: Span | None, text: str) -> Fix | None:
    """Writing *text* at *span*, if that is a place in the document."""
    return None if span is None or span == NOWHERE else Fix(span, text)
