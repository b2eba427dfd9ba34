"""The code that numbers states by a ``Ranking``, made as text for that ranking alone.

``rank`` finds the pattern of each member and the value of each digit, and compares the bits
that follow from them with the state's; if they are not the same, or there is a pattern or a
value that the ranking does not know, the state has no number. It has no branches but the last,
since nobody could foretell them. ``unrank`` goes the other way. It remembers for each group
how far the number before had the same members, as numbers mostly come in order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from zermelo.engines.space.ranking import ByCount, Digit, Ranking
from zermelo.engines.space.ranking_groups import group_code
from zermelo.engines.space.ranking_text import Tables, added, bits_at, inverse, part_of
from zermelo.fast.bits import signed


def functions(ranking: Ranking, tables: Tables) -> Iterator[str]:
    """The text of ``rank`` and ``unrank``; *tables* gets what they look up."""
    groups = [group_code(number, ranking, tables) for number in range(len(ranking.groups))]
    digits = [_DigitCode(digit, number, tables) for number, digit in enumerate(ranking.digits)]
    counts = [
        _CountCode(each, ranking, tables) for each in ranking.follows if isinstance(each, ByCount)
    ]
    words = range(ranking.words)
    parts: list[_Code] = [*groups, *digits, *counts]
    lines = [f"w{word} = load(row, {word})" for word in words]
    # What is read as a pattern or a digit that is known is right as it is.
    lines += [f"e{word} = w{word} & {signed(_read(ranking, word))}" for word in words]
    lines += ["number = 0", "known = 0", "wrong = 0"]
    lines += [line for part in parts for line in part.ranked()]
    different = " | ".join(["wrong", *(f"(e{word} ^ w{word})" for word in words)])
    lines += [f"if known < 0 or ({different}) != 0:", "    return -1", "return number"]
    yield _function("rank(tab, row)", lines)
    lines = [f"e{word} = 0" for word in words]
    parts = [*reversed(digits), *reversed(groups), *counts]
    lines += [line for part in parts for line in part.unranked()]
    lines += [*(f"store(row, {word}, e{word})" for word in words), "return 0"]
    yield _function("unrank(tab, memory, number, row)", lines)


class _Code(Protocol):
    """The code for a part of a ranking."""

    def ranked(self) -> list[str]:
        """The code that finds its number in a state, and adds it to the state's."""
        ...

    def unranked(self) -> list[str]:
        """The code that takes its number off the state's, and sets its bits."""
        ...


class _DigitCode:
    """The code for one digit."""

    def __init__(self, digit: Digit, number: int, tables: Tables) -> None:
        self._digit = digit
        self._name = f"d{number}"
        self._codes = tables.add(inverse(digit.values, 1 << digit.place.width))
        self._part = part_of(tables, [(digit.place, value) for value in digit.values])

    def ranked(self) -> list[str]:
        """The code that finds the digit in a state, and adds it to the state's number."""
        name = self._name
        return [
            f"{name} = load(tab, {self._codes} + ({bits_at('w', self._digit.place)}))",
            f"known = known | {name}",
            f"number = number * {len(self._digit.values)} + {name}",
        ]

    def unranked(self) -> list[str]:
        """The code that takes the digit off a state's number, and sets its bits."""
        name, size = self._name, len(self._digit.values)
        return [
            f"{name} = number % {size}",
            f"number = number // {size}",
            *added(self._part, name),
        ]


class _CountCode:
    """The code for a field that follows from a count."""

    def __init__(self, each: ByCount, ranking: Ranking, tables: Tables) -> None:
        size = 1 if each.digit < 0 else len(ranking.digits[each.digit].values)
        self._index = f"n{each.group}" + (f" * {size} + d{each.digit}" if each.digit >= 0 else "")
        self._known = tables.add([-int(value is None) for value in each.values])
        values = [None if value is None else (each.place, value) for value in each.values]
        self._part = part_of(tables, values)

    def ranked(self) -> list[str]:
        """The code that puts the field where it should be."""
        return [f"known = known | load(tab, {self._known} + {self._index})", *self.unranked()]

    def unranked(self) -> list[str]:
        """The same, where nothing can be wrong."""
        return added(self._part, self._index)


def _read(ranking: Ranking, word: int) -> int:
    """The bits of *word* that are read as patterns and digits."""
    places = [place for group in ranking.groups for place in group.places]
    places += [digit.place for digit in ranking.digits]
    return sum(((1 << place.width) - 1) << place.shift for place in places if place.word == word)


def _function(head: str, lines: Sequence[str]) -> str:
    return "\n".join([f"def {head}:", *(f"    {line}" for line in lines)])
