"""What stands where in the text of an LED program, for whoever shows it in colours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zermelo.languages.led.read import parser, printed
from zermelo.languages.led.read.document import OPENING, code_regions, is_printed
from zermelo.languages.led.read.lexer import EMPTY, RESERVED, Lexeme, LexemeKind, lex
from zermelo.languages.led.read.styles import MATHEMATICS
from zermelo.languages.led.read.tree import Definition
from zermelo.text.editing import Highlight, SourceToken, TypedSymbol, in_row
from zermelo.text.source import Source, Span

_CONSTANTS: Final = frozenset({"true", "false", EMPTY})
_BRACKETS: Final = frozenset("()[]{}⌊⌋⌈⌉|")
_HEADS: Final = ("#", "\\section", "\\subsection", "\\title")


def symbols() -> tuple[TypedSymbol, ...]:
    """The signs of mathematics that may be typed for those of source form."""
    signs = (
        TypedSymbol(char, (command.removeprefix("\\"),), (sign.value,))
        for sign, (char, command) in MATHEMATICS.items()
        if not char.isascii()
    )
    return (*signs, TypedSymbol("¬", ("neg",), ("~",)), TypedSymbol("∅", ("emptyset",), ("{}",)))


def source_tokens(source: Source) -> tuple[SourceToken, ...]:
    """The tokens of *source*; what is no code is prose."""
    code = _code(source)
    defined = parser.heads_in("\n".join(source.slice(span) for span in code))
    tokens: list[SourceToken] = []
    at = 0
    for span in code:
        tokens += _prose(source, Span(at, span.start))
        tokens += [SourceToken(_kind(each, defined), each.span) for each in lex(source, span)[0]]
        at = span.end
    tokens += _prose(source, Span(at, len(source.text)))
    return in_row(tokens)


def _code(source: Source) -> list[Span]:
    """Where the code is: between its marks, in the definitions of a printed program, or all."""
    if OPENING in source.text:
        return [region.code for region in code_regions(source)[0]]
    if not is_printed(source.text):
        return [Span(0, len(source.text))]
    read = printed.parse(source, as_written=False).value
    parts = () if read is None else read.parts
    return sorted(part.span for part in parts if isinstance(part, Definition))


def _prose(source: Source, span: Span) -> Iterator[SourceToken]:
    """*span* line by line, its headings apart."""
    at = span.start
    for line in source.slice(span).splitlines(keepends=True):
        end = at + len(line)
        kind = Highlight.HEADING if line.startswith(_HEADS) else Highlight.PROSE
        yield SourceToken(kind, Span(at, end - (1 if line.endswith("\n") else 0)))
        at = end


def _kind(lexeme: Lexeme, defined: frozenset[str]) -> Highlight:
    match lexeme.kind:
        case LexemeKind.NAME:
            return Highlight.VARIABLE if lexeme.text in defined else Highlight.LOCAL
        case LexemeKind.NUMBER:
            return Highlight.NUMBER
        case LexemeKind.TEXT:
            return Highlight.TEXT
        case LexemeKind.ATOM:
            return Highlight.CONSTANT
        case LexemeKind.SIGN if lexeme.text in _CONSTANTS:
            return Highlight.CONSTANT
        case LexemeKind.SIGN if lexeme.text in RESERVED:
            return Highlight.KEYWORD
        case LexemeKind.SIGN:
            return Highlight.BRACKET if lexeme.text in _BRACKETS else Highlight.OPERATOR
        case LexemeKind.DAMAGED:
            return Highlight.DAMAGED
