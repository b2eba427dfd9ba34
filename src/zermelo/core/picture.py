"""A state as a picture: boards with pieces, lamps, and what stands beside them.

A ``Picture`` is data: a model makes it, and the faces draw it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, TypeAlias

from zermelo.core.signature import Signature
from zermelo.core.state import State
from zermelo.core.values import TruthValue, Unset, Value
from zermelo.text.source import width

Grid: TypeAlias = tuple[tuple[str | None, ...], ...]
"""What stands in the cells of a board, row by row; ``None`` is a hole."""
Sketch: TypeAlias = tuple[Grid, tuple[str, ...]]
"""A state in very little room: a board, and a few short lines."""

MOST_CELLS: Final = 81
MOST_LINES: Final = 4
MOST_BESIDE: Final = 2
"""Lines that stand below a board; with more of them it says enough by itself."""
WIDEST_LINE: Final = 26


@dataclass(frozen=True, slots=True)
class Mark:
    """What a cell shows."""

    text: str
    tone: int | None = None
    """Marks of one tone belong together; ``None`` belongs to nobody."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a board."""

    marks: tuple[Mark, ...] = ()
    is_last: bool = False
    """Whether the last move pointed at it or changed it."""
    place: Value | None = field(default=None, compare=False, repr=False)
    """What moves call it; ``None`` where they call cells by no value."""


@dataclass(frozen=True, slots=True)
class Board:
    """A grid; ``None`` where it has a hole. A row of single values has no row labels."""

    name: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[Cell | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A variable that stands on no board, with its value."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Lamp:
    """A truth value."""

    name: str
    is_lit: bool


@dataclass(frozen=True, slots=True)
class Legend:
    """What a mark stands for."""

    mark: Mark
    name: str
    owner: str | None = None

    @property
    def is_plain(self) -> bool:
        """Whether the mark itself says all."""
        return self.name == self.mark.text and self.owner in {None, self.name}

    @property
    def words(self) -> str:
        """What the mark stands for, and whose it is."""
        return f"{self.name} ({self.owner})" if self.owner not in {None, self.name} else self.name


Spot: TypeAlias = tuple[float, float]
"""A point of a canvas: x grows to the right, y upwards."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """A thin line from one point to another; colours are ``#rrggbb``."""

    start: Spot
    end: Spot
    color: str


@dataclass(frozen=True, slots=True)
class Round:
    """A circle, or the disc inside it."""

    center: Spot
    radius: float
    color: str
    is_filled: bool = False


@dataclass(frozen=True, slots=True)
class Area:
    """A filled polygon."""

    corners: tuple[Spot, ...]
    color: str


@dataclass(frozen=True, slots=True)
class Caption:
    """A line of text in letters of one width, with its middle at a point."""

    text: str
    center: Spot
    height: float
    color: str
    is_last: bool = False
    """Whether the last move put it where no text was."""


CanvasShape: TypeAlias = Stroke | Round | Area | Caption


@dataclass(frozen=True, slots=True)
class Canvas:
    """A drawing, in the order in which it is painted."""

    width: int
    height: int
    shapes: tuple[CanvasShape, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a figure; neighbours are about one apart, x grows to the right, y downwards."""

    at: Spot
    name: str
    cell: Cell


@dataclass(frozen=True, slots=True)
class Edge:
    """A line between two points, which are given by their places among the points."""

    ends: tuple[int, int]
    name: str
    cell: Cell


@dataclass(frozen=True, slots=True)
class Figure:
    """Points and the lines between them that are played or stand on no board.

    What it shows is among the boards and entries of its picture, too, for faces that draw none.
    """

    name: str
    points: tuple[Point, ...]
    edges: tuple[Edge, ...]
    legend: tuple[Legend, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A state, ready to be drawn."""

    boards: tuple[Board, ...] = ()
    figures: tuple[Figure, ...] = field(default=(), kw_only=True)
    legend: tuple[Legend, ...] = ()
    lamps: tuple[Lamp, ...] = ()
    entries: tuple[Entry, ...] = ()
    canvas: Canvas | None = None


def beside(signature: Signature, state: State, names: Collection[str]) -> Picture:
    """The variables called *names* as they stand beside the boards: lamps and entries."""
    values = [(name, state[name]) for name in names]
    return Picture(
        lamps=tuple(
            Lamp(name, value.holds) for name, value in values if isinstance(value, TruthValue)
        ),
        entries=tuple(
            Entry(name, state.show(value))
            for name, value in values
            if not isinstance(value, TruthValue) and not _is_silent(name, value, signature)
        ),
    )


def _is_silent(name: str, value: Value, signature: Signature) -> bool:
    """Whether *value* is a result that is not known yet."""
    is_result = name == signature.result
    return isinstance(value, Unset) or (is_result and value == frozenset())


def sketched(shown: Picture, *, told: Collection[str | None]) -> Sketch:
    """*shown* in very little room, without what is *told* otherwise; nothing if it has none."""
    if len(shown.boards) > 1 or any(_size(board) > MOST_CELLS for board in shown.boards):
        return (), ()
    grid = _grid(shown.boards[0]) if shown.boards else ()
    lines = [f"{entry.name} = {entry.value}" for entry in shown.entries if entry.name not in told]
    lamps = [f"{lamp.name if lamp.is_lit else '¬' + lamp.name}" for lamp in shown.lamps]
    lines += [text for text in lamps if text.removeprefix("¬") not in told]
    most = MOST_BESIDE if grid else MOST_LINES
    has_room = len(lines) <= most and all(width(line) <= WIDEST_LINE for line in lines)
    return grid, tuple(lines) if has_room else ()


def _size(board: Board) -> int:
    return len(board.rows) * len(board.columns)


def _grid(board: Board) -> Grid:
    return tuple(tuple(map(_cell, row)) for row in board.cells)


def _cell(cell: Cell | None) -> str | None:
    return None if cell is None else " ".join(mark.text for mark in cell.marks)


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
