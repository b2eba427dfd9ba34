"""Four quadrants solved with symmetry, beside a program that knows its structure."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Measured, expect
from benchmarks.table import Row, below, beside, megabytes, seconds
from benchmarks.tools import Tools

CLASSES = 10_096_384
POSITIONS = 24_072_650_378_629_801
ENDS = {"full": "when over", "known": "when a result is known"}


def baseline(tools: Tools, end: str) -> Measured:
    """The hand-written program; *end* is `full` or `known`."""
    found = tools.baseline("four_quadrants_solve", end)
    expect(found, value="draw")
    if end == "full":
        expect(found, classes=CLASSES, positions=POSITIONS)
    return found


def ours(tools: Tools, end: str) -> Measured:
    """``zermelo solve four-quadrants``, which finds the symmetry itself, on all cores."""
    found = tools.ours("solve", "four-quadrants", "--reading", f"end={ENDS[end]}")
    expect(found, value="draw", complete=True)
    if end == "full":
        expect(found, classes=CLASSES, states=POSITIONS)
    return found


def rows(tools: Tools) -> Iterator[Row]:
    """Time and memory of both, under both readings of the end."""
    for end, reading in ENDS.items():
        theirs, mine = baseline(tools, end), ours(tools, end)
        expect(mine, by_winner=theirs.answer["by_winner"])
        what = f"solve four-quadrants, end {reading}"
        yield below(what, seconds(mine.wall), mine.wall, ("60 s", 60.0))
        yield below(
            "… whole process", megabytes(mine.resident), mine.resident, ("6 GiB", 6 * 2**30)
        )
        yield beside(
            "… / C++ that knows the structure",
            (seconds(mine.wall), mine.wall),
            (seconds(theirs.wall), theirs.wall),
        )
