"""A net laid out on a page: places and transitions in rows that alternate, and curves between them.

Comes in a net; goes out where everything stands, in the units of the page. Inscriptions
stand in rows of their own between those of the nodes, and what an arc passes on its way
gives it room. Arcs cross only between the rows, so nothing lies upon anything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import sqrt
from typing import Final

from zermelo.draw.layered import ordered, places
from zermelo.draw.letters import text_width
from zermelo.draw.net_rows import Ways, layers
from zermelo.draw.net_words import Ends, Link, clipped_sum, links, node_lines
from zermelo.draw.shapes import Area, Band, Point, between
from zermelo.languages.nets.ir import Net, Place, Transition

LETTERS: Final = 11.0
SMALL: Final = 9.5
"""The sizes of letters: of names, and of inscriptions and gates."""
LINE: Final = 13.0
RADIUS: Final = 17.0
"""Of a place."""
PORT: Final = 8.0
"""Between the points where two arcs meet a node."""
GAP: Final = 22.0
"""Between two nodes of a row."""
BESIDE: Final = 4.0
"""Between a place and its words."""
MARGIN: Final = 24.0
TOP: Final = 64.0
LONGEST_INSCRIPTION: Final = 36
"""Letters of an inscription that are shown."""
THIN: Final = 14.0
"""The room that an arc takes in a row it crosses."""
LABEL: Final = 15.0
"""The height of an inscription."""
LONG: Final = 240.0
"""Inscriptions that are wider than this together stand in two rows, by their directions."""
STEEP: Final = 0.1
"""How far apart rows stand, as a part of how far to the side arcs go between them."""
LEAST_BETWEEN: Final = 20.0
LEAST_BETWEEN_NODES: Final = 34.0
MOST_BETWEEN: Final = 120.0


@dataclass(frozen=True, slots=True)
class Spot:
    """A place or a transition on the page: its middle, its size, its words."""

    node: Place | Transition
    x: float
    y: float
    width: float
    height: float
    lines: tuple[str, ...]

    @property
    def is_place(self) -> bool:
        """Whether it is a place."""
        return isinstance(self.node, Place)

    @property
    def areas(self) -> tuple[Area, ...]:
        """What it takes of the page: itself, and the words beside it."""
        own = Area.around((self.x, self.y), self.width, self.height)
        if not self.is_place:
            return (own,)
        left = own.right + BESIDE
        right = left + max(text_width(line, LETTERS) for line in self.lines)
        bottom = self.y - 8 + LINE * len(self.lines) + 3
        return own, Area(left, self.y - 8, right, bottom)


@dataclass(frozen=True, slots=True)
class Wire:
    """An arc on the page; one that takes what it puts back has two heads."""

    source: int
    target: int
    points: tuple[Point, ...]
    """It goes through these, upright at each."""
    text: str
    """Its inscription; empty where one black token moves."""
    has_two_heads: bool
    label: Point | None = None
    """The middle of its inscription."""

    @property
    def shown(self) -> str:
        """As much of the inscription as is written at it."""
        return clipped_sum(self.text, LONGEST_INSCRIPTION)

    @property
    def label_area(self) -> Area | None:
        """What the inscription takes of the page."""
        if self.label is None:
            return None
        return Area.around(self.label, _label_width(self.text), LABEL)


@dataclass(frozen=True, slots=True)
class NetDrawing:
    """A net on a page."""

    spots: tuple[Spot, ...]
    wires: tuple[Wire, ...]
    width: float
    height: float


def net_drawing(net: Net) -> NetDrawing:
    """*net* laid out."""
    return _Page(net).drawing()


@dataclass(slots=True)
class _Page:
    """One net while it is laid out; nodes are numbered, the places first."""

    net: Net
    nodes: list[Place | Transition] = field(init=False)
    links: dict[Ends, Link] = field(init=False)
    layers: list[int] = field(init=False)
    rows: list[list[int]] = field(default_factory=list)
    """The nodes of each row, and what stands for arcs that pass it."""
    ways: dict[Ends, list[int]] = field(default_factory=dict)
    """What an arc passes, its ends included."""
    labels: set[int] = field(default_factory=set)
    """What stands for an inscription."""
    sizes: dict[int, float] = field(default_factory=dict)
    shifts: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.nodes = [*self.net.places, *self.net.transitions]
        self.links = dict(links(self.net))
        self.layers = layers(_ways(self.net, self.links))

    def drawing(self) -> NetDrawing:
        """Everything in its place."""
        spots = self._sized()
        pieces = self._with_passages()
        self.rows = ordered(self.rows, pieces)
        found = places(self.rows, pieces, self.sizes, self.shifts)
        left = min((self._edge(at, found, -1) for at in found), default=0.0)
        x = {at: MARGIN + place - left for at, place in found.items()}
        bands = list(self._bands(spots, x, pieces))
        band_of = {at: band for band, row in zip(bands, self.rows, strict=True) for at in row}
        placed = tuple(
            Spot(s.node, x[at], band_of[at].middle, s.width, s.height, s.lines)
            for at, s in enumerate(spots)
        )
        right = max((self._edge(at, x, 1) for at in x), default=0.0)
        bottom = bands[-1].bottom if bands else TOP
        wires = tuple(self._wires(placed, x, band_of))
        return NetDrawing(placed, wires, right + MARGIN, bottom + MARGIN)

    def _edge(self, at: int, x: Mapping[int, float], sign: int) -> float:
        return x[at] + self.shifts.get(at, 0.0) + sign * self.sizes[at] / 2

    # Rows

    def _sized(self) -> list[Spot]:
        """The nodes with their sizes, which have room for the points where arcs meet them."""
        ends: dict[tuple[int, bool], int] = {}
        for one, other in self.links:
            for end, beside in ((one, other), (other, one)):
                side = end, self.layers[beside] > self.layers[end]
                ends[side] = ends.get(side, 0) + 1
        spots = []
        for at, node in enumerate(self.nodes):
            ports = max(ends.get((at, False), 0), ends.get((at, True), 0))
            spot = _spot(node, ports)
            spots.append(spot)
            areas = spot.areas
            reach = areas[-1].right
            self.sizes[at] = reach + spot.width / 2 + GAP
            self.shifts[at] = (reach - spot.width / 2) / 2
        return spots

    def _with_passages(self) -> list[Ends]:
        """Fill the rows, and give the pieces of arcs from one row to the next, downwards."""
        gaps = self._label_gaps()
        levels = self._levels(gaps)
        kinds: list[tuple[int, int | None]] = []
        for layer in range(max(self.layers, default=0) + 1):
            kinds.append((layer, None))
            kinds += [(layer, level) for level in range(levels.get(layer, 0))]
        row_at = {kind: at for at, kind in enumerate(kinds)}
        self.rows = [[] for _ in kinds]
        for node, layer in enumerate(self.layers):
            self.rows[row_at[layer, None]].append(node)
        following = len(self.nodes)
        pieces: list[Ends] = []
        for ends in self.links:
            one, other = ends
            upper, lower = (one, other) if self.layers[one] < self.layers[other] else (other, one)
            gap = gaps.get(ends)
            level = 1 if upper == other and gap is not None and levels[gap] > 1 else 0
            way = [upper]
            rows = range(row_at[self.layers[upper], None] + 1, row_at[self.layers[lower], None])
            for row in rows:
                self.rows[row].append(following)
                self.sizes[following] = THIN
                if gap is not None and kinds[row] == (gap, level):
                    self.labels.add(following)
                    self.sizes[following] = max(THIN, _label_width(self.links[ends].text) + 8)
                way.append(following)
                following += 1
            way.append(lower)
            pieces += pairwise(way)
            self.ways[ends] = way if upper == one else way[::-1]
        return pieces

    def _label_gaps(self) -> dict[Ends, int]:
        """After which row of nodes the inscription of an arc stands.

        Next to its transition, unless much stands there already.
        """
        load: dict[int, float] = {}
        found: dict[Ends, int] = {}
        for ends, link in self.links.items():
            if not link.text:
                continue
            upper, lower = sorted((self.layers[ends[0]], self.layers[ends[1]]))
            near = self.layers[max(ends)]
            gap = min(
                range(upper, lower),
                key=lambda at: (load.get(at, 0.0) / LONG + abs(at + 0.5 - near), at),
            )
            load[gap] = load.get(gap, 0.0) + _label_width(link.text)
            found[ends] = gap
        return found

    def _levels(self, gaps: Mapping[Ends, int]) -> dict[int, int]:
        """How many rows of inscriptions come after which row of nodes."""
        down: dict[int, float] = {}
        up: dict[int, float] = {}
        for ends, gap in gaps.items():
            load = down if self.layers[ends[0]] < self.layers[ends[1]] else up
            load[gap] = load.get(gap, 0.0) + _label_width(self.links[ends].text)
        return {
            gap: 2 if gap in down and gap in up and down[gap] + up[gap] > LONG else 1
            for gap in sorted({*down, *up})
        }

    def _bands(
        self, spots: Sequence[Spot], x: Mapping[int, float], pieces: Iterable[Ends]
    ) -> Iterator[Band]:
        """Where the rows lie: further apart where arcs go far to the side."""
        row_of = {at: row for row, members in enumerate(self.rows) for at in members}
        far = [0.0] * len(self.rows)
        for upper, lower in pieces:
            far[row_of[upper]] = max(far[row_of[upper]], abs(x[upper] - x[lower]))
        top = TOP
        has_nodes = False
        for row, members in enumerate(self.rows):
            heights = [_height(spots[at]) for at in members if at < len(spots)]
            if row:
                least = LEAST_BETWEEN_NODES if heights and has_nodes else LEAST_BETWEEN
                top += min(max(least, LEAST_BETWEEN + STEEP * far[row - 1]), MOST_BETWEEN)
            has_nodes = bool(heights)
            high = max(heights, default=LABEL)
            yield Band(top, top + high)
            top += high

    # Arcs

    def _wires(
        self, spots: Sequence[Spot], x: Mapping[int, float], band_of: Mapping[int, Band]
    ) -> Iterator[Wire]:
        ports = self._ports(spots, x)
        for ends, link in self.links.items():
            way = self.ways[ends]
            start, end = ports[ends, way[0]], ports[ends, way[-1]]
            is_down = start[1] < end[1]
            label = None
            inner = [(start[0], band_of[way[0]].edges(is_down=is_down)[1])]
            for at in way[1:-1]:
                inner += [(x[at], edge) for edge in band_of[at].edges(is_down=is_down)]
                label = (x[at], band_of[at].middle) if at in self.labels else label
            inner.append((end[0], band_of[way[-1]].edges(is_down=is_down)[0]))
            points = between(start, inner, end)
            yield Wire(*ends, points, link.text, link.has_two_heads, label)

    def _ports(
        self, spots: Sequence[Spot], x: Mapping[int, float]
    ) -> dict[tuple[Ends, int], Point]:
        """Where each arc touches its two ends: spread over the upper or the lower edge."""
        sides: dict[tuple[int, bool], list[tuple[float, Ends]]] = {}
        for ends, way in self.ways.items():
            one, other = ends
            for end, far, beside in ((one, other, way[1]), (other, one, way[-2])):
                is_below = self.layers[far] > self.layers[end]
                sides.setdefault((end, is_below), []).append((x[beside], ends))
        found: dict[tuple[Ends, int], Point] = {}
        for (end, is_below), arcs in sides.items():
            for place, (_, ends) in enumerate(sorted(arcs)):
                aside = (place - (len(arcs) - 1) / 2) * _pitch(spots[end], len(arcs))
                found[ends, end] = _touching(spots[end], aside, is_below=is_below)
        return found


# Nodes


def _spot(node: Place | Transition, ports: int) -> Spot:
    """A node with its size; it is not yet anywhere."""
    lines = node_lines(node)
    if isinstance(node, Place):
        # As many as meet a circle well, and more room for more.
        wide = 2 * RADIUS + PORT * max(0, ports - 3)
        return Spot(node, 0.0, 0.0, wide, 2 * RADIUS, lines)
    name, *gates = lines
    wide = max([text_width(name, LETTERS), *(text_width(each, SMALL) for each in gates)]) + 14
    wide = max(wide, 34.0, PORT * (ports + 1))
    return Spot(node, 0.0, 0.0, wide, LINE * len(lines) + 10, lines)


def _height(spot: Spot) -> float:
    """How high a row is that has room for *spot* in its middle."""
    return 2 * max(area.bottom - spot.y for area in spot.areas)


def _pitch(spot: Spot, arcs: int) -> float:
    """How far apart *arcs* meet a node."""
    if spot.is_place:
        return PORT
    return min(0.8 * spot.width / max(arcs, 1), 4 * PORT)


def _touching(spot: Spot, aside: float, *, is_below: bool) -> Point:
    """The point of the lower or upper edge that is *aside* of the middle."""
    sign = 1.0 if is_below else -1.0
    if not spot.is_place:
        return spot.x + aside, spot.y + sign * spot.height / 2
    beyond = max(0.0, abs(aside) - (spot.width / 2 - RADIUS))
    return spot.x + aside, spot.y + sign * sqrt(RADIUS**2 - beyond**2)


# Arcs


def _ways(net: Net, links: Mapping[Ends, Link]) -> Ways:
    one_way = [
        ends for ends, link in links.items() if not link.has_two_heads and ends[::-1] not in links
    ]
    both_ways = [
        ends
        for ends, link in links.items()
        if link.has_two_heads or (ends[::-1] in links and ends[0] < ends[1])
    ]
    marked = [at for at, place in enumerate(net.places) if len(place.initial)]
    count = len(net.places)
    return Ways(
        count + len(net.transitions), count, tuple(one_way), tuple(both_ways), tuple(marked)
    )


def _label_width(text: str) -> float:
    return text_width(clipped_sum(text, LONGEST_INSCRIPTION), SMALL) + 4
