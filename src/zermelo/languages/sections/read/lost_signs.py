"""Letters in place of signs that a scan or a keyboard does not have: ``p E P``, ``a ^ b``.

A letter stands for the sign that it looks like where the document never writes that sign, declares
no such name, and has the letter between two operands. Each place is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from zermelo.languages.sections.read.grammar.cursor import DeclaredNames
from zermelo.languages.sections.read.grammar.lexer import lex
from zermelo.languages.sections.read.grammar.symbols import CLOSERS, INFIX_WORDS
from zermelo.languages.sections.read.grammar.tokens import Token, TokenKind, damaged_sign
from zermelo.languages.sections.read.rows import TokenRow, closing, leading_names, sign
from zermelo.text.source import Source

_NO_NAMES: Final = DeclaredNames()
_MEMBERS: Final = ("E", "e", "ε", "є")
"""Letters that look like ∈."""
_LOOKS_LIKE: Final = {**dict.fromkeys(_MEMBERS, "∈"), "C": "⊆", "v": "∨", "^": "∧"}
_RELATED: Final = {"∈": "∈∉", "⊆": "⊆⊈⊂", "∨": "∨", "∧": "∧"}
"""The signs of which one shows that the sign is written as itself."""
_ENDS: Final = frozenset([*CLOSERS.values(), "∅", "ℕ", "ℤ", "ℤ⁺", "+", "|"])
_STARTS: Final = frozenset([*CLOSERS, "∅", "¬", "−", "|", "∃", "∀"])


def with_lost_signs(source: Source, rows: Sequence[Sequence[TokenRow]]) -> list[list[TokenRow]]:
    """The *rows* of all sections with signs for the letters that stand in their places."""
    rows = [[_negated(source, row, section) for row in section] for section in rows]
    sets = frozenset(
        row.tokens[0].text
        for section in rows
        for row in section
        if [token.text for token in row.tokens[1:2]] in ([":"], ["="])
    )
    rows = [[_joined(source, _crossed(row, sets)) for row in section] for section in rows]
    every = [token for section in rows for row in section for token in row.tokens]
    written = {sign(token, _NO_NAMES) for token in every}
    named = {name for section in rows for row in section for name in _declared(row.tokens)}
    meant = {
        letter: text
        for letter, text in _LOOKS_LIKE.items()
        if letter not in named and written.isdisjoint(_RELATED[text])
    }
    whole = {**meant, **{letter: "∈" for letter in _MEMBERS if letter not in named}}
    """What letters mean in a row that is nothing but a declaration, ``turn E B``."""
    return [
        [_mended(source, row, whole if _declares(row.tokens) else meant) for row in section]
        for section in rows
    ]


def _declares(tokens: Sequence[Token]) -> bool:
    _, end = leading_names(tokens)
    rest = tokens[end + 1 :]
    if not end or not rest or tokens[end].text not in _MEMBERS:
        return False
    is_listed = rest[0].text == "{" and closing(rest, 0) == len(rest) - 1
    return len(rest) == 1 or is_listed


def _negated(source: Source, row: TokenRow, section: Sequence[TokenRow]) -> TokenRow:
    """*row* with ``¬`` for the dash before its first word, if rules beside it have no bullets."""
    line = row.line
    is_attached = line.bullet in {"-", "–", "−"} and line.span.start == line.whole.start + 1
    if not is_attached or not _is_rule(row):
        return row
    if not any(
        _is_rule(other) and not other.line.bullet and other.line.margin == line.margin
        for other in section
    ):
        return row
    (dash, *tokens), said = lex(source, line.whole)
    if (
        len(tokens) < 2
        or dash.text != "−"
        or tokens[1].text not in {"∧", "∨", "→", "^", "v", "and", "or"}
    ):
        return row
    meant = replace(dash, text="¬")
    said = (*said, damaged_sign(source, (dash,), "¬"))
    return TokenRow(replace(line, span=line.whole, bullet=""), (meant, *tokens), said)


def _is_rule(row: TokenRow) -> bool:
    return any(token.text == "→" for token in row.tokens)


def _crossed(row: TokenRow, sets: frozenset[str]) -> TokenRow:
    """*row* with ``×`` for the letter x between two sets, also where there are names x."""
    tokens = list(row.tokens)
    for at in range(1, len(tokens) - 1):
        before, token, after = tokens[at - 1 : at + 2]
        is_letter = token.text in {"x", "X"} and token.blank_before and after.blank_before
        is_between = before.text in sets | {"}"} and after.text in sets | {"{"}
        if is_letter and is_between and token.text not in sets:
            tokens[at] = replace(token, kind=TokenKind.SYMBOL, text="×")
    return replace(row, tokens=tuple(tokens)) if tuple(tokens) != row.tokens else row


def _joined(source: Source, row: TokenRow) -> TokenRow:
    """*row* with ``C=``, which is no name and no sign, as ``⊆``."""
    tokens, said = list(row.tokens), list(row.said)
    for at in range(len(tokens) - 2, 0, -1):
        pair = tokens[at : at + 2]
        is_pair = [token.text for token in pair] == ["C", "="] and not pair[1].blank_before
        if is_pair and pair[0].blank_before and tokens[at - 1].kind is TokenKind.NAME:
            said.append(damaged_sign(source, pair, "⊆"))
            tokens[at : at + 2] = [replace(pair[0], kind=TokenKind.SYMBOL, text="⊆")]
    return (
        row if len(said) == len(row.said) else replace(row, tokens=tuple(tokens), said=tuple(said))
    )


def _declared(tokens: Sequence[Token]) -> Iterator[str]:
    """The names that a row gives a meaning to, or lists as values."""
    names, end = leading_names(tokens)
    if end < len(tokens):
        yield from names
    for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if before.text in {"{", "(", ","} and after.text in {"}", ")", ","}:
            yield token.text


def _mended(source: Source, row: TokenRow, meant: dict[str, str]) -> TokenRow:
    tokens, said = list(row.tokens), list(row.said)
    for at in range(1, len(tokens) - 1):
        token = tokens[at]
        text = meant.get(token.text)
        if text is None or not token.blank_before or not _is_between(tokens, at):
            continue
        said.append(damaged_sign(source, (token,), text))
        tokens[at] = replace(token, kind=TokenKind.SYMBOL, text=text)
    return (
        row if len(said) == len(row.said) else replace(row, tokens=tuple(tokens), said=tuple(said))
    )


def _is_between(tokens: Sequence[Token], at: int) -> bool:
    before, after = tokens[at - 1], tokens[at + 1]
    if not after.blank_before and after.kind is not TokenKind.SYMBOL:
        return False
    ends = before.text in _ENDS if before.kind is TokenKind.SYMBOL else _is_operand(before)
    starts = after.text in _STARTS if after.kind is TokenKind.SYMBOL else _is_operand(after)
    return ends and starts


def _is_operand(token: Token) -> bool:
    return token.text not in INFIX_WORDS
