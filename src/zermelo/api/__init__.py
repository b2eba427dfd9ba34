"""The stages joined up: from a text that a person wrote to a machine that plays.

A fault in a document never raises: what there is to say is in ``diagnostics``,
and the game has no system if nothing could be made of the document. Playing
with a system is a matter of four questions:

    >>> game = load_text('''
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
    >>> machine = game.machine
    >>> print(machine.initial)
    heap = 3, first = true, result = unset
    >>> [str(move) for move in machine.legal(machine.initial)]
    ['Take(1)', 'Take(2)']
    >>> state = machine.after(machine.initial, Move("Take", (2,)))
    >>> print(machine.after(state, Move("Take", (1,))))
    heap = 0, first = true, result = second wins
    >>> explore(game).by_depth
    (1, 2, 2, 1)
"""

from __future__ import annotations

from zermelo.api.checking import Report, check, exit_code
from zermelo.api.games import Game, load, load_bytes, load_text
from zermelo.api.library import LibraryGame, find, games
from zermelo.api.questions import (
    adviser,
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
from zermelo.api.texts import expression, fixed, format_text, our_fault, page
from zermelo.core.ir import Player, Reading, System
from zermelo.core.machine import Machine, Move, Outcome, State
from zermelo.core.values import Value
from zermelo.engines.as_json import reading_json, row_json, space_json
from zermelo.engines.estimate import Estimate
from zermelo.engines.graph import Graph, Overview, overview_json
from zermelo.engines.lots import Playouts
from zermelo.engines.progress import Progress
from zermelo.engines.solved import Solved, Verification, solution_json
from zermelo.engines.space import Longest, PlayCounts, Run, Space, Wishes
from zermelo.engines.trial import Row
from zermelo.engines.values import Forced, Kind
from zermelo.engines.values import Value as StateValue
from zermelo.engines.walk import Limits
from zermelo.exchange.formats import GraphFormat
from zermelo.exchange.svg import MOST_NODES as MOST_DRAWN
from zermelo.play.advice import Adviser, Skill
from zermelo.syntax.printer import Notation
from zermelo.text.diagnostic import Diagnostic

__all__ = [
    "MOST_DRAWN",
    "Adviser",
    "Diagnostic",
    "Estimate",
    "Forced",
    "Game",
    "Graph",
    "GraphFormat",
    "Kind",
    "LibraryGame",
    "Limits",
    "Longest",
    "Machine",
    "Move",
    "Notation",
    "Outcome",
    "Overview",
    "PlayCounts",
    "Player",
    "Playouts",
    "Progress",
    "Reading",
    "Report",
    "Row",
    "Run",
    "Skill",
    "Solved",
    "Space",
    "State",
    "StateValue",
    "System",
    "Value",
    "Verification",
    "Wishes",
    "adviser",
    "check",
    "exit_code",
    "explore",
    "expression",
    "find",
    "fixed",
    "format_text",
    "games",
    "graph",
    "graph_lines",
    "keep_solution",
    "load",
    "load_bytes",
    "load_text",
    "open_solution",
    "our_fault",
    "overview_json",
    "page",
    "playouts",
    "plays",
    "reading_json",
    "readings_table",
    "row_json",
    "solution_json",
    "solve",
    "space_json",
    "verify_solution",
]
