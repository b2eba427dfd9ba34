"""A program woven into a LaTeX document: its prose, and each definition as a numbered formula.

LED passes prose to TeX as it stands. Prose without any command of TeX was not written for
it: that is taken as Markdown, and what TeX would stumble over is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from zermelo.languages.led.read import tree
from zermelo.languages.led.read.printer import Printer, conjunct_level, conjuncts
from zermelo.languages.led.read.styles import STYLES
from zermelo.languages.led.read.tree import Definition, LiterateProgram, Sign
from zermelo.text.latex import (
    BEGIN_DOCUMENT,
    BEGIN_VERBATIM,
    END_DOCUMENT,
    END_VERBATIM,
    PREAMBLE,
    completed,
    declarations,
    from_markdown,
)
from zermelo.text.source import Notation

_WHERE: Final = r"\text" "{where }"
_UNDER_WHERE: Final = r"\qquad\quad"
_FENCE_AT_END: Final = re.compile(r"\n?[ \t]*(?:`{3,}|~{3,})[\w+-]*[ \t]*\n?\Z")
_FENCE_AT_START: Final = re.compile(r"\A[ \t]*\n?[ \t]*(?:`{3,}|~{3,})[ \t]*(?=\n|\Z)")

_TEX_COMMAND: Final = re.compile(r"\\[A-Za-z]+|\{\\[a-z]+ ")
_PRINTER: Final = Printer(STYLES[Notation.LATEX])


def latex(document: LiterateProgram, *, title: str = "") -> str:
    """*document* as a complete LaTeX document; *title* is used where its prose gives none."""
    is_tex = any(
        isinstance(part, tree.Prose) and _TEX_COMMAND.search(part.text) for part in document.parts
    )
    pieces = _pieces(document, is_tex=is_tex)
    text = re.sub(r"\n{3,}", "\n\n", "\n\n".join(pieces)).strip("\n")
    if BEGIN_DOCUMENT in text:
        return completed(text)
    head = PREAMBLE + declarations(text)
    if title and not is_tex and not re.search(r"^\\section", text, re.MULTILINE):
        text = f"\\section*{{{from_markdown(title)}}}\n\n{text}"
    return f"{head}\n{BEGIN_DOCUMENT}\n\n{text}\n\n{END_DOCUMENT}\n"


def formula(definition: Definition, number: int) -> str:
    rows = _body(_head(definition), definition.branches)
    if definition.where is not None:
        rows += _where(definition.where)
    if len(rows) == 1:
        inner = rows[0]
    else:
        broken = " \\\\\n".join(f"  & {row}" for row in rows)
        inner = f"\\begin{{aligned}}\n{broken}\n\\end{{aligned}}"
    return f"\\begin{{equation}}\n{inner}\n\\tag{{{number}}}\n\\end{{equation}}"


# The document


def _pieces(document: LiterateProgram, *, is_tex: bool) -> list[str]:
    pieces: list[str] = []
    words = ""
    number = 0
    is_fenced = False
    for part in _with_sessions(document.parts):
        match part:
            case tree.Prose():
                words += (
                    _FENCE_AT_START.sub("", part.text) if is_fenced and not words else part.text
                )
            case str():
                words += _shown(part, words, is_tex=is_tex)
            case tree.Definition():
                if words.strip():
                    is_open = not is_tex and _is_fenced(words)
                    unfenced = _FENCE_AT_END.sub("", words) if is_open else words
                    is_fenced = unfenced != words
                    pieces.append(_as_latex(unfenced, is_tex=is_tex))
                words = ""
                number = part.number or number + 1
                pieces.append(formula(part, number))
    if words.strip():
        pieces.append(_as_latex(words, is_tex=is_tex))
    return pieces


def _with_sessions(parts: Sequence[tree.Part]) -> list[tree.Prose | Definition | str]:
    """*parts* with each session, which is a run of tests, as one text; without switches."""
    found: list[tree.Prose | Definition | str] = []
    for part, following in zip(parts, (*parts[1:], None), strict=False):
        is_session = bool(found) and isinstance(found[-1], str)
        if isinstance(part, tree.TranscriptEntry):
            found.append(f"{found.pop()}\n{part.text}" if is_session else part.text)
        elif isinstance(part, tree.Prose) and not part.text.strip():
            if not is_session or not isinstance(following, tree.TranscriptEntry):
                found.append(part)
        elif not isinstance(part, tree.GameSwitch):
            found.append(part)
    return found


def _is_fenced(text: str) -> bool:
    """Whether a block of code of Markdown is open at the end of *text*."""
    return len(re.findall(r"^[ \t]*(?:`{3,}|~{3,})", text, re.MULTILINE)) % 2 == 1


def _as_latex(text: str, *, is_tex: bool) -> str:
    return (text if is_tex else from_markdown(text)).strip("\n")


def _shown(session: str, before: str, *, is_tex: bool) -> str:
    """A *session*, within a block that shows letters as they are."""
    lead = "" if not before or before.endswith("\n") else "\n"
    if is_tex:
        is_inside = before.count(BEGIN_VERBATIM) > before.count(END_VERBATIM)
        opening, closing = BEGIN_VERBATIM, END_VERBATIM
    else:
        is_inside = _is_fenced(before)
        opening = closing = "```"
    return lead + (session if is_inside else f"{opening}\n{session}\n{closing}\n")


# Formulas


def _head(definition: Definition) -> str:
    name = _PRINTER.style.name
    parameters = ", ".join(map(name, definition.parameters))
    head = name(definition.name) + (f"({parameters})" if parameters else "")
    return head + (r" \quad\text{iff}\quad" if definition.is_relation else " :=")


def _body(head: str, branches: Sequence[tree.Branch]) -> list[str]:
    style = _PRINTER.style
    if len(branches) == 1 and branches[0].guard is None and not branches[0].is_otherwise:
        flat = _PRINTER.flat(branches[0].value)
        if style.size(head) + style.size(flat) < style.width:
            return [f"{head} {flat}"]
        broken = _PRINTER.lines(branches[0].value, taken=2)
        return [head, *(f"\\quad {row}" for row in broken)]
    cases = [_case(branch) for branch in branches]
    below = " \\\\\n".join(cases)
    block = f"\\begin{{cases}}\n{below}\n\\end{{cases}}"
    if style.size(head) + max(map(style.size, cases)) <= style.width:
        return [f"{head} {block}"]
    return [head, f"\\quad {block}"]


def _case(branch: tree.Branch) -> str:
    value = _aligned(branch.value)
    if branch.guard is not None:
        return rf"  {value} & \text{{if }} {_aligned(branch.guard)}"
    return rf"  {value} & \text{{otherwise}}" if branch.is_otherwise else f"  {value}"


def _aligned(expr: tree.Expr) -> str:
    """The value or the condition of a case; the other takes a third of the line."""
    rows = _PRINTER.lines(expr, taken=30)
    if len(rows) == 1:
        return rows[0]
    inner = r" \\ ".join(f"& {row}" for row in rows)
    return rf"\begin{{aligned}} {inner} \end{{aligned}}"


def _where(condition: tree.Expr) -> list[str]:
    rows: list[str] = []
    equations = conjuncts(condition)
    for at, each in enumerate(equations):
        level = conjunct_level(at, len(equations))
        broken = _PRINTER.lines(each, level, taken=8)
        if at < len(equations) - 1:
            broken[-1] += f" {_PRINTER.sign(Sign.AND)}"
        for number, row in enumerate(broken):
            indent = r"\quad " if number else ""
            rows.append(f"{_UNDER_WHERE if rows else _WHERE} {indent}{row}")
    return rows
