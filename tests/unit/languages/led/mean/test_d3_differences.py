"""Where D3 would do something else, told once each."""

import pytest

from zermelo.languages.led.mean.elaborate import elaborate
from zermelo.languages.led.read import document as led
from zermelo.text.codes import Severity
from zermelo.text.source import Source

GAME = "ledGame initialState := 0 images := {} newState := currentState "


def notes(code: str) -> dict[str, int]:
    """The notes about *code*, each with the number of places that it has."""
    source = Source("demo.led", f"/$\n{code}\n$/\n")
    document = led.parse(source).value
    assert document is not None
    found = elaborate(document, source).diagnostics
    return {each.code.id: 1 + len(each.secondary) for each in found if each.level is Severity.NOTE}


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("c := (1)", {"Z582": 1}),
        ("c := {(1), 2} d := (1) = 1 f(x) := f((x))", {"Z582": 3}),
        ("c := (1 + 2) * 3", {}),
        ("c := ~(1 = 2) & (2 = 2)", {}),
        ("c := (1) + (2)", {"Z582": 2}),
        ("c := () + (1,) + (1, 2)", {"Z237": 2}),
        ('f(x) iff x = "a" V x /= "b"', {"Z583": 2}),
        ('f(x) iff "a" in x', {"Z583": 1}),
        ('c := "a"', {}),
        ("c := {x | (x, y) in {(1, 2)}}", {"Z587": 1}),
        ("c := {x | x > 1 & x in {1..3}}", {"Z587": 1}),
        ("c := a where (a, b) = (1, 2)", {"Z587": 1}),
        ("c := {x | p in {(1, 2)} & (x, y) = p}", {}),
        ("c := a where a = 1 & b = a", {}),
        ("c := late late := |{1}|", {}),
        (GAME + "c := late late := currentState", {"Z584": 1}),
        (GAME + "c := x where x = late late := currentState", {}),
        (GAME + "f(I) := I", {"Z585": 1}),
        ("f(I) := I", {}),
        (GAME + "c := dRed", {"Z588": 1}),
        (GAME + "c := point(1.5, 2)", {"Z589": 1}),
        ("ledGame initialState := 0 newState := 1 images := {mouseX}", {"Z586": 1}),
    ],
)
def test_a_difference_has_its_note_and_places(code: str, found: dict[str, int]) -> None:
    assert notes(code) == found
