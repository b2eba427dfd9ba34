"""In which direction formulas lean on variables; the directions were found by hand."""

import pytest

from tests.support.meaning import meant
from zermelo.languages.sections.mean.terms.formulas import formula
from zermelo.languages.sections.mean.terms.leanings import Leanings

SYSTEM = meant("""
Applicable Sets
  P : {1..4}
  L : {{1, 2}, {3, 4}}
  B : {true, false}
System Variables
  X, Y, Free ⊆ P
  a, b ∈ {0..9}
  joined, over ∈ B
System Facts
  Free = P − (X ∪ Y)
  joined ↔ (∃w ∈ L: w ⊆ X)
  over ↔ joined ∧ Free = ∅
System Initialization
  X, Y = ∅
  a, b = 0
System States and Behavior
lines(s ⊆ P) = |{w ∈ L | w ⊆ s}|
Mark(p ∈ P)
  p ∈ Free → X = X ∪ {p} ∧ a = a + 1
  p ∈ X → Y = Y ∪ {p} ∧ b = b + 1
""")


def leanings(text: str) -> set[str]:
    expr = formula(text, None, system=SYSTEM, names={}).value
    assert expr is not None
    return {f"{name} {lean.name.lower()}" for name, lean in Leanings(SYSTEM).of(expr)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 ∈ X", {"X more"}),
        ("1 ∉ X", {"X less"}),
        ("{1, 2} ⊆ X", {"X more"}),
        ("X ⊆ {1, 2}", {"X less"}),
        ("¬({1, 2} ⊆ X)", {"X less"}),
        ("|X| = 0", {"X less"}),
        ("X ≠ ∅", {"X more"}),
        ("|X| > |Y|", {"X more", "Y less"}),
        ("a < b", {"a less", "b more"}),
        ("a = 3", {"a less", "a more"}),
        ("a − b ≥ 2", {"a more", "b less"}),
        ("X − Y = ∅", {"X less", "Y more"}),
        ("∀p ∈ X: p ∈ Y", {"X less", "Y more"}),
        ("∃p ∈ X: p ∉ Y", {"X more", "Y less"}),
        ("1 ∈ X → 2 ∈ Y", {"X less", "Y more"}),
        ("Free = ∅", {"X more", "Y more"}),
        ("joined", {"X more"}),
        ("¬joined", {"X less"}),
        ("over", {"X more", "Y more"}),
        ("lines(X) > lines(Y)", {"X more", "Y less"}),
        ("|X| = |Y|", {"X more", "X less", "Y more", "Y less"}),
    ],
)
def test_a_formula_leans_on_what_brings_it_nearer(text: str, expected: set[str]) -> None:
    assert leanings(text) == expected


def test_what_has_to_hold_together_is_found_in_facts_too() -> None:
    expr = formula("over ∧ 1 ∈ X", None, system=SYSTEM, names={}).value
    assert expr is not None

    assert len([*Leanings(SYSTEM).conjuncts(expr)]) == 3
