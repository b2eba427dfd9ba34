"""What a program draws of a state as a picture among others, for prompts and notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import assert_never

from zermelo.core.picture import Area, Canvas, CanvasShape, Caption, Round, Stroke
from zermelo.core.stage import HEIGHT, WIDTH
from zermelo.languages.led.easel.shapes import (
    Circle,
    Disc,
    Graphic,
    Rgb,
    Segment,
    Shape,
    Spot,
    TextShape,
    Triangle,
)


def canvas(shapes: Iterable[Shape], *, before: Iterable[Shape] | None) -> Canvas | None:
    """The window with *shapes*; ``None`` where nothing is drawn.

    Texts where there was none *before* are marked as those of the last move.
    """
    seen = None if before is None else {s.center for s in before if isinstance(s, TextShape)}
    drawn = tuple(each for shape in shapes for each in _drawn(shape, seen))
    return Canvas(WIDTH, HEIGHT, drawn) if drawn else None


def _drawn(shape: Shape, seen: Set[Spot] | None) -> Iterator[CanvasShape]:
    match shape:
        case Segment(start, end, color):
            yield Stroke(_spot(start), _spot(end), _color(color))
        case Circle(center, radius, color) | Disc(center, radius, color):
            is_filled = isinstance(shape, Disc)
            yield Round(_spot(center), float(radius), _color(color), is_filled)
        case Triangle(corners, color):
            yield Area(tuple(map(_spot, corners)), _color(color))
        case TextShape(_, center, height, color):
            x, y = _spot(center)
            is_last = seen is not None and center not in seen
            for line, below in shape.lines:
                yield Caption(line, (x, y - below), float(height), _color(color), is_last)
        case Graphic(file, center, width, height):
            yield from _box(_spot(center), float(width) / 2, float(height) / 2)
            yield Caption(file, _spot(center), 12.0, "#808080")
        case _:
            assert_never(shape)


def _box(center: tuple[float, float], wide: float, high: float) -> Iterator[Stroke]:
    """The outline of a picture, of which only the name is shown."""
    x, y = center
    corners = (
        (x - wide, y - high),
        (x + wide, y - high),
        (x + wide, y + high),
        (x - wide, y + high),
    )
    for at, corner in enumerate(corners):
        yield Stroke(corners[at - 1], corner, "#808080")


def _spot(spot: Spot) -> tuple[float, float]:
    return float(spot[0]), float(spot[1])


def _color(color: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color)
