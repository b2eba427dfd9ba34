"""Positions and plays as sheets of shapes, and sheets as SVG, PNG, PDF and LaTeX."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import zlib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

import zermelo
from zermelo.core.picture import Board, Cell, Entry, Lamp, Mark, Picture
from zermelo.draw import sheet_pdf, sheet_png, sheet_svg, sheet_tikz
from zermelo.draw.sheet import (
    GREY,
    LAST,
    PAPER,
    TONES,
    Disc,
    Line,
    Polygon,
    Rectangle,
    Sheet,
    Words,
    moved,
    sheet,
    strip,
)

HOSTILE = '<script>&"%$\\input{x}'
BOARD = Board(
    "P",
    ("1", "2"),
    ("a", "b", "c"),
    (
        (Cell((Mark("X", 0),)), Cell(), None),
        (Cell(is_last=True), Cell((Mark("O", 1), Mark("∪", None))), Cell()),
    ),
)
PICTURE = Picture((BOARD,), lamps=(Lamp("turn", is_lit=True), Lamp("over", is_lit=False)))
EVERYTHING = Sheet(
    "all of it",
    200,
    100,
    (
        Rectangle(10, 10, 40, 40, LAST),
        Rectangle(60, 10, 40, 40, PAPER, None),
        Line(0, 0, 200, 100, "#ff0000", 2),
        Disc(100, 50, 10, "#00ff00", is_filled=True, thickness=1),
        Disc(150, 50, 10, "#0000ff", is_filled=False, thickness=2),
        Polygon(((10, 90), (20, 70), (30, 90)), "#123456"),
        Words(10, 95, "a ∪ b = ∅, α"),
        Words(100, 95, HOSTILE, is_centred=True, is_bold=True),
        Words(100, 80, "mono", is_mono=True, whole="the whole of it"),
    ),
)


def words(of: Sheet) -> list[str]:
    return [each.text for each in of.shapes if isinstance(each, Words)]


# Where things stand


def test_a_board_has_a_square_for_each_cell_and_none_for_a_hole() -> None:
    squares = [each for each in sheet(PICTURE, "").shapes if isinstance(each, Rectangle)]

    assert len(squares) == 5
    assert [each.fill for each in squares] == [PAPER, PAPER, LAST, PAPER, PAPER]


def test_coordinates_are_there_when_they_are_asked_for() -> None:
    with_them = sheet(PICTURE, "", has_coordinates=True)
    without = sheet(PICTURE, "", has_coordinates=False)

    assert [each for each in words(with_them) if each in "abc12"] == ["a", "b", "c", "1", "2"]
    assert [each for each in words(without) if each in "abc12"] == []
    assert without.height < with_them.height


def test_marks_have_the_colour_of_their_layer_and_stand_side_by_side() -> None:
    marks = [each for each in sheet(PICTURE, "").shapes if isinstance(each, Words) and each.is_bold]

    assert [(each.text, each.color) for each in marks[:2]] == [("X", TONES[0]), ("O", TONES[1])]
    assert marks[1].x < marks[2].x
    assert marks[1].y == marks[2].y


def test_a_lamp_is_full_or_empty() -> None:
    lamps = [each for each in sheet(PICTURE, "").shapes if isinstance(each, Disc)]

    assert [each.is_filled for each in lamps] == [True, False]


def test_everything_lies_on_the_sheet() -> None:
    for each in (sheet(PICTURE, ""), strip([("1", PICTURE)] * 9, "")):
        for shape in each.shapes:
            if isinstance(shape, Rectangle):
                assert 0 <= shape.x <= shape.x + shape.width <= each.width
                assert 0 <= shape.y <= shape.y + shape.height <= each.height


def test_a_strip_has_a_board_and_a_caption_for_each_position_and_goes_on_below() -> None:
    shown = strip([(f"{number}.", PICTURE) for number in range(9)], "play")

    captions = [each for each in shown.shapes if isinstance(each, Words) and each.color == GREY]
    assert [each.text for each in captions] == [f"{number}." for number in range(9)]
    assert len({each.y for each in captions}) == 2
    assert shown.width <= 900
    assert len([each for each in shown.shapes if isinstance(each, Rectangle)]) == 45


def test_a_play_without_boards_is_a_strip_of_lines() -> None:
    shown = strip([("start", Picture(entries=(Entry("heap", "3"),)))], "heap")

    assert words(shown) == ["heap = 3", "start"]


def test_shapes_move() -> None:
    for shape in EVERYTHING.shapes:
        assert moved(moved(shape, 3, 4), -3, -4) == shape


# Files


def test_svg_is_xml_without_styles_and_without_markup_from_the_document() -> None:
    text = "\n".join(sheet_svg.lines(EVERYTHING))

    read = ElementTree.fromstring(text)

    tags = [each.tag.partition("}")[2] for each in read.iter()]
    assert tags.count("text") == 3
    assert "script" not in tags
    assert "style" not in text
    assert HOSTILE in ["".join(each.itertext()) for each in read.iter() if each.text == HOSTILE]


def test_png_is_twice_as_large_and_has_the_colours() -> None:
    with Image.open(io.BytesIO(sheet_png.to_png(EVERYTHING))) as image:
        assert image.size == (400, 200)
        assert image.getpixel((200, 100)) == (0, 255, 0)
        assert image.getpixel((300, 100)) == (255, 255, 255)
        assert image.getpixel((30, 60)) == (0xFF, 0xF3, 0xC4)


def test_png_is_the_same_each_time() -> None:
    assert sheet_png.to_png(EVERYTHING) == sheet_png.to_png(EVERYTHING)


def test_a_png_of_too_many_pixels_is_refused() -> None:
    with pytest.raises(sheet_png.SheetTooLarge, match="pixels"):
        sheet_png.to_png(Sheet("", 10_000, 10_000, ()))


def content(pdf: bytes) -> str:
    found = re.search(rb"stream\n(.*?)\nendstream", pdf, re.DOTALL)
    assert found is not None
    return zlib.decompress(found[1]).decode("latin-1")


def test_a_pdf_says_where_each_of_its_objects_begins() -> None:
    pdf = sheet_pdf.to_pdf(EVERYTHING)

    start = int(pdf.rsplit(b"startxref\n", 1)[1].split()[0])
    table = pdf[start:].split(b"\n")
    assert table[0] == b"xref"
    count = int(table[1].split()[1])
    for number in range(1, count):
        place = int(table[2 + number].split()[0])
        assert pdf[place:].startswith(b"%d 0 obj\n" % number)
    assert b"/MediaBox [0 0 150.00 75.00]" in pdf
    assert pdf.endswith(b"%%EOF\n")


def test_a_pdf_draws_with_lines_and_letters() -> None:
    drawn = content(sheet_pdf.to_pdf(EVERYTHING))

    assert "10.00 10.00 40.00 40.00 re B" in drawn
    assert "60.00 10.00 40.00 40.00 re f" in drawn
    assert "0.00 0.00 m 200.00 100.00 l S" in drawn
    assert drawn.count(" c ") == 8
    # `a `, then the sign for the union in the font of signs, then ` b = `.
    assert (
        "/sans 12.00 Tf <6120> Tj /signs 12.00 Tf <C8> Tj /sans 12.00 Tf <2062203D20> Tj" in drawn
    )
    assert f"<{HOSTILE.encode().hex().upper()}> Tj" in drawn


def test_letters_that_a_pdf_lacks_are_named_and_shown_as_question_marks() -> None:
    shown = Sheet("", 10, 10, (Words(0, 0, "a漢∪ж"),))

    assert sheet_pdf.not_shown(shown) == "ж漢"
    assert "<613F> Tj /signs 12.00 Tf <C8> Tj /sans 12.00 Tf <3F> Tj" in content(
        sheet_pdf.to_pdf(shown)
    )


def test_latex_escapes_what_documents_say() -> None:
    text = sheet_tikz.to_latex(EVERYTHING)

    assert "\\input" not in text
    assert "\\textbackslash{}input\\{x\\}" in text
    assert text.count("\\begin{") == text.count("\\end{") == 2
    assert "\\DeclareUnicodeCharacter{222A}{\\ensuremath{\\cup}}" in text
    depth = re.sub(r"\\[{}]", "", text)
    assert depth.count("{") == depth.count("}")


def test_a_title_with_line_breaks_stays_a_comment() -> None:
    first = sheet_tikz.to_latex(Sheet("a\n\\input{x}", 1, 1, ())).splitlines()[0]

    assert first == "% a \\input{x}"


def _has_tikz() -> bool:
    if shutil.which("pdflatex") is None or shutil.which("kpsewhich") is None:
        return False
    found = subprocess.run(["kpsewhich", "tikz.sty"], capture_output=True, timeout=60, check=False)
    return found.returncode == 0


@pytest.mark.skipif(not _has_tikz(), reason="there is no LaTeX with TikZ here")
def test_latex_compiles(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text(sheet_tikz.to_latex(EVERYTHING), "utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "a.tex"]

    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=120)

    assert (tmp_path / "a.pdf").is_file()


# Games


def test_a_game_is_drawn_after_moves_in_every_form() -> None:
    game = zermelo.load("tic-tac-toe")

    svg = game.drawing("1 1", (2, 2), to="svg").decode()
    assert svg.count('font-weight="bold"') == 2
    assert svg.count(f'fill="{LAST}"') == 1
    assert game.drawing("1 1", to="png").startswith(b"\x89PNG")
    assert game.drawing("1 1", to="pdf").startswith(b"%PDF-1.4")
    assert b"tikzpicture" in game.drawing("1 1", to="latex")


def test_a_strip_says_who_moved_where() -> None:
    svg = zermelo.load("tic-tac-toe").drawing("1 1", "2 2", to="svg", strip=True).decode()

    for caption in ("start", "1. X: (1, 1)", "2. O: (2, 2)"):
        assert f">{caption}</text>" in svg


def test_a_picture_has_one_of_its_forms() -> None:
    with pytest.raises(zermelo.UsageError, match="svg, png, pdf and latex, and not as `gif`"):
        zermelo.load("tic-tac-toe").drawing(to="gif")
