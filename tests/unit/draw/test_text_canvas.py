"""Drawings as text."""

from zermelo.core.picture import Area, Canvas, CanvasShape, Caption, Picture, Round, Stroke
from zermelo.draw import sheet, sheet_svg, text_board, text_canvas
from zermelo.draw.text_board import PlainPen

BLACK = "#000000"


def _drawn(*shapes: CanvasShape, is_ascii: bool = False) -> list[str]:
    # 600 points are 60 columns, and 20 points a row.
    return list(text_canvas.draw(Canvas(600, 200, shapes), PlainPen(is_ascii=is_ascii)))


def test_lines_meet_in_corners_and_crossings() -> None:
    box = ((100, 180), (200, 180), (200, 100), (100, 100))
    sides = (Stroke(box[at - 1], box[at], BLACK) for at in range(4))
    middle = Stroke((150, 180), (150, 100), BLACK)

    assert _drawn(*sides, middle) == [
        "      100      200",
        "      ┌────┬────┐",
        "      │    │    │",
        "      │    │    │",
        "      │    │    │",
        "  100 └────┴────┘",
    ]


def test_a_text_stands_over_what_is_drawn_with_its_middle_at_its_place() -> None:
    line = Stroke((100, 100), (200, 100), BLACK)

    assert _drawn(line, Caption("ok", (150, 100), 20, BLACK)) == [
        "      100      200",
        "  100 ╶─── ok ──╴",
    ]


def test_what_the_last_move_wrote_is_marked() -> None:
    assert _drawn(Caption("x", (150, 100), 20, BLACK, is_last=True))[1] == "  100  [x]"


def test_only_what_is_drawn_on_is_shown() -> None:
    assert len(_drawn(Caption("low", (500, 20), 20, BLACK))) == 2


def test_nothing_gives_no_lines() -> None:
    assert _drawn() == []


def test_what_lies_outside_is_not_drawn() -> None:
    assert _drawn(Stroke((-500, -500), (-400, -500), BLACK)) == []


def test_areas_and_discs_are_filled() -> None:
    area = Area(((100, 160), (150, 160), (150, 100), (100, 100)), BLACK)
    shown = "\n".join(_drawn(area, Round((400, 100), 45, BLACK, is_filled=True)))

    # By hand: 5 columns of the area in 3 rows; of the disc 5 columns 40 points from its middle
    # (√(45² − 40²) is 20), and 9 columns in the three rows between.
    counts = [row.count("▒") for row in shown.splitlines()]
    assert counts == [0, 5 + 5, 5 + 9, 5 + 9, 9, 5]


def test_a_circle_is_an_outline() -> None:
    shown = _drawn(Round((300, 100), 80, BLACK))

    assert shown[5].replace(" ", "") == "100··"


def test_a_slope_rises_or_falls() -> None:
    shown = "\n".join(_drawn(Stroke((100, 100), (140, 180), BLACK)))

    assert "╱" in shown
    assert "╲" not in shown


def test_ascii_has_a_sign_for_each() -> None:
    slope = Stroke((100, 100), (140, 180), BLACK)
    half = Stroke((200, 100), (200, 180), BLACK)
    shapes = (
        slope,
        half,
        Round((400, 100), 45, BLACK),
        Round((500, 100), 15, BLACK, is_filled=True),
    )

    text = "".join(_drawn(*shapes, is_ascii=True))

    assert text.isascii()
    assert {"/", "|", ".", "#"} <= set(text)


def test_the_drawing_of_a_picture_is_part_of_its_svg() -> None:
    canvas = Canvas(
        600, 200, (Stroke((0, 0), (600, 200), BLACK), Caption("a < b", (1, 2), 3, BLACK))
    )
    picture = Picture(canvas=canvas)

    svg = "\n".join(sheet_svg.lines(sheet.sheet(picture, "some")))

    # It is 500 pixels wide, and begins 12 from the left and from the top.
    assert '<line x1="12.0" y1="178.7" x2="512.0" y2="12.0"' in svg
    assert "a &lt; b" in svg
    assert list(text_board.draw(picture, PlainPen()))
