"""Small LED programs that run for a page."""

from functools import cache
from pathlib import Path

from tests.support.understood import program_of
from zermelo.api import loading
from zermelo.api.game import Game
from zermelo.faces.web.session import Session
from zermelo.languages.led.easel.window import Window
from zermelo.languages.led.run.evaluator import ProgramEvaluator

COUNT = """
/$ ledGame
initialState := 0
newState := currentState + 1 if mouseClicked; currentState otherwise
images := {text(prettyPrint(currentState), point(500, 400), 80, dBlue)} $/
"""

CLOCK = """
/$ ledGame
initialState := 0
newState := currentState + 1
images := {} $/
"""

NESTED = """
/$ ledGame
initialState := (0, 0)
newState := (currentState, currentState[2])
images := {} $/
"""

LONG = """
/$ ledGame
initialState := {1..9999}
newState := currentState
images := {} $/
"""


@cache
def _game(text: str) -> Game:
    return loading.load_text(text, name="program.led")


def session(text: str, *, folder: Path | None = None) -> Session:
    """A session with the program *text*."""
    game = _game(text)
    return Session(Window(ProgramEvaluator(program_of(game)), folder=folder), game.source)
