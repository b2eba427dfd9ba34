"""``zermelo export``, and ``zermelo format`` on LED programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import zermelo

PROGRAM = "# Cells\n\n/$ cells := {1..9}   corner(c) iff c in {1,3,7,9} or c = 0 $/\n"
CANONICAL = """\
# Cells

/$
cells := {1..9}
corner(c) iff c in {1, 3, 7, 9} V c = 0
$/
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "cells.led"
    path.write_text(PROGRAM, "utf-8")
    return path


def test_a_program_is_formatted_in_source_form(program: Path) -> None:
    assert zermelo("format", str(program)).out == CANONICAL


def test_a_program_can_have_the_signs_of_mathematics(program: Path) -> None:
    assert "c ∈ {1, 3, 7, 9} ∨ c = 0" in zermelo("format", str(program), "--to", "unicode").out


def test_a_program_is_formatted_in_its_file(program: Path) -> None:
    ran = zermelo("format", str(program), "--write")

    assert ran.code == 0
    assert program.read_text("utf-8") == CANONICAL
    assert "canonical form already" in zermelo("format", str(program), "--write").err


def test_a_program_is_not_replaced_by_what_is_woven_from_it(program: Path) -> None:
    ran = zermelo("format", str(program), "--to", "latex", "--write")

    assert ran.code == 2
    assert "zermelo export" in ran.err
    assert program.read_text("utf-8") == PROGRAM


def test_a_program_in_print_is_not_replaced_by_its_source_form(tmp_path: Path) -> None:
    path = tmp_path / "printed.txt"
    path.write_text("$$a := 1$$ (1)\n\n$$b := a + 1$$ (2)\n", "utf-8")

    assert zermelo("format", str(path), "--write").code == 2
    assert "a := 1\n" in zermelo("export", str(path), "--to", "led").out


def test_a_program_is_woven(program: Path) -> None:
    ran = zermelo("export", str(program), "--to", "latex")

    assert ran.code == 0
    assert ran.out.startswith("\\documentclass")
    assert "\\section*{Cells}" in ran.out
    assert "\\mathit{cells} := \\{1..9\\}\n\\tag{1}" in ran.out


def test_the_name_of_the_file_says_what_to_write(program: Path, tmp_path: Path) -> None:
    out = tmp_path / "cells.tex"

    ran = zermelo("export", str(program), "-o", str(out))

    assert (ran.code, ran.out) == (0, "")
    assert out.read_text("utf-8") == zermelo("export", str(program), "--to", "latex").out


def test_something_must_say_what_to_write(program: Path) -> None:
    ran = zermelo("export", str(program))

    assert ran.code == 2
    assert "--to with one of latex" in ran.err


def test_a_folder_that_does_not_exist_is_said_to_be_missing(program: Path, tmp_path: Path) -> None:
    ran = zermelo("export", str(program), "--out", str(tmp_path / "nowhere" / "cells.tex"))

    assert ran.code == 2
    assert "could not be written" in ran.err


def test_a_document_with_sections_is_written_too() -> None:
    assert "\\cup" in zermelo("export", "tic-tac-toe", "--to", "latex").out
    assert zermelo("export", "tic-tac-toe", "--to", "led").code == 2
    assert zermelo("export", "tic-tac-toe", "--to", "pnml").code == 2


def test_a_document_that_cannot_be_read_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "empty.led"
    path.write_text("Only words.\n", "utf-8")

    ran = zermelo("export", str(path), "--to", "latex")

    assert ran.code == 2
    assert "Z238" in ran.err


@pytest.mark.parametrize("command", [("format",), ("export", "--to", "latex")])
def test_a_definition_that_could_not_be_read_is_not_lost(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "damaged.led"
    path.write_text("/$ a := (1   b := 2 $/\n", "utf-8")

    ran = zermelo(command[0], str(path), *command[1:])

    assert (ran.code, ran.out) == (1, "")
    assert "Z204" in ran.err


def test_the_library_has_its_led_program_in_canonical_form() -> None:
    ran = zermelo("format", "tic-tac-toe-led")

    from_file = Path(__file__).parents[3] / "games" / "tic-tac-toe-led" / "tic-tac-toe-led.led"
    assert ran.code == 0
    assert ran.out == from_file.read_text("utf-8")


def test_a_document_is_written_as_a_page_that_needs_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "page.html"

    ran = zermelo("export", "pawns", "--output", str(path))

    page = path.read_text("utf-8")
    assert ran.code == 0
    assert page.startswith("<!doctype html>")
    # 7 sets, 4 lines of variables, 2 facts, 5 first values, and 11 and 4 lines of procedures.
    assert page.count("<math ") == 33
    assert "<h2>System Facts</h2>" in page
    for asked in ("<script", "src=", "href=", "url(", "@import", "http://", "https://"):
        assert asked not in page


def test_nothing_that_a_document_says_becomes_markup_of_its_page(tmp_path: Path) -> None:
    document = tmp_path / "hostile.md"
    document.write_text(
        "# <script>a</script>\n\n<img src=x>\n\nApplicable Sets\n"
        '  A : {"</math><script>b</script>", "<i>"} // <svg onload=c>\n'
        "System Variables\n  a ∈ A\nSystem Initialization\n"
        '  a = "<i>"\nSystem States and Behavior\nGo()\n  a = "<i>" → a = <b> ∧\n',
        "utf-8",
    )

    page = zermelo("export", str(document), "--to", "html").out

    assert "&lt;script&gt;a" in page
    for tag in ("<script", "<img", "<svg", "<b>", "<i>"):
        assert tag not in page


def test_a_program_is_no_page(program: Path) -> None:
    ran = zermelo("export", str(program), "--to", "html")

    assert ran.code == 2
    assert "no document with sections, which alone are written as a page" in " ".join(
        ran.err.split()
    )
