"""The reachability graph of a system, built level by level on an expander.

Comes in an expander and limits; goes out a ``Reachability``. What it holds does not
depend on how many states are expanded in one call, nor on the clock, unless a limit of
seconds or an interruption cut it short.
"""

from __future__ import annotations

import time
from typing import Final, TypeVar

import numpy as np

from zermelo.core.expander import Expander, Expansion, Numbers, outcome_of, with_room
from zermelo.core.layout import WORD
from zermelo.core.machine import State
from zermelo.core.progress import INTERRUPTED, Listener, Progress
from zermelo.core.walk import UNLIMITED, Limits
from zermelo.engines.graph.columns import Column
from zermelo.engines.graph.components import Arcs
from zermelo.engines.graph.numbering import Nodes
from zermelo.engines.graph.reachability import Reachability
from zermelo.engines.space.staged import Faster, Switch

FEWEST_AT_ONCE: Final = 64
MOST_AT_ONCE: Final = 1 << 14
"""States that are expanded in one call: more at once is faster, fewer can be interrupted sooner."""
SECONDS_A_CALL: Final = 0.1
_BYTES: Final = 1 << 14
"""What a graph takes at least,"""
_BYTES_A_NODE: Final = 56
"""for each node beside the words of its state: its place in the table of states (12), in the graph
(8 + 8 + 8 + 4) and in its component (16),"""
_BYTES_AN_ARC: Final = 8
"""and for each arc: where it leads and by which move."""

N = TypeVar("N", int, Numbers)


def graph_of(
    expander: Expander,
    initial: State,
    *,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
) -> Reachability:
    """The graph of the states that *expander* can reach from *initial*, within *limits*.

    Its nodes are the first states within the limits, and all arcs between nodes that
    could be followed are in it; states are followed, nearest first, up to the limits
    of moves, seconds and memory.
    """
    builder = _Builder(expander, limits=limits, listener=listener)
    builder.build(initial)
    return builder.graph()


def graph_in_stages(
    slow: Expander,
    faster: Faster | None,
    *,
    initial: State,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
) -> Reachability:
    """The same graph, built again on a faster expander if *slow* takes long and there is one."""
    switch = Switch(faster, listener)
    found = graph_of(slow, initial, limits=limits, listener=switch)
    if switch.taken is None:
        return found
    return with_room(
        switch.taken,
        lambda expander: graph_of(expander, initial, limits=limits, listener=listener),
    )


