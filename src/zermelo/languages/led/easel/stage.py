"""The engine: an LED program that runs frame by frame.

Frame 0 is the initial state. Every later frame takes at most one click from the queue,
with its own position, or else the cursor's; asks for the sounds on the old state, then for
the new state, then for its images. There is no clock in here.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Final, Generic, TypeAlias, TypeVar

from zermelo.core.stage import MOST_KEPT, FrameLine
from zermelo.core.values import Value
from zermelo.languages.led.easel.drawing import DrawnShapes, definition_label, no_value, picture
from zermelo.languages.led.easel.pictures import Folder
from zermelo.languages.led.easel.shapes import Shape
from zermelo.languages.led.ir import Program
from zermelo.languages.led.run.built_ins import NAMED_KEYS, Input
from zermelo.languages.led.run.evaluator import ProgramEvaluator
from zermelo.languages.led.run.pretty import plain
from zermelo.languages.led.run.values import (
    MOST_LEVELS,
    MOST_PARTS,
    Arranged,
    Erroneous,
    Text,
    is_deep,
    size,
)
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.errors import UsageError
from zermelo.text.prose import listing

MOST_CHANGES: Final = 20_000
"""Eleven minutes in which every frame changes something."""


MOST_LINES: Final = 20
"""Lines that are kept after somebody went on from the past; the oldest are forgotten first."""
NEEDED: Final = ("initialState", "newState", "images")
DING: Final = "ding"
"""The sound of a click in a program that does not define ``sounds``."""
MOST_STEPS: Final = 6_000_000
"""How much a single value that a frame asks for may cost, in steps of the evaluator."""
MOST_SOUNDS: Final = 8
MOST_KEYS: Final = 100
"""Keys that are held at a time; no keyboard has many more."""


@dataclass(frozen=True, slots=True)
class StageFrame:
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
        evaluator: ProgramEvaluator,
        *,
        folder: Path | None = None,
        most_parts: int = MOST_PARTS,
        most_changes: int = MOST_CHANGES,
        most_kept: int = MOST_KEPT,
    ) -> None:
        lacking = missing(evaluator.program)
        if lacking:
            raise UsageError(lacking)
        self.evaluator = evaluator
        self.folder = Folder(folder)
        self.is_paused = False
        self._most_parts = most_parts
        self._has_sounds = evaluator.program.definition("sounds") is not None
        self._clicks: deque[tuple[int, int]] = deque()
        self._held: dict[str, None] = {}
        self._tapped: dict[str, None] = {}
        self.cursor = (0, 0)
        self._states: Changes[Value] = Changes(most_changes, most_kept)
        self._inputs: Changes[Input | None] = Changes(most_changes)
        self._faults: Changes[tuple[Diagnostic, ...]] = Changes(most_changes)
        self._drawn: tuple[Value, Input | None, DrawnShapes] | None = None
        self._lines: list[_Line] = []
        self._most_in_lines = most_kept // 4
        self.version = 0
        """Changes whenever frames that were made are no more, or others take their place."""
        self.last = 0
        """The latest frame that one can go to."""
        self.present = self._begin()

    # What there is

    @property
    def program(self) -> Program:
        return self.evaluator.program

    @property
    def number(self) -> int:
        return self.present.number

    @property
    def state(self) -> Value:
        return self.present.state

    @property
    def input(self) -> Input:
        """What the program was told in the frame that is shown; before the first, nothing."""
        return self.present.input or self._told(None)

    @property
    def first(self) -> int:
        return max(self._states.first, self._inputs.first, self._faults.first)

    @property
    def waiting(self) -> int:
        return len(self._clicks)

    @property
    def changes(self) -> list[int]:
        """The frames in which the state changed."""
        return self._states.after(-1)

    @property
    def last_change(self) -> int:
        return next(iter(self._states.after(self._states.latest - 1)), -1)

    def changes_after(self, frame: int) -> list[int]:
        return self._states.after(frame)

    @property
    def lines(self) -> tuple[FrameLine, ...]:
        first = self.first
        return tuple(each.told for each in self._lines if each.told.fork >= first)

    # What people do

    def click(self, x: int, y: int) -> None:
        """Click at (*x*, *y*): some later frame plays it, each click exactly once."""
        self._clicks.append((x, y))
        self.cursor = (x, y)

    def move(self, x: int, y: int) -> None:
        self.cursor = (x, y)

    def press(self, key: str) -> bool:
        """Press *key* and hold it; whether programs can see it and it is not one too many."""
        name = key_name(key)
        if name is None or len(self._held.keys() | self._tapped.keys() | {name}) > MOST_KEYS:
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
        self._held.clear()

    def pause(self) -> None:
        self.is_paused = True

    def resume(self) -> None:
        self.is_paused = False

    # Frames

    def frame(self) -> StageFrame:
        """Make the next frame, paused or not; frames after the one shown are put aside."""
        before = self.present
        told = self._told(self._clicks.popleft() if self._clicks else None)
        self._tapped.clear()
        said: list[Diagnostic] = []
        sounds = self._sounds(before.state, told, said)
        state = self._next(before.state, told, said)
        number = before.number + 1
        self._keep(number, state, told, tuple(said))
        return self._show(number, sounds=sounds)

    def go(self, number: int) -> StageFrame:
        """Show frame *number* again; clicks that wait are forgotten, since they meant another."""
        if not self.first <= number <= self.last:
            raise UsageError(f"there is no frame {number}; there are {self.first} to {self.last}")
        self._clicks.clear()
        return self._show(number)

    def restart(self) -> StageFrame:
        self._clicks.clear()
        return self._begin()

    def take_line(self, number: int) -> StageFrame:
        """Show the end of a line that was put aside; the frames in its place are put aside."""
        line = next((each for each in self._lines if each.told.number == number), None)
        if line is None or line.told.fork < self.first:
            raise UsageError("there is no such line any more")
        self._clicks.clear()
        self._lines.remove(line)
        self._put_aside(line.told.fork + 1)
        self._states.graft(line.states)
        self._inputs.graft(line.inputs)
        self._faults.graft(line.faults)
        self.last = line.told.last
        return self._show(self.last)

    def begin_in(self, state: Value) -> bool:
        """Begin in *state*, which another program may have led to; whether it is a state here.

        It is one if it can be drawn and leads on; otherwise nothing is changed.
        """
        if isinstance(state, Erroneous):
            return False
        told = self._told(None)
        asked = (self.evaluator.value(n, state=state, input=told) for n in ("newState", "images"))
        if any(isinstance(each, Erroneous) for each in asked):
            return False
        if size(state, most=self._most_parts) > self._most_parts or is_deep(state):
            return False
        self._keep(0, state, None, ())
        self._show(0)
        return True

    def _begin(self) -> StageFrame:
        state = self.evaluator.value("initialState")
        said: tuple[Diagnostic, ...] = ()
        if isinstance(state, Erroneous):
            said = (no_value("initialState", state),)
            self.is_paused = True
        self._keep(0, state, None, said)
        return self._show(0)

    def _told(self, click: tuple[int, int] | None) -> Input:
        x, y = self.cursor if click is None else click
        keys = Arranged(Text(key) for key in {**self._held, **self._tapped})
        return Input(clicked=click is not None, x=x, y=y, keys=keys)

    def _sounds(self, state: Value, told: Input, said: list[Diagnostic]) -> tuple[str, ...]:
        if not self._has_sounds:
            return (DING,) if told.clicked else ()
        value = self.evaluator.value("sounds", state=state, input=told)
        if isinstance(value, Erroneous):
            said.append(no_value("sounds", value))
            return ()
        if not isinstance(value, frozenset) or not all(isinstance(each, Text) for each in value):
            message = f"`sounds` is {plain(value)}, not a set of strings"
            label = definition_label("sounds", self.program)
            said.append(Diagnostic(codes.IMAGE_WITHOUT_SENSE, message, primary=label))
            return ()
        return tuple(each.value for each in value if isinstance(each, Text))[:MOST_SOUNDS]

    def _next(self, state: Value, told: Input, said: list[Diagnostic]) -> Value:
        """The state after this frame: the old one where there is no new one."""
        if isinstance(state, Erroneous):
            said.append(no_value("initialState", state))
            return state
        after = self.evaluator.value("newState", state=state, input=told)
        if isinstance(after, Erroneous):
            said.append(no_value("newState", after))
            self.is_paused = self.is_paused or after.is_limit
            return state
        if after is not state and size(after, most=self._most_parts) > self._most_parts:
            grown = f"it would have more than {self._most_parts:,} parts after this frame"
        elif after is not state and is_deep(after):
            grown = f"more than {MOST_LEVELS:,} sets and tuples would stand in each other"
        else:
            return after
        self.is_paused = True
        said.append(
            Diagnostic(
                codes.ENDLESS,
                f"the state grows: {grown}",
                primary=definition_label("newState", self.program),
                notes=("the frame was not made, and the game is paused",),
                help="let `newState` drop what is not needed any more",
            )
        )
        return state

    def _keep(
        self, number: int, state: Value, told: Input | None, said: tuple[Diagnostic, ...]
    ) -> None:
        if number <= self.last:
            self._put_aside(number)
        self._states.put(number, state, parts=size(state, most=self._most_parts))
        self._inputs.put(number, told)
        self._faults.put(number, said)
        self.last = number

    def _put_aside(self, number: int) -> None:
        """Take the frames from *number* on away; if the state changes in them, keep them."""
        self.version += 1
        # The first of all frames is not aside from anything.
        fork = max(number, 1) - 1
        states = self._states.cut(fork + 1)
        inputs, faults = self._inputs.cut(fork + 1), self._faults.cut(fork + 1)
        if not states or fork < self.first:
            return
        number = 1 + max((each.told.number for each in self._lines), default=0)
        told = FrameLine(number, fork, self.last, len(states))
        self._lines.append(_Line(told, states, inputs, faults))
        while len(self._lines) > MOST_LINES or (
            sum(each.parts for each in self._lines) > self._most_in_lines
        ):
            del self._lines[0]

    def _show(self, number: int, *, sounds: tuple[str, ...] = ()) -> StageFrame:
        state, told = self._states.at(number), self._inputs.at(number)
        drawn = self._picture(state, told)
        faults = (*self._faults.at(number), *drawn.faults)
        self.present = StageFrame(number, state, drawn.shapes, sounds, faults, told)
        return self.present

    def _picture(self, state: Value, told: Input | None) -> DrawnShapes:
        """What *state* looks like; the last answer is kept, since most frames change nothing."""
        if isinstance(state, Erroneous):
            return DrawnShapes(())
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
    absent = [name for name in NEEDED if program.definition(name) is None]
    if absent:
        listed = listing(f"`{name}`" for name in absent)
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


# What happened in each frame, in bounded memory

T = TypeVar("T")
Kept: TypeAlias = list[tuple[int, T, int]]
"""Changes: the frame of each, the value from there on, and its parts."""


@dataclass(frozen=True, slots=True)
class _Line:
    """Frames that were made, and in whose place one went on from the past."""

    told: FrameLine
    states: Kept[Value]
    inputs: Kept[Input | None]
    faults: Kept[tuple[Diagnostic, ...]]

    @property
    def parts(self) -> int:
        return sum(parts for _, _, parts in self.states) + len(self.inputs)


@dataclass(slots=True)
class Changes(Generic[T]):
    """A value for each frame from *first* on, of which only the changes are kept.

    When there are too many the oldest are forgotten, and with them the way back to the
    frames they belong to.
    """

    most: int = MOST_CHANGES
    most_parts: int = MOST_KEPT
    """How many parts all the values have together that are kept."""
    _changes: Kept[T] = field(default_factory=list)
    _sum: int = 0

    @property
    def first(self) -> int:
        return self._changes[0][0] if self._changes else 0

    def put(self, frame: int, value: T, *, parts: int = 1) -> None:
        """From *frame* on it is *value*, which has so many *parts*; what came later is dropped."""
        while self._changes and self._changes[-1][0] >= frame:
            self._sum -= self._changes.pop()[2]
        if not self._changes or self._changes[-1][1] != value:
            self._changes.append((frame, value, parts))
            self._sum += parts
            if len(self._changes) > self.most or self._sum > self.most_parts:
                self._forget()

    @property
    def latest(self) -> int:
        """The frame of the last change, or the first frame of all."""
        return self._changes[-1][0]

    def after(self, frame: int) -> list[int]:
        """The frames after *frame* in which it changed, as far as they are known."""
        at = max(1, bisect_right(self._changes, frame, key=itemgetter(0)))
        return [each for each, _, _ in self._changes[at:]]

    def cut(self, frame: int) -> Kept[T]:
        """Take away what changed from *frame* on."""
        at = bisect_left(self._changes, frame, key=itemgetter(0))
        gone = self._changes[at:]
        del self._changes[at:]
        self._sum -= sum(parts for _, _, parts in gone)
        return gone

    def graft(self, changes: Kept[T]) -> None:
        """Add what was taken away at the same place."""
        self._changes += changes
        self._sum += sum(parts for _, _, parts in changes)

    def at(self, frame: int) -> T:
        return self._changes[bisect_right(self._changes, frame, key=itemgetter(0)) - 1][1]

    def _forget(self) -> None:
        """Forget the oldest changes, many at once, since a list is slow at its front."""
        gone, left = 0, len(self._changes)
        while left - gone > max(1, self.most * 3 // 4) or (
            self._sum > self.most_parts * 3 // 4 and left - gone > 1
        ):
            self._sum -= self._changes[gone][2]
            gone += 1
        del self._changes[:gone]


# Keys

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
    name = _OTHER_NAMES.get(text.upper(), text.upper())
    is_key = name in NAMED_KEYS or (len(name) == 1 and name.isprintable())
    return name if is_key else None
