"""Documents with sections: which rows are one item, and where items belong.

What was read is shown in canonical form, which the laws hold to the tree.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.project import TESTS
from zermelo.languages.sections.read.document import parse, with_sum_limits
from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.read.grammar.document_printer import to_text
from zermelo.languages.sections.read.grammar.lexer import lex
from zermelo.languages.sections.read.rows import TokenRow
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, apply_fixes
from zermelo.text.headings import SectionKind
from zermelo.text.lines import Setting, lines
from zermelo.text.source import Source

DOCUMENTS = sorted(
    path for path in (TESTS / "documents").iterdir() if path.suffix in {".md", ".txt", ".tex"}
)
FRAME = {
    SectionKind.SETS: "P : {1..9}\nB : {true, false}",
    SectionKind.VARIABLES: "A, Free ⊆ P\nturn, over, ok ∈ B",
    SectionKind.FACTS: "",
    SectionKind.INITIALISATION: "turn = true",
    SectionKind.BEHAVIOUR: "Move(p ∈ P)\n  turn → ok = true",
}


def document(**parts: str) -> str:
    """A small document in which some sections are replaced."""
    texts = {**FRAME, **{SectionKind[kind]: text for kind, text in parts.items()}}
    return "\n".join(f"{kind.value}\n{text}" for kind, text in texts.items()) + "\n"


def read(text: str, *, as_written: bool = False) -> Checked[tree.SectionsDocument]:
    return parse(Source("document.md", text), as_written=as_written)


def items(kind: str, text: str) -> list[str]:
    """The lines under one heading after reading *text* there."""
    found = read(document(**{kind: text})).value
    assert found is not None
    section = next(each for each in found.sections if each.kind is SectionKind[kind])
    shown = to_text(tree.SectionsDocument((), (section,))).splitlines()[1:]
    return [line.removeprefix("  ") if kind != "BEHAVIOUR" else line for line in shown if line]


def body(text: str) -> list[str]:
    """The statements of one procedure with *text* as its body."""
    head, *rest = items("BEHAVIOUR", f"Move(p ∈ P)\n{text}")
    assert head == "Move(p ∈ P)"
    return [line.removeprefix("  ") for line in rest]


def said(text: str) -> list[tuple[str, int | None]]:
    """The codes of what is said of *text*, with their lines."""
    source = Source("document.md", text)
    return [
        (each.code.id, source.line_of(each.primary.span.start) if each.primary else None)
        for each in parse(source).diagnostics
    ]


# The whole


def test_lines_before_the_first_heading_are_kept_and_mean_nothing() -> None:
    text = "\n# A title\n\nP = {1}\n- Sets T and M are rows\n\n" + document()

    found = read(text)

    assert found.diagnostics == ()
    assert found.value is not None
    assert found.value.preamble == ("# A title", "", "P = {1}", "- Sets T and M are rows")


def test_the_sections_stand_in_the_order_of_the_document() -> None:
    text = "System Facts\nSystem Variables\nx ∈ {1}\nSystem Initialization\nSystem Behavior\nM()\n"

    found = read(text).value

    assert found is not None
    assert [section.kind.name for section in found.sections] == [
        "FACTS",
        "VARIABLES",
        "INITIALISATION",
        "BEHAVIOUR",
    ]


def test_a_text_without_headings_is_no_document() -> None:
    found = read("P : {1}\nturn = true\n")

    assert found.value is None
    assert [each.code for each in found.diagnostics] == [codes.NO_SECTIONS]


def test_without_behaviour_there_is_an_error_and_without_variables_a_warning() -> None:
    found = read("System Facts\n  1 = 1\nSystem Initialization\n  x = 1\n")

    assert [(each.code.id, each.level.value) for each in found.diagnostics] == [
        ("Z106", "error"),
        ("Z106", "warning"),
    ]


def test_a_document_without_facts_is_whole() -> None:
    text = "System Variables\nx ∈ {1}\nSystem Initialization\nx = 1\nSystem Behavior\nM()\n x = 1"

    assert read(text).diagnostics == ()


def test_an_item_on_the_line_of_its_heading_is_read() -> None:
    text = document().replace("System Initialization\nturn", "System Initialization: turn")

    found = read(text)

    assert found.diagnostics == ()
    assert found.value is not None
    assert len(found.value.sections[3].items) == 1


# Which rows are one item


@pytest.mark.parametrize(
    "text",
    [
        "A = P ∪ {1} ∪\n    {2}",
        "A = P\n  ∪ {1}\n  ∪ {2}",
        "A = (P ∪ {1}\n  ∪ {2})",
        "A = P ∪ {1} ∪ {\n2\n}",
        "- A = P ∪ {1} ∪\n  {2}",
        "$$A = P \\cup \\{1\\}\n\\cup \\{2\\}$$",
        "$$\nA = P\n\\cup \\{1\\} \\cup \\{2\\}\n$$",
        "\\[ A = P \\cup\n\\{1\\} \\cup \\{2\\} \\]",
        "\\begin{align*}\nA &= P \\\\\n &\\cup \\{1\\} \\cup \\{2\\}\n\\end{align*}",
        "```\nA = P ∪ {1} ∪ {2}\n```",
    ],
)
def test_a_formula_may_go_on_in_the_next_line(text: str) -> None:
    assert items("FACTS", text) == ["A = P ∪ {1} ∪ {2}"]


def test_a_word_for_a_sign_is_a_value_behind_a_sign() -> None:
    stacked = body("  turn →\n    mark = cross\n    ok = true")

    assert stacked == ["turn → mark = cross ∧ ok = true"]
    assert items("FACTS", "A = P cross\n  P") == ["A = P × P"]


def test_names_may_go_on_behind_a_comma() -> None:
    assert items("VARIABLES", "A, B,\n  Free ⊆ P") == ["A, B, Free ⊆ P"]


def test_a_dash_before_a_formula_is_a_bullet() -> None:
    assert items("INITIALISATION", "- turn = true\n- over = false") == [
        "turn = true",
        "over = false",
    ]


def test_a_dash_behind_an_open_bracket_is_a_minus() -> None:
    assert items("FACTS", "A = (P\n   - {1})") == ["A = P − {1}"]


def test_an_open_bracket_that_is_damage_does_not_swallow_the_next_lines() -> None:
    text = document(INITIALISATION="turn = (true\nover = false\nok = true")

    found = read(text).value

    assert found is not None
    kinds = [type(item).__name__ for item in found.sections[3].items]
    assert kinds == ["Unparsed", "Initial", "Initial"]


@pytest.mark.parametrize(
    "text",
    [
        "  turn → ok = true ∧ over = false",
        "  turn\n    → ok = true\n    ∧ over = false",
        "  turn →\n    ok = true ∧\n    over = false",
        "  turn →\n    ok = true\n    over = false",
        "  turn → ok = true\n       over = false",
        "  turn\n\n→ ok = true\n\n∧ over = false",
        "  - turn → ok = true\n    - over = false",
        "  turn → (ok = true\n          ∧ over = false)",
        "$$turn$$\n $\\rightarrow ok = true$\n\n$$\\land over = false$$",
        "$$turn \\\\ \\rightarrow ok = true \\\\ \\land over = false$$",
        "  turn →<br>&emsp;ok = true<br>&emsp;∧ over = false",
    ],
)
def test_a_conclusion_may_be_stacked(text: str) -> None:
    assert body(text) == ["turn → ok = true ∧ over = false"]


def test_a_deeper_line_with_an_arrow_is_a_rule_within_the_rule() -> None:
    text = (
        "  turn → ok = true\n    p = 1 → over = true\n    p = 2 → over = false\n"
        "  ¬turn → ok = false"
    )

    assert body(text) == [
        "turn → ok = true ∧ (p = 1 → over = true) ∧ (p = 2 → over = false)",
        "¬turn → ok = false",
    ]


def test_one_blank_more_is_no_deeper_line() -> None:
    assert body(" turn → ok = true\n  over = false") == ["turn → ok = true", "over = false"]


def test_rows_side_by_side_are_several_items() -> None:
    assert items("VARIABLES", "A, Free ⊆ P    turn ∈ B") == ["A, Free ⊆ P", "turn ∈ B"]
    assert items("INITIALISATION", "turn = true    ok = false") == ["turn = true", "ok = false"]


def test_commas_and_semicolons_separate_items() -> None:
    assert items("VARIABLES", "turn ∈ B, A ⊆ P; ok ∈ B") == ["turn ∈ B", "A ⊆ P", "ok ∈ B"]
    assert items("INITIALISATION", "turn = true; ok = false") == ["turn = true", "ok = false"]
    assert items("INITIALISATION", "turn = true ∧ ok = false") == ["turn = true", "ok = false"]


def test_the_limit_of_a_sum_may_stand_below_it() -> None:
    text = "  |A| = 3 ∧ ∑a < 15   → ok = true\n             a∈A"

    assert body(text) == ["|A| = 3 ∧ ∑_{a ∈ A} a < 15 → ok = true"]


# Heads and calls


@pytest.mark.parametrize(
    "head",
    [
        "Move(p ∈ P)",
        "Move (p ∈ P):",
        "- **Move**(p ∈ P)",
        "### Move(p ∈ P)",
        "\\textbf{Move}($p \\in P$):",
        "\\paragraph{Move($p \\in P$)}",
        "Procedure Move(p in P):",
        "1. Move(p ∈ P)",
    ],
)
def test_a_head_is_known_in_any_dress(head: str) -> None:
    assert items("BEHAVIOUR", f"{head}\n  turn → ok = true") == [
        "Move(p ∈ P)",
        "  turn → ok = true",
    ]


def test_a_name_with_arguments_is_a_call_where_its_head_is_elsewhere() -> None:
    text = "Move(p ∈ P)\n  Again(p)\n  Check()\nAgain(q ∈ P)\n  Again(q)\nCheck()\n  ok = true"

    assert items("BEHAVIOUR", text) == [
        "Move(p ∈ P)",
        "  Again(p)",
        "  Check()",
        "Again(q ∈ P)",
        "  Again(q)",
        "Check()",
        "  ok = true",
    ]


def test_a_call_of_something_that_is_nowhere_is_no_head() -> None:
    assert body("  Missing(p)\n  ok = true") == ["Missing(p)", "ok = true"]


def test_a_value_function_is_told_from_a_fact_about_it() -> None:
    text = "Move(p ∈ P)\n  Full(A) = true → ok = true\nFull(m ⊆ P) = |m| = 3"

    assert items("BEHAVIOUR", text) == [
        "Move(p ∈ P)",
        "  Full(A) = true → ok = true",
        "Full(m ⊆ P) = |m| = 3",
    ]


def test_a_procedure_without_a_heading_begins_the_behaviour() -> None:
    text = document().replace("System States and Behavior\n", "")

    assert said(text) == [("Z111", 11)]
    found = read(text).value
    assert found is not None
    assert found.sections[-1].kind is SectionKind.BEHAVIOUR


# Prose


def test_words_behind_a_formula_are_its_note() -> None:
    assert items("SETS", "T : {(1,1),(1,2)} Top Side of the Matrix (1st Row)") == [
        "T : {(1, 1), (1, 2)}  // Top Side of the Matrix (1st Row)"
    ]
    assert items("VARIABLES", "ok ∈ B (Can be 1 or 0 (T or F))") == [
        "ok ∈ B  // (Can be 1 or 0 (T or F))"
    ]
    assert items("FACTS", "Free = P − A - what is left") == ["Free = P − A  // what is left"]
    assert items("INITIALISATION", "turn = true (the first player)") == [
        "turn = true  // (the first player)"
    ]


@pytest.mark.parametrize("mark", ["?", "!", "…?"])
def test_a_note_may_have_marks_that_formulas_do_not_have(mark: str) -> None:
    text = f"turn, over ∈ B (is it your turn{mark})\nok ∈ B - not yet{mark}\nA ⊆ P"

    assert items("VARIABLES", text)[1:] == [f"ok ∈ B  // not yet{mark}", "A ⊆ P"]
    assert said(document(VARIABLES=text)) == []


@pytest.mark.parametrize(
    ("kind", "text", "joined"),
    [
        ("VARIABLES", "turn, over, ok ∈ B\nleft heap, right heap ∈ P", "leftHeap"),
        ("INITIALISATION", "turn = true\nTom's turn = true", "TomsTurn"),
    ],
)
def test_a_name_with_a_blank_is_told_how_to_be_written(kind: str, text: str, joined: str) -> None:
    (found,) = read(document(**{kind: text})).diagnostics

    assert found.code.id == "Z112"
    assert found.help == f"write `{joined}` here and wherever it is used"


def test_a_bracket_with_signs_is_no_note() -> None:
    assert items("FACTS", "Free = P (A ∪ B)") == ["Free = P(A ∪ B)"]


def test_an_explanation_takes_its_wrapped_lines_with_it() -> None:
    text = (
        "  turn → ok = true\n"
        "  - Player B wins if the game is (over), if it's Player B's (¬turn), and\n"
        "    if the number of pegs is exactly three and = 15 is\n"
        "  their sum.\n"
        "\n"
        "  ¬turn → ok = false"
    )

    assert body(text) == [
        "turn → ok = true",
        "// Player B wins if the game is (over), if it's Player B's (¬turn), and",
        "// if the number of pegs is exactly three and = 15 is",
        "// their sum.",
        "¬turn → ok = false",
    ]


def test_a_formula_below_an_explanation_is_not_a_part_of_it() -> None:
    assert body("  - this is what happens:\n  turn → ok = true") == [
        "// this is what happens:",
        "turn → ok = true",
    ]


def test_an_explanation_of_a_name_is_no_statement() -> None:
    assert body("  - A = occupied; occupied spaces on the matrix\n  ok = true") == [
        "// A = occupied; occupied spaces on the matrix",
        "ok = true",
    ]


def test_a_sentence_with_words_that_can_be_signs_is_prose() -> None:
    assert items("FACTS", "The game is over iff all of the cells are taken") == [
        "// The game is over iff all of the cells are taken"
    ]


@pytest.mark.parametrize("line", ["Booleans:", "3x3 Matrix:", "Null sets:", "Page 2 of 2"])
def test_a_label_is_prose(line: str) -> None:
    assert items("INITIALISATION", f"{line}\nturn = true") == [f"// {line}", "turn = true"]


def test_a_comment_is_kept_as_note_or_as_prose() -> None:
    assert items("FACTS", "// one\n// two\n\n// three\nFree = P − A // four") == [
        "// one",
        "// two",
        "// three",
        "Free = P − A  // four",
    ]


def test_a_line_with_signs_that_is_no_formula_is_an_error_at_its_place() -> None:
    text = document(FACTS="Free = P ∪ ∪ A\nover ↔ ok")

    found = read(text)

    assert [each.is_error for each in found.diagnostics] == [True]
    assert found.value is not None
    assert [type(item).__name__ for item in found.value.sections[2].items] == ["Unparsed", "Fact"]


def test_a_set_in_words_that_are_not_understood_is_a_warning() -> None:
    text = document(
        SETS="P : {1}\nF : F is the set of all subsets x,\n   where |x| = 3 holds\nB : {2}"
    )

    assert said(text) == [("Z119", 3)]
    assert items("SETS", "F : F is the set of all subsets x,\n   where |x| = 3 holds\nB : {2}") == [
        "F : F is the set of all subsets x, where |x| = 3 holds",
        "B : {2}",
    ]


@pytest.mark.parametrize(
    ("kind", "text", "read_as"),
    [
        ("FACTS", "F1: Free = P − A", "Free = P − A  // F1"),
        ("FACTS", "Fact 2: over ↔ ok", "over ↔ ok  // Fact 2"),
        (
            "INITIALISATION",
            "All sets are empty: A = Free = ∅",
            "A, Free = ∅  // All sets are empty",
        ),
        ("INITIALISATION", "Initially, turn = true", "turn = true"),
        ("INITIALISATION", "> turn = true", "turn = true"),
        ("VARIABLES", "Flags: ok, turn ∈ B", "ok, turn ∈ B  // Flags"),
        ("SETS", "Q is the set of positive integers less than 4", "Q : {x ∈ ℤ⁺ | x < 4}"),
    ],
)
def test_words_that_lead_to_a_formula_are_passed_over(kind: str, text: str, read_as: str) -> None:
    assert items(kind, text) == [read_as]


def test_a_rule_may_have_a_label() -> None:
    assert body("  Rule 1: turn → ok = true\n  R2: ok → turn = false") == [
        "turn → ok = true  // Rule 1",
        "ok → turn = false  // R2",
    ]


# Items in the wrong place


@pytest.mark.parametrize(
    ("kind", "text", "home"),
    [
        ("BEHAVIOUR", "Move(p ∈ P)\n  turn → ok = true\n• Y : {1, 2}", "SETS"),
        ("VARIABLES", "A ⊆ P\nY : {1, 2}", "SETS"),
        ("SETS", "P : {1}\nB : {true, false}\nnew ∈ B", "VARIABLES"),
        ("FACTS", "new ∈ B", "VARIABLES"),
        ("VARIABLES", "A, Free ⊆ P\nFree = P − A", "FACTS"),
        ("INITIALISATION", "over ↔ ok", "FACTS"),
        ("VARIABLES", "turn ∈ B\nturn = true", "INITIALISATION"),
        ("BEHAVIOUR", "new ∈ B\nMove(p ∈ P)\n  turn → ok = true", "VARIABLES"),
    ],
)
def test_a_misplaced_item_is_taken_with_a_warning(kind: str, text: str, home: str) -> None:
    before = read(document()).value
    found = read(document(**{kind: text}))

    assert [each.code.id for each in found.diagnostics] == ["Z111"]
    assert found.value is not None
    assert before is not None
    where = next(each for each in found.value.sections if each.kind is SectionKind[home])
    assert SectionKind[home].value in str(found.diagnostics[0].help)
    assert where.items


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("SETS", "P : {1}\nturn → ok = true"),
        ("VARIABLES", "turn ∈ B\nturn → ok = true"),
        ("INITIALISATION", "turn = true\nok → turn = false"),
        ("FACTS", "A++"),
    ],
)
def test_a_formula_that_has_no_place_in_its_section_is_an_error(kind: str, text: str) -> None:
    assert [code for code, _ in said(document(**{kind: text}))] == ["Z112"]


@pytest.mark.parametrize(
    ("kind", "text", "meant"),
    [
        ("INITIALISATION", "turn : true", "turn = true"),
        ("VARIABLES", "turn : B", "turn ∈ B"),
        ("FACTS", "over : ok", "over = ok"),
    ],
)
def test_a_colon_is_read_as_the_sign_that_belongs_there(kind: str, text: str, meant: str) -> None:
    assert [code for code, _ in said(document(**{kind: text}))] == ["Z122"]
    assert items(kind, text)[-1] == meant


# Damage


def test_a_guard_that_lost_its_conclusion_is_named() -> None:
    text = document(BEHAVIOUR="Move(p ∈ P)\n  turn ∧ p ∈ A\n\n  ¬turn → ok = true")

    assert said(text) == [("Z113", 13)]


def test_a_conclusion_that_lost_its_guard_is_named() -> None:
    text = document(BEHAVIOUR="Move(p ∈ P)\n  turn → ok = true\n\n  → ok = false")

    assert said(text) == [("Z114", 15)]


def test_assignments_without_a_guard_are_done_in_every_call() -> None:
    text = document(BEHAVIOUR="Move(p ∈ P)\n  ok = true\n  ∧ turn = ¬turn")

    assert [(each.code.id, each.level.value) for each in read(text).diagnostics] == [
        ("Z114", "warning")
    ]


def test_a_conclusion_below_two_guards_is_in_doubt() -> None:
    text = document(BEHAVIOUR="Move(p ∈ P)\n  turn ∧ ok\n\n  ¬turn ∧ ok\n\n  → ok = true")

    assert said(text) == [("Z113", 13), ("Z115", 17)]


def test_statements_before_the_first_head_are_named_once() -> None:
    text = document(BEHAVIOUR="turn → ok = true\n¬turn → ok = false\nMove(p ∈ P)\n  ok = true")

    assert said(text) == [("Z118", 12)]
    found = read(text).value
    assert found is not None
    assert [type(item).__name__ for item in found.sections[-1].items] == [
        "Unparsed",
        "Unparsed",
        "Procedure",
    ]


def test_a_line_longer_than_any_formula_is_left_out_with_its_length() -> None:
    found = read(document(FACTS="A = {" + "1, " * 5000 + "1}"))

    assert [each.code for each in found.diagnostics] == [codes.TOO_LARGE]


# Reading, View, Errata


def test_settings_have_key_value_and_reason() -> None:
    text = document() + "Reading\n  order: facts frozen  // they change\n- Occ starts at: ∅\n"

    found = read(text).value

    assert found is not None
    assert found.sections[-1].items == (
        Setting("order", "facts frozen", "they change"),
        Setting("Occ starts at", "∅"),
    )


def test_the_key_of_a_setting_may_have_brackets() -> None:
    found = read(document() + "View\n  cell (r, c): {x ∈ P | x > 1}\n").value

    assert found is not None
    assert found.sections[-1].items == (Setting("cell (r, c)", "{x ∈ P | x > 1}"),)


def test_places_of_settings_are_those_of_their_words() -> None:
    source = Source("document.md", document() + "Reading\n  order:  at once // so\n")

    found = parse(source).value

    assert found is not None
    setting = found.sections[-1].items[0]
    assert isinstance(setting, Setting)
    assert source.slice(setting.key_span) == "order"
    assert source.slice(setting.value_span) == "at once"


def test_an_erratum_changes_the_formulas_in_every_notation() -> None:
    errata = 'Errata\n  "bTurn ∈ B" → "turn ∈ B": the rules say turn\n'
    text = document(VARIABLES="$\\text{bTurn} \\in \\mathbf{B}$\nok, over ∈ B") + errata

    found = read(text)

    assert found.diagnostics == ()
    assert found.value is not None
    assert found.value.sections[1].items[0] == tree.Declaration(
        ("turn",), tree.DeclaredRelation.IN, tree.Name("B")
    )
    assert found.value.sections[-1].items == (
        tree.Erratum("bTurn ∈ B", "turn ∈ B", "the rules say turn"),
    )


def test_as_written_leaves_the_errata_aside() -> None:
    text = document(VARIABLES="bTurn ∈ B") + 'Errata\n  "bTurn" → "turn"\n'

    found = read(text, as_written=True).value

    assert found is not None
    assert found.sections[1].items == (
        tree.Declaration(("bTurn",), tree.DeclaredRelation.IN, tree.Name("B")),
    )


def test_an_erratum_without_its_words_is_said() -> None:
    assert said(document() + 'Errata\n  "nowhere" → "here"\n') == [("Z121", 15)]


# What people wrote


PAWNS = """Applicable Sets
  R : {x ∈ ℤ⁺ | x ≤ 7}
  C : {x ∈ ℤ⁺ | x ≤ 5}
  P : R × C
  S : {(x, y) ∈ P | x mod 2 = y mod 2}
  B : {true, false}
