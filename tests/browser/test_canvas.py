"""What is beside a program on its canvas: its text, its names, the prompt, others who play."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.support.browser import EaselPage, Server, open_page, served, served_page
from tests.support.easel_sessions import COUNT
from tests.support.page_editor import write

# A click into the lower left corner counts up, and `left` is derived.
BUTTON = """
/$ ledGame
initialState := 3
left := 10 - currentState
newState := currentState + 1 if mouseClicked & mouseX < 200 & mouseY < 200; currentState otherwise
images := {text(prettyPrint(left), point(500, 400), 80, dBlue)} $/
"""
CORNER = (50, 50)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server of the page."""
    with served_page() as started:
        yield started


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[EaselPage]:
    """The program of the library, on its canvas in the page."""
    opened = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    opened.goto(server.address)
    opened.get_by_role("link", name="Play Tic-tac-toe in LED").click()
    shown = EaselPage(opened, f"{server.root}#/run/tic-tac-toe-led")
    yield shown
    assert shown.errors == []
    opened.context.close()


def _tab(page: Page, name: str) -> Locator:
    page.get_by_role("tab", name=name, exact=True).click()
    return page.locator(f"#panel-{name.lower()}")


def test_names_are_watched_and_the_prompt_answers(page: EaselPage) -> None:
    watched = page.page.locator("#watched")
    expect(watched).to_contain_text("playerToMove")
    page.page.get_by_label("Watch", exact=True).fill("|currentState|")
    page.page.keyboard.press("Enter")
    expect(watched.locator("div").last).to_contain_text("0")

    page.click((250, 550))
    expect(watched.locator("div").last).to_contain_text("1")
    prompt = _tab(page.page, "Prompt")
    prompt.get_by_label("Ask the program").fill("playerToMove")
    page.page.keyboard.press("Enter")
    expect(prompt.locator("pre").last).to_have_text('"`o"')


def test_what_does_something_is_outlined_and_can_be_pressed(page: EaselPage) -> None:
    page.press("Outline what does something")

    # Nine cells; in the empty grid the button does nothing.
    inputs = page.page.locator("#outlined-list button")
    expect(inputs).to_have_count(9)
    page.page.get_by_role("button", name="click 250 550", exact=True).click()
    page.shows_state("{(`x, 5)}")
    expect(inputs).to_have_count(9)
    expect(page.page.get_by_role("button", name="click 450 750", exact=True)).to_be_visible()


def test_another_player_answers_and_a_line_that_was_left_is_taken_up(page: EaselPage) -> None:
    page.page.get_by_label("Who plays o").select_option("perfect")
    page.click((150, 650))
    # After a corner only the middle does not lose.
    page.shows_state("{(`x, 1), (`o, 5)}")
    page.page.get_by_label("Who plays o").select_option("person")

    for _ in range(2):
        page.press("To the state before")
    page.shows_state("{}")
    page.click((250, 450))
    page.press("Continue from here")
    page.shows_state("{(`x, 8)}")
    page.page.locator("#lines button").first.click()
    page.shows_state("{(`x, 1), (`o, 5)}")


def test_a_link_leads_to_the_state(page: EaselPage) -> None:
    page.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click((250, 550))
    page.shows_state("{(`x, 5)}")
    page.press("Copy link")
    expect(page.page.locator("#engine")).to_contain_text("the link is copied")
    link = page.page.evaluate("() => navigator.clipboard.readText()")

    page.page.goto("about:blank")
    EaselPage(page.page, link).shows_state("{(`x, 5)}")


def test_the_text_is_changed_and_the_program_goes_on_in_its_state(
    browser: Browser, tmp_path: Path
) -> None:
    path = tmp_path / "button.led"
    path.write_text(BUTTON, "utf-8")
    with served(path) as started:
        page = open_page(browser, started.address)
        page.click(CORNER)
        page.shows_text("6")
        panel = _tab(page.page, "Program")
        expect(panel.get_by_label("The program", exact=True)).to_contain_text("left := 10")
        write(page.page, BUTTON.replace("10", "100"), label="The program")

        page.shows_text("96")
        expect(panel.locator("#program-said")).to_have_text("Read again; the state is as it was.")
        write(page.page, BUTTON.replace(":= 10", ":= (10"), label="The program")
        expect(panel.locator("#program-said")).to_contain_text("runs on")
        expect(panel.locator("#program-diagnostics .is-error").first).to_be_visible()
        page.shows_text("96")
        page.click(CORNER)
        page.shows_text("95")
        write(page.page, BUTTON.replace("10", "50"), label="The program")
        page.shows_text("45")
        page.press("Save")
        expect(panel.locator("#program-said")).to_have_text("Saved button.led.")
        assert path.read_text("utf-8") == BUTTON.replace("10", "50")

        # The file is changed with another program.
        path.write_text(BUTTON.replace("10", "30"), "utf-8")
        page.shows_text("25")
        expect(panel.get_by_label("The program", exact=True)).to_contain_text("left := 30")
        assert page.errors == []
        page.page.context.close()


def test_a_broken_program_is_mended_in_the_page(browser: Browser, server: Server) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(server.address)
    page.get_by_label("The text of a document").fill(COUNT.replace(":= 0", ":= (0"))
    page.get_by_role("button", name="Open the text").click()
    page.get_by_role("link", name="Canvas").click()

    expect(page.locator("#veil-text")).to_contain_text("it does not define `initialState`")
    expect(page.locator("#program-diagnostics .is-error").first).to_be_visible()
    write(page, COUNT, label="The program")
    expect(page.locator("#state")).to_have_text("0", use_inner_text=False)
    context.close()
