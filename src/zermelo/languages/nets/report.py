"""What a net's reachability graph is said to look like: counts, and what is terminal.

Terminal nodes have no arc. A terminal component has no arc that leaves it; it is
nontrivial when it has an arc inside, a loop at one node included.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from zermelo.core.arrays import Piece
from zermelo.core.machine import Fault
from zermelo.core.services import ArrayGraph
from zermelo.core.state import Move
from zermelo.languages.nets.answers import ListedNode, NetReport, Trap
from zermelo.languages.nets.tokens import first_fault, most_tokens, tokens
from zermelo.languages.nets.unbounded import Pumping

_NODES_AT_ONCE: Final = 1 << 16
_NODES_OF_A_COMPONENT: Final = 20


def report(
    graph: ArrayGraph, *, most: int | None = None, unbounded: Pumping | None = None
) -> NetReport:
    overview = graph.overview
    ends = np.flatnonzero(graph.is_terminal)
    traps = np.flatnonzero(graph.is_terminal_component & graph.is_nontrivial)
    in_a_place, in_a_marking = most_in(graph)
    return NetReport(
        name=graph.signature.name,
        nodes=overview.nodes,
        arcs=overview.arcs,
        loops=overview.loops,
        components=overview.components,
        terminal_nodes=len(ends),
        nontrivial_terminal=len(traps),
        terminal=tuple(_listed(graph, int(at)) for at in ends[:most]),
        traps=tuple(_trap(graph, int(at)) for at in traps[:most]),
        most_in_a_place=in_a_place,
        most_in_a_marking=in_a_marking,
        unbounded=unbounded,
        cut="the net is unbounded" if unbounded is not None else overview.cut,
        faulty=len(graph.faulty),
        fault=fault_in(graph),
    )


def fault_in(graph: ArrayGraph) -> str | None:
    if not len(graph.faulty):
        return None
    return first_fault(graph.expander, graph.rows[int(graph.faulty[0])])


def most_in(graph: ArrayGraph) -> tuple[int, int]:
    return most_tokens(graph.expander, lambda piece: graph.rows[slice(*piece)], _pieces(graph))


def _pieces(graph: ArrayGraph) -> Iterator[Piece]:
    for first in range(0, graph.nodes, _NODES_AT_ONCE):
        yield first, first + _NODES_AT_ONCE


def places_marked(graph: ArrayGraph) -> list[bool]:
    found = np.zeros(len(graph.signature.variables), dtype=np.bool_)
    for piece in _pieces(graph):
        found |= tokens(graph.expander, graph.rows[slice(*piece)]).any(axis=0)
    return [bool(each) for each in found]


def _listed(graph: ArrayGraph, number: int) -> ListedNode:
    stopped = tuple(stopped_in(graph, number))
    return ListedNode(number, graph.state(number), graph.play(number), stopped)


def stopped_in(graph: ArrayGraph, number: int) -> Mapping[Move, Fault]:
    at = int(np.searchsorted(graph.faulty, number))
    if at == len(graph.faulty) or graph.faulty[at] != number:
        return {}
    return graph.expander.faults(graph.rows[number])


def _trap(graph: ArrayGraph, component: int) -> Trap:
    nodes = np.flatnonzero(graph.labels == component)
    shown = tuple(_listed(graph, int(at)) for at in nodes[:_NODES_OF_A_COMPONENT])
    return Trap(component, len(nodes), shown)
