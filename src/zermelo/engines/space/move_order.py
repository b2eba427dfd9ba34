"""The moves of each state in canonical order, whatever order compiled code finds them in.

Which state is reached first, and so the order of a graph, the first shortest play and what a limit
of states leaves out, must not depend on whether compiled code was at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import Final, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from zermelo.core.arrays import Numbers, Rows
from zermelo.core.expander import Expander, Expansion
from zermelo.core.values import SortKey, Value, sort_key
from zermelo.text import budget

Ranks: TypeAlias = npt.NDArray[np.int32]

_MOST_KNOWN: Final = 1 << 16
"""Codes of moves below this are looked up in a table; others are sorted each time."""
_UNKNOWN: Final = -1
_MOVES_BETWEEN_LOOKS: Final = 4096


class MoveOrder:
    """Puts the moves of an expander's answers in order; codes that are met once are remembered."""

    def __init__(self, expander: Expander) -> None:
        self._expander = expander
        self._is_needed = expander.native is not None
        self._ranks: Ranks = np.empty(0, dtype=np.int32)
        """For each code where its move is among those that were met, or ``_UNKNOWN``."""

    def expand(self, rows: Rows) -> Expansion:
        """What the expander gives for *rows*, the moves of each state in canonical order."""
        found = self._expander.expand(rows)
        if not self._is_needed or len(found.moves) < 2:
            return found
        ranks = self._ranked(found.moves)
        ends = np.cumsum(found.counts)
        is_less = ranks[1:] < ranks[:-1]
        # The first move of a state may well come before the last one of the state before it.
        is_less[ends[(ends > 0) & (ends < len(ranks))] - 1] = False
        if not is_less.any():
            return found
        sources = np.repeat(np.arange(len(found.counts)), found.counts)
        order = np.lexsort((ranks, sources))
        return replace(found, states=found.states[order], moves=found.moves[order])

    def _ranked(self, moves: Numbers) -> Ranks:
        # As numbers without a sign negative ones are the largest.
        largest = int(moves.view(np.uint64).max())
        if largest >= _MOST_KNOWN:
            codes, places = np.unique(moves, return_inverse=True)
            return self._sorted(codes)[places]
        if largest < len(self._ranks):
            ranks = self._ranks[moves]
            if int(ranks.min()) > _UNKNOWN:
                return ranks
        codes = np.union1d(np.flatnonzero(self._ranks > _UNKNOWN), moves)
        self._ranks = np.full(int(codes[-1]) + 1, _UNKNOWN, dtype=np.int32)
        self._ranks[codes] = self._sorted(codes)
        return self._ranks[moves]

    def _sorted(self, codes: Numbers) -> Ranks:
        """For each of *codes* where its move is among those of all."""
        # Of very many moves the values are few: they are put in order, and then numbers are.
        names: dict[str, int] = {}
        values: dict[Value, int] = {}
        rows: list[tuple[int, ...]] = []
        for at, code in enumerate(codes.tolist()):
            if not at % _MOVES_BETWEEN_LOOKS:
                budget.look("putting moves in order")
            move = self._expander.move(code)
            arguments = (values.setdefault(value, len(values)) for value in move.arguments)
            rows.append((names.setdefault(move.name, len(names)), *arguments))
        most = max(map(len, rows))
        table = np.array([row + (len(values),) * (most - len(row)) for row in rows], dtype=np.int64)
        # What a move has no argument for comes first, as in tuples.
        of_values = np.append(_places(values, sort_key), -1)
        of_names = _places(names, str)
        columns = [of_values[column] for column in table.T[:0:-1]]
        ranks = np.empty(len(rows), dtype=np.int32)
        ranks[np.lexsort((*columns, of_names[table[:, 0]]))] = np.arange(len(rows))
        return ranks


T = TypeVar("T", bound=Hashable)


def _places(numbered: Mapping[T, int], key: Callable[[T], SortKey | str]) -> Numbers:
    """For each of the things that are *numbered* its place in the order of their keys."""
    found = np.empty(len(numbered), dtype=np.int64)
    for place, each in enumerate(sorted(numbered, key=key)):
        found[numbered[each]] = place
    return found
