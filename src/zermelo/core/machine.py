"""The waist, running: what every engine and face stands on.

The interpreter is one ``Machine``; a kernel is another. Both are held to the
same tests.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from typing import Final, Protocol

from zermelo.core.layout import Layout, Unpackable
from zermelo.core.signature import Player, RuleName, Signature, Stuck
from zermelo.core.state import Move, State
from zermelo.core.values import UNSET, Atom, Other, TruthValue, Unset, Value, in_order, to_text
from zermelo.text.budget import LimitReached, spend
from zermelo.text.diagnostic import Json
from zermelo.text.source import Span


class Ending(Enum):
    """The ways a play can be over."""

    WIN = "win"
    LOSS = "loss"
    """Of a single player, or of some player among several when nobody wins."""
    DRAW = "draw"
    OVER = "over"
    """Over, and for whom is not known: there is no result, or nobody it speaks of."""
    STUCK = "stuck"
    """Not over, and no move has an effect; what it means is a reading."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a play ended, and for whom."""

    ending: Ending
    winners: tuple[str, ...] = ()
    losers: tuple[str, ...] = ()
    result: Value | None = None

    @property
    def is_over(self) -> bool:
        """Whether the play is over; a player who is stuck is not."""
        return self.ending is not Ending.STUCK

    def __str__(self) -> str:
        who = " and ".join(self.winners)
        match self.ending:
            case Ending.WIN:
                return f"{who} {self._verb(who, 'win', is_one=len(self.winners) == 1)}"
            case Ending.LOSS:
                who = " and ".join(self.losers)
                return f"{who} {self._verb(who, 'lose', is_one=len(self.losers) == 1)}"
            case Ending.DRAW:
                return "draw"
            case Ending.OVER if self.result is not None:
                return f"over: {to_text(self.result)}"
            case Ending.OVER:
                return "over, without a result"
            case Ending.STUCK:
                return "stuck"

    def _verb(self, who: str, verb: str, *, is_one: bool) -> str:
        """The verb as the result has it: some names are of several, as in `Hounds win`."""
        said = "" if self.result is None else to_text(self.result)
        return f"{verb}s" if is_one and said.casefold() != f"{who} {verb}".casefold() else verb


# Words that say how a play ended, in a result or in a text on a screen


class Verb(Enum):
    """What the words of a result say happened."""

    WINS = "wins"
    LOSES = "loses"
    DRAWS = "draws"
    SILENT = "names somebody or something, and no verb"


WINS: Final = frozenset(
    {"win", "wins", "won", "winner", "winning", "victory", "victorious", "victor"}
)
LOSES: Final = frozenset({"lose", "loses", "lost", "loser", "losing", "loss", "defeat", "defeated"})
NOBODY: Final = frozenset({"nobody", "neither", "none", "noone", "both"})
DRAWS: Final = NOBODY | frozenset(
    {"draw", "draws", "drawn", "tie", "ties", "tied", "stalemate", "deadlock", "remis"} | {"even"}
)


def words_of(text: str) -> list[str]:
    """The single words of *text*, in their order.

    >>> words_of("redWins, blue_lost!")
    ['red', 'Wins', 'blue', 'lost']
    """
    return [word for word in re.split(r"[\s_\-:,.!'’]+", spaced(text)) if word]


def spaced(text: str) -> str:
    """*text* with a blank where a name such as ``redTurn`` has a new word.

    >>> spaced("redTurn")
    'red Turn'
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)


class FaultKind(Enum):
    """What can go wrong while a system runs."""

    CONFLICT = "conflict"
    """At once, two rules assign different values."""
    OUTSIDE = "outside"
    """A variable, a local or a parameter gets a value outside its set."""
    UNDEFINED = "undefined"
    """An expression has no value: a division by 0, an unset variable."""
    ENDLESS = "endless"
    """A recursion or a set goes beyond every bound."""
    UNLISTED = "unlisted"
    """There are more moves than can be listed; each can be made."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that went wrong in a turn, which is not made, or made without a part of it."""

    kind: FaultKind
    message: str
    procedure: str
    rule: str | None = None
    """The label of the rule, if it happened in one."""
    span: Span | None = field(default=None, compare=False)
    """The place of what was being evaluated or assigned."""
    help: str | None = field(default=None, compare=False)
    """What to do, where the kind does not tell."""
    others: tuple[Fault, ...] = field(default=(), compare=False)
    """What else went wrong in the same turn."""

    def each(self) -> tuple[Fault, ...]:
        """This one and the others of its turn."""
        return (self, *self.others)


