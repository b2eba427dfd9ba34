"""What a page says: inputs for the program and wishes about time."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Final, TypeAlias

from zermelo.core.stage import HEIGHT, WIDTH

LONGEST_KEY: Final = 8
"""The longest name of a key."""
MOST_FRAMES: Final = 2**53
"""Above it a browser cannot count."""
SLOWEST: Final = 1 / 64
FASTEST: Final = 8.0


@dataclass(frozen=True, slots=True)
class Click:
    """The mouse went down at a point."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Cursor:
    """The mouse is over a point."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Press:
    """A key went down."""

    key: str


@dataclass(frozen=True, slots=True)
class Release:
    """A key went up."""

    key: str


@dataclass(frozen=True, slots=True)
class Pause:
    """Let time stand still."""


@dataclass(frozen=True, slots=True)
class Play:
    """Let time run from the frame shown; what came after it is forgotten."""


@dataclass(frozen=True, slots=True)
class Step:
    """One frame forward, and stand still."""


@dataclass(frozen=True, slots=True)
class Go:
    """Show a frame that was, and stand still."""

    frame: int


@dataclass(frozen=True, slots=True)
class Restart:
    """Begin anew."""


@dataclass(frozen=True, slots=True)
class Speed:
    """So many times the usual number of frames a second."""

    speed: float


Wish: TypeAlias = Pause | Play | Step | Go | Restart | Speed
"""What a page wants of time."""
Message: TypeAlias = Click | Cursor | Press | Release | Wish


def from_text(text: str) -> Message | None:
    """What a page said; ``None`` for what no page of ours says.

    >>> from_text('{"do": "click", "x": 150, "y": 650}')
    Click(x=150, y=650)
    >>> from_text('{"do": "fly"}')
    """
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict):
        return None
    read = _READERS.get(str(said.get("do")))
    try:
        return None if read is None else read(said)
    except (KeyError, TypeError, ValueError):
        return None


def _whole(said: Mapping[str, object], name: str, *, low: int, high: int) -> int:
    """The whole number under *name*, which must lie between *low* and *high*."""
    value = said[name]
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise ValueError(name)
    return value


def _x(said: Mapping[str, object]) -> int:
    return _whole(said, "x", low=0, high=WIDTH - 1)


def _y(said: Mapping[str, object]) -> int:
    # The top row of the window is 800 and the lowest 1.
    return _whole(said, "y", low=0, high=HEIGHT)


def _key(said: Mapping[str, object]) -> str:
    value = said["key"]
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_KEY:
        raise ValueError("key")
    return value


def _speed(said: Mapping[str, object]) -> float:
    value = said["speed"]
    if not isinstance(value, int | float) or not isfinite(value):
        raise ValueError("speed")
    return min(max(float(value), SLOWEST), FASTEST)


_READERS: Final[Mapping[str, Callable[[Mapping[str, object]], Message]]] = {
    "click": lambda said: Click(_x(said), _y(said)),
    "cursor": lambda said: Cursor(_x(said), _y(said)),
    "press": lambda said: Press(_key(said)),
    "release": lambda said: Release(_key(said)),
    "pause": lambda _: Pause(),
    "play": lambda _: Play(),
    "step": lambda _: Step(),
    "go": lambda said: Go(_whole(said, "frame", low=0, high=MOST_FRAMES)),
    "restart": lambda _: Restart(),
    "speed": lambda said: Speed(_speed(said)),
}
