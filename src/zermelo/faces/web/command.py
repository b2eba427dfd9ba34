"""``zermelo serve``, and ``zermelo`` without a command: the page."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TextIO

import click

from zermelo.api import loading
from zermelo.faces.cli.options import examples, files


@click.command(
    "serve",
    epilog=examples(
        "zermelo",
        "zermelo serve mine.md",
        "zermelo serve --port 8080 --no-open",
        "zermelo serve --data kept",
    ),
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen at; who can reach it and has the token is let in.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=0,
    help="The port to listen at; 0, the default, takes a free one.",
)
@click.option(
    "--data",
    metavar="DIR",
    help="Where documents and plays that were opened are kept; `off` keeps nothing. If not said, "
    "the folder zermelo in XDG_DATA_HOME, or in ~/.local/share.",
)
@click.option(
    "--log",
    metavar="FILE",
    type=click.File("a", encoding="utf-8"),
    help="Write what the server does into this file, a line of JSON each; - for standard error.",
)
@click.option("--no-open", is_flag=True, help="Open no browser; open the printed address yourself.")
@click.argument("names", metavar="[FILE]...", nargs=-1, shell_complete=files)
def command(
    *,
    names: tuple[str, ...],
    host: str,
    port: int,
    data: str | None,
    log: TextIO | None,
    no_open: bool,
) -> int:
    """Serve the page: play, see and change documents.

    The page has the library, a board for any document, and what there is to see of a play. It
    begins with the first FILE, or with the library. A browser is opened where there is a screen
    and a terminal. Only who opens the printed address, with the token behind its #, is let in.
    """
    from zermelo.faces.web.log import Log  # noqa: PLC0415 (a server is heavy)
    from zermelo.faces.web.server import serve_page  # noqa: PLC0415 - as above

    serve_page(
        host=host,
        port=port,
        open_browser=not no_open and sys.stdout.isatty(),
        data=_folder(data, os.environ),
        documents=[_path(name) for name in names],
        # What is told to people stays apart from what is told to programs.
        log=Log(sys.stderr if log is sys.stdout else log),
    )
    return 0


def _path(name: str) -> Path:
    path = Path(name)
    return path.absolute() if loading.is_readable(path) else loading.find(name).path


def _folder(told: str | None, environment: Mapping[str, str]) -> Path | None:
    """The folder for what is kept; ``None`` if nothing is to be."""
    if told is not None:
        return None if told == "off" else Path(told).absolute()
    given = environment.get("XDG_DATA_HOME", "")
    # What is not absolute counts as not set, as the XDG Base Directory Specification has it.
    base = Path(given) if Path(given).is_absolute() else Path.home() / ".local" / "share"
    return base / "zermelo"
