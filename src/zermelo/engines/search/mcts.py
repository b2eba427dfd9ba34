"""A good move by random plays, where nothing can be proved: Monte Carlo tree search.

Comes in an expander, a state, a budget and a seed; goes out for each move how
often it was tried and how well that went, with what happens to be proved on the
way. With the same seed and number of plays the answer is the same everywhere.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from zermelo.core.expander import Expander, Numbers
from zermelo.core.machine import Move, State
from zermelo.core.progress import INTERRUPTED, Listener, Progress
from zermelo.engines.search import mcts_loop as loop
from zermelo.engines.search import playouts
from zermelo.engines.search.search import Effort
from zermelo.engines.search.steps import Steps, address
from zermelo.engines.solve.values import Kind
from zermelo.languages.sections.ir import Stuck

_MEMORY: Final = 1 << 27
"""Bytes of the tree."""
_SLICE: Final = 1 << 10
_SLICE_PLAIN: Final = 4
_LONGEST: Final = 2_000
"""Plies after which a random play is given up."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A legal move, and what came of the random plays that began with it."""

    move: Move
    visits: int
    mean: float | None
    """Wins and half the draws, as a share of the plays, for the player who makes the move;
    ``None`` before there is a play."""
    proved: Kind = Kind.UNKNOWN
    """What is proved of it for that player."""


@dataclass(frozen=True, slots=True)
class Thought:
    """What random plays showed of a state."""

    moves: tuple[Tried, ...]
    """The legal moves in canonical order."""
    plays: int
    seconds: float
    cut: str | None = None
    """Why it stopped before the value was proved, in words."""

    @property
    def best(self) -> Tried | None:
        """The move to make: proved to win, or else tried most; the first of several."""
        return max(self.moves, key=_merit, default=None)

    @property
    def ranking(self) -> tuple[Tried, ...]:
        """The moves, the best first."""
        return tuple(sorted(self.moves, key=_merit, reverse=True))


def think(
    expander: Expander,
    state: State,
    *,
    effort: Effort,
    seed: int = 0,
    threads: int = 1,
    listener: Listener | None = None,
) -> Thought:
    """What random plays from *state* show, within *effort*, whose nodes are plays.

    Each thread grows a tree of its own, and what they show is put together.
    """
    trees = [_Tree(expander, state, seed)]
    while len(trees) < threads:
        twin = expander.twin()
        if twin is None:
            break
        trees.append(_Tree(twin, state, seed + len(trees)))
    if len(trees) == 1:
        return trees[0].grown(effort, listener)
    return _together(trees, effort, listener)


def _together(trees: Sequence[_Tree], effort: Effort, listener: Listener | None) -> Thought:
    """What *trees* show that grow at the same time."""
    stop = threading.Event()
    shares = [_share(effort, len(trees), at) for at in range(len(trees))]

    def ask(progress: Progress) -> bool:
        if listener is not None and listener(progress):
            stop.set()
        return stop.is_set()

    with ThreadPoolExecutor(len(trees) - 1) as pool:
        others = [
            pool.submit(tree.grown, share, lambda _: stop.is_set())
            for tree, share in zip(trees[1:], shares[1:], strict=True)
        ]
        first = trees[0].grown(shares[0], ask)
        if first.cut is None:
            # The value is proved, and more plays would show nothing else.
            stop.set()
        thoughts = [first, *(each.result() for each in others)]
    moves = tuple(_merged(each) for each in zip(*(t.moves for t in thoughts), strict=True))
    plays = sum(thought.plays for thought in thoughts)
    return Thought(moves, plays, first.seconds, first.cut)


