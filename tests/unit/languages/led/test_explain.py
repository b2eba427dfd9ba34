"""LED programs in plain words."""

from zermelo.api.loaded import playable_model
from zermelo.api.loading import load
from zermelo.core.machine import Ending
from zermelo.core.state import Move
from zermelo.languages.led.explain import ProgramCommentary, constants_lines, explain_answers
from zermelo.languages.led.ir import Program
from zermelo.languages.led.mean.elaborate import elaborate
from zermelo.languages.led.read import document as led
from zermelo.languages.led.run.frames import Frames
from zermelo.languages.led.run.values import Text
from zermelo.text.source import Source


def read(code: str) -> Program:
    source = Source("demo.led", f"/$ {code} $/")
    document = led.parse(source).value
    assert document is not None
    value = elaborate(document, source).value
    assert value is not None
    return value


def rows(code: str) -> list[str]:
    return [each.text.strip() for each in explain_answers(read(code))]


def test_a_program_that_is_no_game_tells_its_constants_and_functions() -> None:
    found = rows(
        'third := 1/3 name := "x" bad := 1/0 '
        "fact(n) := 1 if n = 0; n * fact(n-1) otherwise even(n) iff n mod two = 0 two := 2"
    )

    assert found == [
        "demo in plain words",
        "An LED program of 6 definitions, 1 of them a relation, that answers questions: "
        "`zermelo repl` asks them.",
        "",
        "Constants",
        "third = 0.(3..)",
        'name = "x"',
        "bad has no value: 1 is divided by 0.",
        "two = 2",
        "",
        "Functions and relations",
        "fact(n): uses itself",
        "even(n): a relation; uses two",
    ]


def test_a_long_value_is_cut() -> None:
    (constant,) = [row for row in rows("all9 := {1..1000}") if row.startswith("all9")]

    assert constant.endswith("…")
    assert len(constant) < 330


def asked(code: str) -> list[str]:
    return [each.text.strip() for each in constants_lines(read(code))]


def test_constants_without_a_value_are_told() -> None:
    head = ["What asking shows", "This program is no game; `zermelo repl` asks it."]

    assert asked("a := 1 b := a + 1") == [*head, "2 constants, each with a value."]
    assert asked("a := 1 b := a / 0") == [
        *head,
        "2 constants, 1 of them with a value.",
        "b has no value: 1 is divided by 0.",
    ]
    assert asked("f(x) := x") == head


def test_keys_are_typed_by_their_names_those_of_a_control_too() -> None:
    made = read(
        """
        ledGame
        initialState := 0
        newState := 0 if "R" in keys; currentState + 1 if "A" in keys & "B" in keys;
          currentState otherwise
        """
    )
    words = ProgramCommentary(made, Frames(made))
    state = words.machine.initial

    assert words.read_move("r", state) == Move("key", (Text("R"),))
    assert words.read_move("key B+a", state) == Move("key", (Text("A+B"),))
    assert words.read_move("Q", state) is None
    assert words.read_move("A B", state) is None


def test_how_one_wins_is_told_by_the_texts_that_are_shown() -> None:
    told = playable_model(load("tic-tac-toe-led")).words.aim()

    assert [(each.ending, each.players, each.conditions) for each in told.goals] == [
        (Ending.WIN, ("x",), ("“x won” is shown",)),
        (Ending.WIN, ("o",), ("“o won” is shown",)),
        (Ending.DRAW, (), ("“cat got it” is shown",)),
    ]
