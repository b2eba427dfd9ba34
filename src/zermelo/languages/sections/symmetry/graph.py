"""A system written out as a graph whose automorphisms are its symmetries.

The vertices are claims, variables, formulas and inputs; an edge has a label that
says what its one end is to the other. What a symmetry must tell apart has
different colours from the start.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import assert_never

from zermelo.languages.sections.symmetry.formulas import (
    Amount,
    Choose,
    Claimed,
    Conjunction,
    Constant,
    Disjunction,
    Known,
    Negation,
    Node,
    Sum,
    Term,
)
from zermelo.languages.sections.symmetry.ground import Action, Ground


@dataclass(slots=True)
class Graph:
    """Vertices with colours, and edges with labels."""

    colours: list[Hashable] = field(default_factory=list)
    edges: list[tuple[int, int, Hashable]] = field(default_factory=list)
    claims: dict[int, int] = field(default_factory=dict)
    """The vertex of each claim."""

    def vertex(self, colour: Hashable) -> int:
        """A new vertex."""
        self.colours.append(colour)
        return len(self.colours) - 1

    def edge(self, source: int, target: int, label: Hashable) -> None:
        """A new edge."""
        self.edges.append((source, target, label))


def graph(system: Ground) -> Graph:
    """*system* as a graph."""
    return _Drawing(system).drawn()


class _Drawing:
    def __init__(self, system: Ground) -> None:
        self._system = system
        self._graph = Graph()
        self._vertices: dict[Node, int] = {}

    def drawn(self) -> Graph:
        self._draw_claims()
        for at, node in enumerate(self._system.judged):
            self._graph.edge(self._graph.vertex(("judged", at)), self._node(node), "is")
        for node in sorted(self._system.invariants):
            self._graph.edge(self._graph.vertex("invariant"), self._node(node), "is")
        if self._system.end is not None:
            self._draw_action(self._system.end, "end")
        for each in self._system.inputs:
            self._draw_action(each.action, "input")
        return self._graph

    def _draw_claims(self) -> None:
        """The claims of a variable hang together, so that variables become variables."""
        variables: dict[str, int] = {}
        for claim in self._system.live:
            bit = self._system.bits[claim]
            held = claim if claim in self._system.held else None
            is_outside = claim in self._system.outside
            vertex = self._graph.vertex(
                ("claim", self._system.first[claim], bit.is_member, is_outside, held)
            )
            self._graph.claims[claim] = vertex
            if bit.variable not in variables:
                variables[bit.variable] = self._graph.vertex("variable")
            self._graph.edge(vertex, variables[bit.variable], "of")

    def _draw_action(self, action: Action, colour: Hashable) -> int:
        graph = self._graph
        vertex = graph.vertex(("action", colour))
        for claim, node in action.updates:
            if claim in graph.claims:
                update = graph.vertex("update")
                graph.edge(vertex, update, "makes")
                graph.edge(update, graph.claims[claim], "of")
                graph.edge(update, self._node(node), "to")
        for at, node in action.amounts:
            graph.edge(vertex, self._node(node), ("amount", at))
        for node in sorted(action.faults):
            graph.edge(vertex, self._node(node), "fault")
        if action.ended is not None:
            graph.edge(vertex, self._draw_action(action.ended, "ended"), "then")
        return vertex

    def _node(self, node: Node) -> int:
        """The vertex of a formula, drawn with all it consists of."""
        waiting = [node]
        while waiting:
            at = waiting[-1]
            missing = [p for p in self._system.formulas.parts(at) if p not in self._vertices]
            if at in self._vertices or not missing:
                waiting.pop()
                if at not in self._vertices:
                    self._vertices[at] = self._drawn(at)
            else:
                waiting += missing
        return self._vertices[node]

    def _drawn(self, node: Node) -> int:
        formula = self._system.formulas[node]
        if isinstance(formula, Claimed) and formula.number in self._graph.claims:
            return self._graph.claims[formula.number]
        match formula:
            case Constant() | Known() | Amount() | Claimed():
                return self._graph.vertex(("leaf", formula))
            case Negation():
                vertex = self._graph.vertex("not")
            case Conjunction():
                vertex = self._graph.vertex("and")
            case Disjunction():
                vertex = self._graph.vertex("or")
            case Sum():
                vertex = self._graph.vertex("sum")
            case Term(op):
                vertex = self._graph.vertex(("term", op.value))
            case Choose():
                vertex = self._graph.vertex("choose")
            case _:
                assert_never(formula)
        for part, label in self._labelled(node):
            self._graph.edge(vertex, self._vertices[part], label)
        return vertex

    def _labelled(self, node: Node) -> Iterator[tuple[Node, Hashable]]:
        formula = self._system.formulas[node]
        parts = self._system.formulas.parts(node)
        if isinstance(formula, Sum):
            yield from ((part, ("weight", weight)) for part, weight in formula.weights)
        elif isinstance(formula, Term | Choose) and not self._is_either_way(node):
            yield from ((part, ("part", at)) for at, part in enumerate(parts))
        else:
            yield from ((part, "part") for part in parts)

    def _is_either_way(self, node: Node) -> bool:
        formula = self._system.formulas[node]
        return isinstance(formula, Term) and formula.op.value in {"=", "+", "·"}
