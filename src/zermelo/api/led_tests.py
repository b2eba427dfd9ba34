"""The sessions that an LED document shows: whether the program still answers like that."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from zermelo.api.game import Game
from zermelo.api.led_texts import led_expression
from zermelo.languages.led.easel.console import (
    AnswerDifference,
    Console,
    Exchange,
    differences,
    exchanges,
)
from zermelo.languages.led.read import tree
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label

MOST_SAID: Final = 10
"""Of more answers that differ only so many are said."""
LONGEST: Final = 120
"""How much of an answer is said."""


def led_differences(game: Game) -> tuple[Diagnostic, ...]:
    """The answers that the document of *game* shows and its program does not give."""
    shown = _shown(game)
    if game.program is None or not shown:
        return ()
    parse = partial(led_expression, game)
    console = Console(game.program, parse, source=game.source, folder=game.folder)
    found = [_said(game, each) for each in differences(shown, console.ask)]
    return tuple(found[:MOST_SAID])


def _shown(game: Game) -> list[Exchange]:
    """What the document shows, with answers as reading it has mended them."""
    if not isinstance(game.document, tree.LiterateProgram):
        return []
    tests = {
        game.source.line_of(part.span.start): part.answer
        for part in game.document.parts
        if isinstance(part, tree.TranscriptEntry)
    }
    return [_mended(each, tests.get(each.line)) for each in exchanges(game.source.text)]


def _mended(exchange: Exchange, answer: str | None) -> Exchange:
    is_quoted = exchange.answer is not None and exchange.answer.strip().startswith('"')
    return exchange if answer is None or not is_quoted else replace(exchange, answer=f'"{answer}"')


def _said(game: Game, difference: AnswerDifference) -> Diagnostic:
    exchange = difference.exchange
    return Diagnostic(
        codes.OTHER_ANSWER,
        f"`{exchange.typed}` answers {_short(difference.answer)}",
        primary=Label(game.source.line_span(exchange.line), "asked here"),
        notes=(f"the document shows {_short(exchange.answer or '')}",),
        help="correct what it asks for, or the answer; `zermelo repl` asks the same",
    )


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
