"""Graphs in JSON: one object, with one node and one arc a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from zermelo.core.as_json import state_json
from zermelo.draw.shown import Shown, ShownNode
from zermelo.text.render import Json


def lines(graph: Shown) -> Iterator[str]:
    """The lines of the file."""
    about = graph.about
    yield "{"
    yield f'  "name": {_text(about.name)},'
    yield f'  "complete": {_text(about.cut is None)},'
    yield f'  "cut": {_text(about.cut)},'
    yield f'  "players": {_text(list(about.players))},'
    yield f'  "readings": {_text(dict(about.readings))},'
    yield from _listed("nodes", (_text(_node(node)) for node in graph.nodes()))
    yield "  ],"
    yield from _listed("arcs", (_text([a.source, a.target, a.label]) for a in graph.arcs()))
    yield "  ]"
    yield "}"


def _node(node: ShownNode) -> dict[str, Json]:
    return {
        "number": node.number,
        "state": state_json(node.state),
        "depth": node.depth,
        "player": node.player,
        "outcome": None if node.outcome is None else str(node.outcome),
        "open": node.is_open,
        "component": node.component,
        "states": node.size,
    }


def _listed(name: str, items: Iterable[str]) -> Iterator[str]:
    """The items of a list, each in a line, with a comma after all but the last."""
    yield f'  "{name}": ['
    last: str | None = None
    for item in items:
        if last is not None:
            yield f"    {last},"
        last = item
    if last is not None:
        yield f"    {last}"


def _text(data: Json) -> str:
    return json.dumps(data, ensure_ascii=False)
