"""A play in progress, and plays that are saved.

A saved play is a text with the version of its format, the document's fingerprint, its readings,
one move a line, and a checksum of all lines before it:

    zermelo play 2
    document: corners
    fingerprint: 5f2c…
    reading: order = in order
    moves:
    (1, 1)
    (2, 3)
    checksum: 9f86…

It is made again only if every line is as it was saved, and the document and its readings are the
same; otherwise only by who says so.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from zermelo.core.commentary import Commentary
from zermelo.core.machine import Ending, Fault, Machine, Outcome, Turn, unlisted
from zermelo.core.state import Move, State
from zermelo.core.values import to_text
from zermelo.play import notation
from zermelo.text.errors import MoveError, MoveNotAllowed, UsageError
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

    @property
    def unlisted(self) -> Fault | None:
        """Why there are more moves than are listed, if that is so."""
        return unlisted(self.machine.faults(self.state))

    def make(self, move: Move) -> Turn:
        """Make *move*; ``MoveNotAllowed`` if it has no effect here."""
        turn = self.attempt(move)
        if turn.after is None:
            raise MoveNotAllowed(refusal(self.machine, turn))
        self._turns.append(turn)
        self._undone.clear()
        return turn

    def take(self, turn: Turn) -> None:
        """Let the play go on with *turn*, which was made in its present state before."""
        if turn.before != self.state or turn.after is None:
            raise UsageError(f"{turn.move} was not made in this state")
        self._turns.append(turn)
        self._undone.clear()

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


def attempted(machine: Machine, state: State, move: Move) -> Turn:
    """What *move* would do in *state*; nothing where the play is over."""
    ended = machine.outcome(state)
    if ended is not None and ended.is_over:
        return Turn(state, move, None, has_effect=False)
    return machine.turn(state, move)


def move_text(move: Move, words: Commentary) -> str:
    """*move* as it is shown at a prompt."""
    told = words.move_text(move)
    return notation.to_text(move, words.machine.signature) if told is None else told


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

FIRST_WORDS: Final = "zermelo play"
"""What every saved play begins with, whatever its version."""
VERSION: Final = 2
FIRST_LINE: Final = f"{FIRST_WORDS} {VERSION}"
LARGEST_SAVED: Final = 1_000_000
"""Characters of a saved play that are read, and written."""
_MOVES: Final = "moves:"
_CHECKSUM: Final = "checksum: "
_EDITED: Final = (
    "to play its moves, keep only the lines after `moves:` and give that file to `zermelo play "
    "--moves`"
)


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
    lines.extend([_MOVES, *play.moves])
    text = "\n".join([*lines, _checksum(lines), ""])
    if len(text) > LARGEST_SAVED:
        raise UsageError(f"this play takes more than {LARGEST_SAVED:,} characters, and is too long")
    return text


def _checksum(lines: Sequence[str]) -> str:
    text = "".join(f"{line}\n" for line in lines)
    return f"{_CHECKSUM}{hashlib.sha256(text.encode()).hexdigest()}"


def read_saved(text: str) -> SavedPlay:
    """The play that *text* holds; ``UsageError`` if it is not one as it was saved."""
    # Line ends of another system, and a last one that is missing, change nothing of it.
    lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    first = lines[0] if lines else ""
    if first != FIRST_LINE:
        raise UsageError(_not_this_version(first))
    if len(text) > LARGEST_SAVED:
        raise UsageError(f"this saved play has more than {LARGEST_SAVED:,} characters")
    if not lines[-1].startswith(_CHECKSUM):
        raise UsageError(f"this saved play is cut short: its last line is no checksum; {_EDITED}")
    *lines, checksum = lines
    if checksum != _checksum(lines) or _MOVES not in lines:
        raise UsageError(f"this saved play was changed after it was saved; {_EDITED}")
    at = lines.index(_MOVES)
    fields = [line.partition(": ") for line in lines[1:at]]
    single = {key: value for key, _, value in fields}
    readings = [value.partition(" = ") for key, _, value in fields if key == "reading"]
    return SavedPlay(
        single.get("document", ""),
        single.get("fingerprint", ""),
        tuple((name, choice) for name, _, choice in readings),
        tuple(lines[at + 1 :]),
    )


def is_saved(text: str) -> bool:
    """Whether *text* begins as a saved play does, of any version."""
    first = text.split("\n", 1)[0].rstrip("\r")
    version = first.removeprefix(FIRST_WORDS).strip()
    return first == FIRST_WORDS or (first.startswith(f"{FIRST_WORDS} ") and version.isdecimal())


def _not_this_version(first: str) -> str:
    version = first.removeprefix(FIRST_WORDS).strip()
    if is_saved(first):
        return (
            f"this saved play has version {version or 1} of its format, and this program reads "
            f"{VERSION}; {_EDITED}"
        )
    return f"this is no saved play: its first line is not `{FIRST_LINE}`"


def replay(play: SavedPlay, words: Commentary) -> Replayed:
    """*play* made again, as far as it goes."""
    session = Session(words)
    for index, text in enumerate(play.moves, 1):
        try:
            session.make_text(text)
        except MoveError as error:
            made = count(index - 1, "move")
            why = f"stopped at move {index} of {len(play.moves)}, after {made}: {error}"
            return Replayed(session, (why,), index)
    return Replayed(session)


def why_not_here(play: SavedPlay, machine: Machine) -> str | None:
    """What is not as it was when *play* was saved, and what to do; ``None`` if all is."""
    signature = machine.signature
    if play.document != signature.name:
        return f"this play was saved from `{play.document}`, and this is `{signature.name}`"
    if play.fingerprint != signature.fingerprint:
        return f"`{signature.name}` has changed since this play was saved"
    then, now = dict(play.readings), {each.name: each.choice for each in signature.readings}
    changed = [(name, choice) for name, choice in then.items() if now.get(name, choice) != choice]
    if changed:
        said = " and ".join(f"`{name} = {choice}`" for name, choice in changed)
        given = " ".join(f"--reading '{name}={choice}'" for name, choice in changed)
        return f"this play was saved with the reading {said}; begin with {given} for the same"
    if then.keys() != now.keys():
        return "this play was saved when other readings were open, as with or without errata"
    return None
