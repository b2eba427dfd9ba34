"""Pictures of states as sheets of plain shapes, which are written as SVG, PNG, PDF or LaTeX.

A sheet is measured in pixels, x to the right and y down. Everything about where things stand is
here; a writer knows the shapes and nothing of boards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, assert_never

from zermelo.core.picture import (
    Area,
    Board,
    Canvas,
    CanvasShape,
    Caption,
    Cell,
    Picture,
    Round,
    Stroke,
)
from zermelo.text.source import visible, width

CELL: Final = 40.0
MARGIN: Final = 12.0
LABEL: Final = 22.0
"""Room for the labels of rows and columns."""
CANVAS: Final = 500.0
"""How wide a drawing is."""
LINE: Final = 18.0
LETTER: Final = 6.8
"""How wide a letter of the text beside the boards is, on average."""
TEXT: Final = 12.0
SMALL: Final = 11.0
WIDEST_LINE: Final = 90
"""Longer lines beside the boards are cut, and whole in a tooltip."""
WIDEST_STRIP: Final = 900.0
"""A strip of boards that would be wider goes on below."""
INK: Final = "#1f2933"
GREY: Final = "#66727f"
EDGE: Final = "#9aa5b1"
PAPER: Final = "#ffffff"
LAST: Final = "#fff3c4"
TONES: Final = ("#0b5c8a", "#b3261e", "#1b6e35", "#7b3fa0", "#7a5c00", "#24478f")
"""Colours of the layers, of the first player's first; marks differ by their letters too."""


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A filled rectangle with a thin edge."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    edge: str | None = EDGE


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    color: str
    thickness: float


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle, filled or not."""

    x: float
    y: float
    radius: float
    color: str
    is_filled: bool
    thickness: float


@dataclass(frozen=True, slots=True)
class Polygon:
    """A filled area."""

    points: tuple[tuple[float, float], ...]
    color: str


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text that stands on its base line at y, from x on or around it."""

    x: float
    y: float
    text: str
    size: float = TEXT
    color: str = INK
    is_centred: bool = False
    is_bold: bool = False
    is_mono: bool = False
    """Whether all letters are equally wide."""
    whole: str | None = None
    """What was cut."""


SheetShape: TypeAlias = Rectangle | Line | Disc | Polygon | Words


@dataclass(frozen=True, slots=True)
class Sheet:
    """Shapes, in the order in which they are painted."""

    title: str
    width: float
    height: float
    shapes: tuple[SheetShape, ...]


def sheet(picture: Picture, title: str, *, has_coordinates: bool = True) -> Sheet:
    """*picture*, with the labels of rows and columns if *has_coordinates*."""
    drawn, wide, high = _body(picture, has_coordinates=has_coordinates)
    beside, wide, high = _beside(picture, wide, high)
    return Sheet(title, wide + MARGIN, high + MARGIN, (*drawn, *beside))


def strip(
    pictures: Sequence[tuple[str, Picture]], title: str, *, has_coordinates: bool = False
) -> Sheet:
    """A play: *pictures* side by side, each with words below it."""
    shapes: list[SheetShape] = []
    left, top, high, widest = MARGIN, 0.0, 0.0, 0.0
    for caption, picture in pictures:
        drawn, wide, down = _body(picture, has_coordinates=has_coordinates)
        if not drawn:
            drawn, wide, down = _beside(picture, MARGIN, MARGIN)
        wide = max(wide, MARGIN + LETTER * width(caption))
        if left > MARGIN and left + wide > WIDEST_STRIP:
            left, top, high = MARGIN, top + high, 0.0
        shapes += [moved(each, left - MARGIN, top) for each in drawn]
        middle = left + (wide - MARGIN) / 2
        shapes.append(Words(middle, top + down + SMALL, caption, SMALL, GREY, is_centred=True))
        left += wide + MARGIN
        widest, high = max(widest, left), max(high, down + LINE + MARGIN)
    return Sheet(title, widest, top + high, tuple(shapes))


def moved(shape: SheetShape, dx: float, dy: float) -> SheetShape:
    match shape:
        case Rectangle() | Disc() | Words():
            return replace(shape, x=shape.x + dx, y=shape.y + dy)
        case Line(x1, y1, x2, y2):
            return replace(shape, x1=x1 + dx, y1=y1 + dy, x2=x2 + dx, y2=y2 + dy)
        case Polygon(points):
            return replace(shape, points=tuple((x + dx, y + dy) for x, y in points))
        case _:
            assert_never(shape)


