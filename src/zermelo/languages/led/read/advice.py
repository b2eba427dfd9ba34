"""What somebody probably meant who wrote something that LED does not read.

Every piece of advice comes from three tokens: the one that does not fit, and its
neighbours.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from zermelo.languages.led.read.lexer import RESERVED, Kind, Token

CASES: Final = "the value stands before its condition: `e1 if p; e2 otherwise`"
NO_END: Final = "a definition ends where the next one begins, without any sign"

RANGE: Final = "a range is written `{1..9}`, and with more beside it `{1..9} U {12}`"

_TUPLES: Final = "this dialect of LED has no sequences; write a tuple, as in `(1, 2)`"
_BEHIND: Final[Mapping[str, str]] = {
    "else": "the last case is `e2 otherwise`, with `;` before it: `e1 if p; e2 otherwise`",
    "then": CASES,
    "is": "write `=` for equal",
    "equals": "write `=` for equal",
    "div": "write `floor(x / y)` for a quotient without its remainder",
    "rem": "write `mod` for the remainder",
    "xor": "write `/=` between two truth values of which one holds",
    "minus": "write `-` for numbers and `\\` for sets",
    "intersect": "write `sec` for the intersection",
    "intersection": "write `sec` for the intersection",
}
"""Words between two operands."""

_BEFORE: Final[Mapping[str, str]] = {
    "not": "write `~` for not",
    "forall": "write `all x in S. p(x)`",
    "foreach": "write `all x in S. p(x)`",
    "every": "write `all x in S. p(x)`",
    "exists": "write `some x in S. p(x)`",
    "any": "write `some x in S. p(x)`",
    "lambda": "this dialect of LED has no functions without a name; define one",
    "lam": "this dialect of LED has no functions without a name; define one",
    "fun": "this dialect of LED has no functions without a name; define one",
}
"""Words before an operand."""

BEFORE_HEADS: Final = frozenset(("let", "def", "val", "var", "const", "fun", "function", "define"))
"""Words before a head, in other languages."""

_PAIRS: Final[Mapping[tuple[str, str], str]] = {
    ("*", "*"): "write `^` for a power",
    ("/", "/"): "write `floor(x / y)` for a quotient without its remainder; there are no comments "
    "inside the code",
    ("=", "<"): "write `<=`",
    ("<", ">"): "write `/=` for unequal",
    ("<", "="): "write `<=`, without a blank",
    (">", "="): "write `>=`, without a blank",
    ("/", "="): "write `/=`, without a blank",
    ("-", ">"): "write `=>` for an implication and `<=>` for an equivalence",
}
"""Two signs in a row, of which the second is in the place of an operand."""

_MISPLACED: Final[Mapping[str, str]] = {
    "if": CASES,
    "otherwise": "the value stands before it: `e otherwise`",
    "..": RANGE,
    "<": _TUPLES,
    "[": _TUPLES,
    "~": "put what it begins in brackets",
    "some": "put what it begins in brackets",
    "all": "put what it begins in brackets",
    **{
        word: f"`{word}` is a word of the language; a name must be another one"
        for word in ("V", "U", "sub", "sec", "mod", "Sum", "Prod", "Sec", "Pow", "floor", "ceil")
    },
}
"""Signs in the place of an operand."""

_STRAY: Final[Mapping[str, str]] = {
    ":=": "a definition begins with a name, or a name and its parameters: `f(x, y) :=`",
    "iff": "a definition begins with a name, or a name and its parameters: `f(x, y) iff`",
    "if": "the cases of a definition stand behind its `:=`, with `;` between them",
    "otherwise": "the cases of a definition stand behind its `:=`, with `;` between them",
    "..": RANGE,
    ";": "`;` stands only between the cases of a definition",
}
"""Signs behind a whole operand."""


def behind_operand(before: Token | None, here: Token, after: Token | None) -> str | None:
    """What to write where *here* does not continue the operand that ends with *before*."""
    if before is None:
        return None
    if before.kind is Kind.NAME and before.text in _BEFORE:
        return _BEFORE[before.text]
    if here.kind is Kind.SIGN:
        return _sign_behind(before, here, after)
    if before.kind is Kind.TEXT and "\n" in before.text:
        return 'the string before this takes several lines; was a `"` forgotten?'
    if before.kind is Kind.TEXT and here.kind is Kind.TEXT:
        return 'a string has no `"` in it'
    if before.kind is Kind.NUMBER and here.kind is Kind.NAME and touch(before, here):
        return f"write `{before.text}*{here.text}` for a product"
    if here.kind is Kind.NAME:
        return _word_behind(before, here, after)
    if before.kind is Kind.NAME:
        return f"arguments stand in brackets: `{before.text}({_written(here)})`"
    return None


def _word_behind(before: Token, here: Token, after: Token | None) -> str:
    word = reserved_like(here.text)
    if here.text in _BEHIND:
        return _BEHIND[here.text]
    if word:
        return f"write `{word}`: capitals count"
    if before.kind is Kind.NAME and (after is None or after.kind is Kind.SIGN):
        return (
            f"write `{before.text}({here.text})` for a call and `{before.text}*{here.text}` for a "
            "product; if a definition begins here, write `:=` or `iff` behind its head"
        )
    return "if a definition begins here, write `:=` or `iff` behind its head"


def reserved_like(name: str) -> str | None:
    """The word of the language that *name* is but for its capitals."""
    return next((word for word in sorted(RESERVED) if word.lower() == name.lower()), None)


def _sign_behind(before: Token, here: Token, after: Token | None) -> str | None:
    match here.text:
        case "(":
            return "write `a*b` for a product, and `t[1]` for a component of a tuple"
        case "," if (
            after is not None
            and before.kind is after.kind is Kind.NUMBER
            and touch(before, here)
            and touch(here, after)
        ):
            return f"write `{before.text}.{after.text}` for the decimal"
        case ",":
            return (
                "a tuple stands in brackets, as in `(1, 2)`, conditions are joined with `&`, and "
                "between cases stands `;`"
            )
        case "." if after is None or not touch(here, after):
            return f"leave the `.` out: {NO_END}"
        case ".":
            return "a component of a tuple is written with its number, as in `t[1]`"
        case sign:
            return _STRAY.get(sign)


def instead_of_operand(before: Token | None, here: Token | None) -> str | None:
    """What to write where *here* stands in the place of an operand, or nothing does."""
    if here is None:
        return f"`;` stands between cases; {NO_END}" if before and before.text == ";" else None
    if before is not None and (before.text, here.text) in _PAIRS:
        return _PAIRS[before.text, here.text]
    return _MISPLACED.get(here.text)


def touch(before: Token, here: Token) -> bool:
    """Whether nothing stands between two tokens."""
    return before.span.end == here.span.start


def _written(token: Token) -> str:
    match token.kind:
        case Kind.ATOM:
            return f"`{token.text}"
        case Kind.TEXT:
            return f'"{token.text}"'
        case _:
            return token.text
