"""One state at a time: what ends are worth, and how an expander is asked."""

from dataclasses import replace

import numpy as np
import pytest

from tests.support.expanders import compiled, heap, listed
from tests.support.project import TESTS
from zermelo.api import loading
from zermelo.api.game import Game
from zermelo.core.machine import Ending, Outcome
from zermelo.engines.search.search import AlphaBetaSearch, SearchLimits
from zermelo.engines.search.steps import LOSS, NEITHER, WIN, NativeSteps, moves_of, worths
from zermelo.engines.solve.values import ValueKind
from zermelo.fast import jit
from zermelo.fast.bits import Registered, address, call5
from zermelo.languages.sections.compile.kernel import Kernel


def test_an_outcome_is_worth_something_to_each_player() -> None:
    signature = heap(3).machine.signature

    assert worths(signature, Outcome(Ending.WIN, ("First",), ("Second",))) == (WIN, LOSS)
    assert worths(signature, Outcome(Ending.DRAW)) == (NEITHER, NEITHER)
    assert worths(signature, Outcome(Ending.STUCK)) == (NEITHER, NEITHER)
    assert worths(signature, Outcome(Ending.LOSS, (), ("First", "Second"))) == (NEITHER, NEITHER)


def test_a_loser_among_three_makes_nobody_win() -> None:
    signature = loading.load(TESTS / "documents" / "three-players.md").machine.signature

    lost = Outcome(Ending.LOSS, (), ("Player 2",))

    assert worths(signature, lost) == (NEITHER, LOSS, NEITHER)


def test_ends_are_numbered_stuck_players_first() -> None:
    steps = NativeSteps(compiled(heap(3)))

    assert steps.end(0) is None
    assert steps.end(2) == Outcome(Ending.STUCK)
    ends = {str(steps.end(number)): number for number in (4, 5)}
    assert set(ends) == {"First wins", "Second wins"}
    assert steps.worth(ends["First wins"], 0) == WIN
    assert steps.worth(ends["First wins"], 1) == LOSS


def test_the_moves_of_a_state_are_the_same_from_interpreter_and_kernel() -> None:
    game = loading.load("tic-tac-toe")

    rows = [
        successors(game, NativeSteps(each)) for each in (listed(game), compiled(game, native=False))
    ]

    assert rows[0] == rows[1]
    assert len(rows[0]) == 9


def test_where_code_cannot_tell_the_expander_as_a_whole_is_asked() -> None:
    game = heap(5)
    steps = NativeSteps(listed(game))
    unsure = Registered(lambda *_: -1)

    assert successors(game, steps, unsure) == successors(game, steps)


def test_compiled_loops_can_ask_the_expander_too() -> None:
    steps = NativeSteps(compiled(heap(5)))
    block = steps.block(8)
    expander = steps.expander
    start = np.ascontiguousarray(expander.pack(heap(5).machine.initial))
    states = np.zeros((4, steps.words), dtype=np.int64)
    moves = np.zeros(4, dtype=np.int64)

    count = call5(int(block[7]), 0, address(start), address(states), address(moves), 0)

    assert count == 2
    assert [str(expander.move(int(code))) for code in moves[:2]] == ["Take(1)", "Take(2)"]


def test_a_compiled_loop_asks_where_compiled_code_cannot_tell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = heap(7)
    unit = jit.Unit(
        name="unsure",
        source="def unsure(tables, row, states, moves, fires):\n    return -1",
        exports=("unsure",),
    )
    unsure = jit.load(unit)["unsure"]
    kernel = compiled(game)
    changed = replace(kernel.native, successors=unsure.address)
    monkeypatch.setattr(Kernel, "native", property(lambda _: changed))

    found = AlphaBetaSearch(kernel).find(game.machine.initial, effort=SearchLimits())

    # 7 leave 6, which lose in 4
    assert (found.proof.kind, found.proof.plies) == (ValueKind.WIN, 5)


def successors(
    game: Game, steps: NativeSteps, instead: Registered | None = None
) -> list[list[int]]:
    """The states after the moves of the first state, asked as a loop asks."""
    first = game.machine.initial
    block = steps.block(8)
    if instead is not None:
        block[0] = instead.address
    start = np.ascontiguousarray(steps.expander.pack(first), dtype=np.int64)
    states = np.zeros((16, steps.words), dtype=np.int64)
    moves = np.zeros(16, dtype=np.int64)
    count = moves_of(address(block), address(start), address(states), address(moves))
    return [[int(word) for word in row] for row in states[:count]]
