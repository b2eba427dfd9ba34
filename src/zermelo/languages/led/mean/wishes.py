"""Functions that people expect, and how LED says the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_BARS: Final = "write `|x|` for the size of a number, a set or a tuple"
_WISHES: Final[Mapping[str, str]] = {
    "not": "write `~(p)` for not",
    "abs": _BARS,
    "len": _BARS,
    "length": _BARS,
    "size": _BARS,
    "card": _BARS,
    "count": _BARS,
    "sum": "write `Sum[x in S] x` for the sum of a set",
    "prod": "write `Prod[x in S] x` for the product of a set",
    "product": "write `Prod[x in S] x` for the product of a set",
    "round": "write `floor(x + 1/2)`",
    "sqrt": "numbers are exact fractions, and most roots are none; `x^n` needs a whole `n`",
    "trunc": "write `floor(x)`",
    "int": "write `floor(x)`",
    "pow": "write `x^n` for a power, and `Pow(S)` for all subsets",
    "power": "write `x^n` for a power, and `Pow(S)` for all subsets",
    "powerset": "write `Pow(S)` for all subsets",
    "range": "write `{m..n}` for whole numbers",
    "union": "write `A U B`, and `U[x in S] f(x)` for many sets",
    "intersection": "write `A sec B`, and `Sec[x in S] f(x)` for many sets",
    "intersect": "write `A sec B`",
    "choose": "define it: `choose(A) := x where x in A`",
    "forall": "write `all x in S. p(x)`",
    "exists": "write `some x in S. p(x)`",
}
_OF_A_SET: Final = "define it: `{0}(A) := m where m in A & (all x in A. m {1} x)`"
_OF_TWO: Final = "define it: `{0}(x, y) := x if x {1} y; y otherwise`"
_EXTREMES: Final[Mapping[str, str]] = {"max": ">=", "min": "<="}


def wished(name: str, arguments: int) -> str | None:
    """How to get what a function *name* of so many *arguments* does elsewhere.

    >>> wished("abs", 1)
    'write `|x|` for the size of a number, a set or a tuple'
    """
    word = name.lower()
    if word in _EXTREMES:
        return (_OF_A_SET if arguments == 1 else _OF_TWO).format(name, _EXTREMES[word])
    return _WISHES.get(word)
