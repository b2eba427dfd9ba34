"""Text is measured without its font: never too narrow, and not much too wide."""

import pytest

from zermelo.draw.page import text_width

# In ems, with the advances of DejaVu Sans 2.37.
KNOWN = {
    "<.p % 13 + 1.>": 7.91,
    "withdraw_0_1": 6.87,
    "left_first": 4.07,
    "<.a,b,c,d,e,f,g,h,i.>": 9.80,
    "thinking: <.1.> + <.2.>": 12.09,
    "x != y && b1 == 0": 9.47,
    "¬trapped": 4.77,
    "enter <i: 0, f: 0, t: 1>": 10.79,
    "MEKPP": 3.36,
    "SwimmingPool": 7.29,
}


@pytest.mark.parametrize(("text", "ems"), KNOWN.items())
def test_text_has_room_and_not_much_more(text: str, ems: float) -> None:
    assert ems <= text_width(text, 100) / 100 <= 1.2 * ems


@pytest.mark.parametrize(("text", "broader"), [("i", "n"), ("n", "m"), ("m", "漢"), ("a", "aa")])
def test_letters_are_of_different_widths(text: str, broader: str) -> None:
    assert text_width(text, 10) < text_width(broader, 10)


def test_nothing_takes_no_room() -> None:
    assert text_width("", 10) == 0
