"""How many tokens lie where, for many markings at a time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

import numpy as np

from zermelo.core.expander import Expander, Rows
from zermelo.core.nets.bags import Bag


@runtime_checkable
class Counting(Protocol):
    """An expander that counts tokens without unpacking markings."""

    def tokens(self, rows: Rows) -> Rows:
        """How many tokens lie in each place, for each of *rows*."""
        ...


def tokens(expander: Expander, rows: Rows) -> Rows:
    """How many tokens lie in each place, one row a marking; colours are summed over."""
    if isinstance(expander, Counting):
        return expander.tokens(rows)
    counts = [
        [len(bag) for bag in expander.unpack(row).values if isinstance(bag, Bag)] for row in rows
    ]
    return np.array(counts, dtype=np.int64).reshape(len(rows), -1)


def most_tokens(expander: Expander, parts: Iterable[Rows]) -> tuple[int, int]:
    """The most tokens in a place, and in a marking, of all markings in *parts*."""
    in_a_place = in_a_marking = 0
    for rows in parts:
        counts = tokens(expander, rows)
        if counts.size:
            in_a_place = max(in_a_place, int(counts.max()))
            in_a_marking = max(in_a_marking, int(counts.sum(axis=1).max()))
    return in_a_place, in_a_marking


def first_fault(expander: Expander, row: Rows) -> str | None:
    """What stops the first of the firings of a marking that a fault stops, in words."""
    return next((fault.message for fault in expander.faults(row).values()), None)
