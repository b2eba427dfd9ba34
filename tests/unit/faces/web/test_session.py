"""What a page says is done, and only what changed is told to it."""

from typing import cast

from tests.support.easel_sessions import CLOCK, COUNT, LONG, NESTED, session
from zermelo.faces.web.limits import MOST_CLICKS
from zermelo.faces.web.messages import (
    Ask,
    Click,
    Cursor,
    Go,
    Make,
    Message,
    Outline,
    Pause,
    Play,
    Press,
    ReadProgram,
    Release,
    Restart,
    Resume,
    Speed,
    Step,
    TakeLine,
    Watch,
)
from zermelo.faces.web.page.store import Store
from zermelo.faces.web.site import session_of


def test_a_page_that_knows_nothing_is_told_everything() -> None:
    told = session(COUNT).everything()

    assert told["state"] == "0"
    assert told["drawing"] == [
        {"kind": "text", "text": "0", "center": [500, 400], "height": 80, "color": [0, 0, 255]}
    ]
    assert (told["frame"], told["first"], told["last"]) == (0, 0, 0)
    assert (told["playing"], told["speed"], told["faults"], told["changes"]) == (True, 1.0, [], [])


def test_a_frame_in_which_nothing_changes_tells_its_number_only() -> None:
    page = session(COUNT)
    page.everything()
    page.advance([], is_due=True)

    assert page.advance([], is_due=True) == {"frame": 2, "last": 2}


def test_a_click_is_played_by_the_next_frame() -> None:
    page = session(COUNT)
    page.everything()

    assert page.advance([Click(5, 6)], is_due=False) == {"waiting": 1}
    told = page.advance([], is_due=True)

    assert told["state"] == "1"
    assert told["input"] == {"clicked": True, "x": "5", "y": "6", "keys": "{}"}
    assert (told["waiting"], told["changed"], told["sounds"]) == (0, [1], ["ding"])


def test_clicks_are_played_one_in_each_frame() -> None:
    page = session(COUNT)
    page.everything()
    page.advance([Click(1, 1)] * 5, is_due=False)

    states = [page.advance([], is_due=True).get("state") for _ in range(6)]

    assert states == ["1", "2", "3", "4", "5", None]


def test_only_so_many_clicks_wait() -> None:
    page = session(COUNT)
    page.everything()

    assert page.advance([Click(1, 1)] * (MOST_CLICKS + 5), is_due=False) == {"waiting": MOST_CLICKS}


def test_the_cursor_and_keys_are_told_to_the_program() -> None:
    page = session(COUNT)
    page.everything()

    told = page.advance([Cursor(7, 8), Press("a"), Press("LEFT")], is_due=True)
    assert told["input"] == {"clicked": False, "x": "7", "y": "8", "keys": "{A, LEFT}"}

    told = page.advance([Release("a")], is_due=True)
    assert told["input"] == {"clicked": False, "x": "7", "y": "8", "keys": "{LEFT}"}


def test_a_page_that_comes_back_holds_no_key() -> None:
    page = session(COUNT)
    page.everything()
    page.advance([Press("A")], is_due=True)

    page.everything()
    told = page.advance([], is_due=True)

    assert told["input"] == {"clicked": False, "x": "0", "y": "0", "keys": "{}"}


def test_time_stands_still_while_it_is_paused() -> None:
    page = session(CLOCK)
    page.everything()

    assert page.advance([Pause()], is_due=True) == {"playing": False}
    assert page.period is None
    assert page.advance([], is_due=True) == {}
    assert page.advance([Play()], is_due=False) == {"playing": True}


def test_frames_come_thirty_times_a_second_at_the_usual_speed() -> None:
    page = session(CLOCK)
    assert page.period == 1 / 30

    page.advance([Speed(0.5)], is_due=False)

    assert page.period == 1 / 15


def test_steps_are_frames_of_their_own() -> None:
    page = session(CLOCK)
    page.everything()

    told = page.advance([Step(), Step(), Step()], is_due=True)

    assert (told["state"], told["frame"], told["playing"]) == ("3", 3, False)
    assert told["changed"] == [1, 2, 3]


