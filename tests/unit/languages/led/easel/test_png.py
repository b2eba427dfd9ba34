"""Frames as PNG, looked at pixel by pixel."""

import io
from collections.abc import Iterable
from pathlib import Path

from PIL import Image, ImageChops

from zermelo.languages.led.easel.pictures import Folder
from zermelo.languages.led.easel.png import to_png
from zermelo.languages.led.easel.shapes import (
    Circle,
    Disc,
    Graphic,
    Segment,
    Shape,
    TextShape,
    Triangle,
)

BLACK = (0, 0, 0)
WHITE = (255, 255, 255)
BLUE = (0, 0, 255)


def drawn(shapes: Iterable[Shape], *remarks: str) -> Image.Image:
    """The window, read again from the file."""
    image = Image.open(io.BytesIO(to_png(shapes, remarks=remarks, folder=Folder())))
    assert image.size == (1000, 800)
    return image.convert("RGB")


def pixel(image: Image.Image, x: int, y: int) -> object:
    """The colour of the pixel that a program calls (x, y)."""
    return image.getpixel((x, 800 - y))


def box(image: Image.Image, color: tuple[int, int, int]) -> tuple[int, int, int, int]:
    """Columns and rows, the ends included, that hold something of this colour."""
    same = ImageChops.difference(image, Image.new("RGB", image.size, color)).convert("L")
    found = same.point([255] + [0] * 255).getbbox()
    assert found is not None
    left, top, right, bottom = found
    return left, top, right - 1, bottom - 1


def test_the_same_shapes_give_the_same_bytes() -> None:
    shapes: list[Shape] = [Disc((500, 400), 90, BLUE), TextShape("o won", (200, 750), 36, BLACK)]

    assert to_png(shapes, folder=Folder()) == to_png(shapes, folder=Folder())


def test_a_straight_line_is_one_pixel_wide_and_has_both_its_ends() -> None:
    image = drawn([Segment((200, 700), (200, 400), BLACK)])

    assert box(image, BLACK) == (200, 100, 200, 400)


def test_a_disc_is_filled_and_a_circle_is_not() -> None:
    image = drawn([Disc((100, 100), 20, BLUE), Circle((300, 100), 20, BLUE)])

    assert pixel(image, 100, 100) == BLUE
    assert pixel(image, 300, 100) == WHITE
    assert pixel(image, 320, 100) != WHITE
    assert pixel(image, 118, 100) == BLUE
    assert pixel(image, 122, 100) == WHITE


def test_a_triangle_is_filled() -> None:
    image = drawn([Triangle(((100, 100), (200, 100), (150, 200)), BLUE)])

    assert pixel(image, 150, 130) == BLUE
    assert pixel(image, 105, 150) == WHITE


def test_later_images_are_on_top() -> None:
    image = drawn([Disc((100, 100), 20, BLUE), Disc((100, 100), 10, BLACK)])

    assert pixel(image, 100, 100) == BLACK
    assert pixel(image, 115, 100) == BLUE


def test_a_text_is_centred_on_its_point() -> None:
    image = drawn([TextShape("HHHHH", (500, 400), 100, BLACK)])

    left, top, right, bottom = box(image, BLACK)
    assert abs((left + right) / 2 - 500) <= 3
    assert abs((top + bottom) / 2 - 400) <= 4
    # Five letters of 60 pixels each, less the room at both ends.
    assert 250 <= right - left <= 300


def test_what_lies_outside_the_window_is_left_out() -> None:
    image = drawn(
        [
            Disc((-500, 400), 100, BLUE),
            TextShape("far", (5000, 5000), 36, BLACK),
            Segment((-90_000, -100), (90_000, -100), BLACK),
            Triangle(((-9, 900), (0, 950), (9, 1000)), BLACK),
            Circle((500, 400), 90_000, BLACK),
        ]
    )

    assert image.getcolors() == [(800_000, WHITE)]


def test_remarks_are_shown_at_the_foot() -> None:
    image = drawn([], "image 3 makes no sense: radius is -2")

    assert image.getpixel((900, 798)) == (253, 236, 234)
    assert image.getpixel((900, 700)) == WHITE


def test_a_picture_is_centred_on_its_point_and_stretched_to_its_size(tmp_path: Path) -> None:
    out = io.BytesIO()
    Image.new("RGB", (4, 2), BLUE).save(out, "PNG")
    (tmp_path / "cat.png").write_bytes(out.getvalue())

    data = to_png([Graphic("cat.png", (100, 100), 40, 20)], folder=Folder(tmp_path))

    image = Image.open(io.BytesIO(data)).convert("RGB")
    assert box(image, BLUE) == (80, 690, 119, 709)
