"""Strongly connected components of large graphs.

The arcs of node i lead to ``targets[offsets[i] : offsets[i + 1]]``. Components are numbered
in the order of their first nodes.

Large graphs go through Tarjan's algorithm in compiled code. Small ones are not worth it, and
there may be no compiler. Then nodes that nothing leads to, or that lead to nothing, are taken
away again and again, which leaves nothing of an acyclic graph; a component that holds most of
the rest is what can be reached from one of its nodes forwards and backwards; what then is left
goes through Tarjan's algorithm, the only loop over nodes. Both ways give the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

import numpy as np

from zermelo.core.arrays import Integers, Numbers, Truths
from zermelo.fast import jit
from zermelo.fast.bits import load, load32, prefetch, store, store8, store32

MOST_ROUNDS: Final = 2000
"""Steps over whole arrays that are worth taking; a long thin graph is left to Tarjan."""
LARGE: Final = 8
"""A component with at least one node in so many is worth the search for the next one."""
MANY: Final = 1 << 17
"""Graphs with so many arcs and nodes are worth compiled code."""
_AT_ONCE: Final = 1 << 22
"""Arcs that are looked at in one go: more is no faster, fewer take less memory and time to stop."""


@dataclass(frozen=True, slots=True)
class Arcs:
    """The arcs of a graph, those of one node after those of the one before it."""

    offsets: Numbers
    targets: Integers

    @property
    def nodes(self) -> int:
        return len(self.offsets) - 1

    @property
    def sources(self) -> Numbers:
        return np.repeat(np.arange(self.nodes), np.diff(self.offsets))

    def source(self, arc: int) -> int:
        return int(np.searchsorted(self.offsets, arc, side="right")) - 1

    def leaving(self, nodes: Integers) -> Numbers:
        starts = self.offsets[nodes]
        counts = self.offsets[nodes + 1] - starts
        before = np.cumsum(counts) - counts
        return np.repeat(starts - before, counts) + np.arange(counts.sum())

    def arriving(self, node: int) -> Numbers:
        parts = [
            first + np.flatnonzero(self.targets[first : first + _AT_ONCE] == node)
            for first in range(0, len(self.targets), _AT_ONCE)
        ]
        return np.concatenate([np.empty(0, dtype=np.int64), *parts])

    def shortest_way(self, start: int, goals: Truths) -> list[int] | None:
        """The arcs of a shortest way from *start* to one of *goals*; ``None`` if none leads there.

        Of several the first one is taken: nodes are reached by their first arc.
        """
        if goals[start]:
            return []
        arrival = np.full(self.nodes, -1, dtype=np.int64)
        """The arc by which each node was first reached."""
        seen = np.zeros(self.nodes, dtype=np.bool_)
        seen[start] = True
        frontier = np.array([start])
        while len(frontier):
            leaving = self.leaving(frontier)
            targets = self.targets[leaving]
            is_new = ~seen[targets]
            nodes, first = np.unique(targets[is_new], return_index=True)
            arrival[nodes] = leaving[is_new][first]
            seen[nodes] = True
            hits = nodes[goals[nodes]]
            if len(hits):
                way: list[int] = []
                node = int(hits[0])
                while node != start:
                    way.append(int(arrival[node]))
                    node = self.source(way[-1])
                return way[::-1]
            frontier = nodes
        return None

    def turned(self, *, native: bool | None = None) -> Arcs:
        if _is_native(self, native=native):
            return _turned(self)
        order = np.argsort(self.targets, kind="stable")
        return from_pairs(self.targets[order], self.sources[order], nodes=self.nodes)

    def pieces(self) -> Iterator[tuple[int, int]]:
        """All nodes, in ranges with about as many arcs as can be looked at in one go."""
        first = 0
        while first < self.nodes:
            end = int(np.searchsorted(self.offsets, self.offsets[first] + _AT_ONCE, side="right"))
            last = min(max(end - 1, first + 1), first + _AT_ONCE, self.nodes)
            yield first, last
            first = last


def from_pairs(sources: Integers, targets: Integers, *, nodes: int) -> Arcs:
    """The arcs between *nodes* nodes whose *sources*, in order, and *targets* are given."""
    counts = np.bincount(sources, minlength=nodes)
    return Arcs(np.concatenate(([0], np.cumsum(counts))), targets)


def components(arcs: Arcs, *, native: bool | None = None) -> Numbers:
    """The number of the component of each node; *native* or not changes the way to it only."""
    if _is_native(arcs, native=native):
        return _searched(arcs)
    return _in_order_of_first(_ComponentSearch(arcs).labels())


@dataclass(frozen=True, slots=True)
class ArcSummary:
    """Where the arcs of a graph lead, seen from its components."""

    loops: int
    """Arcs from a node to itself."""
    has_inside: Truths
    """Which components an arc leads from into themselves."""
    has_leaving: Truths
    """Which components an arc leaves."""


def arc_summary(arcs: Arcs, labels: Numbers, *, native: bool | None = None) -> ArcSummary:
    count = int(labels.max()) + 1 if len(labels) else 0
    found = ArcSummary(0, np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.bool_))
    note = _note_native if _is_native(arcs, native=native) else _note
    loops = sum(note(arcs, labels, piece, found) for piece in arcs.pieces())
    return replace(found, loops=loops)


def _note(arcs: Arcs, labels: Numbers, piece: tuple[int, int], found: ArcSummary) -> int:
    """Take the arcs of some nodes into what was *found*; how many lead from a node to itself."""
    first, last = piece
    offsets = arcs.offsets[first : last + 1]
    targets = arcs.targets[offsets[0] : offsets[-1]]
    sources = np.repeat(np.arange(first, last), np.diff(offsets))
    own, others = labels[sources], labels[targets]
    found.has_inside[own[own == others]] = True
    found.has_leaving[own[own != others]] = True
    return int(np.count_nonzero(sources == targets))


# Compiled


def _is_native(arcs: Arcs, *, native: bool | None) -> bool:
    """Whether compiled code is to be used: where it is not said, for large graphs."""
    if native is None:
        native = len(arcs.targets) + arcs.nodes >= MANY
    if not native or jit.available() is not None:
        return False
    # A compiler that is there and does not work leaves the loops to Python, which is slower.
    return _loop("search_components", arcs).is_native


def _loop(name: str, arcs: Arcs) -> jit.Compiled:
    return compiled_loop(name, _width(arcs).itemsize)


def _width(arcs: Arcs) -> np.dtype[np.signedinteger[Any]]:
    narrow = np.dtype(np.int32)
    return narrow if arcs.targets.itemsize <= narrow.itemsize else np.dtype(np.int64)


def _in_one_piece(arcs: Arcs) -> tuple[Numbers, Integers]:
    """The two arrays of *arcs* such as compiled code reads them."""
    return (
        np.ascontiguousarray(arcs.offsets, dtype=np.int64),
        np.ascontiguousarray(arcs.targets, dtype=_width(arcs)),
    )


def _searched(arcs: Arcs) -> Numbers:
    offsets, targets = _in_one_piece(arcs)
    nodes = arcs.nodes
    index = np.zeros(nodes, dtype=_width(arcs))
    stack = np.empty(nodes, dtype=_width(arcs))
    cursors = np.empty(nodes, dtype=np.int64)
    words = np.zeros(WORDS, dtype=np.int64)
    words[CLOCK] = 1
    words[LEFT] = words[TOP] = nodes
    search = _loop("search_components", arcs)
    while not search.on(offsets, targets, nodes, index, cursors, stack, words, _AT_ONCE):
        pass
    stack[:] = 0
    labels = cursors
    _loop("number_components", arcs).on(index, nodes, stack, labels)
    return labels


def _note_native(arcs: Arcs, labels: Numbers, piece: tuple[int, int], found: ArcSummary) -> int:
    offsets, targets = _in_one_piece(arcs)
    labels = np.ascontiguousarray(labels, dtype=np.int64)
    note = _loop("note_arcs", arcs)
    return note.on(offsets, targets, labels, *piece, found.has_inside, found.has_leaving)


def _turned(arcs: Arcs) -> Arcs:
    offsets, targets = _in_one_piece(arcs)
    turned = np.zeros(arcs.nodes + 1, dtype=np.int64)
    tally, turn = _loop("count_arcs", arcs), _loop("turn_arcs", arcs)
    # What a node gets is counted behind it, so that the sums are where the arcs of each begin.
    for first in range(0, len(targets), _AT_ONCE):
        last = min(first + _AT_ONCE, len(targets))
        tally.on(targets, first, last, turned[1:])
    np.cumsum(turned, out=turned)
    places = turned[:-1].copy()
    sources: Integers = np.empty(len(targets), dtype=targets.dtype)
    for piece in arcs.pieces():
        turn.on(offsets, targets, *piece, places, sources)
    return Arcs(turned, sources)


# In steps over whole arrays


def _in_order_of_first(labels: Numbers) -> Numbers:
    """The same partition, its classes numbered in the order in which they begin."""
    _, first, classes = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[classes.reshape(-1)]


class _ComponentSearch:
    """The components while they are found: a node's label is some node of its component."""

    def __init__(self, arcs: Arcs) -> None:
        sources = arcs.sources
        is_proper = sources != arcs.targets
        self._arcs = from_pairs(sources[is_proper], arcs.targets[is_proper], nodes=arcs.nodes)
        self._back = self._arcs.turned()
        self._labels = np.arange(arcs.nodes)
        self._rest: Truths = np.ones(arcs.nodes, dtype=np.bool_)
        """The nodes whose component is not known yet."""

    def labels(self) -> Numbers:
        is_large = True
        while is_large and self._rest.any():
            self._trim(self._arcs, self._back)
            self._trim(self._back, self._arcs)
            is_large = bool(self._rest.any()) and self._take_a_large_one()
        if self._rest.any():
            self._tarjan()
        return self._labels

    def _trim(self, arcs: Arcs, back: Arcs) -> None:
        """Leave out, again and again, the nodes that no arc from the rest leads to."""
        into = back.leaving(np.flatnonzero(self._rest))
        degrees = np.bincount(
            back.sources[into][self._rest[back.targets[into]]], minlength=arcs.nodes
        )
        frontier = np.flatnonzero(self._rest & (degrees == 0))
        for _ in range(MOST_ROUNDS):
            if not len(frontier):
                return
            self._rest[frontier] = False
            reached = arcs.targets[arcs.leaving(frontier)]
            nodes, times = np.unique(reached[self._rest[reached]], return_counts=True)
            degrees[nodes] -= times
            frontier = nodes[degrees[nodes] == 0]
        self._rest[frontier] = False

    def _take_a_large_one(self) -> bool:
        """Take out the component of the first node left with most arcs, if it is large."""
        rest = np.flatnonzero(self._rest)
        degrees = np.diff(self._arcs.offsets)[rest] * np.diff(self._back.offsets)[rest]
        start = rest[np.argmax(degrees)]
        forwards = reached(self._arcs, start, within=self._rest)
        backwards = None if forwards is None else reached(self._back, start, within=forwards)
        if backwards is None:
            return False
        self._labels[backwards] = start
        self._rest &= ~backwards
        return int(np.count_nonzero(backwards)) * LARGE >= len(rest)

    def _tarjan(self) -> None:
        rest = np.flatnonzero(self._rest)
        local = np.full(self._arcs.nodes, -1, dtype=np.int64)
        local[rest] = np.arange(len(rest))
        arcs = self._arcs.leaving(rest)
        sources, targets = local[self._arcs.sources[arcs]], local[self._arcs.targets[arcs]]
        inner = from_pairs(sources[targets >= 0], targets[targets >= 0], nodes=len(rest))
        self._labels[rest] = rest[tarjan(inner.offsets.tolist(), inner.targets.tolist())]
        self._rest[rest] = False


