"""What is drawn in a window: shapes whose numbers are known to make sense.

The window is 1000 wide and 800 high. Its origin is the lower left corner and y grows
upwards. The point (x, y) is the middle of the pixel in column x and in row 800 - y from
the top, which is the point that a click on that pixel gives.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

from zermelo.core.values import Number
from zermelo.languages.led.run.pretty import pp
from zermelo.text.diagnostic import Json
from zermelo.text.source import visible

LINE_HEIGHT: Final = 1.2
"""From one line of a text to the next, in heights of the text."""
BASELINE: Final = 0.35
"""How far below the middle of a line its letters stand, in heights of the text."""
ADVANCE: Final = 0.6
"""How wide a letter is, in heights of the text."""

Spot: TypeAlias = tuple[Number, Number]
Rgb: TypeAlias = tuple[int, int, int]
"""Red, green and blue, each from 0 to 255."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A line one pixel wide."""

    start: Spot
    end: Spot
    color: Rgb


@dataclass(frozen=True, slots=True)
class Circle:
    """An outline one pixel wide."""

    center: Spot
    radius: Number
    color: Rgb


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle that is filled."""

    center: Spot
    radius: Number
    color: Rgb


@dataclass(frozen=True, slots=True)
class Triangle:
    """A triangle that is filled."""

    corners: tuple[Spot, Spot, Spot]
    color: Rgb


@dataclass(frozen=True, slots=True)
class TextShape:
    """A text in letters of one width, centred on a point both ways."""

    text: str
    center: Spot
    height: Number
    color: Rgb

    @property
    def shown(self) -> str:
        """The text as it is seen: what would be hidden, or turn the others, is written out."""
        return visible(self.text)

    @property
    def lines(self) -> tuple[tuple[str, float], ...]:
        """Its lines, each with how far its middle is below the middle of the whole."""
        lines = self.shown.splitlines() or [""]
        step = LINE_HEIGHT * float(self.height)
        return tuple((line, step * (at - (len(lines) - 1) / 2)) for at, line in enumerate(lines))


@dataclass(frozen=True, slots=True)
class Graphic:
    """A picture from a file, centred on a point; its size is known."""

    file: str
    center: Spot
    width: Number
    height: Number


Shape: TypeAlias = Segment | Circle | Disc | Triangle | TextShape | Graphic


def as_json(shape: Shape) -> dict[str, Json]:
    """*shape* for a page that draws it; points are pairs [x, y] with y upwards.

    >>> as_json(Disc((10, 20), 5, (255, 0, 0)))
    {'kind': 'disc', 'center': [10, 20], 'radius': 5, 'color': [255, 0, 0]}
    """
    match shape:
        case Segment(start, end, color):
            return {"kind": "segment", "points": [_spot(start), _spot(end)], "color": [*color]}
        case Circle(center, radius, color) | Disc(center, radius, color):
            return {
                "kind": "circle" if isinstance(shape, Circle) else "disc",
                "center": _spot(center),
                "radius": _number(radius),
                "color": [*color],
            }
        case Triangle(corners, color):
            return {"kind": "fTri", "points": [*map(_spot, corners)], "color": [*color]}
        case TextShape(_, center, height, color):
            return {
                "kind": "text",
                "text": shape.shown,
                "center": _spot(center),
                "height": _number(height),
                "color": [*color],
            }
        case Graphic(file, center, width, height):
            return {
                "kind": "graphic",
                "file": file,
                "center": _spot(center),
                "width": _number(width),
                "height": _number(height),
            }
        case _:
            assert_never(shape)


def to_text(shape: Shape) -> str:
    """*shape* as a program makes it.

    >>> to_text(Disc((10, 20), 5, (255, 0, 0)))
    'disc(point(10, 20), 5, color(255, 0, 0))'
    """
    match shape:
        case Segment(start, end, color):
            return f"segment({_point(start)}, {_point(end)}, {_color(color)})"
        case Circle(center, radius, color) | Disc(center, radius, color):
            kind = "circle" if isinstance(shape, Circle) else "disc"
            return f"{kind}({_point(center)}, {pp(radius)}, {_color(color)})"
        case Triangle(corners, color):
            return f"fTri({', '.join(map(_point, corners))}, {_color(color)})"
        case TextShape(text, center, height, color):
            return f'text("{text}", {_point(center)}, {pp(height)}, {_color(color)})'
        case Graphic(file, center, width, height):
            return f'graphic("{file}", {_point(center)}, {pp(width)}, {pp(height)})'
        case _:
            assert_never(shape)


def _point(spot: Spot) -> str:
    return f"point({pp(spot[0])}, {pp(spot[1])})"


def _color(color: Rgb) -> str:
    return "color({}, {}, {})".format(*color)


def _spot(spot: Spot) -> list[Json]:
    return [_number(spot[0]), _number(spot[1])]


def _number(value: Number) -> int | float:
    return value if isinstance(value, int) else float(value)
