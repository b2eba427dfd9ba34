"""Programs of our own in a real browser: clicks, keys, time, faults and lost connections."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, expect

from tests.support.browser import EaselPage, open_page, served

WHITE, BLACK, RED = (255, 255, 255), (0, 0, 0), (255, 0, 0)
GREEN, BLUE, ORANGE = (0, 255, 0), (0, 0, 255), (255, 128, 0)

# Every click becomes a pair: which click it was, and in which quarter of the window.
CLICKS = """
/$ ledGame
initialState := {}
newState :=
    currentState U {(|currentState| + 1, floor(mouseX / 250))} if mouseClicked;
    currentState otherwise
images := {text(prettyPrint(|currentState|), point(500, 400), 80, dBlue)} $/
"""

# A disc that keys move, and a count of the frames in which the key A was held.
KEYS = """
/$ ledGame
initialState := (500, 400, 0)
newState := (x + dx, y + dy, held)
    where x = currentState[1] & y = currentState[2] &
          dx = step("RIGHT") - step("LEFT") & dy = step("UP") - step("DOWN") &
          held = currentState[3] + step("A")
step(k) := 1 if k in keys; 0 otherwise
images := {disc(point(currentState[1], currentState[2]), 20, dRed),
           text(prettyPrint(currentState[3]), point(100, 100), 40, dBlack)} $/
"""

# Counts its frames by itself.
CLOCK = """
/$ ledGame
initialState := 0
newState := currentState + 1
images := {text(prettyPrint(currentState), point(500, 400), 80, dBlack)} $/
"""

# The second image is a number, which nobody can draw.
BROKEN = """
/$ ledGame
initialState := 7
newState := currentState + 1 if mouseClicked; currentState otherwise
images := {text("still here", point(500, 400), 60, dBlack), currentState} $/
"""

# From the third click on there is no new state.
STUCK = """
/$ ledGame
initialState := 0
newState := currentState + 1 if mouseClicked & currentState < 2; currentState if ~mouseClicked
images := {text(prettyPrint(currentState), point(500, 400), 60, dBlack)} $/
"""

# One of everything that can be drawn, and no two on the same point.
SHAPES = """
/$ ledGame
initialState := 0
newState := 0
images := {segment(point(10, 790), point(90, 790), dBlack),
           circle(point(200, 700), 50, dRed),
           disc(point(400, 700), 50, dGreen),
           fTri(point(500, 650), point(600, 650), point(550, 750), dBlue),
           disc(point(400, 300), 60, dYellow), disc(point(420, 300), 40, dViolet),
           graphic("dot.png", point(700, 700), 0, 0),
           graphic("dot.png", point(850, 700), 100, 50)} $/
