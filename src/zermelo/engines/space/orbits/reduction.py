"""Symmetries in use: of states that are alike only one is kept, and it counts for all.

Few states are sorted by numpy; when there are many, code is compiled for it,
which gives the same.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from zermelo.core.expander import Numbers, Rows
from zermelo.core.layout import Layout
from zermelo.engines.space.orbits.columns import Columns, spot
from zermelo.engines.space.orbits.emit import emit
from zermelo.engines.space.orbits.sorting import Sorter
from zermelo.engines.space.orbits.structure import Structure, order
from zermelo.fast import jit
from zermelo.fast.jit import Compiled, Unit
from zermelo.languages.sections.symmetry.ground import Bit

_CHUNK: Final = 1 << 14
_MANY: Final = 100_000
"""After so many rows it is worth compiling code for them."""


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
        self._code = _Code(structure, self._columns, layout.words, many)

    @property
    def order(self) -> int:
        """How many symmetries are in use."""
        return order(self._structure)

    @property
    def words(self) -> tuple[str, ...]:
        """What they are, in words."""
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

    def total(self, rows: Rows) -> int:
        """How many states *rows* stand for together."""
        found = self.sizes(rows)
        if found.dtype == np.int64:
            # Each fits into 64 bits, but not their sum.
            high, low = found >> 32, found & 0xFFFFFFFF
            return (int(high.sum()) << 32) + int(low.sum())
        return sum(map(int, found.tolist()))

    def one(self, row: Rows) -> Rows:
        """The state that stands for the state *row*."""
        kept = np.array(row, dtype=np.int64).reshape(1, -1).copy()
        self.canonical(kept)
        return kept.reshape(np.shape(row))


class _Code:
    """Compiled code for sorting, made when it is worth it."""

    def __init__(
        self, structure: Structure | None, columns: Columns, words: int, many: int
    ) -> None:
        self._lock = threading.Lock()
        self._left = many
        self._functions: Mapping[str, Compiled] | None = None
        emitted = emit(structure, columns.spots, words)
        self._unit: Unit | None = None
        self._tables = np.zeros(1, dtype=np.int64)
        if emitted is not None:
            self._unit = Unit(
                name="symmetry", source=emitted.source, exports=("canonical", "sizes")
            )
            self._tables = np.array(emitted.tables or (0,), dtype=np.int64)

    def canonical(self, rows: Rows) -> bool:
        """Sort *rows*, if there is code for it."""
        functions = self._ready(len(rows))
        if functions is None or not rows.flags.c_contiguous:
            return False
        functions["canonical"](rows.ctypes.data, len(rows), self._tables.ctypes.data)
        return True

    def sizes(self, rows: Rows) -> Numbers | None:
        """The sizes of the classes of *rows*, if there is code for it."""
        functions = self._ready(len(rows))
        if functions is None or not rows.flags.c_contiguous:
            return None
        found = np.empty(len(rows), dtype=np.int64)
        functions["sizes"](rows.ctypes.data, found.ctypes.data, len(rows), self._tables.ctypes.data)
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
