"""A small graph laid out on a page: boxes in rows, one row a ply, and curves between them.

Comes in a graph and what its nodes show; goes out where everything stands, in the
units of the page. Nothing here knows how it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from zermelo.core.machine import State
from zermelo.exchange.layered import ordered, places
from zermelo.exchange.shown import ShownArc, ShownNode
from zermelo.text.source import width

Grid: TypeAlias = tuple[tuple[str | None, ...], ...]
"""The cells of a board, row by row; ``None`` is a hole."""
Sketcher: TypeAlias = Callable[[State], tuple[Grid, tuple[str, ...]]]
"""What a node shows of its state: a board, and lines of text."""

LETTER: Final = 6.3
"""How wide a letter of the text is, on average."""
LINE: Final = 15.0
CELL: Final = 15.0
SMALL_CELL: Final = 13.0
MANY_IN_A_ROW: Final = 20
"""With more nodes than this in a row they are drawn small."""
PADDING: Final = 6.0
LEFT: Final = 96.0
"""The margin in which the plies are counted."""
RIGHT: Final = 40.0
TOP: Final = 92.0
NARROWEST: Final = 560.0
"""A page has room for its heading."""
MOST_LABELS: Final = 90
"""With more curves than this they carry no labels, which would hide each other."""
MOST_MOVES: Final = 3
"""Moves that a label lists."""
LONGEST: Final = 26
"""Letters of a move or an outcome that are shown; the tooltips have them all."""

FLAT: Final = 320.0
"""Curves that go further than this to the side carry their labels near their ends."""

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """A node: its middle, its size, and what it shows."""

    node: ShownNode
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


@dataclass(frozen=True, slots=True)
class Curve:
    """All arcs from one node to another, drawn as one."""

    source: int
    target: int
    points: tuple[Point, Point, Point, Point]
    """Of a cubic Bézier curve."""
    moves: tuple[str, ...]
    is_back: bool
    """Whether it leads to a state that is not further away than its own."""
    label: Point | None = None
    """The middle of its label, where there is room for one."""

    @property
    def text(self) -> str:
        """The moves in a label."""
        more = len(self.moves) - MOST_MOVES
        listed = ", ".join(map(clipped, self.moves[:MOST_MOVES]))
        return f"{listed} +{more}" if more > 0 else listed


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


def drawing(
    nodes: Sequence[ShownNode], arcs: Sequence[ShownArc], *, sketch: Sketcher | None
) -> Drawing:
    """*nodes* and *arcs* laid out."""
    return _Page(nodes, arcs, sketch).drawing()


class _Page:
    """The measures of one drawing."""

    def __init__(
        self, nodes: Sequence[ShownNode], arcs: Sequence[ShownArc], sketch: Sketcher | None
    ) -> None:
        self._faces = {node.number: face(node, sketch) for node in nodes}
        self._joined: dict[tuple[int, int], list[str]] = {}
        for arc in arcs:
            self._joined.setdefault((arc.source, arc.target), []).append(arc.label)
        levels: dict[int, list[int]] = {}
        for node in nodes:
            levels.setdefault(node.depth, []).append(node.number)
        self._depths = sorted(levels)
        self._levels = [levels[depth] for depth in self._depths]
        self._nodes = {node.number: node for node in nodes}
        widest = max(map(len, self._levels))
        self._cell = CELL if widest <= MANY_IN_A_ROW else SMALL_CELL
        self._has_labels = len(self._joined) <= MOST_LABELS
        self._sizes = {number: self._size(*shown) for number, shown in self._faces.items()}
        self._column = max(size[0] for size in self._sizes.values()) + self._gap(widest)
        self._between = min(58.0 + 4.0 * widest, 240.0)

    def drawing(self) -> Drawing:
        """Everything in its place."""
        rows = ordered(self._levels, self._joined)
        place = places(rows, self._joined)
        bands = list(self._bands())
        first = max(size[0] for size in self._sizes.values()) / 2
        whole = LEFT + 2 * first + max(place.values()) * self._column + RIGHT
        first += max(0.0, NARROWEST - whole) / 2
        boxes: dict[int, Box] = {}
        for row, band in zip(rows, bands, strict=True):
            for number in row:
                wide, high = self._sizes[number]
                x = LEFT + first + place[number] * self._column
                y = band.top + band.height / 2
                boxes[number] = Box(self._nodes[number], x, y, wide, high, *self._faces[number])
        curves = list(self._curves(boxes))
        if self._has_labels:
            curves = list(_labelled(curves, list(boxes.values())))
        return Drawing(
            boxes=tuple(boxes[number] for number in sorted(boxes)),
            curves=tuple(curves),
            rows=tuple(bands),
            cell=self._cell,
            width=max(whole, NARROWEST),
            height=bands[-1].top + bands[-1].height + 44.0,
        )

    def _gap(self, widest: int) -> float:
        """The room between two boxes, with half a label where that does not tear rows apart."""
        if not self._has_labels or widest > MANY_IN_A_ROW:
            return 12.0
        return 12.0 + 0.5 * LETTER * max((width(m[0]) for m in self._joined.values()), default=0)

    def _size(self, grid: Grid, lines: Sequence[str]) -> tuple[float, float]:
        across = max([len(row) for row in grid], default=0) * self._cell
        text = max([width(line) for line in lines], default=0) * LETTER
        down = len(grid) * self._cell + len(lines) * LINE
        space = 4.0 if grid and lines else 0.0
        return max(across, text, 18.0) + 2 * PADDING, down + space + 2 * PADDING

    def _bands(self) -> Iterator[Row]:
        top = TOP
        for depth, level in zip(self._depths, self._levels, strict=True):
            height = max(self._sizes[number][1] for number in level)
            yield Row(depth, len(level), top, height)
            top += height + self._between

    def _curves(self, boxes: Mapping[int, Box]) -> Iterator[Curve]:
        for (source, target), moves in self._joined.items():
            is_mutual = (target, source) in self._joined
            points, is_back = _points(
                boxes[source], boxes[target], self._between, is_mutual=is_mutual
            )
            yield Curve(source, target, points, tuple(moves), is_back)


def clipped(text: str) -> str:
    """*text*, cut where it would be too long for a drawing.

    >>> clipped("over: {first player wins, second player wins}")
    'over: {first player wins, …'
    """
    return text if width(text) <= LONGEST else f"{text[: LONGEST - 1].rstrip()} …"


def face(node: ShownNode, sketch: Sketcher | None) -> tuple[Grid, tuple[str, ...]]:
    """What a node shows: its state if it is one and can be sketched, and how it ends."""
    grid: Grid = ()
    shown: tuple[str, ...] = ()
    if node.size > 1:
        shown = (f"{node.size:,} states",)
    elif sketch is not None:
        grid, shown = sketch(node.state)
    if node.marks and shown:
        shown = (f"{'component' if node.size > 1 else 'node'} {node.number}", *shown)
    if node.ending is not None:
        shown = (*shown, clipped(node.ending))
    return grid, shown if grid or shown else (str(node.number),)


def _points(
    source: Box, target: Box, between: float, *, is_mutual: bool
) -> tuple[tuple[Point, Point, Point, Point], bool]:
    """The curve from one box to the other, and whether it leads back.

    What leads down and what leads back up keep to their own sides where there is both.
    """
    aside = min(source.width, target.width) / 4
    left = aside if is_mutual else 0.0
    if source is target:
        x, y, out = source.x + source.width / 2, source.y, 26.0
        return ((x, y - 5), (x + out, y - 16), (x + out, y + 16), (x, y + 5)), True
    if target.y > source.y:
        bend = 0.5 * (target.top - source.bottom)
        start, end = (source.x - left, source.bottom), (target.x - left, target.top - 2)
        return (start, (start[0], start[1] + bend), (end[0], end[1] - bend), end), False
    if target.y == source.y:
        # Below the row, deeper the further it goes.
        sign = 1.0 if target.x > source.x else -1.0
        deep = min(18.0 + 0.12 * abs(target.x - source.x), 0.62 * between)
        start = (source.x + sign * aside, source.bottom)
        end = (target.x - sign * aside / 2, target.bottom + 2)
        return (start, (start[0], start[1] + deep), (end[0], end[1] + deep), end), True
    bend = 0.5 * (source.top - target.bottom)
    start, end = (source.x + aside, source.top), (target.x + aside, target.bottom + 2)
    return (start, (start[0], start[1] - bend), (end[0], end[1] + bend), end), True


# Labels


def _labelled(curves: Sequence[Curve], boxes: Sequence[Box]) -> Iterator[Curve]:
    """The curves with labels where these hide neither a box nor each other."""
    taken = [(b.x - b.width / 2, b.top, b.x + b.width / 2, b.bottom) for b in boxes]
    for curve in curves:
        half = (width(curve.text) * LETTER * 0.9) / 2
        found: Point | None = None
        for part in _tried(curve):
            x, y = along(curve.points, part)
            area = (x - half - 1, y - 6.5, x + half + 1, y + 6.5)
            if not any(_overlap(area, other) for other in taken):
                taken.append(area)
                found = (x, y)
                break
        yield Curve(curve.source, curve.target, curve.points, curve.moves, curve.is_back, found)


def _tried(curve: Curve) -> tuple[float, ...]:
    """Where on its way a label is tried: of curves that run side by side only the ends part."""
    is_flat = abs(curve.points[3][0] - curve.points[0][0]) > FLAT
    if is_flat:
        return (0.9, 0.87, 0.84, 0.93, 0.8, 0.75, 0.1, 0.15)
    return (0.5, 0.6, 0.4, 0.7, 0.3, 0.78, 0.22)


def along(points: tuple[Point, Point, Point, Point], part: float) -> Point:
    """The point of a Bézier curve at *part* of its way.

    >>> along(((0, 0), (0, 4), (8, 4), (8, 8)), 0.5)
    (4.0, 4.0)
    """
    rest = 1 - part
    weights = (rest**3, 3 * rest**2 * part, 3 * rest * part**2, part**3)
    return (
        sum(weight * point[0] for weight, point in zip(weights, points, strict=True)),
        sum(weight * point[1] for weight, point in zip(weights, points, strict=True)),
    )


def _overlap(
    one: tuple[float, float, float, float], other: tuple[float, float, float, float]
) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
