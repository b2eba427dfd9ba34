"""What pages say is understood, and nothing else is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.faces.web.messages import (
    Click,
    Cursor,
    Go,
    Message,
    Pause,
    Play,
    Press,
    Release,
    Restart,
    Speed,
    Step,
    from_text,
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"do": "click", "x": 0, "y": 800}', Click(0, 800)),
        ('{"do": "cursor", "x": 999, "y": 1}', Cursor(999, 1)),
        ('{"do": "press", "key": "A"}', Press("A")),
        ('{"do": "release", "key": "LEFT"}', Release("LEFT")),
        ('{"do": "pause"}', Pause()),
        ('{"do": "play"}', Play()),
        ('{"do": "step"}', Step()),
        ('{"do": "go", "frame": 12}', Go(12)),
        ('{"do": "restart"}', Restart()),
        ('{"do": "speed", "speed": 0.5}', Speed(0.5)),
    ],
)
def test_what_a_page_says_is_understood(text: str, message: Message) -> None:
    assert from_text(text) == message


@pytest.mark.parametrize(
    "text",
    [
        "",
        "click",
        "[]",
        "[" * 100_000,
        "{}",
        '{"do": ["click"]}',
        '{"do": "click"}',
        '{"do": "click", "x": 1000, "y": 5}',
        '{"do": "click", "x": 5, "y": 801}',
        '{"do": "click", "x": 1.5, "y": 5}',
        '{"do": "click", "x": true, "y": 5}',
        '{"do": "click", "x": "1", "y": 5}',
        '{"do": "press", "key": ""}',
        '{"do": "press", "key": "a long story"}',
        '{"do": "go", "frame": -1}',
        '{"do": "go", "frame": 1e99}',
        '{"do": "speed", "speed": "fast"}',
        '{"do": "speed", "speed": Infinity}',
    ],
)
def test_what_no_page_says_is_nothing(text: str) -> None:
    assert from_text(text) is None


def test_a_speed_keeps_to_its_bounds() -> None:
    assert from_text('{"do": "speed", "speed": 1e9}') == Speed(8.0)


@given(st.text())
def test_any_text_is_a_message_or_nothing(text: str) -> None:
    from_text(text)
