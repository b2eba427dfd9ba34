"""Pieces that run for the far row of a square board, by hand: the game of Breakthrough."""

from __future__ import annotations

from typing import NamedTuple

Cell = tuple[int, int]


class Position(NamedTuple):
    """The pieces of both sides, and whose turn it is."""

    white: frozenset[Cell]
    black: frozenset[Cell]
    is_turn_of_white: bool


class Board:
    """The game on a board with so many rows and columns."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.start = Position(self._rows(1, 2), self._rows(size - 1, size), is_turn_of_white=True)

    def _rows(self, *rows: int) -> frozenset[Cell]:
        return frozenset((row, column) for row in rows for column in range(1, self.size + 1))

    def winner(self, p: Position) -> str | None:
        """The side that has won."""
        if not p.black or p.white & self._rows(self.size):
            return "White"
        if not p.white or p.black & self._rows(1):
            return "Black"
        return None

    def moves(self, p: Position) -> list[tuple[Cell, Cell]]:
        """Steps forward: straight onto a free cell, diagonally also onto one of the other side."""
        if self.winner(p):
            return []
        own, other, step = (p.white, p.black, 1) if p.is_turn_of_white else (p.black, p.white, -1)
        found = []
        for row, column in own:
            for shift in (-1, 0, 1):
                target = (row + step, column + shift)
                is_blocked = target in own or (shift == 0 and target in other)
                if 1 <= target[1] <= self.size and not is_blocked:
                    found.append(((row, column), target))
        return found

    def after(self, p: Position, move: tuple[Cell, Cell]) -> Position:
        """The position after a step."""
        source, target = move
        own, other = (p.white, p.black) if p.is_turn_of_white else (p.black, p.white)
        own, other = (own - {source}) | {target}, other - {target}
        white, black = (own, other) if p.is_turn_of_white else (other, own)
        return Position(white, black, not p.is_turn_of_white)
