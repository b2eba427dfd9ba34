"""Whether a text is a document with sections."""

from __future__ import annotations

from typing import Final

from zermelo.core.language import Likeness
from zermelo.text.headings import SectionKind, heading
from zermelo.text.source import Source

_OWN: Final = frozenset({SectionKind.READING, SectionKind.VIEW, SectionKind.ERRATA})
"""Sections that a document of any language may have."""


def likeness(source: Source) -> Likeness:
    """How much *source* looks like a document with sections, which any text may be."""
    kinds = {found.kind for found in map(heading, source.text.split("\n")) if found}
    is_sure = len(kinds) >= 2 and not kinds <= _OWN
    return Likeness.HEADINGS if is_sure else Likeness.DEFAULT
