"""Markings on a board that a View from outside describes."""

from pathlib import Path

import pytest

from tests.support.project import ROOT
from zermelo.api import loading
from zermelo.api.game import Game
from zermelo.api.loaded import playable_model
from zermelo.core.picture import Picture
from zermelo.core.state import Move
from zermelo.draw import sheet, sheet_svg, text_board

GAMES = ROOT / "games" / "tic-tac-toe-net"
WALK = """
#place at lo(<.1,1.>) hi(<.2,3.>) mk(<.1,2.>)
#place seen lo(<.1.>) hi(<.6.>) mk(<.6.>)
#place a mk(<..>)
#place b
#place coins mk(2<..>)
#trans down
in { at: <.r,c.>; a: <..>; }
out { at: <.r+1,c.>; b: <..>; }
#endtr
"""


def _shown(game: Game, *moves: Move) -> Picture:
    machine = game.machine
    state, last = machine.initial, None
    for move in moves:
        last = machine.turn(state, move)
        state = machine.after(state, move)
    return playable_model(game).words.picture(state, last=last)


def _walk(folder: Path, view: str) -> Game:
    (folder / "walk.net").write_text(WALK, encoding="utf-8")
    lines = "\n".join(f"  {each}" for each in view.split("; "))
    (folder / "walk.reading").write_text(f"View\n{lines}\n", encoding="utf-8")
    return loading.load(folder / "walk.net")


def _cells(picture: Picture) -> list[str]:
    (board,) = picture.boards
    return [
        " ".join("".join(mark.text for mark in cell.marks) or "." for cell in row if cell)
        for row in board.cells
    ]


def test_components_of_the_one_token_of_a_place_are_cells() -> None:
    net = GAMES / "tic-tac-toe-net.net"
    game = loading.load(net, reading_file=GAMES / "players.reading")
    moves = (Move("m22", (*(0,) * 9, 1)), Move("m13", (*(0,) * 4, 1, *(0,) * 4, 2)))

    picture = _shown(game, *moves)

    assert _cells(picture) == [". . o", ". x .", ". . ."]
    assert [at for at, row in enumerate(picture.boards[0].cells) if row[2] and row[2].is_last] == [
        0
    ]
    assert picture.entries == ()


def test_the_board_is_drawn_as_text_and_as_a_picture() -> None:
    net = GAMES / "tic-tac-toe-net.net"
    game = loading.load(net, reading_file=GAMES / "players.reading")
    picture = _shown(game, Move("m22", (*(0,) * 9, 1)))

    assert list(text_board.draw(picture, text_board.PlainPen())) == [
        "      1   2   3",
        "    ┌───┬───┬───┐",
        "  1 │   │   │   │",
        "    ├───┼───┼───┤",
        "  2 │   │[x]│   │",
        "    ├───┼───┼───┤",
        "  3 │   │   │   │",
        "    └───┴───┴───┘",
    ]
    drawn = "\n".join(sheet_svg.lines(sheet.sheet(picture, "tic-tac-toe-net")))
    assert drawn.count('stroke="#9aa5b1"') == 9
    assert 'fill="#0b5c8a" text-anchor="middle" font-weight="bold">x</text>' in drawn


def test_tokens_may_name_their_cells(tmp_path: Path) -> None:
    picture = _shown(_walk(tmp_path, "board: 2 × 3; piece W: at; piece s: seen"))

    assert _cells(picture) == [". W .", ". . s"]
    assert [(each.name, each.value) for each in picture.entries] == [("a", "1"), ("coins", "2")]


def test_a_place_may_be_a_cell(tmp_path: Path) -> None:
    game = _walk(tmp_path, "board: 1 x 3; piece o: a - b; hide: coins, seen")

    first, then = _shown(game), _shown(game, Move("down", (1, 2)))

    assert _cells(first) == ["o . ."]
    assert _cells(then) == [". . o"]
    assert [each.name for each in then.entries] == ["at"]


def test_rows_may_go_up(tmp_path: Path) -> None:
    picture = _shown(_walk(tmp_path, "board: 2 × 3; rows: up; piece W: at"))

    assert _cells(picture) == [". . .", ". W ."]
    assert picture.boards[0].rows == ("2", "1")


def test_what_is_not_on_the_board_is_listed(tmp_path: Path) -> None:
    picture = _shown(_walk(tmp_path, "board: 1 × 1; piece W: at"))

    assert _cells(picture) == ["."]
    assert ("at", "<.1,2.>") in [(each.name, each.value) for each in picture.entries]


@pytest.mark.parametrize(
    ("view", "code", "message"),
    [
        ("board: large", "Z551", "`large` is no size of a board"),
        ("piece W: at", "Z551", "a piece stands on a board, and there is no board"),
        ("board: 2 × 2; piece W: att", "Z552", "the net has no place `att`"),
        (
            "board: 2 × 2; piece W: at = 1",
            "Z551",
            "tokens of `at` have 2 components, and the board has 2 × 2 = 4 cells",
        ),
        (
            "board: 2 × 2; piece W: a b",
            "Z551",
            "2 places are listed, and the board has 2 × 2 = 4 cells",
        ),
        ("board: 1 × 2; piece W: at = many", "Z551", "`many` is no value of a component of `at`"),
        ("rows: sideways", "Z551", "rows go `up` or `down`, not `sideways`"),
        ("hide: nosuch", "Z552", "the net has no place `nosuch`"),
        ("shape: round", "Z550", "`shape` says nothing about the view that is understood"),
    ],
)
def test_a_line_that_cannot_be_drawn_is_said(
    tmp_path: Path, view: str, code: str, message: str
) -> None:
    (said,) = (each for each in _walk(tmp_path, view).diagnostics if each.source is not None)

    assert said.code.id == code
    assert message in said.message
    assert said.source is not None
    assert said.source.name == "walk.reading"
