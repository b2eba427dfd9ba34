"""Documents as drawings for the page: where everything stands, and which boxes are moves."""

from __future__ import annotations

from typing import Final

from zermelo.core.picture import NodeShape
from zermelo.core.state import State
from zermelo.draw.layout import layout
from zermelo.draw.page import Curve, NodeBox
from zermelo.faces.web.page.opened import Answer, OpenGame
from zermelo.play.session import move_text
from zermelo.text.diagnostic import Json
from zermelo.text.errors import UsageError
from zermelo.text.source import visible

MOST_WAYS: Final = 200
"""Moves of one box that are sent."""


def diagram_json(opened: OpenGame, state: State) -> Answer:
    """The drawing of the document in *state*; *words* say why there is none."""
    words, machine = opened.words, opened.words.machine
    try:
        found = words.diagram(state)
        first = words.diagram(machine.initial)
    except UsageError as error:
        return {"words": f"{error}.", "boxes": [], "arcs": []}
    if found is None or first is None:
        return {"words": "", "boxes": [], "arcs": []}
    # Where things stand does not depend on the state, so that nothing jumps.
    page = layout(first)
    ways: dict[str, list[Json]] = {}
    for move in () if machine.outcome(state) is not None else machine.legal(state):
        made = ways.setdefault(move.name, [])
        if len(made) < MOST_WAYS:
            made.append({"move": str(move), "text": visible(move_text(move, words))})
    return {
        "words": "",
        "width": round(page.width, 1),
        "height": round(page.height, 1),
        "boxes": [
            _box_json(NodeBox(node, box.x, box.y, box.width, box.height), ways)
            for node, box in zip(found.nodes, page.boxes, strict=True)
        ],
        "arcs": [_curve_json(curve) for curve in page.curves],
    }


def _box_json(box: NodeBox, ways: dict[str, list[Json]]) -> Json:
    node = box.node
    is_round = node.shape is NodeShape.CIRCLE
    return {
        "left": round(box.left, 1),
        "top": round(box.top, 1),
        "width": round(box.width, 1),
        "height": round(box.height, 1),
        "round": is_round,
        "name": visible(node.tooltip[0]),
        "lines": [visible(each) for each in node.lines],
        "notes": [visible(each) for each in node.notes],
        "title": visible("\n".join(node.tooltip)),
        "tokens": node.tokens,
        "moves": [] if is_round else ways.get(node.tooltip[0], []),
    }


def _curve_json(curve: Curve) -> Json:
    points: list[Json] = [[round(x, 1), round(y, 1)] for x, y in curve.points]
    label = curve.label
    return {
        "points": points,
        "label": visible(curve.arc.label),
        "at": None if label is None else [round(label[0], 1), round(label[1], 1)],
        "both": curve.arc.has_two_heads,
        "title": visible(curve.arc.tooltip),
    }
