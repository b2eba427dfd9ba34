"""Keys under the names that programs see: one character each, or a word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

NAMED: Final = ("LEFT", "RIGHT", "UP", "DOWN", "SPACE", "ENTER", "ESCAPE")
"""The keys that are called by a word."""

_OTHER_NAMES: Final[Mapping[str, str]] = {
    " ": "SPACE",
    "SPACEBAR": "SPACE",
    "ARROWLEFT": "LEFT",
    "ARROWRIGHT": "RIGHT",
    "ARROWUP": "UP",
    "ARROWDOWN": "DOWN",
    "RETURN": "ENTER",
    "ESC": "ESCAPE",
}


def key_name(text: str) -> str | None:
    """What programs call the key *text*, as people and browsers name it; ``None`` if nothing.

    >>> key_name("a"), key_name("ArrowLeft"), key_name(" "), key_name("Shift")
    ('A', 'LEFT', 'SPACE', None)
    """
    name = text.upper()
    name = _OTHER_NAMES.get(name, name)
    if name in NAMED:
        return name
    return name if len(name) == 1 and name.isprintable() else None
