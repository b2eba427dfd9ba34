"""The colours of drawn graphs: one for each player, and what the ends look like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from zermelo.core.machine import Ending
from zermelo.draw.graph_view import GraphNode


@dataclass(frozen=True, slots=True)
class Look:
    """How a node is drawn."""

    fill: str
    stroke: str
    ink: str = "#1f2933"
    is_dashed: bool = False


@dataclass(frozen=True, slots=True)
class Tone:
    """A light and a dark shade that belong together."""

    light: str
    dark: str


# Blue and orange first: they are told apart by everybody.
PLAYERS: Final = (
    Tone("#dcebfa", "#1f5fa8"),
    Tone("#fde6cf", "#b8560b"),
    Tone("#dcf1e3", "#1e7a44"),
    Tone("#ece2f7", "#6b3fa0"),
)
NOBODY: Final = Tone("#eceff2", "#66727f")
DRAW: Final = Look("#66727f", "#3d4650", "#ffffff")
LOST: Final = Look("#3a3f45", "#17191c", "#ffffff")
OVER: Final = Look("#8a6d1d", "#5e4a10", "#ffffff")
STUCK: Final = Look("#ffffff", "#b3261e", "#b3261e")
_WHITE: Final = "#ffffff"


def tone(player: str | None, players: Sequence[str]) -> Tone:
    """The tone of *player*; nobody's where there is none, or too many to tell apart."""
    if player is None or player not in players or players.index(player) >= len(PLAYERS):
        return NOBODY
    return PLAYERS[players.index(player)]


def look(node: GraphNode, players: Sequence[str]) -> Look:
    """How *node* is drawn: light while play goes on, in its winner's dark tone at the end."""
    if node.outcome is None:
        if node.group is not None:
            shades = PLAYERS[node.group % len(PLAYERS)]
            return Look(shades.light, shades.dark, is_dashed=node.is_open)
        shades = tone(node.player, players)
        return Look(shades.light, shades.dark, is_dashed=node.is_open)
    match node.outcome.ending:
        case Ending.WIN:
            winners = node.outcome.winners
            dark = tone(winners[0] if len(winners) == 1 else None, players).dark
            return Look(dark, dark, _WHITE)
        case Ending.LOSS:
            return LOST
        case Ending.DRAW:
            return DRAW
        case Ending.OVER:
            return OVER
        case Ending.STUCK:
            return STUCK
