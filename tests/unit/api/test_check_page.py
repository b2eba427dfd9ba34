"""What a check found, as a page."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.support.command import zermelo
from tests.support.golden import cases
from tests.support.project import TESTS
from zermelo.api import loading, questions
from zermelo.api.check_page import check_page

MISSED = next(
    case.blocks["spec"]
    for case in cases(TESTS / "golden" / "diagnostics")
    if case.name == "Z621-exact"
)


def page_of(text: str, *properties: str) -> str:
    game = loading.load_text(text)
    report = questions.check(game, wide=None, properties=properties)
    return check_page(game, report, document="mine.md")


@pytest.fixture(scope="module")
def page() -> str:
    return page_of(MISSED, "never stuck", "sometimes |X| = 3 ∧ over")


def test_every_play_is_drawn_with_a_board_for_each_position(page: str) -> None:
    # Two findings, one property that holds by a play, and the shortest plays to three endings.
    assert page.count("<svg") == 6
    assert "7. X: " in page
    assert "The shortest play to <strong>draw</strong>" in page


def test_a_play_comes_with_the_command_that_shows_its_rules(page: str) -> None:
    moves = " ".join(f"'Mark({cell})'" for cell in (1, 2, 3, 4, 5, 6, 7))

    assert f"zermelo step mine.md {moves}" in page


def test_the_page_asks_for_nothing_outside_itself(page: str) -> None:
    assert "http-equiv" in page
    assert "<script" not in page
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in page
    assert "src=" not in page


def test_findings_and_answers_are_on_it(page: str) -> None:
    assert "<h1>document.md: 2 findings, 2 properties</h1>" in page
    assert "warning[Z621]" in page
    assert "<code>never stuck</code>" in page
    assert "<strong>holds</strong>, in all 5,766 reachable states." in page


def test_words_of_a_document_are_no_markup() -> None:
    text = MISSED.replace("System Initialization", "  X ∩ O = ∅ ∧ 1 < 2\nSystem Initialization")

    page = page_of(text, "always 1 < 2 ∨ X = ∅")

    assert "<code>always 1 &lt; 2 ∨ X = ∅</code>" in page
    assert "1 < 2" not in page


def test_its_pictures_are_well_formed(page: str) -> None:
    drawings = [part.split("</svg>")[0] for part in page.split("<svg")[1:]]

    for each in drawings:
        assert ElementTree.fromstring(f"<svg{each}</svg>").tag.endswith("svg")


def test_the_command_writes_it_beside_what_it_prints(tmp_path: Path) -> None:
    document, page = tmp_path / "mine.md", tmp_path / "mine.html"
    document.write_text(MISSED, encoding="utf-8")

    ran = zermelo("check", str(document), "--report", str(page))

    assert ran.code == 0
    assert "warning[Z621]" in ran.out
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_it_is_not_written_over_the_document(tmp_path: Path) -> None:
    document = tmp_path / "mine.md"
    document.write_text(MISSED, encoding="utf-8")

    ran = zermelo("check", str(document), "--report", str(document))

    assert ran.code == 2
    assert document.read_text(encoding="utf-8") == MISSED
