"""Pictures of states as SVG: boards with their pieces, and what stands beside them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from zermelo.core.picture import (
    Area,
    Board,
    Canvas,
    CanvasShape,
    Caption,
    Cell,
    Mark,
    Picture,
    Round,
    Stroke,
)
from zermelo.text.render import shown_in_xml
from zermelo.text.source import width

CELL: Final = 40.0
MARGIN: Final = 12.0
LABEL: Final = 22.0
"""Room for the labels of rows and columns."""
CANVAS: Final = 500.0
"""How wide a drawing is."""
LINE: Final = 18.0
LETTER: Final = 6.8
"""How wide a letter of the text beside the boards is, on average."""
WIDEST_LINE: Final = 90
"""Longer lines beside the boards are cut, and whole in a tooltip."""
TONES: Final = ("#0b5c8a", "#b3261e", "#1b6e35", "#7b3fa0", "#7a5c00", "#24478f")
"""Colours of the layers, of the first player's first; marks differ by their letters too."""

_STYLE: Final = """\
text { font: 12px "DejaVu Sans", Verdana, sans-serif; fill: #1f2933; }
.label { fill: #66727f; text-anchor: middle; font-size: 11px; }
.mark { text-anchor: middle; font-weight: bold; }
.name { font-weight: bold; }
.cell { fill: #ffffff; stroke: #9aa5b1; }
.last { fill: #fff3c4; stroke: #9aa5b1; }"""


def lines(picture: Picture, title: str) -> Iterator[str]:
    """The lines of a file that shows *picture*, which is called *title*."""
    boards, wide, high = _boards(picture)
    if picture.canvas is not None:
        boards += svg_canvas(picture.canvas, high)
        wide = max(wide, MARGIN + CANVAS)
        high += CANVAS * picture.canvas.height / picture.canvas.width + MARGIN
    beside, wide, high = _beside(picture, wide, high)
    wide, high = wide + MARGIN, high + MARGIN
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{wide:.0f}" '
        f'height="{high:.0f}" viewBox="0 0 {wide:.0f} {high:.0f}">'
    )
    yield f"<title>{shown_in_xml(title)}</title>"
    yield f"<style>\n{_STYLE}\n</style>"
    yield f'<rect width="{wide:.0f}" height="{high:.0f}" fill="#ffffff"/>'
    yield from boards
    yield from beside
    yield "</svg>"


def svg_canvas(canvas: Canvas, top: float) -> list[str]:
    """*canvas* below *top*, as wide as canvases are."""
    high = CANVAS * canvas.height / canvas.width
    place = f'x="{MARGIN:.0f}" y="{top:.0f}" width="{CANVAS:.0f}" height="{high:.0f}"'
    box = f'viewBox="0 0 {canvas.width} {canvas.height}"'
    frame = f'<rect class="cell" width="{canvas.width}" height="{canvas.height}"/>'
    drawn = [_canvas_shape(shape, canvas.height) for shape in canvas.shapes]
    return [f"<svg {place} {box}>", frame, *drawn, "</svg>"]


def _canvas_shape(shape: CanvasShape, high: int) -> str:
    match shape:
        case Stroke((x1, y1), (x2, y2), color):
            ends = f'x1="{x1:.1f}" y1="{high - y1:.1f}" x2="{x2:.1f}" y2="{high - y2:.1f}"'
            return f'<line {ends} stroke="{color}" stroke-width="2"/>'
        case Round((x, y), radius, color, is_filled):
            inside = color if is_filled else "none"
            circle = f'cx="{x:.1f}" cy="{high - y:.1f}" r="{radius:.1f}"'
            return f'<circle {circle} fill="{inside}" stroke="{color}" stroke-width="2"/>'
        case Area(corners, color):
            points = " ".join(f"{x:.1f},{high - y:.1f}" for x, y in corners)
            return f'<polygon points="{points}" fill="{color}"/>'
        case Caption(text, (x, y), height, color):
            style = f"font-family: monospace; font-size: {height:.1f}px; fill: {color}"
            place = f'class="mark" x="{x:.1f}" y="{high - y + 0.35 * height:.1f}"'
            return f'<text {place} style="{style}">{shown_in_xml(text)}</text>'
        case _:
            assert_never(shape)


