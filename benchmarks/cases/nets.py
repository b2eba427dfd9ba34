"""All reachable markings of Petri nets, beside programs written for them and beside SNAKES."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from benchmarks.measure import Measured, best, expect
from benchmarks.table import Row, at_least, at_most, below, seconds
from benchmarks.tools import DOCUMENTS, Tools

KANBAN: Final = {"states": 2_546_432, "arcs": 24_460_016}
"""With five cards a machine, as the Model Checking Contest counts them."""
SIZES: Final = (10, 12, 13, 14)
FOR_SNAKES: Final = 11
STATES_OF_SNAKES: Final = 10_000
"""Markings after which SNAKES is stopped: the rest would take minutes."""
TIC_TAC_TOE: Final = 5_549
SHORT: Final = 3
"""So many times as often as others what takes half a second is run: a moment's weather is the
whole of it."""
MORE_KANBAN: Final = {"states": 11_261_376}
"""With six cards, as the literature on this net has it."""


def kanban(tools: Tools, threads: int = 1, cards: int = 5) -> Measured:
    """Kanban with so many cards a machine, its kernel compiled beforehand."""
    found = tools.inside("count-markings", DOCUMENTS / "kanban.net", str(threads), str(cards))
    expect(found, **(KANBAN if cards == 5 else MORE_KANBAN))
    return found


def philosophers(tools: Tools, count: int, threads: int = 1) -> Measured:
    """So many philosophers."""
    document = DOCUMENTS / "philosophers.net"
    found = tools.inside("count-markings", document, str(threads), str(count))
    expect(found, states=3**count)
    return found


def rows(tools: Tools) -> Iterator[Row]:
    """Time on one thread and on two, memory, and how fast SNAKES is."""
    theirs, ours, pair = best(
        tools.runs * SHORT,
        lambda: tools.baseline("net_explore", "kanban", "5"),
        lambda: kanban(tools),
        lambda: kanban(tools, threads=2),
    )
    expect(theirs, **KANBAN)
    yield at_most("markings of kanban, 5 cards, 1 thread / C++", _time(ours), _time(theirs), 2)
    yield _together("… 2 threads / 1 thread", pair, ours, tools)
    each = ours.bytes / KANBAN["states"]
    yield below("… bytes a state at the peak", f"{each:.1f}", each, ("40", 40.0))
    more, more_pair = best(
        tools.runs,
        lambda: kanban(tools, cards=6),
        lambda: kanban(tools, threads=2, cards=6),
    )
    yield _together("markings of kanban, 6 cards, 2 threads / 1 thread", more_pair, more, tools)
    compiling = float(ours.answer["compiling"])
    yield Row("the kernel of kanban, compiled or loaded before", seconds(compiling), "", "", "")
    for size in SIZES:
        theirs, ours = best(
            tools.runs,
            lambda: tools.baseline("net_explore", "philosophers", str(size)),  # noqa: B023 - called at once
            lambda: philosophers(tools, size),  # noqa: B023 - called at once
        )
        expect(theirs, states=3**size)
        yield at_most(
            f"markings of {size} philosophers, 1 thread / C++", _time(ours), _time(theirs), 2
        )
    alone, pair = best(
        tools.runs,
        lambda: philosophers(tools, SIZES[-1]),
        lambda: philosophers(tools, SIZES[-1], threads=2),
    )
    yield _together("… 2 threads / 1 thread", pair, alone, tools)
    yield from _beside_snakes(tools)


def _together(what: str, pair: Measured, alone: Measured, tools: Tools) -> Row:
    row = at_least(what, _time(pair), _time(alone), 1.5)
    # Beside other programs two threads do not get two cores, and processor time cannot tell.
    return replace(row, is_met=None) if tools.is_busy else row


def _beside_snakes(tools: Tools) -> Iterator[Row]:
    """Markings a second: SNAKES is stopped early on the larger net, where it is at its fastest."""
    ours = philosophers(tools, FOR_SNAKES)
    theirs = tools.snakes("philosophers", str(FOR_SNAKES), str(STATES_OF_SNAKES))
    yield _rate(f"markings of {FOR_SNAKES} philosophers a second / SNAKES", ours, theirs, 200)
    theirs = tools.snakes("tic-tac-toe")
    expect(theirs, states=TIC_TAC_TOE)
    ours = tools.inside("count-markings", "tic-tac-toe-net", "1")
    expect(ours, states=TIC_TAC_TOE)
    yield replace(_rate("markings of tic-tac-toe a second / SNAKES", ours, theirs, 0), goal="")


def _rate(what: str, ours: Measured, theirs: Measured, least: float) -> Row:
    mine = int(ours.answer["states"]) / ours.seconds
    other = int(theirs.answer["states"]) / theirs.seconds
    row = at_least(what, (f"{mine:,.0f}", 1 / mine), (f"{other:,.0f}", 1 / other), least)
    return row if least else replace(row, is_met=None)


def _time(found: Measured) -> tuple[str, float]:
    return seconds(found.seconds), found.seconds
