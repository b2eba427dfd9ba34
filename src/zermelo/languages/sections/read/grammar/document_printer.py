"""A whole document as text, in the canonical layout.

Headings are lines of their own, items are indented below them, heads of
procedures stand at the margin with their statements indented, and every word
that is no formula stands behind ``//``. Reading what was printed gives the same
document, and printing that gives the same text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import assert_never

from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.read.grammar.printer import conclusion
from zermelo.languages.sections.read.grammar.printer import to_text as formula
from zermelo.languages.sections.read.grammar.traversal import (
    assignments,
    expressions_in,
    first_name,
    names_in,
)
from zermelo.text.headings import SectionKind
from zermelo.text.lines import Setting
from zermelo.text.source import Notation


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a document: a formula, or words, with a note behind it; or nothing."""

    level: int = 0
    """How far it is indented."""
    text: str = ""
    note: str = ""
    is_formula: bool = False


def to_text(document: tree.SectionsDocument, notation: Notation = Notation.UNICODE) -> str:
    """*document* in *notation*; LaTeX comes as Markdown with formulas between dollars."""
    blocks = ["\n".join(document.preamble)] if document.preamble else []
    for section, rows in section_rows(document, notation):
        blocks.append("\n".join([*_heading(section, notation), *_lines(section, rows, notation)]))
    return "\n\n".join(blocks) + "\n"


def section_rows(
    document: tree.SectionsDocument, notation: Notation
) -> Iterator[tuple[tree.Section, Iterator[Row]]]:
    """The sections of *document*, each with its lines; formulas are in *notation*."""
    items = [item for section in document.sections for item in section.items]
    layout = _DocumentLayout(notation, given_names(document), frozenset(_computed(items)))
    for section in document.sections:
        yield section, layout.section(section)


def given_names(document: tree.SectionsDocument) -> frozenset[str]:
    """The names that *document* gives to something, by which words are told from signs."""
    return frozenset(name for section in document.sections for name in _names(section.items))


def _heading(section: tree.Section, notation: Notation) -> list[str]:
    name = section.kind.value
    return [f"## {name}", ""] if notation is Notation.LATEX else [name]


def _lines(section: tree.Section, rows: Iterable[Row], notation: Notation) -> Iterator[str]:
    is_latex = notation is Notation.LATEX
    margin = "" if is_latex or section.kind is SectionKind.BEHAVIOUR else "  "
    for row in rows:
        text = f"${row.text}$" if is_latex and row.is_formula else row.text
        bullet = "- " if is_latex and text else ""
        remark = f"// {row.note}" if row.note else ""
        shown = "  ".join(filter(None, (bullet + text, remark)))
        yield f"{margin}{'  ' * row.level}{shown}" if shown else ""


