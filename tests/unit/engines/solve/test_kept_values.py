"""A solve that was stopped, or killed at any operation on a file, ends with the same values."""

import hashlib
import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.file_faults import FileOperations, ended, full_disk, killed
from tests.support.played_graphs import OnGraph, Played, Spot, spot_state
from zermelo.core.arrays import Rows
from zermelo.core.expander import Expansion
from zermelo.core.limits import Limits, Progress, Resumed, asked
from zermelo.engines.solve import kept_values
from zermelo.engines.solve import solve as solving
from zermelo.engines.solve.solution import Solution
from zermelo.engines.solve.solve import solve
from zermelo.engines.space.checkpoint import Checkpoint, Pace
from zermelo.files.sealed import NotUsable
from zermelo.text import budget
from zermelo.text.errors import UsageError

FIRST = np.array([0], dtype=np.int64)
GRADED = Played(
    tuple(
        Spot(at % 2, tuple(after for after in (2 * at + 1, 2 * at + 2) if after < 15))
        for at in range(15)
    )
)
"""Every move leads to the next level."""
CYCLIC = Played(
    (
        Spot(0, (1, 2)),
        Spot(1, (0, 3)),
        Spot(1, (4,)),
        Spot(0, (5,)),
        Spot(0, (2, 5)),
        Spot(1, (6,)),
        Spot(0),
    )
)
"""Moves lead back."""
WAYS = {"levels": GRADED, "distance": CYCLIC, "sweeps": CYCLIC}


@pytest.fixture(params=WAYS)
def played(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Played:
    if request.param == "sweeps":
        monkeypatch.setattr(solving, "MOST_MOVES", -1)
    looks = itertools.cycle([False, False, False, True])
    monkeypatch.setattr(Pace, "is_due", lambda _: next(looks))
    found: Played = WAYS[request.param]
    return found


def run(
    folder: Path,
    played: Played,
    listener: Callable[[Progress], bool] | None = None,
    told: list[Resumed] | None = None,
) -> Solution:
    expander = OnGraph(played)
    with Checkpoint(folder, None if told is None else told.append) as kept:
        kept.open(expander)
        return solve(expander, FIRST, threads=1, listener=listener, kept=kept)


def said(solution: Solution, played: Played) -> list[object]:
    values = [solution.value(spot_state(at)) for at in range(len(played.spots))]
    return [values, solution.counted, solution.stuck, solution.method, solution.notes]


def test_a_solve_that_was_stopped_anywhere_goes_on(played: Played, tmp_path: Path) -> None:
    expected = said(solve(OnGraph(played), FIRST, threads=1), played)
    for last in itertools.count(1):
        looks = itertools.count(1)
        folder = tmp_path / str(last)
        cut = run(folder, played, lambda _: next(looks) == last).cut  # noqa: B023 - used at once
        assert said(run(folder, played), played) == expected
        if cut is None:
            break
    assert last > 5


def test_a_kill_at_any_operation_loses_nothing(played: Played, tmp_path: Path) -> None:
    expected = said(solve(OnGraph(played), FIRST, threads=1), played)
    for last in itertools.count(1, 7):
        folder = tmp_path / str(last)

        def work(folder: Path = folder, last: int = last) -> None:
            with FileOperations(folder, last, killed).watched():
                run(folder, played)

        is_done = ended(work)
        assert said(run(folder, played), played) == expected
        if is_done:
            break
    assert last > 20


def test_a_full_disk_at_any_operation_is_said(played: Played, tmp_path: Path) -> None:
    expected = said(solve(OnGraph(played), FIRST, threads=1), played)
    for last in itertools.count(1, 7):
        folder = tmp_path / str(last)
        with FileOperations(folder, last, full_disk).watched() as operations:
            try:
                done = said(run(folder, played), played)
            except UsageError as error:
                assert "No space left on device" in str(error)  # noqa: PT017 - or none is raised
                done = expected
        assert done == expected
        assert said(run(folder, played), played) == expected
        if operations.count < last:
            break


def test_values_that_were_found_are_not_looked_for_again(tmp_path: Path) -> None:
    run(tmp_path, GRADED)
    told: list[Resumed] = []
    looked: list[Progress] = []

    def listener(progress: Progress) -> bool:
        looked.append(progress)
        return False

    run(tmp_path, GRADED, listener, told)

    assert [each.values for each in told] == [0, 15]
    assert not looked


@dataclass
class Clock:
    """A clock that goes on by a second whenever somebody looks at it, or follows a state."""

    time: float = 0.0

    def now(self) -> float:
        return self.time

    def tick(self, _: object = None) -> bool:
        self.time += 1
        return False


class Slow(OnGraph):
    """An interpreter: it looks at the clock at every state."""

    def __init__(self, played: Played, clock: Clock) -> None:
        super().__init__(played)
        self.clock = clock

    def expand(self, frontier: Rows) -> Expansion:
        for _ in frontier:
            self.clock.tick()
            budget.look("expanding")
        return super().expand(frontier)


@pytest.mark.parametrize("seconds", [3, 4, 5, 7, 11])
def test_the_same_command_given_again_comes_to_an_end_however_little_time_it_has(
    played: Played, tmp_path: Path, seconds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = said(solve(OnGraph(played), FIRST, threads=1), played)
    clock = Clock()
    monkeypatch.setattr(budget, "now", clock.now)
    monkeypatch.setattr(Pace, "is_due", lambda _: False)

    def once() -> Solution:
        expander = Slow(played, clock)
        limits = Limits(seconds=seconds)
        with asked(limits) as within, Checkpoint(tmp_path) as kept:
            kept.open(expander)
            return solve(expander, FIRST, threads=1, limits=within, listener=clock.tick, kept=kept)

    runs = [once()]
    while not runs[-1].is_complete:
        assert runs[-1].cut == f"stopped after {seconds} seconds"
        assert len(runs) < 200, "it does not come to an end"
        runs.append(once())

    assert said(runs[-1], played) == expected
    assert len(runs) > 1


def forge(
    folder: Path, change: Callable[[dict[str, Any]], object], name: str = "values.sealed"
) -> None:
    path = folder / name
    _, _, belongs, text = path.read_bytes().split(b"\n", 3)
    found = json.loads(text)
    change(found["content"])
    path.write_bytes(kept_values.FORMAT.seal(json.loads(belongs), json.dumps(found).encode()))


@pytest.mark.parametrize(
    "change",
    [
        lambda content: content["facts"].update(level=-1),
        lambda content: content["facts"].update(level=99),
        lambda content: content["facts"].update(level="0"),
        lambda content: content["facts"].update(level=2),
        lambda content: content["facts"].update(followed=1),
        lambda content: content["facts"].update(followed=None),
        lambda content: content["facts"].update(level=1, followed=2),
        lambda content: content["facts"].update(counts=[]),
        lambda content: content["facts"].update(counts=None),
        lambda content: content["facts"]["counts"][0][0][0].__setitem__(0, 5),
        lambda content: content["facts"]["counts"][0][0][0].__setitem__(0, -5),
        lambda content: content["types"].update({"objective-0": "<u2"}),
        lambda content: content["types"].update({"objective-0": "O"}),
        lambda content: content["types"].update({"objective-0": "x"}),
        lambda content: content["types"].clear(),
        lambda content: content.pop("facts"),
    ],
)
def test_values_that_cannot_be_are_refused(
    tmp_path: Path, change: Callable[[dict[str, Any]], object]
) -> None:
    run(tmp_path, GRADED)
    forge(tmp_path, change)

    with pytest.raises(NotUsable, match=r"the values in .* is damaged: .*; remove the folder"):
        run(tmp_path, GRADED)


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("numbers", [0, 0, 1, 2, 3, 4, 5]),
        ("numbers", [0, 1, 2, 3, 4, 5, 77]),
        ("following", [0, 1]),
        ("counts", [1, 1, 1, 1, 1, 1, 1]),
        ("counts", [-1, 4, 1, 1, 2, 1, 2]),
    ],
)
def test_moves_that_cannot_be_are_refused(tmp_path: Path, name: str, array: list[int]) -> None:
    run(tmp_path, CYCLIC)
    path = tmp_path / "values.sealed"
    _, _, belongs, text = path.read_bytes().split(b"\n", 3)
    found = json.loads(text)
    data = np.array(array, dtype="<i8").tobytes()
    (tmp_path / found["files"][name][0]).write_bytes(data)
    found["files"][name][1:] = [len(data), hashlib.sha256(data).hexdigest()]
    path.write_bytes(kept_values.FORMAT.seal(json.loads(belongs), json.dumps(found).encode()))

    with pytest.raises(NotUsable, match="it has not the moves of as many states"):
        run(tmp_path, CYCLIC)


