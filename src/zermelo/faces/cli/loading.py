"""Files as the command line names them: documents, games of the library, what is written."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import click

from zermelo.api import loading, questions
from zermelo.api.game import Game
from zermelo.core.limits import NoWayOn
from zermelo.core.machine import Machine
from zermelo.core.signature import Signature
from zermelo.faces.cli.options import Settings
from zermelo.faces.cli.progress import phases
from zermelo.faces.cli.screen import Screen, show_diagnostics, summary
from zermelo.files import writing
from zermelo.text import decoding
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.errors import nearest
from zermelo.text.prose import Line, Piece, Tone, line, listing, tied
from zermelo.text.source import Source, width

STANDARD_INPUT: Final = "-"
_STANDARD_OUTPUT: Final = frozenset({"-", "/dev/stdout", "/dev/fd/1"})
FINE: Final = 0
NOT_FINE: Final = 1
NO_SYSTEM: Final = 2
MOST_BYTES: Final = 4_000_000
"""The largest file with inputs or a transcript that is read."""


def load(name: str, settings: Settings, *, plays: bool = True) -> Game:
    """The document called *name*, read as the *settings* say; see ``loading.load`` for *plays*."""
    with phases():
        return _load(name, settings, plays=plays)


def _load(name: str, settings: Settings, *, plays: bool) -> Game:
    if name == STANDARD_INPUT:
        return loading.load_stream(
            sys.stdin.buffer,
            name="standard input",
            readings=settings.readings,
            reading_file=settings.reading_file,
            as_written=settings.as_written,
            plays=plays,
        )
    try:
        return loading.load(
            found(name),
            readings=settings.readings,
            reading_file=settings.reading_file,
            as_written=settings.as_written,
            plays=plays,
        )
    except OSError as error:
        unread = name if error.filename is None else error.filename
        raise click.UsageError(f"`{unread}` could not be read: {error.strerror}") from error


def found(name: str) -> Path | str:
    """The file or the game of the library called *name*; a sentence and exit code 2 if none is."""
    path = Path(name)
    try:
        is_file, is_directory = loading.is_readable(path), path.is_dir()
    except (OSError, ValueError):
        # Too long for a file, or with a sign that no name has.
        is_file, is_directory = False, False
    if is_file:
        return path
    games = [game.name for game in loading.games()]
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


def text_in(name: str) -> str:
    """The text in the file called *name*, or of standard input; a sentence if there is none."""
    try:
        if name == STANDARD_INPUT:
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no name of a file"
        raise click.UsageError(f"`{name}` could not be read: {reason}") from error
    if len(data) > MOST_BYTES:
        raise click.UsageError(f"`{name}` has more than {MOST_BYTES:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise click.UsageError(f"`{name}` is not a text in UTF-8") from error


def rewrite(path: Path, text: str, before: Source) -> None:
    """Write *text* into the file at *path*, with the line ends it had.

    *before* is what was read from it; what another program has made of it since is kept.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise click.UsageError(_not_written(str(path), error)) from error
    now = decoding.decode(data, before.name).value
    if now is None or now.text != before.text:
        raise click.UsageError(
            f"`{path}` was changed by another program meanwhile, and was left alone"
        )
    if b"\r\n" in data and "\r" not in text:
        text = text.replace("\n", "\r\n")
    write(str(path), text.encode(), instead_of=data)


def output_file(name: str | None, document: str) -> str | None:
    """The file that ``--output`` names, which can be written; ``None`` for standard output.

    It is never the *document* itself, which would be lost.
    """
    if name is None or name in _STANDARD_OUTPUT:
        return None
    try:
        writing.find(Path(name))
        is_document = Path(document).is_file() and Path(name).exists()
        if is_document and Path(name).samefile(document):
            raise click.UsageError(f"`{name}` is the document itself; choose another name")
    except (OSError, ValueError) as error:
        raise click.UsageError(_not_written(name, error)) from error
    return name


