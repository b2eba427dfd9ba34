"""Documents with sections: sets, variables, facts, initialization and behavior.

Errata, and limits on the line below their sum, are applied to tokens, so they are
found in every notation. Then names are collected, so that the second pass can tell
words from signs and heads from calls.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from zermelo.languages.sections.read.forms import Done
from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.read.grammar.lexer import lex
from zermelo.languages.sections.read.grammar.tokens import Token, TokenKind
from zermelo.languages.sections.read.grammar.tree import Erratum
from zermelo.languages.sections.read.lost_signs import with_lost_signs
from zermelo.languages.sections.read.row_layout import laid_out
from zermelo.languages.sections.read.rows import LONGEST, TokenRow
from zermelo.languages.sections.read.scan import Scan, is_certain_head, scan
from zermelo.languages.sections.read.units import Behaviour, SectionWalk
from zermelo.languages.sections.read.unknown_headings import (
    kind_of,
    taken_as,
    unknown_headings,
    variables_of,
)
from zermelo.text import codes
from zermelo.text.budget import spend
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Checked, Diagnostic, Fix, Label
from zermelo.text.headings import Heading, SectionKind, chosen, heading
from zermelo.text.lines import DocumentLine, lines, setting
from zermelo.text.render import in_order
from zermelo.text.source import Source, Span

MOST_ERRATA: Final = 40
_STEPS_OF_A_ROW: Final = 4
_QUOTES: Final = (('"', '"'), ("“", "”"), ("`", "`"), ("'", "'"), ("«", "»"))
_IN_QUOTES: Final = "|".join(f"{opening}[^{closing}]*{closing}" for opening, closing in _QUOTES)
_ERRATUM: Final = re.compile(
    rf"(?P<old>{_IN_QUOTES})\s*(?:→|⇒|->|=>|\$?\\(?:to|rightarrow)\$?|\bbecomes\b)\s*"
    rf"(?P<new>{_IN_QUOTES})\s*(?::\s*(?P<reason>.*))?$"
)
_OWN = frozenset(
    {SectionKind.READING, SectionKind.VIEW, SectionKind.ERRATA, SectionKind.PROPERTIES}
)
_KINDS = tuple(SectionKind)
_NEEDED: Final = (
    (SectionKind.VARIABLES, Severity.WARNING, "what the rules assign is taken as its variables"),
    (SectionKind.INITIALISATION, Severity.WARNING, "its variables have no first values"),
    (SectionKind.BEHAVIOUR, Severity.ERROR, "without rules there is nothing to run"),
)
"""Sections that a document should have, and what follows where they are missing."""


def parse(source: Source, *, as_written: bool = False) -> Checked[tree.SectionsDocument]:
    """The document that *source* is; *as_written* leaves its errata aside."""
    found = lines(source)
    headings = heading_lines(source, found)
    if not headings:
        return Checked(None, (_no_sections(),))
    unknown = unknown_headings(source, found, headings)
    parts = _parts(source, found, headings, unknown)
    reader = _DocumentReader(source, parts, as_written=as_written)
    sections = reader.sections()
    said = [*_misspelt(source, headings), *reader.said, *_missing(sections)]
    preamble = _preamble(source, min(headings))
    document = tree.SectionsDocument(preamble, sections, span=Span(0, len(source.text)))
    return Checked(document, tuple(in_order(said)))


@dataclass(slots=True)
class _SectionLines:
    """A heading and the lines under it."""

    kind: SectionKind
    span: Span
    lines: list[DocumentLine]
    rows: tuple[TokenRow, ...] = ()
    unknown: Span | None = None
    """The words of the heading, where it is none of the usual ones: its rows tell what it opens."""


def heading_lines(source: Source, found: Sequence[DocumentLine]) -> dict[int, Heading]:
    """The headings by the number of their line."""
    candidates: list[tuple[int, Heading]] = []
    seen = 0
    for line in found:
        if line.number == seen or line.is_empty:
            continue
        seen = line.number
        bounds = source.line_span(line.number)
        end = line.comment_span.start if line.comment_span else bounds.end
        each = heading(source.text[bounds.start : end].rstrip())
        if each:
            candidates.append((line.number, each))
    return chosen(candidates)


def _preamble(source: Source, first: int) -> tuple[str, ...]:
    before = [source.line(number).rstrip() for number in range(1, first)]
    filled = [at for at, text in enumerate(before) if text]
    return tuple(before[filled[0] : filled[-1] + 1]) if filled else ()


def _parts(
    source: Source,
    found: Sequence[DocumentLine],
    headings: dict[int, Heading],
    unknown: dict[int, Span],
) -> list[_SectionLines]:
    parts: list[_SectionLines] = []
    for line in found:
        each = headings.get(line.number)
        if line.number in unknown and parts:
            if parts[-1].unknown != unknown[line.number]:
                words = unknown[line.number]
                parts.append(_SectionLines(parts[-1].kind, words, [], unknown=words))
            continue
        if each is not None:
            span = source.line_span(line.number)
            if not parts or parts[-1].span.start != span.start:
                parts.append(_SectionLines(each.kind, span, _on_heading(source, line, each)))
        elif parts:
            parts[-1].lines.append(line)
    return parts


def _on_heading(source: Source, line: DocumentLine, each: Heading) -> list[DocumentLine]:
    """The first item, where it stands on the line of its heading; or a comment there."""
    if each.content is not None:
        span = Span(source.line_span(line.number).start + each.content, line.span.end)
    elif line.comment and line.comment_span:
        span = Span(line.comment_span.start, line.comment_span.start)
    else:
        return []
    return [replace(line, span=span, whole=span)]


class _DocumentReader:
    """One reading of a document's parts: first the names, then the items."""

    def __init__(self, source: Source, parts: list[_SectionLines], *, as_written: bool) -> None:
        self._source = source
        self.said: list[Diagnostic] = []
        self._moved: list[tuple[SectionKind, tree.SectionItem]] = []
        self._corrections = self._errata(parts)
        self._parts = parts
        corrections = [] if as_written else list(self._corrections.values())
        used: set[_Correction] = set()
        formal = [part for part in parts if part.kind not in _OWN]
        written = [[self._row(line) for line in part.lines] for part in formal]
        for rows in written:
            used |= self._correct(rows, corrections)
        mended = with_lost_signs(source, written)
        variables = variables_of(mended)
        for part, rows in zip(formal, mended, strict=True):
            kind = None if part.unknown is None else kind_of(rows, variables)
            if part.unknown is not None and kind is not None and kind is not part.kind:
                self.said.append(taken_as(source, part.unknown, kind))
            part.kind = kind or part.kind
            part.rows = with_sum_limits(laid_out(source, rows, part.kind, variables))
        self.said += [_unused(each) for each in corrections if each not in used]

    def _errata(self, parts: Sequence[_SectionLines]) -> dict[int, _Correction]:
        """The errata by the place where they begin."""
        found: dict[int, _Correction] = {}
        errata = (part.lines for part in parts if part.kind is SectionKind.ERRATA)
        for line in chain.from_iterable(errata):
            if not line.is_empty and len(found) < MOST_ERRATA:
                each = _correction(self._source, line)
                if isinstance(each, _Correction):
                    found[line.span.start] = each
        return found

    def _correct(self, rows: list[TokenRow], corrections: list[_Correction]) -> set[_Correction]:
        """Make every correction in *rows*, and give those that found their words."""
        used: set[_Correction] = set()
        for each in corrections:
            wanted = [token.text for token in each.old]
            for at, row in enumerate(rows):
                spend(_STEPS_OF_A_ROW + len(row.tokens), "applying errata", each.erratum.span)
                places = _places(row.tokens, wanted)
                if not places:
                    continue
                used.add(each)
                length = len(row.tokens) + len(places) * (len(each.new) - len(wanted))
                if length > LONGEST:
                    self.said.append(_too_long_with(each, length, row.line.span))
                    continue
                tokens = _with_correction(row.tokens, each, places)
                rows[at] = replace(row, tokens=tokens, said=_not_about(row, each, places))
        return used

    def _row(self, line: DocumentLine) -> TokenRow:
        row = TokenRow(line, ())
        if line.is_empty or row.is_too_long:
            return row
        tokens, said = lex(self._source, line.span)
        if line.display:
            # There `&` aligns rows, whatever else stands on the line.
            tokens = tuple(each for each in tokens if self._source.slice(each.span) != "&")
        return TokenRow(line, tokens, said)

    def sections(self) -> tuple[tree.Section, ...]:
        found = scan([(part.kind, part.rows) for part in self._parts if part.kind not in _OWN])
        sections: list[tree.Section] = []
        for part in self._parts:
            if part.kind in _OWN:
                sections.append(_section(part.kind, self._own_items(part), part.span))
            else:
                sections += [
                    _section(kind, self._items(kind, rows, found), span)
                    for kind, rows, span in self._split(part, found)
                ]
        return self._with_moved(sections)

    def _split(
        self, part: _SectionLines, found: Scan
    ) -> list[tuple[SectionKind, tuple[TokenRow, ...], Span]]:
        """*part*, cut where a head begins the behaviour without its heading."""
        whole = (part.kind, part.rows, part.span)
        if part.kind is SectionKind.BEHAVIOUR:
            return [whole]
        for index, row in enumerate(part.rows):
            if row.line.span.start in found.heads and is_certain_head(row):
                self.said.append(_unannounced(row.line.span, part.kind))
                first = (part.kind, part.rows[:index], part.span)
                return [first, (SectionKind.BEHAVIOUR, part.rows[index:], row.line.span)]
        return [whole]

    def _items(
        self, kind: SectionKind, rows: Sequence[TokenRow], found: Scan
    ) -> tuple[tree.SectionItem, ...]:
        each = SectionWalk(self._source, found, kind, rows).units()
        if kind is SectionKind.BEHAVIOUR:
            made = Behaviour(self._source, each)
            self._moved += made.moved
            self.said += made.said
            return made.items
        items: list[tree.SectionItem] = []
        for unit in each:
            self.said += unit.said
            for item in unit.made:
                if isinstance(item, Done):
                    continue
                if unit.home is None:
                    items.append(item)
                else:
                    self._moved.append((unit.home, item))
        return tuple(items)

    def _own_items(self, part: _SectionLines) -> tuple[tree.SectionItem, ...]:
        items: list[tree.SectionItem] = []
        comments: list[DocumentLine] = []
        for line in (*part.lines, None):
            is_more = bool(line and line.is_empty and not (line.is_after_blank and comments))
            if comments and not is_more:
                span = comments[0].comment_span or comments[0].span
                said = tuple(each.comment for each in comments)
                items.append(tree.Prose(said, span=span, is_comment=True))
                comments = []
            if line and line.is_empty:
                comments.append(line)
            elif line:
                items.append(self._own_item(line, part.kind))
        return tuple(items)

    def _own_item(self, line: DocumentLine, kind: SectionKind) -> tree.SectionItem:
        known = self._corrections.get(line.span.start)
        if known:
            return known.erratum
        made = (
            _correction(self._source, line)
            if kind is SectionKind.ERRATA
            else setting(self._source, line, kind)
        )
        if isinstance(made, _Correction):
            self.said.append(
                Diagnostic(
                    codes.TOO_LARGE,
                    f"this document has more than {MOST_ERRATA} errata",
                    primary=Label(line.span, "not applied"),
                    help="change the document itself",
                )
            )
            return made.erratum
        if isinstance(made, Diagnostic):
            self.said.append(made)
            text = " ".join(self._source.slice(line.span).split())
            return tree.Unparsed(text, span=line.span, note=line.comment)
        return made

    def _with_moved(self, sections: list[tree.Section]) -> tuple[tree.Section, ...]:
        for kind, item in self._moved:
            at = next((i for i, each in enumerate(sections) if each.kind is kind), None)
            if at is None:
                order = _KINDS.index(kind)
                later = (i for i, s in enumerate(sections) if _KINDS.index(s.kind) > order)
                sections.insert(next(later, len(sections)), _section(kind, (item,), item.span))
            else:
                old = sections[at]
                sections[at] = _section(kind, (*old.items, item), old.span)
        return tuple(sections)


