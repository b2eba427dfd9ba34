"""Pictures of states as text: boards with lines between their cells, and what stands beside them.

How a face writes (colour, width, ASCII) is its ``Pen``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from zermelo.core.picture import Board, Cell, Entry, Legend, Mark, Picture
from zermelo.draw import text_canvas
from zermelo.draw.text_canvas import MARGIN, Pen
from zermelo.text.prose import TIE, Line, Piece, Tone, tied
from zermelo.text.source import visible, width


@dataclass(frozen=True, slots=True)
class PlainPen:
    """Writes without colours, in rows as long as they come."""

    is_ascii: bool = False
    width: int = 100

    def spelled(self, text: str) -> str:
        return visible(text)

    def styled(
        self,
        text: str,
        *,
        fg: str | None = None,  # noqa: ARG002 - there are no styles
        bold: bool | None = None,  # noqa: ARG002
        dim: bool | None = None,  # noqa: ARG002
    ) -> str:
        return text

    def broken(self, line: Line) -> Iterator[str]:
        yield visible(line.text.replace(TIE, " ")).rstrip()


LONGEST_IN_ROW: Final = 24
TONES: Final = ("cyan", "red", "green", "magenta", "yellow", "blue")
"""Colours of the layers, of the first player's first."""

# A crossing of lines by what leads away from it: up, right, down, left.
_CROSSINGS: Final = {
    (False, False, False, False): " ",
    (False, True, True, False): "┌",
    (False, False, True, True): "┐",
    (True, True, False, False): "└",
    (True, False, False, True): "┘",
    (True, True, True, False): "├",
    (True, False, True, True): "┤",
    (False, True, True, True): "┬",
    (True, True, False, True): "┴",
    (True, True, True, True): "┼",
}


def draw(picture: Picture, pen: Pen) -> Iterator[str]:
    for index, board in enumerate(picture.boards):
        if index:
            yield ""
        if len(picture.boards) > 1 and board.name:
            yield MARGIN + pen.styled(pen.spelled(board.name), bold=True)
        yield from _board(board, pen)
    if picture.canvas is not None:
        yield from text_canvas.draw(picture.canvas, pen)
    has_board = bool(picture.boards) or picture.canvas is not None
    if has_board and (picture.legend or picture.lamps or picture.entries):
        yield ""
    if picture.legend:
        yield from _legend(picture.legend, pen)
    if picture.lamps:
        yield from pen.broken(_lamps_line(picture, pen))
    yield from _entries(picture.entries, pen)


def _legend(legend: Sequence[Legend], pen: Pen) -> Iterator[str]:
    """What the marks stand for, each mark as it looks on the board, as many in a row as fit."""
    row, used = "", 0
    for entry in legend:
        if entry.is_plain:
            continue
        name = pen.spelled(f" {entry.words}")
        size = width(pen.spelled(entry.mark.text)) + width(name)
        if row and used + 3 + size > pen.width:
            yield row
            row, used = "", 0
        start = "   " if row else MARGIN
        row += start + _mark(entry.mark, pen) + name
        used += len(start) + size
    if row:
        yield row


def _lamps_line(picture: Picture, pen: Pen) -> Line:
    lit, dark = ("(*)", "( )") if pen.is_ascii else ("●", "○")
    lamps = [f"{lit if lamp.is_lit else dark} {lamp.name}" for lamp in picture.lamps]
    return Line((Piece("   ".join(lamps)),), indent=2)


def _entries(entries: Sequence[Entry], pen: Pen) -> Iterator[str]:
    """Names and values: short ones in a row, each long one in its own."""
    pieces: list[Piece] = []
    for entry in entries:
        name = Piece(entry.name, Tone.STRONG)
        value = Piece(tied(f" = {entry.value}"))
        if len(entry.name) + len(entry.value) > LONGEST_IN_ROW:
            yield from pen.broken(Line(tuple(pieces), indent=2)) if pieces else ()
            yield from pen.broken(Line((name, value), indent=2, hang=4))
            pieces = []
        else:
            pieces += [Piece("   " if pieces else ""), name, value]
    if pieces:
        yield from pen.broken(Line(tuple(pieces), indent=2))


def _board(board: Board, pen: Pen) -> Iterator[str]:
    drawn = [cell for row in board.cells for cell in row if cell is not None]
    inner = max(1, *(_cell_width(cell, pen) for cell in drawn), 1)
    labels = [pen.spelled(label) for label in board.columns]
    rows = [pen.spelled(label) for label in board.rows]
    left = max(map(width, rows), default=0)
    size = max([inner + 2, *(width(label) + 2 for label in labels if width(label) > 2)])
    whole = len(MARGIN) + left + 1 + (size + 1) * len(labels) + 1
    if whole <= pen.width:
        yield from _Grid(board, pen, size=size, left=left).rows(labels, rows)
    else:
        yield from _compact(board, pen, size=max([inner, *map(width, labels)]), left=left)


