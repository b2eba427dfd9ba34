"""``zermelo format``."""

from __future__ import annotations

from pathlib import Path

import click

from zermelo.api import questions, texts
from zermelo.faces.cli.loading import (
    NO_SYSTEM,
    NOT_FINE,
    STANDARD_INPUT,
    found,
    is_damaged,
    load,
    remarks,
    rewrite,
    say_remarks,
    show_all,
)
from zermelo.faces.cli.options import Settings, document, examples
from zermelo.faces.cli.screen import print_data, show_diagnostics
from zermelo.text.source import Notation


@click.command(
    "format",
    epilog=examples(
        "zermelo format mine.md",
        "zermelo format mine.md --to latex",
        "zermelo format mine.md --write",
    ),
)
@click.option(
    "--to",
    type=click.Choice(["unicode", "ascii", "latex"]),
    help="The notation; without this, unicode for sections and ascii for LED programs.",
)
@click.option("--write", is_flag=True, help="Write it into the file instead of printing it.")
@document
def command(*, name: str, to: str | None, write: bool, settings: Settings) -> int:
    """Write a document in the canonical notation.

    What it says does not change, and its prose is kept. In latex an LED program is woven:
    its prose with every definition as a numbered formula.
    """
    if write and (name == STANDARD_INPUT or not isinstance(found(name), Path)):
        raise click.UsageError("--write writes into a file of yours; give the name of one")
    game = load(name, settings)
    notation = Notation[to.upper()] if to else None
    if write and game.document is not None:
        reason = game.document.why_not_replaced(notation)
        if reason is not None:
            raise click.UsageError(reason)
    if game.document is None:
        show_diagnostics(game.diagnostics, game.source, settings.errors, rest=show_all(name))
        return NO_SYSTEM
    if is_damaged(game, name, settings):
        return NOT_FINE
    if not write:
        say_remarks(game, name, settings)
    elif any(each.is_error for each in game.diagnostics):
        # What was written would look sound, and hide what was only guessed.
        show_diagnostics(game.diagnostics, game.source, settings.errors, rest=show_all(name))
        settings.errors.say(f"zermelo: {name} has errors; mend them first. Nothing was written.")
        return NOT_FINE
    else:
        show_diagnostics(remarks(game), game.source, settings.errors, rest=show_all(name))
    text = texts.format_text(game, to=notation)
    if not write:
        print_data(text)
    elif text == game.source.text:
        settings.errors.say(f"{name} is in canonical form already.")
    else:
        rewrite(Path(name), text, game.source)
        settings.errors.say(f"Wrote {name}.")
    return questions.exit_code(game, strict=settings.strict)
