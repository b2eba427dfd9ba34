"""How the pieces of printed mathematics look."""

from __future__ import annotations

import re
from typing import Final

BLANK: Final = re.compile(r"(?:\s|\\[ ,;:!>/]|~|\\\n)+")
PLAIN_BLANK: Final = re.compile(r"\s+")
BREAK: Final = re.compile(r"\\\\(?:\[[^\]\n]{0,20}\])?")
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
UNDER: Final = re.compile(r"\s*(?:\\limits)?\s*_\s*\{")
TAG: Final = re.compile(r"\s*\{?\s*\(?\s*(\d{1,5})\s*\)?\s*\}?")
ANGLED: Final = re.compile(r"(?:\\langle|⟨|〈)\s*(\d{1,5})\s*(?:\\rangle|⟩|〉)")
DEFINES: Final = re.compile(r":(?:\s|\\[!,;])*=")
SIGNS: Final = (
    *(":=", "<=>", "/=", "<=", "=>", ">=", "...", ".."),
    *("+", "-", "*", "/", "|", "^", "=", "<", ">", "(", ")", "[", "]", ",", ";", ".", ":"),
    *("{", "}", "~", "&", "\\"),
)
LISTED: Final = re.compile(r"\{[^{}\\&]*(?:,|\.\.)[^{}\\&]*\}")
AFTER_COMMAND: Final = re.compile(r"(?:\\[A-Za-z]+\*?|[_^]|\w)\s*\Z")
STRING_BLANKS: Final = re.compile(r"\\[ ,;:!]|~|\\q?quad\b|\s+")
