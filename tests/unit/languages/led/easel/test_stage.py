"""Programs frame by frame."""

import pytest

from tests.support.led import program
from zermelo.languages.led.easel.stage import MOST_CHANGES, MOST_KEYS, Stage, StageFrame, missing
from zermelo.languages.led.run.evaluator import ProgramEvaluator
from zermelo.languages.led.run.pretty import pp
from zermelo.languages.led.run.values import MOST_PARTS
from zermelo.text.errors import UsageError

# The state is the list of what the program was told.
LOG = """
ledGame
initialState := (0,0)
newState := currentState + (mouseX, mouseY) if mouseClicked; currentState otherwise
images := {text(prettyPrint(currentState), point(500, 400), 20, dBlack)}
"""
COUNTER = """
ledGame
initialState := 0
newState := currentState + 1
images := {circle(point(currentState, 0), 5, dBlack)}
"""
GROWING = """
ledGame
initialState := (1, 1)
newState := currentState + (1, 1)
images := {}
"""
KEYS = """
ledGame
initialState := {}
newState := keys
images := {}
"""


def stage(code: str, *, most_parts: int = MOST_PARTS, most_changes: int = MOST_CHANGES) -> Stage:
    """The program *code* on a stage."""
    return Stage(ProgramEvaluator(program(code)), most_parts=most_parts, most_changes=most_changes)


def states(*frames: StageFrame) -> list[str]:
    """The states of *frames* as they print."""
    return [pp(frame.state) for frame in frames]


def said(frame: StageFrame) -> list[str]:
    """What *frame* could not do."""
    return [each.message for each in frame.faults]


# Clicks, the cursor, keys


def test_frame_0_is_the_initial_state_with_its_images() -> None:
    first = stage(LOG).present

    assert first.number == 0
    assert states(first) == ["(0, 0)"]
    assert len(first.images) == 1
    assert first.sounds == ()
    assert first.input is None


def test_each_click_plays_exactly_once_and_in_order_however_fast_one_clicks() -> None:
    shown = stage(LOG)
    for x in range(5):
        shown.click(x, 9)

    frames = [shown.frame() for _ in range(8)]

    assert states(frames[-1]) == ["(0, 0, 0, 9, 1, 9, 2, 9, 3, 9, 4, 9)"]
    assert [len(frame.sounds) for frame in frames] == [1, 1, 1, 1, 1, 0, 0, 0]
    assert shown.waiting == 0


def test_a_click_has_its_own_position_and_otherwise_the_cursor_counts() -> None:
    shown = stage(LOG)
    shown.click(10, 20)
    shown.move(30, 40)

    clicked, idle = shown.frame().input, shown.frame().input

    assert clicked is not None
    assert (clicked.clicked, clicked.x, clicked.y) == (True, 10, 20)
    assert idle is not None
    assert (idle.clicked, idle.x, idle.y) == (False, 30, 40)


def test_keys_are_held_until_they_are_released_and_one_that_was_tapped_is_not_missed() -> None:
    shown = stage(KEYS)
    shown.press("a")
    shown.press("Shift")
    held = shown.frame()
    shown.press("ArrowLeft")
    shown.release("ArrowLeft")
    tapped = shown.frame()
    after = shown.frame()
    shown.release("a")

    assert states(held, tapped, after, shown.frame()) == ["{A}", "{A, LEFT}", "{A}", "{}"]


def test_no_more_keys_are_held_than_a_keyboard_has() -> None:
    shown = stage(KEYS)

    taken = [shown.press(chr(0x4E00 + at)) for at in range(1_000)]
    assert (taken.count(True), taken.index(False)) == (MOST_KEYS, MOST_KEYS)
    assert shown.press(chr(0x4E00))

    shown.release_all()
    shown.frame()
    assert shown.press("A")


def test_all_keys_can_be_released_at_once() -> None:
    shown = stage(KEYS)
    shown.press("a")
    shown.press("b")
    shown.frame()

    shown.release_all()

    assert states(shown.frame()) == ["{}"]


