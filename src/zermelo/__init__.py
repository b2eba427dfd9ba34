"""Write a finite system as its mathematics; run it, explain it, check it and play it.

``load`` gives a game: what was made of a document, and what there is to say
about it. Its ``machine`` answers what can be done in a state and what comes of it.
"""

from zermelo.api import (
    Diagnostic,
    Game,
    LibraryGame,
    Limits,
    Machine,
    Move,
    Outcome,
    Player,
    Reading,
    Report,
    Row,
    Space,
    State,
    System,
    Value,
    check,
    explore,
    expression,
    find,
    games,
    load,
    load_text,
    plays,
    readings_table,
)

__all__ = [
    "Diagnostic",
    "Game",
    "LibraryGame",
    "Limits",
    "Machine",
    "Move",
    "Outcome",
    "Player",
    "Reading",
    "Report",
    "Row",
    "Space",
    "State",
    "System",
    "Value",
    "check",
    "explore",
    "expression",
    "find",
    "games",
    "load",
    "load_text",
    "plays",
    "readings_table",
]
