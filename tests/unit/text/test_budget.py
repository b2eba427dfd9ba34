"""Budgets: time is over for whoever looks, and nobody waits longer for what does not."""

import threading

import pytest

from tests.support.injection import Points, clock_that_jumps
from zermelo.text import budget
from zermelo.text.budget import LimitReached, OutOfRoom, OutOfTime, OverBudget


def test_where_there_is_no_budget_work_is_free() -> None:
    budget.spend(10**9, "anything")
    budget.look("anything")

    assert budget.end() is None
    assert budget.within_time(lambda: 7, "anything") == 7


def test_a_budget_inside_another_ends_no_later() -> None:
    with budget.budget(until=100.0):
        with budget.budget(steps=5) as inner:
            assert (inner.until, budget.end()) == (100.0, 100.0)
        with budget.budget(until=200.0):
            assert budget.end() == 100.0
        with budget.budget(until=50.0):
            assert budget.end() == 50.0
        with budget.budget(until=200.0, is_last=True):
            assert budget.end() == 200.0
    assert budget.end() is None


def test_steps_are_counted_and_time_is_looked_at_now_and_then() -> None:
    points = Points()
    with clock_that_jumps(points), budget.budget(steps=9_000, until=budget.now() + 5):
        points.count = 0
        for _ in range(9):
            budget.spend(1_000, "counting")
        assert points.count < 9
        with pytest.raises(
            OverBudget, match="takes 9,000 steps or more, the last of them counting"
        ):
            budget.spend(1, "counting")


def test_time_that_is_over_is_said_with_the_phase() -> None:
    with budget.timed() as left, budget.phase("reading"):
        left.until = budget.now() - 1
        with pytest.raises(OutOfTime, match="the time was over while reading"):
            budget.look("looking at letters")


def test_memory_that_is_taken_is_said() -> None:
    room = budget.Room(2_000_000, most=1)
    if not budget.resident():
        pytest.skip("the system does not tell how much memory a process has")

    def look_often() -> None:
        for _ in range(100):
            budget.look("anything")

    with budget.budget(room=room), pytest.raises(OutOfRoom, match="2 MB of memory are not enough"):
        look_often()


def test_phases_add_up_to_the_time_of_the_command() -> None:
    times = iter(range(100))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(budget, "now", lambda: float(next(times)))
        with budget.timed():
            with budget.phase("reading"), budget.phase("deciding"):
                pass
            with budget.phase("reading"):
                pass
            watch = budget.watch()
            assert watch is not None
            spent = watch.spent()
            assert set(spent) == {"starting", "reading", "deciding", "answering"}
            assert sum(spent.values()) == watch.seconds - 1


def test_nobody_waits_for_work_that_does_not_look() -> None:
    go_on = threading.Event()
    with budget.timed() as left:
        left.until = budget.now() + 0.2
        with pytest.raises(OutOfTime, match="the time was over while compiling"):
            budget.within_time(lambda: go_on.wait(600), "compiling")
    go_on.set()


def test_what_is_raised_in_a_thread_is_raised_where_it_is_waited_for() -> None:
    def work() -> int:
        raise KeyError("lost")

    with budget.timed() as left:
        left.until = budget.now() + 600
        assert budget.within_time(lambda: 7, "compiling") == 7
        with pytest.raises(KeyError, match="lost"):
            budget.within_time(work, "compiling")


def test_work_inside_has_the_steps_that_are_left() -> None:
    with budget.budget(steps=100) as around:
        budget.spend(40, "reading")
        with budget.budget(steps=1_000), pytest.raises(OverBudget, match="at most 60 are made"):
            budget.spend(61, "reading")
        assert around.spent == 101


def test_what_is_told_at_last_has_steps_of_its_own() -> None:
    with budget.budget(steps=100):
        budget.spend(100, "reading")
        with budget.budget(is_last=True) as last:
            budget.spend(7, "telling")
        assert last.spent == 7


def test_every_limit_is_caught_as_one() -> None:
    assert issubclass(OverBudget, LimitReached)
    assert issubclass(OutOfTime, LimitReached)
    assert issubclass(OutOfRoom, LimitReached)


def test_an_answer_has_what_reading_left_over() -> None:
    assert budget.steps_of_an_answer() == budget.STEPS_OF_A_COMMAND
    with budget.budget():
        budget.spend(1_000, "reading")
        assert budget.steps_of_an_answer() == budget.STEPS_OF_A_COMMAND - 1_000
        budget.spend(budget.STEPS, "reading")
        assert budget.steps_of_an_answer() == budget.STEPS_OF_AN_ANSWER


def test_room_is_looked_for_before_it_is_taken() -> None:
    budget.reserve(1 << 60)  # Where there is no limit, there is room.
    room = budget.Room(2_000_000, most=budget.resident() + (64 << 20))

    with budget.budget(room=room):
        budget.reserve(1 << 20)
        with pytest.raises(OutOfRoom, match="2 MB of memory are not enough"):
            budget.reserve(1 << 30)
