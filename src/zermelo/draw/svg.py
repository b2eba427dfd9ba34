"""Small graphs as SVG: a drawing by ply, made for looking at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zermelo.draw.drawing import LETTER, LINE, Box, Curve, Drawing, Sketcher, clipped
from zermelo.draw.graph_layout import drawing
from zermelo.draw.graph_view import GraphNode, GraphSummary, GraphView
from zermelo.draw.looks import NOBODY, PLAYERS, Look, look, tone
from zermelo.text.errors import UsageError
from zermelo.text.source import width
from zermelo.text.xml import for_xml

MOST_NODES: Final = 500
MOST_IN_A_ROW: Final = 150
MOST_ARCS: Final = 2000

_LINE: Final = 14
_MOST_GROUPS: Final = 6
"""Components that the legend names."""
_MOST_ENDS: Final = 12
"""Of more ways to end only so many are explained; every node tells its own."""

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


def lines(graph: GraphView, *, sketch: Sketcher | None = None) -> Iterator[str]:
    """The lines of the file; raises ``UsageError`` if the graph is too large to be looked at."""
    summary = graph.summary
    _refuse_large(summary)
    nodes = list(graph.nodes())
    _refuse_wide(nodes)
    page = drawing(nodes, list(graph.arcs()), sketch=sketch)
    return _document(summary, nodes, page)


def _refuse_large(summary: GraphSummary) -> None:
    if summary.nodes > MOST_NODES or summary.arcs > MOST_ARCS:
        least = "" if summary.cut is None else "at least "
        nouns = summary.nouns
        drawn, plies = ("drawn by ply", "plies") if nouns.ply else ("drawn", f"{nouns.move}s")
        raise UsageError(
            f"a graph of {least}{summary.nodes:,} nodes and {summary.arcs:,} arcs is too large to "
            f"be {drawn}: a drawing has at most {MOST_NODES:,} nodes and {MOST_ARCS:,} arcs. "
            f"--depth N draws the first N {plies}, and --format dot leaves the drawing to Graphviz"
        )


def _refuse_wide(nodes: Sequence[GraphNode]) -> None:
    counts: dict[int, int] = {}
    for node in nodes:
        counts[node.depth] = counts.get(node.depth, 0) + 1
    for depth, count in sorted(counts.items()):
        if count > MOST_IN_A_ROW:
            raise UsageError(
                f"{count:,} nodes at depth {depth} are too many for one row of a drawing; it has "
                f"at most {MOST_IN_A_ROW:,}. --depth {max(depth - 1, 0)} draws what comes before"
            )


def _document(summary: GraphSummary, nodes: Sequence[GraphNode], page: Drawing) -> Iterator[str]:
    wide = page.width
    footer = list(_footer(summary, wide))
    legend, deep = _placed_legend(summary, nodes, page)
    high = page.height + deep + _LINE * len(footer)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{wide:.0f}" '
        f'height="{high:.0f}" viewBox="0 0 {wide:.0f} {high:.0f}">'
    )
    yield f"<title>{for_xml(summary.name)}</title>"
    yield f"<desc>{for_xml(f'{_sizes(summary)}; {summary.remark}')}</desc>"
    yield f"<style>\n{_STYLE}\n</style>"
    yield from _arrows()
    yield f'<rect width="{wide:.0f}" height="{high:.0f}" fill="#ffffff"/>'
    yield from _heading(summary)
    yield from legend
    yield f'<g transform="translate(0 {deep:.0f})">'
    yield from _plies(page, summary)
    for curve in page.curves:
        yield from _curve(curve, page.boxes, summary.players)
    for box in page.boxes:
        yield from _box(box, page.cell, summary.players)
    for curve in page.curves:
        yield from _label(curve)
    for at, line in enumerate(footer):
        y = page.height - 6 + _LINE * at
        yield f'<text class="faint small" x="16" y="{y:.0f}">{for_xml(line)}</text>'
    yield "</g>"
    yield "</svg>"


# Around the graph


def _sizes(summary: GraphSummary) -> str:
    nodes = _counted(summary, summary.nodes)
    return f"{nodes}, {summary.arcs:,} {'arc' if summary.arcs == 1 else 'arcs'}"


def _counted(summary: GraphSummary, count: int) -> str:
    if summary.is_of_components:
        return f"{count:,} component{'' if count == 1 else 's'}"
    return summary.nouns.counted_states(count)


def _heading(summary: GraphSummary) -> Iterator[str]:
    yield f'<text class="title" x="16" y="28">{for_xml(summary.name)}</text>'
    yield f'<text class="faint" x="16" y="46">{for_xml(_sizes(summary))}</text>'
    if summary.cut is not None:
        x = 16 + LETTER * (width(_sizes(summary)) + 3)
        yield f'<text class="cut" x="{x:.0f}" y="46">{for_xml(summary.remark)}</text>'


def _placed_legend(
    summary: GraphSummary, nodes: Sequence[GraphNode], page: Drawing
) -> tuple[list[str], float]:
    """The legend, and how much deeper than one line it is."""
    drawn: list[str] = []
    x, y = 16.0, 62.5
    for swatch, words in _legend(summary, nodes, page):
        wide = 24 + LETTER * width(words) + 12
        if x > 16 and x + wide > page.width:
            x, y = 16.0, y + _LINE + 2
        drawn.append(f'<g transform="translate({x:.0f} {y:.1f})">{swatch}')
        drawn.append(f'<text class="small" x="24" y="3.5">{for_xml(words)}</text></g>')
        x += wide
    return drawn, y - 62.5


def _legend(
    summary: GraphSummary, nodes: Sequence[GraphNode], page: Drawing
) -> Iterator[tuple[str, str]]:
    """What the colours mean that are in the drawing."""
    players = summary.players
    moving = {node.player for node in nodes if node.outcome is None}
    for player in players:
        if player in moving:
            shades = tone(player, players)
            yield _swatch(Look(shades.light, shades.dark)), clipped(f"{player} to move")
    yield from _groups(nodes, players)
    trap = next((node for node in nodes if node.is_trap and node.group is None), None)
    if trap is not None:
        yield _swatch(look(trap, players), is_double=True), "in a nontrivial terminal component"
    ends: dict[str, Look] = {}
    for node in nodes:
        if node.outcome is not None:
            ends.setdefault(clipped(node.ending or ""), look(node, players))
    for words, drawn in sorted(ends.items())[:_MOST_ENDS]:
        yield _swatch(drawn), words
    if any(node.is_open for node in nodes):
        yield _swatch(Look("#ffffff", NOBODY.dark, is_dashed=True)), "goes on beyond this drawing"
    if any(curve.is_back for curve in page.curves):
        dashed = f'stroke="{NOBODY.dark}" stroke-dasharray="5 3" marker-end="url(#arrow-n)"'
        yield (
            f'<path class="arc" d="M0,0 h18" {dashed}/>',
            f"to a {summary.nouns.state} that was there before",
        )


def _groups(nodes: Sequence[GraphNode], players: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The nontrivial components that are told apart."""
    sizes: dict[int, list[GraphNode]] = {}
    for node in nodes:
        if node.group is not None and node.outcome is None:
            sizes.setdefault(node.component, []).append(node)
    for component, members in list(sizes.items())[:_MOST_GROUPS]:
        size = sum(node.size for node in members)
        words = f"component {component}: {size:,} {'node' if size == 1 else 'nodes'} on cycles"
        is_trap = members[0].is_trap
        swatch = _swatch(look(members[0], players), is_double=is_trap)
        yield swatch, f"{words}, terminal" if is_trap else words
    if len(sizes) > _MOST_GROUPS:
        yield "", f"and {len(sizes) - _MOST_GROUPS:,} more components with cycles"