def _section(kind: SectionKind, items: tuple[tree.SectionItem, ...], span: Span) -> tree.Section:
    for item in items:
        span = span.to(item.span)
    return tree.Section(kind, items, span=span)


@dataclass(frozen=True, slots=True)
class _Correction:
    """An erratum with the tokens it looks for and puts in their place."""

    erratum: Erratum
    old: tuple[Token, ...]
    new: tuple[Token, ...]


def _correction(source: Source, line: DocumentLine) -> _Correction | Diagnostic:
    """The erratum on *line*, or what is wrong with it."""
    text = source.slice(line.span)
    found = _ERRATUM.match(text)
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
    return _Correction(erratum, lex(source, old)[0], lex(source, new)[0])


def _unused(each: _Correction) -> Diagnostic:
    return Diagnostic(
        codes.ERRATUM_WITHOUT_PLACE,
        f"`{each.erratum.old}` does not occur in the formulas of this document",
        primary=Label(each.erratum.span, "this erratum changes nothing"),
        help="write the words as they stand on one line of the document, or remove the erratum",
    )


def _too_long_with(each: _Correction, length: int, row: Span) -> Diagnostic:
    return Diagnostic(
        codes.TOO_LARGE,
        f"with this erratum a line has {length:,} words and signs; at most {LONGEST:,} are read",
        primary=Label(each.erratum.span, "not applied there"),
        secondary=(Label(row, "this line"),),
        help="let an erratum put in what its own words do not find again, or change the document",
    )


