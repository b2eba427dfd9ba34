"""Documents with sections: sets, variables, facts, initialization and behavior.

A text comes in, a ``Document`` goes out, with everything there is to say about
its form. Names are collected first, so that the second pass can tell words from
signs and heads from calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from zermelo.languages.sections.read.behaviour import behaviour
from zermelo.languages.sections.read.errata import MOST, Correction, corrected, correction, unused
from zermelo.languages.sections.read.forms import HeadLine
from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.read.grammar.lexer import lex
from zermelo.languages.sections.read.limits import joined
from zermelo.languages.sections.read.rows import Row
from zermelo.languages.sections.read.scan import Scan, is_certain_head, scan
from zermelo.languages.sections.read.units import units
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Fix, Label, Severity
from zermelo.text.headings import Heading, SectionKind, chosen, heading
from zermelo.text.lines import DocumentLine, lines, setting
from zermelo.text.render import in_order
from zermelo.text.source import Source, Span

_OWN = frozenset({SectionKind.READING, SectionKind.VIEW, SectionKind.ERRATA})
_KINDS = tuple(SectionKind)


@dataclass(frozen=True, slots=True)
class _Part:
    """A heading and the lines under it."""

    kind: SectionKind
    span: Span
    lines: tuple[DocumentLine, ...]
    rows: tuple[Row, ...] = ()


def parse(source: Source, *, as_written: bool = False) -> Checked[tree.Document]:
    """The document that *source* is; *as_written* leaves its errata aside."""
    found = lines(source)
    headings = _headings(source, found)
    if not headings:
        return Checked(None, (_no_sections(),))
    preamble = _preamble(source, min(headings))
    parts = _parts(source, found, headings)
    reader = _Reader(source, parts, as_written=as_written)
    sections = reader.sections()
    said = [*_misspelt(source, headings), *reader.said, *_missing(sections)]
    document = tree.Document(preamble, sections, span=Span(0, len(source.text)))
    return Checked(document, tuple(in_order(said)))


def _headings(source: Source, found: Sequence[DocumentLine]) -> dict[int, Heading]:
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
    while before and not before[0]:
        before.pop(0)
    while before and not before[-1]:
        before.pop()
    return tuple(before)


def _parts(
    source: Source, found: Sequence[DocumentLine], headings: dict[int, Heading]
) -> tuple[_Part, ...]:
    parts: list[_Part] = []
    inside: list[DocumentLine] = []
    for line in found:
        each = headings.get(line.number)
        if each is None:
            inside.append(line)
            continue
        if parts and parts[-1].span.start == source.line_span(line.number).start:
            continue
        if parts:
            parts[-1] = replace(parts[-1], lines=tuple(inside))
        inside = list(_on_heading(source, line, each))
        parts.append(_Part(each.kind, source.line_span(line.number), ()))
    if parts:
        parts[-1] = replace(parts[-1], lines=tuple(inside))
    return tuple(parts)


def _on_heading(source: Source, line: DocumentLine, each: Heading) -> tuple[DocumentLine, ...]:
    """The first item, where it stands on the line of its heading; or a comment there."""
    if each.content is not None:
        start = source.line_span(line.number).start + each.content
        return (replace(line, span=Span(start, line.span.end), whole=Span(start, line.span.end)),)
    if line.comment and line.comment_span:
        nothing = Span(line.comment_span.start, line.comment_span.start)
        return (replace(line, span=nothing, whole=nothing),)
    return ()


class _Reader:
    """One reading of a document's parts: first the names, then the items."""

    def __init__(self, source: Source, parts: Sequence[_Part], *, as_written: bool) -> None:
        self._source = source
        self.said: list[Diagnostic] = []
        self._moved: list[tuple[SectionKind, tree.SectionItem]] = []
        self._corrections = self._errata(parts)
        used: set[Correction] = set()
        self._parts: list[_Part] = []
        for part in parts:
            if part.kind in _OWN:
                self._parts.append(part)
                continue
            rows: tuple[Row, ...] = tuple(self._row(line) for line in part.lines)
            if not as_written:
                rows, found = corrected(rows, self._corrections.values())
                used |= found
            self._parts.append(replace(part, rows=joined(rows)))
        if not as_written:
            self.said += [unused(each) for each in self._corrections.values() if each not in used]

    def _errata(self, parts: Sequence[_Part]) -> dict[int, Correction]:
        """The errata by the place where they begin."""
        found: dict[int, Correction] = {}
        for line in (
            line for part in parts if part.kind is SectionKind.ERRATA for line in part.lines
        ):
            if line.is_empty or len(found) >= MOST:
                continue
            each = correction(self._source, line)
            if isinstance(each, Correction):
                found[line.span.start] = each
        return found

    def _row(self, line: DocumentLine) -> Row:
        row = Row(line, ())
        if line.is_empty or row.is_too_long:
            return row
        tokens, said = lex(self._source, line.span)
        if line.display:
            # There `&` aligns rows, whatever else stands on the line.
            tokens = tuple(each for each in tokens if self._source.slice(each.span) != "&")
        return Row(line, tokens, said)

    def sections(self) -> tuple[tree.Section, ...]:
        """The sections, each with its items, misplaced ones put where they belong."""
        found = scan([(part.kind, part.rows) for part in self._parts if part.kind not in _OWN])
        sections: list[tree.Section] = []
        for part in self._parts:
            if part.kind in _OWN:
                sections.append(_section(part.kind, self._own_items(part), part.span))
                continue
            for kind, rows, span in self._split(part, found):
                sections.append(_section(kind, self._items(kind, rows, found), span))
        return self._with_moved(sections)

    def _split(self, part: _Part, found: Scan) -> list[tuple[SectionKind, tuple[Row, ...], Span]]:
        """*part*, cut where a head begins the behaviour without its heading."""
        if part.kind is SectionKind.BEHAVIOUR:
            return [(part.kind, part.rows, part.span)]
        for index, row in enumerate(part.rows):
            if row.line.span.start in found.heads and is_certain_head(row):
                self.said.append(_unannounced(row.line.span, part.kind))
                first = (part.kind, part.rows[:index], part.span)
                second = (SectionKind.BEHAVIOUR, part.rows[index:], row.line.span)
                return [first, second]
        return [(part.kind, part.rows, part.span)]

    def _items(
        self, kind: SectionKind, rows: Sequence[Row], found: Scan
    ) -> tuple[tree.SectionItem, ...]:
        each = units(self._source, found, kind, rows=rows)
        if kind is SectionKind.BEHAVIOUR:
            made = behaviour(self._source, each)
            self._moved += made.moved
            self.said += made.said
            return made.items
        items: list[tree.SectionItem] = []
        for unit in each:
            self.said += unit.said
            for item in unit.made:
                if isinstance(item, HeadLine | tree.Assign | tree.Step | tree.Call | tree.Rule):
                    continue
                if unit.home is None:
                    items.append(item)
                else:
                    self._moved.append((unit.home, item))
        return tuple(items)

    def _own_items(self, part: _Part) -> tuple[tree.SectionItem, ...]:
        items: list[tree.SectionItem] = []
        comments: list[DocumentLine] = []
        for line in (*part.lines, None):
            is_more = bool(line and line.is_empty and not (line.is_after_blank and comments))
            if comments and not is_more:
                span = comments[0].comment_span or comments[0].span
                items.append(tree.Prose(tuple(each.comment for each in comments), span=span))
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
            correction(self._source, line)
            if kind is SectionKind.ERRATA
            else setting(self._source, line, kind)
        )
        if isinstance(made, Correction):
            self.said.append(_too_many(line))
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
    said: list[Diagnostic] = []
    for kind, severity, consequence in (
        (
            SectionKind.VARIABLES,
            Severity.WARNING,
            "what the rules assign is taken as its variables",
        ),
        (SectionKind.INITIALISATION, Severity.WARNING, "its variables have no first values"),
        (SectionKind.BEHAVIOUR, Severity.ERROR, "without rules there is nothing to run"),
    ):
        if kind not in there:
            said.append(
                Diagnostic(
                    codes.MISSING_SECTION,
                    f"the document has no section `{kind.value}`",
                    notes=(consequence,),
                    help=f"add the heading `{kind.value}` above what belongs to it",
                    severity=severity,
                )
            )
    return said


def _unannounced(span: Span, kind: SectionKind) -> Diagnostic:
    heading_text = SectionKind.BEHAVIOUR.value
    return Diagnostic(
        codes.MISPLACED,
        f"a procedure stands in the section `{kind.value}`",
        primary=Label(span, f"taken as the beginning of `{heading_text}`"),
        help=f"write the heading `{heading_text}` above it",
    )


def _too_many(line: DocumentLine) -> Diagnostic:
    return Diagnostic(
        codes.TOO_LARGE,
        f"this document has more than {MOST} errata",
        primary=Label(line.span, "not applied"),
        help="change the document itself",
    )
