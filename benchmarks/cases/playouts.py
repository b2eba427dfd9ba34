"""Random plays on one thread, beside OpenSpiel's Python loop and a program in C++."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import Measured, Missing, best
from benchmarks.table import Row, times
from benchmarks.tools import DOCUMENTS, Tools


@dataclass(frozen=True, slots=True)
class Game:
    """A game that all three know."""

    name: str
    document: str | Path
    in_open_spiel: str
    count: int
    """How many plays ours and the C++ program make."""
    least: float
    """How many times faster than OpenSpiel it should be."""


GAMES = (
    Game("tic-tac-toe", "tic-tac-toe", "tic_tac_toe", 4_000_000, 8),
    Game(
        "breakthrough-6x6",
        DOCUMENTS / "breakthrough-6x6.md",
        "breakthrough(rows=6,columns=6)",
        400_000,
        3,
    ),
    Game(
        "breakthrough-8x8",
        DOCUMENTS / "breakthrough-8x8.md",
        "breakthrough(rows=8,columns=8)",
        200_000,
        3,
    ),
)
SECONDS = 3.0
"""How long OpenSpiel plays."""


def baseline(tools: Tools, game: Game) -> Measured:
    """OpenSpiel's games, played by a loop in Python."""
    return tools.spiel("playouts", game.in_open_spiel, str(SECONDS))


def by_hand(tools: Tools, game: Game) -> Measured:
    """The hand-written program."""
    return tools.baseline("playouts", game.name, str(game.count))


def ours(tools: Tools, game: Game) -> Measured:
    """Plays on the kernel of the document."""
    return tools.inside("playouts", game.document, str(game.count))


def rows(tools: Tools) -> Iterator[Row]:
    """Plays a second of all three."""
    for game in GAMES:
        yield from _compared(tools, game)


def _compared(tools: Tools, game: Game) -> Iterator[Row]:
    measured = best(
        tools.runs,
        lambda: ours(tools, game),
        lambda: baseline(tools, game),
        lambda: by_hand(tools, game),
    )
    _agree(game, measured)
    mine, spiel, plain = (each.answer["playouts"] / each.seconds for each in measured)
    yield Row(
        f"random plays of {game.name} a second / OpenSpiel",
        f"{mine:,.0f}",
        f"{spiel:,.0f}",
        times(mine / spiel),
        f"≥ {game.least:g}×",
        mine / spiel >= game.least,
    )
    yield Row("… / C++", f"{mine:,.0f}", f"{plain:,.0f}", times(mine / plain), "")


def _agree(game: Game, found: list[Measured]) -> None:
    """Stop if plays are not about as long for all: then it is not the same game."""
    lengths = [each.answer["plies"] / each.answer["playouts"] for each in found]
    if max(lengths) > 1.02 * min(lengths):
        told = ", ".join(f"{length:.2f}" for length in lengths)
        raise Missing(f"plays of {game.name} have different mean lengths: {told}")
