"""The reachability graph of a system, built level by level on an expander.

Comes in an expander and limits; goes out a ``Reachability``. What it holds does not
depend on how many states are expanded in one call, nor on the clock, unless a limit of
seconds or an interruption cut it short.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

import numpy as np

from zermelo.core.expander import Expander, Expansion, Numbers, outcome_of
from zermelo.core.interpreter import Interpreter
from zermelo.engines.components import Arcs, Truths
from zermelo.engines.numbering import Numbering
from zermelo.engines.progress import INTERRUPTED, Listener, Progress
from zermelo.engines.reachability import Reachability
from zermelo.engines.staged import Faster, Switch
from zermelo.engines.walk import UNLIMITED, Limits

FEWEST_AT_ONCE: Final = 64
MOST_AT_ONCE: Final = 1 << 14
"""States that are expanded in one call: more at once is faster, fewer can be interrupted sooner."""
SECONDS_A_CALL: Final = 0.1
_BYTES_AN_ARC: Final = 16
"""Where it leads and by which move."""


def graph_of(
    expander: Expander, *, limits: Limits = UNLIMITED, listener: Listener | None = None
) -> Reachability:
    """The graph of the states that *expander* can reach, within *limits*.

    Its nodes are the first states within the limits, and all arcs between nodes that
    could be followed are in it; states are followed, nearest first, up to the limits
    of moves, seconds and memory.
    """
    builder = _Builder(expander, limits=limits, listener=listener)
    builder.build()
    return builder.graph()


def graph_in_stages(
    slow: Expander,
    faster: Faster | None,
    *,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
) -> Reachability:
    """The same graph, built again on a faster expander if *slow* takes long and there is one."""
    switch = Switch(faster, listener)
    found = graph_of(slow, limits=limits, listener=switch)
    if switch.taken is None:
        return found
    return graph_of(switch.taken, limits=limits, listener=listener)


class _Builder:
    """A graph while it grows."""

    def __init__(self, expander: Expander, *, limits: Limits, listener: Listener | None) -> None:
        self._expander = expander
        self._limits = limits
        self._listener = listener
        self._began = time.monotonic()
        self._numbers = Numbering(expander.words)
        self._levels = [0]
        """The first node of each level."""
        self._level_end = 1
        self._followed = 0
        """The nodes before this one have been expanded."""
        self._made = 0
        """How many moves were made, and"""
        self._kept = 0
        """how many of them are arcs of the graph."""
        self._cut: str | None = None
        self._counts: list[Numbers] = []
        self._targets: list[Numbers] = []
        self._moves: list[Numbers] = []
        self._arrivals: list[Numbers] = [np.array([-1])]
        self._verdicts: list[Numbers] = []
        self._open: list[Truths] = []
        self._faulty: list[Numbers] = []

    def build(self) -> None:
        """Reach what can be reached."""
        initial = Interpreter(self._expander.system).initial
        self._numbers.take(self._expander.pack(initial).reshape(1, -1))
        at_once = FEWEST_AT_ONCE
        while self._followed < self._numbers.size and not self._must_stop():
            if self._followed == self._level_end:
                self._begin_level()
            end = min(self._followed + at_once, self._level_end)
            began = time.monotonic()
            frontier = self._numbers.rows[self._followed : end]
            if not self._follow(self._expander.expand(np.ascontiguousarray(frontier))):
                break
            is_quick = time.monotonic() - began < SECONDS_A_CALL
            at_once = min(2 * at_once, MOST_AT_ONCE) if is_quick else FEWEST_AT_ONCE

    def graph(self) -> Reachability:
        """What was reached."""
        rows = self._numbers.rows.copy()
        if len(rows) > self._level_end:
            self._begin_level()
        waiting = rows[self._followed :]
        if len(waiting):
            verdicts = np.array(self._expander.judge(waiting))
            self._verdicts.append(verdicts)
            self._open.append(outcome_of(verdicts) < 0)
            self._counts.append(np.zeros(len(waiting), dtype=np.int64))
        counts = np.concatenate(self._counts)
        return Reachability(
            expander=self._expander,
            rows=rows,
            arcs=Arcs(np.concatenate(([0], np.cumsum(counts))), _joined(self._targets)),
            moves=_joined(self._moves),
            levels=np.array([*self._levels, len(rows)]),
            arrivals=np.concatenate(self._arrivals),
            verdicts=np.concatenate(self._verdicts),
            is_open=np.concatenate(self._open),
            faulty=_joined(self._faulty),
            cut=self._cut,
        )

    def _begin_level(self) -> None:
        self._levels.append(self._level_end)
        self._level_end = self._numbers.size

    def _follow(self, expansion: Expansion) -> bool:
        """Take in what follows the next nodes; whether it could be done with all of them."""
        nodes = self._affordable(expansion.counts)
        counts = expansion.counts[:nodes]
        made = int(counts.sum())
        before = self._numbers.size
        targets = self._numbers.take(expansion.states[:made], room=self._room())
        is_kept = targets >= 0
        self._note_cut(is_cut=not is_kept.all())
        sources = np.repeat(np.arange(nodes), counts)
        kept = np.bincount(sources[is_kept], minlength=nodes)
        targets = targets[is_kept]
        self._arrivals.append(self._kept + _firsts(targets, before))
        self._targets.append(targets)
        self._moves.append(expansion.moves[:made][is_kept])
        self._counts.append(kept)
        self._open.append(kept < counts)
        self._verdicts.append(expansion.verdicts[:nodes].copy())
        self._faulty.append(self._followed + expansion.faulty[expansion.faulty < nodes])
        self._made += made
        self._kept += len(targets)
        self._followed += nodes
        return nodes == len(expansion.counts)

    def _affordable(self, counts: Numbers) -> int:
        """Of how many nodes all moves can be made within the limit of moves."""
        most = self._limits.moves
        if most is None or self._made + int(counts.sum()) <= most:
            return len(counts)
        self._cut = self._cut or f"stopped after making {most:,} moves"
        return int(np.searchsorted(np.cumsum(counts), most - self._made, side="right"))

    def _room(self) -> int | None:
        """For how many more nodes there is room at the next level."""
        if self._is_deepest():
            return 0
        most = self._limits.states
        return None if most is None else most - self._numbers.size

    def _is_deepest(self) -> bool:
        depth = self._limits.depth
        return depth is not None and len(self._levels) > depth

    def _note_cut(self, *, is_cut: bool) -> None:
        if not is_cut or self._cut is not None:
            return
        if self._is_deepest():
            moves = "move" if self._limits.depth == 1 else "moves"
            self._cut = f"stopped after {self._limits.depth:,} {moves}"
        else:
            self._cut = f"stopped at {self._limits.states:,} states"

    def _must_stop(self) -> bool:
        """Look at the clock and at the memory, and tell whoever listens."""
        seconds = time.monotonic() - self._began
        size = self._numbers.size
        taken = self._numbers.bytes + _BYTES_AN_ARC * self._kept
        depth, waiting = len(self._levels) - 1, size - self._followed
        told = Progress(depth, size, waiting, seconds)
        if self._listener is not None and self._listener(told):
            self._cut = INTERRUPTED
        elif self._limits.seconds is not None and seconds > self._limits.seconds:
            self._cut = f"stopped after {self._limits.seconds:g} seconds"
        elif self._limits.memory is not None and taken > self._limits.memory:
            self._cut = f"stopped at {self._limits.memory / 1e6:,g} MB of memory"
        else:
            return False
        return True


def _firsts(targets: Numbers, before: int) -> Numbers:
    """Where each node from *before* on is first among *targets*, node by node."""
    new = np.flatnonzero(targets >= before)
    return new[np.unique(targets[new], return_index=True)[1]]


def _joined(parts: Sequence[Numbers]) -> Numbers:
    return np.concatenate([np.empty(0, dtype=np.int64), *parts])
