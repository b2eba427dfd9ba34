"""Layers: the longest play and the number of complete plays, or that there are cycles."""

from math import comb

import numpy as np
import pytest

from tests.support.drawn import Drawn, grid
from zermelo.engines.space.level_counts import count_levels
from zermelo.engines.space.peeling import Layers, layers
from zermelo.engines.space.store import small

START = np.zeros(1, dtype=np.int64)


def peeled(drawn: Drawn, *, is_graded: bool | None = None) -> Layers:
    store = small(1)
    found = count_levels(drawn, store, start=START)
    graded = found.is_graded if is_graded is None else is_graded
    result = layers(drawn, store, start=START, is_graded=graded, count_plays=True)
    assert result is not None
    return result


def test_where_every_move_leads_to_the_next_level_layers_are_levels() -> None:
    found = peeled(Drawn(grid(4)))

    assert (found.count, found.complete_plays) == (7, comb(6, 3))


def test_peeling_finds_the_same() -> None:
    found = peeled(Drawn(grid(4)), is_graded=False)

    assert (found.count, found.complete_plays) == (7, comb(6, 3))


def test_a_short_cut_does_not_shorten_the_longest_play() -> None:
    # 0 → 1 → 2 → 3, and 0 → 3
    found = peeled(Drawn({0: [3, 1], 1: [2], 2: [3]}))

    assert (found.count, found.complete_plays) == (4, 2)
    assert found.layer_of is not None


@pytest.mark.parametrize("graph", [{0: [0]}, {0: [1], 1: [2, 3], 2: [1]}, {0: [1], 1: [0, 2]}])
def test_cycles_are_found(graph: dict[int, list[int]]) -> None:
    found = peeled(Drawn(graph))

    assert (found.count, found.complete_plays) == (None, None)


@pytest.mark.parametrize("is_graded", [True, False])
def test_numbers_of_plays_may_leave_a_machine_word(*, is_graded: bool) -> None:
    # 40 · 39 steps, of which 39 go down: about 2⁷⁵
    found = peeled(Drawn(grid(40)), is_graded=is_graded)

    assert found.complete_plays == comb(78, 39)
    assert comb(78, 39) > 2**64


def test_two_moves_to_the_same_state_are_two_plays() -> None:
    assert peeled(Drawn({0: [1, 1], 1: [2, 2, 2]})).complete_plays == 6


def test_whoever_waits_can_stop() -> None:
    drawn, store = Drawn({0: [1, 2], 1: [2]}), small(1)
    count_levels(drawn, store, start=START)

    assert layers(drawn, store, start=START, is_graded=False, ask=lambda: True) is None
