"""The inputs that a program tells apart: regions of the screen, each with one answer.

The program is run with a mouse whose place is not known. Each time it asks where the
mouse is, the points are split if both answers are possible: the run goes on with one
part, and begins again later with the other. When a run is done, its answer depended only
on questions that have one answer on all points that are left, so on them it is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, Final

from zermelo.core.values import Atom, Value
from zermelo.languages.led.run.easel import Color, Image, Point
from zermelo.languages.led.run.screen import Mask, Screen, grown, middle
from zermelo.languages.led.run.symbolic import Points, Symbol, Symbols
from zermelo.languages.led.run.values import Arranged, Erroneous, Text, Truth, Undefined

MOST_ANSWERS: Final = 256
"""A question with more answers than this is not told apart point by point."""

_FEW_ANSWERS: Final = 32
_MOST_PARTS: Final = 20_000
_MOST_QUESTIONS: Final = 2_000
"""What is known of the screen is forgotten beyond this: the questions differ in each state."""


class TooManyAnswers(Exception):
    """A program tells more inputs apart than can be listed."""


@dataclass(slots=True)
class Answer:
    """A set of points and what the program answers in all of them."""

    mask: Mask
    value: Value | Undefined


@dataclass(slots=True)
class _Run:
    """The answers to one question, as far as they are found."""

    region: Mask
    pending: list[Mask]
    done: list[Answer]


class Regions:
    """Asks a program with a mouse whose place is not known."""

    def __init__(self, most: int = MOST_ANSWERS) -> None:
        self._most = most
        self._forget()

    def _forget(self) -> None:
        self._screen = Screen()
        self._symbols = Symbols(self._decide, self._place)
        self._questions: dict[Hashable, Mask] = {}
        self._partitions: dict[Hashable, dict[Hashable, list[Answer]]] = {}
        self._known: dict[Hashable, list[Answer]] = {}
        """The partitions of the present mode."""
        self._fleeting: list[Hashable] = []
        """Those of them that depend on the state."""
        self._asked: set[Hashable] = set()
        self._tames: dict[Hashable, set[str]] = {}
        self._tame: set[str] = set()
        """Definitions of which a call had a few answers everywhere, in the present mode."""
        self._middles: dict[Mask, tuple[int, int]] = {}
        self._runs: list[_Run] = []
        self._run = _Run(0, [], [])

    @property
    def x(self) -> Symbol:
        """How far the mouse is from the left edge."""
        return self._symbols.x

    @property
    def y(self) -> Symbol:
        """How far the mouse is from the lower edge."""
        return self._symbols.y

    def answers(
        self,
        ask: Callable[[Symbol, Symbol], Value],
        *,
        name: str = "",
        mode: Hashable = None,
    ) -> list[Answer]:
        """Every answer to a question, with the points where it is given.

        Calls of the definition *name*, which is asked for, are not remembered, and what
        is remembered of one *mode* is not used in another. Raises
        ``TooManyAnswers`` when there are too many answers to be listed.
        """
        if self._screen.parts > _MOST_PARTS or len(self._questions) > _MOST_QUESTIONS:
            self._forget()
        for key in self._fleeting:
            del self._known[key]
        self._fleeting.clear()
        self._asked.clear()
        self._known = self._partitions.setdefault(mode, {})
        self._known[name, ()] = []
        self._tame = self._tames.setdefault(mode, set())
        return self._found(lambda: settled(ask(self.x, self.y)))

    def remembered(
        self,
        name: str,
        arguments: tuple[Value, ...],
        on_state: bool,  # noqa: FBT001 - called very often
        ask: Callable[[], Value],
    ) -> Value:
        """The answer to a call that depends on the mouse, and with *on_state* on the state.

        It is asked everywhere once; after that the points are split by its answers. A
        call that depends on the state, too, is asked so when it comes a second time, or
        at once where that was cheap before, and its answers are forgotten with the state.
        """
        key = (name, arguments)
        known = self._known.get(key)
        if known is None:
            if on_state and name not in self._tame and key not in self._asked:
                self._asked.add(key)
                return ask()
            known = self._learned(name, key, ask)
            if on_state:
                self._fleeting.append(key)
        run = self._run
        region = run.region
        for part in known:
            inside = region & part.mask
            if inside:
                if inside != region:
                    run.pending.append(region ^ inside)
                    run.region = inside
                if type(part.value) is Undefined:
                    raise part.value
                return part.value  # type: ignore[return-value]  # the class was looked at
        return ask()

    def _learned(self, name: str, key: Hashable, ask: Callable[[], Value]) -> list[Answer]:
        try:
            known = self._found(ask)
        except TooManyAnswers:
            known = []
        self._known[key] = known
        if 1 < len(known) <= _FEW_ANSWERS:
            self._tame.add(name)
        elif len(known) != 1:
            self._tame.discard(name)
        return known

    def middle(self, mask: Mask) -> tuple[int, int]:
        """A point near the middle of *mask*."""
        if mask not in self._middles:
            self._middles[mask] = middle(self._screen.points(mask))
        return self._middles[mask]

    def points(self, mask: Mask) -> Points:
        """The points of *mask*."""
        return self._screen.points(mask)

    def _found(self, ask: Callable[[], Value]) -> list[Answer]:
        before = self._run
        run = self._run = _Run(0, [self._screen.everywhere], [])
        self._runs.append(run)
        try:
            while run.pending:
                run.region = run.pending.pop()
                value = _outcome(ask)
                run.done.append(Answer(run.region, value))
                if len(run.done) + len(run.pending) > self._most:
                    raise TooManyAnswers
        finally:
            self._runs.pop()
            self._run = before
        return _merged(run.done)

    def _decide(self, key: Hashable, points: Callable[[], Points]) -> bool:
        mask = self._questions.get(key)
        if mask is None:
            mask = self._learn(points())
            self._questions[key] = mask
        run = self._run
        inside = run.region & mask
        if inside and inside != run.region:
            run.pending.append(run.region ^ inside)
            run.region = inside
        return bool(inside)

    def _learn(self, points: Points) -> Mask:
        """*points* as a mask, after parts of the screen were split for it."""
        mask, splits = self._screen.take(points)
        if splits:
            self._questions = {k: grown(m, splits) for k, m in self._questions.items()}
            self._middles.clear()
            for run in self._runs:
                run.region = grown(run.region, splits)
                run.pending = [grown(each, splits) for each in run.pending]
            partitions = [p for mode in self._partitions.values() for p in mode.values()]
            for answers in (*partitions, *(run.done for run in self._runs)):
                for answer in answers:
                    answer.mask = grown(answer.mask, splits)
        return mask

    def _place(self) -> tuple[int, int]:
        return self._screen.place(self._run.region)


def _outcome(ask: Callable[[], Value]) -> Value | Undefined:
    try:
        return ask()
    except Undefined as undefined:
        return undefined


def _merged(answers: list[Answer]) -> list[Answer]:
    """*answers* with those that are the same made one, in the order in which they came."""
    found: dict[Value | Undefined, Answer] = {}
    rest: list[Answer] = []
    for answer in answers:
        value = answer.value
        if type(value) is not Truth and not isinstance(value, Undefined) and _has_symbols(value):
            rest.append(answer)
        elif value in found:
            found[answer.value].mask |= answer.mask
        else:
            found[answer.value] = answer
    return [*found.values(), *rest]


_PLAIN: Final = frozenset({int, Fraction, Atom, Truth, Text, Erroneous})


def _has_symbols(value: Value) -> bool:
    kind = type(value)
    if kind in _PLAIN:
        return False
    if isinstance(value, tuple | frozenset):
        for part in value:  # noqa: SIM110 - asked of every state, and a generator takes longer
            if type(part) not in _PLAIN and _has_symbols(part):
                return True
        return False
    if kind is Symbol:
        return True
    return isinstance(value, Point | Color | Image) and any(map(_has_symbols, _parts(value)))


def _parts(value: Any) -> list[Value]:  # noqa: ANN401 - of any class of the engine's values
    return [getattr(value, each.name) for each in fields(value)]


def settled(value: Value) -> Value:
    """*value* with the numbers themselves in place of those that depend on the mouse."""
    if not _has_symbols(value):
        return value
    match value:
        case Symbol():
            return value.pinned()
        case tuple():
            return tuple(map(settled, value))
        case frozenset():
            return Arranged(map(settled, value))
        case Point() | Color() | Image():
            make: Callable[..., Value] = type(value)
            return make(*map(settled, _parts(value)))
        case _:
            return value
