"""What speaks against a way to read a printed program.

The program is run: the answers that the document shows, values that make no sense, click
regions that nobody can hit or that lie on each other, images off the window. What counts
is how many such faults a reading has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from fractions import Fraction
from itertools import combinations, product
from math import floor
from typing import Final

from zermelo.core.values import Value
from zermelo.languages.led.ir import Program
from zermelo.languages.led.mean.repairs import domains
from zermelo.languages.led.mean.repairs.names import Names
from zermelo.languages.led.mean.repairs.rebuild import walk
from zermelo.languages.led.mean.repairs.regions import HEIGHT, WIDTH, Box, Region, regions
from zermelo.languages.led.read import tree
from zermelo.languages.led.read.parser import expression
from zermelo.languages.led.read.tree import Branch, Definition, Document, Expr
from zermelo.languages.led.run.easel import (
    Caption,
    Circle,
    Graphic,
    Input,
    Point,
    Segment,
    Triangle,
)
from zermelo.languages.led.run.evaluator import Evaluator
from zermelo.languages.led.run.pretty import pp
from zermelo.languages.led.run.values import Erroneous
from zermelo.text.source import Source

STEPS: Final = 10_000
"""How long one question may take: a damaged formula may run without an end."""

MOST_ENDLESS: Final = 3
"""After so many programs without an end the others are not run."""

MOST_BOXES: Final = 100
"""How many click regions are looked at."""

_HIDDEN: Final = "theEvidence"
"""How the questions are called that are put to the program; no author's name ends so."""


class Kind(IntEnum):
    """What a fault is about, the weightiest first."""

    ENDLESS = 0
    """The program does not come to an end, so that nothing else is known of it."""
    ANSWER = 1
    """An answer that the document shows is another one."""
    VALUE = 2
    """A constant has no value."""
    PLACE = 3
    """Something lies where it cannot be meant."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that speaks against a reading."""

    kind: Kind
    words: str


@dataclass(slots=True)
class _Question:
    """A definition that is added to the program, so that its value can be asked for."""

    name: str
    expr: Expr
    parameters: tuple[str, ...] = ()

    def definition(self) -> Definition:
        return Definition(self.name, self.parameters, (Branch(self.expr),))


class _Endless(Exception):
    """A question took longer than it may."""


class Evidence:
    """The questions that a document raises, whatever its brackets are."""

    def __init__(
        self,
        document: Document,
        program_of: Callable[[Document], Program | None],
        *,
        changing: Iterable[str] = (),
    ) -> None:
        """Look at what depends on the definitions *changing*, and at nothing else."""
        self._program_of = program_of
        self._names = iter(f"{_HIDDEN}{at}_" for at in range(1_000_000))
        self._touched = _dependents(document, changing)
        self._tests = [
            (test, question)
            for test in document.parts
            if isinstance(test, tree.Test)
            and (question := self._asked(test)) is not None
            and self._touched & _named(question.expr)
        ]
        self._endless = 0
        self._regions = tuple(regions(document))
        self._sets: dict[int, _Question] = {}
        self._given = self._domains(document)

    def _question(self, expr: Expr, parameters: tuple[str, ...] = ()) -> _Question:
        return _Question(next(self._names), expr, parameters)

    def _asked(self, test: tree.Test) -> _Question | None:
        """What was typed, as a definition; ``pp(e)`` prints the value of *e*."""
        read = expression(Source("test", test.typed))
        if read.value is None:
            return None
        asked = read.value
        if isinstance(asked, tree.Call) and asked.name == "pp" and len(asked.arguments) == 1:
            asked = asked.arguments[0]
        return self._question(asked)

    def _domains(self, document: Document) -> Mapping[domains.Parameter, list[_Question]]:
        wanted = {region.definition.name for region in self._regions}
        result: dict[domains.Parameter, list[_Question]] = {}
        for parameter, given in domains.given(document).items():
            if parameter[0] not in wanted:
                continue
            questions = [self._set(each) for each in given.sets]
            if given.values:
                questions.append(self._question(tree.SetOf(tuple(given.values))))
            result[parameter] = questions
        return result

    def _set(self, expr: Expr) -> _Question:
        if id(expr) not in self._sets:
            self._sets[id(expr)] = self._question(expr)
        return self._sets[id(expr)]

    def faults(self, document: Document) -> tuple[Fault, ...]:
        """What speaks against *document*, which differs in its brackets only."""
        endless = (Fault(Kind.ENDLESS, "the program would not come to an end"),)
        if self._endless > MOST_ENDLESS:
            return endless
        try:
            return tuple(dict.fromkeys(self._run(document).faults()))
        except _Endless:
            self._endless += 1
            return endless

    def boxes(self, document: Document) -> tuple[Box, ...]:
        """The click regions of *document*."""
        try:
            return tuple(self._run(document).boxes())
        except _Endless:
            return ()

    def _run(self, document: Document) -> _Run:
        bounds = {
            region.definition.name: self._question(
                tree.TupleOf(_current(region, document)), region.definition.parameters
            )
            for region in self._regions
        }
        given = [each for questions in self._given.values() for each in questions]
        questions = [*(question for _, question in self._tests), *bounds.values(), *given]
        added = {each.name: each.definition() for each in questions}
        parts = (*document.parts, *added.values())
        program = self._program_of(Document(parts, is_printed=True))
        return _Run(program, tuple(self._tests), self._regions, bounds, self._given, self._touched)


