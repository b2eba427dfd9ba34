"""Where a program wants clicks: conditions that bound both coordinates of the mouse."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from zermelo.core.values import Value
from zermelo.languages.led.mean.repairs.rebuild import operands
from zermelo.languages.led.read import tree
from zermelo.languages.led.read.tree import Definition, Document, Expr, Sign

WIDTH: Final = 1000
HEIGHT: Final = 800

_BELOW: Final = frozenset({Sign.LT, Sign.LE})
_ABOVE: Final = frozenset({Sign.GT, Sign.GE})


@dataclass(frozen=True, slots=True)
class Region:
    """A definition that holds when the mouse is within bounds: left, right, bottom, top."""

    definition: Definition
    bounds: tuple[Expr, Expr, Expr, Expr]


@dataclass(frozen=True, slots=True)
class Box:
    """A region at some arguments, with its bounds."""

    name: str
    arguments: tuple[Value, ...]
    left: Value
    right: Value
    bottom: Value
    top: Value


def regions(document: Document) -> Iterator[Region]:
    """The regions of a program."""
    for definition in document.definitions:
        if len(definition.branches) == 1 and definition.where is None:
            found = _bounds(definition.branches[0].value)
            if found is not None:
                yield Region(definition, found)


def _bounds(condition: Expr) -> tuple[Expr, Expr, Expr, Expr] | None:
    found: dict[tuple[str, bool], Expr] = {}
    for part in operands(condition, Sign.AND):
        if not isinstance(part, tree.Binary) or part.sign not in _BELOW | _ABOVE:
            continue
        is_below = part.sign in _BELOW
        for own, other, below in (
            (part.left, part.right, is_below),
            (part.right, part.left, not is_below),
        ):
            if isinstance(own, tree.Name) and own.name in {"mouseX", "mouseY"}:
                found.setdefault((own.name, below), other)
    wanted = (("mouseX", False), ("mouseX", True), ("mouseY", False), ("mouseY", True))
    if any(key not in found for key in wanted):
        return None
    left, right, bottom, top = (found[key] for key in wanted)
    return left, right, bottom, top
