"""Laws about LED programs: whatever is written has a meaning, and evaluating it ends."""

from hypothesis import HealthCheck, given, settings

from tests.support.led_strategies import DOCUMENTS, SCRAPS
from zermelo.languages.led.mean.elaborate import elaborate
from zermelo.languages.led.read import document as led
from zermelo.languages.led.read.tree import LiterateProgram
from zermelo.languages.led.run.built_ins import Input
from zermelo.languages.led.run.evaluator import ProgramEvaluator, explained
from zermelo.languages.led.run.pretty import pp
from zermelo.languages.led.run.values import Erroneous
from zermelo.text import render
from zermelo.text.source import Source

STEPS = 10_000
SOURCE = Source("demo.led", "some words " * 100)


def run(document: LiterateProgram, source: Source) -> None:
    """Ask for every definition of *document*, in a game and outside."""
    meant = elaborate(document, source)
    assert meant.value is not None
    render.full(meant.diagnostics, source)
    evaluator = ProgramEvaluator(meant.value, steps=STEPS)
    for definition in meant.value.definitions:
        arguments = (1, (1, 2))[: len(definition.parameters)]
        for state, given_ in ((None, None), ((1, 2), Input(clicked=True, x=3, y=4))):
            found = evaluator.value(definition.name, arguments, state=state, input=given_)
            pp(found)
            if isinstance(found, Erroneous):
                assert explained(found, source)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(DOCUMENTS)
def test_any_program_is_evaluated_without_raising(document: LiterateProgram) -> None:
    run(document, SOURCE)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(SCRAPS)
def test_any_text_is_understood_without_raising(text: str) -> None:
    source = Source("demo.led", f"/$ f(x) := {text} $/")
    document = led.parse(source).value
    if document is not None:
        run(document, source)
