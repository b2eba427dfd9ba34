"""Whether a net's graph has the shape that a game asks for, checked against the game itself.

Asked for are: every component has one node; terminal nodes stand for the game's wins and
nontrivial terminal components for its draws, each for exactly one and each for some one.
The game is another document; a *mapping* says which token components are its cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from zermelo.core.machine import Ending
from zermelo.core.services import ArrayGraph
from zermelo.core.state import State
from zermelo.core.values import Value
from zermelo.languages.nets.answers import Board, Correspondence, Shape, board_text
from zermelo.languages.nets.run.bags import Bag
from zermelo.text.errors import UsageError


@dataclass(frozen=True, slots=True)
class Layer:
    """The number in a component that stands for a cell being in a set of the game."""

    number: int
    variable: str


@dataclass(frozen=True, slots=True)
class Mapped:
    """Which components of the token of a place are which cells of the game."""

    place: str
    cells: tuple[Value, ...]
    layers: tuple[Layer, ...]
    source: str = "the mapping"

    def board_of_marking(self, state: State) -> Board:
        """The board that a marking shows; raises ``UsageError`` where it shows none."""
        bag = state[self.place]
        if not isinstance(bag, Bag) or len(bag) != 1:
            raise UsageError(
                f"{self.source}: `place`: one token of `{self.place}` is the board, and a marking "
                f"has {bag} there"
            )
        cells = list(zip(self.cells, bag.counts[0][0], strict=True))
        return tuple(
            (layer.variable, frozenset(cell for cell, number in cells if number == layer.number))
            for layer in self.layers
        )

    def board_of_state(self, state: State) -> Board:
        found = []
        for layer in self.layers:
            value = state[layer.variable]
            if not isinstance(value, frozenset):
                raise UsageError(
                    f"{self.source}: `values`: `{layer.variable}` is not a set in every state"
                )
            found.append((layer.variable, value))
        return tuple(found)


def shape(net: ArrayGraph, game: ArrayGraph, mapped: Mapped) -> Shape:
    ends = np.flatnonzero(net.is_terminal)
    traps = net.first_nodes[net.is_terminal_component & net.is_nontrivial]
    wins, draws = _endings(game, mapped)
    return Shape(
        nodes=net.nodes,
        components=len(net.sizes),
        wins=_compared(wins, [mapped.board_of_marking(net.state(int(at))) for at in ends]),
        draws=_compared(draws, [mapped.board_of_marking(net.state(int(at))) for at in traps]),
        cut=net.cut or game.cut,
    )


def _endings(game: ArrayGraph, mapped: Mapped) -> tuple[list[Board], list[Board]]:
    found: dict[Ending | None, dict[Board, None]] = {Ending.WIN: {}, Ending.DRAW: {}}
    for number in np.flatnonzero(game.is_terminal):
        outcome = game.outcome(int(number))
        board = mapped.board_of_state(game.state(int(number)))
        ending = None if outcome is None else outcome.ending
        if ending not in found:
            raise UsageError(
                f"the game ends neither won nor drawn on the board {board_text(board)}; "
                f"`zermelo check` shows why"
            )
        found[ending][board] = None
    return list(found[Ending.WIN]), list(found[Ending.DRAW])


def _compared(wanted: Sequence[Board], found: Sequence[Board]) -> Correspondence:
    counts = Counter(found)
    known = set(wanted)
    return Correspondence(
        wanted=len(wanted),
        found=len(found),
        missing=tuple(board for board in wanted if board not in counts),
        extra=tuple(board for board in dict.fromkeys(found) if board not in known),
        twice=tuple(board for board, count in counts.items() if count > 1),
    )