# Sounds


def test_sounds_are_those_of_the_old_state() -> None:
    shown = stage(COUNTER + 'sounds := {"bang"} if currentState = 1; {} otherwise')

    assert [shown.frame().sounds for _ in range(3)] == [(), ("bang",), ()]


def test_without_sounds_a_click_goes_ding() -> None:
    shown = stage(COUNTER)
    shown.click(1, 1)

    assert [shown.frame().sounds for _ in range(2)] == [("ding",), ()]


def test_sounds_that_are_no_strings_are_said() -> None:
    shown = stage(COUNTER + "sounds := {1, 2}")

    frame = shown.frame()

    assert said(frame) == ["`sounds` is {1, 2}, not a set of strings"]
    assert frame.sounds == ()


# Time


def test_a_paused_stage_makes_single_frames_only() -> None:
    shown = stage(COUNTER)
    shown.pause()

    assert shown.is_paused
    assert shown.frame().number == 1


def test_one_can_go_to_any_frame_and_on_from_there() -> None:
    shown = stage(LOG)
    for x in (1, 2, 3):
        shown.click(x, x)
        shown.frame()

    back = shown.go(1)
    forth = shown.go(3)
    shown.go(1)
    shown.click(9, 9)
    fork = shown.frame()

    assert states(back, forth, fork) == [
        "(0, 0, 1, 1)",
        "(0, 0, 1, 1, 2, 2, 3, 3)",
        "(0, 0, 1, 1, 9, 9)",
    ]
    assert (fork.number, shown.last) == (2, 2)


def test_images_and_input_of_an_earlier_frame_are_there_again() -> None:
    shown = stage(LOG)
    shown.click(7, 8)
    made = shown.frame()
    shown.frame()

    again = shown.go(1)

    assert (again.images, again.input, again.sounds) == (made.images, made.input, ())


def test_clicks_that_wait_are_forgotten_when_one_goes_elsewhere() -> None:
    shown = stage(LOG)
    shown.frame()
    shown.click(1, 1)

    shown.go(0)

    assert shown.waiting == 0
    assert states(shown.frame()) == ["(0, 0)"]


@pytest.mark.parametrize("number", [-1, 3])
def test_there_is_no_way_to_a_frame_that_is_not_there(number: int) -> None:
    shown = stage(COUNTER)
    shown.frame()
    shown.frame()

    with pytest.raises(UsageError, match="there are 0 to 2"):
        shown.go(number)


def test_the_memory_is_bounded_and_says_how_far_back_it_goes() -> None:
    shown = stage(COUNTER, most_changes=100)
    for _ in range(250):
        shown.frame()

    assert 150 <= shown.first <= 175
    assert states(shown.go(shown.first)) == [str(shown.first)]


def test_large_states_are_kept_for_fewer_frames() -> None:
    shown = Stage(ProgramEvaluator(program(GROWING)), most_kept=1_000)
    for _ in range(60):
        shown.frame()

    # Each of the last has some 120 parts, and a quarter of all is forgotten at once.
    assert 60 - 1_000 // 110 <= shown.first <= 60 - 700 // 123
    assert states(shown.go(60)) == [pp((1, 1) * 61)]


def test_frames_that_change_nothing_take_no_memory() -> None:
    shown = stage(LOG, most_changes=100)
    for _ in range(250):
        shown.frame()

    assert (shown.first, shown.last) == (0, 250)


def test_a_restart_begins_again_with_frame_0() -> None:
    shown = stage(COUNTER)
    shown.frame()

    assert states(shown.restart()) == ["0"]
    assert (shown.number, shown.first, shown.last) == (0, 0, 0)


# Faults


