"""The reachability graph: what is asked of it, and what is said about it as a whole.

A node is a state, an arc is a legal move in it. Of a graph that was cut short
the first nodes are there, with every arc between them; nodes from which an arc
leads to a state beyond are *open*, and nothing is claimed of what follows them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

from zermelo.core.machine import Fault, Outcome
from zermelo.core.signature import Signature
from zermelo.core.state import Move, State, play_to_text
from zermelo.text.diagnostic import Json
from zermelo.text.prose import count

MOST_FOUND: Final = 20
"""Of components that are alike so many are listed; the others are counted."""


@dataclass(frozen=True, slots=True)
class Node:
    """A state of the graph."""

    number: int
    """Nodes are numbered from 0, in the order in which they are first reached."""
    state: State
    depth: int
    """The number of moves of the shortest play to it."""
    player: str | None
    outcome: Outcome | None
    """How it ends, where it is terminal: no arc leaves it."""
    is_open: bool
    """Whether not all that follows it is in the graph."""
    component: int
    alike: int = 1
    """For how many states it stands, where symmetries are used: itself, and those like it."""


@dataclass(frozen=True, slots=True)
class Component:
    """A strongly connected component: each of its nodes can be reached from each other one."""

    number: int
    """Components are numbered from 0, in the order of their first nodes."""
    size: int
    first: int
    """The node of it that is reached first."""
    is_nontrivial: bool
    """Whether an arc leads from it into itself."""
    is_terminal: bool
    """Whether no arc leaves it; never claimed where one of its nodes is open."""
    is_open: bool


@dataclass(frozen=True, slots=True)
class Link:
    """The arcs that lead from one component into another."""

    source: int
    target: int
    arcs: int
    move: Move
    """The first of their moves."""


@dataclass(frozen=True, slots=True)
class TerminalFound:
    """Terminal nodes that end alike."""

    outcome: Outcome
    count: int
    node: int
    """The first of them."""
    play: tuple[Move, ...]
    """The shortest play to it."""


@dataclass(frozen=True, slots=True)
class CycleFound:
    """A way back to where one has been."""

    node: int
    play: tuple[Move, ...]
    """The shortest play to the node."""
    moves: tuple[Move, ...]
    """The shortest way from it back to it."""


@dataclass(frozen=True, slots=True)
class ComponentFound:
    """A component of many, with the way into it."""

    component: Component
    play: tuple[Move, ...]
    """The shortest play to its first node."""


@dataclass(frozen=True, slots=True)
class FaultyFound:
    """Nodes in which a fault stops some move, so that arcs may be missing."""

    count: int
    fault: Fault
    """What stops the first of these moves."""
    play: tuple[Move, ...]
    """The shortest play that shows it; its last move is the one that goes wrong."""


@dataclass(frozen=True, slots=True)
class AlikeNodes:
    """What the nodes of a graph stand for in which one is there for all that are alike."""

    states: int
    """How many states all nodes stand for."""
    symmetry: str
    """The symmetries, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """A graph in numbers, with the play to the first of everything."""

    nodes: int
    arcs: int
    by_depth: tuple[int, ...]
    loops: int
    """Arcs that lead from a node to itself."""
    open: int
    """Nodes from which an arc leads to a state that is not in the graph."""
    terminal: tuple[TerminalFound, ...]
    """The terminal nodes by outcome, the soonest first."""
    components: int
    largest: ComponentFound
    """The component with the most nodes, of several the first."""
    nontrivial: int
    """Components with an arc that leads from them into themselves."""
    nontrivial_found: tuple[ComponentFound, ...]
    """The first ``MOST_FOUND`` of them."""
    on_cycles: int
    """Nodes in nontrivial components."""
    cycle: CycleFound | None
    """Through the first node that is on a cycle, or ``None`` where there is no cycle."""
    terminal_components: int
    """Terminal components, terminal nodes included."""
    nontrivial_terminal: int
    first_nontrivial_terminal: ComponentFound | None
    """A component that can be reached and never left again, and where play goes on."""
    faulty: FaultyFound | None
    cut: str | None
    """Why the graph was cut short, in words."""
    alike: AlikeNodes | None = None
    """What nodes stand for, where symmetries are used; plays are those of the system itself."""

    @property
    def is_complete(self) -> bool:
        """Whether the graph has every reachable state and every arc."""
        return self.cut is None

    @property
    def is_acyclic(self) -> bool | None:
        """Whether no play comes back to a state; ``None`` where a cut graph leaves it open."""
        if self.cycle is not None:
            return False
        return True if self.is_complete else None

    @property
    def terminal_nodes(self) -> int:
        return sum(found.count for found in self.terminal)


