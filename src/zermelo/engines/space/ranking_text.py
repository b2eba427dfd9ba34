"""Pieces of generated code that numbers states, and the tables that it looks things up in.

A state's words are called ``w0``, ``w1``, … where it is read, and ``e0``, ``e1``, … as they
follow from its number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from zermelo.core.layout import WORD, Place
from zermelo.fast.bits import signed


@dataclass(slots=True)
class Tables:
    """Numbers that the code looks up, one after another in memory."""

    words: int
    numbers: list[int] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)
    """What ``unrank`` remembers before it has seen a number."""

    def add(self, numbers: Sequence[int]) -> int:
        """Where *numbers* begin."""
        at = len(self.numbers)
        self.numbers += [signed(number) for number in numbers]
        return at

    def remember(self, numbers: Sequence[int]) -> int:
        """Where *numbers* begin in what is remembered."""
        at = len(self.memory)
        self.memory += numbers
        return at


def shifted(name: str, by: int) -> str:
    """The code for the bits of *name* from number *by* on."""
    return f"shr({name}, {by})" if by else name


def bits_at(words: str, place: Place) -> str:
    """The code for the bits at *place* of a state whose words are called *words*."""
    word = shifted(f"{words}{place.word}", place.shift)
    is_rest = place.shift + place.width == WORD
    return word if is_rest else f"{word} & {(1 << place.width) - 1}"


def inverse(values: Sequence[int], size: int) -> list[int]:
    """For each number up to *size* its place in *values*, −1 if it has none."""
    found = [-1] * size
    for at, value in enumerate(values):
        found[value] = at
    return found


def tables_of(tables: Tables, by_word: Sequence[Sequence[int]]) -> dict[int, int]:
    """For each word where its table begins, unless that would only have zeros."""
    return {word: tables.add(numbers) for word, numbers in enumerate(by_word) if any(numbers)}


def part_of(tables: Tables, values: Sequence[tuple[Place, int] | None]) -> dict[int, int]:
    """The tables for a field that has one of *values*."""
    return tables_of(
        tables,
        [
            [
                0 if each is None or each[0].word != word else each[1] << each[0].shift
                for each in values
            ]
            for word in range(tables.words)
        ],
    )


def added(part: dict[int, int], index: str) -> list[str]:
    """The code that adds the bits that stand at *index* in the tables of *part*."""
    return [f"e{word} = e{word} | load(tab, {at} + {index})" for word, at in part.items()]
