"""A program woven into a LaTeX document: its prose, and each definition as a numbered formula.

LED passes prose to TeX as it stands. Prose without any command of TeX was not written for
it: that is taken as Markdown, and what TeX would stumble over is escaped.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final

from zermelo.languages.led.read import tree
from zermelo.languages.led.read.printer import Printer, conjunct_level, conjuncts
from zermelo.languages.led.read.styles import STYLES, escaped
from zermelo.languages.led.read.tree import Definition, LiterateProgram, Sign
from zermelo.text.source import Notation

_PREAMBLE: Final = r"""\documentclass[10pt]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{textcomp}
\usepackage{amsmath}
\usepackage{amssymb}
\usepackage[margin=2.2cm]{geometry}
"""
_BEGIN_DOCUMENT: Final = "\\begin{document}"
_END_DOCUMENT: Final = "\\end{document}"
_WHERE: Final = r"\text" "{where }"
_UNDER_WHERE: Final = r"\qquad\quad"
_FENCE_AT_END: Final = re.compile(r"\n?[ \t]*(?:`{3,}|~{3,})[\w+-]*[ \t]*\n?\Z")
_FENCE_AT_START: Final = re.compile(r"\A[ \t]*\n?[ \t]*(?:`{3,}|~{3,})[ \t]*(?=\n|\Z)")

_PRINTER: Final = Printer(STYLES[Notation.LATEX])


def latex(document: LiterateProgram, *, title: str = "") -> str:
    """*document* as a complete LaTeX document; *title* is used where its prose gives none."""
    is_tex = any(
        isinstance(part, tree.Prose) and _TEX_COMMAND.search(part.text) for part in document.parts
    )
    pieces = _pieces(document, is_tex=is_tex)
    text = re.sub(r"\n{3,}", "\n\n", "\n\n".join(pieces)).strip("\n")
    if _BEGIN_DOCUMENT in text:
        return _completed(text)
    head = _PREAMBLE + _declarations(text)
    if title and not is_tex and not re.search(r"^\\section", text, re.MULTILINE):
        text = f"\\section*{{{from_markdown(title)}}}\n\n{text}"
    return f"{head}\n{_BEGIN_DOCUMENT}\n\n{text}\n\n{_END_DOCUMENT}\n"


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
        is_inside = before.count(_BEGIN_VERBATIM) > before.count(_END_VERBATIM)
        opening, closing = _BEGIN_VERBATIM, _END_VERBATIM
    else:
        is_inside = _is_fenced(before)
        opening = closing = "```"
    return lead + (session if is_inside else f"{opening}\n{session}\n{closing}\n")


def _completed(text: str) -> str:
    """A text that brings its own preamble, with the packages that formulas need."""
    missing = [
        f"\\usepackage{{{package}}}\n"
        for package in ("textcomp", "amsmath", "amssymb")
        if not re.search(rf"\\usepackage(?:\[[^]]*\])?\{{[^}}]*\b{package}\b", text)
    ]
    text = text.replace(
        _BEGIN_DOCUMENT, "".join(missing) + _declarations(text) + _BEGIN_DOCUMENT, 1
    )
    return text + ("\n" if _END_DOCUMENT in text else f"\n\n{_END_DOCUMENT}\n")


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


# Prose

_BEGIN_VERBATIM: Final = "\\begin{verbatim}"
_END_VERBATIM: Final = "\\end{verbatim}"
_TEX_COMMAND: Final = re.compile(r"\\[A-Za-z]+|\{\\[a-z]+ ")
_FENCE: Final = re.compile(r"\s*(?:`{3,}|~{3,})")
_HEADING: Final = re.compile(r"(#{1,6})\s++(.*)$")
_ITEM: Final = re.compile(r"\s*(?:[-*+•]|\d{1,2}[.)])\s+(.*)$")
_SPAN: Final = re.compile(
    # A dollar sign with a blank inside, or a digit behind it, is money.
    r"(?P<math>\$(?=\S)[^$\n]+(?<=\S)\$(?!\d))|(?P<code>`[^`\n]+`)|\*\*(?P<strong>[^*\n]+)\*\*|\*(?P<em>[^*\n]+)\*"
)
_HEADINGS: Final = ("section*", "section*", "subsection*", "subsubsection*")

_MATH_SIGNS: Final[Mapping[str, str]] = {
    "∪": r"\cup", "∩": r"\cap", "∖": r"\setminus", "×": r"\times", "∧": r"\wedge", "∨": r"\vee",
    "¬": r"\neg", "⇒": r"\Rightarrow", "⇔": r"\Leftrightarrow", "→": r"\to", "≠": r"\neq",
    "≤": r"\leq", "≥": r"\geq", "∈": r"\in", "⊆": r"\subseteq", "∃": r"\exists",
    "∀": r"\forall", "∅": r"\varnothing", "⌊": r"\lfloor", "⌋": r"\rfloor", "⌈": r"\lceil",
    "⌉": r"\rceil", "℘": r"\wp", "∑": r"\sum", "∏": r"\prod", "−": "-", "≡": r"\equiv",
}  # fmt: skip
"""Signs that fonts for text do not have, and how mathematics writes them."""

_GREEK: Final[Mapping[str, str]] = {
    "α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "δ": r"\delta", "ε": r"\epsilon",
    "ζ": r"\zeta", "η": r"\eta", "θ": r"\theta", "ι": r"\iota", "κ": r"\kappa", "λ": r"\lambda",
    "μ": r"\mu", "ν": r"\nu", "ξ": r"\xi", "π": r"\pi", "ρ": r"\rho", "ς": r"\varsigma",
    "σ": r"\sigma", "τ": r"\tau", "υ": r"\upsilon", "φ": r"\varphi", "χ": r"\chi", "ψ": r"\psi",
    "ω": r"\omega", "Γ": r"\Gamma", "Δ": r"\Delta", "Θ": r"\Theta", "Λ": r"\Lambda", "Ξ": r"\Xi",
    "Π": r"\Pi", "Σ": r"\Sigma", "Υ": r"\Upsilon", "Φ": r"\Phi", "Ψ": r"\Psi", "Ω": r"\Omega",
    "Α": "A", "Β": "B", "Ε": "E", "Ζ": "Z", "Η": "H", "Ι": "I", "Κ": "K", "Μ": "M", "Ν": "N",
    "Ο": "O", "Ρ": "P", "Τ": "T", "Χ": "X", "ο": "o",
}  # fmt: skip
_ACUTE: Final = "\N{COMBINING ACUTE ACCENT}"
_FONTS_HAVE: Final = 0x180
"""Letters before this one are in the fonts: those of ASCII, Latin-1 and Latin Extended-A."""

_ALSO_IN_FONTS: Final = frozenset("–—‘’‚“”„†‡•…‰‹›€™\u200b\u200c")


def _declarations(text: str) -> str:
    r"""What makes the signs of *text* printable that fonts for text do not have.

    >>> _declarations("a ∪ b, π")
    '\\DeclareUnicodeCharacter{222A}{\\ensuremath{\\cup}}\n\\DeclareUnicodeCharacter{03C0}{\\ensuremath{\\pi}}\n'
    """
    signs = dict.fromkeys(
        sign
        for sign in text
        if sign in _MATH_SIGNS or (ord(sign) >= _FONTS_HAVE and sign not in _ALSO_IN_FONTS)
    )
    return "".join(
        f"\\DeclareUnicodeCharacter{{{ord(sign):04X}}}{{{_substitute(sign)}}}\n" for sign in signs
    )


def _substitute(sign: str) -> str:
    """How LaTeX sets *sign*; what no font has is set as its number in a box."""
    apart = unicodedata.normalize("NFD", sign)
    known = _MATH_SIGNS.get(sign) or _GREEK.get(apart[0])
    if known and apart[1:] == _ACUTE:
        known = rf"\acute{{{known}}}"
    return rf"\ensuremath{{{known}}}" if known else rf"\fbox{{\tiny {ord(sign):04X}}}"


def from_markdown(text: str) -> str:
    r"""*text* in LaTeX: headings, lists, code, emphasis; everything else is escaped.

    >>> from_markdown("A *cell* is a number in $\\{1..9\\}$, 50% of them odd.")
    'A \\emph{cell} is a number in $\\{1..9\\}$, 50\\% of them odd.'
    """
    rows: list[str] = []
    is_code = is_list = False
    for line in text.split("\n"):
        if _FENCE.match(line):
            rows.append(_END_VERBATIM if is_code else _BEGIN_VERBATIM)
            is_code = not is_code
            continue
        if is_code:
            rows.append(line)
            continue
        item = _ITEM.match(line)
        if item and not is_list:
            rows.append(r"\begin{itemize}")
        elif is_list and not item and line.strip():
            rows.append(r"\end{itemize}")
            is_list = False
        is_list = is_list or bool(item)
        heading = _HEADING.match(line)
        if item:
            rows.append(rf"\item {_inline(item[1])}")
        elif heading:
            command = _HEADINGS[min(len(heading[1]), len(_HEADINGS)) - 1]
            title = heading[2].rstrip().rstrip("#").rstrip()
            rows.append(rf"\{command}{{{_inline(title)}}}")
        else:
            rows.append(_inline(line))
    if is_list:
        rows.append(r"\end{itemize}")
    if is_code:
        rows.append(_END_VERBATIM)
    return "\n".join(rows)


def _inline(text: str) -> str:
    done = ""
    at = 0
    for found in _SPAN.finditer(text):
        done += escaped(text[at : found.start()]) + _set(found)
        at = found.end()
    return done + escaped(text[at:])


def _set(found: re.Match[str]) -> str:
    if found["math"]:
        return found["math"] if _is_balanced(found["math"]) else escaped(found["math"])
    if found["code"]:
        return rf"\texttt{{{escaped(found['code'][1:-1])}}}"
    if found["strong"]:
        return rf"\textbf{{{escaped(found['strong'])}}}"
    return rf"\emph{{{escaped(found['em'])}}}"


def _is_balanced(math: str) -> bool:
    level = 0
    for sign in re.findall(r"\\.|[{}]", math):
        level += {"{": 1, "}": -1}.get(sign, 0)
        if level < 0:
            return False
    return level == 0 and not re.search(r"(?<!\\)[#%&~]", math)
