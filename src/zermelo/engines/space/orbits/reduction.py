"""Symmetries in use: of states that are alike, only the one that stands for them is followed.

``Reduction`` finds the state that stands for others, by compiled code where there are
many, and ``ReducedExpander`` gives only such states.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from zermelo.core.arrays import Numbers, Rows
from zermelo.core.expander import Expander, Expansion, Native, same_form
from zermelo.core.layout import Layout
from zermelo.core.machine import Fault, Outcome
from zermelo.core.signature import Signature
from zermelo.core.state import Move, State
from zermelo.core.symmetry import Bit, Structure, Symmetries, order
from zermelo.engines.space.orbits.emit import emit
from zermelo.engines.space.orbits.sorting import Columns, Sorter, spot
from zermelo.fast import jit
from zermelo.fast.bits import load, store
from zermelo.fast.jit import Compiled, Unit

_CHUNK: Final = 1 << 14
_MANY: Final = 100_000
"""After so many rows it is worth compiling code for them."""


def usable_reduction(found: Symmetries, expander: Expander) -> Reduction | None:
    """The symmetries that were *found*, for the states of *expander*; ``None`` if of no use."""
    if expander.layout is None or found.used <= 1:
        return None
    return Reduction(found.structure, found.bits, expander.layout, words=found.words)


def reduced(expander: Expander, used: Reduction | None) -> Expander:
    """*expander* with the symmetries that are *used*, or itself if there are none."""
    return expander if used is None else ReducedExpander(expander, used)


class Reduction:
    """The symmetries of a system, used on packed states."""

    def __init__(
        self,
        structure: Structure | None,
        bits: Sequence[Bit],
        layout: Layout,
        *,
        words: Sequence[str] = (),
        many: int = _MANY,
    ) -> None:
        spots = [spot(layout, bit) for bit in bits]
        self._structure = structure
        self._sorter = Sorter(structure)
        self._columns = Columns(spots)
        self._words = tuple(words)
        self._code = _CanonicalCode(structure, self._columns, layout.words, many)

    @property
    def order(self) -> int:
        return order(self._structure)

    @property
    def words(self) -> tuple[str, ...]:
        return self._words

    def canonical(self, rows: Rows) -> None:
        """Put in the place of each of *rows* the one that stands for it."""
        if self._structure is None or self._code.canonical(rows):
            return
        for first in range(0, len(rows), _CHUNK):
            part = rows[first : first + _CHUNK]
            bits = self._columns.read(part)
            self._sorter.sort(bits)
            self._columns.write(part, bits)

    def sizes(self, rows: Rows) -> Numbers:
        """How many states each of *rows* stands for; Python's own numbers where they are large."""
        found = self._code.sizes(rows)
        if found is not None:
            return found
        parts = [
            self._sorter.sort(self._columns.read(rows[first : first + _CHUNK]))
            for first in range(0, len(rows), _CHUNK)
        ]
        return np.concatenate(parts) if parts else np.ones(0, dtype=np.int64)

    def one(self, row: Rows) -> Rows:
        kept = np.array(row, dtype=np.int64).reshape(1, -1).copy()
        self.canonical(kept)
        return kept.reshape(np.shape(row))


class _CanonicalCode:
    def __init__(
        self, structure: Structure | None, columns: Columns, words: int, many: int
    ) -> None:
        self._lock = threading.Lock()
        self._left = many
        self._functions: Mapping[str, Compiled] | None = None
        self._unit: Unit | None = None
        emitted = emit(structure, columns.spots, words)
        if emitted is not None:
            source, exports = emitted.source, ("canonical", "sizes")
            self._unit = Unit(name="symmetry", source=source, exports=exports)
            self._tables = np.array(emitted.tables or (0,), dtype=np.int64)

    def canonical(self, rows: Rows) -> bool:
        functions = self._ready(len(rows))
        if functions is None or not rows.flags.c_contiguous:
            return False
        functions["canonical"].on(rows, len(rows), self._tables)
        return True

    def sizes(self, rows: Rows) -> Numbers | None:
        functions = self._ready(len(rows))
        if functions is None or not rows.flags.c_contiguous:
            return None
        found = np.empty(len(rows), dtype=np.int64)
        functions["sizes"].on(rows, found, len(rows), self._tables)
        return found

    def _ready(self, count: int) -> Mapping[str, Compiled] | None:
        if self._functions is not None or self._unit is None:
            return self._functions
        with self._lock:
            self._left -= count
            if self._left > 0:
                return None
            if jit.available() is not None:
                self._unit = None
            else:
                # Another thread may have loaded it meanwhile; it is loaded only once.
                self._functions = jit.load(self._unit)
        return self._functions


