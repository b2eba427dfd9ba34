"""Differences: the first play at which two machines part, and what holds then."""

from tests.support.machines import HandMade, state_of
from zermelo.core.machine import Ending, Outcome
from zermelo.core.state import Move, State
from zermelo.engines.check.trials import first_difference

DONE = Outcome(Ending.OVER)


def steps_of(size: int, *, most: int = 9, until: int = 9) -> HandMade:
    """Steps of 1, and of *size* where it is at least *most*."""

    def steps(state: State) -> list[tuple[Move, State]]:
        at = state["at"]
        assert isinstance(at, int)
        step = size if at >= 2 else 1
        return [(Move("Step"), state_of(at=at + step))] if at < most else []

    return HandMade(
        state_of(at=0), steps, lambda state: DONE if state["at"] in range(until, 99) else None
    )


def test_machines_that_do_the_same_have_no_difference() -> None:
    assert first_difference(steps_of(1), steps_of(1)) is None


def test_the_first_state_that_differs_is_found() -> None:
    found = first_difference(steps_of(1), steps_of(2))

    assert found is not None
    assert (len(found.play), found.taken, found.other) == (3, "at = 3", "at = 4")
    assert found.is_shortest


def test_a_play_that_ends_sooner_differs() -> None:
    found = first_difference(steps_of(1), steps_of(1, until=4))

    assert found is not None
    assert (len(found.play), found.taken, found.other) == (
        4,
        "the play goes on",
        "over, without a result",
    )


def test_a_play_that_gets_stuck_differs() -> None:
    found = first_difference(steps_of(1), steps_of(1, most=3))

    assert found is not None
    assert len(found.play) == 4
    assert (found.taken, found.other) == ("it is legal", "it has no effect")
