"""A net as PNML: a place/transition net, or a symmetric net where tokens have colours.

C's arithmetic beyond neighbours in a cycle has no form in symmetric nets.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from zermelo.languages.nets import ir
from zermelo.languages.nets.ir import BinaryOp, Const, Expr, Interval, Net, UnaryOp, Var
from zermelo.languages.nets.run.bags import Bag
from zermelo.languages.nets.words import bag_text
from zermelo.text.errors import UsageError
from zermelo.text.render import for_xml

_NAMESPACE = "http://www.pnml.org/version-2009/grammar"
_COMPARED = {
    BinaryOp.EQ: "equality",
    BinaryOp.NE: "inequality",
    BinaryOp.LT: "lessthan",
    BinaryOp.LE: "lessthanorequal",
    BinaryOp.GT: "greaterthan",
    BinaryOp.GE: "greaterthanorequal",
    BinaryOp.AND: "and",
    BinaryOp.OR: "or",
}
# Namespaces in XML 1.0, production 4, and XML 1.0, productions 4 and 4a: names without colons.
_FIRST: Final = (
    "A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d"
    "\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_OTHER: Final = _FIRST + "0-9.\u00b7\u0300-\u036f\u203f\u2040-"
_GOOD: Final = re.compile(f"[{_FIRST}][{_OTHER}]*")
_BAD: Final = re.compile(f"[^{_OTHER}]")


def lines(net: Net) -> Iterator[str]:
    """The lines of a PNML document that holds *net*; ``UsageError`` if there is none."""
    return _PnmlWriter(net).lines()


@dataclass(frozen=True, slots=True)
class _Sort:
    """The numbers from *low* to *high*, perhaps with names."""

    low: int
    high: int
    names: tuple[str, ...] | None = None


class _PnmlWriter:
    def __init__(self, net: Net) -> None:
        self.net = net
        self.ids = Ids(net)
        self.by_name = {place.name: place for place in net.places}
        self.sorts: dict[_Sort, str] = {}
        self.products: dict[tuple[_Sort, ...], str] = {}
        self.variables: dict[tuple[str, _Sort], str] = {}
        self.grouped: dict[str, _Sort] = {}
        """The sorts whose colours are put into groups, by table."""

    def lines(self) -> Iterator[str]:
        kind = "ptnet" if self.net.is_plain else "symmetricnet"
        body = list(self._page())
        yield '<?xml version="1.0" encoding="UTF-8"?>'
        yield f'<pnml xmlns="{_NAMESPACE}/pnml">'
        yield f'  <net id={_quoted(self.ids.of("net", ""))} type="{_NAMESPACE}/{kind}">'
        yield f"    <name><text>{for_xml(self.net.name)}</text></name>"
        yield f"    <page id={_quoted(self.ids.of('page', '', 'page'))}>"
        yield from (f"      {line}" for line in body)
        yield "    </page>"
        if not self.net.is_plain:
            yield from (f"    {line}" for line in self._declarations())
        yield "  </net>"
        yield "</pnml>"

    # Declarations, once it is known what is used

    def _declarations(self) -> Iterator[str]:
        yield "<declaration><structure><declarations>"
        partitions = [self._partition(table) for table in self.net.tables]
        for sort, name in self.sorts.items():
            named = _quoted(name)
            yield f"  <namedsort id={named} name={named}>{self._listed(sort)}</namedsort>"
        for factors, name in self.products.items():
            inner = "".join(self._user_sort(each) for each in factors)
            product = f"<productsort>{inner}</productsort>"
            yield f"  <namedsort id={_quoted(name)} name={_quoted(name)}>{product}</namedsort>"
        yield from (f"  {partition}" for partition in partitions)
        called: set[str] = set()
        for (name, sort), key in self.variables.items():
            inner = self._user_sort(sort)
            # Of two variables with one name, those who read it take the ids.
            shown = key if name in called else name
            called.add(shown)
            yield f"  <variabledecl id={_quoted(key)} name={_quoted(shown)}>{inner}</variabledecl>"
        yield "</declarations></structure></declaration>"

    def _user_sort(self, sort: _Sort) -> str:
        return f"<usersort declaration={_quoted(self._sort_name(sort))}/>"

    def _sort_name(self, sort: _Sort) -> str:
        wanted = f"sort{len(self.sorts) + 1}"
        return self.sorts.setdefault(sort, self.ids.of("sort", sort, wanted))

    def _product_name(self, factors: tuple[_Sort, ...]) -> str:
        for each in factors:
            self._sort_name(each)
        wanted = f"product{len(self.products) + 1}"
        return self.products.setdefault(factors, self.ids.of("product", factors, wanted))

    def _listed(self, sort: _Sort) -> str:
        if sort.names is None:
            return f'<finiteintrange start="{sort.low}" end="{sort.high}"/>'
        inner = "".join(
            f"<feconstant id={self._constant_id(sort, sort.low + at)} name={_quoted(each)}/>"
            for at, each in enumerate(sort.names)
        )
        return f"<cyclicenumeration>{inner}</cyclicenumeration>"

    def _partition(self, table: ir.Table) -> str:
        sort = self.grouped.get(table.name)
        if sort is None or (sort.high - sort.low + 1,) != table.dimensions:
            raise _no_form(f"the table `{table.name}`")
        names = table.groups or tuple(map(str, range(max(table.values) + 1)))
        groups = "".join(
            f"<partitionelement id={self._group_id(table.name, group)} name={_quoted(name)}>"
            + "".join(
                self._constant(sort, sort.low + at)
                for at, member in enumerate(table.values)
                if member == group
            )
            + "</partitionelement>"
            for group, name in enumerate(names)
        )
        named = _quoted(self._table_id(table.name))
        return (
            f"<partition id={named} name={_quoted(table.label or table.name)}>"
            f"{self._user_sort(sort)}{groups}</partition>"
        )

    def _table_id(self, table: str) -> str:
        return self.ids.of("table", table, table)

    def _group_id(self, table: str, group: int) -> str:
        return _quoted(self.ids.of("group", (table, group), f"{self._table_id(table)}.{group}"))

    def _page(self) -> Iterator[str]:
        for place in self.net.places:
            yield from self._place(place)
        for transition in self.net.transitions:
            yield from self._transition(transition)
        for transition in self.net.transitions:
            for at, arc in enumerate(transition.inputs):
                yield self._arc(transition, arc, at, is_input=True)
            for at, arc in enumerate(transition.outputs):
                yield self._arc(transition, arc, at, is_input=False)

    def _place(self, place: ir.Place) -> Iterator[str]:
        yield f"<place id={_quoted(self.ids.of('place', place.name))}>"
        yield f"  <name><text>{for_xml(place.label or place.name)}</text></name>"
        count = len(place.initial)
        if self.net.is_plain:
            if count:
                yield f"  <initialMarking><text>{count}</text></initialMarking>"
        else:
            yield f"  <type><structure>{self._type(place)}</structure></type>"
            if count:
                marking = self._bag(place.initial, place)
                text = for_xml(bag_text(place.initial, place))
                yield (
                    f"  <hlinitialMarking><text>{text}</text>"
                    f"<structure>{marking}</structure></hlinitialMarking>"
                )
        yield "</place>"

    def _factors(self, place: ir.Place) -> tuple[_Sort, ...]:
        if place.arity and (place.low is None or place.high is None):
            raise _no_form(f"the place `{place.name}`, whose tokens have no bounds")
        names = place.colours or (None,) * place.arity
        bounds = zip(place.low or (), place.high or (), names, strict=True)
        return tuple(_Sort(low, high, called) for low, high, called in bounds)

    def _type(self, place: ir.Place) -> str:
        factors = self._factors(place)
        if not factors:
            return "<dot/>"
        if len(factors) == 1:
            return self._user_sort(factors[0])
        return f"<usersort declaration={_quoted(self._product_name(factors))}/>"

    def _bag(self, bag: Bag, place: ir.Place) -> str:
        factors = self._factors(place)
        terms = [
            _counted(count, [self._constant(s, v) for s, v in zip(factors, token, strict=True)])
            for token, count in bag
        ]
        return _sum("add", terms)

    def _transition(self, transition: ir.Transition) -> Iterator[str]:
        yield f"<transition id={_quoted(self.ids.of('transition', transition.name))}>"
        yield f"  <name><text>{for_xml(transition.label or transition.name)}</text></name>"
        if transition.lets:
            raise _no_form(f"`let` in the transition `{transition.name}`")
        if transition.gates:
            known = self._known(transition)
            gate = _sum("and", [self._condition(each, known) for each in transition.gates])
            yield f"  <condition><structure>{gate}</structure></condition>"
        yield "</transition>"

    def _known(self, transition: ir.Transition) -> dict[str, _Sort]:
        """The sorts of the variables of *transition*, from inputs where they do not say."""
        found: dict[str, _Sort] = {}
        for arc in transition.inputs:
            factors = self._factors(self.by_name[arc.place])
            for term in arc.terms:
                for sort, part in zip(factors, term.components, strict=True):
                    if isinstance(part, Var):
                        found.setdefault(part.name, sort)
        for each in transition.variables:
            if each.low is not None and each.high is not None:
                found[each.name] = _Sort(each.low, each.high, each.names)
        return found

    def _arc(self, transition: ir.Transition, arc: ir.Arc, at: int, *, is_input: bool) -> str:
        ends = self.ids.of("place", arc.place), self.ids.of("transition", transition.name)
        source, target = ends if is_input else reversed(ends)
        name = self.ids.of("arc", (transition.name, is_input, at))
        head = f"<arc id={_quoted(name)} source={_quoted(source)} target={_quoted(target)}>"
        if self.net.is_plain:
            count = sum(_number(term.multiplicity) for term in arc.terms)
            return f"{head}<inscription><text>{count}</text></inscription></arc>"
        known, factors = self._known(transition), self._factors(self.by_name[arc.place])
        added: list[str] = []
        taken: list[str] = []
        for term in arc.terms:
            count = _number(term.multiplicity)
            parts = [
                self._component(part, sort, known)
                for part, sort in zip(term.components, factors, strict=True)
            ]
            (added if count >= 0 else taken).append(_counted(abs(count), parts))
        body = _sum("add", added)
        if taken:
            body = f"<subtract>{_sub(body)}{''.join(map(_sub, taken))}</subtract>"
        return f"{head}<hlinscription><structure>{body}</structure></hlinscription></arc>"

    def _component(self, part: ir.Component, sort: _Sort, known: dict[str, _Sort]) -> str:
        match part:
            case Interval(Const(low), Const(high)) if (low, high) == (sort.low, sort.high):
                return f"<all>{self._user_sort(sort)}</all>"
            case Interval():
                raise _no_form("a part of a sort, written as a range")
            case _:
                return self._value(part, sort, known)

    def _value(self, expr: Expr, sort: _Sort, known: dict[str, _Sort]) -> str:
        match expr:
            case Const(value):
                return self._constant(sort, value)
            case Var(name):
                if name not in known:
                    raise _no_form(f"`{name}`, which has no sort")
                if known[name] != sort:
                    raise _no_form(f"the variable `{name}`, which is used in two sorts,")
                return self._variable(name, known[name])
            case ir.Element(table, (index,)):
                self.grouped.setdefault(table, sort)
                inner = self._value(_from_low(index, sort), sort, known)
                tag, named = "partitionelementof", _quoted(self._table_id(table))
                return f"<{tag} refpartition={named}>{_sub(inner)}</{tag}>"
            case _:
                return self._neighbour(expr, sort, known)

    def _neighbour(self, expr: Expr, sort: _Sort, known: dict[str, _Sort]) -> str:
        """The colour before or behind another, as reading neighbours writes it."""
        size = sort.high - sort.low + 1
        around = expr
        if (
            isinstance(expr, ir.Binary)
            and expr.op is BinaryOp.PLUS
            and expr.right == Const(sort.low)
        ):
            around = expr.left
        match around:
            case ir.Binary(
                BinaryOp.MOD, ir.Binary(BinaryOp.PLUS, inner, Const(shift)), Const(n)
            ) if n == size:
                step = (shift + sort.low) % size
            case ir.Binary(BinaryOp.MOD, inner, Const(n)) if n == size:
                step = sort.low % size
            case _:
                raise _no_form("C's arithmetic")
        if step not in {1, size - 1}:
            raise _no_form("C's arithmetic")
        tag = "successor" if step == 1 else "predecessor"
        return f"<{tag}>{_sub(self._value(inner, sort, known))}</{tag}>"

    def _constant(self, sort: _Sort, value: int) -> str:
        if not sort.low <= value <= sort.high:
            raise _no_form(f"{value} in a sort from {sort.low} to {sort.high}")
        if sort.names is None:
            bounds = f'<finiteintrange start="{sort.low}" end="{sort.high}"/>'
            return f'<finiteintrangeconstant value="{value}">{bounds}</finiteintrangeconstant>'
        return f"<useroperator declaration={self._constant_id(sort, value)}/>"

    def _constant_id(self, sort: _Sort, value: int) -> str:
        wanted = f"{self._sort_name(sort)}.{value}"
        return _quoted(self.ids.of("colour", (sort, value), wanted))

    def _variable(self, name: str, sort: _Sort) -> str:
        self._sort_name(sort)
        key = self.variables.setdefault((name, sort), self.ids.of("variable", (name, sort), name))
        return f"<variable refvariable={_quoted(key)}/>"

    def _condition(self, expr: Expr, known: dict[str, _Sort]) -> str:
        match expr:
            case ir.Binary(BinaryOp.AND | BinaryOp.OR as op, left, right):
                tag = _COMPARED[op]
                return _sum(tag, [self._condition(left, known), self._condition(right, known)])
            case ir.Binary(op, left, right) if op in _COMPARED:
                sort = self._sort_of(left, known) or self._sort_of(right, known)
                if sort is None:
                    raise _no_form("a condition without variables")
                parts = [
                    self._group(left, right) or self._value(left, sort, known),
                    self._group(right, left) or self._value(right, sort, known),
                ]
                return _sum(_COMPARED[op], parts)
            case ir.Unary(UnaryOp.NOT, operand):
                return f"<not>{_sub(self._condition(operand, known))}</not>"
            case Const(value):
                return f'<booleanconstant value="{"true" if value else "false"}"/>'
            case _:
                raise _no_form("C's arithmetic in a condition")

    def _group(self, expr: Expr, other: Expr) -> str | None:
        match expr, other:
            case Const(value), ir.Element(table, (_,)):
                return f"<useroperator declaration={self._group_id(table, value)}/>"
            case _:
                return None

    def _sort_of(self, expr: Expr, known: dict[str, _Sort]) -> _Sort | None:
        match expr:
            case Var(name):
                return known.get(name)
            case ir.Binary(_, left, right):
                return self._sort_of(left, known) or self._sort_of(right, known)
            case ir.Element(_, (index,)):
                return self._sort_of(index, known)
            case _:
                return None


def _from_low(index: Expr, sort: _Sort) -> Expr:
    match index:
        case ir.Binary(BinaryOp.MINUS, colour, Const(low)) if low == sort.low:
            return colour
        case _:
            return index


def _quoted(text: str) -> str:
    return f'"{for_xml(text)}"'


def _sub(term: str) -> str:
    return f"<subterm>{term}</subterm>"


def _sum(tag: str, terms: Sequence[str]) -> str:
    if len(terms) == 1:
        return terms[0]
    return f"<{tag}>{''.join(map(_sub, terms))}</{tag}>" if terms else "<empty/>"


def _counted(count: int, parts: Sequence[str]) -> str:
    number = f'<numberconstant value="{count}"><positive/></numberconstant>'
    term = _sum("tuple", parts) if parts else "<dotconstant/>"
    return f"<numberof>{_sub(number)}{_sub(term)}</numberof>"


def _number(expr: Expr) -> int:
    if not isinstance(expr, Const):
        raise _no_form("a number of tokens that is not a constant")
    return expr.value


def _no_form(what: str) -> UsageError:
    return UsageError(
        f"the net cannot be written as PNML: {what} has no form in symmetric nets; "
        f"write it in PROD's language, with `--to prod`"
    )


class Ids:
    """The ids of one document."""

    def __init__(self, net: Net) -> None:
        self._known: dict[tuple[str, Hashable], str] = {}
        self._taken: set[str] = set()
        wanted: list[tuple[str, Hashable, str]] = [
            *(("place", each.name, each.name) for each in net.places),
            *(("transition", each.name, each.name) for each in net.transitions),
            ("net", "", net.label or net.name),
            *_arcs(net),
        ]
        # Good ones first, so that none of them has to make room for one that is made.
        for kind, key, name in wanted:
            if is_name(name) and name not in self._taken:
                self.of(kind, key, name)
        for kind, key, name in wanted:
            self.of(kind, key, name)

    def of(self, kind: str, key: Hashable, wanted: str = "") -> str:
        """The id of the *key* of its *kind*; the first time as near to *wanted* as can be."""
        if (kind, key) not in self._known:
            plain = as_name(wanted)
            found, number = plain, 2
            while found in self._taken:
                found, number = f"{plain}_{number}", number + 1
            self._known[kind, key] = found
            self._taken.add(found)
        return self._known[kind, key]


def is_name(text: str) -> bool:
    """Whether *text* can be an id.

    >>> is_name("p1"), is_name("1p"), is_name("my net"), is_name("xs:id")
    (True, False, False, False)
    """
    return _GOOD.fullmatch(text) is not None


def as_name(text: str) -> str:
    """*text* if it can be an id, or else something like it that can.

    >>> as_name("p1"), as_name("1p"), as_name("my net")
    ('p1', '_1p', 'my_net')
    """
    plain = _BAD.sub("_", text)
    return plain if is_name(plain) else f"_{plain}"


def _arcs(net: Net) -> Iterable[tuple[str, Hashable, str]]:
    for transition in net.transitions:
        for at, arc in enumerate(transition.inputs):
            name = arc.label or f"{arc.place}-to-{transition.name}"
            yield "arc", (transition.name, True, at), name
        for at, arc in enumerate(transition.outputs):
            name = arc.label or f"{transition.name}-to-{arc.place}"
            yield "arc", (transition.name, False, at), name
