"""Where a program wants clicks, and the lines that these regions suggest.

A click region is a condition that bounds both coordinates of the mouse; lines run between
regions that form a grid, and around them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

from zermelo.core.values import Value
from zermelo.languages.led.mean.repairs.rewriting import operands
from zermelo.languages.led.read import tree
from zermelo.languages.led.read.tree import Definition, Expr, LiterateProgram, Sign
from zermelo.languages.led.run.built_ins import Point, Segment

WIDTH: Final = 1000
HEIGHT: Final = 800

_BELOW: Final = frozenset({Sign.LT, Sign.LE})
_ABOVE: Final = frozenset({Sign.GT, Sign.GE})


@dataclass(frozen=True, slots=True)
class ClickRegion:
    """A definition that holds when the mouse is within bounds: left, right, bottom, top."""

    definition: Definition
    bounds: tuple[Expr, Expr, Expr, Expr]


@dataclass(frozen=True, slots=True)
class RegionBox:
    """A region at some arguments, with its bounds."""

    name: str
    arguments: tuple[Value, ...]
    bounds: tuple[Value, ...]
    """Left, right, bottom, top."""


def regions(document: LiterateProgram) -> Iterator[ClickRegion]:
    for definition in document.definitions:
        if len(definition.branches) == 1 and definition.where is None:
            found = _bounds(definition.branches[0].value)
            if found is not None:
                yield ClickRegion(definition, found)


def _bounds(condition: Expr) -> tuple[Expr, Expr, Expr, Expr] | None:
    found: dict[tuple[str, bool], Expr] = {}
    for part in operands(condition, Sign.AND):
        if not isinstance(part, tree.BinaryExpr) or part.sign not in _BELOW | _ABOVE:
            continue
        is_below = part.sign in _BELOW
        for own, other, below in (
            (part.left, part.right, is_below),
            (part.right, part.left, not is_below),
        ):
            if isinstance(own, tree.Identifier) and own.name in {"mouseX", "mouseY"}:
                found.setdefault((own.name, below), other)
    wanted = (("mouseX", False), ("mouseX", True), ("mouseY", False), ("mouseY", True))
    if any(key not in found for key in wanted):
        return None
    left, right, bottom, top = (found[key] for key in wanted)
    return left, right, bottom, top


Corner: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True, order=True)
class GridLine:
    """A line between two places; *start* is its lower or left end."""

    start: Corner
    end: Corner

    @property
    def is_level(self) -> bool:
        return self.start[1] == self.end[1]


@dataclass(frozen=True, slots=True)
class RegionGrid:
    """Click regions that fill a rectangle, without a gap and in rows."""

    name: str
    xs: tuple[int, ...]
    ys: tuple[int, ...]

    @property
    def inner(self) -> tuple[GridLine, ...]:
        """The lines between regions: level ones from the top, then upright ones."""
        return (
            *(self._level(y) for y in reversed(self.ys[1:-1])),
            *(self._upright(x) for x in self.xs[1:-1]),
        )

    @property
    def outer(self) -> tuple[GridLine, ...]:
        """The lines around all regions, in the same order."""
        return (
            *(self._level(y) for y in (self.ys[-1], self.ys[0])),
            *(self._upright(x) for x in (self.xs[0], self.xs[-1])),
        )

    @property
    def middle(self) -> tuple[int, int]:
        return (self.xs[0] + self.xs[-1]) // 2, (self.ys[0] + self.ys[-1]) // 2

    def _level(self, y: int) -> GridLine:
        return GridLine((self.xs[0], y), (self.xs[-1], y))

    def _upright(self, x: int) -> GridLine:
        return GridLine((x, self.ys[0]), (x, self.ys[-1]))

    def family(self, kept: Sequence[GridLine], count: int) -> tuple[GridLine, ...]:
        """The lines that *kept* belong to, if they are *count* lines; else none."""
        for lines in (self.inner, (*self.outer, *self.inner), self.outer):
            if len(lines) == count and set(kept) <= set(lines):
                return lines
        return ()


def grids(boxes: Sequence[RegionBox]) -> tuple[RegionGrid, ...]:
    names = dict.fromkeys(box.name for box in boxes)
    found = (_grid(name, [box for box in boxes if box.name == name]) for name in names)
    return tuple(filter(None, found))


def _grid(name: str, boxes: Sequence[RegionBox]) -> RegionGrid | None:
    sides = [tuple(each for each in box.bounds if isinstance(each, int)) for box in boxes]
    if any(len(each) < 4 for each in sides):
        return None
    xs = tuple(sorted({x for each in sides for x in each[:2]}))
    ys = tuple(sorted({y for each in sides for y in each[2:]}))
    if len(xs) < 2 or len(ys) < 2:
        return None
    full = {
        (left, right, bottom, top) for left, right in pairwise(xs) for bottom, top in pairwise(ys)
    }
    return RegionGrid(name, xs, ys) if full == set(sides) else None


def line_of(value: Value) -> GridLine | None:
    if not isinstance(value, Segment):
        return None
    start, end = corner(value.start), corner(value.end)
    if start is None or end is None or start == end:
        return None
    return GridLine(min(start, end), max(start, end))


def corner(value: Value) -> Corner | None:
    if isinstance(value, Point) and isinstance(value.x, int) and isinstance(value.y, int):
        return (value.x, value.y)
    return None
