"""How far a long run has come, in a real terminal: what matters is seen, however narrow it is."""

import re

import pytest

from tests.support.terminal import Terminal


@pytest.mark.parametrize("columns", [80, 40])
def test_the_time_that_is_left_is_seen_in_a_narrow_terminal(columns: int) -> None:
    terminal = Terminal("explore", "pegs", "--depth", "7", "--seconds", "600", columns=columns)

    shown, code = terminal.rest()

    assert code == 0
    lines = [line for line in re.split(r"[\r\n]+", shown) if "exploring:" in line]
    assert lines
    assert all(len(line) < columns for line in lines)
    # The limit is a basis for a forecast from the first second on.
    if columns == 80:
        assert all(re.search(r"(states?|deep|waiting|a second) *$", line) for line in lines)
    told = [line for line in lines if " left; " in line]
    assert told
    assert all(re.match(r" +at most \d+ min left; exploring: \d", line) for line in told)


def test_no_forecast_is_made_while_levels_become_larger() -> None:
    terminal = Terminal("explore", "pegs", "--depth", "5", columns=80)

    shown, code = terminal.rest()

    assert code == 0
    assert " left;" not in shown
    assert "perhaps" not in shown
