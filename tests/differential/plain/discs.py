"""Discs that fall into the columns of an upright board of 4 rows and 5 columns, by hand."""

from __future__ import annotations

from typing import NamedTuple

Cell = tuple[int, int]

ROWS, COLUMNS = 4, 5


class Position(NamedTuple):
    """Each column from the bottom up, and whose turn it is; row 4 of the board is the bottom."""

    columns: tuple[str, ...]

    @property
    def is_turn_of_red(self) -> bool:
        """Red begins."""
        return sum(map(len, self.columns)) % 2 == 0

    def cells(self, disc: str) -> frozenset[Cell]:
        """Where the discs of one player lie."""
        return frozenset(
            (ROWS - height, number)
            for number, column in enumerate(self.columns, 1)
            for height, each in enumerate(column)
            if each == disc
        )


START = Position(("",) * COLUMNS)


def has_four(cells: frozenset[Cell]) -> bool:
    """Whether four of *cells* are neighbours in a line."""
    return any(
        all((row + i * down, column + i * right) in cells for i in range(4))
        for row, column in cells
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    )


def moves(p: Position) -> list[tuple[Cell]]:
    """The cells in which a disc can come to lie."""
    if has_four(p.cells("R")) or has_four(p.cells("Y")):
        return []
    return [
        ((ROWS - len(column), number),)
        for number, column in enumerate(p.columns, 1)
        if len(column) < ROWS
    ]


def after(p: Position, move: tuple[Cell]) -> Position:
    """The position after a disc has fallen."""
    number = move[0][1] - 1
    disc = "R" if p.is_turn_of_red else "Y"
    return Position((*p.columns[:number], p.columns[number] + disc, *p.columns[number + 1 :]))
