"""How many tokens lie where, for many markings at a time."""

from __future__ import annotations

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