class _Builder:
    """A graph while it grows."""

    def __init__(self, expander: Expander, *, limits: Limits, listener: Listener | None) -> None:
        self._expander = expander
        self._limits = limits
        self._listener = listener
        self._began = time.monotonic()
        bits = WORD if expander.layout is None else expander.layout.last_bits
        self._nodes = Nodes(expander.words, last_bits=bits)
        self._size = 1
        """So many of the nodes are in the graph: all, unless memory ran out amid a call."""
        self._levels = [0]
        """The first node of each level."""
        self._level_end = 1
        self._followed = 0
        """The nodes before this one have been expanded."""
        self._made = 0
        """How many moves were made, whether they are arcs of the graph or not."""
        self._cut: str | None = None
        # For each arc of the graph
        self._targets = Column(np.int32)
        self._moves = Column(np.int8)
        # For each node
        self._arrivals = Column(np.int32)
        self._arrivals.append(np.array([-1]))
        # For each node that has been followed
        self._counts = Column(np.int8)
        self._verdicts = Column(np.int8)
        self._open = Column(np.int8)
        self._faulty: list[Numbers] = [np.empty(0, dtype=np.int64)]

    def build(self, initial: State) -> None:
        """Reach what can be reached from *initial*."""
        self._nodes.take(self._expander.pack(initial).reshape(1, -1))
        at_once = FEWEST_AT_ONCE
        while self._followed < self._size and not self._must_stop():
            if self._followed == self._level_end:
                self._begin_level()
            end = min(self._followed + at_once, self._level_end)
            began = time.monotonic()
            frontier = self._nodes.rows(self._followed, end)
            if not self._follow(self._expander.expand(frontier)):
                break
            is_quick = time.monotonic() - began < SECONDS_A_CALL
            at_once = min(2 * at_once, MOST_AT_ONCE) if is_quick else FEWEST_AT_ONCE

    def graph(self) -> Reachability:
        """What was reached."""
        size = self._size
        if size > self._level_end:
            self._begin_level()
        self._judge(self._followed, size)
        offsets = np.zeros(size + 1, dtype=np.int64)
        np.cumsum(self._counts.joined(), out=offsets[1:])
        return Reachability(
            expander=self._expander,
            rows=self._nodes.rows(0, size),
            arcs=Arcs(offsets, self._targets.joined()),
            moves=self._moves.joined(),
            levels=np.array([*self._levels, size]),
            arrivals=self._arrivals.joined(),
            verdicts=self._verdicts.joined(np.int64).astype(np.int64, copy=False),
            is_open=self._open.joined().astype(np.bool_),
            faulty=np.concatenate(self._faulty),
            cut=self._cut,
        )

    def _judge(self, first: int, last: int) -> None:
        """Take in the nodes from *first* to *last* − 1, which have not been followed."""
        for at in range(first, last, MOST_AT_ONCE):
            waiting = self._nodes.rows(at, min(at + MOST_AT_ONCE, last))
            verdicts = self._expander.judge(waiting)
            self._verdicts.append(verdicts)
            self._open.append((outcome_of(verdicts) < 0).view(np.int8))
            self._counts.append(np.zeros(len(waiting), dtype=np.int8))

    def _begin_level(self) -> None:
        self._levels.append(self._level_end)
        self._level_end = self._size

    def _follow(self, expansion: Expansion) -> bool:
        """Take in what follows the next nodes; whether it could be done with all of them."""
        nodes = self._affordable(expansion.counts)
        counts = expansion.counts[:nodes]
        made = int(counts.sum())
        targets = self._nodes.take(expansion.states[:made], room=self._room())
        moves, kept = expansion.moves[:made], counts
        is_kept = targets >= 0
        if not is_kept.all():
            self._note_cut()
            sources = np.repeat(np.arange(nodes), counts)
            kept = np.bincount(sources[is_kept], minlength=nodes)
            targets, moves = targets[is_kept], moves[is_kept]
        nodes = self._within_memory(kept, targets)
        counts, kept = counts[:nodes], kept[:nodes]
        arcs = int(kept.sum())
        targets, moves = targets[:arcs], moves[:arcs]
        firsts = _firsts(targets, self._size)
        self._arrivals.append(len(self._targets) + firsts)
        self._size += len(firsts)
        self._targets.append(targets)
        self._moves.append(moves)
        self._counts.append(kept)
        self._open.append((kept < counts).view(np.int8))
        self._verdicts.append(expansion.verdicts[:nodes])
        self._faulty.append(self._followed + expansion.faulty[expansion.faulty < nodes])
        self._made += made
        self._followed += nodes
        return nodes == len(expansion.counts)

    def _affordable(self, counts: Numbers) -> int:
        """Of how many nodes all moves can be made within the limit of moves."""
        most = self._limits.moves
        if most is None or self._made + int(counts.sum()) <= most:
            return len(counts)
        self._cut = self._cut or f"stopped after making {most:,} moves"
        return int(np.searchsorted(np.cumsum(counts), most - self._made, side="right"))

    def _within_memory(self, kept: Numbers, targets: Numbers) -> int:
        """How many nodes, with so many arcs each to *targets*, are followed within the memory.

        After each node it is decided anew, so that it does not matter which ones come together.
        """
        most = self._limits.memory
        arcs = len(self._targets)
        if most is None or self._taken(self._nodes.size, arcs + len(targets)) <= most:
            return len(kept)
        ends = np.cumsum(kept)
        latest: Numbers = np.maximum.accumulate(np.concatenate(([self._size - 1], targets)))
        self._note_memory(most)
        return int(np.argmax(self._taken(latest[ends] + 1, arcs + ends) > most)) + 1

    def _taken(self, nodes: N, arcs: N) -> N:
        """The memory that a graph with so many *nodes* and *arcs* takes."""
        of_states = 2 * self._expander.words * (WORD // 8)
        return _BYTES + nodes * (of_states + _BYTES_A_NODE) + arcs * _BYTES_AN_ARC

    def _note_memory(self, most: int) -> None:
        self._cut = f"stopped at {most / 1e6:,g} MB of memory"

    def _room(self) -> int | None:
        """For how many more nodes there is room at the next level."""
        if self._is_deepest():
            return 0
        most = self._limits.states
        return None if most is None else most - self._size

    def _is_deepest(self) -> bool:
        depth = self._limits.depth
        return depth is not None and len(self._levels) > depth

    def _note_cut(self) -> None:
        """Say why a state has no room in the graph."""
        if self._cut is not None:
            return
        if self._is_deepest():
            moves = "move" if self._limits.depth == 1 else "moves"
            self._cut = f"stopped after {self._limits.depth:,} {moves}"
        else:
            self._cut = f"stopped at {self._limits.states:,} states"

    def _must_stop(self) -> bool:
        """Look at the clock and at the memory, and tell whoever listens."""
        seconds = time.monotonic() - self._began
        size, most = self._size, self._limits.memory
        depth, waiting = len(self._levels) - 1, size - self._followed
        told = Progress(depth, size, waiting, seconds)
        if self._listener is not None and self._listener(told):
            self._cut = INTERRUPTED
        elif self._limits.seconds is not None and seconds > self._limits.seconds:
            self._cut = f"stopped after {self._limits.seconds:g} seconds"
        elif most is not None and self._taken(size, len(self._targets)) > most:
            self._note_memory(most)
        else:
            return False
        return True


def _firsts(targets: Numbers, before: int) -> Numbers:
    """Where each node from *before* on is first among *targets*, node by node."""
    new = np.flatnonzero(targets >= before)[::-1]
    numbers = targets[new] - before
    firsts: Numbers = np.empty(int(numbers.max()) + 1 if len(new) else 0, dtype=np.int64)
    # Where a node is met several times the last assignment stays, which is the first place's.
    firsts[numbers] = new
    return firsts
