"""A place among the lexemes of one definition, and what is said about those that do not fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from zermelo.languages.led.read.lexer import RESERVED, Lexeme, LexemeKind
from zermelo.text import codes
from zermelo.text.codes import Code
from zermelo.text.diagnostic import Diagnostic, Fix, Label
from zermelo.text.source import Source, Span

NESTING: Final = 240
"""How deep an expression may go; a pair of brackets counts for three."""

CLOSERS: Final = {"(": ")", "[": "]", "{": "}", "⌊": "⌋", "⌈": "⌉"}


class NotUnderstoodError(Exception):
    """Ends the reading of one definition; what is wrong was said."""


class ParseCursor:
    """A place among *tokens*, which come from *source*."""

    def __init__(self, source: Source, tokens: Sequence[Lexeme], defined: frozenset[str]) -> None:
        self.source = source
        self.tokens = list(tokens)
        self.defined = defined
        """The names that the program defines or binds as parameters."""
        self.at = 0
        self.said: list[Diagnostic] = []
        self._nesting = 0

    # Looking ahead

    def peek(self, ahead: int = 0) -> Lexeme | None:
        at = self.at + ahead
        return self.tokens[at] if 0 <= at < len(self.tokens) else None

    def sign(self, ahead: int = 0) -> str:
        """The sign *ahead* places further on, empty if there stands something else."""
        token = self.peek(ahead)
        return token.text if token and token.kind is LexemeKind.SIGN else ""

    def word(self, ahead: int = 0) -> str:
        """The name *ahead* places further on, likewise."""
        token = self.peek(ahead)
        return token.text if token and token.kind is LexemeKind.NAME else ""

    def written(self, token: Lexeme) -> str:
        return self.source.slice(token.span)

    def here(self) -> Span:
        """The place of the token that comes next, or of the end."""
        token = self.peek()
        if token:
            return token.span
        end = self.tokens[-1].span.end if self.tokens else 0
        return Span(end, end)

    # Moving on

    def next(self) -> Lexeme:
        self.at += 1
        return self.tokens[self.at - 1]

    def take(self, *signs: str) -> bool:
        if self.sign() and self.sign() in signs:
            self.at += 1
            return True
        return False

    def since(self, start: int) -> Span:
        """From the token at *start* to the last one passed."""
        return self.tokens[start].span.to(self.tokens[max(self.at - 1, start)].span)

    def deeper(self, levels: int = 1) -> None:
        """Go *levels* down, if the expression is not nested too deeply already."""
        self._nesting += levels
        if self._nesting > NESTING:
            raise self.fail(
                codes.TOO_DEEP,
                "this expression is nested too deeply",
                self.here(),
                label="the level that is too many",
                advice="give a part of it a name of its own, as a definition",
            )

    def higher(self, levels: int = 1) -> None:
        self._nesting -= levels

    # Saying what is wrong

    def fail(
        self,
        code: Code,
        message: str,
        span: Span,
        *,
        label: str = "",
        secondary: tuple[Label, ...] = (),
        advice: str | None = None,
    ) -> NotUnderstoodError:
        """Say why the definition cannot be understood; what is raised to leave it."""
        token = self.peek()
        if token is None or token.kind is not LexemeKind.DAMAGED:
            self.said.append(
                Diagnostic(code, message, Label(span, label), secondary=secondary, help=advice)
            )
        return NotUnderstoodError()

    def say_empty_brackets(self, name: str, span: Span) -> None:
        self.said.append(
            Diagnostic(
                codes.OTHER_SPELLING,
                f"D3 writes `{name}` without brackets",
                Label(span, "empty brackets"),
                fix=Fix(span, name),
            )
        )

    def close(self, opener: Lexeme) -> None:
        wanted = CLOSERS[opener.text]
        if self.take(wanted):
            return
        token = self.peek()
        typed = self.written(opener)
        if token is None:
            raise self.fail(
                codes.BRACKET_NOT_CLOSED,
                f"this `{typed}` is not closed",
                opener.span,
                label="opened here",
                advice=f"put a `{wanted}` where it ends",
            )
        if self.sign() in CLOSERS.values():
            raise self.fail(
                codes.BRACKET_NOT_CLOSED,
                f"`{typed}` is closed by `{token.text}`",
                token.span,
                label=f"`{wanted}` was looked for",
                secondary=(Label(opener.span, "opened here"),),
            )
        raise self.stray(
            f"an operator or `{wanted}`", secondary=(Label(opener.span, "opened here"),)
        )

    def stray(self, looked_for: str, *, secondary: tuple[Label, ...] = ()) -> NotUnderstoodError:
        token = self.peek()
        if token is None:
            return self.fail(
                codes.FORMULA_NOT_UNDERSTOOD,
                f"the definition ends where {looked_for} was looked for",
                self.here(),
                secondary=secondary,
            )
        if token.is_sign(*CLOSERS.values()):
            return self.fail(
                codes.BRACKET_NOT_OPENED,
                f"this `{token.text}` closes nothing",
                token.span,
                label="its partner is missing",
            )
        if self.sign() == "|":
            return self.fail(
                codes.BAR_NOT_CLOSED,
                "this bar closes nothing",
                token.span,
                label="its partner is missing",
                advice="write `V` for or"
                if self.sign(1) == "|"
                else "bars come in pairs, as in `|A| = 3`",
            )
        return self.fail(
            codes.FORMULA_NOT_UNDERSTOOD,
            f"`{self.written(token)}` stands where {looked_for} was looked for",
            token.span,
            label="not understood from here on",
            secondary=secondary,
            advice=_behind_operand(self.peek(-1), token, self.peek(1)),
        )

    def operand_missing(self) -> NotUnderstoodError:
        before, here = self.peek(-1), self.peek()
        if here is None or here.text in CLOSERS.values():
            place = before or here
            return self.fail(
                codes.OPERAND_MISSING,
                f"`{self.written(place)}` has nothing behind it" if place else "nothing is here",
                place.span if place else self.here(),
                label="a value was looked for behind it",
                advice=_instead_of_operand(before, None) if here is None else None,
            )
        return self.fail(
            codes.OPERAND_MISSING,
            f"`{self.written(here)}` stands where a value was looked for",
            here.span,
            label="not understood from here on",
            advice=_instead_of_operand(before, here),
        )


# Advice on what was probably meant: by the lexeme that does not fit, and its neighbours

_CASES: Final = "the value stands before its condition: `e1 if p; e2 otherwise`"
_NO_END: Final = "a definition ends where the next one begins, without any sign"

RANGE: Final = "a range is written `{1..9}`, and with more beside it `{1..9} U {12}`"

_TUPLES: Final = "this dialect of LED has no sequences; write a tuple, as in `(1, 2)`"
_BEHIND: Final[Mapping[str, str]] = {
    "else": "the last case is `e2 otherwise`, with `;` before it: `e1 if p; e2 otherwise`",
    "then": _CASES,
    **dict.fromkeys(("is", "equals"), "write `=` for equal"),
    "div": "write `floor(x / y)` for a quotient without its remainder",
    "rem": "write `mod` for the remainder",
    "xor": "write `/=` between two truth values of which one holds",
    "minus": "write `-` for numbers and `\\` for sets",
    **dict.fromkeys(("intersect", "intersection"), "write `sec` for the intersection"),
}
"""Words between two operands."""

_BEFORE: Final[Mapping[str, str]] = {
    "not": "write `~` for not",
    **dict.fromkeys(("forall", "foreach", "every"), "write `all x in S. p(x)`"),
    **dict.fromkeys(("exists", "any"), "write `some x in S. p(x)`"),
    **dict.fromkeys(
        ("lambda", "lam", "fun"), "this dialect of LED has no functions without a name; define one"
    ),
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
    "if": _CASES,
    "otherwise": "the value stands before it: `e otherwise`",
    "..": RANGE,
    **dict.fromkeys(("<", "["), _TUPLES),
    **dict.fromkeys(("~", "some", "all"), "put what it begins in brackets"),
    **{
        word: f"`{word}` is a word of the language; a name must be another one"
        for word in ("V", "U", "sub", "sec", "mod", "Sum", "Prod", "Sec", "Pow", "floor", "ceil")
    },
}
"""Signs in the place of an operand."""

_STRAY: Final[Mapping[str, str]] = {
    ":=": "a definition begins with a name, or a name and its parameters: `f(x, y) :=`",
    "iff": "a definition begins with a name, or a name and its parameters: `f(x, y) iff`",
    **dict.fromkeys(
        ("if", "otherwise"),
        "the cases of a definition stand behind its `:=`, with `;` between them",
    ),
    "..": RANGE,
    ";": "`;` stands only between the cases of a definition",
}
"""Signs behind a whole operand."""


def _behind_operand(before: Lexeme | None, here: Lexeme, after: Lexeme | None) -> str | None:
    """What to write where *here* does not continue the operand that ends with *before*."""
    if before is None:
        return None
    if before.kind is LexemeKind.NAME and before.text in _BEFORE:
        return _BEFORE[before.text]
    if here.kind is LexemeKind.SIGN:
        return _sign_behind(before, here, after)
    if before.kind is LexemeKind.TEXT and "\n" in before.text:
        return 'the string before this takes several lines; was a `"` forgotten?'
    if before.kind is LexemeKind.TEXT and here.kind is LexemeKind.TEXT:
        return 'a string has no `"` in it'
    if before.kind is LexemeKind.NUMBER and here.kind is LexemeKind.NAME and _touch(before, here):
        return f"write `{before.text}*{here.text}` for a product"
    if here.kind is LexemeKind.NAME:
        return _word_behind(before, here, after)
    if before.kind is LexemeKind.NAME:
        written = {LexemeKind.ATOM: f"`{here.text}", LexemeKind.TEXT: f'"{here.text}"'}
        return f"arguments stand in brackets: `{before.text}({written.get(here.kind, here.text)})`"
    return None


def _word_behind(before: Lexeme, here: Lexeme, after: Lexeme | None) -> str:
    if here.text in _BEHIND:
        return _BEHIND[here.text]
    for word in sorted(RESERVED):
        if word.lower() == here.text.lower():
            return f"write `{word}`: capitals count"
    if before.kind is LexemeKind.NAME and (after is None or after.kind is LexemeKind.SIGN):
        return (
            f"write `{before.text}({here.text})` for a call and `{before.text}*{here.text}` for a "
            "product; if a definition begins here, write `:=` or `iff` behind its head"
        )
    return "if a definition begins here, write `:=` or `iff` behind its head"


def _sign_behind(before: Lexeme, here: Lexeme, after: Lexeme | None) -> str | None:
    match here.text:
        case "(":
            return "write `a*b` for a product, and `t[1]` for a component of a tuple"
        case "," if (
            after is not None
            and before.kind is after.kind is LexemeKind.NUMBER
            and _touch(before, here)
            and _touch(here, after)
        ):
            return f"write `{before.text}.{after.text}` for the decimal"
        case ",":
            return (
                "a tuple stands in brackets, as in `(1, 2)`, conditions are joined with `&`, and "
                "between cases stands `;`"
            )
        case "." if after is None or not _touch(here, after):
            return f"leave the `.` out: {_NO_END}"
        case ".":
            return "a component of a tuple is written with its number, as in `t[1]`"
        case sign:
            return _STRAY.get(sign)


def _instead_of_operand(before: Lexeme | None, here: Lexeme | None) -> str | None:
    """What to write where *here* stands in the place of an operand, or nothing does."""
    if here is None:
        return f"`;` stands between cases; {_NO_END}" if before and before.text == ";" else None
    if before is not None and (before.text, here.text) in _PAIRS:
        return _PAIRS[before.text, here.text]
    return _MISPLACED.get(here.text)


def _touch(before: Lexeme, here: Lexeme) -> bool:
    return before.span.end == here.span.start
