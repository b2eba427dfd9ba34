"""LED as tokens: a text comes in, names, numerals, strings, atoms and signs go out.

Every sign and every reserved word has one spelling in what goes out, that of source
form, whichever way it was typed: ``∪`` comes out as ``U``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Final

from zermelo.text import codes
from zermelo.text.budget import spend
from zermelo.text.diagnostic import Diagnostic, Fix, Label
from zermelo.text.source import Source, Span

MOST_DIGITS: Final = 400
"""How long a numeral may be; a longer one is no number that anybody means."""


class LexemeKind(Enum):
    """What a token is."""

    NAME = "name"
    NUMBER = "number"
    TEXT = "string"
    ATOM = "atom"
    SIGN = "sign"
    DAMAGED = "damaged"
    """What was complained about already."""


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A piece of code, in the spelling of source form, and where it stands."""

    kind: LexemeKind
    text: str
    """A string without its quotation marks, an atom without its backquote."""
    span: Span

    def is_sign(self, *texts: str) -> bool:
        return self.kind is LexemeKind.SIGN and self.text in texts


RESERVED: Final = frozenset(
    {
        *("V", "U", "in", "sub", "sec", "mod", "floor", "ceil", "Pow", "Sum", "Prod", "Sec"),
        *("if", "iff", "where", "some", "all", "otherwise", "true", "false", "ledGame"),
    }
)
EMPTY: Final = "∅"

_SPELLINGS: Final[Mapping[str, str]] = {
    "∪": "U", "⋃": "U", "∩": "sec", "⋂": "Sec", "∖": "\\", "×": "*", "⋅": "*", "·": "*",
    "∧": "&", "⋀": "&", "∨": "V", "⋁": "V", "¬": "~", "⇒": "=>", "⟹": "=>", "→": "=>",
    "⇔": "<=>", "⟺": "<=>", "↔": "<=>", "≠": "/=", "≤": "<=", "≥": ">=", "∈": "in",
    "⊆": "sub", "∃": "some", "∀": "all", "∅": EMPTY, "⌀": EMPTY, "℘": "Pow",
    "∑": "Sum", "∏": "Prod", "≡": "iff", "≔": ":=", "−": "-",
    "–": "-", "∣": "|", "∕": "/", "÷": "/", "‥": "..", "…": "..",
    "!=": "/=", "==": "=", "&&": "&", ":=": ":=", "#isGame": "ledGame",
}  # fmt: skip
"""Signs that people type and print, and what source form writes for them."""

_HINTS: Final[Mapping[str, str]] = {
    ":": "a definition is written with `:=`, behind the set of `some` and `all` stands `.`, before "
    "the condition of a set `|`, and this dialect of LED has no types",
    "'": 'strings stand between `"`, and an atom begins with a backquote, as in `` `x ``',
    "!": "write `~` for not, and `/=` for unequal; factorials have no sign",
    "%": "write `mod` for the remainder; there are no comments inside the code",
    "#": "there are no comments inside the code; words stand outside `/$ … $/`",
    "$": "code begins with `/$` and ends with `$/`, without a blank between",
    "`": "an atom is a backquote, a letter, then letters and digits, as in `` `x ``",
    "_": "a name begins with a letter",
    "∉": "write `~ x in S`",
    "⊂": "write `sub` for a subset, and `A sub B & A /= B` for a proper one",
    "λ": "this dialect of LED has no functions without a name; define one",
    "⟨": "this dialect of LED has no sequences; write a tuple, as in `(1, 2)`",
}

