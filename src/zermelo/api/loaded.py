"""A document, and what was made of it, in whatever language it is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from zermelo.core.machine import Machine
from zermelo.core.model import Model, WrittenDocument
from zermelo.core.signature import Reading, reading_json
from zermelo.engines.check.trials import Trials
from zermelo.text import render
from zermelo.text.diagnostic import Diagnostic, Json
from zermelo.text.errors import DocumentNotUsable
from zermelo.text.source import Source


def nothing_open() -> Trials:
    """The trials of a document that is read in one way only."""
    return Trials(None)


@dataclass(frozen=True, repr=False)
class Loaded:
    """A document, what was made of it, and what there is to say about it."""

    source: Source
    model: Model | None
    """``None`` when the document was not understood."""
    diagnostics: tuple[Diagnostic, ...] = ()
    given: Mapping[str, str] = field(default_factory=dict)
    """The readings that the caller chose."""
    as_written: bool = False
    """Whether the document's errata are left out."""
    document: WrittenDocument | None = field(default=None, repr=False, compare=False)
    """``None`` when not even its form was understood."""
    trials: Trials = field(default_factory=nothing_open, repr=False, compare=False)
    """The other ways to read the document."""
    folder: Path | None = field(default=None, compare=False)
    """Where the document stands, if it is a file; others may stand beside it."""

    @property
    def name(self) -> str:
        """What the document calls itself, or else the name of its file."""
        return self.model.signature.name if self.is_loaded and self.model else self.source.name

    @property
    def is_loaded(self) -> bool:
        """Whether there is something to play."""
        return self.model is not None and self.model.signature.unplayable is None

    @property
    def machine(self) -> Machine:
        """The model, running; raises ``DocumentNotUsable`` if there is nothing to play."""
        return playable_model(self).words.machine

    @property
    def readings(self) -> tuple[Reading, ...]:
        """What the document leaves open, and how it is read."""
        return () if self.model is None else self.model.signature.readings

    @property
    def players(self) -> tuple[str, ...]:
        if self.model is None:
            return ()
        return tuple(each.name for each in self.model.signature.players)

    def to_json(self) -> dict[str, Json]:
        moves = () if self.model is None else self.model.signature.moves
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


def model_of(game: Loaded) -> Model:
    """What *game* means; raises ``DocumentNotUsable`` if it was not understood."""
    if game.model is None:
        raise DocumentNotUsable(_not_understood(game))
    return game.model


def playable_model(game: Loaded) -> Model:
    """What *game* means; raises ``DocumentNotUsable`` if there is nothing to play."""
    model = model_of(game)
    reason = model.signature.unplayable
    if reason is None:
        return model
    has_errors = any(each.is_error for each in game.diagnostics)
    raise DocumentNotUsable(_not_understood(game) if has_errors else reason)


def _not_understood(game: Loaded) -> str:
    first = next((each for each in game.diagnostics if each.is_error), None)
    why = "" if first is None else f": {render.one_line(first, game.source)}"
    return f"nothing to play could be made of {game.source.name}{why}"
