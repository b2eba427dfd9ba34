"""What is probably not meant."""

import pytest

from zermelo.languages.led.mean.elaborate import elaborate
from zermelo.languages.led.read import document as led
from zermelo.text.codes import Severity
from zermelo.text.source import Source

GAME = "ledGame initialState := 0 newState := currentState images := {} "


def warnings(code: str) -> list[tuple[str, str]]:
    """The lints about *code*: the code of each, and the words that it points at."""
    source = Source("demo.led", f"/$\n{code}\n$/\n")
    document = led.parse(source).value
    assert document is not None
    return [
        (each.code.id, source.slice(each.primary.span) if each.primary else "")
        for each in elaborate(document, source).diagnostics
        if each.level is Severity.WARNING
    ]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("f(p, q) iff p V q", []),
        ("f(p, q) iff p V q V p", [("Z711", "p")]),
        ("c := {1} U {1}", [("Z711", "{1}")]),
        ("c := 2 + 2", []),
        ("f(x) iff x = x", [("Z711", "x")]),
        ("f(x) := 1 if x > 0; 2 otherwise", []),
        ("f(x) := 1 otherwise; 2 if x > 0", [("Z741", "2 if x > 0")]),
        ("f(x) iff (some y in {1}. y = 1) & x = 1", []),
        ("f(x) iff some x in {1}. x = 1 & x = 2", [("Z742", "x")]),
        ("x := 1 c := Sum[x in {1, 2}] x", [("Z743", "x")]),
        ("f(x) := {x | x in {1}}", [("Z743", "x")]),
        ("f(x) := {(x, y) | (x, y) in {(1, 2)}}", []),
        (GAME + "f(x) := x", [("Z740", "f")]),
        (GAME + "c := 1", []),
        (GAME + "f(x) := x sounds := f({})", []),
    ],
)
def test_a_lint_points_at_its_place(code: str, found: list[tuple[str, str]]) -> None:
    assert warnings(code) == found
