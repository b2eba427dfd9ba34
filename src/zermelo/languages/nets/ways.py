"""Shortest ways in a reachability graph, from any node to any set of nodes."""

from __future__ import annotations

import numpy as np

from zermelo.engines.graph.components import Arcs, Truths


def shortest_way(arcs: Arcs, start: int, goals: Truths) -> list[int] | None:
    """The arcs of a shortest way from *start* to one of *goals*; ``None`` if none leads there.

    Of several the first one is taken: nodes are reached by their first arc.
    """
    if goals[start]:
        return []
    arrival = np.full(arcs.nodes, -1, dtype=np.int64)
    """The arc by which each node was first reached."""
    seen = np.zeros(arcs.nodes, dtype=np.bool_)
    seen[start] = True
    frontier = np.array([start])
    while len(frontier):
        leaving = arcs.leaving(frontier)
        targets = arcs.targets[leaving]
        is_new = ~seen[targets]
        nodes, first = np.unique(targets[is_new], return_index=True)
        arrival[nodes] = leaving[is_new][first]
        seen[nodes] = True
        hits = nodes[goals[nodes]]
        if len(hits):
            return _traced(arcs, start, int(hits[0]), arrival.tolist())
        frontier = nodes
    return None


def _traced(arcs: Arcs, start: int, goal: int, arrival: list[int]) -> list[int]:
    """The arcs by which *goal* was reached, in the order in which they are gone."""
    way: list[int] = []
    node = goal
    while node != start:
        arc = arrival[node]
        way.append(arc)
        node = int(np.searchsorted(arcs.offsets, arc, side="right")) - 1
    return way[::-1]
