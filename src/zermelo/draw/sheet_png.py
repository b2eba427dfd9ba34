"""Sheets as PNG, twice as fine as their pixels, with the letters that Pillow brings."""

from __future__ import annotations

import io
from functools import lru_cache
from typing import Final, assert_never

from PIL import Image, ImageDraw, ImageFont

from zermelo.draw.sheet import Disc, Line, Polygon, Rectangle, Sheet, SheetShape, Words

_SCALE: Final = 2
_FINER: Final = 2
"""Round and slanted edges are drawn so many times finer still, then averaged."""
_MOST_PIXELS: Final = 40_000_000


class SheetTooLarge(ValueError):
    """A picture would have more pixels than anybody looks at."""


def to_png(sheet: Sheet) -> bytes:
    scale = _SCALE * _FINER
    size = (max(1, round(sheet.width * scale)), max(1, round(sheet.height * scale)))
    if size[0] * size[1] > _MOST_PIXELS * _FINER**2:
        raise SheetTooLarge(f"{size[0]} × {size[1]} pixels")
    image = Image.new("RGB", size, "#ffffff")
    pen = ImageDraw.Draw(image)
    for shape in sheet.shapes:
        _draw(pen, shape, scale)
    out = io.BytesIO()
    image.reduce(_FINER).save(out, "PNG", optimize=False, compress_level=6)
    return out.getvalue()


def _draw(pen: ImageDraw.ImageDraw, shape: SheetShape, scale: int) -> None:
    match shape:
        case Rectangle(x, y, wide, high, fill, edge):
            # Pillow draws edges inside; those of neighbours are to be one.
            box = [scale * each for each in (x - 0.5, y - 0.5, x + wide + 0.5, y + high + 0.5)]
            pen.rectangle(box, fill=fill, outline=edge, width=scale)
        case Line(x1, y1, x2, y2, color, thickness):
            ends = [scale * each for each in (x1, y1, x2, y2)]
            pen.line(ends, fill=color, width=max(1, round(scale * thickness)))
        case Disc(x, y, radius, color, is_filled, thickness):
            box = [scale * each for each in (x - radius, y - radius, x + radius, y + radius)]
            line = max(1, round(scale * thickness))
            pen.ellipse(box, fill=color if is_filled else None, outline=color, width=line)
        case Polygon(points, color):
            if len(points) > 1:
                pen.polygon([(scale * x, scale * y) for x, y in points], fill=color)
        case Words(x, y, text, size, color):
            anchor = "ms" if shape.is_centred else "ls"
            stroke = round(scale * size / 40) if shape.is_bold else 0
            pen.text(
                (scale * x, scale * y),
                text,
                fill=color,
                font=_font(scale * size, is_plain=_is_plain(text)),
                anchor=anchor,
                stroke_width=stroke,
            )
        case _:
            assert_never(shape)


def _is_plain(text: str) -> bool:
    return all(ord(char) < 0x250 for char in text)


@lru_cache(maxsize=64)
def _font(size: float, *, is_plain: bool) -> ImageFont.FreeTypeFont:
    """Pillow's own letters; for signs of mathematics those of DejaVu, if the system has them."""
    if not is_plain:
        try:
            return ImageFont.truetype("DejaVuSans.ttf", size)
        except OSError:
            # Then there are boxes in their place.
            return _own(size)
    return _own(size)


def _own(size: float) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise TypeError("Pillow was built without FreeType, which draws its letters")
    return font
