"""A shortest play to a state of a space of classes, followed back from its end.

A class has many classes before it, so one is found soon, wherever it is looked
for. Which of the shortest plays it is is not said.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from zermelo.core.expander import Expander, Rows
from zermelo.engines.space.store import Store
from zermelo.engines.space.trace import Goal, Traced

_CHUNK: Final = 4096
_SMALL_CHUNK: Final = 64
"""States that the interpreter follows in one go."""


def traced_back(expander: Expander, store: Store, goal: Goal) -> Traced | None:
    """A state that *goal* asks for, and a shortest play to it."""
    row = _sought(expander, store, goal)
    if row is None:
        return None
    codes: list[int] = []
    at = row
    for level in range(goal.level - 1, -1, -1):
        before = _before(expander, store, level, at)
        if before is None:
            return None
        at, code = before
        codes.append(code)
    return Traced(row, tuple(expander.move(code) for code in reversed(codes)))


def _chunk(expander: Expander) -> int:
    return _SMALL_CHUNK if expander.native is None else _CHUNK


def _sought(expander: Expander, store: Store, goal: Goal) -> Rows | None:
    for piece in store.pieces(goal.level, _chunk(expander)):
        rows = store.rows(piece)
        hits = np.flatnonzero(goal.test(rows, expander.expand(rows)))
        if len(hits):
            found: Rows = rows[hits[0]].copy()
            return found
    return None


def _before(expander: Expander, store: Store, level: int, row: Rows) -> tuple[Rows, int] | None:
    """A state of *level* from which a move leads to *row*, and the code of the move."""
    for piece in store.pieces(level, _chunk(expander)):
        rows = store.rows(piece)
        expansion = expander.expand(rows)
        hits = np.flatnonzero(np.all(expansion.states == row, axis=1))
        if len(hits):
            at = int(np.searchsorted(np.cumsum(expansion.counts), hits[0], side="right"))
            return rows[at].copy(), int(expansion.moves[hits[0]])
    return None
