"""The reachability graph of a system, built level by level on an expander.

What it holds does not depend on how many states are expanded in one call, nor on the
clock, unless a limit of seconds or an interruption cut it short.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from zermelo.core.adapter import MachineExpander
from zermelo.core.arrays import Integers, Numbers, Piece, Rows
from zermelo.core.expander import Expander, outcome_of, with_room
from zermelo.core.layout import WORD
from zermelo.core.limits import INTERRUPTED, UNLIMITED, Limits, Listener, out_of_time
from zermelo.core.model import Model
from zermelo.core.space import PlayCounts
from zermelo.core.state import State
from zermelo.core.symmetry import Preserved, Symmetries
from zermelo.engines.graph.components import Arcs
from zermelo.engines.graph.reachability import Reachability
from zermelo.engines.space.move_order import MoveOrder
from zermelo.engines.space.orbits.reduction import ReducedExpander, usable_reduction
from zermelo.engines.space.staged import CompilerSwitch, Taken, faster_of
from zermelo.engines.space.state_index import StateIndex
from zermelo.engines.space.sweep import (
    PIECE,
    SMALL_PIECE,
    Follower,
    NumberedLevels,
    Sweep,
    Swept,
    stopped_at_depth,
)
from zermelo.text import budget
from zermelo.text.budget import FINDING_SYMMETRIES, OutOfTime

FEWEST_AT_ONCE: Final = 64
"""So many states are expanded in one call, as far as a level has them,"""
_PIECES_AT_ONCE: Final = 16
"""fewer where the interpreter is slow, so that the time of no more pieces than this is lost,"""
COMPILED_AT_ONCE: Final = 1 << 14
"""and so many by compiled code, as arcs are appended in a few calls however many they are,"""
_FEWEST_COMPILED: Final = 256
"""unless its pieces are smaller than this, as each state has very many moves."""
_BYTES: Final = 1 << 14
"""What a graph takes at least,"""
_BYTES_A_NODE: Final = 56
"""for each node beside the words of its state: its place in the table of states (12), in the graph
(8 + 8 + 8 + 4) and in its component (16),"""
_BYTES_AN_ARC: Final = 8
"""and for each arc: where it leads and by which move."""
N = TypeVar("N", int, Numbers)
T = TypeVar("T")


def graph_of(
    expander: Expander,
    initial: State,
    *,
    symmetries: Symmetries | None = None,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
) -> Reachability:
    """The graph of the states that *expander* can reach from *initial*, within *limits*.

    With *symmetries* one node stands for all states that are alike.

    Its nodes are the first states within the limits, and all arcs between nodes that
    could be followed are in it; states are followed, nearest first, up to the limits
    of moves, seconds and memory.
    """
    by = None if symmetries is None else usable_reduction(symmetries, expander)
    start = expander.pack(initial)
    if by is None:
        made = _GraphBuilder(expander, start, limits).build(listener)
    else:
        made = _GraphBuilder(ReducedExpander(expander, by), by.one(start), limits).build(listener)
    if symmetries is None:
        return made
    return replace(made, start=start, symmetry=symmetries.sentence)


def graph_of_model(
    model: Model,
    *,
    alike: Preserved | None = None,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
) -> Reachability:
    """The graph of *model*, built again on compiled code if the machine takes long.

    Where states are *alike* by symmetries that preserve this, one node stands for all of them.
    """
    found = None
    if alike is not None:
        with budget.phase(FINDING_SYMMETRIES):
            found = budget.within_time(lambda: model.symmetries(alike), FINDING_SYMMETRIES)
    return _in_stages(model, listener, partial(graph_of, symmetries=found, limits=limits))


def plays_of_model(
    model: Model, length: int, *, limits: Limits = UNLIMITED, listener: Listener | None = None
) -> PlayCounts:
    """The number of plays of *model* of each length, counted as by ``plays``."""
    return _in_stages(model, listener, partial(plays, length=length, limits=limits))


def _in_stages(model: Model, listener: Listener | None, work: Callable[..., T]) -> T:
    """What *work* gives on the machine of *model*, or on compiled code if that takes long."""
    machine = model.machine()
    switch = CompilerSwitch(faster_of(model), listener)
    slow = MachineExpander(machine)
    found = switch.first(lambda heard: work(slow, machine.initial, listener=heard))
    if not isinstance(found, Taken):
        return found
    return with_room(
        found.expander, lambda expander: work(expander, machine.initial, listener=listener)
    )


def plays(
    expander: Expander,
    initial: State,
    length: int,
    *,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
) -> PlayCounts:
    """The number of plays of each length from 1 to *length*.

    Plays that pass through the same state are counted together, so that the work
    grows with the states and not with the plays. A limit of states bounds how
    many different states the plays of one length may end in.
    """
    most = limits.states
    # If that many states are too few, some length has more ends than it may have.
    room = None if most is None else most * (length + 1) + 2
    within = replace(limits, states=room, depth=length)
    start = expander.pack(initial)
    builder = _GraphBuilder(expander, start, within, follows_deepest=False)
    found = builder.build(None if listener is None else _with_length(listener))
    ends: Numbers = np.zeros(1, dtype=np.int64)
    ways: npt.NDArray[np.object_] = np.ones(1, dtype=np.object_)
    counts: list[int] = []
    for depth in range(1, length + 1):
        is_open = bool(found.is_open[ends].any())
        leaving = np.diff(found.arcs.offsets)[ends]
        amounts = np.repeat(ways, leaving)
        ends, places = np.unique(found.arcs.targets[found.arcs.leaving(ends)], return_inverse=True)
        if most is not None and len(ends) > most:
            cut = f"plays of {depth:,} moves end in more than {most:,} states"
            return PlayCounts(tuple(counts), cut)
        if is_open and found.cut is not None:
            is_late = found.cut != INTERRUPTED
            cut = f"{found.cut}, at plays of {depth:,} moves" if is_late else INTERRUPTED
            return PlayCounts(tuple(counts), cut)
        if (left := limits.time_left()) is not None and left < 0:
            cut = f"{out_of_time(limits)}, at plays of {depth:,} moves"
            return PlayCounts(tuple(counts), cut)
        ways = np.zeros(len(ends), dtype=np.object_)
        np.add.at(ways, places, amounts)
        counts.append(sum(ways.tolist()))
    return PlayCounts(tuple(counts), None)


def _with_length(listener: Listener) -> Listener:
    """*listener*, told the length of the plays that are being counted."""
    return lambda progress: listener(replace(progress, depth=progress.depth + 1))


class _GraphBuilder(NumberedLevels, Follower):
    """A graph while it grows: its levels, and who follows them."""

    def __init__(
        self, expander: Expander, start: Rows, limits: Limits, *, follows_deepest: bool = True
    ) -> None:
        super().__init__([0, 1])
        self._expander = expander
        self._in_order = MoveOrder(expander)
        self._follows_deepest = follows_deepest
        """Whether arcs from the deepest level that is asked for are wanted."""
        self._limits = limits
        bits = WORD if expander.layout is None else expander.layout.last_bits
        self._nodes = StateIndex(expander.words, last_bits=bits)
        self._nodes.take(start.reshape(1, -1))
        self._size = 1
        """So many of the nodes are in the graph: all, unless memory ran out amid a call."""
        self._followed = 0
        """The nodes before this one have been expanded."""
        self._made = 0
        """How many moves were made, whether they are arcs of the graph or not."""
        self._left_out: str | None = None
        """The reason why a state has no room in the graph, which goes on without it."""
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
        self._sweep: Sweep | None = None

    def build(self, listener: Listener | None) -> Reachability:
        is_native = self._expander.native is not None
        found = Swept()
        self._sweep = Sweep(
            self, found, limits=self._limits, listener=listener, is_native=is_native
        )
        with budget.phase(budget.EXPLORING):
            self._sweep.run([self])
        size = self._size
        self.seal()
        with budget.budget(until=self._sweep.limits.last, is_last=True):
            self._judge(self._followed, size)
        offsets = np.zeros(size + 1, dtype=np.int64)
        np.cumsum(self._counts.joined(), out=offsets[1:])
        return Reachability(
            expander=self._expander,
            rows=self._nodes.rows(0, size),
            arcs=Arcs(offsets, self._targets.joined()),
            moves=self._moves.joined(),
            levels=np.array(self._starts),
            arrivals=self._arrivals.joined(),
            verdicts=self._verdicts.joined(np.int64).astype(np.int64, copy=False),
            is_open=self._open.joined().astype(np.bool_),
            faulty=np.concatenate(self._faulty),
            cut=found.cut or self._left_out,
        )

    def _judge(self, first: int, last: int) -> None:
        """Take in the nodes that were not followed; those for which the time is over stay open."""
        piece = SMALL_PIECE if self._expander.native is None else PIECE
        is_late = False
        for at in range(first, last, piece):
            waiting = self._nodes.rows(at, min(at + piece, last))
            verdicts = np.zeros(len(waiting), dtype=np.int64)
            try:
                if not is_late:
                    budget.look("looking at the last nodes")
                    verdicts = self._expander.judge(waiting)
            except OutOfTime:
                is_late = True
            self._verdicts.append(verdicts)
            self._open.append((outcome_of(verdicts) < 0).view(np.int8))
            self._counts.append(np.zeros(len(waiting), dtype=np.int8))

    @property
    def states(self) -> int:
        return self._size

    def pieces(self, level: int, size: int, *, skip: int = 0) -> list[Piece]:
        if not self._follows_deepest and level == self._limits.depth:
            return []
        if self._expander.native is not None:
            # Unless pieces had to be small, as a state has very many moves.
            at_once = COMPILED_AT_ONCE if size >= _FEWEST_COMPILED else size
        else:
            at_once = min(FEWEST_AT_ONCE, _PIECES_AT_ONCE * size)
        return super().pieces(level, at_once, skip=skip)

    def over_memory(self, most: int) -> str | None:
        is_over = self._taken(self._size, len(self._targets)) > most
        return _out_of_memory(most) if is_over else None

    def follow(self, _: int, piece: Piece) -> None:
        """Take in what follows the next nodes, as far as that can be done within the limits."""
        expansion = self._in_order.expand(self._nodes.rows(*piece))
        nodes = self._affordable(expansion.counts)
        reason = None
        if nodes < len(expansion.counts):
            reason = self._left_out or f"stopped after making {self._limits.moves:,} moves"
        counts = expansion.counts[:nodes]
        made = int(counts.sum())
        targets = self._nodes.take(expansion.states[:made], room=self._room())
        moves, kept = expansion.moves[:made], counts
        is_kept = targets >= 0
        if not is_kept.all():
            self._left_out = self._left_out or (
                stopped_at_depth(self._limits.depth or 0)
                if self._is_deepest()
                else f"stopped at {self._limits.states:,} states"
            )
            sources = np.repeat(np.arange(nodes), counts)
            kept = np.bincount(sources[is_kept], minlength=nodes)
            targets, moves = targets[is_kept], moves[is_kept]
        most = self._limits.memory
        if (
            most is not None
            and self._taken(self._nodes.size, len(self._targets) + len(targets)) > most
        ):
            nodes = self._within(most, kept, targets)
            reason = _out_of_memory(most)
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
        if reason is not None:
            assert self._sweep is not None, "nodes are followed in a sweep"
            self._sweep.stop(reason)

    def _affordable(self, counts: Numbers) -> int:
        """Of how many nodes all moves can be made within the limit of moves."""
        most = self._limits.moves
        if most is None or self._made + int(counts.sum()) <= most:
            return len(counts)
        return int(np.searchsorted(np.cumsum(counts), most - self._made, side="right"))

    def _within(self, most: int, kept: Numbers, targets: Numbers) -> int:
        """How many nodes, with so many arcs each to *targets*, are followed within *most* bytes.

        After each node it is decided anew, so that it does not matter which ones come together.
        """
        arcs = len(self._targets)
        ends = np.cumsum(kept)
        latest: Numbers = np.maximum.accumulate(np.concatenate(([self._size - 1], targets)))
        return int(np.argmax(self._taken(latest[ends] + 1, arcs + ends) > most)) + 1

    def _taken(self, nodes: N, arcs: N) -> N:
        of_states = 2 * self._expander.words * (WORD // 8)
        return _BYTES + nodes * (of_states + _BYTES_A_NODE) + arcs * _BYTES_AN_ARC

    def _room(self) -> int | None:
        if self._is_deepest():
            return 0
        most = self._limits.states
        return None if most is None else most - self._size

    def _is_deepest(self) -> bool:
        depth = self._limits.depth
        return depth is not None and len(self._starts) - 1 > depth


def _out_of_memory(most: int) -> str:
    return f"stopped at {most / 1e6:,g} MB of memory"


def _firsts(targets: Numbers, before: int) -> Numbers:
    """Where each node from *before* on is first among *targets*, node by node."""
    new = np.flatnonzero(targets >= before)[::-1]
    numbers = targets[new] - before
    firsts: Numbers = np.empty(int(numbers.max()) + 1 if len(new) else 0, dtype=np.int64)
    # Where a node is met several times the last assignment stays, which is the first place's.
    firsts[numbers] = new
    return firsts


Width: TypeAlias = type[np.int8] | type[np.int16] | type[np.int32] | type[np.int64]
WIDTHS: Final[tuple[Width, ...]] = (np.int8, np.int16, np.int32, np.int64)
_FEWEST: Final = 1 << 10
_BLOCK: Final = 1 << 25
"""Bytes of a large part: allocators take this much from the system, and give it back at once."""


class Column:
    """A list of whole numbers while it grows, each of at least as many bytes as *narrowest*."""

    def __init__(self, narrowest: Width) -> None:
        self._width: Width = narrowest
        self._full: list[Integers] = []
        self._block: Integers = np.empty(0, dtype=narrowest)
        self._used = 0
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def append(self, values: Integers) -> None:
        if not len(values):
            return
        self._make_wide(int(values.min()), int(values.max()))
        at = 0
        while at < len(values):
            if self._used == len(self._block):
                self._begin_block()
            taken = min(len(values) - at, len(self._block) - self._used)
            self._block[self._used : self._used + taken] = values[at : at + taken]
            self._used += taken
            self._size += taken
            at += taken

    def joined(self, narrowest: Width = np.int8) -> Integers:
        """All of them as one array of at least this width; afterwards the list is empty."""
        self._close_block()
        width = max(self._width, narrowest, key=WIDTHS.index)
        whole: Integers = np.empty(self._size, dtype=width)
        at = 0
        self._full.reverse()
        while self._full:
            part = self._full.pop()
            whole[at : at + len(part)] = part
            at += len(part)
        self._size = 0
        return whole

    def _make_wide(self, least: int, most: int) -> None:
        """See to it that the next part has room for these two, and all between them."""
        for width in WIDTHS[WIDTHS.index(self._width) :]:
            room = np.iinfo(width)
            if room.min <= least and most <= room.max:
                if width is not self._width:
                    self._close_block()
                    self._width = width
                return

    def _begin_block(self) -> None:
        self._close_block()
        most = _BLOCK // np.dtype(self._width).itemsize
        size = min(max(_FEWEST, 2 * self._size), most)
        self._block = np.empty(size, dtype=self._width)

    def _close_block(self) -> None:
        if self._used:
            self._full.append(self._block[: self._used])
        self._block = np.empty(0, dtype=self._width)
        self._used = 0
