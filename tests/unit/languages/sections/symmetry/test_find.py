"""Symmetries found and proved: how many there are, and what is said about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.support.grounds import written_out
from tests.support.project import TESTS
from tests.support.understood import system_of
from zermelo.api import loading
from zermelo.core.layout import Layout
from zermelo.core.symmetry import Bit, Preserved, order
from zermelo.languages.sections.language import SystemModel
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.symmetry.board_symmetry import CellGrid
from zermelo.languages.sections.symmetry.find import (
    agrees_on_samples,
    image_of,
    in_words,
    symmetries,
)
from zermelo.languages.sections.symmetry.grounding import Prover
from zermelo.packing.permutation_groups import PermutationGroup, generators_of, structure_of

DOCUMENTS = TESTS / "documents"


def machine(name: str) -> Interpreter:
    path = DOCUMENTS / f"{name}.md"
    system = system_of(loading.load(path if path.exists() else name))
    return Interpreter(system)


def described(text: str) -> Interpreter:
    system = system_of(loading.load_text(text))
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
    assert symmetries(machine(name), Preserved.TEXT).sentence == sentence


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


def laid_out(name: str) -> tuple[Interpreter, Layout]:
    path = TESTS / "documents" / f"{name}.md"
    model = loading.load(path if path.exists() else name).model
    assert isinstance(model, SystemModel)
    made = Interpreter(model.system)
    places = made.layout
    assert isinstance(places, Layout)
    return made, places


def test_what_is_proved_is_borne_out() -> None:
    made, places = laid_out("tic-tac-toe")
    found = symmetries(made)

    assert agrees_on_samples(made, places, found.bits, found.generators)


def test_what_is_no_symmetry_is_not_borne_out() -> None:
    made, places = laid_out("tic-tac-toe")
    bits = symmetries(made).bits
    at = {(bit.variable, bit.value): place for place, bit in enumerate(bits)}
    one, other = at["X", (1, 1)], at["X", (1, 2)]

    assert not agrees_on_samples(made, places, bits, [{one: other, other: one}])


def test_the_image_of_a_state_has_its_values_moved() -> None:
    made, places = laid_out("invariant")
    found = symmetries(made)
    state = made.after(made.initial, made.legal(made.initial)[1])

    (swap,) = found.generators
    image = image_of(state, places, found.bits, swap)

    assert str(state) == ("Near = {cabbage, wolf}, Far = {goat, man}, boat = far, result = unset")
    assert str(image) == ("Near = {cabbage, goat}, Far = {man, wolf}, boat = far, result = unset")


Move = Callable[[int, int], tuple[int, int]]


def said(board: CellGrid, *moves: Move) -> str:
    """What is said about the group that these moves of cells generate."""
    bits = [Bit("X", cell, is_member=True) for cell in board.cells]
    structure = structure_of(PermutationGroup(len(bits), [board.images(move) for move in moves]))
    return ", ".join(in_words(bits, tuple(generators_of(structure)), structure, order(structure)))


SQUARE = CellGrid((1, 2, 3), (1, 2, 3))
LONG = CellGrid((1, 2), (1, 2, 3, 4))


@pytest.mark.parametrize(
    ("board", "moves", "sentence"),
    [
        (SQUARE, [lambda r, c: (c, 2 - r), lambda r, c: (r, 2 - c)], "turned and mirrored"),
        (SQUARE, [lambda r, c: (c, 2 - r)], "turned by quarters"),
        (SQUARE, [lambda r, c: (2 - r, 2 - c)], "turned by a half"),
        (SQUARE, [lambda r, c: (r, 2 - c)], "mirrored left to right"),
        (SQUARE, [lambda r, c: (2 - r, c)], "mirrored top to bottom"),
        (LONG, [lambda r, c: (r, 3 - c)], "mirrored left to right"),
        (
            LONG,
            [lambda r, c: (r, 3 - c), lambda r, c: (1 - r, c)],
            "mirrored left to right and top to bottom",
        ),
        (SQUARE, [lambda r, c: (2 - c, 2 - r)], "mirrored in the rising diagonal"),
        (
            SQUARE,
            [lambda r, c: (c, r), lambda r, c: (2 - c, 2 - r)],
            "mirrored in both diagonals",
        ),
    ],
)
def test_a_board_is_turned_or_mirrored(board: CellGrid, moves: list[Move], sentence: str) -> None:
    assert said(board, *moves) == f"the board may be {sentence}"


def test_rows_and_columns_are_permuted() -> None:
    first_rows: Move = lambda r, c: ({0: 1, 1: 0}.get(r, r), c)  # noqa: E731 - a table of moves
    turned_rows: Move = lambda r, c: ((r + 1) % 3, c)  # noqa: E731
    exchanged: Move = lambda r, c: (c, r)  # noqa: E731

    assert said(SQUARE, first_rows, turned_rows) == "rows 1–3 may be permuted"
    assert said(SQUARE, exchanged) == "rows and columns may be exchanged"
    assert said(SQUARE, first_rows, turned_rows, exchanged) == (
        "rows 1–3 may be permuted, columns 1–3 may be permuted, rows and columns may be exchanged"
    )


def test_things_that_are_no_board_are_named() -> None:
    bits = [Bit("Left", number, is_member=True) for number in range(1, 13)]
    structure = structure_of(PermutationGroup(12, [(1, *range(2, 12), 0), (1, 0, *range(2, 12))]))

    found = in_words(bits, tuple(generators_of(structure)), structure, order(structure))

    assert found == ("1, 2, 3 and 9 others may be permuted",)


def test_variables_that_are_exchanged_are_named() -> None:
    bits = [Bit(name, number, is_member=True) for name in ("One", "Two") for number in (1, 2, 3)]
    structure = structure_of(PermutationGroup(6, [(3, 4, 5, 0, 1, 2)]))

    found = in_words(bits, tuple(generators_of(structure)), structure, order(structure))

    assert found == ("One and Two may be exchanged",)
