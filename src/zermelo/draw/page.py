"""A diagram on a page: rectangles for its nodes and curves for its arcs, in the units of the page.

Text is measured without the font at hand: the drawings ask for DejaVu Sans or Verdana, whose
letters fall into few classes of width. It comes out a little too wide rather than too narrow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import Final, TypeAlias

from zermelo.core.picture import DiagramArc, DiagramNode, NodeShape, RowCaption
from zermelo.text.source import width

Point: TypeAlias = tuple[float, float]

# The sizes of letters: at nodes, in notes, in labels; a title is bold, and so as wide as these.
LETTERS: Final = 11.0
NOTES: Final = 10.0
LABELS: Final = 9.5
TITLE: Final = 17.5
# The heights of a line at a node, and of a label.
LINE: Final = 15.0
LABEL: Final = 14.0
PADDING: Final = 6.0
"""Between the border of a box and what is in it."""
BESIDE: Final = 4.0
"""Between a circle and its words."""
RADIUS: Final = 17.0
"""Of a circle; one that many arcs meet is wider, with straight edges between round ends."""

_NEAR: Final = 3.0
"""A curve has no bend this near to its ends: its head could not be told to look there."""
_THIN: Final = frozenset("ijlI.,:;'|! ftr()[]{}/\\-")
_BROAD: Final = frozenset("mwMWOQDGN%@&<>=+~^¬…≤≥≠∧∨∈∉→")


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle on the page."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, middle: Point, width: float, height: float) -> Area:
        """The rectangle of this size with this *middle*.

        >>> Area.around((2, 3), 4, 2)
        Area(left=0.0, top=2.0, right=4.0, bottom=4.0)
        """
        x, y = middle
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


@dataclass(frozen=True, slots=True)
class Band:
    """A row on the page."""

    top: float
    bottom: float

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    def edges(self, *, is_down: bool) -> tuple[float, float]:
        """Its edges in the order in which something comes to them that leads down, or up."""
        return (self.top, self.bottom) if is_down else (self.bottom, self.top)


@dataclass(frozen=True, slots=True)
class NodeBox:
    """A node: its middle and its size."""

    node: DiagramNode
    x: float
    y: float
    width: float
    height: float

    @property
    def left(self) -> float:
        return self.x - self.width / 2

    @property
    def top(self) -> float:
        return self.y - self.height / 2

    @property
    def areas(self) -> tuple[Area, ...]:
        """What it takes of the page: itself, and the words beside it."""
        own = Area.around((self.x, self.y), self.width, self.height)
        if self.node.shape is NodeShape.BOX:
            return (own,)
        left, top = own.right + BESIDE, self.y - LINE / 2
        return own, Area(left, top, left + words_width(self.node), top + words_height(self.node))

    def edge(self, aside: float, *, is_below: bool) -> Point:
        """The point of its lower or upper edge that is *aside* of its middle."""
        deep = self.height / 2
        if self.node.shape is NodeShape.CIRCLE:
            beyond = max(0.0, abs(aside) - (self.width / 2 - RADIUS))
            deep = sqrt(RADIUS**2 - beyond**2)
        return self.x + aside, self.y + (deep if is_below else -deep)


@dataclass(frozen=True, slots=True)
class Curve:
    """The way of an arc."""

    arc: DiagramArc
    points: tuple[Point, ...]
    """Of cubic Bézier curves that follow each other."""
    label: Point | None = None

    @property
    def label_area(self) -> Area | None:
        if self.label is None:
            return None
        return Area.around(self.label, label_width(self.arc.label), LABEL)


@dataclass(frozen=True, slots=True)
class Page:
    """A diagram laid out."""

    boxes: tuple[NodeBox, ...]
    """In the order of the nodes of the diagram."""
    curves: tuple[Curve, ...]
    rows: tuple[tuple[RowCaption, Band], ...]
    """What is said of rows, and where their nodes stand."""
    cell: float
    width: float
    height: float


def words_width(node: DiagramNode) -> float:
    wide = [text_width(line, LETTERS) for line in node.lines]
    return max([*wide, *(text_width(note, NOTES) for note in node.notes)], default=0.0)


def words_height(node: DiagramNode) -> float:
    return LINE * (len(node.lines) + len(node.notes))


def label_width(text: str) -> float:
    return text_width(text, LABELS) + 2


def text_width(text: str, size: float) -> float:
    """How wide *text* is in letters of *size*.

    >>> text_width("Il", 10)
    8.0
    >>> text_width("mn", 10)
    15.3
    """
    return round(sum(map(_em, text)) * size, 1)


def _em(letter: str) -> float:
    if letter in _THIN:
        return 0.40
    if letter in _BROAD:
        return 0.88
    return 1.0 if width(letter) > 1 else 0.65


def upright(points: Sequence[Point]) -> tuple[Point, ...]:
    """Bézier curves through *points*, upright at each: the ends, and two controls for each piece.

    >>> upright([(0, 0), (4, 8)])
    ((0, 0), (0, 4.0), (4, 4.0), (4, 8))
    """
    found = [points[0]]
    for (x0, y0), (x1, y1) in pairwise(points):
        middle = (y0 + y1) / 2
        found += [(x0, middle), (x1, middle), (x1, y1)]
    return tuple(found)


def between(start: Point, inner: Sequence[Point], end: Point) -> tuple[Point, ...]:
    """The points of a way, without those so near to its ends that it would have to turn there.

    >>> between((0, 0), [(0, 1), (5, 9)], (5, 20))
    ((0, 0), (5, 9), (5, 20))
    """
    kept = [
        (x, y)
        for x, y in inner
        if all(abs(x - end_x) + abs(y - end_y) > _NEAR for end_x, end_y in (start, end))
    ]
    return (start, *kept, end)
