"""The session of LED's interpreter in a real terminal."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.terminal import ARROW_UP, Terminal, terminal

PROGRAM = """\
A counter.

/$
ledGame
initialState := 0
newState := currentState + 1 if mouseClicked; currentState otherwise
images := {text(prettyPrint(currentState), point(500, 400), 36, dBlack)}
half(n) := 10 / n
$/
"""


@pytest.fixture
def prompt(tmp_path: Path) -> Iterator[Terminal]:
    path = tmp_path / "counter.led"
    path.write_text(PROGRAM, encoding="utf-8")
    with terminal("repl", str(path)) as opened:
        opened.read_before("cmd:>")
        yield opened


def test_it_prompts_answers_and_plays(prompt: Terminal) -> None:
    for typed, answer in [
        ("pp(initialState_)", '\n"0"\n'),
        (":click 1 1", "\nframe 1: 1\n"),
        ("currentState", '\n"1"\n'),
        ("half(4)", '\n"2.5"\n'),
        ("half(0)", '\n"ERRONEOUS VALUE"\n'),
        ("why", "10 is divided by 0."),
        (":undo", "\nframe 0: 0\n"),
        ("1 +", "^ "),
        (":names", "newState"),
    ]:
        prompt.type(typed)

        assert answer in prompt.read_before("cmd:>"), typed


def test_what_was_typed_can_be_had_again(prompt: Terminal) -> None:
    prompt.type("half(5)")
    prompt.read_before("cmd:>")

    prompt.press(ARROW_UP)
    prompt.type("")

    assert '"2"' in prompt.read_before("cmd:>")


@pytest.mark.parametrize("leaving", [":quit", ":q"])
def test_quit_leaves(prompt: Terminal, leaving: str) -> None:
    prompt.type(leaving)

    shown, code = prompt.rest()
    assert code == 0
    assert "Traceback" not in shown


def test_the_end_of_input_leaves(prompt: Terminal) -> None:
    prompt.end_input()

    shown, code = prompt.rest()
    assert code == 0
    assert "Traceback" not in shown


def test_an_interruption_leaves_with_130(prompt: Terminal) -> None:
    prompt.interrupt()

    shown, code = prompt.rest()
    assert code == 130
    assert "Traceback" not in shown
