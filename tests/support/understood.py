"""What documents mean in their languages, for tests that ask one language more than a model."""

from pathlib import Path

from zermelo.api.engines import AllEngines
from zermelo.api.loaded import Loaded, playable_model
from zermelo.core.language import OtherDocument
from zermelo.core.limits import UNLIMITED, Limits
from zermelo.languages.led.ir import Program
from zermelo.languages.led.model import ProgramModel
from zermelo.languages.nets import questions
from zermelo.languages.nets.answers import NetReport, Shape, StateSpace
from zermelo.languages.nets.ir import Net
from zermelo.languages.nets.model import NetModel
from zermelo.languages.sections.ir import System
from zermelo.languages.sections.language import SystemModel


def system_of(game: Loaded) -> System:
    """The system of a document with sections."""
    assert isinstance(game.model, SystemModel), [each.message for each in game.diagnostics]
    return game.model.system


def program_of(game: Loaded) -> Program:
    """The program of a document in LED."""
    assert isinstance(game.model, ProgramModel), [each.message for each in game.diagnostics]
    return game.model.program


def net_model(game: Loaded) -> NetModel:
    """The model of a net."""
    assert isinstance(game.model, NetModel), [each.message for each in game.diagnostics]
    return game.model


def net_of(game: Loaded) -> Net:
    """The net that *game* is."""
    return net_model(game).net


def state_space(game: Loaded, *, limits: Limits = UNLIMITED) -> StateSpace:
    """The markings of the net that *game* is, counted."""
    return questions.state_space(net_model(game), AllEngines(), limits=limits)


def net_report(game: Loaded, *, most: int | None = None, limits: Limits = UNLIMITED) -> NetReport:
    """The graph of the net that *game* is, in numbers."""
    return questions.net_report(net_model(game), AllEngines(), most=most, limits=limits)


def net_shape(game: Loaded, other: Loaded, mapping: Path) -> Shape:
    """Whether the graph of the net that *game* is has the shape that *other* asks for."""
    wanted = OtherDocument(other.name, other.source.name, playable_model(other))
    return questions.net_shape(net_model(game), wanted, mapping, AllEngines())
