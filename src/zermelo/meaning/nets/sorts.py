"""The sorts of a symmetric net: finite sets of colours, as whole numbers with names.

A colour of a product sort is several numbers, one for each factor; the one colour of
dots is none. What a declaration refers to may stand before it or after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from zermelo.meaning.nets.wrong import Wrong, missing, not_there, not_understood
from zermelo.syntax.pnml.xml import Element
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label


@dataclass(frozen=True, slots=True)
class Base:
    """A sort whose colours are the numbers from *low* to *high*."""

    low: int
    high: int
    names: tuple[str, ...] | None = field(default=None, compare=False)
    """What the document calls them, in order; ``None`` where they are numbers there too."""
    name: str = field(default="", compare=False)

    @property
    def size(self) -> int:
        """How many colours there are."""
        return self.high - self.low + 1


Sort: TypeAlias = tuple[Base, ...]
"""The factors of a sort, products within products taken apart; none for dots."""

DOT: Sort = ()
TRUTH = Base(0, 1, ("false", "true"), "bool")


@dataclass(frozen=True, slots=True)
class Constant:
    """A colour with a name."""

    base: Base
    value: int


@dataclass(frozen=True, slots=True)
class Partition:
    """A sort whose colours are put into groups: the number of the group of each."""

    name: str
    base: Base
    groups: tuple[int, ...]


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
        self._operators: dict[str, Element] = {}
        self._constants: dict[str, tuple[Element, int]] = {}
        self._group_names: dict[str, tuple[str, int]] = {}
        self._known: dict[str, Sort] = {}
        for element in elements:
            self._take(element)

    def _take(self, element: Element) -> None:
        name = element.get("id")
        match element.tag:
            case "namedsort":
                self._note(self._sorts, name, element)
                self._take_constants(element)
            case "partition":
                self._note(self._partitions, name, element)
                for at, group in enumerate(element.all("partitionelement")):
                    self._group_names[group.get("id")] = (name, at)
            case "variabledecl":
                self._note(self._variables, name, element)
            case "namedoperator":
                self._note(self._operators, name, element)
            case "arbitrarysort" | "unparsed":
                raise not_understood(element, "sorts without a list of their colours")
            case "toolspecific" | "name" | "graphics" | "text":
                return
            case _:
                raise not_understood(element, "such declarations")

    def _take_constants(self, element: Element) -> None:
        for kind in element.all("cyclicenumeration", "finiteenumeration"):
            for at, constant in enumerate(kind.all("feconstant")):
                name = constant.get("id")
                if name in self._constants:
                    raise _twice(constant, name)
                self._constants[name] = (element, at)

    def _note(self, known: dict[str, Element], name: str, element: Element) -> None:
        if not name:
            raise missing(element, "id")
        if name in known:
            raise _twice(element, name)
        known[name] = element

    # Sorts

    def sort(self, element: Element) -> Sort:
        """The sort that *element* is or names."""
        return self._sort(element, ())

    def _sort(self, element: Element, inside: tuple[str, ...]) -> Sort:
        match element.tag:
            case "usersort" | "partitionsort":
                return self._named(element, inside)
            case "dot":
                return DOT
            case "bool":
                return (TRUTH,)
            case "productsort":
                return tuple(b for child in element.children for b in self._sort(child, inside))
            case "multisetsort":
                return self._sort(_only(element), inside)
            case "finiteintrange":
                low, high = whole(element, "start"), whole(element, "end")
                return (Base(low, high),)
            case "cyclicenumeration" | "finiteenumeration":
                names = tuple(each.get("name") or each.get("id") for each in element.children)
                if not names:
                    raise missing(element, "colours")
                return (Base(0, len(names) - 1, names),)
            case _:
                raise not_understood(element, "such sorts")

    def _named(self, element: Element, inside: tuple[str, ...]) -> Sort:
        name = element.get("declaration")
        if name in self._known:
            return self._known[name]
        if name in self._partitions:
            return (self.partition(name, element).base,)
        if name not in self._sorts:
            raise not_there(element, name, "sort", self._sorts)
        if name in inside:
            raise Wrong(
                Diagnostic(
                    codes.PNML_SORTS,
                    f"the sort `{name}` is defined by itself",
                    primary=Label(self._sorts[name].span),
                )
            )
        declared = self._sorts[name]
        found = self._sort(_only(declared), (*inside, name))
        called = declared.get("name") or name
        if len(found) == 1 and not found[0].name:
            found = (Base(found[0].low, found[0].high, found[0].names, called),)
        self._known[name] = found
        return found

    # What else is declared

    def constant(self, name: str) -> Constant | None:
        """The colour called *name*, if there is one."""
        if name not in self._constants:
            return None
        element, at = self._constants[name]
        kind = next(element.all("cyclicenumeration", "finiteenumeration"))
        (base,) = self.sort(kind)
        return Constant(base, base.low + at)

    def operator(self, name: str) -> Element | None:
        """The definition of the operator called *name*."""
        return self._operators.get(name)

    def variable(self, element: Element) -> Named:
        """The variable that *element* refers to."""
        name = element.get("refvariable")
        if name not in self._variables:
            raise not_there(element, name, "variable", self._variables)
        declared = self._variables[name]
        return Named(self._called(name), self.sort(_only(declared)), declared)

    def _called(self, variable: str) -> str:
        """The name of a variable, or its id where another one has the same name."""
        name = self._variables[variable].get("name")
        is_alone = sum(each.get("name") == name for each in self._variables.values()) == 1
        return name if name and is_alone else variable

    def group(self, name: str) -> tuple[Partition, int] | None:
        """The partition and the number of its group called *name*, if there is one."""
        if name not in self._group_names:
            return None
        partition, at = self._group_names[name]
        return self.partition(partition, self._partitions[partition]), at

    def partition(self, name: str, asked: Element) -> Partition:
        """The partition called *name*."""
        element = self._partitions.get(name)
        if element is None:
            raise not_there(asked, name, "partition", self._partitions)
        sort = next(element.all("usersort"), None)
        base = self.sort(sort)[0] if sort is not None else Base(0, -1)
        groups = [-1] * base.size
        for at, group in enumerate(element.all("partitionelement")):
            for each in group.all("useroperator"):
                constant = self.constant(each.get("declaration"))
                if constant is None:
                    raise not_there(each, each.get("declaration"), "colour", self._constants)
                if constant.base != base:
                    raise not_understood(each, "groups of colours of another sort")
                groups[constant.value - base.low] = at
        if -1 in groups:
            raise missing(element, f"the group of {len([g for g in groups if g < 0])} colours")
        return Partition(name, base, tuple(groups))

    @property
    def constants(self) -> dict[str, tuple[Element, int]]:
        """All colours with names, by id."""
        return self._constants


def whole(element: Element, attribute: str) -> int:
    """The whole number that *attribute* of *element* is."""
    text = element.get(attribute)
    try:
        return int(text)
    except ValueError:
        raise missing(element, f"a whole number as `{attribute}`") from None


def _only(element: Element) -> Element:
    known = [child for child in element.children if child.tag not in {"name", "graphics", "text"}]
    if not known:
        raise missing(element, "a sort")
    return known[0]


def _twice(element: Element, name: str) -> Wrong:
    return Wrong(
        Diagnostic(
            codes.PNML_DECLARED_TWICE,
            f"`{name}` is declared twice",
            primary=Label(element.span, "for the second time here"),
        )
    )
