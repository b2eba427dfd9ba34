"""Small nets as SVG: places as circles with their tokens, transitions as boxes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import cos, pi, sin
from typing import Final

from zermelo.core.nets.ir import Net, Place, Transition
from zermelo.core.nets.printer import expr_text
from zermelo.core.nets.words import bag_text
from zermelo.exchange.escape import for_xml
from zermelo.exchange.net_layout import LINE, RADIUS, Spot, Wire, clipped, net_drawing
from zermelo.text.errors import UsageError
from zermelo.text.source import width

MOST_NODES: Final = 150
MOST_ARCS: Final = 500
MOST_DOTS: Final = 7
"""More black tokens than this are written as a number."""

_STYLE: Final = """\
text { font: 11px "DejaVu Sans", Verdana, sans-serif; fill: #1f2933; }
.title { font-size: 16px; font-weight: bold; }
.faint { fill: #66727f; }
.held { fill: #1f5fa8; font-size: 10px; }
.gate { fill: #66727f; font-size: 9.5px; text-anchor: middle; }
.middle { text-anchor: middle; }
.arc { fill: none; stroke: #66727f; stroke-width: 1.2; }
.arc:hover { stroke-width: 3; }
.inscription { font-size: 9.5px; text-anchor: middle; paint-order: stroke; stroke: #ffffff;
  stroke-width: 4px; stroke-linejoin: round; }
.place > circle { fill: #ffffff; stroke: #1f2933; stroke-width: 1.6; }
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
    words = f"{len(net.places):,} places, {len(net.transitions):,} transitions"
    wide, high = max(page.width, 360.0), page.height
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{wide:.0f}" '
        f'height="{high:.0f}" viewBox="0 0 {wide:.0f} {high:.0f}">'
    )
    yield f"<title>{for_xml(net.name)}</title>"
    yield f"<desc>{for_xml(words)}</desc>"
    yield f"<style>\n{_STYLE}\n</style>"
    yield (
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" markerUnits="userSpaceOnUse" orient="auto-start-reverse">'
        '<path d="M0,1 L7,4 L0,7 z" fill="#66727f"/></marker></defs>'
    )
    yield f'<rect width="{wide:.0f}" height="{high:.0f}" fill="#ffffff"/>'
    yield f'<text class="title" x="16" y="28">{for_xml(net.name)}</text>'
    yield f'<text class="faint" x="16" y="46">{for_xml(words)}</text>'
    for wire in page.wires:
        yield _wire(wire, page.spots)
    for spot in page.spots:
        yield from _spot(spot)
    for wire in page.wires:
        if wire.label is not None:
            x, y = wire.label
            shown = clipped(wire.text)
            text, half = for_xml(shown), 2.8 * width(shown)
            yield (
                f'<rect x="{x - half:.1f}" y="{y - 5.5:.1f}" width="{2 * half:.1f}" height="11" '
                'fill="#ffffff"/>'
            )
            yield f'<text class="inscription" x="{x:.1f}" y="{y + 3.5:.1f}">{text}</text>'
    yield "</svg>"


def _wire(wire: Wire, spots: tuple[Spot, ...]) -> str:
    parts = [f"M{wire.points[0][0]:.1f},{wire.points[0][1]:.1f}"]
    for (x0, y0), (x1, y1) in pairwise(wire.points):
        middle = (y0 + y1) / 2
        parts.append(f"C{x0:.1f},{middle:.1f} {x1:.1f},{middle:.1f} {x1:.1f},{y1:.1f}")
    start = ' marker-start="url(#head)"' if wire.has_two_heads else ""
    ends = f"{spots[wire.source].node.name} to {spots[wire.target].node.name}"
    said = f"{ends}, and back" if wire.has_two_heads else ends
    title = for_xml(f"{said}: {wire.text or '<..>'}")
    return (
        f'<path class="arc" d="{" ".join(parts)}"{start} marker-end="url(#head)">'
        f"<title>{title}</title></path>"
    )


def _spot(spot: Spot) -> Iterator[str]:
    if isinstance(spot.node, Place):
        yield from _place(spot, spot.node)
    else:
        yield from _transition(spot, spot.node)


def _place(spot: Spot, place: Place) -> Iterator[str]:
    yield '<g class="place">'
    yield f"<title>{for_xml(f'{place.name}: {bag_text(place.initial, place)}')}</title>"
    yield f'<circle cx="{spot.x:.1f}" cy="{spot.y:.1f}" r="{RADIUS:.1f}"/>'
    held = len(place.initial)
    if held > MOST_DOTS:
        yield f'<text class="middle" x="{spot.x:.1f}" y="{spot.y + 4:.1f}">{held}</text>'
    else:
        yield from _dots(spot, held)
    x = spot.x + RADIUS + 4
    yield f'<text x="{x:.1f}" y="{spot.y + 4:.1f}">{for_xml(spot.lines[0])}</text>'
    for at, text in enumerate(spot.lines[1:], 1):
        y = spot.y + 4 + LINE * at
        yield f'<text class="held" x="{x:.1f}" y="{y:.1f}">{for_xml(text)}</text>'
    yield "</g>"


def _dots(spot: Spot, count: int) -> Iterator[str]:
    """The tokens: one in the middle, more in a ring."""
    ring = 0.0 if count == 1 else RADIUS * 0.55
    for at in range(count):
        turn = 2 * pi * at / count - pi / 2
        x, y = spot.x + ring * cos(turn), spot.y + ring * sin(turn)
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2" style="fill:#1f2933;stroke:none"/>'


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