_STEPS_OF_A_LEXEME: Final = 16
_TOKEN: Final = re.compile(
    r"""(?P<blank>\s+)
    |(?P<number>(?:[0-9]+\.[0-9]*|\.[0-9]+)\([0-9]+\.\.\)|[0-9]*\.[0-9]+|[0-9]+)
    |(?P<spelt>!=|==(?!>)|&&|:[ \t]+=|\#isGame\b|[∪⋃∩⋂∖×⋅·∧⋀∨⋁¬⇒⟹→⇔⟺↔≠≤≥∈⊆∃∀∅⌀℘∑∏≡≔−–∣∕÷‥…])
    |(?P<name>[^\W\d_]\w*)
    |(?P<atom>[`‘´](?=[^\W\d_])\w+)
    |(?P<text>"[^"]*"|[“”][^“”"]*[“”"])
    |(?P<sign><=>|:=|\.\.|/=|<=|>=|=>|[;,.+\-*/|^=<>~&\\()\[\]{}⌊⌋⌈⌉])
    |(?P<quoted>'[^'"\n]*')
    |(?P<open>["“”])
    |(?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)


def lex(source: Source, span: Span) -> tuple[tuple[Lexeme, ...], tuple[Diagnostic, ...]]:
    tokens: list[Lexeme] = []
    said: list[Diagnostic] = []
    at = span.start
    while at < span.end:
        spend(_STEPS_OF_A_LEXEME, "reading signs")
        found = _TOKEN.match(source.text, at, span.end)
        assert found is not None  # the last alternative takes any character
        token, fault = _token(source, found, span.end)
        at = token.span.end if token else found.end()
        if fault:
            said.append(fault)
        if token and _goes_on(tokens, token):
            # One complaint is enough for a run of strange characters.
            said.pop()
            tokens.pop()
        if token:
            tokens.append(token)
    return tuple(tokens), tuple(said)


def value_of(numeral: str) -> Fraction:
    """The number that *numeral* writes.

    >>> value_of("0.(3..)"), value_of(".5"), value_of("3.96(721..)")
    (Fraction(1, 3), Fraction(1, 2), Fraction(15853, 3996))
    """
    if numeral.isdecimal():
        return Fraction(int(numeral))
    whole, _, rest = numeral.partition(".")
    digits, _, block = rest.partition("(")
    block = block.removesuffix("..)")
    value = Fraction(int(whole or "0")) + Fraction(int(digits or "0"), 10 ** len(digits))
    if block:
        value += Fraction(int(block), (10 ** len(block) - 1) * 10 ** len(digits))
    return value


def _token(
    source: Source, found: re.Match[str], end: int
) -> tuple[Lexeme | None, Diagnostic | None]:
    text, span = found.group(), Span(found.start(), found.end())
    match found.lastgroup:
        case "blank":
            return None, None
        case "number":
            return _number(text, span)
        case "name":
            kind = LexemeKind.SIGN if text in RESERVED else LexemeKind.NAME
            return Lexeme(kind, text, span), None
        case "spelt":
            meant = _SPELLINGS["".join(text.split())]
            said = other_spelling(text, meant, span) if text.isascii() else None
            return Lexeme(LexemeKind.SIGN, meant, span), said
        case "atom":
            return Lexeme(LexemeKind.ATOM, text[1:], span), _copied(text[0], "`", span)
        case "text":
            said = _copied(text[0], '"', span) or _copied(text[-1], '"', span)
            return Lexeme(LexemeKind.TEXT, text[1:-1], span), said
        case "sign":
            return Lexeme(LexemeKind.SIGN, text, span), None
        case "quoted":
            return Lexeme(LexemeKind.DAMAGED, text, span), _quoted(text, span)
        case "open":
            return _open(source, span, end)
        case _:
            return Lexeme(LexemeKind.DAMAGED, text, span), _unknown(text, span)


def _goes_on(tokens: list[Lexeme], token: Lexeme) -> bool:
    """Whether *token* is the next character of what was complained about just before."""
    if not tokens or token.kind is not LexemeKind.DAMAGED or token.text in _HINTS:
        return False
    before = tokens[-1]
    return before.kind is LexemeKind.DAMAGED and before.span.end == token.span.start


def _number(text: str, span: Span) -> tuple[Lexeme, Diagnostic | None]:
    if len(text) <= MOST_DIGITS:
        return Lexeme(LexemeKind.NUMBER, text, span), None
    said = Diagnostic(
        codes.NUMBER_TOO_LONG,
        f"this number has more than {MOST_DIGITS} digits",
        Label(span, "too long to be meant"),
    )
    return Lexeme(LexemeKind.DAMAGED, text, span), said


def _open(source: Source, span: Span, end: int) -> tuple[Lexeme, Diagnostic]:
    """The rest of the line, which a quotation mark begins that nothing closes."""
    line_end = source.line_span(source.line_of(span.start)).end
    is_cut = source.text.startswith("$/", end) and '"' in source.text[end:line_end]
    line_end = min(line_end, end)
    said = Diagnostic(
        codes.QUOTE_NOT_CLOSED,
        "this quotation mark is not closed",
        Label(span, "the string that begins here does not end"),
        help="`$/` ends the code, in a string too" if is_cut else 'put a `"` where the string ends',
        severity=codes.UNKNOWN_CHARACTER.severity,
    )
    return Lexeme(LexemeKind.DAMAGED, '"', Span(span.start, max(line_end, span.end))), said


def _quoted(text: str, span: Span) -> Diagnostic:
    inner = text[1:-1]
    is_atom = inner.isalnum() and inner[0].isalpha()
    return Diagnostic(
        codes.UNKNOWN_CHARACTER,
        "`'` is no sign of LED",
        Label(span, "not understood"),
        help=f'write `"{inner}"` for a string' + (f", and `` `{inner} `` for an atom" * is_atom),
        fix=Fix(span, f'"{inner}"'),
    )


def _unknown(char: str, span: Span) -> Diagnostic:
    return Diagnostic(
        codes.UNKNOWN_CHARACTER,
        "a backquote alone is no sign of LED" if char == "`" else f"`{char}` is no sign of LED",
        Label(span, "not understood"),
        help=_HINTS.get(char),
    )


def _copied(char: str, meant: str, span: Span) -> Diagnostic | None:
    if char == meant:
        return None
    place = Span(span.end - 1, span.end) if char == "”" else Span(span.start, span.start + 1)
    return Diagnostic(
        codes.DAMAGED_SIGN,
        f"`{char}` is a printer's mark; LED writes `{meant}`",
        Label(place, f"taken as `{meant}`"),
        fix=Fix(place, meant),
    )


def other_spelling(typed: str, meant: str, span: Span) -> Diagnostic:
    return Diagnostic(
        codes.OTHER_SPELLING,
        f"`{typed}` is written `{meant}` in D3",
        Label(span, f"read as `{meant}`"),
        fix=Fix(span, meant),
    )