class Graph(Protocol):
    """A reachability graph."""

    @property
    def signature(self) -> Signature: ...

    @property
    def overview(self) -> Overview: ...

    def node(self, number: int) -> Node: ...

    def steps(self, number: int) -> Iterator[tuple[Move, int]]:
        """Each arc that leaves the node: its move and the node it leads to."""
        ...

    def play(self, number: int) -> tuple[Move, ...]:
        """The shortest play to the node; of several the first in canonical order."""
        ...

    def open_nodes(self) -> list[int]: ...

    def component(self, number: int) -> Component: ...

    def links(self) -> Iterator[Link]:
        """The arcs of the condensation: what leads from one component into another."""
        ...


def summary(graph: Graph) -> str:
    """How large a graph is, and whether it has cycles."""
    seen = graph.overview
    size = f"{count(seen.nodes, 'node')} and {count(seen.arcs, 'arc')}"
    how = graph.signature.all_reached(is_whole=seen.faulty is None)
    how = how if seen.cut is None else f"not all: {seen.cut}"
    cycles = {True: "; no cycles", False: "; with cycles", None: ""}[seen.is_acyclic]
    return f"{size}, {how}{cycles}"


def in_lines(graph: Graph) -> str:
    """The same, and a line for each way in which it ends, with the shortest play to it."""
    ends = (
        f"  {each.outcome}: {each.count:,}; first after {play_to_text(each.play)}"
        for each in graph.overview.terminal
    )
    return "\n".join([f"{summary(graph)}.", *ends])


def overview_json(overview: Overview) -> dict[str, Json]:
    cycle, largest, trap = overview.cycle, overview.largest, overview.first_nontrivial_terminal
    return {
        "nodes": overview.nodes,
        "arcs": overview.arcs,
        "by_depth": list(overview.by_depth),
        "loops": overview.loops,
        "terminal_nodes": overview.terminal_nodes,
        "terminal": [
            {"outcome": str(found.outcome), "count": found.count, "play": _play_json(found.play)}
            for found in overview.terminal
        ],
        "components": overview.components,
        "largest_component": _found_json(largest),
        "nontrivial_components": overview.nontrivial,
        "nontrivial": [_found_json(found) for found in overview.nontrivial_found],
        "nodes_on_cycles": overview.on_cycles,
        "acyclic": overview.is_acyclic,
        "cycle": None
        if cycle is None
        else {"play": _play_json(cycle.play), "moves": _play_json(cycle.moves)},
        "terminal_components": overview.terminal_components,
        "nontrivial_terminal_components": overview.nontrivial_terminal,
        "nontrivial_terminal": None if trap is None else _found_json(trap),
        "faulty": 0 if overview.faulty is None else overview.faulty.count,
        "open": overview.open,
        "complete": overview.is_complete,
        "cut": overview.cut,
        **(
            {}
            if overview.alike is None
            else {"states": overview.alike.states, "symmetry": overview.alike.symmetry}
        ),
    }


def _found_json(found: ComponentFound) -> dict[str, Json]:
    component = found.component
    return {
        "nodes": component.size,
        "terminal": component.is_terminal,
        "open": component.is_open,
        "play": _play_json(found.play),
    }


def _play_json(moves: Sequence[Move]) -> list[Json]:
    return [str(move) for move in moves]


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