def _body(picture: Picture, *, has_coordinates: bool) -> tuple[list[SheetShape], float, float]:
    """The boards below each other and the drawing, and how far they reach."""
    drawn: list[SheetShape] = []
    wide, top = MARGIN, MARGIN
    label = LABEL if has_coordinates else 0.0
    for board in picture.boards:
        if len(picture.boards) > 1 and board.name:
            top += LINE
            drawn.append(Words(MARGIN, top - 4, visible(board.name), is_bold=True))
            wide = max(wide, MARGIN + LETTER * width(board.name))
        rows = board.rows if has_coordinates else ()
        left = MARGIN + max(label, *(LETTER * width(each) + 8 for each in rows), 0.0)
        drawn += _board(board, left, top + label, has_coordinates=has_coordinates)
        wide = max(wide, left + _cell_width(board) * len(board.columns))
        top += label + CELL * len(board.cells) + MARGIN
    if picture.canvas is not None:
        drawn += _canvas(picture.canvas, top)
        wide = max(wide, MARGIN + CANVAS)
        top += CANVAS * picture.canvas.height / picture.canvas.width + MARGIN
    return drawn, wide, top


def _cell_width(board: Board) -> float:
    """Cells are squares, unless the labels of their columns need more room."""
    return max(CELL, *(LETTER * width(label) + 8 for label in (*board.columns, "")))


def _board(board: Board, left: float, top: float, *, has_coordinates: bool) -> Iterator[SheetShape]:
    wide = _cell_width(board)
    for at, label in enumerate(board.columns if has_coordinates else ()):
        x = left + wide * (at + 0.5)
        yield Words(x, top - 7, visible(label), SMALL, GREY, is_centred=True)
    for row, cells in enumerate(board.cells):
        y = top + CELL * row
        if has_coordinates and row < len(board.rows):
            label = visible(board.rows[row])
            yield Words(left - LABEL / 2, y + CELL / 2 + 4, label, SMALL, GREY, is_centred=True)
        for column, cell in enumerate(cells):
            if cell is not None:
                yield from _cell(cell, left + wide * column, y, wide)


def _cell(cell: Cell, x: float, y: float, wide: float) -> Iterator[SheetShape]:
    yield Rectangle(x, y, wide, CELL, LAST if cell.is_last else PAPER)
    texts = [visible(mark.text) for mark in cell.marks]
    letters = sum(map(width, texts)) or 1
    size = min(20.0, 1.4 * (wide - 6) / letters)
    step = 0.7 * size
    at = x + wide / 2 - step * letters / 2
    for mark, text in zip(cell.marks, texts, strict=True):
        color = INK if mark.tone is None else TONES[mark.tone % len(TONES)]
        middle = at + step * width(text) / 2
        base = y + CELL / 2 + 0.36 * size
        yield Words(middle, base, text, size, color, is_centred=True, is_bold=True)
        at += step * width(text)


def _canvas(canvas: Canvas, top: float) -> Iterator[SheetShape]:
    scale = CANVAS / canvas.width
    yield Rectangle(MARGIN, top, CANVAS, scale * canvas.height, PAPER)
    for shape in canvas.shapes:
        yield _canvas_shape(shape, canvas.height, scale, top)


def _canvas_shape(shape: CanvasShape, high: int, scale: float, top: float) -> SheetShape:
    def at(x: float, y: float) -> tuple[float, float]:
        return MARGIN + scale * x, top + scale * (high - y)

    match shape:
        case Stroke(start, end, color):
            return Line(*at(*start), *at(*end), color, 2 * scale)
        case Round(center, radius, color, is_filled):
            return Disc(*at(*center), scale * radius, color, is_filled, 2 * scale)
        case Area(corners, color):
            return Polygon(tuple(at(*corner) for corner in corners), color)
        case Caption(text, (x, y), height, color):
            middle, base = at(x, y - 0.35 * height)
            size = scale * height
            return Words(middle, base, visible(text), size, color, is_centred=True, is_mono=True)
        case _:
            assert_never(shape)


def _beside(picture: Picture, wide: float, top: float) -> tuple[list[SheetShape], float, float]:
    """What stands below the boards, line by line, and how far all of it reaches."""
    drawn: list[SheetShape] = []
    named = [f"{each.mark.text}: {each.words}" for each in picture.legend if not each.is_plain]
    entries = [f"{entry.name} = {entry.value}" for entry in picture.entries]
    for text in [*([", ".join(named)] if named else []), *entries]:
        top += LINE
        wide = max(wide, MARGIN + LETTER * min(width(text), WIDEST_LINE))
        drawn.append(_line(text, MARGIN, top - 5))
    if picture.lamps:
        top += LINE
        at = MARGIN
        for lamp in picture.lamps:
            # A lamp that is lit is full, so that nothing hangs on its colour.
            drawn.append(Disc(at + 4, top - 9, 4, INK, lamp.is_lit, 1))
            drawn.append(_line(lamp.name, at + 12, top - 5))
            at += 12 + LETTER * width(lamp.name) + 2 * LETTER
        wide = max(wide, at - 2 * LETTER)
    return drawn, wide, top


def _line(text: str, x: float, y: float) -> Words:
    shown = visible(text)
    if len(shown) <= WIDEST_LINE:
        return Words(x, y, shown)
    return Words(x, y, f"{shown[: WIDEST_LINE - 1]}…", whole=shown)


def characters(drawn: Iterable[SheetShape]) -> frozenset[str]:
    """Every character that stands on a sheet."""
    return frozenset(char for each in drawn if isinstance(each, Words) for char in each.text)
