"""Solving in stages: symmetries and compiled code change nothing but the time it takes."""

import itertools
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.expanders import compiled, heap, interpreter, listed
from tests.support.models import Compiling
from tests.support.project import TESTS
from tests.support.understood import system_of
from zermelo.api import loading
from zermelo.api.game import Game
from zermelo.core.expander import Expander
from zermelo.core.limits import Limits, Progress
from zermelo.core.state import State
from zermelo.engines.solve import solve as solve_staged
from zermelo.engines.solve.solution import Solution, opened, save
from zermelo.engines.solve.solution_file import SolutionFile
from zermelo.engines.solve.solve import solve, solve_model, usable, verified_solution
from zermelo.engines.solve.values import ValueKind
from zermelo.engines.solve.verify import verify
from zermelo.engines.space import staged
from zermelo.text.budget import OutOfRoom, OutOfTime

CORNERS = """\
Applicable Sets
  N : {1, 2}
  P : N × N
  B : {true, false}
System Variables
  Red, Blue, Free ⊆ P
  turn, over ∈ B
System Facts
  Free = P − (Red ∪ Blue)
  over ↔ Free = ∅ ∨ {(1, 1), (2, 2)} ⊆ Red ∨ {(1, 2), (2, 1)} ⊆ Red
System Initialization
  Red, Blue = ∅
  turn = true
System States and Behavior
Take(p ∈ P)
  turn ∧ p ∈ Free → Red = Red ∪ {p} ∧ turn = ¬turn
  ¬turn ∧ p ∈ Free → Blue = Blue ∪ {p} ∧ turn = ¬turn
GameOver(over)
  result ∈ {Red wins, draw}
  over ∧ ({(1, 1), (2, 2)} ⊆ Red ∨ {(1, 2), (2, 1)} ⊆ Red) → result = Red wins
  over ∧ ¬({(1, 1), (2, 2)} ⊆ Red ∨ {(1, 2), (2, 1)} ⊆ Red) → result = draw
Reading
  order: in order
  players: Red when turn, Blue when ¬turn
"""
"""Red wants two opposite cells of four; Blue takes the one opposite to Red's first."""


def model(game: Game, make: Callable[[], Expander | str] | None = None) -> Compiling:
    """The model of *game*, with the compiled code that *make* makes."""
    return Compiling(system_of(game), make)


def solved(expander: Expander, first: State, *, is_reduced: bool) -> Solution:
    corners = model(loading.load_text(CORNERS))
    reduction = usable(corners, expander) if is_reduced else None
    assert (reduction is not None) is is_reduced
    return solve(expander, expander.pack(first), threads=1, reduction=reduction)


def test_with_symmetries_every_value_is_the_same() -> None:
    game = loading.load_text(CORNERS)
    machine, expander = interpreter(game), listed(game)

    plain = solved(expander, machine.initial, is_reduced=False)
    reduced = solved(expander, machine.initial, is_reduced=True)

    # The four cells may be moved by the 8 symmetries of a square.
    assert reduced.symmetries == 8
    assert reduced.classes < plain.classes == plain.states
    assert reduced.states == plain.states
    assert reduced.counted == plain.counted
    assert (str(plain.root), plain.root.winner) == ("draw in 4", None)
    for state in reachable(game):
        assert reduced.value(state) == plain.value(state)
        assert reduced.best(state) == plain.best(state)


def reachable(game: Game) -> list[State]:
    found = [game.machine.initial]
    for state in found:
        after = [game.machine.after(state, move) for move in game.machine.legal(state)]
        found += [each for each in dict.fromkeys(after) if each not in found]
    return found