@dataclass(frozen=True, slots=True)
class Turn:
    """What calling a move did; a language may know more of it.

    ``after`` is ``None`` when the turn was not made: the input had no effect, or
    a fault stopped it.
    """

    before: State
    move: Move
    after: State | None
    has_effect: bool
    """Whether the move changed a stored variable, before the end ran."""
    fault: Fault | None = None

    @property
    def fired(self) -> tuple[RuleName, ...]:
        """The rules that fired, each once, in the order in which they first did."""
        return ()


class Machine(Protocol):
    """A model that runs, one state at a time."""

    @property
    def signature(self) -> Signature: ...

    @property
    def initial(self) -> State: ...

    @property
    def layout(self) -> Layout | Unpackable:
        """Where the variables lie in a packed state, or the reason why states are not packed."""
        ...

    def legal(self, state: State) -> tuple[Move, ...]:
        """The moves that have an effect in *state*, in canonical order; none when it is over."""
        ...

    def after(self, state: State, move: Move) -> State:
        """The state after *move*; ``MoveNotAllowed`` if it is not legal."""
        ...

    def outcome(self, state: State) -> Outcome | None:
        """How the play ended, if it ended in *state*; not where moves could not be listed."""
        ...

    def is_over(self, state: State) -> bool:
        """Whether play stops in *state*."""
        ...

    def player(self, state: State) -> Player | None:
        """The player whose turn it is; ``None`` when there is nobody of whom that can be said."""
        ...

    def faults(self, state: State) -> Mapping[Move, Fault]:
        """The moves of *state* in which something goes wrong: not made, or without a part."""
        ...

    def turn(self, state: State, move: Move) -> Turn:
        """What *move* does in *state*, in full."""
        ...

    def facts(self, state: State) -> tuple[tuple[str, Value | Fault], ...]:
        """What follows from *state* by definition, by name, in the document's order."""
        ...

    def broken(self, state: State) -> Mapping[int, Fault | None]:
        """The invariants that do not hold in *state*, by number; a fault leaves one undecided."""
        ...


def outcome_of_result(signature: Signature, result: Value) -> Outcome:
    if not is_known(result):
        return Outcome(Ending.OVER)
    words = _words(result)
    winners = tuple(p.name for p in signature.players if words & frozenset(p.wins))
    losers = tuple(p.name for p in signature.players if words & frozenset(p.loses))
    everybody = len(signature.players) > 1 and len(winners) == len(signature.players)
    if words & frozenset(signature.draws) or everybody:
        return Outcome(Ending.DRAW, result=result)
    if winners:
        return _won(signature, winners, result)
    if losers:
        return _lost(signature, losers, result)
    return Outcome(Ending.OVER, result=result)


def outcome_of_stuck(signature: Signature, player: Player | None, result: Value) -> Outcome:
    known = result if is_known(result) else None
    if signature.stuck is Stuck.DRAWS:
        return Outcome(Ending.DRAW, result=known)
    if signature.stuck is Stuck.LOSES and player is not None:
        return _lost(signature, (player.name,), known)
    if signature.stuck is Stuck.WINS and player is not None:
        return _won(signature, (player.name,), known)
    return Outcome(Ending.STUCK, result=known)


def stuck_is_decided(signature: Signature) -> bool:
    """Whether being stuck has an outcome for somebody, and is not only reported."""
    return signature.stuck in {Stuck.DRAWS, Stuck.LOSES, Stuck.WINS}


