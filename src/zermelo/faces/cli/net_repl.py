"""``zermelo repl`` on nets: a shell over the reachability graph."""

from __future__ import annotations

from typing import Final

from zermelo import api
from zermelo.faces.cli.loading import exit_code
from zermelo.faces.cli.options import Settings
from zermelo.faces.cli.progress import stopper
from zermelo.faces.cli.resources import usual_memory
from zermelo.faces.cli.screen import is_interactive
from zermelo.faces.cli.typed import typed_lines

STATES: Final = 5_000_000


def run(game: api.Game, settings: Settings) -> int:
    """Build the graph, which Ctrl-C cuts short, and answer what is typed."""
    limits = api.Limits(states=STATES, memory=usual_memory())
    with stopper() as listener:
        shell = api.net_shell(game, limits=limits, listener=listener)
    screen = settings.screen
    (screen if is_interactive() else settings.errors).show(shell.greeting())
    for text in typed_lines(screen, lambda: shell.prompt):
        if text and not text.startswith("#"):
            try:
                screen.show(shell.answer(text))
            except KeyboardInterrupt:
                screen.say("Stopped.")
        if shell.is_left:
            break
    return exit_code(game, settings)
