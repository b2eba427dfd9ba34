"""Rows become units, an item or a paragraph of prose, and those of the behaviour procedures.

A statement that stands deeper than the rule above it belongs to that rule's conclusion: a stack
of assignments, or a rule within the rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from zermelo.languages.sections.read import item_diagnostics
from zermelo.languages.sections.read.forms import Attempt, Done, Forms, Made
from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.read.grammar.lexer import lex
from zermelo.languages.sections.read.grammar.parser import rejoined
from zermelo.languages.sections.read.grammar.tokens import Token, TokenKind
from zermelo.languages.sections.read.grammar.tree import Prose, Unparsed
from zermelo.languages.sections.read.rows import (
    LONGEST,
    RowGroup,
    RowShape,
    TokenRow,
    begins_inside,
    depth,
    ends_inside,
    has_arrow,
    has_formula,
    is_prose,
    is_sentence,
    looks_like_head,
    shape,
    subjects,
    without_stop,
)
from zermelo.languages.sections.read.scan import Scan, is_described
from zermelo.languages.sections.read.token_repairs import with_otherwise, with_signs
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, LeftOut, lines_of, with_left_out
from zermelo.text.headings import SectionKind
from zermelo.text.lines import DocumentLine
from zermelo.text.source import Source, Span

MOST_ROWS: Final = 100
"""More rows than this are no single item, whatever their brackets say."""

# Signs that go on with an item even when a blank line came between.
_OVER_BLANKS: Final = frozenset("→∧∨↔∪∩")
_MINUS_BULLETS: Final = frozenset("-–—+*")
_DASHES: Final = frozenset("-–—")
_VERB_TEXT: Final = """
is are was becomes changes starts begins ends stays holds has have contains consists gets grows
must may can cannot will does never always
"""
_VERBS: Final = frozenset(_VERB_TEXT.split())
"""Words behind a name of which a sentence says something that could have been a formula."""


_ITEMS: Final = {
    SectionKind.SETS: frozenset({RowShape.DEFINITION, RowShape.EQUATION}),
    SectionKind.VARIABLES: frozenset({RowShape.DECLARATION}),
    SectionKind.FACTS: frozenset({RowShape.EQUATION, RowShape.EQUIVALENCE}),
    SectionKind.INITIALISATION: frozenset({RowShape.EQUATION}),
    SectionKind.BEHAVIOUR: frozenset({RowShape.RULE, RowShape.FUNCTION}),
}
"""What a row looks like that begins an item, whatever stands above it."""
_ONE_A_LINE: Final = frozenset({SectionKind.VARIABLES, SectionKind.INITIALISATION})
"""Sections in which no item goes on with what looks like another."""


@dataclass(frozen=True, slots=True)
class Unit:
    """What was made of a few rows, and what there is to say of them."""

    made: tuple[Made, ...]
    group: RowGroup
    said: tuple[Diagnostic, ...] = ()
    home: SectionKind | None = None
    is_broken_head: bool = False
    """Whether it was to be the head of a procedure, and is not understood."""


class SectionWalk:
    """One walk down the rows of a section."""

    def __init__(
        self, source: Source, found: Scan, kind: SectionKind, rows: Sequence[TokenRow]
    ) -> None:
        self._source = source
        self._scan = found
        self._names = found.names
        self._kind = kind
        self._rows = tuple(self._whole(row) for row in rows)
        if kind is SectionKind.BEHAVIOUR:
            self._rows = with_otherwise(self._rows, found.names)
        self._forms = Forms(source, found, kind)
        self._strict_until = 0
        """Before this row open brackets are damage: no rows are joined for their sake."""

    def units(self) -> Iterator[Unit]:
        at = 0
        while at < len(self._rows):
            unit = self._unit(at)
            yield unit
            at += len(unit.group.rows)

    def _whole(self, row: TokenRow) -> TokenRow:
        """*row* with its split names put together, and with signs for words that mean them."""
        tokens, said = rejoined(self._source, row.tokens, self._names)
        if row.line.span.start not in self._scan.heads:
            tokens = with_signs(tokens, self._kind, self._names)
        return replace(row, tokens=tokens, said=(*row.said, *said))

    def _unit(self, at: int) -> Unit:
        row = self._rows[at]
        if row.line.is_empty:
            return self._remark(at)
        if row.is_too_long:
            said = item_diagnostics.too_long(row.line.span, LONGEST)
            return self._unparsed(RowGroup((row,)), Attempt(said=(said,)))
        group, attempt = self._tried(at)
        if attempt.made:
            return Unit(attempt.made, group, attempt.said, attempt.home)
        if attempt.is_words:
            return self._unparsed(self._paragraph(at), attempt)
        is_torn = any(each.code is codes.TORN_WORD for each in attempt.said)
        if is_prose(row.tokens, self._names) and not (is_torn or self._is_open_head(row)):
            group = self._paragraph(at)
            return Unit((self._prose(group),), group, self._unused(at, group))
        return self._unparsed(group, attempt)

    def _is_open_head(self, row: TokenRow) -> bool:
        """Whether *row* was to be a head, and its bracket is not closed."""
        is_here = self._kind is SectionKind.BEHAVIOUR
        return is_here and looks_like_head(row.tokens, self._names) and depth(row.tokens) > 0

    def _unused(self, at: int, group: RowGroup) -> tuple[Diagnostic, ...]:
        """That the prose from row *at* holds a formula, if it is no explanation."""
        line = group.first
        above = self._rows[at - 1].line if at else line
        is_same = (line.bullet, line.margin) == (above.bullet, above.margin)
        is_dashed = line.bullet in _DASHES and not is_same
        rows = (row.tokens for row in group.rows if not is_prose(row.tokens, self._names))
        if is_dashed:
            return ()
        if any(has_formula(each, self._names) for each in (group.tokens, *rows)):
            return (item_diagnostics.formula_in_prose(group.span),)
        subjects = (self._subject(row.tokens) for row in group.rows)
        subject = next((name for name in subjects if name is not None), None)
        return () if subject is None else (item_diagnostics.sentence_about(subject, group.span),)

    def _subject(self, tokens: Sequence[Token]) -> str | None:
        """The declared name of which the sentence *tokens* says something, if it begins so."""
        if len(tokens) < 3 or tokens[0].text not in self._scan.sets | self._scan.variables:
            return None
        return tokens[0].text if tokens[1].text in _VERBS else None

    def _tried(self, at: int) -> tuple[RowGroup, Attempt]:
        """The item at row *at*: first with all rows that could belong to it, then with fewer."""
        group = self._gathered(at, is_loose=at >= self._strict_until)
        attempt = self._forms.attempt(group)
        if not attempt.made and len(group.rows) > 1 and at >= self._strict_until:
            smaller = self._gathered(at, is_loose=False)
            if len(smaller.rows) < len(group.rows):
                self._strict_until = at + len(group.rows)
                group, attempt = smaller, self._forms.attempt(smaller)
        if attempt.made and self._kind is SectionKind.BEHAVIOUR:
            return group, attempt
        return self._cut_short(group, attempt)

    def _cut_short(self, group: RowGroup, attempt: Attempt) -> tuple[RowGroup, Attempt]:
        """A *group* up to the first row that is an item by itself, if it can do without the rest.

        One broken line is not to take the lines below it with it, and a note with an open bracket
        not to swallow them.
        """
        for index, row in enumerate(group.rows[1:], 1):
            if row.line.margin <= group.first.margin and self._is_item(row):
                cut = RowGroup(group.rows[:index])
                alone = self._forms.attempt(cut)
                is_enough = bool(alone.made) and len(alone.said) <= len(attempt.said)
                return (cut, alone) if is_enough or not attempt.made else (group, attempt)
        return group, attempt

    def _is_item(self, row: TokenRow) -> bool:
        """Whether *row* alone is what the lines of this section are."""
        if begins_inside(row.tokens, self._names) or not self._looks_own(row):
            return False
        return bool(self._forms.attempt(RowGroup((row,))).made)

    def _looks_own(self, row: TokenRow) -> bool:
        return shape(row.tokens, self._names) in _ITEMS.get(self._kind, ())

    def _gathered(self, at: int, *, is_loose: bool) -> RowGroup:
        """The row *at* and the rows that go on with it.

        *is_loose* also takes rows for the sake of an open bracket or a comma,
        which damaged texts have too.
        """
        rows = [self._rows[at]]
        is_head = rows[0].line.span.start in self._scan.heads
        tokens = list(rows[0].tokens)
        inner: int | None = None
        for index in range(at + 1, min(at + MOST_ROWS, len(self._rows))):
            row = self._rows[index]
            if row.line.is_empty or row.line.span.start in self._scan.heads:
                break
            if is_head and depth(tokens) <= 0:
                break
            before = RowGroup((replace(rows[0], tokens=tuple(tokens)), rows[-1]))
            joined = self._joined(before, row, is_loose=is_loose)
            if joined is None:
                break
            is_nested = ends_inside(tokens, self._names) == "→"
            if is_nested and inner is None and has_arrow(joined.tokens, self._names):
                inner = len(rows)
            rows.append(joined)
            tokens += joined.tokens
        return RowGroup(_bracketed(rows, inner))

    def _joined(self, before: RowGroup, row: TokenRow, *, is_loose: bool) -> TokenRow | None:
        """*row* as it goes on with *before* (its first row holds all tokens); else none."""
        tokens = before.rows[0].tokens
        sign = begins_inside(row.tokens, self._names)
        if sign and self._goes_on(before, row, sign, is_loose=is_loose):
            return row
        is_sibling = bool(row.line.bullet) and row.line.margin <= before.first.margin
        if is_sibling or not tokens:
            return None
        end = ends_inside(tokens, self._names)
        if end and self._is_unfinished(before, row, end, is_loose=is_loose):
            # No conclusion begins with a minus: behind an arrow a list of them begins.
            return row if end == "→" else self._with_minus(row)
        if row.line.is_after_blank:
            return None
        if self._kind is SectionKind.SETS and [t.text for t in tokens[1:]] == [":"]:
            return row
        if is_loose and depth(tokens) > 0:
            return self._with_minus(row)
        above = before.rows[-1].line
        is_display = bool(above.display) and above.display == row.line.display
        return row if is_loose and is_display and not above.is_ended else None

    def _goes_on(self, before: RowGroup, row: TokenRow, sign: str, *, is_loose: bool) -> bool:
        tokens = before.rows[0].tokens
        if row.line.is_after_blank and sign not in _OVER_BLANKS:
            return False
        if row.tokens[0].kind is TokenKind.NAME and (
            is_sentence(row.tokens, self._names) or is_prose(tokens, self._names)
        ):
            return False
        if sign in {",", ")", "}", "]", "⌋", "⌉"}:
            return is_loose and depth(tokens) > 0
        if sign == "→" and has_arrow(tokens, self._names):
            return False
        return not is_sentence(tokens, self._names)

    def _is_unfinished(self, before: RowGroup, row: TokenRow, end: str, *, is_loose: bool) -> bool:
        if is_sentence(before.rows[0].tokens, self._names):
            return False
        if end == ",":
            return is_loose and not row.line.is_after_blank
        if self._kind in _ONE_A_LINE and self._looks_own(row):
            return False
        return not row.line.is_after_blank or end in _OVER_BLANKS

    def _with_minus(self, row: TokenRow) -> TokenRow:
        """*row* with its bullet read as a sign, as it is behind an unfinished line."""
        if row.line.bullet not in _MINUS_BULLETS or row.line.whole == row.line.span:
            return row
        tokens, said = lex(self._source, row.line.whole)
        return self._whole(replace(row, tokens=tokens, said=said))

    def _paragraph(self, at: int) -> RowGroup:
        """The prose that begins at row *at*, with the rows into which it was wrapped."""
        return self._from(
            at,
            lambda line, index: not (line.bullet or line.is_empty or self._is_formula(index)),
        )

    def _from(self, at: int, goes_on: Callable[[DocumentLine, int], bool]) -> RowGroup:
        """The row *at* and those below it, with no blank line between, that go on with it."""
        end = at + 1
        while end < len(self._rows):
            line = self._rows[end].line
            if line.is_after_blank or not goes_on(line, end):
                break
            end += 1
        return RowGroup(self._rows[at:end])

    def _is_formula(self, at: int) -> bool:
        row = self._rows[at]
        if row.line.span.start in self._scan.heads:
            return True
        if is_described(row.tokens, self._kind):
            attempt = self._forms.attempt(RowGroup((row,)))
            return bool(attempt.made) or attempt.is_words
        if not any(token.kind is TokenKind.SYMBOL for token in row.tokens):
            return False
        if begins_inside(row.tokens, self._names):
            return row.tokens[0].kind is TokenKind.SYMBOL and not is_prose(row.tokens, self._names)
        return bool(self._tried(at)[1].made)

    def _remark(self, at: int) -> Unit:
        """The comments on the lines from *at* that have nothing else."""
        margin = self._rows[at].line.margin
        group = self._from(at, lambda line, _: line.is_empty and line.margin == margin)
        return Unit((replace(self._prose(group), is_comment=True),), group)

    def _prose(self, group: RowGroup) -> Prose:
        lines = tuple(
            " // ".join(filter(None, (RowGroup((row,)).text(self._source), row.line.comment)))
            for row in group.rows
        )
        return Prose(lines, span=group.span)

    def _unparsed(self, group: RowGroup, attempt: Attempt) -> Unit:
        said = attempt.said
        if not any(each.is_error for each in said) and not attempt.is_words:
            said = (*said, item_diagnostics.not_understood(group.span))
        told = subjects(group.tokens, self._kind, self._names)
        text = group.text(self._source)
        item = Unparsed(text, told, span=group.span, note=group.comment)
        is_head = self._kind is SectionKind.BEHAVIOUR and looks_like_head(
            group.rows[0].tokens, self._names
        )
        return Unit((item,), group, said, is_broken_head=is_head)


def _bracketed(rows: Sequence[TokenRow], inner: int | None) -> tuple[TokenRow, ...]:
    """*rows* with brackets round the rule that begins in row *inner*, behind another's arrow."""
    if inner is None:
        return tuple(rows)
    wrapped = list(rows)
    first, last = rows[inner].tokens[0].span.start, rows[-1].tokens[-1].span.end
    opening = Token(TokenKind.SYMBOL, "(", Span(first, first), blank_before=True)
    wrapped[inner] = replace(rows[inner], tokens=(opening, *rows[inner].tokens))
    closing = Token(TokenKind.SYMBOL, ")", Span(last, last))
    wrapped[-1] = replace(wrapped[-1], tokens=(*wrapped[-1].tokens, closing))
    return tuple(wrapped)


