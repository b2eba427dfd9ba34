"""The inner loop of solving, written for the compiler: whole numbers and addresses only."""

from functools import lru_cache

from zermelo.engines.solve.codes import Coding
from zermelo.fast import jit
from zermelo.fast.bits import load, load8, load16, load32, prefetch, store8, store16, store32
from zermelo.fast.jit import Compiled

# Bound anew for each unit: how many bytes a code has, how many bits of it tell the distance.
SIZE = 1
BITS = 6

AHEAD = 16
"""How many codes are on their way through memory at the same time."""


def code_at(values: int, number: int) -> int:
    """The code of the state with this number."""
    if SIZE == 1:
        return load8(values, number)
    if SIZE == 2:
        return load16(values, number)
    return load32(values, number)


def turned(code: int) -> int:
    """The code as the other side likes it."""
    kind = code >> BITS
    if kind == 0 or kind == 3:
        return (4 << BITS) - 1 - code
    return code


def before(code: int) -> int:
    """The code one move earlier."""
    kind = code >> BITS
    if kind == 0:
        return code + 1
    if kind == 1:
        return code
    return code - 1


def best(values: int, following: int, first: int, count: int, moves: int, own: int) -> int:
    """The code of a state from those of the *count* states that follow it.

    The numbers of these begin at the place *first* of *following*, which has *moves* in all.
    """
    found = -1
    for at in range(first, first + count):
        if at + AHEAD < moves:
            prefetch(values + load(following, at + AHEAD) * SIZE, 0)
        code = code_at(values, load(following, at))
        if not own:
            code = turned(code)
        found = max(found, code)
    found = before(found)
    if not own:
        found = turned(found)
    return found


def combine(
    values: int,
    following: int,
    moves: int,
    counts: int,
    verdicts: int,
    states: int,
    ends: int,
    players: int,
    seeker: int,
    out: int,
) -> int:
    """Write to *out* the codes of *states* states from those of the states that follow.

    *ends* has the codes of states without moves: for those that are stuck by the player in
    turn, 0 for nobody, and then by outcome.
    """
    at = 0
    for i in range(states):
        count = load(counts, i)
        verdict = load(verdicts, i)
        player = verdict & 255
        if count == 0:
            place = player
            if verdict >> 8 > 0:
                place = players + (verdict >> 8)
            code = load(ends, place)
        else:
            own = players == 1 or player == seeker + 1
            code = best(values, following, at, count, moves, own)
            at += count
        if SIZE == 1:
            store8(out, i, code)
        elif SIZE == 2:
            store16(out, i, code)
        else:
            store32(out, i, code)
    return at


@lru_cache(maxsize=3)
def unit(coding: Coding) -> jit.Unit:
    """The loop for one coding, as a unit that can be compiled."""
    return jit.unit_of(
        "solve-loops",
        (code_at, turned, before, best, combine),
        exports=("combine",),
        constants={"SIZE": coding.size, "BITS": coding.bits, "AHEAD": AHEAD},
        inline=("code_at", "turned", "before"),
    )


def loop(coding: Coding, *, native: bool = True) -> Compiled:
    """The loop for one coding, ready to run."""
    return jit.load(unit(coding), native=native)["combine"]
