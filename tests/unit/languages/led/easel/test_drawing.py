"""Images that are drawn, and images that make no sense."""

import io
from fractions import Fraction
from pathlib import Path

import pytest
from PIL import Image

from zermelo.core.values import TRUE, Atom, Value
from zermelo.languages.led.easel import shapes
from zermelo.languages.led.easel.drawing import MOST_FAULTS, MOST_IMAGES, picture
from zermelo.languages.led.easel.pictures import Folder
from zermelo.languages.led.ir import Case, Literal, Program, ProgramDefinition
from zermelo.languages.led.run import built_ins
from zermelo.languages.led.run.values import Arranged, Erroneous, Text
from zermelo.text.source import Span

BLACK = built_ins.Color(0, 0, 0)
HERE = built_ins.Point(10, 20)
PROGRAM = Program(
    "demo",
    (ProgramDefinition("images", (), (Case(Literal(Arranged())),), name_span=Span(3, 9)),),
    is_game=True,
)


def said(value: Value, folder: Folder | None = None) -> list[str]:
    """What there is to say about the image *value*."""
    drawn = picture(Arranged([value]), PROGRAM, folder=folder or Folder())
    return [each.message for each in drawn.faults]


def test_images_are_drawn_in_the_order_of_their_set() -> None:
    images = Arranged(
        [
            built_ins.Caption(Text("o"), HERE, 36, BLACK),
            built_ins.Segment(built_ins.Point(0, 0), HERE, BLACK),
            built_ins.Circle(HERE, 5, BLACK),
            built_ins.Circle(HERE, Fraction(5, 2), BLACK, is_filled=True),
            built_ins.Triangle(built_ins.Point(0, 0), HERE, built_ins.Point(0, 9), BLACK),
        ]
    )

    drawn = picture(images, PROGRAM, folder=Folder())

    assert drawn.shapes == (
        shapes.TextShape("o", (10, 20), 36, (0, 0, 0)),
        shapes.Segment((0, 0), (10, 20), (0, 0, 0)),
        shapes.Circle((10, 20), 5, (0, 0, 0)),
        shapes.Disc((10, 20), Fraction(5, 2), (0, 0, 0)),
        shapes.Triangle(((0, 0), (10, 20), (0, 9)), (0, 0, 0)),
    )
    assert drawn.faults == ()


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (built_ins.Circle(HERE, -2, BLACK), "radius is -2"),
        (
            built_ins.Circle(HERE, 2, built_ins.Color(0, 300, 0)),
            "green is 300, not a whole number from 0 to 255",
        ),
        (
            built_ins.Circle(HERE, 2, built_ins.Color(0, 0, Fraction(1, 2))),
            "blue is 0.5, not a whole number from 0 to 255",
        ),
        (built_ins.Circle(HERE, TRUE, BLACK), "radius is true, which is no number"),
        (
            built_ins.Segment(built_ins.Point(10**9, 0), HERE, BLACK),
            "x is 1000000000, far outside the window",
        ),
        (built_ins.Caption(Text("a"), HERE, 0, BLACK), "height is 0, not between 1 and 1,000"),
        (
            built_ins.Caption(Text("a" * 2000), HERE, 9, BLACK),
            "its text has 2,000 characters, more than 1,000",
        ),
        (5, "it is 5, which is no image"),
        (HERE, "it is an Easel point, which is no image"),
        ((Atom("seg"), (0, 0), 5, (0, 0, 0)), "5 is no point"),
        ((Atom("seg"), (0, 0), (1, 1), (0, 0)), "(0, 0) is no color"),
        ((Atom("blob"), 1), "it is (`blob, 1), which is no image"),
    ],
)
def test_an_image_that_makes_no_sense_says_why(value: Value, reason: str) -> None:
    assert said(value) == [f"image 1 makes no sense: {reason}"]


