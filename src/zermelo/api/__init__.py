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

from zermelo.api.checking import check, exit_code
from zermelo.api.detect import Dialect
from zermelo.api.game import Game
from zermelo.api.games import load, load_bytes, load_text
from zermelo.api.led_texts import led_expression
from zermelo.api.library import LibraryGame, find, games
from zermelo.api.net_questions import (
    net_lines,
    net_of,
    net_report,
    net_shape,
    net_shell,
    state_space,
)
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
from zermelo.api.report import Report
from zermelo.api.texts import (
    TextFormat,
    export_text,
    expression,
    fixed,
    format_text,
    our_fault,
    page,
)
from zermelo.core.estimate import Estimate
from zermelo.core.graph import Graph, Overview, overview_json
from zermelo.core.machine import Machine, Move, Outcome, State
from zermelo.core.progress import Progress
from zermelo.core.space import Longest, PlayCounts, Run, Space, Wishes
from zermelo.core.values import Value
from zermelo.core.walk import Limits
from zermelo.draw.formats import GraphFormat
from zermelo.draw.graph_diagram import MOST_NODES as MOST_DRAWN
from zermelo.engines.as_json import reading_json, row_json, space_json
from zermelo.engines.check.trial import Row
from zermelo.engines.search.lots import Playouts
from zermelo.engines.solve.solved import Solved, Verification, solution_json
from zermelo.engines.solve.values import Forced, Kind
from zermelo.engines.solve.values import Value as StateValue
from zermelo.languages.led.read.tree import LiterateProgram as LedDocument
from zermelo.languages.nets.answers import (
    NetReport,
    Shape,
    StateSpace,
    board_text,
    state_space_json,
)
from zermelo.languages.nets.answers import report_json as net_report_json
from zermelo.languages.nets.answers import shape_json as net_shape_json
from zermelo.languages.nets.unbounded import Pumping
from zermelo.languages.sections.ir import Player, Reading, System
from zermelo.play.advice import Adviser, Skill
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.source import Notation

__all__ = [
    "MOST_DRAWN",
    "Adviser",
    "Diagnostic",
    "Dialect",
    "Estimate",
    "Forced",
    "Game",
    "Graph",
    "GraphFormat",
    "Kind",
    "LedDocument",
    "LibraryGame",
    "Limits",
    "Longest",
    "Machine",
    "Move",
    "NetReport",
    "Notation",
    "Outcome",
    "Overview",
    "PlayCounts",
    "Player",
    "Playouts",
    "Progress",
    "Pumping",
    "Reading",
    "Report",
    "Row",
    "Run",
    "Shape",
    "Skill",
    "Solved",
    "Space",
    "State",
    "StateSpace",
    "StateValue",
    "System",
    "TextFormat",
    "Value",
    "Verification",
    "Wishes",
    "adviser",
    "board_text",
    "check",
    "exit_code",
    "explore",
    "export_text",
    "expression",
    "find",
    "fixed",
    "format_text",
    "games",
    "graph",
    "graph_lines",
    "keep_solution",
    "led_expression",
    "load",
    "load_bytes",
    "load_text",
    "net_lines",
    "net_of",
    "net_report",
    "net_report_json",
    "net_shape",
    "net_shape_json",
    "net_shell",
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
    "state_space",
    "state_space_json",
    "verify_solution",
]
