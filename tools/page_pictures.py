"""Takes the pictures of every view of the page, for docs/reference/views-of-the-page.md.

Chromium draws them; colours are reduced to a palette, so that a picture has a few kilobytes.

    PYTHONPATH=src:. .venv/bin/python tools/page_pictures.py [NAME …]
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.support.browser import Server, chromium, served_page

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "docs" / "reference" / "views-of-the-page"
COLOURS: Final = 72
WIDE, MIDDLE, NARROW = (1180, 760), (820, 900), (390, 800)


@dataclass(frozen=True)
class View:
    """A picture: where it is taken, how large, and what is done before."""

    name: str
    where: str = ""
    size: tuple[int, int] = WIDE
    is_dark: bool = False
    before: Callable[[Page], None] = lambda page: page.wait_for_timeout(300)


def _play(document: str, tab: str, *moves: str) -> str:
    return f"play/{document}?tab={tab}&moves={quote(json.dumps(list(moves)))}"


def _library(page: Page) -> None:
    page.locator(".card .thumb > *").last.wait_for()


def _values(page: Page) -> None:
    page.locator(".worth").wait_for()
    page.get_by_role("button", name="Review my game").click()
    page.locator(".review").wait_for()


def _rules(page: Page) -> None:
    page.locator(".stage-of-turn").nth(1).hover()
    page.locator(".preview").wait_for()


def _trace(page: Page) -> None:
    page.get_by_label("Pin an expression").fill("|Free|")
    page.keyboard.press("Enter")
    page.locator("th", has_text="|Free|").wait_for()


def _reading(page: Page) -> None:
    page.get_by_label("order", exact=True).select_option("in order")
    page.locator(".contrast").wait_for()


def _refused(page: Page) -> None:
    page.locator('[data-place="(1, 1)"]').click()
    page.locator(".note").wait_for()


def _lines(page: Page) -> None:
    page.set_input_files("#file", ROOT / "tests" / "documents" / "four-points.md")
    for number in range(3):
        page.locator(".edge.is-lit .handle").first.click()
        page.locator(".tree > li").nth(number).wait_for()


CORNER, SIDE, MARKED = "Mark((1, 1))", "Mark((1, 2))", "Mark((2, 2))"
PAWNS = ("NextPlayerMove((6, 2), (5, 2))", "NextPlayerMove((2, 2), (3, 2))")
VIEWS: Final = (
    View("library", before=_library),
    View("play", _play("pawns", "moves", *PAWNS)),
    View("refused", _play("tic-tac-toe", "moves", CORNER), MIDDLE, before=_refused),
    View("lines", before=_lines),
    View("values", _play("tic-tac-toe", "values", CORNER, SIDE), before=_values),
    View("rules", _play("tic-tac-toe", "rules", CORNER, MARKED), before=_rules),
    View("trace", _play("tic-tac-toe", "trace", CORNER, MARKED, SIDE), before=_trace),
    View("graph", _play("tic-tac-toe", "graph", CORNER, MARKED), is_dark=True),
    View(
        "findings",
        _play("pegs", "findings"),
        before=lambda page: page.locator(".plays").wait_for(),
    ),
    View("readings", _play("four-quadrants", "readings"), before=_reading),
    View(
        "document",
        _play("tic-tac-toe", "document"),
        is_dark=True,
        before=lambda page: page.locator(".write-maths math").first.wait_for(),
    ),
    View("handout", _play("tic-tac-toe", "handout", CORNER, MARKED)),
    View("phone", _play("pegs", "moves", "NextPlayerMove(5, (2, 2))"), NARROW, is_dark=True),
)


def main(names: list[str]) -> None:
    """Take the pictures called *names*, or all."""
    FOLDER.mkdir(exist_ok=True)
    with served_page() as server, sync_playwright() as playwright, chromium(playwright) as browser:
        for view in VIEWS:
            if not names or view.name in names:
                data = taken(browser, server, view)
                (FOLDER / f"{view.name}.png").write_bytes(data)
                sys.stdout.write(f"{view.name}: {len(data):,} bytes\n")


def taken(browser: Browser, server: Server, view: View) -> bytes:
    """The picture of *view* as a PNG."""
    wide, high = view.size
    context = browser.new_context(
        viewport={"width": wide, "height": high}, color_scheme="dark" if view.is_dark else "light"
    )
    page = context.new_page()
    page.goto(server.address)
    page.locator(".card").first.wait_for()
    if view.where:
        page.goto(f"{server.root}#/{view.where}")
        page.locator("#board [data-spot]").first.wait_for()
    view.before(page)
    page.wait_for_timeout(400)
    shot = Image.open(io.BytesIO(page.screenshot()))
    context.close()
    packed = io.BytesIO()
    few = shot.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(packed, "PNG", optimize=True)
    return packed.getvalue()


if __name__ == "__main__":
    main(sys.argv[1:])
