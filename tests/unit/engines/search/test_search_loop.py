"""Distances and what settles a question, as the search counts them."""

import numpy as np
import pytest

from zermelo.core.arrays import Numbers
from zermelo.engines.search.search_loop import (
    BLOCK,
    BUT_FOR_STUCK,
    EXACT,
    F_HIGH,
    F_LOW,
    FRAME,
    LOWER,
    REACH,
    TO_DEPTH,
    TO_STUCK,
    TO_THE_END,
    UPPER,
    VALUE,
    WHOLE,
    WON,
    farther,
    nearer,
    pack,
    settles,
)
from zermelo.fast.bits import address

ALL = (-WON, WON)


@pytest.mark.parametrize("value", [0, WON - 1, WON - 200, 1 - WON, 200 - WON])
def test_a_ply_earlier_and_a_ply_later_are_the_same(value: int) -> None:
    assert farther(nearer(value)) == value


def test_a_win_is_worth_less_the_farther_away_it_is() -> None:
    assert 0 < farther(WON - 3) < WON - 3
    assert 0 > farther(3 - WON) > 3 - WON


def told(known: int, *, left: int, window: tuple[int, int] = ALL) -> tuple[int, int] | None:
    """The value and the reach that a word of the table tells, if it settles the question."""
    block: Numbers = np.zeros(BLOCK, dtype=np.int64)
    frame: Numbers = np.zeros(FRAME, dtype=np.int64)
    frame[F_LOW], frame[F_HIGH] = window
    if not settles(address(block), address(frame), known, left):
        return None
    return int(block[VALUE]), int(block[REACH])


def test_a_forced_win_holds_at_every_depth_it_lies_within() -> None:
    known = pack(WON - 5, EXACT, WHOLE, 0)

    assert told(known, left=5) == (WON - 5, TO_THE_END)
    assert told(known, left=90) == (WON - 5, TO_THE_END)


def test_what_lies_beyond_the_depth_is_not_told() -> None:
    assert told(pack(WON - 5, EXACT, WHOLE, 0), left=4) == (0, TO_DEPTH)


def test_nothing_forced_holds_up_to_the_depth_it_was_found_at() -> None:
    known = pack(0, EXACT, 6, 0)

    assert told(known, left=6) == (0, TO_DEPTH)
    assert told(known, left=7) is None


def test_a_line_that_was_followed_to_its_end_holds_at_every_depth() -> None:
    assert told(pack(0, EXACT, WHOLE, 0), left=99) == (0, TO_THE_END)
    assert told(pack(0, EXACT, BUT_FOR_STUCK, 0), left=99) == (0, TO_STUCK)


def test_a_bound_settles_only_what_it_excludes() -> None:
    at_least = pack(WON - 9, LOWER, WHOLE, 0)
    at_most = pack(0, UPPER, 20, 0)

    assert told(at_least, left=20, window=(0, WON - 9)) == (WON - 9, TO_THE_END)
    assert told(at_least, left=20, window=(0, WON - 7)) is None
    assert told(at_most, left=20, window=(0, WON - 7)) == (0, TO_DEPTH)
    assert told(at_most, left=20, window=(3 - WON, WON - 7)) is None
