"""The terms of a symmetric net: sums of colours on arcs, and conditions.

A term that stands for colours becomes a sum of tuples of numbers; one colour is a sum
with one summand. Conditions become C's expressions, in which 0 is false. Numbers know
what the document calls them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from itertools import product
from math import prod
from typing import Final, TypeVar

from zermelo.languages.nets import ir
from zermelo.languages.nets.ir import BinaryOp, Component, Expr, Interval
from zermelo.languages.nets.printer import expr_text
from zermelo.languages.nets.read.pnml.sorts import (
    DOT,
    NUMBER,
    TRUTH,
    Base,
    Declarations,
    Sort,
    agree,
    in_range,
    sort_text,
    whole,
)
from zermelo.languages.nets.read.pnml.xml import (
    MOST_NESTED,
    WRITE_AGAIN,
    Element,
    PnmlFault,
    missing,
    not_understood,
    too_deep,
)
from zermelo.text import codes

T = TypeVar("T")
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
_FALSE: Final = ir.Const(0, shown="false")
_TRUE: Final = ir.Const(1, shown="true")
MOST_DEEP: Final = 150
"""Expressions inside each other, for which everything that evaluates them has room."""
_LONGEST: Final = 32
"""Conditions that one chain of ``&&`` or ``||`` joins; longer ones are chains of chains."""
MOST_TERMS: Final = 100_000
_BLACK: Final = re.compile(r"([0-9]{1,19})(?: ?['`] ?dot)?|dot", re.ASCII | re.IGNORECASE)


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
    _inside: int = 0
    """How many terms the one that is read stands in, sums within sums not counted."""

    def bag(self, element: Element) -> list[Summand]:
        found: list[Summand] = []
        waiting = [(1, element)]
        # Sums may be nested as deep as they like: many programs write them two by two.
        while waiting:
            count, term = waiting.pop()
            match term.tag:
                case "add":
                    waiting += reversed([(count, each) for each in subterms(term)])
                case "subtract":
                    first, *others = subterms(term)
                    waiting += reversed([(count, first), *((-count, each) for each in others)])
                case "numberof" | "scalarproduct":
                    parts = subterms(term)
                    factor = _number(parts[0]) if len(parts) > 1 else 1
                    waiting.append((count * factor, parts[-1]))
                case "empty":
                    continue
                case _:
                    colours = self._nested(self._colours, term)
                    found += [replace(each, count=count * each.count) for each in colours]
        return found

    def _nested(self, read: Callable[[Element], T], element: Element) -> T:
        if self._inside >= MOST_NESTED:
            raise too_deep(element)
        self._inside += 1
        try:
            return read(element)
        finally:
            self._inside -= 1

    def _colours(self, element: Element) -> list[Summand]:
        match element.tag:
            case "all":
                return [self._everything(element)]
            case "tuple":
                return self._tuple(element)
            case _:
                colour = self._colour(element)
                if any(ir.depth(part) > MOST_DEEP for part in colour.components):
                    raise too_deep(element)
                return [colour]

    def _everything(self, element: Element) -> Summand:
        sort = self.declarations.sort(_only(element, "a sort"))
        parts = tuple(
            Interval(ir.Const(base.low), ir.Const(base.high), shown="all") for base in sort
        )
        return Summand(1, parts, sort)

    def _tuple(self, element: Element) -> list[Summand]:
        """One summand for each choice from the sums in its components."""
        sums = [self.bag(term) for term in subterms(element)]
        if prod(max(1, len(each)) for each in sums) > MOST_TERMS:
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
                return _one_colour(element, *in_range(element))
            case "booleanconstant":
                return _one_colour(element, int(element.get("value").strip() == "true"), TRUTH)
            case "partitionelementof":
                return self._group(element)
            case "numberconstant":
                number = whole(element, "value")
                base = Base(number, number, name="number", kind=NUMBER)
                return _one_colour(element, number, base)
            case _:
                raise not_understood(element, "such terms")

    def _variable(self, element: Element) -> Summand:
        named = self.declarations.variable(element)
        parts = tuple(ir.Var(name, span=element.span) for name in parts_of(named.name, named.sort))
        return Summand(1, parts, named.sort)

    def _named(self, element: Element) -> Summand:
        name = element.get("declaration")
        colour = self.declarations.constant(name) or self.declarations.group(name)
        if colour is not None:
            return _one_colour(element, *colour)
        operator = self.declarations.operators.get(name) or self.declarations.no_colour(element)
        body = operator.find("def")
        if operator.find("parameter", "variabledecl") is not None or body is None:
            raise not_understood(element, "operators with parameters")
        return self._single(_only(body), element)

    def _single(self, term: Element, element: Element) -> Summand:
        summands = self.bag(term)
        if len(summands) != 1 or summands[0].count != 1:
            raise not_understood(element, "sums in the place of one colour")
        return summands[0]

    def _neighbour(self, element: Element, step: int) -> Summand:
        """The colour before or behind another; behind the last one comes the first."""
        inner = self._single(subterms(element)[0], element)
        if len(inner.sort) != 1 or isinstance(inner.components[0], Interval):
            raise not_understood(element, "neighbours of tuples and of sums")
        if inner.sort[0].kind == NUMBER:
            raise missing(subterms(element)[0], "the range that it is from")
        base, value = inner.sort[0], inner.components[0]
        shift = step - base.low if step > 0 else base.size - 1 - base.low
        moved = _binary(BinaryOp.PLUS, value, ir.Const(shift)) if shift else value
        # As the texts of the contest write it.
        shown = f"{expr_text(value)}{'++' if step > 0 else '--'}1"
        around = _binary(BinaryOp.MOD, moved, ir.Const(base.size))
        if base.low:
            around = _binary(BinaryOp.PLUS, around, ir.Const(base.low))
        return Summand(1, (replace(around, shown=shown),), inner.sort)

    def _group(self, element: Element) -> Summand:
        name = element.get("refpartition")
        partition = self.declarations.partition(name, element)
        inner = self._single(subterms(element)[0], element)
        if not agree(inner.sort, (partition.base,)):
            raise _other_sort(element, inner.sort, (partition.base,))
        if isinstance(inner.components[0], Interval):
            raise not_understood(element, "groups of sums")
        groups, names, low = partition.groups, partition.sort.names or (), partition.base.low
        self.tables[name] = ir.Table(
            name, (len(groups),), groups, groups=names, label=partition.called
        )
        at = inner.components[0]
        index = _binary(BinaryOp.MINUS, at, ir.Const(low)) if low else at
        shown = f"{partition.called}[{expr_text(at)}]"
        group = ir.Element(name, (index,), span=element.span, shown=shown)
        return Summand(1, (group,), (partition.sort,))

    def condition(self, element: Element) -> Expr:
        found = self._nested(self._condition, element)
        if not self._inside and ir.depth(found) > MOST_DEEP:
            raise too_deep(element)
        return found

    def _condition(self, element: Element) -> Expr:
        match element.tag:
            case "and" | "or" as tag:
                op = BinaryOp.AND if tag == "and" else BinaryOp.OR
                return _joined_by(op, [self.condition(each) for each in operands(element)])
            case "not":
                return ir.Unary(ir.UnaryOp.NOT, self.condition(subterms(element)[0]))
            case "imply":
                left, right = _two(element)
                fails = ir.Unary(ir.UnaryOp.NOT, self.condition(left))
                return _binary(BinaryOp.OR, fails, self.condition(right))
            case "equality" | "inequality":
                return self._equal(element, is_equal=element.tag == "equality")
            case "true":
                return _TRUE
            case "false":
                return _FALSE
            case "booleanconstant" | "variable" | "useroperator":
                values, sort = self._value(element)
                if not agree(sort, (TRUTH,)):
                    raise _other_sort(element, sort, (TRUTH,))
                return values[0]
            case tag if tag in _COMPARISONS:
                return self._compared(element, _COMPARISONS[tag])
            case _:
                raise not_understood(element, "such conditions")

    def _equal(self, element: Element, *, is_equal: bool) -> Expr:
        pairs = zip(*self._same(element), strict=True)
        op = BinaryOp.EQ if is_equal else BinaryOp.NE
        parts = [
            ir.Binary(op, a, b, span=element.span, shown=_membership(op, a, b)) for a, b in pairs
        ]
        return _joined_by(BinaryOp.AND if is_equal else BinaryOp.OR, parts)

    def _compared(self, element: Element, op: BinaryOp) -> Expr:
        left, right = self._same(element)
        if len(left) != 1:
            raise not_understood(element, "comparisons of tuples")
        return ir.Binary(op, left[0], right[0], span=element.span)

    def _same(self, element: Element) -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
        (first, sort), (second, other) = map(self._value, _two(element))
        if not agree(sort, other):
            raise PnmlFault(
                codes.PNML_SORTS,
                f"a colour of sort `{sort_text(sort)}` is compared with one of sort "
                f"`{sort_text(other)}`",
                element.span,
            )
        return first, second

    def _value(self, element: Element) -> tuple[tuple[Expr, ...], Sort]:
        summand = self._single(element, element)
        plain = tuple(part for part in summand.components if not isinstance(part, Interval))
        if len(plain) != len(summand.components):
            raise not_understood(element, "sums in conditions")
        return plain, summand.sort


def parts_of(name: str, sort: Sort) -> list[str]:
    """The names of the numbers that stand for a variable of *sort*."""
    return [name] if len(sort) == 1 else [f"{name}.{at + 1}" for at in range(len(sort))]


def subterms(element: Element) -> list[Element]:
    found = [_only(child) if child.tag == "subterm" else child for child in element.children]
    if not found:
        raise missing(element, "operands")
    return found


def operands(element: Element) -> list[Element]:
    """The operands of *element*, and instead of those with its tag again theirs, in order."""
    found, waiting = list[Element](), [element]
    while waiting:
        term = waiting.pop()
        if term.tag == element.tag:
            waiting += reversed(subterms(term))
        else:
            found.append(term)
    return found


def _other_sort(element: Element, found: Sort, wanted: Sort) -> PnmlFault:
    what = f"of sort `{sort_text(found)}`, and must be of sort `{sort_text(wanted)}`"
    return PnmlFault(codes.PNML_SORTS, f"the term is {what}", element.span)


def _only(element: Element, what: str = "a term") -> Element:
    if not element.children:
        raise missing(element, what)
    return element.children[0]


def _number(element: Element) -> int:
    if element.tag != "numberconstant":
        raise not_understood(element, "numbers of tokens that are not constants")
    return whole(element, "value")


def _two(element: Element) -> tuple[Element, Element]:
    found = subterms(element)
    if len(found) != 2:
        raise missing(element, "two operands")
    return found[0], found[1]


def _one_colour(element: Element, value: int, base: Base) -> Summand:
    """The colour *value* of the sort *base*, called what the document calls it."""
    shown = None if base.names is None else base.names[value - base.low]
    return Summand(1, (ir.Const(value, span=element.span, shown=shown),), (base,))


def _joined(chosen: Sequence[Summand]) -> Summand:
    return Summand(
        prod(each.count for each in chosen),
        tuple(part for each in chosen for part in each.components),
        tuple(base for each in chosen for base in each.sort),
    )


def _membership(op: BinaryOp, left: Expr, right: Expr) -> str | None:
    match left, right:
        case (ir.Element(_, (colour,)), ir.Const(shown=str(group))) | (
            ir.Const(shown=str(group)),
            ir.Element(_, (colour,)),
        ):
            return f"{expr_text(colour)} {'∈' if op is BinaryOp.EQ else '∉'} {group}"
        case _:
            return None


def _binary(op: BinaryOp, left: Expr, right: Expr) -> ir.Binary:
    return ir.Binary(op, left, right, span=left.span)


def _joined_by(op: BinaryOp, parts: Sequence[Expr]) -> Expr:
    if not parts:
        return _TRUE if op is BinaryOp.AND else _FALSE
    while len(parts) > _LONGEST:
        pieces = (parts[at : at + _LONGEST] for at in range(0, len(parts), _LONGEST))
        parts = [_joined_by(op, piece) for piece in pieces]
    return reduce(partial(_binary, op), parts)


def term_in(element: Element, tag: str) -> Element | None:
    structure = element.find(tag, "structure")
    return None if structure is None or not structure.children else structure.children[0]


def text_in(element: Element, tag: str) -> str:
    part = element.find(tag)
    return "" if part is None else part.words("text") or part.text.strip()


def no_text_alone(element: Element, tag: str, *allowed: str) -> None:
    """Says that the part *tag* of *element* has no structure, unless it has no text either."""
    text = text_in(element, tag)
    if text and text not in allowed:
        raise only_text(element, tag)


def black_tokens(element: Element, tag: str) -> int | None:
    """How many black tokens the text of the part *tag* says: ``3``, ``3'dot`` or ``dot``.

    >>> black_tokens(Element("arc", children=[Element("hlinscription", text="2'dot")]),
    ...              "hlinscription")
    2
    """
    text = text_in(element, tag)
    if not text:
        return None
    found = _BLACK.fullmatch(text)
    if found is None:
        raise only_text(element, tag)
    return int(found[1] or 1)


def only_text(element: Element, tag: str) -> PnmlFault:
    text, part = text_in(element, tag), element.find(tag)
    shown = text if len(text) <= 40 else f"{text[:39]}…"
    message = f"only the text `{shown}` is there, and no `<structure>` that says the same"
    return PnmlFault(codes.PNML_MISSING, message, (part or element).span, help_=WRITE_AGAIN)
