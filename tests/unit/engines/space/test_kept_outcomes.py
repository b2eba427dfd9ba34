"""What is kept of outcomes is what was counted, however far a run had looked."""

from __future__ import annotations

from pathlib import Path

import pytest

from zermelo.api import loading
from zermelo.core.adapter import MachineExpander
from zermelo.core.limits import UNLIMITED, Limits
from zermelo.core.space import Space
from zermelo.engines.space.staged import explore_in_stages

HEAP = """
Applicable Sets
  H : {0..40}
  B : {true, false}
System Variables
  heap ∈ H
  first, over ∈ B
System Facts
  over ↔ (heap = 0)
System Initialization
  heap = 40
  first = true
System States and Behavior
Take(n ∈ {1, 2, 3})
  n ≤ heap → heap = heap − n ∧ first = ¬first
GameOver(over)
  result ∈ {first wins, second wins}
  over ∧ first → result = second wins
  over ∧ ¬first → result = first wins
"""


@pytest.mark.parametrize("states", range(70, 82))
def test_a_run_of_the_interpreter_goes_on_wherever_it_was_stopped(
    states: int, tmp_path: Path
) -> None:
    def run(limits: Limits, folder: Path) -> Space:
        machine = loading.load_text(HEAP).machine
        return explore_in_stages(
            MachineExpander(machine),
            None,
            initial=machine.initial,
            limits=limits,
            checkpoint=folder,
        )

    expected = run(UNLIMITED, tmp_path / "whole")
    run(Limits(states=states), tmp_path / "kept")
    found = run(UNLIMITED, tmp_path / "kept")

    assert (found.states, found.by_depth) == (expected.states, expected.by_depth)
    assert [(e.outcome, e.count) for e in found.endings] == [
        (e.outcome, e.count) for e in expected.endings
    ]
