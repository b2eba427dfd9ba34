"""The limits of the server, as they are kept and as they are told."""

import re

import pytest

from tests.support.project import DOCS
from zermelo.faces.web import limits
from zermelo.faces.web.limits import Allowance
from zermelo.languages.led.easel import pictures, stage


def test_so_many_may_come_at_once_and_so_many_in_the_long_run() -> None:
    now = 0.0
    two = Allowance(most=2, per_second=0.5, clock=lambda: now)

    assert [two.take() for _ in range(3)] == [0, 0, 2]
    now = 1.0
    assert two.take() == 1
    now = 2.0
    assert [two.take() for _ in range(2)] == [0, 2]
    # However long nothing came, no more than so many may come at once.
    now = 1_000.0
    assert [two.take() for _ in range(3)] == [0, 0, 2]


@pytest.mark.parametrize(
    ("what", "numbers"),
    [
        ("pages that show a program", [limits.MOST_PAGES]),
        ("games that are remembered", [limits.MOST_LEFT]),
        ("connections at a time", [limits.MOST_CONNECTIONS]),
        ("requests that are being answered", [limits.MOST_REQUESTS, 503]),
        ("requests without the cookie", [limits.MOST_STRANGERS]),
        ("the head of a request", [limits.MOST_HEAD]),
        ("time to send a request", [limits.REQUEST_SECONDS]),
        ("time to read an answer", [limits.ANSWER_SECONDS]),
        ("time for a page to answer a ping", [limits.PING_SECONDS, limits.PING_SECONDS]),
        ("a picture or sound file", [limits.MOST_FILE]),
        ("a picture that is drawn", [pictures.MOST_BYTES, pictures.MOST_PIXELS]),
        ("a message of a page", [limits.MOST_MESSAGE, limits.MOST_FRAGMENTS]),
        ("messages of a page", [limits.MOST_AT_ONCE, limits.MESSAGES_PER_SECOND]),
        ("messages that wait", [limits.MOST_WAITING]),
        ("messages without a meaning", [limits.MOST_REFUSED]),
        ("clicks that wait", [limits.MOST_CLICKS]),
        ("keys that are held", [stage.MOST_KEYS]),
        ("wrong tokens", [limits.MOST_WRONG, 429]),
    ],
)
def test_the_reference_tells_the_limits_that_are_kept(what: str, numbers: list[float]) -> None:
    text = (DOCS / "reference" / "easel.md").read_text(encoding="utf-8")
    (row,) = re.findall(rf"^\| {what}[^|]*\|(.*)\|$", text, re.MULTILINE)

    assert [float(each.replace(",", "")) for each in re.findall(r"\d[\d,]*\d|\d", row)] == numbers
