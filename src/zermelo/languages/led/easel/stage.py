"""The engine: an LED program that runs frame by frame.

Frame 0 is the initial state. Every later frame takes at most one click from the queue,
with its own position, or else the cursor's; asks for the sounds on the old state, then for
the new state, then for its images. There is no clock in here: whoever shows the frames
says when the next one is due.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from zermelo.core.values import Value
from zermelo.languages.led.easel import faults
from zermelo.languages.led.easel.drawing import Picture, picture
from zermelo.languages.led.easel.history import MOST_CHANGES, Changes
from zermelo.languages.led.easel.keys import key_name
from zermelo.languages.led.easel.pictures import Folder
from zermelo.languages.led.easel.shapes import Shape
from zermelo.languages.led.ir import Program
from zermelo.languages.led.run.easel import Input
from zermelo.languages.led.run.evaluator import Evaluator
from zermelo.languages.led.run.sizes import MOST_LEVELS, MOST_PARTS, is_deep, size
from zermelo.languages.led.run.values import Arranged, Erroneous, Text
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.errors import UsageError

NEEDED: Final = ("initialState", "newState", "images")
"""What a program must define to run here."""
DING: Final = "ding"
"""The sound of a click in a program that does not define ``sounds``."""
MOST_STEPS: Final = 2_000_000
"""How much a single value that a frame asks for may cost, in steps of the evaluator."""
MOST_SOUNDS: Final = 8
"""How many sounds a frame plays."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame: the state it ended in, what is drawn of it, and what is heard."""

    number: int
    state: Value
    images: tuple[Shape, ...]
    """In the order in which they are drawn, the later ones over the earlier."""
    sounds: tuple[str, ...] = ()
    faults: tuple[Diagnostic, ...] = ()
    """What the frame could not do; it belongs on the screen."""
    input: Input | None = None
    """What the program was told; ``None`` in frame 0."""


