"""What a frame has to say when a part of it cannot be done."""

from __future__ import annotations

from typing import Final

from zermelo.core.values import Value
from zermelo.languages.led.ir import Program
from zermelo.languages.led.run.evaluator import explained
from zermelo.languages.led.run.pretty import plain
from zermelo.languages.led.run.values import Erroneous
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.source import NOWHERE


def no_value(name: str, value: Erroneous) -> Diagnostic:
    """The definition *name* has no value in this frame."""
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


def image(number: int, reason: str, program: Program) -> Diagnostic:
    """Image *number*, from 1, cannot be drawn."""
    return _at("images", program, f"image {number} makes no sense: {reason}")


def no_images(value: Value, program: Program) -> Diagnostic:
    """``images`` is no set of images."""
    return _at("images", program, f"`images` is {plain(value)}, not a set of images")


def too_many_images(count: int, most: int, program: Program) -> Diagnostic:
    """There are more images than are drawn."""
    said = f"`images` has {count:,} members, of which only the first {most:,} are drawn"
    return _at("images", program, said)


def no_sounds(value: Value, program: Program) -> Diagnostic:
    """``sounds`` is no set of strings."""
    return _at("sounds", program, f"`sounds` is {plain(value)}, not a set of strings")


def no_picture(file: str, reason: str, program: Program) -> Diagnostic:
    """A picture file is not shown."""
    return Diagnostic(
        codes.PICTURE_NOT_SHOWN,
        f'the picture "{file}" is not shown: {reason}',
        primary=_place("images", program),
        help="put the file into the folder of the program, and name it as it is called there",
    )


def state_grows(most: int, program: Program) -> Diagnostic:
    """The state has become too large."""
    return Diagnostic(
        codes.ENDLESS,
        f"the state grows: it would have more than {most:,} parts after this frame",
        primary=_place("newState", program),
        notes=("the frame was not made, and the game is paused",),
        help="let `newState` drop what is not needed any more",
    )


def state_deepens(most: int, program: Program) -> Diagnostic:
    """The state has become too deep."""
    return Diagnostic(
        codes.ENDLESS,
        f"the state grows: more than {most:,} sets and tuples would stand in each other",
        primary=_place("newState", program),
        notes=("the frame was not made, and the game is paused",),
        help="let `newState` drop what is not needed any more",
    )


def _at(name: str, program: Program, message: str) -> Diagnostic:
    return Diagnostic(codes.IMAGE_WITHOUT_SENSE, message, primary=_place(name, program))


def _place(name: str, program: Program) -> Label | None:
    definition = program.definition(name)
    if definition is None:
        return None
    span = definition.span if definition.name_span == NOWHERE else definition.name_span
    return None if span == NOWHERE else Label(span)
