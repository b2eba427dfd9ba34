"""Graphs in AUT, the format of Aldebaran: a header, then one arc a line.

AUT has neither comments nor words for states. So that no tool takes the rim of a graph
that was cut short for its end, one more state stands for all that lies beyond, and an arc
with the reason as its label leads to it from every node that is open.
"""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.draw.escape import for_aut
from zermelo.draw.shown import Shown


def lines(graph: Shown) -> Iterator[str]:
    """The lines of the file."""
    about = graph.about
    open_nodes = graph.open_nodes()
    beyond = about.nodes
    arcs, nodes = about.arcs + len(open_nodes), about.nodes + (1 if open_nodes else 0)
    yield f"des (0, {arcs}, {nodes})"
    for arc in graph.arcs():
        yield f"({arc.source}, {for_aut(arc.label)}, {arc.target})"
    for node in open_nodes:
        yield f"({node}, {for_aut(about.remark)}, {beyond})"
