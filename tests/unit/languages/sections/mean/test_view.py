"""The View section."""

from tests.support.meaning import codes_of, meant, settings
from zermelo.languages.sections.ir import View
from zermelo.languages.sections.mean.view import view
from zermelo.languages.sections.printer import to_text
from zermelo.text.diagnostic import Checked, Report
from zermelo.text.headings import SectionKind
from zermelo.text.source import Source

TEXT = """
Applicable Sets
  P : {1..2} × {1..3}
System Variables
  mine, yours ⊆ P
System Initialization
  mine, yours = ∅
System States and Behavior
Take(p ∈ P)
  p ∉ mine ∪ yours → mine = mine ∪ {p}
"""


def made(lines: str) -> Checked[View]:
    text = TEXT + "View\n" + lines
    report = Report(Source("document.md", text))
    return Checked(view(settings(text, SectionKind.VIEW), meant(text), report), report.diagnostics)


def test_a_view_says_what_the_board_looks_like() -> None:
    checked = made(
        "  board: P\n  rows: up\n  piece x: mine\n  piece o: yours − mine\n  hide: mine\n"
    )

    value = checked.value
    assert value is not None
    assert checked.diagnostics == ()
    assert value.board is not None
    assert to_text(value.board) == "P"
    assert value.rows_up
    assert [(layer.mark, to_text(layer.cells)) for layer in value.layers] == [
        ("x", "mine"),
        ("o", "yours − mine"),
    ]
    assert value.hidden == ("mine",)


def test_a_cell_may_be_written_by_a_formula() -> None:
    value = made("  board: P\n  cell (r, c): 3 · r + c\n").value

    assert value is not None
    assert value.cell is not None
    assert value.cell.names == ("r", "c")
    assert to_text(value.cell.text) == "3 · r + c"


def test_what_is_not_understood_is_told_and_left_out() -> None:
    checked = made("  colour: red\n  rows: sideways\n  hide: min\n  board: mine ∪\n  piece x: P\n")

    assert set(codes_of(checked.diagnostics)) >= {"Z550", "Z551", "Z552"}
    assert checked.value is not None
    assert [layer.mark for layer in checked.value.layers] == ["x"]
    assert checked.value.board is None
