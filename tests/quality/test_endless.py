"""Reading takes little more than twice as long for twice as much, and comes to an end."""

import cProfile
import pstats
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.growing import LED, SECTIONS, sections
from tests.support.project import ROOT, SOURCE
from zermelo.api import loading
from zermelo.text import codes
from zermelo.text.budget import OverBudget, TooDeep, budget, spend

SIZE = 24
GROWTH = 2.3
"""Twice as much, and a little more."""
STEPS_OF_A_CALL = 0.2
"""So many steps are counted at least for each call of a function: nothing is overlooked."""


def cost(text: str, name: str) -> tuple[int, int]:
    """How many calls of functions, and how many steps, it takes to read *text*."""
    with budget() as spent:
        profile = cProfile.Profile()
        profile.enable()
        loading.load_text(text, name=name)
        profile.disable()
    return sum(row[1] for row in pstats.Stats(profile).stats.values()), spent.spent  # type: ignore[attr-defined]


def assert_grows_little(make: Callable[[int], str], name: str) -> None:
    cost(make(1), name)  # What is imported or made once is there.
    calls, _ = cost(make(SIZE), name)
    more_calls, more_steps = cost(make(2 * SIZE), name)

    assert more_calls < GROWTH * calls
    assert more_steps > STEPS_OF_A_CALL * more_calls


@pytest.mark.long
@pytest.mark.parametrize("grows", SECTIONS)
def test_a_document_twice_as_large_costs_little_more_than_twice(grows: str) -> None:
    assert_grows_little(SECTIONS[grows], "document.md")


@pytest.mark.long
@pytest.mark.parametrize("grows", LED)
def test_a_program_twice_as_large_costs_little_more_than_twice(grows: str) -> None:
    assert_grows_little(LED[grows], "program.led")


def said_of(text: str, name: str = "document.md") -> list[str]:
    return [each.message for each in loading.load_text(text, name=name).diagnostics]


def test_errata_that_double_a_word_are_not_applied_beyond_the_longest_line() -> None:
    errata = "\n".join(['  "n" → "n n": why'] * 16)
    said = said_of(sections(behind=f"Errata\n{errata}"))

    assert any("words and signs; at most 10,000 are read" in each for each in said)


def test_a_set_too_large_for_the_room_there_is_is_refused_before_it_is_made() -> None:
    text = sections(sets="  K : {1..1000}", rules="  t = {(a, b, c) | a ∈ K, b ∈ K, c ∈ K}")
    game = loading.load_text(text)

    assert game.model is None
    assert [each.code for each in game.diagnostics] == [codes.TOO_MUCH_WORK]
    assert "steps or more" in game.diagnostics[0].message


def test_names_that_stand_for_each_other_too_deeply_are_refused() -> None:
    chain = "\n".join(f"  S{i} : S{i + 1}" for i in range(1500))
    said = said_of(sections(sets=chain))

    assert any("nested too deeply" in each for each in said)


def test_a_state_that_is_put_into_itself_is_a_fault_of_the_program() -> None:
    code = "/$\nledGame\ninitialState := {}\nnewState := {currentState}\nimages := {}\n$/\n"
    game = loading.load_text(code, name="deep.led")
    machine = game.machine
    state = machine.initial
    while machine.legal(state):
        state = machine.after(state, machine.legal(state)[0])

    (fault,) = machine.faults(state).values()
    assert "more than 200 sets and tuples would stand in each other" in fault.message


def test_a_budget_that_is_spent_says_what_for_and_how_much() -> None:
    with budget(steps=10):
        spend(7, "reading")
        with pytest.raises(OverBudget) as raised:
            spend(7, "listing")

    assert (raised.value.needed, raised.value.allowed) == (14, 10)
    assert "listing" in str(raised.value)


def test_nesting_beyond_the_stack_is_said_where_steps_are_counted() -> None:
    def deeper() -> int:
        return 1 + deeper()

    with pytest.raises(TooDeep), budget(steps=10):
        deeper()


def test_of_a_file_without_end_only_a_part_is_read(tmp_path: Path) -> None:
    long = tmp_path / "long.md"
    with long.open("wb") as file:
        file.write(b"System Facts\n")
        file.truncate(3_000_000_000)

    (said,) = loading.load(long).diagnostics
    assert "3,000,000,000 bytes, and at most 1,000,000 are read" in said.message
    (endless,) = loading.load("/dev/zero").diagnostics
    assert "more than 1,000,000 bytes" in endless.message


MEMORY = 500 * 2**20
SECONDS = 10
FEWER = 20
"""Each document gets a twentieth of the steps, so that hundreds of them can be tried."""

SCRIPT = f"""
import resource, signal, sys
resource.setrlimit(resource.RLIMIT_DATA, ({MEMORY}, {MEMORY}))
from tests.support.growing import bombs
from zermelo.api import loading
loading.STEPS //= {FEWER}
for name, text in bombs(200, seed=1913):
    signal.setitimer(signal.ITIMER_PROF, {SECONDS})
    game = loading.load_text(text, name=name)
    print(name, game.model is not None, len(game.diagnostics))
"""


@pytest.mark.long
def test_documents_that_ask_for_endless_work_are_answered() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        check=False,
        capture_output=True,
        encoding="utf-8",
        timeout=1200,
        env={"PYTHONPATH": f"{SOURCE}:{ROOT}", "PYTHONUTF8": "1"},
    )
    assert done.returncode == 0, (done.stdout[-200:], done.stderr[-2000:])
    assert len(done.stdout.splitlines()) == 200
