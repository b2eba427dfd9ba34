"""Diagrams as SVG, made for looking at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import cos, pi, sin
from typing import Final

from zermelo.core.picture import GREY, Diagram, LegendEntry, NodeShape
from zermelo.draw.layout import HEADING, layout
from zermelo.draw.page import BESIDE, LINE, PADDING, RADIUS, Curve, NodeBox, Page
from zermelo.text.render import shown_in_xml
from zermelo.text.source import width

LETTER: Final = 6.3
"""How wide a letter of the text around the diagram is, on average."""
FOOTER_LINE: Final = 14
MOST_DOTS: Final = 7
"""More tokens than this are written as a number."""
TOKEN_RADIUS: Final = 3.2

_STYLE: Final = """\
text { font: 11px "DejaVu Sans", Verdana, sans-serif; fill: #1f2933; }
.title { font-size: 16px; font-weight: bold; }
.faint { fill: #66727f; }
.cut { fill: #b3261e; }
.small { font-size: 10px; }
.move { font-size: 9.5px; text-anchor: middle; }
.ground { fill: #ffffff; }
.middle { text-anchor: middle; }
.arc { fill: none; stroke-width: 1.1; stroke-opacity: 0.75; }
.arc:hover { stroke-width: 3; stroke-opacity: 1; }
.node:hover > rect { stroke-width: 3; }"""


def lines(diagram: Diagram) -> Iterator[str]:
    page = layout(diagram)
    wide = page.width
    footer = list(_footer(diagram.footer, wide))
    arrows = {**{color: str(at) for at, color in enumerate(diagram.arc_colors)}, GREY: "n"}
    legend, deep = _legend(diagram.legend, wide)
    high = page.height + deep + FOOTER_LINE * len(footer)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{wide:.0f}" '
        f'height="{high:.0f}" viewBox="0 0 {wide:.0f} {high:.0f}">'
    )
    yield f"<title>{shown_in_xml(diagram.title)}</title>"
    yield f"<desc>{shown_in_xml(diagram.description)}</desc>"
    yield f"<style>\n{_STYLE}\n</style>"
    yield from _arrow_heads(diagram, arrows)
    yield f'<rect width="{wide:.0f}" height="{high:.0f}" fill="#ffffff"/>'
    yield f'<text class="title" x="{HEADING:.0f}" y="28">{shown_in_xml(diagram.title)}</text>'
    yield f'<text class="faint" x="{HEADING:.0f}" y="46">{shown_in_xml(diagram.summary)}</text>'
    if diagram.warning is not None:
        x = HEADING + LETTER * (width(diagram.summary) + 3)
        yield f'<text class="cut" x="{x:.0f}" y="46">{shown_in_xml(diagram.warning)}</text>'
    yield from legend
    yield f'<g transform="translate(0 {deep:.0f})">'
    yield from _captions(page)
    for curve in page.curves:
        yield _curve(curve, arrows[curve.arc.color])
    for box in page.boxes:
        yield from _node(box, page.cell)
    for curve in page.curves:
        yield from _label(curve)
    for at, line in enumerate(footer):
        y = page.height - 6 + FOOTER_LINE * at
        yield f'<text class="faint small" x="{HEADING:.0f}" y="{y:.0f}">{shown_in_xml(line)}</text>'
    yield "</g>"
    yield "</svg>"


# Around the diagram


def _legend(entries: Sequence[LegendEntry], most: float) -> tuple[list[str], float]:
    """The legend, in lines no wider than *most*, and how much deeper than one line it is."""
    drawn: list[str] = []
    x, y = HEADING, 62.5
    for entry in entries:
        wide = 24 + LETTER * width(entry.text) + 12
        if x > HEADING and x + wide > most:
            x, y = HEADING, y + FOOTER_LINE + 2
        drawn.append(f'<g transform="translate({x:.0f} {y:.1f})">{_swatch(entry)}')
        drawn.append(f'<text class="small" x="24" y="3.5">{shown_in_xml(entry.text)}</text></g>')
        x += wide
    return drawn, y - 62.5


def _swatch(entry: LegendEntry) -> str:
    if entry.is_dashed_arc:
        dashed = f'stroke="{GREY}" stroke-dasharray="5 3" marker-end="url(#arrow-n)"'
        return f'<path class="arc" d="M0,0 h18" {dashed}/>'
    if entry.paint is None:
        return ""
    fill, stroke = entry.paint.fill, entry.paint.stroke
    dashes = ' stroke-dasharray="3 2"' if entry.paint.is_dashed else ""
    border = 'x="2" y="-5.5" width="14" height="11" rx="3"'
    drawn = f'<rect {border} fill="{fill}" stroke="{stroke}"{dashes}/>'
    if entry.has_double_border:
        drawn += f'<rect x="4.5" y="-3" width="9" height="6" fill="none" stroke="{stroke}"/>'
    return drawn


def _captions(page: Page) -> Iterator[str]:
    """The captions of rows, on bands that reach over the whole page."""
    for caption, band in page.rows:
        top, high = band.top - 10, band.bottom - band.top + 20
        yield (
            f'<rect x="8" y="{top:.1f}" width="{page.width - 16:.1f}" height="{high:.1f}" rx="6" '
            'fill="#f6f7f9"/>'
        )
        x, y, note = HEADING, band.middle, shown_in_xml(caption.note)
        yield f'<text x="{x:.0f}" y="{y - 2:.1f}">{shown_in_xml(caption.text)}</text>'
        yield f'<text class="faint small" x="{x:.0f}" y="{y + 12:.1f}">{note}</text>'


def _footer(text: str, wide: float) -> Iterator[str]:
    """*text* in lines that fit."""
    room = int((wide - 2 * HEADING) / (0.92 * LETTER))
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if line and width(longer) > room:
            yield line
            longer = word
        line = longer
    if line:
        yield line


# Arcs


def _arrow_heads(diagram: Diagram, names: Mapping[str, str]) -> Iterator[str]:
    """The heads of arcs, which are called by their colours."""
    # Only arcs with two heads need one that turns round at the start.
    has_two = any(arc.has_two_heads for arc in diagram.arcs)
    orient = "auto-start-reverse" if has_two else "auto"
    yield "<defs>"
    for color, name in names.items():
        yield (
            f'<marker id="arrow-{name}" viewBox="0 0 8 8" refX="6.5" refY="4" markerWidth="7" '
            f'markerHeight="7" markerUnits="userSpaceOnUse" orient="{orient}">'
            f'<path d="M0,1 L7,4 L0,7 z" fill="{color}"/></marker>'
        )
    yield "</defs>"


def _curve(curve: Curve, arrow: str) -> str:
    arc = curve.arc
    first, *rest = [f"{x:.1f},{y:.1f}" for x, y in curve.points]
    dashes = ' stroke-dasharray="5 3"' if arc.is_dashed else ""
    start = f' marker-start="url(#arrow-{arrow})"' if arc.has_two_heads else ""
    return (
        f'<path class="arc" d="M{first} C{" ".join(rest)}" stroke="{arc.color}"{dashes}{start} '
        f'marker-end="url(#arrow-{arrow})"><title>{shown_in_xml(arc.tooltip)}</title></path>'
    )


def _label(curve: Curve) -> Iterator[str]:
    """The label, on a ground of its own where it stands upon its curve."""
    area, arc = curve.label_area, curve.arc
    if curve.label is None or area is None:
        return
    x, y = curve.label
    if not arc.is_loop:
        yield (
            f'<rect class="ground" x="{area.left:.1f}" y="{area.top:.1f}" '
            f'width="{area.right - area.left:.1f}" height="{area.bottom - area.top:.1f}" rx="3"/>'
        )
    title = f"<title>{shown_in_xml(arc.tooltip)}</title>" if arc.texts else ""
    place = f'x="{x:.1f}" y="{y + 3.5:.1f}"'
    yield f'<text class="move" {place}>{shown_in_xml(arc.label)}{title}</text>'


# Nodes


def _node(box: NodeBox, cell: float) -> Iterator[str]:
    node = box.node
    yield f'<g class="node" id="node-{node.key}">'
    tooltip = "\n".join(node.tooltip)
    yield f"<title>{shown_in_xml(tooltip)}</title>"
    paint = node.paint
    round_by = "6" if node.shape is NodeShape.BOX else f"{RADIUS:.0f}"
    dashes = ' stroke-dasharray="4 3"' if paint.is_dashed else ""
    yield (
        f'<rect x="{box.left:.1f}" y="{box.top:.1f}" width="{box.width:.1f}" '
        f'height="{box.height:.1f}" rx="{round_by}" fill="{paint.fill}" stroke="{paint.stroke}" '
        f'stroke-width="{2.2 if node.has_thick_border else 1.6}"{dashes}/>'
    )
    if node.has_double_border:
        yield (
            f'<rect x="{box.left + 3.5:.1f}" y="{box.top + 3.5:.1f}" width="{box.width - 7:.1f}" '
            f'height="{box.height - 7:.1f}" rx="3.5" fill="none" stroke="{node.paint.stroke}" '
            'stroke-width="1.4"/>'
        )
    if node.shape is NodeShape.CIRCLE:
        yield from _tokens(box)
        yield from _words(box, box.left + box.width + BESIDE, box.y + 4)
    else:
        y = box.top + PADDING
        if node.grid:
            yield from _grid(box, y, cell)
            y += cell * len(node.grid) + (4 if node.lines else 0)
        yield from _words(box, box.x, y + 11, anchor="middle")
    yield "</g>"


def _words(box: NodeBox, x: float, y: float, *, anchor: str = "start") -> Iterator[str]:
    """What is written at a node, the first line at *y*."""
    node = box.node
    for at, line in enumerate(node.lines):
        yield (
            f'<text class="{anchor}" x="{x:.1f}" y="{y + LINE * at:.1f}" '
            f'style="fill:{node.paint.ink}">{shown_in_xml(line)}</text>'
        )
    for at, note in enumerate(node.notes, len(node.lines)):
        yield (
            f'<text class="faint small {anchor}" x="{x:.1f}" y="{y + LINE * at:.1f}">'
            f"{shown_in_xml(note)}</text>"
        )


def _tokens(box: NodeBox) -> Iterator[str]:
    """One in the middle, more in a ring, or in a line where there is room."""
    count = box.node.tokens
    if count > MOST_DOTS:
        yield f'<text class="middle" x="{box.x:.1f}" y="{box.y + 4:.1f}">{count}</text>'
        return
    pitch = 3.2 * TOKEN_RADIUS
    is_line = box.width - 2 * RADIUS >= (count - 1) * pitch
    ring = 0.0 if count == 1 else RADIUS * 0.55
    for at in range(count):
        turn = 2 * pi * at / count - pi / 2
        x, y = box.x + ring * cos(turn), box.y + ring * sin(turn)
        if is_line:
            x, y = box.x + (at - (count - 1) / 2) * pitch, box.y
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{TOKEN_RADIUS}" fill="{box.node.paint.ink}"/>'


def _grid(box: NodeBox, top: float, cell: float) -> Iterator[str]:
    grid = box.node.grid
    left = box.x - cell * max(map(len, grid)) / 2
    size = cell - 3
    for down, row in enumerate(grid):
        for across, text in enumerate(row):
            if text is None:
                continue
            x, y = left + cell * across, top + cell * down
            yield (
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{cell:.1f}" height="{cell:.1f}" '
                f'fill="#ffffff" fill-opacity="0.85" stroke="{box.node.paint.stroke}" '
                'stroke-opacity="0.35" stroke-width="0.7"/>'
            )
            if text:
                fitted = min(size, 1.45 * cell / max(width(text), 1))
                yield (
                    f'<text class="middle" x="{x + cell / 2:.1f}" '
                    f'y="{y + cell / 2 + 0.36 * fitted:.1f}" '
                    f'style="font-size:{fitted:.1f}px">{shown_in_xml(text)}</text>'
                )
