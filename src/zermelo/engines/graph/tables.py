"""Graphs as tables of pandas and as networks of networkx, for whoever has these libraries.

A row of a table of positions is a node: its depth, who is to move, how it ends, and what the
variables are. Truth values and numbers are those of Python, so that one can compute with them;
everything else is a text, as the document writes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from zermelo.core.graph import Graph, Node
from zermelo.core.state import State
from zermelo.core.values import TruthValue, Unset, Value
from zermelo.text.optional import optional_library


def arcs_table(graph: Graph) -> Any:  # noqa: ANN401 - a DataFrame, of a library that may be missing
    """A row for each arc: the node it leaves, its move, and the node it leads to."""
    pandas = optional_library("pandas", wanted_for="a table")
    arcs = (
        (source, str(move), target)
        for source in range(graph.overview.nodes)
        for move, target in graph.steps(source)
    )
    return pandas.DataFrame(arcs, columns=["source", "move", "target"])


def positions_table(
    graph: Graph,
    told: Mapping[str, Sequence[object]] | None = None,
) -> Any:  # noqa: ANN401 - as above
    """A row for each node: what it is, its variables, and what else is *told* of each.

    A column that would be called as a variable is has an underscore behind its name.
    """
    pandas = optional_library("pandas", wanted_for="a table")
    nodes = [graph.node(number) for number in range(graph.overview.nodes)]
    variables = nodes[0].state.names
    about: dict[str, Sequence[object]] = {
        "depth": [each.depth for each in nodes],
        "player": [each.player for each in nodes],
        "outcome": [_outcome(each) for each in nodes],
        **(told or {}),
    }
    columns = {_free(name, variables): column for name, column in about.items()}
    for at, name in enumerate(variables):
        columns[name] = [_cell(each.state, each.state.values[at]) for each in nodes]
    return pandas.DataFrame(columns, index=pandas.RangeIndex(len(nodes), name="node"))


def network(graph: Graph) -> Any:  # noqa: ANN401 - a MultiDiGraph, of a library that may be missing
    """The same graph: nodes with their states, and arcs with their moves."""
    networkx = optional_library("networkx", wanted_for="a network")
    made = networkx.MultiDiGraph(name=graph.signature.name)
    for number in range(graph.overview.nodes):
        node = graph.node(number)
        made.add_node(
            number,
            state=node.state,
            depth=node.depth,
            player=node.player,
            outcome=_outcome(node),
        )
    for source in range(graph.overview.nodes):
        made.add_edges_from(
            (source, target, {"move": move}) for move, target in graph.steps(source)
        )
    return made


def _outcome(node: Node) -> str | None:
    return None if node.outcome is None else str(node.outcome)


def _free(name: str, taken: Iterable[str]) -> str:
    """*name*, or the like of it that is not *taken*.

    >>> _free("depth", ["heap"]), _free("depth", ["depth", "depth_"])
    ('depth', 'depth__')
    """
    return _free(f"{name}_", taken) if name in taken else name


def _cell(state: State, value: Value) -> object:
    match value:
        case TruthValue():
            return bool(value)
        case int() | Fraction():
            return value
        case Unset():
            return None
        case _:
            return state.show(value)
