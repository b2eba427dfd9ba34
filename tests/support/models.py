"""Systems as models, and a model whose compiled code is what a test says it is."""

from collections.abc import Callable
from dataclasses import dataclass

from zermelo.api.game import Game
from zermelo.api.loaded import model_of
from zermelo.core.adapter import MachineExpander
from zermelo.core.commentary import Commentary
from zermelo.core.expander import Expander
from zermelo.core.model import Readiness
from zermelo.languages.sections.explain.commentary import SystemCommentary
from zermelo.languages.sections.ir import System
from zermelo.languages.sections.language import SystemModel
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.play.session import Session


def words_of(game: Game) -> Commentary:
    """What the document of *game* says of itself and of plays."""
    return model_of(game).words


def words(system: System) -> SystemCommentary:
    """The same for a system made by hand."""
    return SystemCommentary(Interpreter(system))


def played(system: System, *moves: str) -> Session:
    """A play of *system* after *moves*, as they are typed."""
    session = Session(words(system))
    for move in moves:
        session.make_text(move)
    return session


@dataclass(frozen=True)
class Compiling(SystemModel):
    """A model whose compiled code a test makes, or says why there is none."""

    make: Callable[[], Expander | str] | None

    def expander(self) -> Expander:
        made = "" if self.make is None else self.make()
        if isinstance(made, str):
            return MachineExpander(self.machine(), reason=made)
        return made

    def readiness(self) -> Readiness:
        return Readiness.NONE if self.make is None else Readiness.TO_COMPILE
