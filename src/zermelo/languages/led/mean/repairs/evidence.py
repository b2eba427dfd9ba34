"""What speaks against a way to read a printed program, found by running it.

Answers other than the document shows, values that make no sense, click regions that nobody
can hit or that lie on each other, images off the window: what counts is how many there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from fractions import Fraction
from itertools import combinations, count, islice, product
from math import floor
from typing import Final, TypeAlias

from zermelo.core.values import Value
from zermelo.languages.led.ir import Program
from zermelo.languages.led.mean.repairs.click_regions import HEIGHT, WIDTH, RegionBox, regions
from zermelo.languages.led.mean.repairs.rewriting import NameUses, local_names, operands
from zermelo.languages.led.mean.sentences import names_in
from zermelo.languages.led.read import tree
from zermelo.languages.led.read.parser import expression
from zermelo.languages.led.read.tree import Definition, Expr, LiterateProgram, Sign
from zermelo.languages.led.run import built_ins as easel
from zermelo.languages.led.run.evaluator import ProgramEvaluator
from zermelo.languages.led.run.pretty import pp
from zermelo.languages.led.run.values import Erroneous
from zermelo.text.source import Source

STEPS: Final = 30_000
"""How long one question may take: a damaged formula may run without an end."""

MOST_ENDLESS: Final = 3
"""After so many programs without an end the others are not run."""

MOST_BOXES: Final = 100
"""How many click regions are looked at."""

_HIDDEN: Final = "theEvidence"
"""How the questions are called that are put to the program; no author's name ends so."""


class ObjectionKind(IntEnum):
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
class Objection:
    """Something that speaks against a reading."""

    kind: ObjectionKind
    words: str


class _Endless(Exception):
    """A question took longer than it may."""


class Evidence:
    """The questions that a document raises, whatever its brackets are."""

    def __init__(
        self,
        document: LiterateProgram,
        program_of: Callable[[LiterateProgram], Program | None],
        *,
        changing: Iterable[str] = (),
    ) -> None:
        """Look at what depends on the definitions *changing*, and at nothing else."""
        self._program_of = program_of
        self._names = (f"{_HIDDEN}{at}_" for at in count())
        self._endless = 0
        self.touched = _dependents(document, changing)
        self.tests = [
            (test, self._question(asked))
            for test in document.parts
            if isinstance(test, tree.TranscriptEntry)
            and (asked := _asked(test)) is not None
            and self.touched & _named(asked)
        ]
        self.regions = tuple(regions(document))
        self.given = self._domains(document)

    def _question(self, expr: Expr, parameters: tuple[str, ...] = ()) -> Definition:
        """A definition that is added to the program, so that its value can be asked for."""
        return Definition(next(self._names), parameters, (tree.Branch(expr),))

    def _domains(self, document: LiterateProgram) -> Mapping[Parameter, list[Definition]]:
        """For each parameter of a region the sets whose members it is given."""
        wanted = {region.definition.name for region in self.regions}
        known: dict[int, Definition] = {}
        result: dict[Parameter, list[Definition]] = {}
        for parameter, given in given_arguments(document).items():
            if parameter[0] not in wanted:
                continue
            for each in given.sets:
                if id(each) not in known:
                    known[id(each)] = self._question(each)
            result[parameter] = [known[id(each)] for each in given.sets]
            if given.values:
                result[parameter].append(self._question(tree.SetExpr(tuple(given.values))))
        return result

    def faults(self, document: LiterateProgram) -> tuple[Objection, ...]:
        """What speaks against *document*, which differs in its brackets only."""
        endless = (Objection(ObjectionKind.ENDLESS, "the program would not come to an end"),)
        if self._endless > MOST_ENDLESS:
            return endless
        try:
            return tuple(dict.fromkeys(self._run(document).faults()))
        except _Endless:
            self._endless += 1
            return endless

    def boxes(self, document: LiterateProgram) -> tuple[RegionBox, ...]:
        try:
            return tuple(self._run(document).boxes())
        except _Endless:
            return ()

    def _run(self, document: LiterateProgram) -> _ProgramRun:
        current = {each.definition.name: each.bounds for each in reversed([*regions(document)])}
        bounds: dict[str, Definition] = {}
        for region in self.regions:
            name = region.definition.name
            asked = tree.TupleExpr(current.get(name, region.bounds))
            bounds[name] = self._question(asked, region.definition.parameters)
        given = [each for questions in self.given.values() for each in questions]
        questions = [*(question for _, question in self.tests), *bounds.values(), *given]
        added = {each.name: each for each in questions}
        parts = (*document.parts, *added.values())
        program = self._program_of(LiterateProgram(parts, is_printed=True))
        return _ProgramRun(self, program, bounds)


