"""A state in very little room, as in a box of a drawn graph: its board, and a few short lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from zermelo.core.machine import Machine, State
from zermelo.languages.sections.ir import Ref
from zermelo.languages.sections.walk import parts
from zermelo.play.layout import Layout, layout
from zermelo.play.picture import Board, Cell, Picture, picture
from zermelo.text.source import width

Grid: TypeAlias = tuple[tuple[str | None, ...], ...]
"""What stands in the cells of a board, row by row; ``None`` is a hole."""

MOST_CELLS: Final = 81
MOST_LINES: Final = 4
MOST_BESIDE: Final = 2
"""Lines that stand below a board; with more of them it says enough by itself."""
WIDEST_LINE: Final = 26


def sketcher(machine: Machine) -> Callable[[State], tuple[Grid, tuple[str, ...]]]:
    """What makes sketches of the states of *machine*; nothing at all where they have no room."""
    plan = layout(machine)
    return lambda state: _sketch(machine, state, plan)


def _sketch(machine: Machine, state: State, plan: Layout) -> tuple[Grid, tuple[str, ...]]:
    shown = picture(machine, state, plan=plan)
    if len(shown.boards) > 1 or any(_size(board) > MOST_CELLS for board in shown.boards):
        return (), ()
    grid = _grid(shown.boards[0]) if shown.boards else ()
    lines = _lines(machine, shown)
    most = MOST_BESIDE if grid else MOST_LINES
    has_room = len(lines) <= most and all(width(line) <= WIDEST_LINE for line in lines)
    return grid, tuple(lines) if has_room else ()


def _lines(machine: Machine, shown: Picture) -> list[str]:
    """The values beside the board, but for what the colours of a drawing say: turn and result."""
    system = machine.system
    told = {system.result}
    if len(system.players) > 1:
        told |= {
            part.name
            for player in system.players
            for part in parts(player.turn)
            if isinstance(part, Ref)
        }
    lines = [f"{entry.name} = {entry.value}" for entry in shown.entries if entry.name not in told]
    lamps = [f"{lamp.name if lamp.is_lit else '¬' + lamp.name}" for lamp in shown.lamps]
    return lines + [text for text in lamps if text.removeprefix("¬") not in told]


def _size(board: Board) -> int:
    return len(board.rows) * len(board.columns)


def _grid(board: Board) -> Grid:
    return tuple(tuple(map(_cell, row)) for row in board.cells)


def _cell(cell: Cell | None) -> str | None:
    return None if cell is None else " ".join(mark.text for mark in cell.marks)
