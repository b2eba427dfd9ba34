"""One of two models that are compared: its moves by label, its verdicts in words of both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from zermelo.core.arrays import Numbers, Rows, Truths
from zermelo.core.expander import Expander, TooNarrow, outcome_of, player_of
from zermelo.core.machine import Outcome, outcome_of_stuck
from zermelo.core.state import Move
from zermelo.core.values import UNSET
from zermelo.engines.compare.alignment import Alignment
from zermelo.engines.space.move_order import MoveOrder

_MOST_KNOWN: Final = 1 << 16
"""Codes of moves below this are looked up in a table."""
_HIDDEN: Final = -1
_UNKNOWN: Final = -2
GOES_ON: Final = 0
"""The number of no outcome."""


class Names:
    """Numbers for what both sides speak of, in the order in which it is met."""

    def __init__(self) -> None:
        self._numbers: dict[object, int] = {}

    def number(self, name: object) -> int:
        return self._numbers.setdefault(name, len(self._numbers))

    def __len__(self) -> int:
        return len(self._numbers)


@dataclass(slots=True)
class Shared:
    """What the two sides number together."""

    labels: Names
    players: Names
    outcomes: Names
    compares_outcomes: bool
    """Whether both say who plays; otherwise only moves are compared."""

    @staticmethod
    def of(*, compares_outcomes: bool) -> Shared:
        made = Shared(Names(), Names(), Names(), compares_outcomes)
        made.outcomes.number(None)
        made.players.number(None)
        return made


class SideTooNarrow(Exception):
    """A state of one side has no room; *side* begins again on a wider expander."""

    def __init__(self, side: Side, narrow: TooNarrow) -> None:
        super().__init__(str(narrow))
        self.side = side
        self.narrow = narrow


@dataclass(frozen=True, slots=True)
class Followed:
    """What follows some states of a side, hidden moves left out."""

    counts: Numbers
    sources: Numbers
    """For each move the number of its state among those that were asked about."""
    labels: Numbers
    states: Rows
    moves: Numbers
    outcomes: Numbers
    """For each state the number of its outcome, ``GOES_ON`` where it is not over."""
    players: Numbers


class Side:
    """A model while it is compared."""

    def __init__(self, expander: Expander, alignment: Alignment, shared: Shared) -> None:
        self.expander = expander
        self._order = MoveOrder(expander)
        self._alignment = alignment
        self._shared = shared
        self._known: Numbers = np.full(0, _UNKNOWN, dtype=np.int64)
        self._rare: dict[int, int] = {}
        self._owners: dict[int, int] = {}
        """For each label the code of a move that has it."""
        self.is_many: bool = False
        """Whether some label is that of several moves."""
        self.hides: bool = False
        self._verdicts: dict[tuple[int, bool], tuple[int, int]] = {}
        self._outcome_texts: dict[int, str] = {GOES_ON: "the play goes on"}
        self._player_texts: dict[int, str] = {0: "nobody"}

    def follow(self, rows: Rows) -> Followed:
        """What follows *rows*, the moves of each in canonical order."""
        try:
            found = self._order.expand(np.ascontiguousarray(rows))
        except TooNarrow as narrow:
            raise SideTooNarrow(self, narrow) from narrow
        outcomes, players = self._judged(found.verdicts, found.counts == 0)
        sources = np.repeat(np.arange(len(rows)), found.counts)
        labels = self._labelled(found.moves)
        states, moves, counts = found.states, found.moves, found.counts
        if self.hides:
            is_shown = labels != _HIDDEN
            sources, labels = sources[is_shown], labels[is_shown]
            states, moves = states[is_shown], moves[is_shown]
            counts = np.bincount(sources, minlength=len(rows))
        # The expander writes over its arrays with its next call.
        return Followed(counts, sources, labels, states.copy(), moves.copy(), outcomes, players)

    def move(self, code: int) -> Move:
        return self.expander.move(code)

    def outcome_text(self, number: int) -> str:
        return self._outcome_texts.get(number, "the play goes on")

    def player_text(self, number: int) -> str:
        return f"{self._player_texts.get(number, 'nobody')} is in turn"

    # Labels

    def _labelled(self, moves: Numbers) -> Numbers:
        """The label of each move, ``_HIDDEN`` for what is left out."""
        if not len(moves):
            return moves.copy()
        largest = int(moves.view(np.uint64).max())
        if largest >= _MOST_KNOWN:
            codes, places = np.unique(moves, return_inverse=True)
            named = [self._label(code) for code in codes.tolist()]
            return np.array(named, dtype=np.int64)[places]
        if largest >= len(self._known):
            grown = np.full(max(2 * len(self._known), largest + 1), _UNKNOWN, dtype=np.int64)
            grown[: len(self._known)] = self._known
            self._known = grown
        labels = self._known[moves]
        for code in np.unique(moves[labels == _UNKNOWN]).tolist():
            self._known[code] = self._label(code)
        return self._known[moves]

    def _label(self, code: int) -> int:
        if code not in self._rare:
            text = self._alignment.label(self.move(code))
            number = _HIDDEN if text is None else self._shared.labels.number(text)
            self._rare[code] = number
            self.hides = self.hides or text is None
            if text is not None:
                self.is_many = self.is_many or number in self._owners
                self._owners.setdefault(number, code)
        return self._rare[code]

    # Verdicts

    def _judged(self, verdicts: Numbers, is_without: Truths) -> tuple[Numbers, Numbers]:
        """The numbers of the outcomes and of the players in turn that *verdicts* say."""
        is_stuck = is_without & (outcome_of(verdicts) < 0)
        kinds, places = np.unique(verdicts * 2 + is_stuck, return_inverse=True)
        known = [self._verdict(kind >> 1, is_stuck=bool(kind & 1)) for kind in kinds.tolist()]
        table: Rows = np.array(known, dtype=np.int64).reshape(-1, 2)
        return table[places, 0], table[places, 1]

    def _verdict(self, verdict: int, *, is_stuck: bool) -> tuple[int, int]:
        if (verdict, is_stuck) not in self._verdicts:
            one = np.array([verdict], dtype=np.int64)
            self._verdicts[verdict, is_stuck] = self._numbered(
                int(outcome_of(one)[0]), int(player_of(one)[0]), is_stuck=is_stuck
            )
        return self._verdicts[verdict, is_stuck]

    def _numbered(self, ending: int, player: int, *, is_stuck: bool) -> tuple[int, int]:
        if not self._shared.compares_outcomes:
            return GOES_ON, 0
        signature = self.expander.signature
        who = None if player < 0 else signature.players[player]
        if ending >= 0 or is_stuck:
            # Who would be in turn where nobody is matters to nobody.
            said = self.expander.outcomes[ending] if ending >= 0 else None
            return self._outcome(said or outcome_of_stuck(signature, who, UNSET)), 0
        if who is None:
            return GOES_ON, 0
        number = self._shared.players.number(self._alignment.player(who.name))
        self._player_texts[number] = who.name
        return GOES_ON, number

    def _outcome(self, outcome: Outcome) -> int:
        number = self._shared.outcomes.number(self._alignment.outcome(outcome))
        self._outcome_texts[number] = str(outcome)
        return number
