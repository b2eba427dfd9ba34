"""Stores that become bitmaps: what they hold is the same, whatever they are."""

from collections.abc import Callable

import numpy as np
import pytest

from tests.support.expanders import interpreter
from zermelo.api import loading
from zermelo.core.arrays import Rows
from zermelo.core.expander import Expander
from zermelo.core.limits import UNLIMITED, Limits
from zermelo.core.space import ExploreOptions, Space
from zermelo.engines.space import adaptive_store
from zermelo.engines.space.adaptive_store import AdaptiveStore, store_for_exploring
from zermelo.engines.space.bitmap_store import BitmapStore, DoesNotFit
from zermelo.engines.space.exploration import explore
from zermelo.engines.space.level_counts import count_levels
from zermelo.engines.space.numbering.ranking import Ranking, ranking
from zermelo.engines.space.store import NOWHERE, StateStore, TableStore, large, small
from zermelo.languages.sections.compile.kernel import Kernel, kernel
from zermelo.text import budget


@pytest.fixture(scope="module")
def board() -> Kernel:
    """Tic-tac-toe: 5,478 of 78,732 numbers."""
    made = kernel(interpreter(loading.load("tic-tac-toe")))
    assert isinstance(made, Kernel)
    return made


def start(expander: Expander) -> Rows:
    return expander.pack(interpreter(loading.load("tic-tac-toe")).initial)


def filled(expander: Expander, store: StateStore) -> StateStore:
    count_levels(expander, store, start=start(expander))
    return store


def level_rows(store: StateStore, level: int, size: int = 100) -> set[tuple[int, ...]]:
    pieces = [store.rows(piece) for piece in store.pieces(level, size)]
    listed = [tuple(row) for piece in pieces for row in piece.tolist()]
    assert len(set(listed)) == len(listed)
    return set(listed)


@pytest.fixture(scope="module")
def table(board: Kernel) -> TableStore:
    store = large(board.words, threads=1, why="a test")
    filled(board, store)
    return store


@pytest.fixture(scope="module")
def numbers(board: Kernel, table: TableStore) -> Ranking:
    states = np.concatenate(
        [
            table.rows(piece)
            for level in range(len(table.by_depth))
            for piece in table.pieces(level, 1000)
        ]
    )
    found = ranking(board.layout, states)
    assert found is not None
    return found


def test_a_bitmap_holds_what_a_table_holds(
    board: Kernel, table: TableStore, numbers: Ranking
) -> None:
    ranked = BitmapStore(numbers)
    filled(board, ranked)

    assert ranked.by_depth == table.by_depth
    for level in range(len(table.by_depth)):
        assert level_rows(ranked, level) == level_rows(table, level)


def test_a_bitmap_numbers_its_states_without_gaps(
    board: Kernel, table: TableStore, numbers: Ranking
) -> None:
    ranked = BitmapStore(numbers)
    filled(board, ranked)
    rows = table.at(np.arange(table.states))

    places = ranked.numbers(rows)

    assert sorted(places.tolist()) == list(range(ranked.numbers_end))
    assert (ranked.at(places) == rows).all()
    assert (ranked.levels(rows) == table.levels(rows)).all()
    assert ranked.numbers(np.full((1, 1), -1, dtype=np.int64)).tolist() == [NOWHERE]
    assert ranked.levels(np.full((1, 1), -1, dtype=np.int64)).tolist() == [NOWHERE]