def test_a_step_in_the_past_shows_what_was() -> None:
    page = session(COUNT)
    page.everything()
    page.advance([Click(1, 1), Step(), Step(), Step(), Go(0)], is_due=False)

    told = page.advance([Step()], is_due=False)

    assert (told["frame"], told["state"]) == (1, "1")
    assert "last" not in told


def test_a_click_in_the_past_makes_another_future() -> None:
    page = session(COUNT)
    page.everything()
    page.advance([Click(1, 1), Step(), Step(), Step(), Go(1)], is_due=False)

    told = page.advance([Click(2, 2), Step()], is_due=False)

    assert (told["frame"], told["last"], told["state"]) == (2, 2, "2")


def test_going_on_from_the_past_drops_what_came_after() -> None:
    page = session(CLOCK)
    page.everything()
    page.advance([Step()] * 9, is_due=False)

    told = page.advance([Go(4), Play()], is_due=True)

    assert (told["frame"], told["last"]) == (5, 5)
    assert page.everything()["changes"] == [1, 2, 3, 4, 5]


def test_there_is_no_way_before_the_first_or_after_the_last_frame() -> None:
    page = session(CLOCK)
    page.everything()
    page.advance([Step(), Step()], is_due=False)

    assert page.advance([Go(99)], is_due=False) == {}
    assert page.advance([Go(0)], is_due=False)["frame"] == 0


def test_beginning_anew_forgets_frames_clicks_and_changes() -> None:
    page = session(COUNT)
    page.everything()
    page.advance([Pause(), Click(1, 1), Step(), Click(1, 1)], is_due=False)

    told = page.advance([Restart()], is_due=False)

    assert (told["frame"], told["last"], told["state"]) == (0, 0, "0")
    assert (told["waiting"], told["changes"]) == (0, [])
    assert page.period is None


def test_a_page_that_comes_back_is_told_everything_again() -> None:
    page = session(COUNT)
    page.everything()
    page.advance([Click(1, 1)], is_due=True)

    told = page.everything()

    assert (told["state"], told["changes"]) == ("1", [1])
    assert "sounds" not in told


def test_a_state_that_nests_without_end_is_told_and_time_stands_still() -> None:
    page = session(NESTED)
    page.everything()

    for _ in range(300):
        told = page.advance([], is_due=True)
        if "faults" in told:
            break

    (fault,) = cast(list[str], told["faults"])
    assert fault.startswith("error[Z")
    assert "more than 200 tuples or sets inside each other" in fault
    assert told["playing"] is False
    assert page.advance([Restart()], is_due=True)["frame"] == 1


def test_a_long_state_is_shown_in_part() -> None:
    told = cast(str, session(LONG).everything()["state"])

    assert told.startswith("{1, 2, 3, ")
    # The numbers 1 to 9,999 have 38,889 digits, and a comma and a blank between them.
    assert told.endswith(" …\n\n(38,887 more characters)")


# A program with a region that can be clicked, a name that is derived, and a key.
BUTTON = """
/$ ledGame
initialState := 3
left := 10 - currentState
newState := currentState + 1 if mouseClicked & mouseX < 20 & mouseY > 790;
            currentState - 1 if "A" in keys; currentState otherwise
images := {text(prettyPrint(left), point(500, 400), 80, dBlue)} $/
"""


def test_what_one_goes_on_from_the_past_is_kept_and_taken_up_again() -> None:
    page = session(COUNT)
    page.everything()
    page.advance([Click(1, 1), Step(), Click(1, 1), Step(), Step()], is_due=False)

    wishes: list[Message] = [Go(1), Click(2, 2), Step(), Click(2, 2), Step(), Step()]
    told = page.advance(wishes, is_due=False)
    assert (told["frame"], told["state"], told["changes"]) == (4, "3", [1, 2, 3])
    assert told["lines"] == [{"number": 1, "fork": 1, "last": 3, "changes": 1}]

    told = page.advance([TakeLine(1)], is_due=False)
    assert (told["frame"], told["state"], told["changes"]) == (3, "2", [1, 2])
    assert told["lines"] == [{"number": 1, "fork": 1, "last": 4, "changes": 2}]
    assert page.advance([Restart()], is_due=False)["lines"] == [
        {"number": 1, "fork": 1, "last": 4, "changes": 2},
        {"number": 2, "fork": 0, "last": 3, "changes": 2},
    ]
    assert page.advance([TakeLine(2)], is_due=False)["state"] == "2"
    assert page.advance([TakeLine(99)], is_due=False) == {}


