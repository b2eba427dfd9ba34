"""Moves turned round, and values found from the ends backwards."""

import numpy as np

from tests.support.played_graphs import OnGraph, Played, Spot, won_by
from zermelo.engines.solve.codes import Coding
from zermelo.engines.solve.cycles import Arcs, gathered, solved_by_distance
from zermelo.engines.solve.reached import Reached
from zermelo.engines.solve.stakes import Seeker, Stakes
from zermelo.engines.solve.values import Kind
from zermelo.engines.space.crew import Crew, Watch
from zermelo.engines.space.store import store_for
from zermelo.engines.space.survey import survey
from zermelo.languages.sections.ir import Stuck


def arcs_of(played: Played) -> tuple[Arcs, Stakes]:
    expander = OnGraph(played)
    store = store_for(expander, threads=1)
    survey(expander, store, start=np.array([0], dtype=np.int64))
    stakes = Stakes(played.system, Seeker(0, Stuck.LOSES))
    return gathered(
        Reached(Crew(expander, 1), store, is_graded=False), [stakes], watch=Watch()
    ), stakes


def test_every_move_is_found_from_where_it_leads() -> None:
    # 0 leads to 1 and 2, 1 to 0 and twice to 2.
    arcs, _ = arcs_of(Played((Spot(0, (1, 2)), Spot(1, (0, 2, 2)), Spot(0, (), won_by(0)))))

    before = [arcs.before[arcs.starts[at] : arcs.starts[at + 1]].tolist() for at in range(3)]
    assert before == [[1], [0], [0, 1, 1]]
    assert arcs.counts.tolist() == [2, 3, 0]


def test_states_are_decided_by_their_distance() -> None:
    arcs, stakes = arcs_of(Played((Spot(0, (1, 2)), Spot(1, (0, 2, 2)), Spot(0, (), won_by(0)))))

    codes, coding = solved_by_distance(arcs, stakes, arcs.ends[0], watch=Watch())

    assert coding == Coding(1)
    # 1 can go back to 0, but that is won too.
    assert [coding.decoded(int(code)) for code in codes] == [
        (Kind.WIN, 1),
        (Kind.WIN, 2),
        (Kind.WIN, 0),
    ]
