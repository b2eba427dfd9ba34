r"""Sheets as PDF: one page as large as the sheet, drawn with lines and letters, not with pixels.

Its fonts are among those that every reader of PDF has: Helvetica, Courier, and Symbol for the
signs of mathematics and for Greek. A character that none of them has is shown as ``?``.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Final, assert_never

from zermelo.draw.sheet import Disc, Line, Polygon, Rectangle, Sheet, SheetShape, Words, characters

_POINTS: Final = 0.75
"""Points in a pixel."""
_ROUND: Final = 0.5523
"""How far the handles of a quarter of a circle reach, of its radius."""
_FONTS: Final = {
    "sans": "Helvetica",
    "bold": "Helvetica-Bold",
    "mono": "Courier",
    "signs": "Symbol",
}

# The widths of Helvetica's letters from the blank to the tilde, in thousandths of their size.
_WIDTHS: Final = tuple(
    map(
        int,
        """278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556
        556 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556
        833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500
        556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500
        334 260 334 584""".split(),  # noqa: SIM905 - a table of numbers
    )
)
_OTHER_WIDTH: Final = 556
_MONO_WIDTH: Final = 600
_SIGN_WIDTH: Final = 650

_GREEK: Final = dict(zip("ΑΒΧΔΕΦΓΗΙΚΛΜΝΟΠΘΡΣΤΥΩΞΨΖ", "ABCDEFGHIKLMNOPQRSTUWXYZ", strict=True))
_SMALL_GREEK: Final = dict(zip("αβχδεφγηικλμνοπθρστυωξψζ", "abcdefghiklmnopqrstuwxyz", strict=True))
_SIGNS: Final[Mapping[str, int]] = {
    **{char: ord(code) for char, code in (*_GREEK.items(), *_SMALL_GREEK.items())},
    **dict(zip("∀∃∋−", (0x22, 0x24, 0x27, 0x2D), strict=True)),
    **dict(zip("≤∞♣♦♥♠↔←↑→↓", (0xA3, *range(0xA5, 0xA6), *range(0xA7, 0xB0)), strict=True)),
    **dict(zip("≥∝≠≡≈⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉", (
        0xB3, 0xB5, 0xB9, 0xBA, 0xBB, 0xC4, 0xC5, *range(0xC6, 0xD0)), strict=True)),
    **dict(zip("∏√⋅¬∧∨⇔⇒◊∑⌈⌊⌉⌋", (
        *range(0xD5, 0xDC), 0xDE, 0xE0, 0xE5, 0xE9, 0xEB, 0xF9, 0xFB), strict=True)),
}  # fmt: skip
"""Characters that the font Symbol has, with their codes in it."""


def to_pdf(sheet: Sheet) -> bytes:
    wide, high = _POINTS * sheet.width, _POINTS * sheet.height
    drawn = "\n".join([f"{_POINTS} 0 0 -{_POINTS} 0 {high:.2f} cm", *map(_shape, sheet.shapes)])
    content = zlib.compress(drawn.encode("latin-1"), 9)
    fonts = " ".join(f"/{name} {at} 0 R" for at, name in enumerate(_FONTS, 6))
    title = sheet.title.encode("utf-16-be", "replace").hex().upper()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {wide:.2f} {high:.2f}] "
            f"/Contents 4 0 R /Resources << /Font << {fonts} >> >> >>"
        ).encode(),
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(content), content),
        f"<< /Title <FEFF{title}> /Producer (Zermelo) >>".encode(),
        *(_font(name) for name in _FONTS.values()),
    ]
    return _file(objects)


def not_shown(sheet: Sheet) -> str:
    """The characters of *sheet* that none of the fonts has."""
    return "".join(sorted(char for char in characters(sheet.shapes) if _code(char) is None))


def _font(name: str) -> bytes:
    encoding = "" if name == "Symbol" else " /Encoding /WinAnsiEncoding"
    return f"<< /Type /Font /Subtype /Type1 /BaseFont /{name}{encoding} >>".encode()


def _file(objects: list[bytes]) -> bytes:
    """A file with *objects*, and the table that says where each begins."""
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, each in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, each)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for place in places:
        out += b"%010d 00000 n \n" % place
    trailer = b"trailer\n<< /Size %d /Root 1 0 R /Info 5 0 R >>\nstartxref\n%d\n%%%%EOF\n"
    return bytes(out + trailer % (len(objects) + 1, table))


def _shape(shape: SheetShape) -> str:
    match shape:
        case Rectangle(x, y, wide, high, fill, edge):
            box = f"{x:.2f} {y:.2f} {wide:.2f} {high:.2f} re"
            if edge is None:
                return f"{_fill(fill)} {box} f"
            return f"{_fill(fill)} {_stroke(edge)} 1 w {box} B"
        case Line(x1, y1, x2, y2, color, thickness):
            ends = f"{x1:.2f} {y1:.2f} m {x2:.2f} {y2:.2f} l"
            return f"{_stroke(color)} {thickness:.2f} w {ends} S"
        case Disc(x, y, radius, color, is_filled, thickness):
            done = "B" if is_filled else "S"
            circle = _circle(x, y, radius)
            return f"{_fill(color)} {_stroke(color)} {thickness:.2f} w {circle} {done}"
        case Polygon(points, color):
            corners = " ".join(
                f"{x:.2f} {y:.2f} {'l' if at else 'm'}" for at, (x, y) in enumerate(points)
            )
            return f"{_fill(color)} {corners} h f" if points else ""
        case Words():
            return _words(shape)
        case _:
            assert_never(shape)


def _circle(x: float, y: float, radius: float) -> str:
    far = _ROUND * radius
    right, left, below, above = x + radius, x - radius, y + radius, y - radius
    curves = (
        (right, y + far, x + far, below, x, below),
        (x - far, below, left, y + far, left, y),
        (left, y - far, x - far, above, x, above),
        (x + far, above, right, y - far, right, y),
    )
    drawn = " ".join(" ".join(f"{each:.2f}" for each in curve) + " c" for curve in curves)
    return f"{right:.2f} {y:.2f} m {drawn} h"


def _words(words: Words) -> str:
    """*words* in runs of one font each; the sheet is upside down for letters."""
    runs = list(_runs(words))
    length = sum(size for _, _, size in runs) * words.size / 1000
    start = words.x - length / 2 if words.is_centred else words.x
    shown = " ".join(
        f"/{font} {words.size:.2f} Tf <{codes.hex().upper()}> Tj" for font, codes, _ in runs
    )
    return f"BT {_fill(words.color)} 1 0 0 -1 {start:.2f} {words.y:.2f} Tm {shown} ET"


def _runs(words: Words) -> Iterator[tuple[str, bytes, int]]:
    """The font, the codes and the width of each run of characters."""
    plain = "mono" if words.is_mono else "bold" if words.is_bold else "sans"
    known = ((_code(char) or (plain, ord("?"))) for char in words.text)
    for is_sign, run in groupby(known, key=lambda each: each[0] == "signs"):
        codes = bytes(code for _, code in run)
        font = "signs" if is_sign else plain
        yield font, codes, sum(_width(font, code) for code in codes)


def _code(char: str) -> tuple[str, int] | None:
    """Where *char* is among the fonts: with the signs, or with the letters."""
    if char in _SIGNS:
        return "signs", _SIGNS[char]
    try:
        (code,) = char.encode("cp1252")
    except UnicodeEncodeError:
        return None
    return "letters", code


def _width(font: str, code: int) -> int:
    if font == "mono":
        return _MONO_WIDTH
    if font == "signs":
        return _SIGN_WIDTH
    # Bold letters are hardly wider, and marks are one letter each.
    return _WIDTHS[code - 32] if 32 <= code < 127 else _OTHER_WIDTH


def _fill(color: str) -> str:
    return f"{_parts(color)} rg"


def _stroke(color: str) -> str:
    return f"{_parts(color)} RG"


def _parts(color: str) -> str:
    return " ".join(f"{int(color[at : at + 2], 16) / 255:.3f}" for at in (1, 3, 5))