def test_names_and_expressions_are_watched_in_every_frame() -> None:
    page = session(BUTTON)
    assert page.everything()["names"] == ["left"]

    told = page.advance([Watch(("left", "left * left", "currentState / 0"))], is_due=False)
    assert told["watched"] == ["7", "49", "3 is divided by 0"]
    assert page.advance([Click(5, 795)], is_due=True)["watched"] == ["6", "36", "4 is divided by 0"]
    assert "watched" not in page.advance([], is_due=False)


def test_the_prompt_answers_in_the_state_that_is_shown() -> None:
    page = session(BUTTON)
    page.everything()

    told = page.advance([Ask("left"), Ask("click 5 795"), Ask("left")], is_due=False)

    assert told["answers"] == [
        {"typed": "left", "answer": '"7"'},
        {"typed": "click 5 795", "answer": "frame 1: 4"},
        {"typed": "left", "answer": '"6"'},
    ]
    assert (told["state"], told["changed"]) == ("4", [1])


def test_regions_that_do_something_are_outlined() -> None:
    page = session(BUTTON)
    page.everything()

    told = page.advance([Outline(is_on=True)], is_due=False)
    assert told["outlined"] == {
        "words": "",
        "inputs": [
            # All points from (0, 791) to (19, 800), between their corners.
            {
                "move": "click(9, 795)",
                "words": "click 9 795",
                "edges": [
                    [0, 790, 20, 790],
                    [0, 800, 20, 800],
                    [0, 790, 0, 800],
                    [20, 790, 20, 800],
                ],
            },
            {"move": "key(A)", "words": "key A", "edges": []},
        ],
    }
    assert page.advance([Make("click(9, 795)")], is_due=True)["state"] == "4"
    assert page.advance([Make("key(A)")], is_due=True)["state"] == "3"
    # What has no effect there is not done.
    assert page.advance([Make("click(500, 5)")], is_due=True)["state"] == "3"
    assert page.advance([Outline(is_on=False)], is_due=False)["outlined"] is None


def test_another_text_runs_on_in_the_state_if_it_is_one() -> None:
    store = Store(None)
    first = store.add("program.led", COUNT)
    page = session_of(store, first)
    page.everything()
    page.advance([Click(1, 1), Step(), Click(1, 1), Step()], is_due=False)

    faster = store.add("program.led", COUNT.replace("+ 1", "+ 10"))
    told = page.advance([ReadProgram(faster)], is_due=False)
    assert told["program"] == {"document": faster, "loaded": True, "kept": True}
    assert (told["state"], told["frame"], told["playing"]) == ("2", 0, False)
    assert page.advance([Click(1, 1), Step()], is_due=False)["state"] == "12"

    broken = store.add("program.led", "/$ ledGame\ninitialState := \n$/")
    told = page.advance([ReadProgram(broken)], is_due=False)
    assert told["program"]["loaded"] is False  # type: ignore[index,call-overload]
    assert page.advance([Click(1, 1), Step()], is_due=False)["state"] == "22"

    # A number is no pair.
    pair = store.add(
        "program.led",
        LONG.replace("{1..9999}", "(1, 2)").replace(
            "newState := currentState", "newState := (currentState[2], currentState[1])"
        ),
    )
    told = page.advance([ReadProgram(pair)], is_due=False)
    assert told["program"] == {"document": pair, "loaded": True, "kept": False}
    assert told["state"] == "(1, 2)"


def test_a_page_goes_on_in_the_state_that_it_knows() -> None:
    page = session(COUNT)
    source = page.advance([Click(1, 1), Step()], is_due=False)["source"]
    assert source == "1"

    fresh = session(COUNT)
    assert fresh.advance([Resume("41")], is_due=False)["state"] == "41"
    for nonsense in ("", "currentState[", '"a" + 1', "mouseX("):
        told = fresh.advance([Resume(nonsense)], is_due=False)
        assert "state" not in told
        assert "program" not in told
