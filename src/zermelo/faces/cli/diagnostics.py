"""Diagnostics on a screen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import click

from zermelo.faces.cli.ascii import to_ascii, to_ascii_cells
from zermelo.faces.cli.screen import Screen
from zermelo.text import render
from zermelo.text.diagnostic import Diagnostic, Severity
from zermelo.text.prose import count, listing
from zermelo.text.source import Source, width

# A line of the document, of carets, or what stands for lines left out.
_OF_DOCUMENT: Final = re.compile(r" *\d* +[|:]")
_REMARK: Final = re.compile(r" *= \w+: ")
_HANG: Final = 4


def show_diagnostics(diagnostics: Iterable[Diagnostic], source: Source, screen: Screen) -> None:
    """Write *diagnostics* in full, with the lines they speak of."""
    for row in render.full(diagnostics, source, color=screen.has_colour).split("\n"):
        if _OF_DOCUMENT.match(click.unstyle(row)):
            # Such lines keep their widths, so that carets stay below what they point at.
            screen.write(to_ascii_cells(row) if screen.is_ascii else row)
        else:
            for part in broken(to_ascii(row) if screen.is_ascii else row, screen.width):
                screen.write(part)


def broken(row: str, size: int) -> Iterator[str]:
    """A *row* that is already styled, in parts of at most *size* cells; a remark hangs together.

    >>> list(broken(" = note: it is back at its first value", 24))
    [' = note: it is back at', '         its first value']
    """
    remark = _REMARK.match(click.unstyle(row))
    hang = " " * (remark.end() if remark else _HANG)
    start = len(row) - len(row.lstrip(" "))
    words = row[start:].split(" ")
    part = row[:start] + words[0]
    for word in words[1:]:
        longer = f"{part} {word}"
        if width(click.unstyle(longer)) > size:
            yield part
            longer = hang + word
        part = longer
    yield part


def summary(diagnostics: Sequence[Diagnostic]) -> str:
    """How many errors and warnings there are."""
    parts = [
        count(number, severity.value)
        for severity in Severity
        if (number := sum(d.level is severity for d in diagnostics))
    ]
    return listing(parts) or "nothing to say"
