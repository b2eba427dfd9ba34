"""Drawings as text: lines of signs at a fixed scale, with what is written at its place.

A cell of the text stands for some points across and twice as many up and down, whatever is drawn,
so that the drawings of all states of a play look alike. Only what is drawn on is shown, with a
ruler, as moves may be given by points.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final, Protocol, assert_never

from zermelo.core.picture import Area, Canvas, Caption, Round, Spot, Stroke
from zermelo.text.prose import Line
from zermelo.text.source import width

MARGIN: Final = "  "
COLUMNS: Final = 60
"""Cells across the whole canvas, where there is room for them."""
_RULER: Final = 100
"""Points from one number of the ruler to the next."""
_UP, _RIGHT, _DOWN, _LEFT = 1, 2, 4, 8
_SIGNS: Final = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""A crossing of lines by what leads away from it."""
_RISING, _FALLING, _DOT, _FULL = "╱", "╲", "·", "▒"
_SPELLED: Final = str.maketrans("╵╷│╶╴─┌┐└┘├┤┬┴┼╱╲·▒", "|||---+++++++++/\\.#")
_MOST_POINTS: Final = 400
"""On a line or around a circle so many points are looked at, which is more than it has cells."""


class Pen(Protocol):
    """What writes texts in the signs, the styles and the width that there are."""

    @property
    def is_ascii(self) -> bool: ...

    @property
    def width(self) -> int: ...

    def spelled(self, text: str) -> str:
        """*text* in signs that can be written."""
        ...

    def styled(
        self, text: str, *, fg: str | None = None, bold: bool | None = None, dim: bool | None = None
    ) -> str:
        """*text* in a style, where there are styles."""
        ...

    def broken(self, line: Line) -> Iterator[str]:
        """The rows that *line* takes."""
        ...


def draw(canvas: Canvas, pen: Pen) -> Iterator[str]:
    sheet = _Sheet(canvas, columns=max(20, min(COLUMNS, pen.width - 8)))
    for shape in canvas.shapes:
        sheet.add(shape)
    yield from sheet.rows(pen)


