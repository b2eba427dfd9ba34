"""A good move by random plays, where nothing can be proved: Monte Carlo tree search.

With the same seed and number of plays the answer is the same everywhere.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import numpy as np

from zermelo.core.arrays import Numbers
from zermelo.core.expander import PLAYER_BITS, Expander
from zermelo.core.limits import INTERRUPTED, Listener, Progress
from zermelo.core.signature import Stuck
from zermelo.core.state import Move, State
from zermelo.engines.search import playouts
from zermelo.engines.search.playouts import LOOPS, MOVES, STATES, chance, one_play
from zermelo.engines.search.search import SearchLimits
from zermelo.engines.search.steps import (
    PLAYERS,
    TABLES,
    VERDICT,
    WORDS,
    NativeSteps,
    end_of,
    moves_of,
    numbers_in,
    worth_of,
)
from zermelo.engines.solve.values import ValueKind
from zermelo.engines.space.thread_pool import twins
from zermelo.fast import jit
from zermelo.fast.bits import address, call2, high, highest, load, shl, shr, store
from zermelo.text import budget

_MEMORY: Final = 1 << 27
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
    proved: ValueKind = ValueKind.UNKNOWN


@dataclass(frozen=True, slots=True)
class Thought:
    """What random plays showed of a state."""

    moves: tuple[Tried, ...]
    """The legal moves in canonical order."""
    plays: int
    seconds: float
    cut: str | None = None
    """The reason why it stopped before the value was proved."""

    @property
    def best(self) -> Tried | None:
        """The move to make: proved to win, or else tried most; the first of several."""
        return max(self.moves, key=_merit, default=None)

    @property
    def ranking(self) -> tuple[Tried, ...]:
        return tuple(sorted(self.moves, key=_merit, reverse=True))


def think(
    expander: Expander,
    state: State,
    *,
    effort: SearchLimits,
    seed: int = 0,
    threads: int = 1,
    listener: Listener | None = None,
) -> Thought:
    """What random plays from *state* show, within *effort*, whose nodes are plays.

    Each thread grows a tree of its own, and what they show is put together.
    """
    expanders = twins(expander, threads)
    trees = [_Tree(each, state, seed + at) for at, each in enumerate(expanders)]
    if len(trees) == 1:
        return trees[0].grown(effort, listener)
    shares = [effort] * len(trees)
    if effort.nodes is not None:
        each, rest = divmod(effort.nodes, len(trees))
        shares = [replace(effort, nodes=each + int(at < rest)) for at in range(len(trees))]
    stop = threading.Event()

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


def _merged(tried: Sequence[Tried]) -> Tried:
    visits = sum(each.visits for each in tried)
    total = sum(each.visits * each.mean for each in tried if each.mean is not None)
    proved = (each.proved for each in tried if each.proved is not ValueKind.UNKNOWN)
    mean = total / visits if visits else None
    return Tried(tried[0].move, visits, mean, next(proved, ValueKind.UNKNOWN))


class _Tree:
    def __init__(self, expander: Expander, state: State, seed: int) -> None:
        self._expander = expander
        self._steps = NativeSteps(expander)
        self._slice = _SLICE if self._steps.is_native else _SLICE_PLAIN
        words, room = self._steps.words, self._steps.most_moves
        self._stride = NODE + words
        size = max(2, _MEMORY // (8 * self._stride))
        # Memory that is never touched is never taken.
        self._nodes: Numbers = np.zeros((size, self._stride), dtype=np.int64)
        self._path: Numbers = np.zeros(LONGEST_PATH + 2, dtype=np.int64)
        self._states: Numbers = np.empty((room, words), dtype=np.int64)
        self._moves: Numbers = np.empty(room, dtype=np.int64)
        self._here: Numbers = np.empty(words, dtype=np.int64)
        self._nodes[0, NODE:] = expander.pack(state)
        self._block = self._prepared(size)
        self._block[playouts.CHANCE] = (seed * 0x9E3779B97F4A7C15 + 1) % (1 << 62)
        functions = self._steps.functions(unit())
        self._rounds = functions["rounds"]
        self._steps.run(functions["begin"], self._block, self._nodes)

    def _prepared(self, size: int) -> Numbers:
        block = self._steps.block(BLOCK)
        block[playouts.STATES] = address(self._states)
        block[playouts.MOVES] = address(self._moves)
        block[playouts.HERE] = address(self._here)
        block[playouts.LENGTH] = _LONGEST
        block[TREE] = address(self._nodes)
        block[ROOM] = size
        block[USED] = 1
        block[PATH] = address(self._path)
        if self._steps.players <= 2:
            block[SOLVES] = 1 if self._steps.signature.stuck is Stuck.REPORTED else 2
        return block

    def grown(self, effort: SearchLimits, listener: Listener | None) -> Thought:
        """What is found within *effort*; one play is made in any case."""
        began = budget.now()
        cut: str | None = None
        while cut is None and not self._is_settled():
            made = int(self._block[ROUNDS])
            left = self._slice if effort.nodes is None else min(self._slice, effort.nodes - made)
            self._steps.run(self._rounds, self._block, max(1, left))
            cut = self._cut(effort, budget.now() - began, listener)
        first, count = int(self._nodes[0, N_FIRST]), int(self._nodes[0, N_COUNT])
        tried = tuple(self._child(self._nodes[at]) for at in range(first, first + count))
        return Thought(tried, int(self._block[ROUNDS]), budget.now() - began, cut)

    def _is_settled(self) -> bool:
        return bool(self._nodes[0, N_PROVED] or self._nodes[0, N_END])

    def _cut(self, effort: SearchLimits, seconds: float, listener: Listener | None) -> str | None:
        made = int(self._block[ROUNDS])
        if self._is_settled():
            return None
        if effort.nodes is not None and made >= effort.nodes:
            return f"stopped after {made:,} plays"
        if effort.seconds is not None and seconds >= effort.seconds:
            return f"stopped after {effort.seconds:g} seconds"
        depth, used = int(self._block[LENGTH_OF_PATH]), int(self._block[USED])
        if listener is not None and listener(
            Progress(depth, used, 0, seconds, phase=budget.SEARCHING)
        ):
            return INTERRUPTED
        return None

    def _child(self, node: Numbers) -> Tried:
        visits, total = int(node[N_VISITS]), int(node[N_SUM])
        mean = total / (2 * visits) if visits else None
        proved = int(node[N_PROVED])
        worth = ValueKind.UNKNOWN
        if proved:
            own = proved - 1 if node[N_MOVER] == 0 else 3 - proved
            worth = (ValueKind.LOSS, ValueKind.DRAW, ValueKind.WIN)[own]
        return Tried(self._expander.move(int(node[N_CODE])), visits, mean, worth)


def _merit(tried: Tried) -> tuple[int, int, float]:
    rank = {ValueKind.WIN: 2, ValueKind.LOSS: 0}.get(tried.proved, 1)
    return rank, tried.visits, tried.mean or 0.0


# Words of the block, behind those of `playouts`. There is room for so many nodes. Values are
# proved (1) with at most two players, and by stuck players too (2) where these settle something.
TREE, ROOM, USED, PATH, LENGTH_OF_PATH, SOLVES, ROUNDS, BLOCK = range(
    playouts.BLOCK, playouts.BLOCK + 8
)

# Words of a node; the state follows. The first child is 0 before there are children; the sum is
# what the plays through it were worth to who moved there; what is proved is 1 more than what it is
# worth to the first player, or 0.
N_FIRST, N_COUNT, N_VISITS, N_SUM, N_MOVER, N_TURN, N_PROVED, N_CODE, N_END, NODE = range(10)

LONGEST_PATH: Final = 1000
UNTRIED: Final = 1 << 40
ONE: Final = 1 << 16
"""A certain win, in fixed-point numbers."""
LN_2: Final = 45_426
"""The natural logarithm of 2, in fixed-point numbers."""


def rounds(block: int, count: int) -> int:
    """Make *count* rounds, or as many as are needed to prove the value of the first state."""
    for number in range(count):
        if load(load(block, TREE), N_PROVED) != 0:
            return number
        one_round(block)
        store(block, ROUNDS, load(block, ROUNDS) + 1)
    return count


def node_at(block: int, number: int) -> int:
    return load(block, TREE) + number * (NODE + load(block, WORDS)) * 8


def one_round(block: int) -> int:
    """Go down the tree, finish the play, and note what came of it."""
    store(block, LENGTH_OF_PATH, 0)
    number = 0
    node = enter(block, number)
    while load(node, N_FIRST) and not load(node, N_PROVED):
        if load(block, LENGTH_OF_PATH) >= LONGEST_PATH:
            break
        number = select(block, node)
        node = enter(block, number)
    if is_open(node) and (number == 0 or load(node, N_VISITS)):
        grow(block, number)
        node = node_at(block, number)
        count = load(node, N_COUNT)
        if count > 0:
            number = load(node, N_FIRST) + high(chance(block), count)
            node = enter(block, number)
    end = load(node, N_END)
    if end == 0 and load(node, N_PROVED) == 0:
        end = one_play(block, node + NODE * 8)
    note(block, end, load(node, N_PROVED))
    return 0


def is_open(node: int) -> int:
    return 1 if load(node, N_FIRST) == 0 and load(node, N_PROVED) + load(node, N_END) == 0 else 0


def enter(block: int, number: int) -> int:
    """Put the node with this *number* on the path; gives its place."""
    length = load(block, LENGTH_OF_PATH)
    store(load(block, PATH), length, number)
    store(block, LENGTH_OF_PATH, length + 1)
    return node_at(block, number)


def select(block: int, node: int) -> int:
    """The number of the child that promises most to who moves, or was tried too little."""
    count = load(node, N_COUNT)
    first = load(node, N_FIRST)
    turn = load(node, N_TURN)
    breadth = logarithm(load(node, N_VISITS) + 1)
    start = high(chance(block), count)
    best = -2
    chosen = first
    for offset in range(count):
        at = start + offset
        if at >= count:
            at -= count
        promise = promise_of(node_at(block, first + at), turn, breadth)
        if promise > best:
            best = promise
            chosen = first + at
    return chosen


def promise_of(child: int, turn: int, breadth: int) -> int:
    """What *child* promises to the player *turn*: the mean, and more if it was tried little."""
    proved = load(child, N_PROVED)
    if proved and worth_to(turn, proved - 1) == 0:
        return -1
    visits = load(child, N_VISITS)
    if visits == 0:
        return UNTRIED
    mean = shl(load(child, N_SUM), 15) // visits
    return mean + square_root(shl(breadth, 16) // visits)


def worth_to(player: int, worth: int) -> int:
    """What is worth *worth* to the first player, for *player*; there are two at most."""
    return worth if player == 0 else 2 - worth


def logarithm(x: int) -> int:
    """The natural logarithm of *x*, in fixed-point numbers; straight between powers of two."""
    power = highest(x)
    part = shl(x, 16) >> power
    return shr((shl(power, 16) + part - ONE) * LN_2, 16)


def square_root(x: int) -> int:
    """The whole part of the square root of *x*, by Newton's method from above."""
    if x < 2:
        return x
    root = shl(1, (highest(x) >> 1) + 1)
    lower = (root + x // root) >> 1
    while lower < root:
        root = lower
        lower = (root + x // root) >> 1
    return root


def grow(block: int, number: int) -> int:
    """Give the node with this *number* its children; one without moves gets its end."""
    node = node_at(block, number)
    row = node + NODE * 8
    states = load(block, STATES)
    moves = load(block, MOVES)
    count = moves_of(block, row, states, moves)
    if count == 0:
        return close(block, node)
    used = load(block, USED)
    if used + count > load(block, ROOM):
        return 0
    words = load(block, WORDS)
    for at in range(count):
        child = node_at(block, used + at)
        for word in range(words):
            store(child, NODE + word, load(states, at * words + word))
        store(child, N_MOVER, load(node, N_TURN))
        store(child, N_CODE, load(moves, at))
        begin(block, child)
    store(node, N_FIRST, used)
    store(node, N_COUNT, count)
    store(block, USED, used + count)
    return settle(block, node)


def begin(block: int, node: int) -> int:
    """Note who is in turn in the state of *node*, or how it is over."""
    verdict = call2(load(block, VERDICT), load(block, TABLES), node + NODE * 8)
    store(node, N_TURN, max((verdict & 255) - 1, 0))
    if verdict >> PLAYER_BITS:
        return close(block, node)
    return 0


def close(block: int, node: int) -> int:
    """Note the end in the state of *node*, in which there is no move."""
    end = end_of(block, node + NODE * 8)
    store(node, N_END, end)
    is_over = end > load(block, PLAYERS) + 1
    if load(block, SOLVES) == 2 or (load(block, SOLVES) and is_over):
        store(node, N_PROVED, 1 + worth_of(block, end, 0))
    return 0


def settle(block: int, node: int) -> int:
    """Note what *node* is worth, if that follows from its children; gives whether it does."""
    turn = load(node, N_TURN)
    first = load(node, N_FIRST)
    best = -1
    is_open_still = 0
    for at in range(load(node, N_COUNT)):
        proved = load(node_at(block, first + at), N_PROVED)
        if proved == 0:
            is_open_still = 1
        else:
            best = max(best, worth_to(turn, proved - 1))
    if load(block, SOLVES) and (best == 2 or not is_open_still):
        store(node, N_PROVED, 1 + worth_to(turn, best))
        return 1
    return 0


def note(block: int, end: int, proved: int) -> int:
    """Note on the whole path what the play was worth."""
    path = load(block, PATH)
    settles = 1 if proved else 0
    for back in range(1, load(block, LENGTH_OF_PATH) + 1):
        at = load(block, LENGTH_OF_PATH) - back
        node = node_at(block, load(path, at))
        mover = load(node, N_MOVER)
        worth = worth_to(mover, proved - 1) if proved else worth_of(block, end, mover)
        store(node, N_VISITS, load(node, N_VISITS) + 1)
        store(node, N_SUM, load(node, N_SUM) + worth)
        if settles and load(node, N_PROVED) == 0:
            settles = settle(block, node)
    return 0


@cache
def unit() -> jit.Unit:
    down = (rounds, node_at, one_round, is_open, enter, select, promise_of, worth_to)
    up = (logarithm, square_root, grow, begin, close, settle, note)
    return jit.unit_of(
        "mcts",
        (*LOOPS, *down, *up),
        exports=("rounds", "begin"),
        constants={**playouts.CONSTANTS, **numbers_in(globals())},
    )
