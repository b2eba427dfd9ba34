"""Errata: replacements that the document makes in itself, with their reasons.

They are applied to tokens, so one erratum finds its words in every notation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from zermelo.languages.sections.read.grammar.lexer import lex
from zermelo.languages.sections.read.grammar.tokens import Token
from zermelo.languages.sections.read.grammar.tree import Erratum
from zermelo.languages.sections.read.rows import Row
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.lines import DocumentLine
from zermelo.text.source import Source, Span

MOST: Final = 40

_PAIRS: Final = (('"', '"'), ("“", "”"), ("`", "`"), ("'", "'"), ("«", "»"))
_WORDS: Final = "|".join(f"{opening}[^{closing}]*{closing}" for opening, closing in _PAIRS)
_QUOTED: Final = re.compile(
    rf"(?P<old>{_WORDS})\s*(?:→|⇒|->|=>|\$?\\(?:to|rightarrow)\$?|\bbecomes\b)\s*"
    rf"(?P<new>{_WORDS})\s*(?::\s*(?P<reason>.*))?$"
)


@dataclass(frozen=True, slots=True)
class Correction:
    """An erratum with the tokens it looks for and puts in their place."""

    erratum: Erratum
    old: tuple[Token, ...]
    new: tuple[Token, ...]


def correction(source: Source, line: DocumentLine) -> Correction | Diagnostic:
    """The erratum on *line*, or what is wrong with it."""
    text = source.slice(line.span)
    found = _QUOTED.match(text)
    if not found:
        return Diagnostic(
            codes.SETTING_NOT_UNDERSTOOD,
            "this line is no erratum",
            primary=Label(line.span, "looked for: what stands there, an arrow, what it should be"),
            help='write `"old words" → "new words": reason`',
        )
    start = line.span.start
    old = Span(start + found.start("old") + 1, start + found.end("old") - 1)
    new = Span(start + found.start("new") + 1, start + found.end("new") - 1)
    reason = " ".join(filter(None, ((found["reason"] or "").strip(), line.comment)))
    old_words, new_words = source.slice(old).strip(), source.slice(new).strip()
    erratum = Erratum(old_words, new_words, reason, span=line.span)
    return Correction(erratum, lex(source, old)[0], lex(source, new)[0])


def corrected(
    rows: Sequence[Row], corrections: Iterable[Correction]
) -> tuple[tuple[Row, ...], frozenset[Correction]]:
    """*rows* with every correction made, and the corrections that found their words."""
    used: set[Correction] = set()
    result = tuple(rows)
    for each in corrections:
        if not each.old:
            continue
        after: list[Row] = []
        first = each.old[0].text
        for row in result:
            has_first = any(token.text == first for token in row.tokens)
            tokens = _replaced(row.tokens, each) if has_first else None
            if tokens is None:
                after.append(row)
            else:
                used.add(each)
                after.append(replace(row, tokens=tokens, said=_outside(row, each)))
        result = tuple(after)
    return result, frozenset(used)


def unused(each: Correction) -> Diagnostic:
    """That the words of an erratum are nowhere in the document."""
    return Diagnostic(
        codes.ERRATUM_WITHOUT_PLACE,
        f"`{each.erratum.old}` does not occur in the formulas of this document",
        primary=Label(each.erratum.span, "this erratum changes nothing"),
        help="write the words as they stand on one line of the document, or remove the erratum",
    )


def _replaced(tokens: tuple[Token, ...], each: Correction) -> tuple[Token, ...] | None:
    wanted = [token.text for token in each.old]
    size = len(wanted)
    result: list[Token] = []
    at = 0
    is_found = False
    while at < len(tokens):
        window = tokens[at : at + size]
        if tokens[at].text == wanted[0] and [token.text for token in window] == wanted:
            place = window[0].span.to(window[-1].span)
            for index, token in enumerate(each.new):
                blank = window[0].blank_before if index == 0 else token.blank_before
                result.append(replace(token, span=place, blank_before=blank))
            at += size
            is_found = True
        else:
            result.append(tokens[at])
            at += 1
    return tuple(result) if is_found else None


def _outside(row: Row, each: Correction) -> tuple[Diagnostic, ...]:
    """What was said of *row*, without what was said of the replaced words."""
    wanted = [token.text for token in each.old]
    places = [
        row.tokens[at].span.to(row.tokens[at + len(wanted) - 1].span)
        for at in range(len(row.tokens) - len(wanted) + 1)
        if [token.text for token in row.tokens[at : at + len(wanted)]] == wanted
    ]
    return tuple(
        said
        for said in row.said
        if not (said.primary and any(place.covers(said.primary.span) for place in places))
    )
