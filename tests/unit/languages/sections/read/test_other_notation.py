"""What is written in words, tables or signs of other customs is read as what it means."""

from __future__ import annotations

from dataclasses import replace

import pytest

from zermelo.languages.sections.read.document import parse
from zermelo.languages.sections.read.grammar import tree
from zermelo.text import codes
from zermelo.text.source import Source

FRAME = """## Applicable Sets
{sets}

## System Variables
{variables}

## System Facts
{facts}

## System Initialization
{first}

## System States and Behavior
{behaviour}
"""
PLAIN = {
    "sets": "P : {1, 2, 3}",
    "variables": "x, y ∈ P\na, b ⊆ P\nover ∈ {true, false}",
    "facts": "over ↔ x = y",
    "first": "x = 1\ny = 1\na = ∅\nb = ∅",
    "behaviour": "Go(p ∈ P)\n  p ∉ a → a = a ∪ {p}",
}


def sections(**written: str) -> tuple[tree.Section, ...]:
    document = parse(Source("document.md", FRAME.format(**(PLAIN | written)))).value
    assert document is not None
    return tuple(
        tree.Section(section.kind, tuple(map(_without_note, section.items)))
        for section in document.sections
    )


def _without_note(item: tree.SectionItem) -> tree.SectionItem:
    return replace(item, note="") if isinstance(item, tree.Item) else item


@pytest.mark.parametrize(
    ("part", "written", "meant"),
    [
        ("sets", "Let P be the set {1, 2, 3}.", "P = {1, 2, 3}"),
        ("sets", "P is the set containing 1, 2 and 3.", "P = {1, 2, 3}"),
        ("sets", "P is the Cartesian product of {1, 2} and {3}", "P = {1, 2} × {3}"),
        ("sets", "P is the relation on A given by {(1, 2)}", "P = {(1, 2)}"),
        ("sets", "P : {1, …, n} where n = 3", "n = 3\nP : {1, …, n}"),
        ("sets", "P_i = {i, 1} for each i ∈ {1, 2}", "P_i = {i, 1}"),
        ("sets", "P : {x ∈ ℕ | x is even ∧ x < 9}", "P : {x ∈ ℕ | x mod 2 = 0 ∧ x < 9}"),
        ("sets", "P : {x ∈ ℕ | x is not divisible by 3}", "P : {x ∈ ℕ | x mod 3 ≠ 0}"),
        ("sets", "P : {0, 5, …, 20}", "P : {0, 5, 10, 15, 20}"),
        ("sets", "P : {1, 2, 3", "P : {1, 2, 3}"),
        ("sets", "| set | is |\n| --- | --- |\n| P | {1, 2} |", "P : {1, 2}"),
        ("variables", "x and y are elements of P.", "x, y ∈ P"),
        ("variables", "a, b subset of P", "a, b ⊆ P"),
        ("variables", "over is a Boolean variable.", "over ∈ {true, false}"),
        ("variables", "| name | in |\n|---|---|\n| x, y | P |\n| a | ⊆ P |", "x, y ∈ P\na ⊆ P"),
        ("facts", "over is true if and only if x = y", "over ↔ x = y"),
        ("first", "x is 1.\na and b are empty.", "x = 1\na, b = ∅"),
        ("behaviour", "Go(p ∈ P): p ∉ a → a = a ∪ {p}", PLAIN["behaviour"]),
        ("behaviour", "Go(p ∈ P)\n  p ∉ a → a′ = a ∪ {p}", PLAIN["behaviour"]),
        ("behaviour", "Go()\n  x < 3 → x += 1", "Go()\n  x < 3 → x = x + (1)"),
        ("behaviour", "Go()\n  if x < 3 then x becomes 3.", "Go()\n  x < 3 → x = 3"),
        (
            "behaviour",
            "Go()\n  if x < 3 then x = 3\n  else if y < 3 then y = 3\n  otherwise x = 1",
            "Go()\n  case1 = (x < 3)\n  x < 3 → x = 3\n  case2 = (y < 3)\n"
            "  ¬case1 ∧ (y < 3) → y = 3\n  ¬case1 ∧ ¬case2 → x = 1",
        ),
        (
            "behaviour",
            "Go((i, j) ∈ P × P)\n  i < j → x = i",
            "Go(ij ∈ P × P)\n  (i, j) = ij\n  i < j → x = i",
        ),
    ],
)
def test_it_is_read_as_what_it_means(part: str, written: str, meant: str) -> None:
    assert sections(**{part: written}) == sections(**{part: meant})


def test_a_picture_is_a_word() -> None:
    (first, *_) = sections(sets="P : {♠, ♥}")

    assert first.items == (
        tree.SetDefinition("P", tree.SetOf((tree.Name("♠"), tree.Name("♥"))), None),
    )


def test_a_table_of_variables_may_have_a_column_of_first_values() -> None:
    table = "| name | in | initial value |\n|---|---|---|\n| z | P | 2 |"

    found = {item for s in sections(variables=table) for item in s.items}

    assert tree.Initial(("z",), tree.NumberLiteral(2)) in found


def test_letters_stand_for_signs_that_the_document_never_writes() -> None:
    text = "Applicable Sets\nP : {1, 2}\nSystem Variables\nA C P\nt E P\nSystem Initialization\n"
    text += (
        "A = {}\nt = 1\nSystem States and Behavior\nGo(p E P)\n p = t ^ t = 1 -> t = 2 ^ A = {p}"
    )

    found = parse(Source("document.txt", text))

    assert [d.message for d in found.diagnostics] == [
        "`C` is read as `⊆`",
        "`E` is read as `∈`",
        "`E` is read as `∈`",
        "`^` is read as `∧`",
        "`^` is read as `∧`",
    ]
    assert {d.code for d in found.diagnostics} == {codes.DAMAGED_SIGN}


def test_letters_that_are_names_or_signs_that_are_written_stay_what_they_are() -> None:
    text = FRAME.format(**(PLAIN | {"sets": "P : {1, 2, 3}\nE : {1}\nC : P − E"}))
    text = text.replace("x = y\n", "x ^ 2 = y\n", 1)

    assert not any(d.code is codes.DAMAGED_SIGN for d in parse(Source("d.md", text)).diagnostics)


def test_a_heading_that_is_not_known_opens_what_stands_under_it() -> None:
    text = FRAME.format(**PLAIN).replace("System Facts", "What always holds")
    text = text.replace("System States and Behavior", "Gameplay")

    found = parse(Source("document.md", text))

    assert [d.code for d in found.diagnostics] == [codes.UNKNOWN_HEADING] * 2
    assert found.value is not None
    assert [s.kind for s in found.value.sections] == [s.kind for s in sections()]