def write(name: str, data: bytes | Iterable[bytes], *, instead_of: bytes | None = None) -> None:
    """Make *data* the content of the file called *name*; see ``writing.replace``."""
    # It may be where standard output goes as well, and what was said before comes before.
    sys.stdout.flush()
    try:
        writing.replace(Path(name), data, instead_of=instead_of)
    except OSError as error:
        raise click.UsageError(_not_written(name, error)) from error


def _not_written(name: str, error: OSError | ValueError) -> str:
    reason = error.strerror if isinstance(error, OSError) else "it is no name of a file"
    return f"`{name}` could not be written: {reason}"


def load_machine(name: str, settings: Settings) -> tuple[Game, Machine]:
    """The document called *name*, running; ends the command if it gives no system.

    What there is to say about the document is counted on standard error; ``check`` says it.
    """
    game = load(name, settings)
    return game, running(game, name, settings)


def running(game: Game, name: str, settings: Settings) -> Machine:
    """The machine of *game*; ends the command if it gives no system."""
    if not game.is_loaded:
        if is_understood_only(game):
            return game.machine  # Which says what a program that is no game lacks.
        show_diagnostics(game.diagnostics, game.source, settings.errors, rest=show_all(name))
        settings.errors.write()
        settings.errors.say(f"zermelo: {name} gives no system: {summary(game.diagnostics)}")
        raise click.exceptions.Exit(NO_SYSTEM)
    say_remarks(game, name, settings)
    return game.machine


def is_understood_only(game: Game) -> bool:
    """Whether *game* was understood without errors, and yet gives nothing to play."""
    has_errors = any(each.is_error for each in game.diagnostics)
    return game.model is not None and not game.is_loaded and not has_errors


def say_remarks(game: Game, name: str, settings: Settings) -> None:
    """Count on standard error what there is to say about *game*; ``check`` says it."""
    said_of_it = remarks(game)
    if said_of_it:
        them = "it" if len(said_of_it) == 1 else "them"
        said = f"{name}: {summary(said_of_it)}; {tied(f'`zermelo check {name}`')} shows {them}"
        settings.errors.say(Piece(said, Tone.FAINT))


def show_all(name: str) -> str:
    """The command that shows everything there is to say about the document called *name*."""
    return f"zermelo check {name} --all"


def readings_line(signature: Signature, screen: Screen) -> Line:
    """The readings of a document in a line or two."""
    shown = [f"{reading.name}: {reading.choice}" for reading in signature.readings]
    if not shown:
        return line(Piece("Read as written; nothing was left open.", Tone.FAINT))
    room = 2 * screen.width - len("Read with and 10 more (type `readings` for reasons)")
    kept: list[str] = []
    while shown and (not kept or width("; ".join([*kept, shown[0]])) <= room):
        kept.append(shown.pop(0))
    rest = f" and {len(shown)} more" if shown else ""
    return line(Piece(f"Read with {'; '.join(kept)}{rest}.", Tone.FAINT))


def remarks(game: Game) -> list[Diagnostic]:
    """What is wrong with *game*, or was assumed of it; notes are left out."""
    return [each for each in game.diagnostics if each.level is not Severity.NOTE]


def exit_code(game: Game, settings: Settings, *, cut: str | None = None) -> int:
    """How a command about *game* ends: 0 fine, 1 a part had an error, 2 no system.

    What was *cut* short at something that no limit lets it pass is an error, too.
    """
    code = questions.exit_code(game, strict=settings.strict)
    return NOT_FINE if code == 0 and isinstance(cut, NoWayOn) else code


def is_damaged(game: Game, name: str, settings: Settings) -> bool:
    """Whether writing the program of *game* would lose a definition; if so, it is said.

    Documents with sections keep as prose what could not be read.
    """
    lost = () if game.document is None else game.document.lost(game.diagnostics)
    if lost:
        show_diagnostics(lost, game.source, settings.errors, rest=show_all(name))
        settings.errors.say(
            f"zermelo: {name} has definitions that could not be read; mend them first. "
            "Nothing was written."
        )
    return bool(lost)
