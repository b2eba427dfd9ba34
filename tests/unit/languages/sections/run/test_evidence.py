"""Why parts of guards hold or do not: witnesses, counterexamples, functions, facts, sets.

The expected values were worked out by hand from the documents.
"""

from dataclasses import replace

import pytest

from tests.support.meaning import meant
from zermelo.core.commentary import (
    AllTried,
    Evidence,
    FactValue,
    FunctionValue,
    NotWorkedOut,
    SetValue,
    TermValue,
    Witness,
    evidence_json,
    evidence_text,
)
from zermelo.core.state import Move
from zermelo.languages.sections.ir import Order, System
from zermelo.languages.sections.run import evidence as finding
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.run.procedures import Conjunct, RuleEvent
from zermelo.text.prose import TIE

DOCUMENT = """
Applicable Sets
  N : {1..9}
  B : {true, false}
System Variables
  A, C ⊆ N
  W ⊆ 𝒫(N)
  found, go ∈ B
System Facts
  W = {A} ∪ {C}
  found ↔ ∃w ∈ W: |w| = 3 ∧ ∑_{a∈w} a < 15
System Initialization
  A = {3, 5, 6}
  C = {1, 2, 7, 9}
  go = false
System States and Behavior
low(m ⊆ N, top ∈ N) = ∃x ∈ m: x < top
common(m ⊆ N) = |m ∩ C|
Step(n ∈ N)
  GUARD → go = true
"""


def machine_with(guard: str) -> Interpreter:
    # A fact that is true or false is taken for the end, which is not asked about here.
    return Interpreter(replace(meant(DOCUMENT.replace("GUARD", guard)), over=None))


def asked(guard: str, n: int = 1) -> Conjunct:
    """The last part of *guard* that was reached when ``Step(n)`` was tried."""
    machine = machine_with(guard)
    turn = machine.explained(machine.turn(machine.initial, Move("Step", (n,))))
    (event,) = (each for each in turn.events if isinstance(each, RuleEvent))
    return [part for part in event.conjuncts if part.holds is not None][-1]


def why(guard: str, n: int = 1) -> str:
    return evidence_text(asked(guard, n).evidence).replace(TIE, " ")


def one(guard: str, n: int = 1) -> Evidence:
    (evidence,) = asked(guard, n).evidence
    return evidence


def test_a_member_that_makes_it_hold_is_the_witness_of_some() -> None:
    found = one("∃w ∈ W: |w| = 3 ∧ ∑_{a∈w} a < 15")

    assert isinstance(found, Witness)
    assert not found.is_counterexample
    assert found.names == (("w", frozenset({3, 5, 6})),)
    assert found.parts == (TermValue("∑_{a∈w} a", 14, noun="sum"),)
    assert evidence_text([found]).replace(TIE, " ") == "w = {3, 5, 6}, sum 14"


def test_of_several_witnesses_the_first_in_canonical_order_is_taken() -> None:
    assert why("∃x ∈ N: x > 4") == "x = 5"


def test_a_counterexample_shows_why_not_all_do() -> None:
    assert not asked("∀w ∈ W: |w| = 3").holds
    assert why("∀w ∈ W: |w| = 3") == "not for w = {1, 2, 7, 9}: |w| = 4"


def test_of_a_conjunction_the_part_that_fails_is_shown() -> None:
    assert why("∀w ∈ W: |w| = 3 ∧ ∑_{a∈w} a < 14") == "not for w = {3, 5, 6}: sum 14"


def test_where_no_member_decides_it_is_said_how_many_there_are() -> None:
    assert one("∃w ∈ W: |w| = 5") == AllTried(
        "∃w ∈ W: |w| = 5", holds=False, names="w", domain="W", size=2
    )
    assert why("∃w ∈ W: |w| = 5") == "no w in W (2 members)"
    assert why("∀w ∈ W: |w| ≥ 3") == "every w in W (2 members)"
    assert why("∀x ∈ A ∩ C: x = 5") == "A ∩ C is empty"


def test_quantifiers_inside_each_other_give_one_witness_after_the_other() -> None:
    assert why("∃x ∈ A: ∃y ∈ C: x + y = 15") == "x = 6, y = 9"
    assert why("∃x ∈ A: ∀y ∈ C: x ≠ y + 1") == "x = 5, every y in C (4 members)"


def test_a_pair_is_bound_by_its_components() -> None:
    assert why("∃(x, y) ∈ A × C: x + y = 15") == "x = 6, y = 9"


def test_a_function_shows_its_arguments_its_value_and_why() -> None:
    found = one("low(A, n)", 4)

    assert isinstance(found, FunctionValue)
    assert found.text == "low(A, n)"
    assert found.arguments == (("m", frozenset({3, 5, 6})), ("top", 4))
    assert why("low(A, n)", 4) == "low(A, n) = true with m = {3, 5, 6}, top = 4: x = 3"


def test_of_a_function_that_counts_it_is_shown_what_is_counted() -> None:
    assert why("common({n, 7}) > 2", 9) == ("common({n, 7}) = 2 with m = {7, 9}: m ∩ C = {7, 9}")


