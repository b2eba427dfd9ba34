"""C becomes declarations: functions and tables, read by a parser of C.

The parser gets one token on each line, so the line of whatever it finds or does not
understand is the number of a token, which knows its place.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Final

from zermelo.languages.nets.read.prod import tree
from zermelo.languages.nets.read.prod.c_convert import Converter
from zermelo.languages.nets.read.prod.tokens import Kind, Token
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.source import Span

MOST_TOKENS: Final = 100_000
_STACK: Final = 10_000

# Names of types that headers of C would give.
_TYPES: Final = (
    *(f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64, "ptr")),
    "size_t",
    "bool",
)


def declarations(tokens: Sequence[Token], said: list[Diagnostic]) -> tuple[tree.Declaration, ...]:
    """The functions and tables that *tokens* declare; *said* gets what there is to say."""
    tokens = [each for each in tokens if each.kind not in (Kind.LINE_END, Kind.END)]
    stray = next((each for each in tokens if each.kind is Kind.OTHER), None)
    if stray is not None:
        said.append(_stray(stray))
        return ()
    if not any(each.kind is not Kind.SIGN or each.text != ";" for each in tokens):
        return ()
    if len(tokens) > MOST_TOKENS:
        words = f"there is too much C here: {len(tokens):,} tokens, and {MOST_TOKENS:,} are read"
        said.append(Diagnostic(codes.OUTSIDE_C_SUBSET, words, primary=Label(tokens[0].span)))
        return ()
    prelude = _prelude(tokens)
    parsed = _parsed(tokens, prelude, said)
    if parsed is None:
        return ()
    converter = Converter(lambda line: _span(tokens, line - 1 - len(prelude)))
    found = converter.declarations(parsed)
    if converter.unsigned is not None:
        said.append(
            Diagnostic(
                codes.UNSIGNED_AS_SIGNED,
                "numbers are signed here and have 64 bits, also where `unsigned` is written",
                primary=Label(converter.unsigned),
            )
        )
    return found


def _parsed(tokens: Sequence[Token], prelude: Sequence[str], said: list[Diagnostic]) -> Any | None:  # noqa: ANN401 - pycparser has no types
    # Imported here since it is slow to import and seldom needed; it has no types.
    from pycparser.c_parser import (  # type: ignore[import-untyped] # noqa: PLC0415
        CParser,
        ParseError,
    )

    text = "\n".join([*prelude, *(each.text for each in tokens)])
    before = sys.getrecursionlimit()
    # It goes down a step for each of `a ? b : c ? d : …`, which is long and not deep.
    sys.setrecursionlimit(max(before, _STACK))
    try:
        return CParser().parse(text, "c")
    except ParseError as fault:
        line = _line(str(fault))
        span, label = _span(tokens, line - 1 - len(prelude)), "not understood"
    except RecursionError:
        span, label = tokens[0].span, "something behind this is nested too deeply"
    except (AssertionError, AttributeError, TypeError, ValueError, IndexError, KeyError):
        # The parser has no answer to some texts that are no C at all.
        span, label = tokens[0].span, "somewhere behind this"
    finally:
        sys.setrecursionlimit(before)
    said.append(
        Diagnostic(
            codes.C_NOT_UNDERSTOOD,
            "what stands between the directives of a net is read as C, and this is not understood",
            primary=Label(span, label),
            help="a net consists of `#place` and `#trans … #endtr`; C functions and tables may "
            "stand between them",
        )
    )
    return None


def _prelude(tokens: Sequence[Token]) -> list[str]:
    used = {each.text for each in tokens}
    return [f"typedef long {name};" for name in _TYPES if name in used]


def _span(tokens: Sequence[Token], at: int) -> Span:
    return tokens[min(max(at, 0), len(tokens) - 1)].span


def _line(text: str) -> int:
    """The line in what the parser says; the last one where it says none."""
    parts = text.split(":", 2)
    return int(parts[1]) if len(parts) == 3 and parts[1].isdigit() else MOST_TOKENS


def _stray(token: Token) -> Diagnostic:
    return Diagnostic(
        codes.STRAY_CHARACTER,
        f"`{token.text}` is used nowhere in a net",
        primary=Label(token.span, "not understood"),
    )
