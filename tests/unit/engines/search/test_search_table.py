"""What is known of states: found again whole, and never mistaken for something else."""

import numpy as np

from tests.support.expanders import heap, listed
from zermelo.core.arrays import Numbers
from zermelo.engines.search.search_loop import (
    AGE,
    EXACT,
    LOWER,
    MASK,
    TABLE,
    TABLE_BLOCK,
    keep,
    look_up,
    pack,
)
from zermelo.engines.search.steps import WORDS, NativeSteps
from zermelo.fast.bits import address, load

MOST = 4


class Kept:
    """A table of four entries for states of two words."""

    def __init__(self) -> None:
        self.block = NativeSteps(listed(heap(2))).block(TABLE_BLOCK)
        self.entries: Numbers = np.zeros((MOST, 3), dtype=np.int64)
        self.block[WORDS] = 2
        self.block[TABLE] = address(self.entries)
        self.block[MASK] = MOST - 1

    def keep(self, state: tuple[int, int], *, value: int, bound: int = EXACT, depth: int) -> None:
        row = np.array(state, dtype=np.int64)
        keep(address(self.block), address(row), pack(value, bound, depth, 7))

    def value(self, state: tuple[int, int]) -> int | None:
        row = np.array(state, dtype=np.int64)
        entry = look_up(address(self.block), address(row))
        return None if entry == 0 else (load(entry, 0) & 65535) - 32768

    def states(self) -> set[tuple[int, int]]:
        return {(int(a), int(b)) for word, a, b in self.entries if word}


def test_what_is_kept_is_found_again() -> None:
    table = Kept()

    table.keep((5, -6), value=-29_993, depth=7)

    assert table.value((5, -6)) == -29_993


def test_another_state_is_not_found() -> None:
    table = Kept()
    table.keep((5, -6), value=29_993, depth=7)

    assert table.value((5, 6)) is None
    assert table.value((-6, 5)) is None


def test_a_state_stands_in_the_table_once() -> None:
    table = Kept()

    for depth in range(5):
        table.keep((1, 2), value=0, bound=LOWER, depth=depth)

    assert table.states() == {(1, 2)}
    assert np.count_nonzero(table.entries[:, 0]) == 1


def test_a_forced_result_is_not_given_up_for_less() -> None:
    table = Kept()
    table.keep((1, 2), value=29_990, depth=10)

    table.keep((1, 2), value=0, bound=LOWER, depth=12)

    assert table.value((1, 2)) == 29_990


def test_in_a_full_table_what_is_least_deep_goes() -> None:
    table = Kept()
    for number, depth in enumerate((9, 2, 8, 7)):
        table.keep((number, number), value=0, depth=depth)

    table.keep((10, 10), value=0, depth=1)

    assert table.states() == {(0, 0), (2, 2), (3, 3), (10, 10)}


def test_in_a_full_table_what_is_old_goes_before_what_is_new() -> None:
    table = Kept()
    table.keep((0, 0), value=0, depth=9)
    table.block[AGE] = 3
    for number in (1, 2, 3):
        table.keep((number, number), value=0, depth=2)

    table.keep((10, 10), value=0, depth=1)

    assert table.states() == {(1, 1), (2, 2), (3, 3), (10, 10)}
