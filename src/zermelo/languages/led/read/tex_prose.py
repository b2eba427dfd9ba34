"""The prose of a program as LaTeX.

LED passes prose to TeX as it stands. Prose without any command of TeX was not
written for it: that is taken as Markdown, and what TeX would stumble over is
escaped.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Final

from zermelo.languages.led.read.styles import escaped

_BEGIN: Final = "\\begin{verbatim}"
_END: Final = "\\end{verbatim}"
_COMMAND: Final = re.compile(r"\\[A-Za-z]+|\{\\[a-z]+ ")
_FENCE: Final = re.compile(r"\s*(?:`{3,}|~{3,})")
_HEADING: Final = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*$")
_ITEM: Final = re.compile(r"\s*(?:[-*+•]|\d{1,2}[.)])\s+(.*)$")
_SPAN: Final = re.compile(
    # A dollar sign with a blank inside, or a digit behind it, is money.
    r"(?P<math>\$(?=\S)[^$\n]+(?<=\S)\$(?!\d))|(?P<code>`[^`\n]+`)|\*\*(?P<strong>[^*\n]+)\*\*|\*(?P<em>[^*\n]+)\*"
)
_LEVELS: Final = ("section*", "section*", "subsection*", "subsubsection*")

UNICODE: Final[Mapping[str, str]] = {
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


def declarations(text: str) -> str:
    r"""What makes the signs of *text* printable that fonts for text do not have.

    >>> declarations("a ∪ b, π")
    '\\DeclareUnicodeCharacter{222A}{\\ensuremath{\\cup}}\n\\DeclareUnicodeCharacter{03C0}{\\ensuremath{\\pi}}\n'
    """
    signs = dict.fromkeys(
        sign
        for sign in text
        if sign in UNICODE or (ord(sign) >= _FONTS_HAVE and sign not in _ALSO_IN_FONTS)
    )
    return "".join(
        f"\\DeclareUnicodeCharacter{{{ord(sign):04X}}}{{{_substitute(sign)}}}\n" for sign in signs
    )


def _substitute(sign: str) -> str:
    """How LaTeX sets *sign*; what no font has is set as its number in a box."""
    apart = unicodedata.normalize("NFD", sign)
    known = UNICODE.get(sign) or _GREEK.get(apart[0])
    if known and apart[1:] == _ACUTE:
        known = rf"\acute{{{known}}}"
    return rf"\ensuremath{{{known}}}" if known else rf"\fbox{{\tiny {ord(sign):04X}}}"


def is_tex(prose: Iterable[str]) -> bool:
    """Whether *prose* was written for TeX."""
    return any(_COMMAND.search(each) for each in prose)


def is_verbatim(text: str) -> bool:
    """Whether what follows *text* is shown letter by letter."""
    return text.count(_BEGIN) > text.count(_END)


def verbatim(text: str) -> str:
    """*text* letter by letter, on lines of its own."""
    return f"{_BEGIN}\n{text}\n{_END}"


def from_markdown(text: str) -> str:
    r"""*text* in LaTeX: headings, lists, code, emphasis; everything else is escaped.

    >>> from_markdown("A *cell* is a number in $\\{1..9\\}$, 50% of them odd.")
    'A \\emph{cell} is a number in $\\{1..9\\}$, 50\\% of them odd.'
    """
    rows: list[str] = []
    is_code = is_list = False
    for line in text.split("\n"):
        if _FENCE.match(line):
            rows.append(_END if is_code else _BEGIN)
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
        rows.append(rf"\item {_inline(item[1])}" if item else _line(line))
    if is_list:
        rows.append(r"\end{itemize}")
    if is_code:
        rows.append(_END)
    return "\n".join(rows)


def _line(line: str) -> str:
    heading = _HEADING.match(line)
    if heading:
        command = _LEVELS[min(len(heading[1]), len(_LEVELS)) - 1]
        return rf"\{command}{{{_inline(heading[2])}}}"
    return _inline(line)


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
    """Whether each brace that groups in *math* has its partner."""
    level = 0
    for sign in re.findall(r"\\.|[{}]", math):
        level += {"{": 1, "}": -1}.get(sign, 0)
        if level < 0:
            return False
    return level == 0 and not re.search(r"(?<!\\)[#%&~]", math)
