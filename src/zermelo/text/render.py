"""Diagnostics as text: in full, in one line each, and as JSON values; any text for XML.

Characters that are not seen, or would steer a terminal, are shown by their numbers.
"""

from __future__ import annotations

import heapq
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Diagnostic, Json, Label
from zermelo.text.source import Source, Span, hidden, visible, width

COLUMNS: Final = 120
"""How wide diagnostics are where nobody says it. Of a line that is longer only a part is shown, so
that a terminal does not wrap it under its carets."""

_LEAD: Final = 12
CUT: Final = "…"

# What XML 1.0 has no way to write, not even as a reference.
_NOT_IN_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_RESET: Final = "\x1b[0m"
_BOLD: Final = "\x1b[1m"
_BLUE: Final = "\x1b[1;34m"
_COLOURS: Final[Mapping[Severity, str]] = {
    Severity.ERROR: "\x1b[1;31m",
    Severity.WARNING: "\x1b[1;33m",
    Severity.NOTE: "\x1b[1;36m",
}


def full(
    diagnostics: Iterable[Diagnostic],
    source: Source,
    *,
    color: bool = False,
    columns: int = COLUMNS,
) -> str:
    """*diagnostics* with the lines they speak of, which take at most so many *columns*."""
    return "\n\n".join(
        _block(each, source, color=color, columns=columns) for each in in_order(diagnostics)
    )


def one_line(diagnostic: Diagnostic, source: Source) -> str:
    return f"{_place(diagnostic, source)}: {_headline(diagnostic)}"


def as_json(diagnostic: Diagnostic, source: Source) -> dict[str, Json]:
    """*diagnostic* about *source*; where its places are in another file, that is named."""
    elsewhere = diagnostic.source
    source = elsewhere or source
    start = diagnostic.primary.span.start if diagnostic.primary else None
    fix = diagnostic.fix
    return {
        **({} if elsewhere is None else {"file": elsewhere.name}),
        "code": diagnostic.code.id,
        "severity": diagnostic.level.value,
        "line": None if start is None else source.line_of(start),
        "column": None if start is None else source.column_of(start),
        "message": diagnostic.message,
        "help": diagnostic.help,
        "fix": _span_json(fix.span, source, replacement=fix.replacement) if fix else None,
        "notes": list(diagnostic.notes),
        "labels": [
            _span_json(label.span, source, text=label.text, primary=is_primary)
            for label, is_primary in _labels(diagnostic)
        ],
        **({} if diagnostic.play is None else {"play": list(diagnostic.play)}),
    }


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """*diagnostics* by their place in the document; those without a place there come last."""

    def key(diagnostic: Diagnostic) -> tuple[bool, bool, Span, str, str]:
        span = diagnostic.primary.span if diagnostic.primary else Span(0, 0)
        is_elsewhere, is_nowhere = diagnostic.source is not None, diagnostic.primary is None
        return is_elsewhere, is_nowhere, span, diagnostic.code.id, diagnostic.message

    return sorted(diagnostics, key=key)


def most_severe(diagnostics: Iterable[Diagnostic], most: int) -> list[Diagnostic]:
    """So many of *diagnostics* as *most* says: errors before warnings, and these before notes."""
    levels = list(Severity)
    return heapq.nsmallest(most, in_order(diagnostics), key=lambda each: levels.index(each.level))


def for_xml(text: str) -> str:
    """*text* between tags or in a quoted attribute; what is not seen is written as a reference.

    >>> for_xml('a < "b" & c')
    'a &lt; &quot;b&quot; &amp; c'
    """
    clean = _NOT_IN_XML.sub("\ufffd", text)
    for sign, written in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        clean = clean.replace(sign, written)
    return _replaced(clean, lambda char: f"&#x{ord(char):X};")


def shown_in_xml(text: str) -> str:
    """*text* for people to see in a picture, like ``for_xml`` otherwise."""
    return for_xml(visible(text))


def _replaced(text: str, written: Callable[[str], str]) -> str:
    """*text* with its hidden characters as they are *written*."""
    if text.isascii() and text.isprintable():
        return text
    chars = list(text)
    for at in hidden(text):
        chars[at] = written(chars[at])
    return "".join(chars)


