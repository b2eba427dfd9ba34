"""Plays in which every move is drawn by lot: how they end, and how long they are.

Each play has its own random source, made from the seed and the play's number, so the answer
is the same however the plays are shared among threads.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from types import MappingProxyType
from typing import Final

import numpy as np

from zermelo.core.arrays import Numbers
from zermelo.core.expander import Expander
from zermelo.core.limits import Listener, Progress
from zermelo.core.machine import Outcome
from zermelo.core.space import Playouts
from zermelo.core.state import State
from zermelo.engines.search import steps
from zermelo.engines.search.steps import (
    FIRST_FREE,
    MOST_ENDS,
    WORDS,
    NativeSteps,
    end_of,
    moves_of,
    numbers_in,
)
from zermelo.engines.space.thread_pool import twins
from zermelo.fast import jit
from zermelo.fast.bits import add, address, high, load, mul, shr, store
from zermelo.text import budget

LONGEST: Final = 10_000
"""A play that is not over after so many plies is cut short, if nothing else is said."""

# Words of the block, behind those of `steps`: `LENGTH` is how long a play may become, `PLIES`
# how long the last one was.
STATES, MOVES, HERE, CHANCE, LENGTH, PLIES, COUNTS, TOTAL, MOST, BLOCK = range(
    FIRST_FREE, FIRST_FREE + 10
)

# SplitMix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
GOLDEN: Final = -0x61C8864680B583EB
MIX_1: Final = -0x40A7B892E31B1A47
MIX_2: Final = -0x6B2FB644ECCEEE15
_SLICE: Final = 1 << 12
_SLICE_PLAIN: Final = 8


def playouts(
    expander: Expander,
    start: State,
    *,
    count: int,
    seed: int = 0,
    longest: int = LONGEST,
    threads: int = 1,
    listener: Listener | None = None,
) -> Playouts:
    """*count* random plays from *start*, each cut short after *longest* plies."""
    began = budget.now()
    hands = [_PlayoutThread(each, start, longest) for each in twins(expander, threads)]
    deal = _PlayoutRun(count, seed, listener)
    with ThreadPoolExecutor(len(hands)) as pool:
        others = [pool.submit(hand.run, deal) for hand in hands[1:]]
        hands[0].run(deal, reports=True)
        for each in others:
            each.result()
    ends: Numbers = np.sum([hand.counts for hand in hands], axis=0)
    made, unfinished = int(ends.sum()), int(ends[0])
    found: dict[Outcome, int] = {}
    for at in np.flatnonzero(ends).tolist():
        outcome = hands[0].steps.end(at)
        if outcome is not None:
            # Whoever is stuck, the outcome may be the same.
            found[outcome] = found.get(outcome, 0) + int(ends[at])
    ordered = dict(sorted(found.items(), key=lambda item: (-item[1], str(item[0]))))
    return Playouts(
        count=made,
        endings=MappingProxyType(ordered),
        unfinished=unfinished,
        plies=sum(int(hand.block[TOTAL]) for hand in hands),
        longest=max(int(hand.block[MOST]) for hand in hands),
        seconds=budget.now() - began,
        cut=None if made == count else f"stopped after {made:,} of {count:,} plays",
    )


class _PlayoutRun:
    def __init__(self, count: int, seed: int, listener: Listener | None) -> None:
        self.seed = seed
        self._count = count
        self._listener = listener
        self._began = budget.now()
        self._next = 0
        self._lock = threading.Lock()

    def take(self, size: int) -> tuple[int, int]:
        """The first of the next plays, and how many of them there are: none at the end."""
        with self._lock:
            first = self._next
            self._next = min(self._count, first + size)
            return first, self._next - first

    def report(self) -> None:
        """Tell how many plays were made; whoever listens may ask to make no more."""
        told = Progress(0, self._next, 0, budget.now() - self._began, phase=budget.SEARCHING)
        if self._listener is not None and self._listener(told):
            self.stop()

    def stop(self) -> None:
        """Let no more plays be taken."""
        with self._lock:
            self._count = self._next


class _PlayoutThread:
    def __init__(self, expander: Expander, start: State, longest: int) -> None:
        self.steps = NativeSteps(expander)
        room = self.steps.most_moves
        self._start: Numbers = np.ascontiguousarray(expander.pack(start), dtype=np.int64)
        self._states: Numbers = np.empty((room, self.steps.words), dtype=np.int64)
        self._moves: Numbers = np.empty(room, dtype=np.int64)
        self._here: Numbers = np.empty(self.steps.words, dtype=np.int64)
        self.counts: Numbers = np.zeros(MOST_ENDS, dtype=np.int64)
        self.block = self.steps.block(BLOCK)
        self.block[STATES] = address(self._states)
        self.block[MOVES] = address(self._moves)
        self.block[HERE] = address(self._here)
        self.block[COUNTS] = address(self.counts)
        self.block[LENGTH] = longest
        self._run = self.steps.functions(unit())["many_plays"]

    def run(self, deal: _PlayoutRun, *, reports: bool = False) -> None:
        size = _SLICE if self.steps.is_native else _SLICE_PLAIN
        try:
            while (taken := deal.take(size))[1]:
                self.steps.run(self._run, self.block, self._start, deal.seed, *taken)
                if reports:
                    deal.report()
        except BaseException:
            deal.stop()
            raise


# The loops


def chance(block: int) -> int:
    """The next random number, any of 64 bits."""
    state = add(load(block, CHANCE), GOLDEN)
    store(block, CHANCE, state)
    mixed = mul(state ^ shr(state, 30), MIX_1)
    mixed = mul(mixed ^ shr(mixed, 27), MIX_2)
    return mixed ^ shr(mixed, 31)


def one_play(block: int, row: int) -> int:
    """The end of a random play from the state at *row*; ``PLIES`` tells how long it was."""
    words = load(block, WORDS)
    states = load(block, STATES)
    moves = load(block, MOVES)
    here = load(block, HERE)
    longest = load(block, LENGTH)
    plies = 0
    for at in range(words):
        store(here, at, load(row, at))
    count = moves_of(block, here, states, moves)
    while count > 0 and plies < longest:
        taken = states + high(chance(block), count) * words * 8
        for at in range(words):
            store(here, at, load(taken, at))
        plies += 1
        count = moves_of(block, here, states, moves)
    store(block, PLIES, plies)
    return 0 if count > 0 else end_of(block, here)


def many_plays(block: int, row: int, seed: int, first: int, count: int) -> int:
    """Count the ends of *count* plays from *row*, beginning with the play number *first*."""
    counts = load(block, COUNTS)
    for number in range(first, first + count):
        store(block, CHANCE, mul(add(mul(seed, MIX_2), number), MIX_1))
        end = one_play(block, row)
        store(counts, end, load(counts, end) + 1)
        store(block, TOTAL, load(block, TOTAL) + load(block, PLIES))
        if load(block, PLIES) > load(block, MOST):
            store(block, MOST, load(block, PLIES))
    return 0


LOOPS: Final = (*steps.LOOPS, chance, one_play)
CONSTANTS: Final = {**steps.CONSTANTS, **numbers_in(globals())}


@cache
def unit() -> jit.Unit:
    return jit.unit_of(
        "playouts",
        (*LOOPS, many_plays),
        exports=("many_plays",),
        constants=CONSTANTS,
        inline=("chance", "moves_of"),
    )
