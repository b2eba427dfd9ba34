"""Connect four on 4 rows and 5 columns solved, beside OpenSpiel and a program written for it."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Measured, best, expect
from benchmarks.table import Row, at_least, below, beside, megabytes, seconds
from benchmarks.tools import DOCUMENTS, Tools

STATES = 3_945_711


def baseline(tools: Tools) -> Measured:
    """OpenSpiel: every state listed by `get_all_states`, then valued in one pass."""
    found = tools.spiel("solve", "connect_four(rows=4,columns=5)")
    expect(found, states=STATES, value="draw")
    return found


def by_hand(tools: Tools) -> Measured:
    """The hand-written program."""
    found = tools.baseline("connect_four_solve")
    expect(found, states=STATES, value="draw")
    return found


def ours(tools: Tools) -> Measured:
    """``zermelo solve`` of the document, every state of it, on one thread."""
    document = DOCUMENTS / "connect-four-4x5.md"
    found = tools.ours("solve", document, "--no-symmetry", "--threads", "1")
    expect(found, states=STATES, value="draw", complete=True)
    return found


def rows(tools: Tools) -> Iterator[Row]:
    """Time and memory of all three."""
    mine, plain = best(tools.runs, lambda: ours(tools), lambda: by_hand(tools))
    expect(mine, by_value={**plain.answer["by_value"], "endless": 0})
    yield beside(
        "solve connect four 4×5, 1 thread / C++",
        (seconds(mine.seconds), mine.seconds),
        (seconds(plain.seconds), plain.seconds),
    )
    yield below("… whole process", megabytes(mine.resident), mine.resident, ("200 MB", 200e6))
    theirs = baseline(tools)
    yield at_least(
        "solve connect four 4×5, 1 thread / OpenSpiel",
        (seconds(mine.wall), mine.wall),
        (seconds(theirs.seconds), theirs.seconds),
        5,
    )
    yield Row("… whole process", megabytes(mine.resident), megabytes(theirs.resident), "", "")
