"""The shell and the token game on nets in a real terminal."""

from pathlib import Path

import pytest

from tests.support.prod import PHILOSOPHERS
from tests.support.terminal import terminal

INTERRUPT = "\x03"


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "table.net"
    path.write_text(PHILOSOPHERS, encoding="utf-8")
    return str(path)


def test_the_prompt_of_the_shell_is_the_current_node(table: str) -> None:
    with terminal("repl", table) as opened:
        assert "14 nodes and 27 arcs" in opened.read_before("0> ")
        opened.type("goto 3")
        assert "hungry: <.3.>" in opened.read_before("3> ")
        opened.type("query fork == ")
        assert "the name of a place is missing" in opened.read_before("3> ")
        opened.type("quit")


def test_an_interruption_at_the_prompt_leaves_with_130(table: str) -> None:
    with terminal("repl", table) as opened:
        opened.read_before("0> ")
        opened.interrupt()
        shown, code = opened.rest()

    assert code == 130
    assert "Traceback" not in shown


def test_the_token_game_goes_on_after_random_firings(table: str) -> None:
    with terminal("play", table) as opened:
        assert "3 firings enabled" in opened.read_before("0> ")
        opened.type("random 2")
        assert "firing" in opened.read_before("2> ")
        opened.type("undo")
        opened.read_before("1> ")


def test_an_interruption_stops_an_answer_and_the_prompt_goes_on(table: str) -> None:
    with terminal("play", table) as opened:
        opened.read_before("0> ")
        opened.type("random 1000")
        opened.read_before("2. ")
        opened.press(INTERRUPT)
        opened.read_before("Stopped.")
        opened.type("undo 1000")
        assert "there were no more" in opened.read_before("0> ")


def test_the_same_words_are_known_with_and_without_a_colon(table: str) -> None:
    with terminal("repl", table) as opened:
        opened.read_before("0> ")
        opened.type("goto 3")
        opened.read_before("3> ")
        opened.type(":undo")
        assert "node 0" in opened.read_before("0> ")
        opened.type("?")
        assert "back to the node before" in opened.read_before("0> ")
