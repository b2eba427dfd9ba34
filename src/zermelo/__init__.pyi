"""What ``__init__.py`` gives, for who reads types: there each name is imported when it is used."""

from zermelo.api.comparing import compare
from zermelo.api.game import Game, GameGraph, GameNode, GameState, LegalMoves, Readings
from zermelo.api.loading import LibraryGame, find, games, load, load_bytes, load_text
from zermelo.api.mutating import KillingPlay, Mutants, MutantTried, mutants
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
from zermelo.core.model import Model, Mutant
from zermelo.core.signature import Player, Reading, Signature
from zermelo.core.space import ExploreOptions, Playouts, Space
from zermelo.core.state import Move, State
from zermelo.core.values import Value
from zermelo.engines.check.trials import Row
from zermelo.engines.compare.comparison import Comparison, Contrast, Parting
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
    "Comparison",
    "Contrast",
    "Diagnostic",
    "DocumentNotUsable",
    "ExploreOptions",
    "Game",
    "GameGraph",
    "GameNode",
    "GameState",
    "Graph",
    "GraphFormat",
    "KillingPlay",
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
    "Mutant",
    "MutantTried",
    "Mutants",
    "Notation",
    "OutOfTime",
    "Outcome",
    "Parting",
    "Player",
    "Playouts",
    "Progress",
    "Reading",
    "Readings",
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
    "compare",
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
    "mutants",
    "open_solution",
    "page",
    "playouts",
    "plays",
    "readings_table",
    "solve",
    "verify_solution",
]
