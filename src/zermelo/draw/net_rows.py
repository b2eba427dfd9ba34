"""The rows in which the places and the transitions of a net are drawn.

Comes in which nodes arcs lead between; goes out a row for every node, so that places and
transitions take turns and most arcs lead down. An arc that leads both ways asks for
neighbouring rows only, whichever of them is the upper one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

ROUNDS: Final = 6
"""How often nodes are moved nearer to their neighbours."""
LOPSIDED: Final = 4
"""With so many more transitions below a row of places than above it some move up."""


@dataclass(frozen=True, slots=True)
class Ways:
    """Which nodes of a net are joined; they are numbered, the places first."""

    nodes: int
    places: int
    one_way: tuple[tuple[int, int], ...]
    both_ways: tuple[tuple[int, int], ...]
    first: tuple[int, ...] = ()
    """The nodes from which arcs are followed first."""

    def roots(self) -> list[int]:
        """All nodes, those to begin with before the others."""
        return list(dict.fromkeys((*self.first, *range(self.nodes))))


def layers(ways: Ways) -> list[int]:
    """The row of each node, from the top, where it is 0."""
    arcs = [*ways.one_way, *_hung(ways)]
    order, forward = _without_circles(ways, arcs)
    found = [0 if node < ways.places else 1 for node in range(ways.nodes)]
    for node in order:
        for other in forward[node]:
            found[other] = max(found[other], found[node] + 1)
    _tightened(found, forward)
    _balanced(found, ways)
    least = min(found, default=0)
    return [layer - least for layer in found]


def _hung(ways: Ways) -> Iterable[tuple[int, int]]:
    """The arcs that lead both ways, each pointing away from where it was first met."""
    beside = _beside(ways.nodes, ways.both_ways)
    far = [-1] * ways.nodes
    for root in ways.roots():
        if far[root] >= 0:
            continue
        far[root] = 0
        queue = [root]
        for node in queue:
            for other in beside[node]:
                if far[other] < 0:
                    far[other] = far[node] + 1
                    queue.append(other)
    return [(a, b) if far[a] < far[b] else (b, a) for a, b in ways.both_ways]


def _beside(count: int, pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in range(count)]
    for one, other in pairs:
        found[one].append(other)
        found[other].append(one)
    return found


def _without_circles(
    ways: Ways, arcs: Iterable[tuple[int, int]]
) -> tuple[list[int], list[list[int]]]:
    """An order of the nodes in which all arcs lead on, and the arcs, some of them turned round."""
    follows: list[list[int]] = [[] for _ in range(ways.nodes)]
    for source, target in arcs:
        follows[source].append(target)
    seen = [0] * ways.nodes
    """1 while a node is on the way that is being followed, 2 when it is done."""
    forward: list[list[int]] = [[] for _ in range(ways.nodes)]
    done: list[int] = []
    for root in ways.roots():
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


def _tightened(found: list[int], forward: Sequence[Sequence[int]]) -> None:
    """Move nodes up and down between their neighbours to where their arcs are shortest."""
    back: list[list[int]] = [[] for _ in found]
    for node, others in enumerate(forward):
        for other in others:
            back[other].append(node)
    for _ in range(ROUNDS):
        for node, layer in enumerate(found):
            above = [found[other] for other in back[node]]
            below = [found[other] for other in forward[node]]
            if not above and not below:
                continue
            lowest = min(below) - 1 if below else max(above) + 1
            highest = max(above) + 1 if above else min(below) - 1
            # Rows of places and of transitions take turns, so moves are by two.
            found[node] = min(
                range(highest, lowest + 1, 2),
                key=lambda at: (sum(abs(at - each) for each in (*above, *below)), abs(at - layer)),
            )


def _balanced(found: list[int], ways: Ways) -> None:
    """Of the transitions that only lead there and back some stand above their places."""
    one_way = _beside(ways.nodes, ways.one_way)
    both_ways = _beside(ways.nodes, ways.both_ways)
    for row in sorted(set(found[: ways.places])):
        hanging = [
            node
            for node in range(ways.places, ways.nodes)
            if found[node] == row + 1
            and not one_way[node]
            and both_ways[node]
            and all(found[other] == row for other in both_ways[node])
        ]
        more = found[ways.places :].count(row + 1) - found[ways.places :].count(row - 1)
        if more >= LOPSIDED:
            for node in hanging[: more // 2]:
                found[node] = row - 1
