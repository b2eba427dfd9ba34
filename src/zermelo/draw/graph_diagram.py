"""A small graph as a diagram: one row a ply, with the colours of players and of endings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from zermelo.core.machine import Ending
from zermelo.core.picture import (
    GREY,
    Diagram,
    DiagramArc,
    DiagramNode,
    Grid,
    LegendEntry,
    NodePaint,
    RowCaption,
    clipped,
)
from zermelo.core.state import State
from zermelo.draw.graph_view import GraphArc, GraphNode, GraphSummary, GraphView
from zermelo.text.errors import UsageError
from zermelo.text.prose import count

Sketcher: TypeAlias = Callable[[State], tuple[Grid, tuple[str, ...]]]
"""What a node shows of its state: a board, and lines of text."""

MOST_NODES: Final = 500
MOST_IN_A_ROW: Final = 150
MOST_ARCS: Final = 2000
MOST_LABELS: Final = 90
"""With more curves than this only those that lead to where they began carry labels."""
MOST_PASSAGES: Final = 60
"""With more curves than this past the boxes of one row, long ones take the straight way."""
MOST_MOVES: Final = 3
LONGEST: Final = 26
"""Letters of a move or an outcome that are shown; the tooltips have them all."""

_MOST_GROUPS: Final = 6
_MOST_ENDS: Final = 12
"""Of more ways to end only so many are explained; every node tells its own."""


class Shades(NamedTuple):
    """A light and a dark colour that belong together."""

    light: str
    dark: str


# Blue and orange first: they are told apart by everybody.
PLAYERS: Final = (
    Shades("#dcebfa", "#1f5fa8"),
    Shades("#fde6cf", "#b8560b"),
    Shades("#dcf1e3", "#1e7a44"),
    Shades("#ece2f7", "#6b3fa0"),
)
NOBODY: Final = Shades("#eceff2", GREY)
_ENDINGS: Final = {
    Ending.LOSS: NodePaint("#3a3f45", "#17191c", "#ffffff"),
    Ending.DRAW: NodePaint("#66727f", "#3d4650", "#ffffff"),
    Ending.OVER: NodePaint("#8a6d1d", "#5e4a10", "#ffffff"),
    Ending.STUCK: NodePaint("#ffffff", "#b3261e", "#b3261e"),
}
OPEN: Final = NodePaint("#ffffff", GREY, is_dashed=True)


def graph_diagram(graph: GraphView, *, sketch: Sketcher | None = None) -> Diagram:
    """*graph* as a diagram; raises ``UsageError`` if it is too large to be looked at."""
    summary = graph.summary
    _refuse_large(summary)
    nodes = list(graph.nodes())
    for depth, number in sorted(Counter(node.depth for node in nodes).items()):
        if number > MOST_IN_A_ROW:
            raise UsageError(
                f"{number:,} nodes at depth {depth} are too many for one row of a drawing; it has "
                f"at most {MOST_IN_A_ROW:,}. --depth {max(depth - 1, 0)} draws what comes before"
            )
    return diagram_of(summary, nodes, graph.arcs(), sketch=sketch)


def diagram_of(
    summary: GraphSummary,
    nodes: Sequence[GraphNode],
    arcs: Iterable[GraphArc],
    *,
    sketch: Sketcher | None,
) -> Diagram:
    """The nodes and the arcs of a graph, whatever their number, as a diagram."""
    depths = sorted({node.depth for node in nodes})
    rows = {depth: row for row, depth in enumerate(depths)}
    row_of = [rows[node.depth] for node in nodes]
    drawn = tuple(_arcs(nodes, arcs, row_of, summary.players))
    sizes = f"{_counted(summary, summary.nodes)}, {count(summary.arcs, 'arc')}"
    readings = "; ".join(f"{name}: {choice}" for name, choice in summary.readings.items())
    return Diagram(
        title=summary.name,
        summary=sizes,
        description=f"{sizes}; {summary.remark}",
        warning=None if summary.cut is None else summary.remark,
        nodes=tuple(
            _node(node, row, summary.players, sketch)
            for node, row in zip(nodes, row_of, strict=True)
        ),
        arcs=drawn,
        arc_colors=tuple(shades.dark for shades in PLAYERS),
        captions=tuple(
            RowCaption(summary.nouns.after(depth), _counted(summary, row_of.count(row)))
            for row, depth in enumerate(depths)
        ),
        legend=tuple(_legend(summary, nodes, has_back=any(arc.is_dashed for arc in drawn))),
        footer=f"Read with {readings}." if readings else "",
    )


def face(node: GraphNode, sketch: Sketcher | None) -> tuple[Grid, tuple[str, ...]]:
    """What a node shows: its state if it is one and can be sketched, and what comes of it."""
    grid: Grid = ()
    shown: tuple[str, ...] = ()
    if node.size > 1:
        shown = (node.nouns.counted_states(node.size),)
    elif sketch is not None:
        grid, shown = sketch(node.state)
    if node.marks and shown:
        shown = (f"{'component' if node.size > 1 else 'node'} {node.number}", *shown)
    if node.alike > 1:
        shown = (*shown, f"{node.alike:,} alike")
    if node.prospect is not None:
        shown = (*shown, clipped(node.prospect, LONGEST))
    return grid, shown if grid or shown else (str(node.number),)


def paint(node: GraphNode, players: Sequence[str]) -> NodePaint:
    """How *node* is drawn: light while play goes on, in its winner's dark shade at the end."""
    if node.outcome is None:
        shades = _shades(node.player, players)
        if node.group is not None:
            shades = PLAYERS[node.group % len(PLAYERS)]
        return NodePaint(shades.light, shades.dark, is_dashed=node.is_open)
    if node.outcome.ending is not Ending.WIN:
        return _ENDINGS[node.outcome.ending]
    winners = node.outcome.winners
    dark = _shades(winners[0] if len(winners) == 1 else None, players).dark
    return NodePaint(dark, dark, "#ffffff")


