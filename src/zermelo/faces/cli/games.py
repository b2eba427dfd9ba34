"""``zermelo games`` and ``zermelo new``: the games there are, and a document to begin with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from zermelo.api import library, loading
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


TEMPLATE: Final = """\
# A game of my own

Everything before the first heading is prose. Change what you like, then try
    zermelo check FILE      what is wrong with it
    zermelo play FILE       play it
    zermelo explain FILE    what it says, in plain words

Applicable Sets
// Lines that begin with // are comments. Every symbol has an ASCII spelling as well:
// in for ∈, subset for ⊆, union for ∪, and for ∧, or for ∨, not for ¬, -> for →.
  N : {1, 2, 3}  // rows and columns
  P : N × N  // the board: a set of pairs that players point at
  B : {true, false}
  Rows : {{1} × N, {2} × N, {3} × N}
  Columns : {N × {1}, N × {2}, N × {3}}
  Diagonals : {{(1, 1), (2, 2), (3, 3)}, {(1, 3), (2, 2), (3, 1)}}
  Lines : Rows ∪ Columns ∪ Diagonals

System Variables
  Cross, Nought, Free ⊆ P  // the cells of each player, and the others
  turn ∈ B  // true when it is the turn of Cross
  line, over ∈ B

System Facts
// A fact holds always. No rule assigns these variables: they are computed.
  Free = P − (Cross ∪ Nought)
  line ↔ ∃w ∈ Lines: (w ⊆ Cross ∨ w ⊆ Nought)
  over ↔ (line ∨ Free = ∅)

System Initialization
  Cross, Nought = ∅
  turn = true

System States and Behavior
// A move: the player names a cell. Where no rule changes anything, the move is refused.
Place(pos ∈ P)
  turn ∧ pos ∈ Free → Cross = Cross ∪ {pos} ∧ turn = ¬turn
  ¬turn ∧ pos ∈ Free → Nought = Nought ∪ {pos} ∧ turn = ¬turn
// The end: called after every move. It decides the result.
GameOver(over)
  result ∈ {Cross wins, Nought wins, draw}
  line ∧ ¬turn → result = Cross wins  // who made the line has just moved
  line ∧ turn → result = Nought wins
  over ∧ ¬line → result = draw

Reading
// Where a document leaves something open, a reading decides it: see zermelo readings FILE.
  order: in order  // after the first rule pos is no longer in Free, so the second does not fire
  players: Cross when turn, Nought when ¬turn

View
  board: P
  piece X: Cross
  piece O: Nought
"""


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
