"""The tokens of a net: C's, and the brackets and dots of tuples.

Numbers are whole, so `1..n` is a number, two dots and a name; `<..>` is `<.` and `.>`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final

from zermelo.languages.nets.read.prod.sources import NetText
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.source import Span

_TOKEN: Final = re.compile(
    r"""
      (?P<comment> /\*.*?\*/ | //[^\n]* )
    | (?P<open_comment> /\* )
    | (?P<splice> \\[^\S\n]*\n )
    | (?P<line_end> \n )
    | (?P<blank> [^\S\n]+ )
    | (?P<name> [A-Za-z_][A-Za-z_0-9]* )
    | (?P<number> 0[xX][0-9a-fA-F]+[A-Za-z_0-9]* | [0-9]+(?:\.[0-9]+)?[A-Za-z_0-9]* )
    | (?P<character> '(?:\\.|[^'\\\n])+' )
    | (?P<text> "(?:\\.|[^"\\\n])*" )
    | (?P<sign> <<= | >>= | \.\.\.(?!>) | <\. | \.> | \.\. | -> | \+\+ | --
              | << | >> | <= | >= | == | != | && | \|\| | \+= | -= | \*= | /= | %= | &= | \|=
              | \^= | \#\#
              | [-+*/%<>=!~&|^?:;,.(){}\[\]\#] )
    | (?P<other> . )
    """,
    re.VERBOSE | re.DOTALL,
)
_NUMBER: Final = re.compile(
    r"(?:0[xX](?P<hex>[0-9a-fA-F]+)|(?P<octal>0[0-7]*)|(?P<decimal>[1-9][0-9]*))"
    r"(?:[uU](?:ll|LL|[lL])?|(?:ll|LL|[lL])[uU]?)?\Z"
)
_HIGHEST: Final = (1 << 63) - 1
_ESCAPES: Final = {
    "n": 10,
    "t": 9,
    "r": 13,
    "a": 7,
    "b": 8,
    "f": 12,
    "v": 11,
    "\\": 92,
    "'": 39,
    '"': 34,
    "?": 63,
}


class TokenKind(Enum):
    """The kinds of tokens."""

    NAME = "name"
    NUMBER = "number"
    CHARACTER = "character"
    TEXT = "text"
    SIGN = "sign"
    LINE_END = "line end"
    DIRECTIVE = "directive"
    """``#place`` and the like: what the preprocessor leaves to the parser."""
    OTHER = "other"
    """A character that nets do not use."""
    END = "end"


_KINDS: Final = {
    "line_end": TokenKind.LINE_END,
    "name": TokenKind.NAME,
    "number": TokenKind.NUMBER,
    "character": TokenKind.CHARACTER,
    "text": TokenKind.TEXT,
    "sign": TokenKind.SIGN,
    "other": TokenKind.OTHER,
}


@dataclass(frozen=True, slots=True)
class NetToken:
    """A token and its place in the row of texts.

    What a macro stands for has the place at which the macro is used.
    """

    kind: TokenKind
    text: str
    span: Span
    hidden: frozenset[str] = frozenset()
    """Macros that are being expanded, so that none expands inside itself."""

    def is_sign(self, *texts: str) -> bool:
        return self.kind is TokenKind.SIGN and self.text in texts

    def is_name(self, *texts: str) -> bool:
        return self.kind is TokenKind.NAME and self.text in texts

    def is_directive(self, *texts: str) -> bool:
        return self.kind is TokenKind.DIRECTIVE and self.text in texts


def lex(text: NetText, said: list[Diagnostic]) -> list[NetToken]:
    """The tokens of *text*, with a line end behind its last line."""
    found: list[NetToken] = []
    content, at = text.source.text, 0
    while at < len(content):
        match = _TOKEN.match(content, at)
        if match is None:
            # No character is left out by the last alternative; this keeps the loop honest.
            break
        kind = _KINDS.get(match.lastgroup or "")
        span = Span(text.start + at, text.start + match.end())
        if kind is not None:
            found.append(NetToken(kind, match.group(), span))
        elif match.lastgroup == "open_comment":
            said.append(_not_closed(span))
            break
        at = match.end()
    end = text.start + len(content)
    found.append(NetToken(TokenKind.LINE_END, "\n", Span(end, end)))
    return found


def _not_closed(span: Span) -> Diagnostic:
    return Diagnostic(
        codes.COMMENT_NOT_CLOSED,
        "this comment is not closed, so the rest of the text is part of it",
        primary=Label(span, "it begins here"),
        help="write `*/` where it ends",
    )


def number(text: str) -> int | str:
    """The number that *text* writes, or why it writes none.

    >>> number("0x1F"), number("017"), number("3ul")
    (31, 15, 3)
    """
    match = _NUMBER.match(text)
    if match is None:
        return f"`{text}` is no whole number of C"
    digits, base = _digits(match)
    if len(digits) > 64:
        return f"`{text[:12]}…` does not fit in 64 bits"
    value = int(digits, base)
    return value if value <= _HIGHEST else f"`{text}` does not fit in 64 bits"


def character(text: str) -> int | str:
    r"""The code of the character that *text*, with its quotes, writes; or why there is none.

    >>> character("'a'"), character(r"'\n'"), character(r"'\0'")
    (97, 10, 0)
    """
    inner = text[1:-1]
    if len(inner) == 1 and ord(inner) < 128:
        return ord(inner)
    if inner.startswith("\\"):
        rest = inner[1:]
        if rest in _ESCAPES:
            return _ESCAPES[rest]
        if re.fullmatch("[0-7]{1,3}", rest):
            return int(rest, 8)
        if re.fullmatch("x[0-9a-fA-F]{1,2}", rest):
            return int(rest[1:], 16)
    return f"`{text}` is not one character of ASCII"


def _digits(match: re.Match[str]) -> tuple[str, int]:
    if match["hex"] is not None:
        return match["hex"], 16
    if match["octal"] is not None:
        return match["octal"], 8
    return match["decimal"], 10


def counted(number: int, what: str) -> str:
    """So many of *what*, in a message.

    >>> counted(1, "argument"), counted(2, "index")
    ('1 argument', '2 indexes')
    """
    many = f"{what}es" if what.endswith("x") else f"{what}s"
    return f"{number:,} {what if number == 1 else many}"
