"""The search for forced wins, as a loop on numbers: alpha-beta with a table of what is known.

The value of a state at a depth is, for one player, the *hero*: ``WON - k`` if the
hero can force a win in k plies, ``k - WON`` if the others can force a loss in k
plies, and 0 if neither is possible within the depth. It does not depend on the
way to the state, so a table of values by state is exact; it keeps whole packed
states and takes nothing for the same that is not.

- A value other than 0 holds at every depth: what was forced is forced.
- 0 holds at the depth it was found at, and below; it holds at every depth if no
  line was broken off, which is noted (its *reach*). A stuck player of whom the
  document does not say what becomes breaks no line off, and settles nothing.
- What the table knows of a deeper search is clipped to the depth asked for.

The loop keeps its own stack, so that it can stop after any number of states and
go on later.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from zermelo.core.expander import PLAYER_BITS
from zermelo.engines.search import steps
from zermelo.engines.search.steps import (
    FIRST_FREE,
    TABLES,
    VERDICT,
    WORDS,
    end_of,
    moves_of,
    numbers_in,
    worth_of,
)
from zermelo.fast import jit
from zermelo.fast.bits import call2, load, mul, shr, store

# Words of the block, behind those of `steps`: the table, one less than the number of its
# entries, which is a power of two, and the number of the search.
TABLE, MASK, AGE, TABLE_BLOCK = range(FIRST_FREE, FIRST_FREE + 4)

# What a value is.
EXACT, LOWER, UPPER = 1, 2, 3

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


TABLE_LOOPS: Final = (pack, place_of, is_same, look_up, keep, keeps_old)
CONSTANTS: Final = numbers_in(globals())
WON: Final = 30_000
INFINITE: Final = 32_000
DEEPEST: Final = 240
WHOLE: Final = 255
"""The depth noted for what holds at every depth."""
BUT_FOR_STUCK: Final = 254
"""The depth noted for what deeper searches do not change, and stuck players might."""

# How far a value of 0 reaches.
TO_DEPTH, TO_STUCK, TO_THE_END = range(3)

# Words of the block, behind those of the table.
(
    # Room for the states after the moves, one list behind the other; how many there is room
    # for, how much of it is taken, and how many moves a state has at most.
    STATES,
    MOVES,
    ORDER,
    ROOM,
    TOP,
    MOST,
    FRAMES,
    # How often a move with this code has refuted something, by player; for each ply the two
    # moves that did so last.
    HISTORY,
    KILLERS,
    HERO,
    # The depth of the search.
    LIMIT,
    PLY,
    MODE,
    VALUE,
    REACH,
    NODES,
    # How far the value of a state reaches in which a player is stuck; whether a state at the
    # full depth is asked for its moves: where a stuck player loses.
    STUCK,
    LOOKS,
    # The number of the best move of the first state; −1 where there is none.
    BEST,
    BLOCK,
) = range(TABLE_BLOCK, TABLE_BLOCK + 20)

# Words of a frame of the stack. The side is 1 where the hero moves, −1 elsewhere.
F_ROW, F_LOW, F_HIGH, F_BEST, F_AT, F_COUNT, F_DONE, F_BASE, F_SIDE = range(9)
F_REACH, F_FIRST_LOW, F_FIRST_HIGH, F_NOW, F_PLAYER = range(9, 14)
FRAME: Final = 16

ENTER, NEXT, ABSORB, DONE = range(4)

NO_MOVE: Final = 65_535
NUMBERS: Final = (1 << 20) - 1
CODES: Final = 4095
FROM_TABLE: Final = 1 << 40
FROM_KILLERS: Final = 1 << 38


def search(block: int, budget: int) -> int:
    """Go on until the value is known or *budget* more states were looked at; gives the mode."""
    mode = load(block, MODE)
    until = load(block, NODES) + budget
    while mode != DONE and load(block, NODES) < until:
        if mode == ENTER:
            mode = enter(block)
        elif mode == NEXT:
            mode = advance(block)
        else:
            mode = absorb(block)
    store(block, MODE, mode)
    return mode


def frame_at(block: int, ply: int) -> int:
    return load(block, FRAMES) + ply * FRAME * 8


def answer(block: int, value: int, reach: int) -> int:
    """Leave the present frame with *value*."""
    store(block, VALUE, value)
    store(block, REACH, reach)
    ply = load(block, PLY)
    if ply == 0:
        return DONE
    store(block, PLY, ply - 1)
    return ABSORB


def enter(block: int) -> int:
    """Look at the state of the present frame: answer at once, or list its moves."""
    ply = load(block, PLY)
    frame = frame_at(block, ply)
    row = load(frame, F_ROW)
    store(block, NODES, load(block, NODES) + 1)
    verdict = call2(load(block, VERDICT), load(block, TABLES), row)
    if verdict >> PLAYER_BITS:
        return answer(block, end_value(block, row), TO_THE_END)
    left = load(block, LIMIT) - ply
    if left == 0 and load(block, LOOKS) == 0:
        return answer(block, 0, TO_DEPTH)
    entry = look_up(block, row)
    if ply > 0 and entry != 0 and settles(block, frame, load(entry, 0), left):
        return answer(block, load(block, VALUE), load(block, REACH))
    player = (verdict & 255) - 1
    store(frame, F_PLAYER, player)
    store(frame, F_SIDE, 1 if max(player, 0) == load(block, HERO) else -1)
    known = NO_MOVE if entry == 0 else (load(entry, 0) >> 26) & 65535
    return grow(block, frame, left, known)


def end_value(block: int, row: int) -> int:
    return (worth_of(block, end_of(block, row), load(block, HERO)) - 1) * WON


def grow(block: int, frame: int, left: int, known: int) -> int:
    """List the moves of the present state, the one with the number *known* first."""
    base = load(block, TOP)
    if base + load(block, MOST) > load(block, ROOM):
        return answer(block, 0, TO_DEPTH)
    row = load(frame, F_ROW)
    states = load(block, STATES) + base * load(block, WORDS) * 8
    moves = load(block, MOVES) + base * 8
    count = moves_of(block, row, states, moves)
    if count == 0:
        return answer(block, end_value(block, row), load(block, STUCK))
    if left == 0:
        return answer(block, 0, TO_DEPTH)
    store(block, TOP, base + count)
    store(frame, F_BASE, base)
    store(frame, F_COUNT, count)
    store(frame, F_DONE, 0)
    store(frame, F_REACH, TO_THE_END)
    store(frame, F_AT, 0)
    store(frame, F_BEST, -load(frame, F_SIDE) * INFINITE)
    store(frame, F_FIRST_LOW, load(frame, F_LOW))
    store(frame, F_FIRST_HIGH, load(frame, F_HIGH))
    rank(block, frame, known)
    return NEXT


def rank(block: int, frame: int, known: int) -> int:
    """Give every move a rank by which the most promising is tried first."""
    base = load(frame, F_BASE)
    moves = load(block, MOVES) + base * 8
    order = load(block, ORDER) + base * 8
    history = load(block, HISTORY) + (load(frame, F_PLAYER) & 1) * (CODES + 1) * 8
    killers = load(block, KILLERS) + load(block, PLY) * 16
    for number in range(load(frame, F_COUNT)):
        code = load(moves, number)
        merit = load(history, code & CODES)
        if number == known:
            merit = FROM_TABLE
        elif code == load(killers, 0):
            merit = FROM_KILLERS + 1
        elif code == load(killers, 1):
            merit = FROM_KILLERS
        store(order, number, (merit << 20) | (NUMBERS - number))
    return 0


def advance(block: int) -> int:
    """Go to the most promising move of the present frame that is left, or leave the frame."""
    ply = load(block, PLY)
    frame = frame_at(block, ply)
    done = load(frame, F_DONE)
    count = load(frame, F_COUNT)
    if done == count:
        return finish(block, frame)
    order = load(block, ORDER) + load(frame, F_BASE) * 8
    first = done
    for at in range(done + 1, count):
        if load(order, at) > load(order, first):
            first = at
    chosen = load(order, first)
    store(order, first, load(order, done))
    store(order, done, chosen)
    number = NUMBERS - (chosen & NUMBERS)
    store(frame, F_NOW, number)
    store(frame, F_DONE, done + 1)
    below = frame + FRAME * 8
    size = load(block, WORDS) * 8
    store(below, F_ROW, load(block, STATES) + (load(frame, F_BASE) + number) * size)
    store(below, F_LOW, nearer(load(frame, F_LOW)))
    store(below, F_HIGH, nearer(load(frame, F_HIGH)))
    store(block, PLY, ply + 1)
    return ENTER


def nearer(value: int) -> int:
    """What a state one ply later is worth if this one is worth *value*."""
    return value + 1 if value > 0 else value - 1 if value < 0 else 0


def farther(value: int) -> int:
    """What a state one ply earlier is worth if this one is worth *value*."""
    return value - 1 if value > 0 else value + 1 if value < 0 else 0


def absorb(block: int) -> int:
    frame = frame_at(block, load(block, PLY))
    value = farther(load(block, VALUE))
    reach = load(block, REACH) if value == 0 else TO_THE_END
    side = load(frame, F_SIDE)
    if (value - load(frame, F_BEST)) * side > 0:
        store(frame, F_BEST, value)
        store(frame, F_AT, load(frame, F_NOW))
        if side > 0:
            store(frame, F_LOW, max(value, load(frame, F_LOW)))
        else:
            store(frame, F_HIGH, min(value, load(frame, F_HIGH)))
    if load(frame, F_LOW) >= load(frame, F_HIGH):
        # The bound that was found rests on this move alone.
        store(frame, F_REACH, reach)
        credit(block, frame)
        return finish(block, frame)
    store(frame, F_REACH, min(load(frame, F_REACH), reach))
    return NEXT


def credit(block: int, frame: int) -> int:
    """Remember the move that made the others needless."""
    ply = load(block, PLY)
    code = load(load(block, MOVES), load(frame, F_BASE) + load(frame, F_NOW))
    history = load(block, HISTORY) + (load(frame, F_PLAYER) & 1) * (CODES + 1) * 8
    left = load(block, LIMIT) - ply
    merit = load(history, code & CODES) + left * left
    store(history, code & CODES, min(merit, FROM_KILLERS - 1))
    killers = load(block, KILLERS) + ply * 16
    if load(killers, 0) != code:
        store(killers, 1, load(killers, 0))
        store(killers, 0, code)
    return 0


def finish(block: int, frame: int) -> int:
    """Leave the present frame with what its moves showed."""
    best = load(frame, F_BEST)
    reach = load(frame, F_REACH) if best == 0 else TO_THE_END
    bound = EXACT
    if best <= load(frame, F_FIRST_LOW):
        bound = UPPER
    elif best >= load(frame, F_FIRST_HIGH):
        bound = LOWER
    left = load(block, LIMIT) - load(block, PLY)
    depth = left if reach == TO_DEPTH else WHOLE if reach == TO_THE_END else BUT_FOR_STUCK
    keep(block, load(frame, F_ROW), pack(best, bound, depth, min(load(frame, F_AT), NO_MOVE)))
    store(block, TOP, load(frame, F_BASE))
    store(block, BEST, load(frame, F_AT))
    return answer(block, best, reach)


def settles(block: int, frame: int, known: int, left: int) -> int:
    """Whether *known*, a word of the table, answers the question of *frame*, as it then does."""
    value = (known & 65535) - 32768
    bound = (known >> 16) & 3
    depth = (known >> 18) & 255
    if value == 0 and depth < left:
        return 0
    reach = max(depth - BUT_FOR_STUCK + 1, TO_DEPTH)
    if value != 0 and abs(value) < WON - left:
        # It lies beyond this depth, at which nothing is forced.
        value = 0
        reach = TO_DEPTH
    if bound == LOWER and value < load(frame, F_HIGH):
        return 0
    if bound == UPPER and value > load(frame, F_LOW):
        return 0
    store(block, VALUE, value)
    store(block, REACH, reach)
    return 1


@cache
def unit() -> jit.Unit:
    down = (search, frame_at, answer, enter, end_value, grow, rank, advance, nearer)
    up = (farther, absorb, credit, finish, settles)
    return jit.unit_of(
        "search",
        (*steps.LOOPS, *TABLE_LOOPS, *down, *up),
        exports=("search",),
        constants={**steps.CONSTANTS, **numbers_in(globals())},
    )
