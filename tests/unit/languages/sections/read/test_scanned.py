"""A scanned document: every damaged line is named, and the good ones are read."""

from __future__ import annotations

from pathlib import Path

from zermelo.languages.sections.read.document import parse
from zermelo.languages.sections.read.grammar import tree
from zermelo.text.source import Source

SCAN = Path(__file__).with_name("scan.txt").read_text(encoding="utf-8")
SOURCE = Source("scan.txt", SCAN)


def test_every_damaged_line_is_named_at_its_place() -> None:
    found = [
        (each.code.id, each.level.value, SOURCE.line_of(each.primary.span.start))
        for each in parse(SOURCE).diagnostics
        if each.primary
    ]

    assert found == [
        # Alpha f = ∅ ∧ |Alpha Y = 0 ∨ Beta f = ∅ ∧ |Beta E = 0
        ("Z108", "warning", 22),
        ("Z116", "warning", 22),
        ("Z108", "warning", 22),
        ("Z116", "warning", 22),
        # a guard whose conclusion went elsewhere, and a conclusion that came from elsewhere
        ("Z113", "error", 42),
        ("Z115", "warning", 46),
        # Y, E and B, from the other column
        ("Z111", "warning", 48),
        ("Z111", "warning", 48),
        ("Z111", "warning", 50),
        # conclusions without their guards
        ("Z114", "warning", 52),
        ("Z114", "error", 62),
        # a guard without a conclusion, and a torn word below it
        ("Z113", "error", 68),
        ("Z117", "error", 72),
    ]


def test_the_good_lines_are_read() -> None:
    document = parse(SOURCE).value

    assert document is not None
    sets = [
        item.name for item in document.sections[0].items if isinstance(item, tree.SetDefinition)
    ]
    assert sets == ["R", "C", "P", "S", "Y", "E", "B"]
    procedures = [
        (item.name, sum(isinstance(each, tree.Rule) for each in item.body))
        for item in document.sections[-1].items
        if isinstance(item, tree.Procedure)
    ]
    assert procedures == [("NextPlayerMove", 7), ("GameOver", 2)]
