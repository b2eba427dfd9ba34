"""The signs of printed LED formulas, and the patterns by which their pieces are found."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_WRITTEN: Final[Mapping[str, str]] = {
    "{}": "varnothing emptyset ∅",
    "in": "in ∈",
    "U": "cup ∪",
    "sec": "cap ∩",
    "\\": "setminus smallsetminus backslash ∖",
    "sub": "subseteq subset ⊆ ⊂",
    "*": "times cdot ast × · ∗",
    "/": "div ÷",
    "-": "− –",
    "mod": "mod bmod",
    "&": "land wedge ∧",
    "V": "lor vee ∨",
    "~": "neg lnot sim ¬",
    "=>": "Rightarrow implies Longrightarrow ⇒",
    "<=>": "Leftrightarrow Longleftrightarrow iff equiv ⇔ ≡",
    "/=": "neq ne ≠",
    "<=": "leq leqslant le ≤",
    ">=": "geq geqslant ge ≥",
    "<": "lt",
    ">": "gt",
    "some": "exists ∃",
    "all": "forall ∀",
    "|": "mid vert lvert rvert ∣",
    "Pow": "wp ℘",
    "..": "ldots dots cdots …",
    ":=": "coloneqq ≔",
    "{": "lbrace",
    "}": "rbrace",
    "[": "lbrack",
    "]": "rbrack",
    ":": "colon",
    "`": "textasciigrave textquoteleft",
    "'": "prime",
}
SINGLE: Final = {name: sign for sign, names in _WRITTEN.items() for name in names.split()}
"""Commands and characters that are one sign of the source form."""

BIG: Final[Mapping[str, str]] = {
    **dict.fromkeys(("bigcup", "⋃"), "U"),
    **dict.fromkeys(("bigcap", "⋂"), "Sec"),
    **dict.fromkeys(("sum", "∑"), "Sum"),
    **dict.fromkeys(("prod", "∏"), "Prod"),
}
"""Signs that have a sentence below them."""

AROUND: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("lfloor", "⌊"), ("floor", "(")),
    **dict.fromkeys(("lceil", "⌈"), ("ceil", "(")),
    **dict.fromkeys(("rfloor", "⌋", "rceil", "⌉"), (")",)),
}
"""Brackets that are functions in the source form."""

SILENT: Final = frozenset(
    {
        *("left", "right", "quad", "qquad", "displaystyle", "textstyle", "limits", "nolimits"),
        *("big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "middle", "nonumber"),
        *("notag", "it", "rm", "em", "bf", "tt", "sf", "sl", "cal", "itshape", "rmfamily"),
        *("thinspace", "medspace", "thickspace", "enspace", "noindent", "centering", "hfill"),
        *("mathopen", "mathclose", "mathpunct", "strut", "null", "allowbreak", "newline"),
    }
)
"""Commands that only say how something looks."""

WRAPPERS: Final = frozenset(
    {
        *("text", "textit", "textrm", "texttt", "textbf", "textsf", "textsc", "textnormal"),
        *("emph", "mathit", "mathrm", "mathtt", "mathbf", "mathsf", "mathnormal", "mathbin"),
        *("mathrel", "mathop", "mathord", "operatorname", "mbox", "hbox", "boldsymbol"),
    }
)
"""Commands that only say how what they are given looks."""

WITH_ARGUMENT: Final = frozenset({"label", "hspace", "vspace", "phantom", "hphantom", "color"})
"""Commands that are left out with what they are given."""

CASES: Final = frozenset({"cases", "dcases", "rcases"})

# A backslash and its letter are taken for a control character by many programs: `\t` of `\text`.
_ESCAPES: Final = frozenset("abfnrtv")
_KEPT: Final = frozenset({"in", "mod", "floor", "ceil", "sum", "prod", "sec", "sub", "all", "some"})

REMNANTS: Final[Mapping[str, str]] = {
    name[1:]: name
    for name in (*SINGLE, *BIG, *AROUND, *SILENT, *WRAPPERS, "begin", "tag", "frac")
    if name[0] in _ESCAPES and len(name) > 2 and name[1:] not in _KEPT and name.isascii()
}
"""What is left of a command that lost its backslash and its first letter."""

# Patterns

BLANK: Final = re.compile(r"(?:\s|\\[ ,;:!>/]|~|\\\n)++")
PLAIN_BLANK: Final = re.compile(r"\s+")
BREAK: Final = re.compile(r"\\\\(?:\[[^\]\n]{0,20}\])?")
ESCAPED: Final = re.compile(r"\\([{}&|_%#$])")
NAMED: Final = re.compile(r"\\([A-Za-z]+)\*?")
ENVIRONMENT: Final = re.compile(r"\s*\{\s*([A-Za-z]+)\*?\s*\}")
ROWS: Final = frozenset({"array", "aligned", "matrix", "gathered"})
BRACED_ROWS: Final = re.compile(
    r"(?:\\left\s*)?\\(?:\{|lbrace)\s*"
    r"\\begin\{(?:array|aligned|matrix|gathered)\}(?:\s*\{[lcr@| ]*\})?"
)
COLUMNS: Final = re.compile(r"\s*\{[lcr|@{} ]{0,20}\}")
NUMERAL: Final = re.compile(r"\d+\.\d*\(\d+\.\.\)|\.\d*\(\d+\.\.\)|\d*\.\d+(?:\(\d+\.\.\))?|\d+")
REPEATING: Final = re.compile(r"(\d*\.\d*)\s*\\(?:overline|bar|dot)\s*\{\s*(\d+)\s*\}")
WORD: Final = re.compile(r"[^\W\d_](?:[^\W_]|\\?_(?=[^\W_])|\\_)*")
SUBSCRIPT: Final = re.compile(r"_\{\s*([A-Za-z0-9]+)\s*\}")
ATOM: Final = re.compile(
    r"(?:`|‘|\\textasciigrave\b|\\textquoteleft\b)\s*"
    r"(?:\\[a-z]+\s*\{\s*(?P<set>[^\W\d_][^\W_]*)\s*\}|(?P<bare>[^\W\d_][^\W_]*))"
)
QUOTED_ATOM: Final = re.compile(r"(['’′´])([^\W\d_][^\W_]*)(?!['’\w])")
STRINGS: Final = (
    re.compile(r'"([^"\n]{0,400})"'),
    re.compile(r"“([^”\n]{0,400})[”\"]"),
    re.compile(r"``([^`\n]{0,400}?)(?:''|\"|”)"),
    re.compile(r"''([^'\n]{0,400}?)''"),
    re.compile(r"”([^”\n]{0,400})”"),
)
SIMPLE_POWER: Final = re.compile(r"\^\s*\{\s*(\d+|[A-Za-z][A-Za-z0-9]*)\s*\}")
ARGUMENT: Final = re.compile(r"\s*\{([^{}]{0,400})\}")
UNDER: Final = re.compile(r"\s*+(?:\\limits\s*+)?_\s*+\{")
TAG: Final = re.compile(r"\s*+\{?\s*+\(?\s*+(\d{1,5})\s*+\)?\s*+\}?")
ANGLED: Final = re.compile(r"(?:\\langle|⟨|〈)\s*(\d{1,5})\s*(?:\\rangle|⟩|〉)")
DEFINES: Final = re.compile(r":(?:\s|\\[!,;])*=")
SIGNS: Final = (
    *(":=", "<=>", "/=", "<=", "=>", ">=", "...", ".."),
    *("+", "-", "*", "/", "|", "^", "=", "<", ">", "(", ")", "[", "]", ",", ";", ".", ":"),
    *("{", "}", "~", "&", "\\"),
)
LISTED: Final = re.compile(r"\{(?=[^{}\\&]*+\})[^{}\\&]*?(?:,|\.\.)[^{}\\&]*+\}")
AFTER_COMMAND: Final = re.compile(r"(?:\\[A-Za-z]+\*?|[_^]|\w)\s*\Z")
STRING_BLANKS: Final = re.compile(r"\\[ ,;:!]|~|\\q?quad\b|\s+")
