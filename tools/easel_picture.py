"""Takes the picture of the page of an Easel program that the documentation shows.

Run it as `PYTHONPATH=src:. .venv/bin/python tools/easel_picture.py` on a machine with Chromium.
Letters look different on every machine, so nobody compares the picture; take it again when the
page has changed.
"""

from playwright.sync_api import sync_playwright

from tests.support.browser import EaselPage, chromium, served
from tests.support.project import DOCS

PROGRAM = "tic-tac-toe-led"
CLICKS = ((250, 550), (150, 650), (350, 650), (150, 450), (150, 550))
PICTURE = DOCS / "how-to" / "easel-in-the-browser.png"


def main() -> None:
    """Play some moves, and take the picture."""
    with (
        sync_playwright() as playwright,
        chromium(playwright) as browser,
        served(PROGRAM) as server,
    ):
        context = browser.new_context(viewport={"width": 1200, "height": 760})
        page = EaselPage(context.new_page(), server.address)
        for click in CLICKS:
            page.click(click)
            # So that the marks over the slider stand apart.
            page.page.wait_for_timeout(300)
        page.page.wait_for_timeout(1000)
        page.page.screenshot(path=PICTURE)
    print(f"wrote {PICTURE.name}")


if __name__ == "__main__":
    main()
