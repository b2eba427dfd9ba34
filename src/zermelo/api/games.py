"""Documents as games: each is read as its dialect asks for."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import assert_never

from zermelo.api import detect
from zermelo.api.detect import Dialect
from zermelo.api.game import Game, Request
from zermelo.api.library import find
from zermelo.text.diagnostic import Checked
from zermelo.text.source import Source


def load(
    name: str | Path,
    *,
    readings: Mapping[str, str] | None = None,
    as_written: bool = False,
    plays: bool = True,
) -> Game:
    """The game in the file *name*, or the game of the library that is called *name*.

    *readings* decides what the document leaves open, by the name of the reading;
    *as_written* leaves its errata out. Without *plays* an LED program is not tried out, which
    takes time: there is a program then, and no system.
    """
    path = Path(name)
    if not path.is_file():
        path = find(str(name)).path
    request = Request(readings or {}, as_written, path, plays)
    return _load(detect.decode(path.read_bytes(), path.name), path.name, request)


def load_bytes(
    data: bytes,
    *,
    name: str,
    readings: Mapping[str, str] | None = None,
    as_written: bool = False,
    plays: bool = True,
) -> Game:
    """The game in *data*, which is what a file called *name* holds."""
    request = Request(readings or {}, as_written, plays=plays)
    return _load(detect.decode(data, name), name, request)


def load_text(
    text: str,
    *,
    name: str = "document.md",
    readings: Mapping[str, str] | None = None,
    as_written: bool = False,
    plays: bool = True,
) -> Game:
    """The game that *text* describes; *name* is what messages call it."""
    request = Request(readings or {}, as_written, plays=plays)
    return _load(detect.accept(text, name), name, request)


def _load(checked: Checked[Source], name: str, request: Request) -> Game:
    source, said = checked.value, checked.diagnostics
    if source is None:
        return Game(Source(name, ""), None, said, request.given, request.as_written)
    # A dialect is imported when a document is written in it: who reads one needs no other.
    match detect.dialect(source):
        case Dialect.SECTIONS:
            from zermelo.api import sections  # noqa: PLC0415

            return sections.read(source, request, said)
        case Dialect.LED:
            from zermelo.api import led  # noqa: PLC0415

            return led.read(source, request, said)
        case (Dialect.PROD | Dialect.PNML) as kind:
            from zermelo.api import nets  # noqa: PLC0415

            return nets.read(source, request, said, kind=kind)
        case kind:
            assert_never(kind)
