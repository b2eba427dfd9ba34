"""The arithmetic of the tree of random plays."""

import math

import pytest

from zermelo.engines.search.mcts import ONE, logarithm, square_root


@pytest.mark.parametrize("x", [0, 1, 2, 3, 4, 15, 16, 17, 10**6 - 1, 10**6, 2**40 - 1, 2**40 + 1])
def test_a_square_root_is_rounded_down(x: int) -> None:
    assert square_root(x) == math.isqrt(x)


@pytest.mark.parametrize("x", [1, 2, 3, 7, 10, 1000, 123_456_789])
def test_a_logarithm_is_nearly_right(x: int) -> None:
    # between powers of two it follows a straight line, which lies at most 0.0597 too low
    assert 0 <= math.log(x) - logarithm(x) / ONE <= 0.0598
