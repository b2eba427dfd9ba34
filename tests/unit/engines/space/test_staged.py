"""Exploring in stages: small spaces wait for nothing, and large ones change to what is faster."""

import threading

import pytest

from tests.support.drawn import Drawn, grid
from zermelo.core.arrays import Rows
from zermelo.core.expander import Expander, Expansion
from zermelo.core.limits import Limits, Listener, Progress
from zermelo.core.state import State
from zermelo.engines.space import staged
from zermelo.engines.space.staged import CompilerSwitch, ExpanderCompiler, explore_in_stages
from zermelo.text.budget import spend

INITIAL = State((0,), ("at",))


class Named(Drawn):
    """A drawing that says how fast it is."""

    speed = "slow"

    @property
    def note(self) -> str:
        return self.speed


class Fast(Named):
    """The faster one."""

    speed = "fast"


def waiting_for(event: threading.Event) -> Listener:
    """A listener that lets the making of something faster happen once it was begun."""

    def listen(progress: Progress) -> None:
        if progress.depth == 5:
            event.wait(60)

    return listen


def test_a_small_space_is_done_before_anything_fast_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(staged, "COMPILE_DELAY", 60.0)

    def faster() -> Expander:
        raise AssertionError("nobody waits for this")

    found = explore_in_stages(Named(grid(4)), faster, initial=INITIAL)

    assert found.states == 16
    assert found.run is not None
    assert found.run.machine == "slow"


def test_a_long_exploration_goes_over_to_the_fast_expander(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staged, "COMPILE_DELAY", -1.0)
    made = threading.Event()

    def faster() -> Expander:
        made.set()
        return Fast(grid(40))

    found = explore_in_stages(Named(grid(40)), faster, initial=INITIAL, listener=waiting_for(made))

    assert found.states == 1600
    assert found.is_complete
    assert found.run is not None
    assert found.run.machine == "fast"


class Endless(Named):
    """One that never comes to the end of a state by itself."""

    def expand(self, frontier: Rows) -> Expansion:
        while frontier.size:
            spend(1_000, "following a state")
        return super().expand(frontier)


def test_the_fast_expander_is_taken_also_while_one_state_is_worked_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(staged, "COMPILE_DELAY", -1.0)
    found = explore_in_stages(Endless(grid(4)), lambda: Fast(grid(4)), initial=INITIAL)

    assert found.states == 16
    assert found.run is not None
    assert found.run.machine == "fast"


def test_where_nothing_is_faster_it_is_said_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staged, "COMPILE_DELAY", -1.0)
    asked = threading.Event()

    def faster() -> str:
        asked.set()
        return "`P` has no end"

    found = explore_in_stages(Named(grid(30)), faster, initial=INITIAL, listener=waiting_for(asked))

    assert found.is_complete
    assert found.run is not None
    assert found.run.machine == "slow, as nothing could be compiled: `P` has no end"


def test_whoever_listens_can_stop_either_stage() -> None:
    found = explore_in_stages(
        Named(grid(30)), None, initial=INITIAL, listener=lambda progress: progress.depth == 5
    )

    assert found.cut == "interrupted"


def test_what_was_asked_to_stop_does_not_begin_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fast expander may be there just when somebody asks; what was found is told after that."""
    monkeypatch.setattr(staged, "COMPILE_DELAY", -1.0)
    monkeypatch.setattr(staged, "COMPILER_ALONE", 60.0)
    switch = CompilerSwitch(lambda: Fast(grid(4)), lambda _: True)

    def work(heard: Listener) -> str:
        assert heard(Progress(depth=1, states=2, frontier=1, seconds=0.1))
        for _ in range(1_000):
            spend(1_000, "telling what was found")
        return "told"

    assert switch.first(work) == "told"


def test_limits_hold_in_the_first_stage() -> None:
    found = explore_in_stages(Named(grid(30)), None, initial=INITIAL, limits=Limits(depth=3))

    assert found.by_depth == (1, 2, 3, 4)


def test_what_was_made_before_is_taken_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staged, "COMPILE_DELAY", 60.0)
    monkeypatch.setattr(staged, "LOAD_DELAY", -1.0)
    machines = []
    for is_kept in (True, False):
        faster = ExpanderCompiler(lambda: Fast(grid(40)), is_kept)
        limits = Limits(depth=1000)
        found = explore_in_stages(Named(grid(40)), faster, initial=INITIAL, limits=limits)
        assert found.states == 1600
        assert found.run is not None
        machines.append(found.run.machine)

    assert machines == ["fast", "slow"]


def test_a_fault_of_whoever_makes_the_fast_expander_is_raised(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(staged, "COMPILE_DELAY", -1.0)

    def faster() -> Expander:
        raise ZeroDivisionError("while it was made")

    with pytest.raises(ZeroDivisionError, match="while it was made"):
        explore_in_stages(Named(grid(30)), faster, initial=INITIAL)
