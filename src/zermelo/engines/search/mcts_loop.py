"""The growing tree of random plays, as a loop on numbers.

Each round goes down the tree to a state that has not been tried, finishes the
play by lot, and notes on the way back what the end was worth to whoever moved
there (UCT: Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", 2006).
With at most two players, a state whose value follows from ends alone is noted as
proved and not played from again (Winands, Björnsson and Saito, "Monte-Carlo tree
search solver", 2008). Chances are fixed-point numbers, so that every machine
draws the same tree.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from zermelo.core.expander import PLAYER_BITS
from zermelo.engines.search import playouts
from zermelo.engines.search.playouts import LOOPS, MOVES, STATES, chance, one_play
from zermelo.engines.search.steps import (
    PLAYERS,
    TABLES,
    VERDICT,
    WORDS,
    end_of,
    moves_of,
    numbers_in,
    worth_of,
)
from zermelo.fast import jit
from zermelo.fast.bits import call2, high, highest, load, shl, shr, store

# Words of the block, behind those of `playouts`.
TREE: Final = playouts.BLOCK
ROOM: Final = playouts.BLOCK + 1
"""How many nodes there is room for."""
USED: Final = playouts.BLOCK + 2
PATH: Final = playouts.BLOCK + 3
LENGTH_OF_PATH: Final = playouts.BLOCK + 4
SOLVES: Final = playouts.BLOCK + 5
"""Whether values are proved: with at most two players. 2 if a stuck player settles something."""
ROUNDS: Final = playouts.BLOCK + 6
BLOCK: Final = playouts.BLOCK + 7

# Words of a node; the state follows.
N_FIRST: Final = 0
"""The number of its first child; 0 before it has children."""
N_COUNT: Final = 1
N_VISITS: Final = 2
N_SUM: Final = 3
"""What the plays through it were worth to who moved there."""
N_MOVER: Final = 4
N_TURN: Final = 5
N_PROVED: Final = 6
"""1 more than what it is worth to the first player; 0 if that is not proved."""
N_CODE: Final = 7
N_END: Final = 8
NODE: Final = 9

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
    """Where the node with this *number* lies."""
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
    """Whether *node* could have children and has none yet."""
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
    """The loops of this module, to be compiled."""
    down = (rounds, node_at, one_round, is_open, enter, select, promise_of, worth_to)
    up = (logarithm, square_root, grow, begin, close, settle, note)
    return jit.unit_of(
        "mcts",
        (*LOOPS, *down, *up),
        exports=("rounds", "begin"),
        constants={**playouts.CONSTANTS, **numbers_in(globals())},
    )