def _asked(test: tree.TranscriptEntry) -> Expr | None:
    """What was typed; ``pp(e)`` prints the value of *e*."""
    asked = expression(Source("test", test.typed)).value
    if isinstance(asked, tree.CallExpr) and asked.name == "pp" and len(asked.arguments) == 1:
        return asked.arguments[0]
    return asked


def _dependents(document: LiterateProgram, changing: Iterable[str]) -> frozenset[str]:
    """The definitions *changing* and all that use them."""
    uses = NameUses(document).uses
    found = set(changing)
    open_ = list(found)
    while open_:
        new = [name for name in uses.get(open_.pop(), ()) if name not in found]
        found.update(new)
        open_ += new
    return frozenset(found)


def _named(expr: Expr) -> frozenset[str]:
    """The names in *expr*; those of the engine may end in an underscore."""
    found = (
        node.name for node in tree.walk(expr) if isinstance(node, tree.Identifier | tree.CallExpr)
    )
    return frozenset(each.removesuffix("_") for each in found)


class _ProgramRun:
    """A program that is asked the questions of *evidence*."""

    def __init__(
        self, evidence: Evidence, program: Program | None, bounds: Mapping[str, Definition]
    ) -> None:
        self.evidence = evidence
        self.program = program
        self.bounds = bounds
        self.evaluator = ProgramEvaluator(program or Program("", ()), steps=STEPS)

    def faults(self) -> Iterator[Objection]:
        if self.program is None:
            yield Objection(ObjectionKind.VALUE, "the program means nothing at all")
            return
        yield from self._answers()
        yield from self._values(self.program)
        seen = {"images", "newState", *(each.definition.name for each in self.evidence.regions)}
        if self.program.is_game and seen & self.evidence.touched:
            boxes = tuple(self.boxes())
            yield from _misplaced(boxes)
            yield from self._pictures(boxes)

    def _value(
        self,
        name: str,
        arguments: Sequence[Value] = (),
        *,
        state: Value | None = None,
        click: easel.Input | None = None,
    ) -> Value:
        value = self.evaluator.value(name, arguments, state=state, input=click)
        if isinstance(value, Erroneous) and value.is_limit:
            raise _Endless
        return value

    def _answers(self) -> Iterator[Objection]:
        for test, question in self.evidence.tests:
            found = pp(self._value(question.name))
            if found != test.answer:
                yield Objection(
                    ObjectionKind.ANSWER,
                    f"`{test.typed}` would be {found}, and the document shows {test.answer}",
                )

    def _values(self, program: Program) -> Iterator[Objection]:
        for definition in program.definitions:
            on = self.evaluator.dependence(definition.name)
            is_constant = not definition.parameters and not on.on_state and not on.on_input
            if not is_constant or definition.name not in self.evidence.touched:
                continue
            value = self._value(definition.name)
            if isinstance(value, Erroneous):
                yield Objection(
                    ObjectionKind.VALUE, f"`{definition.name}` would have no value: {value.reason}"
                )

    def boxes(self) -> Iterator[RegionBox]:
        """The click regions at all arguments that they are called with."""
        for region in self.evidence.regions:
            name = region.definition.name
            choices = [self._members((name, at)) for at in range(len(region.definition.parameters))]
            for arguments in islice(product(*choices), MOST_BOXES):
                value = self._value(self.bounds[name].name, arguments)
                if isinstance(value, tuple) and len(value) == 4:
                    yield RegionBox(name, arguments, value)

    def _members(self, parameter: Parameter) -> list[Value]:
        found: dict[Value, None] = {}
        for question in self.evidence.given.get(parameter, ()):
            value = self._value(question.name)
            if isinstance(value, frozenset):
                found.update(dict.fromkeys(value))
        return list(found)[:MOST_BOXES]

    def _pictures(self, boxes: Sequence[RegionBox]) -> Iterator[Objection]:
        start = self._value("initialState")
        if isinstance(start, Erroneous):
            return
        first = self._images(start)
        yield from _off_window(first)
        for box in boxes:
            middle = _middle(box)
            if middle is None or not box.arguments:
                continue
            click = easel.Input(clicked=True, x=middle[0], y=middle[1])
            after = self._value("newState", state=start, click=click)
            if isinstance(after, Erroneous) or after == start:
                continue
            new = [each for each in self._images(after) if each not in first]
            yield from _off_window(new)
            if new and not any(_lies_in(each, box) for each in new):
                yield Objection(
                    ObjectionKind.PLACE, f"a click on {_called(box)} would draw nothing there"
                )

    def _images(self, state: Value) -> list[Value]:
        value = self._value("images", state=state)
        return list(value) if isinstance(value, frozenset) else []