@pytest.mark.parametrize(
    "change",
    [
        lambda content: content["facts"].update(steps=-1),
        lambda content: content["facts"].update(steps="1"),
        lambda content: content["facts"].update(distance=77),
        lambda content: content["facts"].update(draws=1),
        lambda content: content["facts"].clear(),
        lambda content: content["types"].update(left="<u8"),
        lambda content: content["types"].update(codes="<u2"),
        lambda content: content["types"].update(codes="<f4"),
    ],
)
def test_distances_that_cannot_be_are_refused(
    tmp_path: Path, change: Callable[[dict[str, Any]], object]
) -> None:
    run(tmp_path, CYCLIC)
    forge(tmp_path, change, "distances-0.sealed")

    with pytest.raises(NotUsable, match=r"the distances-0 in .* is damaged: .*; remove the folder"):
        run(tmp_path, CYCLIC)


@pytest.mark.parametrize(
    "change",
    [
        lambda content: content["facts"].update(stage=3),
        lambda content: content["facts"].update(stage="0"),
        lambda content: content["facts"].update(changed=-1),
        lambda content: content["facts"].update(longest=None),
        lambda content: content["facts"].update(level=77),
        lambda content: content["facts"].update(followed=5),
        lambda content: content["facts"].update(counts=[]),
    ],
)
def test_sweeps_that_cannot_be_are_refused(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solving, "MOST_MOVES", -1)
    run(tmp_path, CYCLIC)
    forge(tmp_path, change)

    with pytest.raises(NotUsable, match=r"the values in .* is damaged: .*; remove the folder"):
        run(tmp_path, CYCLIC)


def test_damaged_values_are_refused_and_those_of_other_states_not_used(tmp_path: Path) -> None:
    run(tmp_path, GRADED)
    forge(tmp_path, lambda content: content.update(order="other"))
    assert run(tmp_path, GRADED).is_complete
    path = next(tmp_path.glob("values-*.data"))
    path.write_bytes(path.read_bytes()[:-1] + b"x")

    with pytest.raises(NotUsable, match="has other bytes than were written"):
        run(tmp_path, GRADED)