def _places(tokens: tuple[Token, ...], wanted: list[str]) -> list[int]:
    """Where the words *wanted* begin in *tokens*, without overlaps."""
    texts = [token.text for token in tokens]
    if not wanted or wanted[0] not in texts:
        return []
    found: list[int] = []
    at = 0
    while at < len(texts):
        if texts[at] == wanted[0] and texts[at : at + len(wanted)] == wanted:
            found.append(at)
            at += len(wanted)
        else:
            at += 1
    return found


def _with_correction(
    tokens: tuple[Token, ...], each: _Correction, places: list[int]
) -> tuple[Token, ...]:
    size = len(each.old)
    result: list[Token] = []
    done = 0
    for at in places:
        result += tokens[done:at]
        place = tokens[at].span.to(tokens[at + size - 1].span)
        for index, token in enumerate(each.new):
            blank = token.blank_before if index else tokens[at].blank_before
            result.append(replace(token, span=place, blank_before=blank))
        done = at + size
    return (*result, *tokens[done:])


def _not_about(row: TokenRow, each: _Correction, places: list[int]) -> tuple[Diagnostic, ...]:
    """What was said of *row*, without what was said of the replaced words."""
    if not row.said:
        return ()
    size = len(each.old)
    spans = [row.tokens[at].span.to(row.tokens[at + size - 1].span) for at in places]
    spend(len(row.said) * len(spans), "applying errata", each.erratum.span)
    return tuple(
        said
        for said in row.said
        if not (said.primary and any(place.covers(said.primary.span) for place in spans))
    )