def is_known(result: Value) -> bool:
    """Whether a result says something: it is set, and if it is a set, not empty."""
    return result is not UNSET and result != frozenset()


def _words(result: Value) -> frozenset[Value]:
    return result | {result} if isinstance(result, frozenset) else frozenset({result})


def _won(signature: Signature, winners: tuple[str, ...], result: Value | None) -> Outcome:
    losers = tuple(p.name for p in signature.players if p.name not in winners)
    return Outcome(Ending.WIN, winners, losers, result)


def _lost(signature: Signature, losers: tuple[str, ...], result: Value | None) -> Outcome:
    """Who loses against one other player makes that player win."""
    others = tuple(p.name for p in signature.players if p.name not in losers)
    if len(signature.players) == 2 and len(others) == 1:
        return Outcome(Ending.WIN, others, losers, result)
    return Outcome(Ending.LOSS, (), losers, result)


def together(faults: Sequence[Fault]) -> Fault | None:
    """The first of *faults*, which are those of one turn, with the others."""
    return replace(faults[0], others=tuple(faults[1:])) if faults else None


class Spanned(Protocol):
    """What stands somewhere in a document."""

    @property
    def span(self) -> Span: ...


class FaultError(Exception):
    """An expression has no value, or an assignment cannot be made."""

    def __init__(self, kind: FaultKind, message: str, at: Spanned | None = None) -> None:
        super().__init__(message)
        # Whoever catches it may try again, so that one state may have very many.
        spend(_STEPS_OF_A_FAULT, "following faults")
        self.kind = kind
        self.message = message
        self.span = None if at is None else at.span
        self.procedure: str | None = None
        self.rule: str | None = None

    def found_in(self, procedure: str, rule: str | None) -> None:
        """Note where it happened, unless that is known."""
        if self.procedure is None:
            self.procedure, self.rule = procedure, rule

    def fault(self) -> Fault:
        """The same as a value."""
        return Fault(self.kind, self.message, self.procedure or "", self.rule, self.span)


class ExhaustedError(FaultError):
    """All the work that a turn may take has been done: nothing is tried again."""


class UnlistedMoves(LimitReached):
    """Some moves of a state could not be listed: how it goes on from there is not known."""

    def __init__(self, fault: Fault) -> None:
        why = f"{fault.message} (in {fault.procedure})"
        super().__init__(f"stopped at a state whose moves cannot be listed: {why}")
        self.fault = fault


def unlisted(faults: Mapping[Move, Fault]) -> Fault | None:
    """Why moves of a state could not be listed, if that is one of its *faults*."""
    return next((each for each in faults.values() if each.kind is FaultKind.UNLISTED), None)


class SkipError(Exception):
    """A local outside its declaration was used: what uses it is skipped."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        spend(_STEPS_OF_A_FAULT, "following faults")
        self.reason = reason


_STEPS_OF_A_FAULT: Final = 40


def undefined(message: str, at: Spanned | None = None) -> FaultError:
    """The fault of an expression that has no value."""
    return FaultError(FaultKind.UNDEFINED, message, at)


def endless(message: str, at: Spanned | None = None) -> FaultError:
    """The fault of a set or a recursion beyond every bound."""
    return FaultError(FaultKind.ENDLESS, message, at)


def value_json(value: Value | Fault) -> Json:
    """*value* as JSON: tuples and sets are lists, sets in their canonical order.

    >>> from zermelo.core.values import FALSE, TRUE
    >>> value_json(frozenset({(2, TRUE), (1, FALSE)}))
    [[1, False], [2, True]]
    """
    match value:
        case TruthValue():
            return value.holds
        case int():
            return value
        case Fraction() | Other():
            return to_text(value)
        case Atom(name):
            return name
        case Unset() | Fault():
            return None
        case tuple():
            return [value_json(item) for item in value]
        case frozenset():
            return [value_json(item) for item in in_order(value)]


def state_json(state: State) -> dict[str, Json]:
    return {name: value_json(value) for name, value in state.items()}