System Variables
  Alpha, Beta, Free ⊆ P
  aTurn ∈ B
System Facts
  Free = P − (Alpha ∪ Beta)
System Initialization
  aTurn = true
  Alpha = S
System States and Behavior
NextPlayerMove(prev, next ∈ P)
  (a, b) = prev
  aTurn ∧ prev ∈ Alpha ∧ a = 1 → Alpha = (Alpha − {prev}) ∪ {next} ∧ aTurn = ¬aTurn
GameOver(over)
  result ∈ {Beta Wins, Alpha Wins}
  |Beta| = 0 → result = Alpha Wins
"""


def test_a_clean_document_is_read_without_a_word() -> None:
    assert read(PAWNS).diagnostics == ()


@pytest.mark.parametrize("path", DOCUMENTS, ids=[path.name for path in DOCUMENTS])
def test_the_documents_of_this_repository_have_no_error_of_form(path: Path) -> None:
    found = parse(Source(path.name, path.read_text(encoding="utf-8")))

    assert [each.message for each in found.diagnostics if each.is_error] == []


# Lists, brackets, split names


@pytest.mark.parametrize(
    "text",
    [
        "(p ∉ A) →\n  - A = A ∪ {p}\n  - turn = ¬turn",
        "(p ∉ A) →\n  - $A = A \\cup \\{p\\}$\n  - $turn = \\neg turn$",
        "- p ∉ A →\n  - A = A ∪ {p}\n  - turn = ¬turn",
        "[p ∉ A] → {A = A ∪ {p} ∧ turn = ¬turn}",
        "{p ∉ A} → [A = A ∪ {p} ∧ turn = ¬turn]",
    ],
)
def test_a_conclusion_may_be_a_list_or_stand_in_any_brackets(text: str) -> None:
    assert body(text) == ["p ∉ A → A = A ∪ {p} ∧ turn = ¬turn"]
    assert said(document(BEHAVIOUR=f"Move(p ∈ P)\n{text}")) == []


def test_a_name_that_is_split_wherever_it_stands_is_put_together() -> None:
    text = document(
        VARIABLES="Uno, F ree ⊆ P\naT urn, ok ∈ B",
        FACTS="F ree = P − Uno",
        INITIALISATION="aT urn = true",
        BEHAVIOUR="Move(p ∈ P)\n  aT urn ∧ p ∈ F ree → aT urn = ¬aT urn",
    )

    found = read(text)

    assert found.value is not None
    shown = to_text(found.value)
    for line in ("Uno, Free ⊆ P", "Free = P − Uno", "aTurn = true", "p ∈ Free → aTurn = ¬aTurn"):
        assert line in shown
    assert {each.code for each in found.diagnostics} == {codes.SPLIT_WORD}
    assert "F ree" not in apply_fixes(Source("document.md", text), found.diagnostics)


def test_a_function_may_have_no_parameters() -> None:
    text = "full() = |A| = 3\nMove(p ∈ P)\n  full() → ok = true"

    found = read(document(BEHAVIOUR=text))

    assert items("BEHAVIOUR", text)[0] == "full() = |A| = 3"
    assert found.diagnostics == ()


@pytest.mark.parametrize("typed", ["P²", "P^2", "P<sup>2</sup>", "$P^{2}$"])
def test_a_power_of_a_set_is_read(typed: str) -> None:
    assert items("SETS", f"P : {{1..3}}\nQ : {typed}") == ["P : {1..3}", "Q : P^2"]


def test_the_first_rule_below_an_arrow_is_a_rule_inside_that_rule() -> None:
    text = "p ∉ A →\n  p = 1 → A = A ∪ {p}\n    ∧ turn = ¬turn\n  p = 2 → B = B ∪ {p}"

    assert body(text) == ["p ∉ A → (p = 1 → A = A ∪ {p} ∧ turn = ¬turn) ∧ (p = 2 → B = B ∪ {p})"]
    assert said(document(BEHAVIOUR=f"Move(p ∈ P)\n{text}")) == []


def test_an_exponent_on_a_line_of_its_own_is_put_back_and_said() -> None:
    text = "P : {x ∈ Z\n+\n  | x ≤ 3}"

    assert items("SETS", text) == ["P : {x ∈ ℤ⁺ | x ≤ 3}"]
    assert said(document(SETS=text)) == [("Z108", 2)]


def rows(text: str) -> list[str]:
    source = Source("document.md", text)
    lexed = [TokenRow(line, *lex(source, line.span)) for line in lines(source)]
    return [" ".join(token.text for token in row.tokens) for row in with_sum_limits(lexed)]


def test_a_limit_is_put_behind_its_sum() -> None:
    assert rows("|w| = 3 ∧ ∑a < 15 → r = 1\n            a∈w") == [
        "| w | = 3 ∧ ∑ a ∈ w a < 15 → r = 1"
    ]


def test_two_limits_belong_to_two_sums_in_order() -> None:
    assert rows("∑a < ∑b\n a∈w  b∈v") == ["∑ a ∈ w a < ∑ b ∈ v b"]


@pytest.mark.parametrize(
    "text",
    [
        "x = 1\na ∈ w",
        "∑a∈w a < 15\na ∈ w",
        "∑a < 15\n\na ∈ w",
        "∑a < 15\na = w",
        "∑a < 15\nb ∈ w",
    ],
)
def test_other_lines_are_no_limits(text: str) -> None:
    assert len(rows(text)) == 2


def test_a_note_with_an_open_bracket_does_not_swallow_the_next_line() -> None:
    text = (
        "System Variables\n  you ∈ {1, 2} (is\n  over ∈ {1, 2}\nSystem Initialization\n  you = 1\n"
    )

    document = parse(Source("document.md", text)).value

    assert document is not None
    declared = document.sections[0].items
    assert [each.names for each in declared if isinstance(each, tree.Declaration)] == [
        ("you",),
        ("over",),
    ]
