"""Exploring on an expander: the same counts whatever the threads, no claim beyond limits."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

import numpy as np
import pytest

from tests.support.drawn import Drawn, grid
from zermelo.core.arrays import Numbers, Rows
from zermelo.core.expander import Expansion
from zermelo.core.limits import UNLIMITED, Limits, Progress
from zermelo.engines.space import sweep as sweep_module
from zermelo.engines.space.level_counts import CountedLevels, count_levels
from zermelo.engines.space.store import TableStore, small

P = ParamSpec("P")
T = TypeVar("T")
START = np.zeros(1, dtype=np.int64)
DIAMOND = {0: [1, 2], 1: [3], 2: [3], 3: []}


def explored(
    drawn: Drawn, *, limits: Limits = UNLIMITED, threads: int = 1
) -> tuple[CountedLevels, TableStore]:
    store = small(1)
    return count_levels(drawn, store, start=START, limits=limits, threads=threads), store


def moves(found: CountedLevels) -> int:
    return sum(level.moves for level in found.levels)


def test_every_state_is_on_the_level_of_its_shortest_distance() -> None:
    found, store = explored(Drawn(grid(4)))

    assert store.by_depth == (1, 2, 3, 4, 3, 2, 1)
    assert moves(found) == 24
    assert found.cut is None
    assert found.is_graded


def test_a_move_to_an_earlier_level_is_noticed() -> None:
    assert not explored(Drawn({0: [1], 1: [0]}))[0].is_graded
    assert not explored(Drawn({0: [0]}))[0].is_graded
    assert not explored(Drawn({0: [1, 2], 1: [2]}))[0].is_graded


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_change_no_count(threads: int) -> None:
    # every state leads to about the double of itself, so levels have many pieces
    graph = {at: [(2 * at + 1) % 9973, (2 * at + 2) % 9973] for at in range(9973)}
    over = frozenset(range(5, 9973, 7))
    reached, waiting = {0}, [0]
    while waiting:
        after = [] if (at := waiting.pop()) in over else graph[at]
        waiting += [each for each in after if each not in reached]
        reached.update(after)

    found, store = explored(Drawn(graph, over=over), threads=threads)

    assert store.states == len(reached)
    assert sum(level.over.total() for level in found.levels) == len(reached & over)
    assert moves(found) == 2 * len(reached - over)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("states", [1, 2, 100, 777, 2500])
def test_a_limit_of_states_stops_at_the_same_state_whatever_the_threads(
    states: int, threads: int
) -> None:
    found, store = explored(Drawn(grid(60)), limits=Limits(states=states), threads=threads)

    alone = explored(Drawn(grid(60)), limits=Limits(states=states))[1]
    assert store.states == states
    assert found.cut == f"stopped at {states:,} {'state' if states == 1 else 'states'}"
    assert [level.followed for level in found.levels] == [
        level.followed
        for level in explored(Drawn(grid(60)), limits=Limits(states=states))[0].levels
    ]
    for level in range(len(store.by_depth)):
        pieces = zip(store.pieces(level, 9), alone.pieces(level, 9), strict=True)
        assert all((store.rows(one) == alone.rows(other)).all() for one, other in pieces)


def test_only_states_all_of_whose_moves_were_made_count_as_followed() -> None:
    # 0 leads to 1 and 2; there is room for 1 only
    found, store = explored(Drawn(DIAMOND), limits=Limits(states=2))

    assert store.by_depth == (1, 1)
    assert found.levels[0].followed == 0
    assert moves(found) == 0
    assert found.full_depth == 0


def test_a_limit_that_cuts_nothing_leaves_the_space_complete() -> None:
    found, store = explored(Drawn(DIAMOND), limits=Limits(states=4, depth=2))

    assert found.cut is None
    assert store.by_depth == (1, 2, 1)
    assert moves(found) == 4


def test_a_limit_of_depth_gives_every_state_up_to_it() -> None:
    found, store = explored(Drawn(grid(5), over=frozenset({2})), limits=Limits(depth=2))

    assert store.by_depth == (1, 2, 3)
    assert found.full_depth == 2
    assert found.cut == "stopped after 2 moves"
    assert [level.over.total() for level in found.levels] == [0, 0, 1]


def test_a_run_without_time_says_so() -> None:
    found, store = explored(Drawn(DIAMOND), limits=Limits(seconds=-1))

    assert found.cut == "stopped after -1 seconds"
    assert store.states == 1


def test_a_run_without_memory_says_so() -> None:
    found, _ = explored(Drawn(DIAMOND), limits=Limits(memory=1000))

    assert found.cut == "1 kB of memory are not enough for more"


def test_a_listener_stops_a_run_with_what_it_has_found() -> None:
    store = small(1)

    found = count_levels(
        Drawn(grid(50)), store, start=START, listener=lambda progress: progress.depth == 20
    )

    assert found.cut == "interrupted"
    assert store.by_depth == tuple(range(1, 22))
    assert found.full_depth == 20


def test_a_listener_hears_how_many_states_wait() -> None:
    heard: list[Progress] = []

    count_levels(Drawn(grid(3)), small(1), start=START, listener=heard.append)

    # On a busy machine the clock lets a listener hear more often, also within a level.
    first = {each.depth: each for each in reversed(heard)}
    assert [(at, first[at].states, first[at].frontier) for at in sorted(first)] == [
        (0, 1, 1),
        (1, 3, 2),
        (2, 6, 3),
        (3, 8, 2),
        (4, 9, 1),
    ]


@pytest.mark.parametrize("limits", [UNLIMITED, Limits(states=100_000)])
def test_what_breaks_in_a_thread_is_not_lost(limits: Limits) -> None:
    class Broken(Drawn):
        def judge(self, states: Rows) -> Numbers:
            if len(states) and int(states[0, 0]) > 600:
                raise ZeroDivisionError
            return super().judge(states)

    graph = {at: [2 * at + 1, 2 * at + 2] for at in range(4000)}
    with pytest.raises(ZeroDivisionError):
        explored(Broken(graph), limits=limits, threads=2)


class Slow(Drawn):
    """A graph whose moves take their time."""

    def expand(self, frontier: Rows) -> Expansion:
        time.sleep(0.005)
        return super().expand(frontier)


@pytest.mark.parametrize("limits", [UNLIMITED, Limits(states=100_000)])
def test_an_interruption_stops_all_threads(limits: Limits) -> None:
    graph = {at: [2 * at + 1, 2 * at + 2] for at in range(4000)}
    running = threading.active_count()
    heard: list[Progress] = []

    def listener(progress: Progress) -> bool:
        heard.append(progress)
        assert threading.current_thread() is asking
        if progress.states > 20:
            raise KeyboardInterrupt
        return False

    asking = threading.current_thread()
    store = small(1)
    with pytest.raises(KeyboardInterrupt):
        count_levels(Slow(graph), store, start=START, limits=limits, listener=listener, threads=2)

    assert heard[0].states == 1
    assert threading.active_count() == running
    assert store.states < 8001


def test_an_interruption_while_threads_are_started_stops_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asking, running = threading.current_thread(), threading.active_count()

    class Interrupted(ThreadPoolExecutor):
        def submit(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
            future = super().submit(work, *args, **kwargs)
            if threading.current_thread() is asking:
                raise KeyboardInterrupt
            return future

    monkeypatch.setattr(sweep_module, "ThreadPoolExecutor", Interrupted)
    store = small(1)
    with pytest.raises(KeyboardInterrupt):
        count_levels(Slow({at: [at + 1] for at in range(1000)}), store, start=START, threads=2)

    assert threading.active_count() == running
    assert store.states < 100


@pytest.mark.parametrize(
    ("limits", "why"),
    [
        (Limits(depth=2, memory=10**12), "stopped after 2 moves"),
        (Limits(states=7, memory=10**12), "stopped at 7 states"),
    ],
)
def test_a_slow_look_does_not_forget_why_threads_stopped(
    monkeypatch: pytest.MonkeyPatch, limits: Limits, why: str
) -> None:
    asking = threading.current_thread()

    def hesitant(_: TableStore) -> int:
        if threading.current_thread() is asking:
            time.sleep(0.1)
        return 1_000

    monkeypatch.setattr(TableStore, "bytes", property(hesitant))

    assert explored(Drawn(grid(30)), limits=limits, threads=2)[0].cut == why


def test_a_listener_stops_threads_with_what_they_have_found() -> None:
    graph = {at: [2 * at + 1, 2 * at + 2] for at in range(4000)}
    store = small(1)

    found = count_levels(
        Slow(graph),
        store,
        start=START,
        listener=lambda progress: progress.states > 20,
        threads=2,
    )

    assert found.cut == "interrupted"
    assert store.states < 8001
    assert sum(level.followed for level in found.levels) < store.states


def test_an_exploration_goes_on_where_it_was_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep_module, "SMALL_PIECE", 5)
    graph = grid(30)
    store = small(1)
    first = count_levels(
        Drawn(graph), store, start=START, listener=lambda progress: progress.states > 400
    )
    assert first.cut is not None
    kept = small(1)
    for level in range(first.full_depth + 1):
        for piece in store.pieces(level, 64):
            kept.insert(store.rows(piece))
        kept.seal()
    for piece in store.pieces(first.full_depth + 1, 64):
        kept.insert(store.rows(piece))
    begun = CountedLevels(full_depth=first.full_depth, levels=first.levels[: first.full_depth + 1])

    found = count_levels(Drawn(graph), kept, start=START, begun=begun)

    assert found.cut is None
    assert kept.states == 900
    assert moves(found) == 2 * 30 * 29
