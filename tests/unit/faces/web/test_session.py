"""What a page says is done, and only what changed is told to it."""

from typing import cast

from tests.support.easel_sessions import CLOCK, COUNT, LONG, NESTED, session
from zermelo.faces.web.limits import MOST_CLICKS
from zermelo.faces.web.messages import (
    Click,
    Cursor,
    Go,
    Pause,
    Play,
    Press,
    Release,
    Restart,
    Speed,
    Step,
)


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


def test_going_on_from_the_past_forgets_what_came_after() -> None:
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
