"""What a frame of an LED program costs: a whole play by clicks, with the cursor moving between."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Measured, best, expect
from benchmarks.table import Row, below, seconds
from benchmarks.tools import Tools

GAME = "tic-tac-toe-led"
CELLS = (5, 1, 9, 3, 2, 8, 7, 4, 6)
"""A play that fills the board, and nobody wins."""
RESTART = (450, 750)
PLAYS = 20
IDLE = 10
"""Frames between two clicks."""
FRAME = 1 / 30
SHARE = 1 / 5
"""How much of the time of a frame its computation may take."""


def clicks() -> str:
    """Where the mouse is clicked in one play, the restart at its end included."""
    cells = [(150 + 100 * ((c - 1) % 3), 650 - 100 * ((c - 1) // 3)) for c in CELLS]
    return " ".join(f"{x},{y}" for x, y in (*cells, RESTART))


def ours(tools: Tools) -> Measured:
    """The engine without a window: state, sounds and images of every frame."""
    return tools.inside("easel-frames", GAME, str(PLAYS), str(IDLE), clicks())


def rows(tools: Tools) -> Iterator[Row]:
    """The costliest kind of frame, and one in which nothing happens."""
    (found,) = best(tools.runs, lambda: ours(tools))
    expect(found, frames=PLAYS * (len(CELLS) + 1) * (IDLE + 1), changes=PLAYS * (len(CELLS) + 1))
    most = (seconds(FRAME * SHARE), FRAME * SHARE)
    answer = found.answer
    yield below(f"a frame of {GAME} with a click", seconds(answer["click"]), answer["click"], most)
    yield below("… the slowest of them", seconds(answer["slowest"]), answer["slowest"], most)
    yield below("… in which the cursor moves", seconds(answer["idle"]), answer["idle"], most)
