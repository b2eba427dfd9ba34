r"""Sheets as LaTeX: a document with one drawing in TikZ, which can be put into another document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, assert_never

from zermelo.draw.sheet import Disc, Line, Polygon, Rectangle, Sheet, SheetShape, Words
from zermelo.text import latex

_POINTS: Final = 0.75


def to_latex(sheet: Sheet) -> str:
    return "\n".join(_lines(sheet)) + "\n"


def _lines(sheet: Sheet) -> Iterator[str]:
    names = {color: f"c{at}" for at, color in enumerate(sorted(set(_colors(sheet.shapes))))}
    drawn = [_shape(shape, names) for shape in sheet.shapes]
    yield f"% {' '.join(sheet.title.split())}"
    yield "% Copy what stands between `tikzpicture` into a document that uses TikZ."
    yield latex.PREAMBLE + latex.declarations("\n".join(drawn)) + "\\usepackage{tikz}"
    yield "\\pagestyle{empty}"
    yield latex.BEGIN_DOCUMENT
    yield "\\noindent"
    # The y of the drawing grows downwards, as that of the sheet.
    yield f"\\begin{{tikzpicture}}[x={_POINTS}pt, y=-{_POINTS}pt, inner sep=0pt]"
    for color, name in names.items():
        yield f"  \\definecolor{{{name}}}{{HTML}}{{{color.removeprefix('#').upper()}}}"
    yield from (f"  {each}" for each in drawn)
    yield "\\end{tikzpicture}"
    yield latex.END_DOCUMENT


def _colors(shapes: tuple[SheetShape, ...]) -> Iterator[str]:
    for shape in shapes:
        match shape:
            case Rectangle(fill=fill, edge=edge):
                yield fill
                if edge is not None:
                    yield edge
            case Line(color=color) | Disc(color=color) | Polygon(color=color) | Words(color=color):
                yield color
            case _:
                assert_never(shape)


def _shape(shape: SheetShape, names: Mapping[str, str]) -> str:
    match shape:
        case Rectangle(x, y, wide, high, fill, edge):
            draw = "" if edge is None else f", draw={names[edge]}"
            corners = f"({x:.2f}, {y:.2f}) rectangle ({x + wide:.2f}, {y + high:.2f})"
            return f"\\path[fill={names[fill]}{draw}] {corners};"
        case Line(x1, y1, x2, y2, color, thickness):
            pen = f"draw={names[color]}, line width={_POINTS * thickness:.2f}pt"
            return f"\\path[{pen}] ({x1:.2f}, {y1:.2f}) -- ({x2:.2f}, {y2:.2f});"
        case Disc(x, y, radius, color, is_filled, thickness):
            fill = f", fill={names[color]}" if is_filled else ""
            pen = f"draw={names[color]}{fill}, line width={_POINTS * thickness:.2f}pt"
            return f"\\path[{pen}] ({x:.2f}, {y:.2f}) circle [radius={_POINTS * radius:.2f}pt];"
        case Polygon(points, color):
            corners = " -- ".join(f"({x:.2f}, {y:.2f})" for x, y in points)
            return f"\\path[fill={names[color]}] {corners} -- cycle;"
        case Words():
            return _words(shape, names)
        case _:
            assert_never(shape)


def _words(words: Words, names: Mapping[str, str]) -> str:
    size = _POINTS * words.size
    anchor = "base" if words.is_centred else "base west"
    font = f"\\fontsize{{{size:.1f}pt}}{{{1.2 * size:.1f}pt}}\\selectfont"
    font += "\\ttfamily" if words.is_mono else "\\sffamily"
    font += "\\bfseries" if words.is_bold else ""
    look = f"anchor={anchor}, text={names[words.color]}, font={font}"
    return f"\\node[{look}] at ({words.x:.2f}, {words.y:.2f}) {{{latex.escaped(words.text)}}};"
