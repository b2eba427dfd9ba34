"""Small LED programs that run for a page."""

from pathlib import Path

from zermelo import api
from zermelo.faces.web.session import Session
from zermelo.languages.led.easel.stage import Stage
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


def session(text: str, *, folder: Path | None = None) -> Session:
    """A session with the program *text*."""
    game = api.load_text(text, name="program.led")
    assert game.program is not None
    return Session(Stage(ProgramEvaluator(game.program), folder=folder), game.source)
