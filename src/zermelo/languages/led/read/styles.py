"""How LED looks: in source form, with the signs of mathematics, and in LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, TypeAlias

from zermelo.languages.led.read.tree import BigSign, Prefix, QuantifierSign, Sign
from zermelo.text.latex import escaped
from zermelo.text.source import Notation

AnySign: TypeAlias = Sign | BigSign | QuantifierSign


@dataclass(frozen=True, slots=True)
class Style:
    """The signs of one notation, and how names, strings and atoms are set in it."""

    width: int
    """How many columns a line may have."""
    indent: str = "  "
    signs: Mapping[AnySign, str] = field(default_factory=dict)
    """What differs from source form."""
    around: Mapping[Prefix, tuple[str, str]] = field(default_factory=dict)
    """What stands around an operand in brackets: ``floor(`` and ``)``."""
    negation: str = "~"
    empty: str = "{}"
    braces: tuple[str, str] = ("{", "}")
    bar: str = " | "
    big_condition: tuple[str, str] = ("[", "] ")
    backquote: str = "`"
    name: Callable[[str], str] = str
    string: Callable[[str], str] = '"{}"'.format
    numeral: Callable[[str], str] = str
    word: Callable[[str], str] = str
    """A word of the language, such as ``true``."""
    size: Callable[[str], int] = len
    """How many columns a text takes."""


MATHEMATICS: Final[Mapping[AnySign, tuple[str, str]]] = {
    Sign.TIMES: ("×", r"\times"),
    Sign.MOD: ("mod", r"\bmod"),
    Sign.UNION: ("∪", r"\cup"),
    Sign.INTERSECTION: ("∩", r"\cap"),
    Sign.DIFFERENCE: ("∖", r"\setminus"),
    Sign.NE: ("≠", r"\neq"),
    Sign.LE: ("≤", r"\leq"),
    Sign.GE: ("≥", r"\geq"),
    Sign.IN: ("∈", r"\in"),
    Sign.SUBSET: ("⊆", r"\subseteq"),
    Sign.AND: ("∧", r"\wedge"),
    Sign.OR: ("∨", r"\vee"),
    Sign.IMPLIES: ("⇒", r"\Rightarrow"),
    Sign.IFF: ("⇔", r"\Leftrightarrow"),
    BigSign.UNION: ("⋃", r"\bigcup"),
    BigSign.INTERSECTION: ("⋂", r"\bigcap"),
    BigSign.SUM: ("∑", r"\sum"),
    BigSign.PRODUCT: ("∏", r"\prod"),
    QuantifierSign.SOME: ("∃", r"\exists"),
    QuantifierSign.ALL: ("∀", r"\forall"),
}
"""The signs of mathematics, and the commands of LaTeX for them."""


def _tex_name(name: str) -> str:
    r"""*name* in LaTeX.

    >>> _tex_name("x"), _tex_name("xMin"), _tex_name("initialState_")
    ('x', '\\mathit{xMin}', '\\mathit{initialState\\_}')
    """
    escaped = name.replace("_", r"\_")
    return escaped if len(name) == 1 else rf"\mathit{{{escaped}}}"


_LIGATURE: Final = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=,)(?=,)")


def _tex_string(value: str) -> str:
    # TeX would make one blank of several, and one dash or quotation mark of two.
    kept = _LIGATURE.sub("{}", escaped(value)).replace("  ", "\\ \\ ")
    return rf'\text{{"{kept}"}}'


_COMMAND: Final = re.compile(r"\\(?:text|mathit|overline)\{|\\text[a-z]+\{\}|\\[a-zA-Z]+|\\.|[{}]")


def _tex_size(text: str) -> int:
    """About as many columns as *text* takes in print."""
    return len(_COMMAND.sub(lambda found: "" if found.group()[-1] in "{}" else "x", text))


STYLES: Final[Mapping[Notation, Style]] = {
    Notation.ASCII: Style(
        width=100,
        around={
            Prefix.FLOOR: ("floor(", ")"),
            Prefix.CEILING: ("ceil(", ")"),
            Prefix.POWER_SET: ("Pow(", ")"),
        },
    ),
    Notation.UNICODE: Style(
        width=100,
        signs={sign: char for sign, (char, _) in MATHEMATICS.items()},
        around={
            Prefix.FLOOR: ("⌊", "⌋"),
            Prefix.CEILING: ("⌈", "⌉"),
            Prefix.POWER_SET: ("℘(", ")"),
        },
        negation="¬",
        empty="∅",
    ),
    Notation.LATEX: Style(
        width=88,
        indent=r"\quad ",
        signs={sign: command for sign, (_, command) in MATHEMATICS.items()},
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
        numeral=lambda text: re.sub(r"\((\d+)\.\.\)", r"\\overline{\1}", text),
        word=r"\text{{{}}}".format,
        size=_tex_size,
    ),
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
