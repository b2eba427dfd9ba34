"""What the Easel engine gives an LED program: points, colours, images, and the input.

Constructors check only that their arguments are of the right kinds; whether an image
can be drawn (whole coordinates, a colour within 0..255) is a matter of drawing it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Final, TypeAlias

from zermelo.core.values import Other, SortKey, Value, number, sort_key
from zermelo.languages.led.run.pretty import plain, pp, steps
from zermelo.languages.led.run.values import EMPTY, Arranged, Symbolic, Text, Undefined

NAMED_KEYS: Final = ("LEFT", "RIGHT", "UP", "DOWN", "SPACE", "ENTER", "ESCAPE")


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """What a program is told in a frame."""

    clicked: bool = False
    x: Value = 0
    """A whole number, or a ``Symbolic`` one, as *y* is then."""
    y: Value = 0
    keys: Arranged = EMPTY


class _Record(Other):
    """A value of the engine, in the order of its fields."""

    __slots__ = ()
    __match_args__: tuple[str, ...]

    def sort_key(self) -> SortKey:
        return tuple(sort_key(getattr(self, name)) for name in self.__match_args__)


@dataclass(frozen=True, slots=True)
class Point(_Record):
    """A place in the window; the origin is its lower left corner."""

    x: Value
    y: Value

    def __str__(self) -> str:
        return "an Easel point"


@dataclass(frozen=True, slots=True)
class Color(_Record):
    """A colour by its parts of red, green and blue, from 0 to 255."""

    red: Value
    green: Value
    blue: Value

    def __str__(self) -> str:
        return "an Easel color"


class Image(_Record):
    """Something that is drawn."""

    __slots__ = ()

    def __str__(self) -> str:
        return "an Easel image"


@dataclass(frozen=True, slots=True)
class Segment(Image):
    """A line from one point to another."""

    start: Point
    end: Point
    color: Color


@dataclass(frozen=True, slots=True)
class Circle(Image):
    """A circle's outline, or with *is_filled* the disc inside it."""

    center: Point
    radius: Value
    color: Color
    is_filled: bool = False

    def sort_key(self) -> SortKey:
        return (self.is_filled, *map(sort_key, (self.center, self.radius, self.color)))


@dataclass(frozen=True, slots=True)
class Triangle(Image):
    """A filled triangle."""

    first: Point
    second: Point
    third: Point
    color: Color


@dataclass(frozen=True, slots=True)
class Caption(Image):
    """A string, centred on a point, of a height in pixels."""

    text: Text
    center: Point
    height: Value
    color: Color


@dataclass(frozen=True, slots=True)
class Graphic(Image):
    """A picture from a file, centred on a point; 0 for its natural width or height."""

    file: Text
    center: Point
    width: Value
    height: Value


class BuiltinKind(Enum):
    """What a name of the engine is."""

    STATE = "the state"
    INPUT = "the input"
    CONSTANT = "a constant"
    CONSTRUCTOR = "a constructor"
    FUNCTION = "a function"


Build: TypeAlias = Callable[[tuple[Value, ...]], Value]


@dataclass(frozen=True, slots=True)
class Builtin:
    """A name that a program can use without defining it."""

    name: str
    kind: BuiltinKind
    parameters: tuple[str, ...] = ()
    """In words: what each argument is."""
    build: Build | None = None
    """Makes the value; the state and the input come from the evaluation."""
    in_d3: bool = False
    """Whether programs of the translator to SequenceL could reach it."""
    steps: Callable[[tuple[Value, ...]], int] = lambda given: 3 + 4 * len(given)
    """How many steps making it takes."""

    @property
    def arity(self) -> int:
        return len(self.parameters)


def _constructor(name: str, make: Callable[..., Value], parameters: str, *, in_d3: bool) -> Builtin:
    wanted = tuple(parameters.split(", "))

    def build(arguments: tuple[Value, ...]) -> Value:
        for value, role in zip(arguments, wanted, strict=True):
            kinds = _KIND_BY_ROLE[role]
            if not isinstance(value, kinds):
                raise Undefined(
                    f"`{name}` needs {_ROLE_WORDS[kinds[0]]} as argument "
                    f"{wanted.index(role) + 1}, and got {plain(value)}"
                )
        return make(*arguments)

    return Builtin(name, BuiltinKind.CONSTRUCTOR, wanted, build, in_d3=in_d3)


