"""What the engine gives programs."""

from fractions import Fraction

import pytest

from zermelo.core.values import Value
from zermelo.languages.led.run.built_ins import (
    BUILTINS,
    ENVIRONMENT,
    BuiltinKind,
    Caption,
    Circle,
    Color,
    Point,
)
from zermelo.languages.led.run.values import Text, Undefined


def build(name: str, *arguments: Value) -> Value:
    """What the engine makes under *name*."""
    made = BUILTINS[name].build
    assert made is not None
    return made(arguments)


def test_constructors_make_images() -> None:
    center, black = Point(500, 400), Color(0, 0, 0)

    assert build("point", 500, 400) == center
    assert build("dBlack") == build("color", 0, 0, 0) == black
    assert build("disc", center, 20, black) == Circle(center, 20, black, is_filled=True)
    assert build("circle", center, 20, black) != build("disc", center, 20, black)
    assert isinstance(build("text", Text("x"), center, 36, black), Caption)


def test_an_argument_of_another_kind_is_named() -> None:
    with pytest.raises(Undefined) as caught:
        build("segment", build("originPoint"), 3, build("dRed"))

    assert caught.value.reason == "`segment` needs a point as argument 2, and got 3"


def test_the_colours_are_those_of_the_engine() -> None:
    assert build("dOrange") == Color(255, 128, 0)
    assert build("dIndigo") == Color(70, 0, 130)
    assert build("dViolet") == Color(148, 0, 211)


def test_a_value_can_be_shown_as_a_string() -> None:
    assert build("strgToVal", build("prettyPrint", (1, Text("a")))) == Text("(1, a)")


def test_random_numbers_are_those_of_the_minimal_standard() -> None:
    # Park and Miller, 1988: from 1, the 10,000th number is 1043618065.
    found = build("randSeq", 1, 10_000)

    assert isinstance(found, tuple)
    assert found[-1] == Fraction(1043618065, 2**31 - 1)
    assert build("randSeq", 1, 0) == ()


def test_only_the_state_and_the_input_come_from_a_frame() -> None:
    without = {name for name, each in BUILTINS.items() if each.build is None}

    assert without == ENVIRONMENT
    assert {each.kind for each in map(BUILTINS.__getitem__, ENVIRONMENT)} == {
        BuiltinKind.STATE,
        BuiltinKind.INPUT,
    }
