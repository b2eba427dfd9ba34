"""A document, and what was made of it, whatever its dialect."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from zermelo.api.detect import Dialect
from zermelo.core.machine import Machine
from zermelo.engines.as_json import reading_json
from zermelo.engines.check.trial import Trials
from zermelo.languages.led.ir import Program
from zermelo.languages.led.read import tree as led
from zermelo.languages.nets.ir import Net
from zermelo.languages.sections.ir import Reading, System
from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.text import render
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.errors import DocumentNotUsable
from zermelo.text.render import Json
from zermelo.text.source import Source

Document: TypeAlias = tree.Document | led.LiterateProgram
"""What an author wrote, in any dialect."""


@dataclass(frozen=True, slots=True)
class Request:
    """How a document is to be read."""

    given: Mapping[str, str] = field(default_factory=dict)
    """The readings that the caller chose."""
    as_written: bool = False
    """Whether the document's errata are left out."""
    path: Path | None = None
    """Where the document stands, if it is a file; others may stand beside it."""
    plays: bool = True
    """Whether an LED program is played to find out what it leaves open, and so a system."""


@dataclass(frozen=True)
class Game:
    """A document, what was made of it, and what there is to say about it."""

    source: Source
    system: System | None
    """``None`` when nothing could be made of the document."""
    diagnostics: tuple[Diagnostic, ...] = ()
    given: Mapping[str, str] = field(default_factory=dict)
    """The readings that the caller chose."""
    as_written: bool = False
    """Whether the document's errata are left out."""
    document: Document | None = field(default=None, repr=False, compare=False)
    trials: Trials | None = field(default=None, repr=False, compare=False)
    """The other ways to read a document with sections."""
    dialect: Dialect = Dialect.SECTIONS
    program: Program | None = field(default=None, repr=False, compare=False)
    """What an LED program means; ``system`` then only lists what it consists of."""
    net: Net | None = field(default=None, repr=False, compare=False)
    """What a net means; ``system`` then only lists what it consists of."""
    folder: Path | None = field(default=None, compare=False)
    """Where the document stands, if it is a file; others may stand beside it."""
    start: Callable[[], Machine] | None = field(default=None, repr=False, compare=False)
    """What makes the machine of a program or a net."""

    @property
    def name(self) -> str:
        """What the document calls itself, or else the name of its file."""
        return self.source.name if self.system is None else self.system.name

    @property
    def is_loaded(self) -> bool:
        """Whether there is a system."""
        return self.system is not None

    @cached_property
    def machine(self) -> Machine:
        """The system, running; raises ``DocumentNotUsable`` if there is none."""
        system = system_of(self)
        return Interpreter(system) if self.start is None else self.start()

    @property
    def readings(self) -> tuple[Reading, ...]:
        """What the document leaves open, and how it is read."""
        return () if self.system is None else self.system.readings

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players."""
        return () if self.system is None else tuple(each.name for each in self.system.players)

    def to_json(self) -> dict[str, Json]:
        """What was made of the document, as JSON values."""
        moves = () if self.system is None else self.system.moves
        return {
            "loaded": self.is_loaded,
            "name": self.name,
            "diagnostics": [render.as_json(each, self.source) for each in self.diagnostics],
            "readings": [reading_json(each) for each in self.readings],
            "players": list(self.players),
            "moves": [
                {"name": move.name, "parameters": [each.name for each in move.parameters]}
                for move in moves
            ],
        }


def system_of(game: Game) -> System:
    """The system of *game*; raises ``DocumentNotUsable`` if there is none."""
    if game.system is None and game.program is not None:
        raise DocumentNotUsable(_no_game(game))
    if game.system is None:
        first = next((each for each in game.diagnostics if each.is_error), None)
        why = "" if first is None else f": {render.one_line(first, game.source)}"
        raise DocumentNotUsable(f"nothing to play could be made of {game.source.name}{why}")
    return game.system


def _no_game(game: Game) -> str:
    """Why an LED program is no system."""
    name = game.source.name
    error = next((each for each in game.diagnostics if each.is_error), None)
    if error is not None:
        return f"nothing to play could be made of {name}: {render.one_line(error, game.source)}"
    return (
        f"{name} is an LED program, but no game: a game defines `initialState` and `newState`; "
        f"`zermelo repl` answers questions about it"
    )
