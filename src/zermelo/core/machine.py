"""The waist, running: what every engine and face stands on.

The interpreter is one ``Machine``; a kernel is another. Both are held to the
same tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol, TypeAlias

from zermelo.core.values import Value, sort_key, to_text
from zermelo.languages.sections.ir import Expr, Player, Rule, System


@dataclass(frozen=True, slots=True)
class State:
    """The values of all stored variables."""

    values: tuple[Value, ...]
    names: tuple[str, ...] = field(compare=False, repr=False)
    show: Callable[[Value], str] = field(default=to_text, compare=False, repr=False)
    """Writes a value in the notation of the document's dialect."""

    def __getitem__(self, name: str) -> Value:
        """The value of the variable called *name*."""
        return self.values[self.names.index(name)]

    def items(self) -> Iterator[tuple[str, Value]]:
        """Each variable with its value, in the document's order."""
        return zip(self.names, self.values, strict=True)

    def __str__(self) -> str:
        return ", ".join(f"{name} = {self.show(value)}" for name, value in self.items())


NO_EFFECT_MOVE = "input without effect"
PASS_MOVE = "pass"


@dataclass(frozen=True, slots=True)
class Move:
    """A procedure that players call, with its arguments.

    Two pseudo-moves have no procedure: ``NO_EFFECT_MOVE`` where an input without
    effect costs the turn, and ``PASS_MOVE`` where a stuck player passes.
    """

    name: str
    arguments: tuple[Value, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(to_text, self.arguments))})"

    def sort_key(self) -> tuple[object, ...]:
        """Orders moves by procedure, then by arguments."""
        return (self.name, tuple(map(sort_key, self.arguments)))


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
                return f"{who} wins" if len(self.winners) == 1 else f"{who} win"
            case Ending.LOSS:
                return f"{' and '.join(self.losers)} loses"
            case Ending.DRAW:
                return "draw"
            case Ending.OVER if self.result is not None:
                return f"over: {to_text(self.result)}"
            case Ending.OVER:
                return "over, without a result"
            case Ending.STUCK:
                return "stuck"


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


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that went wrong in a turn; the turn is not made."""

    kind: FaultKind
    message: str
    procedure: str
    rule: str | None = None
    """The label of the rule, if it happened in one."""
    expr: Expr | None = field(default=None, compare=False)
    """What was being evaluated or assigned; its span is the place."""
    help: str | None = field(default=None, compare=False)
    """What to do, where the kind does not tell."""


@dataclass(frozen=True, slots=True)
class Change:
    """A variable that got a value."""

    variable: str
    before: Value
    after: Value


@dataclass(frozen=True, slots=True)
class Conjunct:
    """A part of a guard and whether it holds; ``None`` when it was not reached."""

    expr: Expr
    holds: bool | None
    operands: tuple[tuple[Expr, Value], ...] = ()
    """Names and terms in it with their values, as evidence."""


@dataclass(frozen=True, slots=True)
class RuleEvent:
    """A rule was tried."""

    procedure: str
    rule: Rule
    fired: bool
    conjuncts: tuple[Conjunct, ...]
    changes: tuple[Change, ...] = ()
    depth: int = 0
    skipped: str | None = None
    """Why the rule was skipped, when a value it uses is outside its declaration."""


@dataclass(frozen=True, slots=True)
class CallEvent:
    """A procedure was called."""

    procedure: str
    arguments: tuple[tuple[str, Value], ...]
    depth: int = 0
    skipped: str | None = None
    """Why the call was skipped, when an argument is outside its set."""


@dataclass(frozen=True, slots=True)
class SetEvent:
    """A statement outside all rules gave a variable or locals a value."""

    procedure: str
    changes: tuple[Change, ...] = ()
    locals: tuple[tuple[str, Value], ...] = ()
    depth: int = 0


Event: TypeAlias = RuleEvent | CallEvent | SetEvent


@dataclass(frozen=True, slots=True)
class Turn:
    """What calling a move did, step by step.

    ``after`` is ``None`` when the turn was not made: the input had no effect, or
    a fault stopped it.
    """

    before: State
    move: Move
    after: State | None
    has_effect: bool
    """Whether the move's procedure changed a stored variable, before the end ran."""
    events: tuple[Event, ...] = ()
    fault: Fault | None = None


class Machine(Protocol):
    """A system that runs."""

    @property
    def system(self) -> System:
        """The system it runs."""
        ...

    @property
    def initial(self) -> State:
        """The first state."""
        ...

    def legal(self, state: State) -> tuple[Move, ...]:
        """The moves that have an effect in *state*, in canonical order; none when it is over."""
        ...

    def after(self, state: State, move: Move) -> State:
        """The state after *move*; ``MoveNotAllowed`` if it is not legal."""
        ...

    def outcome(self, state: State) -> Outcome | None:
        """How the play ended, if it ended in *state*."""
        ...

    def is_over(self, state: State) -> bool:
        """Whether play stops in *state*."""
        ...

    def player(self, state: State) -> Player | None:
        """The player whose turn it is; ``None`` when there is nobody of whom that can be said."""
        ...

    def faults(self, state: State) -> Mapping[Move, Fault]:
        """The moves of *state* that are not made because a fault stops them."""
        ...

    def turn(self, state: State, move: Move) -> Turn:
        """What *move* does in *state*, with the log of its rules."""
        ...

    def evaluate(self, expr: Expr, state: State, names: Mapping[str, Value]) -> Value | Fault:
        """The value of *expr* in *state*, with locals bound by *names*."""
        ...