def test_a_new_state_without_a_value_leaves_the_state_and_says_why() -> None:
    shown = stage(
        """
        ledGame
        initialState := 3
        newState := ratio(6)
        ratio(n) := n / (currentState - 2)
        images := {}
        """
    )

    first, second, third = shown.frame(), shown.frame(), shown.frame()

    assert states(first, second, third) == ["6", "1.5", "-12"]
    shown = stage(
        """
        ledGame
        initialState := 2
        newState := ratio(6)
        ratio(n) := n / (currentState - 2)
        images := {}
        """
    )
    frame = shown.frame()
    assert states(frame) == ["2"]
    assert said(frame) == ["`newState` has no value in this frame: 6 is divided by 0"]
    assert "in `ratio(6)`" in frame.faults[0].notes
    assert not shown.is_paused


def test_a_first_state_without_a_value_is_said_and_the_stage_is_paused() -> None:
    shown = stage("ledGame initialState := 1/0 newState := currentState images := {}")

    assert said(shown.present) == ["`initialState` has no value in this frame: 1 is divided by 0"]
    assert shown.is_paused
    assert pp(shown.frame().state) == "ERRONEOUS VALUE"


def test_images_without_a_value_are_said_and_the_game_goes_on() -> None:
    shown = stage("ledGame initialState := 0 newState := currentState+1 images := 1/currentState")

    assert said(shown.present) == ["`images` has no value in this frame: 1 is divided by 0"]
    assert said(shown.frame()) == ["`images` is 1, not a set of images"]
    assert not shown.is_paused


def test_a_state_that_explodes_is_reported_and_the_stage_is_paused() -> None:
    shown = stage(
        "ledGame initialState := (1,1) newState := currentState + currentState images := {}",
        most_parts=1000,
    )
    while not shown.is_paused:
        frame = shown.frame()

    # 2, 4, … 512 components and the tuple itself are below 1,000 parts; 1,024 are not.
    assert frame.number == 9
    assert said(frame) == ["the state grows: it would have more than 1,000 parts after this frame"]
    assert pp(shown.state).count("1") == 512


def test_a_frame_that_takes_too_long_is_reported_and_the_stage_is_paused() -> None:
    code = """
    ledGame
    initialState := 0
    newState := |{(x,y) | x in {1..5000} & y in {1..5000}}| if mouseClicked; 0 otherwise
    images := {}
    """
    shown = Stage(ProgramEvaluator(program(code), steps=20_000))
    shown.frame()
    shown.click(1, 1)

    frame = shown.frame()

    assert said(frame) == [
        "`newState` has no value in this frame: this took more than 20,000 steps"
    ]
    assert shown.is_paused


def test_a_recursion_without_end_is_reported_and_the_stage_is_paused() -> None:
    shown = stage(
        """
        ledGame
        initialState := 0
        newState := again(1)
        again(n) := again(n + 1)
        images := {}
        """
    )

    frame = shown.frame()

    assert said(frame) == [
        "`newState` has no value in this frame: `again` calls itself, one call inside the other, "
        "without an end in sight"
    ]
    assert shown.is_paused


def test_what_was_wrong_with_a_frame_is_said_again_when_one_goes_back() -> None:
    shown = stage("ledGame initialState := 0 newState := 1/currentState images := {}")
    shown.frame()
    shown.restart()
    shown.frame()
    shown.frame()

    assert said(shown.go(1)) == ["`newState` has no value in this frame: 1 is divided by 0"]
    assert said(shown.go(0)) == []


# What can run


@pytest.mark.parametrize(
    ("code", "lacking"),
    [
        ("a := 1", "it does not define `initialState`, `newState` and `images`"),
        ("ledGame initialState := 1 newState := 1", "it does not define `images`"),
        (
            "ledGame initialState := 1 newState(s) := s images := {}",
            "`newState` has parameters",
        ),
    ],
)
def test_a_program_that_cannot_run_says_what_is_lacking(code: str, lacking: str) -> None:
    made = program(code, may_have_errors=True)

    found = missing(made)

    assert found is not None
    assert lacking in found
    with pytest.raises(UsageError, match="cannot run in Easel"):
        Stage(ProgramEvaluator(made))