class Stage:
    """A program that runs: what is clicked and held, the frames, and the way back."""

    def __init__(
        self,
        evaluator: Evaluator,
        *,
        folder: Path | None = None,
        most_parts: int = MOST_PARTS,
        most_changes: int = MOST_CHANGES,
    ) -> None:
        lacking = missing(evaluator.program)
        if lacking:
            raise UsageError(lacking)
        self.evaluator = evaluator
        self.folder = Folder(folder)
        """Where the program's picture files are."""
        self.is_paused = False
        self._most_parts = most_parts
        self._has_sounds = evaluator.program.definition("sounds") is not None
        self._clicks: deque[tuple[int, int]] = deque()
        self._held: dict[str, None] = {}
        self._tapped: dict[str, None] = {}
        self._cursor = (0, 0)
        self._states: Changes[Value] = Changes(most_changes)
        self._inputs: Changes[Input | None] = Changes(most_changes)
        self._faults: Changes[tuple[Diagnostic, ...]] = Changes(most_changes)
        self._drawn: tuple[Value, Input | None, Picture] | None = None
        self._last = 0
        self._present = self._begin()

    # What there is

    @property
    def program(self) -> Program:
        """The program that runs."""
        return self.evaluator.program

    @property
    def present(self) -> Frame:
        """The frame that is shown."""
        return self._present

    @property
    def number(self) -> int:
        """The number of the frame that is shown."""
        return self._present.number

    @property
    def state(self) -> Value:
        """The state of the frame that is shown."""
        return self._present.state

    @property
    def input(self) -> Input:
        """What the program was told in the frame that is shown; before the first, nothing."""
        return self._present.input or self._told(None)

    @property
    def cursor(self) -> tuple[int, int]:
        """Where the cursor is."""
        return self._cursor

    @property
    def first(self) -> int:
        """The earliest frame that one can go back to."""
        return max(self._states.first, self._inputs.first, self._faults.first)

    @property
    def last(self) -> int:
        """The latest frame that one can go to."""
        return self._last

    @property
    def waiting(self) -> int:
        """How many clicks have not been played yet."""
        return len(self._clicks)

    # What people do

    def click(self, x: int, y: int) -> None:
        """Click at (*x*, *y*): some later frame plays it, each click exactly once."""
        self._clicks.append((x, y))
        self._cursor = (x, y)

    def move(self, x: int, y: int) -> None:
        """Move the cursor to (*x*, *y*)."""
        self._cursor = (x, y)

    def press(self, key: str) -> bool:
        """Press *key* and hold it; whether it is a key that programs can see."""
        name = key_name(key)
        if name is None:
            return False
        self._held[name] = None
        self._tapped[name] = None
        return True

    def release(self, key: str) -> None:
        """Release *key*; one that was pressed since the last frame is still held in the next."""
        name = key_name(key)
        if name is not None:
            self._held.pop(name, None)

    def release_all(self) -> None:
        """Release all keys, as when the window loses them."""
        self._held.clear()

    def pause(self) -> None:
        """Let ``tick`` make no frames."""
        self.is_paused = True

    def resume(self) -> None:
        """Let ``tick`` make frames again."""
        self.is_paused = False

    # Frames

    def tick(self) -> Frame | None:
        """The next frame, unless the stage is paused."""
        return None if self.is_paused else self.frame()

    def frame(self) -> Frame:
        """Make the next frame, paused or not; frames after the one shown are dropped."""
        before = self._present
        told = self._told(self._clicks.popleft() if self._clicks else None)
        self._tapped.clear()
        said: list[Diagnostic] = []
        sounds = self._sounds(before.state, told, said)
        state = self._next(before.state, told, said)
        number = before.number + 1
        self._keep(number, state, told, tuple(said))
        return self._show(number, sounds=sounds)

    def go(self, number: int) -> Frame:
        """Show frame *number* again; clicks that wait are forgotten, since they meant another."""
        if not self.first <= number <= self._last:
            raise UsageError(f"there is no frame {number}; there are {self.first} to {self._last}")
        self._clicks.clear()
        return self._show(number)

    def restart(self) -> Frame:
        """Begin again with frame 0, and forget all others."""
        self._clicks.clear()
        self._present = self._begin()
        return self._present

    def _begin(self) -> Frame:
        state = self.evaluator.value("initialState")
        said: tuple[Diagnostic, ...] = ()
        if isinstance(state, Erroneous):
            said = (faults.no_value("initialState", state),)
            self.is_paused = True
        self._keep(0, state, None, said)
        return self._show(0)

    def _told(self, click: tuple[int, int] | None) -> Input:
        x, y = self._cursor if click is None else click
        keys = Arranged(Text(key) for key in {**self._held, **self._tapped})
        return Input(clicked=click is not None, x=x, y=y, keys=keys)

    def _sounds(self, state: Value, told: Input, said: list[Diagnostic]) -> tuple[str, ...]:
        if not self._has_sounds:
            return (DING,) if told.clicked else ()
        value = self.evaluator.value("sounds", state=state, input=told)
        if isinstance(value, Erroneous):
            said.append(faults.no_value("sounds", value))
            return ()
        if not isinstance(value, frozenset) or not all(isinstance(each, Text) for each in value):
            said.append(faults.no_sounds(value, self.program))
            return ()
        return tuple(each.value for each in value if isinstance(each, Text))[:MOST_SOUNDS]

    def _next(self, state: Value, told: Input, said: list[Diagnostic]) -> Value:
        """The state after this frame: the old one where there is no new one."""
        if isinstance(state, Erroneous):
            said.append(faults.no_value("initialState", state))
            return state
        after = self.evaluator.value("newState", state=state, input=told)
        if isinstance(after, Erroneous):
            said.append(faults.no_value("newState", after))
            self.is_paused = self.is_paused or after.is_limit
            return state
        if after is not state and size(after, most=self._most_parts) > self._most_parts:
            said.append(faults.state_grows(self._most_parts, self.program))
            self.is_paused = True
            return state
        if after is not state and is_deep(after):
            said.append(faults.state_deepens(MOST_LEVELS, self.program))
            self.is_paused = True
            return state
        return after

    def _keep(
        self, number: int, state: Value, told: Input | None, said: tuple[Diagnostic, ...]
    ) -> None:
        self._states.put(number, state, parts=size(state, most=self._most_parts))
        self._inputs.put(number, told)
        self._faults.put(number, said)
        self._last = number

    def _show(self, number: int, *, sounds: tuple[str, ...] = ()) -> Frame:
        state, told = self._states.at(number), self._inputs.at(number)
        drawn = self._picture(state, told)
        self._present = Frame(
            number,
            state,
            drawn.shapes,
            sounds,
            (*self._faults.at(number), *drawn.faults),
            told,
        )
        return self._present

    def _picture(self, state: Value, told: Input | None) -> Picture:
        """What *state* looks like; the last answer is kept, since most frames change nothing."""
        if isinstance(state, Erroneous):
            return Picture(())
        if not self.evaluator.dependence("images").on_input:
            told = None
        kept = self._drawn
        if kept is not None and (kept[0] is state or kept[0] == state) and kept[1] == told:
            return kept[2]
        value = self.evaluator.value("images", state=state, input=told or self._told(None))
        if isinstance(value, Erroneous) and value.is_limit:
            self.is_paused = True
        drawn = picture(value, self.program, folder=self.folder)
        self._drawn = (state, told, drawn)
        return drawn


def missing(program: Program) -> str | None:
    """Why *program* cannot run in Easel; ``None`` if it can."""
    absent = [name for name in NEEDED if program.definition(name) is None]
    if absent:
        *most, last = [f"`{name}`" for name in absent]
        listed = f"{', '.join(most)} and {last}" if most else last
        return (
            f"{program.name} cannot run in Easel, because it does not define {listed}; a game "
            "defines `initialState`, `newState` and `images`"
        )
    for name in NEEDED:
        definition = program.definition(name)
        if definition is not None and definition.parameters:
            return (
                f"{program.name} cannot run in Easel, because `{name}` has parameters; it is told "
                "the state as `currentState` and the mouse as `mouseClicked`, `mouseX`, `mouseY`"
            )
    return None
