"""Where a stuck player passes, compiled code finds who is next by itself."""

from __future__ import annotations

from unittest import mock

import pytest

from tests.support.agreement import assert_agree
from tests.support.small_documents import meant
from zermelo.core.state import PASS_MOVE, Move
from zermelo.languages.sections.compile.kernel import Kernel, kernel
from zermelo.languages.sections.run.interpreter import Interpreter

TWO = """\
Applicable Sets
  Nums : {1..4}
System Variables
  left, right ⊆ Nums
  turn, over ∈ {true, false}
System Facts
  over ↔ left ∪ right = Nums
System Initialization
  left, right = ∅
  turn = true
System States and Behavior
Put(p ∈ Nums)
  turn ∧ p ∉ left ∪ right ∧ p < 2 → left = left ∪ {p} ∧ turn = ¬turn
  ¬turn ∧ p ∉ left ∪ right → right = right ∪ {p} ∧ turn = ¬turn
End(over)
  result ∈ {A wins, B wins}
  over ∧ |left| ≥ |right| → result = A wins
  over ∧ |left| < |right| → result = B wins
Reading
  stuck player: passes
  players: A when turn, B when ¬turn
"""
THREE = """\
Applicable Sets
  Nums : {1..4}
System Variables
  taken ⊆ Nums
  who ∈ {1..3}
  over ∈ {true, false}
System Facts
  over ↔ taken = Nums
System Initialization
  taken = ∅
  who = 1
System States and Behavior
Put(p ∈ Nums)
  who = 1 ∧ p ∉ taken ∧ p < 2 → taken = taken ∪ {p} ∧ who = 2
  who = 2 ∧ p ∉ taken ∧ p > 9 → taken = taken ∪ {p} ∧ who = 3
  who = 3 ∧ p ∉ taken → taken = taken ∪ {p} ∧ who = 1
End(over)
  result ∈ {A wins, B wins, C wins}
  over ∧ who = 1 → result = A wins
  over ∧ who = 2 → result = B wins
  over ∧ who = 3 → result = C wins
Reading
  order: at once
  stuck player: passes
  players: A when who = 1, B when who = 2, C when who = 3
"""


@pytest.mark.parametrize("text", [TWO, THREE], ids=["two players", "one who never moves"])
@pytest.mark.parametrize("is_compiled", [False, True], ids=["as Python", "compiled"])
def test_passing_needs_no_interpreter(text: str, *, is_compiled: bool) -> None:
    machine = Interpreter(meant(text))
    made = kernel(machine, compiled=is_compiled)
    assert isinstance(made, Kernel)

    passes = 0
    waiting, seen = [machine.initial], {machine.initial}
    with mock.patch.object(Kernel, "_told", side_effect=AssertionError("the interpreter is asked")):
        while waiting:
            state = waiting.pop()
            moves = machine.legal(state)
            assert made.legal(state) == moves
            passes += Move(PASS_MOVE) in moves
            after = {machine.after(state, move) for move in moves}
            assert {made.after(state, move) for move in moves} == after
            waiting += after - seen
            seen |= after

    assert passes > 0
    assert_agree(machine, made)
