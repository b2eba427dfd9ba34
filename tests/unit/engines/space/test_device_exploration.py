"""What a device counts is what the host counts, to the last number.

The device is simulated: its loops run on this machine, by many threads, as native code and as
Python. `tests/gpu/` runs them on a real one.
"""

from dataclasses import replace
from typing import cast

import numpy as np
import pytest

from tests.support.devices import DOCUMENTS, explored, told
from zermelo.api import questions
from zermelo.api.loading import load
from zermelo.core.arrays import Rows
from zermelo.core.expander import Expander, Native
from zermelo.core.limits import Limits, Progress
from zermelo.core.space import ExploreOptions
from zermelo.engines.space import device_loops, device_store
from zermelo.engines.space.device_exploration import OnDevice, explore_on_device
from zermelo.engines.space.device_store import NotOnDevice
from zermelo.fast.device import HostDevice

SMALL = 1 << 6
"""So few slots that the table has to grow."""


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let levels have many blocks of memory, and be followed in many launches."""
    monkeypatch.setattr(device_loops, "BLOCK_BITS", 8)
    monkeypatch.setattr(device_store, "MADE", 1000)


@pytest.mark.parametrize("document", DOCUMENTS)
@pytest.mark.parametrize("is_native", [True, False], ids=["native", "python"])
@pytest.mark.parametrize("pairs", [True, False], ids=["pairs", "claims"])
def test_many_threads_count_what_the_host_counts(
    document: str, *, is_native: bool, pairs: bool
) -> None:
    device = HostDevice(threads=50, native=is_native, pairs=pairs)
    wishes = ExploreOptions(rules=True)

    found = explored(document, OnDevice(device, "as a test asks", slots=SMALL), wishes)

    assert told(found) == told(questions.explore(load(document), wishes=wishes))


def test_states_of_two_words_are_counted() -> None:
    on = OnDevice(HostDevice(threads=50), "as a test asks", slots=SMALL)

    found = explored(DOCUMENTS[2], on, ExploreOptions())

    # The document says how these are counted.
    assert found.by_depth == (1, 6, 36, 90, 225, 300, 400, 300)
    assert found.over_by_depth == (0, 0, 0, 0, 0, 0, 0, 300)


def test_plays_are_the_same_where_states_stay_on_the_device(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("zermelo.engines.space.device_exploration.STATES_TO_PEEL", 100)
    on = OnDevice(HostDevice(threads=50), "as a test asks", slots=SMALL)

    found = explored("tic-tac-toe", on, ExploreOptions())

    assert told(found) == told(questions.explore(load("tic-tac-toe")))
    assert found.run is not None
    assert found.run.machine == "compiled code on 50 simulated threads, as a test asks"


def test_levels_beyond_a_byte_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_store, "_WIDE", 4)
    on = OnDevice(HostDevice(threads=50), "as a test asks", slots=SMALL)

    found = explored("tic-tac-toe", on, ExploreOptions())

    assert told(found) == told(questions.explore(load("tic-tac-toe")))


def test_what_was_reached_is_judged_when_somebody_asks_to_stop() -> None:
    on = OnDevice(HostDevice(threads=50), "as a test asks", slots=SMALL)

    def is_enough(progress: Progress) -> bool:
        return progress.depth == 6

    found = explored("tic-tac-toe", on, ExploreOptions(), listener=is_enough)

    # The levels of tic-tac-toe, and how many states of each are over.
    assert found.cut == "interrupted"
    assert found.full_depth == 6
    assert found.by_depth == (1, 9, 72, 252, 756, 1260, 1520)
    assert found.over_by_depth == (0, 0, 0, 0, 0, 120, 148)
    assert found.followed == 1 + 9 + 72 + 252 + 756 + 1260


@pytest.mark.parametrize(
    ("limits", "wishes", "why"),
    [
        (Limits(states=5), ExploreOptions(), "a limit of states or of depth was given"),
        (Limits(depth=5), ExploreOptions(), "a limit of states or of depth was given"),
        (Limits(), ExploreOptions(complete_plays=True), "complete plays are to be counted"),
    ],
)
def test_what_a_device_does_not_do_is_said(
    limits: Limits, wishes: ExploreOptions, why: str
) -> None:
    on = OnDevice(HostDevice(threads=50), "as a test asks", slots=SMALL)

    with pytest.raises(NotOnDevice, match=why):
        explored("tic-tac-toe", on, wishes, limits=limits)


def test_a_space_that_does_not_fit_says_how_much_it_needs() -> None:
    on = OnDevice(HostDevice(threads=50, room=2_300_000), "as a test asks", slots=1 << 10)

    with pytest.raises(NotOnDevice, match=r"^\d[\d,]* bytes more are needed on 50 simulated thr"):
        explored("tic-tac-toe", on, ExploreOptions())


def other(expander: Expander, **changes: object) -> Expander:
    """*expander* with something else in place of some of its properties."""

    class Other:
        def __getattr__(self, name: str) -> object:
            return changes[name] if name in changes else getattr(expander, name)

    return cast("Expander", Other())


def kernel_of(document: str) -> tuple[Expander, Native, Rows]:
    model = load(document).model
    assert model is not None
    expander = model.expander()
    assert expander.native is not None
    return expander, expander.native, expander.pack(model.machine().initial)


def test_states_of_many_words_are_left_to_the_host() -> None:
    expander, _, start = kernel_of("pawns")
    on = OnDevice(HostDevice(), "as a test asks")

    with pytest.raises(NotOnDevice, match="a state has 3 words of 64 bits"):
        explore_on_device(other(expander, words=3), on, start=start)


def test_a_kernel_that_writes_to_its_tables_has_its_own_for_each_thread() -> None:
    expander, native, start = kernel_of("tic-tac-toe")
    count = "def turn_0(tab,"
    assert count in native.source
    # Every turn counts in a word of the tables: no thread may see what another one writes.
    head, colon, body = native.source.partition(":\n")
    size = len(native.numbers)
    lines = (
        f"    store(tab, {size}, a0 + 1)\n    if load(tab, {size}) != a0 + 1:\n        return 0\n"
    )
    source = f"{head}{colon}{lines}{body}"
    numbers = np.append(native.numbers, 0)
    on = OnDevice(HostDevice(threads=50), "as a test asks", slots=SMALL)

    found = explore_on_device(
        other(expander, native=replace(native, source=source, numbers=numbers)), on, start=start
    )

    assert found.states == 5478