def _cell_width(cell: Cell, pen: Pen) -> int:
    return sum(width(pen.spelled(mark.text)) for mark in cell.marks)


def _mark(mark: Mark, pen: Pen) -> str:
    text = pen.spelled(mark.text)
    if mark.tone is None:
        return pen.styled(text, bold=True)
    return pen.styled(text, fg=TONES[mark.tone % len(TONES)], bold=True)


def _centred(text: str, size: int) -> str:
    space = max(size - width(text), 0)
    return " " * ((space + 1) // 2) + text + " " * (space // 2)


class _Grid:
    """A board with lines between its cells; where it has a hole there are no lines."""

    def __init__(self, board: Board, pen: Pen, *, size: int, left: int) -> None:
        self._board = board
        self._pen = pen
        self._size = size
        self._left = left

    def rows(self, labels: Sequence[str], row_labels: Sequence[str]) -> Iterator[str]:
        pad = MARGIN + " " * self._left + " "
        heads = " ".join(_centred(label, self._size) for label in labels)
        yield self._faint(f"{pad} {heads}".rstrip())
        for index, label in enumerate(row_labels):
            yield pad + self._faint(self._line(index))
            shown = " " * (self._left - width(label)) + label
            yield f"{MARGIN}{self._faint(shown)} {self._row(index)}"
        yield pad + self._faint(self._line(len(row_labels)))

    def _faint(self, text: str) -> str:
        return self._pen.styled(self._pen.spelled(text), dim=True)

    def _has(self, row: int, column: int) -> bool:
        cells = self._board.cells
        is_inside = 0 <= row < len(cells) and 0 <= column < len(self._board.columns)
        return is_inside and cells[row][column] is not None

    def _line(self, row: int) -> str:
        """The line above *row*."""
        columns = len(self._board.columns)
        text = ""
        for column in range(columns + 1):
            text += self._crossing(row, column)
            if column < columns:
                is_drawn = self._has(row - 1, column) or self._has(row, column)
                text += ("─" if is_drawn else " ") * self._size
        return text.rstrip()

    def _crossing(self, row: int, column: int) -> str:
        """The sign at the upper left corner of a cell."""
        upper_left, upper_right = self._has(row - 1, column - 1), self._has(row - 1, column)
        lower_left, lower_right = self._has(row, column - 1), self._has(row, column)
        return _CROSSINGS[
            upper_left or upper_right,
            upper_right or lower_right,
            lower_left or lower_right,
            upper_left or lower_left,
        ]

    def _row(self, row: int) -> str:
        columns = len(self._board.columns)
        text = ""
        for column in range(columns + 1):
            is_drawn = self._has(row, column - 1) or self._has(row, column)
            text += self._faint("│") if is_drawn else " "
            if column < columns:
                text += self._cell(self._board.cells[row][column])
        return text.rstrip()

    def _cell(self, cell: Cell | None) -> str:
        if cell is None:
            return " " * self._size
        content = "".join(_mark(mark, self._pen) for mark in cell.marks)
        space = self._size - 2 - _cell_width(cell, self._pen)
        content = " " * ((space + 1) // 2) + content + " " * (space // 2)
        if not cell.is_last:
            return f" {content} "
        opening = self._pen.styled("[", fg="yellow", bold=True)
        closing = self._pen.styled("]", fg="yellow", bold=True)
        return f"{opening}{content}{closing}"


def _compact(board: Board, pen: Pen, *, size: int, left: int) -> Iterator[str]:
    """A board too wide for lines: one blank, or a mark of the last move, before each cell."""
    pad = MARGIN + " " * left + " "
    yield pen.styled(
        pad + "".join(f" {pen.spelled(label):>{size}}" for label in board.columns), dim=True
    )
    for label, row in zip(board.rows, board.cells, strict=True):
        text = f"{MARGIN}{pen.styled(f'{pen.spelled(label):>{left}}', dim=True)} "
        for cell in row:
            text += _compact_cell(cell, pen, size=size)
        yield text.rstrip()


def _compact_cell(cell: Cell | None, pen: Pen, *, size: int) -> str:
    if cell is None:
        return " " * (size + 1)
    before = pen.styled(">", fg="yellow", bold=True) if cell.is_last else " "
    if not cell.marks:
        return before + " " * (size - 1) + pen.styled("." if pen.is_ascii else "·", dim=True)
    content = "".join(_mark(mark, pen) for mark in cell.marks)
    return before + " " * (size - _cell_width(cell, pen)) + content
