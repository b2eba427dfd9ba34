"""What keeps a part of a net from being understood, on its way to whoever collects it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from zermelo.languages.nets.read.pnml.xml import Element
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.suggest import nearest

MOST_NESTED: Final = 100
"""Terms inside each other, and sorts; what is read by a call for each level stops there."""


class Wrong(Exception):
    """A part of a net that cannot be used; the diagnostic says why."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def missing(element: Element, what: str) -> Wrong:
    """That *element* lacks something."""
    return Wrong(
        Diagnostic(
            codes.PNML_MISSING,
            f"`<{element.tag}>` lacks {_quoted(what)}",
            primary=Label(element.span),
            help="add it, or write the net again with the program that made it",
        )
    )


def not_understood(element: Element, what: str) -> Wrong:
    """That *element* stands for something that is not read."""
    return Wrong(
        Diagnostic(
            codes.PNML_UNKNOWN,
            f"`<{element.tag}>` is not understood here",
            primary=Label(element.span, f"{what} are not read"),
        )
    )


def too_deep(element: Element) -> Wrong:
    """That *element* stands inside more others than can be read."""
    return Wrong(
        Diagnostic(
            codes.TOO_DEEP,
            f"`<{element.tag}>` is nested too deeply",
            primary=Label(element.span),
            help=f"at most {MOST_NESTED} may stand inside each other; `add`, `and` and `or` may "
            "have many operands",
        )
    )


def not_there(element: Element, name: str, what: str, known: Iterable[str]) -> Wrong:
    """That *element* names a *what* that does not exist."""
    near = nearest(name, list(known))
    return Wrong(
        Diagnostic(
            codes.PNML_NOTHING_THERE,
            f"there is no {what} `{name}`",
            primary=Label(element.span),
            help=f"did you mean `{near[0]}`?" if near else f"declare a {what} with this id",
        )
    )


def _quoted(what: str) -> str:
    return f"`{what}`" if what.isidentifier() and what.islower() and len(what) <= 12 else what
