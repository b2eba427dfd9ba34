"""What stands in a PNML document as text alone, where a structure could say it too.

A structure is what counts; its text is for readers. A text without a structure is taken
where it can only mean one thing, a number of black tokens, and is refused elsewhere.
"""

from __future__ import annotations

import re
from typing import Final

from zermelo.languages.nets.read.pnml.xml import Element
from zermelo.languages.nets.read.wrong import Wrong
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label

_BLACK: Final = re.compile(r"([0-9]{1,19})(?: ?['`] ?dot)?|dot", re.ASCII | re.IGNORECASE)


def term_in(element: Element, tag: str) -> Element | None:
    """The term in the structure of the part *tag* of *element*, if there is one."""
    structure = element.find(tag, "structure")
    return None if structure is None or not structure.children else structure.children[0]


def text_in(element: Element, tag: str) -> str:
    """The text of the part *tag* of *element*."""
    part = element.find(tag)
    return "" if part is None else part.words("text") or part.text.strip()


def no_text_alone(element: Element, tag: str, *allowed: str) -> None:
    """Says that the part *tag* of *element* has no structure, unless it has no text either."""
    text = text_in(element, tag)
    if text and text not in allowed:
        raise only_text(element, tag)


def black_tokens(element: Element, tag: str) -> int | None:
    """How many black tokens the text of the part *tag* says: ``3``, ``3'dot`` or ``dot``.

    >>> black_tokens(Element("arc", children=[Element("hlinscription", text="2'dot")]),
    ...              "hlinscription")
    2
    """
    text = text_in(element, tag)
    if not text:
        return None
    found = _BLACK.fullmatch(text)
    if found is None:
        raise only_text(element, tag)
    return int(found[1] or 1)


def only_text(element: Element, tag: str) -> Wrong:
    """That the part *tag* of *element* lacks a structure."""
    text, part = text_in(element, tag), element.find(tag)
    shown = text if len(text) <= 40 else f"{text[:39]}…"
    return Wrong(
        Diagnostic(
            codes.PNML_MISSING,
            f"only the text `{shown}` is there, and no `<structure>` that says the same",
            primary=Label((part or element).span),
            help="add it, or write the net again with the program that made it",
        )
    )
