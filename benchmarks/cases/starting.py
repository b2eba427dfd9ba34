"""How long a kernel takes to be there: compiled the first time, loaded after that."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import Measured, best
from benchmarks.table import Row, below, seconds
from benchmarks.tools import Tools

GAMES = ("four-quadrants", "pawns", "pegs", "tic-tac-toe")


def ours(tools: Tools, game: str, home: Path) -> Measured:
    """A process that makes or loads the kernel of *game*, with *home* for what is kept."""
    return tools.inside("kernel", game, home=home)


def command(tools: Tools, game: str, home: Path) -> Measured:
    """A command that looks at few states, which wait for no kernel."""
    return tools.ours("explore", game, "--depth", "1", home=home)


def rows(tools: Tools) -> Iterator[Row]:
    """For each game of the library: the kernel alone, and a command that loads it."""
    for game in GAMES:
        with TemporaryDirectory() as folder:
            home = Path(folder)
            cold = ours(tools, game, home)
            yield below(
                f"kernel of {game}, compiled", seconds(cold.seconds), cold.seconds, ("5 s", 5.0)
            )
            (warm,) = best(tools.runs, partial(ours, tools, game, home))
            yield below("… loaded, whole process", seconds(warm.wall), warm.wall, ("1 s", 1.0))
            (asked,) = best(tools.runs, partial(command, tools, game, home))
            yield below("… a short command", seconds(asked.wall), asked.wall, ("1 s", 1.0))