def _span_json(span: Span, source: Source, **more: Json) -> dict[str, Json]:
    return {
        "line": source.line_of(span.start),
        "column": source.column_of(span.start),
        "end_line": source.line_of(span.end),
        "end_column": source.column_of(span.end),
        **more,
    }


def _place(diagnostic: Diagnostic, source: Source) -> str:
    source = diagnostic.source or source
    if diagnostic.primary is None:
        return _harmless(source.name)
    start = diagnostic.primary.span.start
    return f"{_harmless(source.name)}:{source.line_of(start)}:{source.column_of(start)}"


def _headline(diagnostic: Diagnostic) -> str:
    return f"{diagnostic.level.value}[{diagnostic.code.id}]: {_harmless(diagnostic.message)}"


def _labels(diagnostic: Diagnostic) -> list[tuple[Label, bool]]:
    labels = [(label, False) for label in diagnostic.secondary]
    if diagnostic.primary:
        labels.append((diagnostic.primary, True))
    return sorted(labels, key=lambda pair: (pair[0].span.start, not pair[1]))


def _block(diagnostic: Diagnostic, source: Source, *, color: bool, columns: int) -> str:
    def paint(colour: str, text: str) -> str:
        return f"{colour}{text}{_RESET}" if color and text else text

    source = diagnostic.source or source
    labels = _labels(diagnostic)
    last = max((source.line_of(label.span.start) for label, _ in labels), default=1)
    room = " " * len(str(last))
    mark, _, message = _headline(diagnostic).partition(": ")
    rows = [f"{paint(_COLOURS[diagnostic.level], mark)}: {paint(_BOLD, message)}"]
    if diagnostic.primary or diagnostic.source:
        rows.append(f"{room}{paint(_BLUE, '-->')} {_place(diagnostic, source)}")
    if labels:
        rows.append(f"{room} {paint(_BLUE, '|')}")
        rows += _snippet(
            labels,
            source,
            room=room,
            level=diagnostic.level,
            paint=paint,
            cells=columns - len(f"{room} | "),
        )
    remarks = [("note", note) for note in diagnostic.notes]
    if diagnostic.help:
        remarks.append(("help", diagnostic.help))
    for word, text in remarks:
        lines = _harmless(text, keep="\n").split("\n")
        rows.append(f"{room} {paint(_BLUE, '=')} {paint(_BOLD, word + ':')} {lines[0]}")
        rows += [f"{room}         {line}".rstrip() for line in lines[1:]]
    return "\n".join(rows)


def _snippet(
    labels: list[tuple[Label, bool]],
    source: Source,
    *,
    room: str,
    level: Severity,
    paint: Callable[[str, str], str],
    cells: int,
) -> list[str]:
    """The lines of *source* with *labels* below them, none of more than so many *cells*."""
    rows: list[str] = []
    shown_line = 0
    shown_cells: tuple[int, int] = (0, 0)
    for label, is_primary in labels:
        line = source.line_of(label.span.start)
        first, last = source.cells(label.span)
        if line != shown_line or not (shown_cells[0] <= first and last <= shown_cells[1]):
            if shown_line and line > shown_line + 1:
                rows.append(f"{room} {paint(_BLUE, ':')}")
            shown_line, shown_cells = line, _window(source.line(line), (first, last), cells)
            number = paint(_BLUE, f"{line:>{len(room)}} |")
            rows.append(f"{number} {_shown(source.line(line), shown_cells)}".rstrip())
        last = max(min(last, shown_cells[1]), first + 1)
        indent = first - shown_cells[0] + (len(CUT) if shown_cells[0] else 0)
        carets = ("^" if is_primary else "-") * (last - first)
        colour = _COLOURS[level] if is_primary else _BLUE
        for blanks, text in _marked(carets, _harmless(label.text), indent, cells):
            rows.append(f"{room} {paint(_BLUE, '|')} {' ' * blanks}{paint(colour, text)}")
    return rows


