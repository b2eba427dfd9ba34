"""Exploring: every state once, at its shortest distance, and no claim beyond that."""

from tests.support.machines import HandMade, state_of
from zermelo.core.limits import Limits, Progress
from zermelo.core.machine import Ending, Fault, FaultKind, Outcome
from zermelo.core.state import Move, State
from zermelo.engines.check.check import explore

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


def test_every_state_is_counted_once_at_its_shortest_distance() -> None:
    space = explore(countdown(5))

    # 5; then 4 and 3; then 2 and 1; then 0
    assert space.by_depth == (1, 2, 2, 1)
    assert space.states == 6
    assert space.is_complete


def test_the_moves_of_every_state_are_counted() -> None:
    # two from 5, 4, 3 and 2, one from 1, none from 0
    assert explore(countdown(5)).moves == 9


def test_an_ending_has_its_count_and_its_shortest_play() -> None:
    space = explore(countdown(5))

    (ending,) = space.endings
    assert (ending.outcome, ending.count) == (LAST_TAKES, 1)
    assert [str(move) for move in ending.play] == ["Take(1)", "Take(2)", "Take(2)"]
    assert space.over_by_depth == (0, 0, 0, 1)


def test_a_space_cut_short_says_so() -> None:
    space = explore(countdown(5), limits=Limits(states=3))

    assert not space.is_complete
    assert space.cut == "stopped at 3 states"
    assert space.states == 3


def test_a_limit_that_cuts_nothing_leaves_the_space_complete() -> None:
    assert explore(countdown(5), limits=Limits(states=6, depth=3)).is_complete


def test_a_limit_of_depth_gives_every_state_up_to_it() -> None:
    space = explore(countdown(9), limits=Limits(depth=2))

    assert space.by_depth == (1, 2, 2)
    assert space.full_depth == 2
    assert space.cut == "stopped after 2 moves"


def test_the_deepest_full_level_is_known_when_states_run_out() -> None:
    space = explore(countdown(9), limits=Limits(states=4))

    assert space.by_depth == (1, 2, 1)
    assert space.full_depth == 1


def test_a_run_without_time_says_so() -> None:
    space = explore(countdown(9), limits=Limits(seconds=-1))

    assert space.cut == "stopped after -1 seconds"
    assert space.states == 1


def test_a_stuck_state_has_no_outcome_and_no_legal_move() -> None:
    machine = HandMade(
        state_of(at=0),
        lambda state: [(Move("Go"), state_of(at=1))] if state["at"] == 0 else [],
        lambda _: None,
    )

    space = explore(machine)

    assert space.stuck is not None
    assert (space.stuck.count, space.stuck.state, space.stuck.play) == (
        1,
        state_of(at=1),
        (Move("Go"),),
    )
    assert space.endings == ()


def test_a_fault_comes_with_the_shortest_play_that_shows_it() -> None:
    fault = Fault(FaultKind.CONFLICT, "two values for `at`", "Go", "1")
    machine = HandMade(
        state_of(at=0),
        lambda state: [
            (Move("Go"), state_of(at=1) if state["at"] == 0 else fault),
            (Move("Stay"), state),
        ],
        lambda _: None,
    )

    (found,) = explore(machine).faults

    assert found.fault == fault
    assert found.state == state_of(at=1)
    assert found.play == (Move("Go"), Move("Go"))


def test_whoever_listens_hears_of_progress() -> None:
    heard: list[Progress] = []

    explore(countdown(100), listener=heard.append)

    assert [progress.states for progress in heard] == [34, 66, 98]


def test_a_listener_can_stop_an_exploration_with_what_it_has_found() -> None:
    space = explore(countdown(100), listener=lambda progress: progress.states > 50)

    assert space.states == 66
    assert not space.is_complete
    assert space.cut == "interrupted"


def test_every_state_is_visited_once() -> None:
    visited: list[State] = []

    explore(countdown(3), visit=visited.append)

    assert [state["heap"] for state in visited] == [3, 2, 1, 0]
