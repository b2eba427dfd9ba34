"""The parts of the view that writes, in a real browser, under the policy of the page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.write_server import write_page

HEAP = """\
# A heap of 𝒫

Applicable Sets
  H : {0..3}
  N : {1, 2}
  B : {true, false}
System Variables
  heap ∈ H
  first, over ∈ B
System Facts
  over ↔ heap = 0
System Initialization
  heap = 3
  first = true
System States and Behavior
Take(n ∈ N)
  n ≤ haep → heap = heap − n ∧ first = ¬first
GameOver(over)
  result ∈ {first wins, second wins}
  over ∧ first → result = second wins
  over ∧ ¬first → result = first wins
"""
HOSTILE = """\
# <img src=x onerror="document.title='harmed'">

<script>document.title = 'harmed'</script>

Applicable Sets
  A : {"<img src=x onerror=alert(1)>", "</math><script>document.title='harmed'</script>"}
System Variables
  a ∈ A
System Initialization
  a = "<img src=x onerror=alert(1)>" // <svg onload="document.title='harmed'">
System States and Behavior
Go()
  a = a ∧ ∧ <b onclick=x>
"""


@contextmanager
def opened(browser: Browser, text: str = HEAP, *, scheme: str = "light") -> Iterator[Page]:
    """A page that has read *text*; nothing on it may break the policy or raise."""
    with write_page(text) as address:
        page = browser.new_page(
            viewport={"width": 1200, "height": 800},
            color_scheme="dark" if scheme == "dark" else "light",
        )
        raised: list[str] = []
        page.on("pageerror", lambda error: raised.append(str(error)))
        page.goto(address)
        expect(page.locator("body")).to_have_attribute("data-reads", "1")
        yield page
        assert page.evaluate("window.violations") == []
        assert raised == []
        page.close()


def text_of(page: Page) -> str:
    return str(page.evaluate("window.editor.getText()"))


def put_cursor(page: Page, before: str) -> None:
    """Put the cursor before the words *before*."""
    at = HEAP.index(before)
    page.evaluate(f"window.editor.reveal([{at}, {at}], {{ focus: true }})")


def test_tokens_have_their_colours_behind_letters_of_two_units(browser: Browser) -> None:
    with opened(browser) as page:
        expect(page.locator(".tok-heading").first).to_have_text("Applicable Sets")
        expect(page.locator(".tok-set").first).to_have_text("H")
        expect(page.locator(".tok-procedure").first).to_have_text("Take")
        colours = page.evaluate(
            """() => ["set", "operator"].map((kind) => getComputedStyle(
                document.querySelector(".write-editor").shadowRoot.querySelector(`.tok-${kind}`),
            ).color)"""
        )
        assert colours == ["rgb(39, 80, 111)", "rgb(154, 58, 34)"]


def test_dark_is_dark(browser: Browser) -> None:
    with opened(browser, scheme="dark") as page:
        expect(page.locator(".cm-editor")).to_have_css("background-color", "rgb(31, 34, 39)")
        expect(page.locator(".tok-set").first).to_have_css("color", "rgb(156, 195, 226)")


def test_a_squiggle_explains_itself_and_its_button_applies_the_fix(browser: Browser) -> None:
    with opened(browser) as page:
        squiggle = page.locator(".cm-lintRange", has_text="haep")
        expect(squiggle).to_have_count(1)
        squiggle.hover()
        said = page.locator(".cm-tooltip .said")
        expect(said).to_contain_text("haep")
        page.get_by_role("button", name="Replace by heap").click()
        expect(page.locator(".cm-lintRange", has_text="haep")).to_have_count(0)
        assert "n ≤ heap →" in text_of(page)
        assert page.evaluate("window.told.changes.length") == 1


def test_more_about_a_diagnostic_is_asked_for(browser: Browser) -> None:
    with opened(browser) as page:
        page.locator(".cm-lintRange", has_text="haep").hover()
        page.get_by_role("button", name="More about").first.click()
        assert len(page.evaluate("window.told.codes")) == 1


def test_a_symbol_is_typed_by_its_command(browser: Browser) -> None:
    with opened(browser) as page:
        put_cursor(page, "haep")
        page.keyboard.type("\\subseteq")
        expect(page.locator(".cm-tooltip-autocomplete [aria-selected]")).to_contain_text("⊆")
        page.keyboard.press("Tab")
        assert "n ≤ ⊆haep" in text_of(page)
        page.keyboard.type("\\cup ")
        assert "n ≤ ⊆∪ haep" in text_of(page)


def test_commands_stay_on_a_line_in_latex(browser: Browser) -> None:
    with opened(browser) as page:
        put_cursor(page, "haep")
        page.keyboard.type("$x$ \\in ")
        assert "$x$ \\in haep" in text_of(page)


def test_the_palette_is_one_stop_with_arrows_inside(browser: Browser) -> None:
    with opened(browser) as page:
        put_cursor(page, "haep")
        bar = page.get_by_role("toolbar", name="Symbols")
        assert bar.locator("button[tabindex='0']").count() == 1
        bar.locator("button").first.focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        assert "n ≤ ∧haep" in text_of(page)
        # The editor has the focus again, and what is typed goes behind the sign.
        page.keyboard.type("x")
        assert "n ≤ ∧xhaep" in text_of(page)


def test_the_tab_key_leaves_the_editor(browser: Browser) -> None:
    with opened(browser) as page:
        put_cursor(page, "haep")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "write-maths"


def test_the_mathematics_says_what_the_document_says(browser: Browser) -> None:
    with opened(browser) as page:
        formulas = page.locator(".write-maths math")
        expect(formulas.nth(0)).to_have_text("H:{0..3}")
        expect(page.locator(".write-maths math", has_text="over↔heap=0")).to_have_count(1)
        namespace = page.evaluate("document.querySelector('.write-maths mi').namespaceURI")
        assert namespace == "http://www.w3.org/1998/Math/MathML"


def test_hovering_asks_for_the_value_and_clicking_leads_to_the_source(browser: Browser) -> None:
    with opened(browser) as page:
        fact = page.locator(".write-maths .formula", has_text="over↔heap=0")
        fact.locator("mi", has_text="heap").hover()
        expect(page.locator(".write-value .is")).to_have_text("3")
        fact.locator("mi", has_text="heap").click()
        at = HEAP.index("heap = 0")
        assert page.evaluate("window.told.clicks") == [[at, at + 4]]
        expect(page.locator(".revealed")).to_have_text("heap")


def test_the_mathematics_is_walked_by_keyboard(browser: Browser) -> None:
    with opened(browser) as page:
        page.locator(".write-maths").focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowRight")
        expect(page.locator(".write-maths .is-under")).to_have_text("H")
        expect(page.locator(".write-value .is")).to_have_text("{0, 1, 2, 3}")
        page.keyboard.press("Enter")
        at = HEAP.index("H :")
        assert page.evaluate("window.told.clicks") == [[at, at + 1]]


def test_the_cursor_is_shown_in_the_mathematics(browser: Browser) -> None:
    with opened(browser) as page:
        page.locator(".cm-line", has_text="over ↔ heap").click()
        expect(page.locator(".write-maths .is-shown")).to_have_count(1)
        at = HEAP.index("heap = 0")
        page.evaluate(f"window.maths.highlight([{at}, {at + 8}])")
        expect(page.locator(".write-maths .is-shown")).to_have_text("heap=0")


def test_an_answer_about_an_older_text_is_not_shown(browser: Browser) -> None:
    with opened(browser) as page:
        page.evaluate("window.editor.setTokens([[0, 4, 'damaged']], 'an older text')")
        expect(page.locator(".tok-damaged")).to_have_count(0)


def test_no_document_becomes_markup(browser: Browser) -> None:
    with opened(browser, HOSTILE) as page:
        expect(page.locator(".write-maths h1")).to_contain_text("<img src=x")
        expect(
            page.locator(".write-maths img, .write-maths script, .write-maths svg")
        ).to_have_count(0)
        assert page.title() == "The parts of the view that writes"
        page.locator(".cm-lintRange").first.hover()
        expect(page.locator(".cm-tooltip .said").first).to_be_visible()
        expect(page.locator(".cm-tooltip img, .cm-tooltip script")).to_have_count(0)


def test_taking_the_parts_away_leaves_nothing(browser: Browser) -> None:
    with opened(browser) as page:
        page.evaluate("() => { window.editor.destroy(); window.maths.destroy(); }")
        assert page.evaluate("document.querySelector('main').textContent.trim()") == ""


@pytest.mark.parametrize("width", [390, 1600])
def test_nothing_is_wider_than_the_window(browser: Browser, width: int) -> None:
    with opened(browser) as page:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
