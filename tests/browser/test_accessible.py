"""No view of the page keeps people out: axe-core finds nothing serious in any of them."""

import hashlib
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import Server, served_page
from tests.support.project import TESTS

AXE = TESTS / "vendor" / "axe-core" / "axe.min.js"
TABS = ("moves", "values", "rules", "trace", "graph", "findings", "readings", "document", "handout")
# In drawings, letters are part of the picture, and what is said of them tells more. An editor is
# scrolled with the keys that move its cursor.
_FOUND = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => [id, nodes.map(({ html }) => html).filter((html) =>
        !(id === "label-content-name-mismatch" && html.startsWith("<g "))
        && !(id === "scrollable-region-focusable" && html.includes("cm-scroller")))])
    .filter(([, nodes]) => nodes.length)
    .map(([id, nodes]) => `${id}: ${nodes.map((html) => html.slice(0, 160)).join(" | ")}`)"""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server of the page."""
    with served_page() as started:
        yield started


def test_axe_is_the_one_that_was_published() -> None:
    text = (TESTS / "vendor" / "README.md").read_text("utf-8")

    assert re.findall(r"`([0-9a-f]{64})`", text) == [hashlib.sha256(AXE.read_bytes()).hexdigest()]


def _violations(page: Page) -> list[str]:
    # The policy of the page lets no other script in: this one comes through the debugger.
    page.evaluate(AXE.read_text("utf-8"))
    found: list[str] = page.evaluate(_FOUND)
    return found


def _looked_at(page: Page, root: str, where: str, shown: str) -> list[str]:
    page.goto(f"{root}#/{where}")
    expect(page.locator(shown).first).to_be_visible()
    expect(page.locator(".progress, .busy")).to_have_count(0)
    return [f"{where}: {each}" for each in _violations(page)]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_is_found_in_any_view(
    browser: Browser, server: Server, scheme: str
) -> None:
    wide = {"width": 1280, "height": 900}
    context = browser.new_context(color_scheme=scheme, viewport=wide)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(server.address)
    expect(page.locator(".card").first).to_be_visible()
    found = _violations(page)
    # The panels are the same in both; colours are what differs.
    tabs = TABS if scheme == "light" else ("moves", "values", "document")
    for tab in tabs:
        where = f"play/tic-tac-toe?moves=%5B%22mark((1,+1))%22%5D&tab={tab}"
        found += _looked_at(page, server.root, where, "#board [data-spot]")
    found += _looked_at(page, server.root, "play/tic-tac-toe-net?moves=[]", "#board [data-spot]")
    page.get_by_text("The net", exact=True).click()
    found += _violations(page)
    for tab in ("state", "prompt", "program", "keys"):
        found += _looked_at(page, server.root, f"run/tic-tac-toe-led?tab={tab}", f"#panel-{tab}")
    context.close()

    assert not found, "\n".join(found)


def test_nothing_serious_is_found_on_the_way_in(browser: Browser, server: Server) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(server.root)
    expect(page.locator("#how")).to_be_visible()
    found = _violations(page)
    context.close()

    assert not found, "\n".join(found)
