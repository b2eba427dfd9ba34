"""What pages say is understood, and nothing else is."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.page_messages import random_message
from zermelo.faces.web.messages import (
    Click,
    Cursor,
    Go,
    Message,
    Pause,
    Play,
    Press,
    Refusal,
    Release,
    Restart,
    Speed,
    Step,
    from_data,
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
    assert from_data(text) == message


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
        '{"do": "speed", "speed": -Infinity}',
        '{"do": "speed", "speed": NaN}',
        '{"do": "speed", "speed": true}',
        '{"do": "speed", "speed": 0}',
        '{"do": "speed", "speed": 8.001}',
        '{"do": "speed", "speed": 1e999}',
        '{"do": "speed", "speed": ' + "9" * 400 + "}",
        '{"do": "speed", "speed": -' + "9" * 400 + "}",
        '{"do": "speed", "speed": 1, "x": 1}',
        '{"do": "pause", "speed": 1}',
        '{"do": "pause", "do": "play"}',
        '{"do": "pause"} {}',
        '{"do": null}',
        '{"do": "go", "frame": true}',
        '{"do": "go", "frame": 9007199254740993}',
        '{"do": "press", "key": 7}',
        '{"do": "press", "key": "\\ud800"}',
        '{"do": "press", "key": "\\u0000"}',
        '{"do": "pause", "' + "x" * 900 + '": 1}',
        '{"do": "pause"}' + " " * 40_000,
        '{"do": "ask"}',
        '{"do": "ask", "text": 5}',
        '{"do": "ask", "text": "\\ud800"}',
        '{"do": "ask", "text": "' + "x" * 1_001 + '"}',
        '{"do": "watch", "texts": "free"}',
        '{"do": "watch", "texts": [5]}',
        '{"do": "watch", "texts": [' + ", ".join(['"a"'] * 13) + "]}",
        '{"do": "outline", "on": 1}',
        '{"do": "line", "number": -1}',
        '{"do": "make", "move": null}',
        '{"do": "program", "document": []}',
        '{"do": "resume", "state": {}}',
        '{"do": ' + "[" * 900 + "]" * 100,
        '{"a":' * 200,
    ],
)
def test_what_no_page_says_is_refused_with_a_word(text: str) -> None:
    answer = from_data(text)

    assert isinstance(answer, Refusal)
    assert 10 < len(answer.reason) < 100


@pytest.mark.parametrize("data", [None, b"", b'{"do": "pause"}', 5, [], {"do": "pause"}])
def test_what_is_no_text_is_refused(data: object) -> None:
    assert from_data(data) == Refusal("a message is a text")


def test_the_bounds_of_a_speed_are_part_of_it() -> None:
    assert from_data('{"do": "speed", "speed": 8}') == Speed(8.0)
    assert from_data('{"do": "speed", "speed": 0.015625}') == Speed(1 / 64)


@given(st.text())
def test_any_text_is_a_message_or_refused(text: str) -> None:
    assert isinstance(from_data(text), Message | Refusal)


def test_a_hundred_thousand_random_messages_are_records_within_bounds_or_refused() -> None:
    """Most are nearly right: a true message with one of its parts exchanged for another."""
    random = Random(20)
    understood = Counter[str]()
    for _ in range(100_000):
        text = random_message(random)
        answer = from_data(text)
        assert isinstance(answer, Message | Refusal), text
        understood[type(answer).__name__] += 1
        match answer:
            case Click(x, y) | Cursor(x, y):
                assert type(x) is type(y) is int, text
                assert 0 <= x < 1000, text
                assert 0 <= y <= 800, text
            case Press(key) | Release(key):
                assert 0 < len(key) <= 8, text
            case Go(frame):
                assert type(frame) is int, text
                assert 0 <= frame <= 2**53, text
            case Speed(speed):
                assert type(speed) is float, text
                assert 1 / 64 <= speed <= 8, text
            case _:
                pass
    # All ways out are taken, or this would say little.
    assert len(understood) == 11
    assert min(understood.values()) > 500
