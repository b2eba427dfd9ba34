"""The 3×3 game of numbered pieces and sums of lines, by hand."""

from __future__ import annotations

from typing import NamedTuple

Cell = tuple[int, int]


class Position(NamedTuple):
    """Which number stands in which cell, and whose turn it is."""

    placed: frozenset[tuple[int, Cell]]
    is_turn_of_first: bool


START = Position(frozenset(), is_turn_of_first=True)


def lines(p: Position) -> list[frozenset[int]]:
    """The numbers in each row and each column."""
    rows = [frozenset(n for n, cell in p.placed if cell[0] == i) for i in (1, 2, 3)]
    columns = [frozenset(n for n, cell in p.placed if cell[1] == i) for i in (1, 2, 3)]
    return rows + columns


def is_over(p: Position) -> bool:
    """Whether a full line is below 15, or all lines are full and 15."""
    full = [line for line in lines(p) if len(line) == 3]
    return any(sum(line) < 15 for line in full) or (
        len(full) == 6 and all(sum(line) == 15 for line in full)
    )


def moves(p: Position) -> list[tuple[int, Cell]]:
    """Every number that is left, on every free cell."""
    used = {n for n, _ in p.placed}
    taken = {cell for _, cell in p.placed}
    return [
        (n, (r, c))
        for n in range(1, 10)
        if n not in used
        for r in (1, 2, 3)
        for c in (1, 2, 3)
        if (r, c) not in taken
    ]


def after(p: Position, move: tuple[int, Cell]) -> Position:
    """The position after a placement; the turn passes unless the play is over."""
    placed = Position(p.placed | {move}, p.is_turn_of_first)
    return placed if is_over(placed) else Position(placed.placed, not p.is_turn_of_first)
