"""Checking: what goes wrong is found with the shortest play, and nothing is claimed beyond."""

from tests.support.machines import HandMade, state_of
from zermelo.core.limits import Limits, Progress
from zermelo.core.machine import Ending, Outcome
from zermelo.core.state import Move, State
from zermelo.engines.check.check import check

DONE = Outcome(Ending.OVER)


def lamps(count: int) -> HandMade:
    """Lamps that can each be switched on once; the play is over when all are on."""

    def steps(state: State) -> list[tuple[Move, State]]:
        on = state["on"]
        assert isinstance(on, int)
        return [
            (Move("Light", (n,)), state_of(on=on | 1 << n, safe=on == 0))
            for n in range(count)
            if not on & 1 << n
        ]

    def ending(state: State) -> Outcome | None:
        return DONE if state["on"] == (1 << count) - 1 else None

    def is_safe(state: State) -> bool:
        return bool(state["safe"])

    return HandMade(state_of(on=0, safe=True), steps, ending, (is_safe,))


def test_a_fact_that_does_not_hold_comes_with_the_shortest_play() -> None:
    (broken,) = check(lamps(3)).broken

    assert broken.invariant == 0
    assert [str(move) for move in broken.play] == ["Light(0)", "Light(1)"]


def test_a_space_that_was_looked_at_in_full_is_complete() -> None:
    checkup = check(lamps(3))

    assert checkup.is_complete
    assert checkup.has_end


def test_a_checkup_that_was_cut_short_says_so() -> None:
    checkup = check(lamps(8), limits=Limits(states=20))

    assert not checkup.is_complete
    assert checkup.space.cut == "stopped at 20 states"


def test_an_end_beyond_the_limits_is_found_by_playing_deep() -> None:
    checkup = check(lamps(8), limits=Limits(states=20))

    assert checkup.space.endings == ()
    assert checkup.has_end


def test_a_flag_that_stays_set_is_found_in_the_machine_that_keeps_it() -> None:
    # Without its flag a step from 0 to 1 is possible only by knocking first.
    machine = HandMade(state_of(at=0), lambda _: [], lambda _: None)

    def steps(state: State) -> list[tuple[Move, State]]:
        if state["ok"]:
            return [(Move("Knock", (2,)), state_of(at=2, ok=False))]
        return [(Move("Knock", (1,)), state_of(at=state["at"], ok=True))]

    kept = HandMade(state_of(at=0, ok=False), steps, lambda s: DONE if s["at"] == 2 else None)

    (found,) = check(machine, kept=kept).flags

    assert (found.flag, found.value, found.play) == ("ok", True, (Move("Knock", (1,)),))
    assert found.then == Move("Knock", (2,))


def test_a_space_without_rules_that_was_seen_in_full_is_not_played_again() -> None:
    checkup = check(lamps(3))

    assert checkup.deep.states == 0
    assert checkup.has_seen_all_rules


def test_who_asks_for_an_end_while_one_state_is_followed_waits_for_no_more() -> None:
    asked = []

    def listener(progress: Progress, /) -> bool:
        asked.append(progress.states)
        return True

    # Of the first state some moves are made, and nobody is asked between them.
    found = check(lamps(9), limits=Limits(moves=4), listener=listener)

    assert asked == [5]
    assert found.space.cut == "interrupted"
    assert found.deep.states == 0
