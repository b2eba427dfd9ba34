"""What a page says: inputs for the program and wishes about time.

This is the one place where something that came from outside becomes a record. Whatever is
not exactly a message, with the names and within the bounds below, is refused with a word.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NoReturn, TypeAlias

from zermelo.core.stage import HEIGHT, WIDTH
from zermelo.faces.web.limits import (
    FASTEST,
    LONGEST_KEY,
    MOST_FRAMES,
    MOST_MESSAGE,
    MOST_TYPED,
    MOST_WATCHED,
    SLOWEST,
)


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


@dataclass(frozen=True, slots=True)
class TakeLine:
    """Show the end of a line that was put aside, and stand still."""

    number: int


@dataclass(frozen=True, slots=True)
class Ask:
    """What is answered to a line at the prompt."""

    text: str


@dataclass(frozen=True, slots=True)
class Watch:
    """Tell the values of these expressions in every frame."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outline:
    """Tell which inputs have an effect, and where; or do not any more."""

    is_on: bool


@dataclass(frozen=True, slots=True)
class Make:
    """The input that somebody else chose, if it still has an effect."""

    move: str


@dataclass(frozen=True, slots=True)
class ReadProgram:
    """Run another text of the program, in the state that it is in."""

    document: str


@dataclass(frozen=True, slots=True)
class Resume:
    """Begin in a state that the page knows from a server that is no more."""

    state: str


Question: TypeAlias = Ask | Watch | Outline
"""What a page wants to know."""
Wish: TypeAlias = Pause | Play | Step | Go | Restart | Speed | TakeLine
"""What a page wants of time."""
Change: TypeAlias = Make | ReadProgram | Resume
Message: TypeAlias = Click | Cursor | Press | Release | Wish | Question | Change


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
    name = said.get("do")
    if not isinstance(name, str) or name not in _MESSAGES:
        raise _Refused("`do` is none of the things that a page can ask for")
    kind, parts = _MESSAGES[name]
    if said.keys() != {"do", *parts}:
        raise _Refused(f"`{name}` has other parts than these")
    return kind(*(check(said[part]) for part, check in parts.items()))


def _line(name: str, most: int) -> _Check:
    """What takes a text called *name*."""
    return lambda value: _text(value, name, most)


def _switch(value: object) -> bool:
    if not isinstance(value, bool):
        raise _Refused("`on` is true or false")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MOST_WATCHED:
        raise _Refused(f"`texts` is a list of at most {MOST_WATCHED} texts")
    return tuple(_text(each, "texts", MOST_TYPED) for each in value)


def _frame(value: object) -> int:
    return _whole(value, "frame", low=0, high=MOST_FRAMES)


def _number(value: object) -> int:
    return _whole(value, "number", low=0, high=MOST_FRAMES)


def _text(value: object, name: str, most: int) -> str:
    if not isinstance(value, str) or len(value) > most:
        raise _Refused(f"`{name}` is a text of at most {most:,} characters")
    if any("\ud800" <= each <= "\udfff" for each in value):
        raise _Refused(f"`{name}` has a character that is none")
    return value


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


_Check: TypeAlias = Callable[[object], object]
_MESSAGES: Final[Mapping[str, tuple[Callable[..., Message], Mapping[str, _Check]]]] = {
    "click": (Click, {"x": _x, "y": _y}),
    "cursor": (Cursor, {"x": _x, "y": _y}),
    "press": (Press, {"key": _key}),
    "release": (Release, {"key": _key}),
    "pause": (Pause, {}),
    "play": (Play, {}),
    "step": (Step, {}),
    "restart": (Restart, {}),
    "go": (Go, {"frame": _frame}),
    "line": (TakeLine, {"number": _number}),
    "speed": (Speed, {"speed": _speed}),
    "ask": (Ask, {"text": _line("text", MOST_TYPED)}),
    "watch": (Watch, {"texts": _texts}),
    "outline": (Outline, {"on": _switch}),
    "make": (Make, {"move": _line("move", MOST_TYPED)}),
    "program": (ReadProgram, {"document": _line("document", MOST_TYPED)}),
    "resume": (Resume, {"state": _line("state", MOST_MESSAGE)}),
}
"""What a page can ask for, with the parts of each, in the order of its record."""
