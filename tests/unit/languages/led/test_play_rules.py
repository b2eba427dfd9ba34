"""How programs are played is found by playing them, and never from their names."""

from tests.support.led import program
from zermelo.core.signature import Reading
from zermelo.core.state import Move
from zermelo.core.values import Atom
from zermelo.languages.led.play_rules import find_rules, grid_size
from zermelo.languages.led.run.frames import Frames, PlayRules

NIM = """
ledGame
initialState := (4, `p)
heap := currentState[1]
who := currentState[2]
other := `q if who = `p; `p otherwise
taken := 1 if mouseX < 500; 2 otherwise
newState :=
  (heap - taken, other) if mouseClicked & taken <= heap;
  currentState otherwise
message := "q has won" if who = `p; "p has won" otherwise
images := {text(message, point(500, 400), 40, dBlack)} if heap = 0;
  {text(prettyPrint(heap), point(500, 400), 40, dBlack)} otherwise
"""


def choices(rules: PlayRules) -> dict[str, str]:
    return {reading.name: reading.choice for reading in rules.readings}


def given(name: str, choice: str) -> dict[str, Reading]:
    return {name: Reading(name, choice, (choice,), "", "caller")}


def test_players_end_and_result_are_seen_by_playing() -> None:
    rules = find_rules(program(NIM), {})

    assert rules.player == "who"
    assert rules.players == (Atom("p"), Atom("q"))
    assert rules.stops
    assert "q has won" not in rules.ordinary
    assert rules.shown == ("heap", "who", "other", "message")
    assert rules.kinds == ("click",)
    assert choices(rules) == {
        "inputs": "regions",
        "end": "stops the play",
        "result": "texts on the screen",
        "players": "who",
    }
    assert {reading.decided_by for reading in rules.readings} == {"play"}
    assert all(reading.reason for reading in rules.readings)


def test_names_do_not_matter() -> None:
    renamed = NIM.replace("who", "gameOver").replace("heap", "playerToMove")

    assert find_rules(program(renamed), {}).player == "gameOver"


def test_who_comes_next_does_not_move_wherever_that_is_defined() -> None:
    line = "other := `q if who = `p; `p otherwise\n"
    code = NIM.replace(line, "").replace("heap :=", line + "heap :=")

    assert find_rules(program(code), {}).player == "who"


def test_what_is_given_is_taken() -> None:
    assert not find_rules(program(NIM), given("end", "goes on")).stops
    assert find_rules(program(NIM), given("result", "message")).result == "message"
    assert find_rules(program(NIM), given("players", "nobody")).player is None
    assert find_rules(program(NIM), given("players", "other")).player == "other"
    assert find_rules(program(NIM), given("players", "one player")).is_alone
    assert find_rules(program(NIM), given("inputs", "grid 100")).grid == 100


def test_a_relation_can_be_given_for_the_end() -> None:
    rules = find_rules(program(NIM + " few iff heap < 2"), given("end", "few"))

    assert rules.over == "few"
    assert "1" not in rules.ordinary


def test_what_merely_changes_with_every_move_is_no_player() -> None:
    # Where the hole of a sliding puzzle is depends on the move, not on who made it.
    ring = """
    initialState := 1
    hole := currentState
    newState := 1 + (currentState mod 4) if mouseClicked & mouseX < 500;
      1 + ((currentState + 1) mod 4) if mouseClicked; currentState otherwise
    """

    assert find_rules(program(ring), {}).player is None


def test_a_lamp_that_is_switched_on_and_off_never_ends() -> None:
    lamp = "initialState := `off newState := `on if mouseClicked & currentState = `off; " + (
        "`off if mouseClicked; currentState otherwise images := {}"
    )
    rules = find_rules(program(lamp), {})

    assert not rules.stops
    assert choices(rules)["end"] == "goes on"
    assert rules.player is None


def test_too_many_inputs_are_tried_on_a_grid() -> None:
    rules = find_rules(
        program("initialState := 0 newState := mouseX if mouseClicked; currentState otherwise"), {}
    )

    assert rules.grid == 50
    assert choices(rules)["inputs"] == "grid 50"


def test_a_state_that_grows_does_not_take_for_ever() -> None:
    rules = find_rules(
        program("initialState := {} newState := currentState U {|currentState|}"), {}
    )

    assert rules.kinds == ("frame",)
    assert rules.player is None


def test_words_that_only_the_turns_of_a_player_show_name_the_player() -> None:
    """A truth value is no name: `red` stands on the screen in all of its turns."""
    told = """
    message := "blue wins" if ~red & heap = 0; "red wins" if heap = 0; "red to move" if red;
      "blue to move" otherwise
    images := {text(message, point(500, 400), 40, dBlack)}
    """
    before, _, _ = NIM.partition("message")
    code = before.replace("`p", "true").replace("`q", "false").replace("who", "red") + told
    rules = find_rules(program(code), {})

    assert rules.names == (("red", "true"), ("blue", "false"))


def test_a_number_in_the_place_of_a_number_is_no_result() -> None:
    rules = find_rules(program(NIM + " few iff heap = 0"), given("end", "few"))
    frames = Frames(program(NIM), rules)

    assert rules.unsaid == ()
    assert len(rules.gauges) == 1
    assert frames.rules.names_somebody