"""


# A picture that moves, under a count of the frames.
FILM = """
/$ ledGame
initialState := 0
newState := currentState + 1
images := {graphic("film.gif", point(500, 400), 0, 0)} $/
"""

# Every click makes all the sounds that the page knows, and asks for a file that is not there.
SOUNDS = """
/$ ledGame
initialState := 0
newState := currentState + 1 if mouseClicked; currentState otherwise
sounds := {"ding", "bang", "boing", "clap", "click", "none.wav"} if mouseClicked; {} otherwise
images := {text(prettyPrint(currentState), point(500, 400), 60, dBlack)} $/
"""

# Counts the tones and noises that are started.
COUNT_STARTS = """
window.starts = 0;
for (const kind of [AudioScheduledSourceNode, AudioBufferSourceNode]) {
    const start = kind.prototype.start;
    kind.prototype.start = function (...rest) {
        window.starts += 1;
        return start.apply(this, rest);
    };
}
"""

Open = Callable[[str], EaselPage]


@pytest.fixture(scope="module")
def address_of(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], str]]:
    """What serves a program, each once, and gives its address."""
    with ExitStack() as stack:

        @cache
        def serve(text: str) -> str:
            folder = tmp_path_factory.mktemp("program")
            Image.new("RGB", (40, 40), ORANGE).save(folder / "dot.png")
            # One second red, then one second green.
            Image.new("RGB", (40, 40), RED).save(
                folder / "film.gif",
                save_all=True,
                append_images=[Image.new("RGB", (40, 40), GREEN)],
                duration=1000,
                loop=0,
            )
            return stack.enter_context(served(program(folder, text))).address

        yield serve


@pytest.fixture
def page_of(browser: Browser, address_of: Callable[[str], str]) -> Iterator[Open]:
    """What opens a page with a program; at the end no page has had an error of its own."""
    opened: list[EaselPage] = []

    def open_program(text: str) -> EaselPage:
        opened.append(open_page(browser, address_of(text)))
        return opened[-1]

    yield open_program
    for page in opened:
        page.page.context.close()
    assert [error for page in opened for error in page.errors] == []


def program(folder: Path, text: str) -> Path:
    """A file in *folder* with the program *text*."""
    path = folder / "program.led"
    path.write_text(text, encoding="utf-8")
    return path


# Clicks


def test_every_click_is_played_once_and_in_its_order(page_of: Open) -> None:
    page = page_of(CLICKS)
    page.page.get_by_label("Speed").select_option("4")
    quarters = [0, 3, 1, 2, 2, 0, 1, 3, 0, 0, 1, 3, 2, 3, 3, 1]

    page.click(*((100 + 250 * quarter, 400) for quarter in quarters))

    pairs = (f"({number}, {quarter})" for number, quarter in enumerate(quarters, start=1))
    page.shows_state("{" + ", ".join(pairs) + "}")


def test_clicks_faster_than_any_frame_are_each_played_once(page_of: Open) -> None:
    page = page_of(CLICKS)
    page.page.get_by_label("Speed").select_option("4")

    # All of them within one task of the page, so that no frame can come between.
    page.canvas.evaluate(
        """(canvas) => {
            for (let click = 0; click < 250; click += 1) {
                for (const type of ["pointerdown", "pointerup"]) {
                    canvas.dispatchEvent(new PointerEvent(type, {
                        button: 0, isPrimary: true, clientX: 300, clientY: 300, bubbles: true,
                    }));
                }
            }
        }"""
    )

    page.shows_text("250")
    stays = page.canvas.get_attribute("data-frame")
    expect(page.canvas).not_to_have_attribute("data-frame", str(stays))
    page.shows_text("250")


def test_a_double_click_is_two_clicks(page_of: Open) -> None:
    page = page_of(CLICKS)
    (place,) = page.places((500, 400))

    page.page.mouse.dblclick(*place)

    page.shows_state("{(1, 2), (2, 2)}")


def test_only_the_left_button_clicks(page_of: Open) -> None:
    page = page_of(CLICKS)
    one, other = page.places((100, 100), (300, 200))

    page.page.mouse.click(*one, button="right")
    page.page.mouse.click(*other, button="middle")
    page.click((600, 300))

    page.shows_state("{(1, 2)}")


def test_the_corners_of_the_picture_are_its_first_and_last_points(page_of: Open) -> None:
    page = page_of(CLICKS)

    for number, corner in enumerate([(0, 800), (999, 800), (0, 1), (999, 1)], start=1):
        page.click(corner)
        page.shows_text(str(number))
        expect(page.page.locator("#input dd")).to_have_text(["false", *map(str, corner), "{}"])


# Keys


def test_a_key_that_is_held_is_seen_in_every_frame(page_of: Open) -> None:
    page = page_of(KEYS)
    page.canvas.focus()

    page.page.keyboard.down("ArrowRight")
    expect(page.page.locator("#input")).to_contain_text("{RIGHT}")
    page.page.keyboard.up("ArrowRight")
    expect(page.page.locator("#input")).to_contain_text("{}")

    x, y, held = page.state.inner_text().strip("()").split(", ")
    assert int(x) > 500
    assert (y, held) == ("400", "0")


def test_a_key_that_was_pressed_between_two_frames_is_seen_once(page_of: Open) -> None:
    page = page_of(KEYS)
    page.canvas.focus()
    page.press("Pause")
    page.canvas.focus()

    page.page.keyboard.press("a")
    page.press("One frame forward")
    page.press("One frame forward")

    page.shows_state("(500, 400, 1)")


def test_keys_go_to_the_program_only_while_the_picture_has_the_focus(page_of: Open) -> None:
    page = page_of(KEYS)
    page.canvas.focus()
    page.page.keyboard.down("A")
    expect(page.page.locator("#input")).to_contain_text("{A}")

    # Whoever leaves the picture lets go of the key.
    page.page.keyboard.press("Tab")

    expect(page.page.locator("#input")).to_contain_text("{}")
    page.page.keyboard.press("a")
    expect(page.page.locator("#input")).to_contain_text("{}")


def test_keys_of_the_page_work_outside_the_picture(page_of: Open) -> None:
    page = page_of(CLOCK)

    page.page.locator("body").press("p")

    expect(page.page.get_by_role("button", name="Play", exact=True)).to_be_visible()


# Time


def test_time_stands_still_and_goes_on_frame_by_frame(page_of: Open) -> None:
    page = page_of(CLOCK)
    page.press("Pause")
    expect(page.page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    now = int(page.state.inner_text())

    page.press("One frame forward")
    page.shows_state(str(now + 1))
    page.press("One frame forward")
    page.shows_state(str(now + 2))
    page.press("One frame back")

    page.shows_state(str(now + 1))
    page.shows_text(str(now + 1))


def test_one_goes_back_in_time_and_makes_another_future(page_of: Open) -> None:
    page = page_of(CLICKS)
    page.click((100, 100), (300, 200), (600, 300))
    page.shows_state("{(1, 0), (2, 1), (3, 2)}")

    page.press("To the state before")
    page.shows_state("{(1, 0), (2, 1)}")
    page.press("To the state before")
    page.shows_state("{(1, 0)}")
    page.press("To the state after")
    page.shows_state("{(1, 0), (2, 1)}")
    page.press("Continue from here")
    page.click((800, 400))

    page.shows_state("{(1, 0), (2, 1), (3, 3)}")


def test_the_slider_goes_to_any_frame(page_of: Open) -> None:
    page = page_of(CLOCK)
    expect(page.canvas).to_have_attribute("data-frame", re.compile(r"\d\d"))

    page.page.get_by_label("Frame", exact=True).fill("4")

    page.shows_state("4")
    expect(page.canvas).to_have_attribute("data-frame", "4")
    expect(page.page.get_by_text("in the past")).to_be_visible()


def test_a_click_while_time_stands_still_waits_for_the_next_frame(page_of: Open) -> None:
    page = page_of(CLICKS)
    page.press("Pause")

    page.click((300, 100), (600, 200))
    expect(page.page.get_by_text("2 clicks wait")).to_be_visible()
    page.press("One frame forward")

    page.shows_state("{(1, 1)}")


def test_beginning_anew_begins_with_frame_zero(page_of: Open) -> None:
    page = page_of(CLICKS)
    page.click((100, 100))
    page.shows_text("1")
    page.press("Pause")

    page.press("Begin anew")

    page.shows_state("{}")
    expect(page.canvas).to_have_attribute("data-frame", "0")


# Faults


def test_an_image_that_makes_no_sense_is_told_on_the_screen(page_of: Open) -> None:
    page = page_of(BROKEN)

    expect(page.page.get_by_role("alert")).to_contain_text("image 2 makes no sense")
    page.shows_text("still here")
    page.click((100, 100))
    page.shows_state("8")


def test_a_frame_without_a_new_state_is_told_and_one_can_begin_anew(page_of: Open) -> None:
    page = page_of(STUCK)
    page.click((1, 1), (2, 2))
    page.shows_text("2")
    expect(page.page.get_by_role("alert")).to_have_count(0)

    page.click((3, 3))
    expect(page.page.get_by_role("alert")).to_contain_text("`newState`")
    page.shows_state("2")
    page.press("To the state before")
    page.shows_state("1")
    page.press("Begin anew")

    page.shows_state("0")


# Pictures


def test_everything_that_can_be_drawn_is_drawn(page_of: Open) -> None:
    page = page_of(SHAPES)

    wait_for_colors(page, {(700, 700): ORANGE, (715, 715): ORANGE, (725, 700): WHITE})
    wait_for_colors(page, {(805, 680): ORANGE, (895, 720): ORANGE, (850, 730): WHITE})
    assert page.colors((50, 790), (200, 700)) == [BLACK, WHITE]
    assert page.colors((400, 700), (550, 680), (505, 740)) == [GREEN, BLUE, WHITE]
    # Later images are over earlier ones.
    assert page.colors((350, 300), (400, 300)) == [(255, 255, 0), (148, 0, 211)]
    # A curve does not fill its pixels.
    ((red, green, blue),) = page.colors((150, 700))
    assert red == 255
    assert green == blue < 128


def test_a_picture_that_moves_moves_with_the_time_of_the_program(page_of: Open) -> None:
    page = page_of(FILM)
    slider = page.page.get_by_label("Frame", exact=True)
    page.page.get_by_label("Speed").select_option("4")
    expect(page.canvas).to_have_attribute("data-frame", re.compile(r"[6-9]\d|\d\d\d"))

    slider.fill("10")
    wait_for_colors(page, {(500, 400): RED})
    slider.fill("45")
    wait_for_colors(page, {(500, 400): GREEN})


def wait_for_colors(page: EaselPage, colors: dict[tuple[int, int], tuple[int, int, int]]) -> None:
    """Wait until a picture file has been loaded and shows these *colors* at these points."""
    # Each look waits for the browser to draw once more.
    looks = (page.colors(*colors) == list(colors.values()) for _ in range(200))
    assert any(looks), page.colors(*colors)


# Sounds


def test_a_click_sounds_unless_the_sound_is_off(
    browser: Browser, address_of: Callable[[str], str]
) -> None:
    page = open_page(browser, address_of(SOUNDS), script=COUNT_STARTS)
    page.click((100, 100))
    page.shows_text("1")
    # Seven tones and four noises.
    assert page.page.evaluate("window.starts") == 11

    page.press("Sound")
    page.click((100, 100))
    page.shows_text("2")

    assert page.page.evaluate("window.starts") == 11
    assert page.errors == []
    page.page.context.close()


# Connections


def test_a_lost_connection_is_said_and_made_anew(browser: Browser, tmp_path: Path) -> None:
    path = program(tmp_path, CLICKS)
    with served(path) as server:
        page = open_page(browser, server.address)
        page.click((100, 100))
        page.shows_text("1")
        said, code = server.interrupt()
    assert (said.splitlines()[-1], code) == ("ended.", 0)
    expect(page.page.get_by_text("The connection with the program was lost")).to_be_visible()

    with served(path, port=server.port) as anew:
        # Another run is another token; who opens its address brings all pages back.
        expect(page.page.locator("#veil-text")).to_contain_text("The program was started anew")
        tab = EaselPage(page.page.context.new_page(), anew.address)
        expect(page.page.locator("#veil-text")).to_be_hidden()
        tab.page.close()
        page.page.bring_to_front()
        # It goes on where it was.
        page.shows_state("{(1, 0)}")
        page.click((300, 300))
        page.shows_state("{(1, 0), (2, 1)}")
    page.page.context.close()


def test_a_page_from_elsewhere_gets_no_connection(browser: Browser, tmp_path: Path) -> None:
    with served(program(tmp_path, CLICKS)) as server:
        context = browser.new_context()
        stranger = context.new_page()
        stranger.goto("about:blank")

        answer = stranger.evaluate(
            """(address) => new Promise((resolve) => {
                const socket = new WebSocket(`${address}easel/file-program/engine`);
                socket.onopen = () => resolve("open");
                socket.onerror = () => resolve("refused");
            })""",
            server.root.replace("http", "ws"),
        )

        context.close()
    assert answer == "refused"


# Everybody


def test_all_controls_have_names(page_of: Open) -> None:
    page = page_of(CLOCK)

    buttons = page.page.locator(".run-stage").get_by_role("button")
    names = buttons.evaluate_all(
        "(all) => all.map((each) => each.getAttribute('aria-label') || each.textContent)"
    )

    assert names == [
        "To the state before",
        "One frame back",
        "Pause",
        "One frame forward",
        "To the state after",
        "Begin anew",
        "Copy link",
        "Outline what does something",
        "Sound",
    ]
    assert page.canvas.get_attribute("aria-describedby") == "shown"


def test_sound_can_be_switched_off_and_stays_off(page_of: Open) -> None:
    page = page_of(CLICKS)
    sound = page.page.get_by_role("button", name="Sound")
    expect(sound).to_have_attribute("aria-pressed", "true")

    sound.click()
    page.page.reload()

    expect(sound).to_have_attribute("aria-pressed", "false")
