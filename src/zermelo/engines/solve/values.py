"""What perfect play leads to: values, and what is said of a solved model.

A value is told for the player in turn. Winners want to win soon and losers to
lose late; a draw by rule is told apart from play that never ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

from zermelo.core.signature import Signature
from zermelo.core.state import Move, State, play_to_text
from zermelo.text.diagnostic import Json
from zermelo.text.prose import count


class ValueKind(Enum):
    """What a player can be sure of."""

    WIN = "win"
    DRAW = "draw"
    """Neither wins, and the play can end in a draw without anybody's mistake."""
    LOSS = "loss"
    ENDLESS = "endless"
    """Neither wins, and the play does not end unless somebody makes a mistake."""
    UNKNOWN = "unknown"

    @property
    def opposite(self) -> ValueKind:
        exchanged = {ValueKind.WIN: ValueKind.LOSS, ValueKind.LOSS: ValueKind.WIN}
        return exchanged.get(self, self)


@dataclass(frozen=True, slots=True)
class ForcedValue:
    """What one player can be sure of, whatever the others do."""

    player: str
    kind: ValueKind
    plies: int | None = None
    """How many moves perfect play still takes; ``None`` when it does not end, or is not known."""


@dataclass(frozen=True, slots=True, repr=False)
class Value:
    """What perfect play leads to from a state, with the distance in plies."""

    kind: ValueKind
    """For the player in turn; where nobody is, for the first player."""
    winner: str | None = None
    """Who can force a win, if somebody can."""
    plies: int | None = None
    """How many moves perfect play still takes; ``None`` when it does not end, or is not known."""
    forced: tuple[ForcedValue, ...] = ()
    """For each player what it can be sure of against all others together."""
    scored: tuple[tuple[str, Value], ...] = field(default=())
    """Where the document does not say what becomes of a stuck player: both ways to score it,
    by name, with the value each gives. The value itself is what they agree on."""

    def __str__(self) -> str:
        word = str(self.kind.value)
        return word if self.plies is None else f"{word} in {self.plies}"

    def __repr__(self) -> str:
        who = "" if self.winner is None else f"; {self.winner} wins"
        return f"<Value: {self}{who}>"


UNKNOWN = Value(ValueKind.UNKNOWN)


def standing(value: Value) -> str:
    """Who wins or what else there is, for a reader who does not see whose turn it is.

    >>> standing(Value(ValueKind.LOSS, "Ann", 3)), standing(Value(ValueKind.ENDLESS))
    ('Ann wins in 3', 'endless')
    """
    if value.scored and (value.kind is ValueKind.UNKNOWN or value.plies is None):
        return " / ".join(f"{standing(scored)} if stuck {name}" for name, scored in value.scored)
    word = value.kind.value if value.winner is None else f"{value.winner} wins"
    return word if value.plies is None else f"{word} in {value.plies}"


def agreed(scored: tuple[tuple[str, Value], ...]) -> Value:
    """What several ways to score a stuck player agree on, with each of them.

    >>> one, two = Value(ValueKind.WIN, "A", 3), Value(ValueKind.WIN, "A", 5)
    >>> both = agreed((("loses", one), ("draws", two)))
    >>> both.kind, both.winner, both.plies
    (<ValueKind.WIN: 'win'>, 'A', None)
    """
    if len(scored) == 1:
        return scored[0][1]
    first, second = scored[0][1], scored[1][1]
    forced = tuple(
        ForcedValue(one.player, *_agreed_kind(one, two))
        for one, two in zip(first.forced, second.forced, strict=True)
    )
    kind, plies = _agreed_kind(first, second)
    has_winner = first.kind is second.kind and first.winner == second.winner
    return Value(kind, first.winner if has_winner else None, plies, forced, scored)


def _agreed_kind(
    one: Value | ForcedValue, two: Value | ForcedValue
) -> tuple[ValueKind, int | None]:
    if one.kind is not two.kind:
        return ValueKind.UNKNOWN, None
    return one.kind, one.plies if one.plies == two.plies else None


@dataclass(frozen=True, slots=True)
class CountedValues:
    """How many positions have which value, for the player in turn in each."""

    by_kind: Mapping[ValueKind, int]
    by_winner: Mapping[str, int]
    """In how many positions each player can force a win."""

    @property
    def total(self) -> int:
        return sum(self.by_kind.values())


@dataclass(frozen=True, slots=True, repr=False)
class MoveValue:
    """A move, and what it leads to for the player who makes it, distances counted from before."""

    move: Move
    value: Value

    def __str__(self) -> str:
        return f"{self.move}: {self.value}"

    def __repr__(self) -> str:
        return f"<{self}>"


