"""``zermelo games`` and ``zermelo new``: the games there are, and a document to begin with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from zermelo.api import library, loading
from zermelo.api.library import TEMPLATE
from zermelo.api.loading import LibraryGame
from zermelo.faces.cli.options import Settings, examples, files, looks
from zermelo.faces.cli.screen import print_json
from zermelo.files import writing
from zermelo.text.prose import BLANK, Line, Piece, Tone, line, listing


@click.command(
    "games",
    epilog=examples("zermelo games", "zermelo play NAME", "zermelo explain NAME"),
)
@click.option("--json", "is_json", is_flag=True, help="Print a list of JSON objects.")
@looks
def command(*, is_json: bool, settings: Settings) -> int:
    """List the games of the library.

    They are documents that come with Zermelo; the name of one can stand wherever a file can.
    """
    games = loading.games()
    if is_json:
        print_json(
            [
                {
                    "name": game.name,
                    "title": library.title(game.path),
                    "summary": game.summary,
                    "players": list(loading.load(game.path).players),
                    "known": list(library.known(game.path)),
                }
                for game in games
            ]
        )
        return 0
    screen = settings.screen
    for game in games:
        screen.show(_lines(game))
    names = listing([game.name for game in games], last="or")
    screen.say(f"Play one with `zermelo play NAME`, where NAME is {names}.")
    return 0


def _lines(game: LibraryGame) -> Iterator[Line]:
    yield line(Piece(game.name, Tone.STRONG), f": {library.title(game.path)}")
    if game.summary:
        yield line(game.summary.replace("`", ""), indent=4)
    players = loading.load(game.path).players
    yield line(f"Players: {listing(players) or 'not known'}.", indent=4)
    for sentence in library.known(game.path):
        yield line(sentence, indent=4, hang=2)
    yield BLANK


@click.command(
    "new",
    epilog=examples(
        "zermelo new mine.md",
        "zermelo play mine.md",
    ),
)
@looks
@click.argument("name", metavar="FILE", shell_complete=files)
def new_command(*, name: str, settings: Settings) -> int:
    """Write a template for a document of your own.

    It is a small game with comments that say what each part is for. A file that exists is never
    overwritten.
    """
    path = Path(name)
    try:
        writing.create(path, TEMPLATE.encode())
    except FileExistsError as error:
        raise click.UsageError(f"`{name}` exists already, and was left alone") from error
    except OSError as error:
        raise click.UsageError(f"`{name}` could not be written: {error.strerror}") from error
    settings.screen.say(f"Wrote {name}. Try `zermelo play {name}`, then change it.")
    return 0
