"""The way in: the address lets a browser in, and nobody else comes in without it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.support.browser import EaselPage, Server, served
from tests.support.easel_sessions import COUNT

HOW = "To come in, open the address that the terminal shows, all of it:"
WRONG = "The token in this address is not the one of the program that runs here"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program in a file."""
    path = tmp_path_factory.mktemp("program") / "count.led"
    path.write_text(COUNT, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def server(program: Path) -> Iterator[Server]:
    """The program, served."""
    with served(program) as started:
        yield started


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser that was let in nowhere."""
    opened = browser.new_context()
    yield opened
    opened.close()


def _shows_how(page: Page) -> None:
    expect(page.get_by_text(HOW)).to_be_visible()
    expect(page.locator("#canvas")).to_have_count(0)


def test_who_has_no_token_is_told_how_to_come_in(context: BrowserContext, server: Server) -> None:
    page = context.new_page()
    page.goto(server.root)

    _shows_how(page)
    expect(page.locator("#example")).to_have_text(f"{server.root}#…")
    assert "count" not in page.content()
    assert context.cookies() == []


@pytest.mark.parametrize("end", ["#" + "0" * 64, "#wrong", "?token={token}", "?{token}"])
def test_a_wrong_address_lets_nobody_in(context: BrowserContext, server: Server, end: str) -> None:
    page = context.new_page()
    page.goto(server.root + end.format(token=server.token))

    _shows_how(page)
    expect(page.locator("#answer")).to_contain_text(WRONG if end.startswith("#") else "")
    assert context.cookies() == []


def test_the_right_address_typed_over_a_refusal_lets_in(
    context: BrowserContext, server: Server
) -> None:
    page = context.new_page()
    page.goto(server.root)
    _shows_how(page)

    page.goto(server.address)

    expect(page.locator("#engine")).to_have_text("connected")


def test_the_token_is_gone_from_the_address_and_from_the_history(
    context: BrowserContext, server: Server
) -> None:
    page = context.new_page()
    page.goto("about:blank")
    easel = EaselPage(page, server.address)

    assert page.url == server.home
    page.goto(server.address)
    expect(page).to_have_url(server.home)
    seen = page.evaluate("() => [document.cookie, JSON.stringify(history.state), location.href]")
    assert server.token not in "".join(seen)
    assert seen[0] == ""
    page.go_back()
    assert server.token not in page.url
    assert easel.errors == []


def test_the_token_is_sent_once_and_in_no_address(context: BrowserContext, server: Server) -> None:
    page = context.new_page()
    sent: list[str] = []
    bodies: list[str] = []
    page.on("request", lambda each: sent.append(f"{each.url} {each.all_headers()}"))
    page.on("request", lambda each: bodies.append(each.post_data or ""))

    EaselPage(page, server.address)

    assert bodies.count(server.token) == 1
    # What Playwright shows of an address has its fragment, which stays in the browser.
    assert not any(server.token in each.replace(server.address, "") for each in sent)


def test_the_cookie_is_for_no_script_and_no_other_site(
    context: BrowserContext, server: Server
) -> None:
    EaselPage(context.new_page(), server.address)
    (cookie,) = context.cookies()

    assert cookie.get("name") == f"zermelo-{server.port}"
    assert (cookie.get("httpOnly"), cookie.get("sameSite"), cookie.get("expires")) == (
        True,
        "Strict",
        -1,
    )
    assert server.token not in cookie.get("value", "")


def test_who_was_let_in_loads_again_and_opens_more_tabs(
    context: BrowserContext, server: Server
) -> None:
    page = context.new_page()
    EaselPage(page, server.address)
    page.reload()
    expect(page.locator("#engine")).to_have_text("connected")

    for address in (server.home, server.address):
        EaselPage(context.new_page(), address)


def test_another_browser_uses_the_same_address(browser: Browser, server: Server) -> None:
    for _ in range(2):
        context = browser.new_context()
        EaselPage(context.new_page(), server.address)
        context.close()


def test_who_follows_a_link_from_elsewhere_is_in_if_let_in_before(
    context: BrowserContext, server: Server
) -> None:
    """A browser sends no such cookie along with what another site asks for."""
    EaselPage(context.new_page(), server.address)
    page = context.new_page()
    page.route(
        "http://elsewhere.test/",
        lambda route: route.fulfill(
            body=f'<a href="{server.root}">play</a>', content_type="text/html"
        ),
    )
    page.goto("http://elsewhere.test/")
    page.get_by_text("play").click()

    expect(page.get_by_role("heading", name="Games written as mathematics")).to_be_visible()


def test_two_servers_do_not_disturb_each_other(
    context: BrowserContext, server: Server, program: Path
) -> None:
    with served(program) as other:
        first = EaselPage(context.new_page(), server.address)
        second = EaselPage(context.new_page(), other.address)

        for page in (first, second):
            page.page.reload()
            page.click((100, 100))
            page.shows_state("1")

        third = context.new_page()
        third.goto(f"{other.root}#{server.token}/run/file-program")
        # It was let in there already; the token of the other changes nothing.
        expect(third.locator("#engine")).to_have_text("connected")


def test_a_page_of_a_run_that_has_ended_is_told_so_and_let_in_by_the_new_address(
    context: BrowserContext, program: Path
) -> None:
    with served(program) as first:
        page = context.new_page()
        EaselPage(page, first.address)
        first.interrupt()
    with served(program, port=first.port) as second:
        expect(page.locator("#veil-text")).to_contain_text("The program was started anew.")

        # A page that is loaded again is as good as a new one.
        late = context.new_page()
        late.goto(second.root)
        _shows_how(late)
        late.goto(first.address)
        expect(late.locator("#answer")).to_contain_text(WRONG)

        # The new address is pasted over the old page.
        page.goto(second.address)
        expect(page.locator("#engine")).to_have_text("connected")
        expect(page).to_have_url(second.home)


def test_a_browser_that_keeps_no_cookies_is_told_so(browser: Browser, server: Server) -> None:
    context = browser.new_context()
    page = context.new_page()
    # As if the browser had thrown it away.
    page.route(
        "**/enter",
        lambda route: (
            route.fulfill(status=204) if route.request.method == "POST" else route.continue_()
        ),
    )
    page.goto(server.address)

    expect(page.locator("#answer")).to_contain_text("This browser keeps no cookie")
    context.close()


def test_pages_beyond_the_limit_are_told_so(context: BrowserContext, program: Path) -> None:
    with served(program) as crowded:
        page = context.new_page()
        EaselPage(page, crowded.address)
        opened = page.evaluate(
            """() => Promise.all(Array.from({ length: 40 }, () => new Promise((resolve) => {
                const socket = new WebSocket("easel/file-program/engine");
                socket.onmessage = ({ data }) => JSON.parse(data).session && resolve("in");
                socket.onclose = ({ code, reason }) => resolve(`${code} ${reason}`);
            })))"""
        )
        full = "4008 Too many pages show this program. Close some of them."
        assert (opened.count("in"), opened.count(full)) == (23, 17)

        late = context.new_page()
        late.goto(crowded.home)
        expect(late.locator("#veil-text")).to_have_text(
            "Too many pages show this program. Close some of them."
        )
        page.close()
        # It has tried again by itself.
        expect(late.locator("#engine")).to_have_text("connected")


def test_a_page_that_is_loaded_again_names_the_game_whose_place_it_takes(
    context: BrowserContext, server: Server
) -> None:
    page = context.new_page()
    asked: list[str] = []
    page.on("websocket", lambda socket: asked.append(socket.url.partition("?")[2]))
    page.goto(server.address)
    expect(page.locator("#state")).to_have_text("0")

    for _ in range(2):
        page.reload()
        expect(page.locator("#state")).to_have_text("0")
    other = context.new_page()
    other.on("websocket", lambda socket: asked.append(socket.url.partition("?")[2]))
    other.goto(server.home)
    expect(other.locator("#state")).to_have_text("0")

    first, second, third, elsewhere = asked
    assert (first, elsewhere) == ("", "")
    assert all(each.startswith("instead=") for each in (second, third))
    assert second != third
