"""Sessions in a document are its tests."""

import pytest

from zermelo.api import loading, questions
from zermelo.api.game import Game
from zermelo.api.loaded import model_of
from zermelo.languages.led.easel.console import MOST_SAID
from zermelo.text.diagnostic import Diagnostic

GAME = """\
A counter.

/$
ledGame
initialState := 0
newState := currentState + 1 if mouseClicked; currentState otherwise
images := {}
$/
"""


def differences(game: Game) -> tuple[Diagnostic, ...]:
    """What the document of *game* shows and does not hold."""
    return tuple(model_of(game).unplayed_findings())


def said(text: str) -> list[str]:
    """The same of the document *text*, in words."""
    game = loading.load_text(text, name="counter.led", plays=False)
    return [each.message for each in differences(game)]


def test_answers_that_are_right_are_not_mentioned() -> None:
    assert said(GAME + '\ncmd:>pp(initialState_)\n"0"\ncmd:>1/3\n"0.(3..)"\n') == []


def test_an_answer_that_is_wrong_is_said_at_its_question() -> None:
    text = GAME + '\ncmd:>1 + 1\n"3"\n'
    game = loading.load_text(text, name="counter.led", plays=False)

    (found,) = differences(game)

    assert found.message == '`1 + 1` answers "2"'
    assert found.notes == ('the document shows "3"',)
    assert found.primary is not None
    assert game.source.slice(found.primary.span) == "cmd:>1 + 1"


def test_a_session_plays_with_and_without_answers() -> None:
    session = "cmd:>:click 1 1\ncmd:>:click 1 1\nframe 2: 2\ncmd:>currentState\n"

    assert said(f'{GAME}\n{session}"2"\n') == []
    assert said(f'{GAME}\n{session}"5"\n') == ['`currentState` answers "2"']


def test_many_wrong_answers_are_not_all_said() -> None:
    assert len(said(GAME + '\ncmd:>1\n"2"\n' * 50)) == MOST_SAID


def test_what_was_found_before_the_steps_were_over_is_said_and_that_they_were(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(questions, "_STEPS_OF_FINDINGS", 10_000)
    program = "/$\nh(x) := h(x - 1) + 1 if x > 0; 0 otherwise\n$/\n"
    text = f'{program}\ncmd:>h(1)\n"2"\ncmd:>h(900)\n"2"\ncmd:>h(2)\n"3"\n'

    report = questions.check(loading.load_text(text, name="counter.led"))

    assert [each.message for each in report.diagnostics] == ['`h(1)` answers "1"']
    assert report.cut == "stopped after 10,000 steps"


def test_other_documents_have_no_such_tests() -> None:
    assert differences(loading.load("pegs")) == ()
    assert said(GAME) == []


def test_checking_a_program_runs_its_tests() -> None:
    report = questions.check(loading.load_text('/$ a := 1 $/\n\ncmd:>a\n"2"\n', name="a.led"))

    assert [each.code.id for each in report.diagnostics if each.is_error] == ["Z639"]
