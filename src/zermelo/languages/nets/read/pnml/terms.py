"""The terms of a symmetric net: sums of colours on arcs, and conditions.

A term that stands for colours becomes a sum of tuples of numbers; one colour is a sum
with one summand. Conditions become C's expressions, in which 0 is false. Numbers know
what the document calls them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
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
    Element,
    PnmlFault,
    missing,
    not_there,
    not_understood,
    too_deep,
)
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label

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
"""Summands of one inscription, when sums inside tuples are multiplied out."""
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

    # Sums of colours

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
                    factor, body = self._factor(term)
                    waiting.append((count * factor, body))
                case "empty":
                    continue
                case _:
                    found += self._times(count, term)
        return found

    def _times(self, count: int, element: Element) -> Iterator[Summand]:
        for each in self._nested(self._colours, element):
            yield replace(each, count=count * each.count)

    def _nested(self, read: Callable[[Element], T], element: Element) -> T:
        """What *read* makes of a term inside others."""
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
                if any(depth(part) > MOST_DEEP for part in colour.components):
                    raise too_deep(element)
                return [colour]

    def _factor(self, element: Element) -> tuple[int, Element]:
        parts = subterms(element)
        return (1, parts[0]) if len(parts) == 1 else (self._number(parts[0]), parts[-1])

    def _number(self, element: Element) -> int:
        if element.tag != "numberconstant":
            raise not_understood(element, "numbers of tokens that are not constants")
        return whole(element, "value")

    def _everything(self, element: Element) -> Summand:
        sort = self.declarations.sort(_sort_of(element))
        parts = tuple(
            Interval(ir.Const(base.low), ir.Const(base.high), shown="all") for base in sort
        )
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
                return _truth(element)
            case "partitionelementof":
                return self._group(element)
            case "numberconstant":
                number = whole(element, "value")
                at = ir.Const(number, span=element.span)
                return Summand(1, (at,), (Base(number, number, name="number", kind=NUMBER),))
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
            called = ir.Const(constant.value, span=element.span, shown=constant.name)
            return Summand(1, (called,), (constant.base,))
        found = self.declarations.group(name)
        if found is not None:
            partition, at = found
            called = ir.Const(at, span=element.span, shown=partition.names[at])
            return Summand(1, (called,), (partition.sort,))
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
        if inner.sort[0].kind == NUMBER:
            raise missing(subterms(element)[0], "the range that it is from")
        base, value = inner.sort[0], inner.components[0]
        shift = step - base.low if step > 0 else base.size - 1 - base.low
        moved = _binary(BinaryOp.PLUS, value, ir.Const(shift)) if shift else value
        # As the texts of the contest write it.
        shown = f"{expr_text(value)}{'++' if step > 0 else '--'}1"
        size = ir.Const(base.size)
        if not base.low:
            around = ir.Binary(BinaryOp.MOD, moved, size, span=value.span, shown=shown)
            return Summand(1, (around,), inner.sort)
        first, within = ir.Const(base.low), _binary(BinaryOp.MOD, moved, size)
        placed = ir.Binary(BinaryOp.PLUS, within, first, span=value.span, shown=shown)
        return Summand(1, (placed,), inner.sort)

    def _in_range(self, element: Element) -> Summand:
        value, base = in_range(element)
        return Summand(1, (ir.Const(value, span=element.span),), (base,))

    def _group(self, element: Element) -> Summand:
        name = element.get("refpartition")
        partition = self.declarations.partition(name, element)
        inner = _single(self.bag(_only_term(element)), element)
        if not agree(inner.sort, (partition.base,)):
            raise _other_sort(element, inner.sort, (partition.base,))
        if isinstance(inner.components[0], Interval):
            raise not_understood(element, "groups of sums")
        groups = partition.groups
        self.tables[name] = ir.Table(
            name, (len(groups),), groups, groups=partition.names, label=partition.called
        )
        low = ir.Const(partition.base.low)
        at = inner.components[0]
        index = _binary(BinaryOp.MINUS, at, low) if partition.base.low else at
        shown = f"{partition.called}[{expr_text(at)}]"
        group = ir.Element(name, (index,), span=element.span, shown=shown)
        return Summand(1, (group,), (partition.sort,))

    # Conditions

    def condition(self, element: Element) -> Expr:
        found = self._nested(self._condition, element)
        if not self._inside and depth(found) > MOST_DEEP:
            raise too_deep(element)
        return found

    def _condition(self, element: Element) -> Expr:
        match element.tag:
            case "and":
                return _joined_by(BinaryOp.AND, [self.condition(t) for t in operands(element)])
            case "or":
                return _joined_by(BinaryOp.OR, [self.condition(t) for t in operands(element)])
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
                return self._truth_of(element)
            case tag if tag in _COMPARISONS:
                return self._compared(element, _COMPARISONS[tag])
            case _:
                raise not_understood(element, "such conditions")

    def _truth_of(self, element: Element) -> Expr:
        values, sort = self._value(element)
        if not agree(sort, (TRUTH,)):
            raise _other_sort(element, sort, (TRUTH,))
        return values[0]

    def _equal(self, element: Element, *, is_equal: bool) -> Expr:
        left, right = _two(element)
        pairs = zip(*self._same(element, left, right), strict=True)
        op = BinaryOp.EQ if is_equal else BinaryOp.NE
        parts = [
            ir.Binary(op, a, b, span=element.span, shown=_membership(op, a, b)) for a, b in pairs
        ]
        return _joined_by(BinaryOp.AND if is_equal else BinaryOp.OR, parts)

    def _compared(self, element: Element, op: BinaryOp) -> Expr:
        left, right = self._same(element, *_two(element))
        if len(left) != 1:
            raise not_understood(element, "comparisons of tuples")
        return ir.Binary(op, left[0], right[0], span=element.span)

    def _same(
        self, element: Element, left: Element, right: Element
    ) -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
        (first, sort), (second, other) = self._value(left), self._value(right)
        if not agree(sort, other):
            raise PnmlFault(
                Diagnostic(
                    codes.PNML_SORTS,
                    f"a colour of sort `{sort_text(sort)}` is compared with one of sort "
                    f"`{sort_text(other)}`",
                    primary=Label(element.span),
                )
            )
        return first, second

    def _value(self, element: Element) -> tuple[tuple[Expr, ...], Sort]:
        """One colour, as its components, and its sort."""
        summand = _single(self.bag(element), element)
        plain = tuple(part for part in summand.components if not isinstance(part, Interval))
        if len(plain) != len(summand.components):
            raise not_understood(element, "sums in conditions")
        return plain, summand.sort


def parts_of(name: str, sort: Sort) -> list[str]:
    """The names of the numbers that stand for a variable of *sort*."""
    return [name] if len(sort) == 1 else [f"{name}.{at + 1}" for at in range(len(sort))]


def subterms(element: Element) -> list[Element]:
    """The operands of *element*."""
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


def depth(expr: Component) -> int:
    """How many expressions stand inside each other at most."""
    deepest, waiting = 0, [(1, expr)]
    while waiting:
        level, part = waiting.pop()
        deepest = max(deepest, level)
        match part:
            case ir.Unary(_, operand):
                waiting.append((level + 1, operand))
            case ir.Binary(_, left, right):
                waiting += [(level + 1, left), (level + 1, right)]
            case ir.Element(_, indexes):
                waiting += [(level + 1, each) for each in indexes]
            case _:
                pass
    return deepest


def _other_sort(element: Element, found: Sort, wanted: Sort) -> PnmlFault:
    return PnmlFault(
        Diagnostic(
            codes.PNML_SORTS,
            f"the term is of sort `{sort_text(found)}`, and must be of sort `{sort_text(wanted)}`",
            primary=Label(element.span),
        )
    )


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


def _truth(element: Element) -> Summand:
    value = int(element.get("value").strip() == "true")
    shown = "true" if value else "false"
    return Summand(1, (ir.Const(value, span=element.span, shown=shown),), (TRUTH,))


def _membership(op: BinaryOp, left: Expr, right: Expr) -> str | None:
    """That a colour is in a group or not, if that is what is compared."""
    match left, right:
        case (ir.Element(_, (colour,)), ir.Const(shown=str(group))) | (
            ir.Const(shown=str(group)),
            ir.Element(_, (colour,)),
        ):
            return f"{expr_text(colour)} {'∈' if op is BinaryOp.EQ else '∉'} {group}"
        case _:
            return None


def _binary(op: BinaryOp, left: Expr, right: Expr) -> Expr:
    return ir.Binary(op, left, right, span=left.span)


def _joined_by(op: BinaryOp, parts: Sequence[Expr]) -> Expr:
    """All *parts* with *op* between them."""
    if not parts:
        return _TRUE if op is BinaryOp.AND else _FALSE
    while len(parts) > _LONGEST:
        pieces = (parts[at : at + _LONGEST] for at in range(0, len(parts), _LONGEST))
        parts = [_joined_by(op, piece) for piece in pieces]
    found = parts[0]
    for part in parts[1:]:
        found = _binary(op, found, part)
    return found


def term_in(element: Element, tag: str) -> Element | None:
    """The term in the structure of the part *tag* of *element*, if there is one."""
    structure = element.find(tag, "structure")
    return None if structure is None or not structure.children else structure.children[0]


def text_in(element: Element, tag: str) -> str:
    """The text of the part *tag* of *element*."""
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
    """That the part *tag* of *element* lacks a structure."""
    text, part = text_in(element, tag), element.find(tag)
    shown = text if len(text) <= 40 else f"{text[:39]}…"
    return PnmlFault(
        Diagnostic(
            codes.PNML_MISSING,
            f"only the text `{shown}` is there, and no `<structure>` that says the same",
            primary=Label((part or element).span),
            help="add it, or write the net again with the program that made it",
        )
    )
