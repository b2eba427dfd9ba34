"""What is said of a solved system, apart from the arrays in which the values are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from zermelo.core.machine import Move, State
from zermelo.engines.solve.values import Forced, Kind, Value
from zermelo.languages.sections.ir import System
from zermelo.text.render import Json


@dataclass(frozen=True, slots=True)
class Counted:
    """How many positions have which value, for the player in turn in each."""

    by_kind: Mapping[Kind, int]
    by_winner: Mapping[str, int]
    """In how many positions each player can force a win."""

    @property
    def total(self) -> int:
        """How many positions there are."""
        return sum(self.by_kind.values())


@dataclass(frozen=True, slots=True)
class MoveValue:
    """A move, and what it leads to for the player who makes it, distances counted from before."""

    move: Move
    value: Value


@dataclass(frozen=True, slots=True)
class PrincipalLine:
    """A play in which nobody makes a mistake."""

    moves: tuple[Move, ...]
    players: tuple[str | None, ...]
    """Who makes each of the moves."""
    returns_to: int | None = None
    """After how many moves the play was where it ends, if it does not end."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A state whose value does not follow from those after it."""

    state: State | None
    why: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What the independent check of a solution found."""

    states: int
    """How many states were checked."""
    moves: int
    wrong: tuple[Wrong, ...]
    cut: str | None = None
    """Why not all were checked, in words."""

    @property
    def is_right(self) -> bool:
        """Whether every value was checked, and all are right."""
        return not self.wrong and self.cut is None

    def to_json(self) -> dict[str, Json]:
        """The check as JSON values."""
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
    def system(self) -> System:
        """The system that is solved."""
        ...

    @property
    def player(self) -> str | None:
        """Who is in turn in the first state."""
        ...

    @property
    def root(self) -> Value:
        """The value of the first state."""
        ...

    @property
    def states(self) -> int:
        """How many positions there are; of what was reached, when it is not complete."""
        ...

    @property
    def classes(self) -> int:
        """How many states were looked at; with symmetries each stands for all that are like it."""
        ...

    @property
    def counted(self) -> tuple[Counted, ...]:
        """How many positions have which value: for each scoring, and what they agree on if two."""
        ...

    @property
    def stuck(self) -> int:
        """In how many positions somebody is stuck."""
        ...

    @property
    def is_complete(self) -> bool:
        """Whether the value of every reachable state is known."""
        ...

    @property
    def cut(self) -> str | None:
        """Why there are no values, in words."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What else there is to say, in words."""
        ...

    @property
    def symmetry(self) -> str:
        """The symmetries that were used, in words; empty if none were."""
        ...

    @property
    def symmetries(self) -> int:
        """How many symmetries were used, the one that changes nothing among them."""
        ...

    @property
    def method(self) -> str:
        """How the values were found, in words."""
        ...

    @property
    def seconds(self) -> float:
        """How long it took."""
        ...

    def value(self, state: State) -> Value:
        """What perfect play leads to from *state*; unknown for one that cannot be reached."""
        ...

    def moves(self, state: State | None = None) -> tuple[MoveValue, ...]:
        """The legal moves of *state*, or of the first one, each with what it leads to."""
        ...

    def best(self, state: State) -> Move | None:
        """The first of the best moves in *state*; ``None`` if there is no move, or no value."""
        ...

    def line(self, state: State | None = None) -> PrincipalLine:
        """A play from *state*, or from the first one, in which nobody makes a mistake."""
        ...


def solution_json(solution: Solved) -> dict[str, Json]:
    """*solution* as JSON values."""
    line = solution.line()
    counted = solution.counted[-1] if solution.counted else None
    ways = [name for name, _ in solution.root.scored]
    return {
        "name": solution.system.name,
        **_value_json(solution.root),
        "player": solution.player,
        "players": {each.player: _forced_json(each) for each in solution.root.forced},
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
        if ways
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
        "readings": {each.name: each.choice for each in solution.system.readings},
    }


def _value_json(value: Value) -> dict[str, Json]:
    return {"value": value.kind.value, "winner": value.winner, "plies": value.plies}


def _forced_json(forced: Forced) -> dict[str, Json]:
    return {"value": forced.kind.value, "plies": forced.plies}


def _kinds_json(counted: Counted) -> dict[str, Json]:
    named = [Kind.WIN, Kind.DRAW, Kind.LOSS, Kind.ENDLESS]
    if counted.by_kind.get(Kind.UNKNOWN):
        named.append(Kind.UNKNOWN)
    return {kind.value: counted.by_kind.get(kind, 0) for kind in named}
