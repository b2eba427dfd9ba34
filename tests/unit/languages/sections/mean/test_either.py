"""``△``, ``⊕`` and ``⊻``: what is in one of two sets, and whether one of two formulas holds."""

from __future__ import annotations

import pytest

from tests.support.agreement import assert_agree
from tests.support.small_documents import meant
from zermelo.languages.sections.compile.kernel import Kernel, kernel
from zermelo.languages.sections.run.interpreter import Interpreter

DOCUMENT = """\
Applicable Sets
  V : {{0..4}}
  B : {{true, false}}
System Variables
  A, C ⊆ V
  p, q ∈ B
System Initialization
  A = {{1, 2}}
  C = ∅
  p, q = true
System States and Behavior
Flip(v ∈ V)
  {rule}
"""


@pytest.mark.parametrize("sign", ["△", "∆", "⊕", "⊻", "\\triangle ", "\\oplus ", "xor", "symdiff"])
def test_every_spelling_means_the_same_by_kind(sign: str) -> None:
    rule = (
        f"p {sign} (v < 3) ∨ v = 0 → A = A {sign} {{v, 2}} ∧ p = q {sign} (v ∈ A) ∧ q = p {sign} q"
    )
    made = Interpreter(meant(DOCUMENT.format(rule=rule)))

    after = {move.arguments[0]: made.after(made.initial, move) for move in made.legal(made.initial)}

    # p is true at first, so the guard wants v ≥ 3, or v = 0
    assert {v: state["A"] for v, state in after.items()} == {
        0: frozenset({0, 1}),
        3: frozenset({1, 3}),
        4: frozenset({1, 4}),
    }
    assert all(bool(state["p"]) and not bool(state["q"]) for state in after.values())


def test_kernels_do_what_the_interpreter_does() -> None:
    rule = "p △ q ∨ v < 3 → A = A △ {v} △ C ∧ p = p ⊕ (v ∈ A) ∧ C = {1, 2} △ {v} ∧ q = p ⊻ q"
    made = Interpreter(meant(DOCUMENT.format(rule=rule)))

    for is_compiled in (False, True):
        code = kernel(made, compiled=is_compiled)
        assert isinstance(code, Kernel)
        assert_agree(made, code)


def test_a_triangle_that_is_listed_is_a_value() -> None:
    text = DOCUMENT.format(rule="v ∉ A → A = A △ {v}")
    text = text.replace("System Variables", "  S : {△, ♠}\nSystem Variables\n  x ∈ S")
    made = Interpreter(meant(text.replace("  C = ∅", "  C = ∅\n  x = △")))

    assert str(made.initial["x"]) == "△"
