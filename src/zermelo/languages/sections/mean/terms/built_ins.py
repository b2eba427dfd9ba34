"""Functions that every document has, where it declares no such name: of relations, tuples and sets.

Each is said by what the language has already: ``dom(f)`` is ``{a | (a, b) ∈ f}``. Names that begin
with a dot are bound in here, and cannot be written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from zermelo.core.values import UNKNOWN, SetType, TupleType, Type, Unknown, tuple_type
from zermelo.languages.sections import ir
from zermelo.languages.sections.ir import Op
from zermelo.languages.sections.mean.terms.definitions import Elaborate
from zermelo.languages.sections.mean.terms.operators import (
    Typed,
    TypeScope,
    component_types,
    is_known,
    item_type,
    nothing,
)
from zermelo.languages.sections.printer import to_text
from zermelo.languages.sections.read.grammar import tree
from zermelo.text import codes
from zermelo.text.diagnostic import Label, Report
from zermelo.text.prose import count
from zermelo.text.source import Span

_PLACE, _VALUE, _LATER = ir.Local("·place"), ir.Local("·value"), ir.Local("·later")
_TRUE: Final = ir.And(())


@dataclass(frozen=True, slots=True)
class _BuiltIn:
    """A function of relations, tuples or sets."""

    takes: int
    made: Callable[[tuple[Typed, ...], Span], Typed | None]
    """``None`` where an argument is not of the kind that it needs."""
    needs: str


def ends_of(relation: Typed) -> tuple[Type, Type] | None:
    """The kinds of the two components where *relation* is a set of pairs."""
    kind = item_type(relation.type)
    if not isinstance(kind, TupleType) or len(kind.items) != 2:
        return None
    first, second = component_types(kind, 2)
    return first, second


def value_at(relation: Typed, place: Typed, span: Span) -> Typed:
    """What the function *relation* gives at *place*; it has no value where that is not one."""
    equal = ir.Binary(Op.EQ, _PLACE, place.expr, span=span)
    values = ir.Comprehension(_VALUE, (_pairs(relation),), equal, span=span)
    ends = ends_of(relation)
    return Typed(ir.Only(values, span=span), UNKNOWN if ends is None else ends[1])


def applied(expr: tree.Apply, scope: TypeScope, typed: Elaborate, report: Report) -> Typed | None:
    """*expr* where its name is that of a function which every document has."""
    known = BUILT_INS.get(expr.name)
    if known is None:
        return None
    if len(expr.arguments) != known.takes:
        report.unusable()
        report.tell(
            codes.WRONG_NUMBER,
            f"`{expr.name}` takes {count(known.takes, 'argument')}, "
            f"and {len(expr.arguments)} {'is' if len(expr.arguments) == 1 else 'are'} given",
            Label(expr.span, count(len(expr.arguments), "argument")),
        )
        return nothing(expr.span)
    before = report.faults
    given = tuple(typed(argument, scope, UNKNOWN) for argument in expr.arguments)
    made = known.made(given, expr.span)
    if made is None and report.faults == before:
        _complain(expr.name, known.needs, given, expr.span, report)
    return nothing(expr.span) if made is None else made


def component(whole: Typed, place: int, span: Span, report: Report) -> Typed:
    """``p.1``, the first component of the tuple p."""
    made = _component(place - 1)((whole,), span)
    if made is not None:
        return made
    if is_known(whole.type):
        needs = "a tuple" if place == 1 else f"a tuple with {place} components or more"
        _complain(f".{place}", needs, (whole,), span, report)
    return nothing(span)


def _complain(name: str, needs: str, given: tuple[Typed, ...], span: Span, report: Report) -> None:
    report.unusable()
    texts = " and ".join(f"`{to_text(each.expr)}`" for each in given)
    report.tell(
        codes.KINDS_CLASH,
        f"`{name}` takes {needs}, and is given {texts}",
        Label(span, f"not {needs}"),
    )


def _pairs(relation: Typed) -> ir.Binder:
    return ir.Binder((_PLACE.name, _VALUE.name), is_tuple=True, domain=relation.expr)


def _of_pairs(
    result: ir.Expr, kind: Callable[[Type, Type], Type]
) -> Callable[[tuple[Typed, ...], Span], Typed | None]:
    """The set of what *result* makes of each pair of a relation."""

    def made(given: tuple[Typed, ...], span: Span) -> Typed | None:
        ends = ends_of(given[0])
        if ends is None:
            return None
        found = ir.Comprehension(result, (_pairs(given[0]),), _TRUE, span=span)
        return Typed(found, SetType(kind(*ends)))

    return made


def _image(given: tuple[Typed, ...], span: Span) -> Typed | None:
    relation, whole = given
    ends = ends_of(relation)
    if ends is None or not isinstance(whole.type, SetType | Unknown):
        return None
    inside = ir.Binary(Op.IN, _PLACE, whole.expr, span=span)
    made = ir.Comprehension(_VALUE, (_pairs(relation),), inside, span=span)
    return Typed(made, SetType(ends[1]))


def _override(given: tuple[Typed, ...], span: Span) -> Typed | None:
    old, new = given
    if ends_of(old) is None or ends_of(new) is None:
        return None
    match new.expr:
        case ir.SetOf((ir.TupleOf((place, _)),)):
            other = ir.Binary(Op.NE, _PLACE, place, span=span)
        case _:
            places = ir.Comprehension(_LATER, (_named(new, _LATER.name),), _TRUE, span=span)
            other = ir.Binary(Op.NOT_IN, _PLACE, places, span=span)
    pair = ir.TupleOf((_PLACE, _VALUE), span=span)
    kept = ir.Comprehension(pair, (_pairs(old),), other, span=span)
    return Typed(ir.Binary(Op.UNION, kept, new.expr, span=span), old.type)


def _named(relation: Typed, place: str) -> ir.Binder:
    return ir.Binder((place, "·then"), is_tuple=True, domain=relation.expr)


def _compose(given: tuple[Typed, ...], span: Span) -> Typed | None:
    """``compose(f, g)`` is first g and then f."""
    outer, inner = given
    ends, later = ends_of(inner), ends_of(outer)
    if ends is None or later is None:
        return None
    meets = ir.Binary(Op.EQ, _LATER, _VALUE, span=span)
    pair = ir.TupleOf((_PLACE, ir.Local("·then")), span=span)
    binders = (_pairs(inner), _named(outer, _LATER.name))
    made = ir.Comprehension(pair, binders, meets, span=span)
    return Typed(made, SetType(tuple_type((ends[0], later[1]))))


def _component(number: int) -> Callable[[tuple[Typed, ...], Span], Typed | None]:
    def made(given: tuple[Typed, ...], span: Span) -> Typed | None:
        (whole,) = given
        kind = whole.type
        if not isinstance(kind, TupleType) or len(kind.items) <= number:
            return None
        names = tuple(f"·{at}" for at in range(len(kind.items)))
        binder = ir.Binder(names, is_tuple=True, domain=ir.SetOf((whole.expr,), span=span))
        found = ir.Comprehension(ir.Local(names[number]), (binder,), _TRUE, span=span)
        return Typed(ir.Only(found, span=span), component_types(kind, len(names))[number])

    return made


def _only(given: tuple[Typed, ...], span: Span) -> Typed | None:
    (whole,) = given
    if not isinstance(whole.type, SetType | Unknown):
        return None
    return Typed(ir.Only(whole.expr, span=span), item_type(whole.type))


def _first_kind(first: Type, _: Type) -> Type:
    return first


def _second_kind(_: Type, second: Type) -> Type:
    return second


def _turned_kind(first: Type, second: Type) -> Type:
    return tuple_type((second, first))


_DOMAIN: Final = _BuiltIn(1, _of_pairs(_PLACE, _first_kind), "a set of pairs")
_RANGE: Final = _BuiltIn(1, _of_pairs(_VALUE, _second_kind), "a set of pairs")
BUILT_INS: Final[Mapping[str, _BuiltIn]] = {
    "dom": _DOMAIN,
    "domain": _DOMAIN,
    "ran": _RANGE,
    "range": _RANGE,
    "inverse": _BuiltIn(1, _of_pairs(ir.TupleOf((_VALUE, _PLACE)), _turned_kind), "a set of pairs"),
    "image": _BuiltIn(2, _image, "a set of pairs and a set"),
    tree.OVERRIDE: _BuiltIn(2, _override, "two sets of pairs"),
    "compose": _BuiltIn(2, _compose, "two sets of pairs"),
    "first": _BuiltIn(1, _component(0), "a tuple"),
    "second": _BuiltIn(1, _component(1), "a tuple with two components or more"),
    "third": _BuiltIn(1, _component(2), "a tuple with three components or more"),
    "only": _BuiltIn(1, _only, "a set"),
}
