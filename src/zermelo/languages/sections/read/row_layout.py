"""Rows as one item each, where the page has several on a line or one in the cells of a table.

- A row of a table, ``| F | {0..3} | the floors |``, is ``F : {0..3}`` with a note.
- A head with what it does on its line, ``Fill(): x < 5 → x = 5``, is a head and what stands below.
- What is defined behind *where*, ``R : {1, …, n} where n = 4``, is a row of its own before it.

All of this is done on tokens, before anything is parsed and before the names are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import Final

from zermelo.languages.sections.read.grammar.cursor import DeclaredNames
from zermelo.languages.sections.read.grammar.lexer import lex
from zermelo.languages.sections.read.grammar.tokens import Token, TokenKind
from zermelo.languages.sections.read.rows import (
    STATEMENTS,
    RowShape,
    TokenRow,
    at_top,
    closing,
    has_domain,
    is_strong,
    leading_names,
    shape,
)
from zermelo.languages.sections.read.scan import without_opening
from zermelo.languages.sections.read.worded_rows import in_signs
from zermelo.text.headings import SectionKind
from zermelo.text.lines import DocumentLine, is_table_rule
from zermelo.text.source import Source, Span

_NO_NAMES: Final = DeclaredNames()
_DEEPER: Final = 4
_MOST_HEAD_ROWS: Final = 8
_BAR: Final = re.compile(r"(?<!\\)\|")
_SIGNS: Final = {
    SectionKind.SETS: ":",
    SectionKind.VARIABLES: "∈",
    SectionKind.FACTS: "=",
    SectionKind.INITIALISATION: "=",
    SectionKind.BEHAVIOUR: "→",
}
"""What is meant between the first two cells of a table under each heading."""
_COMPARED: Final = frozenset("=≠<≤>≥")
_RELATIONS: Final = frozenset("∈⊆⊂=↔→:")
_FIRST_VALUES: Final = re.compile(r"\b(?:initial(?:ly| value)?|start(?:s|ing)?(?: value)?)\b", re.I)
_STOPS: Final = frozenset({";", "."})
_ITEMS: Final = frozenset(
    {RowShape.DEFINITION, RowShape.DECLARATION, RowShape.EQUATION, RowShape.EQUIVALENCE}
)
_BODIES: Final = STATEMENTS | {RowShape.RULE}


def laid_out(
    source: Source, rows: Sequence[TokenRow], kind: SectionKind, variables: Set[str]
) -> list[TokenRow]:
    """*rows* of a section *kind*, each with one item, in signs."""
    found: list[TokenRow] = []
    margin = min((row.line.margin for row in rows if row.tokens), default=0)
    is_done = kind is SectionKind.BEHAVIOUR
    for row in _whole_heads(rows) if is_done else chain.from_iterable(map(_items, rows)):
        for cell in _cells(source, row, kind):
            parts = [part for labelled in _labelled_head(cell) for part in _head_and_body(labelled)]
            if is_done and row.line.margin <= margin:
                parts = [row for each in parts for row in _conditioned_head(each, variables)]
            for part in (row for each in parts for row in _patterned_head(each)):
                for each in _with_otherwise(part) if is_done else [part]:
                    tokens = in_signs(each.tokens, kind, variables)
                    found += _with_definitions(replace(each, tokens=tokens))
    return found


# Tables


@dataclass(frozen=True, slots=True)
class _Cell:
    span: Span
    tokens: tuple[Token, ...]


def _cells(source: Source, row: TokenRow, kind: SectionKind) -> Iterator[TokenRow]:
    """What a row of a table says; its header says nothing."""
    header = _header(source, row.line) if row.tokens else None
    if header is None:
        yield row
        return
    if header == row.line.number:
        return
    spans = _spans(source, row.line.number)
    columns = [_Cell(span, lex(source, span)[0]) for span in spans]
    if not columns or not columns[0].tokens:
        return
    titles = [source.slice(span) for span in _spans(source, header)]
    valued = [
        at
        for at, title in enumerate(titles)
        if kind is SectionKind.VARIABLES and at and _FIRST_VALUES.search(title)
    ]
    values = [each for at, each in enumerate(columns) if at in valued and each.tokens]
    first, *rest = (each for at, each in enumerate(columns) if at not in valued)
    notes = [source.slice(each.span) for each in rest if each.tokens]
    if _has_relation(first.tokens) or not (notes or values):
        yield _row(row, first.tokens, "; ".join(notes))
    elif rest and rest[0].tokens:
        yield _row(row, (*first.tokens, *_joined(first, rest[0], kind)), "; ".join(notes[1:]))
    for value in values:
        equals = Token(TokenKind.SYMBOL, "=", _at(value.tokens[0]), blank_before=True)
        # It is another item, and so begins at another place.
        yield _row(
            replace(row, line=replace(row.line, span=value.span, whole=value.span)),
            (*first.tokens, equals, *value.tokens),
            "",
        )


def _joined(first: _Cell, second: _Cell, kind: SectionKind) -> tuple[Token, ...]:
    words = [token.text.lower() for token in second.tokens[:2]]
    if words == ["subset", "of"]:
        return (replace(second.tokens[0], kind=TokenKind.SYMBOL, text="⊆"), *second.tokens[2:])
    if second.tokens[0].text in _RELATIONS or not first.tokens:
        return second.tokens
    sign = Token(TokenKind.SYMBOL, _SIGNS[kind], _at(second.tokens[0]), blank_before=True)
    return (sign, *second.tokens)


def _has_relation(tokens: Sequence[Token]) -> bool:
    return any(token.text in _RELATIONS for _, token in at_top(tokens))


def _row(row: TokenRow, tokens: tuple[Token, ...], words: str) -> TokenRow:
    comment = " ".join(filter(None, (words, row.line.comment)))
    return replace(row, tokens=tokens, line=replace(row.line, comment=comment))


def _header(source: Source, line: DocumentLine) -> int | None:
    """The line of the header of the table in which *line* stands; ``None`` if it is in none."""
    number = line.number
    if not source.line(number).lstrip().startswith("|"):
        return None
    if number < source.line_count and is_table_rule(source.line(number + 1)):
        return number
    while number > 1 and source.line(number).lstrip().startswith("|"):
        if is_table_rule(source.line(number)):
            return number - 1
        number -= 1
    return None


def _spans(source: Source, number: int) -> list[Span]:
    """The cells of a line, the empty ones too."""
    start = source.line_span(number).start
    text = source.line(number)
    bars = [found.start() for found in _BAR.finditer(text)]
    found = []
    for before, bar in pairwise((*bars, len(text))):
        cell = text[before + 1 : bar]
        begin = start + before + 1 + len(cell) - len(cell.lstrip())
        found.append(Span(begin, begin + len(cell.strip())))
    return found


def _items(row: TokenRow) -> list[TokenRow]:
    """``A = {1, 2}; B = {3}`` as two rows."""
    parts = _split(row.tokens, frozenset({";"}))
    if len(parts) < 2 or not all(shape(part, _NO_NAMES) in _ITEMS for part in parts):
        return [row]
    first, *rest = (_part(row, part, row.line.margin) for part in parts)
    return [first, *(replace(each, said=()) for each in rest)]


# Heads and definitions


def _whole_heads(rows: Sequence[TokenRow]) -> Iterator[TokenRow]:
    """*rows* in which a head stands on one, with all of its parameters: ``Take(a ∈ S,`` is cut."""
    at = 0
    while at < len(rows):
        length = _length_of_head(rows[at : at + _MOST_HEAD_ROWS])
        tokens = tuple(token for row in rows[at : at + length] for token in row.tokens)
        said = tuple(each for row in rows[at : at + length] for each in row.said)
        whole = replace(rows[at].line, span=rows[at].line.span.to(rows[at + length - 1].line.span))
        yield rows[at] if length == 1 else replace(rows[at], tokens=tokens, said=said, line=whole)
        at += length


def _length_of_head(rows: Sequence[TokenRow]) -> int:
    """How many of *rows* a head takes that begins with the first; 1 if that is none."""
    tokens = rows[0].tokens
    is_open = [t.text for t in tokens[1:2]] == ["("] and tokens[0].kind is TokenKind.NAME
    if not is_open or closing(tokens, 1) is not None:
        return 1
    for length, row in enumerate(rows[1:], 2):
        if row.line.is_empty or row.line.is_after_blank:
            return 1
        tokens = (*tokens, *row.tokens)
        end = closing(tokens, 1)
        if end is not None:
            is_head = shape(tokens, _NO_NAMES) is RowShape.CALL
            return length if is_head and has_domain(tokens[2:end], _NO_NAMES) else 1
    return 1


def _head_and_body(row: TokenRow) -> list[TokenRow]:
    """A head and the statements behind its colon as rows of their own; else the row alone."""
    tokens = row.tokens
    end = closing(tokens, 1) if len(tokens) > 2 and tokens[0].kind is TokenKind.NAME else None
    behind = [t.text for t in tokens[end + 1 : end + 2]] if end is not None else []
    if end is None or tokens[1].text != "(" or behind not in ([":"], ["."]):
        return [row]
    parts = [without_opening(part) for part in _split(tokens[end + 2 :], _STOPS)]
    if not parts or not all(map(_is_statement, parts)):
        return [row]
    head = _part(row, tokens[: end + 1], row.line.margin)
    # Rules on the lines below may stand under the first of them.
    offset = parts[0][0].span.start - tokens[0].span.start
    below = [_part(row, part, row.line.margin + max(_DEEPER, offset)) for part in parts]
    return [head, *(replace(each, said=()) for each in below)]


def _is_statement(tokens: Sequence[Token]) -> bool:
    is_condition = tokens[0].text.lower() in {"if", "when"} and any(map(is_strong, tokens))
    return is_condition or shape(tokens, _NO_NAMES) in _BODIES


def _with_otherwise(row: TokenRow) -> list[TokenRow]:
    """``if G then C, otherwise D`` as two rows."""
    for at, token in at_top(row.tokens):
        is_else = token.text.lower() in {"otherwise", "else"} and token.kind is TokenKind.NAME
        if at > 3 and is_else and at + 1 < len(row.tokens):
            before = (
                row.tokens[: at - 1] if row.tokens[at - 1].text in {",", ";"} else row.tokens[:at]
            )
            rest = _part(row, row.tokens[at:], row.line.margin)
            return [_part(row, before, row.line.margin), *_with_otherwise(replace(rest, said=()))]
    return [row]


def _patterned_head(row: TokenRow) -> list[TokenRow]:
    """``Choose((i, j) ∈ S)`` as ``Choose(ij ∈ S)`` with ``(i, j) = ij`` below it."""
    tokens = row.tokens
    is_head = len(tokens) > 2 and [t.text for t in tokens[1:3]] == ["(", "("]
    end = closing(tokens, 2) if is_head and tokens[0].kind is TokenKind.NAME else None
    if end is None or [t.text for t in tokens[end + 1 : end + 2]] not in (["∈"], ["in"]):
        return [row]
    pattern = tokens[2 : end + 1]
    names = [token.text for token in pattern if token.kind is TokenKind.NAME]
    if len(names) < 2 or len(pattern) != 2 * len(names) + 1:
        return [row]
    whole = Token(TokenKind.NAME, "".join(names), pattern[0].span.to(pattern[-1].span))
    equals = Token(TokenKind.SYMBOL, "=", whole.span, blank_before=True)
    below = _part(row, (*pattern, equals, whole), row.line.margin + _DEEPER)
    head = replace(row, tokens=(*tokens[:2], whole, *tokens[end + 1 :]))
    return [head, replace(below, said=())]


def _conditioned_head(row: TokenRow, variables: Set[str]) -> list[TokenRow]:
    """``End(heap = 0)`` as ``End(over)`` with ``over ↔ heap = 0`` before it."""
    tokens = row.tokens
    is_call = shape(tokens, _NO_NAMES) is RowShape.CALL and "over" not in variables
    inside = tokens[2 : closing(tokens, 1)] if is_call else ()
    signs = {token.text for _, token in at_top(inside)}
    if signs.isdisjoint(_COMPARED) or not signs.isdisjoint({",", "∈", "⊆", "in", ":"}):
        return [row]
    over = Token(TokenKind.NAME, "over", inside[0].span)
    told = _part(row, (over, _sign("↔", over), *inside), row.line.margin)
    head = replace(row, tokens=(*tokens[:2], over, *tokens[2 + len(inside) :]))
    return [replace(told, said=()), head]


def _labelled_head(row: TokenRow) -> list[TokenRow]:
    r"""``\item[Place(c ∈ C)] …``: the head of a procedure in the brackets of an item."""
    tokens = row.tokens
    end = closing(tokens, 0) if tokens and tokens[0].text == "[" else None
    if end is None or shape(tokens[1:end], _NO_NAMES) is not RowShape.CALL:
        return [row]
    head = _part(row, tokens[1:end], row.line.margin)
    if end + 1 == len(tokens):
        return [head]
    below = _part(row, tokens[end + 1 :], row.line.margin + _DEEPER)
    return [head, replace(below, said=())]


def _split(tokens: Sequence[Token], signs: frozenset[str]) -> list[tuple[Token, ...]]:
    cuts = [-1, *(at for at, token in at_top(tokens) if token.text in signs), len(tokens)]
    return [tuple(tokens[start + 1 : end]) for start, end in pairwise(cuts) if end > start + 1]


def _part(row: TokenRow, tokens: tuple[Token, ...], margin: int) -> TokenRow:
    span = tokens[0].span.to(tokens[-1].span)
    is_first = tokens[0] is row.tokens[0]
    line = replace(
        row.line,
        span=span,
        whole=row.line.whole if is_first else span,
        margin=margin,
        bullet=row.line.bullet if is_first else "",
        is_after_blank=row.line.is_after_blank and is_first,
        comment=row.line.comment if is_first else "",
    )
    return replace(row, line=line, tokens=tokens)


def _with_definitions(row: TokenRow) -> list[TokenRow]:
    """What is defined behind *where*, and then the row without it."""
    for at, token in at_top(row.tokens):
        if not at or token.text.lower() != "where" or token.kind is not TokenKind.NAME:
            continue
        given = _split(row.tokens[at + 1 :], frozenset({",", "and", "∧"}))
        if given and all(map(_defines, given)):
            rest = _part(row, _without_comma(row.tokens[:at]), row.line.margin)
            return [*(replace(_part(row, g, row.line.margin), said=()) for g in given), rest]
    return [row]


def _defines(tokens: Sequence[Token]) -> bool:
    """Whether *tokens* give a name a value, and do not explain it in words."""
    if shape(tokens, _NO_NAMES) is not RowShape.EQUATION:
        return False
    _, equals = leading_names(tokens)
    right = tokens[equals + 1 :]
    return any(token.kind is TokenKind.NUMBER or is_strong(token) for token in right) or (
        len(right) > 1 and right[1].text == "("
    )


def _without_comma(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    return tokens[:-1] if tokens and tokens[-1].text == "," else tokens


def _sign(text: str, token: Token) -> Token:
    return Token(TokenKind.SYMBOL, text, token.span, blank_before=True)


def _at(token: Token) -> Span:
    return Span(token.span.start, token.span.start)
