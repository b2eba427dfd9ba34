"""Tiny machines written by hand, so that engines are tested without a document."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from zermelo.core.layout import Unpackable
from zermelo.core.machine import Fault, Outcome, Turn
from zermelo.core.signature import Player, Signature
from zermelo.core.state import Move, State
from zermelo.core.values import Value
from zermelo.text.errors import MoveNotAllowed


@dataclass(frozen=True)
class HandMade:
    """A machine whose steps are written as a table of moves."""

    initial: State
    steps: Callable[[State], Sequence[tuple[Move, State | Fault]]]
    """Each legal move with the state after it, or with what goes wrong."""
    ending: Callable[[State], Outcome | None]
    holds: tuple[Callable[[State], bool], ...] = ()
    """The invariants."""

    @property
    def signature(self) -> Signature:
        return Signature(name="by hand", variables=self.initial.names, moves=(), can_end=True)

    @property
    def layout(self) -> Unpackable:
        return Unpackable("it is made by hand")

    def legal(self, state: State) -> tuple[Move, ...]:
        if self.ending(state) is not None:
            return ()
        moves = (move for move, after in self.steps(state) if isinstance(after, State))
        return tuple(sorted(moves, key=Move.sort_key))

    def faults(self, state: State) -> Mapping[Move, Fault]:
        return {move: fault for move, fault in self.steps(state) if isinstance(fault, Fault)}

    def after(self, state: State, move: Move) -> State:
        made = self.turn(state, move).after
        if made is None:
            raise MoveNotAllowed(f"{move} is not legal in {state}")
        return made

    def outcome(self, state: State) -> Outcome | None:
        return self.ending(state)

    def is_over(self, state: State) -> bool:
        outcome = self.ending(state)
        return outcome is not None and outcome.is_over

    def player(self, state: State) -> Player | None:
        del state
        return None

    def turn(self, state: State, move: Move) -> Turn:
        match dict(self.steps(state)).get(move):
            case State() as after if self.ending(state) is None:
                return Turn(state, move, after, has_effect=True)
            case Fault() as fault:
                return Turn(state, move, None, has_effect=True, fault=fault)
            case _:
                return Turn(state, move, None, has_effect=False)

    def facts(self, state: State) -> tuple[tuple[str, Value | Fault], ...]:
        del state
        return ()

    def broken(self, state: State) -> Mapping[int, Fault | None]:
        return {at: None for at, holds in enumerate(self.holds) if not holds(state)}


def state_of(**values: Value) -> State:
    """A state with these variables."""
    return State(tuple(values.values()), tuple(values))