@dataclass(frozen=True, slots=True, repr=False)
class PrincipalLine:
    """A play in which nobody makes a mistake."""

    moves: tuple[Move, ...]
    players: tuple[str | None, ...]
    returns_to: int | None = None
    """After how many moves the play was where it ends, if it does not end."""

    def __str__(self) -> str:
        back = "" if self.returns_to is None else f", and so on from move {self.returns_to + 1:,}"
        return f"{play_to_text(self.moves)}{back}"

    def __repr__(self) -> str:
        return f"<{count(len(self.moves), 'move')}: {self}>"


@dataclass(frozen=True, slots=True)
class Wrong:
    """A state whose value does not follow from those after it."""

    state: State | None
    why: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What the independent check of a solution found."""

    states: int
    moves: int
    wrong: tuple[Wrong, ...]
    cut: str | None = None

    @property
    def is_right(self) -> bool:
        """Whether every value was checked, and all are right."""
        return not self.wrong and self.cut is None

    def to_json(self) -> dict[str, Json]:
        return {
            "right": self.is_right,
            "states": self.states,
            "moves": self.moves,
            "wrong": [
                {"state": None if each.state is None else str(each.state), "why": each.why}
                for each in self.wrong
            ],
            "cut": self.cut,
        }


class Solved(Protocol):
    """The values of all reachable states of a system, or why they are not known."""

    @property
    def signature(self) -> Signature: ...

    @property
    def player(self) -> str | None:
        """Who is in turn in the first state."""

    @property
    def root(self) -> Value: ...

    @property
    def states(self) -> int:
        """How many positions there are; of what was reached, when it is not complete."""

    @property
    def classes(self) -> int:
        """How many states were looked at; with symmetries each stands for all that are like it."""

    @property
    def counted(self) -> tuple[CountedValues, ...]:
        """How many positions have which value: for each scoring, and what they agree on if two."""

    @property
    def stuck(self) -> int:
        """In how many positions somebody is stuck."""

    @property
    def is_complete(self) -> bool:
        """Whether the value of every reachable state is known."""

    @property
    def cut(self) -> str | None:
        """The reason why there are no values."""

    @property
    def notes(self) -> tuple[str, ...]: ...

    @property
    def symmetry(self) -> str:
        """The symmetries that were used; empty if none were."""

    @property
    def symmetries(self) -> int:
        """How many symmetries were used, the one that changes nothing among them."""

    @property
    def method(self) -> str: ...

    @property
    def seconds(self) -> float: ...

    def value(self, state: State | None = None) -> Value:
        """What perfect play leads to from *state*, or from the first one.

        It is unknown for a state that cannot be reached.
        """

    def moves(self, state: State | None = None) -> tuple[MoveValue, ...]:
        """The legal moves of *state*, or of the first one, each with what it leads to."""

    def best(self, state: State | None = None) -> Move | None:
        """The first of the best moves in *state*, or in the first one.

        ``None`` if there is no move, or no value.
        """

    def line(self, state: State | None = None) -> PrincipalLine:
        """A play from *state*, or from the first one, in which nobody makes a mistake."""

    def to_pandas(self, *, states: int | None = None) -> Any:  # noqa: ANN401 - a DataFrame
        """A row for each position: value, winner and plies, beside what a row of a node has.

        The value is that for who is in turn; see ``GameGraph.nodes_to_pandas`` for the rest.
        Only the *states* that are reached first are in it, if it is said how many; without that
        raises ``UsageError`` where there are very many.
        """


def solution_json(solution: Solved) -> dict[str, Json]:
    line = solution.line()
    counted = solution.counted[-1] if solution.counted else None
    return {
        "name": solution.signature.name,
        **_value_json(solution.root),
        "player": solution.player,
        "players": {
            each.player: {"value": each.kind.value, "plies": each.plies}
            for each in solution.root.forced
        },
        "states": solution.states,
        "classes": solution.classes,
        "symmetries": solution.symmetries,
        "symmetry": solution.symmetry or None,
        "by_value": None if counted is None else _kinds_json(counted),
        "by_winner": None if counted is None else dict(counted.by_winner),
        "stuck": solution.stuck,
        "scored": {
            name: {**_value_json(value), "by_value": _kinds_json(of_way)}
            for (name, value), of_way in zip(solution.root.scored, solution.counted, strict=False)
        }
        if solution.root.scored
        else None,
        "first_moves": [
            {"move": str(each.move), **_value_json(each.value)} for each in solution.moves()
        ],
        "line": [str(move) for move in line.moves],
        "line_returns_to": line.returns_to,
        "complete": solution.is_complete,
        "cut": solution.cut,
        "notes": list(solution.notes),
        "method": solution.method,
        "seconds": round(solution.seconds, 3),
        "readings": {each.name: each.choice for each in solution.signature.readings},
    }


def _value_json(value: Value) -> dict[str, Json]:
    return {"value": value.kind.value, "winner": value.winner, "plies": value.plies}


def _kinds_json(counted: CountedValues) -> dict[str, Json]:
    named = [ValueKind.WIN, ValueKind.DRAW, ValueKind.LOSS, ValueKind.ENDLESS]
    if counted.by_kind.get(ValueKind.UNKNOWN):
        named.append(ValueKind.UNKNOWN)
    return {kind.value: counted.by_kind.get(kind, 0) for kind in named}


# In words


def summary(solution: Solved) -> str:
    """What is found out about a game, in a line."""
    states = count(solution.states, "position")
    if not solution.is_complete:
        return f"not solved: {solution.cut}; {states} looked at"
    ways = [each for _, each in solution.root.scored] or [solution.root]
    said = list(dict.fromkeys(_in_words(each, solution.signature) for each in ways))
    if len(said) > 1:
        named = zip(said, (name for name, _ in solution.root.scored), strict=True)
        said = [f"{each} if who is stuck {name}" for each, name in named]
    return f"{', '.join(said)}; {states}"


def _in_words(value: Value, signature: Signature) -> str:
    soon = "" if value.plies is None else f" in {_plies(value.plies)}"
    match len(signature.players):
        case 1 if value.kind is ValueKind.WIN:
            return f"the goal can be reached{soon}"
        case 1 if value.kind is ValueKind.UNKNOWN or not signature.players[0].wins:
            return f"{value.kind.value}{soon}"
        case 1:
            return "the goal cannot be reached"
        case 2 if value.winner is not None:
            return f"{value.winner} wins{soon}"
        case 2:
            named = {ValueKind.DRAW: "a draw", ValueKind.ENDLESS: "endless, which is a draw"}
            return f"{named.get(value.kind, value.kind.value)}{soon}"
        case _:
            return ", ".join(f"{each.player}: {each.kind.value}" for each in value.forced)


def sentences(value: Value, signature: Signature) -> tuple[str, ...]:
    """What *value* means for the players: a sentence, or of many players one for each."""
    players = [player.name for player in signature.players]
    match len(players):
        case 1:
            return (_said_to_one(value, signature),)
        case 2:
            return (_said_to_two(value, players),)
        case _:
            return tuple(map(_said_to_many, value.forced))


def _said_to_one(value: Value, signature: Signature) -> str:
    if value.kind is ValueKind.DRAW and not signature.players[0].wins:
        return f"What the goal is, is not known; play can end after {_plies(value.plies)}."
    match value.kind:
        case ValueKind.WIN:
            return f"The goal can be reached, in {_plies(value.plies)} at the soonest."
        case ValueKind.DRAW:
            return f"No goal can be reached; play can end without, after {_plies(value.plies)}."
        case ValueKind.LOSS:
            return f"The goal cannot be reached: all is lost after {_plies(value.plies)} at most."
        case ValueKind.ENDLESS:
            return "The goal cannot be reached, and play need never end."
        case ValueKind.UNKNOWN:
            return "The value is not known."


def _said_to_two(value: Value, players: Sequence[str]) -> str:
    match value.kind:
        case ValueKind.WIN | ValueKind.LOSS:
            return f"{value.winner} wins, in {_plies(value.plies)}."
        case ValueKind.DRAW:
            return f"A draw: perfect play ends in one after {_plies(value.plies)}."
        case ValueKind.ENDLESS:
            return (
                f"Endless, which is a draw: neither {players[0]} nor {players[1]} can force a win, "
                "and without a mistake play does not end."
            )
        case ValueKind.UNKNOWN:
            return "The value is not known."


def _said_to_many(forced: ForcedValue) -> str:
    who = forced.player
    match forced.kind:
        case ValueKind.WIN:
            return f"{who} can force a win against all others, in {_plies(forced.plies)}."
        case ValueKind.LOSS:
            return f"{who} loses within {_plies(forced.plies)} if all others play against it."
        case ValueKind.DRAW:
            return f"{who} can force a draw against all others; it takes {_plies(forced.plies)}."
        case ValueKind.ENDLESS:
            return f"{who} can keep all others from winning by playing on without end."
        case ValueKind.UNKNOWN:
            return f"What {who} can force is not known."


def _plies(plies: int | None) -> str:
    return "an unknown number of plies" if plies is None else count(plies, "ply", "plies")


def counted_rows(solution: Solved) -> Iterator[tuple[str, ...]]:
    """Each kind of value with the number of positions that have it, for each scoring."""
    of_ways = solution.counted[: max(1, len(solution.root.scored))]
    for kind in ValueKind:
        if any(each.by_kind.get(kind) for each in of_ways):
            yield kind.value, *(f"{each.by_kind.get(kind, 0):,}" for each in of_ways)


def counted_heads(solution: Solved) -> tuple[str, ...]:
    """What stands above ``counted_rows``."""
    ways = tuple(f"positions if stuck {name}" for name, _ in solution.root.scored)
    return ("value", *(ways or ("positions",)))
