"""A program in a window, frame by frame: what a page or a list of inputs asks of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from zermelo.core.prompt import Interaction
from zermelo.core.values import Value
from zermelo.text.diagnostic import Diagnostic, Json
from zermelo.text.errors import DocumentNotUsable

WIDTH: Final = 1000
HEIGHT: Final = 800
FRAMES_PER_SECOND: Final = 30
MOST_KEPT: Final = 5_000_000
"""How many parts the states have together that are kept, so that one can go back to them."""


class NoWindow(DocumentNotUsable):
    """A window was asked for, and the document is no program that runs in one."""


class StageFrame(Protocol):
    """What is to be seen and heard in one frame."""

    @property
    def number(self) -> int: ...

    @property
    def state(self) -> Value: ...

    @property
    def images(self) -> tuple[object, ...]: ...

    @property
    def sounds(self) -> tuple[str, ...]: ...

    @property
    def faults(self) -> tuple[Diagnostic, ...]: ...

    @property
    def input(self) -> object: ...


@dataclass(frozen=True, slots=True)
class FrameLine:
    """Frames that were put aside when somebody went on from the past."""

    number: int
    """What the line is called."""
    fork: int
    """The last frame that it shares with the one it was left for."""
    last: int
    changes: int
    """In how many of its frames the state changes."""


@dataclass(frozen=True, slots=True)
class Outlined:
    """An input with an effect, and where on the screen it can be made."""

    move: str
    words: str
    edges: tuple[tuple[int, int, int, int], ...] = ()
    """Around all points where a click has this effect: from (x, y) to (x, y), each straight.

    Coordinates are those of the corners of points: the point (x, y) lies between x and x + 1, and
    between y - 1 and y.
    """


@dataclass(frozen=True, slots=True)
class ScriptStep:
    """A line of a list of inputs, and the frames it made."""

    line: int | None
    """Its number; ``None`` before the first."""
    text: str | None
    frames: tuple[StageFrame, ...]
    sounds: tuple[str, ...]
    snapshot: str | None = None
    """The name under which a picture is to be kept."""


class Stage(Protocol):
    """A program that runs in a window; time can stand still, and go back."""

    @property
    def name(self) -> str: ...

    @property
    def present(self) -> StageFrame: ...

    @property
    def number(self) -> int: ...

    @property
    def first(self) -> int:
        """The first frame that is remembered."""
        ...

    @property
    def last(self) -> int: ...

    @property
    def state(self) -> Value: ...

    @property
    def changes(self) -> list[int]:
        """The frames in which the state changed, from the oldest that is remembered."""
        ...

    @property
    def last_change(self) -> int:
        """The last of them; -1 if there is none."""
        ...

    def changes_after(self, frame: int) -> list[int]: ...

    @property
    def version(self) -> int:
        """Changes whenever frames that were made are no more, or others take their place."""
        ...

    @property
    def lines(self) -> tuple[FrameLine, ...]: ...

    @property
    def is_paused(self) -> bool: ...

    @property
    def waiting(self) -> int: ...

    def click(self, x: int, y: int) -> None: ...

    def move(self, x: int, y: int) -> None: ...

    def press(self, key: str) -> bool: ...

    def release(self, key: str) -> None: ...

    def release_all(self) -> None: ...

    def pause(self) -> None: ...

    def resume(self) -> None: ...

    def frame(self) -> StageFrame: ...

    def go(self, number: int) -> StageFrame: ...

    def restart(self) -> StageFrame: ...

    def take_line(self, number: int) -> StageFrame: ...

    def begin_in(self, state: Value) -> bool:
        """Begin in *state*, if it is one here."""
        ...

    def state_text(self, state: Value) -> str: ...

    def state_source(self, state: Value) -> str:
        """*state* as it can be read again."""
        ...

    def read_state(self, text: str) -> Value | None:
        """The value that ``state_source`` wrote; ``None`` if *text* is none."""
        ...

    def watchable(self) -> tuple[str, ...]:
        """The names that the program derives from its state."""
        ...

    def watched(self, text: str) -> str:
        """The value of an expression in the present frame, or why it has none."""
        ...

    def interaction(self) -> Interaction:
        """What is answered at a prompt about the present frame."""
        ...

    def outlined(self) -> tuple[Outlined, ...]:
        """The inputs that have an effect in the present state.

        ``UsageError`` says why they are not told apart.
        """
        ...

    def make(self, move: str) -> bool:
        """Let the next frame have the input *move*, if it has an effect in the present state."""
        ...

    def drawing(self, frame: StageFrame) -> list[Json]:
        """The images of *frame* for a page."""
        ...

    def input_json(self) -> dict[str, Json]:
        """What is told to the program in the present frame."""
        ...

    def pictures(self, frame: StageFrame) -> Mapping[str, bytes]:
        """*frame* as files, by their endings."""
        ...

    def complaints(self, text: str) -> tuple[str, ...]:
        """What is wrong with a list of inputs."""
        ...

    def play_script(self, text: str) -> Iterator[ScriptStep]:
        """Play a list of inputs of which nothing is wrong."""
        ...
