"""Threads over pieces: everything is done, in order, and a run can be stopped."""

import pytest

from tests.support.played_graphs import OnGraph, Played, Spot
from zermelo.core.expander import Expander
from zermelo.core.limits import UNLIMITED, Limits, Progress
from zermelo.engines.space.thread_pool import Deadline, Stopped, ThreadPool

EXPANDER = OnGraph(Played((Spot(0),)))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_come_in_the_order_of_the_pieces(threads: int) -> None:
    crew = ThreadPool(EXPANDER, threads)

    assert crew.threads == threads
    assert list(crew.over(range(40), lambda _, piece: piece * piece)) == [n * n for n in range(40)]


def test_each_thread_has_an_expander_of_its_own() -> None:
    used: set[int] = set()

    def work(expander: Expander, piece: int) -> int:
        used.add(id(expander))
        return piece

    list(ThreadPool(EXPANDER, 3).over(range(30), work))

    assert 1 <= len(used) <= 3


def test_who_has_no_twin_works_alone() -> None:
    class Alone(OnGraph):
        def twin(self) -> None:
            return None

    assert ThreadPool(Alone(Played((Spot(0),))), 4).threads == 1


def test_what_goes_wrong_in_a_thread_is_raised() -> None:
    def work(_: Expander, piece: int) -> int:
        if piece == 7:
            raise Stopped("at seven")
        return piece

    with pytest.raises(Stopped, match="at seven"):
        list(ThreadPool(EXPANDER, 2).over(range(10), work))


def test_the_clock_and_the_listener_can_stop_a_run() -> None:
    told: list[Progress] = []

    Deadline(UNLIMITED, told.append).look(depth=3, states=9, frontier=2)

    assert (told[0].depth, told[0].states, told[0].frontier) == (3, 9, 2)
    with pytest.raises(Stopped, match="stopped after -1 seconds"):
        Deadline(Limits(seconds=-1.0)).look(depth=0, states=0)
    with pytest.raises(Stopped, match="interrupted"):
        Deadline(UNLIMITED, lambda _: True).look(depth=0, states=0)
