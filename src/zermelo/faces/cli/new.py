"""``zermelo new``."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from zermelo.faces.cli.options import Settings, examples, looks

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
@click.argument("name", metavar="FILE")
def command(*, name: str, settings: Settings) -> int:
    """Write a template for a document of your own.

    It is a small game with comments that say what each part is for. A file that exists is never
    overwritten.
    """
    path = Path(name)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(TEMPLATE)
    except FileExistsError as error:
        raise click.UsageError(f"`{name}` exists already, and was left alone") from error
    except OSError as error:
        raise click.UsageError(f"`{name}` could not be written: {error.strerror}") from error
    settings.screen.say(f"Wrote {name}. Try `zermelo play {name}`, then change it.")
    return 0