@pytest.mark.parametrize("size", [1, 7, 64, 5000])
def test_some_of_a_level_can_be_skipped(board: Kernel, numbers: Ranking, size: int) -> None:
    ranked = BitmapStore(numbers)
    filled(board, ranked)
    level = 6
    pieces = ranked.pieces(level, size)
    done = sum(len(ranked.rows(piece)) for piece in pieces[: len(pieces) // 2])

    rest = ranked.pieces(level, size, skip=done)

    whole = np.concatenate([ranked.rows(piece) for piece in pieces])
    assert (np.concatenate([ranked.rows(piece) for piece in rest]) == whole[done:]).all()


def test_a_state_without_a_number_is_noticed(numbers: Ranking) -> None:
    # a cross and a nought on every cell
    with pytest.raises(DoesNotFit):
        BitmapStore(numbers).insert(np.full((1, 1), (1 << 18) - 1, dtype=np.int64))


def test_a_table_stays_what_it_is_when_a_bitmap_would_not_save_memory(board: Kernel) -> None:
    store = AdaptiveStore(board, threads=1, many=1000)

    explore(board, store, start=start(board))

    # 5,478 states of 3 bytes and 2¹³ slots of 4, against bitmaps of 78,732 bits
    assert store.note.endswith("a numbering of 78,732 states would take more memory")
    assert store.moves == 0


@pytest.mark.parametrize("threads", [1, 2])
def test_a_table_becomes_a_bitmap_when_that_is_worth_it(
    board: Kernel, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adaptive_store, "_GAIN", 2.0)
    store = AdaptiveStore(board, threads=threads, many=1000)

    found = said(explore(board, store, start=start(board), threads=threads, wishes=ALL))

    assert "bitmap" in store.note
    assert store.moves == 1
    assert found == plain(board)


def test_a_wrong_guess_is_given_up_without_loss(
    board: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    # a numbering from the states of the first levels knows nothing of results
    def nearby(self: AdaptiveStore, table: TableStore) -> Rows:
        return np.concatenate([table.at(np.arange(1000)), *self._surprises])

    monkeypatch.setattr(AdaptiveStore, "_sample", nearby)
    monkeypatch.setattr("zermelo.engines.space.numbering.ranking._digit", only_what_was_seen)
    store = AdaptiveStore(board, threads=2, many=500)

    found = said(explore(board, store, start=start(board), threads=2, wishes=ALL))

    assert store.moves > 1
    assert found == plain(board)


def only_what_was_seen(place, values, rows):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201, ARG001
    from zermelo.engines.space.numbering.ranking import Digit, column  # noqa: PLC0415

    return Digit(place, tuple(np.unique(column(rows, place)).tolist()))


def test_a_store_that_cannot_change_is_taken_where_it_could_not_help(board: Kernel) -> None:
    few = store_for_exploring(board, threads=1, limits=Limits(states=5))
    many = store_for_exploring(board, threads=1, limits=UNLIMITED)

    assert isinstance(few, TableStore)
    assert isinstance(many, AdaptiveStore)


ALL = ExploreOptions(rules=True, complete_plays=True)


def plain(board: Kernel) -> list[object]:
    store = large(board.words, threads=1, why="a test")
    return said(explore(board, store, start=start(board), wishes=ALL))


def said(found: Space) -> list[object]:
    return [getattr(found, name) for name in Space.__dataclass_fields__ if name != "run"]


@pytest.mark.parametrize("kind", ["small", "table", "bitmap", "adaptive table", "adaptive bitmap"])
def test_every_store_leaves_out_as_many_states_of_a_level_as_it_is_told(
    board: Kernel, numbers: Ranking, kind: str
) -> None:
    many = 300 if kind == "adaptive bitmap" else 10**9
    stores: dict[str, Callable[[], StateStore]] = {
        "small": lambda: small(board.words),
        "table": lambda: large(board.words, threads=1, why="a test"),
        "bitmap": lambda: BitmapStore(numbers),
        "adaptive table": lambda: AdaptiveStore(board, threads=1, many=many),
        "adaptive bitmap": lambda: AdaptiveStore(board, threads=1, many=many),
    }
    store = filled(board, stores[kind]())
    for level, size in enumerate(store.by_depth):
        whole = np.concatenate([store.rows(piece) for piece in store.pieces(level, 100)])
        assert len(whole) == size
        # All of them where that is quick, and the ends and some between otherwise.
        skips = range(size + 1) if size < 100 else (0, 1, 2, 63, 64, 65, size // 2, size - 1, size)
        for skip in skips:
            for piece_size in (1, 7, 64, 10_000):
                pieces = store.pieces(level, piece_size, skip=skip)
                rest = [row for piece in pieces for row in store.rows(piece).tolist()]
                assert rest == whole[skip:].tolist()


def test_where_a_state_may_have_very_many_moves_no_denser_numbering_is_looked_for(
    board: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adaptive_store, "_MOVES_OF_A_STATE", 8)
    store = AdaptiveStore(board, threads=1, many=1_000)

    filled(board, store)

    # Nine cells are more than eight; a bitmap's pieces have 64 states or more.
    assert store.note.endswith("a state may have too many moves for a denser numbering")
    assert store.states == 5_478


def test_the_clock_is_looked_at_while_plays_are_followed_for_a_numbering(
    board: Kernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adaptive_store, "_MOVES_AT_ONCE", 9)
    store = AdaptiveStore(board, threads=1, many=1_000)

    with budget.budget(steps=10**9) as left:
        left.heard = _late_after(100)
        filled(board, store)

    assert store.note.endswith("the time was over before they had a denser numbering")
    assert store.states == 5_478


def _late_after(looks: int) -> Callable[[], None]:
    """Something that is asked at every look, and says from then on that the time is over."""
    asked = 0

    def heard() -> None:
        nonlocal asked
        asked += 1
        if asked >= looks:
            raise budget.OutOfTime(budget.EXPLORING)

    return heard