def reached(arcs: Arcs, start: int, *, within: Truths) -> Truths | None:
    """The nodes *within* which can be reached from *start*; ``None`` if that takes too long."""
    seen = np.zeros(arcs.nodes, dtype=np.bool_)
    seen[start] = True
    frontier = np.array([start])
    for _ in range(MOST_ROUNDS):
        targets = arcs.targets[arcs.leaving(frontier)]
        frontier = np.unique(targets[within[targets] & ~seen[targets]])
        if not len(frontier):
            return seen
        seen[frontier] = True
    return None


def shortest_loop(arcs: Arcs, node: int, *, within: Truths) -> list[int]:
    """The arcs of a shortest way from *node* back to it, all of whose nodes are *within*.

    There has to be one.
    """
    arrival = np.full(arcs.nodes, -1, dtype=np.int64)
    frontier: Integers = np.array([node])
    while arrival[node] < 0:
        leaving = arcs.leaving(frontier)
        targets = arcs.targets[leaving]
        is_new = within[targets] & (arrival[targets] < 0)
        frontier, first = np.unique(targets[is_new], return_index=True)
        arrival[frontier] = leaving[is_new][first]
    loop = [int(arrival[node])]
    while (source := arcs.source(loop[-1])) != node:
        loop.append(int(arrival[source]))
    return loop[::-1]


