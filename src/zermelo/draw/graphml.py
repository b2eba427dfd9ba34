"""Graphs in GraphML."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zermelo.draw.escape import for_xml
from zermelo.draw.shown import Shown, ShownNode

NAMESPACE: Final = "http://graphml.graphdrawing.org/xmlns"

_KEYS: Final = (
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
"""What each kind of thing carries; the key of a datum is its name."""


def lines(graph: Shown) -> Iterator[str]:
    """The lines of the file."""
    about = graph.about
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<graphml xmlns="{NAMESPACE}">'
    for kind, name, of_type in _KEYS:
        yield f'  <key id="{name}" for="{kind}" attr.name="{name}" attr.type="{of_type}"/>'
    yield '  <graph id="G" edgedefault="directed">'
    yield _data("name", about.name, indent=4)
    yield _data("complete", _truth(about.cut is None), indent=4)
    if about.cut is not None:
        yield _data("cut", about.cut, indent=4)
    if about.readings:
        readings = "; ".join(f"{name}: {choice}" for name, choice in about.readings.items())
        yield _data("readings", readings, indent=4)
    for node in graph.nodes():
        yield f'    <node id="n{node.number}">{"".join(_node_data(node))}</node>'
    for arc in graph.arcs():
        yield (
            f'    <edge source="n{arc.source}" target="n{arc.target}">'
            f"{_data('move', arc.label)}</edge>"
        )
    yield "  </graph>"
    yield "</graphml>"


def _node_data(node: ShownNode) -> Iterator[str]:
    yield _data("label", node.text)
    yield _data("depth", str(node.depth))
    if node.player is not None:
        yield _data("player", node.player)
    if node.outcome is not None:
        yield _data("outcome", str(node.outcome))
    if node.is_open:
        yield _data("open", _truth(node.is_open))
    yield _data("component", str(node.component))
    if node.size > 1:
        yield _data("states", str(node.size))


def _data(key: str, text: str, *, indent: int = 0) -> str:
    return " " * indent + f'<data key="{key}">{for_xml(text)}</data>'


def _truth(value: bool) -> str:  # noqa: FBT001 (the value is what is written)
    return "true" if value else "false"
