"""LED programs with a session of an interpreter each: every question has the answer shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from zermelo.languages.led import ir
from zermelo.languages.led.mean.elaborate import elaborate, expression
from zermelo.languages.led.read import document as led
from zermelo.languages.led.read import parser, printer
from zermelo.languages.led.run.evaluator import ProgramEvaluator
from zermelo.languages.led.run.pretty import pp
from zermelo.text.source import Source

HERE = Path(__file__).parent
PROGRAMS = sorted(path.stem for path in HERE.glob("*.led"))


def read(name: str) -> ir.Program:
    """The program called *name*, which has no error."""
    path = HERE / f"{name}.led"
    source = Source(path.name, path.read_text(encoding="utf-8"))
    parsed = led.parse(source)
    assert parsed.value is not None
    meant = elaborate(parsed.value, source)
    said = (*parsed.diagnostics, *meant.diagnostics)
    assert [each.message for each in said if each.is_error] == []
    assert meant.value is not None
    return meant.value


def answer(typed: str, program: ir.Program, evaluator: ProgramEvaluator) -> str:
    """What the interpreter answers to ``pp(…)``."""
    source = Source("typed", typed.removeprefix("pp(").removesuffix(")"))
    parsed = parser.expression(source)
    assert parsed.value is not None, parsed.diagnostics
    meant = expression(parsed.value, program, source)
    assert meant.value is not None
    return f'"{pp(evaluator.expression(meant.value))}"'


def test_there_is_a_session_for_every_program() -> None:
    sessions = sorted(path.stem for path in HERE.glob("*.txt"))

    assert sessions == PROGRAMS
    assert len(PROGRAMS) >= 8


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_program_answers_as_its_session_shows(name: str) -> None:
    program = read(name)
    evaluator = ProgramEvaluator(program)
    lines = (HERE / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    questions = [line.removeprefix("cmd:>") for line in lines[::2]]

    found = {typed: answer(typed, program, evaluator) for typed in questions}

    assert found == dict(zip(questions, lines[1::2], strict=True))


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_canonical_form_of_a_program_is_the_same_program(name: str) -> None:
    text = (HERE / f"{name}.led").read_text(encoding="utf-8")
    document = led.parse(Source("x.led", text)).value
    assert document is not None

    written = printer.document(document)

    again = led.parse(Source("x.led", written)).value
    assert again is not None
    assert again.definitions == document.definitions
    assert printer.document(again) == written
