"""Small documents on which a kernel or the interpreter was wrong once, found by random ones.

Each is what was left when everything that did not matter had been taken away.
"""

from __future__ import annotations

from itertools import product

import pytest

from tests.support.agreement import assert_agree
from tests.support.small_documents import document, meant
from zermelo.core.state import Move
from zermelo.core.values import in_order
from zermelo.languages.sections.compile.kernel import NotCompiled, kernel
from zermelo.languages.sections.ir import System
from zermelo.languages.sections.run.interpreter import Interpreter

KERNELS = {
    "a fault before the arguments of one move, and another move whose guard may have one": document(
        "Put(p ∈ Nums)",
        "  6 mod (n − 1) = 0 → left = left ∪ {n}",
        "  p ∉ left → left = left ∪ {p}",
        "Then()",
        "  n < 3 ∧ 6 mod n = 0 → n = n + 1",
        variables="n ∈ {0..3}",
        first="left = ∅\nn = 1",
    ),
    "a rule of the end without a value in some states, and rules behind it": document(
        "Put(p ∈ Nums)",
        "  p ∉ left → left = left ∪ {p} ∧ n = n − 1",
        "End()",
        "  6 mod n = 0 → turn = ¬turn",
        "  |left| / n > 1 → seen = left",
        variables="n ∈ {−3..3}\nseen ⊆ Nums",
        first="left = ∅\nn = 2\nseen = ∅",
    ),
    "a right side without a value, a call whose argument has none, and a local": document(
        "Put(p ∈ Nums)",
        "  k = 6 / (n − 1)",
        "  p ∉ left → left = left ∪ {p} ∧ n = 6 mod (p − 1)",
        "  p ∉ left → Help(6 mod (p − 2))",
        "  k > 1 → turn = ¬turn",
        "  n < 3 → n = n + 1 ∧ turn = ¬turn",
        "Help(a ∈ {0..3})",
        "  1 / a > 0 → left = left ∪ {a}",
        "  a = 0 → turn = ¬turn",
        variables="n ∈ {0..5}",
        first="left = ∅\nn = 1",
    ),
    "a helper that calls itself with a guard without a value": document(
        "Put(p ∈ Nums)",
        "  p ∉ left → Down(p)",
        "Down(a ∈ {0..3})",
        "  6 / a > 1 → left = left ∪ {a} ∧ Down(a − 1)",
        "  a = 0 → turn = ¬turn",
        first="left = ∅",
    ),
    "a fault for all arguments, at once, where an input without effect costs the turn": document(
        "Put(p ∈ Nums)",
        "  6 mod n = 0 → turn = ¬turn",
        "  p ∉ left ∧ turn → left = left ∪ {p}",
        "End()",
        "  n < 2 → n = n + 1",
        variables="n ∈ {0..3}",
        first="left = ∅\nn = 0",
        reading="order: at once\ninput without effect: costs the turn",
    ),
    "a set cut down by numbers of which some are no members": document(
        "Put(p ∈ Nums)",
        "  turn → turn = ¬turn",
        "  ¬turn → turn = ¬turn",
        "  seen = (left ∪ left) ∩ {0..1}",
        "End()",
        "  1 ∈ left → left = seen",
        variables="seen ⊆ Nums",
        first="left = {1, 3}\nseen = ∅",
        reading="flag seen: fresh",
    ),
    "a truth value that a rule may not have taken from a tuple": document(
        "Put(p ∈ Nums)",
        "  p ∈ left → (a, b) = both",
        "  p ∈ {1, 2} → both = (p, b) ∧ turn = ¬turn",
        variables="both ∈ Nums × {true, false}",
        first="left = {3}\nboth = (1, true)",
    ),
    "over when a set is not empty or a flag says so": document(
        "Put(p ∈ Nums)",
        "  p ∉ left → left = left ∪ {p}",
        "End(over)",
        "  result ⊆ {one wins, two wins}",
        "  2 ∈ left → result = result ∪ {two wins}",
        variables="ok ∈ {true, false}\ncount ∈ {0..4}\nover ∈ {true, false}",
        first="left = ∅\nok = true\ncount = 1",
        facts="over ↔ (result ≠ ∅ ∨ count = 2 ∧ ok)",
        reading="flag ok: fresh",
    ),
    "a fact that is empty, and of which a condition has no value": document(
        "Put(p ∈ Nums)",
        "  p ∉ left → left = left ∪ {p}",
        "  ∅ ∈ none → turn = ¬turn",
        sets="Wide : {1..27}",
        variables="lamp ∈ {true, false}\nheld ⊆ Wide",
        first="left = ∅\nheld = Wide",
        facts="some = {w ⊆ held | lamp}\nnone = (some − some) ∩ (∅ − {Wide})",
        reading="flag lamp: kept\nflag held: kept",
    ),
    "a value that is nested deeply, in each state": document(
        "Chain(a ∈ ℤ) = (a ≤ 0 ∨ Chain(a − 1))",
        "Put(p ∈ Nums)",
        "  p ∉ left ∧ Chain(count + 300) → left = left ∪ {p}",
        variables="count ∈ {0..4}",
        first="left = ∅\ncount = 1",
        reading="flag count: kept",
    ),
    "a value that is nested deeply, once for all": document(
        "Chain(a ∈ ℤ) = (a ≤ 0 ∨ Chain(a − 1))",
        "Put(p ∈ Nums)",
        "  p ∉ left ∧ Chain(300) → left = left ∪ {p}",
    ),
    "an unset pair is looked up in a set of sets": document(
        "Put(p ∈ Nums)",
        "  p ∉ left → left = left ∪ {p}",
        "End()",
        "  Cells ∪ {at} ∈ Lines ∧ 1 ∈ left → left = left − {1}",
        sets="Lines : {{(1, 1)}, Cells}",
        variables="at ∈ Cells",
    ),
    "a range up to a number that nothing bounds": document(
        "Put(p ∈ Nums)",
        "  p ∉ left → left = (left ∪ {p}) − {p..debt, 1}",
        variables="debt ∈ ℤ",
        first="left = ∅\ndebt = 2",
    ),
    "a listed set without itself": document(
        "Put()",
        "  u0 = count",
        "  u1 = {u0 + u0, u0}",
        "  turn → left = (u1 ∩ u1) − u1 ∧ turn = ¬turn",
        "  ¬turn → left = left ∪ {u0} ∧ turn = ¬turn",
        variables="count ∈ {0..4}",
        first="left = ∅\ncount = 1",
    ),
    "a move without rules beside a number without bounds": document(
        "Put()",
        "  left = left ∪ {total}",
        variables="total ∈ ℕ",
        first="left = ∅\ntotal = 1",
    ),
    "a move whose parameter has no values, beside another": document(
        "Never(p ∈ ∅)",
        "  p ∉ left → left = left ∪ {p}",
        "Put(p ∈ Nums)",
        "  p ∉ left → left = left ∪ {p}",
    ),
    "a variable whose set is empty": document(
        "Put(p ∈ Nums)",
        "  p ∉ left → left = left ∪ {p}",
        "End()",
        "  (a, b) = at",
        "  a ∈ left → left = left ∪ {a}",
        sets="None : {(r, q) ∈ Cells | r > 9}",
        variables="at ∈ None",
    ),
    "a value that is outside the set of a variable": document(
        "Put(p ∈ More)",
        "  turn → left = left ∪ {p} ∧ turn = ¬turn",
        "  p ∈ left → turn = ¬turn",
    ),
    "a fault behind a change": document(
        "Put(p ∈ {true, false})",
        "  2 ∈ left → left = {−1, 1}",
        "  turn = turn → left = left ∪ {1}",
        "  turn = turn → left = More ∧ turn = ¬turn",
        reading="order: facts frozen\nvalue outside: stop",
    ),
    "a sum of fractions that is whole": document(
        "Put(p ∈ Nums)",
        "  p ∉ left → left = left ∪ {p}",
        "End()",
        "  u0 = mark + mark",
        "  u0 ∈ left → left = left − {u0}",
        sets="Halves : {n / 2 | n ∈ Nums}",
        variables="mark ∈ Halves",
        first="left = ∅\nmark = 1",
    ),
    "a local outside its declaration in a part of a guard that is not reached": document(
        "Put(p ∈ Nums)",
        "  u0 ∈ {1, 2}",
        "  u0 = 12",
        "  p ∉ left → left = left ∪ {p}",
        "  (left ∈ Lines ∧ (u0, u0) ∈ Cells ↔ 1 ∉ Nums) → place = place − 1",
        sets="Lines : {{1}, {2, 3}}",
        variables="place ∈ {3, 4}",
        first="left = ∅\nplace = 4",
    ),
    "a local without a value in a condition on the members of nothing": document(
        "Put(p ∈ {true, false})",
        "  turn → left = left ∪ {1} ∧ turn = ¬turn",
        "  ¬p → u0 = p",
        "  {(a, b) ∈ None | ¬u0} ⊂ None → left = left ∪ {2}",
        sets="None : {(r, q) ∈ Cells | r > 9}",
    ),
    "a fraction compared with the numbers up to it": document(
        "Put(p ∈ Nums)",
        "  p ∉ left → left = left ∪ {p}",
        "End()",
        "  mark ∈ {0..mark} → left = left − {3}",
        sets="Halves : {n / 2 | n ∈ Nums}",
        variables="mark ∈ Halves",
        first="left = ∅\nmark = 1",
    ),
    "a quotient that is a whole number": document(
        "Put(p ∈ Nums)",
        "  p ∉ left ∧ count / 2 ∈ ℕ → left = left ∪ {p} ∧ count = count − 1",
        "  p ∉ left ∧ count / 2 ∈ {0..p} → count = count + 2",
        "  count / 2 ∈ left → left = left − {count / 2}",
        "  {count / 2} ⊆ Nums → turn = ¬turn",
        "  p = (count + 1) / 2 → turn = ¬turn",
        variables="count ∈ {0..6}",
        first="left = ∅\ncount = 4",
    ),
    "a listed set of which one member is surely outside": document(
        "Put(p ∈ Nums)",
        "  |lines| ∈ {0, count} ∩ Nums → turn = ¬turn",
        "  p ∉ left → left = left ∪ {p}",
        sets="Lines : {Nums}",
        variables="count ∈ {0..4}\nlines ⊆ Lines",
        first="left = ∅\ncount = 1\nlines = Lines",
        reading="order: facts frozen",
    ),
    "a parameter whose set has no value": document(
        "Put(p ∈ Never)",
        "  p ∈ left → turn = ¬turn",
        sets="Never : {⌊1 / 0⌋ | n ∈ Nums}",
    ),
    "a declared local that a rule passes on": document(
        "Put()",
        "  u0 ∈ Nums",
        "  u0 = place",
        "  u0 ∈ left → u1 = u0",
        "  u0 ∉ left → left = left ∪ {u0}",
        "  u0 ∈ left → place = place + 1",
        variables="place ∈ More",
        first="left = ∅\nplace = 1",
    ),
}


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_does_what_the_interpreter_does_where_one_did_not(name: str) -> None:
    machine = Interpreter(meant(KERNELS[name]))

    made = kernel(machine, compiled=False)

    if not isinstance(made, NotCompiled):
        assert_agree(machine, made)


