"""Numbers by what is proved: how many there are, that each state has its own, and none is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import comb

import numpy as np
import pytest

from tests.support.project import ROOT
from zermelo.api import loading
from zermelo.api.loaded import playable_model
from zermelo.core.arrays import Rows
from zermelo.core.expander import Expander
from zermelo.core.model import Model
from zermelo.core.symmetry import Invariants
from zermelo.engines.space.adaptive_store import AdaptiveStore
from zermelo.engines.space.bitmap_store import BitmapStore
from zermelo.engines.space.level_counts import CountedLevels, count_levels
from zermelo.engines.space.numbering.enumeration import Enumeration, enumeration
from zermelo.engines.space.store import StateStore, large
from zermelo.fast import checked, jit

pytestmark = pytest.mark.skipif(jit.available() is not None, reason="there is no compiler here")

DOCUMENTS = ROOT / "benchmarks" / "documents"
NAMES = ("pawns-4x3", "pawns-4x4", "connect-four-4x5", "tic-tac-toe")


def model_of(name: str) -> Model:
    path = DOCUMENTS / f"{name}.md"
    return playable_model(loading.load(path if path.exists() else name))


def numbered(model: Model, *, by_potential: bool = False) -> Enumeration:
    layout = model.expander().layout
    assert layout is not None
    found = enumeration(layout, model.invariants(), by_potential=by_potential)
    assert found is not None
    return found


def started(model: Model) -> Rows:
    return model.expander().pack(model.machine().initial).reshape(1, -1)


# How many numbers there are


def test_a_board_with_counts() -> None:
    # Noughts and crosses in turn, not stopped by a line: the 6,046 boards of the textbooks.
    ways = sum(comb(9, x) * comb(9 - x, o) for x in range(6) for o in (x - 1, x) if o >= 0)
    assert numbered(model_of("tic-tac-toe")).size == ways == 6046


def test_columns_in_which_nothing_floats() -> None:
    """Boards of 5 columns of up to 4 discs in two colours, red ones as many or one more."""
    column = Counter(
        2 * bin(colours).count("1") - height
        for height in range(5)
        for colours in range(1 << height)
    )
    board = Counter({0: 1})
    for _ in range(5):
        longer: Counter[int] = Counter()
        for one, ways in board.items():
            for other, times in column.items():
                longer[one + other] += ways * times
        board = longer
    assert numbered(model_of("connect-four-4x5")).size == board[0] + board[1]


def test_two_sets_that_shrink_on_cells_of_their_own() -> None:
    """Subsets of up to three cells each, disjoint, without the cells where none can stand."""
    rows = [(row, column) for row in range(1, 5) for column in range(1, 4)]
    alpha = [cell for cell in rows if cell not in {(4, 1), (4, 3)}]
    beta = [cell for cell in rows if cell != (1, 2)]
    both = len(set(alpha) & set(beta))
    ways = 0
    for a in range(4):
        for shared in range(a + 1):
            ways += (
                comb(both, shared)
                * comb(len(alpha) - both, a - shared)
                * sum(comb(len(beta) - shared, b) for b in range(4))
            )
    found = numbered(model_of("pawns-4x3"))
    assert found.size == 2 * ways
    assert numbered(model_of("pawns-4x3"), by_potential=True).size == found.size


def test_what_has_no_bounds_has_no_numbers() -> None:
    model = model_of("tic-tac-toe")
    layout = model.expander().layout
    assert layout is not None
    assert enumeration(layout, Invariants(why_not="nobody looked")) is None
    assert enumeration(layout, Invariants(), by_potential=True) is None


# That they are right


@pytest.fixture(params=["checked", "plain"])
def checks(request: pytest.FixtureRequest) -> Iterator[None]:
    """What uses it runs once more under the checker of native code."""
    if request.param == "plain":
        yield
    else:
        with checked.checks():
            yield


@pytest.mark.usefixtures("checks")
@pytest.mark.parametrize("by_potential", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_a_number_is_that_of_its_state(name: str, *, by_potential: bool) -> None:
    found = numbered(model_of(name), by_potential=by_potential)
    store = BitmapStore(found)
    numbers = np.random.default_rng(19).integers(0, found.size, 5_000)
    assert (store.ranks(store.unranked(numbers)) == numbers).all()


@pytest.mark.usefixtures("checks")
@pytest.mark.parametrize("name", NAMES)
def test_what_is_no_state_has_no_number(name: str) -> None:
    """Of all words only as many have a number as there are numbers, each its own."""
    model = model_of(name)
    store = BitmapStore(numbered(model))
    layout = model.expander().layout
    assert layout is not None
    bits = (layout.words - 1) * 64 + layout.last_bits
    rows = np.random.default_rng(20).integers(0, 1 << min(bits, 62), (20_000, layout.words))
    ranks = store.ranks(rows)
    given = ranks >= 0
    ending = model.invariants().ending
    assert ending is not None
    # What the end of a play sets is made again and not looked at.
    derived = np.zeros(layout.words, dtype=np.int64)
    for field in layout.fields:
        if field.variable in ending.variables:
            derived[field.place.word] |= ((1 << field.place.width) - 1) << field.place.shift
    assert ((store.unranked(ranks[given]) ^ rows[given]) & ~derived == 0).all()
    assert not given.all()


def counted(expander: Expander, store: StateStore, start: Rows, threads: int = 1) -> CountedLevels:
    return count_levels(expander, store, start=start, threads=threads)


@pytest.mark.usefixtures("checks")
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["pawns-4x3", "tic-tac-toe"])
def test_a_bitmap_counts_what_a_table_counts(name: str, threads: int) -> None:
    model = model_of(name)
    expander = model.expander()
    start = started(model)
    table = large(expander.words, threads=1, why="a test")
    expected = counted(expander, table, start)
    bitmap = BitmapStore(numbered(model), threads=threads)
    found = counted(expander, bitmap, start, threads)
    assert bitmap.by_depth == table.by_depth
    assert found.levels == expected.levels
    states = np.concatenate(
        [
            bitmap.rows(piece)
            for at in range(len(bitmap.by_depth))
            for piece in bitmap.pieces(at, 999)
        ]
    )
    assert (table.numbers(states) >= 0).all()
    assert len(np.unique(states, axis=0)) == table.states


def test_the_store_of_an_exploration_takes_what_is_proved() -> None:
    model = model_of("pawns-4x4")
    expander = model.expander()
    store = AdaptiveStore(expander, threads=1, many=500, prove=model.invariants)
    found = counted(expander, store, started(model))
    assert "as proved" in store.note
    assert store.moves == 1
    # The same as in a table of packed states, see above.
    table = large(expander.words, threads=1, why="a test")
    assert counted(expander, table, started(model)).levels == found.levels
