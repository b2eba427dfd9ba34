"""The session of LED's interpreter."""

from functools import partial

import pytest

from tests.support.led import expression, program, source
from zermelo.core.prompt import Prompt, Verbatim
from zermelo.languages.led.easel.console import Console
from zermelo.text.prose import Tone

GAME = """
ledGame
initialState := {}
newState := currentState U {mouseX} if mouseClicked; currentState otherwise
images := {circle(point(10*n, 20), 5, dBlack) | n in currentState}
size := |currentState|
clicked iff mouseClicked
ratio(n) := 12 / n
twice(n) := 2 * ratio(n)
pair(a, b) := (a, b)
"""
PLAIN = "primes := {n | n in {2..30} & all d in {2..n-1}. (n mod d /= 0)} c := `c"


def console(code: str = GAME) -> Prompt:
    """A session with the program *code*."""
    made = program(code)
    return Prompt(Console(made, partial(expression, made), source=source(code)))


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("pp(initialState_)", '"{}"'),
        ("pp(initialState)", '"{}"'),
        ("initialState_", '"{}"'),
        ("  pp( 1/3 ) ", '"0.(3..)"'),
        ("1 + 2", '"3"'),
        ("pp((1, 2))", '"(1, 2)"'),
        ('pp(")(")', '")("'),
        ("pair(1, {})", '"(1, {})"'),
        ("size", '"0"'),
        ("clicked", '"false"'),
        ("images", '"{}"'),
        ("pp(dRed)", '"an Easel color"'),
        ("pps", '"{}"'),
        ("pps(currentState)", '"{}"'),
    ],
)
def test_an_expression_is_answered_in_quotes(typed: str, answer: str) -> None:
    assert console().ask(typed) == answer


def test_state_and_input_are_those_of_the_last_frame() -> None:
    session = console()

    assert session.ask(":click 7 8") == "frame 1: {7}"
    assert session.ask("size") == '"1"'
    assert session.ask("clicked") == '"true"'
    assert session.ask("(mouseX, mouseY)") == '"(7, 8)"'
    assert session.ask(":frame") == "frame 2: {7} (as before)"
    assert session.ask("clicked") == '"false"'


def test_one_moves_through_a_game_and_back() -> None:
    session = console()

    assert session.ask(":click 1 1") == "frame 1: {1}"
    assert session.ask(":frame 10") == "frame 11: {1} (as before)"
    assert session.ask(":click 2 2") == "frame 12: {1, 2}"
    assert session.ask(":undo") == "frame 11: {1}"
    assert session.ask(":undo") == "frame 1: {1}"
    assert session.ask(":click 3 3") == "frame 2: {1, 3}"
    assert session.ask(":restart") == "frame 0: {}"
    assert session.ask(":undo") == "There is nothing to take back."
    assert session.ask(":state") == "frame 0: {}"


def test_the_cursor_moves_without_a_frame() -> None:
    session = console()

    assert session.ask(":move 5 6") == "The cursor is at (5, 6); no frame was made."
    session.ask(":frame")
    assert session.ask("(mouseX, mouseY)") == '"(5, 6)"'


def test_images_are_listed_as_a_program_makes_them() -> None:
    session = console()
    assert session.ask(":images") == "Nothing is drawn."

    session.ask(":click 7 8")

    assert session.ask(":images") == "  1 circle(point(70, 20), 5, color(0, 0, 0))"


def test_names_are_listed_with_what_they_depend_on() -> None:
    assert console().ask(":names").splitlines() == [
        "initialState",
        "newState      depends on the state and the input",
        "images        depends on the state",
        "size          depends on the state",
        "clicked       depends on the input",
        "ratio(n)",
        "twice(n)",
        "pair(a, b)",
    ]


def test_an_erroneous_value_is_answered_and_explained_when_asked() -> None:
    session = console()

    assert session.ask("twice(0)") == '"ERRONEOUS VALUE"'
    assert session.ask("why").splitlines()[0] == "12 is divided by 0."
    assert "in `ratio(0)`" in session.ask(":why")
    assert session.ask("1") == '"1"'
    assert session.ask("why") == "The last value is not erroneous."


def test_an_expression_that_is_not_understood_gets_a_caret() -> None:
    (answer,) = console().answer("1 + * 2")

    assert isinstance(answer, Verbatim)
    assert answer.tone is Tone.BAD
    first, second = answer.text.split("\n")
    assert first == "1 + * 2"
    assert second.lstrip().startswith("^ ")
    assert second.index("^") in {2, 4}


def test_a_name_that_is_not_there_is_said() -> None:
    text = console().ask("pp(nowhere)")

    assert "nowhere" in text
    assert "Traceback" not in text


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        (":clik 1 2", "There is no command `:clik`; did you mean `:click`?"),
        (":", "There is no command `:`; see `:help`."),
        (":click", "`click` needs two whole numbers, as in `click 150 650`."),
        (
            ":key Hyper",
            "There is no key `Hyper`; keys are single characters and "
            "LEFT, RIGHT, UP, DOWN, SPACE, ENTER, ESCAPE.",
        ),
    ],
)
def test_a_command_that_is_not_understood_says_why(typed: str, answer: str) -> None:
    assert console().ask(typed) == answer


def test_a_program_that_is_no_game_answers_and_cannot_be_played() -> None:
    session = console(PLAIN)

    assert session.ask("primes") == '"{2, 3, 5, 7, 11, 13, 17, 19, 23, 29}"'
    assert session.ask("pp(c)") == '"`c"'
    assert session.ask(":click 1 1") == (
        f"{program(PLAIN).name} cannot run in Easel, because it does not define "
        "`initialState`, `newState` and `images`; "
        "a game defines `initialState`, `newState` and `images`."
    )


def test_help_lists_every_command() -> None:
    said = console().ask(":help").splitlines()

    assert [row.split()[0] for row in said[:-1]] == [
        *("EXPRESSION", "pp(EXPRESSION)", "pps", "why", "state", "moves", "click", "key", "frame"),
        *("move", "hold", "release", "undo", "redo", "restart", "images", "names", "help", "quit"),
    ]


@pytest.mark.parametrize("line", [":quit", ":q", ":exit", "quit"])
def test_some_words_leave(line: str) -> None:
    session = console()
    session.ask(line)

    assert session.is_left


def test_what_was_taken_back_is_made_again() -> None:
    session = console()
    for typed in ("click 1 1", "frame 10", "click 2 2"):
        session.ask(typed)

    assert session.ask("undo 2") == "frame 1: {1}"
    assert session.ask("redo") == "frame 11: {1}"
    assert session.ask("redo 9") == "frame 12: {1, 2}"
    assert session.ask("redo") == "There is nothing to make again."


def test_moves_are_the_inputs_that_have_an_effect() -> None:
    code = """
    ledGame
    initialState := 0
    newState := currentState + 1 if mouseClicked; currentState otherwise
    images := {}
    """
    session = console(code)

    first, second = session.ask("moves").splitlines()
    assert first == "1 input:"
    assert session.ask(second.strip()) == "frame 1: 1"


def test_a_value_is_explained_as_it_is_asked_for() -> None:
    assert console().ask("why twice(0)").splitlines()[:2] == [
        '"ERRONEOUS VALUE"',
        "12 is divided by 0.",
    ]


def test_a_program_may_define_the_words_of_the_session_itself() -> None:
    session = console("why := 42 pp(x) := x + 1 pps := 7")

    assert session.ask("why") == '"42"'
    assert session.ask("pp(1)") == '"2"'
    assert session.ask("pps") == '"7"'
