"""Text becomes tokens.

Numbers are whole, so `1..n` is a number, two dots and a name; `<..>` is `<.` and `.>`.
"""

from __future__ import annotations

import re
from typing import Final

from zermelo.languages.nets.read.prod.texts import Text
from zermelo.languages.nets.read.prod.tokens import Kind, Token
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
_KINDS: Final = {
    "line_end": Kind.LINE_END,
    "name": Kind.NAME,
    "number": Kind.NUMBER,
    "character": Kind.CHARACTER,
    "text": Kind.TEXT,
    "sign": Kind.SIGN,
    "other": Kind.OTHER,
}


def lex(text: Text, said: list[Diagnostic]) -> list[Token]:
    """The tokens of *text*, with a line end behind its last line."""
    found: list[Token] = []
    content, at = text.source.text, 0
    while at < len(content):
        match = _TOKEN.match(content, at)
        if match is None:
            # No character is left out by the last alternative; this keeps the loop honest.
            break
        kind = _KINDS.get(match.lastgroup or "")
        span = Span(text.start + at, text.start + match.end())
        if kind is not None:
            found.append(Token(kind, match.group(), span))
        elif match.lastgroup == "open_comment":
            said.append(_not_closed(span))
            break
        at = match.end()
    end = text.start + len(content)
    found.append(Token(Kind.LINE_END, "\n", Span(end, end)))
    return found


def _not_closed(span: Span) -> Diagnostic:
    return Diagnostic(
        codes.COMMENT_NOT_CLOSED,
        "this comment is not closed, so the rest of the text is part of it",
        primary=Label(span, "it begins here"),
        help="write `*/` where it ends",
    )
