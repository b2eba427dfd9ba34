"""All reachable states of Reversi on 4 × 4, written as a newcomer would, beside a plain program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from benchmarks.measure import Measured, best, expect
from benchmarks.table import Row, at_most, seconds
from benchmarks.tools import DOCUMENTS, Tools

STATES: Final = 62_789
BY_DEPTH: Final = [
    *(1, 4, 12, 42, 120, 380, 1056, 2570, 5778),
    *(10244, 14186, 14131, 10263, 3612, 366, 20, 4),
]
LEAST: Final = 100_000
"""So many states a second there are to be, whatever the document says."""


def baseline(tools: Tools) -> Measured:
    """The hand-written program, which walks in eight directions."""
    found = tools.baseline("reversi_explore")
    expect(found, states=STATES, by_depth=BY_DEPTH)
    return found


def ours(tools: Tools) -> Measured:
    """The document, its kernel compiled before."""
    document = str(DOCUMENTS / "reversi-4x4.md")
    found = tools.inside("explore-with-table", document, "1")
    expect(found, states=STATES, by_depth=BY_DEPTH)
    return found


def rows(tools: Tools) -> Iterator[Row]:
    """Time on one thread, and states a second."""
    mine, plain = best(tools.runs, lambda: ours(tools), lambda: baseline(tools))
    yield at_most("explore Reversi 4×4, 1 thread / C++", _time(mine), _time(plain), 4)
    rate = STATES / mine.answer["processor"]
    yield Row("… states a second", f"{rate:,.0f}", f"{LEAST:,}", "", "≥ 1", rate >= LEAST)


def _time(found: Measured) -> tuple[str, float]:
    taken = found.answer.get("processor", found.seconds)
    return seconds(taken), taken
