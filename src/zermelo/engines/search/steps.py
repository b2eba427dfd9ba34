"""One state at a time, as numbers: what loops that follow single plays stand on.

Such a loop reads a block of 64-bit words: the addresses of the kernel's code, and what each
end of a play is worth to each player. An expander without compiled code is asked through
Python functions that have addresses too, so there is one version of every loop.

The ends of plays are numbered: 0 is a play that was cut short, then come the
players who are stuck (first nobody, then each player), then the outcomes.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from zermelo.core.arrays import Numbers, Rows
from zermelo.core.expander import PLAYER_BITS, Expander
from zermelo.core.machine import Ending, Outcome, outcome_of_stuck
from zermelo.core.signature import Player, Signature
from zermelo.core.values import UNSET
from zermelo.fast import bits, jit
from zermelo.fast.bits import address, call2, call5, load
from zermelo.text.errors import UsageError

# The first words of a block. `WORTHS` is the address of a table: for each end, what it is worth to
# each player, in lines of `SEATS` numbers. `ASK` is the address of what answers where compiled code
# cannot: the expander as a whole.
SUCCESSORS, VERDICT, TABLES, WORDS, PLAYERS, WORTHS, SEATS, ASK, FIRST_FREE = range(9)

COUNT: Final = (1 << 40) - 1
"""What of a number of moves is their number; a bit above it tells of faults."""

LOSS, NEITHER, WIN = range(3)

MOST_ENDS: Final = 1 << 16
MOST_MOVES: Final = 1 << 15
"""No state may have more legal moves than this where nothing is compiled."""
_REMEMBERED: Final = 1 << 17


@dataclass(frozen=True, slots=True)
class _Answer:
    count: int
    states: bytes
    moves: bytes


class NativeSteps:
    """A system, one state at a time."""

    def __init__(self, expander: Expander) -> None:
        self.expander = expander
        self.words = expander.words
        self.players = len(expander.signature.players)
        self.seats = max(1, self.players)
        self._worths: Numbers = np.full((MOST_ENDS, self.seats), NEITHER, dtype=np.int64)
        for player in range(-1, self.players):
            stuck = outcome_of_stuck(self.signature, self._player(player), UNSET)
            self._worths[player + 2] = worths(self.signature, stuck)
        self._known = 0
        self._answers: dict[bytes, _Answer] = {}
        self._verdicts: dict[bytes, int] = {}
        native = expander.native
        # Code that runs as Python has addresses too; native ones are positive.
        self.is_native = native is not None and native.successors > 0
        self.most_moves = MOST_MOVES if native is None else native.most_moves
        self._failure: BaseException | None = None
        self._asked = self._reachable(self._successors, 5)
        if native is None:
            self._judged = self._reachable(self._verdict, 2)
            self._addresses = (self._asked.address, self._judged.address, 0)
        else:
            self._addresses = (native.successors, native.verdict, native.tables)
        self.refresh()

    def block(self, size: int) -> Numbers:
        """A block of *size* words whose first words say how to ask this system."""
        block: Numbers = np.zeros(size, dtype=np.int64)
        block[SUCCESSORS], block[VERDICT], block[TABLES] = self._addresses
        block[WORDS] = self.words
        block[PLAYERS] = self.players
        block[WORTHS] = address(self._worths)
        block[SEATS] = self.seats
        block[ASK] = self._asked.address
        return block

    def functions(self, unit: jit.Unit) -> Mapping[str, jit.Compiled]:
        return jit.load(unit, native=self.is_native)

    def run(self, loop: jit.Compiled, *arguments: Any) -> int:  # noqa: ANN401 - as for the loop
        """What *loop* gives with *arguments*; raises what was raised where it asked Python."""
        result = loop.on(*arguments)
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure
        return result

    def refresh(self) -> None:
        """Enter what the outcomes that were found since are worth."""
        outcomes = self.expander.outcomes
        for number in range(self._known, len(outcomes)):
            at = first_outcome(self.players) + number
            if at >= MOST_ENDS:
                raise UsageError(f"there are more than {MOST_ENDS:,} ways for a play to end")
            self._worths[at] = worths(self.expander.signature, outcomes[number])
        self._known = len(outcomes)

    def end(self, number: int) -> Outcome | None:
        """The outcome of the end with this *number*; ``None`` if the play was cut short."""
        if number == 0:
            return None
        first = first_outcome(self.players)
        if number >= first:
            return self.expander.outcomes[number - first]
        return outcome_of_stuck(self.signature, self._player(number - 2), UNSET)

    def worth(self, end: int, player: int) -> int:
        return int(self._worths[end, player])

    @property
    def signature(self) -> Signature:
        return self.expander.signature

    def _player(self, number: int) -> Player | None:
        return None if number < 0 else self.signature.players[number]

    # What is asked where nothing is compiled

    def _reachable(
        self, function: Callable[..., int], count: int
    ) -> bits.Callback | bits.Registered:
        """*function* with *count* arguments, where the loops can call it."""
        if not self.is_native:
            return bits.Registered(function)
        return bits.Callback(lambda *given: self._answered(function, given), count)

    def _answered(self, function: Callable[..., int], given: tuple[int, ...]) -> int:
        """What *function* gives; where it raises, nothing, until `run` raises instead.

        Native code cannot be left by an exception: it would go on with a number from nowhere.
        """
        if self._failure is None:
            try:
                return function(*given)
            except BaseException as failure:  # noqa: BLE001 - raised again by `run`
                self._failure = failure
        return 0

    def _successors(self, _: int, row: int, *places: int) -> int:
        states, moves, _ = places
        key = ctypes.string_at(row, 8 * self.words)
        answer = self._answers.get(key)
        if answer is None:
            answer = self._expanded(key)
        ctypes.memmove(states, answer.states, len(answer.states))
        ctypes.memmove(moves, answer.moves, len(answer.moves))
        return answer.count

    def _expanded(self, key: bytes) -> _Answer:
        expansion = self.expander.expand(_row(key))
        count = int(expansion.counts[0])
        if count > self.most_moves:
            raise UsageError(f"a state has {count:,} legal moves, more than there is room for")
        answer = _Answer(count, expansion.states.tobytes(), expansion.moves.tobytes())
        if len(self._answers) >= _REMEMBERED:
            self._answers.clear()
        self._answers[key] = answer
        self._note(key, int(expansion.verdicts[0]))
        return answer

    def _verdict(self, _: int, row: int) -> int:
        key = ctypes.string_at(row, 8 * self.words)
        verdict = self._verdicts.get(key)
        if verdict is None:
            verdict = self._note(key, int(self.expander.judge(_row(key))[0]))
        return verdict

    def _note(self, key: bytes, verdict: int) -> int:
        if len(self._verdicts) >= _REMEMBERED:
            self._verdicts.clear()
        self._verdicts[key] = verdict
        self.refresh()
        return verdict


def first_outcome(players: int) -> int:
    """The number of the first outcome among the ends of a system with so many *players*.

    >>> first_outcome(2)
    4
    """
    return players + 2


def worths(signature: Signature, outcome: Outcome) -> tuple[int, ...]:
    """What *outcome* is worth to each player; without players, to whoever solves the puzzle.

    Where several lose and nobody wins, it is as good as a draw to two players.
    """
    if not signature.players:
        return (WIN if outcome.ending is Ending.OVER else NEITHER,)
    if len(signature.players) == 2 and len(outcome.losers) == 2:
        return (NEITHER, NEITHER)
    names = [player.name for player in signature.players]
    return tuple(
        WIN if name in outcome.winners else LOSS if name in outcome.losers else NEITHER
        for name in names
    )


def _row(key: bytes) -> Rows:
    row: Rows = np.frombuffer(key, dtype=np.int64).reshape(1, -1)
    return row


# What every loop needs


def moves_of(block: int, row: int, states: int, moves: int) -> int:
    """Write the moves of the state at *row* and the states after them; gives their number."""
    tables = load(block, TABLES)
    count = call5(load(block, SUCCESSORS), tables, row, states, moves, 0)
    if count < 0:
        count = call5(load(block, ASK), tables, row, states, moves, 0)
    return count & COUNT


def end_of(block: int, row: int) -> int:
    """The number of the end in the state at *row*, in which there is no move."""
    verdict = call2(load(block, VERDICT), load(block, TABLES), row)
    if verdict >> PLAYER_BITS:
        return load(block, PLAYERS) + 1 + (verdict >> PLAYER_BITS)
    return 1 + (verdict & 255)


def worth_of(block: int, end: int, player: int) -> int:
    return load(load(block, WORTHS), end * load(block, SEATS) + player)


def numbers_in(names: Mapping[str, object]) -> dict[str, int]:
    """The whole numbers among *names* that are written in capitals: a loop's constants.

    >>> numbers_in({"ONE": 1, "two": 2, "THREE": "3"})
    {'ONE': 1}
    """
    return {n: v for n, v in names.items() if n.isupper() and isinstance(v, int)}


LOOPS: Final = (moves_of, end_of, worth_of)
CONSTANTS: Final = numbers_in(globals())
