"""Frames as SVG."""

import io
import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path

from PIL import Image

from zermelo.languages.led.easel.pictures import Folder
from zermelo.languages.led.easel.shapes import Circle, Disc, Graphic, Segment, TextShape, Triangle
from zermelo.languages.led.easel.svg import to_svg

BLACK = (0, 0, 0)
SVG = "{http://www.w3.org/2000/svg}"


def test_a_window_is_white_and_a_point_is_the_middle_of_a_pixel() -> None:
    shown = to_svg([Segment((200, 700), (200, 400), BLACK)], folder=Folder())

    assert shown == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="800" '
        'viewBox="0 0 1000 800">\n'
        '<rect width="1000" height="800" fill="#ffffff"/>\n'
        '<line x1="200.5" y1="100.5" x2="200.5" y2="400.5" stroke="#000000" '
        'stroke-linecap="square" shape-rendering="crispEdges"/>\n'
        "</svg>\n"
    )


def test_later_images_stand_behind_earlier_ones_in_the_file_and_so_over_them() -> None:
    root = ET.fromstring(
        to_svg(
            [
                Disc((10, 20), 5, (255, 128, 0)),
                Circle((10, 20), Fraction(5, 2), BLACK),
                Triangle(((0, 0), (2, 0), (0, 2)), BLACK),
            ],
            folder=Folder(),
        )
    )

    drawn = [(each.tag.removeprefix(SVG), each.attrib) for each in root][1:]
    assert drawn == [
        ("circle", {"cx": "10.5", "cy": "780.5", "r": "5", "fill": "#ff8000"}),
        (
            "circle",
            {"cx": "10.5", "cy": "780.5", "r": "2.5", "fill": "none", "stroke": "#000000"},
        ),
        ("polygon", {"points": "0.5,800.5 2.5,800.5 0.5,798.5", "fill": "#000000"}),
    ]


def test_a_text_is_centred_on_its_point_in_letters_of_its_height() -> None:
    root = ET.fromstring(to_svg([TextShape("x won", (200, 750), 36, BLACK)], folder=Folder()))

    text = root[1]
    assert text.text == "x won"
    assert text.attrib["x"] == "200.5"
    assert text.attrib["text-anchor"] == "middle"
    assert text.attrib["font-size"] == "36"
    assert text.attrib["font-family"] == "monospace"
    # The middle is at 50.5 from the top; letters stand 0.35 of their height below it.
    assert text.attrib["y"] == "63.1"


def test_nothing_in_a_text_is_taken_for_syntax() -> None:
    shown = to_svg([TextShape('</text>&"\x00', (0, 0), 9, BLACK)], remarks=["<b>"], folder=Folder())

    root = ET.fromstring(shown)
    assert [each.text for each in root.iter(f"{SVG}text")] == ['</text>&"⟨U+0000⟩', "<b>"]


def test_remarks_stand_over_the_window_and_are_cut_where_it_ends() -> None:
    root = ET.fromstring(to_svg([], remarks=["first\nremark", "x" * 500], folder=Folder()))

    texts = [each.text or "" for each in root.iter(f"{SVG}text")]
    assert texts[0] == "first remark"
    assert texts[1].endswith("x…")
    assert len(texts[1]) == 118


def test_a_picture_is_part_of_the_file_and_centred_on_its_point(tmp_path: Path) -> None:
    out = io.BytesIO()
    Image.new("RGB", (4, 2), (1, 2, 3)).save(out, "PNG")
    (tmp_path / "cat.png").write_bytes(out.getvalue())

    root = ET.fromstring(to_svg([Graphic("cat.png", (100, 100), 40, 20)], folder=Folder(tmp_path)))

    image = root[1].attrib
    assert (image["x"], image["y"]) == ("80.5", "690.5")
    assert (image["width"], image["height"]) == ("40", "20")
    assert image["href"].startswith("data:image/png;base64,")
