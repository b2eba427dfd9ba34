"""A check finds the same with generated code as with the machine alone."""

from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from tests.support.project import ROOT
from zermelo.api import loading
from zermelo.core.limits import Limits
from zermelo.core.space import Walked
from zermelo.engines.check import generated
from zermelo.engines.check.check import explore
from zermelo.text import budget

DOCUMENTS = sorted(
    path
    for folder in ("tests/documents", "tests/documents/nets")
    for path in (ROOT / folder).iterdir()
    if path.suffix in {".md", ".txt", ".tex", ".net", ".pnml"}
)
# A set without a list of members, fractions looked up in a set, names of which no set is known.
WITHOUT_CODE = frozenset({"exchange.md", "hops.txt", "rabbit.md", "same-row.md"})
LIMITS = (Limits(states=250), Limits(moves=333), Limits(depth=3, states=500))
FIRST = 10
"""So many moves of the machine come before those of the code."""


@pytest.fixture(autouse=True)
def _soon() -> Iterator[None]:
    with mock.patch.object(generated, "MOVES_OF_THE_MACHINE", FIRST):
        yield


@pytest.mark.slow
@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_generated_code_finds_what_the_machine_finds(path: Path) -> None:
    model = loading.load(str(path)).model
    assert model is not None

    assert (model.generated() is None) is (path.name in WITHOUT_CODE)
    for limits in LIMITS:
        code = explore(model.machine(), generate=model.generated, limits=limits)
        machine = explore(model.machine(), limits=limits)
        assert said(code) == said(machine)


def said(space: Walked) -> dict[str, object]:
    states = space.walk.nodes
    return {
        "space": space,
        "states": states,
        "names": [state.names for state in states],
        "turns": space.turns,
        "plays": [space.walk.play(state) for state in states],
    }


def test_moves_of_the_code_count_and_no_more_than_those_of_the_machine() -> None:
    model = loading.load(str(ROOT / "games" / "pegs" / "pegs.md")).model
    assert model is not None
    limits = Limits(moves=2_000)
    with budget.budget(steps=10**9) as with_code:
        explore(model.machine(), generate=model.generated, limits=limits)
    with budget.budget(steps=10**9) as alone:
        explore(model.machine(), limits=limits)

    assert 0.1 < with_code.spent / alone.spent < 1


def test_a_check_that_has_no_steps_left_stops_in_the_code_too() -> None:
    model = loading.load(str(ROOT / "games" / "pegs" / "pegs.md")).model
    assert model is not None

    found = explore(model.machine(), generate=model.generated, limits=Limits(steps=1_000_000))

    assert found.cut == "stopped after 1,000,000 steps"
    assert FIRST < found.moves < 20_000


LATE = """
Applicable Sets
  K : {0..900}
  A : {1..60}
System Variables
  n ∈ K
System Initialization
  n = 0
System States and Behavior
Step()
  n < 900 → n = n + 1
Big(a ∈ A, b ∈ A, c ∈ A)
  n > 40 ∧ a · b · c + n = 1000000 → n = 0
"""
"""From its 41st state on, 216,000 arguments are tried in each."""


def test_states_that_take_long_after_many_that_do_not_use_up_the_steps() -> None:
    model = loading.load_text(LATE).model
    assert model is not None
    limits = Limits(steps=8_000_000)

    code = explore(model.machine(), generate=model.generated, limits=limits)
    machine = explore(model.machine(), limits=limits)

    assert code.cut == machine.cut == "stopped after 8,000,000 steps"
    # A state that takes more than what is left is not followed, by either of them.
    assert 41 <= machine.followed <= code.followed < 60