def _swatch(drawn: Look, *, is_double: bool = False) -> str:
    dashes = ' stroke-dasharray="3 2"' if drawn.is_dashed else ""
    inner = ""
    if is_double:
        inner = f'<rect x="4.5" y="-3" width="9" height="6" fill="none" stroke="{drawn.stroke}"/>'
    return (
        f'<rect x="2" y="-5.5" width="14" height="11" rx="3" fill="{drawn.fill}" '
        f'stroke="{drawn.stroke}"{dashes}/>{inner}'
    )


def _plies(page: Drawing, summary: GraphSummary) -> Iterator[str]:
    for row in page.rows:
        top, high = row.top - 10, row.height + 20
        yield (
            f'<rect x="8" y="{top:.1f}" width="{page.width - 16:.1f}" height="{high:.1f}" rx="6" '
            'fill="#f6f7f9"/>'
        )
        middle = row.top + row.height / 2
        yield f'<text x="16" y="{middle - 2:.1f}">{summary.nouns.after(row.depth)}</text>'
        counted = _counted(summary, row.nodes)
        yield f'<text class="faint small" x="16" y="{middle + 12:.1f}">{counted}</text>'


def _footer(summary: GraphSummary, wide: float) -> Iterator[str]:
    """The readings, in lines that fit."""
    words = "; ".join(f"{name}: {choice}" for name, choice in summary.readings.items())
    room = int((wide - 32) / (0.92 * LETTER))
    line = ""
    for word in f"Read with {words}.".split() if words else ():
        if line and width(line) + 1 + width(word) > room:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    if line:
        yield line


# The graph