class _Sheet:
    """The cells of a drawing: signs, and where lines lead away from a cell."""

    def __init__(self, canvas: Canvas, *, columns: int) -> None:
        self._across = canvas.width / columns
        self._down = 2 * self._across
        self._height = canvas.height
        self._columns = columns
        self._rows = math.ceil(canvas.height / self._down)
        self._lines: dict[tuple[int, int], int] = {}
        self._signs: dict[tuple[int, int], str] = {}
        self._texts: list[tuple[int, int, str]] = []

    def add(self, shape: Stroke | Round | Area | Caption) -> None:
        match shape:
            case Stroke(start, end):
                self._stroke(start, end)
            case Round(center, radius, _, is_filled):
                self._round(center, radius, is_filled=is_filled)
            case Area(corners):
                self._fill(lambda spot: _is_inside(spot, corners))
            case Caption(text, center, _, _, is_last):
                shown = f"[{text}]" if is_last else text
                row, column = self._cell(center)
                self._texts.append((row, column - (width(shown) - 1) // 2, shown))
            case _:
                assert_never(shape)

    def _cell(self, spot: Spot) -> tuple[int, int]:
        # What lies between two cells belongs to the first, so that the middle of a box is in it.
        row = math.ceil((self._height - spot[1]) / self._down - 0.5)
        return row, math.ceil(spot[0] / self._across - 0.5)

    def _stroke(self, start: Spot, end: Spot) -> None:
        (top, left), (bottom, right) = self._cell(start), self._cell(end)
        if top == bottom:
            for column in range(min(left, right), max(left, right)):
                self._join((top, column), _RIGHT, (top, column + 1), _LEFT)
        elif left == right:
            for row in range(min(top, bottom), max(top, bottom)):
                self._join((row, left), _DOWN, (row + 1, left), _UP)
        else:
            sign = _FALLING if (bottom - top) * (right - left) > 0 else _RISING
            count = min(_MOST_POINTS, max(abs(bottom - top), abs(right - left)))
            for at in range(count + 1):
                row = top + round((bottom - top) * at / count)
                self._put((row, left + round((right - left) * at / count)), sign)

    def _join(self, one: tuple[int, int], way: int, other: tuple[int, int], back: int) -> None:
        for cell, bits in ((one, way), (other, back)):
            if self._is_here(cell):
                self._lines[cell] = self._lines.get(cell, 0) | bits

    def _put(self, cell: tuple[int, int], sign: str) -> None:
        if self._is_here(cell):
            self._signs[cell] = sign

    def _is_here(self, cell: tuple[int, int]) -> bool:
        return 0 <= cell[0] <= self._rows and 0 <= cell[1] <= self._columns

    def _round(self, center: Spot, radius: float, *, is_filled: bool) -> None:
        if is_filled:
            self._put(self._cell(center), _FULL)
            self._fill(lambda spot: math.dist(spot, center) <= radius)
            return
        for at in range(_MOST_POINTS):
            angle = math.tau * at / _MOST_POINTS
            spot = center[0] + radius * math.cos(angle), center[1] + radius * math.sin(angle)
            self._put(self._cell(spot), _DOT)

    def _fill(self, is_inside: _Inside) -> None:
        for row in range(self._rows + 1):
            for column in range(self._columns + 1):
                spot = column * self._across, self._height - row * self._down
                if is_inside(spot):
                    self._signs[row, column] = _FULL

    def rows(self, pen: Pen) -> Iterator[str]:
        cells = {cell: _SIGNS[bits] for cell, bits in self._lines.items()} | self._signs
        for row, column, text in self._texts:
            cells.update(((row, column + at), "") for at in range(-1, width(text) + 1))
        used = [*cells, *((row, column) for row, column, _ in self._texts)]
        if not used:
            return
        first, last = min(row for row, _ in used), max(row for row, _ in used)
        left, right = min(column for _, column in used), max(column for _, column in used)
        labels = {self._cell((0, y))[0]: str(y) for y in range(0, int(self._height) + 1, _RULER)}
        size = max((len(text) for at, text in labels.items() if first <= at <= last), default=0)
        yield pen.styled(f"{MARGIN}{' ' * size} {self._ruler(left, right)}".rstrip(), dim=True)
        for row in range(first, last + 1):
            label = pen.styled(f"{labels.get(row, ''):>{size}}", dim=True)
            yield f"{MARGIN}{label} {self._row(row, left, right, cells, pen)}".rstrip()

    def _ruler(self, left: int, right: int) -> str:
        """The numbers of points above their columns."""
        text = ""
        for x in range(0, int(self._columns * self._across) + 1, _RULER):
            at = self._cell((x, 0))[1] - left
            start = max(0, at - (len(str(x)) - 1) // 2)
            if 0 <= at <= right - left and start >= len(text):
                text = f"{text:<{start}}{x}"
        return text

    def _row(
        self, row: int, left: int, right: int, cells: dict[tuple[int, int], str], pen: Pen
    ) -> str:
        """One row, the texts in it over everything else."""
        texts = sorted((column, text) for at, column, text in self._texts if at == row)
        shown, column = "", left
        for start, text in texts:
            shown += self._signs_of(row, column, max(start, column), cells, pen)
            shown += pen.styled(pen.spelled(text), bold=True)
            column = max(start, column) + width(text)
        return shown + self._signs_of(row, column, right + 1, cells, pen)

    def _signs_of(
        self, row: int, start: int, end: int, cells: dict[tuple[int, int], str], pen: Pen
    ) -> str:
        text = "".join(cells.get((row, column)) or " " for column in range(start, end))
        text = text.translate(_SPELLED) if pen.is_ascii else text
        return pen.styled(pen.spelled(text), dim=True)


class _Inside(Protocol):
    """Whether a point lies in something."""

    def __call__(self, spot: Spot, /) -> bool: ...


def _is_inside(spot: Spot, corners: tuple[Spot, ...]) -> bool:
    """Whether *spot* lies in a polygon: a ray from it to the right crosses its border oddly."""
    x, y = spot
    is_in = False
    for at, (x1, y1) in enumerate(corners):
        x2, y2 = corners[at - 1]
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            is_in = not is_in
    return is_in
