"""Laws about LED programs: whatever is written has a meaning, and evaluating it ends."""

from hypothesis import HealthCheck, given, settings

from tests.support.led_strategies import DOCUMENTS, SCRAPS
from zermelo.core.led.easel import Input
from zermelo.core.led.evaluator import Evaluator, explained
from zermelo.core.led.pretty import pp
from zermelo.core.led.values import Erroneous
from zermelo.meaning.led.elaborate import elaborate
from zermelo.syntax.dialects import led
from zermelo.syntax.led.tree import Document
from zermelo.text import render
from zermelo.text.source import Source

STEPS = 10_000
SOURCE = Source("demo.led", "some words " * 100)


def run(document: Document, source: Source) -> None:
    """Ask for every definition of *document*, in a game and outside."""
    meant = elaborate(document, source)
    assert meant.value is not None
    render.full(meant.diagnostics, source)
    evaluator = Evaluator(meant.value, steps=STEPS)
    for definition in meant.value.definitions:
        arguments = (1, (1, 2))[: len(definition.parameters)]
        for state, given_ in ((None, None), ((1, 2), Input(clicked=True, x=3, y=4))):
            found = evaluator.value(definition.name, arguments, state=state, input=given_)
            pp(found)
            if isinstance(found, Erroneous):
                assert explained(found, source)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(DOCUMENTS)
def test_any_program_is_evaluated_without_raising(document: Document) -> None:
    run(document, SOURCE)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(SCRAPS)
def test_any_text_is_understood_without_raising(text: str) -> None:
    source = Source("demo.led", f"/$ f(x) := {text} $/")
    document = led.parse(source).value
    if document is not None:
        run(document, source)
