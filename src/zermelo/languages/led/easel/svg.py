"""A frame as SVG: the same bytes for the same shapes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, assert_never

from zermelo.core.stage import HEIGHT, WIDTH
from zermelo.core.values import Number
from zermelo.languages.led.easel.pictures import Folder
from zermelo.languages.led.easel.shapes import (
    BASELINE,
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
from zermelo.text.render import shown_in_xml
from zermelo.text.source import visible

_HEAD: Final = (
    '<?xml version="1.0" encoding="UTF-8"?>',
    f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
    f'viewBox="0 0 {WIDTH} {HEIGHT}">',
    f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
)
_BANNER: Final = "#b3261e"
BANNER_LINE: Final = 18
BANNER_SIZE: Final = 14
_LONGEST: Final = 118


def to_svg(shapes: Iterable[Shape], *, remarks: Iterable[str] = (), folder: Folder) -> str:
    """The window with *shapes* and *remarks* over them; pictures become part of the file."""
    drawn = [_shape(shape, folder) for shape in shapes]
    return "\n".join([*_HEAD, *drawn, *_remarks(remarks), "</svg>\n"])


def banner(remarks: Iterable[str]) -> list[str]:
    """The lines in which *remarks* stand over a frame, cut where the window ends."""
    return [
        line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
        for line in (visible(" ".join(remark.split())) for remark in remarks)
    ]


def _shape(shape: Shape, folder: Folder) -> str:
    match shape:
        case Segment(start, end, color):
            is_straight = start[0] == end[0] or start[1] == end[1]
            crisp = ' shape-rendering="crispEdges"' if is_straight else ""
            return (
                f'<line x1="{_x(start)}" y1="{_y(start)}" x2="{_x(end)}" y2="{_y(end)}" '
                f'stroke="{_color(color)}" stroke-linecap="square"{crisp}/>'
            )
        case Circle(center, radius, color):
            return f'<circle {_round(center, radius)} fill="none" stroke="{_color(color)}"/>'
        case Disc(center, radius, color):
            return f'<circle {_round(center, radius)} fill="{_color(color)}"/>'
        case Triangle(corners, color):
            points = " ".join(f"{_x(corner)},{_y(corner)}" for corner in corners)
            return f'<polygon points="{points}" fill="{_color(color)}"/>'
        case TextShape():
            return "\n".join(_words(shape))
        case Graphic():
            return _graphic(shape, folder)
        case _:
            assert_never(shape)


def _words(words: TextShape) -> Iterator[str]:
    size = float(words.height)
    middle = HEIGHT + 0.5 - float(words.center[1])
    for line, below in words.lines:
        yield (
            f'<text x="{_x(words.center)}" y="{_digits(middle + below + BASELINE * size)}" '
            f'font-family="monospace" font-size="{_digits(size)}" text-anchor="middle" '
            f'xml:space="preserve" fill="{_color(words.color)}">{shown_in_xml(line)}</text>'
        )


def _graphic(graphic: Graphic, folder: Folder) -> str:
    wide, high = float(graphic.width), float(graphic.height)
    left = float(graphic.center[0]) + 0.5 - wide / 2
    top = HEIGHT + 0.5 - float(graphic.center[1]) - high / 2
    return (
        f'<image x="{_digits(left)}" y="{_digits(top)}" width="{_digits(wide)}" '
        f'height="{_digits(high)}" preserveAspectRatio="none" '
        f'href="{folder.data_address(graphic.file)}"/>'
    )


def _remarks(remarks: Iterable[str]) -> Iterator[str]:
    lines = banner(remarks)
    if not lines:
        return
    high = BANNER_LINE * len(lines) + 8
    yield f'<rect y="{HEIGHT - high}" width="{WIDTH}" height="{high}" fill="#fdecea"/>'
    for at, line in enumerate(lines):
        y = HEIGHT - high + 4 + BANNER_LINE * at + 13
        yield (
            f'<text x="8" y="{y}" font-family="monospace" font-size="{BANNER_SIZE}" '
            f'xml:space="preserve" fill="{_BANNER}">{shown_in_xml(line)}</text>'
        )


def _round(center: Spot, radius: Number) -> str:
    return f'cx="{_x(center)}" cy="{_y(center)}" r="{_digits(float(radius))}"'


def _x(spot: Spot) -> str:
    return _digits(float(spot[0]) + 0.5)


def _y(spot: Spot) -> str:
    return _digits(HEIGHT + 0.5 - float(spot[1]))


def _digits(value: float) -> str:
    """*value* with at most three digits behind the point.

    >>> _digits(200.5), _digits(12.0), _digits(1 / 3), _digits(-0.0001)
    ('200.5', '12', '0.333', '0')
    """
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _color(color: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color)
