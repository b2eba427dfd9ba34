"""LaTeX around formulas: a preamble, letters that TeX would stumble over, Markdown's prose."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Final

PREAMBLE: Final = r"""\documentclass[10pt]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{textcomp}
\usepackage{amsmath}
\usepackage{amssymb}
\usepackage[margin=2.2cm]{geometry}
"""
BEGIN_DOCUMENT: Final = "\\begin{document}"
END_DOCUMENT: Final = "\\end{document}"

_TEX_SPECIAL: Final = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "^": r"\textasciicircum{}",
    "_": r"\_",
    "%": r"\%",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    "\n": " ",
}


def escaped(text: str) -> str:
    r"""*text* as LaTeX sets it outside of formulas.

    >>> escaped("50% of {1..9}")
    '50\\% of \\{1..9\\}'
    """
    return "".join(_TEX_SPECIAL.get(char, char) for char in text)


_UNESCAPED: Final = re.compile(r"(?<!\\)[{}$&#_%]")
_COMMAND: Final = re.compile(r"\\[A-Za-z]|\$")


def with_few_escapes(text: str) -> str:
    r"""*text* with as few escapes as TeX needs, so that it can be read again as it is.

    What has commands of TeX in it was not understood, and is shown letter by letter.

    >>> with_few_escapes("piece A_1: |Left| < 3")
    'piece A\\_1: |Left| < 3'
    """
    if _COMMAND.search(text):
        return escaped(text)
    return _UNESCAPED.sub(lambda found: f"\\{found[0]}", text)


_ESCAPED: Final = {text: char for char, text in _TEX_SPECIAL.items() if char != "\n"}
_ESCAPE: Final = re.compile("|".join(map(re.escape, [*_ESCAPED, "{}"])))


def unescaped(text: str) -> str:
    r"""The characters that *text* sets in LaTeX, outside of formulas.

    >>> unescaped("50\\% of \\{1..9\\}, a-{}-b")
    '50% of {1..9}, a--b'
    """
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found.group(), ""), text)


BEGIN_VERBATIM: Final = "\\begin{verbatim}"
END_VERBATIM: Final = "\\end{verbatim}"
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
    "↔": r"\leftrightarrow", "∉": r"\notin", "⊂": r"\subset", "⊄": r"\not\subset",
    "⊈": r"\nsubseteq", "⊇": r"\supseteq", "⊕": r"\oplus", "△": r"\triangle", "∘": r"\circ",
    "⟨": r"\langle", "⟩": r"\rangle", "⋃": r"\bigcup", "⋂": r"\bigcap", "ℕ": r"\mathbb{N}",
    "ℤ": r"\mathbb{Z}", "𝒫": r"\mathcal{P}", "∞": r"\infty", "⁺": "^{+}", "·": r"\cdot",
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


def declarations(text: str) -> str:
    r"""What makes the signs of *text* printable that fonts for text do not have.

    >>> declarations("a ∪ b, π")
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


def completed(text: str, *, also: str = "") -> str:
    """A text that brings its own preamble, with the packages that formulas need, and *also*."""
    missing = [
        f"\\usepackage{{{package}}}\n"
        for package in ("textcomp", "amsmath", "amssymb")
        if not re.search(rf"\\usepackage(?:\[[^]]*\])?\{{[^}}]*\b{package}\b", text)
    ]
    head = "".join(missing) + also + declarations(text)
    text = text.replace(BEGIN_DOCUMENT, head + BEGIN_DOCUMENT, 1)
    return text + ("\n" if END_DOCUMENT in text else f"\n\n{END_DOCUMENT}\n")


def from_markdown(text: str) -> str:
    r"""*text* in LaTeX: headings, lists, code, emphasis; everything else is escaped.

    >>> from_markdown("A *cell* is a number in $\\{1..9\\}$, 50% of them odd.")
    'A \\emph{cell} is a number in $\\{1..9\\}$, 50\\% of them odd.'
    """
    rows: list[str] = []
    is_code = is_list = False
    for line in text.split("\n"):
        if _FENCE.match(line):
            rows.append(END_VERBATIM if is_code else BEGIN_VERBATIM)
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
            rows.append(rf"\item {inline(item[1])}")
        elif heading:
            command = _HEADINGS[min(len(heading[1]), len(_HEADINGS)) - 1]
            title = heading[2].rstrip().rstrip("#").rstrip()
            rows.append(rf"\{command}{{{inline(title)}}}")
        else:
            rows.append(inline(line))
    if is_list:
        rows.append(r"\end{itemize}")
    if is_code:
        rows.append(END_VERBATIM)
    return "\n".join(rows)


def inline(text: str) -> str:
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
