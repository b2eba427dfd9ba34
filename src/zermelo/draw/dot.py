"""Graphs in DOT, the language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from zermelo.draw.drawing import Sketcher, face
from zermelo.draw.escape import for_dot, in_one_line
from zermelo.draw.graph_view import GraphNode, GraphView
from zermelo.draw.looks import look

LONGEST_LABEL: Final = 40
"""A state whose text is longer is labelled by its number; the text is its tooltip."""


def lines(graph: GraphView, *, sketch: Sketcher | None = None) -> Iterator[str]:
    """The lines of the file; *sketch* gives the words of nodes that are marked."""
    summary = graph.summary
    yield f"digraph {for_dot(summary.name)} {{"
    yield f"  // {in_one_line(summary.remark)}"
    for name, choice in summary.readings.items():
        yield f"  // read with {in_one_line(name)}: {in_one_line(choice)}"
    if summary.cut is not None:
        yield f'  label={for_dot(summary.remark)}; labelloc="t";'
    yield '  node [shape="box", style="rounded,filled", fontname="sans-serif", fontsize=11];'
    yield '  edge [fontname="sans-serif", fontsize=9, color="#66727f"];'
    for node in graph.nodes():
        yield f"  {node.number} [{_listed(_attributes(node, summary.players, sketch))}];"
    for arc in graph.arcs():
        yield f"  {arc.source} -> {arc.target} [label={for_dot(arc.label)}];"
    yield "}"


def label(node: GraphNode) -> str:
    """The text of a state where it is short, else its number; and how it ends."""
    text = node.short if 0 < len(node.short) <= LONGEST_LABEL else str(node.number)
    return text if node.ending is None else f"{text}: {node.ending}"


def _attributes(
    node: GraphNode, players: tuple[str, ...], sketch: Sketcher | None
) -> Mapping[str, str]:
    drawn = look(node, players)
    styles = ["rounded", "filled", *(["dashed"] if drawn.is_dashed else [])]
    found = {
        "label": "\n".join(face(node, sketch)[1]) if node.marks else label(node),
        "tooltip": node.text,
        "fillcolor": drawn.fill,
        "color": drawn.stroke,
        "fontcolor": drawn.ink,
    }
    if drawn.is_dashed:
        found["style"] = ",".join(styles)
    if node.outcome is not None:
        found["peripheries"] = "2"
    elif node.is_trap:
        found["peripheries"] = "3"
    if node.group is not None:
        kind = "terminal component" if node.is_trap else "component"
        found["tooltip"] = f"{node.text}, in {kind} {node.component}"
    return found


def _listed(attributes: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={_quoted(value)}" for name, value in attributes.items())


def _quoted(text: str) -> str:
    """*text* as a quoted string in which lines are broken where it breaks them."""
    rows = [for_dot(row)[1:-1] for row in text.split("\n")]
    return '"' + "\\n".join(rows) + '"'