def tarjan(offsets: list[int], targets: list[int]) -> list[int]:
    """A node of its component for each node, by Tarjan's algorithm (1972), without recursion.

    >>> tarjan([0, 1, 2, 3], [1, 0, 1])
    [0, 0, 2]
    """
    nodes = len(offsets) - 1
    label = [-1] * nodes
    low = [-1] * nodes
    """The earliest visited node of the stack that is known to be reachable, by its time."""
    cursor = offsets[:nodes]
    stack: list[int] = []
    clock = 0
    for root in range(nodes):
        if low[root] >= 0:
            continue
        path = [(root, clock)]
        while path:
            node, entered = path[-1]
            if low[node] < 0:
                low[node] = entered
                clock += 1
                stack.append(node)
            at, end, least = cursor[node], offsets[node + 1], low[node]
            while at < end:
                target = targets[at]
                if low[target] < 0:
                    break
                at += 1
                if label[target] < 0 and low[target] < least:
                    least = low[target]
            low[node] = least
            cursor[node] = at
            if at < end:
                path.append((targets[at], clock))
                continue
            path.pop()
            if least == entered:
                _close(stack, label, node)
    return label


def _close(stack: list[int], label: list[int], node: int) -> None:
    while True:
        member = stack.pop()
        label[member] = node
        if member == node:
            return


