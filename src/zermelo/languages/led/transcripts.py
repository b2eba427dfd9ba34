"""The sessions that an LED document shows: whether the program still answers like that."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from zermelo.core.prompt import AnswerDifference, Exchange, Prompt, differences, exchanges
from zermelo.languages.led import ir
from zermelo.languages.led.easel.console import PROMPT, Console
from zermelo.languages.led.ir import Program
from zermelo.languages.led.mean import elaborate
from zermelo.languages.led.read import parser
from zermelo.languages.led.read.tree import LiterateProgram, TranscriptEntry
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.source import Source

MOST_SAID: Final = 10
"""Of more answers that differ only so many are said."""
LONGEST: Final = 120
"""How much of an answer is said."""


def typed_expression(program: Program, text: str) -> Checked[ir.Expr]:
    """The expression that *text* writes, in the names of *program*; places are in *text*.

    Where there is an error, there is no expression.
    """
    source = Source("typed", text)
    found = parser.expression(source).then(lambda tree: elaborate.expression(tree, program, source))
    has_error = any(each.is_error for each in found.diagnostics)
    return Checked(None if has_error else found.value, found.diagnostics)


def shown_differences(
    program: Program, document: LiterateProgram, source: Source, *, folder: Path | None
) -> tuple[Diagnostic, ...]:
    """The answers that *document* shows and *program* does not give."""
    shown = _shown(document, source)
    if not shown:
        return ()
    parse = partial(typed_expression, program)
    prompt = Prompt(Console(program, parse, source=source, folder=folder))
    found = [_said(source, each) for each in differences(shown, prompt.ask)]
    return tuple(found[:MOST_SAID])


def _shown(document: LiterateProgram, source: Source) -> list[Exchange]:
    """What the document shows, with answers as reading it has mended them."""
    tests = {
        source.line_of(part.span.start): part.answer
        for part in document.parts
        if isinstance(part, TranscriptEntry)
    }
    return [_mended(each, tests.get(each.line)) for each in exchanges(source.text, PROMPT)]


def _mended(exchange: Exchange, answer: str | None) -> Exchange:
    is_quoted = exchange.answer is not None and exchange.answer.strip().startswith('"')
    return exchange if answer is None or not is_quoted else replace(exchange, answer=f'"{answer}"')


def _said(source: Source, difference: AnswerDifference) -> Diagnostic:
    exchange = difference.exchange
    return Diagnostic(
        codes.OTHER_ANSWER,
        f"`{exchange.typed}` answers {_short(difference.answer)}",
        primary=Label(source.line_span(exchange.line), "asked here"),
        notes=(f"the document shows {_short(exchange.answer or '')}",),
        help="correct what it asks for, or the answer; `zermelo repl` asks the same",
    )


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
