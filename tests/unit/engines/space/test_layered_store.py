"""Layers of a potential: a store that has what a table has, and values in one pass backwards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest

from tests.support.project import ROOT
from zermelo.api import loading
from zermelo.api.loaded import playable_model
from zermelo.core.arrays import Rows
from zermelo.core.expander import Expander
from zermelo.core.model import Model
from zermelo.core.symmetry import Invariants
from zermelo.engines.solve.levels import ValuesInMemory
from zermelo.engines.solve.solution import Solution
from zermelo.engines.solve.solve import solve, usable
from zermelo.engines.space.bitmap_store import DoesNotFit
from zermelo.engines.space.layered_store import LayeredStore, layered
from zermelo.engines.space.level_counts import CountedLevels, count_levels
from zermelo.engines.space.orbits.reduction import Reduction
from zermelo.engines.space.store import NOWHERE, TableStore, large
from zermelo.fast import checked, jit

pytestmark = pytest.mark.skipif(jit.available() is not None, reason="there is no compiler here")

DOCUMENTS = ROOT / "benchmarks" / "documents"
ROOM = 1 << 30


@dataclass
class Case:
    """A document, its code, and what is proved of it."""

    model: Model
    expander: Expander
    invariants: Invariants

    @property
    def start(self) -> Rows:
        return self.expander.pack(self.model.machine().initial)

    def store(self, threads: int = 1) -> LayeredStore:
        made = layered(self.expander, self.invariants, threads=threads, memory=ROOM)
        assert made is not None
        return made

    def table(self) -> TableStore:
        made = large(self.expander.words, threads=1, why="a test")
        count_levels(self.expander, made, start=self.start)
        return made

    def filled(self) -> LayeredStore:
        made = self.store()
        count_levels(self.expander, made, start=self.start)
        return made


def case(name: str) -> Case:
    path = DOCUMENTS / f"{name}.md"
    model = playable_model(loading.load(path if path.exists() else name))
    return Case(model, model.expander(), model.invariants())


@pytest.fixture(params=["checked", "plain"])
def pawns(request: pytest.FixtureRequest) -> Iterator[Case]:
    if request.param == "plain":
        yield case("pawns-4x3")
    else:
        with checked.checks():
            yield case("pawns-4x3")


def all_rows(store: LayeredStore, size: int) -> Rows:
    levels = range(len(store.by_depth))
    return np.concatenate([store.rows(p) for at in levels for p in store.pieces(at, size)])


@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_every_state_is_there_once(pawns: Case, size: int) -> None:
    store, table = pawns.filled(), pawns.table()
    rows = all_rows(store, size)
    assert len(rows) == store.states == table.states == 8048
    assert (table.numbers(rows) >= 0).all()
    # A state's number is its place in this order.
    assert (store.numbers(rows) == np.arange(len(rows))).all()
    assert (store.at(np.arange(len(rows))) == rows).all()
    assert sum(store.by_depth) == store.states


def test_pieces_can_begin_anywhere(pawns: Case) -> None:
    store = pawns.filled()
    level = int(np.argmax(store.by_depth))
    whole = np.concatenate([store.rows(piece) for piece in store.pieces(level, 50)])
    for skip in (0, 1, 63, 64, 200, len(whole) - 1):
        pieces = store.pieces(level, 50, skip=skip)
        parts = [store.rows(piece) for piece in pieces]
        assert (np.concatenate(parts) == whole[skip:]).all()
        own = [store.own_numbers(p, rows) for p, rows in zip(pieces, parts, strict=True)]
        assert (np.concatenate(own) == store.numbers(whole[skip:])).all()
    assert store.pieces(level, 50, skip=len(whole)) == []
    assert (store.levels(whole) == level).all()


def test_what_was_not_reached_is_nowhere(pawns: Case) -> None:
    store = pawns.store()
    store.insert(pawns.start.reshape(1, -1))
    after = pawns.expander.expand(pawns.start.reshape(1, -1)).states.copy()
    assert (store.numbers(after) == NOWHERE).all()
    assert (store.levels(after) == NOWHERE).all()
    assert [len(rows) for rows in store.pending(1 << 20)] == [1]


def test_nothing_is_put_into_a_layer_that_is_done(pawns: Case) -> None:
    store = pawns.store()
    store.insert(pawns.start.reshape(1, -1))
    assert store.seal() == 1
    with pytest.raises(DoesNotFit):
        store.insert(pawns.start.reshape(1, -1))
    assert store.seal() == 0


def test_no_layers_without_room_or_a_potential() -> None:
    found = case("pawns-4x3")
    assert layered(found.expander, found.invariants, threads=1, memory=1000) is None
    assert layered(found.expander, Invariants(), threads=1, memory=ROOM) is None


def counts(found: CountedLevels) -> tuple[int, int, int]:
    """Moves, ends and stuck states."""
    levels = found.levels
    return (
        sum(level.moves for level in levels),
        sum(level.over.total() for level in levels),
        sum(level.stuck.total() for level in levels),
    )


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["pawns-4x4", "tic-tac-toe"])
def test_layers_count_what_levels_count(name: str, threads: int) -> None:
    found = case(name)
    by_layers = count_levels(
        found.expander, found.store(threads), start=found.start, threads=threads
    )
    table = large(found.expander.words, threads=1, why="a test")
    by_levels = count_levels(found.expander, table, start=found.start)
    assert counts(by_layers) == counts(by_levels)


# Values


def agree(one: Solution, other: Solution) -> None:
    """Every position has the same value and distance under every scoring."""
    assert one.counted == other.counted
    assert (one.root, one.stuck, one.states) == (other.root, other.stuck, other.states)
    first, second = one.stored, other.stored
    assert isinstance(first, ValuesInMemory)
    assert isinstance(second, ValuesInMemory)
    space = second.space
    for level in range(space.depth):
        for piece in space.pieces(level):
            rows = space.store.rows(piece)
            pairs = zip(first.look_up(rows), second.look_up(rows), strict=True)
            for mine, theirs in pairs:
                told = [
                    each.coding.widened(codes, wider) if each.coding != wider else codes
                    for each, codes in ((first, mine), (second, theirs))
                    for wider in [max(first.coding, second.coding, key=lambda c: c.size)]
                ]
                assert (told[0] == told[1]).all()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["pawns-4x3", "pawns-5x3", "pawns-4x4", "tic-tac-toe"])
def test_every_value_is_that_of_the_plain_solver(name: str, threads: int) -> None:
    found = case(name)
    by_layers = solve(found.expander, found.start, store=found.store(threads), threads=threads)
    agree(by_layers, solve(found.expander, found.start, threads=1))
    assert by_layers.method == "backwards, layer by layer of what every move makes larger"


def test_values_with_symmetries_are_the_same() -> None:
    found = case("pawns-5x3")
    reduction = usable(found.model, found.expander, is_urgent=True)
    assert isinstance(reduction, Reduction)
    by_layers = solve(
        found.expander, found.start, store=found.store(), threads=1, reduction=reduction
    )
    agree(by_layers, solve(found.expander, found.start, threads=1))
    assert by_layers.classes < by_layers.states == 61_796