def _called(box: RegionBox) -> str:
    return f"`{box.name}({', '.join(pp(each) for each in box.arguments)})`"


def _numbers(box: RegionBox) -> tuple[Fraction, ...] | None:
    found = tuple(Fraction(each) for each in box.bounds if isinstance(each, int | Fraction))
    return found if len(found) == len(box.bounds) else None


def _fraction(value: Value) -> Fraction:
    return Fraction(value) if isinstance(value, int | Fraction) else Fraction(0)


def _misplaced(boxes: Sequence[RegionBox]) -> Iterator[Objection]:
    sound: list[tuple[RegionBox, tuple[Fraction, ...]]] = []
    for box in boxes:
        found = _numbers(box)
        if found is None:
            yield Objection(ObjectionKind.VALUE, f"{_called(box)} would have no bounds")
            continue
        left, right, bottom, top = found
        if not (_has_whole(left, right) and _has_whole(bottom, top)):
            yield Objection(ObjectionKind.PLACE, f"no click could hit {_called(box)}")
        elif left < 0 or bottom < 0 or right > WIDTH or top > HEIGHT:
            x, to_x, y, to_y = map(pp, box.bounds)
            yield Objection(
                ObjectionKind.PLACE,
                f"{_called(box)} would be x from {x} to {to_x} and y from "
                f"{y} to {to_y}, beyond the window of {WIDTH} by {HEIGHT}",
            )
        sound.append((box, found))
    for (one, mine), (two, yours) in combinations(sound, 2):
        across = max(mine[0], yours[0]) < min(mine[1], yours[1])
        if one.name == two.name and across and max(mine[2], yours[2]) < min(mine[3], yours[3]):
            yield Objection(
                ObjectionKind.PLACE, f"{_called(one)} and {_called(two)} would lie on each other"
            )


def _has_whole(low: Fraction, high: Fraction) -> bool:
    return floor(low) + 1 < high


def _middle(box: RegionBox) -> tuple[int, int] | None:
    """A whole point in the middle of *box*, if it has one on the window."""
    found = _numbers(box)
    if found is None:
        return None
    left, right, bottom, top = found
    x, y = int((left + right) / 2), int((bottom + top) / 2)
    is_inside = left < x < right and bottom < y < top
    return (x, y) if is_inside and 0 <= x < WIDTH and 0 <= y < HEIGHT else None


def _points(image: Value) -> tuple[easel.Point, ...]:
    match image:
        case easel.Segment():
            return (image.start, image.end)
        case easel.Circle() | easel.Caption() | easel.Graphic():
            return (image.center,)
        case easel.Triangle():
            return (image.first, image.second, image.third)
        case _:
            return ()


