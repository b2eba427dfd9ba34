"""``zermelo export`` and ``zermelo picture``: documents and positions for other programs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click

from zermelo.api import pictures, questions, texts
from zermelo.api.pictures import PictureFormat
from zermelo.api.texts import TextFormat
from zermelo.faces.cli.loading import (
    NO_SYSTEM,
    NOT_FINE,
    exit_code,
    is_damaged,
    load,
    load_machine,
    output_file,
    say_remarks,
    show_all,
    write,
)
from zermelo.faces.cli.options import Settings, document, examples, files
from zermelo.faces.cli.screen import print_data, show_diagnostics

ENDINGS: Final[Mapping[str, TextFormat]] = {
    ".tex": TextFormat.LATEX,
    ".html": TextFormat.HTML,
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
        "zermelo export mine.md --output mine.html",
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
    document, a page of HTML to be printed, or is written with the signs of mathematics; a net
    is written as PNML or in PROD's language.
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


PICTURE_ENDINGS: Final[Mapping[str, PictureFormat]] = {
    ".svg": PictureFormat.SVG,
    ".png": PictureFormat.PNG,
    ".pdf": PictureFormat.PDF,
    ".tex": PictureFormat.LATEX,
}
"""What a file's name says of its format."""
_TEXTS: Final = frozenset({PictureFormat.SVG, PictureFormat.LATEX})


@click.command(
    "picture",
    epilog=examples(
        "zermelo picture mine.md --output first.svg",
        'zermelo picture mine.md --moves "1 1; 2 2" --coordinates --output position.pdf',
        'zermelo picture mine.md --moves "1 1; 2 2; 1 2" --strip --output play.png',
        'zermelo picture mine.md --moves "1 1" --to latex > position.tex',
    ),
)
@click.option(
    "--moves",
    metavar="MOVES",
    multiple=True,
    help="The moves that were made, with a semicolon between two; may be repeated.",
)
@click.option("--strip", is_flag=True, help="Every position of the play, side by side.")
@click.option("--coordinates", is_flag=True, help="Name the rows and columns of boards.")
@click.option(
    "--to",
    "to",
    type=click.Choice([each.value for each in PictureFormat]),
    help="What to write; without this, the ending of --output decides.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=files,
    help="Write it into this file; svg and latex can be printed instead.",
)
@document
def picture_command(
    *,
    name: str,
    moves: tuple[str, ...],
    strip: bool,
    coordinates: bool,
    to: str | None,
    output: str | None,
    settings: Settings,
) -> int:
    """Draw a position, or a play as a strip of boards.

    Without moves the first position is drawn. What the last move changed is marked. SVG and PNG
    are for pages, PDF and LaTeX for print; a file of LaTeX has one drawing in TikZ, compiles as
    it is, and can be put into another document.
    """
    chosen = _picture_format(to, output)
    output = output_file(output, name)
    if output is None and chosen not in _TEXTS:
        raise click.UsageError(f"{chosen.value} is no text; say where it goes: --output FILE")
    game, _ = load_machine(name, settings)
    typed = [each.strip() for given in moves for each in given.split(";") if each.strip()]
    turns = game.turns(*typed)
    sheet = pictures.sheet_of(game, turns, is_strip=strip, has_coordinates=coordinates)
    missing = pictures.not_shown(sheet, chosen)
    if missing:
        shown = " ".join(missing)
        settings.errors.say(f"{chosen.value} has no letters for {shown}: `?` stands for them.")
    data = pictures.written(sheet, chosen)
    if output is None:
        print_data(data.decode())
    else:
        write(output, data)
        settings.errors.say(f"Wrote {output}.")
    return exit_code(game, settings)


def _picture_format(to: str | None, output: str | None) -> PictureFormat:
    if to is not None:
        return PictureFormat(to)
    ending = Path(output).suffix.lower() if output else ""
    if ending in PICTURE_ENDINGS:
        return PICTURE_ENDINGS[ending]
    listed = ", ".join(each.value for each in PictureFormat)
    raise click.UsageError(f"say what to write: --to with one of {listed}")
