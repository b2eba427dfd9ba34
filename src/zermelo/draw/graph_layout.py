"""Where the nodes of a small graph stand on a page, and which ways its curves take.

Labels stand in rows of their own between those of the boxes, and a curve that passes a
row has room in it: curves cross only between the rows, and none runs behind a box.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, TypeAlias

from zermelo.draw.drawing import (
    LABEL,
    LINE,
    Box,
    Curve,
    Drawing,
    Grid,
    Row,
    Sketcher,
    face,
    label_width,
)
from zermelo.draw.graph_view import GraphArc, GraphNode
from zermelo.draw.layered import ordered, places
from zermelo.draw.letters import text_width
from zermelo.draw.shapes import Band, Point, between, upright

Ends: TypeAlias = tuple[int, int]
"""The nodes that a curve leads from and to."""

LETTERS: Final = 11.0
"""The size of the letters of what nodes show."""
CELL: Final = 15.0
SMALL_CELL: Final = 13.0
MANY_IN_A_ROW: Final = 20
"""With more nodes than this in a row they are drawn small."""
PADDING: Final = 6.0
GAP: Final = 14.0
"""Between two boxes of a row."""
LEFT: Final = 108.0
"""The margin in which the plies are counted."""
RIGHT: Final = 40.0
TOP: Final = 92.0
NARROWEST: Final = 560.0
"""A page has room for its heading."""
MOST_LABELS: Final = 90
"""With more curves than this only those that lead to where they began carry labels."""
MOST_PASSAGES: Final = 60
"""With more curves than this past the boxes of one row, long ones take the straight way."""
THIN: Final = 12.0
"""The room that a curve takes in a row it passes."""
TURN: Final = 28.0
"""The room in which a curve turns that leads to a node of its own row."""
LOOP: Final = 22.0
"""How far a curve that leads to where it began goes to the side."""
LONG: Final = 300.0
"""Labels that are wider than this together stand in two rows, by their directions."""
PORT: Final = 16.0
"""Between the points where two curves meet a box, at most."""
STEEP: Final = 0.1
"""How far apart rows stand, as a part of how far to the side curves go between them."""
LEAST_BETWEEN: Final = 24.0
LEAST_BETWEEN_BOXES: Final = 52.0
MOST_BETWEEN: Final = 160.0


def drawing(
    nodes: Sequence[GraphNode], arcs: Sequence[GraphArc], *, sketch: Sketcher | None
) -> Drawing:
    """*nodes* and *arcs* laid out."""
    return _Page(nodes, arcs, sketch).drawing()


@dataclass(frozen=True, slots=True)
class _Kind:
    """A row: that of a ply, or one of those that follow it, with labels or turning curves."""

    ply: int
    level: int | None = None


@dataclass(slots=True)
class _Page:
    """The measures of one drawing."""

    nodes: Sequence[GraphNode]
    arcs: Sequence[GraphArc]
    sketch: Sketcher | None
    joined: dict[Ends, list[str]] = field(default_factory=dict)
    faces: dict[int, tuple[Grid, tuple[str, ...]]] = field(init=False)
    depths: list[int] = field(init=False)
    ply_of: dict[int, int] = field(init=False)
    cell: float = field(init=False)
    boxes: dict[int, tuple[float, float]] = field(init=False)
    """How wide and how high the box of each node is."""
    has_labels: bool = field(init=False)
    is_direct: bool = field(init=False)
    """Whether curves over several rows do not heed what is in them."""
    kinds: list[_Kind] = field(default_factory=list)
    rows: list[list[int]] = field(default_factory=list)
    """The nodes of each row, and what stands for curves that pass it."""
    ways: dict[Ends, list[int]] = field(default_factory=dict)
    """What a curve passes, its ends included."""
    labels: set[int] = field(default_factory=set)
    """What stands for a label."""
    sizes: dict[int, float] = field(default_factory=dict)
    shifts: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for arc in self.arcs:
            self.joined.setdefault((arc.source, arc.target), []).append(arc.label)
        self.faces = {node.number: face(node, self.sketch) for node in self.nodes}
        self.depths = sorted({node.depth for node in self.nodes})
        plies = {depth: at for at, depth in enumerate(self.depths)}
        self.ply_of = {node.number: plies[node.depth] for node in self.nodes}
        members = list(self.ply_of.values())
        widest = max(members.count(ply) for ply in range(len(self.depths)))
        self.cell = CELL if widest <= MANY_IN_A_ROW else SMALL_CELL
        self.boxes = {number: self._size(*shown) for number, shown in self.faces.items()}
        self.has_labels = sum(one != other for one, other in self.joined) <= MOST_LABELS
        self.is_direct = max(self._passing().values(), default=0) > MOST_PASSAGES

    def drawing(self) -> Drawing:
        """Everything in its place."""
        self._measure()
        pieces = self._with_passages()
        self.rows = ordered(self.rows, pieces)
        found = places(self.rows, pieces, self.sizes, self.shifts)
        left = min(self._edge(at, found, -1) for at in found)
        right = max(self._edge(at, found, 1) for at in found)
        whole = LEFT + right - left + RIGHT
        first = LEFT - left + max(0.0, NARROWEST - whole) / 2
        x = {at: first + place for at, place in found.items()}
        bands = list(self._bands(x, pieces))
        band_of = {at: band for band, row in zip(bands, self.rows, strict=True) for at in row}
        boxes = {
            node.number: Box(
                node,
                x[node.number],
                band_of[node.number].middle,
                *self.boxes[node.number],
                *self.faces[node.number],
            )
            for node in sorted(self.nodes, key=lambda node: node.number)
        }
        return Drawing(
            boxes=tuple(boxes.values()),
            curves=tuple(self._curves(boxes, x, band_of)),
            rows=tuple(self._plies(bands)),
            cell=self.cell,
            width=max(whole, NARROWEST),
            height=bands[-1].bottom + 44.0,
        )

    def _edge(self, at: int, x: Mapping[int, float], sign: int) -> float:
        return x[at] + self.shifts.get(at, 0.0) + sign * self.sizes[at] / 2

    # Sizes

    def _size(self, grid: Grid, lines: Sequence[str]) -> tuple[float, float]:
        across = max([len(row) for row in grid], default=0) * self.cell
        text = max([text_width(line, LETTERS) for line in lines], default=0.0)
        down = len(grid) * self.cell + len(lines) * LINE
        space = 4.0 if grid and lines else 0.0
        return max(across, text, 18.0) + 2 * PADDING, down + space + 2 * PADDING

    def _measure(self) -> None:
        """The room of each node; one with an arc to itself has room for it at its right."""
        for number, (wide, _) in self.boxes.items():
            loop = self.joined.get((number, number))
            aside = 0.0 if loop is None else LOOP + 4 + label_width(loop)
            self.sizes[number] = wide + aside + GAP
            self.shifts[number] = aside / 2

    # Rows

    def _passing(self) -> dict[int, int]:
        """How many curves pass the boxes of which ply."""
        found: dict[int, int] = {}
        for one, other in self.joined:
            upper, lower = sorted((self.ply_of[one], self.ply_of[other]))
            for ply in range(upper + 1, lower):
                found[ply] = found.get(ply, 0) + 1
        return found

    def _is_routed(self, ends: Ends) -> bool:
        """Whether a curve has room in the rows that it passes."""
        one, other = ends
        if one == other:
            return False
        return not self.is_direct or abs(self.ply_of[one] - self.ply_of[other]) <= 1

    def _spot_of_label(self, ends: Ends) -> tuple[int, bool]:
        """The ply that the label of a curve follows, and whether the curve leads up there."""
        one, other = self.ply_of[ends[0]], self.ply_of[ends[1]]
        return (one - 1, True) if other < one else (one, False)

    def _levels(self) -> list[int]:
        """How many rows with labels or turns follow each ply."""
        load: dict[tuple[int, bool], float] = {}
        turns: set[int] = set()
        for ends, moves in self.joined.items():
            if not self._is_routed(ends):
                continue
            if self.has_labels:
                where = self._spot_of_label(ends)
                load[where] = load.get(where, 0.0) + label_width(moves)
            if self.ply_of[ends[0]] == self.ply_of[ends[1]]:
                turns.add(self.ply_of[ends[0]])
        found = []
        for ply in range(len(self.depths)):
            down, up = load.get((ply, False), 0.0), load.get((ply, True), 0.0)
            both = 2 if down and up and down + up > LONG else 1
            found.append(both if down or up or ply in turns else 0)
        return found

    def _with_passages(self) -> list[Ends]:
        """Fill the rows, and give the pieces of curves from one row to the next, downwards."""
        levels = self._levels()
        for ply, count in enumerate(levels):
            self.kinds += [_Kind(ply), *(_Kind(ply, level) for level in range(count))]
        row_at = {kind: at for at, kind in enumerate(self.kinds)}
        self.rows = [[] for _ in self.kinds]
        for number, ply in self.ply_of.items():
            self.rows[row_at[_Kind(ply)]].append(number)
        following = max(self.ply_of) + 1
        pieces: list[Ends] = []
        for ends in self.joined:
            if not self._is_routed(ends):
                continue
            label, is_up = self._spot_of_label(ends)
            kind = _Kind(label, 1 if is_up and levels[label] > 1 else 0)
            inner = self._inner_rows(ends, row_at)
            way = list(range(following, following + len(inner)))
            following += len(inner)
            for at, row in zip(way, inner, strict=True):
                self.rows[row].append(at)
                self._give_room(at, ends, is_label=self.has_labels and self.kinds[row] == kind)
            one, other = ends
            is_down = self.ply_of[one] <= self.ply_of[other]
            self.ways[ends] = [one, *(way if is_down else way[::-1]), other]
            if self.ply_of[one] == self.ply_of[other]:
                pieces += [(one, way[0]), (other, way[0])]
            else:
                pieces += pairwise(self.ways[ends] if is_down else self.ways[ends][::-1])
        return pieces

    def _inner_rows(self, ends: Ends, row_at: Mapping[_Kind, int]) -> range:
        """The rows between the ends of a curve; where these are in one row, the next."""
        upper, lower = sorted(row_at[_Kind(self.ply_of[end])] for end in ends)
        return range(upper + 1, lower) if upper < lower else range(upper + 1, upper + 2)

    def _give_room(self, at: int, ends: Ends, *, is_label: bool) -> None:
        is_turn = self.ply_of[ends[0]] == self.ply_of[ends[1]]
        self.sizes[at] = TURN if is_turn else THIN
        if is_label:
            self.labels.add(at)
            room = 12.0 + (TURN / 2 if is_turn else 0.0)
            self.sizes[at] = max(self.sizes[at], label_width(self.joined[ends]) + room)

    def _bands(self, x: Mapping[int, float], pieces: Sequence[Ends]) -> Iterator[Band]:
        """Where the rows lie: further apart where curves go far to the side."""
        row_of = {at: row for row, members in enumerate(self.rows) for at in members}
        far = [0.0] * len(self.rows)
        for upper, lower in pieces:
            far[row_of[upper]] = max(far[row_of[upper]], abs(x[upper] - x[lower]))
        top = TOP
        for row, (kind, members) in enumerate(zip(self.kinds, self.rows, strict=True)):
            if row:
                are_boxes = kind.level is None and self.kinds[row - 1].level is None
                least = LEAST_BETWEEN_BOXES if are_boxes else LEAST_BETWEEN
                top += min(max(least, LEAST_BETWEEN + STEEP * far[row - 1]), MOST_BETWEEN)
            high = LABEL
            if kind.level is None:
                high = max(self.boxes[at][1] for at in members if at in self.boxes)
            yield Band(top, top + high)
            top += high

    def _plies(self, bands: Sequence[Band]) -> Iterator[Row]:
        for kind, members, band in zip(self.kinds, self.rows, bands, strict=True):
            if kind.level is None:
                count = sum(at in self.boxes for at in members)
                yield Row(self.depths[kind.ply], count, band.top, band.bottom - band.top)

    # Curves

    def _curves(
        self, boxes: Mapping[int, Box], x: Mapping[int, float], band_of: Mapping[int, Band]
    ) -> Iterator[Curve]:
        ports = self._ports(boxes, x)
        for ends, moves in self.joined.items():
            one, other = ends
            is_back = self.ply_of[other] <= self.ply_of[one]
            label: Point | None = None
            if one == other:
                points, label = _loop(boxes[one], label_width(moves))
            elif ends not in self.ways:
                points = upright([ports[ends, one], ports[ends, other]])
            else:
                way = self.ways[ends]
                if self.ply_of[one] == self.ply_of[other]:
                    start, end = ports[ends, one], ports[ends, other]
                    points = _turn(start, end, x[way[1]], self.sizes[way[1]], band_of[way[1]])
                else:
                    points = self._passage(ends, ports, x, band_of)
                label = next(((x[at], band_of[at].middle) for at in way if at in self.labels), None)
            yield Curve(one, other, points, tuple(moves), is_back, label)

    def _passage(
        self,
        ends: Ends,
        ports: Mapping[tuple[Ends, int], Point],
        x: Mapping[int, float],
        band_of: Mapping[int, Band],
    ) -> tuple[Point, ...]:
        """The curve through the room that it has in every row."""
        one, other = ends
        is_down = self.ply_of[one] < self.ply_of[other]
        start, end = ports[ends, one], ports[ends, other]
        inner = [(start[0], band_of[one].edges(is_down=is_down)[1])]
        for at in self.ways[ends][1:-1]:
            inner += [(x[at], edge) for edge in band_of[at].edges(is_down=is_down)]
        inner.append((end[0], band_of[other].edges(is_down=is_down)[0]))
        return upright(between(start, inner, end))

    def _ports(
        self, boxes: Mapping[int, Box], x: Mapping[int, float]
    ) -> dict[tuple[Ends, int], Point]:
        """Where each curve touches its two ends: spread over the upper or the lower edge."""
        sides: dict[tuple[int, bool], list[tuple[float, Ends]]] = {}
        for ends in self.joined:
            one, other = ends
            if one == other:
                continue
            way = self.ways.get(ends, [one, other])
            for end, far, beside in ((one, other, way[1]), (other, one, way[-2])):
                is_below = self.ply_of[far] >= self.ply_of[end]
                sides.setdefault((end, is_below), []).append((x[beside], ends))
        found: dict[tuple[Ends, int], Point] = {}
        for (end, is_below), curves in sides.items():
            box = boxes[end]
            pitch = min(PORT, 0.85 * box.width / len(curves))
            for place, (_, ends) in enumerate(sorted(curves)):
                # The heads stop before the border, which is thick.
                before = 1.5 if ends[1] == end else 0.0
                y = box.bottom + before if is_below else box.top - before
                found[ends, end] = (box.x + (place - (len(curves) - 1) / 2) * pitch, y)
        return found


def _loop(box: Box, wide: float) -> tuple[tuple[Point, ...], Point]:
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
    return (
        *upright([start, one]),
        (one[0], deep),
        (other[0], deep),
        *upright([other, end]),
    )
