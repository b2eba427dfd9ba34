"""Which language a document is written in."""

from pathlib import Path

import pytest

from tests.support.project import ROOT, TESTS
from zermelo.api import loading
from zermelo.api.languages import LANGUAGES, language_of, row_of
from zermelo.api.loading import LibraryGame
from zermelo.text.source import Source

ENDINGS = {ending: row.name for row in LANGUAGES for ending in row.endings}
DOCUMENTS = sorted(
    path
    for folder in (ROOT / "games", TESTS / "documents")
    for path in folder.rglob("*")
    if path.suffix in ENDINGS and path.name != "README.md"
)


def language(name: str, text: str) -> str:
    return row_of(Source(name, text)).name


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.md", "# Applicable Sets\n", "sections"),
        ("a.md", "nothing in particular", "sections"),
        ("a.txt", '<?xml version="1.0"?>\n<pnml xmlns="…">', "nets"),
        ("a.net", "anything", "nets"),
        ("a.txt", "#place board lo(<.1.>)\n#trans t\n#endtr", "nets"),
        ("a.txt", "Text /$ initialState := {} $/ text", "led"),
        ("a.md", "$$x := 1$$ and $$p$$ iff $q$", "led"),
        ("a.led", "anything", "led"),
        ("a.led", "System Facts\nover := 1 iff\nSystem Variables\n", "sections"),
    ],
)
def test_the_language_is_told_by_content_and_name(name: str, text: str, expected: str) -> None:
    assert language(name, text) == expected


@pytest.mark.parametrize("game", loading.games(), ids=lambda game: game.name)
def test_every_game_of_the_library_is_known_as_what_it_is(game: LibraryGame) -> None:
    assert language(game.path.name, game.path.read_text("utf-8")) == ENDINGS[game.path.suffix]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_document_with_an_ending_of_a_language_is_written_in_it(path: Path) -> None:
    assert language(path.name, path.read_text("utf-8", errors="replace")) == ENDINGS[path.suffix]


def test_a_net_in_the_language_of_prod_may_be_in_a_file_called_pnml() -> None:
    text = "#place p mk(<..>)\n#trans t\nin { p: <..>; }\n#endtr\n"

    assert loading.load_text(text, name="net.pnml").is_loaded
    assert [each.code.id for each in loading.load_text("p", name="net.pnml").diagnostics] == [
        "Z170"
    ]


def test_a_language_is_loaded_from_its_row() -> None:
    for row in LANGUAGES:
        assert language_of(Source(f"document{row.endings[0]}", "some words")) is row.load()