def _arrows() -> Iterator[str]:
    yield "<defs>"
    for name, shades in [(str(at), shades) for at, shades in enumerate(PLAYERS)] + [("n", NOBODY)]:
        yield (
            f'<marker id="arrow-{name}" viewBox="0 0 8 8" refX="6.5" refY="4" markerWidth="7" '
            'markerHeight="7" markerUnits="userSpaceOnUse" orient="auto">'
            f'<path d="M0,1 L7,4 L0,7 z" fill="{shades.dark}"/></marker>'
        )
    yield "</defs>"


def _curve(curve: Curve, boxes: Sequence[Box], players: tuple[str, ...]) -> Iterator[str]:
    """A curve in the tone of the player who moves along it."""
    shades = tone(boxes[curve.source].node.player, players)
    arrow = str(PLAYERS.index(shades)) if shades in PLAYERS else "n"
    first, *rest = [f"{x:.1f},{y:.1f}" for x, y in curve.points]
    dashes = ' stroke-dasharray="5 3"' if curve.is_back else ""
    said = f"{', '.join(curve.moves)}: from {curve.source} to {curve.target}"
    yield (
        f'<path class="arc" d="M{first} C{" ".join(rest)}" stroke="{shades.dark}"{dashes} '
        f'marker-end="url(#arrow-{arrow})"><title>{for_xml(said)}</title></path>'
    )


def _label(curve: Curve) -> Iterator[str]:
    """The moves, on a ground of their own where they stand upon their curve."""
    area = curve.label_area
    if curve.label is None or area is None:
        return
    x, y = curve.label
    if curve.source != curve.target:
        yield (
            f'<rect class="ground" x="{area.left:.1f}" y="{area.top:.1f}" '
            f'width="{area.right - area.left:.1f}" height="{area.bottom - area.top:.1f}" rx="3"/>'
        )
    yield f'<text class="move" x="{x:.1f}" y="{y + 3.5:.1f}">{for_xml(curve.text)}</text>'


def _box(box: Box, cell: float, players: tuple[str, ...]) -> Iterator[str]:
    node = box.node
    drawn = look(node, players)
    left = box.x - box.width / 2
    dashes = ' stroke-dasharray="4 3"' if drawn.is_dashed else ""
    yield f'<g class="node" id="node-{node.number}">'
    yield f"<title>{for_xml(_tooltip(node))}</title>"
    yield (
        f'<rect x="{left:.1f}" y="{box.top:.1f}" width="{box.width:.1f}" '
        f'height="{box.height:.1f}" rx="6" fill="{drawn.fill}" stroke="{drawn.stroke}" '
        f'stroke-width="{1.6 if node.outcome is None else 2.2}"{dashes}/>'
    )
    if node.is_trap:
        yield (
            f'<rect x="{left + 3.5:.1f}" y="{box.top + 3.5:.1f}" width="{box.width - 7:.1f}" '
            f'height="{box.height - 7:.1f}" rx="3.5" fill="none" stroke="{drawn.stroke}" '
            'stroke-width="1.4"/>'
        )
    y = box.top + 6
    if box.grid:
        yield from _grid(box, y, cell, drawn)
        y += cell * len(box.grid) + (4 if box.lines else 0)
    for at, line in enumerate(box.lines):
        yield (
            f'<text class="middle" x="{box.x:.1f}" y="{y + LINE * at + 11:.1f}" '
            f'style="fill:{drawn.ink}">{for_xml(line)}</text>'
        )
    yield "</g>"


def _grid(box: Box, top: float, cell: float, drawn: Look) -> Iterator[str]:
    """A board: its cells, and what stands in them."""
    left = box.x - cell * max(map(len, box.grid)) / 2
    size = cell - 3
    for down, row in enumerate(box.grid):
        for across, text in enumerate(row):
            if text is None:
                continue
            x, y = left + cell * across, top + cell * down
            yield (
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{cell:.1f}" height="{cell:.1f}" '
                f'fill="#ffffff" fill-opacity="0.85" stroke="{drawn.stroke}" '
                'stroke-opacity="0.35" stroke-width="0.7"/>'
            )
            if text:
                fitted = min(size, 1.45 * cell / max(width(text), 1))
                yield (
                    f'<text class="middle" x="{x + cell / 2:.1f}" '
                    f'y="{y + cell / 2 + 0.36 * fitted:.1f}" '
                    f'style="font-size:{fitted:.1f}px">{for_xml(text)}</text>'
                )


def _tooltip(node: GraphNode) -> str:
    said = [f"{node.number}: {node.text}"]
    if node.ending is not None:
        said.append(node.ending)
    elif node.player is not None:
        said.append(f"{node.player} to move")
    if node.group is not None:
        said.append(f"in component {node.component}, on a cycle")
    if node.is_trap:
        said.append("in a nontrivial terminal component")
    if node.is_open:
        said.append("goes on beyond this drawing")
    return "\n".join(said)