def with_sum_limits(rows: Sequence[TokenRow]) -> tuple[TokenRow, ...]:
    """*rows* with every limit put behind its sum, where a parser looks for it.

    In print the limit ``a∈w`` stands under its sum; in plain text it is a line of its own.
    """
    done: list[TokenRow] = []
    for row in rows:
        limits = _limits(row.tokens)
        if done and limits and not row.line.is_after_blank:
            tokens = _with_inserted(done[-1].tokens, limits)
            if tokens is not None:
                done[-1] = replace(done[-1], tokens=tokens)
                continue
        done.append(row)
    return tuple(done)


def _limits(tokens: tuple[Token, ...]) -> list[tuple[Token, ...]]:
    """The limits ``name ∈ name`` that *tokens* consist of; none if there is anything else."""
    if not tokens or len(tokens) % 3:
        return []
    found = [tokens[index : index + 3] for index in range(0, len(tokens), 3)]
    are_limits = all(
        name.kind is domain.kind is TokenKind.NAME and relation.text in {"∈", "in"}
        for name, relation, domain in found
    )
    return found if are_limits else []


def _with_inserted(
    tokens: tuple[Token, ...], limits: list[tuple[Token, ...]]
) -> tuple[Token, ...] | None:
    """*tokens* with *limits* behind the sums that have none, in order; none if they do not fit."""
    places = [
        index + 1
        for index, token in enumerate(tokens)
        if token.kind is TokenKind.SYMBOL and token.text in {"∑", "∏"}
        if not _has_limit(tokens[index + 1 : index + 3])
    ]
    if len(places) != len(limits):
        return None
    result: list[Token] = []
    at = 0
    for place, limit in zip(places, limits, strict=True):
        summand = [token.text for token in tokens[place : place + 12]]
        if summand and limit[0].text not in summand:
            return None
        result += [*tokens[at:place], *limit]
        at = place
    return (*result, *tokens[at:])