_NUMBER: Final = (int, Fraction, Symbolic)
_KIND_BY_ROLE: Final[Mapping[str, tuple[type, ...]]] = {
    **dict.fromkeys(
        ("x", "y", "red", "green", "blue", "radius", "height", "width", "seed", "count"), _NUMBER
    ),
    **dict.fromkeys(("point", "second point", "third point", "center"), (Point,)),
    "colour": (Color,),
    "string": (Text,),
    "file": (Text,),
}
_ROLE_WORDS: Final[Mapping[type, str]] = {
    int: "a number",
    Point: "a point",
    Color: "a color",
    Text: "a string",
}


def _color(name: str, red: int, green: int, blue: int) -> Builtin:
    value = Color(red, green, blue)
    return Builtin(name, BuiltinKind.CONSTANT, (), lambda _: value)


def _random(arguments: tuple[Value, ...]) -> Value:
    seed, count = arguments
    if type(seed) is not int or type(count) is not int or count < 0:
        raise Undefined(
            "`randSeq` needs a whole number and a number of members, "
            f"and got {plain(seed)} and {plain(count)}"
        )
    if count > _RANDOM_LIMIT:
        raise Undefined(f"`randSeq` gives at most {_RANDOM_LIMIT} numbers, not {count}")
    numbers: list[Value] = []
    at = seed % _MODULUS
    for _ in range(count):
        at = at * _MULTIPLIER % _MODULUS
        numbers.append(number(Fraction(at, _MODULUS)))
    return tuple(numbers)


def _steps_of_random(arguments: tuple[Value, ...]) -> int:
    count = arguments[1]
    return 1 + 10 * max(0, min(count, _RANDOM_LIMIT)) if isinstance(count, int) else 1


_MULTIPLIER: Final = 16807
_MODULUS: Final = 2**31 - 1
_RANDOM_LIMIT: Final = 100_000


def _kept(arguments: tuple[Value, ...]) -> Value:
    (value,) = arguments
    if not isinstance(value, Text):
        raise Undefined(f"`strgToVal` needs a string, and got {plain(value)}")
    return value


STATE_NAME: Final = "currentState"

BUILTINS: Final[Mapping[str, Builtin]] = {
    each.name: each
    for each in (
        Builtin(STATE_NAME, BuiltinKind.STATE, in_d3=True),
        Builtin("mouseClicked", BuiltinKind.INPUT, in_d3=True),
        Builtin("mouseX", BuiltinKind.INPUT, in_d3=True),
        Builtin("mouseY", BuiltinKind.INPUT, in_d3=True),
        Builtin("keys", BuiltinKind.INPUT),
        _constructor("point", Point, "x, y", in_d3=True),
        _constructor("color", Color, "red, green, blue", in_d3=True),
        _constructor("segment", Segment, "point, second point, colour", in_d3=True),
        _constructor("circle", Circle, "center, radius, colour", in_d3=False),
        _constructor(
            "disc",
            lambda c, r, k: Circle(c, r, k, is_filled=True),
            "center, radius, colour",
            in_d3=False,
        ),
        _constructor("fTri", Triangle, "point, second point, third point, colour", in_d3=False),
        _constructor("text", Caption, "string, center, height, colour", in_d3=True),
        _constructor("graphic", Graphic, "file, center, width, height", in_d3=False),
        Builtin("originPoint", BuiltinKind.CONSTANT, (), lambda _: Point(0, 0)),
        _color("dBlack", 0, 0, 0),
        _color("dRed", 255, 0, 0),
        _color("dOrange", 255, 128, 0),
        _color("dYellow", 255, 255, 0),
        _color("dGreen", 0, 255, 0),
        _color("dBlue", 0, 0, 255),
        _color("dIndigo", 70, 0, 130),
        _color("dViolet", 148, 0, 211),
        _color("dWhite", 255, 255, 255),
        Builtin(
            "randSeq", BuiltinKind.FUNCTION, ("seed", "count"), _random, steps=_steps_of_random
        ),
        Builtin(
            "prettyPrint",
            BuiltinKind.FUNCTION,
            ("value",),
            lambda v: Text(pp(*v)),
            in_d3=True,
            steps=lambda v: steps(*v),
        ),
        Builtin("strgToVal", BuiltinKind.FUNCTION, ("string",), _kept, in_d3=True),
    )
}

ENVIRONMENT: Final = frozenset(
    each.name for each in BUILTINS.values() if each.kind in (BuiltinKind.STATE, BuiltinKind.INPUT)
)
"""Names whose value the engine gives anew in each frame; a program cannot define them."""

GAME_NAMES: Final = ("initialState", "newState", "images", "sounds")
"""What a game defines for the engine; ``sounds`` may be left out."""
