"""The signs of printed LED formulas: what LaTeX and Unicode write for the source form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

COMMANDS: Final[Mapping[str, str]] = {
    "varnothing": "{}",
    "emptyset": "{}",
    "in": "in",
    "cup": "U",
    "cap": "sec",
    "setminus": "\\",
    "smallsetminus": "\\",
    "backslash": "\\",
    "subseteq": "sub",
    "subset": "sub",
    "times": "*",
    "cdot": "*",
    "ast": "*",
    "div": "/",
    "mod": "mod",
    "bmod": "mod",
    "land": "&",
    "wedge": "&",
    "lor": "V",
    "vee": "V",
    "neg": "~",
    "lnot": "~",
    "sim": "~",
    "Rightarrow": "=>",
    "implies": "=>",
    "Longrightarrow": "=>",
    "Leftrightarrow": "<=>",
    "Longleftrightarrow": "<=>",
    "iff": "<=>",
    "equiv": "<=>",
    "neq": "/=",
    "ne": "/=",
    "leq": "<=",
    "leqslant": "<=",
    "le": "<=",
    "geq": ">=",
    "geqslant": ">=",
    "ge": ">=",
    "lt": "<",
    "gt": ">",
    "exists": "some",
    "forall": "all",
    "mid": "|",
    "vert": "|",
    "lvert": "|",
    "rvert": "|",
    "wp": "Pow",
    "ldots": "..",
    "dots": "..",
    "cdots": "..",
    "coloneqq": ":=",
    "lbrace": "{",
    "rbrace": "}",
    "lbrack": "[",
    "rbrack": "]",
    "colon": ":",
    "textasciigrave": "`",
    "textquoteleft": "`",
    "prime": "'",
}
"""Commands that are one sign of the source form."""

CHARACTERS: Final[Mapping[str, str]] = {
    "∅": "{}",
    "∈": "in",
    "∪": "U",
    "∩": "sec",
    "∖": "\\",
    "⊆": "sub",
    "⊂": "sub",
    "×": "*",
    "·": "*",
    "∗": "*",
    "÷": "/",
    "−": "-",
    "–": "-",
    "∧": "&",
    "∨": "V",
    "¬": "~",
    "⇒": "=>",
    "⇔": "<=>",
    "≡": "<=>",
    "≠": "/=",
    "≤": "<=",
    "≥": ">=",
    "∃": "some",
    "∀": "all",
    "∣": "|",
    "℘": "Pow",
    "…": "..",
    "≔": ":=",
}
"""Characters that are one sign of the source form."""

BIG: Final[Mapping[str, str]] = {
    "bigcup": "U",
    "⋃": "U",
    "bigcap": "Sec",
    "⋂": "Sec",
    "sum": "Sum",
    "∑": "Sum",
    "prod": "Prod",
    "∏": "Prod",
}
"""Signs that have a sentence below them."""

AROUND: Final[Mapping[str, tuple[str, ...]]] = {
    "lfloor": ("floor", "("),
    "⌊": ("floor", "("),
    "lceil": ("ceil", "("),
    "⌈": ("ceil", "("),
    "rfloor": (")",),
    "⌋": (")",),
    "rceil": (")",),
    "⌉": (")",),
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
    for name in (*COMMANDS, *BIG, *AROUND, *SILENT, *WRAPPERS, "begin", "tag", "frac")
    if name[0] in _ESCAPES and len(name) > 2 and name[1:] not in _KEPT and name.isascii()
}
"""What is left of a command that lost its backslash and its first letter."""
