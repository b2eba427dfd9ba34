"""What is said of a space: endings with their first plays, faults, rules, and long plays."""

from collections.abc import Mapping
from math import comb

import numpy as np
import pytest

from tests.support.drawn import DRAW, FAULT, Drawn, grid
from zermelo.core.arrays import Rows
from zermelo.core.limits import UNLIMITED, Limits
from zermelo.core.machine import Fault
from zermelo.core.signature import Stuck
from zermelo.core.space import ExploreOptions, Space
from zermelo.core.state import Move
from zermelo.engines.space.exploration import explore
from zermelo.engines.space.store import small
from zermelo.text.budget import OutOfTime

START = np.zeros(1, dtype=np.int64)
ALL = ExploreOptions(rules=True, complete_plays=True)


def space(
    drawn: Drawn, *, limits: Limits = UNLIMITED, threads: int = 1, wishes: ExploreOptions = ALL
) -> Space:
    return explore(drawn, small(1), start=START, limits=limits, threads=threads, wishes=wishes)


def go(*codes: int) -> tuple[Move, ...]:
    return tuple(Move("Go", (code,)) for code in codes)


def test_an_ending_has_its_count_and_its_first_shortest_play() -> None:
    found = space(Drawn(grid(4), over=frozenset({15, 6, 9})))

    (ending,) = found.endings
    # 6 is two to the right and one down, and right is the first move
    assert (ending.outcome, ending.count, ending.play) == (DRAW, 3, go(0, 0, 1))
    assert found.over_by_depth == (0, 0, 0, 2, 0, 0, 1)


def test_stuck_states_are_counted_with_the_first_play_to_one() -> None:
    found = space(Drawn({0: [2, 1], 1: [], 2: []}))

    assert found.stuck is not None
    assert found.stuck.state is not None
    assert (found.stuck.count, found.stuck.play) == (2, go(0))
    assert found.stuck.state["at"] == 2
    assert found.endings == ()


def test_what_being_stuck_means_is_an_ending_by_the_reading() -> None:
    found = space(Drawn({0: [2, 1], 1: [], 2: []}, stuck=Stuck.LOSES))

    assert [(str(each.outcome), each.count, each.play) for each in found.endings] == [
        ("Odd wins", 1, go(0)),
        ("Even wins", 1, go(1)),
    ]
    assert found.stuck is None
    assert found.over_by_depth == (0, 2)


def test_a_fault_comes_with_the_first_play_that_shows_it() -> None:
    found = space(Drawn(grid(3), faulty=frozenset({5, 7})))

    (fault,) = found.faults
    assert (fault.fault, fault.count, fault.state["at"]) == (FAULT, 2, 5)
    assert fault.play == (*go(0, 0, 0), Move("Go", (99,)))
    assert found.faulty == 2


def test_rules_are_counted_in_all_threads() -> None:
    for threads in (1, 3):
        found = space(Drawn(grid(20)), threads=threads)

        assert found.fired == {("Go", "1"): 760, ("Go", "2"): 0}


def test_the_longest_play_is_the_first_of_the_longest() -> None:
    found = space(Drawn(grid(3)))

    assert found.longest is not None
    assert found.longest.play == go(0, 0, 0, 0)
    assert found.complete_plays == comb(4, 2)


def test_the_longest_play_may_take_a_long_way_round() -> None:
    # 0 → 2 and 0 → 1 → 3 → 2
    found = space(Drawn({0: [2, 1], 1: [3], 3: [2]}))

    assert found.longest is not None
    assert found.longest.play == go(1, 0, 0)


def test_where_there_are_cycles_plays_have_no_number() -> None:
    found = space(Drawn({0: [1], 1: [0, 2]}))

    assert found.longest is not None
    assert found.longest.has_cycles
    assert found.complete_plays is None


def test_nothing_is_said_of_long_plays_when_the_space_was_cut() -> None:
    found = space(Drawn(grid(9)), limits=Limits(states=20))

    assert found.longest is None
    assert found.complete_plays is None


def test_it_is_said_how_it_was_done() -> None:
    run = space(Drawn(grid(3))).run

    assert run is not None
    assert (run.machine, run.threads) == ("a drawing", 1)
    assert "table" in run.store
    assert run.bytes > 0


@pytest.mark.parametrize("limits", [UNLIMITED, Limits(depth=9), Limits(states=333)])
def test_threads_change_nothing_that_is_said(limits: Limits) -> None:
    graph = {at: [(3 * at + 1) % 2003, (5 * at + 2) % 2003] for at in range(2003)}
    drawn = Drawn(graph, over=frozenset({77, 1203, 900}), faulty=frozenset({10, 11, 1500}))

    alone, together = (space(drawn, limits=limits, threads=threads) for threads in (1, 4))

    assert _said(alone) == _said(together)


def _said(found: Space) -> list[object]:
    return [getattr(found, name) for name in Space.__dataclass_fields__ if name != "run"]


@pytest.mark.parametrize("last", range(1, 6))
def test_faults_are_told_as_far_as_the_time_allows(last: int) -> None:
    class Late(Drawn):
        asked = 0

        def faults(self, row: Rows) -> Mapping[Move, Fault]:
            self.asked += 1
            if self.asked == last:
                raise OutOfTime("tracing")
            return super().faults(row)

    late = Late(grid(4), faulty=frozenset({5, 6}))
    found = space(late)

    assert (found.states, found.faulty) == (16, 2)
    assert (found.untold is not None) == (late.asked >= last)
