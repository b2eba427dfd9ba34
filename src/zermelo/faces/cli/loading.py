"""Documents as the command line names them: a file, a game of the library, or standard input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import click

from zermelo import api
from zermelo.core.machine import Machine
from zermelo.faces.cli.diagnostics import show_diagnostics, summary
from zermelo.faces.cli.options import Settings
from zermelo.play.prose import Piece, Tone, listing, tied
from zermelo.text.diagnostic import Diagnostic, Severity
from zermelo.text.suggest import nearest

STANDARD_INPUT: Final = "-"
FINE: Final = 0
NOT_FINE: Final = 1
NO_SYSTEM: Final = 2


def load(name: str, settings: Settings) -> api.Game:
    """The document called *name*, read as the *settings* say."""
    if name == STANDARD_INPUT:
        return api.load_bytes(
            sys.stdin.buffer.read(),
            name="standard input",
            readings=settings.readings,
            as_written=settings.as_written,
        )
    try:
        return api.load(found(name), readings=settings.readings, as_written=settings.as_written)
    except OSError as error:
        raise click.UsageError(f"`{name}` could not be read: {error.strerror}") from error


def found(name: str) -> Path | str:
    """The file or the game of the library called *name*; a sentence and exit code 2 if none is."""
    path = Path(name)
    try:
        is_file, is_directory = path.is_file(), path.is_dir()
    except (OSError, ValueError):
        # Too long for a file, or with a sign that no name has.
        is_file, is_directory = False, False
    if is_file:
        return path
    games = [game.name for game in api.games()]
    if name in games:
        return name
    if is_directory:
        raise click.UsageError(f"`{name}` is a directory; name a file in it")
    near = nearest(name, games)
    hint = (
        f"did you mean {listing([f'`{game}`' for game in near], last='or')}?"
        if near
        else "`zermelo games` lists the library"
    )
    raise click.UsageError(f"there is no file and no game in the library called `{name}`; {hint}")


def rewrite(path: Path, text: str) -> None:
    """Write *text* into the file at *path*, with the line ends it had."""
    had_returns = b"\r\n" in path.read_bytes()
    newline = "\r\n" if had_returns and "\r" not in text else ""
    try:
        path.write_text(text, encoding="utf-8", newline=newline)
    except OSError as error:
        raise click.UsageError(f"`{path}` could not be written: {error.strerror}") from error


def load_machine(name: str, settings: Settings) -> tuple[api.Game, Machine]:
    """The document called *name*, running; ends the command if it gives no system.

    What there is to say about the document is counted on standard error; ``check`` says it.
    """
    game = load(name, settings)
    if game.system is None:
        show_diagnostics(game.diagnostics, game.source, settings.errors)
        settings.errors.write()
        settings.errors.say(f"zermelo: {name} gives no system: {summary(game.diagnostics)}")
        raise click.exceptions.Exit(NO_SYSTEM)
    say_remarks(game, name, settings)
    return game, game.machine


def say_remarks(game: api.Game, name: str, settings: Settings) -> None:
    """Count on standard error what there is to say about *game*; ``check`` says it."""
    said_of_it = remarks(game)
    if said_of_it:
        them = "it" if len(said_of_it) == 1 else "them"
        said = f"{name}: {summary(said_of_it)}; {tied(f'`zermelo check {name}`')} shows {them}"
        settings.errors.say(Piece(said, Tone.FAINT))


def remarks(game: api.Game) -> list[Diagnostic]:
    """What is wrong with *game*, or was assumed of it; notes are left out."""
    return [each for each in game.diagnostics if each.level is not Severity.NOTE]


def exit_code(game: api.Game, settings: Settings) -> int:
    """How a command about *game* ends: 0 fine, 1 a part had an error, 2 no system."""
    if game.system is None:
        return NO_SYSTEM
    counted = {Severity.ERROR, Severity.WARNING} if settings.strict else {Severity.ERROR}
    return NOT_FINE if any(d.level in counted for d in game.diagnostics) else FINE
