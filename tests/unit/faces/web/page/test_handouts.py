"""Files to hand out from the page."""

from base64 import b64decode

import pytest

from zermelo.api import loading
from zermelo.faces.web.page.answers import Answers
from zermelo.faces.web.page.requests import Document, MakeHandOut
from zermelo.text.errors import UsageError


def _handed_out(name: str, **asked: object) -> tuple[str, str, bytes]:
    path = loading.find(name).path
    document = Document(path.name, path.read_text("utf-8"), path)
    question = MakeHandOut(document=name, **asked)  # type: ignore[arg-type]
    told = Answers().answer(question, document)
    return str(told["name"]), str(told["type"]), b64decode(str(told["data"]))


@pytest.mark.parametrize(
    ("asked", "name", "media", "has"),
    [
        ({"format": "svg"}, "tic-tac-toe-position.svg", "image/svg+xml", b"<svg"),
        ({"format": "png"}, "tic-tac-toe-position.png", "image/png", b"\x89PNG"),
        ({"format": "pdf"}, "tic-tac-toe-position.pdf", "application/pdf", b"%PDF-1.4"),
        ({"format": "latex"}, "tic-tac-toe-position.tex", "application/x-tex", b"{tikzpicture}"),
        (
            {"what": "strip", "format": "svg", "moves": ("mark((1, 1))", "mark((2, 2))")},
            "tic-tac-toe-strip.svg",
            "image/svg+xml",
            b"2. O:",
        ),
        (
            {"what": "document", "format": "latex"},
            "tic-tac-toe.tex",
            "application/x-tex",
            b"\\documentclass",
        ),
        ({"what": "document", "format": "html"}, "tic-tac-toe.html", "text/html", b"<math"),
    ],
)
def test_a_file_has_a_name_a_kind_and_what_was_asked_for(
    asked: dict[str, object], name: str, media: str, has: bytes
) -> None:
    found = _handed_out("tic-tac-toe", **asked)

    assert found[:2] == (name, media)
    assert has in found[2]


def test_coordinates_can_be_left_out() -> None:
    many, few = (
        _handed_out("pegs", format="svg", coordinates=each)[2] for each in ("with", "without")
    )

    assert many.count(b"<text") - few.count(b"<text") == 6


@pytest.mark.parametrize(
    ("name", "asked", "words"),
    [
        ("pegs", {"what": "document", "format": "png"}, "a document is handed out as LaTeX"),
        ("pegs", {"what": "strip", "format": "html"}, "a picture is handed out as SVG"),
        ("tic-tac-toe-net", {"what": "document", "format": "html"}, "not written as a page"),
        ("tic-tac-toe-led", {"what": "document", "format": "html"}, "no document with sections"),
    ],
)
def test_what_cannot_be_made_is_refused_with_a_sentence(
    name: str, asked: dict[str, object], words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        _handed_out(name, **asked)
