"""Values as numbers of one, two or four bytes, and the arithmetic of perfect play on them.

A code tells what one player, whose *objective* is pursued, gets against all others.
With one or two players there is one objective, with more one for each: what it can
force against the others together. Codes are ordered as that player likes them: a late
loss over a soon one, then endless play, then a draw, the sooner the better, then a
win, the sooner the better. Turned round, losses and wins change places, so that the
same order serves the others.

With b bits for the distance d and M = 2ᵇ − 1:

    loss in d      0·2ᵇ + d
    endless        1·2ᵇ
    not known      1·2ᵇ + 1
    draw in d      2·2ᵇ + M − d
    win in d       3·2ᵇ + M − d
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo.core.arrays import Numbers, Truths
from zermelo.core.expander import Expansion, outcome_of, player_of
from zermelo.core.machine import Ending, Outcome
from zermelo.core.signature import Signature, Stuck
from zermelo.engines.solve.values import CountedValues, ValueKind

Codes: TypeAlias = npt.NDArray[np.unsignedinteger[Any]]

_LOSS, _OTHER, _DRAW, _WIN = range(4)
_LISTED: Final = 2
"""For codes of at most so many bytes there are tables."""


@dataclass(frozen=True)
class Coding:
    """Codes of 1, 2 or 4 bytes."""

    size: int

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(f"<u{self.size}")

    @property
    def bits(self) -> int:
        return 8 * self.size - 2

    @property
    def most(self) -> int:
        return (1 << self.bits) - 1

    @property
    def endless(self) -> int:
        return 1 << self.bits

    @property
    def unknown(self) -> int:
        return (1 << self.bits) + 1

    def code(self, kind: ValueKind, plies: int = 0) -> int:
        """The code of a value for the player whose objective it is.

        >>> Coding(1).code(ValueKind.WIN, 8), Coding(1).code(ValueKind.LOSS, 8)
        (247, 8)
        """
        match kind:
            case ValueKind.LOSS:
                return plies
            case ValueKind.DRAW:
                return (3 << self.bits) - 1 - plies
            case ValueKind.WIN:
                return (4 << self.bits) - 1 - plies
            case ValueKind.ENDLESS:
                return self.endless
            case ValueKind.UNKNOWN:
                return self.unknown

    def decoded(self, code: int) -> tuple[ValueKind, int | None]:
        """What *code* tells, and the distance.

        >>> Coding(2).decoded(Coding(2).code(ValueKind.DRAW, 36))
        (<ValueKind.DRAW: 'draw'>, 36)
        """
        match code >> self.bits:
            case 0:
                return ValueKind.LOSS, code
            case 1:
                return (ValueKind.ENDLESS if code == self.endless else ValueKind.UNKNOWN), None
            case 2:
                return ValueKind.DRAW, (3 << self.bits) - 1 - code
            case _:
                return ValueKind.WIN, (4 << self.bits) - 1 - code

    def turned(self, codes: Codes) -> Codes:
        """The codes as the other side likes them: wins and losses exchanged."""
        return self._turned[codes] if self.size <= _LISTED else self._turn(codes)

    def before(self, codes: Codes) -> Codes:
        """The codes one move earlier: the distances longer by one."""
        return self._before[codes] if self.size <= _LISTED else self._step(codes)

    def widened(self, codes: Codes, wider: Coding) -> Codes:
        classes = codes >> self.bits
        distances = np.where(classes >= _DRAW, self.most - (codes & self.most), codes & self.most)
        told = distances.astype(wider.dtype)
        kept = np.where(classes >= _DRAW, wider.most - told, told)
        shift = np.asarray(wider.bits, dtype=wider.dtype)
        widened: Codes = ((classes.astype(wider.dtype) << shift) | kept).astype(wider.dtype)
        return widened

    @cached_property
    def _every(self) -> Codes:
        return np.arange(1 << (8 * self.size), dtype=np.uint32).astype(self.dtype)

    @cached_property
    def _turned(self) -> Codes:
        return self._turn(self._every)

    @cached_property
    def _before(self) -> Codes:
        return self._step(self._every)

    def _turn(self, codes: Codes) -> Codes:
        classes = codes >> self.bits
        is_decided = (classes == _LOSS) | (classes == _WIN)
        return np.where(is_decided, ~codes, codes).astype(self.dtype)

    def _step(self, codes: Codes) -> Codes:
        classes = codes >> self.bits
        one = np.asarray(1, dtype=self.dtype)
        later = np.where(classes == _LOSS, codes + one, codes - one)
        return np.where(classes == _OTHER, codes, later).astype(self.dtype)


def coding_for(distance: int) -> Coding:
    """The smallest coding for distances up to *distance*.

    >>> [coding_for(d).size for d in (9, 61, 100, 20_000)]
    [1, 1, 2, 4]
    """
    return next(coding for coding in map(Coding, (1, 2, 4)) if distance < coding.most)


@dataclass(frozen=True, slots=True)
class Objective:
    """A player whose value is looked for, and how it is scored when somebody is stuck."""

    player: int
    stuck: Stuck
    """``LOSES``, ``WINS`` or ``DRAWS``."""


def objectives_of(signature: Signature, *, has_stuck: bool) -> tuple[Objective, ...]:
    """Whose values to look for; both scorings where what becomes of the stuck is not said."""
    count = len(signature.players)
    objectives = range(count) if count > 2 else range(min(count, 1))
    return tuple(
        Objective(player, stuck)
        for stuck in scorings(signature, has_stuck=has_stuck)
        for player in objectives
    )


def scorings(signature: Signature, *, has_stuck: bool) -> tuple[Stuck, ...]:
    """How stuck players are scored: as the reading says, or both ways."""
    match signature.stuck:
        case Stuck.LOSES | Stuck.WINS | Stuck.DRAWS as said:
            return (said,)
        case Stuck.REPORTED | Stuck.PASSES:
            return (Stuck.LOSES, Stuck.DRAWS) if has_stuck else (Stuck.LOSES,)


def terminal_value(outcome: Outcome, player: str, *, players: int) -> ValueKind:
    """What *outcome* is worth to *player*; an end that names nobody is a draw.

    >>> terminal_value(Outcome(Ending.WIN, ("A",), ("B",)), "B", players=2)
    <ValueKind.LOSS: 'loss'>
    """
    is_shared = len(outcome.losers) == players > 1
    if outcome.ending not in {Ending.WIN, Ending.LOSS} or is_shared:
        return ValueKind.DRAW
    if player in outcome.winners:
        return ValueKind.WIN
    return ValueKind.LOSS if player in outcome.losers else ValueKind.DRAW


def value_of_stuck(objective: Objective, player: int, *, players: int) -> ValueKind:
    if objective.stuck is Stuck.DRAWS or (player < 0 and players > 1):
        return ValueKind.DRAW
    is_own = player == objective.player or players == 1
    if objective.stuck is Stuck.WINS:
        return ValueKind.WIN if is_own else ValueKind.LOSS
    if is_own:
        return ValueKind.LOSS
    return ValueKind.WIN if players == 2 else ValueKind.DRAW


class TerminalValues:
    """What ends are worth for one objective, and where its player chooses."""

    def __init__(self, signature: Signature, objective: Objective) -> None:
        self._names = tuple(player.name for player in signature.players)
        self.objective = objective
        self._ends: dict[tuple[int, int], Codes] = {}

    @property
    def players(self) -> int:
        return len(self._names)

    def ends(self, outcomes: tuple[Outcome, ...], coding: Coding) -> Codes:
        """The codes of ends: of the stuck by who is in turn, nobody first, then of *outcomes*."""
        key = len(outcomes), coding.size
        if key not in self._ends:
            name = self._names[self.objective.player]
            stuck = [
                value_of_stuck(self.objective, player, players=self.players)
                for player in range(-1, self.players)
            ]
            over = [terminal_value(each, name, players=self.players) for each in outcomes]
            codes = [coding.code(kind) for kind in (*stuck, *over)]
            self._ends[key] = np.array(codes, dtype=coding.dtype)
        return self._ends[key]

    def ended(self, expansion: Expansion, ends: Codes) -> Codes:
        """The codes of the states without moves, by *ends*; something else for all others."""
        ended = outcome_of(expansion.verdicts)
        stuck = player_of(expansion.verdicts) + 1
        found: Codes = ends[np.where(ended < 0, stuck, ended + self.players + 1)]
        return found

    def is_own(self, verdicts: Numbers) -> Truths:
        if self.players == 1:
            return np.ones(len(verdicts), dtype=np.bool_)
        owned: Truths = player_of(verdicts) == self.objective.player
        return owned


KINDS: Final = (ValueKind.LOSS, ValueKind.ENDLESS, ValueKind.DRAW, ValueKind.WIN)
"""The kinds in the order of their codes."""
_PARTS: Final = (0, 26, 52)
"""Numbers of positions are added up in parts of 26 bits, so that no sum is rounded."""

CountTable: TypeAlias = npt.NDArray[Any]


class ValueCounts:
    """Counts values, for each way to score a stuck player and for what both agree on."""

    def __init__(
        self, signature: Signature, objectives: Sequence[Objective], coding: Coding
    ) -> None:
        self.coding = coding
        self._names = tuple(player.name for player in signature.players)
        ways = len({objective.stuck for objective in objectives})
        self._seats = len(objectives) // ways
        """How many objectives there are for each way to score."""
        self._ways = ways
        # For each seat: positions by who is in turn, by kind, and by kind when scored otherwise.
        shape = (len(self._names) + 1, len(KINDS), len(KINDS))
        self._tables: list[CountTable] = [np.zeros(shape, dtype=object) for _ in range(self._seats)]

    def add(self, verdicts: Numbers, columns: Sequence[Codes], weights: CountTable | None) -> None:
        """Count states with these *verdicts*, codes and numbers of positions."""
        players = (verdicts & 0xFF) << 4
        for seat, table in enumerate(self._tables):
            kinds = (columns[seat] >> self.coding.bits).astype(np.int64)
            others = kinds
            if self._ways > 1:
                others = (columns[seat + self._seats] >> self.coding.bits).astype(np.int64)
            found = _counts(players | kinds << 2 | others, weights, table.size)
            self._tables[seat] = table + found.reshape(table.shape)

    def to_json(self) -> list[Any]:
        """What was counted so far, which ``restore`` takes."""
        return [table.tolist() for table in self._tables]

    def restore(self, data: object, *, total: int) -> None:
        """Go on from what was counted of so many positions; ``ValueError`` if that cannot be."""
        if not isinstance(data, list) or len(data) != len(self._tables):
            raise ValueError("the number of tables")
        tables: list[CountTable] = [np.array(each, dtype=object) for each in data]
        for table, empty in zip(tables, self._tables, strict=True):
            counts = list(table.flat)
            if table.shape != empty.shape or any(type(n) is not int or n < 0 for n in counts):
                raise ValueError("the counts")
            if sum(counts) != total:
                raise ValueError("the number of positions")
        self._tables = tables

    @property
    def counted(self) -> tuple[CountedValues, ...]:
        """The counts: for each way to score, and what they agree on if there are two."""
        first = self._counted([table.sum(axis=2) for table in self._tables])
        if self._ways == 1:
            return (first,)
        second = self._counted([table.sum(axis=1) for table in self._tables])
        agreed = [table.diagonal(axis1=1, axis2=2) for table in self._tables]
        return first, second, self._counted(agreed)

    def _counted(self, tables: Sequence[CountTable]) -> CountedValues:
        """What the *tables* say: for each seat positions by who is in turn and by kind."""
        by_kind = dict.fromkeys(
            (ValueKind.WIN, ValueKind.DRAW, ValueKind.LOSS, ValueKind.ENDLESS), 0
        )
        is_two_sided = len(self._names) == 2
        # For the player in turn; where nobody is in turn, for the first player.
        for player in range(len(self._names) + 1):
            seat = max(player - 1, 0)
            table = tables[min(seat, self._seats - 1)]
            for at, kind in enumerate(KINDS):
                told = kind.opposite if is_two_sided and seat == 1 else kind
                by_kind[told] += int(table[player, at])
        total = sum(int(count) for count in self._tables[0].flat)
        by_kind[ValueKind.UNKNOWN] = total - sum(by_kind.values())
        winners = zip(self._names, tables, strict=not is_two_sided)
        by_winner = {name: int(table[:, _WIN].sum()) for name, table in winners}
        if is_two_sided:
            by_winner[self._names[1]] = int(tables[0][:, _LOSS].sum())
        return CountedValues({kind: count for kind, count in by_kind.items() if count}, by_winner)


def _counts(places: Numbers, weights: CountTable | None, size: int) -> CountTable:
    """How many positions there are at each place; exact, however many they are."""
    if weights is None:
        return np.bincount(places, minlength=size).astype(object)
    total: CountTable = np.zeros(size, dtype=object)
    if weights.dtype == object:
        np.add.at(total, places, weights)
        return total
    for shift in _PARTS:
        part = weights >> shift & ((1 << 26) - 1)
        summed = np.bincount(places, weights=part, minlength=size)
        total += np.array([int(each) << shift for each in summed.tolist()], dtype=object)
    return total
