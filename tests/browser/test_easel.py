"""The game of the library, played in a real browser with the mouse."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import EaselPage, Server, open_page, served

BLACK, WHITE, BLUE = (0, 0, 0), (255, 255, 255), (0, 0, 255)
RESTART = (450, 750)
TURN = (100, 750)
RESULT = (200, 750)


def cells(numbers: str) -> list[tuple[int, int]]:
    """The middles of the cells with these *numbers*, which count row by row from the top left."""
    return [(150 + 100 * ((int(n) - 1) % 3), 650 - 100 * ((int(n) - 1) // 3)) for n in numbers]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """The game of the library, served."""
    with served("tic-tac-toe-led") as started:
        yield started


@pytest.fixture(scope="module")
def page(browser: Browser, server: Server) -> Iterator[EaselPage]:
    """A page for all games of this file."""
    opened = open_page(browser, server.address)
    yield opened
    assert opened.errors == []
    opened.page.context.close()


@pytest.fixture
def game(page: EaselPage) -> EaselPage:
    """The page with a new game."""
    page.press("Begin anew")
    page.shows_state("{}")
    return page


def test_the_first_picture_is_an_empty_grid_with_a_turn_and_a_button(game: EaselPage) -> None:
    game.shows_state("{}")

    assert game.texts() == ["restart", "x's turn"]
    # The grid's four lines, the empty cells, and the button's box.
    lines = [(200, 550), (300, 450), (150, 600), (350, 500), (350, 750), (450, 725)]
    assert game.colors(*lines) == [BLACK] * len(lines)
    empty = [(150, 650), (250, 550), (201, 550), (199, 550), (150, 601), (150, 599), (700, 200)]
    assert game.colors(*empty) == [WHITE] * len(empty)


def test_players_take_turns(game: EaselPage) -> None:
    game.shows_text("x's turn", at=TURN)

    game.click(*cells("5"))
    game.shows_text("o's turn", at=TURN)
    game.click(*cells("1"))
    game.shows_text("x's turn", at=TURN)

    game.shows_state("{(`x, 5), (`o, 1)}")
    assert game.texts() == ["o", "x", "restart", "x's turn"]


def test_x_wins_and_the_message_replaces_the_turn(game: EaselPage) -> None:
    game.click(*cells("14253"))

    game.shows_text("x won", at=RESULT)
    assert game.texts() == ["x", "x", "x", "o", "o", "restart", "x won"]
    # The letters of the message are blue, and those of the turn are gone.
    assert BLUE in game.colors(*((x, y) for x in range(140, 260, 2) for y in range(740, 762, 2)))
    assert set(game.colors(*((x, 750) for x in range(5, 130)))) == {WHITE}


def test_o_wins(game: EaselPage) -> None:
    game.click(*cells("142596"))

    game.shows_text("o won", at=RESULT)
    assert "x won" not in game.texts()


def test_the_cat_gets_a_full_board_without_a_row(game: EaselPage) -> None:
    game.click(*cells("123546879"))

    game.shows_text("cat got it", at=RESULT)
    assert len(game.texts()) == 9 + 2


def test_a_win_with_the_ninth_move_shows_the_winner(game: EaselPage) -> None:
    game.click(*cells("14256879"))
    game.shows_text("x's turn", at=TURN)

    game.click(*cells("3"))

    game.shows_text("x won", at=RESULT)
    assert "cat got it" not in game.texts()


def test_after_the_end_only_restart_has_an_effect(game: EaselPage) -> None:
    game.click(*cells("14253"))
    game.shows_text("x won", at=RESULT)

    game.click(*cells("69"))
    game.click(RESTART)
    game.click(*cells("9"))

    game.shows_state("{(`x, 9)}")
    game.shows_text("o's turn", at=TURN)


def test_restart_works_in_the_middle_of_a_game(game: EaselPage) -> None:
    game.click(*cells("159"))
    game.shows_state("{(`x, 1), (`o, 5), (`x, 9)}")

    game.click(RESTART)

    game.shows_state("{}")
    assert game.texts() == ["restart", "x's turn"]


def test_a_click_on_a_line_or_on_the_edge_of_the_grid_hits_nothing(game: EaselPage) -> None:
    lines = [(200, 650), (300, 450), (150, 600), (350, 500), (200, 600)]
    edges = [(100, 650), (400, 650), (150, 700), (150, 400)]

    game.click(*lines, *edges, *cells("5"))

    game.shows_state("{(`x, 5)}")


def test_a_click_on_the_edge_of_the_button_hits_nothing(game: EaselPage) -> None:
    game.click(*cells("5"), (350, 750), (550, 750), (450, 725), (450, 775), *cells("1"))

    game.shows_state("{(`x, 5), (`o, 1)}")


def test_a_cell_next_to_a_line_is_hit(game: EaselPage) -> None:
    game.click((199, 601), (201, 601), (299, 401))

    game.shows_state("{(`x, 1), (`o, 2), (`x, 8)}")


def test_an_occupied_cell_stays_as_it_is(game: EaselPage) -> None:
    game.click(*cells("5555"), *cells("1"))

    game.shows_state("{(`x, 5), (`o, 1)}")


def test_each_page_has_a_game_of_its_own(browser: Browser, server: Server, game: EaselPage) -> None:
    other = open_page(browser, server.address)
    game.click(*cells("5"))
    game.shows_state("{(`x, 5)}")

    other.shows_state("{}")
    other.click(*cells("1"))

    other.shows_state("{(`x, 1)}")
    game.shows_state("{(`x, 5)}")
    other.page.context.close()


def test_the_game_can_be_played_with_the_keyboard_alone(browser: Browser, server: Server) -> None:
    page = open_page(browser, server.address)
    # The first stop leads past the head of the page.
    for key in ("Tab", "Enter", "Tab"):
        page.page.keyboard.press(key)
    expect(page.canvas).to_be_focused()

    # From the middle of the window, (500, 400), to the middle of the grid, (250, 550).
    for keys in ("Alt+ArrowLeft",) * 5 + ("Alt+ArrowUp",) * 3 + ("Alt+Enter",):
        page.page.keyboard.press(keys)

    page.shows_state("{(`x, 5)}")
    page.page.context.close()


def test_the_picture_fits_a_narrow_screen(browser: Browser, server: Server) -> None:
    page = open_page(browser, server.address)
    page.page.set_viewport_size({"width": 360, "height": 640})
    page.click(*cells("5"))

    page.shows_state("{(`x, 5)}")
    wide = page.page.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= 360
    page.page.context.close()