def tried(described: System) -> tuple[list[Move], list[Move]]:
    """The legal moves of the first state, and those that trying every argument finds."""
    machine = Interpreter(described)
    state = machine.initial
    found: list[Move] = []
    for procedure in described.moves:
        domains = [machine.evaluate(p.domain, state, {}) for p in procedure.parameters]
        listed = [in_order(d) for d in domains if isinstance(d, frozenset)]
        found += [Move(procedure.name, arguments) for arguments in product(*listed)]
    expected = [move for move in found if machine.turn(state, move).after is not None]
    return list(machine.legal(state)), sorted(expected, key=Move.sort_key)


def test_a_condition_on_a_local_that_is_taken_from_a_variable_changes_with_the_state() -> None:
    """A parameter was compared with what a helper had taken from a variable."""
    described = meant(
        document(
            "Put(p ∈ Nums, q ∈ Nums)",
            "  p ∉ left → left = left ∪ {p}",
            "  Visit((q, q))",
            "Visit(v ∈ Cells)",
            "  (a, b) = at",
            "  a ∈ left → left = left − {a}",
            variables="at ∈ Cells",
            first="left = {1}\nat = (1, 1)",
        )
    )

    legal, expected = tried(described)

    assert legal == expected
    assert legal


def test_the_sets_of_parameters_are_those_of_the_state_before_the_call() -> None:
    """Statements without a guard are run before arguments are looked for."""
    described = meant(
        document(
            "Put(p ∈ left)",
            "  true → left = left − {1}",
            first="left = {1, 2}",
        )
    )

    legal, expected = tried(described)

    assert legal == expected == [Move("Put", (1,)), Move("Put", (2,))]


