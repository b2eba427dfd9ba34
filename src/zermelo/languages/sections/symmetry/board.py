"""A board and its own symmetries: turns and reflections."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from zermelo.core.values import Value

Cell: TypeAlias = tuple[int, int]
Images: TypeAlias = tuple[int, ...]
"""Where each cell goes, the cells numbered row by row."""


@dataclass(frozen=True, slots=True)
class Board:
    """All pairs of a row and a column."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]

    def __str__(self) -> str:
        return f"{len(self.rows)}×{len(self.columns)}"

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells, row by row."""
        return tuple((row, column) for row in self.rows for column in self.columns)

    @property
    def is_square(self) -> bool:
        """Whether it has as many rows as columns."""
        return len(self.rows) == len(self.columns)

    def images(self, move: Callable[[int, int], tuple[int, int]]) -> Images:
        """The permutation of cells by what becomes of the numbers of row and column."""
        width = len(self.columns)
        found: list[int] = []
        for row in range(len(self.rows)):
            for column in range(width):
                there = move(row, column)
                found.append(there[0] * width + there[1])
        return tuple(found)

    def symmetries(self) -> tuple[Mapping[Value, Value], ...]:
        """Its own symmetries as maps of cells: 8 of a square, 4 of another board."""
        height, width = len(self.rows) - 1, len(self.columns) - 1
        moves: list[Callable[[int, int], tuple[int, int]]] = [
            lambda r, c: (r, c),
            lambda r, c: (r, width - c),
            lambda r, c: (height - r, c),
            lambda r, c: (height - r, width - c),
        ]
        if self.is_square:
            moves += [
                lambda r, c: (c, r),
                lambda r, c: (c, height - r),
                lambda r, c: (width - c, r),
                lambda r, c: (width - c, height - r),
            ]
        cells = self.cells
        return tuple(
            {cell: cells[image] for cell, image in zip(cells, self.images(move), strict=True)}
            for move in moves
        )


def board_of(values: Sequence[Value]) -> Board | None:
    """The board that *values* are the cells of, if they are."""
    pairs: list[Cell] = []
    for value in values:
        match value:
            case (int(row), int(column)) if not isinstance(row, bool):
                pairs.append((row, column))
            case _:
                return None
    rows = tuple(sorted({row for row, _ in pairs}))
    columns = tuple(sorted({column for _, column in pairs}))
    board = Board(rows, columns)
    if len(rows) < 2 or len(columns) < 2 or set(board.cells) != set(pairs):
        return None
    return board


def moved(value: Value, cells: Mapping[Value, Value]) -> Value:
    """*value* with every cell in it replaced by where it goes."""
    if isinstance(value, tuple):
        return cells[value] if value in cells else tuple(moved(item, cells) for item in value)
    if isinstance(value, frozenset):
        return frozenset(moved(item, cells) for item in value)
    return value
