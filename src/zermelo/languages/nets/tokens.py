"""How many tokens lie where, for many markings at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Protocol, runtime_checkable

import numpy as np

from zermelo.core.arrays import Piece, Rows
from zermelo.core.expander import Expander
from zermelo.languages.nets.run.bags import Bag

_JOBS: Final = 1_000
"""A long thin graph has more pieces than this; then several of them are counted together."""


@runtime_checkable
class Counting(Protocol):
    """An expander that counts tokens without unpacking markings."""

    def tokens(self, rows: Rows) -> Rows:
        """How many tokens lie in each place, for each of *rows*."""

    def most_tokens(self, rows: Rows) -> tuple[int, int]:
        """The most tokens in a place, and in a marking, of all *rows*."""


def tokens(expander: Expander, rows: Rows) -> Rows:
    if isinstance(expander, Counting):
        return expander.tokens(rows)
    counts = [
        [len(bag) for bag in expander.unpack(row).values if isinstance(bag, Bag)] for row in rows
    ]
    return np.array(counts, dtype=np.int64).reshape(len(rows), -1)


def most_tokens(
    expander: Expander,
    rows_at: Callable[[Piece], Rows],
    pieces: Iterable[Piece],
    *,
    threads: int = 1,
) -> tuple[int, int]:

    def most(some: Sequence[Piece]) -> tuple[int, int]:
        rows = np.concatenate([rows_at(piece) for piece in some])
        if isinstance(expander, Counting):
            return expander.most_tokens(rows)
        counts = tokens(expander, rows)
        return int(counts.max(initial=0)), int(counts.sum(axis=1).max(initial=0))

    whole = list(pieces)
    size = -(-len(whole) // _JOBS) or 1
    in_a_place = in_a_marking = 0
    with ThreadPoolExecutor(threads if isinstance(expander, Counting) else 1) as pool:
        jobs = (whole[at : at + size] for at in range(0, len(whole), size))
        for one, other in pool.map(most, jobs):
            in_a_place, in_a_marking = max(in_a_place, one), max(in_a_marking, other)
    return in_a_place, in_a_marking


def first_fault(expander: Expander, row: Rows) -> str | None:
    return next((fault.message for fault in expander.faults(row).values()), None)
