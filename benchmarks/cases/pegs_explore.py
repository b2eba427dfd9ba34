"""All reachable states of pegs, beside a program written for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from benchmarks.measure import Measured, best, expect
from benchmarks.table import Row, at_least, at_most, below, beside, megabytes, seconds
from benchmarks.tools import Tools

STATES: Final = 16_183_522
BY_DEPTH: Final = [1, 81, 2592, 42336, 381024, 1905120, 5036256, 6135264, 2527560, 153288]
SLOTS: Final = 1 << 25
"""Slots that the baseline's table has from the beginning: as many as it needs in the end."""


def baseline(tools: Tools, slots: int = SLOTS) -> Measured:
    """The hand-written program, whose table need not grow unless it is told to begin small."""
    found = tools.baseline("pegs_explore", str(slots))
    expect(found, states=STATES, by_depth=BY_DEPTH)
    return found


def ours(tools: Tools, threads: int) -> Measured:
    """``zermelo explore pegs``, with the store that it chooses."""
    found = tools.ours("explore", "pegs", "--threads", str(threads))
    expect(found, states=STATES, by_depth=BY_DEPTH, complete=True)
    return found


def tabled(tools: Tools, threads: int) -> Measured:
    """The same with the open-addressing table, whatever store it would choose."""
    found = tools.inside("explore-with-table", "pegs", str(threads))
    expect(found, states=STATES, by_depth=BY_DEPTH)
    return found


def rows(tools: Tools) -> Iterator[Row]:
    """Time on one thread and on two, and memory."""
    theirs, growing, table, table_pair, chosen, pair = best(
        tools.runs,
        lambda: baseline(tools),
        lambda: baseline(tools, slots=1 << 16),
        lambda: tabled(tools, threads=1),
        lambda: tabled(tools, threads=2),
        lambda: ours(tools, threads=1),
        lambda: ours(tools, threads=2),
    )
    yield at_most("explore pegs, table, 1 thread / C++", _time(table), _time(theirs), 1.5)
    yield beside("… / C++ whose table grows", _time(table), _time(growing))
    yield beside(f"… with its own choice ({_kind(chosen)})", _time(chosen), _time(theirs))
    together = at_least(
        "explore pegs, table, 2 threads / 1 thread", _time(table_pair), _time(table), 1.5
    )
    # Beside other programs two threads do not get two cores, and processor time cannot tell.
    yield replace(together, is_met=None) if tools.is_busy else together
    own = at_least("… with its own choice, the whole command", _time(pair), _time(chosen), 1.5)
    yield replace(own, goal="", is_met=None)
    each, other = table.bytes / STATES, theirs.bytes / STATES
    yield below("explore pegs, table: bytes a state at the peak", f"{each:.1f}", each, ("40", 40.0))
    yield Row("… the C++ program", f"{other:.1f}", "", "", "")
    each = chosen.bytes / STATES
    yield Row(f"… with its own choice ({_kind(chosen)})", f"{each:.1f}", "", "", "")
    yield Row("… whole process", megabytes(chosen.resident), megabytes(theirs.resident), "", "")


def _time(found: Measured) -> tuple[str, float]:
    return seconds(found.seconds), found.seconds


def _kind(found: Measured) -> str:
    """What the store is called, without the reason."""
    return str(found.answer.get("store", "store")).partition(":")[0]