def _has_limit(following: Sequence[Token]) -> bool:
    texts = [token.text for token in following]
    return texts[:1] in (["_"], ["{"]) or texts[1:] in (["∈"], ["in"])


def _no_sections() -> Diagnostic:
    return Diagnostic(
        codes.NO_SECTIONS,
        "there is no heading of a section in this document",
        notes=("looked for: " + ", ".join(f"`{kind.value}`" for kind in _KINDS[:5]),),
        help="put each on a line of its own; `zermelo new FILE` writes a document to start from",
    )


def _misspelt(source: Source, headings: dict[int, Heading]) -> list[Diagnostic]:
    said: list[Diagnostic] = []
    for number, each in headings.items():
        if not each.near:
            continue
        bounds = source.line_span(number)
        text = source.slice(bounds)
        start = bounds.start + len(text) - len(text.lstrip(" \t#*_-•"))
        span = Span(start, bounds.start + len(text.rstrip(" \t:*_")))
        said.append(
            Diagnostic(
                codes.NEARLY_A_HEADING,
                f"`{source.slice(span)}` is taken as the heading `{each.near}`",
                primary=Label(span, "nearly a heading"),
                help=f"write `{each.near}`",
                fix=Fix(span, each.near),
            )
        )
    return said


def _missing(sections: Sequence[tree.Section]) -> list[Diagnostic]:
    """What there is to say about sections that are not there.

    Systems without sets of their own or without facts are whole.
    """
    there = {each.kind for each in sections}
    return [
        Diagnostic(
            codes.MISSING_SECTION,
            f"the document has no section `{kind.value}`",
            notes=(consequence,),
            help=f"add the heading `{kind.value}` above what belongs to it",
            severity=severity,
        )
        for kind, severity, consequence in _NEEDED
        if kind not in there
    ]


def _unannounced(span: Span, kind: SectionKind) -> Diagnostic:
    heading_text = SectionKind.BEHAVIOUR.value
    return Diagnostic(
        codes.MISPLACED,
        f"a procedure stands in the section `{kind.value}`",
        primary=Label(span, f"taken as the beginning of `{heading_text}`"),
        help=f"write the heading `{heading_text}` above it",
    )
