"""The formats in which a graph can be written; AUT, GraphML and JSON are made here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, assert_never

from zermelo.core.graph import GraphFormat
from zermelo.core.machine import state_json
from zermelo.draw import dot, svg
from zermelo.draw.dot import in_one_line
from zermelo.draw.graph_diagram import Sketcher, graph_diagram
from zermelo.draw.graph_view import GraphNode, GraphView
from zermelo.text.diagnostic import Json
from zermelo.text.render import for_xml

GRAPHML_NAMESPACE: Final = "http://graphml.graphdrawing.org/xmlns"

_GRAPHML_KEYS: Final = (
    ("graph", "name", "string"),
    ("graph", "complete", "boolean"),
    ("graph", "cut", "string"),
    ("graph", "readings", "string"),
    ("node", "label", "string"),
    ("node", "depth", "int"),
    ("node", "player", "string"),
    ("node", "outcome", "string"),
    ("node", "open", "boolean"),
    ("node", "component", "int"),
    ("node", "states", "int"),
    ("edge", "move", "string"),
)
"""What graphs, nodes and edges carry; the key of a datum is its name."""


def lines(
    graph: GraphView, written_as: GraphFormat, *, sketch: Sketcher | None = None
) -> Iterator[str]:
    """The lines of a file with *graph*; *sketch* draws its states where there are pictures."""
    match written_as:
        case GraphFormat.DOT:
            return dot.graph_lines(graph, sketch=sketch)
        case GraphFormat.AUT:
            return _aut(graph)
        case GraphFormat.GRAPHML:
            return _graphml(graph)
        case GraphFormat.SVG:
            return svg.lines(graph_diagram(graph, sketch=sketch))
        case GraphFormat.JSON:
            return _json(graph)
        case _:
            assert_never(written_as)


def _aut(graph: GraphView) -> Iterator[str]:
    """AUT, the format of Aldebaran: a header, then one arc a line.

    AUT has neither comments nor words for states. So that no tool takes the rim of a graph
    that was cut short for its end, one more state stands for all that lies beyond, and an arc
    with the reason as its label leads to it from every node that is open.
    """
    summary = graph.summary
    open_nodes = graph.open_nodes()
    beyond = summary.nodes
    yield f"des (0, {summary.arcs + len(open_nodes)}, {beyond + bool(open_nodes)})"
    for arc in graph.arcs():
        yield f"({arc.source}, {for_aut(arc.label)}, {arc.target})"
    for node in open_nodes:
        yield f"({node}, {for_aut(summary.remark)}, {beyond})"


def for_aut(text: str) -> str:
    """*text* as a label of AUT, quotes included; there is no way to write a quote in one.

    >>> print(for_aut('Say("no")'))
    "Say('no')"
    """
    return '"' + in_one_line(text).replace('"', "'") + '"'


def _graphml(graph: GraphView) -> Iterator[str]:
    summary = graph.summary
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<graphml xmlns="{GRAPHML_NAMESPACE}">'
    for kind, name, of_type in _GRAPHML_KEYS:
        yield f'  <key id="{name}" for="{kind}" attr.name="{name}" attr.type="{of_type}"/>'
    yield '  <graph id="G" edgedefault="directed">'
    readings = "; ".join(f"{name}: {choice}" for name, choice in summary.readings.items())
    head = {
        "name": summary.name,
        "complete": "true" if summary.cut is None else "false",
        "cut": summary.cut,
        "readings": readings if summary.readings else None,
    }
    yield from (f"    {datum}" for datum in _graphml_data(head))
    for node in graph.nodes():
        data = {
            "label": node.text,
            "depth": str(node.depth),
            "player": node.player,
            "outcome": None if node.outcome is None else str(node.outcome),
            "open": "true" if node.is_open else None,
            "component": str(node.component),
            "states": str(_states(node)) if _states(node) > 1 else None,
        }
        yield f'    <node id="n{node.number}">{"".join(_graphml_data(data))}</node>'
    for arc in graph.arcs():
        move = "".join(_graphml_data({"move": arc.label}))
        yield f'    <edge source="n{arc.source}" target="n{arc.target}">{move}</edge>'
    yield "  </graph>"
    yield "</graphml>"


def _graphml_data(data: Mapping[str, str | None]) -> Iterator[str]:
    for key, text in data.items():
        if text is not None:
            yield f'<data key="{key}">{for_xml(text)}</data>'


def _json(graph: GraphView) -> Iterator[str]:
    """One object, with one node and one arc a line."""
    summary = graph.summary
    head: dict[str, Json] = {
        "name": summary.name,
        "complete": summary.cut is None,
        "cut": summary.cut,
        "players": list(summary.players),
        "readings": dict(summary.readings),
    }
    yield "{"
    yield from (f'  "{key}": {_json_text(value)},' for key, value in head.items())
    yield '  "nodes": ['
    yield from _with_commas(_json_text(_json_node(node)) for node in graph.nodes())
    yield "  ],"
    yield '  "arcs": ['
    yield from _with_commas(_json_text([a.source, a.target, a.label]) for a in graph.arcs())
    yield "  ]"
    yield "}"


def _json_node(node: GraphNode) -> dict[str, Json]:
    return {
        "number": node.number,
        "state": state_json(node.state),
        "depth": node.depth,
        "player": node.player,
        "outcome": None if node.outcome is None else str(node.outcome),
        "open": node.is_open,
        "component": node.component,
        "states": _states(node),
    }


def _states(node: GraphNode) -> int:
    """For how many states *node* stands: those of a component, or all that are like one."""
    return node.size * node.alike


def _with_commas(items: Iterable[str]) -> Iterator[str]:
    """The items of a list, each in a line, with a comma after all but the last."""
    last: str | None = None
    for item in items:
        if last is not None:
            yield f"    {last},"
        last = item
    if last is not None:
        yield f"    {last}"


def _json_text(data: Json) -> str:
    return json.dumps(data, ensure_ascii=False)
