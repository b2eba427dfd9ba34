"""The read-eval-print loop in a real terminal."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.command import zermelo
from tests.support.terminal import Terminal, terminal


@pytest.fixture
def prompt(tmp_path: Path) -> Iterator[Terminal]:
    path = tmp_path / "mine.md"
    assert zermelo("new", str(path)).code == 0
    with terminal("repl", str(path)) as opened:
        opened.read_before("zermelo> ")
        yield opened


def test_it_prompts_evaluates_and_makes_moves(prompt: Terminal) -> None:
    for typed, answer in [
        ("|Free|", "\n9\n"),
        ("Place((1, 1))", "\nCross: (1, 1)\n"),
        ("|Free|", "\n8\n"),
        (":undo", "\nCross to move.\n"),
        (":state", "Cross = ∅"),
    ]:
        prompt.type(typed)

        assert answer in prompt.read_before("zermelo> "), typed


def test_quit_and_the_end_of_input_leave(prompt: Terminal) -> None:
    prompt.end_input()

    shown, code = prompt.rest()
    assert code == 0
    assert "Traceback" not in shown


def test_an_interruption_leaves_with_130(prompt: Terminal) -> None:
    prompt.interrupt()

    shown, code = prompt.rest()
    assert code == 130
    assert "Traceback" not in shown
