"""Sheets as SVG: presentation is in attributes only, so that a strict policy lets it be shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from zermelo.draw.sheet import Disc, Line, Polygon, Rectangle, Sheet, SheetShape, Words
from zermelo.text.render import shown_in_xml

_SANS: Final = "DejaVu Sans, Verdana, sans-serif"
_MONO: Final = "DejaVu Sans Mono, monospace"


def lines(sheet: Sheet) -> Iterator[str]:
    """The lines of a file that shows *sheet*."""
    size = f'width="{sheet.width:.0f}" height="{sheet.height:.0f}"'
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size} '
        f'viewBox="0 0 {sheet.width:.0f} {sheet.height:.0f}" font-family="{_SANS}">'
    )
    yield f"<title>{shown_in_xml(sheet.title)}</title>"
    yield f'<rect {size} fill="#ffffff"/>'
    yield from map(_shape, sheet.shapes)
    yield "</svg>"


def _shape(shape: SheetShape) -> str:
    match shape:
        case Rectangle(x, y, wide, high, fill, edge):
            stroke = "" if edge is None else f' stroke="{edge}"'
            place = f'x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}"'
            return f'<rect {place} fill="{fill}"{stroke}/>'
        case Line(x1, y1, x2, y2, color, thickness):
            ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
            return f'<line {ends} stroke="{color}" stroke-width="{thickness:.1f}"/>'
        case Disc(x, y, radius, color, is_filled, thickness):
            inside = color if is_filled else "none"
            circle = f'cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"'
            pen = f'stroke="{color}" stroke-width="{thickness:.1f}"'
            return f'<circle {circle} fill="{inside}" {pen}/>'
        case Polygon(points, color):
            corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            return f'<polygon points="{corners}" fill="{color}"/>'
        case Words():
            return _words(shape)
        case _:
            assert_never(shape)


def _words(words: Words) -> str:
    look = [f'font-size="{words.size:.1f}"', f'fill="{words.color}"']
    look += ['text-anchor="middle"'] if words.is_centred else []
    look += ['font-weight="bold"'] if words.is_bold else []
    look += [f'font-family="{_MONO}"'] if words.is_mono else []
    whole = "" if words.whole is None else f"<title>{shown_in_xml(words.whole)}</title>"
    place = f'x="{words.x:.1f}" y="{words.y:.1f}"'
    return f"<text {place} {' '.join(look)}>{whole}{shown_in_xml(words.text)}</text>"
