"""Positions as JSON: boards with their cells, moves with the cells they name, lines of words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias, assert_never

from zermelo.core.commentary import Commentary
from zermelo.core.machine import Fault, Turn
from zermelo.core.picture import (
    Area,
    Board,
    Canvas,
    CanvasShape,
    Caption,
    Cell,
    Figure,
    Picture,
    Round,
    Stroke,
)
from zermelo.core.prompt import Shown, TwoColumns
from zermelo.core.state import Move, State
from zermelo.core.values import Value, in_order, to_text
from zermelo.draw import text_board
from zermelo.play.session import move_text
from zermelo.text.diagnostic import Json
from zermelo.text.prose import Line, Piece
from zermelo.text.source import visible

MOST_LISTED: Final = 2_000
"""Moves of a position that are sent."""
MOST_TRIED: Final = 200
"""Moves of which it is looked which cells they change, where they name none."""
MOST_LETTERS: Final = 4_000
"""Of a value that stands beside the board."""

Spot: TypeAlias = tuple[int, int, int]
"""A cell: the number of its board, its row and its column."""


def picture_json(picture: Picture) -> dict[str, Json]:
    """*picture*, for whoever draws it, and in words for whoever listens."""
    # What a figure shows is not shown again.
    drawn = {each.name for figure in picture.figures for each in figure.legend}
    legend = {each.name: each for each in picture.legend}
    legend |= {each.name: each for figure in picture.figures for each in figure.legend}
    return {
        "boards": [_board_json(each) for each in _boards(picture)],
        "figures": [_figure_json(each) for each in picture.figures],
        "legend": [
            {"mark": each.mark.text, "tone": each.mark.tone, "words": each.words}
            for each in legend.values()
        ],
        "lamps": [{"name": each.name, "lit": each.is_lit} for each in picture.lamps],
        "entries": [
            {"name": each.name, "value": _cut(visible(each.value))}
            for each in picture.entries
            if each.name not in drawn
        ],
        "canvas": None if picture.canvas is None else _canvas_json(picture.canvas),
        "text": "\n".join(text_board.draw(picture, text_board.PlainPen())),
    }


def _cut(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]} …"


def _boards(picture: Picture) -> list[Board]:
    """The boards whose cells are not all points of a figure."""
    points = {point.cell.place for figure in picture.figures for point in figure.points}
    return [
        board
        for board in picture.boards
        if any(cell is not None and cell.place not in points for row in board.cells for cell in row)
    ]


def _figure_json(figure: Figure) -> dict[str, Json]:
    return {
        "name": figure.name,
        "points": [
            {"at": [*each.at], "name": visible(each.name), "cell": _cell_json(each.cell)}
            for each in figure.points
        ],
        "edges": [
            {"ends": [*each.ends], "name": visible(each.name), "cell": _cell_json(each.cell)}
            for each in figure.edges
        ],
    }


def _board_json(board: Board) -> dict[str, Json]:
    return {
        "name": board.name,
        "rows": list(board.rows),
        "columns": list(board.columns),
        "cells": [[_cell_json(cell) for cell in row] for row in board.cells],
    }


def _cell_json(cell: Cell | None) -> Json:
    if cell is None:
        return None
    return {
        "marks": [{"text": visible(mark.text), "tone": mark.tone} for mark in cell.marks],
        "last": cell.is_last,
        "place": None if cell.place is None else to_text(cell.place),
    }


def _canvas_json(canvas: Canvas) -> dict[str, Json]:
    shapes: list[Json] = [_shape_json(each) for each in canvas.shapes]
    return {"width": canvas.width, "height": canvas.height, "shapes": shapes}


def _shape_json(shape: CanvasShape) -> dict[str, Json]:
    match shape:
        case Stroke((x1, y1), (x2, y2), color):
            return {"kind": "line", "from": [x1, y1], "to": [x2, y2], "color": color}
        case Round((x, y), radius, color, is_filled):
            known: dict[str, Json] = {"kind": "circle", "at": [x, y], "radius": radius}
            return {**known, "color": color, "filled": is_filled}
        case Area(corners, color):
            points: list[Json] = [[x, y] for x, y in corners]
            return {"kind": "area", "corners": points, "color": color}
        case Caption(text, (x, y), height, color):
            said: dict[str, Json] = {"kind": "text", "text": visible(text), "at": [x, y]}
            return {**said, "height": height, "color": color}
        case _:
            assert_never(shape)


# Moves


def moves_json(
    words: Commentary, state: State, picture: Picture, legal: Sequence[Move]
) -> list[Json]:
    """The moves that can be made in *state*, each with the cells that stand for it."""
    spots = _spots(picture)
    kinds = {kind.name: kind for kind in words.machine.signature.moves}
    found: list[Json] = []
    for number, move in enumerate(legal[:MOST_LISTED]):
        kind = kinds.get(move.name)
        names = () if kind is None else tuple(each.name for each in kind.parameters)
        cells: list[Json] = [_listed(spots.get(each)) for each in move.arguments]
        if not any(cells) and (picture.boards or picture.figures) and number < MOST_TRIED:
            changed = _changed(words, words.machine.turn(state, move))
            cells = [_listed(changed)] if changed is not None else []
        found.append(
            {
                "move": str(move),
                "text": visible(move_text(move, words)),
                "name": move.name,
                "parameters": list(names),
                "arguments": [to_text(each) for each in move.arguments],
                "cells": cells,
            }
        )
    return found


def _cells(picture: Picture) -> Iterator[tuple[Spot, Cell]]:
    """Each cell with its spot; of a figure the points are the first row, and the lines the second.

    The lines come last, so that a value which is a point and a line is the line.
    """
    boards = _boards(picture)
    for at, board in enumerate(boards):
        for row, cells in enumerate(board.cells):
            for column, cell in enumerate(cells):
                if cell is not None:
                    yield (at, row, column), cell
    for at, figure in enumerate(picture.figures, len(boards)):
        for column, point in enumerate(figure.points):
            yield (at, 0, column), point.cell
        for column, edge in enumerate(figure.edges):
            yield (at, 1, column), edge.cell


def _spots(picture: Picture) -> Mapping[Value, Spot]:
    return {cell.place: spot for spot, cell in _cells(picture) if cell.place is not None}


def shades_json(
    picture: Picture, facts: Iterable[tuple[str, Value | Fault]], sets: Iterable[tuple[str, Value]]
) -> list[Json]:
    """The facts and named sets that are sets of cells: what a board can be shaded by."""
    spots = _spots(picture)
    found = [
        (name, [spots[each] for each in in_order(value)])
        for name, value in (*facts, *sets)
        if isinstance(value, frozenset) and len(value) > 0 and value <= spots.keys()
    ]
    # A set of all cells would tell nothing apart, unless it is so in this position only.
    names = {name for name, _ in sets}
    return [
        {"name": name, "cells": [[*spot] for spot in cells]}
        for name, cells in found
        if name not in names or len(cells) < len(spots)
    ]


def _listed(spot: Spot | None) -> Json:
    return None if spot is None else [*spot]


def _changed(words: Commentary, turn: Turn) -> Spot | None:
    """The one cell that *turn* changes, of which a click can be taken to mean the move."""
    if turn.after is None:
        return None
    changed = [spot for spot, cell in _cells(words.picture(turn.after, last=turn)) if cell.is_last]
    return changed[0] if len(changed) == 1 else None


# Words


def lines_json(shown: Iterable[Shown]) -> list[Json]:
    """What a prompt would show, line by line, each with its pieces and their tones."""
    return [each for one in shown for each in _line_json(one)]


def _line_json(shown: Shown) -> Iterator[Json]:
    match shown:
        case Line(pieces, indent):
            yield {"indent": indent, "pieces": [_piece_json(each) for each in pieces]}
        case TwoColumns(rows):
            for row in rows:
                yield {"indent": 2, "pieces": [_piece_json(each) for each in row]}
        case _:
            return


def _piece_json(piece: Piece) -> list[Json]:
    return [visible(piece.text), piece.tone.value]
