"""Where things lie on a page, for tests of drawings."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.draw.page import Area, Point


def overlap(one: Area, other: Area) -> bool:
    """Whether they have more than a border in common.

    >>> overlap(Area(0, 0, 2, 2), Area(1, 1, 3, 3)), overlap(Area(0, 0, 2, 2), Area(2, 0, 3, 2))
    (True, False)
    """
    return (
        one.left < other.right
        and other.left < one.right
        and one.top < other.bottom
        and other.top < one.bottom
    )


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