# Bound anew for each unit: how many bytes the number of a node has.
SIZE = 4

ROOT, CLOCK, LEFT, DEPTH, TOP = 0, 1, 2, 3, 4
"""Where the words of a search are: the next node to begin at, the next time, the next component
(counted downwards), and the ends of the two stacks."""
WORDS = 5
AHEAD = 16
"""How many targets of a node are fetched when it is entered."""


def number_at(numbers: int, place: int) -> int:
    if SIZE == 4:
        return load32(numbers, place)
    return load(numbers, place)


def put_number(numbers: int, place: int, number: int) -> int:
    if SIZE == 4:
        store32(numbers, place, number)
    else:
        store(numbers, place, number)
    return 0


def enter_node(
    offsets: int,
    targets: int,
    index: int,
    cursors: int,
    stack: int,
    depth: int,
    node: int,
    clock: int,
) -> int:
    """Put *node* onto the path; the time after that."""
    put_number(index, node, clock)
    put_number(stack, depth, node)
    first = load(offsets, node)
    store(cursors, depth, 2 * first + 1)
    # What is known of its targets is wanted next.
    for arc in range(first, min(load(offsets, node + 1), first + AHEAD)):
        prefetch(index + number_at(targets, arc) * SIZE, 0)
    return clock + 1


def next_root(index: int, root: int, nodes: int) -> int:
    """The first node from *root* on that was never entered; *nodes* if there is none."""
    while root < nodes and number_at(index, root) != 0:
        root += 1
    return root


def close_component(
    index: int, stack: int, top: int, nodes: int, least: int, component: int
) -> int:
    """Give the finished nodes that were entered since *least* their component; the new top."""
    while top < nodes and number_at(index, number_at(stack, top)) >= least:
        put_number(index, number_at(stack, top), component)
        top += 1
    return top


