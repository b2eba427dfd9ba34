"""Every construct has a kernel, and it does what the interpreter does: one small document each."""

from __future__ import annotations

import pytest

from tests.support.agreement import assert_agree
from tests.support.small_documents import document, meant
from zermelo.languages.sections.compile.kernel import Kernel, kernel
from zermelo.languages.sections.run.interpreter import Interpreter

CONSTRUCTS = {
    "two rules that conflict at once": document(
        "Put(p ∈ Nums)",
        "  p ∉ left → count = p",
        "  p > 1 → count = 2",
        "  p ∉ left → left = left ∪ {p}",
        variables="count ∈ {0..4}",
        first="left = ∅\ncount = 0",
        reading="order: at once",
    ),
    "facts that are frozen while rules change what they are made of": document(
        "Put(p ∈ Nums)",
        "  p ∈ free → left = left ∪ {p}",
        "  p ∈ free → turn = ¬turn",
        variables="free ⊆ Nums",
        facts="free = Nums − left",
        reading="order: facts frozen",
    ),
    "variables that exchange their values": document(
        "Swap()",
        "  turn = turn → left = right ∧ right = left",
        "Put(p ∈ Nums)",
        "  p ∉ left → left = left ∪ {p}",
        variables="right ⊆ Nums",
        first="left = {1}\nright = {2}",
    ),
    "a set that was unset and becomes empty": document(
        "Put(p ∈ Nums)",
        "  p = 1 → right = ∅",
        "  p = 2 → right = {2}",
        "  p = 3 ∧ 2 ∈ right → turn = ¬turn",
        variables="right ⊆ Nums",
    ),
    "all, some and none of a set, where some members have no value": document(
        "Put(p ∈ Nums)",
        "  (∃(x, y) ∈ held: 6 / (x − p) > y + total) → turn = ¬turn",
        "  (∀(x, y) ∈ held: 6 / (x − p) > y − total) → total = (total + 1) mod 3",
        "  (p, p) ∉ held → held = held ∪ {(p, p)}",
        variables="held ⊆ Cells\ntotal ∈ ℕ",
        first="left = ∅\nheld = ∅\ntotal = 0",
    ),
    "subsets, proper and not": document(
        "Put(p ⊆ Nums)",
        "  p ⊂ left → left = p",
        "  p ⊈ left → left = left ∪ p",
        "  p ⊆ left ∧ |p| = 1 → turn = ¬turn",
        first="left = {1, 2}",
    ),
    "quotients rounded up and down, of negative numbers too": document(
        "Put(p ∈ More)",
        "  ⌊(total − 5) / 2⌋ + ⌈(total − 4) / 3⌉ = −p → total = total + p",
        "  ⌈(total − 6) / 4⌉ < p − 1 → turn = ¬turn",
        "  p ∉ left ∧ p > 0 → left = left ∪ {p}",
        variables="total ∈ ℕ",
        first="left = ∅\ntotal = 2",
    ),
    "a remainder that does not always have a value": document(
        "Put(p ∈ More)",
        "  total mod (p − 2) = 0 ∧ p > 0 → left = left ∪ {p}",
        "  p = 3 → total = total + 1",
        variables="total ∈ ℤ",
        first="left = ∅\ntotal = 4",
    ),
    "a local outside its declaration, skipped": document(
        "Put(p ∈ Nums)",
        "  u ∈ Nums",
        "  u = p + 1",
        "  p ∉ left → left = left ∪ {p}",
        "  p ∈ left → left = left − {u}",
    ),
    "a local outside its declaration, which stops": document(
        "Put(p ∈ Nums)",
        "  u ∈ Nums",
        "  u = p + 1",
        "  p ∉ left → left = left ∪ {p}",
        reading="value outside: stop",
    ),
    "an input without effect that costs the turn": document(
        "Put(p ∈ Nums)",
        "  p ∉ left → left = left ∪ {p}",
        "End()",
        "  turn = turn → turn = ¬turn",
        reading="input without effect: costs the turn",
    ),
    "a stuck player who passes": document(
        "Put(p ∈ Nums)",
        "  turn ∧ p ∉ left ∧ p < 3 → left = left ∪ {p}",
        "  ¬turn ∧ p ∉ left → left = left ∪ {p}",
        reading="stuck player: passes",
    ),
    "a flag that guides later rules": document(
        "Put(p, q ∈ Nums)",
        "  p ∈ left ∧ q = p + 1 → ok = ¬ok",
        "  ok ∧ q ∉ left → left = (left − {p}) ∪ {q} ∧ ok = ¬ok",
        variables="ok ∈ {true, false}",
        first="left = {1}\nok = false",
        reading="flag ok: fresh",
    ),
    "a helper that goes on by itself": document(
        "Put(p ∈ Nums)",
        "  p ∉ left → Fill(p)",
        "Fill(h ∈ Nums)",
        "  h ∉ left → left = left ∪ {h} ∧ Fill(h + 1) ∧ Fill(h − 1)",
    ),
    "rules inside a conclusion, and calls between them": document(
        "Put(p ∈ Nums)",
        "  p ∉ left → left = left ∪ {p} ∧ (p = 2 → turn = ¬turn ∧ Drop(1)) ∧ Drop(p − 1)",
        "Drop(h ∈ Nums)",
        "  h ∈ left ∧ turn → left = left − {h}",
    ),
    "lines in a set of sets": document(
        "Put(p ∈ Cells)",
        "  p ∉ held → held = held ∪ {p}",
        "  |𝒫(held) ∩ Lines| > 1 → turn = ¬turn",
        "  held ∈ Lines → left = left ∪ {|held|}",
        sets="Lines : {{(x, y) ∈ Cells | x = n} | n ∈ Nums} ∪ {{(1, 1), (2, 2)}}",
        variables="held ⊆ Cells",
        first="left = ∅\nheld = ∅",
    ),
    "sums, products and sizes": document(
        "Put(p ∈ Nums)",
        "  ∑_{x∈left} x < 6 ∧ p ∉ left → left = left ∪ {p}",
        "  ∏_{x∈left} x = 2 → count = |Nums − left|",
        variables="count ∈ {0..6}",
        first="left = ∅\ncount = 0",
    ),
    "value functions of sets and of numbers": document(
        "Worth(m ⊆ Nums) = ∑_{x∈m} x",
        "Even(a ∈ Nums) = a mod 2 = 0",
        "Row(a ∈ Nums) = {(x, y) ∈ Cells | x = a}",
        "Put(p ∈ Nums)",
        "  p ∉ left ∧ Worth(left ∪ {p}) < 5 → left = left ∪ {p}",
        "  Even(p) ∧ |Row(p)| = 3 → turn = ¬turn",
    ),
    "pairs taken apart": document(
        "Go(p ∈ Cells)",
        "  (a, b) = at",
        "  (c, d) = p",
        "  c = a + 1 ∧ d = b ∨ c = a ∧ d = b + 1 → at = (c, d)",
        variables="at ∈ Cells",
        first="left = ∅\nat = (1, 1)",
    ),
    "a number without a bound": document(
        "Put(p ∈ Nums)",
        "  p ∉ left → left = left ∪ {p} ∧ total = total + p",
        "  p ∈ left ∧ total > 2 → total = total · 2",
        variables="total ∈ ℕ",
        first="left = ∅\ntotal = 0",
    ),
    "words, and a result that starts unset": document(
        "Put(p ∈ Nums)",
        "  p ∉ left ∧ ink = pale red → left = left ∪ {p} ∧ ink = blue",
        "  p ∉ left ∧ ink = blue → left = left ∪ {p} ∧ ink = pale red",
        "End(over)",
        "  result ∈ {one wins, two wins}",
        "  over ∧ ink = blue → result = one wins",
        "  over ∧ ink ≠ blue → result = two wins",
        sets="Inks : {pale red, blue}",
        variables="ink ∈ Inks\nover ∈ {true, false}",
        facts="over ↔ |left| > 1",
        first="left = ∅\nink = blue",
        reading="order: at once",
    ),
}


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_the_construct_has_a_kernel_that_does_what_the_interpreter_does(name: str) -> None:
    machine = Interpreter(meant(CONSTRUCTS[name]))

    made = kernel(machine, compiled=False)

    assert isinstance(made, Kernel), made
    assert_agree(machine, made)


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_the_document_of_the_construct_says_something(name: str) -> None:
    """A document that is not understood, or in which nothing happens, would test nothing."""
    machine = Interpreter(meant(CONSTRUCTS[name]))

    assert machine.initial_faults == ()
    assert machine.legal(machine.initial) or machine.faults(machine.initial)
