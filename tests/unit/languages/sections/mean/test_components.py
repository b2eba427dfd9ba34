"""``p.1``: the components of a tuple."""

from __future__ import annotations

import pytest

from tests.support.agreement import assert_agree
from tests.support.elaboration import errors
from tests.support.small_documents import meant
from zermelo.languages.sections.compile.kernel import Kernel, kernel
from zermelo.languages.sections.run.interpreter import Interpreter

DOCUMENT = """\
Applicable Sets
  N : {{1..3}}
  P : N × N
System Variables
  at ∈ P
  Seen ⊆ P
System Initialization
  at = (1, 2)
  Seen = {{(1, 2)}}
System States and Behavior
Go(p ∈ P)
  {rule}
"""
KING = "p ≠ at ∧ |p.1 − at.1| ≤ 1 ∧ |p.2 − at.2| ≤ 1 → at = p ∧ Seen = Seen ∪ {p}"


def first_moves(rule: str) -> set[object]:
    made = Interpreter(meant(DOCUMENT.format(rule=rule)))
    return {move.arguments[0] for move in made.legal(made.initial)}


def test_components_stand_inside_bars() -> None:
    assert first_moves(KING) == {(1, 1), (1, 3), (2, 1), (2, 2), (2, 3)}


@pytest.mark.parametrize(
    "guard",
    [
        "p.1 + p.2^2 = at.1 + at.2^2",
        "(p, at).1.2 = 2 ∧ (p, at).1.1 = (at, p).1.1",
        "(∃q ∈ ({1}, p).1: q = 1) ∧ p = at",
        "first(p) = at.1 ∧ p.2 = second(at)",
    ],
)
def test_components_bind_like_a_call(guard: str) -> None:
    assert first_moves(f"{guard} → Seen = Seen ∪ {{(2, p.1)}}") == {(1, 2)}


def test_a_dot_behind_a_domain_is_still_a_colon() -> None:
    assert first_moves("∀q ∈ Seen.q.1 = p.1 ∧ p.2 = 3 → Seen = {p}") == {(1, 3)}
    assert first_moves("∀n ∈ N.1 ≤ n ∧ p = (3, 3) → Seen = {p}") == {(3, 3)}


@pytest.mark.parametrize(
    ("guard", "needs"),
    [
        ("p.3 = 1", "`.3` takes a tuple with 3 components or more, and is given `p`"),
        ("p.1.1 = 1", "`.1` takes a tuple, and is given"),
    ],
)
def test_what_has_no_such_component_is_said(guard: str, needs: str) -> None:
    (error,) = errors(DOCUMENT.format(rule=f"{guard} → Seen = {{p}}"))

    assert error.startswith(needs)


def test_kernels_do_what_the_interpreter_does() -> None:
    made = Interpreter(meant(DOCUMENT.format(rule=KING)))

    for is_compiled in (False, True):
        code = kernel(made, compiled=is_compiled)
        assert isinstance(code, Kernel)
        assert_agree(made, code)
