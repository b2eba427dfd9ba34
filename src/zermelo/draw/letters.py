"""How wide text is in a drawing, without the font at hand.

The drawings ask for DejaVu Sans or Verdana, whose letters are alike in width. Their
letters fall into few classes; a text is measured a little too wide rather than too narrow.
"""

from __future__ import annotations

from typing import Final

from zermelo.text.source import width

_THIN: Final = frozenset("ijlI.,:;'|! ftr()[]{}/\\-")
_BROAD: Final = frozenset("mwMWOQDGN%@&<>=+~^¬…≤≥≠∧∨∈∉→")
_EM_THIN: Final = 0.40
_EM_MIDDLE: Final = 0.65
_EM_BROAD: Final = 0.88
_EM_WHOLE: Final = 1.0


def text_width(text: str, size: float) -> float:
    """How wide *text* is in letters of *size*.

    >>> text_width("Il", 10)
    8.0
    >>> text_width("mn", 10)
    15.3
    """
    return round(sum(map(_em, text)) * size, 1)


def _em(letter: str) -> float:
    if letter in _THIN:
        return _EM_THIN
    if letter in _BROAD:
        return _EM_BROAD
    return _EM_WHOLE if width(letter) > 1 else _EM_MIDDLE
