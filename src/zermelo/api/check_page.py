"""What a check found as one page of HTML, to be read, sent and printed.

Every play that shows something is drawn as a strip of boards. The page needs nothing else and asks
for nothing: no script, no address, no font.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Final

from zermelo.api import pictures
from zermelo.api.game import Game
from zermelo.api.pictures import PictureFormat
from zermelo.api.questions import Report
from zermelo.core.observation import Checkup, PropertyVerdict, moves_of
from zermelo.play.lines import verdict_lines
from zermelo.text import render
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.errors import UsageError
from zermelo.text.prose import Line, count
from zermelo.text.render import shown_in_xml

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_MOST_DRAWN: Final = 60
"""So many plays are drawn: a page with more would be too long to be opened."""
_LONGEST_DRAWN: Final = 40
"""Longer plays are told in words."""
_STYLE: Final = """\
body { max-width: 60rem; margin: 2rem auto; padding: 0 1.25rem; color: #111; background: #fff;
  font: 1rem/1.5 "Iowan Old Style", Palatino, "URW Palladio L", Georgia, serif; }
h1 { font-weight: 500; font-size: 1.75rem; line-height: 1.2; }
h2 { margin: 2rem 0 0.5rem; border-bottom: 1px solid; font-weight: 500; font-size: 1.25rem;
  break-after: avoid; }
pre, code { font: 0.8125rem/1.45 ui-monospace, "DejaVu Sans Mono", Menlo, monospace; }
pre { margin: 0.5rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
section { margin: 1rem 0; padding: 0 0 0 0.75rem; border-left: 4px solid #888; }
.error, .fails { border-color: #b00020; } .warning, .undecided { border-color: #b36b00; }
.holds { border-color: #1b7a3d; }
.strip { overflow-x: auto; break-inside: avoid; } .strip svg { max-width: 100%; height: auto; }
@page { margin: 1.5cm; }
@media print { body { max-width: none; margin: 0; padding: 0; font-size: 10pt; } }"""


def check_page(game: Game, report: Report, *, document: str) -> str:
    """What *report* says of *game*, which is called *document* on the command line."""
    title = f"{game.source.name}: {_summary(report)}"
    page = _Page(game, document)
    body = [
        f"<h1>{shown_in_xml(title)}</h1>",
        *page.findings(report.diagnostics),
        *page.properties(report.properties),
        *page.certain(report),
    ]
    head = [
        "<!doctype html>",
        '<html lang="en">',
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{shown_in_xml(title)}</title>",
        f"<style>\n{_STYLE}\n</style>",
    ]
    return "\n".join([*head, *body, "</html>", ""])


def _summary(report: Report) -> str:
    found = count(len(report.diagnostics), "finding") if report.diagnostics else "nothing to say"
    if not report.properties:
        return found
    return f"{found}, {count(len(report.properties), 'property', 'properties')}"


class _Page:
    def __init__(self, game: Game, document: str) -> None:
        self._game = game
        self._document = document
        self._drawn = 0

    def findings(self, said: Sequence[Diagnostic]) -> Iterator[str]:
        if not said:
            return
        yield "<h2>Findings</h2>"
        for each in render.in_order(said):
            yield f'<section class="{each.level.value}">'
            yield f"<pre>{shown_in_xml(render.full([each], self._game.source))}</pre>"
            if each.play is not None:
                yield from self._play(each.play)
            yield "</section>"

    def properties(self, decided: Sequence[PropertyVerdict]) -> Iterator[str]:
        if not decided:
            return
        yield "<h2>Properties</h2>"
        for each in decided:
            yield f'<section class="{each.answer.value}">'
            yield f"<p><code>{shown_in_xml(each.text)}</code>: "
            yield f"<strong>{each.answer.value}</strong>, {shown_in_xml(each.why)}.</p>"
            if each.shown_by is not None:
                yield from self._play(moves_of(each.shown_by.play))
            yield "</section>"

    def certain(self, report: Report) -> Iterator[str]:
        if report.checkup is None or self._game.model is None:
            return
        yield "<h2>What playing shows</h2>"
        signature = self._game.model.signature
        yield from map(_line, verdict_lines(report.checkup.counted, signature))
        if report.confirmed:
            yield "<p>In all of them these facts hold:</p>"
            yield from (f"<p><code>{shown_in_xml(each)}</code></p>" for each in report.confirmed)
        yield from self._endings(report.checkup)

    def _endings(self, checkup: Checkup) -> Iterator[str]:
        for each in checkup.counted.endings:
            if checkup.counted.has_plays and each.play:
                yield "<section>"
                ending = shown_in_xml(str(each.outcome))
                yield f"<p>The shortest play to <strong>{ending}</strong>:</p>"
                yield from self._play(moves_of(each.play))
                yield "</section>"

    def _play(self, moves: Sequence[str]) -> Iterator[str]:
        """A play as a strip of boards, and the command that shows its rules."""
        if not moves:
            return
        command = shlex.join(["zermelo", "step", self._document, *moves])
        yield f"<p>To see each rule of this play: <code>{shown_in_xml(command)}</code></p>"
        if self._drawn == _MOST_DRAWN or len(moves) > _LONGEST_DRAWN:
            return
        try:
            turns = self._game.turns(*moves)
            sheet = pictures.sheet_of(self._game, turns, is_strip=True, has_coordinates=False)
        except UsageError:
            # A play of another reading, as of flags that are kept, cannot be made in this one.
            return
        self._drawn += 1
        drawing = pictures.written(sheet, PictureFormat.SVG).decode()
        yield f'<div class="strip">{drawing[drawing.index("<svg") :]}</div>'


def _line(line: Line) -> str:
    return f"<p>{shown_in_xml(line.text.strip())}</p>"
