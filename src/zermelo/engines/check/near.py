"""The states near a first one, each with the shortest play to it.

They are followed one at a time, by whoever looks into every state and may stop amid its
moves; ``space.level_counts`` counts spaces of any size.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Final, Generic, TypeAlias, TypeVar

from zermelo.core.arrays import Piece
from zermelo.core.limits import INTERRUPTED, UNLIMITED, Limits, Listener, Progress
from zermelo.core.machine import Machine
from zermelo.core.state import Move, State
from zermelo.engines.space.sweep import Follower, NumberedLevels, Sweep, Swept, stopped_at_depth

N = TypeVar("N", bound=Hashable)
Follow: TypeAlias = Callable[[N], Iterable[tuple[Move, N]]]

_NODES_BETWEEN_REPORTS: Final = 32


class NearStates(NumberedLevels, Follower, Generic[N]):
    """States near a first one, found by a sweep; what has been found so far can be asked for."""

    def __init__(
        self,
        start: N,
        follow: Follow[N],
        *,
        limits: Limits = UNLIMITED,
        listener: Listener | None = None,
        visit: Callable[[N], None] | None = None,
    ) -> None:
        super().__init__([0, 1])
        self.followed = 0
        """How many states have been followed to the end; the first ones that were reached."""
        self.moves = 0
        self._follow = follow
        self._nodes = [start]
        self._arrivals: dict[N, tuple[N, Move] | None] = {start: None}
        self._listener = listener
        self._visit = visit
        self._sweep = Sweep(self, Swept(), limits=limits)

    def reach(self) -> None:
        if self._visit is not None:
            self._visit(self._nodes[0])
        self._sweep.run([self])
        self.seal()

    @property
    def cut(self) -> str | None:
        return self._sweep.found.cut

    @property
    def full_depth(self) -> int:
        """All states that are at most this many moves away have been reached."""
        return self._sweep.found.full_depth

    @property
    def is_complete(self) -> bool:
        return self.cut is None and self.followed == len(self._nodes)

    @property
    def nodes(self) -> tuple[N, ...]:
        return tuple(self._nodes)

    @property
    def reached(self) -> int:
        return len(self._nodes)

    def play(self, node: N) -> tuple[Move, ...]:
        """The shortest play to *node*; the first such play in canonical order."""
        moves: list[Move] = []
        arrival = self._arrivals[node]
        while arrival is not None:
            moves.append(arrival[1])
            arrival = self._arrivals[arrival[0]]
        return tuple(reversed(moves))

    @property
    def states(self) -> int:
        return len(self._nodes)

    def follow(self, _: int, piece: Piece) -> None:
        for node in self._nodes[slice(*piece)]:
            if self._sweep.is_over or not self._follow_one(node):
                return
            self.followed += 1
            self._report()

    def _follow_one(self, node: N) -> bool:
        """Take in what follows *node*; whether it could be done with all of it."""
        limits = self._sweep.limits
        for move, successor in self._follow(node):
            if self.moves == limits.moves:
                self._sweep.stop(f"stopped after making {self.moves:,} moves")
                return False
            self.moves += 1
            if successor in self._arrivals:
                continue
            if limits.depth is not None and self._sweep.is_deepest:
                self._sweep.stop(stopped_at_depth(limits.depth))
                return False
            if limits.states is not None and len(self._nodes) >= limits.states:
                self._sweep.stop(f"stopped at {limits.states:,} states")
                return False
            self._arrivals[successor] = (node, move)
            self._nodes.append(successor)
            if self._visit is not None:
                self._visit(successor)
        return True

    def _report(self) -> None:
        if self._listener is None or self.followed % _NODES_BETWEEN_REPORTS:
            return
        waiting = len(self._nodes) - self.followed
        told = Progress(self.full_depth, len(self._nodes), waiting, self._sweep.seconds)
        if self._listener(told):
            self._sweep.stop(INTERRUPTED)


def successors(machine: Machine, state: State) -> Iterator[tuple[Move, State]]:
    for move in machine.legal(state):
        yield move, machine.after(state, move)
