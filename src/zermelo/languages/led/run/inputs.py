"""What can be done to a program in a state: one input for each answer that it gives.

A frame without a click, a click in each region of the screen that the program tells
apart, and the keys that it asks for, alone, together and with a click. On a grid, only
the points of the grid are clicked, and nothing is claimed about those between them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce
from operator import or_
from typing import Any, Final, NamedTuple, TypeAlias

from zermelo.core.state import Move
from zermelo.core.values import Value, sort_key
from zermelo.languages.led import ir
from zermelo.languages.led.run import analysis
from zermelo.languages.led.run.built_ins import NAMED_KEYS, Input
from zermelo.languages.led.run.evaluator import ProgramEvaluator
from zermelo.languages.led.run.values import EMPTY, Arranged, Erroneous, Text

NEW_STATE: Final = "newState"

FRAME: Final = "frame"
CLICK: Final = "click"
KEY: Final = "key"
"""A key is held, or several, as ``LEFT+UP``."""
HOVER: Final = "hover"
"""The mouse is somewhere, and nothing is clicked or held."""
HOLD: Final = "hold"
"""A key is held while the mouse is somewhere; only where both matter."""
KEY_CLICK: Final = "keyclick"
"""A key is held in the frame of a click; only where both matter."""
KINDS: Final = (CLICK, FRAME, HOLD, HOVER, KEY, KEY_CLICK)

MOST_HELD: Final = 128
"""More sets of keys than this, clicks counted apart, are not told apart in a state."""
_SEEN_TO_BEGIN_ANEW: Final = 3
"""In so many states an input must have begun anew that is to be a control."""
_MOUSE: Final = frozenset({"mouseClicked", "mouseX", "mouseY"})

Place: TypeAlias = tuple[int, int]
Area: TypeAlias = Any
"""A set of points of the screen, as an array; what computes with arrays is imported late."""


class Mode(NamedTuple):
    """What is done in a frame, wherever the mouse is."""

    is_click: bool = False
    keys: Arranged = EMPTY

    @property
    def weight(self) -> int:
        """How many things are done at once."""
        return len(self.keys) + self.is_click

    def is_part_of(self, other: Mode) -> bool:
        return self.is_click <= other.is_click and self.keys <= other.keys

    def move(self, place: Place, *, is_placed: bool) -> Move:
        """The input as a move; the *place* of the mouse is told where it matters."""
        held = (Text(joined_keys(self.keys)),) if self.keys else ()
        if self.is_click:
            return Move(KEY_CLICK if held else CLICK, (*held, *place))
        if is_placed:
            return Move(HOLD if held else HOVER, (*held, *place))
        return Move(KEY if held else FRAME, held)


Controls: TypeAlias = Mapping[Mode, Area]
"""The inputs that begin anew and are no moves: in each mode, where the mouse is then."""


class TooManyKeys(Exception):
    """A program tells more keys held together apart than can be listed."""


@dataclass(frozen=True, slots=True)
class InputStep:
    """An input that has an effect, and what the program answers."""

    move: Move
    value: Value
    is_control: bool = False


@dataclass(slots=True)
class _PlacedAnswer:
    """An answer, with a place of the mouse where it is given."""

    value: Value
    place: Callable[[], Place]
    area: Callable[[], Area]
    """All places where it is given."""
    mask: int | None = None
    """Stands for the area as long as the version of the regions is the same."""


class _AskedKeys(Arranged):
    """Keys that are held, which notes those that a program asks for."""

    __slots__ = ("asked",)
    asked: set[Value]

    def __contains__(self, key: object) -> bool:
        if isinstance(key, Text):
            self.asked.add(key)
        return super().__contains__(key)


@dataclass(slots=True)
class _OpenMode:
    """A mode that is to be tried, and the keys that are known not to be held in it."""

    mode: Mode
    away: frozenset[Value] = frozenset()


@dataclass(slots=True)
class _Reached:
    """What inputs have led to so far in a state."""

    quiet: set[Value]
    """States that come about without an input, and the present one."""
    values: set[Value] = field(default_factory=set)


class Inputs:
    """Finds the inputs that a program tells apart."""

    def __init__(
        self,
        program: ir.Program,
        evaluator: ProgramEvaluator,
        *,
        grid: int | None = None,
        are_keys_together: bool = True,
        controls: Controls | None = None,
        first: Value | None = None,
    ) -> None:
        """Find inputs of *program*; with *controls*, which lead to the *first* state."""
        self._evaluator = evaluator
        self._grid = grid
        self._are_keys_together = are_keys_together
        self._controls = controls or {}
        self._first = first
        pieces = list(reached(program, NEW_STATE))
        used = {piece.name for piece in pieces if isinstance(piece, ir.Builtin)}
        self._is_each_asked_for = _asks_for_each(pieces)
        self.keys = _keys(pieces, has_others=not self._is_each_asked_for) if "keys" in used else ()
        self.has_mouse = bool(used & _MOUSE)
        self._regions: Any = None  # What computes with arrays is imported when it is used.
        self._modes: dict[Mode, Mode] = {}
        self._known: dict[Mode, Input] = {}
        self._gridded: set[Mode] = set()
        self._parts: dict[tuple[int | None, Mode, int | None], list[tuple[Place, bool]]] = {}
        self.work = 0
        """How many steps the program has taken so far, in all."""

    def steps(self, state: Value) -> Iterator[InputStep]:
        """The inputs that have an effect in *state*.

        ``regions.TooManyAnswers`` and ``TooManyKeys`` may be raised.
        """
        so_far = _Reached({state})
        for mode, answers in self._tried(state):
            is_placed = len(answers) > 1
            yield from self._step(mode, answers, so_far, is_placed=is_placed)
            if not mode.weight and not is_placed:
                so_far.quiet.add(answers[0].value)

    def placed(self, state: Value) -> Iterator[tuple[InputStep, Area | None]]:
        """The same, each click with all points where it has its effect; of the rest, ``None``."""
        so_far = _Reached({state})
        for mode, answers in self._tried(state):
            is_placed = len(answers) > 1
            for each in answers:
                for step in self._step(mode, [each], so_far, is_placed=is_placed):
                    yield step, each.area() if mode.is_click and not mode.keys else None
            if not mode.weight and not is_placed:
                so_far.quiet.add(answers[0].value)

    def answer(self, state: Value, move: Move) -> Value | None:
        """What the program answers to *move* in *state*; ``None`` if that is no input."""
        given = input_of(move)
        return None if given is None else self._asked(state, given)

    def returning(self, states: Sequence[Value], first: Value, moves: Iterable[Move]) -> Controls:
        """The inputs that lead to *first* from wherever they have an effect in *states*.

        Those *moves* led there. An input that leads there from one state and elsewhere from
        another, as one that takes a move back, is none of them.
        """
        modes = {Mode(given.clicked, given.keys) for each in moves if (given := input_of(each))}
        back: dict[Mode, Area] = {}
        onward: dict[Mode, Area] = {}
        known: dict[tuple[int, int], Area] = {}
        for state in states:
            for mode, answers in self._tried(state):
                if mode not in modes:
                    continue
                to_first = [each for each in answers if each.value == first != state]
                if to_first:
                    back[mode] = back.get(mode, 0) + self._area(to_first, known).astype("uint16")
                away = [each for each in answers if each.value not in (first, state)]
                if away:
                    onward[mode] = onward.get(mode, False) | self._area(away)
        found = {
            mode: (times >= _SEEN_TO_BEGIN_ANEW) & ~onward.get(mode, times < 0)
            for mode, times in back.items()
        }
        return {mode: area for mode, area in found.items() if area.any()}

    def _area(
        self, answers: list[_PlacedAnswer], known: dict[tuple[int, int], Area] | None = None
    ) -> Area:
        """All places where one of *answers* is given; what is *known* is not computed again."""
        masks = [each.mask for each in answers if each.mask is not None]
        if len(masks) < len(answers):
            return sum((each.area() for each in answers[1:]), answers[0].area())
        key = (self._regions.version, reduce(or_, masks))
        found = None if known is None else known.get(key)
        if found is None:
            found = self._regions.points(key[1])
            if known is not None:
                known[key] = found
        return found

    def _tried(self, state: Value) -> Iterator[tuple[Mode, list[_PlacedAnswer]]]:
        """All modes that the program tells apart in *state*, those with less at once first.

        A key that the program asked for in a mode may be held as well; a key that it did not
        ask for makes no difference. Each set of keys is tried once: of the keys asked for, the
        first that is held decides which way to go.
        """
        waiting = [_OpenMode(Mode())]
        if self.has_mouse:
            waiting.append(_OpenMode(Mode(is_click=True)))
        for tried, at in enumerate(waiting):
            if tried >= MOST_HELD:
                raise TooManyKeys
            mode = self._noting(at.mode)
            yield mode, self._answers(state, mode)
            away = at.away
            for key in self._asked_for(mode):
                if key in away or key in mode.keys.order:
                    continue
                keys = Arranged(sorted((*mode.keys, key), key=sort_key))
                if self._are_keys_together or len(keys) + mode.is_click == 1:
                    waiting.append(_OpenMode(Mode(mode.is_click, keys), away))
                away |= {key}

    def _noting(self, mode: Mode) -> Mode:
        """*mode* with keys that note which of them the program asks for."""
        found = self._modes.get(mode)
        if found is None:
            keys = _AskedKeys(mode.keys) if self._is_each_asked_for else mode.keys
            if isinstance(keys, _AskedKeys):
                keys.asked = set()
            found = self._modes[mode] = Mode(mode.is_click, keys)
        return found

    def _asked_for(self, mode: Mode) -> list[Text]:
        """The keys that matter in *mode*, in order.

        What is known from other states is not asked for again, so that these are the keys that
        were asked for in any state.
        """
        asked = mode.keys.asked if isinstance(mode.keys, _AskedKeys) else None
        return [key for key in map(Text, self.keys) if asked is None or key in asked]

    def _step(
        self, mode: Mode, answers: list[_PlacedAnswer], so_far: _Reached, *, is_placed: bool
    ) -> Iterator[InputStep]:
        area = self._control(mode)
        for each in answers:
            value = each.value
            is_known = value in so_far.quiet or (mode.weight > 1 and value in so_far.values)
            if is_known and not isinstance(value, Erroneous):
                continue
            places: Sequence[tuple[Place, bool]] = [(each.place(), False)]
            if area is not None and value == self._first:
                places = self._parted(mode, each, area)
            for place, is_control in places:
                if is_control and mode not in self._controls:
                    continue
                if not is_control:
                    so_far.values.add(value)
                yield InputStep(mode.move(place, is_placed=is_placed), value, is_control)

    def _control(self, mode: Mode) -> Area | None:
        """Where in *mode* the first state is reached by a control, with more held or without."""
        areas = [area for each, area in self._controls.items() if each.is_part_of(mode)]
        return sum(areas[1:], areas[0]) if areas else None

    def _parted(self, mode: Mode, answer: _PlacedAnswer, area: Area) -> list[tuple[Place, bool]]:
        """A place where *answer* is given by a control, and one where it is not, with that."""
        from zermelo.languages.led.run.regions import middle  # noqa: PLC0415 - needs arrays

        version = None if self._regions is None else self._regions.version
        key = (version, mode, answer.mask)
        found = None if answer.mask is None else self._parts.get(key)
        if found is None:
            whole = answer.area()
            parts = ((whole & area, True), (whole & ~area, False))
            found = [(middle(part), is_control) for part, is_control in parts if part.any()]
            self._parts[key] = found
        return found

    def _asked(self, state: Value, given: Input) -> Value:
        found = self._evaluator.value(NEW_STATE, state=state, input=given)
        self.work += self._evaluator.spent
        return found

    def _answers(self, state: Value, mode: Mode) -> list[_PlacedAnswer]:
        from zermelo.languages.led.run.regions import TooManyAnswers  # noqa: PLC0415 - needs arrays

        if self._grid is None:
            return self._in_regions(state, mode)
        # Where nothing is clicked, the place of the mouse mostly does not matter.
        if not mode.is_click and mode not in self._gridded:
            try:
                return self._in_regions(state, mode)
            except TooManyAnswers:
                self._gridded.add(mode)
        return self._on_grid(state, self._grid, mode)

    def _in_regions(self, state: Value, mode: Mode) -> list[_PlacedAnswer]:
        from zermelo.languages.led.run.regions import Regions  # noqa: PLC0415 - needs arrays

        if self._regions is None:
            self._regions = Regions()
        regions: Regions = self._regions

        def ask(x: Value, y: Value) -> Value:
            given = self._known.get(mode)
            if given is None or given.x is not x:
                given = Input(clicked=mode.is_click, x=x, y=y, keys=mode.keys)
                self._known[mode] = given
            return self._asked(state, given)

        self._evaluator.meter.remember = regions.remembered
        try:
            found: list[Any] = regions.answers(ask, name=NEW_STATE, mode=mode)
        finally:
            self._evaluator.meter.remember = None
        answers = [
            _PlacedAnswer(
                a.value, partial(regions.middle, a.mask), partial(regions.points, a.mask), a.mask
            )
            for a in found
        ]
        for answer in answers:
            if isinstance(answer.value, Erroneous) and not answer.value.is_limit:
                # What is said about a place that is known is said in numbers.
                x, y = answer.place()
                given = Input(clicked=mode.is_click, x=x, y=y, keys=mode.keys)
                answer.value = self._asked(state, given)
        return answers

    def _on_grid(self, state: Value, size: int, mode: Mode) -> list[_PlacedAnswer]:
        from zermelo.languages.led.run.regions import area_of  # noqa: PLC0415 - needs arrays

        found: dict[Value, list[Place]] = {}
        for x in range(size // 2, 1000, size):
            for y in range(max(1, size // 2), 801, size):
                given = Input(clicked=mode.is_click, x=x, y=y, keys=mode.keys)
                found.setdefault(self._asked(state, given), []).append((x, y))
        return [
            _PlacedAnswer(value, partial(_same, places[0]), partial(area_of, places))
            for value, places in found.items()
        ]


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
        case "key", (Text() as held,):
            return Input(keys=keys_in(held.value))
        case "hold", (Text() as held, int(x), int(y)):
            return Input(x=x, y=y, keys=keys_in(held.value))
        case "keyclick", (Text() as held, int(x), int(y)):
            return Input(clicked=True, x=x, y=y, keys=keys_in(held.value))
        case _:
            return None


def joined_keys(keys: Arranged) -> str:
    """Keys that are held at once, in one word.

    >>> joined_keys(Arranged([Text("LEFT"), Text("UP")]))
    'LEFT+UP'
    """
    return "+".join(key.value for key in keys if isinstance(key, Text))


def keys_in(text: str) -> Arranged:
    """The keys that ``joined_keys`` made one word of; plus may be one of them.

    >>> [key.value for key in keys_in("A++")], [key.value for key in keys_in("+")]
    (['A', '+'], ['+'])
    """
    return Arranged(map(Text, re.findall(r"(?:^|\+)(\+|[^+]+)", text)))


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


def _asks_for_each(pieces: list[analysis.Piece]) -> bool:
    """Whether a program asks for nothing but whether this or that key is held."""
    uses = sum(_is_keys(piece) for piece in pieces)
    asked = [p for p in pieces if isinstance(p, ir.BinaryOperation) and p.op is ir.Op.IN]
    return uses == sum(_is_keys(piece.right) for piece in asked)


def _is_keys(piece: analysis.Piece) -> bool:
    return isinstance(piece, ir.Builtin) and piece.name == "keys"


def _keys(pieces: list[analysis.Piece], *, has_others: bool) -> tuple[str, ...]:
    """The keys that are named among *pieces*, in order, and with *has_others* some other one."""
    texts = [
        piece.value.value
        for piece in pieces
        if isinstance(piece, ir.Literal) and isinstance(piece.value, Text)
    ]
    # Letters are held in upper case, so that nobody can hold an `a`.
    named = {t for t in texts if t in NAMED_KEYS or (len(t) == 1 and t == t.upper())}
    other = next(key for key in ("SPACE", *NAMED_KEYS, *_LETTERS) if key not in named)
    return tuple(sorted(named | {other} if has_others or not named else named))


_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
