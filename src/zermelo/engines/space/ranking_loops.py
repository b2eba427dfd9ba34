"""The loops over states that have dense numbers.

They are compiled together with the code that numbers states by a ``Ranking``, which is made
for each ranking (see ``ranking_code``).
"""

# The loops are compiled from their source, where the primitives are plain names.

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from inspect import getsource
from typing import Final

import numpy as np

from zermelo.core.expander import Numbers
from zermelo.engines.space.ranking import Ranking
from zermelo.engines.space.ranking_code import functions
from zermelo.engines.space.ranking_text import Tables
from zermelo.fast import jit
from zermelo.fast.bits import bit, fetch_or, load, lowest, popcount, prefetch, rest, store

GROUP: Final = 32
"""How many states are on their way through memory at the same time."""

# Bound anew for each unit: the words of a state, and whether several threads insert.
WORDS = 1
SHARED = 0


@dataclass(frozen=True, slots=True)
class Code:
    """The compiled functions for a ranking, and what they work with."""

    functions: Mapping[str, jit.Compiled]
    tables: Numbers
    """What they look things up in."""
    memory: Numbers
    """What ``unrank`` remembers at first; every call gets a copy of its own."""


def compiled(ranking: Ranking, *, threads: int = 1) -> Code:
    """The code for *ranking*; with *threads* above 1, several may insert at the same time."""
    tables = Tables(ranking.words)
    loops = [textwrap.dedent(getsource(loop)) for loop in _LOOPS]
    source = "\n\n".join([*functions(ranking, tables), *loops])
    unit = jit.Unit(
        name="ranking",
        source=source,
        exports=tuple(loop.__name__ for loop in _LOOPS),
        constants=(("GROUP", GROUP), ("SHARED", int(threads > 1)), ("WORDS", ranking.words)),
        inline=("rank", "unrank"),
    )
    return Code(
        jit.load(unit),
        np.array(tables.numbers or [0], dtype=np.int64),
        np.array(tables.memory or [0], dtype=np.int64),
    )


def rank(tab: int, row: int) -> int:
    """The number of the state at *row*, or −1; the code made for a ranking takes its place."""
    raise NotImplementedError


def unrank(tab: int, memory: int, number: int, row: int) -> int:
    """Write the state with this number to *row*; the code made for a ranking takes its place.

    *memory* is what is remembered of the number before.
    """
    raise NotImplementedError


# The loops


def insert_all(
    tab: int, rows: int, n: int, known: int, level: int, scratch: int, result: int
) -> int:
    """Mark the *n* states of *rows* in *level* unless they are in *known*.

    Gives the number of the first state that has no number, and then those before its group are
    marked, or −1; *result* gets how many were new and how many are known.
    """
    new = 0
    old = 0
    start = 0
    wrong = -1
    while start < n and wrong < 0:
        stop = min(start + GROUP, n)
        for j in range(start, stop):
            x = rank(tab, rows + j * WORDS * 8)
            if x < 0:
                wrong = j
                break
            store(scratch, j - start, x)
            prefetch(known, x >> 6)
            prefetch(level, x >> 6)
        if wrong >= 0:
            break
        for j in range(start, stop):
            x = load(scratch, j - start)
            if (load(known, x >> 6) >> (x & 63)) & 1:
                old += 1
            else:
                before = load(level, x >> 6)
                if (before >> (x & 63)) & 1 == 0:
                    if SHARED:
                        before = fetch_or(level, x >> 6, bit(x))
                    else:
                        store(level, x >> 6, before | bit(x))
                    new += ((before >> (x & 63)) & 1) ^ 1
        start = stop
    store(result, 0, new)
    store(result, 1, old)
    return wrong


def rank_all(tab: int, rows: int, n: int, numbers: int) -> int:
    """Write the numbers of the *n* states of *rows*, −1 for those that have none."""
    for j in range(n):
        store(numbers, j, rank(tab, rows + j * WORDS * 8))
    return 0


def unrank_all(tab: int, memory: int, numbers: int, n: int, rows: int) -> int:
    """Write the states with the *n* *numbers* to *rows*."""
    for j in range(n):
        unrank(tab, memory, load(numbers, j), rows + j * WORDS * 8)
    return 0


def unrank_marked(tab: int, memory: int, level: int, first: int, last: int, rows: int) -> int:
    """Write the states that words *first* to *last* − 1 of *level* mark to *rows*."""
    found = 0
    for w in range(first, last):
        x = load(level, w)
        while x != 0:
            unrank(tab, memory, w * 64 + lowest(x), rows + found * WORDS * 8)
            found += 1
            x = rest(x)
    return found


def cut(level: int, words: int, skip: int, size: int, starts: int) -> int:
    """Cut the *words* of *level* into pieces that mark about *size* numbers each.

    Those behind the first *skip* numbers are meant. *starts* gets the first word of each piece;
    gives how many there are.
    """
    found = 0
    next_start = skip
    marked_before = 0
    for w in range(words):
        marked_before += popcount(load(level, w))
        if marked_before > next_start:
            store(starts, found, w)
            found += 1
            while next_start < marked_before:
                next_start += size
    return found


def count(level: int, first: int, last: int) -> int:
    """How many numbers words *first* to *last* − 1 of *level* mark."""
    found = 0
    for w in range(first, last):
        found += popcount(load(level, w))
    return found


def places_of(known: int, before: int, numbers: int, n: int, result: int) -> int:
    """For each of *n* numbers how many smaller ones are marked in *known*; −1 if it is not.

    *before* has for each word how many are marked in those before it.
    """
    for j in range(n):
        x = load(numbers, j)
        place = -1
        if x >= 0 and (load(known, x >> 6) >> (x & 63)) & 1:
            place = load(before, x >> 6) + popcount(load(known, x >> 6) & (bit(x) - 1))
        store(result, j, place)
    return 0


def ranks_at(known: int, before: int, places: int, words: int, n: int) -> int:
    """Replace each of *n* *places*, which is in a word of *known*, by the number marked there."""
    for j in range(n):
        w = load(words, j)
        x = load(known, w)
        for _ in range(load(places, j) - load(before, w)):
            x = rest(x)
        store(places, j, w * 64 + lowest(x))
    return 0


def marked(level: int, words: int, numbers: int) -> int:
    """Write the numbers that are marked in the *words* of *level*; how many there are."""
    found = 0
    for w in range(words):
        x = load(level, w)
        while x != 0:
            store(numbers, found, w * 64 + lowest(x))
            found += 1
            x = rest(x)
    return found


_LOOPS: Final = (
    insert_all,
    rank_all,
    unrank_all,
    unrank_marked,
    cut,
    count,
    places_of,
    ranks_at,
    marked,
)
