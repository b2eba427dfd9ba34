"""LED games, beside programs that play the same games without LED.

Those below are written from the words of the documents and share nothing with the engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from itertools import chain, combinations, product
from pathlib import Path
from typing import TypeVar

import pytest

from zermelo.api import loading
from zermelo.core.machine import Machine
from zermelo.core.state import Move, State

HERE = Path(__file__).parent
Node = TypeVar("Node", bound=Hashable)

Place = tuple[int, int]
Walk = tuple[Place, frozenset[Place]]
START: Walk = ((1, 1), frozenset({(3, 1), (2, 2), (4, 2)}))
STEPS = {"LEFT": (-1, 0), "RIGHT": (1, 0), "UP": (0, 1), "DOWN": (0, -1)}


def walks(walk: Walk) -> set[Walk]:
    """Where one frame leads without R, with any of the other keys held and any crate clicked."""
    (x, y), crates = walk
    if (x, y) == (4, 3):
        return set()
    found = {((x, y), crates - {crate}) for crate in crates}
    held = chain.from_iterable(combinations(STEPS, number) for number in range(5))
    for arrows, pace in product(held, (1, 2)):
        dx = 1 if "RIGHT" in arrows else -1 if "LEFT" in arrows else 0
        dy = 1 if "UP" in arrows else -1 if "DOWN" in arrows else 0
        to = (x + pace * dx, y + pace * dy)
        if 1 <= to[0] <= 4 and 1 <= to[1] <= 3 and to not in crates:
            found.add((to, crates))
    return found - {walk}


def takings(heaps: tuple[int, ...]) -> set[tuple[int, ...]]:
    """A stone or two are taken, or the last move is taken back."""
    if heaps[-1] == 0:
        return set()
    onward = {(*heaps, heaps[-1] - taken) for taken in (1, 2) if taken <= heaps[-1]}
    return onward | ({heaps[:-1]} if len(heaps) > 1 else set())


def undoings(cells: tuple[int, ...]) -> set[tuple[int, ...]]:
    """A free cell is taken unless somebody has a row, or the last move is taken back."""
    sides = (set(cells[::2]), set(cells[1::2]))
    has_row = any(row <= side for side in sides for row in ({1, 2}, {3, 4}))
    free = set() if has_row else {1, 2, 3, 4} - set(cells)
    return {(*cells, cell) for cell in free} | ({cells[:-1]} if cells else set())


def pickings(at: tuple[int, int, int, int, str]) -> set[tuple[int, int, int, int, str]]:
    """The left or the right one of the coins that lie there is taken."""
    left, right, first, second, mover = at
    found = set()
    for taken, lie in ((left, (left + 1, right)), (right, (left, right - 1))):
        worth = {1: 2, 2: 5, 3: 3}[taken] if left <= right else 0
        if mover == "a" and worth:
            found.add((*lie, first + worth, second, "b"))
        elif worth:
            found.add((*lie, first, second + worth, "a"))
    return found


def space(start: Node, after: Callable[[Node], set[Node]]) -> dict[Node, set[Node]]:
    found: dict[Node, set[Node]] = {}
    waiting = [start]
    for at in waiting:
        if at not in found:
            found[at] = after(at)
            waiting += found[at]
    return found


def explored(machine: Machine) -> dict[Hashable, set[Hashable]]:
    def after(state: State) -> set[State]:
        return {machine.after(state, move) for move in machine.legal(state)}

    found = space(machine.initial, after)
    return {at.values[0]: {each.values[0] for each in to} for at, to in found.items()}


@pytest.mark.parametrize(
    ("name", "start", "after", "states", "steps"),
    [
        # Of twelve fields those without a crate, for each of the eight sets of crates.
        ("crates", START, walks, 84, 580),
        # 20 = f(5) with f(n) = 1 + f(n - 1) + f(n - 2); 19 steps onward and 11 back.
        ("stones", (5,), takings, 20, 30),
        # 1, 4, 12 and 24 plays of up to three moves, 8 with a row; 16 of four; and back.
        ("undo", (), undoings, 57, 112),
    ],
)
def test_a_game_has_the_states_and_steps_of_a_plain_program(
    name: str, start: Hashable, after: Callable[..., set[Hashable]], states: int, steps: int
) -> None:
    plain = space(start, after)

    assert explored(loading.load(HERE / f"{name}.led").machine) == plain
    assert (len(plain), sum(map(len, plain.values()))) == (states, steps)


def test_who_takes_the_last_stone_loses_though_the_text_begins_otherwise() -> None:
    machine = loading.load(HERE / "stones.led").machine
    start: tuple[int, ...] = (5,)
    ends = [
        outcome
        for heaps in space(start, takings)
        if (outcome := machine.outcome(State((heaps,), machine.initial.names))) is not None
    ]

    # Of the sums of five ones and twos, those with 3 or 5 parts end with a move of player 1.
    assert Counter(map(str, ends)) == {"2 wins": 4, "1 wins": 4}


def test_beginning_again_is_nobodys_move_and_taking_back_is_one() -> None:
    machine = loading.load(HERE / "stones.led").machine
    state = machine.after(machine.initial, Move("click", (100, 100)))

    # Both lead to the first state; the click for taking back lies outside of the other's region.
    back = [move for move in machine.legal(state) if machine.after(state, move) == machine.initial]
    assert back == [Move("click", (499, 650))]
    assert machine.after(state, Move("click", (499, 750))) == machine.initial


def test_taking_coins_from_either_end_has_the_plays_of_a_plain_program() -> None:
    plain = space((1, 3, 0, 0, "a"), pickings)
    found = explored(loading.load(HERE / "coins.led").machine)

    # Two choices for each of three coins, and no two plays lead to the same state.
    assert len(found) == len(plain) == 15
    scores = sorted(state[2:4] for state in plain if state[0] > state[1])
    assert sorted(at[2:4] for at in found if isinstance(at, tuple) and at[0] > at[1]) == scores
