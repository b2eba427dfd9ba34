"""Programs woven into LaTeX."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.property.test_led_laws import assert_well_formed
from tests.support.project import ROOT
from zermelo.languages.led.read import document as led_document
from zermelo.languages.led.read import weave
from zermelo.languages.led.read.tree import LiterateProgram
from zermelo.text.latex import from_markdown
from zermelo.text.source import Source

BEGIN, END = (f"\\{edge}{{verbatim}}" for edge in ("begin", "end"))
PROGRAMS = sorted((ROOT / "games").glob("*/*.led"))


def program(text: str) -> LiterateProgram:
    value = led_document.parse(Source("x.led", text)).value
    assert value is not None
    return value


def woven(code: str) -> str:
    """What a definition becomes, without the display around it."""
    (definition,) = program(f"/$ {code} $/").definitions
    text = weave.formula(definition, 1)
    found = re.fullmatch(
        r"\\begin\{equation\}\n(.*)\n\\tag\{1\}\n\\end\{equation\}", text, re.DOTALL
    )
    assert found
    return found[1]


@pytest.mark.parametrize(
    ("code", "tex"),
    [
        ("a := {}", r"a := \varnothing"),
        ("p(c) iff c in S", r"p(c) \quad\text{iff}\quad c \in S"),
        ("mid(a,b) := (a + b)/2", r"\mathit{mid}(a, b) := (a + b) / 2"),
        ("f(c) := 100*floor((c-1)/3)", r"f(c) := 100 \times \lfloor (c - 1) / 3 \rfloor"),
        ('t := "x\'s turn"', 't := \\text{"x\'s turn"}'),
        ("a := `x", "a := `x"),
        ("a := U[c in S] f(c)", r"a := \bigcup_{c \in S} f(c)"),
        ("a := {x | x in S & ~ x = 1}", r"a := \{x \mid x \in S \wedge \neg x = 1\}"),
        ("a := x^-2 mod 3", r"a := x^{-2} \bmod 3"),
        ("a_1 := 0.(3..)", r"\mathit{a\_1} := 0.\overline{3}"),
        ("a := true", r"a := \text{true}"),
    ],
)
def test_a_definition_becomes_a_formula(code: str, tex: str) -> None:
    assert woven(code) == tex


def test_cases_have_a_brace_and_where_a_line_of_its_own() -> None:
    assert woven("f := a if p; b otherwise where a = 1 & b = 2") == (
        "\\begin{aligned}\n"
        "  & f := \\begin{cases}\n"
        "  a & \\text{if } p \\\\\n"
        "  b & \\text{otherwise}\n"
        "\\end{cases} \\\\\n"
        "  & \\text{where } a = 1 \\wedge \\\\\n"
        "  & \\qquad\\quad b = 2\n"
        "\\end{aligned}"
    )


def test_what_tex_takes_for_commands_is_escaped_in_strings() -> None:
    assert woven('t := "50% {of} $5_ #1 & \\"') == (
        r't := \text{"50\% \{of\} \$5\_ \#1 \& \textbackslash{}"}'
    )


def test_prose_that_was_written_for_tex_stays_as_it_is() -> None:
    text = weave.latex(program("\\section{Rules}\nA {\\em cell} is $c$, 1\\% of it.\n/$ c := 1 $/"))

    assert "\\section{Rules}\nA {\\em cell} is $c$, 1\\% of it.\n" in text


def test_prose_that_was_not_is_taken_as_markdown() -> None:
    text = weave.latex(program("# Rules & all\n\nA *cell* is `c`, 1% of it.\n\n/$ c := 1 $/"))

    assert "\\section*{Rules \\& all}\n\nA \\emph{cell} is \\texttt{c}, 1\\% of it." in text


def test_fences_around_code_are_no_part_of_the_prose() -> None:
    text = weave.latex(program("# T\n\n```led\n/$ c := 1 $/\n```\n\nEnd, **really**.\n"))

    assert "verbatim" not in text
    assert "End, \\textbf{really}." in text


def test_a_list_and_a_block_of_code_are_set_as_such() -> None:
    assert from_markdown("- one\n- two\n\nText\n```\n}\n```") == (
        f"\\begin{{itemize}}\n\\item one\n\\item two\n\n\\end{{itemize}}\nText\n{BEGIN}\n}}\n{END}"
    )


def test_a_session_is_shown_letter_by_letter() -> None:
    text = weave.latex(program('Words \\ldots\n/$ a := {} $/\n\ncmd:>pp(a)\n"{}"\n'))

    assert f'{BEGIN}\ncmd:>pp(a)\n"{{}}"\n{END}' in text


def test_a_session_in_markdown_is_one_block() -> None:
    text = weave.latex(program('# T\n/$ a := {} $/\n\ncmd:>pp(a)\n"{}"\n\ncmd:>pp(1)\n"1"\n\nEnd.'))

    assert f'{BEGIN}\ncmd:>pp(a)\n"{{}}"\ncmd:>pp(1)\n"1"\n{END}' in text


def test_a_text_with_its_own_preamble_gets_what_formulas_need() -> None:
    prose = "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin" + "{document}\nHi.\n"
    text = weave.latex(program(prose + "/$ a := 1 $/\n\\end" + "{document}\n"))

    assert text.count("\\documentclass") == text.count("\\begin" + "{document}") == 1
    assert text.count("amsmath") == text.count("amssymb") == 1


def test_formulas_are_numbered_in_the_order_of_the_definitions() -> None:
    text = weave.latex(program("/$ ledGame a := 1 b := 2 $/ and /$ c := 3 $/"))

    assert re.findall(r":= (\d)\n\\tag\{(\d)\}", text) == [("1", "1"), ("2", "2"), ("3", "3")]


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_of_the_library_is_woven_and_reads_back_as_printed(path: Path) -> None:
    value = program(path.read_text("utf-8"))

    text = weave.latex(value)

    assert_well_formed(
        re.sub(r"\\begin\{verbatim\}.*?\\end\{verbatim\}", "", text, flags=re.DOTALL)
    )
    read = led_document.parse(Source("woven.tex", text)).value
    assert read is not None
    assert read.is_printed
    assert read.definitions == value.definitions


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no LaTeX here")
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_of_the_library_is_set_by_latex(path: Path, tmp_path: Path) -> None:
    (tmp_path / "woven.tex").write_text(weave.latex(program(path.read_text("utf-8"))), "utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "woven.tex"]

    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=120)

    assert (tmp_path / "woven.pdf").is_file()


@pytest.mark.parametrize(
    "characters",
    ["50% of A&B #1 ~ ^ \\ {x} $ _ é", "\\section", "a--b''c,,d---e", "  two  spaces ", "<|`>", ""],
)
def test_a_string_is_set_so_that_it_reads_back(characters: str) -> None:
    value = program(f'/$ a := "{characters}" b := 2 $/')

    text = weave.latex(value)

    assert_well_formed(text)
    read = led_document.parse(Source("woven.tex", text)).value
    assert read is not None
    assert read.definitions == value.definitions


def test_dashes_in_strings_stay_apart() -> None:
    assert woven('a := "x--y"') == 'a := \\text{"x-{}-y"}'


def test_signs_that_fonts_do_not_have_are_declared() -> None:
    text = weave.latex(program('The π of žluťoučký – “日”.\n/$ Σ := "∪" $/'))

    assert re.findall(r"\\DeclareUnicodeCharacter\{(.*?)\}\{(.*)\}\n", text) == [
        ("03C0", r"\ensuremath{\pi}"),
        ("65E5", r"\fbox{\tiny 65E5}"),
        ("03A3", r"\ensuremath{\Sigma}"),
        ("222A", r"\ensuremath{\cup}"),
    ]


@pytest.mark.parametrize(
    ("text", "tex"),
    [
        ("5$ each, or $6", r"5\$ each, or \$6"),
        ("from $5 to $6", r"from \$5 to \$6"),
        ("a cell $c$ and $x_1 + y$.", "a cell $c$ and $x_1 + y$."),
    ],
)
def test_money_is_no_mathematics(text: str, tex: str) -> None:
    assert from_markdown(text) == tex


def test_a_long_condition_is_broken_and_reads_back() -> None:
    condition = " V ".join(f"x = {number}" for number in range(1000000, 1000012))
    value = program(f"/$ f(x) := 1 if {condition}; 2 otherwise b := 2 $/")

    text = weave.latex(value)

    assert max(map(len, text.replace(r" \\ ", "\n").split("\n"))) < 150
    read = led_document.parse(Source("woven.tex", text)).value
    assert read is not None
    assert read.definitions == value.definitions
