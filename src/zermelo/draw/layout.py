"""Where the nodes of a diagram stand on a page, and which ways its arcs take.

Labels stand in rows of their own between those of the nodes, and a curve that passes a
row has room in it: curves cross only between the rows, and none runs behind a node or
through the label of another.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

from zermelo.core.picture import Diagram, DiagramNode, NodeShape
from zermelo.draw.page import (
    BESIDE,
    LABEL,
    PADDING,
    RADIUS,
    TITLE,
    Band,
    Curve,
    NodeBox,
    Page,
    Point,
    between,
    label_width,
    text_width,
    upright,
    words_height,
    words_width,
)
from zermelo.draw.row_order import ordered, places

Ends: TypeAlias = tuple[int, int]

HEADING: Final = 16.0
"""How far from the edge of the page the title begins."""
CELL: Final = 15.0
SMALL_CELL: Final = 13.0
MANY_IN_A_ROW: Final = 20
"""With more nodes than this in a row their boards are small."""
THIN: Final = 12.0
"""The room that a curve takes in a row it passes."""
TURN: Final = 28.0
"""The room in which a curve turns that leads to a node of its own row."""
LOOP: Final = 22.0
"""How far a curve that leads to where it began goes to the side."""
LONG: Final = 300.0
"""Labels that are wider than this together stand in two rows, by their directions."""
PORT: Final = 16.0
"""Between the points where two curves meet a node, at most."""
STEEP: Final = 0.1
"""How far apart rows stand, as a part of how far to the side curves go between them."""
FREE_ENDS: Final = 3
"""Curves that meet a circle well; with more it is wider."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Spacing:
    left: float = 24.0
    right: float = 24.0
    top: float = 64.0
    bottom: float = 24.0
    narrowest: float = 200.0
    gap: float = 22.0
    """Between two nodes of a row."""
    port: float = 8.0
    """The least room at the edge of a node for each curve that meets it there."""
    between_rows: float = 20.0
    between_rows_of_nodes: float = 34.0
    most_between_rows: float = 120.0
    spreads_labels: bool = True
    """Whether the label of a long curve stands elsewhere if much stands near its end."""


_PLAIN: Final = _Spacing()
_WITH_CAPTIONS: Final = _Spacing(
    left=108.0,
    right=40.0,
    top=92.0,
    bottom=44.0,
    narrowest=560.0,
    gap=14.0,
    port=0.0,
    between_rows=24.0,
    between_rows_of_nodes=52.0,
    most_between_rows=160.0,
    spreads_labels=False,
)


def layout(diagram: Diagram) -> Page:
    return _DiagramLayout(diagram).page()


