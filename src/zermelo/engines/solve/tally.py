"""How many positions have which value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo.core.expander import Numbers
from zermelo.engines.solve.codes import Codes, Coding
from zermelo.engines.solve.solved import Counted
from zermelo.engines.solve.stakes import Seeker
from zermelo.engines.solve.values import Kind
from zermelo.languages.sections.ir import System

KINDS: Final = (Kind.LOSS, Kind.ENDLESS, Kind.DRAW, Kind.WIN)
"""The kinds in the order of their codes."""
_LOSS, _WIN = 0, 3
_PARTS: Final = (0, 26, 52)
"""Numbers of positions are added up in parts of 26 bits, so that no sum is rounded."""

Table: TypeAlias = npt.NDArray[Any]


class Tally:
    """Counts values, for each way to score a stuck player and for what both agree on."""

    def __init__(self, system: System, seekers: Sequence[Seeker], coding: Coding) -> None:
        self.coding = coding
        self._names = tuple(player.name for player in system.players)
        ways = len({seeker.stuck for seeker in seekers})
        self._seats = len(seekers) // ways
        """How many seekers there are for each way to score."""
        self._ways = ways
        # For each seat: positions by who is in turn, by kind, and by kind when scored otherwise.
        shape = (len(self._names) + 1, len(KINDS), len(KINDS))
        self._tables: list[Table] = [np.zeros(shape, dtype=object) for _ in range(self._seats)]

    def add(self, verdicts: Numbers, columns: Sequence[Codes], weights: Table | None) -> None:
        """Count states with these *verdicts*, codes and numbers of positions."""
        players = (verdicts & 0xFF) << 4
        for seat, table in enumerate(self._tables):
            kinds = (columns[seat] >> self.coding.bits).astype(np.int64)
            others = kinds
            if self._ways > 1:
                others = (columns[seat + self._seats] >> self.coding.bits).astype(np.int64)
            found = _counts(players | kinds << 2 | others, weights, table.size)
            self._tables[seat] = table + found.reshape(table.shape)

    @property
    def counted(self) -> tuple[Counted, ...]:
        """The counts: for each way to score, and what they agree on if there are two."""
        if self._ways == 1:
            return (self._counted([table.sum(axis=2) for table in self._tables]),)
        agreed = [
            np.stack([table[:, kind, kind] for kind in range(len(KINDS))], axis=1)
            for table in self._tables
        ]
        return (
            self._counted([table.sum(axis=2) for table in self._tables]),
            self._counted([table.sum(axis=1) for table in self._tables]),
            self._counted(agreed),
        )

    def _counted(self, tables: Sequence[Table]) -> Counted:
        """What the *tables* say: for each seat positions by who is in turn and by kind."""
        by_kind = dict.fromkeys((Kind.WIN, Kind.DRAW, Kind.LOSS, Kind.ENDLESS), 0)
        for kind, count in self._for_mover(tables):
            by_kind[kind] += count
        total = sum(int(count) for count in self._tables[0].flat)
        by_kind[Kind.UNKNOWN] = total - sum(by_kind.values())
        by_winner = {name: int(table[:, _WIN].sum()) for name, table in self._winners(tables)}
        if len(self._names) == 2:
            by_winner[self._names[1]] = int(tables[0][:, _LOSS].sum())
        return Counted({kind: count for kind, count in by_kind.items() if count}, by_winner)

    def _winners(self, tables: Sequence[Table]) -> Iterator[tuple[str, Table]]:
        yield from zip(self._names, tables, strict=len(self._names) != 2)

    def _for_mover(self, tables: Sequence[Table]) -> Iterator[tuple[Kind, int]]:
        """Kinds for the player in turn; where nobody is in turn, for the first player."""
        for player in range(len(self._names) + 1):
            seat = max(player - 1, 0)
            is_turned = len(self._names) == 2 and seat == 1
            table = tables[min(seat, self._seats - 1)]
            for at, kind in enumerate(KINDS):
                yield kind.opposite if is_turned else kind, int(table[player, at])


def _counts(places: Numbers, weights: Table | None, size: int) -> Table:
    """How many positions there are at each place; exact, however many they are."""
    if weights is None:
        return np.bincount(places, minlength=size).astype(object)
    if weights.dtype == object:
        found: Table = np.zeros(size, dtype=object)
        np.add.at(found, places, weights)
        return found
    total: Table = np.zeros(size, dtype=object)
    for shift in _PARTS:
        part = weights >> shift & ((1 << 26) - 1)
        summed = np.bincount(places, weights=part, minlength=size)
        total += np.array([int(each) << shift for each in summed.tolist()], dtype=object)
    return total
