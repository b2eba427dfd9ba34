"""Of the states after one state, those that are the same only once.

Where things are interchangeable, moves that differ only in which of them they
take lead to the same class. To keep one of each is cheaper than to look all of
them up in a large table.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from zermelo.core.expander import Expansion, Rows
from zermelo.fast import jit
from zermelo.fast.bits import load, store
from zermelo.fast.jit import Compiled


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
def _compiled() -> Compiled | None:
    if jit.available() is not None:
        return None
    unit = jit.unit_of("distinct", [keep_distinct], exports=("keep_distinct",))
    return jit.load(unit)["keep_distinct"]


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
        into = self._kept.ctypes.data
        found = code(states.ctypes.data, counts.ctypes.data, len(counts), states.shape[1], into)
        return self._kept[:found]
