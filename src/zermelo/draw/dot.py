"""Graphs and diagrams in DOT, the language of Graphviz, which lays them out itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from zermelo.core.picture import Diagram, DiagramArc, DiagramNode, NodeShape, clipped
from zermelo.draw.graph_diagram import Sketcher, face, paint
from zermelo.draw.graph_view import GraphNode, GraphView
from zermelo.text.source import visible

Attributes: TypeAlias = Mapping[str, str]

LONGEST_STATE: Final = 40
"""A state whose text is longer is labelled by its number; the text is its tooltip."""
LONGEST_LABEL: Final = 60
MOST_DOTS: Final = 4
"""More tokens than this are written as a number."""

_FONT: Final = 'fontname="sans-serif"'
_BREAKS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def graph_lines(graph: GraphView, *, sketch: Sketcher | None = None) -> Iterator[str]:
    """The lines of a file with *graph*; *sketch* gives the words of nodes that are marked."""
    summary = graph.summary
    yield f"digraph {for_dot(summary.name)} {{"
    yield f"  // {in_one_line(summary.remark)}"
    for name, choice in summary.readings.items():
        yield f"  // read with {in_one_line(name)}: {in_one_line(choice)}"
    if summary.cut is not None:
        yield f'  label={for_dot(summary.remark)}; labelloc="t";'
    yield from _document(
        'shape="box", style="rounded,filled", ',
        ((n.number, _state_attributes(n, summary.players, sketch)) for n in graph.nodes()),
        ((arc.source, arc.target, {"label": in_one_line(arc.label)}) for arc in graph.arcs()),
    )


def diagram_lines(diagram: Diagram) -> Iterator[str]:
    keys = [node.key for node in diagram.nodes]
    yield f"digraph {for_dot(diagram.title)} {{"
    yield from _document(
        "",
        ((node.key, _node_attributes(node)) for node in diagram.nodes),
        (
            (keys[arc.source], keys[arc.target], _arc_attributes(text, arc))
            for arc in diagram.arcs
            for text in arc.texts or (arc.label,)
        ),
    )


def for_dot(text: str) -> str:
    r"""*text* as a quoted string of DOT, quotes included.

    In labels Graphviz reads backslashes and the entities of HTML, so both are spelled out.

    >>> print(for_dot('a "b" \\N &lt; c'))
    "a \"b\" \\N &amp;lt; c"
    """
    clean = in_one_line(text).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
    return f'"{clean}"'


def in_one_line(text: str) -> str:
    r"""*text* without breaks of lines and signs that steer a program or are not seen.

    >>> in_one_line("a\r\nb")
    'a b'
    """
    return visible(_BREAKS.sub(" ", text))


def _document(
    defaults: str,
    nodes: Iterable[tuple[int | str, Attributes]],
    arcs: Iterable[tuple[int | str, int | str, Attributes]],
) -> Iterator[str]:
    """What follows the head of a file; *defaults* are attributes that all nodes have."""
    yield f"  node [{defaults}{_FONT}, fontsize=11];"
    yield f'  edge [{_FONT}, fontsize=9, color="#66727f"];'
    for key, attributes in nodes:
        yield f"  {key}{_listed(attributes)};"
    for source, target, attributes in arcs:
        yield f"  {source} -> {target}{_listed(attributes)};"
    yield "}"


def _listed(attributes: Attributes) -> str:
    listed = ", ".join(f"{name}={_quoted(value)}" for name, value in attributes.items())
    return f" [{listed}]" if listed else ""


def _quoted(text: str) -> str:
    """*text* as a quoted string in which lines are broken where it breaks them."""
    return '"' + "\\n".join(for_dot(row)[1:-1] for row in text.split("\n")) + '"'


def _state_attributes(
    node: GraphNode, players: tuple[str, ...], sketch: Sketcher | None
) -> Attributes:
    painted = paint(node, players)
    # The text of a state where it is short, else its number; and what comes of it.
    text = node.short if 0 < len(node.short) <= LONGEST_STATE else str(node.number)
    text += node.others
    label = text if node.prospect is None else f"{text}: {node.prospect}"
    found = {
        "label": "\n".join(face(node, sketch)[1]) if node.marks else label,
        "tooltip": node.text,
        "fillcolor": painted.fill,
        "color": painted.stroke,
        "fontcolor": painted.ink,
    }
    if painted.is_dashed:
        found["style"] = "rounded,filled,dashed"
    if node.outcome is not None:
        found["peripheries"] = "2"
    elif node.is_trap:
        found["peripheries"] = "3"
    if node.group is not None:
        component = "terminal component" if node.is_trap else "component"
        found["tooltip"] = f"{node.text}, in {component} {node.component}"
    return found


def _node_attributes(node: DiagramNode) -> Attributes:
    label, tooltip = in_one_line(node.label), [in_one_line(line) for line in node.tooltip]
    if node.shape is NodeShape.CIRCLE:
        dots = "●" * node.tokens if node.tokens <= MOST_DOTS else str(node.tokens)
        return {"shape": "circle", "label": dots, "xlabel": label, "tooltip": "\n".join(tooltip)}
    found = {"shape": "box", "style": "filled", "fillcolor": node.paint.fill, "label": label}
    # A box has its name inside; a circle has only its tokens.
    return {**found, "tooltip": "\n".join(tooltip[1:])} if tooltip[1:] else found


def _arc_attributes(text: str, arc: DiagramArc) -> Attributes:
    found = {"label": in_one_line(clipped(text, LONGEST_LABEL))} if text else {}
    return {**found, "dir": "both"} if arc.has_two_heads else found