def search_components(
    offsets: int,
    targets: int,
    nodes: int,
    index: int,
    cursors: int,
    stack: int,
    words: int,
    budget: int,
) -> int:
    """Go on with a search for about *budget* arcs; 1 when all components are found.

    *index* has for each node 0 before it is entered, then the time of the earliest node that it
    is known to reach, and in the end the number of its component: these are greater than any time
    that is still needed. *stack* has from below the nodes of the path that is being followed, with
    the next arc of each in *cursors*, and from above the finished nodes without a component.
    """
    root, clock, left = load(words, ROOT), load(words, CLOCK), load(words, LEFT)
    depth, top = load(words, DEPTH), load(words, TOP)
    while budget > 0:
        if depth == 0:
            root = next_root(index, root, nodes)
            if root == nodes:
                break
            clock = enter_node(offsets, targets, index, cursors, stack, 0, root, clock)
            depth = 1
        node = number_at(stack, depth - 1)
        cursor = load(cursors, depth - 1)
        # The lowest bit says that the node is, as far as is known, the first of its component.
        is_first = cursor & 1
        arc, end = cursor >> 1, load(offsets, node + 1)
        least = number_at(index, node)
        budget -= 1
        while arc < end:
            time = number_at(index, number_at(targets, arc))
            if time == 0:
                break
            if time < least:
                least = time
                is_first = 0
            arc += 1
            budget -= 1
        put_number(index, node, least)
        store(cursors, depth - 1, 2 * arc + is_first)
        if arc < end:
            target = number_at(targets, arc)
            clock = enter_node(offsets, targets, index, cursors, stack, depth, target, clock)
            depth += 1
            continue
        depth -= 1
        if is_first:
            before = top
            top = close_component(index, stack, top, nodes, least, left)
            clock -= top - before + 1
            put_number(index, node, left)
            left -= 1
        else:
            top -= 1
            put_number(stack, top, node)
    store(words, ROOT, root)
    store(words, CLOCK, clock)
    store(words, LEFT, left)
    store(words, DEPTH, depth)
    store(words, TOP, top)
    return depth == 0 and root == nodes


def number_components(index: int, nodes: int, known: int, labels: int) -> int:
    """Number the components that *index* tells apart in the order in which they begin; how many.

    *known*, zeros, has a place for each of them.
    """
    count = 0
    for node in range(nodes):
        place = number_at(index, node) - 1
        label = number_at(known, place)
        if label == 0:
            count += 1
            label = count
            put_number(known, place, label)
        store(labels, node, label - 1)
    return count


def note_arcs(
    offsets: int, targets: int, labels: int, first: int, last: int, inside: int, leaving: int
) -> int:
    """Note for the components of nodes *first* to *last* − 1 whether arcs stay inside or leave.

    Gives the number of arcs from a node to itself.
    """
    loops = 0
    for node in range(first, last):
        own = load(labels, node)
        for arc in range(load(offsets, node), load(offsets, node + 1)):
            target = number_at(targets, arc)
            loops += target == node
            if load(labels, target) == own:
                store8(inside, own, 1)
            else:
                store8(leaving, own, 1)
    return loops


def count_arcs(targets: int, first: int, last: int, counts: int) -> int:
    """Add to *counts* how many of the arcs *first* to *last* − 1 lead to each node."""
    for arc in range(first, last):
        target = number_at(targets, arc)
        store(counts, target, load(counts, target) + 1)
    return last - first


def turn_arcs(offsets: int, targets: int, first: int, last: int, places: int, sources: int) -> int:
    """Write the nodes from *first* to *last* − 1 where their arcs lead to.

    *places* has for each node where in *sources* the next arc to it goes.
    """
    for node in range(first, last):
        for arc in range(load(offsets, node), load(offsets, node + 1)):
            target = number_at(targets, arc)
            place = load(places, target)
            put_number(sources, place, node)
            store(places, target, place + 1)
    return last - first


@lru_cache(maxsize=2)
def loops_unit(size: int) -> jit.Unit:
    words = {"ROOT": ROOT, "CLOCK": CLOCK, "LEFT": LEFT, "DEPTH": DEPTH, "TOP": TOP}
    helpers = (number_at, put_number, enter_node, next_root, close_component)
    loops = (search_components, number_components, note_arcs, count_arcs, turn_arcs)
    return jit.unit_of(
        "component-loops",
        (*helpers, *loops),
        exports=[each.__name__ for each in loops],
        constants={**words, "AHEAD": AHEAD, "SIZE": size},
        inline=[each.__name__ for each in helpers],
    )


def compiled_loop(name: str, size: int, *, native: bool = True) -> jit.Compiled:
    return jit.load(loops_unit(size), native=native)[name]
