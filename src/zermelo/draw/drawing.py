"""A small graph on a page: boxes in rows, one row a ply, and curves between them.

What a drawing is made of, in the units of the page. Nothing here knows where things
come to stand, nor how they are written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from zermelo.core.machine import State
from zermelo.draw.graph_view import GraphNode
from zermelo.draw.letters import text_width
from zermelo.draw.shapes import Area, Point
from zermelo.text.source import width

Grid: TypeAlias = tuple[tuple[str | None, ...], ...]
"""The cells of a board, row by row; ``None`` is a hole."""
Sketcher: TypeAlias = Callable[[State], tuple[Grid, tuple[str, ...]]]
"""What a node shows of its state: a board, and lines of text."""

LETTER: Final = 6.3
"""How wide a letter of the text is, on average."""
SMALL: Final = 9.5
"""The size of the letters of labels."""
LINE: Final = 15.0
LABEL: Final = 14.0
"""The height of a label."""
MOST_MOVES: Final = 3
"""Moves that a label lists."""
LONGEST: Final = 26
"""Letters of a move or an outcome that are shown; the tooltips have them all."""


@dataclass(frozen=True, slots=True)
class Box:
    """A node: its middle, its size, and what it shows."""

    node: GraphNode
    x: float
    y: float
    width: float
    height: float
    grid: Grid
    lines: tuple[str, ...]

    @property
    def top(self) -> float:
        """Its upper edge."""
        return self.y - self.height / 2

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.y + self.height / 2

    @property
    def area(self) -> Area:
        """What it takes of the page."""
        return Area.around((self.x, self.y), self.width, self.height)


@dataclass(frozen=True, slots=True)
class Curve:
    """All arcs from one node to another, drawn as one."""

    source: int
    target: int
    points: tuple[Point, ...]
    """Of cubic Bézier curves that follow each other."""
    moves: tuple[str, ...]
    is_back: bool
    """Whether it leads to a state that is not further away than its own."""
    label: Point | None = None
    """The middle of its label, where there is room for one."""

    @property
    def text(self) -> str:
        """The moves in a label."""
        return label_text(self.moves)

    @property
    def label_area(self) -> Area | None:
        """What its label takes of the page."""
        if self.label is None:
            return None
        return Area.around(self.label, label_width(self.moves), LABEL)


@dataclass(frozen=True, slots=True)
class Row:
    """A ply and the band in which its nodes stand."""

    depth: int
    nodes: int
    top: float
    height: float


@dataclass(frozen=True, slots=True)
class Drawing:
    """A graph on a page."""

    boxes: tuple[Box, ...]
    curves: tuple[Curve, ...]
    rows: tuple[Row, ...]
    cell: float
    width: float
    height: float


def clipped(text: str) -> str:
    """*text*, cut where it would be too long for a drawing.

    >>> clipped("over: {first player wins, second player wins}")
    'over: {first player wins, …'
    """
    return text if width(text) <= LONGEST else f"{text[: LONGEST - 1].rstrip()} …"


def face(node: GraphNode, sketch: Sketcher | None) -> tuple[Grid, tuple[str, ...]]:
    """What a node shows: its state if it is one and can be sketched, and how it ends."""
    grid: Grid = ()
    shown: tuple[str, ...] = ()
    if node.size > 1:
        shown = (node.nouns.counted_states(node.size),)
    elif sketch is not None:
        grid, shown = sketch(node.state)
    if node.marks and shown:
        shown = (f"{'component' if node.size > 1 else 'node'} {node.number}", *shown)
    if node.ending is not None:
        shown = (*shown, clipped(node.ending))
    return grid, shown if grid or shown else (str(node.number),)


def label_text(moves: Sequence[str]) -> str:
    """*moves* in a label.

    >>> label_text(["a", "b", "c", "d", "e"])
    'a, b, c +2'
    """
    more = len(moves) - MOST_MOVES
    listed = ", ".join(map(clipped, moves[:MOST_MOVES]))
    return f"{listed} +{more}" if more > 0 else listed


def label_width(moves: Sequence[str]) -> float:
    """How wide a label with *moves* is."""
    return text_width(label_text(moves), SMALL) + 2
