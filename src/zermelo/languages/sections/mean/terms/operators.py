"""Typed expressions, and the operators between them: what each needs, gives and repairs.

Types decide what a symbol means: ``−`` of sets or of numbers, ``×`` of sets or of
numbers, ``=`` between truth values. A member where a set is looked for has lost its
braces, which is said and repaired; kinds that do not go together are an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from zermelo.core.values import (
    NUMBER,
    TRUTH,
    UNKNOWN,
    UNSET,
    NumberType,
    SetType,
    TruthType,
    TupleType,
    Type,
    Unknown,
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


def item_type(kind: Type) -> Type:
    return kind.item if isinstance(kind, SetType) else UNKNOWN


def component_types(kind: Type, size: int) -> tuple[Type, ...]:
    """The types of the components of a tuple of type *kind* that should have *size* of them."""
    if isinstance(kind, TupleType) and len(kind.items) == size:
        return kind.items
    return (UNKNOWN,) * size


def fits(kind: Type, expected: Type) -> bool:
    """Whether a value of type *kind* can stand where *expected* is looked for."""
    return unify(kind, expected) is not None


def is_known(kind: Type) -> bool:
    return not isinstance(kind, Unknown)


def binary(op: BinaryOp, left: Typed, right: Typed, *, span: Span, report: Report) -> Typed:
    """``left op right``, read by the types of the operands."""
    is_of_sets = _is_set(left) or _is_set(right)
    if op is BinaryOp.POWER and is_of_sets and (times := _count(right)) is not None:
        return _repeated(left, times, span=span)
    if op in _SET_ALGEBRA and (is_of_sets or op is not BinaryOp.MINUS):
        return _algebra(op, left, right, span=span, report=report)
    before = report.faults
    a = number(left, f"`{op.value}`", report=report)
    b = number(right, f"`{op.value}`", report=report)
    kind = NUMBER if report.faults == before else UNKNOWN
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


def _algebra(op: BinaryOp, left: Typed, right: Typed, *, span: Span, report: Report) -> Typed:
    where = f"`{op.value}`"
    a, b = left, right
    if _is_set(a) and is_known(b.type) and not _is_set(b):
        b = braced(b, a.type, where, report=report)
    elif _is_set(b) and is_known(a.type) and not _is_set(a):
        a = braced(a, b.type, where, report=report)
    a = as_set(a, where, report=report)
    b = as_set(b, where, report=report)
    both = unify(a.type, b.type)
    if both is None:
        return _clash(a, b, f"{where} joins", span=span, report=report)
    kind = a.type if op in {BinaryOp.MINUS, BinaryOp.DIFFERENCE} and is_known(a.type) else both
    kind = both if isinstance(kind, SetType) and not is_known(kind.item) else kind
    result = kind if isinstance(kind, SetType) else SetType(UNKNOWN)
    return Typed(ir.Binary(_SET_ALGEBRA[op], a.expr, b.expr, span=span), result)


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
        *_declared(member),
        help=f"write `{{{text}}}`",
        fix=fix(member.span, report.braced(member.span)),
    )
    return Typed(ir.SetOf((member.expr,), span=member.span), SetType(member.type))


def as_set(operand: Typed, where: str, *, report: Report) -> Typed:
    if isinstance(operand.type, SetType | Unknown):
        return operand
    return _wrong(operand, f"{where} needs a set", report=report)


def number(operand: Typed, where: str, *, report: Report) -> Typed:
    if isinstance(operand.type, NumberType | Unknown):
        return operand
    return _wrong(operand, f"{where} needs a number", report=report)


def truth(operand: Typed, where: str, *, report: Report) -> Typed:
    """*operand*, which must be a truth value; 0 and 1, and numbers for them, are taken as such."""
    if isinstance(operand.type, TruthType | Unknown):
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
    report.tell(
        codes.NUMBER_AS_TRUTH,
        f"`{to_text(operand.expr)}` is a number where a truth value stands; "
        f"it is taken as `{text}`",
        Label(operand.span, "a number"),
        *_declared(operand),
        help=f"write `{text}`",
        fix=fix(operand.span, text),
    )
    return Typed(expr, TRUTH)


def compare(op: CompareOp, left: Typed, right: Typed, *, span: Span, report: Report) -> Typed:
    if op in {CompareOp.EQ, CompareOp.NE}:
        return _equality(op, left, right, span=span, report=report)
    if op in {CompareOp.LT, CompareOp.LE, CompareOp.GT, CompareOp.GE}:
        a = number(left, f"`{op.value}`", report=report)
        b = number(right, f"`{op.value}`", report=report)
        return _relation(op, a, b, span=span)
    if op is CompareOp.SUPERSET:
        left, right = right, left
    if op in {CompareOp.IN, CompareOp.NOT_IN}:
        return _membership(op, left, right, span=span, report=report)
    return _inclusion(op, left, right, span=span, report=report)


def _relation(op: CompareOp, left: Typed, right: Typed, *, span: Span) -> Typed:
    sign = Op.SUBSET if op is CompareOp.SUPERSET else Op(op.value)
    return Typed(ir.Binary(sign, left.expr, right.expr, span=span), TRUTH)


def _equality(op: CompareOp, left: Typed, right: Typed, *, span: Span, report: Report) -> Typed:
    a, b = left, right
    # A set beside a number is more likely to lack the bars of its size than braces.
    if NUMBER not in {left.type, right.type} or TRUTH in {left.type, right.type}:
        if isinstance(left.expr, ir.Literal):
            a = fitted(left, right.type, report=report)
        b = fitted(right, a.type, report=report)
    if unify(a.type, b.type) is None:
        return _clash(a, b, f"`{op.value}` compares", span=span, report=report)
    if op is CompareOp.EQ and TRUTH in {a.type, b.type}:
        return Typed(ir.Binary(Op.IFF, a.expr, b.expr, span=span), TRUTH)
    return _relation(op, a, b, span=span)


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


def _membership(op: CompareOp, left: Typed, right: Typed, *, span: Span, report: Report) -> Typed:
    b = as_set(right, f"`{op.value}`", report=report)
    if fits(left.type, item_type(b.type)):
        return _relation(op, left, b, span=span)
    if _is_set(left) and fits(left.type, b.type):
        instead = CompareOp.SUBSET if op is CompareOp.IN else CompareOp.NOT_SUBSET
        return _instead(op, instead, left, b, span=span, report=report)
    return _clash(left, b, f"`{op.value}` compares", span=span, report=report)


def _inclusion(op: CompareOp, left: Typed, right: Typed, *, span: Span, report: Report) -> Typed:
    b = as_set(right, f"`{op.value}`", report=report)
    item = item_type(b.type)
    is_member = is_known(left.type) and is_known(item) and fits(left.type, item)
    if is_member and not fits(left.type, b.type):
        instead = CompareOp.NOT_IN if op is CompareOp.NOT_SUBSET else CompareOp.IN
        return _instead(op, instead, left, b, span=span, report=report)
    a = as_set(left, f"`{op.value}`", report=report)
    if not fits(a.type, b.type):
        return _clash(a, b, f"`{op.value}` compares", span=span, report=report)
    return _relation(op, a, b, span=span)


def _instead(
    op: CompareOp, instead: CompareOp, left: Typed, right: Typed, *, span: Span, report: Report
) -> Typed:
    a, b = to_text(left.expr), to_text(right.expr)
    report.tell(
        codes.MEMBER_OR_SET,
        f"`{a}` is {words(left.type)} and `{b}` is {words(right.type)}; "
        f"`{op.value}` is taken as `{instead.value}`",
        Label(span, f"`{instead.value}` fits, `{op.value}` does not"),
        *_declared(left),
        *_declared(right),
        help=f"write `{a} {instead.value} {b}`",
    )
    return _relation(instead, left, right, span=span)


def _clash(left: Typed, right: Typed, verb: str, *, span: Span, report: Report) -> Typed:
    report.unusable()
    a, b = to_text(left.expr), to_text(right.expr)
    report.tell(
        codes.KINDS_CLASH,
        f"{verb} `{a}`, {words(left.type)}, with `{b}`, {words(right.type)}",
        Label(span, "these do not go together"),
        *_declared(left),
        *_declared(right),
        help=_advice(left, right),
    )
    return nothing(span)


def iff_of_values(text: str, kind: Type, span: Span) -> Diagnostic:
    """What to say of ``↔`` between values that are no truth values."""
    return Diagnostic(
        codes.IFF_OF_VALUES,
        f"`↔` stands between truth values, and `{text}` is {words(kind)}; it is taken as `=`",
        primary=Label(span, "an `=` was probably meant"),
        help=f"write `{text} = …`",
    )


def _advice(left: Typed, right: Typed) -> str:
    for whole, other in ((left, right), (right, left)):
        if isinstance(whole.type, SetType) and other.type == NUMBER:
            text = to_text(whole.expr)
            return f"write `|{text}|` for the number of members of `{text}`"
    return "write values of the same kind on both sides"


def _wrong(operand: Typed, need: str, *, report: Report) -> Typed:
    report.unusable()
    report.tell(
        codes.KINDS_CLASH,
        f"{need}, but `{to_text(operand.expr)}` is {words(operand.type)}",
        Label(operand.span, words(operand.type)),
        *_declared(operand),
    )
    return replace(operand, type=UNKNOWN)


def _declared(operand: Typed) -> tuple[Label, ...]:
    label = label_at(operand.origin, f"`{to_text(operand.expr)}` is declared here")
    return () if label is None else (label,)


def fix(span: Span | None, text: str) -> Fix | None:
    """Writing *text* at *span*, if that is a place in the document."""
    return None if span is None or span == NOWHERE else Fix(span, text)
