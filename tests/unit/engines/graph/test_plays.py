"""Plays are counted by length, on the graph of the states that they pass through."""

from tests.support.machines import HandMade, state_of
from zermelo.core.adapter import MachineExpander
from zermelo.core.limits import UNLIMITED, Limits, Listener
from zermelo.core.machine import Ending, Outcome
from zermelo.core.space import PlayCounts
from zermelo.core.state import Move, State
from zermelo.engines.graph.build import plays

LAST_TAKES = Outcome(Ending.OVER)


def countdown(heap: int) -> HandMade:
    """Take one or two from a heap until it is empty."""

    def steps(state: State) -> list[tuple[Move, State]]:
        left = state["heap"]
        assert isinstance(left, int)
        return [(Move("Take", (n,)), state_of(heap=left - n)) for n in (1, 2) if n <= left]

    return HandMade(
        state_of(heap=heap), steps, lambda state: LAST_TAKES if state["heap"] == 0 else None
    )


def counted_plays(
    machine: HandMade,
    length: int,
    *,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
) -> PlayCounts:
    expander = MachineExpander(machine)
    return plays(expander, machine.initial, length, limits=limits, listener=listener)


def test_a_listener_can_stop_the_counting_of_plays() -> None:
    counted = counted_plays(countdown(100), 20, listener=lambda progress: progress.depth > 3)

    assert len(counted.counts) == 3
    assert counted.cut == "interrupted"


def test_plays_are_counted_by_length() -> None:
    # of three moves all but 2 2 2; of four 1 1 1 1 and the four with one 2; of five 1 1 1 1 1
    assert counted_plays(countdown(5), 6).counts == (2, 4, 7, 5, 1, 0)


def test_counting_plays_says_when_it_stopped() -> None:
    counted = counted_plays(countdown(50), 10, limits=Limits(states=3))

    assert counted.counts == (2, 4)
    assert counted.cut == "plays of 3 moves end in more than 3 states"
