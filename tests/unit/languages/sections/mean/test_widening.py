"""Variables that the document takes beyond their sets; what they become is worked out by hand."""

from __future__ import annotations

import pytest

from zermelo.api.loading import load_text
from zermelo.core.layout import Count, Layout
from zermelo.languages.sections.compile.kernel import Kernel, kernel
from zermelo.languages.sections.printer import to_text
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.text.codes import Severity

GAME = """
Applicable Sets
  H : {{0..9}}
  B : {{true, false}}
System Variables
  n ∈ H
  turn, over ∈ B
System Facts
  over ↔ {over}
System Initialization
  n = {first}
  turn = true
System States and Behavior
Add(d ∈ {{1, 2, 3}})
  {rules}
GameOver(over)
  result ∈ {{first wins, second wins}}
  over ∧ ¬turn → result = first wins
  over ∧ turn → result = second wins
Reading
  players: first when turn, second when ¬turn
{reading}
"""
STEP = "d = 1 → n = n + 1 ∧ turn = ¬turn"


def text(over: str, rules: str, *, first: int = 0, reading: str = "") -> str:
    return GAME.format(over=over, rules=rules, first=first, reading=reading)


def machine(document: str, **choices: str) -> Interpreter:
    named = {name.replace("_", " "): choice for name, choice in choices.items()}
    found = load_text(document, readings=named).machine
    assert isinstance(found, Interpreter)
    return found


def domain(of: Interpreter) -> str:
    variable = of.system.variable("n")
    assert variable is not None
    assert variable.domain is not None
    return to_text(variable.domain)


@pytest.mark.parametrize(
    ("over", "rules", "expected"),
    [
        ("n = 12", STEP, "{0..12}"),
        ("n > 11", "d > 0 → n = n + d ∧ turn = ¬turn", "{0..14}"),
        ("n = 12", "n + d ≤ 12 → n = n + d ∧ turn = ¬turn", "{0..12}"),
        ("n + 1 = 13", STEP, "{0..12}"),
        ("n = 12", "d = 1 → n = 12 ∧ turn = ¬turn\n  d = 2 → n = 4 ∧ turn = ¬turn", "{0..12}"),
        ("n = −2", "d = 1 → n = n − 1 ∧ turn = ¬turn", "{−2..9}"),
        ("n < 0", "d > 0 → n = n − d ∧ turn = ¬turn", "{−3..9}"),
    ],
)
def test_a_number_goes_as_far_as_the_rules_take_it(over: str, rules: str, expected: str) -> None:
    document = text(over, rules)
    found = machine(document)

    assert domain(found) == expected
    said = [d for d in load_text(document).diagnostics if d.code.id == "Z420"]
    assert len(said) == 1
    assert said[0].help == f"declare `n ∈ {expected}`"
    assert isinstance(kernel(found, compiled=False), Kernel)


def test_the_layout_follows_the_wider_set() -> None:
    layout = machine(text("n = 12", STEP)).layout

    assert isinstance(layout, Layout)
    assert layout.field("n").shape == Count(0, 12)


def test_the_reading_may_keep_the_set_as_it_is_written() -> None:
    document = text("n = 12", STEP)
    for found in (
        machine(document, values_of_n="stop"),
        machine(document, domain_of_n="as written"),
        machine(text("n = 12", STEP, reading="  values of n: stop")),
    ):
        assert domain(found) == "H"
        state = found.initial
        for _ in range(9):
            (move,) = found.legal(state)
            state = found.after(state, move)
        assert found.legal(state) == ()
        (fault,) = found.faults(state).values()
        assert fault.message == "`n` is 10, which is not in H"


def test_what_is_chosen_is_a_note() -> None:
    game = load_text(text("n = 12", STEP, reading="  values of n: widened"))

    (said,) = [d for d in game.diagnostics if d.code.id == "Z420"]
    assert said.severity is Severity.NOTE


@pytest.mark.parametrize(
    ("over", "rules"),
    [
        ("n = 9", "d > 0 → n = n + d ∧ turn = ¬turn"),
        ("n = 9 ∨ n ≥ 12", STEP),
        ("n = 9", "n < 10 ∧ d = 1 → n = n + 1 ∧ turn = ¬turn"),
        ("n + 3 = 12", STEP),
    ],
)
def test_a_set_of_which_nothing_beyond_is_spoken_or_reached_is_kept(over: str, rules: str) -> None:
    document = text(over, rules)

    assert domain(machine(document)) == "H"
    assert "Z420" not in {d.code.id for d in load_text(document).diagnostics}


def test_a_number_that_only_rules_take_outside_is_widened_if_that_is_chosen() -> None:
    document = text("n ≥ 9", "d > 0 → n = n + d ∧ turn = ¬turn")

    assert domain(machine(document)) == "H"
    assert domain(machine(document, values_of_n="widened")) == "{0..11}"


def test_a_first_value_outside_is_the_same_reading() -> None:
    document = text("n = −2", "d = 1 → n = n + 1 ∧ turn = ¬turn", first=-4)

    assert domain(machine(document)) == "{−4..9}"
    assert domain(machine(document, values_of_n="stop")) == "H"
