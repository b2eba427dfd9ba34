"""Quantifiers that bind the components of tuples."""

from __future__ import annotations

import pytest

from zermelo.languages.led.mean.elaborate import elaborate
from zermelo.languages.led.read import document as led
from zermelo.languages.led.run.evaluator import ProgramEvaluator
from zermelo.languages.led.run.pretty import pp
from zermelo.text.source import Source

PROGRAM = """
edges := {(1, 2), (2, 3), (3, 3)}
x := 7
"""


def value(expr: str) -> str:
    """What *expr* is, as an interpreter prints it."""
    source = Source("x.led", f"/${PROGRAM} asked := {expr} $/")
    document = led.parse(source).value
    assert document is not None
    meant = elaborate(document, source)
    assert meant.value is not None
    assert not [each for each in meant.diagnostics if each.is_error]
    return pp(ProgramEvaluator(meant.value).value("asked"))


@pytest.mark.parametrize(
    ("expr", "printed"),
    [
        ("some (a, b) in edges. a = b", "true"),
        ("some (a, b) in edges. a > b", "false"),
        ("all (a, b) in edges. a <= b", "true"),
        ("all (a, b) in edges. a < b", "false"),
        ("some (a, b) in {}. true", "false"),
        ("all (a, b) in {}. false", "true"),
        ("all (a, b) in edges. some (b, c) in edges. b = a", "true"),
        ("some (a, b) in edges. all a in {b}. a = 3", "true"),
        ("some (a, b) in {1, (2, 3)}. a = 2", "true"),
    ],
)
def test_the_names_are_bound_to_the_components(expr: str, printed: str) -> None:
    assert value(expr) == printed


def test_a_name_that_has_a_value_already_is_bound_anew() -> None:
    # `x` is 7 elsewhere, and no edge begins there.
    assert value("some (x, y) in edges. x = 1") == "true"


def test_a_condition_that_is_no_truth_value_has_no_value() -> None:
    assert value("some (a, b) in edges. a") == "ERRONEOUS VALUE"
