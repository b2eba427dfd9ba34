"""A graph as it is written for other programs: nodes and arcs with their words.

Comes in a reachability graph; goes out the graph of its states or of its strongly
connected components. The writers of the formats know nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from zermelo.core.graph import Component, Graph, Link, Node
from zermelo.core.machine import Ending, Move, Outcome, State
from zermelo.core.values import UNSET
from zermelo.core.vocabulary import OF_GAMES, Vocabulary
from zermelo.languages.sections.ir import System

MoveText: TypeAlias = Callable[[Move], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownNode:
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
    nouns: Vocabulary = OF_GAMES

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
class ShownArc:
    """An arc and its label."""

    source: int
    target: int
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What every format says of a graph as a whole."""

    name: str
    nodes: int
    arcs: int
    players: tuple[str, ...]
    readings: Mapping[str, str]
    cut: str | None
    """Why the graph is not complete."""
    is_of_components: bool = False
    nouns: Vocabulary = OF_GAMES

    @property
    def remark(self) -> str:
        """Whether the graph is complete, in one sentence."""
        if self.cut is None:
            return "complete"
        return f"not complete: {self.cut}"


class Shown(Protocol):
    """A graph that can be written."""

    @property
    def about(self) -> About:
        """The graph as a whole."""
        ...

    def nodes(self) -> Iterator[ShownNode]:
        """The nodes in the order of their numbers."""
        ...

    def arcs(self) -> Iterator[ShownArc]:
        """The arcs in the order of their sources."""
        ...

    def open_nodes(self) -> list[int]:
        """The numbers of the nodes from which arcs lead out of the graph."""
        ...


class StateGraph:
    """The graph of the states; with *marks* their nontrivial components are told apart."""

    def __init__(
        self,
        graph: Graph,
        *,
        move_text: MoveText = str,
        marks: bool = False,
        nouns: Vocabulary = OF_GAMES,
    ) -> None:
        self._graph = graph
        self._move_text = move_text
        self._marks = marks
        self._nouns = nouns

    @property
    def about(self) -> About:
        """The graph as a whole."""
        overview = self._graph.overview
        about = _about(self._graph, nodes=overview.nodes, arcs=overview.arcs)
        return _called(about, self._nouns)

    def nodes(self) -> Iterator[ShownNode]:
        """The states."""
        groups: dict[int, int | None] = {}
        traps: set[int] = set()
        found = 0
        for number in range(self._graph.overview.nodes):
            node = self._graph.node(number)
            if node.component not in groups:
                component = self._graph.component(node.component)
                is_marked = self._marks and component.is_nontrivial
                groups[node.component] = found if is_marked else None
                found += is_marked
                if _is_trap(component):
                    traps.add(node.component)
            yield replace(
                _shown_state(node, self._graph.system),
                group=groups[node.component],
                marks=self._marks,
                is_trap=node.component in traps,
                nouns=self._nouns,
            )

    def arcs(self) -> Iterator[ShownArc]:
        """The moves, of each state in their canonical order."""
        texts: dict[Move, str] = {}
        for source in range(self._graph.overview.nodes):
            for move, target in self._graph.steps(source):
                text = texts.get(move)
                if text is None:
                    text = texts[move] = self._move_text(move)
                yield ShownArc(source, target, text)

    def open_nodes(self) -> list[int]:
        """The states from which moves lead out of the graph."""
        return self._graph.open_nodes()


class ComponentGraph:
    """The condensation: its nodes are the strongly connected components."""

    def __init__(
        self,
        graph: Graph,
        *,
        move_text: MoveText = str,
        marks: bool = False,
        nouns: Vocabulary = OF_GAMES,
    ) -> None:
        self._graph = graph
        self._move_text = move_text
        self._marks = marks
        self._nouns = nouns
        self._links = tuple(graph.links())

    @property
    def about(self) -> About:
        """The graph as a whole."""
        components = self._graph.overview.components
        about = _about(self._graph, nodes=components, arcs=len(self._links))
        return _called(replace(about, is_of_components=True), self._nouns)

    def nodes(self) -> Iterator[ShownNode]:
        """The components."""
        for number in range(self._graph.overview.components):
            component = self._graph.component(number)
            first = self._graph.node(component.first)
            shown = _shown_component(component, first, self._graph.system)
            group = 0 if self._marks and component.is_nontrivial else None
            yield replace(
                shown,
                group=group,
                marks=self._marks,
                is_trap=_is_trap(component),
                nouns=self._nouns,
            )

    def arcs(self) -> Iterator[ShownArc]:
        """What leads from one component into another."""
        for link in self._links:
            yield ShownArc(link.source, link.target, self._label(link))

    def open_nodes(self) -> list[int]:
        """The components from which moves lead out of the graph."""
        numbers = range(self._graph.overview.components)
        return [number for number in numbers if self._graph.component(number).is_open]

    def _label(self, link: Link) -> str:
        is_single = link.arcs == 1
        return self._move_text(link.move) if is_single else self._nouns.counted_moves(link.arcs)


def _called(about: About, nouns: Vocabulary) -> About:
    cut = None if about.cut is None else nouns.renamed(about.cut)
    return replace(about, cut=cut, nouns=nouns)


def _is_trap(component: Component) -> bool:
    return component.is_nontrivial and component.is_terminal


def _about(graph: Graph, *, nodes: int, arcs: int) -> About:
    return About(
        name=graph.system.name,
        nodes=nodes,
        arcs=arcs,
        players=tuple(player.name for player in graph.system.players),
        readings={reading.name: reading.choice for reading in graph.system.readings},
        cut=graph.overview.cut,
    )


def _shown_state(node: Node, system: System) -> ShownNode:
    return ShownNode(
        number=node.number,
        state=node.state,
        depth=node.depth,
        player=node.player,
        outcome=node.outcome,
        is_open=node.is_open,
        component=node.component,
        result=system.result,
    )


def _shown_component(component: Component, first: Node, system: System) -> ShownNode:
    return ShownNode(
        number=component.number,
        state=first.state,
        depth=first.depth,
        player=first.player if component.size == 1 else None,
        outcome=first.outcome,
        is_open=component.is_open,
        component=component.number,
        size=component.size,
        result=system.result,
    )
