"""Playing in a real terminal: prompt, colour, keys that end it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.command import zermelo
from tests.support.terminal import ARROW_UP, Terminal, terminal


@pytest.fixture
def document(tmp_path: Path) -> str:
    path = tmp_path / "mine.md"
    assert zermelo("new", str(path)).code == 0
    return str(path)


@pytest.fixture
def table(document: str) -> Iterator[Terminal]:
    with terminal("play", document) as opened:
        opened.read_before("Cross> ")
        yield opened


def test_the_prompt_names_the_player_and_moves_are_made(table: Terminal) -> None:
    table.type("2 2")

    shown = table.read_before("Nought> ")
    assert "  2 │   │[X]│   │" in shown
    assert shown.endswith("Nought to move.\n")


def test_the_board_is_in_colour(table: Terminal) -> None:
    table.type("2 2")

    assert "\x1b[36m\x1b[1mX\x1b[0m" in table.shown_before("Nought> ")


def test_without_colour_only_readline_steers_the_terminal(document: str) -> None:
    with terminal("play", document, NO_COLOR="1") as opened:
        shown = opened.shown_before("Cross> ")

    assert "\x1b[1m" not in shown
    assert "\x1b[3" not in shown


def test_every_command_answers(table: Terminal) -> None:
    for typed, answer, prompt in [
        ("moves", "9 moves:", "Cross> "),
        ("1 1", "Nought to move.", "Nought> "),
        ("why 1 1", "Rule 2 of Place is nearest:", "Nought> "),
        ("log", "rule 1 fires", "Nought> "),
        ("state", "Nought = ∅", "Nought> "),
        ("undo", "Cross to move.", "Cross> "),
        ("redo", "Nought to move.", "Nought> "),
        ("readings", "order: in order", "Nought> "),
        ("rules", "Place", "Nought> "),
        ("history", "1. (1, 1)", "Nought> "),
        ("help", "take the last move back", "Nought> "),
        ("1 1", "has no effect here", "Nought> "),
        ("hello", "is no move here", "Nought> "),
    ]:
        table.type(typed)

        assert answer in table.read_before(prompt), typed


def test_a_finished_game_shows_the_outcome_and_the_rule_that_decided_it(table: Terminal) -> None:
    for typed, prompt in [("1 1", "Nought> "), ("2 1", "Cross> "), ("1 2", "Nought> ")]:
        table.type(typed)
        table.read_before(prompt)
    table.type("2 2")
    table.read_before("Cross> ")
    table.type("1 3")

    shown = table.read_before("over> ")
    assert "The play is over: Cross wins.\n  Decided by rule 1 of GameOver:\n" in shown
    assert "  Over because line.\n" not in shown
    assert "  Over because ∃w ∈ Lines: w ⊆ Cross ∨ w ⊆ Nought.\n" in shown


def test_the_end_of_input_leaves_quietly(table: Terminal) -> None:
    table.end_input()

    shown, code = table.rest()
    assert code == 0
    assert "Traceback" not in shown


def test_an_interruption_leaves_with_130_and_no_traceback(table: Terminal) -> None:
    table.interrupt()

    shown, code = table.rest()
    assert code == 130
    assert shown.endswith("\r\n")
    assert "Traceback" not in shown


def test_quit_leaves(table: Terminal) -> None:
    table.type("quit")

    assert table.rest()[1] == 0


def test_the_line_before_can_be_recalled(table: Terminal) -> None:
    table.type("1 1")
    table.read_before("Nought> ")
    table.press(ARROW_UP)
    table.type("")

    assert "has no effect here" in table.read_before("Nought> ")


def test_a_terminal_that_knows_only_ascii_gets_ascii(document: str) -> None:
    with terminal("play", document, PYTHONIOENCODING="ascii") as opened:
        shown = opened.read_before("Cross> ")

    assert shown.isascii()
    assert "  1 |   |   |   |" in shown


def test_the_tab_key_completes_commands_and_moves(table: Terminal) -> None:
    table.press("(3, 3\t")
    table.type("")

    assert "  3 │   │   │[X]│" in table.read_before("Nought> ")

    table.press("hist\t")
    table.type("")

    assert "1. (3, 3)" in table.read_before("Nought> ")
