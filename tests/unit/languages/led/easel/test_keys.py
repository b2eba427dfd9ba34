"""What keys are called."""

import pytest

from zermelo.languages.led.easel.stage import key_name
from zermelo.languages.led.run.built_ins import NAMED_KEYS


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("a", "A"),
        ("Z", "Z"),
        ("7", "7"),
        ("+", "+"),
        ("ä", "Ä"),
        (" ", "SPACE"),
        ("Enter", "ENTER"),
        ("Esc", "ESCAPE"),
        ("ArrowUp", "UP"),
        ("down", "DOWN"),
    ],
)
def test_a_key_has_one_name(said: str, name: str) -> None:
    assert key_name(said) == name


@pytest.mark.parametrize("said", ["", "Shift", "F5", "\x07", "ß", "AudioVolumeUp"])
def test_other_keys_have_none(said: str) -> None:
    assert key_name(said) is None


def test_names_name_themselves() -> None:
    assert [key_name(name) for name in NAMED_KEYS] == list(NAMED_KEYS)
