"""``zermelo repl``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Final

import click

from zermelo import api
from zermelo.core.machine import Fault, Machine
from zermelo.core.values import to_text
from zermelo.faces.cli import led_repl, net_repl, words
from zermelo.faces.cli.diagnostics import show_diagnostics
from zermelo.faces.cli.loading import exit_code, load, running
from zermelo.faces.cli.options import Settings, document, examples
from zermelo.faces.cli.screen import is_interactive
from zermelo.faces.cli.table import COMMANDS, Table
from zermelo.faces.cli.typed import typed_lines
from zermelo.play import notation
from zermelo.play.session import Session
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.errors import MoveNotAllowed, MoveNotUnderstood
from zermelo.text.prose import Line, Piece, Tone
from zermelo.text.source import Source

_HELP: Final[Mapping[str, str]] = {
    "EXPRESSION": "its value in the present state, as in `|Free|` or `∃x ∈ P: x ∉ Free`",
    "MOVE": "make a move; with its name where it could be an expression",
    **{f":{command.usage}": command.summary for command in COMMANDS.values()},
}


@click.command(
    "repl",
    epilog=examples(
        "zermelo repl mine.md",
        'echo "|Free|" | zermelo repl mine.md',
    ),
)
@click.option(
    "--transcript",
    metavar="FILE",
    help="LED programs: ask what stands after each `cmd:>` in this file, and compare the answers.",
)
@document
def command(*, name: str, transcript: str | None, settings: Settings) -> int:
    """Evaluate expressions in a state, and make moves.

    Both are typed in the notation of the document, and what is printed can be typed again.
    Without a terminal, lines are read from standard input. An LED program gets the session of
    its interpreter, and a net a shell over its reachability graph.

    Exit codes with --transcript: 0 all answers are the same, 1 one is not.
    """
    game = load(name, settings, plays=False)
    if game.program is not None:
        return led_repl.run(game, game.program, settings, name=name, transcript=transcript)
    if transcript is not None:
        raise click.UsageError(f"--transcript goes with LED programs, and {name} is none")
    machine = running(game, name, settings)
    if game.net is not None:
        return net_repl.run(game, settings)
    screen = settings.screen
    if is_interactive():
        screen.show([words.readings_line(machine.system, screen)])
        screen.say("Type an expression, a move, or `:help`.")
    else:
        settings.errors.show([words.readings_line(machine.system, settings.errors)])
    _Repl(game, machine, settings).run()
    return exit_code(game, settings)


class _Repl:
    """Answers one line after the other."""

    def __init__(self, game: api.Game, machine: Machine, settings: Settings) -> None:
        self._game = game
        self._screen = settings.screen
        adviser = cache(partial(api.adviser, game))
        self._table = Table(Session(machine), settings.screen, adviser=adviser, shows_board=False)

    def run(self) -> None:
        for text in typed_lines(self._screen, lambda: "zermelo"):
            if text in {":quit", ":q", ":exit"}:
                return
            if text:
                self._answer(text)

    def _answer(self, text: str) -> None:
        if text in {":help", ":h", ":?"}:
            self._help()
        elif text.startswith(":"):
            self._command(text)
        elif self._is_named_move(text):
            self._move(text)
        else:
            self._expression(text)

    def _command(self, text: str) -> None:
        word = text[1:].partition(" ")[0]
        if word in COMMANDS:
            self._table.answer(text)
        else:
            self._screen.say(Piece(f"There is no command `:{word}`; see `:help`.", Tone.BAD))

    def _is_named_move(self, text: str) -> bool:
        names = {move.name.lower() for move in self._table.session.machine.system.moves}
        return text.partition("(")[0].strip().lower() in names

    def _expression(self, text: str) -> None:
        """The value of *text*; what is no expression may be a move."""
        checked = api.expression(self._game, text)
        if checked.value is None:
            self._move(text, otherwise=checked.diagnostics)
            return
        session = self._table.session
        value = session.machine.evaluate(checked.value, session.state, {})
        if isinstance(value, Fault):
            self._screen.say(Piece(f"No value: {value.message}.", Tone.BAD))
        else:
            self._screen.write(self._screen.spelled(to_text(value)))

    def _move(self, text: str, *, otherwise: Sequence[Diagnostic] = ()) -> None:
        session = self._table.session
        try:
            move = notation.from_text(text, session.machine, session.state)
        except MoveNotUnderstood as error:
            if otherwise:
                show_diagnostics(otherwise, Source("typed", text), self._screen)
            else:
                self._screen.say(Piece(f"{error}.", Tone.BAD))
            return
        who = session.player
        try:
            turn = session.make(move)
        except MoveNotAllowed as error:
            self._screen.show([words.refused(session, move, reason=str(error))])
            return
        self._screen.show([words.move_line(turn, session, who=who)])
        outcome = session.outcome
        if outcome is not None:
            self._screen.show(words.outcome_lines(session, outcome))

    def _help(self) -> None:
        size = max(map(len, _HELP))
        self._screen.show(
            Line((Piece(f"{usage:{size}}", Tone.STRONG), Piece(f"  {text}")), 2, size + 2)
            for usage, text in _HELP.items()
        )
