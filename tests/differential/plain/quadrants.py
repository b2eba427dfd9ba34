"""The 6×6 game of lines in four quadrants, by hand."""

from __future__ import annotations

from typing import NamedTuple

Cell = tuple[int, int]

CELLS: list[Cell] = [(r, c) for r in range(1, 7) for c in range(1, 7)]
QUADRANTS: list[list[set[Cell]]] = [
    [{(1, 1), (2, 2), (3, 3)}, {(1, 3), (2, 2), (3, 1)}],
    [{(1, 4), (2, 4), (3, 4)}, {(3, 4), (3, 5), (3, 6)}],
    [{(4, 1), (4, 2), (4, 3)}, {(4, 3), (5, 3), (6, 3)}],
    [{(4, 5), (5, 5), (6, 5)}, {(5, 4), (5, 5), (5, 6)}],
]


class Position(NamedTuple):
    """Crosses, noughts, whose turn it is, and the set of results so far."""

    ex: frozenset[Cell]
    oh: frozenset[Cell]
    is_turn_of_ex: bool
    result: frozenset[str]


START = Position(frozenset(), frozenset(), is_turn_of_ex=True, result=frozenset())


def is_over(p: Position) -> bool:
    """Whether all 36 cells are taken."""
    return len(p.ex) + len(p.oh) == 36


def moves(p: Position) -> list[Cell]:
    """The free cells."""
    return [cell for cell in CELLS if cell not in p.ex and cell not in p.oh]


def _has_line_everywhere(cells: frozenset[Cell]) -> bool:
    return all(any(line <= cells for line in lines) for lines in QUADRANTS)


def after(p: Position, cell: Cell) -> Position:
    """The position after a mark on *cell*."""
    ex = p.ex | {cell} if p.is_turn_of_ex else p.ex
    oh = p.oh if p.is_turn_of_ex else p.oh | {cell}
    result = set(p.result)
    if _has_line_everywhere(ex):
        result.add("ex")
    if _has_line_everywhere(oh):
        result.add("oh")
    if len(ex) + len(oh) < 36:
        if {"ex", "oh"} <= result:
            result = {"draw"}
    elif {"ex", "oh"} <= result or not result:
        result = {"draw"}
    return Position(ex, oh, not p.is_turn_of_ex, frozenset(result))
