"""A graph as it is written for other programs: its states or its components, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from zermelo.core.graph import Graph, Link, Node
from zermelo.core.machine import Ending, Outcome
from zermelo.core.signature import OF_GAMES, Nouns
from zermelo.core.state import Move, State
from zermelo.core.values import UNSET

MoveText: TypeAlias = Callable[[Move], str]
ValueText: TypeAlias = Callable[[State], str]


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
    alike: int = 1
    """For how many states that are alike a state stands."""
    result: str | None = None
    group: int | None = None
    """Which of the nontrivial components it is in, where these are marked."""
    marks: bool = False
    """Whether components are marked, and nodes numbered."""
    is_trap: bool = False
    """Whether it is in a nontrivial component that no arc leaves."""
    nouns: Nouns = OF_GAMES
    value: str | None = None
    """What perfect play leads to from it, where that is known and play goes on."""

    @property
    def ending(self) -> str | None:
        """How it ends, in words; where components are marked, a node without arcs is terminal."""
        if self.outcome is None:
            return None
        is_terminal = self.marks and self.outcome.ending is Ending.STUCK
        return "terminal" if is_terminal else str(self.outcome)

    @property
    def prospect(self) -> str | None:
        """How it ends, or what perfect play leads to."""
        return self.value if self.outcome is None else self.ending

    @property
    def text(self) -> str:
        if self.size > 1:
            return f"{self.nouns.counted_states(self.size)}, first {self.state}"
        return f"{self.state}{self.others}"

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

    @property
    def others(self) -> str:
        """For how many states it stands, to be written behind one of them."""
        return f", one of {self.alike:,} alike" if self.alike > 1 else ""


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
    is_of_components: bool = False
    nouns: Nouns = OF_GAMES

    @property
    def remark(self) -> str:
        return "complete" if self.cut is None else f"not complete: {self.cut}"


@dataclass(slots=True, kw_only=True)
class _WrittenGraph:
    """A reachability graph and the words for what is in it."""

    graph: Graph = field(kw_only=False)
    move_text: MoveText = str
    value_text: ValueText | None = None
    """What perfect play leads to from a state, where that is to be written."""
    marks: bool = False
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

    def _node(self, node: Node, group: int | None, *, is_trap: bool) -> GraphNode:
        return GraphNode(
            number=node.number,
            state=node.state,
            depth=node.depth,
            player=node.player,
            outcome=node.outcome,
            is_open=node.is_open,
            component=node.component,
            alike=node.alike,
            result=self.graph.signature.result,
            group=group,
            marks=self.marks,
            is_trap=is_trap,
            nouns=self.nouns,
            value=None
            if self.value_text is None or node.outcome is not None
            else self.value_text(node.state),
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
        marked = 0
        for number in range(self.graph.overview.nodes):
            node = self.graph.node(number)
            if node.component not in groups:
                component = self.graph.component(node.component)
                is_marked = self.marks and component.is_nontrivial
                groups[node.component] = marked if is_marked else None
                marked += is_marked
                if component.is_nontrivial and component.is_terminal:
                    traps.add(node.component)
            yield self._node(node, groups[node.component], is_trap=node.component in traps)

    def arcs(self) -> Iterator[GraphArc]:
        texts: dict[Move, str] = {}
        for source in range(self.graph.overview.nodes):
            for move, target in self.graph.steps(source):
                if move not in texts:
                    texts[move] = self.move_text(move)
                yield GraphArc(source, target, texts[move])

    def open_nodes(self) -> list[int]:
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
            group = 0 if self.marks and component.is_nontrivial else None
            is_trap = component.is_nontrivial and component.is_terminal
            yield replace(
                self._node(first, group, is_trap=is_trap),
                number=component.number,
                player=first.player if component.size == 1 else None,
                is_open=component.is_open,
                size=component.size,
            )

    def arcs(self) -> Iterator[GraphArc]:
        for link in self._links:
            is_single = link.arcs == 1
            text = self.move_text(link.move) if is_single else self.nouns.counted_moves(link.arcs)
            yield GraphArc(link.source, link.target, text)

    def open_nodes(self) -> list[int]:
        numbers = range(self.graph.overview.components)
        return [number for number in numbers if self.graph.component(number).is_open]


GraphView: TypeAlias = StateGraph | ComponentGraph
