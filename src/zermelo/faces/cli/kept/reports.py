"""Reports that were printed once, kept beside the compiled code and printed again.

A report is kept as the rows that were printed, with the exit code, under a digest of all that it
depends on: the program, the document, what it is called and where it stands, the options, and how
the screen is. Files beside the document that were looked at are noted with it, and compared before
it is believed. It is data: a line of JSON, looked at before it is used.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from zermelo.faces.cli.screen import Screen, can_write
from zermelo.fast.cache import standard
from zermelo.files.beside import how_it_is
from zermelo.files.program import digest_of_program
from zermelo.files.sealed import digest_of, json_bytes
from zermelo.text.decoding import MOST_BYTES_OF_XML
from zermelo.text.diagnostic import Json

_KIND: Final = "report 1"


@dataclass(frozen=True, slots=True)
class CopyingScreen(Screen):
    """A screen that remembers what was written to it."""

    rows: list[str] = field(default_factory=list)

    def write(self, text: str = "") -> None:
        self.rows.append(text)
        Screen.write(self, text)


def copying(screen: Screen) -> CopyingScreen:
    return CopyingScreen(
        screen.has_colour, screen.is_ascii, screen.width, screen.is_error, screen.columns
    )


@dataclass(frozen=True, slots=True)
class KeptReport:
    """What was printed, and how the command ended."""

    rows: tuple[str, ...]
    code: int

    def print(self, screen: Screen) -> None:
        for row in self.rows:
            screen.write(row)


def key_of(document: Path, options: Mapping[str, Json], screen: Screen) -> str | None:
    """Under what a report on *document* is kept; ``None`` where none is."""
    if not standard().keeps_findings or standard().folder is None:
        return None
    program, text = digest_of_program(), _digest_of_file(document)
    if program is None or text is None:
        return None
    look: Json = [screen.has_colour, screen.is_ascii, screen.columns, can_write(sys.stdout)]
    where: Json = [document.name, os.path.realpath(document.parent)]
    said = json_bytes([_KIND, program.hex(), text, where, dict(options), look])
    return digest_of([said]).hex()


def kept(key: str) -> KeptReport | None:
    """The report that is kept under *key*, if all that was looked at is still as it was."""
    data = standard().get(key)
    if data is None:
        return None
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    match found:
        case {"rows": [*rows], "code": int(code), "beside": dict(beside)} if all(
            isinstance(row, str) for row in rows
        ):
            is_same = all(how_it_is(Path(path)) == state for path, state in beside.items())
            return KeptReport(tuple(rows), code) if is_same else None
        case _:
            return None


def keep(key: str, report: KeptReport, beside: Mapping[str, str]) -> None:
    """Keep *report* under *key*, with how the files *beside* the document were."""
    standard().put(
        key, json_bytes({"rows": list(report.rows), "code": report.code, "beside": dict(beside)})
    )


def _digest_of_file(path: Path) -> str | None:
    """A digest of a plain file; what else there is can be read only once.

    Of one that is longer than any document nothing is kept: only its beginning is read.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES_OF_XML + 1) if path.is_file() else None
    except OSError:
        return None
    return None if data is None or len(data) > MOST_BYTES_OF_XML else digest_of([data]).hex()