def _share(effort: Effort, count: int, at: int) -> Effort:
    """What falls to one of *count* trees."""
    if effort.nodes is None:
        return effort
    return replace(effort, nodes=effort.nodes // count + int(at < effort.nodes % count))


def _merged(tried: Sequence[Tried]) -> Tried:
    """What several trees show of one move."""
    visits = sum(each.visits for each in tried)
    total = sum(each.visits * each.mean for each in tried if each.mean is not None)
    proved = next((each.proved for each in tried if each.proved is not Kind.UNKNOWN), Kind.UNKNOWN)
    return Tried(tried[0].move, visits, total / visits if visits else None, proved)


class _Tree:
    """A tree of states, the first at its root."""

    def __init__(self, expander: Expander, state: State, seed: int) -> None:
        self._expander = expander
        self._steps = Steps(expander)
        self._slice = _SLICE if self._steps.is_native else _SLICE_PLAIN
        words, room = self._steps.words, self._steps.most_moves
        self._stride = loop.NODE + words
        size = max(2, _MEMORY // (8 * self._stride))
        # Memory that is never touched is never taken.
        self._nodes: Numbers = np.zeros((size, self._stride), dtype=np.int64)
        self._path: Numbers = np.zeros(loop.LONGEST_PATH + 2, dtype=np.int64)
        self._states: Numbers = np.empty((room, words), dtype=np.int64)
        self._moves: Numbers = np.empty(room, dtype=np.int64)
        self._here: Numbers = np.empty(words, dtype=np.int64)
        self._nodes[0, loop.NODE :] = expander.pack(state)
        self._block = self._prepared(size)
        self._block[playouts.CHANCE] = _mixed(seed)
        functions = self._steps.functions(loop.unit())
        self._rounds = functions["rounds"]
        functions["begin"](address(self._block), address(self._nodes))

    def _prepared(self, size: int) -> Numbers:
        block = self._steps.block(loop.BLOCK)
        block[playouts.STATES] = address(self._states)
        block[playouts.MOVES] = address(self._moves)
        block[playouts.HERE] = address(self._here)
        block[playouts.LENGTH] = _LONGEST
        block[loop.TREE] = address(self._nodes)
        block[loop.ROOM] = size
        block[loop.USED] = 1
        block[loop.PATH] = address(self._path)
        if self._steps.players <= 2:
            block[loop.SOLVES] = 1 if self._steps.system.stuck is Stuck.REPORTED else 2
        return block

    def grown(self, effort: Effort, listener: Listener | None) -> Thought:
        """What is found within *effort*; one play is made in any case."""
        began = time.monotonic()
        cut: str | None = None
        while cut is None and not self._is_settled():
            made = int(self._block[loop.ROUNDS])
            left = self._slice if effort.nodes is None else min(self._slice, effort.nodes - made)
            self._rounds(address(self._block), max(1, left))
            cut = self._cut(effort, time.monotonic() - began, listener)
        made = int(self._block[loop.ROUNDS])
        return Thought(self._tried(), made, time.monotonic() - began, cut)

    def _is_settled(self) -> bool:
        return bool(self._nodes[0, loop.N_PROVED] or self._nodes[0, loop.N_END])

    def _cut(self, effort: Effort, seconds: float, listener: Listener | None) -> str | None:
        """Why no more may be done, in words."""
        made = int(self._block[loop.ROUNDS])
        if self._is_settled():
            return None
        if effort.nodes is not None and made >= effort.nodes:
            return f"stopped after {made:,} plays"
        if effort.seconds is not None and seconds >= effort.seconds:
            return f"stopped after {effort.seconds:g} seconds"
        if listener is not None and listener(self._progress(seconds)):
            return INTERRUPTED
        return None

    def _progress(self, seconds: float) -> Progress:
        depth = int(self._block[loop.LENGTH_OF_PATH])
        return Progress(depth, int(self._block[loop.USED]), 0, seconds)

    def _tried(self) -> tuple[Tried, ...]:
        first, count = int(self._nodes[0, loop.N_FIRST]), int(self._nodes[0, loop.N_COUNT])
        return tuple(self._child(self._nodes[at]) for at in range(first, first + count))

    def _child(self, node: Numbers) -> Tried:
        visits, total = int(node[loop.N_VISITS]), int(node[loop.N_SUM])
        mean = total / (2 * visits) if visits else None
        proved = int(node[loop.N_PROVED])
        worth = Kind.UNKNOWN
        if proved:
            own = proved - 1 if node[loop.N_MOVER] == 0 else 3 - proved
            worth = (Kind.LOSS, Kind.DRAW, Kind.WIN)[own]
        return Tried(self._expander.move(int(node[loop.N_CODE])), visits, mean, worth)


def _mixed(seed: int) -> int:
    return (seed * 0x9E3779B97F4A7C15 + 1) % (1 << 62)


def _merit(tried: Tried) -> tuple[int, int, float]:
    rank = {Kind.WIN: 2, Kind.LOSS: 0}.get(tried.proved, 1)
    return rank, tried.visits, tried.mean or 0.0
