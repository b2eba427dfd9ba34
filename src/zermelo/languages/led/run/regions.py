"""The inputs that a program tells apart: regions of the screen, each with one answer.

The program is run with a mouse whose place is not known. Each time it asks where the
mouse is, the points are split if both answers are possible: the run goes on with one
part, and begins again later with the other.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo.core.values import Atom, TruthValue, Value
from zermelo.languages.led.run.built_ins import Color, Image, Point
from zermelo.languages.led.run.symbolic import (
    HEIGHT,
    TELLING_APART,
    WIDTH,
    Points,
    Symbol,
    Symbols,
)
from zermelo.languages.led.run.values import Arranged, Erroneous, Text, Undefined
from zermelo.text.budget import spend

Edge: TypeAlias = tuple[int, int, int, int]
"""A straight line from (x, y) to (x, y)."""

MOST_ANSWERS: Final = 256
"""A question with more answers than this is not told apart point by point."""

_FEW_ANSWERS: Final = 32
_MOST_PARTS: Final = 20_000
_MOST_QUESTIONS: Final = 2_000
"""What is known of the screen is forgotten beyond this: the questions differ in each state."""


_STEPS_TO_SPLIT: Final = 4_000
"""What it takes to look at every point of the screen once, and"""
_STEPS_TO_FIND: Final = 10_000
"""to find a piece that hangs together."""


class TooManyAnswers(Exception):
    """A program tells more inputs apart than can be listed."""


@dataclass(slots=True)
class RegionAnswer:
    """A set of points and what the program answers in all of them."""

    mask: Mask
    value: Value | Undefined


@dataclass(slots=True)
class _OpenQuestion:
    """The answers to one question, as far as they are found."""

    region: Mask
    pending: list[Mask]
    done: list[RegionAnswer]


class Regions:
    """Asks a program with a mouse whose place is not known."""

    def __init__(self, most: int = MOST_ANSWERS) -> None:
        self._most = most
        self.version = 0
        """Changes whenever a mask may stand for other points than before."""
        self._forget()

    def _forget(self) -> None:
        self.version += 1
        self._screen = Screen()
        self._symbols = Symbols(self._decide, lambda: self._screen.place(self._run.region))
        self._questions: dict[Hashable, Mask] = {}
        self._partitions: dict[Hashable, dict[Hashable, list[RegionAnswer]]] = {}
        self._known: dict[Hashable, list[RegionAnswer]] = {}
        self._fleeting: list[Hashable] = []
        """Those of them that depend on the state."""
        self._asked: set[Hashable] = set()
        self._tames: dict[Hashable, set[str]] = {}
        self._tame: set[str] = set()
        """Definitions of which a call had a few answers everywhere, in the present mode."""
        self._middles: dict[Mask, tuple[int, int]] = {}
        self._runs: list[_OpenQuestion] = []
        self._run = _OpenQuestion(0, [], [])

    @property
    def x(self) -> Symbol:
        return self._symbols.x

    @property
    def y(self) -> Symbol:
        return self._symbols.y

    def answers(
        self,
        ask: Callable[[Symbol, Symbol], Value],
        *,
        name: str = "",
        mode: Hashable = None,
    ) -> list[RegionAnswer]:
        """Every answer to a question, with the points where it is given.

        Calls of the definition *name*, which is asked for, are not remembered, and what
        is remembered of one *mode* is not used in another. May raise ``TooManyAnswers``.
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

    def _learned(self, name: str, key: Hashable, ask: Callable[[], Value]) -> list[RegionAnswer]:
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
        if mask not in self._middles:
            spend(_STEPS_TO_FIND, TELLING_APART)
            self._middles[mask] = middle(self._screen.points(mask))
        return self._middles[mask]

    def points(self, mask: Mask) -> Points:
        return self._screen.points(mask)

    def _found(self, ask: Callable[[], Value]) -> list[RegionAnswer]:
        before = self._run
        run = self._run = _OpenQuestion(0, [self._screen.everywhere], [])
        self._runs.append(run)
        try:
            while run.pending:
                run.region = run.pending.pop()
                value: Value | Undefined
                try:
                    value = ask()
                except Undefined as fault:
                    value = fault
                run.done.append(RegionAnswer(run.region, value))
                if len(run.done) + len(run.pending) > self._most:
                    raise TooManyAnswers
        finally:
            self._runs.pop()
            self._run = before
        return _merged_answers(run.done)

    def _decide(self, key: Hashable, points: Callable[[], Points]) -> bool:
        mask = self._questions.get(key)
        if mask is None:
            mask = self._questions[key] = self._learn(points())
        run = self._run
        inside = run.region & mask
        if inside and inside != run.region:
            run.pending.append(run.region ^ inside)
            run.region = inside
        return bool(inside)

    def _learn(self, points: Points) -> Mask:
        spend(_STEPS_TO_SPLIT, TELLING_APART)
        mask, splits = self._screen.take(points)
        if splits:
            self.version += 1
            spend(len(splits) * len(self._questions) // 2, TELLING_APART)
            self._questions = {k: _grown(m, splits) for k, m in self._questions.items()}
            self._middles.clear()
            for run in self._runs:
                run.region = _grown(run.region, splits)
                run.pending = [_grown(each, splits) for each in run.pending]
            partitions = [p for mode in self._partitions.values() for p in mode.values()]
            for answers in (*partitions, *(run.done for run in self._runs)):
                for answer in answers:
                    answer.mask = _grown(answer.mask, splits)
        return mask


def _merged_answers(answers: list[RegionAnswer]) -> list[RegionAnswer]:
    """*answers* with those that are the same made one, in the order in which they came."""
    found: dict[Value | Undefined, RegionAnswer] = {}
    rest: list[RegionAnswer] = []
    for answer in answers:
        value = answer.value
        if not isinstance(value, Undefined) and _has_symbols(value):
            rest.append(answer)
        elif value in found:
            found[value].mask |= answer.mask
        else:
            found[value] = answer
    return [*found.values(), *rest]


_PLAIN: Final = frozenset({int, Fraction, Atom, TruthValue, Text, Erroneous})
# Tuples of classes: a union of them would be made anew for each question.
_COMPOUND: Final = (tuple, frozenset)
_RECORDS: Final = (Point, Color, Image)


def _has_symbols(value: Value) -> bool:
    if type(value) in _PLAIN:
        return False
    waiting = [value]
    seen: set[int] = set()
    while waiting:
        at = waiting.pop()
        if isinstance(at, _COMPOUND):
            # A part may stand in many places.
            if id(at) in seen:
                continue
            seen.add(id(at))
            # Asked of every state: most of what stands in one is not looked at.
            waiting.extend([part for part in at if type(part) not in _PLAIN])
        elif type(at) is Symbol:
            return True
        elif isinstance(at, _RECORDS):
            waiting.extend(_parts(at))
    return False


def _parts(value: Any) -> list[Value]:  # noqa: ANN401 - of any class of the engine's values
    return [getattr(value, each.name) for each in fields(value)]


def settled(value: Value) -> Value:
    if not _has_symbols(value):
        return value
    match value:
        case Symbol():
            return value.concrete()
        case tuple():
            return tuple(map(settled, value))
        case frozenset():
            return Arranged(map(settled, value))
        case Point() | Color() | Image():
            make: Callable[..., Value] = type(value)
            return make(*map(settled, _parts(value)))
        case _:
            return value


# The points of the screen, in parts: points in one part were never told apart. A set of points
# that is a union of parts is a number with one bit for each of them. Splitting a part gives the
# new part a new bit; sets that had the old part must get it too.

Mask: TypeAlias = int
Splits: TypeAlias = Sequence[tuple[int, int]]

_MOST_RUNS: Final = 20_000
"""In a set with more pieces of rows than this, it is not asked which of them touch."""


class Screen:
    """Which points have been told apart."""

    def __init__(self) -> None:
        self._labels: npt.NDArray[np.int32] = np.zeros((HEIGHT, WIDTH), dtype=np.int32)
        self._sizes: npt.NDArray[np.int64] = np.array([WIDTH * HEIGHT], dtype=np.int64)
        self._firsts: list[int] = [0]

    @property
    def parts(self) -> int:
        return len(self._firsts)

    @property
    def everywhere(self) -> Mask:
        return (1 << self.parts) - 1

    def take(self, points: Points) -> tuple[Mask, Splits]:
        """*points* as a set of parts, and the parts that had to be split for it."""
        everywhere = np.broadcast_to(points, self._labels.shape)
        inner = self._labels[everywhere]
        counts = np.bincount(inner, minlength=self.parts)
        is_split = (counts > 0) & (counts < self._sizes)
        old = np.flatnonzero(is_split)
        if len(old):
            self._split(everywhere, inner, old, counts[old])
            counts = np.concatenate((np.where(is_split, 0, counts), counts[old]))
        splits = [(int(each), self.parts - len(old) + at) for at, each in enumerate(old)]
        bits = np.packbits(counts > 0, bitorder="little").tobytes()
        return int.from_bytes(bits, "little"), splits

    def _split(
        self,
        everywhere: Points,
        inner: npt.NDArray[np.int32],
        old: npt.NDArray[np.int64],
        counts: npt.NDArray[np.int64],
    ) -> None:
        """Make new parts of those points of the *old* ones that are *inner* ones."""
        new = np.arange(self.parts, dtype=np.int32)
        new[old] = np.arange(self.parts, self.parts + len(old), dtype=np.int32)
        self._labels[everywhere] = new[inner]
        self._sizes[old] -= counts
        self._sizes = np.concatenate((self._sizes, counts))
        flat = self._labels.ravel()
        self._firsts += [0] * len(old)
        for part in (*old.tolist(), *range(self.parts - len(old), self.parts)):
            if flat[self._firsts[part]] != part:
                self._firsts[part] = int(np.argmax(flat == part))

    def place(self, mask: Mask) -> tuple[int, int]:
        lowest = (mask & -mask).bit_length() - 1
        row, x = divmod(self._firsts[lowest], WIDTH)
        return x, row + 1

    def points(self, mask: Mask) -> Points:
        data = mask.to_bytes((self.parts + 7) // 8, "little")
        bits = np.unpackbits(np.frombuffer(data, dtype=np.uint8), bitorder="little")
        return np.asarray(bits[: self.parts].astype(np.bool_)[self._labels])


def _grown(mask: Mask, splits: Splits) -> Mask:
    """*mask* after parts were split: who had a part has what became of it."""
    for old, new in splits:
        if mask >> old & 1:
            mask |= 1 << new
    return mask


def area_of(places: Sequence[tuple[int, int]]) -> Points:
    """The set of these points (x, y)."""
    area = np.zeros((HEIGHT, WIDTH), dtype=np.bool_)
    for x, y in places:
        area[y - 1, x] = True
    return area


def edges(points: Points) -> tuple[Edge, ...]:
    """The border of *points*, in straight pieces from corner to corner.

    The point (x, y) lies between x and x + 1, and between y - 1 and y.

    >>> edges(area_of([(5, 1), (6, 1)]))
    ((5, 0, 7, 0), (5, 1, 7, 1), (5, 0, 5, 1), (7, 0, 7, 1))
    """
    padded = np.pad(np.broadcast_to(points, (HEIGHT, WIDTH)).astype(np.int8), 1)
    across = np.diff(padded, axis=0)[:, 1:-1] != 0
    along = np.diff(padded, axis=1)[1:-1, :].T != 0
    flat: list[Edge] = [(start, at, stop, at) for at, start, stop in _runs(across)]
    return (*flat, *((at, start, at, stop) for at, start, stop in _runs(along)))


def _runs(points: Points) -> list[tuple[int, int, int]]:
    """Each row with the pieces that hang together in it: where they start and stop."""
    steps = np.diff(np.pad(points.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    rows, starts = np.nonzero(steps == 1)
    _, stops = np.nonzero(steps == -1)
    return list(zip(rows.tolist(), starts.tolist(), stops.tolist(), strict=True))


def middle(points: Points) -> tuple[int, int]:
    """A point (x, y) near the middle of the largest connected piece of *points*."""
    piece = _largest_piece(np.broadcast_to(points, (HEIGHT, WIDTH)))
    ys, xs = np.nonzero(piece)
    twice_x, twice_y = int(xs.min()) + int(xs.max()), int(ys.min()) + int(ys.max())
    distance = (2 * xs - twice_x) ** 2 + (2 * ys - twice_y) ** 2
    nearest = np.flatnonzero(distance == distance.min())
    best = min(nearest.tolist(), key=lambda at: (int(xs[at]), int(ys[at])))
    return int(xs[best]), int(ys[best]) + 1


def _largest_piece(points: Points) -> Points:
    """The largest set of *points* that hang together, the lowest of several."""
    runs = _runs(points)
    if len(runs) > _MOST_RUNS:
        return points
    rows, starts, stops = ([run[at] for run in runs] for at in range(3))
    owner = _joined_runs(rows, starts, stops)
    sizes: dict[int, int] = {}
    for run, root in enumerate(owner):
        sizes[root] = sizes.get(root, 0) + stops[run] - starts[run]
    largest = max(sizes, key=lambda root: (sizes[root], -root))
    piece = np.zeros_like(points)
    for run, root in enumerate(owner):
        if root == largest:
            piece[rows[run], starts[run] : stops[run]] = True
    return piece


def _joined_runs(rows: Sequence[int], starts: Sequence[int], stops: Sequence[int]) -> list[int]:
    """For each run of points in a row the first run of the piece it belongs to."""
    parent = list(range(len(rows)))

    def root(run: int) -> int:
        while parent[run] != run:
            parent[run] = parent[parent[run]]
            run = parent[run]
        return run

    below = 0
    for run, row in enumerate(rows):
        while rows[below] < row - 1 or (rows[below] == row - 1 and stops[below] <= starts[run]):
            below += 1
        at = below
        while rows[at] == row - 1 and starts[at] < stops[run]:
            first, second = sorted((root(at), root(run)))
            parent[second] = first
            at += 1
    return [root(run) for run in range(len(rows))]