def _dependents(document: Document, changing: Iterable[str]) -> frozenset[str]:
    """The definitions *changing* and all that use them."""
    uses = Names(document).uses
    found = set(changing)
    open_ = list(found)
    while open_:
        new = [name for name in uses.get(open_.pop(), ()) if name not in found]
        found.update(new)
        open_ += new
    return frozenset(found)


def _named(expr: Expr) -> frozenset[str]:
    """The names in *expr*; those of the engine may end in an underscore."""
    found = (node.name for node in walk(expr) if isinstance(node, tree.Name | tree.Call))
    return frozenset(each.removesuffix("_") for each in found)


def _current(region: Region, document: Document) -> tuple[Expr, ...]:
    """The bounds of *region* as they stand in *document*."""
    for each in regions(document):
        if each.definition.name == region.definition.name:
            return each.bounds
    return region.bounds


@dataclass(slots=True)
class _Run:
    """A program that is asked all questions."""

    program: Program | None
    tests: Sequence[tuple[tree.Test, _Question]]
    regions: Sequence[Region]
    bounds: Mapping[str, _Question]
    given: Mapping[domains.Parameter, list[_Question]]
    touched: frozenset[str]
    evaluator: Evaluator = field(init=False)

    def __post_init__(self) -> None:
        program = self.program or Program("", ())
        self.evaluator = Evaluator(program, steps=STEPS)

    def faults(self) -> Iterator[Fault]:
        """Everything that speaks against the program."""
        if self.program is None:
            yield Fault(Kind.VALUE, "the program means nothing at all")
            return
        yield from self._answers()
        yield from self._values()
        seen = {"images", "newState", *(each.definition.name for each in self.regions)}
        if self.program.is_game and seen & self.touched:
            boxes = tuple(self.boxes())
            yield from _misplaced(boxes)
            yield from self._pictures(boxes)

    def _value(
        self,
        name: str,
        arguments: Sequence[Value] = (),
        *,
        state: Value | None = None,
        click: Input | None = None,
    ) -> Value:
        value = self.evaluator.value(name, arguments, state=state, input=click)
        if isinstance(value, Erroneous) and value.is_limit:
            raise _Endless
        return value

    def _answers(self) -> Iterator[Fault]:
        for test, question in self.tests:
            found = pp(self._value(question.name))
            if found != test.answer:
                yield Fault(
                    Kind.ANSWER,
                    f"`{test.typed}` would be {found}, and the document shows {test.answer}",
                )

    def _values(self) -> Iterator[Fault]:
        assert self.program is not None
        for definition in self.program.definitions:
            on = self.evaluator.dependence(definition.name)
            is_constant = not definition.parameters and not on.on_state and not on.on_input
            if not is_constant or definition.name not in self.touched:
                continue
            value = self._value(definition.name)
            if isinstance(value, Erroneous):
                yield Fault(Kind.VALUE, f"`{definition.name}` would have no value: {value.reason}")

    def boxes(self) -> Iterator[Box]:
        """The click regions at all arguments that they are called with."""
        for region in self.regions:
            name = region.definition.name
            choices = [self._members((name, at)) for at in range(len(region.definition.parameters))]
            for count, arguments in enumerate(product(*choices)):
                if count >= MOST_BOXES:
                    break
                value = self._value(self.bounds[name].name, arguments)
                if isinstance(value, tuple) and len(value) == 4:
                    yield Box(name, arguments, *value)

    def _members(self, parameter: domains.Parameter) -> list[Value]:
        """The values that *parameter* is given."""
        found: dict[Value, None] = {}
        for question in self.given.get(parameter, ()):
            value = self._value(question.name)
            if isinstance(value, frozenset):
                found.update(dict.fromkeys(value))
        return list(found)[:MOST_BOXES]

    def _pictures(self, boxes: Sequence[Box]) -> Iterator[Fault]:
        start = self._value("initialState")
        if isinstance(start, Erroneous):
            return
        first = self._images(start)
        yield from _off_window(first)
        for box in boxes:
            middle = _middle(box)
            if middle is None or not box.arguments:
                continue
            click = Input(clicked=True, x=middle[0], y=middle[1])
            after = self._value("newState", state=start, click=click)
            if isinstance(after, Erroneous) or after == start:
                continue
            new = [each for each in self._images(after) if each not in first]
            yield from _off_window(new)
            if new and not any(_lies_in(each, box) for each in new):
                yield Fault(Kind.PLACE, f"a click on {_called(box)} would draw nothing there")

    def _images(self, state: Value) -> list[Value]:
        value = self._value("images", state=state)
        return list(value) if isinstance(value, frozenset) else []


