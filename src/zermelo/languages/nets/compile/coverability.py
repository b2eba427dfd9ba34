"""Which places of a net can get ever more tokens, searched by compiled code.

It is the search of Karp and Miller, depth first, on firings that are written out. A marking that
holds all tokens of one before it on the same play, and more, shows growth: what was fired between
the two can be fired again and again, so the places that gained tokens hold any number of them from
there on. Such a number is written as ``ANY``. A marking that another one covers is not followed:
whatever it can do, that one can.

The search ends for every net; where it has ended without growth, the net is bounded. Both follow
from each marking that can be reached being covered by one that was followed, and from there being
no endless play without growth on it.

What was done is counted in markings and in steps, so that it is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Final

import numpy as np

from zermelo.core.arrays import Numbers
from zermelo.fast import jit
from zermelo.fast.bits import load, mul, shr, store

ANY: Final = 1 << 40
"""Any number of tokens."""
MOST_BYTES: Final = 256_000_000
"""Memory that the markings may take."""
MANY: Final = 1 << 38
"""A place with more tokens that are counted is not looked at further."""
_FIRST: Final = 256
"""Markings for which there is room at first."""
LARGE: Final = 256
"""Markings that are kept at hand as those that may cover others."""
BLOCK: Final = 64
BLOCKS: Final = 4096
"""The markings of a play by blocks, and by blocks of those: the fewest tokens of each are kept."""
MIX: Final = 0x1E3779B97F4A7C15


class Status(IntEnum):
    """Why the search has paused."""

    DONE = 0
    """There is nothing left to look at."""
    STEPS = 1
    """It has taken the steps that it was given."""
    NODES = 2
    """It has looked at as many markings as it was given."""
    GREW = 3
    """A play with growth was found for the first time."""
    FULL = 4
    """There is no room for more markings, or for more tokens in a place."""


DEPTH, COUNT, STEPS, GREW_AT, LARGE_COUNT = range(5)
"""Where the search keeps its numbers: the depth of the marking at hand, how many markings there
are, the steps that were taken, the depth of the marking that growth was found against, or −1."""
_CONTROL: Final = 5


@dataclass(frozen=True, slots=True)
class Firing:
    """What one firing takes and by how much it changes each of the numbers of a marking."""

    taken: tuple[tuple[int, int], ...]
    change: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Growth:
    """A play with growth: the firings before it, those that can be repeated, and what they do."""

    play: tuple[int, ...]
    repeat: tuple[int, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]


class Coverability:
    """A search for growth that can be continued."""

    def __init__(
        self,
        initial: Sequence[int],
        firings: Sequence[Firing],
        *,
        native: bool = True,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        """*firings* are tried in their order."""
        self._size = max(1, len(initial))
        self._firings = firings
        self._needs, self._need_at = _flat([each.taken for each in firings])
        self._changes, self._change_at = _flat([each.change for each in firings])
        self._search = jit.load(_unit(), native=native)["search"]
        self._rehash = jit.load(_unit(), native=native)["rehash"]
        self._most_rows = max(_FIRST, most_bytes // (8 * (self._size + 6)))
        self._room = 0
        self._rows: Numbers = np.zeros((0, self._size), dtype=np.int64)
        # Of each marking on the play: its number, the next firing, the one it came by, its size.
        self._path: Numbers = np.zeros((4, 0), dtype=np.int64)
        # The fewest tokens in each block of the play, and in each block of blocks.
        self._low: Numbers = np.zeros((2, 1), dtype=np.int64)
        self._control: Numbers = np.zeros(_CONTROL, dtype=np.int64)
        self._large: Numbers = np.zeros(LARGE, dtype=np.int64)
        self._grow(_FIRST)
        self._control[GREW_AT] = -1
        self._rows[0, : len(initial)] = initial
        self._control[COUNT] = 1
        self._path[3, 0] = sum(initial)
        self._low[0, 0] = self._low[1, 0] = sum(initial)
        self._large[0], self._control[LARGE_COUNT] = 0, 1
        self.status = Status.FULL if max(initial, default=0) > MANY else Status.STEPS
        self._hash_again()
        self.growth: Growth | None = None

    @property
    def nodes(self) -> int:
        """The markings that were followed or are being followed."""
        return int(self._control[COUNT])

    @property
    def steps(self) -> int:
        return int(self._control[STEPS])

    @property
    def is_over(self) -> bool:
        return self.status in (Status.DONE, Status.FULL)

    @property
    def numbers(self) -> Numbers:
        """The markings, one row each."""
        return self._rows[: self.nodes]

    def unlimited(self) -> list[int]:
        """The numbers of a marking that are known to be without bound."""
        return [int(at) for at in np.flatnonzero((self.numbers >= ANY).any(axis=0))]

    def run(self, *, nodes: int, steps: int) -> Status:
        """Go on until there are *nodes* markings, or for about so many *steps*."""
        until = self.steps + steps
        while not self.is_over:
            if self.nodes >= nodes:
                return Status.NODES
            if self.steps >= until:
                return Status.STEPS
            if self.nodes == self._room and not self._grow(2 * self._room):
                self.status = Status.FULL
                break
            found = Status(
                self._search.on(
                    self._control,
                    self._rows,
                    self._path,
                    self._low,
                    self._table,
                    self._large,
                    self._needs,
                    self._need_at,
                    self._changes,
                    self._change_at,
                    self._size,
                    len(self._firings),
                    self._room,
                    len(self._table) - 1,
                    min(nodes, self._room),
                    until,
                )
            )
            if found is Status.GREW:
                self.growth = self._grown()
                return found
            if found is not Status.NODES:
                self.status = found
        return self.status

    def _grown(self) -> Growth:
        depth, at = int(self._control[DEPTH]), int(self._control[GREW_AT])
        came_by = self._path[2, 1 : depth + 1].tolist()
        before = self._rows[self._path[0, at]].copy()
        after = before.copy()
        for number in came_by[at:]:
            for place, change in self._firings[number].change:
                after[place] += change
        return Growth(
            play=tuple(came_by[:at]),
            repeat=tuple(came_by[at:]),
            before=tuple(before.tolist()),
            after=tuple(after.tolist()),
        )

    def _grow(self, room: int) -> bool:
        """Make room for so many markings; whether there is more than before."""
        room = min(room, self._most_rows)
        if room <= self._room:
            return False
        rows = np.zeros((room, self._size), dtype=np.int64)
        rows[: len(self._rows)] = self._rows
        path = np.zeros((4, room), dtype=np.int64)
        path[:, : self._path.shape[1]] = self._path
        low = np.zeros((2, room // BLOCK + 1), dtype=np.int64)
        low[:, : self._low.shape[1]] = self._low
        self._rows, self._path, self._low, self._room = rows, path, low, room
        self._table: Numbers = np.zeros(1 << (2 * room).bit_length(), dtype=np.int64)
        self._hash_again()
        return True

    def _hash_again(self) -> None:
        self._rehash.on(self._rows, self.nodes, self._size, self._table, len(self._table) - 1)


def _flat(lists: Sequence[Sequence[tuple[int, int]]]) -> tuple[Numbers, Numbers]:
    """Pairs of all *lists* one after another, and where those of each begin and end."""
    starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    pairs = [pair for each in lists for pair in each]
    return np.array(pairs or [(0, 0)], dtype=np.int64), starts


# Compiled


def search(
    control: int,
    rows: int,
    path: int,
    low: int,
    table: int,
    large: int,
    needs: int,
    need_at: int,
    changes: int,
    change_at: int,
    size: int,
    firings: int,
    room: int,
    mask: int,
    most: int,
    until: int,
) -> int:
    """Go on from where *control* says; a number of ``Status`` says why it paused."""
    nexts, came_by = path + 8 * room, path + 16 * room
    while load(control, DEPTH) >= 0:
        depth, count = load(control, DEPTH), load(control, COUNT)
        if count >= most:
            return NODES
        if load(control, STEPS) >= until:
            return OUT_OF_STEPS
        top, new = rows + load(path, depth) * size * 8, rows + count * size * 8
        firing = enabled(control, top, load(nexts, depth), firings, needs, need_at)
        store(nexts, depth, firing + 1)
        if firing == firings:
            store(control, DEPTH, depth - 1)
            continue
        # It is written once, found by its number twice, and its tokens are counted.
        spend(control, 4 * size)
        if fire(top, new, size, changes + 16 * load(change_at, firing), firing, change_at) > MANY:
            return FULL
        if position(rows, new, size, table, mask) < 0:
            continue
        if is_covered(control, rows, large, new, size) == 1:
            continue
        grew_at = accelerate(control, rows, path, low, room, new, size)
        slot = position(rows, new, size, table, mask)
        if slot < 0:
            # With any number of tokens it is a marking that was there before.
            continue
        store(table, slot, count + 1)
        store(came_by, depth + 1, firing)
        push(control, path, low, large, room, total_of(new, size))
        if grew_at >= 0 and load(control, GREW_AT) < 0:
            store(control, GREW_AT, grew_at)
            return GREW
    return DONE


def spend(control: int, steps: int) -> None:
    store(control, STEPS, load(control, STEPS) + steps)


def enabled(control: int, top: int, firing: int, firings: int, needs: int, need_at: int) -> int:
    """The first firing from this one on that is enabled in *top*; their number if none is."""
    steps = 0
    while firing < firings:
        steps += 1
        at, end = load(need_at, firing), load(need_at, firing + 1)
        while at < end and load(top, load(needs, 2 * at)) >= load(needs, 2 * at + 1):
            at += 1
            steps += 1
        if at == end:
            break
        firing += 1
    spend(control, steps)
    return firing


def fire(top: int, new: int, size: int, changes: int, firing: int, change_at: int) -> int:
    """Write what *firing* makes of *top* to *new*; the most tokens that it makes in a place."""
    for at in range(size):
        store(new, at, load(top, at))
    greatest = 0
    for at in range(load(change_at, firing + 1) - load(change_at, firing)):
        place = load(changes, 2 * at)
        number = load(new, place)
        if number < ANY:
            number += load(changes, 2 * at + 1)
            store(new, place, number)
            greatest = max(greatest, number)
    return greatest


def total_of(row: int, size: int) -> int:
    total = 0
    for at in range(size):
        total += load(row, at)
    return total


def is_covered(control: int, rows: int, large: int, new: int, size: int) -> int:
    """Whether one of the markings at hand covers *new*."""
    for i in range(load(control, LARGE_COUNT)):
        if covers(control, rows + load(large, i) * size * 8, new, size) == 1:
            return 1
    return 0


def accelerate(control: int, rows: int, path: int, low: int, room: int, new: int, size: int) -> int:
    """Put any number wherever *new* has more tokens than a marking on the play that it covers.

    Gives the depth of the nearest such marking, or −1.
    """
    sums, blocks = path + 24 * room, low + 8 * (room // BLOCK + 1)
    total = total_of(new, size)
    grew_at = -1
    i = load(control, DEPTH)
    while i >= 0:
        spend(control, 1)
        # What has as many tokens or more is not covered: whole blocks are passed over so.
        if (i & (BLOCKS - 1)) == BLOCKS - 1 and load(blocks, i // BLOCKS) >= total:
            i -= BLOCKS
            continue
        if (i & (BLOCK - 1)) == BLOCK - 1 and load(low, i // BLOCK) >= total:
            i -= BLOCK
            continue
        old = rows + load(path, i) * size * 8
        if load(sums, i) < total and covers(control, new, old, size) == 1:
            spend(control, 2 * size)
            grew_at = max(grew_at, i)
            for at in range(size):
                if load(new, at) > load(old, at):
                    store(new, at, ANY)
            total = total_of(new, size)
        i -= 1
    return grew_at


def push(control: int, path: int, low: int, large: int, room: int, total: int) -> None:
    """Go on with the last marking, which has so many tokens."""
    depth, count = load(control, DEPTH) + 1, load(control, COUNT)
    blocks = low + 8 * (room // BLOCK + 1)
    store(path, depth, count)
    store(path + 8 * room, depth, 0)
    store(path + 24 * room, depth, total)
    if (depth & (BLOCK - 1)) == 0 or load(low, depth // BLOCK) > total:
        store(low, depth // BLOCK, total)
    if (depth & (BLOCKS - 1)) == 0 or load(blocks, depth // BLOCKS) > total:
        store(blocks, depth // BLOCKS, total)
    if load(control, LARGE_COUNT) < LARGE:
        store(large, load(control, LARGE_COUNT), count)
        store(control, LARGE_COUNT, load(control, LARGE_COUNT) + 1)
    store(control, DEPTH, depth)
    store(control, COUNT, count + 1)


def covers(control: int, larger: int, smaller: int, size: int) -> int:
    """Whether no number of *larger* is less than that of *smaller*."""
    for at in range(size):
        if load(larger, at) < load(smaller, at):
            spend(control, at + 1)
            return 0
    spend(control, size)
    return 1


def position(rows: int, row: int, size: int, table: int, mask: int) -> int:
    """Where *row* would be put into *table*; −1 if it is there."""
    hashed = 0
    for at in range(size):
        hashed = mul(hashed ^ load(row, at), MIX)
        hashed = hashed ^ shr(hashed, 29)
    slot = hashed & mask
    while load(table, slot) > 0:
        other = rows + (load(table, slot) - 1) * size * 8
        is_same = 1
        for at in range(size):
            if load(other, at) != load(row, at):
                is_same = 0
                break
        if is_same == 1:
            return -1
        slot = (slot + 1) & mask
    return slot


def rehash(rows: int, count: int, size: int, table: int, mask: int) -> int:
    for at in range(count):
        slot = position(rows, rows + at * size * 8, size, table, mask)
        if slot >= 0:
            store(table, slot, at + 1)
    return 0


DONE, OUT_OF_STEPS, NODES, GREW, FULL = map(int, Status)
_NAMED: Final = (
    *("ANY", "MANY", "BLOCK", "BLOCKS", "LARGE", "MIX"),
    *("DEPTH", "COUNT", "STEPS", "GREW_AT", "LARGE_COUNT"),
    *("DONE", "OUT_OF_STEPS", "NODES", "GREW", "FULL"),
)


_FUNCTIONS: Final = (
    *(search, spend, enabled, fire, total_of, is_covered, accelerate, push),
    *(covers, position, rehash),
)


@cache
def _unit() -> jit.Unit:
    return jit.unit_of(
        "net-coverability",
        _FUNCTIONS,
        exports=("search", "rehash"),
        constants={name: globals()[name] for name in _NAMED},
    )
