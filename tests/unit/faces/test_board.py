"""Boards drawn with the signs of a terminal."""

from zermelo.core.picture import Board, Cell, Entry, Lamp, Legend, Mark, Picture
from zermelo.draw.text_board import draw
from zermelo.faces.cli.screen import Screen

X = Mark("x", 0)
NOUGHT = Mark("o", 1)
EMPTY = Cell()


def drawn(picture: Picture, **options: object) -> str:
    width = options.get("width", 80)
    assert isinstance(width, int)
    screen = Screen(
        width=width,
        is_ascii=bool(options.get("is_ascii")),
        has_colour=bool(options.get("has_colour")),
    )
    return "\n".join(draw(picture, screen))


def board(*rows: tuple[Cell | None, ...]) -> Board:
    return Board(
        "P",
        tuple(str(number) for number in range(1, len(rows) + 1)),
        tuple(str(number) for number in range(1, len(rows[0]) + 1)),
        rows,
    )


SMALL = Picture(
    (board((Cell((X,)), EMPTY), (EMPTY, Cell((NOUGHT,), is_last=True))),),
    (Legend(X, "xs"), Legend(NOUGHT, "os", "Nought")),
    (Lamp("turn", is_lit=True), Lamp("ok", is_lit=False)),
    (Entry("moves", "2"),),
)


def test_a_board_has_lines_labels_a_legend_lamps_and_entries() -> None:
    assert drawn(SMALL) == (
        "      1   2\n"
        "    ┌───┬───┐\n"
        "  1 │ x │   │\n"
        "    ├───┼───┤\n"
        "  2 │   │[o]│\n"
        "    └───┴───┘\n"
        "\n"
        "  x xs   o os (Nought)\n"
        "  ● turn   ○ ok\n"
        "  moves = 2"
    )


def test_in_ascii_nothing_else_is_used() -> None:
    text = drawn(SMALL, is_ascii=True)

    assert text.isascii()
    assert text == (
        "      1   2\n"
        "    +---+---+\n"
        "  1 | x |   |\n"
        "    +---+---+\n"
        "  2 |   |[o]|\n"
        "    +---+---+\n"
        "\n"
        "  x xs   o os (Nought)\n"
        "  (*) turn   ( ) ok\n"
        "  moves = 2"
    )


def test_pieces_of_two_layers_have_two_colours() -> None:
    text = drawn(SMALL, has_colour=True)

    assert "\x1b[36m\x1b[1mx\x1b[0m" in text
    assert "\x1b[31m\x1b[1mo\x1b[0m" in text


def test_no_lines_surround_a_hole() -> None:
    picture = Picture((board((EMPTY, None, None), (None, EMPTY, EMPTY)),))

    assert drawn(picture) == (
        "      1   2   3\n"
        "    ┌───┐\n"
        "  1 │   │\n"
        "    └───┼───┬───┐\n"
        "  2     │   │   │\n"
        "        └───┴───┘"
    )


def test_a_row_of_single_values_has_no_row_labels() -> None:
    picture = Picture((Board("N", ("",), ("1", "10"), ((Cell((X,)), EMPTY),)),))

    assert drawn(picture) == "     1   10\n   ┌───┬───┐\n   │ x │   │\n   └───┴───┘"


def test_wide_marks_keep_the_lines_straight() -> None:
    picture = Picture((board((Cell((Mark("漢"),)), EMPTY), (Cell((Mark("7"),)), EMPTY)),))

    assert drawn(picture) == (
        "       1    2\n"
        "    ┌────┬────┐\n"
        "  1 │ 漢 │    │\n"
        "    ├────┼────┤\n"
        "  2 │  7 │    │\n"
        "    └────┴────┘"
    )


def test_a_board_too_wide_for_lines_is_drawn_without() -> None:
    last = Cell((NOUGHT,), is_last=True)
    picture = Picture((board((Cell((X,)), EMPTY, None), (EMPTY, last, EMPTY)),))

    assert drawn(picture, width=15) == "     1 2 3\n  1  x ·\n  2  ·>o ·"


def test_several_boards_have_their_names_above_them() -> None:
    one = Board("Left", ("1",), ("1",), ((EMPTY,),))
    two = Board("Right", ("1",), ("1",), ((Cell((X,)),),))

    assert drawn(Picture((one, two))) == (
        "  Left\n      1\n    ┌───┐\n  1 │   │\n    └───┘\n"
        "\n"
        "  Right\n      1\n    ┌───┐\n  1 │ x │\n    └───┘"
    )