def long_turns(size: int) -> System:
    """A system whose guard goes through all pairs of *size* numbers."""
    return meant(
        document(
            "Put(p ∈ {1, 2})",
            f"  ∀a ∈ {{1..{size}}}: ∀b ∈ {{1..{size}}}: a + b > n → n = p ∧ left = left ∪ {{p}}",
            variables="n ∈ {0..2}",
            first="left = ∅\nn = 0",
        )
    )


def test_how_much_a_turn_goes_through_is_no_part_of_what_it_means() -> None:
    machine = Interpreter(long_turns(1_001))
    made = kernel(machine)
    assert not isinstance(made, NotCompiled)

    assert machine.legal(machine.initial) == (Move("Put", (1,)), Move("Put", (2,)))
    assert machine.work > 2 * 1_001**2
    assert_agree(machine, made)


def test_code_that_nothing_would_stop_for_long_is_not_made() -> None:
    made = kernel(Interpreter(long_turns(40_000)))

    assert isinstance(made, NotCompiled)
    assert "members of sets are gone through" in made.reason


def test_a_set_that_is_too_long_for_the_interpreter_is_for_a_kernel() -> None:
    beyond = document(
        "Put(p ∈ {1, 2})",
        "  (∃x ∈ {n..n + 2000000}: x · x = p + 1000000) ∧ n < 2 → n = n + 1",
        variables="n ∈ {0..9000}",
        first="left = ∅\nn = 0",
    )
    made = kernel(Interpreter(meant(beyond)))

    assert isinstance(made, NotCompiled)
    assert made.reason == "a range of up to 2,009,001 numbers is gone through"
