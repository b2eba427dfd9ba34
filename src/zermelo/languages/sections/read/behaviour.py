"""Units of the behaviour section become procedures, with their rules nested.

A statement that stands deeper than the rule above it belongs to that rule's
conclusion: a stack of assignments, or a rule within the rule.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from zermelo.languages.sections.read import item_diagnostics
from zermelo.languages.sections.read.forms import Done, Made
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
        return replace(self.rule, conclusion=tuple(map(_closed, self.conclusion)), span=self.span)


@dataclass(slots=True)
class _OpenProcedure:
    """A procedure whose body is being read."""

    head: tree.Procedure
    span: Span
    body: list[tree.Statement | _OpenRule] = field(default_factory=list)
    rules: list[_OpenRule] = field(default_factory=list)

    def closed(self) -> tree.Procedure:
        return replace(self.head, body=tuple(map(_closed, self.body)), span=self.span)


def _closed(each: tree.Statement | _OpenRule) -> tree.Statement:
    return each.closed() if isinstance(each, _OpenRule) else each


class Behaviour:
    """The items of a behaviour section, and those that belong to others."""

    def __init__(self, source: Source, units: Iterable[Unit]) -> None:
        self._source = source
        self._items: list[tree.SectionItem | _OpenProcedure] = []
        self.moved: list[tuple[SectionKind, tree.SectionItem]] = []
        self.said: list[Diagnostic] = []
        self._procedure: _OpenProcedure | None = None
        self._headless: list[Span] = []
        self._lone_guard: Span | None = None
        for unit in units:
            self._take(unit)
        if self._headless:
            self.said.append(item_diagnostics.headless(self._headless))
        self.items = tuple(
            each.closed() if isinstance(each, _OpenProcedure) else each for each in self._items
        )

    def _take(self, unit: Unit) -> None:
        self.said += unit.said
        self._doubt(unit)
        for made in unit.made:
            if unit.home is not None and not isinstance(made, Done):
                self.moved.append((unit.home, made))
            else:
                self._place(made, unit)

    def _place(self, made: Made, unit: Unit) -> None:
        if isinstance(made, tree.Procedure):
            self._procedure = _OpenProcedure(made, made.span)
            self._items.append(self._procedure)
        elif isinstance(made, tree.Statement):
            self._state(made, unit)
        else:
            self._items.append(made)

    def _state(self, made: tree.Statement, unit: Unit) -> None:
        if self._procedure is None:
            self._without_procedure(made, unit)
            return
        margin = unit.group.first.margin
        procedure = self._procedure
        procedure.span = procedure.span.to(made.span)
        rules = [rule for rule in procedure.rules if margin >= rule.margin + DEEPER]
        if not isinstance(made, tree.Prose | tree.Unparsed):
            # Words leave the rules above them open.
            procedure.rules = rules
        place = rules[-1].conclusion if rules else procedure.body
        for rule in rules:
            rule.span = rule.span.to(made.span)
        if isinstance(made, tree.Rule):
            opened = _OpenRule(margin, made, list(made.conclusion), made.span)
            place.append(opened)
            rules.append(opened)
        else:
            place.append(made)

    def _without_procedure(self, made: tree.Statement, unit: Unit) -> None:
        match made:
            case tree.Prose() | tree.Unparsed():
                self._items.append(made)
            case tree.Declaration():
                self.moved.append((SectionKind.VARIABLES, made))
                self.said.append(item_diagnostics.early_declaration(made.span))
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
            taken = unit.group.first.span
            doubt = item_diagnostics.doubtful(arrows[0].span, taken=taken, other=self._lone_guard)
            self.said.append(doubt)
        is_lone = any(each.code is codes.GUARD_WITHOUT_CONCLUSION for each in unit.said)
        self._lone_guard = unit.group.span if is_lone else None