DEEPER = 2
"""The fewest cells by which a line stands deeper; less is carelessness."""


@dataclass(slots=True)
class _OpenRule:
    """A rule that may still get more conclusions."""

    margin: int
    rule: tree.Rule
    conclusion: list[tree.Statement | _OpenRule]
    span: Span

    def closed(self) -> tree.Rule:
        return replace(self.rule, conclusion=tuple(map(_closed, self.conclusion)), span=self.span)


@dataclass(slots=True)
class _OpenProcedure:
    """A procedure whose body is being read."""

    head: tree.Procedure
    span: Span
    margin: int
    is_flat: bool = False
    """Whether statements stand no deeper than the head."""
    body: list[tree.Statement | _OpenRule] = field(default_factory=list)
    rules: list[_OpenRule] = field(default_factory=list)

    def closed(self) -> tree.Procedure:
        return replace(self.head, body=tuple(map(_closed, self.body)), span=self.span)


def _closed(each: tree.Statement | _OpenRule) -> tree.Statement:
    return each.closed() if isinstance(each, _OpenRule) else each


def _is_unguarded(rule: tree.Rule) -> bool:
    """Whether *rule* is several assignments on one line: no guard is written."""
    span = rule.guard.span
    return span.start == span.end or span == rule.span


class Behaviour:
    """The items of a behaviour section, and those that belong to others."""

    def __init__(self, source: Source, units: Iterable[Unit]) -> None:
        self._source = source
        self._items: list[tree.SectionItem | _OpenProcedure] = []
        self.moved: list[tuple[SectionKind, tree.SectionItem]] = []
        self.said: list[Diagnostic] = []
        self._procedure: _OpenProcedure | None = None
        self._headless: list[Span] = []
        self._lost: Span | None = None
        """A head that is not understood, and has what stands below it."""
        self._below: list[Span] = []
        self._lone_guard: Span | None = None
        self._word: Unit | None = None
        """A word that stands like a head, until it is known what is below it."""
        for unit in units:
            self._take(unit)
        self._place_word()
        self._end_lost()
        if self._headless:
            self.said.append(item_diagnostics.headless(self._headless, self._source))
        self.items = tuple(
            self._with_breaks(each.closed()) if isinstance(each, _OpenProcedure) else each
            for each in self._items
        )

    def _with_breaks(self, procedure: tree.Procedure) -> tree.Procedure:
        return replace(procedure, body=tuple(map(self._broken, procedure.body)))

    def _broken(self, statement: tree.Statement) -> tree.Statement:
        """*statement* with the places at which new lines begin in its conclusion."""
        if not isinstance(statement, tree.Rule):
            return statement
        inner = tuple(map(self._broken, statement.conclusion))
        lines = [self._source.line_of(each.span.start) for each in inner]
        breaks = tuple(at for at in range(1, len(lines)) if lines[at] != lines[at - 1])
        return replace(statement, conclusion=inner, breaks=breaks)

    def _take(self, unit: Unit) -> None:
        self._place_word(unit)
        self.said += unit.said
        self._doubt(unit)
        if self._is_word(unit):
            self._word = unit
            return
        for made in unit.made:
            if unit.home is not None and not isinstance(made, Done):
                self.moved.append((unit.home, made))
            else:
                self._place(made, unit)

    def _is_word(self, unit: Unit) -> bool:
        """Whether *unit* is one word that stands out as heads do, below statements."""
        procedure = self._procedure
        if procedure is None or procedure.is_flat or not procedure.body:
            return False
        tokens = without_stop(tuple(t for t in unit.group.tokens if t.text != ":"))
        is_name = len(tokens) == 1 and tokens[0].kind is TokenKind.NAME
        is_words = isinstance(unit.made[0], tree.Prose) and is_name
        return is_words and unit.group.first.margin <= procedure.margin

    def _place_word(self, below: Unit | None = None) -> None:
        """Place the word that waits: as a head if statements are indented *below* it."""
        unit, self._word = self._word, None
        if unit is None:
            return
        first = unit.group.first
        is_stated = below is not None and not isinstance(below.made[0], tree.Prose | tree.Procedure)
        if below is None or not is_stated or below.group.first.margin <= first.margin:
            self._place(unit.made[0], unit)
            return
        name = unit.group.tokens[0]
        self.said.append(item_diagnostics.head_without_brackets(name.text, name.span))
        head = tree.Procedure(name.text, (), (), span=unit.group.span, name_span=name.span)
        self._place(head, unit)

    def _place(self, made: Made, unit: Unit) -> None:
        if isinstance(made, tree.Procedure):
            self._procedure = _OpenProcedure(made, made.span, unit.group.first.margin)
            self._items.append(self._procedure)
            self._end_lost()
        elif isinstance(made, tree.Unparsed) and self._is_head(unit):
            self._end_lost()
            self._procedure, self._lost = None, made.span
            self._items.append(made)
        elif isinstance(made, tree.Statement):
            self._state(made, unit)
        else:
            self._items.append(made)

    def _end_lost(self) -> None:
        """Say at a head that is not understood what is lost with it."""
        if self._lost is not None and self._below:
            lines = lines_of(self._below[0].to(self._below[-1]), self._source)
            self.said = list(with_left_out(self.said, (LeftOut(lines, (self._lost,)),)))
        self._lost, self._below = None, []

    def _is_head(self, unit: Unit) -> bool:
        """Whether a procedure was to begin with *unit*: what follows is not of the one above."""
        procedure = self._procedure
        if not unit.is_broken_head or procedure is None:
            return unit.is_broken_head
        has_domain = any(token.text in {"∈", "⊆", "in"} for token in unit.group.tokens)
        is_out = unit.group.first.margin <= procedure.margin
        return is_out and (has_domain or not procedure.is_flat)

    def _state(self, made: tree.Statement, unit: Unit) -> None:
        if self._procedure is None:
            self._without_procedure(made, unit)
            return
        margin = unit.group.first.margin
        procedure = self._procedure
        procedure.is_flat = procedure.is_flat or margin <= procedure.margin
        procedure.span = procedure.span.to(made.span)
        rules = [rule for rule in procedure.rules if margin >= rule.margin + DEEPER]
        if not isinstance(made, tree.Prose | tree.Unparsed):
            # Words leave the rules above them open.
            procedure.rules = rules
        place = rules[-1].conclusion if rules else procedure.body
        for rule in rules:
            rule.span = rule.span.to(made.span)
        if rules and isinstance(made, tree.Rule) and _is_unguarded(made):
            place.extend(made.conclusion)
        elif isinstance(made, tree.Rule):
            opened = _OpenRule(margin, made, list(made.conclusion), made.span)
            place.append(opened)
            rules.append(opened)
        else:
            place.append(made)

    def _without_procedure(self, made: tree.Statement, unit: Unit) -> None:
        match made:
            case tree.Prose() | tree.Unparsed():
                self._items.append(made)
            case tree.Declaration() if self._lost is None:
                self.moved.append((SectionKind.VARIABLES, made))
                self.said.append(item_diagnostics.early_declaration(made.span))
            case _:
                (self._headless if self._lost is None else self._below).append(made.span)
                text = unit.group.text(self._source)
                self._items.append(tree.Unparsed(text, span=unit.group.span, note=made.note))

    def _doubt(self, unit: Unit) -> None:
        """Say so if a conclusion could belong to either of two guards above it."""
        arrows = [
            row.line
            for row in unit.group.rows[1:]
            if row.tokens and row.tokens[0].text == "→" and row.line.is_after_blank
        ]
        if self._lone_guard and arrows and isinstance(unit.made[0], tree.Rule):
            taken = unit.group.first.span
            doubt = item_diagnostics.doubtful(arrows[0].span, taken=taken, other=self._lone_guard)
            self.said.append(doubt)
        is_lone = any(each.code is codes.GUARD_WITHOUT_CONCLUSION for each in unit.said)
        self._lone_guard = unit.group.span if is_lone else None