@dataclass(frozen=True, slots=True)
class ReducedExpander:
    """*expander*, with every state after a move replaced by the one that stands for it.

    A play that is made of its moves is a play of states that stand for others;
    ``real_play`` makes a play of the system itself of it.
    """

    expander: Expander
    reduction: Reduction

    @property
    def signature(self) -> Signature:
        return self.expander.signature

    @property
    def words(self) -> int:
        return self.expander.words

    @property
    def layout(self) -> Layout | None:
        return self.expander.layout

    @property
    def row_form(self) -> str | None:
        return self.expander.row_form

    def in_form(self, form: str) -> ReducedExpander:
        same_form(self, form)
        return self

    def are_states(self, rows: Rows) -> bool:
        """Also whether they stand for others: of states that are alike always the same one does."""
        if not self.expander.are_states(rows):
            return False
        canonical = np.array(rows, dtype=np.int64, order="C")
        self.reduction.canonical(canonical)
        return np.array_equal(canonical, rows)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        return self.expander.outcomes

    @property
    def native(self) -> Native | None:
        return self.expander.native

    @property
    def note(self) -> str:
        return self.expander.note

    @property
    def reason(self) -> str | None:
        return self.expander.reason

    @property
    def rules(self) -> tuple[tuple[str, str], ...]:
        return self.expander.rules

    def expand(self, frontier: Rows) -> Expansion:
        found = self.expander.expand(frontier)
        if len(found.states):
            self.reduction.canonical(found.states)
        return found

    def judge(self, states: Rows) -> Numbers:
        return self.expander.judge(states)

    def fired(self, frontier: Rows) -> Numbers:
        return self.expander.fired(frontier)

    def broken(self, states: Rows) -> Numbers:
        """Symmetries preserve what is claimed, so that a state tells it of all it stands for."""
        return self.expander.broken(states)

    def faults(self, row: Rows) -> Mapping[Move, Fault]:
        return self.expander.faults(row)

    def pack(self, state: State) -> Rows:
        return self.expander.pack(state)

    def unpack(self, row: Rows) -> State:
        return self.expander.unpack(row)

    def move(self, code: int) -> Move:
        return self.expander.move(code)

    def twin(self) -> ReducedExpander | None:
        twin = self.expander.twin()
        return None if twin is None else ReducedExpander(twin, self.reduction)


def real_play(
    reduced: ReducedExpander, start: Rows, play: tuple[Move, ...]
) -> tuple[tuple[Move, ...], Rows]:
    """A play of the system from *start* that is like *play*, and the state it leads to.

    *play* goes through states that stand for others. After every move the state
    of the play that is made is one for which that of *play* stands.
    """
    made: list[Move] = []
    row = np.array(start, dtype=np.int64).reshape(1, -1)
    kept = row.copy()
    reduced.reduction.canonical(kept)
    for move in play:
        found = reduced.expand(kept)
        moves = [reduced.move(code) for code in found.moves.tolist()]
        # An expander may use the memory of its last answer again.
        kept = found.states[moves.index(move)].copy().reshape(1, -1)
        plain = reduced.expander.expand(row)
        alike = plain.states.copy()
        reduced.reduction.canonical(alike)
        at = int(np.flatnonzero(np.all(alike == kept, axis=1))[0])
        made.append(reduced.move(int(plain.moves[at])))
        row = plain.states[at].copy().reshape(1, -1)
    return tuple(made), row.reshape(-1)


def keep_distinct(states: int, counts: int, parents: int, words: int, kept: int) -> int:
    """Write the different rows among those after each of *parents* states to *kept*."""
    row = states
    out = 0
    for parent in range(parents):
        first = out
        for _ in range(load(counts, parent)):
            is_new = 1
            at = first
            while at < out:
                word = 0
                while word < words and load(kept, at * words + word) == load(row, word):
                    word += 1
                if word == words:
                    is_new = 0
                    at = out
                at += 1
            if is_new == 1:
                for word in range(words):
                    store(kept, out * words + word, load(row, word))
                out += 1
            row += 8 * words
    return out


@cache
def _unit() -> jit.Unit:
    return jit.unit_of("distinct", [keep_distinct], exports=("keep_distinct",))


def _compiled() -> Compiled | None:
    return None if jit.available() is not None else jit.load(_unit())["keep_distinct"]


class Distinct:
    """Keeps one of the same states after each state; for one thread."""

    def __init__(self) -> None:
        self._kept = np.empty((0, 1), dtype=np.int64)

    def of(self, expansion: Expansion) -> Rows:
        """The states of *expansion*, those after one state only once; good until the next call."""
        states, counts, code = expansion.states, expansion.counts, _compiled()
        if code is None or not states.flags.c_contiguous or not len(states):
            return states
        if len(self._kept) < len(states) or self._kept.shape[1] != states.shape[1]:
            self._kept = np.empty((2 * len(states), states.shape[1]), dtype=np.int64)
        counts = np.ascontiguousarray(counts)
        found = code.on(states, counts, len(counts), states.shape[1], self._kept)
        return self._kept[:found]
