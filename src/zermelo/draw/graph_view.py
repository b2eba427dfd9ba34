"""A graph as it is written for other programs: nodes and arcs with their words.

Comes in a reachability graph; goes out the graph of its states or of its strongly
connected components. The writers of the formats know nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from zermelo.core.graph import Component, Graph, Link
from zermelo.core.machine import Ending, Outcome
from zermelo.core.signature import OF_GAMES, Nouns
from zermelo.core.state import Move, State
from zermelo.core.values import UNSET

MoveText: TypeAlias = Callable[[Move], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphNode:
    """A state, or the states of a component, in words."""

    number: int
    state: State
    """Of a component the state that is reached first."""
    depth: int
    player: str | None
    outcome: Outcome | None
    is_open: bool
    component: int
    size: int = 1
    """How many states it stands for."""
    result: str | None = None
    """The variable that says how it ends."""
    group: int | None = None
    """Which of the nontrivial components it is in, where these are marked."""
    marks: bool = False
    """Whether components are marked, and nodes numbered."""
    is_trap: bool = False
    """Whether it is in a nontrivial component that no arc leaves."""
    nouns: Nouns = OF_GAMES

    @property
    def ending(self) -> str | None:
        """How it ends, in words; where components are marked, a node without arcs is terminal."""
        if self.outcome is None:
            return None
        is_terminal = self.marks and self.outcome.ending is Ending.STUCK
        return "terminal" if is_terminal else str(self.outcome)

    @property
    def text(self) -> str:
        """What it stands for, in one line."""
        is_single = self.size == 1
        if is_single:
            return str(self.state)
        return f"{self.nouns.counted_states(self.size)}, first {self.state}"

    @property
    def short(self) -> str:
        """The same without what is unset, and without the result, which ``outcome`` tells."""
        if self.size > 1:
            return self.nouns.counted_states(self.size)
        return ", ".join(
            f"{name} = {self.state.show(value)}"
            for name, value in self.state.items()
            if name != self.result and value is not UNSET
        )


@dataclass(frozen=True, slots=True)
class GraphArc:
    """An arc and its label."""

    source: int
    target: int
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphSummary:
    """What every format says of a graph as a whole."""

    name: str
    nodes: int
    arcs: int
    players: tuple[str, ...]
    readings: Mapping[str, str]
    cut: str | None
    """Why the graph is not complete."""
    is_of_components: bool = False
    nouns: Nouns = OF_GAMES

    @property
    def remark(self) -> str:
        """Whether the graph is complete, in one sentence."""
        if self.cut is None:
            return "complete"
        return f"not complete: {self.cut}"


@dataclass(slots=True, kw_only=True)
class _WrittenGraph:
    """A reachability graph and the words for what is in it."""

    graph: Graph = field(kw_only=False)
    move_text: MoveText = str
    marks: bool = False
    """Whether nontrivial components are told apart, and nodes numbered."""
    nouns: Nouns = OF_GAMES

    def _summary(self, *, nodes: int, arcs: int, is_of_components: bool) -> GraphSummary:
        system, cut = self.graph.signature, self.graph.overview.cut
        return GraphSummary(
            name=system.name,
            nodes=nodes,
            arcs=arcs,
            players=tuple(player.name for player in system.players),
            readings={reading.name: reading.choice for reading in system.readings},
            cut=None if cut is None else self.nouns.renamed(cut),
            is_of_components=is_of_components,
            nouns=self.nouns,
        )


@dataclass(slots=True, kw_only=True)
class StateGraph(_WrittenGraph):
    """The graph of the states."""

    @property
    def summary(self) -> GraphSummary:
        overview = self.graph.overview
        return self._summary(nodes=overview.nodes, arcs=overview.arcs, is_of_components=False)

    def nodes(self) -> Iterator[GraphNode]:
        groups: dict[int, int | None] = {}
        traps: set[int] = set()
        found = 0
        for number in range(self.graph.overview.nodes):
            node = self.graph.node(number)
            if node.component not in groups:
                component = self.graph.component(node.component)
                is_marked = self.marks and component.is_nontrivial
                groups[node.component] = found if is_marked else None
                found += is_marked
                if _is_trap(component):
                    traps.add(node.component)
            yield GraphNode(
                number=node.number,
                state=node.state,
                depth=node.depth,
                player=node.player,
                outcome=node.outcome,
                is_open=node.is_open,
                component=node.component,
                result=self.graph.signature.result,
                group=groups[node.component],
                marks=self.marks,
                is_trap=node.component in traps,
                nouns=self.nouns,
            )

    def arcs(self) -> Iterator[GraphArc]:
        """The moves, of each state in their canonical order."""
        texts: dict[Move, str] = {}
        for source in range(self.graph.overview.nodes):
            for move, target in self.graph.steps(source):
                text = texts.get(move)
                if text is None:
                    text = texts[move] = self.move_text(move)
                yield GraphArc(source, target, text)

    def open_nodes(self) -> list[int]:
        """The states from which moves lead out of the graph."""
        return self.graph.open_nodes()


@dataclass(slots=True, kw_only=True)
class ComponentGraph(_WrittenGraph):
    """The condensation: its nodes are the strongly connected components."""

    _links: tuple[Link, ...] = field(init=False)

    def __post_init__(self) -> None:
        self._links = tuple(self.graph.links())

    @property
    def summary(self) -> GraphSummary:
        components = self.graph.overview.components
        return self._summary(nodes=components, arcs=len(self._links), is_of_components=True)

    def nodes(self) -> Iterator[GraphNode]:
        for number in range(self.graph.overview.components):
            component = self.graph.component(number)
            first = self.graph.node(component.first)
            yield GraphNode(
                number=component.number,
                state=first.state,
                depth=first.depth,
                player=first.player if component.size == 1 else None,
                outcome=first.outcome,
                is_open=component.is_open,
                component=component.number,
                size=component.size,
                result=self.graph.signature.result,
                group=0 if self.marks and component.is_nontrivial else None,
                marks=self.marks,
                is_trap=_is_trap(component),
                nouns=self.nouns,
            )

    def arcs(self) -> Iterator[GraphArc]:
        """What leads from one component into another."""
        for link in self._links:
            yield GraphArc(link.source, link.target, self._label(link))

    def open_nodes(self) -> list[int]:
        """The components from which moves lead out of the graph."""
        numbers = range(self.graph.overview.components)
        return [number for number in numbers if self.graph.component(number).is_open]

    def _label(self, link: Link) -> str:
        is_single = link.arcs == 1
        return self.move_text(link.move) if is_single else self.nouns.counted_moves(link.arcs)


GraphView: TypeAlias = StateGraph | ComponentGraph
"""A graph that can be written."""


def _is_trap(component: Component) -> bool:
    return component.is_nontrivial and component.is_terminal
