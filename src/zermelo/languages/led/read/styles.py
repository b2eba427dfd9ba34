"""How LED looks: in source form, with the signs of mathematics, and in LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from zermelo.languages.led.read.tree import BigSign, Prefix, QuantifierSign, Sign
from zermelo.text.source import Notation


def _as_it_is(text: str) -> str:
    return text


@dataclass(frozen=True, slots=True)
class Style:
    """The signs of one notation, and how names, strings and atoms are set in it."""

    width: int
    """How many columns a line may have."""
    indent: str = "  "
    signs: Mapping[Sign, str] = field(default_factory=dict)
    """What differs from source form; so with the mappings below."""
    bigs: Mapping[BigSign, str] = field(default_factory=dict)
    quantifiers: Mapping[QuantifierSign, str] = field(default_factory=dict)
    around: Mapping[Prefix, tuple[str, str]] = field(default_factory=dict)
    """What stands around an operand in brackets: ``floor(`` and ``)``."""
    negation: str = "~"
    empty: str = "{}"
    braces: tuple[str, str] = ("{", "}")
    bar: str = " | "
    big_condition: tuple[str, str] = ("[", "] ")
    backquote: str = "`"
    name: Callable[[str], str] = _as_it_is
    string: Callable[[str], str] = '"{}"'.format
    numeral: Callable[[str], str] = _as_it_is
    word: Callable[[str], str] = _as_it_is
    """A word of the language, such as ``if``, with what keeps it apart."""
    size: Callable[[str], int] = len
    """How many columns a text takes."""


_CALLED: Final = {
    Prefix.FLOOR: ("floor(", ")"),
    Prefix.CEILING: ("ceil(", ")"),
    Prefix.POWER_SET: ("Pow(", ")"),
}

_SOURCE: Final = Style(width=100, around=_CALLED)

_UNICODE: Final = Style(
    width=100,
    signs={
        Sign.TIMES: "×",
        Sign.UNION: "∪",
        Sign.INTERSECTION: "∩",
        Sign.DIFFERENCE: "∖",
        Sign.NE: "≠",
        Sign.LE: "≤",
        Sign.GE: "≥",
        Sign.IN: "∈",
        Sign.SUBSET: "⊆",
        Sign.AND: "∧",
        Sign.OR: "∨",
        Sign.IMPLIES: "⇒",
        Sign.IFF: "⇔",
    },
    bigs={BigSign.UNION: "⋃", BigSign.INTERSECTION: "⋂", BigSign.SUM: "∑", BigSign.PRODUCT: "∏"},
    quantifiers={QuantifierSign.SOME: "∃", QuantifierSign.ALL: "∀"},
    around={Prefix.FLOOR: ("⌊", "⌋"), Prefix.CEILING: ("⌈", "⌉"), Prefix.POWER_SET: ("℘(", ")")},
    negation="¬",
    empty="∅",
)


def _tex_name(name: str) -> str:
    r"""*name* in LaTeX.

    >>> _tex_name("x"), _tex_name("xMin"), _tex_name("initialState_")
    ('x', '\\mathit{xMin}', '\\mathit{initialState\\_}')
    """
    escaped = name.replace("_", r"\_")
    return escaped if len(name) == 1 else rf"\mathit{{{escaped}}}"


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


_ESCAPED: Final = {text: char for char, text in _TEX_SPECIAL.items() if char != "\n"}
_ESCAPE: Final = re.compile("|".join(map(re.escape, [*_ESCAPED, "{}"])))
_LIGATURE: Final = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=,)(?=,)")


def unescaped(text: str) -> str:
    r"""The characters that *text* sets in LaTeX, outside of formulas.

    >>> unescaped("50\\% of \\{1..9\\}, a-{}-b")
    '50% of {1..9}, a--b'
    """
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found.group(), ""), text)


def _tex_string(value: str) -> str:
    # TeX would make one blank of several, and one dash or quotation mark of two.
    kept = _LIGATURE.sub("{}", escaped(value)).replace("  ", "\\ \\ ")
    return rf'\text{{"{kept}"}}'


def _tex_numeral(text: str) -> str:
    return re.sub(r"\((\d+)\.\.\)", r"\\overline{\1}", text)


def _tex_word(word: str) -> str:
    return rf"\text{{{word}}}"


_COMMAND: Final = re.compile(r"\\(?:text|mathit|overline)\{|\\text[a-z]+\{\}|\\[a-zA-Z]+|\\.|[{}]")


def _tex_size(text: str) -> int:
    """About as many columns as *text* takes in print."""
    return len(_COMMAND.sub(lambda found: "" if found.group()[-1] in "{}" else "x", text))


_LATEX: Final = Style(
    width=88,
    indent=r"\quad ",
    signs={
        Sign.TIMES: r"\times",
        Sign.MOD: r"\bmod",
        Sign.UNION: r"\cup",
        Sign.INTERSECTION: r"\cap",
        Sign.DIFFERENCE: r"\setminus",
        Sign.NE: r"\neq",
        Sign.LE: r"\leq",
        Sign.GE: r"\geq",
        Sign.IN: r"\in",
        Sign.SUBSET: r"\subseteq",
        Sign.AND: r"\wedge",
        Sign.OR: r"\vee",
        Sign.IMPLIES: r"\Rightarrow",
        Sign.IFF: r"\Leftrightarrow",
    },
    bigs={
        BigSign.UNION: r"\bigcup",
        BigSign.INTERSECTION: r"\bigcap",
        BigSign.SUM: r"\sum",
        BigSign.PRODUCT: r"\prod",
    },
    quantifiers={QuantifierSign.SOME: r"\exists", QuantifierSign.ALL: r"\forall"},
    around={
        Prefix.FLOOR: (r"\lfloor ", r" \rfloor"),
        Prefix.CEILING: (r"\lceil ", r" \rceil"),
        Prefix.POWER_SET: (r"\wp(", ")"),
    },
    negation=r"\neg ",
    empty=r"\varnothing",
    braces=(r"\{", r"\}"),
    bar=r" \mid ",
    big_condition=("_{", "} "),
    name=_tex_name,
    string=_tex_string,
    numeral=_tex_numeral,
    word=_tex_word,
    size=_tex_size,
)

STYLES: Final[Mapping[Notation, Style]] = {
    Notation.ASCII: _SOURCE,
    Notation.UNICODE: _UNICODE,
    Notation.LATEX: _LATEX,
}


def numeral(value: Fraction) -> str:
    """The numeral that writes *value*, which is not negative, with a repeating block if need be.

    >>> numeral(Fraction(1, 3)), numeral(Fraction(7, 2)), numeral(Fraction(1, 6))
    ('0.(3..)', '3.5', '0.1(6..)')
    """
    whole, rest = divmod(value.numerator, value.denominator)
    digits: list[str] = []
    seen: dict[int, int] = {}
    while rest and rest not in seen:
        seen[rest] = len(digits)
        digit, rest = divmod(rest * 10, value.denominator)
        digits.append(str(digit))
    if not digits:
        return str(whole)
    if not rest:
        return f"{whole}.{''.join(digits)}"
    start = seen[rest]
    return f"{whole}.{''.join(digits[:start])}({''.join(digits[start:])}..)"
