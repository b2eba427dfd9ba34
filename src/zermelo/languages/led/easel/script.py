"""A list of inputs, one a line, and a stage that plays them.

    click 150 650     a frame with a click there
    key LEFT A        a frame in which these keys are held
    frame             a frame in which nothing happens; `frame 30` makes thirty
    move 10 20        the cursor goes there; no frame
    hold A            a key is held from now on, until `release A`; no frame
    snapshot opening  a picture of the window under a name of its own; no frame

Empty lines and what follows a `#` mean nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

from zermelo.core.stage import HEIGHT, WIDTH, ScriptStep
from zermelo.languages.led.easel.stage import Stage, StageFrame, key_name
from zermelo.languages.led.run.built_ins import NAMED_KEYS
from zermelo.text.errors import nearest

MOST_FRAMES: Final = 100_000
MOST_COMPLAINTS: Final = 10

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")
_WHOLE: Final = re.compile(r"[0-9]{1,6}")


@dataclass(frozen=True, slots=True)
class Click:
    """A frame with a click."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class HoldKeys:
    """A frame in which keys are held."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wait:
    """Frames in which nothing happens."""

    frames: int = 1


@dataclass(frozen=True, slots=True)
class MoveCursor:
    """The cursor goes somewhere."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Hold:
    """A key is held from now on, or no longer."""

    name: str
    is_held: bool = True


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A picture of the window is wanted."""

    name: str


Action: TypeAlias = Click | HoldKeys | Wait | MoveCursor | Hold | Snapshot


@dataclass(frozen=True, slots=True)
class ScriptLine:
    """An input, and the line it stands in."""

    number: int
    text: str
    action: Action


@dataclass(frozen=True, slots=True)
class Script:
    """A list of inputs; where there are complaints, it is not whole."""

    lines: tuple[ScriptLine, ...]
    complaints: tuple[str, ...] = ()


class _NoInputError(Exception):
    """A line that is no input, and why."""


def parse(text: str) -> Script:
    lines: list[ScriptLine] = []
    complaints: list[str] = []
    frames = 0
    for number, row in enumerate(text.splitlines(), 1):
        typed = row.partition("#")[0].strip()
        if not typed:
            continue
        reason = complaint(typed)
        if reason is None:
            lines.append(ScriptLine(number, typed, parse_line(typed)))
            frames += _frames(lines[-1].action)
            if frames > MOST_FRAMES:
                reason = f"with it there are more than {MOST_FRAMES:,} frames"
        if reason is not None:
            complaints.append(f"line {number}: `{typed}`: {reason}")
        if len(complaints) == MOST_COMPLAINTS or frames > MOST_FRAMES:
            break
    return Script(tuple(lines), tuple(complaints))


def parse_line(text: str) -> Action:
    word, *rest = text.split()
    read = _READERS.get(word)
    if read is None:
        near = nearest(word, _READERS)
        hint = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(_READERS)}"
        raise _NoInputError(f"there is no input `{word}`; {hint}")
    return read(rest)


def complaint(text: str) -> str | None:
    """Why *text* is no input; ``None`` if it is one.

    >>> complaint("click 150 650"), complaint("click 150")
    (None, '`click` needs two whole numbers, as in `click 150 650`')
    """
    try:
        parse_line(text)
    except _NoInputError as reason:
        return str(reason)
    return None


def play(stage: Stage, script: Script) -> Iterator[ScriptStep]:
    """Play *script* from where *stage* is; the frame it begins with comes first."""
    yield ScriptStep(None, None, (stage.present,), stage.present.sounds)
    for line in script.lines:
        frames = tuple(perform(stage, line.action))
        sounds = tuple(sound for frame in frames for sound in frame.sounds)
        snapshot = line.action.name if isinstance(line.action, Snapshot) else None
        yield ScriptStep(line.number, line.text, frames, sounds, snapshot)


def perform(stage: Stage, action: Action) -> Iterator[StageFrame]:
    match action:
        case Click(x, y):
            stage.click(x, y)
            yield stage.frame()
        case HoldKeys(names):
            for name in names:
                stage.press(name)
                stage.release(name)
            yield stage.frame()
        case Wait(frames):
            for _ in range(frames):
                yield stage.frame()
        case MoveCursor(x, y):
            stage.move(x, y)
        case Hold(name, is_held):
            if is_held:
                stage.press(name)
            else:
                stage.release(name)
        case Snapshot():
            pass
        case _:
            assert_never(action)


def _frames(action: Action) -> int:
    return action.frames if isinstance(action, Wait) else isinstance(action, Click | HoldKeys)


# Readers of single lines


def _spot(rest: list[str], word: str) -> tuple[int, int]:
    if len(rest) != 2 or not all(map(_WHOLE.fullmatch, rest)):
        raise _NoInputError(f"`{word}` needs two whole numbers, as in `{word} 150 650`")
    x, y = map(int, rest)
    if x > WIDTH or y > HEIGHT:
        raise _NoInputError(
            f"({x}, {y}) is outside the window, which goes from (0, 0) to ({WIDTH}, {HEIGHT})"
        )
    return x, y


def _key(text: str) -> str:
    name = key_name(text)
    if name is None:
        raise _NoInputError(
            f"there is no key `{text}`; keys are single characters and {', '.join(NAMED_KEYS)}"
        )
    return name


def _one_key(rest: list[str], word: str) -> str:
    if len(rest) != 1:
        raise _NoInputError(f"`{word}` needs the name of one key, as in `{word} A`")
    return _key(rest[0])


def _keys(rest: list[str]) -> HoldKeys:
    if not rest:
        raise _NoInputError("`key` needs the names of keys, as in `key A` or `key LEFT UP`")
    return HoldKeys(tuple(dict.fromkeys(map(_key, rest))))


def _wait(rest: list[str]) -> Wait:
    if not rest:
        return Wait()
    if len(rest) != 1 or not _WHOLE.fullmatch(rest[0]):
        raise _NoInputError("`frame` needs the number of frames or nothing, as in `frame 30`")
    if int(rest[0]) > MOST_FRAMES:
        raise _NoInputError(f"more than {MOST_FRAMES:,} frames are not made at once")
    return Wait(int(rest[0]))


def _snapshot(rest: list[str]) -> Snapshot:
    if len(rest) != 1 or not _NAME.fullmatch(rest[0]) or rest[0].startswith("frame-"):
        raise _NoInputError(
            "`snapshot` needs a name of letters, digits, `-` and `_` that does not begin with "
            "`frame-`, as in `snapshot opening`"
        )
    return Snapshot(rest[0])


_READERS: Final[Mapping[str, Callable[[list[str]], Action]]] = {
    "click": lambda rest: Click(*_spot(rest, "click")),
    "key": _keys,
    "frame": _wait,
    "move": lambda rest: MoveCursor(*_spot(rest, "move")),
    "hold": lambda rest: Hold(_one_key(rest, "hold")),
    "release": lambda rest: Hold(_one_key(rest, "release"), is_held=False),
    "snapshot": _snapshot,
}