@pytest.mark.parametrize("name", ["boxes.md", "capture.md", "invariant.md", "words.md"])
@pytest.mark.parametrize("most", [10**6, -1])
def test_with_symmetries_a_document_has_the_same_values(
    name: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zermelo.engines.solve.solve.MOST_MOVES", most)
    game = loading.load(TESTS / "documents" / name)
    machine, expander = interpreter(game), listed(game)
    first = expander.pack(machine.initial)

    plain = solve(expander, first, threads=1)
    reduced = solve(expander, first, threads=1, reduction=usable(model(game), expander))

    assert reduced.symmetries > 1
    assert (reduced.root, reduced.counted) == (plain.root, plain.counted)
    assert (reduced.stuck, reduced.notes) == (plain.stuck, plain.notes)


def test_a_solution_with_symmetries_is_kept_and_verified(tmp_path: Path) -> None:
    game = loading.load_text(CORNERS)
    machine, expander = interpreter(game), listed(game)
    path = tmp_path / "corners.solution"
    reduced = solved(expander, machine.initial, is_reduced=True)

    save(reduced, path)
    again = opened(path, expander, machine.initial, lambda: usable(model(game), expander))
    checked = verify(
        SolutionFile(path),
        expander,
        expander.pack(machine.initial),
        reduction=usable(model(game), expander),
    )

    assert (again.counted, again.line()) == (reduced.counted, reduced.line())
    assert again.symmetry == reduced.symmetry
    for state in itertools.islice(reachable(game), 12):
        assert again.value(state) == reduced.value(state)
    assert (checked.is_right, checked.states) == (True, reduced.classes)


def test_a_small_system_waits_for_nothing() -> None:
    def never() -> Expander | str:
        raise AssertionError("nothing is to be compiled for this")

    found = solve_model(model(heap(5), never))

    assert (found.root.kind, found.symmetries) == (ValueKind.WIN, 1)


def slowly(_: Progress) -> None:
    """Let other threads do their work first."""
    time.sleep(0.02)


def test_what_takes_longer_goes_on_with_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staged, "COMPILE_DELAY", -1.0)
    monkeypatch.setattr(solve_staged, "FEW", 3)
    game = loading.load_text(CORNERS)

    fast = compiled(game, native=False)

    found = solve_model(model(game, lambda: fast), listener=slowly)
    without = solve_model(model(game, lambda: fast), symmetry=False, listener=slowly)

    assert (found.symmetries, without.symmetries) == (8, 1)
    assert found.counted == without.counted
    assert str(found.root) == "draw in 4"


@pytest.mark.parametrize("stop", [OutOfTime("looking for symmetries"), OutOfRoom(1 << 20)])
def test_what_was_counted_before_symmetries_were_looked_for_is_told(
    monkeypatch: pytest.MonkeyPatch, stop: Exception
) -> None:
    monkeypatch.setattr(staged, "COMPILE_DELAY", -1.0)
    monkeypatch.setattr(solve_staged, "FEW", 3)
    game = loading.load_text(CORNERS)
    fast = compiled(game, native=False)

    def late(*_: object) -> None:
        raise stop

    monkeypatch.setattr(solve_staged, "usable", late)
    limits = Limits(seconds=1000)

    found = solve_model(model(game, lambda: fast), listener=slowly, limits=limits)

    assert found.classes == 3
    assert found.cut in {"stopped after 1000 seconds", str(OutOfRoom(1 << 20))}


def test_where_nothing_can_be_compiled_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staged, "COMPILE_DELAY", -1.0)

    found = solve_model(model(heap(300), lambda: "it is too strange"))

    assert found.root.kind is ValueKind.LOSS
    assert found.notes == (
        "this took longer than it should, as nothing could be compiled: it is too strange",
    )


def test_limits_hold_in_every_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staged, "COMPILE_DELAY", -1.0)
    monkeypatch.setattr(solve_staged, "FEW", 3)
    game = loading.load_text(CORNERS)

    fast = compiled(game, native=False)

    found = solve_model(model(game, lambda: fast), limits=Limits(states=4), listener=slowly)

    assert (found.root.kind, found.is_complete) == (ValueKind.UNKNOWN, False)


def test_what_was_just_solved_can_be_verified() -> None:
    small = model(heap(5))

    assert verified_solution(small, solve_model(small)).is_right
