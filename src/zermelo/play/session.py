"""A play in progress: a state, the moves that led to it, and what can be asked about it."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.core.machine import (
    Ending,
    Fault,
    Machine,
    Move,
    Outcome,
    RuleEvent,
    State,
    Turn,
)
from zermelo.core.values import Value, to_text
from zermelo.languages.sections.ir import Binary, Expr, Op, Or, Ref, Rule, VariableRole
from zermelo.play import notation
from zermelo.text.errors import MoveNotAllowed


@dataclass(frozen=True, slots=True)
class Decision:
    """The rule that gave the result its value."""

    procedure: str
    rule: Rule
    after_moves: int
    """How many moves had been made then."""


class Session:
    """A play: the turns made from a machine's first state, with undo and redo."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._turns: list[Turn] = []
        self._undone: list[Turn] = []

    @property
    def state(self) -> State:
        """The state the play is in."""
        after = self._turns[-1].after if self._turns else None
        return after or self.machine.initial

    @property
    def turns(self) -> tuple[Turn, ...]:
        """What each move did."""
        return tuple(self._turns)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves made so far."""
        return tuple(turn.move for turn in self._turns)

    @property
    def last(self) -> Turn | None:
        """What the last move did."""
        return self._turns[-1] if self._turns else None

    @property
    def outcome(self) -> Outcome | None:
        """How the play ended, if it did."""
        return self.machine.outcome(self.state)

    @property
    def player(self) -> str | None:
        """Whose turn it is; ``None`` when the document knows no players."""
        return player_to_move(self.machine, self.state)

    @property
    def legal(self) -> tuple[Move, ...]:
        """The moves that can be made."""
        return self.machine.legal(self.state)

    def make(self, move: Move) -> Turn:
        """Make *move*; ``MoveNotAllowed`` if it has no effect here."""
        turn = self.attempt(move)
        if turn.after is None:
            raise MoveNotAllowed(refusal(self.machine, turn))
        self._turns.append(turn)
        self._undone.clear()
        return turn

    def attempt(self, move: Move) -> Turn:
        """What *move* would do here, without making it."""
        return self.machine.turn(self.state, move)

    def make_text(self, text: str) -> Turn:
        """Make the move that *text* means; see ``notation.from_text``."""
        return self.make(notation.from_text(text, self.machine, self.state))

    def undo(self) -> Turn | None:
        """Take the last move back and give it; ``None`` if there is none."""
        if not self._turns:
            return None
        turn = self._turns.pop()
        self._undone.append(turn)
        return turn

    def redo(self) -> Turn | None:
        """Make again what was undone last; ``None`` if nothing was."""
        if not self._undone:
            return None
        turn = self._undone.pop()
        self._turns.append(turn)
        return turn

    def decision(self) -> Decision | None:
        """The rule that gave the result its present value, if one did."""
        result = self.machine.system.result
        for made, turn in reversed(list(enumerate(self._turns, 1))):
            for event in reversed(turn.events):
                if isinstance(event, RuleEvent) and any(
                    change.variable == result and change.before != change.after
                    for change in event.changes
                ):
                    return Decision(event.procedure, event.rule, made)
        return None

    def reasons_for_end(self) -> tuple[Expr, ...]:
        """The parts of the document's ``over`` that hold now, as small as they can be named."""
        over = self.machine.system.over
        return () if over is None else tuple(self._holding(over))

    def _holding(self, formula: Expr) -> list[Expr]:
        """The disjuncts of *formula* that hold, with defined variables replaced by definitions."""
        match formula:
            case Or(operands):
                return [part for operand in operands for part in self._holding(operand)]
            case Ref(name):
                variable = self.machine.system.variable(name)
                is_defined = variable is not None and variable.role is VariableRole.DEFINED
                if variable is not None and is_defined and variable.definition is not None:
                    return self._holding(variable.definition)
            case Binary(Op.IFF | Op.EQ, Ref(), right):
                return self._holding(right) if self._holds(formula) else []
            case _:
                pass
        return [formula] if self._holds(formula) else []

    def _holds(self, formula: Expr) -> bool:
        return self.machine.evaluate(formula, self.state, {}) is True


def outcome_text(outcome: Outcome) -> str:
    """*outcome* in words; the result itself where nobody is known to win by it."""
    if outcome.ending is Ending.OVER and outcome.result is not None:
        return f"over, with the result {to_text(outcome.result)}"
    return str(outcome)


def player_to_move(machine: Machine, state: State) -> str | None:
    """Whose turn it is in *state*."""
    player = machine.player(state)
    return None if player is None else player.name


def fact_values(machine: Machine, state: State) -> tuple[tuple[str, Value | Fault], ...]:
    """The defined variables with their values in *state*, in the document's order."""
    return tuple(
        (variable.name, machine.evaluate(Ref(variable.name), state, {}))
        for variable in machine.system.variables
        if variable.role is VariableRole.DEFINED
    )


def refusal(machine: Machine, turn: Turn) -> str:
    """Why *turn* was not made, in one sentence."""
    shown = notation.to_text(turn.move, machine.system)
    ended = machine.outcome(turn.before)
    if ended is not None and ended.is_over:
        return f"{shown} is not possible: the play is over ({outcome_text(ended)})"
    if turn.fault is not None:
        rule = f", rule {turn.fault.rule}" if turn.fault.rule else ""
        return f"{shown} cannot be carried out: {turn.fault.message} ({turn.fault.procedure}{rule})"
    outside = notation.outside_domain(turn.move, machine, turn.before)
    if outside is not None:
        parameter, value = outside
        return f"{shown} is not possible: {notation.misfit(parameter, value)}"
    return f"{shown} has no effect here, so it is refused"
