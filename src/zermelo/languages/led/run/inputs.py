"""What can be done to a program in a state: one input for each answer that it gives.

A frame without a click, a click in each region of the screen that the program tells
apart, and each key that it asks for, one at a time. On a grid, only the points of the
grid are clicked, and nothing is claimed about those between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

from zermelo.core.state import Move
from zermelo.core.values import Value
from zermelo.languages.led import ir
from zermelo.languages.led.run import analysis
from zermelo.languages.led.run.built_ins import NAMED_KEYS, Input
from zermelo.languages.led.run.evaluator import ProgramEvaluator
from zermelo.languages.led.run.values import EMPTY, Arranged, Erroneous, Text

NEW_STATE: Final = "newState"

FRAME: Final = "frame"
CLICK: Final = "click"
KEY: Final = "key"
HOVER: Final = "hover"
"""The mouse is somewhere, and nothing is clicked or held."""
HOLD: Final = "hold"
"""A key is held while the mouse is somewhere; only where both matter."""
KINDS: Final = (CLICK, FRAME, HOLD, HOVER, KEY)


_MOUSE: Final = frozenset({"mouseClicked", "mouseX", "mouseY"})

Place: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class InputStep:
    """An input that has an effect, and what the program answers."""

    move: Move
    value: Value


@dataclass(slots=True)
class _PlacedAnswer:
    """An answer, with a place of the mouse where it is given."""

    value: Value
    place: Callable[[], Place]


class Inputs:
    """Finds the inputs that a program tells apart."""

    def __init__(
        self, program: ir.Program, evaluator: ProgramEvaluator, *, grid: int | None = None
    ) -> None:
        self._evaluator = evaluator
        self._grid = grid
        pieces = list(reached(program, NEW_STATE))
        used = {piece.name for piece in pieces if isinstance(piece, ir.Builtin)}
        self.keys = _keys(pieces) if "keys" in used else ()
        self.has_mouse = bool(used & _MOUSE)
        self._regions: Any = None  # What computes with arrays is imported when it is used.
        self._known: dict[tuple[bool, Arranged], Input] = {}
        self._gridded: set[Arranged] = set()
        self.work = 0
        """How many steps the program has taken so far, in all."""

    def steps(self, state: Value) -> Iterator[InputStep]:
        """The inputs that have an effect in *state*; ``regions.TooManyAnswers`` may be raised."""
        quiet = {state}
        still = self._answers(state, clicked=False, keys=EMPTY)
        if len(still) == 1:
            yield from self._step(still, quiet, lambda _: Move(FRAME))
            quiet.add(still[0].value)
        else:
            yield from self._step(still, quiet, partial(Move, HOVER))
        for name in self.keys:
            key = Text(name)
            held = self._answers(state, clicked=False, keys=Arranged([key]))
            if len(held) == 1:
                yield from self._step(held, quiet, lambda _: Move(KEY, (key,)))  # noqa: B023 - used at once
            else:
                yield from self._step(held, quiet, lambda at: Move(HOLD, (key, *at)))  # noqa: B023 - used at once
        if self.has_mouse:
            clicked = self._answers(state, clicked=True, keys=EMPTY)
            yield from self._step(clicked, quiet, partial(Move, CLICK))

    def answer(self, state: Value, move: Move) -> Value | None:
        """What the program answers to *move* in *state*; ``None`` if that is no input."""
        given = input_of(move)
        return None if given is None else self._asked(state, given)

    def _step(
        self, answers: list[_PlacedAnswer], quiet: set[Value], move: Callable[[Place], Move]
    ) -> Iterator[InputStep]:
        for each in answers:
            if isinstance(each.value, Erroneous) or each.value not in quiet:
                yield InputStep(move(each.place()), each.value)

    def _asked(self, state: Value, given: Input) -> Value:
        found = self._evaluator.value(NEW_STATE, state=state, input=given)
        self.work += self._evaluator.spent
        return found

    def _answers(self, state: Value, *, clicked: bool, keys: Arranged) -> list[_PlacedAnswer]:
        from zermelo.languages.led.run.regions import TooManyAnswers  # noqa: PLC0415 - needs arrays

        if self._grid is None:
            return self._in_regions(state, clicked=clicked, keys=keys)
        # Where nothing is clicked, the place of the mouse mostly does not matter.
        if not clicked and keys not in self._gridded:
            try:
                return self._in_regions(state, clicked=False, keys=keys)
            except TooManyAnswers:
                self._gridded.add(keys)
        return self._on_grid(state, self._grid, clicked=clicked, keys=keys)

    def _in_regions(self, state: Value, *, clicked: bool, keys: Arranged) -> list[_PlacedAnswer]:
        from zermelo.languages.led.run.regions import Regions  # noqa: PLC0415 - needs arrays

        if self._regions is None:
            self._regions = Regions()
        regions: Regions = self._regions

        def ask(x: Value, y: Value) -> Value:
            given = self._known.get((clicked, keys))
            if given is None or given.x is not x:
                given = Input(clicked=clicked, x=x, y=y, keys=keys)
                self._known[clicked, keys] = given
            return self._asked(state, given)

        self._evaluator.meter.remember = regions.remembered
        try:
            found: list[Any] = regions.answers(ask, name=NEW_STATE, mode=(clicked, keys))
        finally:
            self._evaluator.meter.remember = None
        answers = [_PlacedAnswer(a.value, partial(regions.middle, a.mask)) for a in found]
        for answer in answers:
            if isinstance(answer.value, Erroneous) and not answer.value.is_limit:
                # What is said about a place that is known is said in numbers.
                x, y = answer.place()
                given = Input(clicked=clicked, x=x, y=y, keys=keys)
                answer.value = self._asked(state, given)
        return answers

    def _on_grid(
        self, state: Value, size: int, *, clicked: bool, keys: Arranged
    ) -> list[_PlacedAnswer]:
        found: dict[Value, Place] = {}
        for x in range(size // 2, 1000, size):
            for y in range(max(1, size // 2), 801, size):
                value = self._asked(state, Input(clicked=clicked, x=x, y=y, keys=keys))
                found.setdefault(value, (x, y))
        return [_PlacedAnswer(value, partial(_same, place)) for value, place in found.items()]


def _same(place: Place) -> Place:
    return place


def input_of(move: Move) -> Input | None:
    match move.name, move.arguments:
        case "frame", ():
            return Input()
        case "click", (int(x), int(y)):
            return Input(clicked=True, x=x, y=y)
        case "hover", (int(x), int(y)):
            return Input(x=x, y=y)
        case "key", (Text() as key,):
            return Input(keys=Arranged([key]))
        case "hold", (Text() as key, int(x), int(y)):
            return Input(x=x, y=y, keys=Arranged([key]))
        case _:
            return None


def reached(program: ir.Program, name: str) -> Iterator[analysis.Piece]:
    """Every piece of what the definition *name* may ask for."""
    waiting, seen = [name], {name}
    while waiting:
        definition = program.definition(waiting.pop())
        for piece in () if definition is None else analysis.pieces(definition):
            yield piece
            if isinstance(piece, ir.Global) and piece.name not in seen:
                seen.add(piece.name)
                waiting.append(piece.name)


def _keys(pieces: list[analysis.Piece]) -> tuple[str, ...]:
    """The keys that are named among *pieces*, in order; some key if there are none."""
    texts = [
        piece.value.value
        for piece in pieces
        if isinstance(piece, ir.Literal) and isinstance(piece.value, Text)
    ]
    # Letters are held in upper case, so that nobody can hold an `a`.
    named = [t for t in texts if t in NAMED_KEYS or (len(t) == 1 and t == t.upper())]
    return tuple(sorted(set(named))) or ("SPACE",)
