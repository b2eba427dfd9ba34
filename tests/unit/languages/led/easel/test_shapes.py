"""Shapes for other programs, and in the words of the language."""

from fractions import Fraction

import pytest

from zermelo.languages.led.easel.shapes import (
    Circle,
    Disc,
    Graphic,
    Segment,
    Shape,
    TextShape,
    Triangle,
    as_json,
    to_text,
)
from zermelo.text.diagnostic import Json

RED = (255, 0, 0)
SHAPES: list[tuple[Shape, dict[str, Json], str]] = [
    (
        Segment((0, 0), (10, Fraction(1, 2)), RED),
        {"kind": "segment", "points": [[0, 0], [10, 0.5]], "color": [255, 0, 0]},
        "segment(point(0, 0), point(10, 0.5), color(255, 0, 0))",
    ),
    (
        Circle((1, 2), 3, RED),
        {"kind": "circle", "center": [1, 2], "radius": 3, "color": [255, 0, 0]},
        "circle(point(1, 2), 3, color(255, 0, 0))",
    ),
    (
        Disc((1, 2), 3, RED),
        {"kind": "disc", "center": [1, 2], "radius": 3, "color": [255, 0, 0]},
        "disc(point(1, 2), 3, color(255, 0, 0))",
    ),
    (
        Triangle(((0, 0), (1, 0), (0, 1)), RED),
        {"kind": "fTri", "points": [[0, 0], [1, 0], [0, 1]], "color": [255, 0, 0]},
        "fTri(point(0, 0), point(1, 0), point(0, 1), color(255, 0, 0))",
    ),
    (
        TextShape("a b", (5, 5), 36, RED),
        {"kind": "text", "text": "a b", "center": [5, 5], "height": 36, "color": [255, 0, 0]},
        'text("a b", point(5, 5), 36, color(255, 0, 0))',
    ),
    (
        Graphic("cat.png", (5, 5), 10, 20),
        {"kind": "graphic", "file": "cat.png", "center": [5, 5], "width": 10, "height": 20},
        'graphic("cat.png", point(5, 5), 10, 20)',
    ),
]


@pytest.mark.parametrize(("shape", "json", "text"), SHAPES)
def test_a_shape_is_told_to_other_programs_and_to_people(
    shape: Shape, json: dict[str, Json], text: str
) -> None:
    assert as_json(shape) == json
    assert to_text(shape) == text


def test_the_lines_of_a_text_stand_around_its_middle() -> None:
    words = TextShape("one\ntwo\nthree", (0, 0), 10, RED)

    assert words.lines == (("one", -12.0), ("two", 0.0), ("three", 12.0))
    assert TextShape("", (0, 0), 10, RED).lines == (("", 0.0),)
