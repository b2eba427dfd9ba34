"""Errata of printed programs: replacements in formulas, with their reasons.

They stand under a heading *Errata*, one on a line, as in documents with sections, and
are made among the pieces of formulas, so that they may be written as print shows the
formula or as source form does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from zermelo.languages.led.read.printed import pieces as reading
from zermelo.languages.led.read.printed.formulas import Formula, Part
from zermelo.languages.led.read.printed.layout import Stretch, What
from zermelo.languages.led.read.printed.pieces import Kind, Piece
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.source import Source, Span

MOST: Final = 200

_HEADING: Final = re.compile(r"^\s*(?:#+\s*)?(?:\d+\.?\s*)?Errata\s*:?\s*$")
_OTHER_HEADING: Final = re.compile(r"^\s*#+\s")
_LINE: Final = re.compile(
    r"\s*(?:[-*]\s+)?(?P<quote>[\"“«`'])(?P<old>.+?)[\"”»`']\s*(?:→|⇒|->|=>|\bbecomes\b)\s*"
    r"[\"“«`'](?P<new>.*?)[\"”»`']\s*(?::\s*(?P<reason>[^\"”»]*))?$"
)


@dataclass(frozen=True, slots=True)
class _Erratum:
    old: tuple[Piece, ...]
    new: tuple[Piece, ...]
    span: Span


def applied(
    source: Source, parts: Sequence[Part], *, as_written: bool
) -> Checked[tuple[Part, ...]]:
    """*parts* with the document's errata made in them."""
    result = list(parts)
    said: list[Diagnostic] = []
    for erratum in () if as_written else tuple(_errata(source, parts))[:MOST]:
        is_used = False
        for at, part in enumerate(result):
            if isinstance(part, Formula):
                changed = _replaced(part.pieces, erratum)
                if changed:
                    result[at] = replace(part, pieces=changed)
                    is_used = True
        if not is_used:
            said.append(_unused(source, erratum))
    return Checked(tuple(result), tuple(said))


def _errata(source: Source, parts: Sequence[Part]) -> Iterator[_Erratum]:
    for part in parts:
        if isinstance(part, Stretch) and part.what is What.PROSE:
            yield from _section(source, part)


def _section(source: Source, part: Stretch) -> Iterator[_Erratum]:
    is_inside = False
    first, last = source.line_of(part.span.start), source.line_of(part.span.end)
    for number in range(first, last + 1):
        line = source.line(number)
        if _HEADING.match(line):
            is_inside = True
        elif _OTHER_HEADING.match(line):
            is_inside = False
        found = _LINE.match(line) if is_inside else None
        if found:
            start = source.line_span(number).start
            yield _Erratum(
                _pieces(source, found, "old", start),
                _pieces(source, found, "new", start),
                source.line_span(number),
            )


def _pieces(source: Source, found: re.Match[str], group: str, start: int) -> tuple[Piece, ...]:
    span = Span(start + found.start(group), start + found.end(group))
    return tuple(p for p in reading.read(source, span).pieces if p.kind is not Kind.TAG)


def _replaced(pieces: tuple[Piece, ...], erratum: _Erratum) -> tuple[Piece, ...]:
    """*pieces* with the erratum made wherever its words stand; empty if they stand nowhere."""
    wanted = [piece.text for piece in erratum.old]
    size = len(wanted)
    if not size:
        return ()
    result: list[Piece] = []
    at = 0
    is_found = False
    while at < len(pieces):
        window = pieces[at : at + size]
        if [piece.text for piece in window] == wanted:
            place = window[0].span.to(window[-1].span)
            result += (replace(piece, span=place) for piece in erratum.new)
            at += size
            is_found = True
        else:
            result.append(pieces[at])
            at += 1
    return tuple(result) if is_found and result else ()


def _unused(source: Source, erratum: _Erratum) -> Diagnostic:
    words = source.slice(erratum.old[0].span.to(erratum.old[-1].span)) if erratum.old else ""
    return Diagnostic(
        codes.ERRATUM_WITHOUT_PLACE,
        f"`{words}` does not occur in the formulas of this document",
        primary=Label(erratum.span, "this erratum changes nothing"),
        help="write the words as they stand in one formula, or remove the erratum",
    )
