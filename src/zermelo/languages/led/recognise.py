"""Whether a text is an LED program."""

from __future__ import annotations

import re
from typing import Final

from zermelo.core.language import Likeness
from zermelo.text.headings import heading
from zermelo.text.source import Source


def likeness(source: Source) -> Likeness:
    """How much *source* looks like LED: code between its marks decides, whatever is around it."""
    text = source.text
    if _has_regions(text):
        return Likeness.MARKED
    if _is_loose(text, has_headings=any(map(heading, text.split("\n")))):
        return Likeness.LOOSE
    return Likeness.ENDING if source.name.lower().endswith(".led") else Likeness.NONE


def _has_regions(text: str) -> bool:
    """Whether there is code of LED in *text*, between ``/$`` and ``$/``."""
    opening = text.find("/$")
    while opening >= 0:
        closing = text.find("$/", opening + 2)
        if closing < 0:
            return False
        if _LED_CODE.search(text, opening + 2, closing):
            return True
        opening = text.find("/$", closing + 2)
    return False


def _is_loose(text: str, *, has_headings: bool) -> bool:
    """Whether *text* is LED without marks: in print, as bare code, or with a mark lost."""
    if ":=" not in text:
        return False
    if "/$" in text or re.search(r"\biff\b", text) or _GAME.search(text):
        return True
    return not has_headings and bool(_HEAD_LINE.search(text))


_LED_CODE: Final = re.compile(r":=|≔|≡|\biff\b|\bledGame\b|#isGame\b")
_GAME: Final = re.compile(r"^[ \t]*(?:ledGame|#isGame)\b", re.MULTILINE)
_HEAD_LINE: Final = re.compile(
    r"^[ \t]*(?:\$\$?|\\\[)?[ \t]*[A-Za-z]\w*[ \t]*(?:\([\w, \t]*\))?[ \t]*:=", re.MULTILINE
)