def _window(line: str, marked: tuple[int, int], most: int) -> tuple[int, int]:
    """The cells of *line* that are shown: *most* with the signs of cuts, and *marked* among them.

    Of a mark that is longer, its beginning.
    """
    first, last = marked
    # A label may point just behind the line.
    end = max(width(line), last)
    if end <= most:
        return 0, most
    within = most - len(CUT)
    if last <= within or first <= most // 4:
        return 0, within
    start = max(0, min(first - _LEAD, end - within))
    is_cut_twice = start > 0 and start + within < end
    return start, start + within - (len(CUT) if is_cut_twice else 0)


def _shown(line: str, cells: tuple[int, int]) -> str:
    """The part of *line* in *cells*, with tabs as blanks and a sign where it was cut."""
    start, end = cells
    at = 0
    kept: list[str] = []
    for char in visible(line):
        size = width(char, column=at)
        if at + size > end:
            kept.append(CUT)
            break
        if at >= start and (size or at > start):
            kept.append(" " * size if char == "\t" else char)
        elif at + size > start:
            kept.append(" " * (at + size - start))
        at += size
    return (CUT if start else "") + "".join(kept)


def _marked(carets: str, words: str, indent: int, most: int) -> Iterator[tuple[int, str]]:
    """The rows below a line, with their blanks: *carets*, and *words* beside them or below."""
    if not words or indent + len(carets) + 1 + width(words) <= most:
        yield indent, f"{carets} {words}".rstrip()
        return
    yield indent, carets
    # Far to the right there is room for a word or two only: so it begins further left.
    indent = min(indent, max(most // 2, most - width(words)))
    row = ""
    for word in words.split(" "):
        longer = f"{row} {word}" if row else word
        if row and indent + width(longer) > most:
            yield indent, row
            longer = word
        row = longer
    yield indent, row


def _harmless(text: str, *, keep: str = "") -> str:
    """*text* in one line, or with the line breaks that are to *keep*, as a terminal may get it."""
    return "".join(char for char in visible(text) if char in keep or char not in "\t\n\r")


_WIDEST_JSON: Final = 96


_ENCODER: Final = json.JSONEncoder(ensure_ascii=False)


def _json(data: Json) -> str:
    """*data* in one line; what is not seen is escaped."""
    return _replaced(_ENCODER.encode(data), lambda char: json.dumps(char)[1:-1])


def json_text(data: Json, *, indent: int = 0) -> str:
    """*data* as JSON, in which what fits stands in one line.

    >>> print(json_text({"over": False, "cells": [[1, 2], [3, 4]]}))
    {"over": false, "cells": [[1, 2], [3, 4]]}
    """
    if isinstance(data, str) or not data or not isinstance(data, Mapping | Sequence):
        return _json(data)
    # What fits in a line has only parts that do, so each is written once.
    if isinstance(data, Mapping):
        brackets = "{}"
        parts = [
            f"{_json(key)}: {json_text(value, indent=indent + 2)}" for key, value in data.items()
        ]
    else:
        brackets = "[]"
        parts = [json_text(value, indent=indent + 2) for value in data]
    size = indent + sum(map(len, parts)) + 2 * len(parts)
    if size <= _WIDEST_JSON and not any("\n" in part for part in parts):
        return brackets[0] + ", ".join(parts) + brackets[1]
    inner, outer = "\n" + " " * (indent + 2), "\n" + " " * indent
    return brackets[0] + inner + f",{inner}".join(parts) + outer + brackets[1]


# Tables, for notebooks; nothing in them is ever taken for markup


def html_table(head: Sequence[str], rows: Iterable[Sequence[str]], *, caption: str = "") -> str:
    """A table with a *head* and *rows*, below its *caption*.

    >>> html_table(["value", "states"], [["a < b", "2"]], caption="All")
    '<table><caption>All</caption><thead><tr><th>value</th><th>states</th></tr></thead>\
<tbody><tr><td>a &lt; b</td><td>2</td></tr></tbody></table>'
    """
    named = f"<caption>{shown_in_xml(caption)}</caption>" if caption else ""
    body = "".join(_html_row(row, "td") for row in rows)
    return f"<table>{named}<thead>{_html_row(head, 'th')}</thead><tbody>{body}</tbody></table>"


def _html_row(cells: Sequence[str], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{shown_in_xml(cell)}</{tag}>' for cell in cells)}</tr>"
