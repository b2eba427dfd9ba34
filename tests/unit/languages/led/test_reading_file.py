"""What a file beside an LED program says of how it is played."""

from pathlib import Path

import pytest

from tests.support.command import zermelo
from tests.support.project import ROOT
from zermelo.api import loading, questions
from zermelo.api.game import Game
from zermelo.core.signature import BY_CALLER, BY_FILE
from zermelo.text.errors import UsageError

# Two players add 1 or 2 in turn; who reaches 4 has won, and the program says it in its own words.
RACE = """/$
initialState := (0, `ann)
place := p where currentState = (p, w)
who := w where currentState = (p, w)
other := `ben if who = `ann; `ann otherwise
step := 1 if mouseClicked & mouseX < 500; 2 if mouseClicked; 0 otherwise
newState := (place + step, other) if place < 4 & step > 0; currentState otherwise
images := {text("the end", point(500, 400), 30, dRed)} if place > 3; {} otherwise
$/
"""


def _beside(folder: Path, text: str, program: str = RACE) -> Game:
    (folder / "race.led").write_text(program, encoding="utf-8")
    (folder / "race.reading").write_text(text, encoding="utf-8")
    return loading.load(folder / "race.led")


def test_a_file_beside_a_program_decides_its_readings(tmp_path: Path) -> None:
    game = _beside(tmp_path, "Reading\n  players: one player  // for a start\n")

    (players,) = (each for each in game.readings if each.name == "players")
    assert (players.choice, players.decided_by, players.reason) == (
        "one player",
        BY_FILE,
        "for a start",
    )


def test_a_caller_counts_before_the_file(tmp_path: Path) -> None:
    _beside(tmp_path, "Reading\n  players: one player\n")

    game = loading.load(tmp_path / "race.led", readings={"players": "nobody"})

    (players,) = (each for each in game.readings if each.name == "players")
    assert (players.choice, players.decided_by) == ("nobody", BY_CALLER)


def test_without_players_it_is_said_where_to_say_them(tmp_path: Path) -> None:
    game = _beside(tmp_path, "Reading\n  players: nobody\n")

    with pytest.raises(
        UsageError, match=r"in a file of its name beside it that ends in `\.reading`"
    ):
        questions.solve(game)


def test_a_line_that_cannot_be_used_is_said_at_its_place(tmp_path: Path) -> None:
    text = "Reading\n  plyers: who\n  end: never\nView\n  board: 3 × 3\n"

    said = [each for each in _beside(tmp_path, text).diagnostics if each.source is not None]

    assert [(each.code.id, each.source and each.source.name) for each in said] == [
        ("Z530", "race.reading"),
        ("Z531", "race.reading"),
        ("Z550", "race.reading"),
    ]


def test_a_program_is_played_with_the_picture_that_it_draws() -> None:
    ran = zermelo("play", "tic-tac-toe-led", typed="150 450\nquit\n")

    assert "\n".join(ran.out.splitlines()[-15:-2]) == "\n".join(
        [
            "         100   200   300   400   500",
            "       o's turn          ┌─ restart ─┐",
            "                         └───────────┘",
            "  700           ╷     ╷",
            "                │     │",
            "                │     │",
            "  600     ╶─────┼─────┼─────╴",
            "                │     │",
            "                │     │",
            "  500     ╶─────┼─────┼─────╴",
            "            [x] │     │",
            "                │     │",
            "  400           ╵     ╵",
        ]
    )


def test_a_program_that_draws_nothing_shows_its_state(tmp_path: Path) -> None:
    game = _beside(tmp_path, "Reading\n  players: who\n")

    assert str(game.board()) == "  currentState = (0, `ann)"


def test_the_board_of_a_program_is_a_picture_for_notebooks() -> None:
    svg = loading.load(ROOT / "games/tic-tac-toe-led/tic-tac-toe-led.led").initial._repr_svg_()

    assert svg.count("<line ") == 8
    assert "restart" in svg
