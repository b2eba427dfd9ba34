"""What a language may ask of engines, which it does not import: graphs, and counts of states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from zermelo.core.arrays import Integers, Numbers, Piece, Rows, Truths
from zermelo.core.expander import Expander
from zermelo.core.graph import Graph
from zermelo.core.limits import UNLIMITED, Announce, Limits, Listener, Resumed
from zermelo.core.machine import Outcome
from zermelo.core.observation import Checkup
from zermelo.core.state import State
from zermelo.text.diagnostic import Diagnostic


class GraphArcs(Protocol):
    """The arcs of a graph, those that leave one node together."""

    @property
    def offsets(self) -> Numbers: ...

    @property
    def targets(self) -> Integers: ...

    @property
    def nodes(self) -> int: ...

    def source(self, arc: int) -> int: ...

    def leaving(self, nodes: Integers) -> Numbers: ...

    def arriving(self, node: int) -> Numbers: ...

    def shortest_way(self, start: int, goals: Truths) -> list[int] | None:
        """The arcs of a shortest way from *start* to one of *goals*, if one leads there."""
        ...


class ArrayGraph(Graph, Protocol):
    """A reachability graph in arrays, for questions about many nodes at a time."""

    @property
    def expander(self) -> Expander: ...

    @property
    def rows(self) -> Rows:
        """The nodes, as packed states, in the order in which they are first reached."""
        ...

    @property
    def arcs(self) -> GraphArcs: ...

    @property
    def moves(self) -> Integers: ...

    @property
    def faulty(self) -> Numbers:
        """The nodes in which a fault stops some move."""
        ...

    @property
    def cut(self) -> str | None: ...

    @property
    def nodes(self) -> int: ...

    @property
    def is_open(self) -> Truths: ...

    @property
    def is_terminal(self) -> Truths: ...

    @property
    def labels(self) -> Numbers: ...

    @property
    def sizes(self) -> Numbers: ...

    @property
    def is_nontrivial(self) -> Truths:
        """For each component whether an arc leads from it into itself."""
        ...

    @property
    def is_terminal_component(self) -> Truths: ...

    @property
    def first_nodes(self) -> Numbers:
        """The node of each component that is reached first."""
        ...

    def outcome(self, number: int) -> Outcome | None:
        """How a terminal node ends."""
        ...

    def state(self, number: int) -> State: ...


class KeptInFolder(Protocol):
    """A folder in which an exploration is kept, and which no other process has."""

    @property
    def resumed(self) -> Resumed | None:
        """From where it went on, if it did."""
        ...


class CountedStates(Protocol):
    """States that were reached and counted, and can be looked at in pieces."""

    @property
    def expander(self) -> Expander:
        """What packed the states."""
        ...

    @property
    def by_depth(self) -> Sequence[int]: ...

    @property
    def moves(self) -> int: ...

    @property
    def stuck(self) -> int: ...

    @property
    def faulty(self) -> int: ...

    @property
    def first_faulty(self) -> Rows | None: ...

    @property
    def cut(self) -> str | None: ...

    @property
    def bytes(self) -> int: ...

    def pieces(self, most: int) -> list[Piece]:
        """All states in pieces of at most so many."""
        ...

    def rows(self, piece: Piece) -> Rows: ...


class Engines(Protocol):
    """What engines do for a language."""

    def kept(
        self, folder: Path, announce: Announce | None = None
    ) -> AbstractContextManager[KeptInFolder]:
        """The *folder* for one exploration; *announce* is told from where it goes on."""
        ...

    def graph(
        self,
        expander: Expander,
        initial: State,
        *,
        limits: Limits = UNLIMITED,
        listener: Listener | None = None,
    ) -> ArrayGraph:
        """The reachability graph from *initial*."""
        ...

    def count(
        self,
        expander: Expander,
        initial: State,
        *,
        limits: Limits = UNLIMITED,
        listener: Listener | None = None,
        threads: int = 1,
        spent: float = 0.0,
        kept: KeptInFolder | None = None,
    ) -> CountedStates:
        """The states that can be reached from *initial*; *spent* seconds have passed already.

        What was *kept* in a folder goes on, on an expander that suits it.
        """
        ...


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a model is told when it is asked what is wrong with its document."""

    checkup: Checkup
    said: tuple[Diagnostic, ...]
    """What was said of the document before it was played."""
    source_length: int
    """How many characters the document has; places beyond it are in other files."""
    engines: Callable[[], Engines]
    """Asked for when they are needed: most models need none, and they take a while to import."""
    listener: Listener | None = None
