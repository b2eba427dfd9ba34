"""LED as a row of the table of languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from zermelo.core.language import Language, Request, Understood
from zermelo.core.signature import BY_FILE, Reading
from zermelo.languages.led import findings
from zermelo.languages.led.ir import Program
from zermelo.languages.led.mean import elaborate, readings
from zermelo.languages.led.mean.repairs import repaired
from zermelo.languages.led.model import ProgramModel, WrittenProgram
from zermelo.languages.led.play_rules import find_rules
from zermelo.languages.led.read import document as reader
from zermelo.languages.led.read.tree import LiterateProgram
from zermelo.languages.led.run.frames import INITIAL_STATE, Frames, PlayRules
from zermelo.languages.led.run.inputs import NEW_STATE
from zermelo.text import reading_file
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.editing import SourceToken, TypedSymbol
from zermelo.text.source import Source


def read(source: Source, request: Request) -> Understood:
    parsed = reader.parse(source, as_written=request.as_written)
    if parsed.value is None:
        readings.from_caller(request.given, None, document=source.name, is_game=True)
        return Understood(None, parsed.diagnostics)
    mended = repaired(parsed.value, source, as_written=request.as_written)
    document = mended.value or parsed.value
    meant = elaborate.elaborate(document, source)
    said = [*parsed.diagnostics, *mended.diagnostics, *meant.diagnostics]
    program = meant.value
    written = WrittenProgram(document, source)
    is_game = program is None or all(program.definition(name) for name in _OF_A_GAME)
    chosen = readings.from_caller(request.given, program, document=source.name, is_game=is_game)
    if program is None:
        return Understood(None, tuple(said), document=written)
    outside = _from_file(request.reading_file, program, said)
    frames = None
    if request.plays:
        frames = _frames(program, document, {**outside, **chosen}, said)
    folder = None if request.path is None else request.path.parent
    model = ProgramModel(program, document, source, frames=frames, folder=folder)
    if frames is not None:
        written.title = model.signature.name
    return Understood(model, tuple(dict.fromkeys(said)), document=written)


def _from_file(
    source: Source | None, program: Program, said: list[Diagnostic]
) -> Mapping[str, Reading]:
    """What the file beside *program* decides, if there is one."""
    if source is None:
        return {}
    parsed = reading_file.parse(source)
    said += parsed.diagnostics
    file = parsed.value
    if file is None:
        return {}
    found = readings.from_settings(file.readings, program, by=BY_FILE)
    views = [readings.no_view(setting) for setting in file.view]
    said += file.located((*found.diagnostics, *views))
    return found.value or {}


def _frames(
    program: Program,
    document: LiterateProgram,
    from_outside: Mapping[str, Reading],
    said: list[Diagnostic],
) -> Frames | None:
    """What runs *program*, if it is a game, with what it leaves open found by playing."""
    from_document = readings.from_settings(document.readings, program)
    said += from_document.diagnostics
    if any(program.definition(name) is None for name in _OF_A_GAME):
        return None
    machine = Frames(program, PlayRules())
    if machine.initial_fault is not None:
        said.append(findings.no_first_state(machine.initial_fault))
        return None
    given = {**(from_document.value or {}), **from_outside}
    machine = Frames(program, find_rules(program, given))
    said += findings.of_rules(machine)
    return machine


_OF_A_GAME: Final = (INITIAL_STATE, NEW_STATE)


def tokens(source: Source) -> tuple[SourceToken, ...]:
    from zermelo.languages.led.read.source_tokens import source_tokens  # noqa: PLC0415 - only editors ask

    return source_tokens(source)


def typed_symbols() -> tuple[TypedSymbol, ...]:
    from zermelo.languages.led.read.source_tokens import symbols  # noqa: PLC0415 - as above

    return symbols()


LANGUAGE: Final = Language(
    read,
    forms=("led",),
    takes_reading_file=True,
    refusal="{name} is no LED program",
    tokens=tokens,
    symbols=typed_symbols,
)
