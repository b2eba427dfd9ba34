"""Lists of inputs."""

import pytest

from zermelo.languages.led.easel.script import (
    Action,
    Click,
    Hold,
    HoldKeys,
    MoveCursor,
    Snapshot,
    Wait,
    complaint,
    parse,
)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("click 150 650", Click(150, 650)),
        ("  click   0 0  # a corner", Click(0, 0)),
        ("click 1000 800", Click(1000, 800)),
        ("key a", HoldKeys(("A",))),
        ("key left UP left", HoldKeys(("LEFT", "UP"))),
        ("frame", Wait(1)),
        ("frame 30", Wait(30)),
        ("move 10 20", MoveCursor(10, 20)),
        ("hold space", Hold("SPACE")),
        ("release space", Hold("SPACE", is_held=False)),
        ("snapshot after-3_moves", Snapshot("after-3_moves")),
    ],
)
def test_a_line_is_an_input(text: str, action: Action) -> None:
    parsed = parse(text)

    assert [line.action for line in parsed.lines] == [action]
    assert parsed.complaints == ()


def test_comments_and_empty_lines_mean_nothing_and_lines_keep_their_numbers() -> None:
    parsed = parse("# the opening\n\nclick 150 650\n  # and then\nframe\n")

    assert [(line.number, line.text) for line in parsed.lines] == [
        (3, "click 150 650"),
        (5, "frame"),
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("clik 1 2", "there is no input `clik`; did you mean `click`?"),
        (
            "jump",
            "there is no input `jump`; there are click, key, frame, move, hold, release, snapshot",
        ),
        ("click", "`click` needs two whole numbers, as in `click 150 650`"),
        ("click 1 2 3", "`click` needs two whole numbers, as in `click 150 650`"),
        ("click 1.5 2", "`click` needs two whole numbers, as in `click 150 650`"),
        ("move -1 2", "`move` needs two whole numbers, as in `move 150 650`"),
        (
            "click 1001 5",
            "(1001, 5) is outside the window, which goes from (0, 0) to (1000, 800)",
        ),
        ("key", "`key` needs the names of keys, as in `key A` or `key LEFT UP`"),
        (
            "key Shift",
            "there is no key `Shift`; keys are single characters and "
            "LEFT, RIGHT, UP, DOWN, SPACE, ENTER, ESCAPE",
        ),
        ("hold", "`hold` needs the name of one key, as in `hold A`"),
        ("frame many", "`frame` needs the number of frames or nothing, as in `frame 30`"),
        ("frame 100001", "more than 100,000 frames are not made at once"),
        (
            "snapshot ../up",
            "`snapshot` needs a name of letters, digits, `-` and `_` that does not begin with "
            "`frame-`, as in `snapshot opening`",
        ),
        (
            "snapshot frame-00001",
            "`snapshot` needs a name of letters, digits, `-` and `_` that does not begin with "
            "`frame-`, as in `snapshot opening`",
        ),
    ],
)
def test_a_line_that_is_no_input_says_why(text: str, reason: str) -> None:
    assert complaint(text) == reason
    assert parse(f"frame\n{text}").complaints == (f"line 2: `{text}`: {reason}",)


def test_a_list_may_ask_for_so_many_frames_only() -> None:
    assert parse("frame 100000").complaints == ()
    assert parse("frame 60000\nframe 60000\nclick 1").complaints == (
        "line 2: `frame 60000`: with it there are more than 100,000 frames",
    )
