"""Random plays with OpenSpiel, its Python loop over games written in C++.

    python playouts.py GAME SECONDS

Needs `open_spiel` from PyPI and nothing of Zermelo; prints one JSON object.
"""

import json
import random
import sys
import time

import pyspiel  # type: ignore[import-not-found]  # lives in an environment of its own


def playouts(name: str, seconds: float) -> dict[str, object]:
    """How many random plays of *name* can be made in *seconds*, and how they end."""
    game = pyspiel.load_game(name)
    choose = random.Random(1).choice
    plays = plies = first = second = 0
    start = time.perf_counter()
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(choose(state.legal_actions()))
            plies += 1
        won = state.returns()[0]
        first += won > 0
        second += won < 0
        plays += 1
        if plays % 64 == 0 and time.perf_counter() - start > seconds:
            break
    return {
        "playouts": plays,
        "plies": plies,
        "first": first,
        "second": second,
        "draws": plays - first - second,
        "seconds": round(time.perf_counter() - start, 3),
    }


if __name__ == "__main__":
    print(json.dumps(playouts(sys.argv[1], float(sys.argv[2]))))
