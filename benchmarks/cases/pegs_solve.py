"""Pegs solved, beside a program written for it."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.cases.pegs_explore import SLOTS, STATES
from benchmarks.measure import Measured, best, expect
from benchmarks.table import Row, at_most, beside, megabytes, seconds
from benchmarks.tools import Tools


def baseline(tools: Tools) -> Measured:
    """The hand-written program: recursion with a memory."""
    found = tools.baseline("pegs_solve", str(SLOTS))
    expect(found, states=STATES, winner="A", plies=8)
    return found


def ours(tools: Tools, symmetry: str) -> Measured:
    """``zermelo solve pegs`` on one thread; *symmetry* is the option with or without it."""
    found = tools.ours("solve", "pegs", "--threads", "1", symmetry)
    expect(found, value="win", winner="A", plies=8, complete=True)
    return found


def rows(tools: Tools) -> Iterator[Row]:
    """Time and memory of both."""
    theirs, mine, reduced = best(
        tools.runs,
        lambda: baseline(tools),
        lambda: ours(tools, "--no-symmetry"),
        lambda: ours(tools, "--symmetry"),
    )
    expect(mine, by_winner=theirs.answer["by_winner"])
    yield at_most(
        "solve pegs, 1 thread / C++",
        (seconds(mine.seconds), mine.seconds),
        (seconds(theirs.seconds), theirs.seconds),
        2,
    )
    yield Row("… whole process", megabytes(mine.resident), megabytes(theirs.resident), "", "")
    yield beside(
        "… with symmetry",
        (seconds(reduced.seconds), reduced.seconds),
        (seconds(theirs.seconds), theirs.seconds),
    )
