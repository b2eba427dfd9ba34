"""Variables that are functions: declared, applied, changed and given first values."""

from __future__ import annotations

import pytest

from tests.support.agreement import assert_agree
from tests.support.small_documents import meant
from zermelo.core.values import Atom
from zermelo.languages.sections.compile.kernel import Kernel, kernel
from zermelo.languages.sections.run.interpreter import Interpreter

DOCUMENT = """\
Applicable Sets
  I : {{1..3}}
  V : {{0..9}}
  C : {{red, blue}}
System Variables
  heap : I → V
  colour : C → I
System Initialization
  {first}
System States and Behavior
Change(i ∈ I, j ∈ I)
  {rule}
"""


def machine(first: str, rule: str = "heap(i) > 0 → heap(i) = heap(i) − 1") -> Interpreter:
    return Interpreter(meant(DOCUMENT.format(first=first, rule=rule)))


@pytest.mark.parametrize(
    "first",
    [
        "heap = {(1, 4), (2, 0), (3, 4)}",
        "heap(1) = 4\n  heap(2) = 0\n  heap(3) = 4",
        "heap(i) = 4\n  heap(2) = 0",
        "∀i: heap(i) = 4\n  heap(2) = 0",
        "∀i ∈ I: heap(i) = 4\n  heap(2) = 0",
        "heap(i) = 4 · (i mod 2)",
    ],
)
def test_first_values_come_as_pairs_place_by_place_or_for_all_places(first: str) -> None:
    made = machine(f"{first}\n  colour(c) = 1")

    assert made.initial["heap"] == frozenset({(1, 4), (2, 0), (3, 4)})
    assert made.initial["colour"] == frozenset({(Atom("red"), 1), (Atom("blue"), 1)})


def test_changes_of_one_conclusion_see_the_function_before_it() -> None:
    rule = "i < j → heap(i) = heap(j) ∧ heap(j) = heap(i) ∧ colour(red) = i"
    made = machine("heap(i) = i\n  colour(c) = 2", rule)

    after = {made.after(made.initial, move)["heap"] for move in made.legal(made.initial)}

    assert after == {
        frozenset({(1, 2), (2, 1), (3, 3)}),
        frozenset({(1, 3), (2, 2), (3, 1)}),
        frozenset({(1, 1), (2, 3), (3, 2)}),
    }


@pytest.mark.parametrize(
    "rule",
    [
        "heap(i) > 0 → heap(i) = heap(i) − 1",
        "heap(i) > heap(j) → heap(j) = heap(i) ∧ heap(i) = heap(j) ∧ colour(blue) = j",
        "colour(red) ≠ i ∧ heap(colour(red)) < 9 → heap(colour(red)) = heap(i) ∧ colour(red) = i",
        "j ∉ ran(colour) ∧ |dom(heap)| = 3 → colour = override(colour, {(red, j), (blue, i)})",
        "only({k ∈ I | heap(k) = 1}) = i → heap(i) = second((7, j))",
        "heap(heap(i)) = j → heap(j) = max({heap(1), heap(2)})",
    ],
)
def test_kernels_do_what_the_interpreter_does(rule: str) -> None:
    made = machine("heap(i) = i\n  colour(red) = 1\n  colour(blue) = 3", rule)

    for is_compiled in (False, True):
        code = kernel(made, compiled=is_compiled)
        assert isinstance(code, Kernel)
        assert_agree(made, code)


def test_a_place_without_a_value_is_a_fault_that_names_it() -> None:
    made = machine("heap = {(1, 2)}\n  colour(c) = 1")

    (fault,) = {str(fault.message) for fault in made.faults(made.initial).values()}

    assert fault.startswith("`heap(i)` has no value")