def label_text(moves: Sequence[str]) -> str:
    """*moves* in a label.

    >>> label_text(["a", "b", "c", "d", "e"])
    'a, b, c +2'
    """
    more = len(moves) - MOST_MOVES
    listed = ", ".join(clipped(move, LONGEST) for move in moves[:MOST_MOVES])
    return f"{listed} +{more}" if more > 0 else listed


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


def _counted(summary: GraphSummary, number: int) -> str:
    if summary.is_of_components:
        return count(number, "component")
    return summary.nouns.counted_states(number)


def _shades(player: str | None, players: Sequence[str]) -> Shades:
    """Those of *player*; nobody's where there is none, or too many to tell apart."""
    if player is None or player not in players or players.index(player) >= len(PLAYERS):
        return NOBODY
    return PLAYERS[players.index(player)]


# Nodes and arcs


def _node(
    node: GraphNode, row: int, players: Sequence[str], sketch: Sketcher | None
) -> DiagramNode:
    grid, lines = face(node, sketch)
    return DiagramNode(
        key=str(node.number),
        row=row,
        lines=lines,
        tooltip=tuple(_tooltip(node)),
        grid=grid,
        paint=paint(node, players),
        has_thick_border=node.outcome is not None,
        has_double_border=node.is_trap,
    )


def _tooltip(node: GraphNode) -> Iterator[str]:
    yield f"{node.number}: {node.text}"
    if node.ending is not None:
        yield node.ending
    elif node.player is not None:
        yield f"{node.player} to move"
    if node.value is not None:
        yield f"with perfect play: {node.value}"
    if node.group is not None:
        yield f"in component {node.component}, on a cycle"
    if node.is_trap:
        yield "in a nontrivial terminal component"
    if node.is_open:
        yield "goes on beyond this drawing"


def _arcs(
    nodes: Sequence[GraphNode],
    arcs: Iterable[GraphArc],
    row_of: Sequence[int],
    players: Sequence[str],
) -> Iterator[DiagramArc]:
    """All arcs from one node to another as one, in the shade of the player who moves along it."""
    joined: dict[tuple[int, int], list[str]] = {}
    for arc in arcs:
        joined.setdefault((arc.source, arc.target), []).append(arc.label)
    has_labels = sum(source != target for source, target in joined) <= MOST_LABELS
    passing: Counter[int] = Counter()
    for ends in joined:
        upper, lower = sorted(row_of[end] for end in ends)
        passing.update(range(upper + 1, lower))
    are_many = max(passing.values(), default=0) > MOST_PASSAGES
    for (source, target), moves in joined.items():
        yield DiagramArc(
            source=source,
            target=target,
            label=label_text(moves) if has_labels or source == target else "",
            tooltip=f"{', '.join(moves)}: from {source} to {target}",
            color=_shades(nodes[source].player, players).dark,
            is_dashed=row_of[target] <= row_of[source],
            is_straight=are_many and abs(row_of[source] - row_of[target]) > 1,
        )


# The legend


def _legend(
    summary: GraphSummary, nodes: Sequence[GraphNode], *, has_back: bool
) -> Iterator[LegendEntry]:
    players = summary.players
    moving = {node.player for node in nodes if node.outcome is None}
    for player in players:
        if player in moving:
            shades = _shades(player, players)
            words = clipped(f"{player} to move", LONGEST)
            yield LegendEntry(words, NodePaint(shades.light, shades.dark))
    yield from _groups(nodes, players)
    trap = next((node for node in nodes if node.is_trap and node.group is None), None)
    if trap is not None:
        words = "in a nontrivial terminal component"
        yield LegendEntry(words, paint(trap, players), has_double_border=True)
    ends: dict[str, NodePaint] = {}
    for node in nodes:
        if node.ending is not None:
            ends.setdefault(clipped(node.ending, LONGEST), paint(node, players))
    for words, painted in sorted(ends.items())[:_MOST_ENDS]:
        yield LegendEntry(words, painted)
    if any(node.is_open for node in nodes):
        yield LegendEntry("goes on beyond this drawing", OPEN)
    if has_back:
        yield LegendEntry(f"to a {summary.nouns.state} that was there before", is_dashed_arc=True)


def _groups(nodes: Sequence[GraphNode], players: Sequence[str]) -> Iterator[LegendEntry]:
    """The nontrivial components that are told apart."""
    groups: dict[int, list[GraphNode]] = {}
    for node in nodes:
        if node.group is not None and node.outcome is None:
            groups.setdefault(node.component, []).append(node)
    for component, members in list(groups.items())[:_MOST_GROUPS]:
        size = sum(node.size for node in members)
        is_trap = members[0].is_trap
        terminal = ", terminal" if is_trap else ""
        words = f"component {component}: {count(size, 'node')} on cycles{terminal}"
        yield LegendEntry(words, paint(members[0], players), has_double_border=is_trap)
    if len(groups) > _MOST_GROUPS:
        yield LegendEntry(f"and {len(groups) - _MOST_GROUPS:,} more components with cycles")
