"""Headings that are none of the usual ones: what stands under them shows what they open.

A line is such a heading if it is dressed as those that are known: ``## Start`` beside
``## System Variables``. Under ``## Start`` there are first values, so it is the initialization.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from zermelo.languages.sections.read.grammar.cursor import DeclaredNames
from zermelo.languages.sections.read.grammar.tokens import TokenKind
from zermelo.languages.sections.read.rows import RowShape, TokenRow, declared, leading_names, shape
from zermelo.languages.sections.read.scan import is_certain_head, is_described, without_opening
from zermelo.languages.sections.read.worded_rows import in_signs
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Fix, Label
from zermelo.text.headings import Heading, SectionKind, title
from zermelo.text.lines import DocumentLine
from zermelo.text.source import Source, Span

_NO_NAMES: Final = DeclaredNames()
_UNDERLINE: Final = re.compile(r"\s*(?:={3,}|-{3,})\s*$")
_BY_SHAPE: Final = {
    RowShape.DEFINITION: SectionKind.SETS,
    RowShape.DECLARATION: SectionKind.VARIABLES,
    RowShape.EQUIVALENCE: SectionKind.FACTS,
}
_BEHAVIOUR: Final = frozenset({RowShape.RULE, RowShape.CONCLUSION, RowShape.STEP})


def unknown_headings(
    source: Source, found: Sequence[DocumentLine], known: Mapping[int, Heading]
) -> dict[int, Span]:
    """The words of the lines that are dressed as the *known* headings are, and none of them."""
    styles = {each.style for each in known.values()}
    has_lines = any(_is_underlined(source, number) for number in known)
    words: dict[int, Span] = {}
    for number in dict.fromkeys(line.number for line in found if not line.is_empty):
        if number in known or number < min(known, default=0):
            continue
        style, bare = title(source.line(number))
        is_dressed = style in styles and not style.startswith(("plain ", ": "))
        if bare and (is_dressed or (has_lines and _is_underlined(source, number))):
            start = source.line_span(number).start + source.line(number).index(bare.split()[0])
            words[number] = Span(start, start + len(bare))
    return words


def _is_underlined(source: Source, number: int) -> bool:
    return number < source.line_count and bool(_UNDERLINE.match(source.line(number + 1)))


def variables_of(sections: Sequence[Sequence[TokenRow]]) -> frozenset[str]:
    """The names that rows declare, under whatever heading."""
    rows = (
        in_signs(row.tokens, SectionKind.VARIABLES, frozenset())
        for each in sections
        for row in each
    )
    return frozenset(name for tokens in rows for name in declared(tokens, _NO_NAMES))


def kind_of(rows: Sequence[TokenRow], variables: frozenset[str]) -> SectionKind | None:
    """What most of *rows* are; ``None`` if there is no formula among them."""
    counts = Counter(_kinds(rows, variables))
    if counts[SectionKind.BEHAVIOUR]:
        return SectionKind.BEHAVIOUR
    return next((kind for kind, _ in counts.most_common(1)), None)


def _kinds(rows: Sequence[TokenRow], variables: frozenset[str]) -> Iterator[SectionKind]:
    for row in rows:
        tokens = without_opening(row.tokens)
        look = shape(tokens, _NO_NAMES)
        if look in _BEHAVIOUR or (look is RowShape.CALL and is_certain_head(row)):
            yield SectionKind.BEHAVIOUR
        elif is_described(tokens, SectionKind.SETS):
            yield SectionKind.SETS
        elif look is RowShape.EQUATION:
            names, equals = leading_names(tokens)
            right = {token.text for token in tokens[equals:] if token.kind is TokenKind.NAME}
            if not variables.issuperset(names):
                yield SectionKind.SETS
            elif right & variables:
                yield SectionKind.FACTS
            else:
                yield SectionKind.INITIALISATION
        elif look in _BY_SHAPE:
            yield _BY_SHAPE[look]


def taken_as(source: Source, words: Span, kind: SectionKind) -> Diagnostic:
    return Diagnostic(
        codes.UNKNOWN_HEADING,
        f"`{source.slice(words)}` is taken as the heading `{kind.value}`",
        primary=Label(words, "a heading, and none of the usual ones"),
        notes=("what stands under it shows that",),
        help=f"write `{kind.value}`",
        fix=Fix(words, kind.value),
    )
