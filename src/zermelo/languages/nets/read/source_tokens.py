"""What stands where in the text of a net, for whoever shows it in colours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from zermelo.languages.nets.read.prod.c_expressions import KEYWORDS
from zermelo.languages.nets.read.prod.lexer import NetToken, TokenKind, lex
from zermelo.languages.nets.read.prod.sources import NetText
from zermelo.text.decoding import is_pnml
from zermelo.text.editing import Highlight, SourceToken, in_row
from zermelo.text.source import Source, Span

_BRACKETS: Final = frozenset(("(", ")", "[", "]", "{", "}", "<.", ".>"))
_SUBJECTS: Final = frozenset(("place", "trans", "define", "enum"))
"""Directives behind which a name is declared."""
_WORDS: Final = frozenset(("in", "out", "gate", "hi", "lo", "mk"))
_XML: Final = re.compile(
    r"(?P<comment><!--.*?-->)|(?P<key></?[\w:.-]+|/?>|<\?[\w-]+|\?>)|(?P<text>\"[^\"<]*\"|'[^'<]*')"
    r"|(?P<word>[\w:.-]+(?==))",
    re.DOTALL,
)


def source_tokens(source: Source) -> tuple[SourceToken, ...]:
    return in_row(_xml(source) if is_pnml(source.text) else _prod(source))


def _xml(source: Source) -> Iterator[SourceToken]:
    for found in _XML.finditer(source.text):
        assert found.lastgroup is not None, "one of the alternatives was found"
        yield SourceToken(Highlight(found.lastgroup), Span(*found.span()))


def _prod(source: Source) -> Iterator[SourceToken]:
    tokens = lex(NetText(source, 0), [])
    declared = set(_declared(tokens))
    at = 0
    for before, token in zip((None, *tokens), tokens, strict=False):
        yield from _comments(source, Span(at, token.span.start))
        at = token.span.end
        kind = _kind(token, declared)
        if before is not None and before.is_sign("#") and token.kind is TokenKind.NAME:
            yield SourceToken(Highlight.KEY, before.span.to(token.span))
        elif kind is not None and not token.is_sign("#"):
            yield SourceToken(kind, token.span)


def _declared(tokens: list[NetToken]) -> Iterator[str]:
    for mark, word, name in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if mark.is_sign("#") and word.is_name(*_SUBJECTS) and name.kind is TokenKind.NAME:
            yield name.text


def _comments(source: Source, gap: Span) -> Iterator[SourceToken]:
    """What stands between two tokens: comments, unless it is blank or joins two lines."""
    text = source.slice(gap)
    inner = text.strip().strip("\\").strip()
    if inner:
        start = gap.start + text.index(inner)
        yield SourceToken(Highlight.COMMENT, Span(start, start + len(inner)))


def _kind(token: NetToken, declared: set[str]) -> Highlight | None:
    match token.kind:
        case TokenKind.NAME if token.text in declared:
            return Highlight.VARIABLE
        case TokenKind.NAME:
            is_keyword = token.text in KEYWORDS or token.text in _WORDS
            return Highlight.KEYWORD if is_keyword else Highlight.LOCAL
        case TokenKind.NUMBER:
            return Highlight.NUMBER
        case TokenKind.CHARACTER | TokenKind.TEXT:
            return Highlight.TEXT
        case TokenKind.SIGN | TokenKind.DIRECTIVE:
            return Highlight.BRACKET if token.text in _BRACKETS else Highlight.OPERATOR
        case TokenKind.OTHER:
            return Highlight.DAMAGED
        case TokenKind.LINE_END | TokenKind.END:
            return None
