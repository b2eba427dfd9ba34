"""Which lines are headings."""

from __future__ import annotations

import pytest

from zermelo.text.headings import SectionKind, chosen, heading

SETS = SectionKind.SETS
VARIABLES = SectionKind.VARIABLES
FACTS = SectionKind.FACTS
INITIALISATION = SectionKind.INITIALISATION
BEHAVIOUR = SectionKind.BEHAVIOUR


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("Applicable Sets", SETS),
        ("applicable sets", SETS),
        ("APPLICABLE SETS", SETS),
        ("Applicable Sets:", SETS),
        ("- Applicable Sets", SETS),
        ("• Applicable Sets", SETS),
        ("## Applicable Sets", SETS),
        ("**Applicable Sets**", SETS),
        ("__Applicable Sets__:", SETS),
        ("1. Applicable Sets:", SETS),
        ("**1. Applicable Sets**", SETS),
        ("I. APPLICABLE SETS", SETS),
        ("(a) Applicable Sets", SETS),
        ("\\section*{Applicable Sets}", SETS),
        ("\\subsection{\\textbf{Applicable Sets}}", SETS),
        ("\\textbf{1. Applicable Sets}", SETS),
        ("$\\textbf{Applicable Sets}$", SETS),
        ("\\item \\textbf{Applicable Sets}", SETS),
        ("<h2>Applicable Sets</h2>", SETS),
        ("The Applicable Sets of the game", SETS),
        ("Sets", SETS),
        ("\tSystem Variables", VARIABLES),
        ("System V ariables", VARIABLES),
        ("System Variables (state of the game)", VARIABLES),
        ("Variables:", VARIABLES),
        ("2.1 System Facts", FACTS),
        ("### Facts", FACTS),
        ("# The System Facts of Hexapawn", FACTS),
        ("System Initialization", INITIALISATION),
        ("System Initialisation", INITIALISATION),
        ("Initialization", INITIALISATION),
        ("Initial State", INITIALISATION),
        ("Initial Values:", INITIALISATION),
        ("System States and Behavior", BEHAVIOUR),
        ("System States and Behaviour", BEHAVIOUR),
        ("System States & Behavior", BEHAVIOUR),
        ("States and Behaviors", BEHAVIOUR),
        ("System Behavior", BEHAVIOUR),
        ("Behaviour", BEHAVIOUR),
        ("Reading", SectionKind.READING),
        ("## Readings", SectionKind.READING),
        ("Errata:", SectionKind.ERRATA),
        ("View", SectionKind.VIEW),
    ],
)
def test_a_heading_is_known_in_any_dress(line: str, kind: SectionKind) -> None:
    found = heading(line)

    assert found is not None
    assert found.kind is kind


@pytest.mark.parametrize(
    "line",
    [
        "",
        "Sets T M B refer to the position of Player 1",
        "- Sets L C R refer to the position of Player 2",
        "The applicable sets are given below.",
        "All system variables start empty",
        "System Facts must always hold",
        "system facts hold after each move,",
        "the state of the game",
        "Null sets:",
        "Booleans:",
        "3x3 Matrix:",
        "over = false",
        "NextPlayerMove(pos ∈ P)",
        "reading",
        "View from the top of the board",
        "Implement a computer program following the specifications of the system given below.",
    ],
)
def test_a_line_that_only_has_such_words_is_no_heading(line: str) -> None:
    assert heading(line) is None


def test_a_heading_that_is_misspelt_is_known_as_nearly_one() -> None:
    found = heading("Sytem Intialization")

    assert found is not None
    assert (found.kind, found.near) == (INITIALISATION, "System Initialization")


def test_an_item_may_stand_on_the_heading_s_line() -> None:
    line = "System Facts: Free = P − Occ"

    found = heading(line)

    assert found is not None
    assert found.content is not None
    assert line[found.content :] == "Free = P − Occ"


def test_a_short_heading_is_a_label_where_there_is_a_canonical_one() -> None:
    found = [(1, heading("System Variables")), (9, heading("Variables:"))]

    assert list(chosen([(line, each) for line, each in found if each])) == [1]


def test_a_short_heading_counts_where_there_is_no_other() -> None:
    found = [(1, heading("## Variables")), (9, heading("## Facts"))]

    assert list(chosen([(line, each) for line, each in found if each])) == [1, 9]


def test_a_short_heading_in_another_dress_is_a_label() -> None:
    found = [(1, heading("## Sets")), (9, heading("Sets:"))]

    assert list(chosen([(line, each) for line, each in found if each])) == [1]


def test_a_line_break_of_html_behind_a_heading_is_no_part_of_it() -> None:
    found = heading("**Applicable Sets**<br>")

    assert found is not None
    assert found.kind is SectionKind.SETS
