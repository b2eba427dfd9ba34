"""A net laid out on a page: places and transitions in rows that alternate, and curves between them.

Comes in a net; goes out where everything stands, in the units of the page. Arcs that
would lead in circles are turned round for finding the rows; an arc over several rows
passes between the nodes of those it crosses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import sqrt
from typing import Final, TypeAlias

from zermelo.core.nets.ir import Arc, Const, Net, Place, Transition
from zermelo.core.nets.printer import expr_text, terms_text
from zermelo.core.nets.words import bag_text
from zermelo.exchange.layered import ordered, places
from zermelo.text.source import width

LETTER: Final = 6.4
LINE: Final = 13.0
RADIUS: Final = 17.0
"""Of a place."""
GAP: Final = 22.0
"""Between two nodes of a row."""
BETWEEN: Final = 64.0
"""Between two rows."""
MARGIN: Final = 24.0
TOP: Final = 64.0
LONGEST: Final = 24
"""Letters of a name or an inscription that are shown; the tooltips have them all."""
THIN: Final = 14.0
"""The room that an arc takes in a row it crosses."""
DENSE: Final = 6
"""With more arcs than this to a node rows stand further apart."""

Point: TypeAlias = tuple[float, float]


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


@dataclass(frozen=True, slots=True)
class NetDrawing:
    """A net on a page."""

    spots: tuple[Spot, ...]
    wires: tuple[Wire, ...]
    width: float
    height: float


def clipped(text: str, most: int = LONGEST) -> str:
    """*text*, cut where it would be too long for a drawing.

    >>> clipped("a rather long name of a place")
    'a rather long name of a …'
    """
    return text if width(text) <= most else f"{text[: most - 1].rstrip()} …"


def net_drawing(net: Net) -> NetDrawing:
    """*net* laid out."""
    return _Page(net).drawing()


@dataclass(slots=True)
class _Page:
    """One net while it is laid out; nodes are numbered, the places first."""

    net: Net
    nodes: list[Place | Transition] = field(init=False)
    links: dict[tuple[int, int], str] = field(init=False)
    sizes: dict[int, float] = field(init=False)
    rows: list[list[int]] = field(init=False)
    ways: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    """The nodes that an arc passes, those that only stand for it included."""

    def __post_init__(self) -> None:
        self.nodes = [*self.net.places, *self.net.transitions]
        self.links = dict(_links(self.net))
        self.sizes = {at: _room(node) for at, node in enumerate(self.nodes)}
        self.rows = []

    def drawing(self) -> NetDrawing:
        """Everything in its place."""
        layers = _layers(
            len(self.nodes), len(self.net.places), list(self.links), set(_marked(self.net))
        )
        short = self._with_passages(layers)
        self.rows = ordered(self.rows, short)
        x = places(self.rows, short, self.sizes)
        left = min(x[at] - self.sizes[at] / 2 for at in x) if x else 0.0
        between = BETWEEN + 6.0 * max(0, self._busiest() - DENSE)
        top = TOP + RADIUS + 8
        y = {at: top + down * between for down, row in enumerate(self.rows) for at in row}
        at = {node: (MARGIN + x[node] - left, y[node]) for node in x}
        spots = tuple(self._spot(number, at[number]) for number in range(len(self.nodes)))
        wires = tuple(_labelled(list(self._wires(spots, at)), spots))
        right = max((at[n][0] + self.sizes[n] / 2 for n in at), default=0.0)
        bottom = max((point[1] for point in at.values()), default=TOP)
        return NetDrawing(spots, wires, right + MARGIN, bottom + RADIUS + 46)

    def _busiest(self) -> int:
        ends: dict[int, int] = {}
        for one, other in self.links:
            ends[one] = ends.get(one, 0) + 1
            ends[other] = ends.get(other, 0) + 1
        return min(max(ends.values(), default=0), 16)

    def _with_passages(self, layers: Sequence[int]) -> list[tuple[int, int]]:
        """Fill the rows, and give the pieces of arcs from one row to the next, downwards."""
        self.rows = [[] for _ in range(max(layers, default=0) + 1)]
        for node, layer in enumerate(layers):
            self.rows[layer].append(node)
        following = len(self.nodes)
        pieces: list[tuple[int, int]] = []
        for one, other in self.links:
            upper, lower = (one, other) if layers[one] < layers[other] else (other, one)
            way = [upper]
            for layer in range(layers[upper] + 1, layers[lower]):
                self.rows[layer].append(following)
                self.sizes[following] = THIN
                way.append(following)
                following += 1
            way.append(lower)
            pieces += pairwise(way)
            self.ways[one, other] = way if upper == one else way[::-1]
        return pieces

    def _spot(self, number: int, at: Point) -> Spot:
        node = self.nodes[number]
        lines = _lines(node)
        if isinstance(node, Place):
            return Spot(node, *at, 2 * RADIUS, 2 * RADIUS, lines)
        wide = max((width(each) for each in lines), default=0) * LETTER + 14
        return Spot(node, *at, max(wide, 34.0), LINE * len(lines) + 10, lines)

    def _wires(self, spots: Sequence[Spot], at: Mapping[int, Point]) -> Iterator[Wire]:
        ports = self._ports(spots, at)
        for (one, other), text in self.links.items():
            way = self.ways[one, other]
            inner = [at[node] for node in way[1:-1]]
            start, end = ports[one, other, one], ports[one, other, other]
            both = text.startswith("\0")
            yield Wire(one, other, (start, *inner, end), text.removeprefix("\0"), both)

    def _ports(
        self, spots: Sequence[Spot], at: Mapping[int, Point]
    ) -> dict[tuple[int, int, int], Point]:
        """Where each arc touches its two ends: spread over the upper or the lower edge."""
        sides: dict[tuple[int, bool], list[tuple[float, int, int]]] = {}
        for (one, other), way in self.ways.items():
            for end, beside in ((one, way[1]), (other, way[-2])):
                is_below = at[beside][1] > at[end][1]
                sides.setdefault((end, is_below), []).append((at[beside][0], one, other))
        found: dict[tuple[int, int, int], Point] = {}
        for (end, is_below), arcs in sides.items():
            for place, (_, one, other) in enumerate(sorted(arcs)):
                part = (place + 1) / (len(arcs) + 1) - 0.5
                found[one, other, end] = _edge(spots[end], part, is_below=is_below)
        return found


def _edge(spot: Spot, part: float, *, is_below: bool) -> Point:
    """A point on the lower or upper edge, *part* of its width to the side of the middle."""
    sign = 1.0 if is_below else -1.0
    if spot.is_place:
        aside = 1.5 * RADIUS * part
        return spot.x + aside, spot.y + sign * sqrt(RADIUS**2 - aside**2)
    return spot.x + 0.8 * spot.width * part, spot.y + sign * spot.height / 2


def _lines(node: Place | Transition) -> tuple[str, ...]:
    """What is written at a node."""
    name = clipped(node.label or node.name)
    if isinstance(node, Place):
        held = clipped(bag_text(node.initial, node)) if node.arity and len(node.initial) else ""
        return (name, held) if held else (name,)
    return (name, *(clipped(expr_text(gate)) for gate in node.gates[:1]))


def _room(node: Place | Transition) -> float:
    text = max(map(width, _lines(node))) * LETTER
    # The words of a place stand beside its circle, to the right.
    return 2 * (RADIUS + 4 + text) + GAP / 2 if isinstance(node, Place) else text + 14 + GAP


def _links(net: Net) -> Iterator[tuple[tuple[int, int], str]]:
    """The arcs between numbered nodes with their inscriptions; after a zero sign, both ways."""
    number = {place.name: at for at, place in enumerate(net.places)}
    for at, transition in enumerate(net.transitions, len(net.places)):
        taken, put = _texts(transition.inputs), _texts(transition.outputs)
        for name, text in taken.items():
            is_test = put.get(name) == text
            yield (number[name], at), f"\0{text}" if is_test else text
        for name, text in put.items():
            if taken.get(name) != text:
                yield (at, number[name]), text


def _texts(arcs: Iterable[Arc]) -> dict[str, str]:
    """The inscription of each place; empty for one black token."""
    found: dict[str, list[Arc]] = {}
    for arc in arcs:
        found.setdefault(arc.place, []).append(arc)
    texts = {}
    for name, here in found.items():
        terms = [term for arc in here for term in arc.terms]
        is_black = all(not term.components for term in terms)
        counts = [term.multiplicity for term in terms]
        if is_black and all(isinstance(each, Const) for each in counts):
            total = sum(each.value for each in counts if isinstance(each, Const))
            texts[name] = "" if total == 1 else str(total)
        else:
            texts[name] = terms_text(terms)
    return texts


def _marked(net: Net) -> Iterator[int]:
    for at, place in enumerate(net.places):
        if len(place.initial):
            yield at


# Rows


def _layers(
    count: int, of_places: int, links: Sequence[tuple[int, int]], first: set[int]
) -> list[int]:
    """The row of each node: places stand in even rows, transitions in odd ones."""
    follows: list[list[int]] = [[] for _ in range(count)]
    for one, other in links:
        follows[one].append(other)
    order, forward = _without_circles(count, follows, first)
    layers = [0 if node < of_places else 1 for node in range(count)]
    for node in order:
        for other in forward[node]:
            layers[other] = max(layers[other], layers[node] + 1)
    has_arc_to = {other for node in range(count) for other in forward[node]}
    # What nothing leads to moves down to what it leads to.
    for node in range(count):
        if forward[node] and node not in has_arc_to:
            layers[node] = min(layers[other] for other in forward[node]) - 1
    return layers


def _without_circles(
    count: int, follows: Sequence[Sequence[int]], first: set[int]
) -> tuple[list[int], list[list[int]]]:
    """An order of the nodes in which all arcs lead on, and the arcs, some of them turned round."""
    seen = [0] * count
    """1 while a node is on the way that is being followed, 2 when it is done."""
    forward: list[list[int]] = [[] for _ in range(count)]
    done: list[int] = []
    for root in (*sorted(first), *range(count)):
        if seen[root]:
            continue
        seen[root] = 1
        way = [(root, iter(follows[root]))]
        while way:
            node, rest = way[-1]
            other = next(rest, None)
            if other is None:
                way.pop()
                seen[node] = 2
                done.append(node)
            elif seen[other] == 1:
                forward[other].append(node)
            else:
                forward[node].append(other)
                if not seen[other]:
                    seen[other] = 1
                    way.append((other, iter(follows[other])))
    return done[::-1], forward


# Labels


def along(points: Sequence[Point], part: float) -> Point:
    """The point at *part* of the way of a wire."""
    piece = min(int(part * (len(points) - 1)), len(points) - 2)
    inside = part * (len(points) - 1) - piece
    (x0, y0), (x1, y1) = points[piece], points[piece + 1]
    # The Bézier curve whose ends are upright.
    across = 3 * inside**2 - 2 * inside**3
    rest = 1 - inside
    middle = (y0 + y1) / 2
    down = rest**3 * y0 + 3 * rest * inside * middle + inside**3 * y1
    return x0 + (x1 - x0) * across, down


def _labelled(wires: Sequence[Wire], spots: Sequence[Spot]) -> Iterator[Wire]:
    """The wires with labels where these hide nothing."""
    taken = [
        (s.x - s.width / 2, s.y - s.height / 2, s.x + s.width / 2, s.y + s.height / 2)
        for s in spots
    ]
    taken += [
        (s.x + RADIUS, s.y - 8, s.x + RADIUS + 4 + LETTER * max(map(width, s.lines)), s.y + 20)
        for s in spots
        if s.is_place
    ]
    for wire in wires:
        if not wire.text:
            yield wire
            continue
        half = width(clipped(wire.text)) * LETTER * 0.45 + 2
        best = along(wire.points, 0.5)
        for part in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8):
            x, y = along(wire.points, part)
            area = (x - half, y - 7, x + half, y + 7)
            if not any(_overlap(area, other) for other in taken):
                best = (x, y)
                break
        taken.append((best[0] - half, best[1] - 7, best[0] + half, best[1] + 7))
        yield Wire(wire.source, wire.target, wire.points, wire.text, wire.has_two_heads, best)


def _overlap(
    one: tuple[float, float, float, float], other: tuple[float, float, float, float]
) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
