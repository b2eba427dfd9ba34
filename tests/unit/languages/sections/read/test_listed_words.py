"""Words that stand for sets elsewhere, and are values where a document lists them."""

import pytest

from tests.support.meaning import meant
from zermelo.core.values import Atom
from zermelo.languages.sections.run.interpreter import Interpreter

DOCUMENT = """
Applicable Sets
  D : {LISTED}
  A : {1, 2}
System Variables
  d ∈ D
  n ∈ N
  left ⊆ A
System Initialization
  d = FIRST
  n = 0
  left = ∅
System States and Behavior
Go(t ∈ D)
  d ≠ t ∧ n < 3 → d = t ∧ n = n + 1
"""


@pytest.mark.parametrize(
    ("listed", "first"),
    [
        ("empty, half, full", "empty"),
        ("N, E, S, W", "N"),
        ("empty, 1, 2", "empty"),
        ("X, Y, Z", "Z"),
    ],
)
def test_a_word_for_a_set_is_a_word_where_it_is_listed_beside_others(
    listed: str, first: str
) -> None:
    machine = Interpreter(meant(DOCUMENT.replace("LISTED", listed).replace("FIRST", first)))

    assert machine.initial["d"] == Atom(first)
    assert machine.initial["left"] == frozenset()
    assert len(machine.legal(machine.initial)) == listed.count(",")


def test_alone_or_beside_sets_it_is_the_set() -> None:
    text = DOCUMENT.replace("LISTED", "empty, A").replace("FIRST", "empty")

    assert Interpreter(meant(text)).initial["d"] == frozenset()