def test_the_other_images_are_drawn_and_the_fault_is_at_the_definition() -> None:
    good = built_ins.Circle(HERE, 5, BLACK)

    drawn = picture(
        Arranged([good, built_ins.Circle(HERE, -2, BLACK), 7]), PROGRAM, folder=Folder()
    )

    assert drawn.shapes == (shapes.Circle((10, 20), 5, (0, 0, 0)),)
    assert [each.message for each in drawn.faults] == [
        "image 2 makes no sense: radius is -2",
        "image 3 makes no sense: it is 7, which is no image",
    ]
    assert drawn.faults[0].primary is not None
    assert drawn.faults[0].primary.span == Span(3, 9)


def test_images_that_are_no_set_are_said() -> None:
    drawn = picture((1, 2), PROGRAM, folder=Folder())

    assert [each.message for each in drawn.faults] == ["`images` is (1, 2), not a set of images"]


def test_images_without_a_value_say_why() -> None:
    value = Erroneous("3 is divided by 0", Span(1, 2), (("half", (3, 0)),))

    (fault,) = picture(value, PROGRAM, folder=Folder()).faults

    assert fault.message == "`images` has no value in this frame: 3 is divided by 0"
    assert fault.notes == ("in `half(3, 0)`",)


def test_of_many_faults_and_many_images_only_the_first_are_shown() -> None:
    wrong = picture(Arranged(range(100)), PROGRAM, folder=Folder())
    many = Arranged(
        built_ins.Circle(built_ins.Point(x, 0), 1, BLACK) for x in range(MOST_IMAGES + 1)
    )

    drawn = picture(many, PROGRAM, folder=Folder())

    assert len(wrong.faults) == MOST_FAULTS
    assert len(drawn.shapes) == MOST_IMAGES
    assert [each.message for each in drawn.faults] == [
        "`images` has 20,001 members, of which only the first 20,000 are drawn"
    ]


def test_the_older_form_of_images_is_drawn_too() -> None:
    black = (0, 0, 0)
    images = Arranged(
        [
            (Atom("seg"), (0, 0), (10, 20), black),
            (Atom("circ"), (10, 20), 5, black),
            (Atom("disc"), (10, 20), 5, black),
            (Atom("fTri"), (0, 0), (1, 0), (0, 1), black),
            (Atom("txt"), Text("o"), (10, 20), 36, black),
        ]
    )

    drawn = picture(images, PROGRAM, folder=Folder())

    assert drawn.faults == ()
    assert [shapes.to_text(shape) for shape in drawn.shapes] == [
        "segment(point(0, 0), point(10, 20), color(0, 0, 0))",
        "circle(point(10, 20), 5, color(0, 0, 0))",
        "disc(point(10, 20), 5, color(0, 0, 0))",
        "fTri(point(0, 0), point(1, 0), point(0, 1), color(0, 0, 0))",
        'text("o", point(10, 20), 36, color(0, 0, 0))',
    ]


# Pictures


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A folder with a picture of 40 by 30."""
    out = io.BytesIO()
    Image.new("RGB", (40, 30)).save(out, "PNG")
    (tmp_path / "cat.png").write_bytes(out.getvalue())
    return Folder(tmp_path)


@pytest.mark.parametrize(
    ("asked", "size"),
    [((0, 0), (40, 30)), ((20, 0), (20, 15)), ((0, 60), (80, 60)), ((7, 9), (7, 9))],
)
def test_a_picture_has_the_size_it_is_given_or_its_own(
    folder: Folder, asked: tuple[int, int], size: tuple[int, int]
) -> None:
    value = built_ins.Graphic(Text("cat.png"), HERE, *asked)

    drawn = picture(Arranged([value]), PROGRAM, folder=folder)

    assert drawn.shapes == (shapes.Graphic("cat.png", (10, 20), *size),)


def test_a_picture_that_is_not_there_is_a_box_and_a_remark(folder: Folder) -> None:
    value = built_ins.Graphic(Text("dog.png"), HERE, 20, 10)

    drawn = picture(Arranged([value]), PROGRAM, folder=folder)

    assert [each.message for each in drawn.faults] == [
        'the picture "dog.png" is not shown: there is no such file beside the program'
    ]
    assert not drawn.faults[0].is_error
    assert len(drawn.shapes) == 6
    assert drawn.shapes[0] == shapes.Segment((0, 15), (20, 15), (128, 128, 128))
