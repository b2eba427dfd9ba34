"""LED programs as games: reading them, and settling by playing what they leave open."""

from __future__ import annotations

from zermelo.api.game import Game, Request
from zermelo.core.led.frames import INITIAL_STATE, Frames, Manner
from zermelo.core.led.inputs import NEW_STATE
from zermelo.core.led.ir import Program
from zermelo.engines import led_findings
from zermelo.engines.led_manner import settle
from zermelo.meaning.led import elaborate, readings
from zermelo.meaning.led.repairs import repaired
from zermelo.syntax.dialects import led as dialect
from zermelo.syntax.dialects.detect import Dialect
from zermelo.syntax.led.tree import Document
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.source import Source


def read(source: Source, request: Request, said: tuple[Diagnostic, ...] = ()) -> Game:
    """The program in *source*; *said* is what there was to say about its text."""
    parsed = dialect.parse(source, as_written=request.as_written)
    said = (*said, *parsed.diagnostics)
    if parsed.value is None:
        return Game(source, None, said, request.given, request.as_written, dialect=Dialect.LED)
    mended = repaired(parsed.value, source, as_written=request.as_written)
    document = mended.value or parsed.value
    meant = elaborate.elaborate(document, source)
    said = (*said, *mended.diagnostics, *meant.diagnostics)
    program = meant.value
    game = Game(
        source,
        None,
        said,
        request.given,
        request.as_written,
        document=document,
        dialect=Dialect.LED,
        program=program,
        folder=None if request.path is None else request.path.parent,
    )
    if program is None or not request.plays:
        return game
    return _played(game, program, document)


def _played(game: Game, program: Program, document: Document) -> Game:
    """*game* with the system that *program* is, if it is one."""
    from_document = readings.from_settings(document.readings, program)
    from_caller = readings.from_caller(game.given, program)
    said = [*game.diagnostics, *from_document.diagnostics, *from_caller.diagnostics]
    system, machine = None, None
    if is_system(program):
        given = {**(from_document.value or {}), **(from_caller.value or {})}
        machine = Frames(program, Manner())
        if machine.initial_fault is not None:
            said.append(led_findings.no_first_state(machine.initial_fault))
            machine = None
        else:
            machine = Frames(program, settle(program, given))
            said += led_findings.of_manner(machine)
            system = machine.system
    start = None if machine is None else (lambda: machine)
    return Game(
        game.source,
        system,
        tuple(dict.fromkeys(said)),
        game.given,
        game.as_written,
        document=document,
        dialect=Dialect.LED,
        program=program,
        folder=game.folder,
        start=start,
    )


def is_system(program: Program) -> bool:
    """Whether *program* says how it begins and what a frame does."""
    return all(program.definition(name) is not None for name in (INITIAL_STATE, NEW_STATE))
