"""``zermelo play``."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from zermelo.core.machine import Machine, Move
from zermelo.faces.cli import words
from zermelo.faces.cli.jsonable import print_json, state_json, value_json
from zermelo.faces.cli.loading import exit_code, load_machine
from zermelo.faces.cli.options import Settings, document, examples
from zermelo.faces.cli.table import Table
from zermelo.play import notation, record
from zermelo.play.opponents import RandomPlayer
from zermelo.play.prose import Line, line, listing
from zermelo.play.session import Session, fact_values, outcome_text
from zermelo.text.errors import MoveNotAllowed, MoveNotUnderstood
from zermelo.text.render import Json


@click.command(
    "play",
    epilog=examples(
        "zermelo play mine.md",
        "zermelo play mine.md --against random --seed 7",
        "zermelo play mine.md --moves moves.txt --json",
    ),
)
@click.option(
    "--against",
    type=click.Choice(["person", "random"]),
    default="person",
    show_default=True,
    help="Who plays the other side.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the random player.")
@click.option("--as", "as_player", metavar="PLAYER", help="Whom you play; the first, if not said.")
@click.option(
    "--moves",
    "moves_file",
    metavar="FILE|-",
    help="Play these moves, one a line, and say how it ended. A saved play will do.",
)
@click.option("--json", "is_json", is_flag=True, help="With --moves: print one JSON object.")
@document
def command(
    *,
    name: str,
    against: str,
    seed: int,
    as_player: str | None,
    moves_file: str | None,
    is_json: bool,
    settings: Settings,
) -> int:
    """Play the system of a document.

    Type moves in any natural form: 3 4, (3,4), 6,2 5,2 or (7,1)->(6,2). Other things to type are
    moves, why MOVE, log, state, undo, redo, save FILE, load FILE, readings, help and quit. Without
    a terminal, the same lines are read from standard input.
    """
    if is_json and moves_file is None:
        raise click.UsageError("--json needs --moves FILE")
    game, machine = load_machine(name, settings)
    if moves_file is not None:
        played = _play_list(_moves(moves_file, machine, settings), machine)
        if is_json:
            print_json(_json(played))
        else:
            _show(played, settings)
        return exit_code(game, settings)
    opponents = _opponents(machine, as_player, seed) if against == "random" else {}
    Table(Session(machine), settings.screen, opponents=opponents).sit_down()
    return exit_code(game, settings)


def _opponents(machine: Machine, as_player: str | None, seed: int) -> Mapping[str, RandomPlayer]:
    """The random player in every place but the person's."""
    names = [player.name for player in machine.system.players]
    if not names:
        raise click.UsageError(
            "the document does not say who plays; add a line such as "
            "`players: A when turn, B when ¬turn` to its Reading section"
        )
    chosen = as_player or names[0]
    person = next((name for name in names if name.lower() == chosen.lower()), None)
    if person is None:
        raise click.UsageError(f"there is no player `{chosen}`; the players are {listing(names)}")
    chance = RandomPlayer(seed)
    return {name: chance for name in names if name != person}


# A list of moves


@dataclass(frozen=True, slots=True)
class _Refused:
    index: int
    text: str
    reason: str
    move: Move | None


@dataclass(frozen=True, slots=True)
class _Played:
    session: Session
    refused: Sequence[_Refused]
    texts: Sequence[str]


def _moves(name: str, machine: Machine, settings: Settings) -> list[str]:
    """The moves in the file called *name*, one a line; ``#`` begins a comment.

    Of a saved play it is said on standard error what has changed since it was saved.
    """
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise click.UsageError(f"`{name}` could not be read: {reason}") from error
    if text.startswith(record.FIRST_LINE):
        saved = record.from_text(text)
        for difference in record.differences(saved, machine):
            settings.errors.say(f"zermelo: {difference}")
        return list(saved.moves)
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    return [line for line in lines if line]


def _play_list(texts: Sequence[str], machine: Machine) -> _Played:
    session = Session(machine)
    refused: list[_Refused] = []
    for index, text in enumerate(texts):
        move: Move | None = None
        try:
            move = notation.from_text(text, machine, session.state)
            session.make(move)
        except (MoveNotUnderstood, MoveNotAllowed) as error:
            refused.append(_Refused(index, text, str(error), move))
    return _Played(session, refused, texts)


def _json(played: _Played) -> Json:
    session = played.session
    system = session.machine.system
    outcome = session.outcome
    result = session.state[system.result] if system.result in session.state.names else None
    return {
        "outcome": None if outcome is None else outcome_text(outcome),
        "over": outcome is not None and outcome.is_over,
        "winners": [] if outcome is None else list(outcome.winners),
        "result": None if result is None else value_json(result),
        "player": None if outcome is not None else session.player,
        "refused": [each.index for each in played.refused],
        "reasons": [each.reason for each in played.refused],
        "moves": [str(move) for move in session.moves],
        "state": state_json(session.state),
        "facts": {
            name: value_json(value) for name, value in fact_values(session.machine, session.state)
        },
        "readings": {reading.name: reading.choice for reading in system.readings},
    }


def _show(played: _Played, settings: Settings) -> None:
    """The moves with their players, what was refused, the last position and the outcome."""
    screen = settings.screen
    session = Session(played.session.machine)
    refused = {each.index: each for each in played.refused}
    screen.show([words.readings_line(session.machine.system, screen)])
    for index, text in enumerate(played.texts):
        who = session.player
        if index in refused:
            said = _refusal(refused[index], session)
        else:
            said = words.move_line(session.make_text(text), session, who=who)
        screen.show([line(f"{index + 1:3}. ", *said.pieces, hang=5)])
    Table(session, screen).show_position()


def _refusal(refused: _Refused, session: Session) -> Line:
    if refused.move is None:
        return line(f"{refused.reason}.")
    return words.refused(session, refused.move, reason=refused.reason)
