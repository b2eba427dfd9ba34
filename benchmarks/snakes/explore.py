"""Reachable markings with SNAKES, a library for Petri nets in Python.

    python explore.py philosophers N [STATES]
    python explore.py tic-tac-toe

Needs `snakes` from PyPI and nothing of Zermelo; prints one JSON object. With STATES it stops
after so many markings, for it takes minutes where others take a second.
"""

import json
import sys
import time
from itertools import islice

from snakes.nets import (  # type: ignore[import-not-found]  # lives in an environment of its own
    Expression,
    MultiArc,
    PetriNet,
    Place,
    StateGraph,
    Transition,
    Tuple,
    Variable,
)

LINES = tuple(tuple(line) for line in ("abc", "def", "ghi", "adg", "beh", "cfi", "aei"))


def philosophers(count: int) -> PetriNet:
    """Philosophers who take their forks one by one, in any order."""
    net = PetriNet("philosophers")
    everyone = list(range(1, count + 1))
    for name, tokens in (
        ("thinks", everyone),
        ("has_left", []),
        ("has_right", []),
        ("eats", []),
        ("fork", everyone),
    ):
        net.add_place(Place(name, tokens))
    p, other = Variable("p"), Expression(f"p % {count} + 1")
    for name, source, fork, target in (
        ("left_first", "thinks", p, "has_left"),
        ("right_first", "thinks", other, "has_right"),
        ("then_right", "has_left", other, "eats"),
        ("then_left", "has_right", p, "eats"),
    ):
        gate = Expression("True" if fork is p else f"q == p % {count} + 1")
        net.add_transition(Transition(name, gate))
        net.add_input(source, name, p)
        net.add_input("fork", name, p if fork is p else Variable("q"))
        net.add_output(target, name, p)
    net.add_transition(Transition("finish"))
    net.add_input("eats", "finish", p)
    net.add_output("thinks", "finish", p)
    net.add_output("fork", "finish", MultiArc([p, other]))
    return net


def tic_tac_toe() -> PetriNet:
    """The board as one token with nine components, as the net in the library has it."""
    won = " or ".join(f"({x} != 0 and {x} == {y} == {z})" for x, y, z in LINES)
    drawn = " and ".join(f"(1 in ({x},{y},{z}) and 2 in ({x},{y},{z}))" for x, y, z in LINES)
    net = PetriNet("tic-tac-toe")
    net.add_place(Place("board", [(0,) * 9]))
    net.add_place(Place("turn", [1]))
    cells = "abcdefghi"
    board = Tuple([Variable(cell) for cell in cells])
    for cell in cells:
        name = f"mark_{cell}"
        net.add_transition(
            Transition(name, Expression(f"{cell} == 0 and not ({won}) and not ({drawn})"))
        )
        net.add_input("board", name, board)
        net.add_input("turn", name, Variable("t"))
        after = ",".join("t" if each == cell else each for each in cells)
        net.add_output("board", name, Expression(f"({after})"))
        net.add_output("turn", name, Expression("3 - t"))
    net.add_transition(Transition("rest", Expression(drawn)))
    net.add_input("board", "rest", board)
    net.add_output("board", "rest", Expression(f"({','.join(cells)})"))
    return net


def explored(net: PetriNet, most: int | None) -> dict[str, object]:
    """How many markings there are, or how long the first *most* of them take."""
    began = time.perf_counter()
    graph = StateGraph(net)
    followed = sum(1 for _ in islice(graph, most))
    return {
        "states": len(graph) if most is None else followed,
        "seconds": round(time.perf_counter() - began, 3),
    }


if __name__ == "__main__":
    name, *words = sys.argv[1:]
    made = tic_tac_toe() if name == "tic-tac-toe" else philosophers(int(words[0]))
    limit = int(words[1]) if len(words) > 1 else None
    print(json.dumps(explored(made, limit)))