class _DiagramLayout:
    def __init__(self, diagram: Diagram) -> None:
        self.diagram = diagram
        self.spacing = _WITH_CAPTIONS if diagram.captions else _PLAIN
        self.row_of = [node.row for node in diagram.nodes]
        self.node_rows: list[int] = []
        """Where the rows of nodes are among all rows; those with labels and turns follow them."""
        self.rows: list[list[int]] = []
        """The nodes of each row, and what stands for curves that pass it."""
        self.arcs = {(arc.source, arc.target): arc for arc in diagram.arcs}
        self.ways: dict[Ends, list[int]] = {}
        """What a curve passes, its ends included."""
        self.labels: set[int] = set()
        self.sizes: dict[int, float] = {}
        self.shifts: dict[int, float] = {}
        widest = max(map(self.row_of.count, set(self.row_of)), default=0)
        self.cell = CELL if widest <= MANY_IN_A_ROW else SMALL_CELL
        self.boxes = list(self._sized())
        """The nodes with their sizes; they are not yet anywhere."""

    def page(self) -> Page:
        pieces = self._with_passages()
        self.rows = ordered(self.rows, pieces)
        found = places(self.rows, pieces, self.sizes, self.shifts)
        middles = {at: place + self.shifts.get(at, 0.0) for at, place in found.items()}
        left = min((x - self.sizes[at] / 2 for at, x in middles.items()), default=0.0)
        right = max((x + self.sizes[at] / 2 for at, x in middles.items()), default=0.0)
        whole = self.spacing.left + right - left + self.spacing.right
        title = 2 * HEADING + text_width(self.diagram.title, TITLE)
        narrowest = max(self.spacing.narrowest, title)
        first = self.spacing.left - left + max(0.0, narrowest - whole) / 2
        x = {at: first + place for at, place in found.items()}
        bands = list(self._bands(x, pieces))
        band_of = {at: band for band, row in zip(bands, self.rows, strict=True) for at in row}
        boxes = [
            NodeBox(box.node, x[at], band_of[at].middle, box.width, box.height)
            for at, box in enumerate(self.boxes)
        ]
        captions = zip(self.diagram.captions, self.node_rows, strict=False)
        return Page(
            boxes=tuple(boxes),
            curves=tuple(self._curves(boxes, x, band_of)),
            rows=tuple((caption, bands[row]) for caption, row in captions),
            cell=self.cell,
            width=max(whole, narrowest),
            height=(bands[-1].bottom if bands else self.spacing.top) + self.spacing.bottom,
        )

    # Sizes

    def _sized(self) -> Iterator[NodeBox]:
        """The nodes, which get room for their words, their loops, and the curves they meet."""
        ends = Counter(
            (end, self.row_of[beside] > self.row_of[end])
            for one, other in self.arcs
            for end, beside in ((one, other), (other, one))
        )
        for at, node in enumerate(self.diagram.nodes):
            ports = max(ends[at, False], ends[at, True])
            box = NodeBox(node, 0.0, 0.0, *self._size(node, ports))
            loop = self.arcs.get((at, at))
            aside = 0.0 if loop is None else LOOP + 4 + label_width(loop.label)
            if node.shape is NodeShape.CIRCLE:
                aside = max(aside, BESIDE + words_width(node))
            self.sizes[at] = box.width + aside + self.spacing.gap
            self.shifts[at] = aside / 2
            yield box

    def _size(self, node: DiagramNode, ports: int) -> tuple[float, float]:
        port = self.spacing.port
        if node.shape is NodeShape.CIRCLE:
            return 2 * RADIUS + port * max(0, ports - FREE_ENDS), 2 * RADIUS
        across = max([len(row) for row in node.grid], default=0) * self.cell
        down = len(node.grid) * self.cell + words_height(node)
        space = 4.0 if node.grid and node.lines else 0.0
        wide = max(across, words_width(node), 18.0) + 2 * PADDING
        return max(wide, port * (ports + 1)), down + space + 2 * PADDING

    # Rows

    def _with_passages(self) -> list[Ends]:
        """Fill the rows, and give the pieces of curves from one row to the next, downwards."""
        routed = [ends for ends, arc in self.arcs.items() if not (arc.is_loop or arc.is_straight)]
        gaps = self._label_gaps(routed)
        levels = self._levels(routed, gaps)
        count = 0
        for level in levels:
            self.node_rows.append(count)
            count += 1 + level
        self.rows = [[] for _ in range(count)]
        for node, row in enumerate(self.row_of):
            self.rows[self.node_rows[row]].append(node)
        following = len(self.boxes)
        pieces: list[Ends] = []
        for ends in routed:
            label_row = None
            if ends in gaps:
                is_second = self._is_up(ends) and levels[gaps[ends]] > 1
                label_row = self.node_rows[gaps[ends]] + (2 if is_second else 1)
            # The rows between its ends; where these are in one row, the next.
            upper, lower = sorted(self.node_rows[self.row_of[end]] for end in ends)
            inner = range(upper + 1, lower if upper < lower else upper + 2)
            way = list(range(following, following + len(inner)))
            following += len(inner)
            for at, row in zip(way, inner, strict=True):
                self.rows[row].append(at)
                self._give_room(at, ends, is_label=row == label_row)
            one, other = ends
            self.ways[ends] = [one, *(way[::-1] if self._is_up(ends) else way), other]
            if self._is_turn(ends):
                pieces += [(one, way[0]), (other, way[0])]
            else:
                pieces += pairwise([min(ends, key=self._row), *way, max(ends, key=self._row)])
        return pieces

    def _row(self, node: int) -> int:
        return self.row_of[node]

    def _is_up(self, ends: Ends) -> bool:
        return self.row_of[ends[1]] < self.row_of[ends[0]]

    def _is_turn(self, ends: Ends) -> bool:
        return self.row_of[ends[0]] == self.row_of[ends[1]]

    def _label_gaps(self, routed: Sequence[Ends]) -> dict[Ends, int]:
        """After which row of nodes the label of a curve stands."""
        load: dict[int, float] = defaultdict(float)
        found: dict[Ends, int] = {}
        for ends in routed:
            arc = self.arcs[ends]
            if not arc.label:
                continue
            upper, lower = sorted(map(self._row, ends))
            near = self._row(arc.target if arc.is_label_at_target else arc.source)
            gap = min(
                range(upper, max(lower, upper + 1)),
                key=lambda at: (load[at] / LONG + abs(at + 0.5 - near), at),
            )
            if self.spacing.spreads_labels:
                load[gap] += label_width(arc.label)
            found[ends] = gap
        return found

    def _levels(self, routed: Sequence[Ends], gaps: Mapping[Ends, int]) -> list[int]:
        """How many rows with labels or turns follow each row of nodes."""
        load: dict[tuple[int, bool], float] = defaultdict(float)
        for ends, gap in gaps.items():
            load[gap, self._is_up(ends)] += label_width(self.arcs[ends].label)
        turns = {self._row(ends[0]) for ends in routed if self._is_turn(ends)}
        found = []
        for row in range(max(self.row_of, default=-1) + 1):
            down, up = load[row, False], load[row, True]
            both = 2 if down and up and down + up > LONG else 1
            found.append(both if down or up or row in turns else 0)
        return found

    def _give_room(self, at: int, ends: Ends, *, is_label: bool) -> None:
        is_turn = self._is_turn(ends)
        self.sizes[at] = TURN if is_turn else THIN
        if is_label:
            self.labels.add(at)
            room = 12.0 + (TURN / 2 if is_turn else 0.0)
            self.sizes[at] = max(self.sizes[at], label_width(self.arcs[ends].label) + room)

    def _bands(self, x: Mapping[int, float], pieces: Sequence[Ends]) -> Iterator[Band]:
        """Where the rows lie: further apart where curves go far to the side."""
        row_of = {at: row for row, members in enumerate(self.rows) for at in members}
        far = [0.0] * len(self.rows)
        for upper, lower in pieces:
            far[row_of[upper]] = max(far[row_of[upper]], abs(x[upper] - x[lower]))
        of_nodes = set(self.node_rows)
        least, spacing = self.spacing.between_rows, self.spacing
        top = spacing.top
        for row, members in enumerate(self.rows):
            if row:
                are_nodes = {row - 1, row} <= of_nodes
                near = spacing.between_rows_of_nodes if are_nodes else least
                apart = max(near, least + STEEP * far[row - 1])
                top += min(apart, spacing.most_between_rows)
            high = max((self._height(at) for at in members), default=LABEL)
            yield Band(top, top + high)
            top += high

    def _height(self, at: int) -> float:
        """How high a row is that has room for what stands in its middle."""
        is_node = at < len(self.boxes)
        return 2 * max(area.bottom for area in self.boxes[at].areas) if is_node else LABEL

    # Curves

    def _curves(
        self, boxes: Sequence[NodeBox], x: Mapping[int, float], band_of: Mapping[int, Band]
    ) -> Iterator[Curve]:
        ports = self._ports(boxes, x)
        for ends, arc in self.arcs.items():
            one, other = ends
            label: Point | None = None
            if arc.is_loop:
                points, label = _loop(boxes[one], label_width(arc.label))
                label = label if arc.label else None
            elif arc.is_straight:
                points = upright([ports[ends, one], ports[ends, other]])
            else:
                way = self.ways[ends]
                if self._is_turn(ends):
                    start, end = ports[ends, one], ports[ends, other]
                    points = _turn(start, end, x[way[1]], self.sizes[way[1]], band_of[way[1]])
                else:
                    points = self._passage(ends, ports, x, band_of)
                label = next(((x[at], band_of[at].middle) for at in way if at in self.labels), None)
            yield Curve(arc, points, label)

    def _passage(
        self,
        ends: Ends,
        ports: Mapping[tuple[Ends, int], Point],
        x: Mapping[int, float],
        band_of: Mapping[int, Band],
    ) -> tuple[Point, ...]:
        """The curve through the room that it has in every row."""
        one, other = ends
        is_down = not self._is_up(ends)
        start, end = ports[ends, one], ports[ends, other]
        inner = [(start[0], band_of[one].edges(is_down=is_down)[1])]
        for at in self.ways[ends][1:-1]:
            inner += [(x[at], edge) for edge in band_of[at].edges(is_down=is_down)]
        inner.append((end[0], band_of[other].edges(is_down=is_down)[0]))
        return upright(between(start, inner, end))

    def _ports(
        self, boxes: Sequence[NodeBox], x: Mapping[int, float]
    ) -> dict[tuple[Ends, int], Point]:
        """Where each curve touches its two ends: spread over the upper or the lower edge."""
        sides: dict[tuple[int, bool], list[tuple[float, Ends]]] = {}
        for ends, arc in self.arcs.items():
            if arc.is_loop:
                continue
            one, other = ends
            way = self.ways.get(ends, [one, other])
            for end, far, beside in ((one, other, way[1]), (other, one, way[-2])):
                is_below = self.row_of[far] >= self.row_of[end]
                sides.setdefault((end, is_below), []).append((x[beside], ends))
        found: dict[tuple[Ends, int], Point] = {}
        for (end, is_below), curves in sides.items():
            box = boxes[end]
            pitch = min(PORT, 0.85 * box.width / len(curves))
            for place, (_, ends) in enumerate(sorted(curves)):
                aside = (place - (len(curves) - 1) / 2) * pitch
                at, y = box.edge(aside, is_below=is_below)
                # The heads stop before the border, which is thick.
                has_head = ends[1] == end or self.arcs[ends].has_two_heads
                before = 1.5 if has_head else 0.0
                found[ends, end] = (at, y + before if is_below else y - before)
        return found


def _loop(box: NodeBox, wide: float) -> tuple[tuple[Point, ...], Point]:
    """A curve from the right edge of *box* to itself, and the middle of its label."""
    x, y = box.x + box.width / 2, box.y
    out = 4 * LOOP / 3
    points = ((x, y - 6), (x + out, y - 18), (x + out, y + 18), (x + 1.5, y + 6))
    return points, (x + LOOP + 3 + wide / 2, y)


def _turn(start: Point, end: Point, x: float, size: float, band: Band) -> tuple[Point, ...]:
    """A curve down from one box and up to another in its row."""
    half = size / 2 - 4
    sign = 1.0 if start[0] < end[0] else -1.0
    one, other = (x - sign * half, band.top), (x + sign * half, band.top)
    # Its lowest point is at three quarters of the way to its controls.
    deep = band.top + (band.middle - band.top) * 4 / 3
    return (*upright([start, one]), (one[0], deep), (other[0], deep), *upright([other, end]))
