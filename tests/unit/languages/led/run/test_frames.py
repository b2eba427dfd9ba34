"""The machine of an LED program: inputs that have an effect, and where play is over."""

import random
from itertools import combinations

import pytest

from tests.support.led import program
from zermelo.core.machine import Ending, FaultKind
from zermelo.core.state import Move, State
from zermelo.core.values import FALSE, UNSET, Atom
from zermelo.languages.led.run.frames import TOO_MANY, TOO_MANY_KEYS, Frames, PlayRules
from zermelo.languages.led.run.inputs import input_of
from zermelo.languages.led.run.values import Arranged, Text
from zermelo.text.budget import OverBudget, budget
from zermelo.text.errors import MoveNotAllowed, MoveNotUnderstood

ROOMS = """
ledGame
initialState := {}
inRoom(c) iff mouseX > 100*c & mouseX < 100*c + 100 & mouseY < 400
clicked(c) iff mouseClicked & inRoom(c)
over iff |currentState| = 3
player := `left if |currentState| mod 2 = 0; `right otherwise
newState :=
  {} if mouseClicked & mouseY > 700;
  currentState U {c | c in {1..3} & clicked(c) & ~over} otherwise
message := "right has lost" if over; "go on" otherwise
images := {text(message, point(500, 750), 30, dBlack)}
"""


def frames(code: str, **rules: object) -> Frames:
    return Frames(program(code), PlayRules(**rules))  # type: ignore[arg-type]  # the tests say which


def moves(machine: Frames, state: State) -> list[str]:
    return list(map(str, machine.legal(state)))


def test_one_click_stands_for_each_region_that_does_something_else() -> None:
    machine = frames(ROOMS)

    # Open intervals of 99 points each, y from 0 to 399: of the two middle rows the lower.
    assert moves(machine, machine.initial) == [
        "click(150, 200)",
        "click(250, 200)",
        "click(350, 200)",
    ]


def test_an_input_without_effect_is_no_move() -> None:
    machine = frames(ROOMS)
    after = machine.after(machine.initial, Move("click", (150, 200)))

    assert after.values == (frozenset({1}),)
    assert moves(machine, after) == ["click(250, 200)", "click(350, 200)", "click(499, 750)"]
    with pytest.raises(MoveNotAllowed, match="no effect"):
        machine.after(after, Move("click", (150, 200)))
    assert machine.turn(after, Move("click", (101, 0))).after is None


def test_any_point_can_be_clicked_not_only_those_that_are_listed() -> None:
    machine = frames(ROOMS)

    assert machine.after(machine.initial, Move("click", (101, 0))).values == (frozenset({1}),)
    assert not machine.turn(machine.initial, Move("click", (200, 0))).has_effect
    with pytest.raises(MoveNotUnderstood):
        machine.turn(machine.initial, Move("jump"))


def test_each_region_answers_as_its_middle_does() -> None:
    machine = frames(ROOMS)
    source = random.Random(7)
    state = machine.after(machine.initial, Move("click", (150, 200)))
    expected = {after.values[0] for after in machine.effects(state).values()} | {state.values[0]}

    for _ in range(300):
        move = Move("click", (source.randrange(1000), source.randrange(800)))
        assert machine.inputs.answer(state.values[0], move) in expected


def test_play_is_over_where_only_the_beginning_can_be_reached() -> None:
    machine = frames(ROOMS)
    state = machine.initial
    for x in (150, 250, 350):
        assert not machine.is_over(state)
        state = machine.after(state, Move("click", (x, 200)))

    assert machine.is_over(state)
    assert machine.legal(state) == ()
    assert [str(move) for move in machine.effects(state)] == ["click(499, 750)"]
    with pytest.raises(MoveNotAllowed, match="the play is over"):
        machine.after(state, Move("click", (499, 750)))


def test_play_goes_on_where_the_reading_says_so() -> None:
    machine = frames(ROOMS, stops=False)
    state = machine.initial
    for x in (150, 250, 350):
        state = machine.after(state, Move("click", (x, 200)))

    assert not machine.is_over(state)
    assert moves(machine, state) == ["click(499, 750)"]


def test_a_relation_can_say_when_play_is_over() -> None:
    machine = frames(ROOMS.replace("| = 3", "| = 1"), over="over")

    assert machine.is_over(machine.after(machine.initial, Move("click", (150, 200))))


def test_the_result_is_what_is_shown_at_the_end_only() -> None:
    players = (Atom("left"), Atom("right"))
    machine = frames(ROOMS, ordinary=frozenset({"go on"}), player="player", players=players)
    end = State((Arranged([1, 2, 3]),), ("currentState",))

    found = machine.outcome(end)

    assert found is not None
    assert (found.ending, found.winners, found.losers) == (Ending.WIN, ("left",), ("right",))
    assert found.result == Text("right has lost")
    assert machine.outcome(machine.initial) is None


