"""A program woven into a LaTeX document: its prose, and each definition as a numbered formula.

The formulas stand in the order of the definitions, so the number of a formula is
the number of its definition. Brackets, and blanks in strings, are kept; a formula
that is wider than the page is broken.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, assert_never

from zermelo.languages.led.read import tex_prose, tree
from zermelo.languages.led.read.printer import Layout, Printer, conjunct_level, conjuncts
from zermelo.languages.led.read.styles import STYLES
from zermelo.languages.led.read.tree import Definition, Document, Sign
from zermelo.text.source import Notation

_PREAMBLE: Final = r"""\documentclass[10pt]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{textcomp}
\usepackage{amsmath}
\usepackage{amssymb}
\usepackage[margin=2.2cm]{geometry}
"""
_BEGIN: Final = "\\begin{document}"
_END: Final = "\\end{document}"
_WHERE: Final = r"\text" "{where }"
_UNDER_WHERE: Final = r"\qquad\quad"
_FENCED: Final = re.compile(r"\n?[ \t]*(?:`{3,}|~{3,})[\w+-]*[ \t]*\n?\Z")
_FENCE: Final = re.compile(r"\A[ \t]*\n?[ \t]*(?:`{3,}|~{3,})[ \t]*(?=\n|\Z)")

_PRINTER: Final = Printer(STYLES[Notation.LATEX])


def latex(document: Document, *, title: str = "") -> str:
    """*document* as a complete LaTeX document; *title* is used where its prose gives none."""
    prose = [part.text for part in document.parts if isinstance(part, tree.Prose)]
    is_tex = tex_prose.is_tex(prose)
    pieces = _pieces(document, is_tex=is_tex)
    text = re.sub(r"\n{3,}", "\n\n", "\n\n".join(pieces)).strip("\n")
    if _BEGIN in text:
        return _completed(text)
    head = _PREAMBLE + tex_prose.declarations(text)
    if title and not is_tex and not re.search(r"^\\section", text, re.MULTILINE):
        text = f"\\section*{{{tex_prose.from_markdown(title)}}}\n\n{text}"
    return f"{head}\n{_BEGIN}\n\n{text}\n\n{_END}\n"


def formula(definition: Definition, number: int) -> str:
    """*definition* as one display with its *number*."""
    rows = _rows(definition)
    if len(rows) == 1:
        inner = rows[0]
    else:
        broken = " \\\\\n".join(f"  & {row}" for row in rows)
        inner = f"\\begin{{aligned}}\n{broken}\n\\end{{aligned}}"
    return f"\\begin{{equation}}\n{inner}\n\\tag{{{number}}}\n\\end{{equation}}"


# The document


def _pieces(document: Document, *, is_tex: bool) -> list[str]:
    """The document in pieces: prose with sessions, formulas."""
    pieces: list[str] = []
    words = ""
    number = 0
    is_fenced = False
    for part in _with_sessions(document.parts):
        match part:
            case tree.Prose():
                words += _FENCE.sub("", part.text) if is_fenced and not words else part.text
            case str():
                words += _shown(part, words, is_tex=is_tex)
            case tree.Definition():
                if words.strip():
                    unfenced = _FENCED.sub("", words) if _is_open_fence(words) else words
                    is_fenced = unfenced != words and not is_tex
                    pieces.append(_prose(words if is_tex else unfenced, is_tex=is_tex))
                words = ""
                number = part.number or number + 1
                pieces.append(formula(part, number))
    if words.strip():
        pieces.append(_prose(words, is_tex=is_tex))
    return pieces


def _with_sessions(parts: Sequence[tree.Part]) -> list[tree.Prose | Definition | str]:
    """*parts* with each session, which is a run of tests, as one text; without switches."""
    found: list[tree.Prose | Definition | str] = []
    for at, part in enumerate(parts):
        match part:
            case tree.Test():
                text = f'cmd:>{part.typed}\n"{part.answer}"'
                if found and isinstance(found[-1], str):
                    text = f"{found.pop()}\n{text}"
                found.append(text)
            case tree.Prose():
                between = found and isinstance(found[-1], str) and not part.text.strip()
                following = parts[at + 1] if at + 1 < len(parts) else None
                if not (between and isinstance(following, tree.Test)):
                    found.append(part)
            case tree.Definition():
                found.append(part)
            case tree.GameSwitch():
                pass
            case _:
                assert_never(part)
    return found


def _is_open_fence(text: str) -> bool:
    """Whether a block of code of Markdown begins at the very end of *text*."""
    fences = re.findall(r"^[ \t]*(?:`{3,}|~{3,})", text, re.MULTILINE)
    return len(fences) % 2 == 1 and bool(_FENCED.search(text))


def _prose(text: str, *, is_tex: bool) -> str:
    return (text if is_tex else tex_prose.from_markdown(text)).strip("\n")


def _shown(session: str, before: str, *, is_tex: bool) -> str:
    """A *session*, within a block that shows letters as they are."""
    lead = "" if not before or before.endswith("\n") else "\n"
    if is_tex:
        is_inside = tex_prose.is_verbatim(before)
        return lead + (session if is_inside else tex_prose.verbatim(session) + "\n")
    fences = re.findall(r"^[ \t]*(?:`{3,}|~{3,})", before, re.MULTILINE)
    return lead + (session if len(fences) % 2 else f"```\n{session}\n```\n")


def _completed(text: str) -> str:
    """A text that brings its own preamble, with the packages that formulas need."""
    missing = [
        f"\\usepackage{{{package}}}\n"
        for package in ("textcomp", "amsmath", "amssymb")
        if not re.search(rf"\\usepackage(?:\[[^]]*\])?\{{[^}}]*\b{package}\b", text)
    ]
    text = text.replace(_BEGIN, "".join(missing) + tex_prose.declarations(text) + _BEGIN, 1)
    return text + ("\n" if _END in text else f"\n\n{_END}\n")


# Formulas


def _rows(definition: Definition) -> list[str]:
    """The lines of a definition."""
    rows = _body(_head(definition), definition.branches)
    if definition.where is not None:
        rows += _where(definition.where)
    return rows


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
        broken = Layout(_PRINTER).lines(branches[0].value, taken=2)
        return [head, *(f"\\quad {row}" for row in broken)]
    cases = [_case(branch) for branch in branches]
    below = " \\\\\n".join(cases)
    block = f"\\begin{{cases}}\n{below}\n\\end{{cases}}"
    if style.size(head) + max(map(style.size, cases)) <= style.width:
        return [f"{head} {block}"]
    return [head, f"\\quad {block}"]


def _case(branch: tree.Branch) -> str:
    rows = Layout(_PRINTER).lines(branch.value, taken=30)
    value = rows[0]
    if len(rows) > 1:
        inner = r" \\ ".join(f"& {row}" for row in rows)
        value = rf"\begin{{aligned}} {inner} \end{{aligned}}"
    if branch.guard is not None:
        return rf"  {value} & \text{{if }} {_guard(branch.guard)}"
    return rf"  {value} & \text{{otherwise}}" if branch.is_otherwise else f"  {value}"


def _guard(guard: tree.Expr) -> str:
    """The condition of a case; the value takes a third of the line."""
    rows = Layout(_PRINTER).lines(guard, taken=30)
    if len(rows) == 1:
        return rows[0]
    inner = r" \\ ".join(f"& {row}" for row in rows)
    return rf"\begin{{aligned}} {inner} \end{{aligned}}"


def _where(condition: tree.Expr) -> list[str]:
    """The equations of a *where*, one to a line and under each other."""
    rows: list[str] = []
    equations = conjuncts(condition)
    for at, each in enumerate(equations):
        level = conjunct_level(at, len(equations))
        broken = Layout(_PRINTER).lines(each, level, taken=8)
        if at < len(equations) - 1:
            broken[-1] += f" {_PRINTER.sign(Sign.AND)}"
        for number, row in enumerate(broken):
            indent = r"\quad " if number else ""
            rows.append(f"{_UNDER_WHERE if rows else _WHERE} {indent}{row}")
    return rows
