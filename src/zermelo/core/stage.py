"""A program in a window, frame by frame: what a page or a list of inputs asks of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

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

    def state_text(self, state: Value) -> str: ...

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
