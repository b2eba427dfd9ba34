"""A reachability graph in arrays, and everything that is asked of a ``Graph``.

Nodes are packed states. The arcs of node i are those from ``offsets[i]`` up to
``offsets[i + 1]`` of ``targets`` and ``moves``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from zermelo.core.arrays import Integers, Numbers, Rows, Truths
from zermelo.core.expander import Expander, outcome_of, player_of
from zermelo.core.graph import (
    MOST_FOUND,
    AlikeNodes,
    Component,
    ComponentFound,
    CycleFound,
    FaultyFound,
    Link,
    Node,
    Overview,
    TerminalFound,
    in_lines,
    summary,
)
from zermelo.core.machine import Outcome, outcome_of_stuck
from zermelo.core.signature import Signature
from zermelo.core.state import Move, State
from zermelo.core.values import UNSET, Value
from zermelo.engines.graph.components import (
    Arcs,
    ArcSummary,
    arc_summary,
    components,
    shortest_loop,
)
from zermelo.engines.space.orbits.reduction import ReducedExpander, real_play
from zermelo.text import budget

_NODES_BETWEEN_LOOKS: Final = 256


@dataclass(frozen=True, repr=False)
class Reachability:
    """A reachability graph in arrays."""

    expander: Expander
    rows: Rows
    """The nodes, as packed states, in the order in which they are first reached."""
    arcs: Arcs
    moves: Integers
    """The code of the move of each arc."""
    levels: Numbers
    """The first node of each depth, and the number of nodes."""
    arrivals: Integers
    """The arc by which each node is first reached; −1 for the initial state."""
    verdicts: Numbers
    is_open: Truths
    """Which nodes have arcs that are not in the graph."""
    faulty: Numbers
    """The nodes in which a fault stops some move."""
    cut: str | None
    start: Rows | None = None
    """The first state itself, where nodes stand for all states that are alike."""
    symmetry: str = ""
    """How they are alike, in words."""

    @property
    def signature(self) -> Signature:
        return self.expander.signature

    @property
    def nodes(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<Graph: {summary(self)}>"

    def __str__(self) -> str:
        return in_lines(self)

    # One node at a time

    def node(self, number: int) -> Node:
        player = int(player_of(self.verdicts[number : number + 1])[0])
        return Node(
            number=number,
            state=self.state(number),
            depth=self.depth(number),
            player=None if player < 0 else self.signature.players[player].name,
            outcome=self.outcome(number),
            is_open=bool(self.is_open[number]),
            component=int(self.labels[number]),
            alike=int(self._alike[number]),
        )

    def state(self, number: int) -> State:
        return self.expander.unpack(self.rows[number])

    def depth(self, number: int) -> int:
        return int(np.searchsorted(self.levels, number, side="right")) - 1

    def steps(self, number: int) -> Iterator[tuple[Move, int]]:
        first, end = self.arcs.offsets[number : number + 2].tolist()
        for code, target in zip(
            self.moves[first:end].tolist(), self.arcs.targets[first:end].tolist(), strict=True
        ):
            yield self._move(code), target

    def play(self, number: int) -> tuple[Move, ...]:
        return self._real(self._play(number))

    def _real(self, play: tuple[Move, ...]) -> tuple[Move, ...]:
        """With symmetries a play of the system itself, which is like this one through the nodes."""
        if self.start is None or not isinstance(self.expander, ReducedExpander):
            return play
        return real_play(self.expander, self.start, play)[0]

    @cached_property
    def _alike(self) -> Numbers:
        """For how many states each node stands."""
        if isinstance(self.expander, ReducedExpander):
            return self.expander.reduction.sizes(self.rows)
        return np.ones(self.nodes, dtype=np.int64)

    def _play(self, number: int) -> tuple[Move, ...]:
        moves: list[Move] = []
        arc = int(self.arrivals[number])
        while arc >= 0:
            moves.append(self._move(int(self.moves[arc])))
            arc = int(self.arrivals[self.arcs.source(arc)])
        return tuple(reversed(moves))

    def _move(self, code: int) -> Move:
        if code not in self._known_moves:
            self._known_moves[code] = self.expander.move(code)
        return self._known_moves[code]

    @cached_property
    def _known_moves(self) -> dict[int, Move]:
        return {}

    def outcome(self, number: int) -> Outcome | None:
        ending = int(outcome_of(self.verdicts[number : number + 1])[0])
        if ending >= 0:
            return self.expander.outcomes[ending]
        first, end = self.arcs.offsets[number : number + 2]
        return self._stuck(number) if first == end and not self.is_open[number] else None

    def _stuck(self, number: int) -> Outcome:
        player = int(player_of(self.verdicts[number : number + 1])[0])
        return outcome_of_stuck(
            self.signature,
            None if player < 0 else self.signature.players[player],
            self._result(number),
        )

    def _result(self, number: int) -> Value:
        """The result that the state has; none where it is computed, or lives for one turn."""
        name, state = self.signature.result, self.state(number)
        return state[name] if name in state.names else UNSET

    # The whole

    def open_nodes(self) -> list[int]:
        found: list[int] = np.flatnonzero(self.is_open).tolist()
        return found

    @cached_property
    def is_terminal(self) -> Truths:
        """Which nodes no arc leaves, and none is missing."""
        has_no_arc: Truths = np.diff(self.arcs.offsets) == 0
        return has_no_arc & ~self.is_open

    @cached_property
    def labels(self) -> Numbers:
        return components(self.arcs)

    @cached_property
    def sizes(self) -> Numbers:
        return np.bincount(self.labels)

    @cached_property
    def first_nodes(self) -> Numbers:
        firsts: Numbers = np.empty(len(self.sizes), dtype=np.int64)
        # Of several assignments the last one stays, which is that of the first node.
        firsts[self.labels[::-1]] = np.arange(self.nodes)[::-1]
        return firsts

    @cached_property
    def is_nontrivial(self) -> Truths:
        return self._summary.has_inside

    @cached_property
    def is_terminal_component(self) -> Truths:
        """Which components no arc leaves, and none of whose nodes is open."""
        found = ~self._summary.has_leaving
        found[self.labels[self.is_open]] = False
        return found

    @cached_property
    def _summary(self) -> ArcSummary:
        return arc_summary(self.arcs, self.labels)

    @cached_property
    def _open_components(self) -> frozenset[int]:
        return frozenset(self.labels[self.is_open].tolist())

    def component(self, number: int) -> Component:
        return Component(
            number=number,
            size=int(self.sizes[number]),
            first=int(self.first_nodes[number]),
            is_nontrivial=bool(self.is_nontrivial[number]),
            is_terminal=bool(self.is_terminal_component[number]),
            is_open=number in self._open_components,
        )

    def links(self) -> Iterator[Link]:
        sources, targets = self.labels[self.arcs.sources], self.labels[self.arcs.targets]
        between = np.flatnonzero(sources != targets)
        # One number for a pair of components: fewer than 2³¹ of them, so 64 bits have room.
        pairs = sources[between] * len(self.sizes) + targets[between]
        found, first, counts = np.unique(pairs, return_index=True, return_counts=True)
        for pair, arc, count in zip(
            found.tolist(), between[first].tolist(), counts.tolist(), strict=True
        ):
            source, target = divmod(pair, len(self.sizes))
            yield Link(source, target, count, self._move(int(self.moves[arc])))

    @cached_property
    def overview(self) -> Overview:
        largest = int(np.argmax(self.sizes))
        nontrivial_terminal = np.flatnonzero(self.is_nontrivial & self.is_terminal_component)
        return Overview(
            nodes=self.nodes,
            arcs=len(self.moves),
            by_depth=tuple(np.diff(self.levels).tolist()),
            loops=self._summary.loops,
            open=int(np.count_nonzero(self.is_open)),
            terminal=self._terminal(),
            components=len(self.sizes),
            largest=self._found(largest),
            nontrivial=int(np.count_nonzero(self.is_nontrivial)),
            nontrivial_found=tuple(
                self._found(component)
                for component in np.flatnonzero(self.is_nontrivial)[:MOST_FOUND].tolist()
            ),
            on_cycles=int(self.sizes[self.is_nontrivial].sum()),
            cycle=self._cycle(),
            terminal_components=int(np.count_nonzero(self.is_terminal_component)),
            nontrivial_terminal=len(nontrivial_terminal),
            first_nontrivial_terminal=self._found(int(nontrivial_terminal[0]))
            if len(nontrivial_terminal)
            else None,
            faulty=self._faulty(),
            cut=self.cut,
            alike=None
            if self.start is None
            else AlikeNodes(sum(self._alike.tolist()), self.symmetry),
        )

    def _found(self, component: int) -> ComponentFound:
        found = self.component(component)
        return ComponentFound(found, self.play(found.first))

    def _terminal(self) -> tuple[TerminalFound, ...]:
        terminal = np.flatnonzero(self.is_terminal)
        endings = outcome_of(self.verdicts[terminal])
        found: dict[Outcome, tuple[int, int]] = {}
        for ending, first, count in zip(
            *np.unique(endings, return_index=True, return_counts=True), strict=True
        ):
            if ending >= 0:
                outcome = self.expander.outcomes[ending]
                found[outcome] = (int(terminal[first]), int(count))
        for at, node in enumerate(terminal[endings < 0].tolist()):
            if not at % _NODES_BETWEEN_LOOKS:
                budget.look("summing up")
            outcome = self._stuck(node)
            earliest, count = found.get(outcome, (node, 0))
            found[outcome] = (min(earliest, node), count + 1)
        return tuple(
            TerminalFound(outcome, count, node, self.play(node))
            for outcome, (node, count) in sorted(found.items(), key=lambda item: item[1])
        )

    def _cycle(self) -> CycleFound | None:
        on_cycles = self.is_nontrivial[self.labels]
        if not on_cycles.any():
            return None
        node = int(np.argmax(on_cycles))
        loop = shortest_loop(self.arcs, node, within=self.labels == self.labels[node])
        moves = tuple(self._move(int(self.moves[arc])) for arc in loop)
        play = self._play(node)
        made = self._real((*play, *moves))
        return CycleFound(node, made[: len(play)], made[len(play) :])

    def _faulty(self) -> FaultyFound | None:
        if not len(self.faulty):
            return None
        node = int(self.faulty[0])
        play, row = self._play(node), self.rows[node]
        if self.start is not None and isinstance(self.expander, ReducedExpander):
            play, row = real_play(self.expander, self.start, play)
        move, fault = next(iter(self.expander.faults(row).items()))
        return FaultyFound(len(self.faulty), fault, (*play, move))
