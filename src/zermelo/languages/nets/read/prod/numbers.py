"""Numbers and characters as C writes them."""

from __future__ import annotations

import re
from typing import Final

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
