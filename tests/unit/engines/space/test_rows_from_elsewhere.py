"""Rows that come from a file are packed states, or are told not to be."""

import numpy as np
import pytest

from tests.support.project import ROOT, TESTS
from zermelo.api import loading
from zermelo.api.loaded import playable_model
from zermelo.core.arrays import Rows
from zermelo.core.expander import Expander, with_room
from zermelo.core.limits import Limits
from zermelo.core.symmetry import Preserved
from zermelo.engines.space.level_counts import count_levels
from zermelo.engines.space.orbits.reduction import reduced, usable_reduction
from zermelo.engines.space.store import small

DOCUMENTS = [
    "games/tic-tac-toe/tic-tac-toe.md",
    "games/pegs/pegs.md",
    "tests/documents/boxes.md",
    "tests/documents/naturals.md",
    *sorted(str(path.relative_to(ROOT)) for path in (TESTS / "documents/nets").glob("*.net")),
]


def reached(expander: Expander, start: Rows) -> Rows:
    store = small(expander.words)
    count_levels(expander, store, start=start, limits=Limits(states=60))
    return np.concatenate(
        [store.rows(p) for level in range(len(store.by_depth)) for p in store.pieces(level, 99)]
    )


def is_packed(expander: Expander, row: Rows) -> bool:
    """Whether *row* is what its state is packed as."""
    try:
        return bool(np.array_equal(expander.pack(expander.unpack(row)), row))
    except (IndexError, ValueError, AssertionError):
        return False


@pytest.mark.parametrize("name", DOCUMENTS)
def test_states_that_are_reached_are_told_from_other_rows(name: str) -> None:
    model = playable_model(loading.load(ROOT / name))
    expander = model.expander()
    if expander.row_form is None:
        pytest.skip("its states are only numbered")
    with_room(expander, lambda each: compare(each, each.pack(model.machine().initial)))


def compare(expander: Expander, start: Rows) -> None:
    rows = reached(expander, start)
    assert expander.are_states(rows)
    for row in rows[:: max(1, len(rows) // 8)]:
        for at in range(expander.words * 64):
            changed = row.copy()
            changed.view(np.uint64)[at // 64] ^= np.uint64(1 << at % 64)
            if expander.are_states(changed.reshape(1, -1)):
                assert is_packed(expander, changed), f"bit {at} of {row}"


def test_with_symmetries_only_those_are_states_that_stand_for_others() -> None:
    model = playable_model(loading.load("tic-tac-toe"))
    expander = model.expander()
    used = usable_reduction(model.symmetries(Preserved.TURN), expander)
    assert used is not None
    walked = reduced(expander, used)
    start = expander.pack(model.machine().initial)

    assert walked.are_states(reached(walked, used.one(start)))
    assert not walked.are_states(reached(expander, start))
