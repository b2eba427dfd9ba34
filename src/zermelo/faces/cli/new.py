"""``zermelo new``."""

from __future__ import annotations

from pathlib import Path

import click

from zermelo.faces.cli.options import Settings, examples, looks
from zermelo.faces.cli.template import TEMPLATE


@click.command(
    "new",
    epilog=examples(
        "zermelo new mine.md",
        "zermelo play mine.md",
    ),
)
@looks
@click.argument("name", metavar="FILE")
def command(*, name: str, settings: Settings) -> int:
    """Write a template for a document of your own.

    It is a small game with comments that say what each part is for. A file that exists is never
    overwritten.
    """
    path = Path(name)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(TEMPLATE)
    except FileExistsError as error:
        raise click.UsageError(f"`{name}` exists already, and was left alone") from error
    except OSError as error:
        raise click.UsageError(f"`{name}` could not be written: {error.strerror}") from error
    settings.screen.say(f"Wrote {name}. Try `zermelo play {name}`, then change it.")
    return 0
