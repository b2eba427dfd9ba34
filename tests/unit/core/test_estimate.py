"""Estimates: the order of magnitude where the levels tell it, and nothing where they do not."""

import pytest

from zermelo.core.limits import estimate

PEGS = [1, 81, 2592, 42336, 381024, 1905120, 5036256, 6135264, 2527560, 153288]
"""The levels of the game of pegs: 16,183,522 states."""


@pytest.mark.parametrize("known", range(5, 11))
def test_half_of_the_levels_tell_the_order_of_magnitude(known: int) -> None:
    guess = estimate(PEGS[:known])

    assert guess is not None
    assert 16_183_522 / 2 < guess < 16_183_522 * 2


def test_growth_that_does_not_slow_down_tells_nothing() -> None:
    assert estimate([1, 3, 9, 27, 81]) is None
    assert estimate([1, 2, 8, 64]) is None


def test_few_levels_tell_nothing() -> None:
    assert estimate([1, 9, 72]) is None
    assert estimate([]) is None


def test_a_trend_that_hardly_falls_tells_nothing() -> None:
    assert estimate([1_000_000, 2_000_000, 3_999_999, 7_999_990]) is None
