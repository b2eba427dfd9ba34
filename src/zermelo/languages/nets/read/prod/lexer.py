"""The tokens of a net: C's, and the brackets and dots of tuples.

Numbers are whole, so `1..n` is a number, two dots and a name; `<..>` is `<.` and `.>`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final

from zermelo.languages.nets.read.prod.sources import NetText
from zermelo.languages.nets.run.arithmetic import HIGHEST
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
_BASES: Final = {"hex": 16, "octal": 8, "decimal": 10}
_ESCAPES: Final = dict(zip("ntrabfv\\'\"?", b"\n\t\r\a\b\f\v\\'\"?", strict=True))


class TokenKind(Enum):
    """The kinds of tokens."""

    NAME = "name"
    NUMBER = "number"
    CHARACTER = "character"
    TEXT = "text"
    SIGN = "sign"
    LINE_END = "line end"
    DIRECTIVE = "directive"
    OTHER = "other"
    END = "end"


_KINDS: Final = {kind.name.lower(): kind for kind in TokenKind}


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
    found: list[NetToken] = []
    # The last alternative leaves no character out.
    for match in _TOKEN.finditer(text.source.text):
        kind = _KINDS.get(match.lastgroup or "")
        span = Span(text.start + match.start(), text.start + match.end())
        if kind is not None:
            found.append(NetToken(kind, match.group(), span))
        elif match.lastgroup == "open_comment":
            said.append(
                Diagnostic(
                    codes.COMMENT_NOT_CLOSED,
                    "this comment is not closed, so the rest of the text is part of it",
                    primary=Label(span, "it begins here"),
                    help="write `*/` where it ends",
                )
            )
            break
    end = text.start + len(text.source.text)
    found.append(NetToken(TokenKind.LINE_END, "\n", Span(end, end)))
    return found


def number(text: str) -> int | str:
    """The number that *text* writes, or why it writes none.

    >>> number("0x1F"), number("017"), number("3ul")
    (31, 15, 3)
    """
    match = _NUMBER.match(text)
    if match is None or match.lastgroup is None:
        return f"`{text}` is no whole number of C"
    digits, base = match[match.lastgroup], _BASES[match.lastgroup]
    if len(digits) > 64:
        return f"`{text[:12]}…` does not fit in 64 bits"
    value = int(digits, base)
    return value if value <= HIGHEST else f"`{text}` does not fit in 64 bits"


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
