"""A diagram as data: nodes in rows, arcs between them, and the words around them.

Whoever knows what a net or a graph means makes one; ``draw`` finds the places of its
nodes and the ways of its arcs, and writes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from zermelo.text.source import width

Grid: TypeAlias = tuple[tuple[str | None, ...], ...]
"""The cells of a board, row by row; ``None`` is a hole."""

GREY: Final = "#66727f"
"""The colour of arcs that have no other."""


class NodeShape(Enum):
    """A box has its words inside, a circle has them at its right."""

    BOX = "box"
    CIRCLE = "circle"


@dataclass(frozen=True, slots=True)
class NodePaint:
    """The colours and the border of a node."""

    fill: str = "#ffffff"
    stroke: str = "#1f2933"
    ink: str = "#1f2933"
    is_dashed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagramNode:
    """A node; what is cut in *lines* and *notes* is whole in *label* and *tooltip*."""

    key: str
    """What other programs call it: a word of letters and digits."""
    row: int = 0
    """Counted from the top; every row up to the last has a node."""
    shape: NodeShape = NodeShape.BOX
    label: str = ""
    lines: tuple[str, ...]
    notes: tuple[str, ...] = ()
    """Small lines below the others."""
    tooltip: tuple[str, ...]
    """Lines, of which the first names the node."""
    tokens: int = 0
    """The dots in a circle."""
    grid: Grid = ()
    """A board in a box, above the lines."""
    paint: NodePaint = NodePaint()
    has_thick_border: bool = False
    has_double_border: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagramArc:
    """An arc between two nodes, which are given by their places in the diagram."""

    source: int
    target: int
    label: str = ""
    """What stands upon it; nothing does where this is empty."""
    texts: tuple[str, ...] = ()
    """The whole labels of the arcs that are drawn as one here, where these are arcs of a net."""
    tooltip: str
    color: str = GREY
    is_dashed: bool = False
    has_two_heads: bool = False
    is_straight: bool = False
    """Whether it leads straight to its end, no matter what stands in the rows between."""
    is_label_at_target: bool = False
    """Whether the label belongs near the target, and not near the source."""

    @property
    def is_loop(self) -> bool:
        return self.source == self.target


@dataclass(frozen=True, slots=True)
class RowCaption:
    """What stands to the left of a row."""

    text: str
    note: str


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """What a colour or a border means; without *paint* nothing stands before the words."""

    text: str
    paint: NodePaint | None = None
    has_double_border: bool = False
    is_dashed_arc: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagram:
    """Nodes, arcs, and what is written around them."""

    title: str
    summary: str
    """What it has: a line below the title."""
    description: str
    warning: str | None = None
    """What is missing in it."""
    nodes: tuple[DiagramNode, ...]
    arcs: tuple[DiagramArc, ...]
    """No two of them lead from the same node to the same node."""
    arc_colors: tuple[str, ...] = ()
    """The colours that arcs have, other than grey."""
    captions: tuple[RowCaption, ...] = ()
    """One for each row, or none at all."""
    legend: tuple[LegendEntry, ...] = ()
    footer: str = ""


def clipped(text: str, longest: int) -> str:
    """*text*, cut where it would be too long for a diagram.

    >>> clipped("a rather long name of a place", 24)
    'a rather long name of a …'
    """
    return text if width(text) <= longest else f"{text[: longest - 1].rstrip()} …"
