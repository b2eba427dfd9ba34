"""Strongly connected components of large graphs.

Comes in a graph as two arrays: the arcs of node i lead to ``targets[offsets[i] :
offsets[i + 1]]``. Goes out the number of each node's component; components are
numbered in the order of their first nodes.

Nodes that nothing leads to, or that lead to nothing, are components of their own:
taking them away again and again leaves nothing of an acyclic graph. A component
that holds most of the rest is what can be reached from one of its nodes forwards
and backwards. What then is left goes through Tarjan's algorithm. Only the last is a
loop over nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

Numbers: TypeAlias = npt.NDArray[np.int64]
Truths: TypeAlias = npt.NDArray[np.bool_]

MOST_ROUNDS: Final = 2000
"""Steps over whole arrays that are worth taking; a long thin graph is left to Tarjan."""
LARGE: Final = 8
"""A component with at least one node in so many is worth the search for the next one."""


@dataclass(frozen=True, slots=True)
class Arcs:
    """The arcs of a graph, those of one node after those of the one before it."""

    offsets: Numbers
    targets: Numbers

    @property
    def nodes(self) -> int:
        """How many nodes there are."""
        return len(self.offsets) - 1

    @property
    def sources(self) -> Numbers:
        """The node that each arc leaves."""
        return np.repeat(np.arange(self.nodes), np.diff(self.offsets))

    def leaving(self, nodes: Numbers) -> Numbers:
        """The numbers of the arcs that leave *nodes*, node by node."""
        starts = self.offsets[nodes]
        counts = self.offsets[nodes + 1] - starts
        before = np.cumsum(counts) - counts
        return np.repeat(starts - before, counts) + np.arange(counts.sum())

    def turned(self) -> Arcs:
        """The same arcs the other way round."""
        order = np.argsort(self.targets, kind="stable")
        return from_pairs(self.targets[order], self.sources[order], nodes=self.nodes)


def from_pairs(sources: Numbers, targets: Numbers, *, nodes: int) -> Arcs:
    """The arcs between *nodes* nodes whose *sources*, in order, and *targets* are given."""
    counts = np.bincount(sources, minlength=nodes)
    return Arcs(np.concatenate(([0], np.cumsum(counts))), targets)


def components(arcs: Arcs) -> Numbers:
    """The number of the component of each node."""
    return _in_order_of_first(_Search(arcs).labels())


def _in_order_of_first(labels: Numbers) -> Numbers:
    """The same partition, its classes numbered in the order in which they begin."""
    _, first, classes = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[classes.reshape(-1)]


class _Search:
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
        """A node of its component for each node."""
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
    """The arc by which each node was first reached."""
    frontier = np.array([node])
    sources = arcs.sources
    while arrival[node] < 0:
        leaving = arcs.leaving(frontier)
        targets = arcs.targets[leaving]
        is_new = within[targets] & (arrival[targets] < 0)
        frontier, first = np.unique(targets[is_new], return_index=True)
        arrival[frontier] = leaving[is_new][first]
    loop = [int(arrival[node])]
    while sources[loop[-1]] != node:
        loop.append(int(arrival[sources[loop[-1]]]))
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
    """Everything on the *stack* from *node* on is its component."""
    while True:
        member = stack.pop()
        label[member] = node
        if member == node:
            return
