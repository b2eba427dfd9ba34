"""The independent check of a solution: every value against those of the states that follow.

It shares with the solver the expander and nothing else: what an end is worth, who prefers what
and how distances grow is written here a second time, plainly, on kinds and distances instead
of codes. If it finds nothing wrong, the values are right, and not only consistent: each win and
each loss has its distance, which shrinks with every move down to an end that is worth it, and
whoever is in a drawn state has a move to a drawn state and none to a win.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from zermelo.core.arrays import Numbers, Rows, Truths
from zermelo.core.expander import Expander, Expansion
from zermelo.core.limits import INTERRUPTED, Listener, Progress
from zermelo.core.machine import Ending, Outcome
from zermelo.engines.solve.solution_file import SolutionFile, file_rows
from zermelo.engines.solve.values import Verification, Wrong
from zermelo.engines.space.orbits.reduction import Reduction
from zermelo.text import budget

LOSS, ENDLESS, DRAW, WIN, NOTHING = range(5)
"""What a state is worth for an objective; nothing is known of the last."""
_NAMES: Final = ("loss", "endless", "draw", "win", "not known")
_CHUNK: Final = 1 << 12
_FAR: Final = np.iinfo(np.int64).max


def verify(
    file: SolutionFile,
    expander: Expander,
    first: Rows,
    *,
    reduction: Reduction | None = None,
    listener: Listener | None = None,
) -> Verification:
    """Check every value in *file*, and that its states are those that can be reached."""
    return _Check(file, expander, reduction).run(first, listener)


class _Check:
    def __init__(self, file: SolutionFile, expander: Expander, reduction: Reduction | None) -> None:
        self._file = file
        self._expander = expander
        self._way = file_rows(expander)
        self._reduction = reduction
        self._wrong: list[Wrong] = []
        self._columns = [file.column(at) for at in range(len(file.header["seekers"]))]
        self._moves = 0
        self._done = 0

    def run(self, first: Rows, listener: Listener | None) -> Verification:
        self._file.check_all()
        reached = np.zeros(self._file.states, dtype=np.bool_)
        waiting = self._places(first.reshape(1, -1).copy())
        if waiting[0] < 0:
            return Verification(0, 0, (Wrong(None, "the first state is not in the file"),))
        reached[waiting] = True
        depth = 0
        while len(waiting) and not self._wrong:
            following = [waiting[:0]]
            for at in range(0, len(waiting), _CHUNK):
                after = self._follow(waiting[at : at + _CHUNK])
                if self._wrong:
                    break
                fresh = np.unique(after[~reached[after]])
                reached[fresh] = True
                following.append(fresh)
                told = Progress(depth, self._done, self._file.states - self._done, 0.0)
                if listener is not None and listener(told):
                    return Verification(self._done, self._moves, (), INTERRUPTED)
                if (end := budget.end()) is not None and budget.now() > end:
                    return Verification(self._done, self._moves, (), "stopped by the clock")
            waiting = np.concatenate(following)
            depth += 1
        unreached = int(np.count_nonzero(~reached))
        if not self._wrong and unreached:
            why = f"{unreached:,} states of the file cannot be reached"
            self._wrong.append(Wrong(None, why))
        return Verification(self._done, self._moves, tuple(self._wrong))

    def _places(self, rows: Rows) -> Numbers:
        if self._reduction is not None and len(rows):
            self._reduction.canonical(rows)
        return self._file.places(self._way.to_file(rows))

    def _follow(self, places: Numbers) -> Numbers:
        """Check the states at *places*; the places of the states after them."""
        rows = self._way.from_file(self._file.rows_at(places))
        expansion = self._expander.expand(rows)
        following = self._places(expansion.states)
        self._done += len(places)
        self._moves += len(following)
        if (following < 0).any():
            source = np.repeat(np.arange(len(rows)), expansion.counts)[following < 0][0]
            self._note(rows[source], "a state after it is not in the file")
            return following
        for at, (player, stuck) in enumerate(self._file.header["seekers"]):
            told = _told(self._columns[at][places], self._bits)
            after = _told(self._columns[at][following], self._bits)
            due = self._due(expansion, after, player=player, stuck=stuck)
            is_wrong = (told.kinds != due.kinds) | (told.plies != due.plies)
            # A circle of states of which nothing is told would bear itself out.
            is_wrong |= told.kinds == NOTHING
            if is_wrong.any():
                first = int(np.flatnonzero(is_wrong)[0])
                name = self._file.header["players"][player]
                why = f"for {name} the file says {told.text(first)}; it is {due.text(first)}"
                self._note(rows[first], why)
        return following

    @property
    def _bits(self) -> int:
        return 8 * int(self._file.header["value_bytes"]) - 2

    def _note(self, row: Rows, why: str) -> None:
        self._wrong.append(Wrong(self._expander.unpack(row), why))

    # What the states are worth

    def _due(self, expansion: Expansion, after: _Told, *, player: int, stuck: str) -> _Told:
        """What the states of *expansion* are worth to *player*, from what follows them."""
        due = _Told(np.full(len(expansion.counts), NOTHING), np.full(len(expansion.counts), -1))
        players = self._file.header["players"]
        moving = np.flatnonzero(expansion.counts)
        ended = np.flatnonzero(expansion.counts == 0)
        if len(ended):
            ways, way = np.unique(expansion.verdicts[ended], return_inverse=True)
            worth = [self._end(verdict, player, stuck) for verdict in ways.tolist()]
            due.kinds[ended] = np.array(worth)[way]
            due.plies[ended] = 0
        if len(moving):
            mover = (expansion.verdicts[moving] & 0xFF) - 1
            is_own = (mover == player) | (len(players) == 1)
            due.kinds[moving], due.plies[moving] = _chosen(expansion.counts[moving], after, is_own)
        return due

    def _end(self, verdict: int, player: int, stuck: str) -> int:
        players = self._file.header["players"]
        if verdict >> 8:
            outcome = self._expander.outcomes[(verdict >> 8) - 1]
            return _worth(outcome, players[player], players)
        in_turn = (verdict & 0xFF) - 1
        if stuck == "draws" or (in_turn < 0 and len(players) > 1):
            return DRAW
        is_own = len(players) == 1 or in_turn == player
        if stuck == "wins":
            return WIN if is_own else LOSS
        if is_own:
            return LOSS
        return WIN if len(players) == 2 else DRAW


@dataclass(frozen=True, slots=True)
class _Told:
    kinds: Numbers
    plies: Numbers

    def text(self, at: int) -> str:
        kind, plies = int(self.kinds[at]), int(self.plies[at])
        return _NAMES[kind] if plies < 0 else f"{_NAMES[kind]} in {plies}"


def _told(codes: npt.NDArray[np.unsignedinteger[Any]], bits: int) -> _Told:
    """What codes tell, by the description of the file format."""
    plain = codes.astype(np.int64)
    part, rest = plain >> bits, plain & ((1 << bits) - 1)
    kinds = np.choose(part, [LOSS, ENDLESS, DRAW, WIN])
    kinds[(part == 1) & (rest != 0)] = NOTHING
    longest = (1 << bits) - 1
    plies = np.choose(part, [rest, np.full_like(rest, -1), longest - rest, longest - rest])
    return _Told(kinds, plies)


def _worth(outcome: Outcome, player: str, players: Sequence[str]) -> int:
    if len(players) > 1 and set(outcome.losers) == set(players):
        return DRAW
    if outcome.ending in {Ending.WIN, Ending.LOSS}:
        if player in outcome.winners:
            return WIN
        if player in outcome.losers:
            return LOSS
    return DRAW


def _chosen(counts: Numbers, after: _Told, is_own: Truths) -> tuple[Numbers, Numbers]:
    """What whoever is in turn chooses from what is *after* each state."""
    starts = np.cumsum(counts) - counts
    of_own = np.repeat(is_own, counts)
    is_good = after.kinds == np.where(of_own, WIN, LOSS)
    is_bad = after.kinds == np.where(of_own, LOSS, WIN)
    good = np.minimum.reduceat(np.where(is_good, after.plies, _FAR), starts)
    drawn = np.minimum.reduceat(np.where(after.kinds == DRAW, after.plies, _FAR), starts)
    bad = np.maximum.reduceat(np.where(is_bad, after.plies, -1), starts)
    has_endless = np.logical_or.reduceat(after.kinds == ENDLESS, starts)
    has_nothing = np.logical_or.reduceat(after.kinds == NOTHING, starts)
    cases = [has_nothing, good < _FAR, drawn < _FAR, has_endless]
    best = np.where(is_own, WIN, LOSS)
    worst = np.where(is_own, LOSS, WIN)
    unending = np.full(len(counts), -1, dtype=np.int64)
    kinds = np.select(cases, [np.full_like(best, NOTHING), best, DRAW, ENDLESS], worst)
    plies = np.select(cases, [unending, good, drawn, unending - 1], bad) + 1
    return kinds, np.where(has_nothing, -1, plies)
