"""Strings that lost their blanks: print sets them as if they were formulas."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from zermelo.languages.led.mean.repairs.rebuild import changed_definition, with_definitions
from zermelo.languages.led.mean.repairs.words import place
from zermelo.languages.led.read import tree
from zermelo.languages.led.read.tree import Definition, Document, Expr
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.source import Span

SHORTEST: Final = 3
LONGEST: Final = 80
MOST_QUOTED: Final = 1000
"""How many words in quotation marks are compared with a string."""

_QUOTED: Final = re.compile(r"[\"“”]([^\"“”\n]{1,200})[\"“”]|``([^`'\n]{1,200})''")


@dataclass(frozen=True, slots=True)
class _Spelling:
    """How prose spells a string, and where."""

    text: str
    span: Span


def with_blanks(document: Document) -> Checked[Document]:
    """*document* with strings spelt as the prose around them spells them."""
    said: list[Diagnostic] = []
    result: list[Definition] = []
    quoted = [
        (part, found.span())
        for part in document.parts
        if isinstance(part, tree.Prose)
        for found in _QUOTED.finditer(part.text)
    ][:MOST_QUOTED]
    for at, definition in enumerate(document.parts):
        if not isinstance(definition, Definition):
            continue
        near = _near(document, at)

        def change(
            expr: Expr,
            definition: Definition = definition,
            near: list[tree.Prose] = near,
        ) -> Expr | None:
            if not isinstance(expr, tree.Text):
                return None
            found = _spelling(expr.value, near, quoted)
            if found is None:
                return None
            said.append(_lost(definition, expr, found))
            return tree.Text(found.text, span=expr.span)

        result.append(changed_definition(definition, change))
    return Checked(with_definitions(document, result), tuple(said))


def _near(document: Document, at: int) -> list[tree.Prose]:
    """The prose before the part at *at* and the prose behind it."""
    steps = (range(at, -1, -1), range(at, len(document.parts)))
    found = (
        next((part for i in step if isinstance(part := document.parts[i], tree.Prose)), None)
        for step in steps
    )
    return [each for each in found if each is not None]


def _spelling(
    text: str, near: list[tree.Prose], quoted: list[tuple[tree.Prose, tuple[int, int]]]
) -> _Spelling | None:
    """How *text* is spelt with blanks: in prose near it, or between quotation marks."""
    if not SHORTEST <= len(text) <= LONGEST or re.search(r"\s", text):
        return None
    pattern = re.compile(r"(?<!\w)" + r"\s*".join(map(_letter, text)) + r"(?!\w)")
    spellings = [
        *(found for prose in near for found in _matches(pattern, prose)),
        *(found for prose, within in quoted for found in _matches(pattern, prose, within=within)),
    ]
    if any(found.text == text for found in spellings):
        return None
    return spellings[0] if spellings else None


def _letter(char: str) -> str:
    return "['’′]" if char in "'’" else re.escape(char)


def _matches(
    pattern: re.Pattern[str], prose: tree.Prose, *, within: tuple[int, int] | None = None
) -> list[_Spelling]:
    start, end = within or (0, len(prose.text))
    return [
        _Spelling(
            " ".join(found.group().replace("’", "'").split()),
            Span(prose.span.start + found.start(), prose.span.start + found.end()),
        )
        for found in pattern.finditer(prose.text, start, end)
    ]


def _lost(definition: Definition, expr: tree.Text, found: _Spelling) -> Diagnostic:
    return Diagnostic(
        codes.LOST_BLANKS,
        f'the string "{expr.value}" in {place(definition)} has lost its blanks',
        primary=Label(expr.span, f'taken as "{found.text}"'),
        secondary=(Label(found.span, "spelt like this here"),),
    )
