"""A state with very many moves does not carry a run beyond its limit of states."""

import json
from pathlib import Path

import pytest

from tests.support.command import zermelo as run

SECTIONS = """\
Applicable Sets
  N : {1..40}
System Variables
  a, b ∈ N
  is_first ∈ {true, false}
System Initialization
  a = 1
  b = 1
  is_first = true
System States and Behavior
Go(x ∈ N, y ∈ N)
  is_first → a = x ∧ b = y ∧ is_first = false
"""
NET = """\
#place p lo(<.0.>) hi(<.40.>) mk(<.1..40.>)
#place q lo(<.0.>) hi(<.40.>) mk(<.1..40.>)
#place r lo(<.0,0.>) hi(<.40,40.>)
#trans t
in { p: <.x.>; q: <.y.>; }
out { r: <.x,y.>; p: <.x.>; }
#endtr
"""
STATES = 100


@pytest.fixture(params=["wide.md", "wide.net"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A document with 1,600 moves in its first state."""
    made = tmp_path / str(request.param)
    made.write_text(SECTIONS if made.suffix == ".md" else NET, "utf-8")
    return made


def test_its_first_state_has_very_many_moves(path: Path) -> None:
    moves = run("play", str(path), typed="moves\nquit\n").out

    assert "1,600" in moves or "1600" in moves


@pytest.mark.parametrize("command", ["explore", "graph", "check"])
def test_the_limit_of_states_is_kept(path: Path, command: str) -> None:
    ran = run(command, str(path), "--states", str(STATES), "--json")

    told = json.loads(ran.out)
    found = told.get("space", told)
    assert found.get("states", found.get("nodes")) == STATES
    assert found["cut"] == f"stopped at {STATES} states"


CUBE = """\
Applicable Sets
  N : {{1..200}}
System Variables
  a, b, c ∈ N
System Initialization
  a = 1
  b = 1
  c = 1
System States and Behavior
Go(x ∈ N, y ∈ N, z ∈ N)
  {guard} → a = x ∧ b = y ∧ c = z
"""


@pytest.mark.parametrize("guard", ["x < y ∧ y < z ∧ x ≠ a", "x + y + z > a + b + c"])
def test_moves_that_take_too_long_to_try_are_no_reason_to_refuse_a_document(
    tmp_path: Path, guard: str
) -> None:
    path = tmp_path / "cube.md"
    path.write_text(CUBE.format(guard=guard), "utf-8")

    played = run("play", str(path), typed="2 3 4\nquit\n")
    checked = run("check", str(path), "--states", "10")

    assert (played.code, checked.code) == (0, 0)
    assert "a = 2   b = 3   c = 4" in played.out
    assert "The moves Go cannot be listed" in played.out
    # Nothing was played, so nothing is said of what was not seen.
    assert "Z613" not in checked.out
