"""Counting values: for the player in turn, and exactly, however many positions there are."""

import numpy as np

from tests.support.played_graphs import Played, Spot
from zermelo.core.signature import Stuck
from zermelo.engines.solve.codes import Coding, Objective, ValueCounts
from zermelo.engines.solve.values import ValueKind

CODING = Coding(1)
WIN, DRAW, LOSS = (CODING.code(kind) for kind in (ValueKind.WIN, ValueKind.DRAW, ValueKind.LOSS))
OF_A, OF_B = 1, 2
"""Verdicts: it is the turn of A, of B."""


def codes(*found: int) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    return np.array(found, dtype=np.uint8)


def test_a_win_of_the_other_is_a_loss() -> None:
    tally = ValueCounts(Played((Spot(0),)).signature, [Objective(0, Stuck.LOSES)], CODING)

    tally.add(np.array([OF_A, OF_B, OF_B]), [codes(WIN, WIN, DRAW)], None)

    (counted,) = tally.counted
    assert counted.by_kind == {ValueKind.WIN: 1, ValueKind.LOSS: 1, ValueKind.DRAW: 1}
    assert counted.by_winner == {"A": 2, "B": 0}
    assert counted.total == 3


def test_two_ways_to_score_agree_on_a_part() -> None:
    ways = [Objective(0, Stuck.LOSES), Objective(0, Stuck.DRAWS)]
    tally = ValueCounts(Played((Spot(0),)).signature, ways, CODING)

    tally.add(np.array([OF_A, OF_A]), [codes(LOSS, LOSS), codes(LOSS, DRAW)], None)

    loses, draws, both = tally.counted
    assert loses.by_kind == {ValueKind.LOSS: 2}
    assert draws.by_kind == {ValueKind.LOSS: 1, ValueKind.DRAW: 1}
    assert both.by_kind == {ValueKind.LOSS: 1, ValueKind.UNKNOWN: 1}
    assert both.by_winner == {"A": 0, "B": 1}


def test_of_several_players_each_counts_when_it_is_in_turn() -> None:
    tally = ValueCounts(
        Played((Spot(0),), players=3).signature,
        [Objective(at, Stuck.LOSES) for at in range(3)],
        CODING,
    )

    tally.add(np.array([1, 3]), [codes(WIN, LOSS), codes(LOSS, LOSS), codes(LOSS, DRAW)], None)

    (counted,) = tally.counted
    assert counted.by_kind == {ValueKind.WIN: 1, ValueKind.DRAW: 1}
    assert counted.by_winner == {"A": 1, "B": 0, "C": 0}


def test_classes_count_for_all_positions_that_they_stand_for() -> None:
    tally = ValueCounts(Played((Spot(0),)).signature, [Objective(0, Stuck.LOSES)], CODING)
    large = 2**62 - 1

    for _ in range(5):
        sizes = np.array([large, 3], dtype=np.int64)
        tally.add(np.array([OF_A, OF_A]), [codes(WIN, LOSS)], sizes)
    tally.add(np.array([OF_A]), [codes(WIN)], np.array([2**80], dtype=object))

    # No sum of 64-bit numbers or fractions would be exact here.
    assert tally.counted[0].by_kind == {ValueKind.WIN: 5 * large + 2**80, ValueKind.LOSS: 15}