def test_a_text_that_does_not_say_who_wins_is_asked_for_until_it_is_said() -> None:
    code = NIM.replace('"q has won"', '"over: q"')
    said = given("result over q", "q loses")

    assert find_rules(program(code), {}).unsaid == ("over: q",)
    assert find_rules(program(code), said).unsaid == ()
    assert [str(v.losers) for _, v in find_rules(program(code), said).verdicts] == [
        "frozenset({1})"
    ]


def test_where_no_text_names_anybody_it_is_asked_who_wins() -> None:
    code = NIM.replace('"q has won"', '"the end"').replace('"p has won"', '"the end"')

    assert find_rules(program(code), {}).unsaid == ("the end",)


RESTART = NIM.replace(
    "newState :=\n", "newState :=\n  initialState if mouseClicked & mouseY > 700;\n"
)


def test_what_begins_anew_from_everywhere_is_a_control_and_no_move() -> None:
    rules = find_rules(program(RESTART), {})
    frames = Frames(program(RESTART), rules)
    state = frames.after(frames.initial, frames.legal(frames.initial)[0])
    anew = Move("click", (100, 750))

    assert choices(rules)["restart"] == "control"
    assert [frames.after(state, move) for move in frames.legal(state)].count(frames.initial) == 0
    assert len(frames.legal(state)) == 2
    assert frames.after(state, anew) == frames.initial


def test_beginning_anew_can_be_a_move() -> None:
    rules = find_rules(program(RESTART), given("restart", "move"))
    frames = Frames(program(RESTART), rules)
    state = frames.after(frames.initial, frames.legal(frames.initial)[0])

    assert len(frames.legal(state)) == 3


def test_a_move_that_takes_one_back_is_no_control() -> None:
    """From one state it leads to the beginning, from others elsewhere."""
    back = """
ledGame
initialState := 0
newState :=
  currentState + 1 if mouseClicked & mouseX < 500 & currentState < 4;
  currentState - 1 if mouseClicked & mouseX >= 500 & currentState > 0 & currentState < 4;
  currentState otherwise
images := {text("done", point(500, 400), 40, dBlack)} if currentState = 4; {} otherwise
"""
    rules = find_rules(program(back), {})

    assert "restart" not in choices(rules)
    assert rules.controls is None


def test_what_takes_a_move_back_is_a_move_beside_what_begins_anew() -> None:
    """After one move both lead to the first state, and a click stands for each."""
    code = RESTART.replace(
        "newState :=", "newState := \n  (4, `p) if mouseClicked & undo;"
    ).replace("ledGame", "ledGame undo iff mouseY > 600 & mouseY < 650 & heap = 3")
    rules = find_rules(program(code), {})
    frames = Frames(program(code), rules)
    state = frames.after(frames.initial, Move("click", (100, 100)))

    back = [move for move in frames.legal(state) if frames.after(state, move) == frames.initial]
    assert choices(rules)["restart"] == "control"
    assert [move.arguments for move in back] == [(499, 625)]


def test_a_key_that_begins_anew_is_a_control_with_other_keys_too() -> None:
    code = NIM.replace("newState :=\n", 'newState :=\n  initialState if "R" in keys;\n').replace(
        "mouseClicked", '"S" in keys'
    )
    rules = find_rules(program(code), {})
    frames = Frames(program(code), rules)
    state = frames.after(frames.initial, frames.legal(frames.initial)[0])

    assert choices(rules)["restart"] == "control"
    assert all(frames.after(state, move) != frames.initial for move in frames.legal(state))


def test_a_reading_is_said_where_keys_together_matter_and_nowhere_else() -> None:
    both = 'initialState := 0 newState := 1 if "A" in keys & "B" in keys; currentState otherwise'
    each = (
        'initialState := 0 newState := 1 if "A" in keys; 2 if "B" in keys; currentState otherwise'
    )
    letters = ", ".join(f'"{letter}"' for letter in "ABCDEFGH")
    many = f"initialState := {{}} newState := {{k | k in {{{letters}}} & k in keys}}"

    assert choices(find_rules(program(both), {}))["keys"] == "together"
    assert "keys" not in choices(find_rules(program(each), {}))
    assert choices(find_rules(program(many), {}))["keys"] == "one at a time"
    assert not find_rules(program(both), given("keys", "one at a time")).are_keys_together


def test_a_text_that_tells_of_an_end_where_play_goes_on_is_noted() -> None:
    """A move can be taken back at any time, so that no state is over by itself."""
    code = NIM.replace(
        "currentState otherwise", "(4, `p) if mouseClicked & heap < 4; currentState otherwise"
    )
    code = code.replace("ledGame", "ledGame empty iff heap = 0").replace("(4, `p) if", "(3, `q) if")
    rules = find_rules(program(code), {})

    assert rules.told_early == ("q has won", "p has won")
    assert rules.may_end == ("empty",)
    assert find_rules(program(code), given("end", "empty")).told_early == ()


def test_grids_have_sizes_that_make_sense() -> None:
    assert [grid_size(text) for text in ("grid 1", "grid 400", "grid 0", "grid 401", "grid")] == [
        1,
        400,
        None,
        None,
        None,
    ]