def _off_window(images: Sequence[Value]) -> Iterator[Objection]:
    for image in images:
        for point in _points(image):
            x, y = point.x, point.y
            if not isinstance(x, int) or not isinstance(y, int):
                where = "between two pixels"
            elif not (0 <= x <= WIDTH and 0 <= y <= HEIGHT):
                where = "off the window"
            else:
                continue
            yield Objection(
                ObjectionKind.PLACE, f"an image would be at ({pp(x)}, {pp(y)}), {where}"
            )


def _lies_in(image: Value, box: RegionBox) -> bool:
    found = _numbers(box)
    if found is None:
        return False
    left, right, bottom, top = found
    places = _points(image)
    return bool(places) and all(
        left <= _fraction(each.x) <= right and bottom <= _fraction(each.y) <= top for each in places
    )


# The values that parameters are given: a call ``f(c)`` below ``c in S`` gives the first parameter
# of *f* the members of *S*; one with a parameter of its own definition hands on what that is given.

Parameter: TypeAlias = tuple[str, int]
"""A definition's name and the number of one of its parameters, from 0."""


@dataclass(slots=True)
class GivenArguments:
    """Where the values of a parameter come from."""

    sets: list[Expr] = field(default_factory=list)
    """Sets whose members it is given."""
    values: list[Expr] = field(default_factory=list)
    """Values it is given as such."""
    others: list[Parameter] = field(default_factory=list)
    """Parameters that are handed on to it."""


def given_arguments(document: LiterateProgram) -> Mapping[Parameter, GivenArguments]:
    found: dict[Parameter, GivenArguments] = {}
    for definition in document.definitions:
        locals_ = local_names(definition)
        open_: list[tuple[Expr, Mapping[str, Expr]]]
        for expr in tree.expressions(definition):
            # From the outside in, with the sets that names range over.
            open_ = [(expr, {})]
            while open_:
                here, ranges = open_.pop()
                if isinstance(here, tree.CallExpr):
                    for at, argument in enumerate(here.arguments):
                        one = found.setdefault((here.name, at), GivenArguments())
                        _note(argument, definition, one, ranges)
                inner = {**ranges, **_ranges(here, locals_)}
                open_ += [(each, inner) for each in tree.children(here)]
    return {parameter: _resolved(parameter, found) for parameter in found}


def _note(
    argument: Expr, definition: Definition, one: GivenArguments, ranges: Mapping[str, Expr]
) -> None:
    if isinstance(argument, tree.Numeral | tree.AtomName | tree.StringLiteral):
        one.values.append(argument)
    elif isinstance(argument, tree.Identifier) and argument.name in ranges:
        one.sets.append(ranges[argument.name])
    elif isinstance(argument, tree.Identifier) and argument.name in definition.parameters:
        one.others.append((definition.name, definition.parameters.index(argument.name)))


def _ranges(expr: Expr, locals_: frozenset[str]) -> dict[str, Expr]:
    """The names that *expr* binds to the members of a set that is the same everywhere."""
    pairs: list[tuple[str, Expr]] = []
    match expr:
        case tree.QuantifiedExpr():
            pairs = [(name, expr.domain) for name in expr.names]
        case tree.SetBuilder() | tree.BigExpr():
            pairs = [
                (part.left.name, part.right)
                for part in operands(expr.condition, Sign.AND)
                if isinstance(part, tree.BinaryExpr)
                and part.sign is Sign.IN
                and isinstance(part.left, tree.Identifier)
            ]
        case _:
            pass
    return {name: domain for name, domain in pairs if not names_in(domain) & locals_}


def _resolved(parameter: Parameter, found: Mapping[Parameter, GivenArguments]) -> GivenArguments:
    """What *parameter* is given, through all that hand it on."""
    result = GivenArguments()
    seen = {parameter}
    open_ = [parameter]
    while open_:
        one = found.get(open_.pop())
        if one is None:
            continue
        result.sets += one.sets
        result.values += one.values
        new = [each for each in one.others if each not in seen]
        seen.update(new)
        open_ += new
    return result
