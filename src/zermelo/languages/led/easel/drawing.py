"""The value of ``images`` as shapes, with a word about each image that makes no sense."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Final

from zermelo.core.values import Atom, Number, Value, number
from zermelo.languages.led.easel import shapes
from zermelo.languages.led.easel.pictures import Folder
from zermelo.languages.led.easel.shapes import Rgb, Shape, Spot
from zermelo.languages.led.ir import Program
from zermelo.languages.led.run import built_ins
from zermelo.languages.led.run.evaluator import explained
from zermelo.languages.led.run.pretty import plain
from zermelo.languages.led.run.values import Erroneous, Text
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.source import NOWHERE

MOST_IMAGES: Final = 20_000
MOST_FAULTS: Final = 8
"""Of more images that make no sense only so many are named."""
FARTHEST: Final = 100_000
LONGEST_TEXT: Final = 1_000
TALLEST_TEXT: Final = 1_000
_BRIGHTEST: Final = 255
_GREY: Final = (128, 128, 128)
_UNKNOWN_SIZE: Final = 100


@dataclass(frozen=True, slots=True)
class DrawnShapes:
    """What is drawn of a state, in order, and what could not be."""

    shapes: tuple[Shape, ...]
    faults: tuple[Diagnostic, ...] = ()


def picture(value: Value, program: Program, *, folder: Folder) -> DrawnShapes:
    if isinstance(value, Erroneous):
        return DrawnShapes((), (no_value("images", value),))
    if not isinstance(value, frozenset):
        return DrawnShapes(
            (), (_no_sense(program, f"`images` is {plain(value)}, not a set of images"),)
        )
    drawn: list[Shape] = []
    said: list[Diagnostic] = []
    for at, each in enumerate(islice(value, MOST_IMAGES), 1):
        try:
            drawn.extend(_shapes(each, folder))
        except _NoSenseError as reason:
            said.append(_no_sense(program, f"image {at} makes no sense: {reason}"))
        except _NoPictureError as reason:
            drawn.extend(_placeholder(reason))
            said.append(
                Diagnostic(
                    codes.PICTURE_NOT_SHOWN,
                    f'the picture "{reason.file}" is not shown: {reason}',
                    primary=definition_label("images", program),
                    help="put the file into the folder of the program, and name it as it is "
                    "called there",
                )
            )
        if len(said) == MOST_FAULTS:
            break
    if len(value) > MOST_IMAGES:
        only = f"of which only the first {MOST_IMAGES:,} are drawn"
        said.append(_no_sense(program, f"`images` has {len(value):,} members, {only}"))
    return DrawnShapes(tuple(drawn), tuple(said))


class _NoSenseError(Exception):
    """An image that cannot be drawn, and why."""


class _NoPictureError(Exception):
    """A picture file that cannot be shown, and why."""

    def __init__(self, reason: str, file: str, spot: Spot, size: tuple[Number, Number]) -> None:
        super().__init__(reason)
        self.file = file
        self.spot = spot
        self.size = size


def _shapes(value: Value, folder: Folder) -> Iterator[Shape]:
    if isinstance(value, tuple):
        value = _tagged(value)
    match value:
        case built_ins.Segment(start, end, color):
            yield shapes.Segment(_spot(start), _spot(end), _rgb(color))
        case built_ins.Circle(center, radius, color, is_filled):
            kind = shapes.Disc if is_filled else shapes.Circle
            yield kind(_spot(center), _size(radius, "radius"), _rgb(color))
        case built_ins.Triangle(first, second, third, color):
            yield shapes.Triangle((_spot(first), _spot(second), _spot(third)), _rgb(color))
        case built_ins.Caption(text, center, height, color):
            if len(text.value) > LONGEST_TEXT:
                long = f"{len(text.value):,} characters, more than {LONGEST_TEXT:,}"
                raise _NoSenseError(f"its text has {long}")
            yield shapes.TextShape(text.value, _spot(center), _height(height), _rgb(color))
        case built_ins.Graphic():
            yield _graphic(value, folder)
        case _:
            raise _NoSenseError(f"it is {plain(value)}, which is no image")


def _spot(point: built_ins.Point) -> Spot:
    return _coordinate(point.x, "x"), _coordinate(point.y, "y")


def _coordinate(value: Value, name: str) -> Number:
    found = _number(value, name)
    if not -FARTHEST <= found <= FARTHEST:
        raise _NoSenseError(f"{name} is {plain(found)}, far outside the window")
    return found


def _number(value: Value, name: str) -> Number:
    if not isinstance(value, int | Fraction):
        raise _NoSenseError(f"{name} is {plain(value)}, which is no number")
    return value


def _size(value: Value, name: str) -> Number:
    found = _coordinate(value, name)
    if found < 0:
        raise _NoSenseError(f"{name} is {plain(found)}")
    return found


def _height(value: Value) -> Number:
    found = _number(value, "height")
    if not 0 < found <= TALLEST_TEXT:
        raise _NoSenseError(f"height is {plain(found)}, not between 1 and {TALLEST_TEXT:,}")
    return found


def _rgb(color: built_ins.Color) -> Rgb:
    parts = (("red", color.red), ("green", color.green), ("blue", color.blue))
    for name, value in parts:
        if type(value) is not int or not 0 <= value <= _BRIGHTEST:
            raise _NoSenseError(f"{name} is {plain(value)}, not a whole number from 0 to 255")
    red, green, blue = (value for _, value in parts if type(value) is int)
    return red, green, blue


# Pictures


def _graphic(value: built_ins.Graphic, folder: Folder) -> Shape:
    spot = _spot(value.center)
    wide, high = _size(value.width, "width"), _size(value.height, "height")
    found = folder.find(value.file.value)
    if isinstance(found, str):
        raise _NoPictureError(found, value.file.value, spot, (wide, high))
    # 0 is the natural size; of one number alone the other follows.
    if not wide and not high:
        wide, high = found.width, found.height
    elif not wide:
        wide = number(Fraction(high * found.width, found.height))
    elif not high:
        high = number(Fraction(wide * found.height, found.width))
    return shapes.Graphic(value.file.value, spot, wide, high)


def _placeholder(missing: _NoPictureError) -> Iterator[Shape]:
    """A box with a cross where a picture would be."""
    wide, high = missing.size[0] or _UNKNOWN_SIZE, missing.size[1] or _UNKNOWN_SIZE
    x, y = missing.spot
    left, right = number(x - Fraction(wide, 2)), number(x + Fraction(wide, 2))
    low, up = number(y - Fraction(high, 2)), number(y + Fraction(high, 2))
    corners: tuple[Spot, ...] = ((left, low), (right, low), (right, up), (left, up))
    for at, corner in enumerate(corners):
        yield shapes.Segment(corner, corners[(at + 1) % len(corners)], _GREY)
    yield shapes.Segment(corners[0], corners[2], _GREY)
    yield shapes.Segment(corners[1], corners[3], _GREY)


# Images as the first interpreter of LED wrote them: tuples that begin with an atom


def _tagged(value: tuple[Value, ...]) -> Value:
    """The image that *value* is, if it is one in the older form; else *value*."""
    match value:
        case (Atom("seg"), start, end, color):
            return built_ins.Segment(_pair(start), _pair(end), _triple(color))
        case (Atom("circ"), center, radius, color):
            return built_ins.Circle(_pair(center), radius, _triple(color))
        case (Atom("disc"), center, radius, color):
            return built_ins.Circle(_pair(center), radius, _triple(color), is_filled=True)
        case (Atom("fTri"), first, second, third, color):
            return built_ins.Triangle(_pair(first), _pair(second), _pair(third), _triple(color))
        case (Atom("txt"), Text() as text, center, height, color):
            return built_ins.Caption(text, _pair(center), height, _triple(color))
        case _:
            return value


def _pair(value: Value) -> built_ins.Point:
    match value:
        case built_ins.Point():
            return value
        case (x, y):
            return built_ins.Point(x, y)
        case _:
            raise _NoSenseError(f"{plain(value)} is no point")


def _triple(value: Value) -> built_ins.Color:
    match value:
        case built_ins.Color():
            return value
        case (red, green, blue):
            return built_ins.Color(red, green, blue)
        case _:
            raise _NoSenseError(f"{plain(value)} is no color")


# What a frame has to say where a part of it cannot be done


def no_value(name: str, value: Erroneous) -> Diagnostic:
    return Diagnostic(
        codes.FRAME_WITHOUT_VALUE,
        f"`{name}` has no value in this frame: {value.reason}",
        primary=None if value.span == NOWHERE else Label(value.span, "this has no value"),
        notes=tuple(explained(value)[1:]),
        help=_STAYS.get(name),
    )


_STAYS: Final = {
    "newState": "the state stays as it was",
    "images": "nothing is drawn",
    "sounds": "nothing is played",
}


def _no_sense(program: Program, message: str) -> Diagnostic:
    label = definition_label("images", program)
    return Diagnostic(codes.IMAGE_WITHOUT_SENSE, message, primary=label)


def definition_label(name: str, program: Program) -> Label | None:
    definition = program.definition(name)
    if definition is None:
        return None
    span = definition.span if definition.name_span == NOWHERE else definition.name_span
    return None if span == NOWHERE else Label(span)
