"""What is known of states, by state: a table of whole packed states that keeps what is worth most.

Comes in what a search found of a state, as one word: the value, whether it is a
bound, the depth it holds at, and the best move. Each entry is that word and the
state, so nothing is ever taken for the same that is not. Where there is no room,
what is old and not deep goes.
"""

from __future__ import annotations

from typing import Final

from zermelo.engines.search.steps import FIRST_FREE, WORDS, numbers_in
from zermelo.fast.bits import load, mul, shr, store

# Words of the block, behind those of `steps`.
TABLE: Final = FIRST_FREE
MASK: Final = FIRST_FREE + 1
"""One less than the number of entries, which is a power of two."""
AGE: Final = FIRST_FREE + 2
"""The number of the search."""
BLOCK: Final = FIRST_FREE + 3

# What a value is.
EXACT: Final = 1
LOWER: Final = 2
UPPER: Final = 3

WAYS: Final = 4
"""In how many places of the table a state may stand."""
HASH_1: Final = -0x61C8864680B583EB
HASH_2: Final = -0x40A7B892E31B1A47


def pack(value: int, bound: int, depth: int, move: int) -> int:
    """What is known of a state, in one word that is never 0."""
    return (value + 32768) | (bound << 16) | (depth << 18) | (move << 26)


def place_of(block: int, row: int) -> int:
    """The number of the first entry in which the state at *row* may stand."""
    mixed = 0
    for at in range(load(block, WORDS)):
        mixed = mul(mixed ^ load(row, at), HASH_1)
        mixed = mixed ^ shr(mixed, 32)
    mixed = mul(mixed, HASH_2)
    return (mixed ^ shr(mixed, 29)) & load(block, MASK)


def is_same(block: int, entry: int, row: int) -> int:
    """Whether *entry* is about the state at *row*."""
    if load(entry, 0) == 0:
        return 0
    for at in range(load(block, WORDS)):
        if load(entry, at + 1) != load(row, at):
            return 0
    return 1


def look_up(block: int, row: int) -> int:
    """Where the entry about the state at *row* lies; 0 if there is none."""
    place = place_of(block, row)
    size = (load(block, WORDS) + 1) * 8
    for way in range(WAYS):
        entry = load(block, TABLE) + ((place ^ way) * size)
        if is_same(block, entry, row):
            return entry
    return 0


def keep(block: int, row: int, known: int) -> int:
    """Write *known* about the state at *row* into the table, in place of what is worth least."""
    place = place_of(block, row)
    size = (load(block, WORDS) + 1) * 8
    least = 1 << 62
    chosen = 0
    for way in range(WAYS):
        entry = load(block, TABLE) + ((place ^ way) * size)
        old = load(entry, 0)
        if old == 0 or is_same(block, entry, row):
            chosen = entry
            break
        age = (load(block, AGE) - (old >> 42)) & 255
        merit = ((old >> 18) & 255) - 4 * age
        if merit < least:
            least = merit
            chosen = entry
    if keeps_old(load(chosen, 0), known) and is_same(block, chosen, row):
        return 0
    store(chosen, 0, known | (load(block, AGE) << 42))
    for at in range(load(block, WORDS)):
        store(chosen, at + 1, load(row, at))
    return 0


def keeps_old(old: int, known: int) -> int:
    """Whether *old*, about the same state, says at least as much as *known*."""
    is_forced = (old & 65535) != 32768
    is_deeper = (old >> 18) & 255 >= (known >> 18) & 255
    return 1 if (old >> 16) & 3 == EXACT and (is_forced or is_deeper) else 0


LOOPS: Final = (pack, place_of, is_same, look_up, keep, keeps_old)
CONSTANTS: Final = numbers_in(globals())
