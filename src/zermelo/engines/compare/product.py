"""Two models beside each other: every pair of positions that one play leads to, nearest first.

Where each move has one result, two models are the same on moves and outcomes exactly if no pair
that can be reached differs. Pairs are kept exactly, like states. What they come to does not depend
on the clock or on compiled code, unless a limit of seconds or of memory cut it short.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from zermelo.core.arrays import Numbers, Piece
from zermelo.core.layout import WORD
from zermelo.core.limits import Limits, Listener
from zermelo.core.state import Move, State
from zermelo.engines.compare.comparison import Comparison, Contrast, Parting
from zermelo.engines.compare.sides import Followed, Side
from zermelo.engines.graph.build import Column
from zermelo.engines.space.state_index import StateIndex
from zermelo.engines.space.sweep import Follower, NumberedLevels, Sweep, Swept
from zermelo.text import budget

COMPARING: Final = "comparing"
_BYTES: Final = 1 << 14
_BYTES_A_PAIR: Final = 48
"""Beside the words of its states: its place in the table, and how it is first reached."""


class SeveralResults(Exception):
    """One move has several results, so pairs of positions do not decide."""


@dataclass(slots=True)
class _Group:
    """Pairs that differ in one way, while they are counted."""

    parting: Parting
    words: tuple[str, str]
    pair: int
    """The first of them,"""
    move: Move | None = None
    """and the move that only one side has there."""
    count: int = 0


@dataclass(slots=True)
class _Arrivals:
    """For each pair from which it is first reached, and by which moves of the two sides."""

    pairs: Column = field(default_factory=lambda: Column(np.int32))
    first: Column = field(default_factory=lambda: Column(np.int32))
    second: Column = field(default_factory=lambda: Column(np.int32))


def by_pairs(
    sides: tuple[Side, Side],
    initial: tuple[State, State],
    limits: Limits,
    listener: Listener | None,
    *,
    first_only: bool,
) -> Comparison:
    """The two *sides* compared pair by pair; raises ``SeveralResults`` where that decides nothing.

    With *first_only* it ends at the first difference.
    """
    return _Product(sides, initial, limits, first_only=first_only).run(listener)


class _Product(NumberedLevels, Follower):
    """The pairs of positions of two sides, while they are being found."""

    def __init__(
        self,
        sides: tuple[Side, Side],
        initial: tuple[State, State],
        limits: Limits,
        *,
        first_only: bool = False,
    ) -> None:
        super().__init__([0, 1])
        self._sides = sides
        self._limits = limits
        self._first_only = first_only
        """Whether the shortest difference is all that is asked for."""
        self._words = tuple(side.expander.words for side in sides)
        layout = sides[1].expander.layout
        bits = WORD if layout is None else layout.last_bits
        self._pairs = StateIndex(sum(self._words), last_bits=bits)
        packed = [side.expander.pack(one) for side, one in zip(sides, initial, strict=True)]
        self._pairs.take(np.concatenate(packed).reshape(1, -1))
        self._groups: dict[object, _Group] = {}
        self._arrivals = _Arrivals()
        self._note_arrivals(np.array([-1]), np.array([0]), np.array([0]))
        self._sweep: Sweep | None = None

    def run(self, listener: Listener | None) -> Comparison:
        is_native = all(side.expander.native is not None for side in self._sides)
        found = Swept()
        self._sweep = Sweep(
            self, found, limits=self._limits, listener=listener, is_native=is_native
        )
        with budget.phase(COMPARING):
            self._sweep.run([self])
        self.seal()
        is_answered = self._first_only and bool(self._groups)
        first, second = (side.expander.signature.name for side in self._sides)
        groups = sorted(self._groups.values(), key=lambda each: each.pair)
        plays = _Plays(self._arrivals, self._sides)
        return Comparison(
            names=(first, second),
            positions=self.states,
            by_depth=self.by_depth,
            contrasts=tuple(map(plays.contrast, groups)),
            cut=None if is_answered else found.cut,
            is_first_only=self._first_only,
        )

    # Levels

    @property
    def states(self) -> int:
        return self._pairs.size

    @property
    def bytes(self) -> int:
        return _BYTES + self.states * (2 * sum(self._words) * (WORD // 8) + _BYTES_A_PAIR)

    def over_memory(self, most: int) -> str | None:
        return f"stopped at {most / 1e6:,g} MB of memory" if self.bytes > most else None

    # A piece

    def follow(self, _: int, piece: Piece) -> None:
        rows = self._pairs.rows(*piece)
        first = self._sides[0].follow(rows[:, : self._words[0]])
        second = self._sides[1].follow(rows[:, self._words[0] :])
        own, others = self._matched(first, second)
        self._compare(piece[0], first, second, own, others)
        assert self._sweep is not None, "pairs are followed in a sweep"
        if self._first_only and self._groups:
            self._sweep.stop("")
            return
        if self._sweep.is_deepest:
            if len(own):
                self._sweep.stop(f"stopped after {self._limits.depth:,} moves")
            return
        size = self.states
        most = self._limits.states
        after = np.hstack([first.states[own], second.states[others]])
        numbers = self._pairs.take(after, room=None if most is None else most - size)
        if most is not None and len(numbers) and int(numbers.min()) < 0:
            self._sweep.stop(f"stopped at {most:,} positions")
        new = _first_places(numbers, size)
        self._note_arrivals(
            piece[0] + first.sources[own][new],
            first.moves[own][new],
            second.moves[others][new],
        )

    def _note_arrivals(self, pairs: Numbers, first: Numbers, second: Numbers) -> None:
        self._arrivals.pairs.append(pairs)
        self._arrivals.first.append(first)
        self._arrivals.second.append(second)

    def _matched(self, first: Followed, second: Followed) -> tuple[Numbers, Numbers]:
        """Which moves of the first side have which moves of the second as their like."""
        if any(side.is_many for side in self._sides):
            for each in (first, second):
                _refuse_several(each)
        if len(first.labels) == len(second.labels):
            is_same = (first.labels == second.labels) & (first.sources == second.sources)
            if is_same.all():
                whole = np.arange(len(first.labels))
                return whole, whole
        ours, theirs = _keys(first), _keys(second)
        order = np.argsort(theirs, kind="stable")
        places = np.searchsorted(theirs, ours, sorter=order)
        places[places == len(theirs)] = 0
        if not len(theirs):
            return places[:0], places[:0]
        like = order[places]
        own = np.flatnonzero(theirs[like] == ours)
        # Where several moves have one label they have one result: one of them will do.
        _, once = np.unique(ours[own], return_index=True)
        own = own[np.sort(once)]
        return own, like[own]

    def _compare(
        self, start: int, first: Followed, second: Followed, own: Numbers, others: Numbers
    ) -> None:
        """Count the pairs of this piece that differ, each once."""
        is_other_end = first.outcomes != second.outcomes
        is_other_player = ~is_other_end & (first.players != second.players)
        for parting, where, a, b in (
            (Parting.OUTCOME, is_other_end, first.outcomes, second.outcomes),
            (Parting.PLAYER, is_other_player, first.players, second.players),
        ):
            for at in np.flatnonzero(where).tolist():
                self._count(parting, start + at, (int(a[at]), int(b[at])))
        is_settled = is_other_end | is_other_player
        if len(own) == len(first.labels) == len(second.labels):
            return
        only_ours = _unmatched(first, own)
        only_theirs = _unmatched(second, others)
        lone = {**only_theirs, **only_ours}
        for at in sorted(lone):
            if not is_settled[at]:
                code, is_ours = lone[at], at in only_ours
                self._count_move(start + at, code, is_ours=is_ours)

    def _count(self, parting: Parting, pair: int, numbers: tuple[int, int]) -> None:
        key = (parting, numbers)
        if key not in self._groups:
            texts = [
                side.outcome_text(number)
                if parting is Parting.OUTCOME
                else side.player_text(number)
                for side, number in zip(self._sides, numbers, strict=True)
            ]
            self._groups[key] = _Group(parting, (texts[0], texts[1]), pair)
        self._groups[key].count += 1

    def _count_move(self, pair: int, code: int, *, is_ours: bool) -> None:
        move = self._sides[0 if is_ours else 1].move(code)
        key = (Parting.MOVE, is_ours, move.name)
        if key not in self._groups:
            words = legal_in_one(move, is_first=is_ours)
            self._groups[key] = _Group(Parting.MOVE, words, pair, move)
        self._groups[key].count += 1


def legal_in_one(move: Move, *, is_first: bool) -> tuple[str, str]:
    """What the two sides say of a *move* that only one of them has."""
    words = f"{move} is legal", f"{move} is not legal"
    return words if is_first else (words[1], words[0])


class _Plays:
    """The plays to pairs, told by how each is first reached."""

    def __init__(self, arrivals: _Arrivals, sides: tuple[Side, Side]) -> None:
        self._pairs = arrivals.pairs.joined()
        self._codes = (arrivals.first.joined(), arrivals.second.joined())
        self._sides = sides

    def contrast(self, group: _Group) -> Contrast:
        first, second = group.words
        return Contrast(
            group.parting,
            first,
            second,
            group.count,
            play=self._play(group.pair, 0),
            other_play=self._play(group.pair, 1),
            move=group.move,
        )

    def _play(self, pair: int, at: int) -> tuple[Move, ...]:
        moves: list[Move] = []
        while (before := int(self._pairs[pair])) >= 0:
            moves.append(self._sides[at].move(int(self._codes[at][pair])))
            pair = before
        return tuple(reversed(moves))


def _keys(followed: Followed) -> Numbers:
    """One number for the state and the label of each move."""
    return followed.sources << 40 | followed.labels


def _unmatched(followed: Followed, matched: Numbers) -> dict[int, int]:
    """For each state with moves that have no like the code of the first of them."""
    keys = _keys(followed)
    alone = np.flatnonzero(~np.isin(keys, keys[matched]))
    sources, firsts = np.unique(followed.sources[alone], return_index=True)
    codes = followed.moves[alone[firsts]]
    return dict(zip(sources.tolist(), codes.tolist(), strict=True))


def _refuse_several(followed: Followed) -> None:
    """Raise ``SeveralResults`` where moves of one label lead a state to different ones."""
    keys = _keys(followed)
    _, firsts, places = np.unique(keys, return_index=True, return_inverse=True)
    if len(firsts) < len(keys) and (followed.states != followed.states[firsts[places]]).any():
        raise SeveralResults


def _first_places(numbers: Numbers, before: int) -> Numbers:
    """Where each pair from *before* on is first among *numbers*, pair by pair."""
    new = np.flatnonzero(numbers >= before)
    _, firsts = np.unique(numbers[new], return_index=True)
    return new[firsts]
