"""How repairs speak: formulas by their numbers, expressions in source form."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.languages.led.read import printer
from zermelo.languages.led.read.tree import Definition, Expr


def place(definition: Definition) -> str:
    """*definition* by its number, or else by its name."""
    return f"`{definition.name}`" if definition.number is None else f"({definition.number})"


def listed(words: Sequence[str], *, last: str = "and") -> str:
    """*words* with commas and a word before the last one.

    >>> listed(["a", "b", "c"]), listed(["a"])
    ('a, b and c', 'a')
    """
    *others, final = words
    return f"{', '.join(others)} {last} {final}" if others else final


def quoted(names: Sequence[str]) -> str:
    """*names* as code, in a list."""
    return listed([f"`{name}`" for name in names])


def shown(expr: Expr) -> str:
    """*expr* in source form."""
    return printer.expression(expr)
