"""A document with sections as a LaTeX article: headings, lists of formulas, remarks in italics.

It compiles as it is, and Zermelo reads it again as the same document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.read.grammar.document_printer import Row, section_rows
from zermelo.text import latex
from zermelo.text.source import Notation

_REMARK: Final = "\\newcommand{\\remark}[1]{\\textit{\\small #1}}\n"
"""What stands beside formulas; reading it again, `text.lines` takes it for a comment."""
_LAYOUT: Final = "\\raggedright\n\\setlength{\\parskip}{3pt plus 1pt}\n"
_DEEPEST: Final = 3
"""LaTeX has four lists in each other and no more."""
_TITLE: Final = re.compile(r"#{1,2}\s++(?P<title>\S.*)")


def article(document: tree.SectionsDocument, *, title: str = "") -> str:
    """*document* as a complete LaTeX document; *title* is used where it gives none."""
    sections = section_rows(document, Notation.LATEX)
    body = "\n\n".join("\n".join(_section(section, rows)) for section, rows in sections)
    before = "\n".join(document.preamble)
    if latex.BEGIN_DOCUMENT in before:
        remark = "" if "\\newcommand{\\remark}" in before else _REMARK
        return latex.completed(f"{before}\n\n{body}", also=remark)
    words = f"{_words(document.preamble, title)}\n\n{body}"
    head = latex.PREAMBLE + _REMARK + latex.declarations(words)
    start = f"{latex.BEGIN_DOCUMENT}\n{_LAYOUT}"
    return f"{head}\n{start}\n{words}\n\n{latex.END_DOCUMENT}\n"


def _words(preamble: Sequence[str], title: str) -> str:
    """What stands before the first section, the first heading of it as the title."""
    first = next((at for at, line in enumerate(preamble) if line.strip()), None)
    found = _TITLE.fullmatch(preamble[first].strip()) if first is not None else None
    if found is not None and first is not None:
        title, preamble = found["title"], preamble[first + 1 :]
    shown = f"\\title{{{latex.inline(title)}}}\n\\date{{}}\n\\maketitle\n" if title else ""
    words = latex.from_markdown("\n".join(preamble)).strip("\n")
    return f"{shown}\n{words}".strip("\n")


def _section(section: tree.Section, rows: Iterable[Row]) -> Iterator[str]:
    yield f"\\section*{{{section.kind.value}}}"
    level = -1
    for row in _joined(rows):
        depth = min(row.level, _DEEPEST)
        yield from _lists(level, depth)
        level = depth
        yield f"{'  ' * row.level}{_item(row)}"
    yield from _lists(level, -1)


def _joined(rows: Iterable[Row]) -> Iterator[Row]:
    """*rows* without empty ones; neighbours that are words alone become one."""
    for (is_prose, level), group in groupby(
        rows, key=lambda row: (not row.text and bool(row.note), row.level)
    ):
        if is_prose:
            yield Row(level, note=" ".join(row.note for row in group))
        else:
            yield from (row for row in group if row.text)


def _lists(before: int, after: int) -> Iterator[str]:
    """What opens and closes the lists between two levels."""
    for level in range(before, after, -1):
        yield f"{'  ' * level}\\end{{itemize}}"
    for level in range(before + 1, after + 1):
        yield f"{'  ' * level}\\begin{{itemize}}"


def _item(row: Row) -> str:
    note = f"\\remark{{{latex.escaped(row.note)}}}" if row.note else ""
    if not row.text:
        return f"\\item[] {note}"
    text = f"${row.text}$" if row.is_formula else latex.with_few_escapes(row.text)
    return f"\\item {text} \\quad {note}" if note else f"\\item {text}"
