"""``zermelo repl``."""

from __future__ import annotations

from functools import cache, partial
from typing import Final

import click

from zermelo.api import questions
from zermelo.api.game import Game
from zermelo.api.language_commands import interaction
from zermelo.api.loaded import model_of
from zermelo.core.limits import Limits
from zermelo.core.prompt import AnswerDifference, Interaction, Prompt, differences, exchanges
from zermelo.faces.cli.loading import (
    FINE,
    NOT_FINE,
    exit_code,
    load,
    readings_line,
    running,
    say_remarks,
    text_in,
)
from zermelo.faces.cli.options import Settings, document, examples, files
from zermelo.faces.cli.progress import interruptible, usual_memory
from zermelo.faces.cli.prompt import converse
from zermelo.faces.cli.screen import Screen, is_interactive
from zermelo.play.dialogue import PlayDialogue
from zermelo.play.session import Session
from zermelo.text.prose import Piece, Tone, count

STATES: Final = 5_000_000
"""Nodes of a graph that is asked about."""


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
    shell_complete=files,
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
    is_program = game.model is not None and not game.is_loaded
    if transcript is not None and not is_program:
        raise click.UsageError(f"--transcript goes with LED programs, and {name} is none")
    if not is_program:
        running(game, name, settings)
    else:
        say_remarks(game, name, settings)
    asked = _interaction(game, settings)
    if transcript is not None:
        return _compare(asked, transcript, settings.screen)
    converse(asked, settings.screen, greets_on=settings.errors)
    return exit_code(game, settings)


def _interaction(game: Game, settings: Settings) -> Interaction:
    limits = Limits(states=STATES, memory=usual_memory())
    with interruptible() as listener:
        own = interaction(game, limits=limits, listener=listener)
    if own is not None:
        return own
    session = Session(model_of(game).words)
    shown_on = settings.screen if is_interactive() else settings.errors
    return PlayDialogue(
        session,
        adviser=cache(partial(questions.adviser, game)),
        preface=[readings_line(session.machine.signature, shown_on)],
        evaluates=True,
        listening=interruptible,
    )


def _compare(asked: Interaction, name: str, screen: Screen) -> int:
    session = exchanges(text_in(name), asked.prompt)
    if not session:
        raise click.UsageError(
            f"`{name}` is no transcript: no line in it begins with `{asked.prompt}`"
        )
    first = next(differences(session, Prompt(asked).ask), None)
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
