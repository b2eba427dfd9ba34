"""Observing: what is near is seen in full, what is deep by chance, and always the same."""

from tests.support.machines import HandMade, state_of
from zermelo.core.machine import Ending, Fault, FaultKind, Outcome
from zermelo.core.state import Move, State
from zermelo.engines.check.observe import Effort, joined, observe

DONE = Outcome(Ending.OVER)


def line(length: int, *, exits: bool = True) -> HandMade:
    """Steps along a line, to an end or, without one, to where no step is left."""

    def steps(state: State) -> list[tuple[Move, State]]:
        at = state["at"]
        assert isinstance(at, int)
        return [(Move("Step", (n,)), state_of(at=at + n)) for n in (1, 2) if at + n <= length]

    def ending(state: State) -> Outcome | None:
        return DONE if exits and state["at"] == length else None

    return HandMade(state_of(at=0), steps, ending)


def test_a_small_machine_is_seen_in_full() -> None:
    seen = observe(line(4))

    assert seen.is_complete
    # 0 to 4, with two steps from 0, 1 and 2 and one from 3
    assert (seen.states, len(seen.steps)) == (5, 7)


def test_the_play_to_an_end_that_is_near_is_a_shortest_one() -> None:
    (end, *_) = observe(line(4)).ends

    assert [str(move) for move in end.play] == ["Step(2)", "Step(2)"]


def test_what_is_not_near_is_played_at_random() -> None:
    seen = observe(line(90), effort=Effort(states=10))

    assert not seen.is_complete
    assert seen.ends
    assert all(sum(int(str(move)[5]) for move in end.play) == 90 for end in seen.ends)


def test_the_same_machine_is_always_seen_the_same_way() -> None:
    effort = Effort(states=10)

    assert observe(line(60), effort=effort) == observe(line(60), effort=effort)


def test_a_play_that_gets_stuck_is_no_end() -> None:
    seen = observe(line(4, exits=False))

    assert seen.ends == ()
    assert seen.stuck[0].state == state_of(at=4)


def test_a_play_that_is_too_long_is_broken_off_and_counted() -> None:
    seen = observe(line(90), effort=Effort(states=5, plays=2, length=10))

    assert (seen.unfinished, seen.halts) == (2, ())


def test_the_effort_bounds_what_is_played() -> None:
    seen = observe(line(10_000), effort=Effort(states=5, tries=20, plays=50, length=10_000))

    assert len(seen.steps) < 30


def test_in_search_of_an_end_plays_go_on_until_there_is_one() -> None:
    machine = line(90)

    assert observe(machine, effort=Effort(states=5, plays=1, length=10)).ends == ()
    assert len(observe(machine, effort=Effort(states=5, plays=9, seeks_end=True)).ends) == 1


def test_a_fault_is_noted_with_the_play_that_shows_it() -> None:
    fault = Fault(FaultKind.UNDEFINED, "no value", "Step", "1")
    machine = HandMade(
        state_of(at=0),
        lambda state: [(Move("Step"), state_of(at=1) if state["at"] == 0 else fault)],
        lambda _: None,
    )

    seen = observe(machine)

    assert [(found, step.play) for found, step in seen.faults.items()] == [
        (fault, (Move("Step"), Move("Step")))
    ]


def test_two_observations_are_one() -> None:
    first, second = observe(line(3)), observe(line(3))

    both = joined(first, second)

    assert len(both.steps) == 2 * len(first.steps)
    assert both.states == first.states