def _boards(picture: Picture) -> tuple[list[str], float, float]:
    """The boards below each other, and how far they reach to the right and down."""
    drawn: list[str] = []
    wide, top = MARGIN, MARGIN
    for board in picture.boards:
        if len(picture.boards) > 1 and board.name:
            top += LINE
            name = shown_in_xml(board.name)
            drawn.append(f'<text class="name" x="{MARGIN:.0f}" y="{top - 4:.0f}">{name}</text>')
            wide = max(wide, MARGIN + LETTER * width(board.name))
        left = MARGIN + max(LABEL, *(LETTER * width(label) + 8 for label in (*board.rows, "")))
        drawn += _board(board, left, top + LABEL)
        wide = max(wide, left + _cell_width(board) * len(board.columns))
        top += LABEL + CELL * len(board.cells) + MARGIN
    return drawn, wide, top


def _cell_width(board: Board) -> float:
    """Cells are squares, unless the labels of their columns need more room."""
    return max(CELL, *(LETTER * width(label) + 8 for label in (*board.columns, "")))


def _board(board: Board, left: float, top: float) -> Iterator[str]:
    wide = _cell_width(board)
    for at, label in enumerate(board.columns):
        x = left + wide * (at + 0.5)
        yield f'<text class="label" x="{x:.1f}" y="{top - 7:.1f}">{shown_in_xml(label)}</text>'
    for row, cells in enumerate(board.cells):
        y = top + CELL * row
        if row < len(board.rows):
            x, middle = left - LABEL / 2, y + CELL / 2 + 4
            label = shown_in_xml(board.rows[row])
            yield f'<text class="label" x="{x:.1f}" y="{middle:.1f}">{label}</text>'
        for column, cell in enumerate(cells):
            if cell is not None:
                yield from _cell(cell, left + wide * column, y, wide)


def _cell(cell: Cell, x: float, y: float, wide: float) -> Iterator[str]:
    kind = "last" if cell.is_last else "cell"
    yield f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{CELL:.0f}"/>'
    if not cell.marks:
        return
    letters = sum(width(mark.text) for mark in cell.marks) or 1
    size = min(20.0, 1.4 * (wide - 6) / letters)
    marks = "".join(_mark(mark) for mark in cell.marks)
    yield (
        f'<text class="mark" x="{x + wide / 2:.1f}" y="{y + CELL / 2 + 0.36 * size:.1f}" '
        f'style="font-size: {size:.1f}px">{marks}</text>'
    )


def _mark(mark: Mark) -> str:
    text = shown_in_xml(mark.text)
    if mark.tone is None:
        return f"<tspan>{text}</tspan>"
    return f'<tspan fill="{TONES[mark.tone % len(TONES)]}">{text}</tspan>'


def _beside(picture: Picture, wide: float, top: float) -> tuple[list[str], float, float]:
    """What stands below the boards, line by line, and how far all of it reaches."""
    drawn: list[str] = []
    for whole in _texts(picture):
        cut = whole if len(whole) <= WIDEST_LINE else f"{whole[: WIDEST_LINE - 1]}…"
        top += LINE
        wide = max(wide, MARGIN + LETTER * width(cut))
        tooltip = "" if cut == whole else f"<title>{shown_in_xml(whole)}</title>"
        place = f'x="{MARGIN:.0f}" y="{top - 5:.0f}"'
        drawn.append(f"<text {place}>{tooltip}{shown_in_xml(cut)}</text>")
    return drawn, wide, top


def _texts(picture: Picture) -> Iterator[str]:
    named = [f"{each.mark.text}: {each.words}" for each in picture.legend if not each.is_plain]
    if named:
        yield ", ".join(named)
    if picture.lamps:
        yield "   ".join(f"{'●' if lamp.is_lit else '○'} {lamp.name}" for lamp in picture.lamps)
    for entry in picture.entries:
        yield f"{entry.name} = {entry.value}"
