"""Write a finite system as its mathematics; run it, explain it, check it, solve it and play it.

A fault in a document never raises: what there is to say is in ``diagnostics``, and a game that
is not ``is_loaded`` gives nothing to play.

    >>> import zermelo
    >>> game = zermelo.load_text('''
    ... Applicable Sets
    ...   H : {0..3}
    ...   B : {true, false}
    ... System Variables
    ...   heap ∈ H
    ...   first, over ∈ B
    ... System Facts
    ...   over ↔ (heap = 0)
    ... System Initialization
    ...   heap = 3
    ...   first = true
    ... System States and Behavior
    ... Take(n ∈ {1, 2})
    ...   n ≤ heap → heap = heap − n ∧ first = ¬first
    ... GameOver(over)
    ...   result ∈ {first wins, second wins}
    ...   over ∧ first → result = second wins
    ...   over ∧ ¬first → result = first wins
    ... ''')
    >>> game
    <Game document: first against second>
    >>> print(game.initial)
    heap = 3, first = true, result = unset
    >>> game.moves()
    <2 moves: 1, 2>
    >>> print(game.play("2", "1"))
    heap = 0, first = true, result = second wins
    >>> game.explore().by_depth
    (1, 2, 2, 1)
    >>> game.solve()
    <Solution: second wins in 2 plies; 6 positions>
"""

# Of which `signal` is made, whose own imports take a while.
import _signal  # type: ignore[import-not-found]
import os
import sys


def _is_the_command() -> bool:
    """Whether this process is the command line, and not somebody who imports the library."""
    name = (sys.argv or [""])[0]
    if name != "-m":
        return name.replace("\\", "/").rpartition("/")[2] in {"zermelo", "zermelo.exe"}
    # The first word that is this package is what runs, if an option like -m or -Pm is before it.
    at = sys.orig_argv.index("zermelo") if "zermelo" in sys.orig_argv else 0
    return at > 0 and sys.orig_argv[at - 1].startswith("-") and sys.orig_argv[at - 1].endswith("m")


# Ctrl-C while all of this is being imported ends the command, without a traceback of imports.
if _is_the_command() and _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
    _signal.signal(_signal.SIGINT, lambda *_: os._exit(130))

# ruff: noqa: E402 - imports come after this on purpose
from zermelo.api.game import Game, GameGraph, GameState, LegalMoves
from zermelo.api.loading import LibraryGame, find, games, load, load_bytes, load_text
from zermelo.api.questions import (
    Report,
    adviser,
    check,
    explore,
    graph,
    graph_lines,
    keep_solution,
    open_solution,
    playouts,
    plays,
    readings_table,
    solve,
    verify_solution,
)
from zermelo.api.texts import TextFormat, export_text, expression, format_text, page
from zermelo.core.graph import Graph, GraphFormat
from zermelo.core.limits import Limits, Progress
from zermelo.core.machine import Machine, Outcome
from zermelo.core.model import Model
from zermelo.core.signature import Player, Reading, Signature
from zermelo.core.space import ExploreOptions, Playouts, Space
from zermelo.core.state import Move, State
from zermelo.core.values import Value
from zermelo.engines.check.trials import Row
from zermelo.engines.solve.values import Solved, ValueKind
from zermelo.play.advice import Adviser, Skill
from zermelo.text.budget import OutOfTime
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.errors import (
    DocumentNotUsable,
    MoveAmbiguous,
    MoveError,
    MoveNotAllowed,
    MoveNotUnderstood,
    UsageError,
    ZermeloError,
)
from zermelo.text.source import Notation

__all__ = [
    "Adviser",
    "Diagnostic",
    "DocumentNotUsable",
    "ExploreOptions",
    "Game",
    "GameGraph",
    "GameState",
    "Graph",
    "GraphFormat",
    "LegalMoves",
    "LibraryGame",
    "Limits",
    "Machine",
    "Model",
    "Move",
    "MoveAmbiguous",
    "MoveError",
    "MoveNotAllowed",
    "MoveNotUnderstood",
    "Notation",
    "OutOfTime",
    "Outcome",
    "Player",
    "Playouts",
    "Progress",
    "Reading",
    "Report",
    "Row",
    "Signature",
    "Skill",
    "Solved",
    "Space",
    "State",
    "TextFormat",
    "UsageError",
    "Value",
    "ValueKind",
    "ZermeloError",
    "adviser",
    "check",
    "explore",
    "export_text",
    "expression",
    "find",
    "format_text",
    "games",
    "graph",
    "graph_lines",
    "keep_solution",
    "load",
    "load_bytes",
    "load_text",
    "open_solution",
    "page",
    "playouts",
    "plays",
    "readings_table",
    "solve",
    "verify_solution",
]
