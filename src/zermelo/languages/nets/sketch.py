"""A marking in very little room, as in a box of a drawn graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from zermelo.core.machine import State
from zermelo.languages.nets.words import Words, bag_in, bag_text
from zermelo.text.source import width

Grid: TypeAlias = tuple[tuple[str | None, ...], ...]

MOST_LINES: Final = 6
WIDEST: Final = 36
"""Letters of a line."""


def sketcher(words: Words) -> Callable[[State], tuple[Grid, tuple[str, ...]]]:
    """What makes sketches of the markings of a net; the places that hold something, in lines."""
    return lambda state: ((), sketch(words, state))


def sketch(words: Words, state: State) -> tuple[str, ...]:
    """The places that are marked; nothing where they have no room."""
    if words.net.is_plain:
        lines = _filled(_terms(words, state))
    else:
        lines = [
            f"{place.name}: {bag_text(bag, place)}"
            for at, place in enumerate(words.net.places)
            if len(bag := bag_in(state, at))
        ]
    if not lines:
        return ("no tokens",)
    has_room = len(lines) <= MOST_LINES and all(width(line) <= WIDEST for line in lines)
    return tuple(lines) if has_room else (_size(state),)


def _terms(words: Words, state: State) -> list[str]:
    """Of a net with black tokens each marked place, with the number of its tokens."""
    found = []
    for at, place in enumerate(words.net.places):
        size = len(bag_in(state, at))
        if size:
            found.append(place.name if size == 1 else f"{size} {place.name}")
    return found


def _filled(terms: list[str]) -> list[str]:
    """*terms* as a sum, in lines."""
    lines: list[str] = []
    for term in terms:
        if lines and width(lines[-1]) + 3 + width(term) <= WIDEST:
            lines[-1] += f" + {term}"
        else:
            lines.append(term)
    return [f"{each} +" if each is not lines[-1] else each for each in lines]


def _size(state: State) -> str:
    held = sum(len(bag_in(state, at)) for at in range(len(state.values)))
    return "1 token" if held == 1 else f"{held:,} tokens"
