"""What stands where in the text of a document, for whoever shows it in colours."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from zermelo.languages.sections.read.document import heading_lines, parse
from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.read.grammar.lexer import lex
from zermelo.languages.sections.read.grammar.symbols import (
    FUNCTION_WORDS,
    GREEK,
    INFIX_WORDS,
    PREFIX_WORDS,
    SYMBOLS,
    VALUE_WORDS,
)
from zermelo.languages.sections.read.grammar.tokens import Token, TokenKind
from zermelo.languages.sections.read.grammar.traversal import (
    expressions_in,
    inside,
    names_in,
    statements,
)
from zermelo.text.editing import Highlight, SourceToken, TypedSymbol, in_row
from zermelo.text.headings import SectionKind
from zermelo.text.lines import DocumentLine, Setting, lines
from zermelo.text.source import Source, Span

_BULLET: Final = "•"
_BRACKETS: Final = frozenset("()[]{}⌊⌋⌈⌉|")
_VALUES: Final = frozenset(("∅", "ℕ", "ℤ", "ℤ⁺", "⊤", "⊥"))
_SIGN_WORDS: Final = frozenset((*INFIX_WORDS, *PREFIX_WORDS, *FUNCTION_WORDS))


def symbols() -> tuple[TypedSymbol, ...]:
    """The signs that few keyboards have, then the letters of Greek."""
    signs = (
        TypedSymbol(each.text, each.latex, (*each.ascii, *each.words))
        for each in SYMBOLS
        if not each.text.isascii() and each.latex and each.text != _BULLET
    )
    letters: dict[str, list[str]] = {}
    for command, letter in GREEK.items():
        letters.setdefault(letter, []).append(command)
    return (*signs, *(TypedSymbol(letter, tuple(names)) for letter, names in letters.items()))


def source_tokens(source: Source) -> tuple[SourceToken, ...]:
    """The tokens of *source*, whether or not all of it is understood."""
    found = lines(source)
    headings = heading_lines(source, found)
    document = parse(source).value
    if document is None:
        return ()
    known = _Known()
    for section in document.sections:
        for item in section.items:
            known.add(section.kind, item)
    first = min(headings)
    tokens = [SourceToken(Highlight.PROSE, Span(0, source.line_span(first).start))]
    for number, heading in headings.items():
        span = source.line_span(number)
        end = span.end if heading.content is None else span.start + heading.content
        tokens.append(SourceToken(Highlight.HEADING, Span(span.start, end)))
    tokens += known.fixed
    tokens += [SourceToken(Highlight.COMMENT, span) for span in known.notes(source)]
    cover = _Cover(token.span for token in tokens)
    for line in found:
        if line.number > first or line.number in headings:
            tokens += _on_line(line, source, known, cover)
    return in_row(tokens)


@dataclass(slots=True)
class _Known:
    """What the items of a document tell about the words in it."""

    names: dict[str, Highlight] = field(default_factory=dict)
    fixed: list[SourceToken] = field(default_factory=list)
    """Prose, and the keys of settings."""
    noted: list[tree.Item] = field(default_factory=list)
    """What has words behind it."""

    def add(self, kind: SectionKind, item: tree.SectionItem) -> None:
        match item:
            case Setting(key_span=key):
                self.fixed.append(SourceToken(Highlight.KEY, key))
            case tree.SetDefinition(name=name, index=index, value=value):
                self._name(Highlight.SET, name)
                self._name(Highlight.LOCAL, *((index,) if index else ()))
                self._bound(value)
            case tree.Declaration(names=names) if kind is SectionKind.VARIABLES:
                self._name(Highlight.VARIABLE, *names)
            case tree.FunctionDefinition(body=body):
                self._head(item)
                self._bound(body)
            case tree.Procedure(body=statements_):
                self._head(item)
                self._body(statements_)
            case tree.Fact(formula=formula):
                self._bound(formula)
            case tree.Prose():
                self.fixed.append(SourceToken(Highlight.PROSE, item.span))
            case _:
                pass
        if isinstance(item, tree.Item) and item.note:
            self.noted.append(item)

    def _head(self, item: tree.FunctionDefinition | tree.Procedure) -> None:
        self._name(Highlight.PROCEDURE, item.name)
        self._name(Highlight.LOCAL, *(each.name for each in item.parameters))

    def _body(self, body: Iterable[tree.Statement]) -> None:
        for each in statements(body):
            match each:
                case tree.Prose():
                    self.fixed.append(SourceToken(Highlight.PROSE, each.span))
                case tree.Declaration(names=names):
                    self._name(Highlight.VARIABLE, *names)
                case tree.Assign(target=target):
                    self._name(Highlight.LOCAL, *names_in(target))
                case _:
                    pass
            if each.note:
                self.noted.append(each)
        for expr in expressions_in(body):
            self._bound(expr)

    def _bound(self, expr: tree.Expr) -> None:
        for node in inside(expr):
            match node:
                case tree.Quantified(variables=variables):
                    self._name(Highlight.LOCAL, *variables)
                case tree.Folded(variable=name):
                    self._name(Highlight.LOCAL, name)
                case tree.SetBuilder(result=result):
                    self._name(Highlight.LOCAL, *names_in(result))
                case _:
                    pass

    def _name(self, kind: Highlight, *names: str) -> None:
        for name in names:
            # What the document declares counts; the same name may be bound elsewhere.
            if self.names.get(name, Highlight.LOCAL) is Highlight.LOCAL:
                self.names[name] = kind

    def notes(self, source: Source) -> Iterator[Span]:
        """The words behind items, up to the end of their line."""
        for item in self.noted:
            end = source.line_span(source.line_of(item.span.end)).end
            behind = source.text[item.span.end : end]
            yield Span(end - len(behind.lstrip()), end)


class _Cover:
    """Whether a place lies in one of some spans."""

    def __init__(self, spans: Iterable[Span]) -> None:
        joined: list[Span] = []
        for each in sorted(spans):
            if joined and each.start <= joined[-1].end:
                joined[-1] = joined[-1].to(each)
            else:
                joined.append(each)
        self._spans = joined

    def covers(self, place: Span) -> bool:
        at = bisect_right(self._spans, place.start, key=lambda span: span.start) - 1
        return at >= 0 and self._spans[at].covers(place)


def _on_line(
    line: DocumentLine, source: Source, known: _Known, cover: _Cover
) -> Iterator[SourceToken]:
    if line.comment_span is not None:
        yield SourceToken(Highlight.COMMENT, line.comment_span)
    if line.is_empty or cover.covers(line.span):
        return
    for token in lex(source, line.span)[0]:
        if not cover.covers(token.span):
            yield SourceToken(_kind(token, known), token.span)


def _kind(token: Token, known: _Known) -> Highlight:
    match token.kind:
        case TokenKind.NUMBER:
            return Highlight.NUMBER
        case TokenKind.TEXT:
            return Highlight.TEXT
        case TokenKind.SYMBOL if token.text in _VALUES:
            return Highlight.CONSTANT
        case TokenKind.SYMBOL:
            return Highlight.BRACKET if token.text in _BRACKETS else Highlight.OPERATOR
        case TokenKind.NAME if token.text in known.names:
            return known.names[token.text]
        case TokenKind.NAME if token.text in VALUE_WORDS:
            return Highlight.CONSTANT
        case TokenKind.NAME if token.text in _SIGN_WORDS:
            return Highlight.OPERATOR
        case TokenKind.NAME:
            return Highlight.WORD
