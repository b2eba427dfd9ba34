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
LONGEST: Final = 120


def typed_expression(program: Program, text: str) -> Checked[ir.Expr]:
    """The expression that *text* writes; places are in *text*, and an error leaves none."""
    source = Source("typed", text)
    found = parser.expression(source).then(lambda tree: elaborate.expression(tree, program, source))
    has_error = any(each.is_error for each in found.diagnostics)
    return Checked(None if has_error else found.value, found.diagnostics)


def shown_differences(
    program: Program, document: LiterateProgram, source: Source, *, folder: Path | None
) -> tuple[Diagnostic, ...]:
    shown = _shown(document, source)
    if not shown:
        return ()
    parse = partial(typed_expression, program)
    prompt = Prompt(Console(program, parse, source=source, folder=folder))
    found = [_said(source, each) for each in differences(shown, prompt.ask)]
    return tuple(found[:MOST_SAID])


def _shown(document: LiterateProgram, source: Source) -> list[Exchange]:
    """What the document shows, with answers as reading it has mended them."""
    shown = exchanges(source.text, PROMPT)
    entries = [part for part in document.parts if isinstance(part, TranscriptEntry)]
    mended = {source.line_of(each.span.start): each.answer for each in entries}
    for at, each in enumerate(shown):
        answer = mended.get(each.line)
        if answer is not None and (each.answer or "").strip().startswith('"'):
            shown[at] = replace(each, answer=f'"{answer}"')
    return shown


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
