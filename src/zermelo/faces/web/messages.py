"""What a page says: inputs for the program and wishes about time.

This is the one place where something that came from outside becomes a record. Whatever is
not exactly a message, with the names and within the bounds below, is refused with a word.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NoReturn, TypeAlias

from zermelo.core.stage import HEIGHT, WIDTH
from zermelo.faces.web.limits import FASTEST, LONGEST_KEY, MOST_FRAMES, MOST_MESSAGE, SLOWEST


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


@dataclass(frozen=True, slots=True)
class Refusal:
    """What came is no message, and why."""

    reason: str


class _Refused(Exception):
    """Why something is no message."""


def from_data(data: object) -> Message | Refusal:
    """What a page said in *data*, as it came: a text, or anything else.

    >>> from_data('{"do": "click", "x": 150, "y": 650}')
    Click(x=150, y=650)
    >>> from_data('{"do": "fly"}')
    Refusal(reason='`do` is none of the things that a page can ask for')
    """
    try:
        return _message(_said(data))
    except _Refused as refused:
        return Refusal(str(refused))


def _said(data: object) -> Mapping[str, object]:
    """The JSON object in *data*."""
    if not isinstance(data, str):
        raise _Refused("a message is a text")
    if len(data) > MOST_MESSAGE:
        raise _Refused(f"a message has at most {MOST_MESSAGE:,} characters")
    try:
        said = json.loads(data, object_pairs_hook=_object, parse_constant=_constant)
    except (ValueError, RecursionError):
        raise _Refused("a message is one object in JSON") from None
    if not isinstance(said, dict):
        raise _Refused("a message is one object in JSON")
    return said


def _object(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Refused("a name stands twice in an object")
    return found


def _constant(name: str) -> NoReturn:
    raise _Refused(f"{name} is no number of JSON")


def _message(said: Mapping[str, object]) -> Message:
    # A pattern of a mapping lets other names pass, so what it takes is counted.
    match said:
        case {"do": "click", "x": x, "y": y} if len(said) == 3:
            return Click(_x(x), _y(y))
        case {"do": "cursor", "x": x, "y": y} if len(said) == 3:
            return Cursor(_x(x), _y(y))
        case {"do": "press", "key": key} if len(said) == 2:
            return Press(_key(key))
        case {"do": "release", "key": key} if len(said) == 2:
            return Release(_key(key))
        case {"do": "go", "frame": frame} if len(said) == 2:
            return Go(_whole(frame, "frame", low=0, high=MOST_FRAMES))
        case {"do": "speed", "speed": speed} if len(said) == 2:
            return Speed(_speed(speed))
        case {"do": str(wish)} if len(said) == 1 and wish in _WISHES:
            return _WISHES[wish]
        case {"do": str(wish)} if wish in _KNOWN:
            raise _Refused(f"`{wish}` has other parts than these")
        case _:
            raise _Refused("`do` is none of the things that a page can ask for")


def _whole(value: object, name: str, *, low: int, high: int) -> int:
    """The whole number *value*, which must lie between *low* and *high*."""
    # What is true or false is a whole number too in Python.
    if type(value) is not int or not low <= value <= high:
        raise _Refused(f"`{name}` is a whole number from {low} to {high}")
    return value


def _x(value: object) -> int:
    return _whole(value, "x", low=0, high=WIDTH - 1)


def _y(value: object) -> int:
    # The top row of the window is 800 and the lowest 1.
    return _whole(value, "y", low=0, high=HEIGHT)


def _key(value: object) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_KEY or not value.isprintable():
        raise _Refused(f"`key` is the name of a key, of at most {LONGEST_KEY} characters")
    return value


def _speed(value: object) -> float:
    # Compared before it is made a float, which a number of 400 digits cannot become.
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not SLOWEST <= value <= FASTEST
    ):
        raise _Refused(f"`speed` is a number from {SLOWEST} to {FASTEST}")
    return float(value)


_WISHES: Final[Mapping[str, Wish]] = {
    "pause": Pause(),
    "play": Play(),
    "step": Step(),
    "restart": Restart(),
}
_KNOWN: Final = {*_WISHES, "click", "cursor", "press", "release", "go", "speed"}
