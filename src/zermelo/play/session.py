"""A play in progress, and plays that are saved.

A saved play is a text with the document's fingerprint, its readings, and one move a line;
lines that begin with ``#`` are comments:

    zermelo play
    document: corners
    fingerprint: 5f2c…
    reading: order = in order
    moves:
    (1, 1)
    (2, 3)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zermelo.core.commentary import Commentary
from zermelo.core.machine import Ending, Machine, Outcome, Turn
from zermelo.core.state import Move, State
from zermelo.core.values import to_text
from zermelo.play import notation
from zermelo.text.errors import MoveNotAllowed, MoveNotUnderstood, UsageError
from zermelo.text.prose import count


class Session:
    """A play: the turns made from a machine's first state, with undo and redo."""

    def __init__(self, words: Commentary) -> None:
        self.words = words
        self.machine = words.machine
        self._turns: list[Turn] = []
        self._undone: list[Turn] = []

    @property
    def state(self) -> State:
        after = self._turns[-1].after if self._turns else None
        return after or self.machine.initial

    @property
    def turns(self) -> tuple[Turn, ...]:
        return tuple(self._turns)

    @property
    def moves(self) -> tuple[Move, ...]:
        return tuple(turn.move for turn in self._turns)

    @property
    def last(self) -> Turn | None:
        return self._turns[-1] if self._turns else None

    @property
    def outcome(self) -> Outcome | None:
        return self.machine.outcome(self.state)

    @property
    def player(self) -> str | None:
        return player_to_move(self.machine, self.state)

    @property
    def legal(self) -> tuple[Move, ...]:
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
        return self.machine.turn(self.state, move)

    def make_text(self, text: str) -> Turn:
        """Make the move that *text* means; see ``notation.from_text``."""
        return self.make(notation.from_text(text, self.words, self.state))

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


def outcome_text(outcome: Outcome) -> str:
    """*outcome* in words; the result itself where nobody is known to win by it."""
    if outcome.ending is Ending.OVER and outcome.result is not None:
        return f"over, with the result {to_text(outcome.result)}"
    return str(outcome)


def player_to_move(machine: Machine, state: State) -> str | None:
    """The name of the player whose turn it is in *state*."""
    player = machine.player(state)
    return None if player is None else player.name


def refusal(machine: Machine, turn: Turn) -> str:
    """Why *turn* was not made, in one sentence."""
    shown = notation.to_text(turn.move, machine.signature)
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


# Saved plays

FIRST_LINE = "zermelo play"
LARGEST_SAVED = 1_000_000
"""Characters of a saved play that are read."""


@dataclass(frozen=True, slots=True)
class SavedPlay:
    """A play as it is saved."""

    document: str
    fingerprint: str
    readings: tuple[tuple[str, str], ...]
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Replayed:
    """A record played again: as far as it went, with what was noticed on the way."""

    session: Session
    warnings: tuple[str, ...] = ()
    stopped_at: int | None = None
    """The number, from 1, of the move that could not be made."""


def saved_play(session: Session) -> SavedPlay:
    """The play of *session* as it is saved."""
    signature = session.machine.signature
    return SavedPlay(
        signature.name,
        signature.fingerprint,
        tuple((reading.name, reading.choice) for reading in signature.readings),
        tuple(notation.to_text(move, signature) for move in session.moves),
    )


def saved_text(play: SavedPlay) -> str:
    """*play* as the text of a file; ``read_saved`` gives it back."""
    lines = [FIRST_LINE, f"document: {play.document}", f"fingerprint: {play.fingerprint}"]
    lines.extend(f"reading: {name} = {choice}" for name, choice in play.readings)
    return "\n".join([*lines, "moves:", *play.moves, ""])


def read_saved(text: str) -> SavedPlay:
    """The play that *text* holds; ``UsageError`` if it is no saved play."""
    lines = [line.strip() for line in text[:LARGEST_SAVED].lstrip("\ufeff").splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    if not lines or lines[0] != FIRST_LINE:
        raise UsageError(f"this is no saved play: its first line is not `{FIRST_LINE}`")
    if "moves:" not in lines:
        raise UsageError("this saved play is cut short: it has no line `moves:`")
    at = lines.index("moves:")
    fields = [line.partition(":") for line in lines[1:at]]
    single = {key.strip(): value.strip() for key, _, value in fields}
    readings = [value.partition(" = ") for key, _, value in fields if key.strip() == "reading"]
    return SavedPlay(
        single.get("document", ""),
        single.get("fingerprint", ""),
        tuple((name.strip(), choice.strip()) for name, _, choice in readings),
        tuple(lines[at + 1 :]),
    )


def replay(play: SavedPlay, words: Commentary) -> Replayed:
    """*play* made again, as far as it goes."""
    session = Session(words)
    warnings = changes_since(play, words.machine)
    for index, text in enumerate(play.moves, 1):
        try:
            session.make_text(text)
        except (MoveNotUnderstood, MoveNotAllowed) as error:
            made = count(index - 1, "move")
            warnings.append(f"stopped at move {index} of {len(play.moves)}, after {made}: {error}")
            return Replayed(session, tuple(warnings), index)
    return Replayed(session, tuple(warnings))


def changes_since(play: SavedPlay, machine: Machine) -> list[str]:
    """What is not as it was when *play* was saved: the document, or a reading of it."""
    signature = machine.signature
    warnings: list[str] = []
    if play.document != signature.name:
        warnings.append(
            f"this play was saved from `{play.document}`, and this is `{signature.name}`"
        )
    elif play.fingerprint != signature.fingerprint:
        warnings.append(f"`{signature.name}` has changed since this play was saved")
    warnings.extend(_changed_readings(play.readings, machine))
    return warnings


def _changed_readings(saved: Sequence[tuple[str, str]], machine: Machine) -> list[str]:
    now = {reading.name: reading.choice for reading in machine.signature.readings}
    return [
        f"it was saved with the reading `{name} = {choice}`, and now it is `{now[name]}`"
        for name, choice in saved
        if now.get(name, choice) != choice
    ]
