"""The formats in which a graph can be written."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import assert_never

from zermelo.draw import aut, dot, graphml, json_graph, svg
from zermelo.draw.drawing import Sketcher
from zermelo.draw.shown import Shown


class GraphFormat(Enum):
    """A format for graphs."""

    DOT = "dot"
    AUT = "aut"
    GRAPHML = "graphml"
    SVG = "svg"
    JSON = "json"

    @property
    def is_picture(self) -> bool:
        """Whether it is made for looking at, with moves as short as players type them."""
        return self in {GraphFormat.DOT, GraphFormat.SVG}


def lines(
    graph: Shown, written_as: GraphFormat, *, sketch: Sketcher | None = None
) -> Iterator[str]:
    """The lines of a file with *graph*; *sketch* draws its states where there are pictures."""
    match written_as:
        case GraphFormat.DOT:
            return dot.lines(graph, sketch=sketch)
        case GraphFormat.AUT:
            return aut.lines(graph)
        case GraphFormat.GRAPHML:
            return graphml.lines(graph)
        case GraphFormat.SVG:
            return svg.lines(graph, sketch=sketch)
        case GraphFormat.JSON:
            return json_graph.lines(graph)
        case _:
            assert_never(written_as)
