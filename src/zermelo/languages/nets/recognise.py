"""Whether a text is a net, in PROD's language or in PNML."""

from __future__ import annotations

import re
from typing import Final

from zermelo.core.language import Likeness
from zermelo.text.decoding import is_pnml
from zermelo.text.source import Source

_DIRECTIVE: Final = re.compile(r"^#(?:place|trans|endtr)\b", re.MULTILINE)


def likeness(source: Source) -> Likeness:
    text = source.text
    if is_pnml(text):
        return Likeness.CERTAIN
    if is_prod(text):
        return Likeness.DIRECTIVES
    named = source.name.lower().endswith((".net", ".prod", ".pnml"))
    return Likeness.ENDING if named else Likeness.NONE


def is_prod(text: str) -> bool:
    """Whether *text* is a net in PROD's language, whatever its file is called."""
    return bool(_DIRECTIVE.search(text) or (re.search(r"\bPROD\b", text) and "Petri net" in text))
