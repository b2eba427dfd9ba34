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
import time
from typing import Final

IMPORTED_AT: Final = time.time()
"""As times of files are told: a module whose file is older is as it was loaded, or will be."""


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

# What is public, and the module that has it. It is imported when it is asked for, so that who
# needs one thing waits for one thing only. `__init__.pyi` says the same for who reads types.
_PLACES: Final = {
    "Adviser": "zermelo.play.advice",
    "Comparison": "zermelo.engines.compare.comparison",
    "Contrast": "zermelo.engines.compare.comparison",
    "Diagnostic": "zermelo.text.diagnostic",
    "DocumentNotUsable": "zermelo.text.errors",
    "ExploreOptions": "zermelo.core.space",
    "Game": "zermelo.api.game",
    "GameGraph": "zermelo.api.game",
    "GameNode": "zermelo.api.game",
    "GameState": "zermelo.api.game",
    "Graph": "zermelo.core.graph",
    "GraphFormat": "zermelo.core.graph",
    "KillingPlay": "zermelo.api.mutating",
    "LegalMoves": "zermelo.api.game",
    "LibraryGame": "zermelo.api.loading",
    "Limits": "zermelo.core.limits",
    "Machine": "zermelo.core.machine",
    "Model": "zermelo.core.model",
    "Move": "zermelo.core.state",
    "MoveAmbiguous": "zermelo.text.errors",
    "MoveError": "zermelo.text.errors",
    "MoveNotAllowed": "zermelo.text.errors",
    "MoveNotUnderstood": "zermelo.text.errors",
    "Mutant": "zermelo.core.model",
    "MutantTried": "zermelo.api.mutating",
    "Mutants": "zermelo.api.mutating",
    "Notation": "zermelo.text.source",
    "OutOfTime": "zermelo.text.budget",
    "Outcome": "zermelo.core.machine",
    "Parting": "zermelo.engines.compare.comparison",
    "Player": "zermelo.core.signature",
    "Playouts": "zermelo.core.space",
    "Progress": "zermelo.core.limits",
    "Reading": "zermelo.core.signature",
    "Readings": "zermelo.api.game",
    "Report": "zermelo.api.questions",
    "Row": "zermelo.engines.check.trials",
    "Signature": "zermelo.core.signature",
    "Skill": "zermelo.play.advice",
    "Solved": "zermelo.engines.solve.values",
    "Space": "zermelo.core.space",
    "State": "zermelo.core.state",
    "TextFormat": "zermelo.api.texts",
    "UsageError": "zermelo.text.errors",
    "Value": "zermelo.core.values",
    "ValueKind": "zermelo.engines.solve.values",
    "ZermeloError": "zermelo.text.errors",
    "adviser": "zermelo.api.questions",
    "check": "zermelo.api.questions",
    "compare": "zermelo.api.comparing",
    "explore": "zermelo.api.questions",
    "export_text": "zermelo.api.texts",
    "expression": "zermelo.api.texts",
    "find": "zermelo.api.loading",
    "format_text": "zermelo.api.texts",
    "games": "zermelo.api.loading",
    "graph": "zermelo.api.questions",
    "graph_lines": "zermelo.api.questions",
    "keep_solution": "zermelo.api.questions",
    "load": "zermelo.api.loading",
    "load_bytes": "zermelo.api.loading",
    "load_text": "zermelo.api.loading",
    "mutants": "zermelo.api.mutating",
    "open_solution": "zermelo.api.questions",
    "page": "zermelo.api.texts",
    "playouts": "zermelo.api.questions",
    "plays": "zermelo.api.questions",
    "readings_table": "zermelo.api.questions",
    "solve": "zermelo.api.questions",
    "verify_solution": "zermelo.api.questions",
}

__all__ = list(_PLACES)


def __getattr__(name: str) -> object:
    """What is public under *name*, kept for the next who asks."""
    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - who asks for nothing needs none

    found = getattr(import_module(place), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_PLACES})
