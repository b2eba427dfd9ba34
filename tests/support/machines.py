"""Tiny machines written by hand, so that engines are tested without a document."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from zermelo.core.machine import Fault, FaultKind, Move, Outcome, State, Turn
from zermelo.core.values import Value
from zermelo.languages.sections.ir import Expr, Local, Player, Ref, System
from zermelo.text.errors import MoveNotAllowed

OVER = Ref("over")


def empty_system(name: str = "by hand") -> System:
    """A system with nothing in it but an end."""
    return System(name=name, sets=(), variables=(), functions=(), procedures=(), over=OVER)


@dataclass(frozen=True)
class HandMade:
    """A machine whose steps are written as a table of moves."""

    initial: State
    steps: Callable[[State], Sequence[tuple[Move, State | Fault]]]
    """Each legal move with the state after it, or with what goes wrong."""
    ending: Callable[[State], Outcome | None]
    system: System = field(default_factory=empty_system)

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
        players = self.system.players
        return next((p for p in players if self.evaluate(p.turn, state, {}) is True), None)

    def turn(self, state: State, move: Move) -> Turn:
        match dict(self.steps(state)).get(move):
            case State() as after if self.ending(state) is None:
                return Turn(state, move, after, has_effect=True)
            case Fault() as fault:
                return Turn(state, move, None, has_effect=True, fault=fault)
            case _:
                return Turn(state, move, None, has_effect=False)

    def evaluate(self, expr: Expr, state: State, names: Mapping[str, Value]) -> Value | Fault:
        match expr:
            case Ref("over"):
                return self.ending(state) is not None
            case Ref(name) if name in state.names:
                return state[name]
            case Local(name) if name in names:
                return names[name]
            case _:
                return Fault(FaultKind.UNDEFINED, "not known by hand", "by hand")


def state_of(**values: Value) -> State:
    """A state with these variables."""
    return State(tuple(values.values()), tuple(values))
