"""Rectangles and curves on a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

Point: TypeAlias = tuple[float, float]

NEAR: Final = 3.0
"""A curve has no bend this near to its ends: its head could not be told to look there."""


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle on the page."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, middle: Point, width: float, height: float) -> Area:
        """The rectangle of this size with this *middle*.

        >>> Area.around((2, 3), 4, 2)
        Area(left=0.0, top=2.0, right=4.0, bottom=4.0)
        """
        x, y = middle
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    def overlaps(self, other: Area) -> bool:
        """Whether they have more than a border in common.

        >>> Area(0, 0, 2, 2).overlaps(Area(1, 1, 3, 3))
        True
        >>> Area(0, 0, 2, 2).overlaps(Area(2, 0, 3, 2))
        False
        """
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


@dataclass(frozen=True, slots=True)
class Band:
    """A row on the page."""

    top: float
    bottom: float

    @property
    def middle(self) -> float:
        """How far down its middle is."""
        return (self.top + self.bottom) / 2

    def edges(self, *, is_down: bool) -> tuple[float, float]:
        """Its edges in the order in which something comes to them that leads down, or up."""
        return (self.top, self.bottom) if is_down else (self.bottom, self.top)


def upright(points: Sequence[Point]) -> tuple[Point, ...]:
    """Bézier curves through *points*, upright at each: the ends, and two controls for each piece.

    >>> upright([(0, 0), (4, 8)])
    ((0, 0), (0, 4.0), (4, 4.0), (4, 8))
    """
    found = [points[0]]
    for (x0, y0), (x1, y1) in pairwise(points):
        middle = (y0 + y1) / 2
        found += [(x0, middle), (x1, middle), (x1, y1)]
    return tuple(found)


def between(start: Point, inner: Sequence[Point], end: Point) -> tuple[Point, ...]:
    """The points of a way, without those so near to its ends that it would have to turn there.

    >>> between((0, 0), [(0, 1), (5, 9)], (5, 20))
    ((0, 0), (5, 9), (5, 20))
    """
    kept = [each for each in inner if _is_apart(each, start) and _is_apart(each, end)]
    return (start, *kept, end)


def _is_apart(one: Point, other: Point) -> bool:
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) > NEAR


def along(curve: Sequence[Point], part: float) -> Point:
    """The point at *part* of the way of Bézier curves that follow each other.

    >>> along([(0, 0), (0, 4), (8, 4), (8, 8)], 0.5)
    (4.0, 4.0)
    """
    pieces = (len(curve) - 1) // 3
    piece = min(int(part * pieces), pieces - 1)
    done = part * pieces - piece
    rest = 1 - done
    weights = (rest**3, 3 * rest**2 * done, 3 * rest * done**2, done**3)
    points = curve[3 * piece : 3 * piece + 4]
    return (
        sum(weight * x for weight, (x, _) in zip(weights, points, strict=True)),
        sum(weight * y for weight, (_, y) in zip(weights, points, strict=True)),
    )
