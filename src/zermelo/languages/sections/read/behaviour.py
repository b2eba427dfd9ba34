"""Units of the behaviour section become procedures, with their rules nested.

A statement that stands deeper than the rule above it belongs to that rule's
conclusion: a stack of assignments, or a rule within the rule.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from zermelo.languages.sections.read import item_diagnostics
from zermelo.languages.sections.read.forms import HeadLine, Made
from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.read.units import Unit
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.headings import SectionKind
from zermelo.text.source import Source, Span

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
        return tree.Rule(
            self.rule.guard,
            tuple(_closed(each) for each in self.conclusion),
            span=self.span,
            note=self.rule.note,
        )


@dataclass(slots=True)
class _OpenProcedure:
    """A procedure whose body is being read."""

    head: HeadLine
    span: Span
    body: list[tree.Statement | _OpenRule] = field(default_factory=list)
    rules: list[_OpenRule] = field(default_factory=list)

    def closed(self) -> tree.Procedure:
        return tree.Procedure(
            self.head.head.name,
            self.head.head.parameters,
            tuple(_closed(each) for each in self.body),
            name_span=self.head.head.name_span,
            span=self.span,
            note=self.head.note,
        )


def _closed(each: tree.Statement | _OpenRule) -> tree.Statement:
    return each.closed() if isinstance(each, _OpenRule) else each


@dataclass(frozen=True, slots=True)
class Behaviour:
    """The items of a behaviour section, and those that belong to others."""

    items: tuple[tree.SectionItem, ...]
    moved: tuple[tuple[SectionKind, tree.SectionItem], ...]
    said: tuple[Diagnostic, ...]


def behaviour(source: Source, units: Iterable[Unit]) -> Behaviour:
    """The procedures and functions that *units* of *source* make up."""
    assembly = _Assembly(source)
    for unit in units:
        assembly.take(unit)
    return assembly.done()


class _Assembly:
    """One walk over the units of the section."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._items: list[tree.SectionItem | _OpenProcedure] = []
        self._moved: list[tuple[SectionKind, tree.SectionItem]] = []
        self._said: list[Diagnostic] = []
        self._procedure: _OpenProcedure | None = None
        self._headless: list[Span] = []
        self._lone_guard: Span | None = None

    def take(self, unit: Unit) -> None:
        self._said += unit.said
        self._doubt(unit)
        for made in unit.made:
            if unit.home is not None and not isinstance(made, HeadLine | tree.Assign | _STATEMENTS):
                self._moved.append((unit.home, made))
            else:
                self._place(made, unit)

    def _place(self, made: Made, unit: Unit) -> None:
        match made:
            case HeadLine():
                self._procedure = _OpenProcedure(made, made.span)
                self._items.append(self._procedure)
            case tree.FunctionDefinition():
                self._items.append(made)
            case (
                tree.Assign()
                | tree.StepByOne()
                | tree.ProcedureCall()
                | tree.Declaration()
                | tree.Rule()
                | tree.Prose()
                | tree.Unparsed()
            ):
                self._state(made, unit)
            case _:
                self._items.append(made)

    def _state(self, made: tree.Statement, unit: Unit) -> None:
        if self._procedure is None:
            self._without_procedure(made, unit)
            return
        margin = unit.group.first.margin
        procedure = self._procedure
        procedure.span = procedure.span.to(made.span)
        if isinstance(made, tree.Prose | tree.Unparsed):
            self._remark(made, margin)
            return
        while procedure.rules and margin < procedure.rules[-1].margin + DEEPER:
            procedure.rules.pop()
        place = procedure.rules[-1].conclusion if procedure.rules else procedure.body
        for rule in procedure.rules:
            rule.span = rule.span.to(made.span)
        if isinstance(made, tree.Rule):
            opened = _OpenRule(margin, made, list(made.conclusion), made.span)
            place.append(opened)
            procedure.rules.append(opened)
        else:
            place.append(made)

    def _remark(self, made: tree.Prose | tree.Unparsed, margin: int) -> None:
        """Put words where they stand, and leave the rules above them open."""
        assert self._procedure is not None
        rules = [rule for rule in self._procedure.rules if margin >= rule.margin + DEEPER]
        place = rules[-1].conclusion if rules else self._procedure.body
        for rule in rules:
            rule.span = rule.span.to(made.span)
        place.append(made)

    def _without_procedure(self, made: tree.Statement, unit: Unit) -> None:
        match made:
            case tree.Prose() | tree.Unparsed():
                self._items.append(made)
            case tree.Declaration():
                self._moved.append((SectionKind.VARIABLES, made))
                self._said.append(item_diagnostics.early_declaration(made.span))
            case _:
                self._headless.append(made.span)
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
            self._said.append(
                item_diagnostics.doubtful(
                    arrows[0].span, taken=unit.group.first.span, other=self._lone_guard
                )
            )
        is_lone = any(each.code is codes.GUARD_WITHOUT_CONCLUSION for each in unit.said)
        self._lone_guard = unit.group.span if is_lone else None

    def done(self) -> Behaviour:
        if self._headless:
            self._said.append(item_diagnostics.headless(self._headless))
        items = tuple(
            each.closed() if isinstance(each, _OpenProcedure) else each for each in self._items
        )
        return Behaviour(items, tuple(self._moved), tuple(self._said))


_STATEMENTS = tree.StepByOne | tree.ProcedureCall | tree.Rule
