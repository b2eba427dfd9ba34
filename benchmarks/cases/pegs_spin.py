"""All reachable states of pegs, beside SPIN."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.cases import pegs_explore
from benchmarks.measure import Measured, best, expect
from benchmarks.table import Row, at_least, at_most, megabytes, seconds
from benchmarks.tools import Tools


def baseline(tools: Tools) -> Measured:
    """SPIN's exhaustive search with its usual hash table, on one core."""
    found = tools.spin("pegs", "-m1000")
    expect(found, states=pegs_explore.STATES)
    return found


def ours(tools: Tools) -> Measured:
    """``zermelo explore pegs`` on one thread."""
    return pegs_explore.ours(tools, threads=1)


def rows(tools: Tools) -> Iterator[Row]:
    """Time and memory of both, and what a ranked numbering adds."""
    theirs, table, chosen = best(
        tools.runs,
        lambda: baseline(tools),
        lambda: pegs_explore.tabled(tools, 1),
        lambda: ours(tools),
    )
    for name, found in (("table", table), ("own choice", chosen)):
        yield at_least(
            f"explore pegs / SPIN, 1 core, {name}",
            (seconds(found.seconds), found.seconds),
            (seconds(theirs.seconds), theirs.seconds),
            5,
        )
        yield at_most(
            f"… memory for states, {name}",
            (megabytes(found.bytes), found.bytes),
            (megabytes(theirs.bytes), theirs.bytes),
            0.5,
        )
