"""Whole documents as text."""

from __future__ import annotations

import pytest

from zermelo.languages.sections.read.document import parse
from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.read.grammar.document_printer import to_text
from zermelo.text.source import Notation, Source

WRITTEN = """# Lamps

- Applicable Sets
- L : {1,2}   the lamps
- B: { true , false }
- System Variables
- Lit ⊆ L
- over ∈ B
- System Facts
- over ↔ (Lit = ∅)
- System Initialization
- Lit = L
- System States and Behavior
- Switch (p ∈ L):
  - a lamp goes on or off
  - p ∈ Lit → (Lit = Lit − {p})
  - p ∉ Lit
      → Lit = Lit ∪ {p}
- Reading
- order: at once // they must not undo each other
- Errata
- "x" → "y"
"""
UNICODE = """# Lamps

Applicable Sets
  L : {1, 2}  // the lamps
  B : {true, false}

System Variables
  Lit ⊆ L
  over ∈ B

System Facts
  over ↔ Lit = ∅

System Initialization
  Lit = L

System States and Behavior
Switch(p ∈ L)
  // a lamp goes on or off
  p ∈ Lit → Lit = Lit − {p}
  p ∉ Lit → Lit = Lit ∪ {p}

Reading
  order: at once  // they must not undo each other

Errata
  "x" → "y"
"""
ASCII = """# Lamps

Applicable Sets
  L : {1, 2}  // the lamps
  B : {true, false}

System Variables
  Lit subset L
  over in B

System Facts
  over <-> Lit = {}

System Initialization
  Lit = L

System States and Behavior
Switch(p in L)
  // a lamp goes on or off
  p in Lit -> Lit = Lit - {p}
  p notin Lit -> Lit = Lit union {p}

Reading
  order: at once  // they must not undo each other

Errata
  "x" → "y"
"""


def read(text: str) -> tree.SectionsDocument:
    found = parse(Source("document.md", text), as_written=True).value
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("notation", "text"), [(Notation.UNICODE, UNICODE), (Notation.ASCII, ASCII)]
)
def test_a_document_is_laid_out_in_one_way(notation: Notation, text: str) -> None:
    assert to_text(read(WRITTEN), notation) == text


def test_latex_comes_as_markdown_with_formulas_between_dollars() -> None:
    lines = to_text(read(WRITTEN), Notation.LATEX).splitlines()

    assert lines[2:5] == ["## Applicable Sets", "", "- $L : \\{1, 2\\}$  // the lamps"]
    assert "  - $p \\notin \\mathit{Lit} \\rightarrow" in "\n".join(lines)


def test_parameters_that_share_a_set_are_written_together() -> None:
    text = "System Behavior\nMove(prev, next ∈ P, n ∈ Q, over)\n  over = true\n"

    assert "Move(prev, next ∈ P, n ∈ Q, over)" in to_text(read(text))


def test_words_inside_a_rule_put_its_conclusions_on_lines_of_their_own() -> None:
    text = (
        "System Behavior\nMove(p ∈ P)\n  a → b = 1\n    // why\n    c = 2  // how\n    d → e = 3\n"
    )

    assert to_text(read(text)).splitlines()[1:] == [
        "Move(p ∈ P)",
        "  a → b = 1",
        "    // why",
        "    c = 2  // how",
        "    d → e = 3",
    ]


def test_a_formula_that_was_not_understood_is_kept_as_it_stands() -> None:
    text = "System Facts\n  Free = ∪ ∪ A\nSystem Behavior\nM()\n  x = 1\n"

    assert "  Free = ∪ ∪ A" in to_text(read(text)).splitlines()
