"""A frame as PNG: the same bytes for the same shapes, with the letters that Pillow brings."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from math import ceil, floor
from typing import Final, TypeAlias, assert_never

from PIL import Image, ImageDraw, ImageFont

from zermelo.core.stage import HEIGHT, WIDTH
from zermelo.core.values import Number
from zermelo.languages.led.easel.pictures import Folder
from zermelo.languages.led.easel.shapes import (
    ADVANCE,
    BASELINE,
    Circle,
    Disc,
    Graphic,
    Rgb,
    Segment,
    Shape,
    Spot,
    TextShape,
    Triangle,
)
from zermelo.languages.led.easel.svg import BANNER_LINE, BANNER_SIZE, banner

_FINER: Final = 4
"""Slanted and round edges are drawn so many times finer, then averaged."""

_FILLED: Final = 0.95

Box: TypeAlias = tuple[int, int, int, int]
"""Columns and rows of pixels: left, top, right, bottom, the last two not included."""
Corner: TypeAlias = tuple[float, float]
"""A place in pixels from the upper left corner."""


def to_png(shapes: Iterable[Shape], *, remarks: Iterable[str] = (), folder: Folder) -> bytes:
    window = Image.new("RGB", (WIDTH, HEIGHT), (255, 255, 255))
    for shape in shapes:
        _draw(window, shape, folder)
    _put_remarks(window, remarks)
    out = io.BytesIO()
    window.save(out, "PNG", optimize=False, compress_level=6)
    return out.getvalue()


def _draw(window: Image.Image, shape: Shape, folder: Folder) -> None:
    match shape:
        case Segment():
            _segment(window, shape)
        case Circle(center, radius, color):
            _round(window, center, radius, color, is_filled=False)
        case Disc(center, radius, color):
            _round(window, center, radius, color, is_filled=True)
        case Triangle(corners, color):
            _polygon(window, [_corner(each) for each in corners], color)
        case TextShape():
            _words(window, shape)
        case Graphic():
            _graphic(window, shape, folder)
        case _:
            assert_never(shape)


# Lines and areas


def _segment(window: Image.Image, segment: Segment) -> None:
    (x1, y1), (x2, y2) = _corner(segment.start), _corner(segment.end)
    if x1 == x2 or y1 == y2:
        box = (floor(min(x1, x2)), floor(min(y1, y2)), floor(max(x1, x2)), floor(max(y1, y2)))
        ImageDraw.Draw(window).rectangle(box, fill=segment.color)
        return
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    # Half a pixel to both sides and beyond both ends, less what Pillow adds at every edge.
    half = 0.5 - 0.5 / _FINER
    dx, dy = half * (x2 - x1) / length, half * (y2 - y1) / length
    corners = [
        (x1 - dx - dy, y1 - dy + dx),
        (x1 - dx + dy, y1 - dy - dx),
        (x2 + dx + dy, y2 + dy - dx),
        (x2 + dx - dy, y2 + dy + dx),
    ]
    _polygon(window, corners, segment.color)


def _polygon(window: Image.Image, corners: list[Corner], color: Rgb) -> None:
    box = _box([x for x, _ in corners], [y for _, y in corners])
    if box is not None:
        mask = _mask(box)
        ImageDraw.Draw(mask).polygon([_finer(corner, box) for corner in corners], fill=255)
        window.paste(color, box, mask.reduce(_FINER))


def _round(
    window: Image.Image, center: Spot, radius: Number, color: Rgb, *, is_filled: bool
) -> None:
    (x, y), size = _corner(center), float(radius)
    outer = size if is_filled else size + 0.5
    box = _box([x - outer, x + outer], [y - outer, y + outer])
    if box is None:
        return
    mask = _mask(box)
    pen = ImageDraw.Draw(mask)
    pen.ellipse(_ring((x, y), outer, box), fill=255)
    if not is_filled and size > 0.5:
        pen.ellipse(_ring((x, y), size - 0.5, box), fill=0)
    window.paste(color, box, mask.reduce(_FINER))


def _ring(center: Corner, radius: float, box: Box) -> tuple[float, float, float, float]:
    left, top = _finer((center[0] - radius, center[1] - radius), box)
    right, bottom = _finer((center[0] + radius, center[1] + radius), box)
    # Pillow's last column and row belong to the ellipse.
    return left, top, max(right - 1, left), max(bottom - 1, top)


def _box(across: list[float], down: list[float]) -> Box | None:
    """The part of the window that is touched; ``None`` if none is."""
    left, right = max(0, floor(min(across)) - 1), min(WIDTH, ceil(max(across)) + 1)
    top, bottom = max(0, floor(min(down)) - 1), min(HEIGHT, ceil(max(down)) + 1)
    return (left, top, right, bottom) if left < right and top < bottom else None


def _mask(box: Box) -> Image.Image:
    left, top, right, bottom = box
    return Image.new("L", (_FINER * (right - left), _FINER * (bottom - top)), 0)


def _finer(corner: Corner, box: Box) -> Corner:
    return _FINER * (corner[0] - box[0]), _FINER * (corner[1] - box[1])


# Letters and pictures


def _words(window: Image.Image, words: TextShape) -> None:
    x, y = _corner(words.center)
    for line, below in words.lines:
        left = x - ADVANCE * float(words.height) * len(line) / 2
        base = y + below + BASELINE * float(words.height)
        _letters(window, line, (left, base), size=float(words.height), color=words.color)


def _letters(window: Image.Image, line: str, start: Corner, *, size: float, color: Rgb) -> None:
    """*line* from *start* on, each letter in the middle of a cell of the same width."""
    for at, letter in enumerate(line):
        x = start[0] + ADVANCE * size * (at + 0.5)
        is_seen = -size < x < WIDTH + size and -size < start[1] < HEIGHT + 2 * size
        if is_seen and not letter.isspace():
            _letter(window, _plain(letter), (x, start[1]), size=size, color=color)


def _letter(window: Image.Image, letter: str, foot: Corner, *, size: float, color: Rgb) -> None:
    """One letter that stands on *foot*; one that is wider than its cell is pressed into it."""
    font = _font(size)
    wide, cell = font.getlength(letter), ADVANCE * size * _FILLED
    if wide <= cell:
        ImageDraw.Draw(window).text(foot, letter, fill=color, font=font, anchor="ms")
        return
    across, up, down = ceil(wide) + 2, ceil(1.2 * size), ceil(0.4 * size)
    mask = Image.new("L", (across, up + down), 0)
    ImageDraw.Draw(mask).text((across / 2, up), letter, fill=255, font=font, anchor="ms")
    narrow = max(1, round(across * cell / wide))
    pressed = mask.resize((narrow, up + down), Image.Resampling.BILINEAR)
    left, top = round(foot[0] - narrow / 2), round(foot[1]) - up
    window.paste(color, (left, top), pressed)


def _plain(letter: str) -> str:
    """*letter* without its accents, which the font that Pillow brings does not have."""
    base = unicodedata.normalize("NFKD", letter)[0]
    return base if base.isascii() else letter


@lru_cache(maxsize=32)
def _font(size: float) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise TypeError("Pillow was built without FreeType, which draws its letters")
    return font


def _graphic(window: Image.Image, graphic: Graphic, folder: Folder) -> None:
    x, y = _corner(graphic.center)
    wide, high = max(1, round(graphic.width)), max(1, round(graphic.height))
    left, top = round(x - wide / 2), round(y - high / 2)
    if left >= WIDTH or top >= HEIGHT or left + wide <= 0 or top + high <= 0:
        return
    with Image.open(io.BytesIO(folder.picture(graphic.file).data)) as file:
        picture = file.convert("RGBA").resize((wide, high), Image.Resampling.BICUBIC)
    window.paste(picture, (left, top), picture)


def _put_remarks(window: Image.Image, remarks: Iterable[str]) -> None:
    lines = banner(remarks)
    if not lines:
        return
    high = BANNER_LINE * len(lines) + 8
    ImageDraw.Draw(window).rectangle((0, HEIGHT - high, WIDTH, HEIGHT), fill=(253, 236, 234))
    for at, line in enumerate(lines):
        start = (8.0, float(HEIGHT - high + 4 + BANNER_LINE * at + 13))
        _letters(window, line, start, size=BANNER_SIZE, color=(179, 38, 30))


def _corner(spot: Spot) -> Corner:
    return float(spot[0]) + 0.5, HEIGHT + 0.5 - float(spot[1])