@dataclass(frozen=True, slots=True)
class _DocumentLayout:
    """How the lines of a document are laid out."""

    notation: Notation
    declared: frozenset[str]
    computed: frozenset[str]
    """Names that stand for formulas, which may change with what is assigned."""

    def section(self, section: tree.Section) -> Iterator[Row]:
        is_after_prose = False
        for index, item in enumerate(section.items):
            is_procedure = isinstance(item, tree.Procedure)
            if (isinstance(item, tree.Prose) and is_after_prose) or (is_procedure and index):
                yield Row()
            is_after_prose = isinstance(item, tree.Prose)
            yield from self.item(item, 0)

    def item(self, item: tree.SectionItem, level: int) -> Iterator[Row]:
        match item:
            case tree.Procedure():
                head = f"{self._name(item.name)}({self._parameters(item.parameters)})"
                yield Row(level, head, item.note, is_formula=True)
                body = [self._with_needed_breaks(each) for each in item.body]
                yield from self._statements(body, level + 1)
            case tree.Declaration() | tree.Prose() | tree.Unparsed():
                yield from self._statements((item,), level)
            case Setting(key=key, value=value, reason=reason):
                yield Row(level, f"{key}: {value}", reason)
            case tree.Erratum():
                yield Row(level, erratum_text(item))
            case tree.SetDefinition() | tree.Fact() | tree.Initial() | tree.FunctionDefinition():
                yield Row(level, self._definition(item), item.note, is_formula=True)
            case _:
                assert_never(item)

    def _definition(
        self, item: tree.SetDefinition | tree.Fact | tree.Initial | tree.FunctionDefinition
    ) -> str:
        match item:
            case tree.SetDefinition(name=name, value=value, index=index):
                full = name if index is None else f"{name}_{index}"
                return f"{self._name(full)} : {self._formula(value)}"
            case tree.Fact(formula=fact):
                return self._formula(fact)
            case tree.Initial() if item.over is not None:
                return self._formula(tree.everywhere(item, item.over))
            case tree.Initial(names=names, value=value):
                left = ", ".join(map(self._name, names))
                return f"{self._place(item, left)} = {self._value(value)}"
            case tree.FunctionDefinition(name=name, parameters=parameters, body=body):
                head = f"{self._name(name)}({self._parameters(parameters)})"
                return f"{head} = {self._formula(body)}"
            case _:
                assert_never(item)

    def _place(self, item: tree.Initial, name: str) -> str:
        """What is given its first value: a variable, or a function at a place."""
        if not item.at:
            return name
        places = ", ".join(map(self._formula, item.at))
        return f"{name}({places})"

    def _statements(self, body: Iterable[tree.Statement], level: int) -> Iterator[Row]:
        is_after_prose = False
        for each in body:
            if isinstance(each, tree.Prose) and is_after_prose:
                yield Row()
            is_after_prose = isinstance(each, tree.Prose)
            match each:
                case tree.Prose(lines=lines):
                    yield from (Row(level, note=line) for line in lines)
                case tree.Unparsed(text=text, note=note):
                    yield Row(level, text, note)
                case tree.Rule() if not _is_one_line(each):
                    yield from self._stack(each, level)
                case _:
                    shown = self._formula(replace(each, note=""))
                    yield Row(level, shown, each.note, is_formula=True)

    def _stack(self, rule: tree.Rule, level: int) -> Iterator[Row]:
        """A rule with words or notes inside, or with lines: its conclusions stand below it."""
        kept = _plain_until(rule.conclusion, 0, rule.breaks)
        first = tree.Rule(rule.guard, rule.conclusion[:kept])
        yield Row(level, self._formula(first), rule.note, is_formula=True)
        alone: list[tree.Statement] = []
        while kept < len(rule.conclusion):
            until = _plain_until(rule.conclusion, kept, rule.breaks)
            if not rule.breaks or until <= kept + 1:
                alone.append(rule.conclusion[kept])
                kept += 1
                continue
            yield from self._statements(alone, level + 1)
            done = conclusion(rule.conclusion[kept:until], self.notation, self.declared)
            yield Row(level + 1, done, is_formula=True)
            alone, kept = [], until
        yield from self._statements(alone, level + 1)

    def _with_needed_breaks(self, statement: tree.Statement) -> tree.Statement:
        """*statement* with its lines kept where one reads what stands above it."""
        if not isinstance(statement, tree.Rule):
            return statement
        inner = tuple(map(self._with_needed_breaks, statement.conclusion))
        breaks = statement.breaks if self._reads_above(inner) else ()
        return replace(statement, conclusion=inner, breaks=breaks)

    def _reads_above(self, conclusion: tuple[tree.Statement, ...]) -> bool:
        above: set[str] = set()
        calls = (tree.Rule, tree.ProcedureCall)
        for each in takewhile(lambda each: not isinstance(each, calls), conclusion):
            read = {name for expr in expressions_in((each,)) for name in names_in(expr)}
            if above and read & (above | self.computed):
                return True
            above |= {assignment.name for assignment in assignments((each,))}
        return False

    def _parameters(self, parameters: tuple[tree.Parameter, ...]) -> str:
        """The parameters; those that follow each other with one set share it."""
        parts: list[str] = []
        for index, each in enumerate(parameters):
            later = parameters[index + 1] if index + 1 < len(parameters) else None
            is_shared = (
                later is not None
                and each.domain is not None
                and (later.relation, later.domain) == (each.relation, each.domain)
            )
            if each.domain is None or each.relation is None or is_shared:
                parts.append(self._name(each.name))
            else:
                declared = tree.Declaration((each.name,), each.relation, each.domain)
                parts.append(self._formula(declared))
        return ", ".join(parts)

    def _value(self, value: tree.Expr) -> str:
        """A first value; in brackets where a sign in it could seem to end it."""
        inner = value
        while isinstance(inner, tree.Not):
            inner = inner.operand
        text = self._formula(value)
        return f"({text})" if isinstance(inner, tree.Formula) else text

    def _name(self, name: str) -> str:
        return self._formula(tree.Name(name))

    def _formula(self, node: tree.Expr | tree.Statement) -> str:
        return formula(node, self.notation, declared=self.declared)


def _computed(items: Iterable[tree.SectionItem]) -> Iterator[str]:
    for item in items:
        match item:
            case tree.Fact(formula=fact):
                yield first_name(fact)
            case tree.FunctionDefinition(name=name):
                yield name
            case _:
                pass


def _is_plain(statement: tree.Statement) -> bool:
    """Whether *statement* can stand on its rule's own line."""
    if statement.note or isinstance(statement, tree.Prose | tree.Unparsed):
        return False
    return not isinstance(statement, tree.Rule) or _is_one_line(statement)


def _plain_until(statements: tuple[tree.Statement, ...], at: int, breaks: tuple[int, ...]) -> int:
    """Where the statements end that can stand on one line with the one at *at*."""
    end = at
    while end < len(statements) and _is_plain(statements[end]) and (end == at or end not in breaks):
        end += 1
    return end


def _is_one_line(rule: tree.Rule) -> bool:
    return not rule.breaks and all(_is_plain(each) for each in rule.conclusion)


def erratum_text(erratum: tree.Erratum) -> str:
    """*erratum* on one line, with its reason."""
    text = f"{_quoted(erratum.old)} → {_quoted(erratum.new)}"
    return f"{text}: {erratum.reason}" if erratum.reason else text


def _quoted(text: str) -> str:
    opening, closing = next(
        ((a, b) for a, b in ('""', "“”", "``", "''") if b not in text), ('"', '"')
    )
    return f"{opening}{text}{closing}"


def _names(items: Iterable[tree.SectionItem | tree.Statement]) -> Iterator[str]:
    for item in items:
        match item:
            case tree.SetDefinition(name=name, index=index):
                yield from filter(None, (name, index))
            case tree.Declaration(names=names) | tree.Initial(names=names):
                yield from names
            case tree.FunctionDefinition(name=name, parameters=parameters):
                yield from (name, *(each.name for each in parameters))
            case tree.Procedure(name=name, parameters=parameters, body=body):
                yield from (name, *(each.name for each in parameters), *_names(body))
            case tree.Rule(conclusion=conclusion):
                yield from _names(conclusion)
            case tree.Assign(target=target):
                yield from names_in(target)
            case tree.StepByOne(name=name) | tree.ProcedureCall(name=name):
                yield name
            case _:
                pass
