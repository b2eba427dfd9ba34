"""The terms of a symmetric net: sums of colours on arcs, and conditions.

A term that stands for colours becomes a sum of tuples of numbers; one colour is a sum
with one summand. Conditions become C's expressions, in which 0 is false.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Final

from zermelo.core.nets import ir
from zermelo.core.nets.ir import BinaryOp, Component, Expr, Interval
from zermelo.meaning.nets.sorts import DOT, TRUTH, Base, Declarations, Sort, whole
from zermelo.meaning.nets.wrong import Wrong, missing, not_there, not_understood
from zermelo.syntax.pnml.xml import Element
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label

_COMPARISONS: Final = {
    "lessthan": BinaryOp.LT,
    "lessthanorequal": BinaryOp.LE,
    "greaterthan": BinaryOp.GT,
    "greaterthanorequal": BinaryOp.GE,
    "lt": BinaryOp.LT,
    "leq": BinaryOp.LE,
    "gt": BinaryOp.GT,
    "geq": BinaryOp.GE,
    "ltp": BinaryOp.LT,
    "gtp": BinaryOp.GT,
}
_FALSE: Final = ir.Const(0)
_TRUE: Final = ir.Const(1)
MOST_TERMS: Final = 100_000
"""Summands of one inscription, when sums inside tuples are multiplied out."""


@dataclass(frozen=True, slots=True)
class Summand:
    """So many of a colour."""

    count: int
    components: tuple[Component, ...]
    sort: Sort


@dataclass(slots=True)
class Terms:
    """Reads the terms of one net; remembers which tables they need."""

    declarations: Declarations
    tables: dict[str, ir.Table] = field(default_factory=dict)

    # Sums of colours

    def bag(self, element: Element) -> list[Summand]:
        """The sum that *element* stands for."""
        match element.tag:
            case "add":
                return [each for term in subterms(element) for each in self.bag(term)]
            case "subtract":
                return self._difference(element)
            case "numberof" | "scalarproduct":
                return self._times(element)
            case "empty":
                return []
            case "all":
                return [self._everything(element)]
            case "tuple":
                return self._tuple(element)
            case _:
                return [self._colour(element)]

    def _difference(self, element: Element) -> list[Summand]:
        first, *others = subterms(element)
        taken = [each for term in others for each in self.bag(term)]
        return [
            *self.bag(first),
            *(Summand(-each.count, each.components, each.sort) for each in taken),
        ]

    def _times(self, element: Element) -> list[Summand]:
        parts = subterms(element)
        count, body = (1, parts[0]) if len(parts) == 1 else (self._number(parts[0]), parts[-1])
        return [Summand(count * each.count, each.components, each.sort) for each in self.bag(body)]

    def _number(self, element: Element) -> int:
        if element.tag != "numberconstant":
            raise not_understood(element, "numbers of tokens that are not constants")
        return whole(element, "value")

    def _everything(self, element: Element) -> Summand:
        sort = self.declarations.sort(_sort_of(element))
        parts = tuple(Interval(ir.Const(base.low), ir.Const(base.high)) for base in sort)
        return Summand(1, parts, sort)

    def _tuple(self, element: Element) -> list[Summand]:
        """One summand for each choice from the sums in its components."""
        sums = [self.bag(term) for term in subterms(element)]
        size = 1
        for each in sums:
            size *= max(1, len(each))
        if size > MOST_TERMS:
            raise not_understood(element, f"tuples that stand for more than {MOST_TERMS:,} sums")
        return [_joined(chosen) for chosen in product(*sums)]

    def _colour(self, element: Element) -> Summand:
        match element.tag:
            case "dotconstant":
                return Summand(1, (), DOT)
            case "variable":
                return self._variable(element)
            case "useroperator":
                return self._named(element)
            case "successor" | "predecessor":
                return self._neighbour(element, 1 if element.tag == "successor" else -1)
            case "finiteintrangeconstant":
                return self._in_range(element)
            case "booleanconstant":
                value = int(element.get("value").strip() == "true")
                return Summand(1, (ir.Const(value, span=element.span),), (TRUTH,))
            case "partitionelementof":
                return self._group(element)
            case "numberconstant":
                number = whole(element, "value")
                at = ir.Const(number, span=element.span)
                return Summand(1, (at,), (Base(number, number),))
            case _:
                raise not_understood(element, "such terms")

    def _variable(self, element: Element) -> Summand:
        named = self.declarations.variable(element)
        parts = tuple(ir.Var(name, span=element.span) for name in parts_of(named.name, named.sort))
        return Summand(1, parts, named.sort)

    def _named(self, element: Element) -> Summand:
        name = element.get("declaration")
        constant = self.declarations.constant(name)
        if constant is not None:
            return Summand(1, (ir.Const(constant.value, span=element.span),), (constant.base,))
        found = self.declarations.group(name)
        if found is not None:
            partition, at = found
            groups = Base(0, max(partition.groups, default=0))
            return Summand(1, (ir.Const(at, span=element.span),), (groups,))
        operator = self.declarations.operator(name)
        if operator is None:
            raise not_there(element, name, "colour", self.declarations.constants)
        body = operator.find("def")
        if operator.find("parameter", "variabledecl") is not None or body is None:
            raise not_understood(element, "operators with parameters")
        return _single(self.bag(_only(body)), element)

    def _neighbour(self, element: Element, step: int) -> Summand:
        """The colour before or behind another; behind the last one comes the first."""
        inner = _single(self.bag(_only_term(element)), element)
        if len(inner.sort) != 1 or isinstance(inner.components[0], Interval):
            raise not_understood(element, "neighbours of tuples and of sums")
        base, value = inner.sort[0], inner.components[0]
        shift = step - base.low if step > 0 else base.size - 1 - base.low
        moved = _binary(BinaryOp.PLUS, value, ir.Const(shift)) if shift else value
        around = _binary(BinaryOp.MOD, moved, ir.Const(base.size))
        placed = _binary(BinaryOp.PLUS, around, ir.Const(base.low)) if base.low else around
        return Summand(1, (placed,), inner.sort)

    def _in_range(self, element: Element) -> Summand:
        value = whole(element, "value")
        kind = element.find("finiteintrange")
        sort = (Base(value, value),) if kind is None else self.declarations.sort(kind)
        if not sort[0].low <= value <= sort[0].high:
            raise not_understood(element, "numbers outside their range")
        return Summand(1, (ir.Const(value, span=element.span),), sort)

    def _group(self, element: Element) -> Summand:
        name = element.get("refpartition")
        partition = self.declarations.partition(name, element)
        inner = _single(self.bag(_only_term(element)), element)
        if inner.sort != (partition.base,) or isinstance(inner.components[0], Interval):
            raise not_understood(element, "groups of other sorts")
        groups = partition.groups
        self.tables[name] = ir.Table(name, (len(groups),), groups)
        low = ir.Const(partition.base.low)
        at = inner.components[0]
        index = _binary(BinaryOp.MINUS, at, low) if partition.base.low else at
        return Summand(1, (ir.Element(name, (index,), span=element.span),), (Base(0, max(groups)),))

    # Conditions

    def condition(self, element: Element) -> Expr:
        """The condition that *element* stands for."""
        match element.tag:
            case "and":
                return _joined_by(BinaryOp.AND, [self.condition(t) for t in subterms(element)])
            case "or":
                return _joined_by(BinaryOp.OR, [self.condition(t) for t in subterms(element)])
            case "not":
                return ir.Unary(ir.UnaryOp.NOT, self.condition(_only_term(element)))
            case "imply":
                left, right = _two(element)
                return _binary(
                    BinaryOp.OR,
                    ir.Unary(ir.UnaryOp.NOT, self.condition(left)),
                    self.condition(right),
                )
            case "equality" | "inequality":
                return self._equal(element, is_equal=element.tag == "equality")
            case "true":
                return _TRUE
            case "false":
                return _FALSE
            case "booleanconstant" | "variable" | "useroperator":
                (value,) = self._value(element)
                return value
            case tag if tag in _COMPARISONS:
                return self._compared(element, _COMPARISONS[tag])
            case _:
                raise not_understood(element, "such conditions")

    def _equal(self, element: Element, *, is_equal: bool) -> Expr:
        left, right = _two(element)
        pairs = zip(*self._same(element, left, right), strict=True)
        op = BinaryOp.EQ if is_equal else BinaryOp.NE
        parts = [ir.Binary(op, a, b, span=element.span) for a, b in pairs]
        return _joined_by(BinaryOp.AND if is_equal else BinaryOp.OR, parts)

    def _compared(self, element: Element, op: BinaryOp) -> Expr:
        left, right = self._same(element, *_two(element))
        if len(left) != 1:
            raise not_understood(element, "comparisons of tuples")
        return ir.Binary(op, left[0], right[0], span=element.span)

    def _same(
        self, element: Element, left: Element, right: Element
    ) -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
        first, second = self._value(left), self._value(right)
        if len(first) != len(second):
            raise Wrong(
                Diagnostic(
                    codes.PNML_SORTS,
                    f"a colour with {len(first)} components is compared with one that has "
                    f"{len(second)}",
                    primary=Label(element.span),
                )
            )
        return first, second

    def _value(self, element: Element) -> tuple[Expr, ...]:
        """One colour, as its components."""
        summand = _single(self.bag(element), element)
        plain = tuple(part for part in summand.components if not isinstance(part, Interval))
        if len(plain) != len(summand.components):
            raise not_understood(element, "sums in conditions")
        return plain


def parts_of(name: str, sort: Sort) -> list[str]:
    """The names of the numbers that stand for a variable of *sort*."""
    return [name] if len(sort) == 1 else [f"{name}.{at + 1}" for at in range(len(sort))]


def subterms(element: Element) -> list[Element]:
    """The operands of *element*."""
    found = [_only(child) if child.tag == "subterm" else child for child in element.children]
    if not found:
        raise missing(element, "operands")
    return found


def _only_term(element: Element) -> Element:
    return subterms(element)[0]


def _only(element: Element) -> Element:
    if not element.children:
        raise missing(element, "a term")
    return element.children[0]


def _two(element: Element) -> tuple[Element, Element]:
    found = subterms(element)
    if len(found) != 2:
        raise missing(element, "two operands")
    return found[0], found[1]


def _sort_of(element: Element) -> Element:
    if not element.children:
        raise missing(element, "a sort")
    return element.children[0]


def _single(summands: Sequence[Summand], element: Element) -> Summand:
    if len(summands) != 1 or summands[0].count != 1:
        raise not_understood(element, "sums in the place of one colour")
    return summands[0]


def _joined(chosen: Sequence[Summand]) -> Summand:
    count = 1
    for each in chosen:
        count *= each.count
    return Summand(
        count,
        tuple(part for each in chosen for part in each.components),
        tuple(base for each in chosen for base in each.sort),
    )


def _binary(op: BinaryOp, left: Expr, right: Expr) -> Expr:
    return ir.Binary(op, left, right, span=left.span)


def _joined_by(op: BinaryOp, parts: Sequence[Expr]) -> Expr:
    """All *parts* with *op* between them."""
    if not parts:
        return _TRUE if op is BinaryOp.AND else _FALSE
    found = parts[0]
    for part in parts[1:]:
        found = _binary(op, found, part)
    return found
