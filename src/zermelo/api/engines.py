"""What engines do for languages, joined up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from zermelo.core.arrays import Piece, Rows
from zermelo.core.expander import Expander
from zermelo.core.limits import UNLIMITED, Announce, Limits, Listener
from zermelo.core.services import KeptInFolder
from zermelo.core.state import State
from zermelo.engines.graph.build import graph_of
from zermelo.engines.graph.reachability import Reachability
from zermelo.engines.space.adaptive_store import store_for_exploring
from zermelo.engines.space.checkpoint import Checkpoint
from zermelo.engines.space.level_counts import CountedLevels, count_levels
from zermelo.engines.space.staged import resumed
from zermelo.engines.space.store import StateStore


class AllEngines:
    """The engines of this program."""

    def kept(self, folder: Path, announce: Announce | None = None) -> Checkpoint:
        return Checkpoint(folder, announce)

    def graph(
        self,
        expander: Expander,
        initial: State,
        *,
        limits: Limits = UNLIMITED,
        listener: Listener | None = None,
    ) -> Reachability:
        return graph_of(expander, initial, limits=limits, listener=listener)

    def count(
        self,
        expander: Expander,
        initial: State,
        *,
        limits: Limits = UNLIMITED,
        listener: Listener | None = None,
        threads: int = 1,
        spent: float = 0.0,
        kept: KeptInFolder | None = None,
    ) -> Counted:
        checkpoint = kept if isinstance(kept, Checkpoint) else None
        if checkpoint is not None:
            expander = checkpoint.open(expander)
        store = store_for_exploring(expander, threads=threads, limits=limits)
        start = expander.pack(initial)
        begun = None if checkpoint is None else resumed(checkpoint, store, start, spent=spent)
        counted = count_levels(
            expander,
            store,
            start=start,
            limits=limits,
            listener=listener,
            threads=threads,
            checkpoints=checkpoint,
            begun=begun,
            spent=spent,
        )
        return Counted(expander, store, counted)


@dataclass(frozen=True, slots=True)
class Counted:
    """States that were counted, in their store."""

    expander: Expander
    store: StateStore
    counts: CountedLevels

    @property
    def by_depth(self) -> Sequence[int]:
        return self.store.by_depth

    @property
    def moves(self) -> int:
        return sum(level.moves for level in self.counts.levels)

    @property
    def stuck(self) -> int:
        return sum(level.stuck.total() for level in self.counts.levels)

    @property
    def faulty(self) -> int:
        return sum(level.faulty for level in self.counts.levels)

    @property
    def first_faulty(self) -> Rows | None:
        rows = [row for level in self.counts.levels for row in level.faulty_rows[:1]]
        return np.array(rows[0], dtype=np.int64) if rows else None

    @property
    def cut(self) -> str | None:
        return self.counts.cut

    @property
    def bytes(self) -> int:
        return self.store.bytes

    def pieces(self, most: int) -> list[Piece]:
        levels = range(len(self.store.by_depth))
        return [piece for level in levels for piece in self.store.pieces(level, most)]

    def rows(self, piece: Piece) -> Rows:
        return self.store.rows(piece)
