"""Symmetries found and proved: how many there are, and what is said about them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support.grounds import written_out
from tests.support.project import TESTS
from zermelo import api
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.symmetry.find import Of, symmetries
from zermelo.languages.sections.symmetry.prove import Prover

DOCUMENTS = TESTS / "documents"


def machine(name: str) -> Interpreter:
    path = DOCUMENTS / f"{name}.md"
    system = api.load(path if path.exists() else name).system
    assert system is not None
    return Interpreter(system)


def described(text: str) -> Interpreter:
    system = api.load_text(text).system
    assert system is not None
    return Interpreter(system)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("tic-tac-toe", "the board may be turned and mirrored: 8"),
        (
            "pegs",
            "rows 1–3 may be permuted, columns 1–3 may be permuted, "
            "rows and columns may be exchanged: 72",
        ),
        ("pawns-5x3", "the board may be mirrored left to right: 2"),
        ("lamps", "the board may be turned and mirrored: 8"),
        ("capture", "1, 2, 3 and 4 may be permuted: 24"),
        ("invariant", "goat and wolf may be exchanged: 2"),
        (
            "family",
            "{(1, 1), (1, 2), (1, 3)}, {(2, 1), (2, 2), (2, 3)} and {(3, 1), (3, 2), (3, 3)} may "
            "be permuted as wholes, in the first of them, and likewise in the others, "
            "(1, 1), (1, 2) and (1, 3) may be permuted: 1,296",
        ),
        ("three-players", "there is no symmetry"),
        ("naturals", "no symmetry could be looked for: a set cannot be written out"),
    ],
)
def test_the_symmetries_of_a_turn_are_said_in_words(name: str, sentence: str) -> None:
    assert symmetries(machine(name)).sentence == sentence


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("tic-tac-toe", "the board may be turned and mirrored: 8"),
        ("pegs", "rows 1–3 may be permuted, columns 1–3 may be permuted: 36"),
        ("capture", "1, 2, 3 and 4 may be permuted: 24"),
        ("pawns-5x3", "there is no symmetry"),
    ],
)
def test_the_symmetries_of_the_text_are_fewer(name: str, sentence: str) -> None:
    assert symmetries(machine(name), Of.TEXT).sentence == sentence


def test_the_group_of_four_quadrants_is_used_whole() -> None:
    """16 free cells, and four crosses of two lines with two arms each: 16! · 8⁴ · 4!."""
    found = symmetries(machine("four-quadrants"))

    assert found.order == found.used == 20_922_789_888_000 * 8**4 * 24


def test_a_swap_that_the_rules_tell_apart_is_not_proved() -> None:
    made = machine("tic-tac-toe")
    system = written_out(made)
    at = {(bit.variable, bit.value): place for place, bit in enumerate(system.bits)}
    swap: dict[int, int] = {}
    for name in ("X", "O"):
        swap |= {at[name, (1, 1)]: at[name, (1, 2)], at[name, (1, 2)]: at[name, (1, 1)]}

    assert not Prover(system).holds(swap)


def test_players_are_not_swapped_when_one_of_them_begins() -> None:
    """X and O with the turn turned round would do, but the first state is X's."""
    made = machine("tic-tac-toe")
    system = written_out(made)
    at = {(bit.variable, bit.value): place for place, bit in enumerate(system.bits)}
    swap = {at["turn", True]: at["turn", False], at["turn", False]: at["turn", True]}
    for (name, value), place in at.items():
        if name in {"X", "O"}:
            swap[place] = at["O" if name == "X" else "X", value]

    assert not Prover(system).holds(swap)


ROLES = """
Applicable Sets
  P : {1..4}
  Who : {ann, bob}
  B : {true, false}
System Variables
  Red, Blue ⊆ P
  over ∈ B
System Facts
  over ↔ |Red ∪ Blue| = 4
System Initialization
  Red, Blue = ∅
System States and Behavior
Take(p ∈ P, w ∈ Who)
  p ∉ Red ∪ Blue ∧ w = ann → Red = Red ∪ {p}
  p ∉ Red ∪ Blue ∧ w = bob → Blue = Blue ∪ {p}
"""


def test_variables_are_swapped_with_the_roles_they_play() -> None:
    found = symmetries(described(ROLES))

    assert found.used == 24 * 2


NUMBERS = """
Applicable Sets
  P : {1..4}
  B : {true, false}
System Variables
  Left ⊆ P
  over ∈ B
System Facts
  over ↔ ∑_{a ∈ Left} a < 5
System Initialization
  Left = P
System States and Behavior
Take(p ∈ P)
  p ∈ Left → Left = Left − {p}
"""


def test_numbers_that_are_added_up_are_told_apart() -> None:
    assert symmetries(described(NUMBERS)).used == 1


def test_numbers_that_are_only_compared_are_not() -> None:
    text = NUMBERS.replace("∑_{a ∈ Left} a < 5", "|Left| = 1")

    assert symmetries(described(text)).sentence == "1, 2, 3 and 4 may be permuted: 24"


def test_a_first_state_that_is_lopsided_leaves_what_it_leaves() -> None:
    text = NUMBERS.replace("∑_{a ∈ Left} a < 5", "|Left| = 1").replace(
        "Left = P\n", "Left = {1, 2, 3}\n"
    )

    assert symmetries(described(text)).sentence == "1, 2 and 3 may be permuted: 6"


PASSING = """
Applicable Sets
  P : {1, 2}
  B : {true, false}
System Variables
  A, D ⊆ P
  turn ∈ B
System Initialization
  A, D = ∅
  turn = true
System States and Behavior
Take(p ∈ P)
  turn ∧ p ∉ A → A = A ∪ {p}
  ¬turn ∧ p ∉ D → D = D ∪ {p}
Reading
  stuck player: passes
  players: Ann when turn, Dan when ¬turn
"""


def test_where_players_pass_the_turn_stays_what_it_is() -> None:
    found = symmetries(described(PASSING))

    assert found.sentence == "1 and 2 may be exchanged: 2"
    assert {bit.variable for bit in found.bits} >= {"A", "D", "turn"}


COMPUTED = """
Applicable Sets
  P : {1..3}
  B : {true, false}
System Variables
  Taken, Told ⊆ P
  over ∈ B
System Facts
  over ↔ |Taken| = 2
  Told = Taken ∩ {1}
System Initialization
  Taken = ∅
System States and Behavior
Take(p ∈ P)
  p ∉ Taken → Taken = Taken ∪ {p}
"""


def test_a_result_that_is_computed_is_kept_too() -> None:
    """Only the taking of 1 is told by it, so 2 and 3 may be exchanged."""
    made = described(COMPUTED)

    found = symmetries(Interpreter(replace(made.system, result="Told")))

    assert symmetries(made).sentence == "1, 2 and 3 may be permuted: 6"
    assert found.sentence == "2 and 3 may be exchanged: 2"