def test_a_fact_is_followed_to_its_definition() -> None:
    found = one("found")

    assert isinstance(found, FactValue)
    assert found.holds
    assert evidence_text([found], of="found").replace(TIE, " ") == "w = {3, 5, 6}, sum 14"
    assert why("¬found") == "found = true: w = {3, 5, 6}, sum 14"


def test_of_a_disjunction_that_holds_only_what_decides_it_is_shown() -> None:
    assert why("n ∈ C ∨ n ∈ A", 3) == "n = 3, A = {3, 5, 6}"
    assert why("n ∈ C ∨ n ∈ A", 4) == "n = 4, C = {1, 2, 7, 9}, A = {3, 5, 6}"


def test_an_implication_without_its_premise_shows_that() -> None:
    assert why("(n ∈ A → n > 8)", 4) == "n = 4, A = {3, 5, 6}"
    assert why("(n ∈ A → n > 8)", 5) == "n = 5, A = {3, 5, 6}"


def test_a_membership_shows_its_set_with_the_member_that_is_asked_for() -> None:
    large = frozenset((x, y) for x in range(1, 10) for y in range(1, 4))

    assert asked("(n, 2) ∈ N × {1..3}", 8).evidence == (
        TermValue("(n, 2)", (8, 2)),
        SetValue("N × {1..3}", large, (8, 2)),
    )
    assert why("(n, 2) ∈ N × {1..3}", 8) == (
        "(n, 2) = (8, 2), N × {1..3} = {(1, 1), (1, 2), (1, 3), (2, 1), …, (8, 2), … 22 more}"
    )


def test_a_value_that_the_formula_says_itself_is_not_repeated() -> None:
    assert why("|A| = 3") == ""
    assert why("|A| = 4") == "|A| = 3"


def test_members_for_which_there_is_no_value_are_passed_over() -> None:
    assert why("∃x ∈ {0..3}: 6 / x = 3") == "x = 2"


def test_the_locals_of_a_rule_are_not_changed_by_looking_for_evidence() -> None:
    machine = machine_with("(∃n ∈ A: n > 5) ∧ n = 1")
    plain = machine.turn(machine.initial, Move("Step", (1,)))
    again = machine.explained(plain)

    assert plain.has_effect
    assert (again.after, again.fired) == (plain.after, plain.fired)


def test_turns_that_nobody_asks_about_have_no_evidence() -> None:
    machine = machine_with("found")
    (event,) = machine.turn(machine.initial, Move("Step", (1,))).events[1:]

    assert isinstance(event, RuleEvent)
    assert event.conjuncts[0].evidence == ()


def test_evidence_that_takes_too_long_is_said_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "_STEPS", 2_000)
    guard = "∃x ⊆ N: ∃y ⊆ N: |x ∩ y| > 8"
    found = one(guard)

    assert found == NotWorkedOut(guard)
    assert asked(guard).holds


FROZEN = """
Applicable Sets
  N : {1..3}
System Variables
  A, F ⊆ N
System Facts
  F = N − A
System Initialization
  A = ∅
System States and Behavior
Take(n ∈ N)
  n ∈ F → A = A ∪ {n}
  ∃x ∈ F: x = n → A = A ∪ {3}
"""


@pytest.mark.parametrize(
    ("order", "text"),
    [(Order.IN_ORDER, "no x in F (2 members)"), (Order.FACTS_FROZEN, "x = 1, n = 1")],
)
def test_evidence_sees_facts_as_the_rule_does(order: Order, text: str) -> None:
    machine = Interpreter(_with_order(meant(FROZEN), order))
    turn = machine.explained(machine.turn(machine.initial, Move("Take", (1,))))
    rules = [each for each in turn.events if isinstance(each, RuleEvent)]

    assert evidence_text(rules[1].conjuncts[0].evidence).replace(TIE, " ") == text


def _with_order(system: System, order: Order) -> System:
    return replace(
        system, procedures=tuple(replace(each, order=order) for each in system.procedures)
    )


def test_evidence_is_json_too() -> None:
    assert evidence_json(one("∃w ∈ W: |w| = 3 ∧ ∑_{a∈w} a < 15")) == {
        "kind": "witness",
        "text": "∃w ∈ W: |w| = 3 ∧ ∑_{a∈w} a < 15",
        "names": {"w": [3, 5, 6]},
        "evidence": [{"kind": "value", "text": "∑_{a∈w} a", "value": 14}],
    }
    assert evidence_json(one("∀w ∈ W: |w| = 3"))["kind"] == "counterexample"
    assert evidence_json(one("∃w ∈ W: |w| = 5")) == {
        "kind": "all tried",
        "text": "∃w ∈ W: |w| = 5",
        "holds": False,
        "domain": "W",
        "members": 2,
    }
    assert evidence_json(one("low(A, n)", 4)) == {
        "kind": "function",
        "text": "low(A, n)",
        "value": True,
        "names": {"m": [3, 5, 6], "top": 4},
        "evidence": [
            {
                "kind": "witness",
                "text": "∃x ∈ m: x < top",
                "names": {"x": 3},
                "evidence": [],
            },
        ],
    }
