"""LED programs in print, with the damage that printing does, and what is made of them.

``scan.txt`` is a program of 48 formulas as a scan of its printed form shows it; the library
has the same program in source form. The others were written for these tests.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from tests.support.project import ROOT
from zermelo.api import loading
from zermelo.core.values import Atom, Value
from zermelo.languages.led.mean.elaborate import elaborate, expression
from zermelo.languages.led.mean.repairs import repaired
from zermelo.languages.led.mean.repairs.rewriting import changed, changed_definition
from zermelo.languages.led.read import document as led
from zermelo.languages.led.read import parser, printer, tree, weave
from zermelo.languages.led.run.built_ins import Input
from zermelo.languages.led.run.evaluator import ProgramEvaluator
from zermelo.languages.led.run.pretty import pp
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.source import Source

HERE = Path(__file__).parent
LETTERS = "abcdefghijklmnopqrstuvwxyz"
LIBRARY = ROOT / "games" / "tic-tac-toe-led" / "tic-tac-toe-led.led"


@cache
def read(
    path: Path, *, as_written: bool = False
) -> tuple[Source, tree.LiterateProgram, tuple[Diagnostic, ...]]:
    source = Source(path.name, path.read_text(encoding="utf-8"))
    parsed = led.parse(source, as_written=as_written)
    assert parsed.value is not None
    mended = repaired(parsed.value, source, as_written=as_written)
    assert mended.value is not None
    return source, mended.value, (*parsed.diagnostics, *mended.diagnostics)


def evaluator(path: Path, *, as_written: bool = False) -> ProgramEvaluator:
    source, document, _ = read(path, as_written=as_written)
    program = elaborate(document, source).value
    assert program is not None
    return ProgramEvaluator(program)


def without_brackets(definition: tree.Definition) -> tree.Definition:
    """*definition* with its structure only, since brackets around a whole say nothing."""

    def change(expr: tree.Expr) -> tree.Expr | None:
        return changed(expr.inner, change) if isinstance(expr, tree.Bracketed) else None

    return changed_definition(definition, change)


def definition(path: Path, name: str, *, as_written: bool = False) -> str:
    _, document, _ = read(path, as_written=as_written)
    (found,) = (each for each in document.definitions if each.name == name)
    return " ".join(printer.definition(found).split())


def answers(path: Path) -> list[tuple[str, str, str]]:
    """What was typed in the document, the answer it shows, and the answer of the program."""
    source, document, _ = read(path)
    program = elaborate(document, source).value
    assert program is not None
    found = []
    for test in document.parts:
        if isinstance(test, tree.TranscriptEntry):
            typed = Source("typed", test.typed.removeprefix("pp(").removesuffix(")"))
            parsed = parser.expression(typed).value
            assert parsed is not None
            meant = expression(parsed, program, typed).value
            assert meant is not None
            found.append((test.typed, test.answer, pp(ProgramEvaluator(program).expression(meant))))
    return found


# The scan


def test_the_scan_repaired_is_the_program_of_the_library() -> None:
    _, mine, _ = read(HERE / "scan.txt")
    _, theirs, _ = read(LIBRARY)

    assert [without_brackets(each) for each in mine.definitions] == [
        without_brackets(each) for each in theirs.definitions
    ]
    assert mine.is_game


def test_every_formula_of_the_scan_that_is_damaged_is_named_at_its_place() -> None:
    source, document, said = read(HERE / "scan.txt")
    number_by_line: dict[int, int] = {}
    for each in document.definitions:
        first, last = source.line_of(each.span.start), source.line_of(each.span.end)
        assert each.number is not None
        number_by_line.update(dict.fromkeys(range(first, last + 1), each.number))

    named = {
        (number_by_line[source.line_of(each.primary.span.start)], each.code.id)
        for each in said
        if each.primary and source.line_of(each.primary.span.start) in number_by_line
    }

    assert named == {
        (1, "Z133"),  # the game switch
        (3, "Z137"),
        (3, "Z138"),
        (4, "Z131"),
        (6, "Z130"),
        (7, "Z130"),
        (16, "Z136"),
        (16, "Z142"),
        (18, "Z139"),
        (19, "Z139"),
        (19, "Z140"),
        (25, "Z141"),
        (34, "Z139"),
        (37, "Z136"),
        (37, "Z142"),
        (38, "Z141"),
        (39, "Z136"),
        (39, "Z142"),
        (40, "Z139"),
        (41, "Z139"),
        (42, "Z139"),
        (43, "Z139"),
        (45, "Z132"),
        (45, "Z135"),
        (45, "Z143"),
    }


def test_the_scan_answers_its_own_transcript() -> None:
    found = answers(HERE / "scan.txt")

    assert len(found) == 21
    assert [shown for _, shown, _ in found] == [given for _, _, given in found]


def test_the_scan_as_written_lets_x_move_onto_an_o() -> None:
    path = HERE / "scan.txt"
    running = evaluator(path, as_written=True)
    state: Value = running.value("initialState")

    # As printed, cell 1 is x from 199 to 299 and y from 600 to 700, cell 2 is to its lower right.
    for x, y in ((250, 650), (350, 550), (350, 550)):
        click = Input(clicked=True, x=x, y=y)
        state = running.value("newState", state=state, input=click)

    assert state == {(Atom("x"), 1), (Atom("o"), 2), (Atom("x"), 2)}
    assert definition(path, "occupied", as_written=True) == (
        "occupied(c) iff occupies(`x, c) V occupies(`x, c)"
    )


def test_nothing_that_has_a_meaning_is_changed_as_written() -> None:
    _, _, said = read(HERE / "scan.txt", as_written=True)

    assert not {each.code.id for each in said} & {"Z138", "Z139", "Z140", "Z141", "Z144"}


def test_the_repairs_do_not_depend_on_the_names() -> None:
    source, document, said = read(HERE / "scan.txt")
    shift = str.maketrans(LETTERS + LETTERS.upper(), (LETTERS[13:] + LETTERS[:13]) * 2)
    own = {each.name for each in document.definitions} - {"initialState", "newState", "images"}
    own |= {"L1", "L2", "L3", "L4", "A1", "A2", "A3", "A4", "txt", "alwaysDisplay", "inPlayDisplay"}
    own |= {"gameOverDisplay", "estartClicked"}

    def renamed(found: re.Match[str]) -> str:
        return "q" + found[0].translate(shift) if found[0] in own else found[0]

    text = re.sub(r"\w+", renamed, source.text).replace("qrfgneg", "qerfgneg")
    other = Source("renamed.txt", text)
    parsed = led.parse(other)
    assert parsed.value is not None
    mended = repaired(parsed.value, other)

    assert mended.value is not None
    assert [each.code.id for each in (*parsed.diagnostics, *mended.diagnostics)] == [
        each.code.id for each in said
    ]
    assert [re.sub(r"\w+", renamed, printer.definition(each)) for each in document.definitions] == [
        printer.definition(each) for each in mended.value.definitions
    ]


# Other programs


def test_sixteen_tiles_in_four_columns_are_found_from_the_window() -> None:
    path = HERE / "tiles.txt"

    assert definition(path, "coloured") == "coloured(t) iff wears(`red, t) V wears(`green, t)"
    assert definition(path, "tileLeft") == "tileLeft(t) := 40 + 60 * ((t - 1) mod 4)"
    assert definition(path, "tileHigh") == "tileHigh(t) := 400 - 60 * floor((t - 1) / 4)"
    assert definition(path, "midY") == "midY(t) := 370 - 60 * floor((t - 1) / 4)"
    assert definition(path, "mean") == "mean(u, v) := (u + v) / 2"


def test_lines_between_the_tiles_are_completed() -> None:
    board = definition(HERE / "tiles.txt", "board")

    assert "B3 = segment(point(220, 160), point(220, 400), ink)" in board
    assert "B4 = segment(point(40, 340), point(280, 340), ink)" in board
    assert "B6 = segment(point(40, 220), point(280, 220), ink)" in board


def test_a_picture_for_the_end_is_made_like_the_one_before() -> None:
    images = definition(HERE / "tiles.txt", "images")

    assert "before = always U turnText" in images
    assert "atTheEnd = always U endText" in images


def test_tiles_answer_their_transcript() -> None:
    found = answers(HERE / "tiles.txt")

    assert [shown for _, shown, _ in found] == [given for _, _, given in found]


def test_lines_without_latex_are_formulas_too() -> None:
    path = HERE / "rent.txt"

    assert [each.number for each in read(path)[1].definitions] == [*range(1, 10), 11]
    assert definition(path, "monthlyRent") == "monthlyRent := 640"
    assert definition(path, "fee") == "fee(d) := 25 + 2 * (d - 14)"
    assert definition(path, "discount") == "discount(n) := (n - 1) mod 12"
    assert [shown for _, shown, _ in answers(path)] == [given for _, _, given in answers(path)]


def test_a_button_is_completed_from_its_click_region() -> None:
    path = HERE / "button.txt"

    assert definition(path, "onPad").endswith("mouseY < padHigh")
    assert definition(path, "pad") == (
        "pad := {f1, f2, f3, f4, word} "
        "where f1 = segment(lowLeft, highLeft, INK) & "
        "f2 = segment(point(580, 300), highRight, INK) & "
        "f3 = segment(highLeft, highRight, INK) & "
        "f4 = segment(lowLeft, point(580, 300), INK) & "
        'word = text("push", point(500, 330), 30, INK)'
    )


def test_a_printed_program_is_loaded_with_its_repairs() -> None:
    game = loading.load(HERE / "button.txt")

    assert game.is_loaded
    assert "Z143" in {each.code.id for each in game.diagnostics}
    assert [each.message for each in game.diagnostics if each.is_error] == []


# What is not damaged


def test_a_woven_program_is_read_back_and_nothing_is_repaired() -> None:
    _, document, _ = read(LIBRARY)
    source = Source("woven.tex", weave.latex(document))

    parsed = led.parse(source).value
    assert parsed is not None
    mended = repaired(parsed, source)

    assert mended.value is not None
    assert mended.value.definitions == document.definitions
    assert mended.diagnostics == ()
