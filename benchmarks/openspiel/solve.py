"""A game solved with OpenSpiel: every state listed by `get_all_states`, then valued from the end.

    python solve.py GAME

Needs `open_spiel` from PyPI and nothing of Zermelo; prints one JSON object. The values are made
by one pass over the states, the longest histories first, which is the fastest way that the list
of all states allows: value iteration goes over the same list again and again.
"""

import json
import resource
import sys
import time

import pyspiel  # type: ignore[import-not-found]  # lives in an environment of its own
from open_spiel.python.algorithms import get_all_states  # type: ignore[import-not-found]  # as above


def solve(name: str) -> dict[str, object]:
    """The value of *name* for the first player, with what finding it took."""
    game = pyspiel.load_game(name)
    start = time.perf_counter()
    states = get_all_states.get_all_states(
        game, depth_limit=-1, include_terminals=True, to_string=str
    )
    listed = time.perf_counter() - start
    values: dict[str, float] = {}
    for key, state in sorted(states.items(), key=lambda each: -each[1].move_number()):
        if state.is_terminal():
            values[key] = state.returns()[0]
            continue
        after = [values[str(state.child(action))] for action in state.legal_actions()]
        values[key] = max(after) if state.current_player() == 0 else min(after)
    root = values[str(game.new_initial_state())]
    return {
        "states": len(states),
        "value": {1.0: "win", 0.0: "draw", -1.0: "loss"}[root],
        "by_value": {
            word: sum(value == number for value in values.values())
            for word, number in (("first", 1.0), ("draw", 0.0), ("second", -1.0))
        },
        "list_seconds": round(listed, 3),
        "seconds": round(time.perf_counter() - start, 3),
        "resident": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }


if __name__ == "__main__":
    print(json.dumps(solve(sys.argv[1])))
