"""The 7×5 game of pieces that step forward, by hand."""

from __future__ import annotations

from typing import NamedTuple

Cell = tuple[int, int]


class Position(NamedTuple):
    """The pieces of both sides, and whose turn it is."""

    alpha: frozenset[Cell]
    beta: frozenset[Cell]
    is_turn_of_alpha: bool


def _dark(cell: Cell) -> bool:
    return cell[0] % 2 == cell[1] % 2


def _start(rows: int, columns: int) -> Position:
    cells = [(r, c) for r in range(1, rows + 1) for c in range(1, columns + 1)]
    dark = [cell for cell in cells if _dark(cell)]
    return Position(
        frozenset(cell for cell in dark if cell[0] >= rows - 1),
        frozenset(cell for cell in dark if cell[0] <= 2),
        is_turn_of_alpha=True,
    )


class Board:
    """The game on a board of any size."""

    def __init__(self, *, rows: int = 7, columns: int = 5) -> None:
        self.rows = rows
        self.columns = columns
        self.start = _start(rows, columns)

    def winner(self, p: Position) -> str | None:
        """The side that has won.

        Taking the last piece that has not arrived can make both sides arrive at once; of the two
        rules that then hold, the later one, which is Beta's, has the last word.
        """
        if not p.alpha or (p.beta and p.beta <= self.start.alpha):
            return "Beta"
        if not p.beta or (p.alpha and p.alpha <= self.start.beta):
            return "Alpha"
        return None

    def moves(self, p: Position) -> list[tuple[Cell, Cell]]:
        """Steps one row forward, straight or diagonally, onto a free or a dark enemy cell."""
        own, other, step = (p.alpha, p.beta, -1) if p.is_turn_of_alpha else (p.beta, p.alpha, 1)
        found = []
        for row, column in sorted(own):
            for target in [(row + step, column + shift) for shift in (-1, 0, 1)]:
                on_board = 1 <= target[0] <= self.rows and 1 <= target[1] <= self.columns
                if not on_board or target in own or (target in other and not _dark(target)):
                    continue
                found.append(((row, column), target))
        return found

    def after(self, p: Position, move: tuple[Cell, Cell]) -> Position:
        """The position after a step."""
        source, target = move
        own, other = (p.alpha, p.beta) if p.is_turn_of_alpha else (p.beta, p.alpha)
        own, other = (own - {source}) | {target}, other - {target}
        alpha, beta = (own, other) if p.is_turn_of_alpha else (other, own)
        return Position(alpha, beta, not p.is_turn_of_alpha)
