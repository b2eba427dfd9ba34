"""``zermelo export``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click

from zermelo.api import questions, texts
from zermelo.api.texts import TextFormat
from zermelo.faces.cli.loading import (
    NO_SYSTEM,
    NOT_FINE,
    is_damaged,
    load,
    output_file,
    say_remarks,
    show_all,
    write,
)
from zermelo.faces.cli.options import Settings, document, examples, files
from zermelo.faces.cli.screen import print_data, show_diagnostics

ENDINGS: Final[Mapping[str, TextFormat]] = {
    ".tex": TextFormat.LATEX,
    ".led": TextFormat.LED,
    ".pnml": TextFormat.PNML,
    ".net": TextFormat.PROD,
    ".dot": TextFormat.DOT,
}
"""What a file's name says of its format."""


@click.command(
    "export",
    epilog=examples(
        "zermelo export mine.md --output mine.tex",
        "zermelo export mine.led --to latex",
        "zermelo export printed.txt --to led",
    ),
)
@click.option(
    "--to",
    "to",
    type=click.Choice([each.value for each in TextFormat]),
    help="What to write; without this, the ending of --output decides.",
)
@click.option(
    "-o",
    "--output",
    "--out",
    "out",
    metavar="FILE",
    shell_complete=files,
    help="Write it into this file instead of printing it; - prints it.",
)
@document
def command(*, name: str, to: str | None, out: str | None, settings: Settings) -> int:
    """Write a document for other programs.

    An LED program becomes a LaTeX document, its prose with every definition as a numbered
    formula, or is written in source form; so does one that was read as it was printed. A
    document with sections becomes an article in LaTeX, which Zermelo reads again as the same
    document, or is written with the signs of mathematics; a net is written as PNML or in
    PROD's language.
    """
    chosen = _format(to, out)
    out = output_file(out, name)
    game = load(name, settings)
    if game.document is None:
        show_diagnostics(game.diagnostics, game.source, settings.errors, rest=show_all(name))
        return NO_SYSTEM
    if is_damaged(game, name, settings):
        return NOT_FINE
    say_remarks(game, name, settings)
    text = texts.export_text(game, chosen)
    if out is None:
        print_data(text)
    else:
        write(out, text.encode())
        settings.errors.say(f"Wrote {out}.")
    return questions.exit_code(game, strict=settings.strict)


def _format(to: str | None, out: str | None) -> TextFormat:
    if to is not None:
        return TextFormat(to)
    ending = Path(out).suffix.lower() if out else ""
    if ending in ENDINGS:
        return ENDINGS[ending]
    listed = ", ".join(each.value for each in TextFormat)
    raise click.UsageError(f"say what to write: --to with one of {listed}")
