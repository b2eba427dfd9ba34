"""The sorts of a symmetric net: finite sets of colours, as whole numbers with names.

A colour of a product sort is several numbers, one for each factor; the one colour of
dots is none. What a declaration refers to may stand before it or after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, NoReturn, TypeAlias, TypeVar

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

T = TypeVar("T")
MOST_FACTORS: Final = 1_000
MOST_NUMBER: Final = 2**62
_SORTS: Final = ("usersort", "finiteintrange", "cyclicenumeration", "finiteenumeration", "bool")
MOST_GROUPED: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Base:
    """A sort whose colours are the numbers from *low* to *high*."""

    low: int
    high: int
    names: tuple[str, ...] | None = field(default=None, compare=False)
    """What the document calls them, in order; ``None`` where they are numbers there too."""
    name: str = field(default="", compare=False)
    kind: str = ""
    """What tells it from other sorts of as many colours: two ranges may be one sort."""

    @property
    def size(self) -> int:
        return self.high - self.low + 1

    def __str__(self) -> str:
        if self.name or self.names is None:
            return self.name or f"{self.low}..{self.high}"
        return f"{', '.join(self.names[:3])}{', …' if len(self.names) > 3 else ''}"

    def agrees(self, other: Base) -> bool:
        """Whether both are one sort; a number without a range is of each range it lies in."""
        return (
            self == other
            or (self.kind == NUMBER and other._holds(self))
            or (other.kind == NUMBER and self._holds(other))
        )

    def _holds(self, number: Base) -> bool:
        return self.kind == NUMBER or (
            not self.kind and self.low <= number.low and number.high <= self.high
        )


Sort: TypeAlias = tuple[Base, ...]
"""The factors of a sort, products within products taken apart; none for dots."""

NUMBER: Final = "number"
"""The kind of a number that stands alone, without the range that it is from."""
DOT: Sort = ()
TRUTH = Base(0, 1, ("false", "true"), "bool", "bool")


def agree(first: Sort, second: Sort) -> bool:
    return len(first) == len(second) and all(
        a.agrees(b) for a, b in zip(first, second, strict=True)
    )


def sort_text(sort: Sort) -> str:
    """What a sort is called.

    >>> sort_text((Base(0, 1, ("a", "b"), "light"), Base(0, 9)))
    'light × 0..9'
    """
    return " × ".join(map(str, sort)) or "dot"


@dataclass(frozen=True, slots=True)
class Partition:
    """A sort whose colours are put into groups: the number of the group of each."""

    name: str
    called: str
    base: Base
    groups: tuple[int, ...]
    sort: Base


@dataclass(frozen=True, slots=True)
class Named:
    """A variable of the declarations."""

    name: str
    sort: Sort
    element: Element


class Declarations:
    """What the declarations of a net say, looked up by id."""

    def __init__(self, elements: Iterator[Element]) -> None:
        self._sorts: dict[str, Element] = {}
        self._partitions: dict[str, Element] = {}
        self._variables: dict[str, Element] = {}
        self.operators: dict[str, Element] = {}
        self._constants: dict[str, tuple[Element, Element, int]] = {}
        self._group_names: dict[str, tuple[str, int]] = {}
        self._known: dict[str, Sort] = {}
        self._bases: dict[int, Base] = {}
        self._grouped: dict[str, Partition] = {}
        by_tag = {
            "namedsort": self._sorts,
            "partition": self._partitions,
            "variabledecl": self._variables,
            "namedoperator": self.operators,
        }
        for element in elements:
            if element.tag in by_tag:
                if not element.get("id"):
                    raise missing(element, "id")
                _note(by_tag[element.tag], element, element)
                self._note_colours(element)
            elif element.tag in {"arbitrarysort", "unparsed"}:
                raise not_understood(element, "sorts without a list of their colours")
            elif element.tag not in {"toolspecific", "name", "graphics", "text"}:
                raise not_understood(element, "such declarations")

    def _note_colours(self, element: Element) -> None:
        if element.tag == "namedsort":
            for kind in element.all("cyclicenumeration", "finiteenumeration"):
                for at, constant in enumerate(kind.all("feconstant")):
                    _note(self._constants, constant, (element, kind, at))
        elif element.tag == "partition":
            for at, group in enumerate(element.all("partitionelement")):
                _note(self._group_names, group, (element.get("id"), at))

    def sort(self, element: Element, inside: tuple[str, ...] = ()) -> Sort:
        """The sort that *element* says, *inside* those with these names."""
        if len(inside) > MOST_NESTED:
            raise too_deep(element)
        match element.tag:
            case "usersort" | "partitionsort":
                return self._named(element, inside)
            case "dot":
                return DOT
            case "bool":
                return (TRUTH,)
            case "productsort":
                return self._product(element, inside)
            case "multisetsort":
                return self.sort(_only(element), (*inside, ""))
            case "finiteintrange":
                return (_range(element),)
            case "cyclicenumeration" | "finiteenumeration":
                return (_enumeration(element),)
            case _:
                raise not_understood(element, "such sorts")

    def _product(self, element: Element, inside: tuple[str, ...]) -> Sort:
        found: list[Base] = []
        for child in element.children:
            found += self.sort(child, (*inside, ""))
            if len(found) > MOST_FACTORS:
                raise not_understood(element, f"products of more than {MOST_FACTORS:,} sorts")
        return tuple(found)

    def _named(self, element: Element, inside: tuple[str, ...]) -> Sort:
        name = element.get("declaration")
        if name in self._known:
            return self._known[name]
        if name in self._partitions:
            return (_group_sort(self._partitions[name]),)
        if name not in self._sorts:
            raise not_there(element, name, "sort", self._sorts)
        if name in inside:
            message = f"the sort `{name}` is defined by itself"
            raise PnmlFault(codes.PNML_SORTS, message, self._sorts[name].span)
        declared = self._sorts[name]
        found = self.sort(_only(declared), (*inside, name))
        if len(found) == 1 and not found[0].name:
            found = (replace(found[0], name=declared.get("name") or name),)
        self._known[name] = found
        return found

    def constant(self, name: str) -> tuple[int, Base] | None:
        if name not in self._constants:
            return None
        element, kind, at = self._constants[name]
        base = self._bases.get(kind.span.start)
        if base is None:
            base = replace(_enumeration(kind), name=element.get("name") or element.get("id"))
            self._bases[kind.span.start] = base
        return base.low + at, base

    def variable(self, element: Element) -> Named:
        name = element.get("refvariable")
        if name not in self._variables:
            raise not_there(element, name, "variable", self._variables)
        declared = self._variables[name]
        called = declared.get("name")
        # Of two variables with one name those who read it take the ids.
        is_alone = self._variable_names[called] == 1
        return Named(called if called and is_alone else name, self.sort(_only(declared)), declared)

    @cached_property
    def _variable_names(self) -> Counter[str | None]:
        return Counter(each.get("name") for each in self._variables.values())

    def variables(self) -> Iterator[Named]:
        for name, declared in self._variables.items():
            yield self.variable(
                Element("variable", {"refvariable": name}, start=declared.start, end=declared.end)
            )

    def group(self, name: str) -> tuple[int, Base] | None:
        """The number of the group called *name*, and the sort of the groups beside it."""
        if name not in self._group_names:
            return None
        partition, at = self._group_names[name]
        return at, self.partition(partition, self._partitions[partition]).sort

    def partition(self, name: str, asked: Element) -> Partition:
        element = self._partitions.get(name)
        if element is None:
            raise not_there(asked, name, "partition", self._partitions)
        if name not in self._grouped:
            self._grouped[name] = self._made_partition(name, element)
        return self._grouped[name]

    def _made_partition(self, name: str, element: Element) -> Partition:
        base, sort = self._grouped_sort(element), _group_sort(element)
        groups = [-1] * base.size
        for at, group in enumerate(element.all("partitionelement")):
            for each in group.all("useroperator", "finiteintrangeconstant"):
                place = self._member(each, base) - base.low
                if groups[place] >= 0:
                    colour = each.get("declaration") or each.get("value")
                    what = f"`{colour}` is put into a group of `{element.get('id')}` twice"
                    raise _twice(each, what)
                groups[place] = at
        if -1 in groups:
            raise missing(element, f"the group of {groups.count(-1)} colours")
        return Partition(name, sort.name, base, tuple(groups), sort)

    def _grouped_sort(self, partition: Element) -> Base:
        kind = next(partition.all(*_SORTS), None)
        if kind is None:
            raise missing(partition, "a sort")
        sort = self.sort(kind)
        if len(sort) != 1 or sort[0].size > MOST_GROUPED:
            raise not_understood(kind, f"groups of tuples and of over {MOST_GROUPED:,} colours")
        return sort[0]

    def _member(self, element: Element, base: Base) -> int:
        if element.tag == "finiteintrangeconstant":
            colour = in_range(element)
        else:
            colour = self.constant(element.get("declaration")) or self.no_colour(element)
        value, found = colour
        if not base.agrees(found):
            message = f"a colour of sort `{found}` is put into a group of those of sort `{base}`"
            raise PnmlFault(codes.PNML_SORTS, message, element.span)
        return value

    def no_colour(self, element: Element) -> NoReturn:
        raise not_there(element, element.get("declaration"), "colour", self._constants)


def _note(known: dict[str, T], element: Element, value: T) -> None:
    name = element.get("id")
    if name in known:
        raise _twice(element, f"`{name}` is declared twice")
    known[name] = value


def in_range(element: Element) -> tuple[int, Base]:
    value, kind = whole(element, "value"), element.find("finiteintrange")
    base = Base(value, value, name="number", kind=NUMBER) if kind is None else _range(kind)
    if not base.low <= value <= base.high:
        raise not_understood(element, "numbers outside their range")
    return value, base


def _range(element: Element) -> Base:
    low, high = whole(element, "start"), whole(element, "end")
    if max(abs(low), abs(high)) > MOST_NUMBER:
        raise not_understood(element, "numbers so large")
    if high < low:
        raise PnmlFault(
            codes.PNML_MISSING,
            f"the range from {low} to {high} holds no number",
            element.span,
            help_="let it end with a number that is not below the first one",
        )
    return Base(low, high)


def _enumeration(element: Element) -> Base:
    colours = list(element.all("feconstant"))
    if not colours:
        raise missing(element, "colours")
    names = tuple(each.get("name") or each.get("id") for each in colours)
    kind = " ".join(["enumeration", *(each.get("id") for each in colours)])
    return Base(0, len(names) - 1, names, kind=kind)


def _group_sort(partition: Element) -> Base:
    groups = list(partition.all("partitionelement"))
    if not groups:
        raise missing(partition, "groups")
    names = tuple(each.get("name") or each.get("id") for each in groups)
    called = partition.get("name") or partition.get("id")
    return Base(0, len(names) - 1, names, called, f"partition {partition.get('id')}")


def whole(element: Element, attribute: str) -> int:
    try:
        return int(element.get(attribute))
    except ValueError:
        raise missing(element, f"a whole number as `{attribute}`") from None


def _only(element: Element) -> Element:
    known = [child for child in element.children if child.tag not in {"name", "graphics", "text"}]
    if not known:
        raise missing(element, "a sort")
    return known[0]


def _twice(element: Element, message: str) -> PnmlFault:
    return PnmlFault(codes.PNML_DECLARED_TWICE, message, element.span, "for the second time here")
