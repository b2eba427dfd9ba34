"""Pawns on 6 rows and 4 columns solved, beside a program with a numbering made by hand."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Measured, best, expect
from benchmarks.table import Row, at_most, megabytes, seconds
from benchmarks.tools import DOCUMENTS, Tools

STATES = 19_295_399
STUCK = 67_746


def baseline(tools: Tools) -> Measured:
    """The hand-written program: recursion over an array with a place for every number."""
    found = tools.baseline("pawns_solve", "6", "4")
    expect(found, states=STATES, stuck=STUCK, value="win", plies=31)
    return found


def ours(tools: Tools) -> Measured:
    """``zermelo solve`` of the document, every position of it, on one thread."""
    document = DOCUMENTS / "pawns-6x4.md"
    found = tools.ours("solve", document, "--no-symmetry", "--threads", "1")
    expect(found, states=STATES, stuck=STUCK, value="win", plies=31)
    return found


def rows(tools: Tools) -> Iterator[Row]:
    """Time, positions a second and memory of both."""
    mine, plain = best(tools.runs, lambda: ours(tools), lambda: baseline(tools))
    for scoring in ("loses", "draws"):
        found = mine.answer["scored"][scoring]["by_value"]
        expect(plain, **{scoring: {kind: found[kind] for kind in ("win", "draw", "loss")}})
    yield at_most(
        "solve pawns 6×4, 1 thread / C++ with its own numbering",
        (seconds(mine.seconds), mine.seconds),
        (seconds(plain.seconds), plain.seconds),
        4,
    )
    yield Row("… positions a second", _speed(mine), _speed(plain), "", "")
    yield Row("… whole process", megabytes(mine.resident), megabytes(plain.resident), "", "")


def _speed(found: Measured) -> str:
    return f"{STATES / found.seconds / 1e6:.1f} M"
