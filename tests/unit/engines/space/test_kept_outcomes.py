"""What is kept of outcomes is what was counted, however far a run had looked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.small_documents import heap_text
from zermelo.api import loading
from zermelo.core.adapter import MachineExpander
from zermelo.core.limits import UNLIMITED, Limits
from zermelo.core.space import Space
from zermelo.engines.space.staged import explore_in_stages


@pytest.mark.parametrize("missing", range(1, 13))
def test_a_run_of_the_interpreter_goes_on_wherever_it_was_stopped(
    missing: int, tmp_path: Path
) -> None:
    def run(limits: Limits, folder: Path) -> Space:
        machine = loading.load_text(heap_text(40)).machine
        return explore_in_stages(
            MachineExpander(machine),
            None,
            initial=machine.initial,
            limits=limits,
            checkpoint=folder,
        )

    expected = run(UNLIMITED, tmp_path / "whole")
    run(Limits(states=expected.states - missing), tmp_path / "kept")
    found = run(UNLIMITED, tmp_path / "kept")

    assert (found.states, found.by_depth) == (expected.states, expected.by_depth)
    assert [(e.outcome, e.count) for e in found.endings] == [
        (e.outcome, e.count) for e in expected.endings
    ]
