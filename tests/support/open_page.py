"""The page in a browser, with what a person does and sees there."""

import re
from pathlib import Path

from playwright.sync_api import Browser, Locator, expect

from tests.support.browser import Server

SCREENSHOTS = Path(__file__).parents[2] / "screenshots"
"""Where tests leave what the page looked like; git ignores it."""


class OpenPage:
    """A page, with what a person does and sees there."""

    def __init__(
        self, browser: Browser, server: Server, *, width: int = 1400, scheme: str = "light"
    ) -> None:
        self.server = server
        self.context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if scheme == "dark" else "light",
        )
        self.page = self.context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on(
            "console", lambda said: self.errors.append(said.text) if said.type == "error" else None
        )
        self.page.goto(server.address)
        expect(self.page.get_by_role("button", name="Play Tic-tac-toe", exact=True)).to_be_visible()

    def open(self, where: str) -> None:
        """Go to a view by its address."""
        self.page.goto(f"{self.server.root}#/{where}")

    def play(self, document: str) -> None:
        """Open the board of a game of the library."""
        self.open(f"play/{document}?moves=[]")
        expect(self.page.locator("[data-spot]").first).to_be_visible()

    def paste(self, text: str) -> None:
        """Open a document by pasting it, and wait for its board."""
        self.page.get_by_label("The text of a document").fill(text)
        self.page.get_by_role("button", name="Open the text").click()
        expect(self.page.locator(".turn")).not_to_be_empty()

    def cell(self, place: str) -> Locator:
        return self.page.locator(f'#board [data-place="{place}"]')

    def click(self, *places: str) -> None:
        """Click at these cells, each when the one before has come of."""
        for place in places:
            self.cell(place).click()

    def mark(self, *places: str) -> None:
        """Make moves of one cell each."""
        for place in places:
            self.cell(place).click()
            expect(self.cell(place)).to_have_class(re.compile("is-last"))

    def shows(self, words: str) -> None:
        """Wait until it says so whose turn it is, or how it ended."""
        expect(self.page.locator(".turn")).to_contain_text(words)

    def keep(self, name: str) -> None:
        """Keep what it looks like."""
        SCREENSHOTS.mkdir(exist_ok=True)
        self.page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)

    def tab(self, name: str) -> Locator:
        """Turn to a panel."""
        self.page.get_by_role("tab", name=name, exact=True).click()
        return self.page.get_by_role("tabpanel")
