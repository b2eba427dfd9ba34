"""The lines that a program's click regions suggest: those between them and those around."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

from zermelo.core.values import Value
from zermelo.languages.led.mean.repairs.regions import Box
from zermelo.languages.led.run.easel import Point, Segment

Corner: TypeAlias = tuple[int, int]

MOST: Final = 40
"""How many lines a picture may have to be completed."""


@dataclass(frozen=True, slots=True, order=True)
class Line:
    """A line between two places; *start* is its lower or left end."""

    start: Corner
    end: Corner

    @property
    def is_level(self) -> bool:
        """Whether it runs from left to right."""
        return self.start[1] == self.end[1]


@dataclass(frozen=True, slots=True)
class Grid:
    """Click regions that fill a rectangle, without a gap and in rows."""

    name: str
    xs: tuple[int, ...]
    ys: tuple[int, ...]

    @property
    def inner(self) -> tuple[Line, ...]:
        """The lines between regions: level ones from the top, then upright ones."""
        return (
            *(self._level(y) for y in reversed(self.ys[1:-1])),
            *(self._upright(x) for x in self.xs[1:-1]),
        )

    @property
    def outer(self) -> tuple[Line, ...]:
        """The lines around all regions, in the same order."""
        return (
            *(self._level(y) for y in (self.ys[-1], self.ys[0])),
            *(self._upright(x) for x in (self.xs[0], self.xs[-1])),
        )

    @property
    def middle(self) -> tuple[int, int]:
        """The place in the middle of the rectangle."""
        return (self.xs[0] + self.xs[-1]) // 2, (self.ys[0] + self.ys[-1]) // 2

    def _level(self, y: int) -> Line:
        return Line((self.xs[0], y), (self.xs[-1], y))

    def _upright(self, x: int) -> Line:
        return Line((x, self.ys[0]), (x, self.ys[-1]))

    def family(self, kept: Sequence[Line], count: int) -> tuple[Line, ...]:
        """The lines that *kept* belong to, if they are *count* lines; else none."""
        for lines in (self.inner, (*self.outer, *self.inner), self.outer):
            if len(lines) == count and set(kept) <= set(lines):
                return lines
        return ()


def grids(boxes: Sequence[Box]) -> tuple[Grid, ...]:
    """The grids that the regions of each name form."""
    names = dict.fromkeys(box.name for box in boxes)
    found = (_grid(name, [box for box in boxes if box.name == name]) for name in names)
    return tuple(each for each in found if each is not None)


def _grid(name: str, boxes: Sequence[Box]) -> Grid | None:
    sides: list[tuple[int, int, int, int]] = []
    for box in boxes:
        left, right, bottom, top = box.left, box.right, box.bottom, box.top
        if not (
            isinstance(left, int)
            and isinstance(right, int)
            and isinstance(bottom, int)
            and isinstance(top, int)
        ):
            return None
        sides.append((left, right, bottom, top))
    xs = tuple(sorted({x for each in sides for x in each[:2]}))
    ys = tuple(sorted({y for each in sides for y in each[2:]}))
    if len(xs) < 2 or len(ys) < 2:
        return None
    full = {
        (left, right, bottom, top) for left, right in pairwise(xs) for bottom, top in pairwise(ys)
    }
    return Grid(name, xs, ys) if full == set(sides) else None


def line_of(value: Value) -> Line | None:
    """The line that an image is."""
    if not isinstance(value, Segment):
        return None
    ends = [corner(value.start), corner(value.end)]
    if ends[0] is None or ends[1] is None or ends[0] == ends[1]:
        return None
    start, end = sorted(each for each in ends if each is not None)
    return Line(start, end)


def corner(value: Value) -> Corner | None:
    """The place of a point."""
    if isinstance(value, Point) and isinstance(value.x, int) and isinstance(value.y, int):
        return (value.x, value.y)
    return None
