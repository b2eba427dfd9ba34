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
    unify,
    words,
)
from zermelo.languages.sections import ir
from zermelo.languages.sections.ir import Op
from zermelo.languages.sections.printer import to_text
from zermelo.languages.sections.read.grammar.tree import BinaryOp, CompareOp
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Fix, Label, Report
from zermelo.text.source import NOWHERE, Span

_ARITHMETIC = {
    BinaryOp.PLUS: Op.PLUS,
    BinaryOp.MINUS: Op.MINUS,
    BinaryOp.TIMES: Op.TIMES,
    BinaryOp.DIVIDE: Op.DIVIDE,
    BinaryOp.MOD: Op.MOD,
    BinaryOp.POWER: Op.POWER,
}
_SET_ALGEBRA = {
    BinaryOp.UNION: Op.UNION,
    BinaryOp.INTERSECTION: Op.INTERSECTION,
    BinaryOp.DIFFERENCE: Op.DIFFERENCE,
    BinaryOp.MINUS: Op.DIFFERENCE,
}
_COMPARISONS = {
    CompareOp.EQ: Op.EQ,
    CompareOp.NE: Op.NE,
    CompareOp.LT: Op.LT,
    CompareOp.LE: Op.LE,
    CompareOp.GT: Op.GT,
    CompareOp.GE: Op.GE,
    CompareOp.IN: Op.IN,
    CompareOp.NOT_IN: Op.NOT_IN,
    CompareOp.SUBSET: Op.SUBSET,
    CompareOp.NOT_SUBSET: Op.NOT_SUBSET,
    CompareOp.PROPER_SUBSET: Op.PROPER_SUBSET,
    CompareOp.SUPERSET: Op.SUBSET,
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
    procedure: str | None = None
    """The procedure that the expression stands in."""
    is_domain: bool = False
    """Whether a set stands here: a name that is both a set and a variable is the set."""
    broken: frozenset[str] = frozenset()
    """Locals whose definition cannot be used."""
    lists_words: bool = False
    """Whether undeclared names in braces are words: in definitions and declarations."""

    def bind(self, names: Iterable[str], types: Iterable[Type]) -> TypeScope:
        return replace(self, types={**self.types, **dict(zip(names, types, strict=True))})

    def has(self, name: str) -> bool:
        return name in self.types


def item_type(kind: Type) -> Type:
    """The type of the members of a set of type *kind*."""
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
    """Whether anything is known about *kind*."""
    return not isinstance(kind, Unknown)


def binary(op: BinaryOp, left: Typed, right: Typed, *, span: Span, report: Report) -> Typed:
    """``left op right``, read by the types of the operands."""
    if _is_set(left) or _is_set(right):
        if op is BinaryOp.POWER and _is_count(right):
            return _repeated(left, right, span=span)
        if op in _SET_ALGEBRA:
            return _algebra(op, left, right, span=span, report=report)
    if op in {BinaryOp.UNION, BinaryOp.INTERSECTION, BinaryOp.DIFFERENCE}:
        return _algebra(op, left, right, span=span, report=report)
    before = report.faults
    a = number(left, f"`{op.value}`", report=report)
    b = number(right, f"`{op.value}`", report=report)
    kind = NUMBER if report.faults == before else UNKNOWN
    return Typed(ir.Binary(_ARITHMETIC[op], a.expr, b.expr, span=span), kind)


def _is_set(operand: Typed) -> bool:
    return isinstance(operand.type, SetType)


def product(factors: Sequence[Typed], *, span: Span, report: Report) -> Typed:
    """``A × B × …``: the set of tuples of sets, or the product of numbers."""
    if not any(map(_is_set, factors)):
        return _numbers_multiplied(factors, span=span, report=report)
    sets = [as_set(factor, "`×`", report=report) for factor in factors]
    kind = SetType(TupleType(tuple(item_type(each.type) for each in sets)))
    return Typed(ir.Product(tuple(each.expr for each in sets), span=span), kind)


def _numbers_multiplied(factors: Sequence[Typed], *, span: Span, report: Report) -> Typed:
    before = report.faults
    first, *others = [number(factor, "`×`", report=report).expr for factor in factors]
    for other in others:
        first = ir.Binary(Op.TIMES, first, other, span=span)
    return Typed(first, NUMBER if report.faults == before else UNKNOWN)


def _is_count(operand: Typed) -> bool:
    match operand.expr:
        case ir.Literal(value=int(count)) if not isinstance(count, bool):
            return 1 <= count <= _MOST_FACTORS
        case _:
            return False


def _repeated(base: Typed, count: Typed, *, span: Span) -> Typed:
    """``N²`` of a set N: ``N × N``, and so on."""
    times = count.expr.value if isinstance(count.expr, ir.Literal) else 1
    if not isinstance(times, int) or times == 1:
        return base
    kind = TupleType((item_type(base.type),) * times)
    return Typed(ir.Product((base.expr,) * times, span=span), SetType(kind))


def _algebra(op: BinaryOp, left: Typed, right: Typed, *, span: Span, report: Report) -> Typed:
    a, b = left, right
    if _is_set(a) and is_known(b.type) and not _is_set(b):
        b = braced(b, a.type, f"`{op.value}`", report=report)
    elif _is_set(b) and is_known(a.type) and not _is_set(a):
        a = braced(a, b.type, f"`{op.value}`", report=report)
    a = as_set(a, f"`{op.value}`", report=report)
    b = as_set(b, f"`{op.value}`", report=report)
    both = unify(a.type, b.type)
    if both is None:
        _say_clash(a, b, f"`{op.value}` joins", span=span, report=report)
        return nothing(span)
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
    report.say(
        Diagnostic(
            codes.MEMBER_OR_SET,
            f"`{text}` is {words(member.type)}, and {where} needs a set; "
            f"it is taken as `{{{text}}}`",
            primary=Label(member.span, "a member, not a set"),
            secondary=_declared(member),
            help=f"write `{{{text}}}`",
            fix=fix(member.span, report.braced(member.span)),
        )
    )
    return Typed(ir.SetOf((member.expr,), span=member.span), SetType(member.type))


def as_set(operand: Typed, where: str, *, report: Report) -> Typed:
    """*operand*, which must be a set."""
    if isinstance(operand.type, SetType | Unknown):
        return operand
    return _wrong(operand, f"{where} needs a set", report=report)


def number(operand: Typed, where: str, *, report: Report) -> Typed:
    """*operand*, which must be a number."""
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
            expr: ir.Expr = ir.Literal(bool(value), span=operand.span)
        case _:
            text = f"{to_text(operand.expr)} ≠ 0"
            zero = ir.Literal(0, span=operand.span)
            expr = ir.Binary(Op.NE, operand.expr, zero, span=operand.span)
    report.say(
        Diagnostic(
            codes.NUMBER_AS_TRUTH,
            f"`{to_text(operand.expr)}` is a number where a truth value stands; "
            f"it is taken as `{text}`",
            primary=Label(operand.span, "a number"),
            secondary=_declared(operand),
            help=f"write `{text}`",
            fix=fix(operand.span, text),
        )
    )
    return Typed(expr, TRUTH)


def compare(op: CompareOp, left: Typed, right: Typed, *, span: Span, report: Report) -> Typed:
    """``left op right`` as a formula."""
    if op in {CompareOp.EQ, CompareOp.NE}:
        return _equality(op, left, right, span=span, report=report)
    if op in {CompareOp.LT, CompareOp.LE, CompareOp.GT, CompareOp.GE}:
        a = number(left, f"`{op.value}`", report=report)
        b = number(right, f"`{op.value}`", report=report)
        return Typed(ir.Binary(_COMPARISONS[op], a.expr, b.expr, span=span), TRUTH)
    if op is CompareOp.SUPERSET:
        left, right = right, left
    if op in {CompareOp.IN, CompareOp.NOT_IN}:
        return _membership(op, left, right, span=span, report=report)
    return _inclusion(op, left, right, span=span, report=report)


def _equality(op: CompareOp, left: Typed, right: Typed, *, span: Span, report: Report) -> Typed:
    a, b = left, right
    # A set beside a number is more likely to lack the bars of its size than braces.
    if NUMBER not in {left.type, right.type} or TRUTH in {left.type, right.type}:
        a = fitted(left, right.type, report=report) if _is_literal(left) else left
        b = fitted(right, a.type, report=report)
    if unify(a.type, b.type) is None:
        _say_clash(a, b, f"`{op.value}` compares", span=span, report=report)
        return nothing(span)
    is_iff = op is CompareOp.EQ and TRUTH in {a.type, b.type}
    kind = Op.IFF if is_iff else _COMPARISONS[op]
    return Typed(ir.Binary(kind, a.expr, b.expr, span=span), TRUTH)


def _is_literal(operand: Typed) -> bool:
    return isinstance(operand.expr, ir.Literal)


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
    *,
    secondary: tuple[Label, ...] = (),
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
        report.say(
            Diagnostic(
                codes.KINDS_CLASH,
                complaint(f"`{to_text(value.expr)}`", kind),
                primary=Label(value.span, kind),
                secondary=secondary,
            )
        )
    return value


def _unbraced(value: Typed, member: ir.Expr, *, report: Report) -> Typed:
    text = to_text(member)
    report.say(
        Diagnostic(
            codes.MEMBER_OR_SET,
            f"`{to_text(value.expr)}` is a set, and {words(item_type(value.type))} is looked for; "
            f"it is taken as `{text}`",
            primary=Label(value.span, "a set, not a member"),
            help=f"write `{text}`",
            fix=fix(value.span, report.source.slice(member.span)),
        )
    )
    return Typed(member, item_type(value.type))


def _membership(op: CompareOp, left: Typed, right: Typed, *, span: Span, report: Report) -> Typed:
    b = as_set(right, f"`{op.value}`", report=report)
    item = item_type(b.type)
    if unify(left.type, item) is not None:
        return Typed(ir.Binary(_COMPARISONS[op], left.expr, b.expr, span=span), TRUTH)
    if isinstance(left.type, SetType) and unify(left.type, b.type) is not None:
        instead = CompareOp.SUBSET if op is CompareOp.IN else CompareOp.NOT_SUBSET
        _say_instead(op, instead, left, b, span=span, report=report)
        return Typed(ir.Binary(_COMPARISONS[instead], left.expr, b.expr, span=span), TRUTH)
    _say_clash(left, b, f"`{op.value}` compares", span=span, report=report)
    return nothing(span)


def _inclusion(op: CompareOp, left: Typed, right: Typed, *, span: Span, report: Report) -> Typed:
    b = as_set(right, f"`{op.value}`", report=report)
    if is_known(left.type) and is_known(item_type(b.type)) and fits(left.type, item_type(b.type)):
        instead = CompareOp.NOT_IN if op is CompareOp.NOT_SUBSET else CompareOp.IN
        if not fits(left.type, b.type):
            _say_instead(op, instead, left, b, span=span, report=report)
            return Typed(ir.Binary(_COMPARISONS[instead], left.expr, b.expr, span=span), TRUTH)
    a = as_set(left, f"`{op.value}`", report=report)
    if unify(a.type, b.type) is None:
        _say_clash(a, b, f"`{op.value}` compares", span=span, report=report)
        return nothing(span)
    return Typed(ir.Binary(_COMPARISONS[op], a.expr, b.expr, span=span), TRUTH)


def _say_instead(
    op: CompareOp, instead: CompareOp, left: Typed, right: Typed, *, span: Span, report: Report
) -> None:
    a, b = to_text(left.expr), to_text(right.expr)
    report.say(
        Diagnostic(
            codes.MEMBER_OR_SET,
            f"`{a}` is {words(left.type)} and `{b}` is {words(right.type)}; "
            f"`{op.value}` is taken as `{instead.value}`",
            primary=Label(span, f"`{instead.value}` fits, `{op.value}` does not"),
            secondary=(*_declared(left), *_declared(right)),
            help=f"write `{a} {instead.value} {b}`",
        )
    )


def _say_clash(left: Typed, right: Typed, verb: str, *, span: Span, report: Report) -> None:
    report.unusable()
    a, b = to_text(left.expr), to_text(right.expr)
    report.say(
        Diagnostic(
            codes.KINDS_CLASH,
            f"{verb} `{a}`, {words(left.type)}, with `{b}`, {words(right.type)}",
            primary=Label(span, "these do not go together"),
            secondary=(*_declared(left), *_declared(right)),
            help=_advice(left, right),
        )
    )


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
    report.say(
        Diagnostic(
            codes.KINDS_CLASH,
            f"{need}, but `{to_text(operand.expr)}` is {words(operand.type)}",
            primary=Label(operand.span, words(operand.type)),
            secondary=_declared(operand),
        )
    )
    return replace(operand, type=UNKNOWN)


def _declared(operand: Typed) -> tuple[Label, ...]:
    if operand.origin is None or operand.origin == NOWHERE:
        return ()
    return (Label(operand.origin, f"`{to_text(operand.expr)}` is declared here"),)


def fix(span: Span | None, text: str) -> Fix | None:
    """Writing *text* at *span*, if that is a place in the document."""
    return None if span is None or span == NOWHERE else Fix(span, text)
