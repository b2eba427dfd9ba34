"""Small nets as SVG: places as circles with their tokens, transitions as boxes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import cos, pi, sin
from typing import Final

from zermelo.draw.letters import text_width
from zermelo.draw.net_layout import BESIDE, LINE, RADIUS, Spot, Wire, net_drawing
from zermelo.languages.nets.ir import Net, Place, Transition
from zermelo.languages.nets.printer import expr_text
from zermelo.languages.nets.words import bag_text
from zermelo.text.errors import UsageError
from zermelo.text.xml import for_xml

MOST_NODES: Final = 150
MOST_ARCS: Final = 500
MOST_DOTS: Final = 7
"""More black tokens than this are written as a number."""
DOT: Final = 3.2
"""The radius of a token."""
TITLE: Final = 17.5
"""The size of its letters, which are bold and so as wide as these."""
LEFT: Final = 16.0
NARROWEST: Final = 200.0

_STYLE: Final = """\
text { font: 11px "DejaVu Sans", Verdana, sans-serif; fill: #1f2933; }
.title { font-size: 16px; font-weight: bold; }
.faint { fill: #66727f; }
.held { fill: #1f5fa8; font-size: 10px; }
.gate { fill: #66727f; font-size: 9.5px; text-anchor: middle; }
.middle { text-anchor: middle; }
.arc { fill: none; stroke: #66727f; stroke-width: 1.1; }
.arc:hover { stroke-width: 3; }
.inscription { font-size: 9.5px; text-anchor: middle; }
.ground { fill: #ffffff; }
.place > rect { fill: #ffffff; stroke: #1f2933; stroke-width: 1.6; }
.token { fill: #1f2933; }
.transition > rect { fill: #eceff2; stroke: #1f2933; stroke-width: 1.6; }"""


def lines(net: Net) -> Iterator[str]:
    """The lines of the file; ``UsageError`` if the net is too large to be looked at."""
    arcs = sum(len(each.inputs) + len(each.outputs) for each in net.transitions)
    nodes = len(net.places) + len(net.transitions)
    if nodes > MOST_NODES or arcs > MOST_ARCS:
        raise UsageError(
            f"a net of {len(net.places):,} places, {len(net.transitions):,} transitions and "
            f"{arcs:,} arcs is too large for this drawing, which has at most {MOST_NODES} of the "
            f"first two together and {MOST_ARCS} arcs; --format dot leaves it to Graphviz"
        )
    return _document(net)


def _document(net: Net) -> Iterator[str]:
    page = net_drawing(net)
    words = f"{_counted(len(net.places), 'place')}, {_counted(len(net.transitions), 'transition')}"
    title = text_width(net.name, TITLE)
    wide, high = max(page.width, 2 * LEFT + title, NARROWEST), page.height
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{wide:.0f}" '
        f'height="{high:.0f}" viewBox="0 0 {wide:.0f} {high:.0f}">'
    )
    yield f"<title>{for_xml(net.name)}</title>"
    yield f"<desc>{for_xml(words)}</desc>"
    yield f"<style>\n{_STYLE}\n</style>"
    yield (
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="6.5" '
        'markerHeight="6.5" markerUnits="userSpaceOnUse" orient="auto-start-reverse">'
        '<path d="M0,1 L8,4 L0,7 z" fill="#4d5966"/></marker></defs>'
    )
    yield f'<rect width="{wide:.0f}" height="{high:.0f}" fill="#ffffff"/>'
    yield f'<text class="title" x="{LEFT:.0f}" y="28">{for_xml(net.name)}</text>'
    yield f'<text class="faint" x="{LEFT:.0f}" y="46">{for_xml(words)}</text>'
    yield f'<g transform="translate({max(0.0, (wide - page.width) / 2):.1f} 0)">'
    for wire in page.wires:
        yield _wire(wire, page.spots)
    for spot in page.spots:
        yield from _spot(spot)
    for wire in page.wires:
        yield from _inscription(wire)
    yield "</g>"
    yield "</svg>"


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _wire(wire: Wire, spots: tuple[Spot, ...]) -> str:
    parts = [f"M{wire.points[0][0]:.1f},{wire.points[0][1]:.1f}"]
    for (x0, y0), (x1, y1) in pairwise(wire.points):
        middle = (y0 + y1) / 2
        if x0 == x1:
            parts.append(f"V{y1:.1f}")
        else:
            parts.append(f"C{x0:.1f},{middle:.1f} {x1:.1f},{middle:.1f} {x1:.1f},{y1:.1f}")
    start = ' marker-start="url(#head)"' if wire.has_two_heads else ""
    ends = f"{spots[wire.source].node.name} to {spots[wire.target].node.name}"
    said = f"{ends}, and back" if wire.has_two_heads else ends
    title = for_xml(f"{said}: {wire.text or '<..>'}")
    return (
        f'<path class="arc" d="{" ".join(parts)}"{start} marker-end="url(#head)">'
        f"<title>{title}</title></path>"
    )


def _inscription(wire: Wire) -> Iterator[str]:
    """The inscription upon its arc, on a ground of its own."""
    area = wire.label_area
    if wire.label is None or area is None:
        return
    x, y = wire.label
    yield f"<g><title>{for_xml(wire.text)}</title>"
    yield (
        f'<rect class="ground" x="{area.left:.1f}" y="{area.top + 1:.1f}" '
        f'width="{area.right - area.left:.1f}" height="{area.bottom - area.top - 2:.1f}" rx="3"/>'
    )
    yield f'<text class="inscription" x="{x:.1f}" y="{y + 3.3:.1f}">{for_xml(wire.shown)}</text>'
    yield "</g>"


def _spot(spot: Spot) -> Iterator[str]:
    if isinstance(spot.node, Place):
        yield from _place(spot, spot.node)
    else:
        yield from _transition(spot, spot.node)


def _place(spot: Spot, place: Place) -> Iterator[str]:
    yield '<g class="place">'
    yield f"<title>{for_xml(f'{place.name}: {bag_text(place.initial, place)}')}</title>"
    yield (
        f'<rect x="{spot.x - spot.width / 2:.1f}" y="{spot.y - RADIUS:.1f}" '
        f'width="{spot.width:.1f}" height="{2 * RADIUS:.1f}" rx="{RADIUS:.1f}"/>'
    )
    held = len(place.initial)
    if held > MOST_DOTS:
        yield f'<text class="middle" x="{spot.x:.1f}" y="{spot.y + 4:.1f}">{held}</text>'
    else:
        yield from _dots(spot, held)
    x = spot.x + spot.width / 2 + BESIDE
    yield f'<text x="{x:.1f}" y="{spot.y + 4:.1f}">{for_xml(spot.lines[0])}</text>'
    for at, text in enumerate(spot.lines[1:], 1):
        y = spot.y + 4 + LINE * at
        yield f'<text class="held" x="{x:.1f}" y="{y:.1f}">{for_xml(text)}</text>'
    yield "</g>"


def _dots(spot: Spot, count: int) -> Iterator[str]:
    """The tokens: one in the middle, more in a ring, or in a line where there is room."""
    pitch = 3.2 * DOT
    is_line = spot.width - 2 * RADIUS >= (count - 1) * pitch
    ring = 0.0 if count == 1 else RADIUS * 0.55
    for at in range(count):
        turn = 2 * pi * at / count - pi / 2
        x, y = spot.x + ring * cos(turn), spot.y + ring * sin(turn)
        if is_line:
            x, y = spot.x + (at - (count - 1) / 2) * pitch, spot.y
        yield f'<circle class="token" cx="{x:.1f}" cy="{y:.1f}" r="{DOT}"/>'


def _transition(spot: Spot, transition: Transition) -> Iterator[str]:
    gates = "".join(f"\ngate {expr_text(gate)}" for gate in transition.gates)
    left, top = spot.x - spot.width / 2, spot.y - spot.height / 2
    yield '<g class="transition">'
    yield f"<title>{for_xml(transition.name + gates)}</title>"
    yield (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{spot.width:.1f}" '
        f'height="{spot.height:.1f}" rx="2"/>'
    )
    for at, text in enumerate(spot.lines):
        kind = "middle" if at == 0 else "gate"
        y = top + 5 + LINE * at + 10
        yield f'<text class="{kind}" x="{spot.x:.1f}" y="{y:.1f}">{for_xml(text)}</text>'
    yield "</g>"