@pytest.mark.parametrize(
    ("result", "ending"),
    [
        (Text("left"), Ending.WIN),
        (Text("Left wins"), Ending.WIN),
        (Text("leftover"), Ending.DRAW),
        (Text("nobody"), Ending.DRAW),
        (Atom("right"), Ending.WIN),
        (Arranged([Atom("right")]), Ending.WIN),
        (UNSET, Ending.OVER),
    ],
)
def test_a_definition_may_give_the_winner_or_a_text(result: Text, ending: Ending) -> None:
    players = (Atom("left"), Atom("right"))

    assert frames(ROOMS, player="player", players=players).judged(result).ending is ending


def test_a_single_player_wins_where_play_is_over_unless_the_text_says_otherwise() -> None:
    machine = frames(ROOMS, is_alone=True)

    assert machine.judged(UNSET).winners == ("the player",)
    assert machine.judged(Text("you lost")).losers == ("the player",)
    assert machine.player(machine.initial) == machine.signature.players[0]


def test_the_player_is_asked_of_the_program() -> None:
    machine = frames(ROOMS, player="player", players=(Atom("left"), Atom("right")))
    after = machine.after(machine.initial, Move("click", (150, 200)))

    assert [p.name for s in (machine.initial, after) if (p := machine.player(s))] == [
        "left",
        "right",
    ]


def test_names_of_the_program_can_be_evaluated() -> None:
    machine = frames(ROOMS)

    assert machine.value("over", machine.initial) is FALSE
    assert machine.value("player", machine.initial) == Atom("left")


def test_states_are_written_as_led_writes_them() -> None:
    assert str(frames("initialState := {`b, (1, `a)} newState := {}").initial) == (
        "currentState = {`b, (1, `a)}"
    )


def test_a_frame_that_changes_the_state_is_a_move() -> None:
    machine = frames(
        """
        initialState := 0
        newState := 0 if mouseClicked & mouseX < 500; (currentState + 1) mod 4 otherwise
        """
    )
    second = machine.after(machine.initial, Move("frame"))

    assert moves(machine, machine.initial) == ["frame()"]
    assert moves(machine, second) == ["click(249, 400)", "frame()"]


def test_a_program_that_looks_where_the_mouse_is_has_moves_without_clicks() -> None:
    machine = frames("initialState := `left newState := `left if mouseX < 500; `right otherwise")

    assert moves(machine, machine.initial) == ["click(749, 400)", "hover(749, 400)"]


def test_keys_that_are_asked_for_are_moves() -> None:
    machine = frames(
        """
        initialState := 0
        step(k) := 1 if k = "D" & k in keys; 0 otherwise
        back := 1 if "LEFT" in keys; 0 otherwise
        newState := currentState + step("D") - back
        images := {text("Q", point(1, 1), 10, dRed)}
        """,
    )

    assert machine.inputs.keys == ("D", "LEFT")
    assert moves(machine, machine.initial) == ["key(D)", "key(LEFT)"]
    assert machine.after(machine.initial, Move("key", (Text("LEFT"),))).values == (-1,)


def test_a_key_can_matter_together_with_the_place_of_the_mouse() -> None:
    machine = frames(
        'initialState := 0 newState := 1 if "A" in keys & mouseX > 899; currentState otherwise'
    )

    (move,) = machine.legal(machine.initial)
    assert str(move) == "hold(A, 949, 400)"
    assert machine.after(machine.initial, move).values == (1,)


def test_keys_that_a_program_tells_apart_together_are_moves() -> None:
    machine = frames(
        """
        initialState := 0
        far := 3 if "S" in keys; 1 otherwise
        newState := currentState + far if "RIGHT" in keys; currentState otherwise
        """
    )

    assert moves(machine, machine.initial) == ["key(RIGHT)", "key(RIGHT+S)"]
    assert machine.after(machine.initial, Move("key", (Text("RIGHT+S"),))).values == (3,)


def test_keys_that_lead_nowhere_new_together_are_no_moves() -> None:
    """The first of two cases wins, so that both keys do what one does."""
    machine = frames(
        """
        initialState := 0
        newState := 1 if "A" in keys; 2 if "B" in keys; currentState otherwise
        """
    )

    assert moves(machine, machine.initial) == ["key(A)", "key(B)"]


def test_a_key_can_matter_together_with_a_click() -> None:
    machine = frames(
        """
        initialState := 0
        newState := currentState if ~mouseClicked V mouseX < 900; 2 if "D" in keys; 1 otherwise
        """
    )

    assert moves(machine, machine.initial) == ["click(949, 400)", "keyclick(D, 949, 400)"]
    assert machine.after(machine.initial, Move("keyclick", (Text("D"), 949, 400))).values == (2,)


