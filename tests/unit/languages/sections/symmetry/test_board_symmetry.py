"""Sets that a few members keep from being as symmetric as the board."""

from __future__ import annotations

import pytest

from tests.support.project import TESTS
from tests.support.understood import system_of
from zermelo.api import loading, questions
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.symmetry.board_symmetry import (
    CellGrid,
    broken_symmetries,
    cell_grid,
)

DOCUMENTS = TESTS / "documents"
PRINTED = DOCUMENTS / "printed-lines.md"


def machine(text: str) -> Interpreter:
    system = system_of(loading.load_text(text))
    return Interpreter(system)


def test_the_missing_line_is_named_and_half_of_the_symmetries_are_left() -> None:
    (found,) = broken_symmetries(machine(PRINTED.read_text(encoding="utf-8")))

    assert found.name == "Lines"
    assert found.missing == (frozenset({(1, 3), (2, 2), (3, 1)}),)
    assert found.extra == ()
    assert found.twice == (frozenset({(1, 2), (2, 2), (3, 2)}),)
    assert (found.left, found.mended) == (4, 8)


def test_a_set_without_a_name_is_looked_into_too() -> None:
    text = PRINTED.read_text(encoding="utf-8")
    lines = next(line for line in text.splitlines() if line.startswith("- Lines : "))
    inline = text.replace(lines + "\n", "").replace("l ∈ Lines", f"l ∈ {lines[10:]}")

    (found,) = broken_symmetries(machine(inline))

    assert found.name is None
    assert found.missing == (frozenset({(1, 3), (2, 2), (3, 1)}),)
    assert (found.left, found.mended) == (4, 8)


def test_a_line_too_many_is_named_too() -> None:
    text = PRINTED.read_text(encoding="utf-8")
    right = text.replace(
        "{(1, 2), (2, 2), (3, 2)}}", "{(1, 3), (2, 2), (3, 1)}, {(1, 1), (1, 2), (2, 1)}}"
    )

    (found,) = broken_symmetries(machine(right))

    assert found.missing == ()
    assert found.extra == (frozenset({(1, 1), (1, 2), (2, 1)}),)
    assert found.mended == 8


def test_the_lines_as_they_should_be_are_not_mentioned() -> None:
    text = PRINTED.read_text(encoding="utf-8")
    right = text.replace("{(1, 2), (2, 2), (3, 2)}}", "{(1, 3), (2, 2), (3, 1)}}")

    assert list(broken_symmetries(machine(right))) == []


@pytest.mark.parametrize("name", ["tic-tac-toe", "pegs", "four-quadrants", "pawns"])
def test_no_game_of_the_library_is_lopsided(name: str) -> None:
    system = system_of(loading.load(name))

    assert list(broken_symmetries(Interpreter(system))) == []


@pytest.mark.parametrize("name", ["family", "lamps", "no-domain", "pawns-5x3", "read-me"])
def test_no_other_document_is_lopsided(name: str) -> None:
    system = system_of(loading.load(DOCUMENTS / f"{name}.md"))

    assert list(broken_symmetries(Interpreter(system))) == []


def test_a_set_that_the_rules_would_not_be_symmetric_with_is_not_mentioned() -> None:
    """Mending it would not help: the first state already tells the sides apart."""
    text = PRINTED.read_text(encoding="utf-8").replace(
        "- X, O = ∅", "- X = {(1, 2)}\n- O = {(2, 3)}"
    )

    assert list(broken_symmetries(machine(text))) == []


def test_checking_says_it() -> None:
    report = questions.check(loading.load(PRINTED))

    assert "Z723" in {each.code.id for each in report.diagnostics}


def test_a_square_has_eight_symmetries_and_another_board_four() -> None:
    assert len(CellGrid((1, 2, 3), (1, 2, 3)).symmetries()) == 8
    assert len({tuple(each.items()) for each in CellGrid((1, 2, 3), (1, 2, 3)).symmetries()}) == 8
    assert len({tuple(each.items()) for each in CellGrid((1, 2), (1, 2, 3)).symmetries()}) == 4


def test_only_whole_boards_are_boards() -> None:
    assert cell_grid([(1, 1), (1, 2), (2, 1), (2, 2)]) == CellGrid((1, 2), (1, 2))
    assert cell_grid([(1, 1), (1, 2), (2, 1)]) is None
    assert cell_grid([1, 2, 3]) is None
