"""A program in a real browser: the server in a process of its own, and a page that shows it."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from playwright.sync_api import Browser, Locator, Page, Playwright, ViewportSize, expect

from tests.support.project import SOURCE

CHROMIUM = next(
    filter(
        None,
        map(
            shutil.which,
            ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
        ),
    ),
    None,
)
NO_CHROMIUM = "there is no Chromium on this machine; this installs it: apt-get install -y chromium"

# At this size of the window one pixel of the screen is one of the program.
WINDOW: ViewportSize = {"width": 1600, "height": 1020}
WIDTH, HEIGHT = 1000, 800
PATIENCE = 30_000
"""Milliseconds that a test waits for what must come."""

_ADDRESS = re.compile(r"http://[^/\s]+/#\S+")

# What was asked to be drawn is drawn when the browser next shows something.
_COLORS = """(points) => new Promise((resolve) => {
    const look = () => {
        const canvas = document.getElementById("canvas");
        const context = canvas.getContext("2d");
        resolve(points.map(([x, y]) => [...context.getImageData(
            Math.floor((x + 0.5) * canvas.width / 1000),
            Math.floor((800.5 - y) * canvas.height / 800), 1, 1).data]));
    };
    requestAnimationFrame(() => requestAnimationFrame(look));
})"""


class Server:
    """``zermelo easel`` or ``zermelo serve`` in a process of its own."""

    def __init__(self, *arguments: str, port: int = 0) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "zermelo", *arguments, "--port", str(port)],
            env={**os.environ, "PYTHONPATH": str(SOURCE), "NO_COLOR": "1", "PYTHONUTF8": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            # An interruption of the tests is theirs, and this one's is its own.
            start_new_session=True,
        )
        self.said = ""
        self.address = self._read_address()

    @property
    def root(self) -> str:
        """The address without its token."""
        return self.address.partition("#")[0]

    @property
    def token(self) -> str:
        """What lets one in."""
        return self.address.partition("#")[2].partition("/")[0]

    @property
    def home(self) -> str:
        """The address of the program for who was let in."""
        return f"{self.root}#/{self.address.partition('#')[2].partition('/')[2]}"

    @property
    def port(self) -> int:
        """The port at which it listens."""
        return int(self.root.rstrip("/").rpartition(":")[2])

    def interrupt(self) -> tuple[str, int]:
        """Press Ctrl-C; all that was said, and the exit code."""
        self._process.send_signal(signal.SIGINT)
        code = self._process.wait(timeout=20)
        return self.said + self._output.read(), code

    def close(self) -> None:
        """End it, if it still runs."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait(timeout=20)
        self._output.close()

    @property
    def _output(self) -> IO[str]:
        assert self._process.stdout is not None
        return self._process.stdout

    def _read_address(self) -> str:
        for line in self._output:
            self.said += line
            found = _ADDRESS.search(line)
            if found is not None:
                return found.group()
        self.close()
        raise AssertionError(f"the server ended and said:\n{self.said}")


@contextmanager
def served(program: Path | str, *, port: int = 0) -> Iterator[Server]:
    """A server that shows *program*."""
    server = Server("easel", str(program), "--no-browser", port=port)
    try:
        yield server
    finally:
        server.close()


@contextmanager
def served_page(*arguments: str, data: Path | str = "off", port: int = 0) -> Iterator[Server]:
    """A server of the page, which keeps what is opened in *data*."""
    server = Server("serve", "--no-open", "--data", str(data), *arguments, port=port)
    try:
        yield server
    finally:
        server.close()


@contextmanager
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """A browser without a window."""
    browser = playwright.chromium.launch(
        executable_path=CHROMIUM,
        # Chromium keeps its own sandbox from root, who runs the tests in a container.
        args=["--no-sandbox"] if os.geteuid() == 0 else [],
        timeout=60_000,
    )
    try:
        yield browser
    finally:
        browser.close()


class EaselPage:
    """A page that shows a program: what a person does there, and sees."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.errors: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(address)
        expect(page.locator("#canvas")).not_to_have_attribute("data-frame", "-1")

    @property
    def canvas(self) -> Locator:
        """The picture."""
        return self.page.locator("#canvas")

    @property
    def state(self) -> Locator:
        """The state that is shown beside the picture."""
        return self.page.locator("#state")

    def places(self, *points: tuple[int, int]) -> list[tuple[float, float]]:
        """The places in the window of these *points* of the program."""
        box = self.canvas.bounding_box()
        assert box is not None
        left, top, wide, high = box["x"], box["y"], box["width"], box["height"]
        return [
            (left + (x + 0.5) / WIDTH * wide, top + (HEIGHT + 0.5 - y) / HEIGHT * high)
            for x, y in points
        ]

    def click(self, *points: tuple[int, int]) -> None:
        """Click at these *points*, one after the other and without waiting."""
        for place in self.places(*points):
            self.page.mouse.click(*place)

    def press(self, name: str) -> None:
        """Press the button called *name*."""
        self.page.get_by_role("button", name=name, exact=True).click()

    def shows_text(self, text: str, *, at: tuple[int, int] | None = None) -> None:
        """Wait until *text* is in the picture, at this point if one is given."""
        place = "" if at is None else f'[data-at="{at[0]} {at[1]}"]'
        matching = self.page.locator(f"#shown li{place}").get_by_text(text, exact=True)
        expect(matching.first).to_be_attached(timeout=PATIENCE)

    def texts(self) -> list[str]:
        """The texts in the picture, in the order in which they are drawn."""
        return self.page.locator("#shown li").all_text_contents()

    def shows_state(self, text: str) -> None:
        """Wait until the state beside the picture is *text*."""
        expect(self.state).to_have_text(text, timeout=PATIENCE)

    def colors(self, *points: tuple[int, int]) -> list[tuple[int, int, int]]:
        """The colours on the canvas at these *points* of the program."""
        found = self.page.evaluate(_COLORS, [list(point) for point in points])
        return [(red, green, blue) for red, green, blue, _ in found]


def open_page(browser: Browser, address: str, *, script: str = "") -> EaselPage:
    """A new page at *address*, in a browser that knows nothing of the others.

    *script* runs before anything of the page does.
    """
    context = browser.new_context(viewport=WINDOW)
    context.add_init_script(script)
    return EaselPage(context.new_page(), address)
