"""A whole document as mathematics: its headings and words, and its formulas as MathML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import assert_never

from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.read.grammar.document_printer import erratum_text, given_names
from zermelo.languages.sections.read.grammar.maths import (
    in_brackets,
    name_node,
    row,
    separated,
    sign,
    to_maths,
)
from zermelo.text.editing import BlockKind, MathBlock, MathNode
from zermelo.text.lines import Setting
from zermelo.text.source import Source, Span


def blocks(document: tree.SectionsDocument, source: Source) -> tuple[MathBlock, ...]:
    """What *document*, written in *source*, says: block by block."""
    pages = _Pages(given_names(document))
    found = list(_preamble(document, source))
    for section in document.sections:
        line = source.line_span(source.line_of(section.span.start))
        found.append(MathBlock(BlockKind.HEADING, line, section.kind.value))
        for item in section.items:
            found += pages.item(item, 0)
    return tuple(found)


def _preamble(document: tree.SectionsDocument, source: Source) -> Iterator[MathBlock]:
    """The words before the first heading: one block for each run of lines."""
    if not document.preamble:
        return
    first = next(n for n in range(1, source.line_count + 1) if source.line(n).strip())
    words: list[str] = []
    begun = Span(0, 0)
    for number, text in enumerate((*document.preamble, ""), first):
        span = source.line_span(min(number, source.line_count))
        is_title = text.startswith("#")
        if words and (is_title or not text.strip()):
            yield MathBlock(BlockKind.PROSE, begun, "\n".join(words))
            words = []
        if is_title:
            yield MathBlock(BlockKind.TITLE, span, text.strip("# "))
        elif text.strip():
            begun = begun.to(span) if words else span
            words.append(text.strip())


@dataclass(frozen=True, slots=True)
class _Pages:
    """Makes blocks of items."""

    declared: frozenset[str]

    def item(self, item: tree.SectionItem, level: int) -> Iterator[MathBlock]:
        match item:
            case tree.Procedure():
                line = item.name_span.or_else(item.span)
                if item.parameters:
                    line = line.to(item.parameters[-1].span.or_else(line))
                head = row(self._head(item), line)
                yield MathBlock(BlockKind.FORMULA, line, math=head, note=item.note, level=level)
                for statement in item.body:
                    yield from self._statement(statement, level + 1)
            case tree.Declaration() | tree.Prose() | tree.Unparsed():
                yield from self._statement(item, level)
            case Setting(key=key, value=value, reason=reason):
                text = f"{key}: {value}"
                yield MathBlock(BlockKind.SETTING, item.span, text, note=reason, level=level)
            case tree.Erratum():
                yield MathBlock(BlockKind.SETTING, item.span, erratum_text(item), level=level)
            case tree.SetDefinition() | tree.Fact() | tree.Initial() | tree.FunctionDefinition():
                math = row(self._definition(item), item.span)
                yield MathBlock(
                    BlockKind.FORMULA, item.span, math=math, note=item.note, level=level
                )
            case _:
                assert_never(item)

    def _definition(
        self, item: tree.SetDefinition | tree.Fact | tree.Initial | tree.FunctionDefinition
    ) -> list[MathNode]:
        match item:
            case tree.SetDefinition(name=name, value=value, index=index):
                full = name if index is None else f"{name}_{index}"
                return [name_node(full, item.name_span), sign(":"), self._formula(value)]
            case tree.Fact(formula=fact):
                return [self._formula(fact)]
            case tree.Initial() if item.over is not None:
                return [self._formula(tree.everywhere(item, item.over))]
            case tree.Initial(names=names, value=value):
                spans = item.name_spans if len(item.name_spans) == len(names) else ()
                shown = [
                    name_node(name, spans[at] if spans else None) for at, name in enumerate(names)
                ]
                places = separated(self._formula(each) for each in item.at)
                at = in_brackets(*places) if item.at else ()
                return [*separated(shown), *at, sign("="), *self._first_value(value)]
            case tree.FunctionDefinition():
                return [*self._head(item), sign("="), self._formula(item.body)]
            case _:
                assert_never(item)

    def _head(self, item: tree.Procedure | tree.FunctionDefinition) -> list[MathNode]:
        return [
            name_node(item.name, item.name_span),
            *in_brackets(*self._parameters(item.parameters)),
        ]

    def _parameters(self, parameters: tuple[tree.Parameter, ...]) -> list[MathNode]:
        """The parameters; those that follow each other with one set share it."""
        shown: list[MathNode] = []
        for index, each in enumerate(parameters):
            later = parameters[index + 1] if index + 1 < len(parameters) else None
            is_shared = later is not None and (later.relation, later.domain) == (
                each.relation,
                each.domain,
            )
            if each.domain is None or each.relation is None or is_shared:
                shown.append(name_node(each.name, each.span if each.domain is None else None))
            else:
                declared = tree.Declaration((each.name,), each.relation, each.domain)
                shown.append(replace(self._formula(declared), span=each.span))
        return separated(shown)

    def _first_value(self, value: tree.Expr) -> list[MathNode]:
        """A first value; in brackets where a sign in it could seem to end it."""
        inner = value
        while isinstance(inner, tree.Not):
            inner = inner.operand
        shown = self._formula(value)
        return in_brackets(shown) if isinstance(inner, tree.Formula) else [shown]

    def _statement(self, statement: tree.Statement, level: int) -> Iterator[MathBlock]:
        match statement:
            case tree.Prose(lines=lines):
                text = "\n".join(lines)
                yield MathBlock(BlockKind.PROSE, statement.span, text, level=level)
            case tree.Unparsed(text=text, note=note):
                yield MathBlock(BlockKind.SOURCE, statement.span, text, note=note, level=level)
            case tree.Rule():
                # Words between the lines of a rule stand below it.
                aside = [each for each in statement.conclusion if _is_aside(each)]
                kept = tuple(each for each in statement.conclusion if not _is_aside(each))
                yield self._formula_block(replace(statement, conclusion=kept), level)
                for each in aside:
                    yield from self._statement(each, level + 1)
            case _:
                yield self._formula_block(statement, level)

    def _formula_block(self, statement: tree.Statement, level: int) -> MathBlock:
        math = self._formula(statement)
        notes = " ".join(_notes(statement))
        return MathBlock(BlockKind.FORMULA, statement.span, math=math, note=notes, level=level)

    def _formula(self, node: tree.Expr | tree.Statement) -> MathNode:
        return to_maths(node, declared=self.declared)


def _is_aside(statement: tree.Statement) -> bool:
    return isinstance(statement, tree.Prose | tree.Unparsed)


def _notes(statement: tree.Statement) -> Iterable[str]:
    """The words behind *statement* and behind what it concludes."""
    inner = statement.conclusion if isinstance(statement, tree.Rule) else ()
    return filter(None, (statement.note, *(each.note for each in inner)))
