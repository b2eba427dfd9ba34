"""What playing shows about programs: cases that hold at once, and cases for nothing."""

import pytest

from tests.support.project import ROOT
from zermelo.api import loading, questions
from zermelo.core.limits import Limits
from zermelo.text.diagnostic import Diagnostic

PROGRAM = ROOT / "games" / "tic-tac-toe-led" / "tic-tac-toe-led.led"


def said(text: str, *, states: int = 200) -> dict[str, Diagnostic]:
    game = loading.load_text(text, name="demo.led")
    report = questions.check(game, limits=Limits(states=states))
    return {each.code.id: each for each in report.diagnostics}


def test_a_cell_with_both_marks_is_found_with_the_shortest_play() -> None:
    text = PROGRAM.read_text(encoding="utf-8")
    damaged = text.replace("occupies(`x, c) V occupies(`o, c)", "occupies(`x, c) V occupies(`x, c)")
    assert damaged != text

    found = said(damaged)["Z632"]

    assert found.message.startswith("two cases of `cellDisplay` hold at once for c = ")
    assert found.message.endswith("after 3 moves; the first is taken")
    # x somewhere, o in another cell, x in the same one.
    play, then = found.notes
    first, second, third = play.removeprefix("play: ").replace("), ", ")|").split("|")
    assert first != second == third
    assert then.count("`x") == 2


def test_nothing_is_said_of_the_program_as_it_is() -> None:
    found = said(PROGRAM.read_text(encoding="utf-8"))

    assert [code for code in found if code.startswith("Z6")] == []


LAMP = """/$
ledGame
initialState := `off
newState := `on if mouseClicked & currentState = `off; `off if mouseClicked; currentState otherwise
word := "on" if currentState = `on; "broken" if currentState = `broken; "off" otherwise
images := {text(word, point(500, 400), 36, dBlack)}
$/"""


def test_a_case_of_the_display_that_no_state_takes_is_found() -> None:
    assert "word" in said(LAMP)["Z633"].message


def test_a_case_is_not_said_to_be_never_taken_when_not_all_states_were_seen() -> None:
    growing = LAMP.replace("`off if mouseClicked;", "(currentState, 1) if mouseClicked;")

    assert "Z633" not in said(growing, states=5)


@pytest.mark.parametrize(
    ("images", "code"),
    [
        ("{circle(point(1, 1), 0 - 5, dRed)}", "Z635"),
        ("{text(1/0, point(1, 1), 10, dRed)}", "Z636"),
    ],
)
def test_images_that_make_no_sense_are_found(images: str, code: str) -> None:
    text = f"/$\nledGame\ninitialState := 0\nnewState := 0\nimages := {images}\n$/"

    assert code in said(text)


def test_an_answer_without_a_value_is_found_with_its_play() -> None:
    text = "/$\nledGame\ninitialState := 2\nimages := {}\n" + (
        "newState := currentState - 1 + 0*(6/currentState) if mouseClicked; currentState otherwise"
    )
    found = said(text + "\n$/")["Z603"]

    assert found.message.startswith("6 is divided by 0")
    assert "play: click(499, 400), click(499, 400), click(499, 400)" in found.notes


def test_a_special_case_before_the_general_one_is_meant() -> None:
    text = """/$
ledGame
initialState := 0
newState := currentState + 1 if mouseClicked & currentState < 3; currentState otherwise
message := "odd" if currentState > 1 & currentState = 3; "more" if currentState > 1; "" otherwise
images := {text(message, point(1, 1), 9, color(0, 0, 0))}
$/
"""

    assert "Z632" not in said(text)
    assert "Z632" in said(text.replace("currentState > 1;", "currentState > 2;"))


SCORES = (ROOT / "tests" / "documents" / "led" / "coins.led").read_text(encoding="utf-8")


def test_scores_that_do_not_say_who_wins_are_asked_about_once() -> None:
    found = said(SCORES)["Z640"]

    # The first player has 7, 8 or 5 coins' worth at the end, the second the rest of 10.
    assert found.message == (
        "“5”, “7”, “3”, “8” and 1 more, printed where play is over, do not say who wins"
    )
    assert found.help is not None
    assert "`result: NAME`" in found.help


def test_a_definition_may_say_who_has_the_higher_score() -> None:
    best = "/$ best := `a if aScore > bScore; `b otherwise $/"
    game = loading.load_text(f"{SCORES}\n{best}\n\nReading\n\nresult: best\n", name="demo.led")
    report = questions.explore(game)

    assert sorted(str(each.outcome) for each in report.endings) == ["a wins", "b wins"]
