"""Lines with their tokens, and what can be seen in tokens before they are parsed: prose above all.

A parser would take the first word of a note such as ``P : A × A    the board`` for a
part of the set, so notes and comments are cut off before formulas are parsed.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice, pairwise
from typing import Final

from zermelo.languages.sections.read.grammar import symbols
from zermelo.languages.sections.read.grammar.cursor import DeclaredNames
from zermelo.languages.sections.read.grammar.symbols import CLOSERS, INFIX_WORDS, PREFIX_WORDS
from zermelo.languages.sections.read.grammar.tokens import Token, TokenKind
from zermelo.text.budget import similar
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.headings import SectionKind
from zermelo.text.lines import DocumentLine
from zermelo.text.source import Source, Span

LONGEST: Final = 10_000
"""The most characters in a line that is read as a formula."""
LONGEST_LABEL: Final = 6
"""The most words before a colon that name an item."""


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A line and its tokens."""

    line: DocumentLine
    tokens: tuple[Token, ...]
    said: tuple[Diagnostic, ...] = ()

    @property
    def is_too_long(self) -> bool:
        """Whether the line is longer than any formula; such a line has no tokens."""
        return self.line.span.end - self.line.span.start > LONGEST


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Rows that are one item."""

    rows: tuple[TokenRow, ...]

    @property
    def first(self) -> DocumentLine:
        return self.rows[0].line

    @property
    def tokens(self) -> tuple[Token, ...]:
        return tuple(token for row in self.rows for token in row.tokens)

    @property
    def said(self) -> tuple[Diagnostic, ...]:
        return tuple(each for row in self.rows for each in row.said)

    @property
    def span(self) -> Span:
        return self.rows[0].line.span.to(self.rows[-1].line.span)

    @property
    def comment(self) -> str:
        return " ".join(row.line.comment for row in self.rows if row.line.comment)

    def text(self, source: Source) -> str:
        return " ".join(" ".join(source.slice(row.line.span).split()) for row in self.rows)


class RowShape(Enum):
    """What a row looks like, by its first few tokens and its arrows."""

    DEFINITION = "name : …"
    DECLARATION = "names ∈ …"
    EQUATION = "names = …"
    EQUIVALENCE = "name ↔ …"
    STEP = "name++"
    CALL = "name(…)"
    FUNCTION = "name(…) = …"
    RULE = "… → …"
    CONCLUSION = "→ …"
    FORMULA = "…"


_BY_SIGN: Final = {"=": RowShape.EQUATION, "↔": RowShape.EQUIVALENCE} | dict.fromkeys(
    ("++", "--"), RowShape.STEP
)
STATEMENTS: Final = frozenset({RowShape.EQUATION, RowShape.STEP, RowShape.CALL})
# Signs that no plain sentence has; brackets, dashes, commas and full stops it may have.
_STRONG: Final = frozenset([*"∈∉⊆⊈⊂⊄⊇=≠≡<≤>≥∪∩×∖⊕∧∨¬→↔∅∃∀∑∏{}|⌊⌋⌈⌉𝒫ℕℤ^", "ℤ⁺", "++", "--"])
_INFIX: Final = frozenset([*"∈∉⊆⊈⊂⊄⊇=≠≡<≤>≥∪∩×∖⊕∧∨→↔+−·/", "mod"])
_BEGINS: Final = _INFIX | {",", ")", "}", "]", "⌋", "⌉"}
_ENDS: Final = _INFIX | {",", "¬", "∀", "∃", "∑", "∏"}
_OPERAND_ENDS: Final = frozenset([*")}]|∅ℕℤ", "ℤ⁺"])
_SIGN_WORDS: Final = frozenset([*INFIX_WORDS, *PREFIX_WORDS])
_COMPARISONS: Final = frozenset("∈∉⊆⊈⊂⊇=≠<≤>≥")
_CONNECTIVES: Final = frozenset("∧∨→↔")
_STEPS: Final = {**dict.fromkeys(CLOSERS, 1), **dict.fromkeys(CLOSERS.values(), -1)}


def _step(token: Token) -> int:
    return _STEPS.get(token.text, 0) if token.kind is TokenKind.SYMBOL else 0


def sign(token: Token, names: DeclaredNames) -> str:
    """The sign that *token* is, words such as ``and`` included; else nothing."""
    if token.kind is TokenKind.SYMBOL:
        return token.text
    if token.kind is TokenKind.NAME and token.text not in names.declared:
        word = INFIX_WORDS.get(token.text, "")
        # One letter is a name until a parser knows better.
        return word if len(token.text) > 1 else ""
    return ""


def prefix(token: Token, names: DeclaredNames) -> str:
    """The sign before an operand that *token* is, words such as ``forall`` included."""
    if token.kind is TokenKind.NAME and token.text not in names.declared:
        return PREFIX_WORDS.get(token.text, "")
    return sign(token, names)


def is_strong(token: Token) -> bool:
    return token.kind is TokenKind.SYMBOL and token.text in _STRONG


def begins_inside(tokens: Sequence[Token], names: DeclaredNames) -> str:
    """The sign, if any, with which *tokens* continue the row before."""
    first = sign(tokens[0], names) if tokens else ""
    if first and _is_value(tokens[0], beside=tokens[1:2], names=names):
        return ""
    return first if first in _BEGINS else ""


def ends_inside(tokens: Sequence[Token], names: DeclaredNames) -> str:
    """The sign, if any, behind which *tokens* must go on in the row below."""
    last = sign(tokens[-1], names) if tokens else ""
    if last and _is_value(tokens[-1], beside=tokens[-2:-1], names=names):
        return ""
    return last if last in _ENDS else ""


def _is_value(token: Token, *, beside: Sequence[Token], names: DeclaredNames) -> bool:
    """Whether a word that could be a sign stands *beside* one, so that it is a value itself.

    In `mark = cross` nothing is there that could be multiplied.
    """
    if token.kind is not TokenKind.NAME:
        return False
    return any(sign(other, names) in _INFIX for other in beside)


def depth(tokens: Sequence[Token]) -> int:
    """How many brackets are still open at the end of *tokens*."""
    level = 0
    for token in tokens:
        level = max(0, level + _step(token))
    return level


def at_top(tokens: Sequence[Token]) -> Iterator[tuple[int, Token]]:
    """The tokens outside all brackets, each with its index."""
    level = 0
    for index, token in enumerate(tokens):
        step = _step(token)
        if step == 0 and level == 0:
            yield index, token
        level = max(0, level + step)


def outside_braces(tokens: Sequence[Token]) -> Iterator[Token]:
    """The tokens that are not in braces; closing braces are among them."""
    level = 0
    for token in tokens:
        if token.kind is TokenKind.SYMBOL:
            level += {"{": 1, "}": -1}.get(token.text, 0)
        if level <= 0:
            yield token


def without_stop(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """*tokens* without a full stop, comma or semicolon at the end."""
    while tokens and tokens[-1].kind is TokenKind.SYMBOL and tokens[-1].text in {".", ",", ";"}:
        tokens = tokens[:-1]
    return tokens


def has_arrow(tokens: Sequence[Token], names: DeclaredNames) -> bool:
    """Whether there is an arrow outside all brackets."""
    return any(sign(token, names) == "→" for _, token in at_top(tokens))


def split_at(tokens: Sequence[Token], mark: str, names: DeclaredNames) -> list[tuple[Token, ...]]:
    """The parts of *tokens* between the signs *mark* outside all brackets."""
    cuts = [index for index, token in at_top(tokens) if sign(token, names) == mark]
    starts = [0, *(cut + 1 for cut in cuts)]
    return [
        tuple(tokens[start:end]) for start, end in zip(starts, [*cuts, len(tokens)], strict=True)
    ]


def label_end(tokens: Sequence[Token]) -> int | None:
    """The index of a colon with nothing but a few words before it and something behind it."""
    for index, token in enumerate(tokens[: LONGEST_LABEL + 1]):
        if len(token.text) > 1 and token.text in _SIGN_WORDS:
            return None
        if token.kind is TokenKind.SYMBOL:
            is_end = token.text == ":" and 0 < index < len(tokens) - 1
            return index if is_end else None
    return None


def side_by_side(tokens: Sequence[Token], marks: frozenset[str], names: DeclaredNames) -> list[int]:
    """Where in *tokens* another item begins with nothing but a blank before it.

    ``turn ∈ B  over ∈ B`` begins again at ``over``: names before one of *marks*,
    directly behind an operand.
    """
    cuts: list[int] = []
    for index, token in at_top(tokens):
        if sign(token, names) not in marks:
            continue
        start = index - 1
        if start < 1 or tokens[start].kind is not TokenKind.NAME:
            continue
        while (
            start > 2 and tokens[start - 1].text == "," and tokens[start - 2].kind is TokenKind.NAME
        ):
            start -= 2
        before = tokens[start - 1]
        is_operand = before.kind is not TokenKind.SYMBOL or before.text in _OPERAND_ENDS
        if is_operand and tokens[start].blank_before and sign(before, names) not in _INFIX:
            cuts.append(start)
    return cuts


def closing(tokens: Sequence[Token], start: int) -> int | None:
    """The index of the bracket that closes the one at *start*."""
    level = 0
    for index in range(start, len(tokens)):
        level += _step(tokens[index])
        if level <= 0:
            return index
    return None


def leading_names(tokens: Sequence[Token]) -> tuple[tuple[str, ...], int]:
    """The names at the beginning with commas between them, and the index behind them."""
    index = 1 if tokens and tokens[0].kind is TokenKind.NAME else 0
    while (
        0 < index < len(tokens) - 1
        and tokens[index].text == ","
        and tokens[index + 1].kind is TokenKind.NAME
    ):
        index += 2
    return tuple(token.text for token in tokens[:index:2]), index


def spaced_name(tokens: Sequence[Token], names: DeclaredNames) -> tuple[str, ...] | None:
    """The first name of several words before a ``∈``, ``⊆`` or ``=``, as in ``left heap = 3``."""
    words: list[str] = []
    found: tuple[str, ...] | None = None
    for token in tokens:
        mark = sign(token, names)
        if token.kind is TokenKind.NAME and not mark:
            words.append(token.text)
            continue
        if len(words) > 1 and found is None:
            found = tuple(words)
        if mark in {"∈", "⊆", "="}:
            return found
        if token.text != ",":
            return None
        words = []
    return None


def declared(tokens: Sequence[Token], names: DeclaredNames) -> tuple[str, ...]:
    """The names before each ``∈`` or ``⊆``, if *tokens* begin with a declaration."""
    found, index = leading_names(tokens)
    follower = sign(tokens[index], names) if index < len(tokens) else ""
    is_function = follower == ":" and is_function_type(tokens[index + 1 :], names)
    if follower not in {"∈", "⊆", "⊂"} and not is_function:
        return ()
    commas = (at for at, token in at_top(tokens) if at > index and token.text in {",", ";"})
    more = (declared(tokens[at + 1 :], names) for at in islice(commas, 1))
    return (*found, *next(more, ()))


def is_function_type(tokens: Sequence[Token], names: DeclaredNames) -> bool:
    """Whether *tokens* are two sets with an arrow between them, as in ``heap : I → V``."""
    top = [(at, sign(token, names)) for at, token in at_top(tokens)]
    arrows = [at for at, text in top if text == "→"]
    if len(arrows) != 1 or not 0 < arrows[0] < len(tokens) - 1:
        return False
    if any(text in _CONNECTIVES - {"→"} | _COMPARISONS | {"=", "∈", "++", "--"} for _, text in top):
        return False
    behind = tokens[arrows[0] + 1 :]
    is_call = behind[0].kind is TokenKind.NAME and len(behind) > 1 and behind[1].text == "("
    return not is_call or behind[0].text in {*symbols.FUNCTION_WORDS, "P"}


_TOLD_BY: Final = {
    SectionKind.SETS: frozenset({":", "=", "is"}),
    SectionKind.VARIABLES: frozenset({":", "∈", "⊆", "⊂", "is"}),
    SectionKind.FACTS: frozenset({":", "=", "↔"}),
    SectionKind.INITIALISATION: frozenset({":", "="}),
    SectionKind.BEHAVIOUR: frozenset({"="}),
}


def subjects(tokens: Sequence[Token], kind: SectionKind, names: DeclaredNames) -> tuple[str, ...]:
    """The names that *tokens*, in a section of this *kind*, were to give a meaning or a value."""
    if not tokens or has_arrow(tokens, names):
        return ()
    end = 0
    if kind is SectionKind.BEHAVIOUR and looks_like_head(tokens, names):
        return (tokens[0].text,)
    if tokens[0].text == "(" or [token.text for token in tokens[1:2]] == ["("]:
        # `(a, b) = …`, and `f(x ⊆ A) = …`
        end = (closing(tokens, 0 if tokens[0].text == "(" else 1) or len(tokens)) + 1
        is_told = [token.text for token in tokens[end : end + 1]] == ["="]
        inside = tokens[:1] if tokens[0].kind is TokenKind.NAME else tokens[:end]
        return tuple(t.text for t in inside if t.kind is TokenKind.NAME) if is_told else ()
    found, index = leading_names(tokens)
    follower = tokens[index] if index < len(tokens) else None
    told_by = _TOLD_BY.get(kind, frozenset())
    is_told = follower is not None and (
        follower.text in told_by or sign(follower, names) in told_by
    )
    return found if is_told else ()


def looks_like_head(tokens: Sequence[Token], names: DeclaredNames) -> bool:
    """Whether *tokens*, which are no item, were to be ``Name(parameters)``."""
    if [token.text for token in tokens[1:2]] != ["("] or tokens[0].kind is not TokenKind.NAME:
        return False
    inside = tokens[2 : closing(tokens, 1)]
    is_told = any(sign(token, names) in {"=", "→", "↔", "∧", "∨"} for token in tokens)
    return not is_told and (has_domain(inside, names) or all(map(_is_listed_name, inside)))


def _is_listed_name(token: Token) -> bool:
    return token.kind is TokenKind.NAME or token.text == ","


def shape(tokens: Sequence[Token], names: DeclaredNames) -> RowShape:
    if not tokens:
        return RowShape.FORMULA
    if sign(tokens[0], names) == "→":
        return RowShape.CONCLUSION
    called = _call_shape(tokens, names)
    if called:
        return called
    found, index = leading_names(tokens)
    follower = sign(tokens[index], names) if index < len(tokens) else ""
    if found and follower == ":" and is_function_type(tokens[index + 1 :], names):
        return RowShape.DECLARATION
    if found and follower == ":" and len(found) == 1:
        return RowShape.DEFINITION
    if has_arrow(tokens, names):
        return RowShape.RULE
    if found and follower in {"∈", "⊆", "⊂"}:
        is_plain = not any(
            sign(token, names) in _CONNECTIVES | _COMPARISONS
            for _, token in at_top(tokens[index + 1 :])
        )
        return RowShape.DECLARATION if is_plain else RowShape.FORMULA
    if _is_tuple_equation(tokens):
        return RowShape.EQUATION
    return _BY_SIGN.get(follower, RowShape.FORMULA) if found else RowShape.FORMULA


def _is_tuple_equation(tokens: Sequence[Token]) -> bool:
    end = closing(tokens, 0) if tokens[0].text == "(" else None
    if end is None or end + 1 >= len(tokens) or tokens[end + 1].text != "=":
        return False
    return all(
        token.kind is TokenKind.NAME or token.text in {",", "(", ")"} for token in tokens[:end]
    )


def _call_shape(tokens: Sequence[Token], names: DeclaredNames) -> RowShape | None:
    if tokens[0].kind is not TokenKind.NAME or len(tokens) < 3 or tokens[1].text != "(":
        return None
    end = closing(tokens, 1)
    if end is None:
        return None
    behind = tokens[end + 1 :]
    if not behind or (behind[0].text in {":", ".", ";"} and len(behind) == 1):
        return RowShape.CALL
    inside = tokens[2:end]
    is_named = all(token.kind is TokenKind.NAME or token.text == "," for token in inside)
    if sign(behind[0], names) == "=" and (
        has_domain(inside, names) or (is_named and not has_arrow(tokens, names))
    ):
        return RowShape.FUNCTION
    return None


def has_domain(tokens: Sequence[Token], names: DeclaredNames) -> bool:
    return any(sign(token, names) in {"∈", "⊆", ":"} for _, token in at_top(tokens))


# Words that hold sentences together and that no formula has, unless as a part of a value.
_COMMON_TEXT: Final = """
the is are was be been of to that this these those when which who while whose where an as at by it
its on from gets get will can cannot may must has have had if then for with each every any all only
also after before because there their they them he she his her we you your our does do so such than
but into means refers refer following given
"""
_COMMON: Final = frozenset(_COMMON_TEXT.split())
# Signs that make a formula of what stands around them.
_RELATING: Final = frozenset("∈∉⊆⊈⊂⊄⊇=≠≡<≤>≥∪∩×∧∨¬→↔∃∀∑∏")
_WORDS_PER_SIGN: Final = 6
_SENTENCE: Final = 2
_RUN: Final = 3
_PROSE_SIGN_WORDS: Final = frozenset(
    [*symbols.VALUE_WORDS, *symbols.INFIX_WORDS, *symbols.PREFIX_WORDS, *symbols.FUNCTION_WORDS]
)
_COMMENT_STARTS: Final = frozenset("([−—,;.:")
_PROSE_OPERAND_ENDS: Final = frozenset([*"})]∅|ℕℤ⊤⊥", "ℤ⁺"])
_RELATIONS: Final = frozenset("∈⊆⊂")
_DEFINES: Final = frozenset(":=")
_DASHES: Final = frozenset("−—")
_SET_ENDS: Final = frozenset([*"})]|∅ℕℤ", "ℤ⁺"])
_MOST_COMMAS: Final = 4
_GAP: Final = re.compile(r"\s{2}|\t|\$|\\q?quad|&emsp;|&ensp;")


def is_prose(tokens: Sequence[Token], names: DeclaredNames) -> bool:
    """Whether *tokens*, which are no formula, are a sentence rather than a damaged formula."""
    if not any(is_strong(token) for token in tokens):
        return True
    return is_sentence(tokens, names) or _longest_run(tokens, names) >= _RUN


def has_formula(tokens: Sequence[Token], names: DeclaredNames) -> bool:
    """Whether *tokens*, which are prose, hold more than a stray sign among many words."""
    signs = sum(token.kind is TokenKind.SYMBOL and token.text in _RELATING for token in tokens)
    words = sum(_is_prose_word(token, names) for token in tokens)
    return words < signs * _WORDS_PER_SIGN


def is_sentence(tokens: Sequence[Token], names: DeclaredNames) -> bool:
    """Whether *tokens* have the words of a sentence outside braces and behind no ``=``."""
    count = 0
    is_value = False
    for token in outside_braces(tokens):
        if token.kind is TokenKind.SYMBOL:
            is_value = token.text in {"=", "≠"}
        elif not is_value and is_common(token, names):
            count += 1
    return count >= _SENTENCE


def is_common(token: Token, names: DeclaredNames) -> bool:
    return is_word(token, _COMMON, names)


def is_word(token: Token, words: Container[str], names: DeclaredNames) -> bool:
    """Whether *token* is one of *words*, in small or capital letters, and no name."""
    return (
        token.kind is TokenKind.NAME
        and token.text.lower() in words
        and token.text not in names.declared
    )


def is_plain(token: Token, names: DeclaredNames) -> bool:
    """Whether *token* is a word that the document does not declare."""
    return (
        token.kind is TokenKind.NAME
        and token.text not in names.declared
        and token.text not in _PROSE_SIGN_WORDS
        and len(token.text) > 1
        and "_" not in token.text
        and token.text.isalpha()
    )


def _longest_run(tokens: Sequence[Token], names: DeclaredNames) -> int:
    """The most words in a row, of which one at least is no name, outside braces."""
    longest = run = 0
    has_plain = False
    for token in outside_braces(tokens):
        if token.kind is TokenKind.NAME:
            run += 1
            has_plain = has_plain or is_plain(token, names)
            longest = max(longest, run if has_plain else 0)
        else:
            run, has_plain = 0, False
    return longest


def is_comment(tokens: Sequence[Token], names: DeclaredNames) -> bool:
    """Whether *tokens*, left over behind a formula, are words about it."""
    if tokens[0].kind is TokenKind.SYMBOL and tokens[0].text not in _COMMENT_STARTS:
        return False
    if any(is_strong(token) for token in _without_brackets(tokens)):
        return is_sentence(tokens, names)
    return any(token.kind is TokenKind.TEXT or _is_prose_word(token, names) for token in tokens)


def _without_brackets(tokens: Sequence[Token]) -> list[Token]:
    kept: list[Token] = []
    level = 0
    for token in tokens:
        is_bracket = token.kind is TokenKind.SYMBOL and token.text in {"(", ")"}
        if level == 0 and not is_bracket:
            kept.append(token)
        if is_bracket:
            level = max(0, level + (1 if token.text == "(" else -1))
    return kept


def comment_start(tokens: Sequence[Token], names: DeclaredNames) -> int:
    """The index at which words about the formula begin; the number of tokens if there are none.

    Only what a parser could take for a part of the formula is looked for: words
    behind a dash, and words in brackets behind an operand.
    """
    last = max((index for index, token in enumerate(tokens) if is_strong(token)), default=0)
    for index in range(last + 1, len(tokens)):
        mark = tokens[index].text if tokens[index].kind is TokenKind.SYMBOL else ""
        if mark in _DASHES and _are_words(tokens[index + 1 :][:3], names):
            return index
        if mark == "(" and _is_remark(tokens, index, names):
            return index
    return len(tokens)


def _is_remark(tokens: Sequence[Token], start: int, names: DeclaredNames) -> bool:
    """Whether the bracket at *start*, behind the last sign, holds words about an operand."""
    before = tokens[start - 1]
    if not tokens[start].blank_before or not _is_operand(before, names):
        return False
    inside = tokens[start + 1 :][:6]
    if len(inside) == 2 and inside[1].text == ")":
        # One word behind a set: `ok ∈ V (flag)`. Behind a function it is its argument.
        return (
            is_plain(inside[0], names)
            and before.text in names.declared
            and before.text not in names.functions | names.procedures
        )
    return _are_words(inside, names)


def _is_operand(token: Token, names: DeclaredNames) -> bool:
    if token.kind is TokenKind.SYMBOL:
        return token.text in _PROSE_OPERAND_ENDS
    is_sign = token.text in symbols.INFIX_WORDS or token.text in symbols.PREFIX_WORDS
    return token.text in names.declared or not is_sign


def _are_words(tokens: Sequence[Token], names: DeclaredNames) -> bool:
    """Whether *tokens* begin with words of which one at least is no name."""
    has_word = any(_is_prose_word(token, names) for token in tokens)
    return has_word and any(a.kind is b.kind is TokenKind.NAME for a, b in pairwise(tokens))


def note_start(
    source: Source, tokens: Sequence[Token], kind: SectionKind, *, names: DeclaredNames
) -> int:
    """The index at which a note on a set or a first value begins; the number of tokens if none.

    Only the sections of sets, of variables and of first values have such notes.
    """
    if kind is SectionKind.INITIALISATION:
        return _behind_value(source, tokens, names)
    if kind not in {SectionKind.SETS, SectionKind.VARIABLES}:
        return len(tokens)
    _, index = leading_names(tokens)
    mark = sign(tokens[index], names) if index < len(tokens) else ""
    if not index or mark not in _RELATIONS | _DEFINES:
        return len(tokens)
    found = _behind_gap(source, tokens, index, names=names)
    return min(found, _behind_comma(tokens, index, names)) if mark in _RELATIONS else found


def _behind_value(source: Source, tokens: Sequence[Token], names: DeclaredNames) -> int:
    """Where the words behind ``turn = true`` begin, if they cannot be a part of the value."""
    _, mark = leading_names(tokens)
    words = tokens[mark + 2 :]
    if not mark or not words or sign(tokens[mark], names) != "=" or _has_sign(words):
        return len(tokens)
    value = tokens[mark + 1]
    if is_plain(value, names) or not _is_prose_word(words[0], names):
        return len(tokens)
    is_truth = value.text.lower() in {"true", "false"} and len(words) > 1
    between = source.text[value.span.end : words[0].span.start]
    return mark + 2 if is_truth or _GAP.search(between) else len(tokens)


def _behind_comma(tokens: Sequence[Token], mark: int, names: DeclaredNames) -> int:
    commas = (
        at
        for at, token in at_top(tokens[:-1])
        if at > mark + 1 and token.text == "," and _is_prose_word(tokens[at + 1], names)
    )
    found = (at for at in islice(commas, _MOST_COMMAS) if _explains(tokens[at + 1 :], names))
    return next(found, len(tokens))


def _behind_gap(source: Source, tokens: Sequence[Token], mark: int, *, names: DeclaredNames) -> int:
    """Where the first word stands, if it is apart from the set behind the *mark*."""
    words = (at for at, token in at_top(tokens) if at > mark and _is_prose_word(token, names))
    first = next(words, len(tokens))
    is_dashed = tokens[first - 1].kind is TokenKind.SYMBOL and tokens[first - 1].text in _DASHES
    at = first - 1 if is_dashed else first
    is_apart = mark + 1 < at < len(tokens) - is_dashed
    return at if is_apart and _is_apart(source, tokens, at, names=names) else len(tokens)


def _explains(tokens: Sequence[Token], names: DeclaredNames) -> bool:
    """Whether *tokens* behind a comma are words and no further declaration."""
    if len(tokens) < 2:
        return False
    _, index = leading_names(tokens)
    if index < len(tokens) and sign(tokens[index], names) in _RELATIONS | _DEFINES:
        return False
    return is_sentence(tokens, names) or not _has_sign(tokens)


def _is_apart(source: Source, tokens: Sequence[Token], at: int, *, names: DeclaredNames) -> bool:
    """Whether words begin at *at*, behind a gap or behind a dash with blanks around it."""
    before, token = tokens[at - 1], tokens[at]
    is_inside = before.kind is TokenKind.SYMBOL and before.text not in _SET_ENDS
    if is_inside or _has_sign(tokens[at:]):
        return False
    if token.text in _DASHES and token.kind is TokenKind.SYMBOL:
        following = tokens[at + 1]
        is_dash = token.blank_before and following.blank_before
        return is_dash and not similar(following.text, names.declared)
    return bool(_GAP.search(source.text[before.span.end : token.span.start]))


def _is_prose_word(token: Token, names: DeclaredNames) -> bool:
    return is_plain(token, names) or is_common(token, names)


def _has_sign(tokens: Sequence[Token]) -> bool:
    return any(is_strong(token) for _, token in at_top(tokens))
