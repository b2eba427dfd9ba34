"""Moves turned round, and values found from the ends backwards."""

import numpy as np

from tests.support.played_graphs import OnGraph, Played, Spot, won_by
from zermelo.core.signature import Stuck
from zermelo.engines.solve.codes import Coding, Objective, TerminalValues
from zermelo.engines.solve.cycles import MoveArcs, gathered, solved_by_distance
from zermelo.engines.solve.levels import StatesToSolve
from zermelo.engines.solve.values import ValueKind
from zermelo.engines.space.level_counts import count_levels
from zermelo.engines.space.store import store_for
from zermelo.engines.space.thread_pool import Deadline, ThreadPool


def arcs_of(played: Played) -> tuple[MoveArcs, TerminalValues]:
    expander = OnGraph(played)
    store = store_for(expander, threads=1)
    count_levels(expander, store, start=np.array([0], dtype=np.int64))
    terminal_values = TerminalValues(played.signature, Objective(0, Stuck.LOSES))
    return gathered(
        StatesToSolve(ThreadPool(expander, 1), store, is_graded=False),
        [terminal_values],
        watch=Deadline(),
    ), terminal_values


def test_every_move_is_found_from_where_it_leads() -> None:
    # 0 leads to 1 and 2, 1 to 0 and twice to 2.
    arcs, _ = arcs_of(Played((Spot(0, (1, 2)), Spot(1, (0, 2, 2)), Spot(0, (), won_by(0)))))

    before = [arcs.before[arcs.starts[at] : arcs.starts[at + 1]].tolist() for at in range(3)]
    assert before == [[1], [0], [0, 1, 1]]
    assert arcs.counts.tolist() == [2, 3, 0]


def test_states_are_decided_by_their_distance() -> None:
    arcs, terminal_values = arcs_of(
        Played((Spot(0, (1, 2)), Spot(1, (0, 2, 2)), Spot(0, (), won_by(0))))
    )

    codes, coding = solved_by_distance(arcs, terminal_values, arcs.ends[0], watch=Deadline())

    assert coding == Coding(1)
    # 1 can go back to 0, but that is won too.
    assert [coding.decoded(int(code)) for code in codes] == [
        (ValueKind.WIN, 1),
        (ValueKind.WIN, 2),
        (ValueKind.WIN, 0),
    ]
