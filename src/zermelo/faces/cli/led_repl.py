"""``zermelo repl`` on LED programs: the session of their interpreter."""

from __future__ import annotations

from functools import partial

import click

from zermelo import api
from zermelo.faces.cli.loading import FINE, NOT_FINE, exit_code, say_remarks, text_in
from zermelo.faces.cli.options import Settings
from zermelo.faces.cli.screen import Screen, is_interactive
from zermelo.faces.cli.typed import typed_lines
from zermelo.languages.led.easel.console import (
    PROMPT,
    AnswerDifference,
    Console,
    ConsoleAnswer,
    differences,
    exchanges,
)
from zermelo.languages.led.ir import Program
from zermelo.text.prose import Piece, Tone, count


def run(
    game: api.Game,
    program: Program,
    settings: Settings,
    *,
    name: str,
    transcript: str | None = None,
) -> int:
    """Answer what is typed, or compare the answers to a *transcript*; how the command ends."""
    say_remarks(game, name, settings)
    parse = partial(api.led_expression, game)
    console = Console(program, parse, source=game.source, folder=game.folder)
    if transcript is not None:
        return _compare(console, transcript, settings.screen)
    screen = settings.screen
    if is_interactive():
        screen.say("Type an expression, `pp(expression)`, or `:help`.")
    for line in typed_lines(screen, lambda: PROMPT, mark=""):
        if console.leaves(line):
            break
        if line:
            _show(console.answer(line), screen)
    return exit_code(game, settings)


def _show(answer: ConsoleAnswer, screen: Screen) -> None:
    # Answers are kept as they are, so that they can be compared with other interpreters'.
    for row in answer.text.split("\n"):
        text = screen.spelled(row)
        screen.write(text if answer.is_good else screen.styled(text, fg="red"))


def _compare(console: Console, name: str, screen: Screen) -> int:
    session = exchanges(text_in(name))
    if not session:
        raise click.UsageError(f"`{name}` is no transcript: no line in it begins with `{PROMPT}`")
    first = next(differences(session, console.ask), None)
    if first is not None:
        _show_difference(first, name, screen)
        return NOT_FINE
    answered = sum(each.answer is not None for each in session)
    screen.say(f"{count(answered, 'answer')}, all as in {name}.")
    return FINE


def _show_difference(difference: AnswerDifference, name: str, screen: Screen) -> None:
    exchange = difference.exchange
    said = f"{name}, line {exchange.line}: another answer to `{exchange.typed}`"
    screen.say(Piece(said, Tone.BAD))
    for word, text in (("expected", exchange.answer or ""), ("got", difference.answer)):
        for at, row in enumerate(text.strip().split("\n")):
            screen.write(screen.spelled(f"  {word if at == 0 else '':8}  {row}"))