def test_keys_are_held_one_at_a_time_where_the_reading_says_so() -> None:
    code = 'initialState := 0 newState := 1 if "A" in keys & "B" in keys; currentState otherwise'

    assert moves(frames(code), frames(code).initial) == ["key(A+B)"]
    alone = frames(code, are_keys_together=False)
    assert moves(alone, alone.initial) == []
    assert alone.signature.proviso == "with one key at a time"


def test_where_keys_are_counted_one_that_is_not_named_is_held_too() -> None:
    machine = frames(
        """
        initialState := 0
        newState := 9 if "R" in keys; |keys| if keys /= {}; currentState otherwise
        """
    )

    assert machine.inputs.keys == ("R", "SPACE")
    assert moves(machine, machine.initial) == ["key(R)", "key(SPACE)"]


def test_more_keys_than_can_be_listed_are_a_fault() -> None:
    names = ", ".join(f'"{letter}"' for letter in "ABCDEFGH")
    machine = frames(f"initialState := {{}} newState := {{k | k in {{{names}}} & k in keys}}")

    assert list(machine.faults(machine.initial).values()) == [TOO_MANY_KEYS]


def test_each_set_of_keys_answers_as_one_of_those_that_are_tried() -> None:
    code = """
    initialState := 0
    dx := 1 if "A" in keys; -1 if "B" in keys; 0 otherwise
    newState := 10*dx + 3 if "C" in keys & "D" in keys; 10*dx if "D" in keys; dx otherwise
    """
    machine = frames(code)
    expected = {after.values[0] for after in machine.effects(machine.initial).values()} | {0}
    held = [keys for n in range(5) for keys in combinations("ABCD", n)]

    found = {machine.inputs.answer(0, Move("key", (Text("+".join(keys)),))) for keys in held}
    assert found == expected == {0, 1, -1, 10, -10, 13, -7, 3}


def test_an_answer_without_a_value_is_a_fault_with_its_reason() -> None:
    machine = frames("initialState := 1 newState := 12/(mouseX - 7) if mouseClicked; 1 otherwise")
    faults = machine.faults(machine.initial)

    # Too many quotients to be listed, so that nothing is said about any of them.
    assert list(faults.values()) == [TOO_MANY]

    machine = frames(
        "initialState := 1 newState := floor(1/(mouseX - 7)) if mouseClicked; 1 otherwise"
    )
    (move, fault), *rest = machine.faults(machine.initial).items()
    assert not rest
    assert str(move) == "click(7, 400)"
    assert fault.kind is FaultKind.UNDEFINED
    assert "1 is divided by 0" in fault.message


def test_a_game_that_cannot_begin_says_why() -> None:
    machine = frames("initialState := 1/0 newState := 1")

    assert machine.initial_fault is not None
    assert machine.initial_fault.reason == "1 is divided by 0"


def test_on_a_grid_only_its_points_are_clicked() -> None:
    machine = frames(ROOMS, grid=200)

    # Points 100, 300, 500, …: none is inside the first room, and 300 is on a line.
    assert moves(machine, machine.initial) == []
    machine = frames(ROOMS, grid=50)
    assert moves(machine, machine.initial) == ["click(125, 25)", "click(225, 25)", "click(325, 25)"]


def test_the_place_of_the_mouse_in_the_state_has_too_many_answers() -> None:
    code = "initialState := 0 newState := mouseX if mouseClicked; currentState otherwise"

    machine = frames(code)
    assert list(machine.faults(machine.initial).values()) == [TOO_MANY]
    assert TOO_MANY.kind is FaultKind.UNLISTED
    assert machine.outcome(machine.initial) is None
    assert machine.after(machine.initial, Move("click", (3, 4))).values == (3,)
    on_grid = frames(code, grid=100)
    assert len(moves(on_grid, on_grid.initial)) == 10


def test_what_a_move_tells_the_program() -> None:
    assert input_of(Move("click", (1, 2))) is not None
    assert input_of(Move("click", (Atom("a"), 2))) is None
    assert input_of(Move("frame", (1,))) is None


@pytest.mark.parametrize(
    "answer", ["mouseX * mouseY", "(mouseX^2 + mouseY^2) mod 251", "floor(mouseX * mouseY / 7)"]
)
def test_telling_the_points_of_the_screen_apart_is_paid_for(answer: str) -> None:
    """Each question looks at 800,000 points: a few hundred of them take seconds."""
    code = f"initialState := 0 newState := {answer} if mouseClicked; currentState otherwise"
    machine = frames(code)

    with pytest.raises(OverBudget, match="telling inputs apart"), budget(steps=500_000):
        machine.legal(machine.initial)
