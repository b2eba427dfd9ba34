"""How many guards are tested for one legal move: arguments come from what guards require."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Measured
from benchmarks.table import Row
from benchmarks.tools import DOCUMENTS, Tools

GAMES: tuple[str | Path, ...] = (
    "four-quadrants",
    "pawns",
    "pegs",
    "tic-tac-toe",
    DOCUMENTS / "connect-four-4x5.md",
    DOCUMENTS / "breakthrough-6x6.md",
    DOCUMENTS / "breakthrough-8x8.md",
)
STATES = 300


def baseline(tools: Tools, game: str | Path) -> Measured:
    """What would be tested if every member of the parameters' sets were tried with every rule."""
    return tools.inside("arguments", game, str(STATES))


def ours(tools: Tools, game: str | Path) -> Measured:
    """What a kernel tests, the rules of the end included, in states that random plays visit."""
    return tools.inside("guards", game, str(STATES))


def rows(tools: Tools) -> Iterator[Row]:
    """Both for each game, for one legal move."""
    for game in GAMES:
        mine, all_of_them = ours(tools, game), baseline(tools, game)
        tested = mine.answer["tested"] / mine.answer["legal"]
        tried = all_of_them.answer["tested"] / all_of_them.answer["legal"]
        name = game if isinstance(game, str) else game.stem
        yield Row(
            f"guards tested for a legal move of {name} / every argument tried",
            f"{tested:.1f}",
            f"{tried:.1f}",
            f"{tested / tried:.2f}×",
            "",
        )
