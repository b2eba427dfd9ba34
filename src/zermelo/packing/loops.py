"""Loops over many states that know no game: they call a kernel by its address.

They are compiled once for a machine. All parameters are 64-bit numbers and
addresses; ``progress`` points to four of them: the next state, the number of
successors written, the number of faulty states, and why the loop stopped.
"""

# The functions below are compiled from their source, where the primitives are plain names.
# ruff: noqa: ANN001, ANN201, D103

from __future__ import annotations

from typing import Final

from zermelo.core.expander import FAULTY, PLAYER_BITS
from zermelo.fast.bits import call2, call5, load, store
from zermelo.fast.jit import Unit, unit_of

DONE: Final = 0
FULL: Final = 1
UNSURE: Final = 2
OVER = 1 << PLAYER_BITS
"""Verdicts from here on say that the play is over."""


def expand_all(  # type: ignore[no-untyped-def]  # compiled: every value is a 64-bit number
    legal,
    verdict,
    tab,
    frontier,
    count,
    words,
    states,
    moves,
    counts,
    verdicts,
    faulty,
    fires,
    capacity,
    most,
    progress,
):
    at = load(progress, 0)
    n = load(progress, 1)
    faults = load(progress, 2)
    why = 0
    while at < count:
        if n + most > capacity:
            why = 1
            break
        row = frontier + at * words * 8
        target = 0
        if fires != 0:
            target = fires + n * 8
        judged = call2(verdict, tab, row)
        found = 0
        if judged < OVER:
            found = call5(legal, tab, row, states + n * words * 8, moves + n * 8, target)
        if found < 0:
            why = 2
            break
        if found >= FAULTY:
            found = found - FAULTY
            store(faulty, faults, at)
            faults = faults + 1
        store(counts, at, found)
        store(verdicts, at, judged)
        n = n + found
        at = at + 1
    store(progress, 0, at)
    store(progress, 1, n)
    store(progress, 2, faults)
    return why


def judge_all(verdict, tab, rows, count, words, verdicts):  # type: ignore[no-untyped-def]  # as above
    at = 0
    while at < count:
        store(verdicts, at, call2(verdict, tab, rows + at * words * 8))
        at = at + 1
    return 0


def unit() -> Unit:
    """The loops as a unit that can be compiled."""
    return unit_of(
        "kernel-loops",
        (expand_all, judge_all),
        exports=("expand_all", "judge_all"),
        constants={"FAULTY": FAULTY, "OVER": OVER},
    )
