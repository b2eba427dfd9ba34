"""Exploring one state of each class counts what exploring all states counts."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from tests.support.project import TESTS
from tests.support.random_systems import systems
from tests.support.understood import system_of
from zermelo.api import loading, questions
from zermelo.core.adapter import MachineExpander
from zermelo.core.limits import Limits
from zermelo.core.space import Space
from zermelo.engines.space import store
from zermelo.engines.space.exploration import explore
from zermelo.engines.space.orbits.reduction import (
    Distinct,
    Reduction,
    reduced,
    usable_reduction,
)
from zermelo.languages.sections.ir import System
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.symmetry.find import symmetries

DOCUMENTS = TESTS / "documents"


def machine(name: str) -> Interpreter:
    path = DOCUMENTS / f"{name}.md"
    system = system_of(loading.load(path if path.exists() else name))
    return Interpreter(system)


def explored(made: Interpreter, *, with_symmetry: bool, states: int | None = None) -> Space:
    expander = MachineExpander(made)
    used = usable_reduction(symmetries(made), expander) if with_symmetry else None
    return explore(
        expander,
        store.small(expander.words),
        start=expander.pack(made.initial),
        limits=Limits(states=states),
        reduction=used,
    )


def counts(space: Space) -> tuple[object, ...]:
    endings = {str(each.outcome): each.count for each in space.endings}
    stuck = 0 if space.stuck is None else space.stuck.count
    return space.states, space.by_depth, space.over_by_depth, space.moves, endings, stuck


@pytest.mark.parametrize(
    ("name", "classes", "states"),
    [
        # 765 is known as the number of positions of tic-tac-toe up to turns and reflections.
        ("tic-tac-toe", 765, 5_478),
        ("printed-lines", 529, 5_549),
        ("family", 45, 5_833),
        ("no-domain", 18, 4_030),
        ("words", 5, 16),
    ],
)
def test_classes_are_fewer_than_states(name: str, classes: int, states: int) -> None:
    found = explored(machine(name), with_symmetry=True)

    assert found.classes is not None
    assert (found.classes.count, found.states) == (classes, states)


@pytest.mark.parametrize(
    ("of", "symmetries", "classes"), [("turn", 72, 224_900), ("text", 36, 449_670)]
)
def test_either_group_of_pegs_stands_for_all_its_positions(
    of: str, symmetries: int, classes: int
) -> None:
    """The positions were counted without symmetries too: see the game's `expected.toml`."""
    found = questions.explore(loading.load("pegs"), symmetry=of)

    assert found.classes is not None
    assert (found.classes.symmetries, found.classes.count) == (symmetries, classes)
    assert found.states == 16_183_522
    assert found.by_depth == (
        *(1, 81, 2_592, 42_336, 381_024),
        *(1_905_120, 5_036_256, 6_135_264, 2_527_560, 153_288),
    )


def test_four_quadrants_has_as_many_positions_as_ways_to_mark_so_many_cells() -> None:
    """After d plies d of 36 cells are marked, half of them, or one more, by who began."""
    found = questions.explore(
        loading.load("four-quadrants"), limits=Limits(depth=10), symmetry="turn"
    )

    assert found.by_depth == tuple(comb(36, d) * comb(d, d // 2) for d in range(11))
    assert found.classes is not None
    # The first mark is in the middle of a cross, on an arm of one, or anywhere else.
    assert found.classes.by_depth[:2] == (1, 3)


def test_plays_are_plays_of_the_system_itself() -> None:
    made = machine("tic-tac-toe")

    found = explored(made, with_symmetry=True)

    for each in found.endings:
        state = made.initial
        for move in each.play:
            state = made.after(state, move)
        assert made.outcome(state) == each.outcome
    assert found.longest is not None
    assert found.longest.play is not None
    assert len(found.longest.play) == 9


def test_a_run_that_is_cut_short_counts_what_it_reached() -> None:
    found = explored(machine("tic-tac-toe"), with_symmetry=True, states=16)

    assert found.classes is not None
    assert found.classes.count == 16
    assert found.by_depth == (1, 9, 72)
    assert not found.is_complete


@settings(
    max_examples=30,
    deadline=None,
    derandomize=True,
    print_blob=False,
    suppress_health_check=list(HealthCheck),
)
@given(systems())
def test_symmetries_of_a_random_system_change_no_count(drawn: System) -> None:
    made = Interpreter(drawn)
    found = symmetries(made)
    if found.used == 1 or MachineExpander(made).layout is None:
        return
    plain = explored(made, with_symmetry=False, states=300)
    if plain.is_complete:
        assert counts(explored(made, with_symmetry=True)) == counts(plain)


def test_few_rows_and_many_are_sorted_alike() -> None:
    made = machine("tic-tac-toe")
    found = symmetries(made)
    expander = MachineExpander(made)
    assert expander.layout is not None
    slow = Reduction(found.structure, found.bits, expander.layout, many=1 << 40)
    fast = Reduction(found.structure, found.bits, expander.layout, many=0)
    rows = expander.expand(expander.pack(made.initial).reshape(1, -1)).states
    rows = np.concatenate([rows, expander.expand(rows).states.copy()])
    one, other = rows.copy(), rows.copy()

    slow.canonical(one)
    fast.canonical(other)

    assert one.tolist() == other.tolist()
    assert slow.sizes(rows).tolist() == fast.sizes(rows).tolist()


def test_a_system_whose_states_are_not_packed_is_not_reduced() -> None:
    made = machine("stacked")
    expander = MachineExpander(made)

    assert usable_reduction(symmetries(made), expander) is None
    assert reduced(expander, None) is expander


def test_of_the_same_states_after_one_state_one_is_kept() -> None:
    made = machine("tic-tac-toe")
    expander = MachineExpander(made)
    used = reduced(expander, usable_reduction(symmetries(made), expander))
    start = expander.pack(made.initial).reshape(1, -1)

    kept = Distinct().of(used.expand(start))

    # A corner, an edge, the middle.
    assert len(np.unique(kept, axis=0)) == len(kept) == 3
