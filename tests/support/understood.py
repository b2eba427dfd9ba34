"""What documents mean in their languages, for tests that ask one language more than a model."""

from pathlib import Path

from zermelo import api
from zermelo.api.engines import AllEngines
from zermelo.core.limits import UNLIMITED, Limits
from zermelo.languages.led.ir import Program
from zermelo.languages.led.model import ProgramModel
from zermelo.languages.nets import questions
from zermelo.languages.nets.answers import NetReport, Shape, StateSpace
from zermelo.languages.nets.ir import Net
from zermelo.languages.nets.model import NetModel
from zermelo.languages.sections.ir import System
from zermelo.languages.sections.model import SystemModel


def system_of(game: api.Game) -> System:
    """The system of a document with sections."""
    assert isinstance(game.model, SystemModel), [each.message for each in game.diagnostics]
    return game.model.system


def program_of(game: api.Game) -> Program:
    """The program of a document in LED."""
    assert isinstance(game.model, ProgramModel), [each.message for each in game.diagnostics]
    return game.model.program


def net_model(game: api.Game) -> NetModel:
    """The model of a net."""
    assert isinstance(game.model, NetModel), [each.message for each in game.diagnostics]
    return game.model


def net_of(game: api.Game) -> Net:
    """The net that *game* is."""
    return net_model(game).net


def state_space(game: api.Game, *, limits: Limits = UNLIMITED) -> StateSpace:
    """The markings of the net that *game* is, counted."""
    return questions.state_space(net_model(game), AllEngines(), limits=limits)


def net_report(game: api.Game, *, most: int | None = None, limits: Limits = UNLIMITED) -> NetReport:
    """The graph of the net that *game* is, in numbers."""
    return questions.net_report(net_model(game), AllEngines(), most=most, limits=limits)


def net_shape(game: api.Game, other: api.Game, mapping: Path) -> Shape:
    """Whether the graph of the net that *game* is has the shape that *other* asks for."""
    wanted = api.OtherDocument(other.name, other.source.name, api.playable_model(other))
    return questions.net_shape(net_model(game), wanted, mapping, AllEngines())
