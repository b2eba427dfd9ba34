"""LED programs as games: reading them, and settling by playing what they leave open."""

from __future__ import annotations

from zermelo.api.detect import Dialect
from zermelo.api.game import Game, Request
from zermelo.languages.led import findings
from zermelo.languages.led.ir import Program
from zermelo.languages.led.mean import elaborate, readings
from zermelo.languages.led.mean.repairs import repaired
from zermelo.languages.led.play_rules import find_rules
from zermelo.languages.led.read import document as dialect
from zermelo.languages.led.read.tree import LiterateProgram
from zermelo.languages.led.run.frames import INITIAL_STATE, Frames, PlayRules
from zermelo.languages.led.run.inputs import NEW_STATE
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


def _played(game: Game, program: Program, document: LiterateProgram) -> Game:
    """*game* with the system that *program* is, if it is one."""
    from_document = readings.from_settings(document.readings, program)
    from_caller = readings.from_caller(game.given, program)
    said = [*game.diagnostics, *from_document.diagnostics, *from_caller.diagnostics]
    system, machine = None, None
    if is_system(program):
        given = {**(from_document.value or {}), **(from_caller.value or {})}
        machine = Frames(program, PlayRules())
        if machine.initial_fault is not None:
            said.append(findings.no_first_state(machine.initial_fault))
            machine = None
        else:
            machine = Frames(program, find_rules(program, given))
            said += findings.of_rules(machine)
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
