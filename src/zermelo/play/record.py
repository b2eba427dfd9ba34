"""Saved plays: text with the document's fingerprint, its readings, and one move a line.

    zermelo play
    document: corners
    fingerprint: 5f2c…
    reading: order = in order
    moves:
    (1, 1)
    (2, 3)

Lines that begin with ``#`` are comments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zermelo.core.machine import Machine
from zermelo.play import notation
from zermelo.play.session import Session
from zermelo.text.errors import MoveNotAllowed, MoveNotUnderstood, UsageError
from zermelo.text.prose import count

FIRST_LINE = "zermelo play"
LARGEST = 1_000_000
"""Characters of a saved play that are read."""


@dataclass(frozen=True, slots=True)
class Record:
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


def record(session: Session) -> Record:
    """The play of *session*, to be saved."""
    system = session.machine.system
    return Record(
        system.name,
        system.fingerprint,
        tuple((reading.name, reading.choice) for reading in system.readings),
        tuple(notation.to_text(move, system) for move in session.moves),
    )


def to_text(play: Record) -> str:
    """*play* as the text that is saved; ``from_text`` gives it back."""
    lines = [FIRST_LINE, f"document: {play.document}", f"fingerprint: {play.fingerprint}"]
    lines.extend(f"reading: {name} = {choice}" for name, choice in play.readings)
    return "\n".join([*lines, "moves:", *play.moves, ""])


def from_text(text: str) -> Record:
    """The play that *text* holds; ``UsageError`` if it is no saved play."""
    lines = [line.strip() for line in text[:LARGEST].lstrip("\ufeff").splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    if not lines or lines[0] != FIRST_LINE:
        raise UsageError(f"this is no saved play: its first line is not `{FIRST_LINE}`")
    if "moves:" not in lines:
        raise UsageError("this saved play is cut short: it has no line `moves:`")
    at = lines.index("moves:")
    fields = [line.partition(":") for line in lines[1:at]]
    single = {key.strip(): value.strip() for key, _, value in fields}
    readings = [value.partition(" = ") for key, _, value in fields if key.strip() == "reading"]
    return Record(
        single.get("document", ""),
        single.get("fingerprint", ""),
        tuple((name.strip(), choice.strip()) for name, _, choice in readings),
        tuple(lines[at + 1 :]),
    )


def replay(play: Record, machine: Machine) -> Replayed:
    """*play* made again by *machine*, as far as it goes."""
    session = Session(machine)
    warnings = differences(play, machine)
    for index, text in enumerate(play.moves, 1):
        try:
            session.make_text(text)
        except (MoveNotUnderstood, MoveNotAllowed) as error:
            made = count(index - 1, "move")
            warnings.append(f"stopped at move {index} of {len(play.moves)}, after {made}: {error}")
            return Replayed(session, tuple(warnings), index)
    return Replayed(session, tuple(warnings))


def differences(play: Record, machine: Machine) -> list[str]:
    """What is not as it was when *play* was saved: the document, or a reading of it."""
    system = machine.system
    warnings: list[str] = []
    if play.document != system.name:
        warnings.append(f"this play was saved from `{play.document}`, and this is `{system.name}`")
    elif play.fingerprint != system.fingerprint:
        warnings.append(f"`{system.name}` has changed since this play was saved")
    warnings.extend(_changed_readings(play.readings, machine))
    return warnings


def _changed_readings(saved: Sequence[tuple[str, str]], machine: Machine) -> list[str]:
    now = {reading.name: reading.choice for reading in machine.system.readings}
    return [
        f"it was saved with the reading `{name} = {choice}`, and now it is `{now[name]}`"
        for name, choice in saved
        if now.get(name, choice) != choice
    ]
