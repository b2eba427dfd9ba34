"""Whole paths: each game of the library from its card to the end, by mouse and by keyboard."""

import gzip
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import zermelo.faces.web
from tests.support.browser import Server, served_page
from tests.support.open_page import OpenPage
from zermelo.api import loading
from zermelo.api.loaded import playable_model
from zermelo.core.values import to_text
from zermelo.play.session import Session, move_text, outcome_text

GAMES = [game.name for game in loading.games() if game.path.suffix == ".md"]
WIDE, NARROW = 1280, 390
_ELSEWHERE = re.compile(r"""(src|href|from|import)\s*[=(]?\s*["']https?:""")
STATIC = Path(zermelo.faces.web.__file__).parent / "static"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server that keeps nothing."""
    with served_page() as started:
        yield started


class Played:
    """A play by lot to its end, and what one points at to make its moves."""

    def __init__(self, name: str) -> None:
        self._words = playable_model(loading.load(name)).words
        self.session = Session(self._words)
        chance = random.Random(7)
        while self.session.outcome is None:
            self.session.make(chance.choice(self.session.legal))

    @property
    def moves(self) -> list[tuple[str, list[str]]]:
        """Each move as it is typed, and the texts of its arguments."""
        turns = self.session.turns
        return [
            (move_text(each.move, self._words), [to_text(one) for one in each.move.arguments])
            for each in turns
        ]

    @property
    def said(self) -> str:
        """What stands above the board in the end."""
        assert self.session.outcome is not None
        return f"Over: {outcome_text(self.session.outcome)}"


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    "width", [WIDE, pytest.param(NARROW, marks=pytest.mark.long)], ids=["wide", "narrow"]
)
def test_each_game_is_played_from_its_card_to_the_end_by_mouse(
    browser: Browser, server: Server, name: str, width: int
) -> None:
    opened = OpenPage(browser, server, width=width)
    play = Played(name)
    page = opened.page
    card = page.locator(f'.card[data-document="{name}"]')
    title = card.locator("h2").inner_text()
    card.get_by_role("button", name="Play", exact=False).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page.locator("#board [data-spot]").first).to_be_visible()

    for number, (_, arguments) in enumerate(play.moves, 1):
        _point(opened, arguments)
        _is_made(page, number)

    opened.shows(play.said)
    opened.keep(f"{name}-mouse-{width}")
    page.get_by_role("button", name="Undo").click()
    _is_made(page, len(play.moves) - 1)
    page.get_by_role("link", name="Library").click()
    expect(card).to_be_visible()
    assert opened.errors == []
    opened.context.close()


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    "width", [NARROW, pytest.param(WIDE, marks=pytest.mark.long)], ids=["narrow", "wide"]
)
def test_each_game_is_played_from_its_card_to_the_end_by_keyboard(
    browser: Browser, server: Server, name: str, width: int
) -> None:
    opened = OpenPage(browser, server, width=width)
    play = Played(name)
    page = opened.page
    page.locator(f'.card[data-document="{name}"]').get_by_role("button").first.press("Enter")
    expect(page.locator("#board [data-spot]").first).to_be_visible()

    for number, (text, arguments) in enumerate(play.moves, 1):
        if all(opened.cell(each).count() for each in arguments):
            page.keyboard.press("b")
            for each in arguments:
                _walk(page, each)
                page.keyboard.press("Enter")
        else:
            page.get_by_label("Type a move").press_sequentially(text)
            page.keyboard.press("Enter")
        _is_made(page, number)
        page.locator("h1").click()

    opened.shows(play.said)
    opened.keep(f"{name}-keyboard-{width}")
    page.keyboard.press("u")
    _is_made(page, len(play.moves) - 1)
    assert opened.errors == []
    opened.context.close()


def _point(opened: OpenPage, arguments: list[str]) -> None:
    """Point at what stands for a move: its cells, or chips beside the board."""
    chips = opened.page.locator(".choose button.chip")
    cells = [opened.cell(each) for each in arguments]
    for argument, cell in zip(arguments, cells, strict=True):
        if cell.count():
            cell.click()
        else:
            chips.get_by_text(argument, exact=True).click()


def _is_made(page: Page, number: int) -> None:
    """Wait until so many moves have been made."""
    tree = page.locator(".tree .ply.is-here")
    if number == 0:
        expect(tree).to_have_count(0)
    else:
        expect(page.locator(f'.tree > li[value="{number}"] .is-here')).to_have_count(1)


def _walk(page: Page, place: str) -> None:
    """Go along the cells with the arrow keys to the one called *place*."""
    wanted = page.locator(f'#board [data-place="{place}"]').get_attribute("data-spot")
    for _ in range(40):
        here = page.evaluate("() => document.activeElement.dataset.spot ?? ''")
        if here == wanted:
            return
        assert here, "the keys lead along the board"
        assert wanted, "what is named is a cell"
        (_, row, column), (_, to_row, to_column) = here.split(), wanted.split()
        if row != to_row:
            page.keyboard.press("ArrowDown" if int(row) < int(to_row) else "ArrowUp")
        else:
            page.keyboard.press("ArrowRight" if int(column) < int(to_column) else "ArrowLeft")
    raise AssertionError(f"no way leads to {place}")


def test_the_library_is_painted_within_a_second(browser: Browser, server: Server) -> None:
    opened = OpenPage(browser, server)

    opened.page.goto("about:blank")
    opened.page.goto(server.root)
    expect(opened.page.locator(".card").first).to_be_visible()

    found = opened.page.evaluate(
        """() => performance.getEntriesByName("first-contentful-paint")
            .map((each) => each.startTime)"""
    )
    assert len(found) == 1
    assert found[0] < 1_000
    opened.context.close()


def test_what_the_page_is_made_of_is_below_a_megabyte_when_packed() -> None:
    files = [path for path in STATIC.rglob("*") if path.is_file()]

    packed = {path.name: len(gzip.compress(path.read_bytes())) for path in files}

    assert len(packed) > 30
    assert sum(packed.values()) < 1_000_000
    # And no source of a script or a style is on another machine.
    for path in files:
        if path.suffix in {".js", ".html", ".css"} and "vendor" not in path.parts:
            assert not re.search(
                r"""(src|href|from|import)\s*[=(]?\s*["']https?:""", path.read_text()
            )
