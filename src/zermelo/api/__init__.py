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
from zermelo.api.commands import answer, commands, picture_text
from zermelo.api.game import Game, model_of, playable_model
from zermelo.api.library import LibraryGame, find, games
from zermelo.api.loading import load, load_bytes, load_text
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
from zermelo.api.texts import (
    TextFormat,
    document_of,
    export_text,
    expression,
    fixed,
    format_text,
    our_fault,
    page,
)
from zermelo.core.graph import Graph, Overview, overview_json
from zermelo.core.language import Answer, Command, Option, OptionKind, OtherDocument
from zermelo.core.limits import Estimate, Limits, Progress
from zermelo.core.machine import Machine, Outcome
from zermelo.core.model import Model
from zermelo.core.signature import Player, Reading, Signature, reading_json
from zermelo.core.space import ExploreOptions as Wishes
from zermelo.core.space import Longest, PlayCounts, Playouts, Run, Space, space_json
from zermelo.core.state import Move, State
from zermelo.core.values import Value
from zermelo.draw.formats import GraphFormat
from zermelo.draw.graph_diagram import MOST_NODES as MOST_DRAWN
from zermelo.engines.check.trials import Row, row_json
from zermelo.engines.solve.values import ForcedValue as Forced
from zermelo.engines.solve.values import Solved, Verification, solution_json
from zermelo.engines.solve.values import Value as StateValue
from zermelo.engines.solve.values import ValueKind as Kind
from zermelo.play.advice import Adviser, Skill
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.source import Notation

__all__ = [
    "MOST_DRAWN",
    "Adviser",
    "Answer",
    "Command",
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
    "Model",
    "Move",
    "Notation",
    "Option",
    "OptionKind",
    "OtherDocument",
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
    "Signature",
    "Skill",
    "Solved",
    "Space",
    "State",
    "StateValue",
    "TextFormat",
    "Value",
    "Verification",
    "Wishes",
    "adviser",
    "answer",
    "check",
    "commands",
    "document_of",
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
    "load",
    "load_bytes",
    "load_text",
    "model_of",
    "open_solution",
    "our_fault",
    "overview_json",
    "page",
    "picture_text",
    "playable_model",
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
