"""The one breadth-first loop: everything that can be reached, nearest first.

Comes in a first node and what follows each; goes out the nodes in the order of
their distance, each with the shortest way to it, and whether that was all.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from zermelo.core.machine import Move
from zermelo.core.progress import INTERRUPTED, Listener, Progress

N = TypeVar("N", bound=Hashable)

_NODES_BETWEEN_REPORTS: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How far a run may go. ``None`` means without bound.

    What is found within the limits of *states*, *depth* and *moves* is always the
    same; limits of *seconds* and *memory* are safety stops.
    """

    states: int | None = None
    depth: int | None = None
    moves: int | None = None
    """How many moves may be made in all, from one state each."""
    seconds: float | None = None
    memory: int | None = None
    """How many bytes the states may take; heeded where many are packed."""


UNLIMITED: Final = Limits()


class Walk(Generic[N]):
    """A walk from a first node to all that can be reached, nearest first.

    Iterating walks, and gives each node when it is first reached; the attributes
    tell what has been found so far.
    """

    def __init__(
        self,
        start: N,
        follow: Callable[[N], Iterable[tuple[Move, N]]],
        *,
        limits: Limits = UNLIMITED,
        listener: Listener | None = None,
    ) -> None:
        self.by_depth: list[int] = [1]
        """How many nodes were first reached after 0, 1, 2, … moves."""
        self.cut: str | None = None
        """Why the walk stopped before everything was reached, in words."""
        self.full_depth = 0
        """All nodes that are at most this many moves away have been reached."""
        self.followed = 0
        """How many nodes have been followed to the end; the first ones that were reached."""
        self.moves = 0
        """How many moves were made."""
        self._start = start
        self._follow = follow
        self._limits = limits
        self._listener = listener
        self._began = time.monotonic()
        self._arrivals: dict[N, tuple[N, Move] | None] = {start: None}

    @property
    def is_complete(self) -> bool:
        """Whether everything that can be reached was reached."""
        return self.cut is None and self.followed == len(self._arrivals)

    @property
    def reached(self) -> int:
        """How many nodes have been reached."""
        return len(self._arrivals)

    @property
    def nodes(self) -> tuple[N, ...]:
        """The nodes in the order in which they were first reached."""
        return tuple(self._arrivals)

    def play(self, node: N) -> tuple[Move, ...]:
        """The shortest play to *node*; the first such play in canonical order."""
        moves: list[Move] = []
        arrival = self._arrivals[node]
        while arrival is not None:
            moves.append(arrival[1])
            arrival = self._arrivals[arrival[0]]
        return tuple(reversed(moves))

    def depth(self, node: N) -> int:
        """How many moves *node* is away."""
        return len(self.play(node))

    def __iter__(self) -> Iterator[N]:
        yield self._start
        frontier = [self._start]
        while frontier and not self._is_cut():
            following: list[N] = []
            for node in frontier:
                yield from self._arrive(node, following)
                if self._is_cut():
                    break
                self.followed += 1
                self._report(waiting=self.reached - self.followed)
                if self._is_cut():
                    break
            if following and not self._is_cut():
                self.full_depth += 1
            frontier = following

    def _arrive(self, node: N, following: list[N]) -> Iterator[N]:
        depth = self.full_depth + 1
        if self._is_out_of_time():
            self.cut = f"stopped after {self._limits.seconds:g} seconds"
            return
        for move, successor in self._follow(node):
            if self.moves == self._limits.moves:
                self.cut = f"stopped after making {self.moves:,} moves"
                return
            self.moves += 1
            if successor in self._arrivals:
                continue
            self.cut = self._beyond(depth)
            if self.cut is not None:
                return
            self._arrivals[successor] = (node, move)
            following.append(successor)
            if depth == len(self.by_depth):
                self.by_depth.append(0)
            self.by_depth[depth] += 1
            yield successor

    def _beyond(self, depth: int) -> str | None:
        """Why one more node, *depth* moves away, is too much."""
        limits = self._limits
        if limits.depth is not None and depth > limits.depth:
            return f"stopped after {limits.depth:,} {'move' if limits.depth == 1 else 'moves'}"
        if limits.states is not None and self.reached >= limits.states:
            return f"stopped at {limits.states:,} states"
        return None

    def _is_cut(self) -> bool:
        return self.cut is not None

    def _is_out_of_time(self) -> bool:
        seconds = self._limits.seconds
        return seconds is not None and time.monotonic() - self._began > seconds

    def _report(self, *, waiting: int) -> None:
        if self._listener is None or self.followed % _NODES_BETWEEN_REPORTS:
            return
        seconds = time.monotonic() - self._began
        if self._listener(Progress(self.full_depth, self.reached, waiting, seconds)):
            self.cut = INTERRUPTED
