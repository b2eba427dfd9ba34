"""A diagram on a page: rectangles for its nodes and curves for its arcs, in the units of the page.

Nothing here knows how places are found, nor how they are written. Text is measured
without the font at hand: the drawings ask for DejaVu Sans or Verdana, whose letters are
alike in width and fall into few classes. It comes out a little too wide rather than too
narrow.
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

LETTERS: Final = 11.0
"""The size of the letters at nodes."""
NOTES: Final = 10.0
"""The size of the letters of notes."""
LABELS: Final = 9.5
"""The size of the letters of labels."""
TITLE: Final = 17.5
"""The size of the letters of a title, which are bold and so as wide as these."""
LINE: Final = 15.0
"""The height of a line at a node."""
LABEL: Final = 14.0
"""The height of a label."""
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
_EM_THIN: Final = 0.40
_EM_MIDDLE: Final = 0.65
_EM_BROAD: Final = 0.88
_EM_WHOLE: Final = 1.0


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

    def overlaps(self, other: Area) -> bool:
        """Whether they have more than a border in common.

        >>> Area(0, 0, 2, 2).overlaps(Area(1, 1, 3, 3))
        True
        >>> Area(0, 0, 2, 2).overlaps(Area(2, 0, 3, 2))
        False
        """
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


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
    def bottom(self) -> float:
        return self.y + self.height / 2

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
    """The middle of its label, if it has one."""

    @property
    def label_area(self) -> Area | None:
        """What its label takes of the page."""
        if self.label is None:
            return None
        return Area.around(self.label, label_width(self.arc.label), LABEL)


@dataclass(frozen=True, slots=True)
class CaptionedRow:
    """The band in which the nodes of a row stand, and what is said of it."""

    caption: RowCaption
    band: Band


@dataclass(frozen=True, slots=True)
class Page:
    """A diagram laid out."""

    boxes: tuple[NodeBox, ...]
    """In the order of the nodes of the diagram."""
    curves: tuple[Curve, ...]
    rows: tuple[CaptionedRow, ...]
    cell: float
    """How wide and high the cells of boards are."""
    width: float
    height: float


def words_width(node: DiagramNode) -> float:
    """How wide what is written at *node* is."""
    wide = [text_width(line, LETTERS) for line in node.lines]
    return max([*wide, *(text_width(note, NOTES) for note in node.notes)], default=0.0)


def words_height(node: DiagramNode) -> float:
    """How high the lines that are written at *node* are."""
    return LINE * (len(node.lines) + len(node.notes))


def label_width(text: str) -> float:
    """How wide *text* is upon an arc."""
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
        return _EM_THIN
    if letter in _BROAD:
        return _EM_BROAD
    return _EM_WHOLE if width(letter) > 1 else _EM_MIDDLE


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
    kept = [each for each in inner if _is_apart(each, start) and _is_apart(each, end)]
    return (start, *kept, end)


def _is_apart(one: Point, other: Point) -> bool:
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) > _NEAR


def along(curve: Sequence[Point], part: float) -> Point:
    """The point at *part* of the way of Bézier curves that follow each other.

    >>> along([(0, 0), (0, 4), (8, 4), (8, 8)], 0.5)
    (4.0, 4.0)
    """
    pieces = (len(curve) - 1) // 3
    piece = min(int(part * pieces), pieces - 1)
    done = part * pieces - piece
    rest = 1 - done
    weights = (rest**3, 3 * rest**2 * done, 3 * rest * done**2, done**3)
    points = curve[3 * piece : 3 * piece + 4]
    return (
        sum(weight * x for weight, (x, _) in zip(weights, points, strict=True)),
        sum(weight * y for weight, (_, y) in zip(weights, points, strict=True)),
    )
