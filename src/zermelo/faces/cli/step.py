"""``zermelo step``."""

from __future__ import annotations

import click

from zermelo.api.loaded import model_of
from zermelo.faces.cli.loading import exit_code, load_machine, readings_line
from zermelo.faces.cli.options import Settings, document, examples
from zermelo.play import notation
from zermelo.play.lines import log, state_lines
from zermelo.play.session import Session
from zermelo.text.prose import BLANK, Line, heading


@click.command(
    "step",
    epilog=examples(
        'zermelo step mine.md "1 1" "2 2"',
        'zermelo step mine.md "(7,1)->(6,2)"',
        'zermelo step mine.md "1 1" --reading "order=at once"',
    ),
)
@document
@click.argument("moves", nargs=-1, metavar="MOVE...")
def command(*, name: str, moves: tuple[str, ...], settings: Settings) -> int:
    """Make moves and show every rule they try.

    Of each rule it shows which parts of the guard hold, with the values they looked at, and what
    it changed, then the state with what changed marked.

    This shows what a document means, whether the order of its rules matters, what facts are, and
    what a move without effect does. Each MOVE is one argument; without any, the first state is
    shown.
    """
    game, machine = load_machine(name, settings)
    words = model_of(game).words
    session = Session(words)
    screen = settings.screen
    screen.show([readings_line(machine.signature, screen), *words.preface()])
    if not moves:
        screen.show([BLANK, heading("The first state"), *state_lines(machine, session.state)])
    for number, text in enumerate(moves, 1):
        screen.show([BLANK])
        turn = session.attempt(notation.from_text(text, words, session.state))
        screen.show(_numbered(log(words, turn), number))
        if turn.after is not None:
            session.make(turn.move)
    return exit_code(game, settings)


def _numbered(lines: tuple[Line, ...], number: int) -> list[Line]:
    """The log with its first line saying which move it is."""
    first, *rest = lines
    title = heading(f"Move {number}: {first.text}")
    return [title, *rest]