def _called(box: Box) -> str:
    return f"`{box.name}({', '.join(pp(each) for each in box.arguments)})`"


def _numbers(box: Box) -> tuple[Fraction, Fraction, Fraction, Fraction] | None:
    left, right, bottom, top = box.left, box.right, box.bottom, box.top
    if not all(isinstance(each, int | Fraction) for each in (left, right, bottom, top)):
        return None
    return (_fraction(left), _fraction(right), _fraction(bottom), _fraction(top))


def _fraction(value: Value) -> Fraction:
    return Fraction(value) if isinstance(value, int | Fraction) else Fraction(0)


def _misplaced(boxes: Sequence[Box]) -> Iterator[Fault]:
    """Regions that are empty, off the window, or on each other."""
    sound: list[tuple[Box, tuple[Fraction, Fraction, Fraction, Fraction]]] = []
    for box in boxes:
        found = _numbers(box)
        if found is None:
            yield Fault(Kind.VALUE, f"{_called(box)} would have no bounds")
            continue
        left, right, bottom, top = found
        if not (_has_whole(left, right) and _has_whole(bottom, top)):
            yield Fault(Kind.PLACE, f"no click could hit {_called(box)}")
        elif left < 0 or bottom < 0 or right > WIDTH or top > HEIGHT:
            yield Fault(
                Kind.PLACE,
                f"{_called(box)} would be x from {pp(box.left)} to {pp(box.right)} and y from "
                f"{pp(box.bottom)} to {pp(box.top)}, beyond the window of {WIDTH} by {HEIGHT}",
            )
        sound.append((box, found))
    for (one, mine), (two, yours) in combinations(sound, 2):
        if one.name == two.name and _overlap(mine, yours):
            yield Fault(Kind.PLACE, f"{_called(one)} and {_called(two)} would lie on each other")


def _has_whole(low: Fraction, high: Fraction) -> bool:
    """Whether a whole number lies between *low* and *high*."""
    return floor(low) + 1 < high


def _overlap(
    mine: tuple[Fraction, Fraction, Fraction, Fraction],
    yours: tuple[Fraction, Fraction, Fraction, Fraction],
) -> bool:
    across = max(mine[0], yours[0]) < min(mine[1], yours[1])
    return across and max(mine[2], yours[2]) < min(mine[3], yours[3])


def _middle(box: Box) -> tuple[int, int] | None:
    """A whole point in the middle of *box*, if it has one on the window."""
    found = _numbers(box)
    if found is None:
        return None
    left, right, bottom, top = found
    x, y = int((left + right) / 2), int((bottom + top) / 2)
    is_inside = left < x < right and bottom < y < top
    return (x, y) if is_inside and 0 <= x < WIDTH and 0 <= y < HEIGHT else None


def points(image: Value) -> tuple[Point, ...]:
    """The points of an image."""
    match image:
        case Segment():
            return (image.start, image.end)
        case Circle() | Caption() | Graphic():
            return (image.center,)
        case Triangle():
            return (image.first, image.second, image.third)
        case _:
            return ()


def _off_window(images: Sequence[Value]) -> Iterator[Fault]:
    for image in images:
        for point in points(image):
            if not all(isinstance(each, int) for each in (point.x, point.y)):
                yield Fault(
                    Kind.PLACE,
                    f"an image would be at ({pp(point.x)}, {pp(point.y)}), between two pixels",
                )
            elif not _is_on_window(point):
                yield Fault(
                    Kind.PLACE,
                    f"an image would be at ({pp(point.x)}, {pp(point.y)}), off the window",
                )


def _is_on_window(point: Point) -> bool:
    return 0 <= _fraction(point.x) <= WIDTH and 0 <= _fraction(point.y) <= HEIGHT


def _lies_in(image: Value, box: Box) -> bool:
    found = _numbers(box)
    if found is None:
        return False
    left, right, bottom, top = found
    places = points(image)
    return bool(places) and all(
        left <= _fraction(each.x) <= right and bottom <= _fraction(each.y) <= top for each in places
    )
